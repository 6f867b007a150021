/**
 * Choice of colour for standard output and standard error.
 *
 * @module
 */

import type { COLOUR_CHOICES } from "../commands.ts";
import { platform } from "../platform/platform.ts";
import { isColourWanted, isOn } from "./paint.ts";

/** Turns colour on or off. `auto` follows NO_COLOR, then FORCE_COLOR, then the terminal. */
export function setColour(choice: typeof COLOUR_CHOICES[number]): void {
  for (const target of ["stdout", "stderr"] as const) {
    isOn[target] = choice === "always" ||
      choice === "auto" && isColourWanted(platform.variable, () => platform[target].isTerminal());
  }
}
