/**
 * Indentation of JSON that has no whitespace. The digits of numbers and escapes of strings stay.
 *
 * @module
 */

/** Strings, brackets, commas, colons, and all else. */
const TOKENS = /"(?:[^"\\]|\\.)*"|[[\]{}]|[,:]|[^",:[\]{}]+/gs;

/** Characters of the longest array or object that stays on its line. */
const SHORT = 60;

/** Levels that are indented. The indentation of many would take much more memory than the value. */
const MAX_DEPTH = 100;

/** Matches an array or object without others in it. */
const FLAT = /[[{](?:"(?:[^"\\]|\\.)*"|[^"[\]{}])*[\]}]/gsy;

/**
 * Returns a value indented by two spaces, with short flat arrays and objects on one line. A value
 * of more than 100 levels stays as it is.
 */
export function indentJson(json: string): string {
  let out = "";
  let depth = 0;
  const spaced = (token: string): string => token === "," ? ", " : token === ":" ? ": " : token;
  for (let at = 0; at < json.length;) {
    FLAT.lastIndex = at;
    const [flat] = FLAT.exec(json) ?? [];
    if (flat !== undefined && flat.length <= SHORT) {
      out += (flat.match(TOKENS) ?? []).map(spaced).join("");
      at += flat.length;
      continue;
    }
    TOKENS.lastIndex = at;
    const token = TOKENS.exec(json)![0];
    at += token.length;
    if (depth === MAX_DEPTH) return json;
    if (token === "{" || token === "[") out += `${token}\n${"  ".repeat(++depth)}`;
    else if (token === "}" || token === "]") out += `\n${"  ".repeat(--depth)}${token}`;
    else out += token === "," ? `,\n${"  ".repeat(depth)}` : spaced(token);
  }
  return out;
}
