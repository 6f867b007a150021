/**
 * Text from outside (file names, arguments, content of documents) made harmless to the terminal and
 * to the log of a CI service.
 */

/** Text that needs no replacement, as most does: five unsuccessful searches would allocate. */
const HARMLESS = /^[ !"$-~]*$/;

/** DEL, C1 controls, line separators and bidirectional overrides: they rewrite the screen. */
const UNSAFE = /[\x7f-\x9f\u2028-\u202e\u2066-\u2069]/g;

/**
 * Invisible characters: direction marks, zero-width characters, tags, selectors and other format
 * characters, but for those of them that are drawn, such as the Arabic number sign.
 */
const INVISIBLE = /(?![\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\u{110bd}\u{110cd}])[\p{DI}\p{Cf}]/gu;

/**
 * First character of a command that a log executes anywhere in a line: `##[add-mask]` (GitHub),
 * `##vso[…]` (Azure), `##teamcity[…]`. GitHub's comparison skips default-ignorable characters.
 */
const LOG_COMMAND = /#(?=\p{DI}*#[\w\p{DI}]*\[)/gu;

/**
 * Beginning of a line that a log may execute: `::add-mask::` after any white space (GitHub), `---`
 * and `+++` (Buildkite).
 */
const LINE_COMMAND = /^[\s\p{DI}]*[-+:#]/u;

/**
 * Replaces everything that a terminal or a log would act on, and invisible characters. Control
 * characters become their pictures (␊), the first `#` of a log command becomes `♯`, and others are
 * named (`<U+200E>`).
 */
export function printable(text: string): string {
  if (HARMLESS.test(text)) return text;
  return harmless(text).replace(INVISIBLE, codePointName);
}

/** Replaces everything that a terminal or a log would act on. */
export function harmless(text: string): string {
  if (HARMLESS.test(text)) return text;
  return text
    // deno-lint-ignore no-control-regex
    .replace(/[\0-\x1f]/g, (control) => String.fromCharCode(0x2400 + control.charCodeAt(0)))
    .replaceAll("\x7f", "␡")
    .replace(UNSAFE, codePointName)
    .replace(LOG_COMMAND, "♯");
}

/** Names the code point of a character, as in `<U+200B>`. */
export function codePointName(character: string): string {
  return `<U+${character.codePointAt(0)!.toString(16).toUpperCase()}>`;
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
  return json.replace(UNSAFE, escapeUnits).replace(LOG_COMMAND, escapeUnits).replace(INVISIBLE, escapeUnits);
}

function escapeUnits(character: string): string {
  return character.split("").map((unit) => "\\u" + unit.charCodeAt(0).toString(16).padStart(4, "0")).join("");
}
