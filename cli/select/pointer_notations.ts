/** Pointers as other tools write them: `$.items[0].p`, `.items[0].p`, `#/items/0/p`. */

/** Name after a point or at the beginning, index or name in brackets. */
const STEP =
  /\.?\[(?:(\d+)|'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)")\]|\.?"((?:[^"\\]|\\.)*)"|(?:\.|^)([^\s.[\]"'*$#/]+)/y;

/** Says that there is no value at a pointer, and which one may be meant. */
export function missingAt(pointer: string): string {
  const meant = meantPointer(pointer);
  return `there is no value at '${pointer}'${meant === undefined ? "" : ` (did you mean '${meant}'?)`}`;
}

/** Returns the JSON Pointer that a text of another notation means, if it is of one. */
export function meantPointer(text: string): string | undefined {
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
