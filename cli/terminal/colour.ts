/**
 * Choice of colour for standard output and standard error.
 *
 * @module
 */

import type { COLOUR_CHOICES } from "../commands.ts";
import { platform } from "../platform/platform.ts";
import { isOn, type Target } from "./paint.ts";
import { isDumbTerminal } from "./streams.ts";

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
