/** The media type and the charset of `Content-Type`, and patterns of media types. */

const TOKEN = "[\\w!#$%&'*+.^`|~-]+";
const MEDIA_TYPE = new RegExp(`^${TOKEN}/${TOKEN}$`);
const CHARSET = /;[ \t]*charset[ \t]*=[ \t]*(?:"((?:[^"\\]|\\.)*)"|([^;]*))/i;

/** Media types by the short names that Express accepts. */
const SHORT_NAMES = new Map([
  ["json", "application/json"],
  ["text", "text/plain"],
  ["urlencoded", "application/x-www-form-urlencoded"],
  ["multipart", "multipart/*"],
]);

/** Returns the media type of a header in lower case; `""` if there is none. */
export function mediaTypeOf(header: string | undefined): string {
  const type = (header ?? "").split(";", 1)[0].trim().toLowerCase();
  return MEDIA_TYPE.test(type) ? type : "";
}

/** Returns the charset of a header in lower case; `""` if it has none. */
export function charsetOf(header: string | undefined): string {
  const [, quoted, plain = ""] = CHARSET.exec(header ?? "") ?? [];
  return (quoted?.replace(/\\(.)/g, "$1") ?? plain.trim()).toLowerCase();
}

/**
 * Makes a test of media types from patterns such as `application/json`, `json`, `+json`
 * and `application/*`.
 *
 * @throws {TypeError} If a pattern is of another form.
 */
export function mediaTypeTest(patterns: readonly unknown[]): (type: string) => boolean {
  const tests = patterns.map(patternTest);
  return (type) => type !== "" && tests.some((test) => test(type));
}

function patternTest(pattern: unknown): (type: string) => boolean {
  const whole = typeof pattern !== "string"
    ? undefined
    : pattern.startsWith("+")
    ? `*/*${pattern}`
    : pattern.includes("/")
    ? pattern
    : SHORT_NAMES.get(pattern.replace(/^\./, "").toLowerCase());
  if (whole === undefined) {
    throw new TypeError(`Cannot use type: ${String(pattern)}: expected a media type, such as application/json`);
  }
  const [family, kind] = whole.split("/");
  return (type) => {
    const [typeFamily, typeKind] = type.split("/");
    if (family !== "*" && family !== typeFamily) return false;
    if (kind.startsWith("*+")) return typeKind.endsWith(kind.slice(1));
    return kind === "*" || kind === typeKind;
  };
}
