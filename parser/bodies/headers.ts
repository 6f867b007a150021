/** Headers of bodies. */

const { apply } = Reflect;
const { endsWith, slice, startsWith, toLowerCase, trim } = String.prototype;
const NO_ARGUMENTS: never[] = [];

/** Arguments of `startsWith` and `endsWith`. */
const CHARSET = ["charset="];
const SUFFIX = ["+json"];

/** Returns the number of bytes that `Content-Length` announces; -1 if it is missing or wrong. */
export function lengthOfHeader(value: string | null | undefined): number {
  if (typeof value !== "string" || value.length === 0 || value.length > 15) return -1;
  let length = 0;
  for (let i = 0; i < value.length; i++) {
    const digit = value[i];
    if (digit < "0" || digit > "9") return -1;
    length = 10 * length + +digit;
  }
  return length;
}

export function isCompressed(value: string | null | undefined): value is string {
  return typeof value === "string" && value !== "" && normalized(value, 0, value.length) !== "identity";
}

/**
 * Returns whether `Content-Type` is that of JSON in UTF-8: `application/json`, or a type that ends
 * in `+json`, without a charset or with that of UTF-8.
 */
export function isJsonType(value: string | null | undefined): boolean {
  if (typeof value !== "string") return false;
  if (value === "application/json") return true;
  const end = endOfPart(value, 0);
  if (!isJsonEssence(normalized(value, 0, end))) return false;
  for (let start = end + 1; start < value.length;) {
    const next = endOfPart(value, start);
    const parameter = normalized(value, start, next);
    if (apply(startsWith, parameter, CHARSET) && !isUtf8(parameter)) return false;
    start = next + 1;
  }
  return true;
}

function isUtf8(parameter: string): boolean {
  const name = normalized(parameter, "charset=".length, parameter.length);
  return name === "utf-8" || name === '"utf-8"' || name === "utf8" || name === '"utf8"';
}

/** Returns whether a media type without parameters is that of JSON. */
function isJsonEssence(essence: string): boolean {
  if (essence === "application/json") return true;
  let slash = -1;
  for (let i = 0; i < essence.length; i++) {
    const character = essence[i];
    if (character <= " " || character === "," || character > "~" || character === "/" && slash >= 0) return false;
    if (character === "/") slash = i;
  }
  return slash > 0 && apply(endsWith, essence, SUFFIX) && slash < essence.length - "+json".length - 1;
}

/** Returns the end of the part that begins at `start`: the next semicolon outside of quotes. */
function endOfPart(value: string, start: number): number {
  let isQuoted = false;
  for (let i = start; i < value.length; i++) {
    const character = value[i];
    if (character === '"') isQuoted = !isQuoted;
    else if (character === "\\" && isQuoted) i++;
    else if (character === ";" && !isQuoted) return i;
  }
  return value.length;
}

/** Returns part of a value in lower case, without the white space around it. */
export function normalized(value: string, start: number, end: number): string {
  const part: string = apply(slice, value, [start, end]);
  return apply(toLowerCase, apply(trim, part, NO_ARGUMENTS), NO_ARGUMENTS);
}
