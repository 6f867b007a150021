/** Pointers in the notations of other tools: `$.items[0].p`, `.items[0].p`, `#/items/0/p`. */

/** Name after a dot or at the beginning, index or name in brackets. */
const STEP =
  /\.?\[(?:(\d+)|'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)")\]|\.?"((?:[^"\\]|\\.)*)"|(?:\.|^)([^\s.[\]"'*$#/]+)/y;

/** Maximum characters of a pointer in a message. A longer one is shortened in the middle. */
const MAX_POINTER = 200;

/** Says that there is no value at a pointer, and which one may be meant. */
export function missingAt(pointer: string): string {
  return `there is no value at ${quoted(pointer)}${hintOf(pointer)}`;
}

/**
 * Returns a question in parentheses, with the pointer that a text in another notation means; an empty
 * text if it is in none of them.
 */
export function hintOf(text: string): string {
  const meant = meantPointer(text);
  return meant === undefined ? "" : ` (did you mean ${quoted(meant)}?)`;
}

/** Returns a pointer in quotation marks. */
export function quoted(pointer: string): string {
  if (pointer.length <= MAX_POINTER) return `'${pointer}'`;
  return `'${pointer.slice(0, MAX_POINTER / 2)}…${pointer.slice(-MAX_POINTER / 2)}'`;
}

/** Returns the JSON Pointer that a text in another notation means, if it is in one. */
function meantPointer(text: string): string | undefined {
  if (/^#?(?:\/|$)/.test(text) && !/\[\d+\]/.test(text)) return text.startsWith("#") ? decoded(text) : undefined;
  if (/\.[a-z]*json\w?(?:\.\w+)?$/i.test(text)) return undefined; // a file
  // A path of names and indexes, perhaps without its first slash.
  if (text.includes("/") && !/^[.$[]/.test(text)) {
    const path = text.replace(/^#?\/?/, "/");
    return /[\s"'*$#]/.test(path) ? undefined : path.replaceAll(/\[(\d+)\]/g, "/$1");
  }
  const steps = text.replace(/^\$/, "");
  if (text === "." || steps === "") return "";
  let pointer = "";
  STEP.lastIndex = 0;
  while (STEP.lastIndex < steps.length) {
    const match = STEP.exec(steps);
    if (match === null) return undefined;
    const name = match.slice(1).find((part) => part !== undefined)!.replaceAll(/\\(.)/g, "$1");
    pointer += `/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`;
  }
  return pointer;
}

/** Returns the pointer in a URI fragment. */
function decoded(fragment: string): string | undefined {
  try {
    return decodeURIComponent(fragment.slice(1));
  } catch {
    return undefined;
  }
}
