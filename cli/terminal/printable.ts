/**
 * Text from outside (file names, arguments, content of documents) made harmless to the terminal and
 * to the log of a CI service.
 *
 * @module
 */

/** DEL, C1 controls, line separators and bidirectional overrides: they rewrite the screen. */
const UNSAFE = /[\x7f-\x9f\u2028-\u202e\u2066-\u2069]/g;

/**
 * First character of a command that a log obeys anywhere in a line: `##[add-mask]` (GitHub),
 * `##vso[…]` (Azure), `##teamcity[…]`. GitHub's comparison skips default-ignorable characters.
 */
const LOG_COMMAND = /#(?=\p{DI}*#[\w\p{DI}]*\[)/gu;

/**
 * Beginning of a line that a log may obey: `::add-mask::` after any white space (GitHub), `---` and
 * `+++` (Buildkite).
 */
const LINE_COMMAND = /^[\s\p{DI}]*[-+:#]/u;

/**
 * Replaces whatever a terminal or a log would act on. Control characters become their pictures
 * (␊), the first `#` of a log command becomes `♯`.
 */
export function printable(text: string): string {
  return text
    // deno-lint-ignore no-control-regex
    .replace(/[\0-\x1f]/g, (control) => String.fromCharCode(0x2400 + control.charCodeAt(0)))
    .replaceAll("\x7f", "␡")
    .replace(UNSAFE, "\ufffd")
    .replace(LOG_COMMAND, "♯");
}

/**
 * Makes the name of a file printable for the beginning of a line. A name that a log may take for a
 * command gets `./` before it.
 */
export function printableName(name: string): string {
  const shown = printable(name);
  return LINE_COMMAND.test(shown) ? `./${shown}` : shown;
}

/** Escapes the same characters within JSON, which keeps its meaning. */
export function printableJson(json: string): string {
  return json.replace(UNSAFE, escapeUnit).replace(LOG_COMMAND, escapeUnit);
}

function escapeUnit(unit: string): string {
  return "\\u" + unit.charCodeAt(0).toString(16).padStart(4, "0");
}
