/**
 * Text in styles, if colour is on. Not @std/fmt/colors: it cannot let `--color=always` win over
 * NO_COLOR. `tests/repository/std_packages_test.ts` fails when it can.
 */

/**
 * Styles as numbers of SGR sequences. All can be read on light and on dark backgrounds, unlike
 * yellow, white, blue, and faint text.
 */
const STYLES = { strong: 1, bad: 31, good: 32, hint: 35 } as const;

export type Target = "stdout" | "stderr";

/** Whether colour is on. `setColour` decides for the command line; elsewhere it is off. */
export const isOn: Record<Target, boolean> = { stdout: false, stderr: false };

/** Returns the text in a style, or as it is if colour is off. */
export function paint(style: keyof typeof STYLES, text: string, target: Target = "stderr"): string {
  return isOn[target] ? `\x1b[${STYLES[style]}m${text}\x1b[0m` : text;
}

/** Returns whether a stream gets colour: NO_COLOR decides, then FORCE_COLOR, then the terminal. */
export function isColourWanted(variable: (name: string) => string | undefined, isTerminal: () => boolean): boolean {
  if (variable("NO_COLOR")) return false;
  const forced = variable("FORCE_COLOR");
  return forced ? forced !== "0" : isTerminal() && variable("TERM") !== "dumb";
}
