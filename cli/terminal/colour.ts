/**
 * Colours of text on standard output and standard error. Not @std/fmt/colors: it cannot let
 * `--color=always` win over NO_COLOR.
 *
 * @module
 */

import type { COLOUR_CHOICES } from "../commands.ts";
import { platform } from "../platform/platform.ts";
import { isDumbTerminal } from "./streams.ts";

/**
 * Styles as numbers of SGR sequences: those that can be read on light and on dark backgrounds, which
 * yellow, white, blue, and faint text cannot.
 */
const STYLES = { strong: 1, bad: 31, good: 32, hint: 35 } as const;

/** Stream that a text goes to. */
type Target = "stdout" | "stderr";

const isOn: Record<Target, boolean> = { stdout: false, stderr: false };

/** Turns colour on or off. `auto` follows NO_COLOR, then FORCE_COLOR, then the terminal. */
export function setColour(choice: typeof COLOUR_CHOICES[number]): void {
  for (const target of ["stdout", "stderr"] as const) {
    isOn[target] = choice === "always" || choice === "auto" && isWanted(target);
  }
}

function isWanted(target: Target): boolean {
  if (platform.variable("NO_COLOR")) return false;
  const forced = platform.variable("FORCE_COLOR");
  return forced ? forced !== "0" : platform[target].isTerminal() && !isDumbTerminal();
}

/** Returns the text in a style, or as it is if colour is off. */
export function paint(style: keyof typeof STYLES, text: string, target: Target = "stderr"): string {
  return isOn[target] ? `\x1b[${STYLES[style]}m${text}\x1b[0m` : text;
}
