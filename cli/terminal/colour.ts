/**
 * Colours of text on standard error. Not @std/fmt/colors: it cannot let `--color=always` win over
 * NO_COLOR.
 *
 * @module
 */

import type { COLOUR_CHOICES } from "../commands.ts";

const STYLES = { strong: 1, faint: 2, bad: 31, good: 32, hint: 36 } as const;
let isOn = false;

/** Turns colour on or off. `auto` follows NO_COLOR, then FORCE_COLOR, then the terminal. */
export function setColour(choice: typeof COLOUR_CHOICES[number]): void {
  isOn = choice === "always" || choice === "auto" && isWanted();
}

function isWanted(): boolean {
  if (Deno.env.get("NO_COLOR")) return false;
  const forced = Deno.env.get("FORCE_COLOR");
  return forced ? forced !== "0" : Deno.stderr.isTerminal();
}

/** Returns the text in a style, or as it is if colour is off. */
export function paint(style: keyof typeof STYLES, text: string): string {
  return isOn ? `\x1b[${STYLES[style]}m${text}\x1b[0m` : text;
}
