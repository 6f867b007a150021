/** Indentation of JSON. The digits of numbers and escapes of strings stay. */

/** Strings, brackets, commas, colons, numbers and words: everything but whitespace. */
const TOKENS = /"(?:[^"\\]|\\.)*"|[[\]{},:]|[^",:[\]{}\s]+/gs;

/** Maximum characters of an array or object that stays on one line. */
const SHORT = 60;

/** Maximum depth that is indented. Deep indentation would take much more memory than the value. */
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
  for (let at = 0;;) {
    TOKENS.lastIndex = at;
    const token = TOKENS.exec(json)?.[0];
    if (token === undefined) return out;
    at = TOKENS.lastIndex;
    FLAT.lastIndex = at - 1;
    const flat = FLAT.exec(json)?.[0] ?? "";
    const tokens = flat.match(TOKENS) ?? [];
    if (flat !== "" && tokens.join("").length <= SHORT) {
      out += tokens.map(spaced).join("");
      at += flat.length - 1;
    } else if (depth === MAX_DEPTH) return json;
    else if (token === "{" || token === "[") out += `${token}\n${"  ".repeat(++depth)}`;
    else if (token === "}" || token === "]") out += `\n${"  ".repeat(--depth)}${token}`;
    else out += token === "," ? `,\n${"  ".repeat(depth)}` : spaced(token);
  }
}
