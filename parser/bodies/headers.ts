/** Headers of bodies. */

const CHARSET = "charset=";
const SUFFIX = "+json";

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
 * Returns whether `Content-Type` is JSON in UTF-8: `application/json`, or a type that ends in
 * `+json`, without a charset or with UTF-8.
 */
export function isJsonType(value: string | null | undefined): boolean {
  if (typeof value !== "string") return false;
  if (value === "application/json") return true;
  const end = endOfPart(value, 0);
  if (!isJsonEssence(normalized(value, 0, end))) return false;
  for (let start = end + 1; start < value.length;) {
    const next = endOfPart(value, start);
    const parameter = normalized(value, start, next);
    if (parameter.startsWith(CHARSET) && !isUtf8(parameter)) return false;
    start = next + 1;
  }
  return true;
}

function isUtf8(parameter: string): boolean {
  const name = normalized(parameter, CHARSET.length, parameter.length);
  return name === "utf-8" || name === '"utf-8"' || name === "utf8" || name === '"utf8"';
}

/** Returns whether a media type without parameters is JSON. */
function isJsonEssence(essence: string): boolean {
  if (essence === "application/json") return true;
  let slash = -1;
  for (let i = 0; i < essence.length; i++) {
    const character = essence[i];
    if (character <= " " || character === "," || character > "~" || character === "/" && slash >= 0) return false;
    if (character === "/") slash = i;
  }
  return slash > 0 && essence.endsWith(SUFFIX) && slash < essence.length - SUFFIX.length - 1;
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
  return value.slice(start, end).trim().toLowerCase();
}
