/**
 * Reference of the value so far: a recursive reader of what a cut text holds, which shares nothing
 * with the parser.
 *
 * @module
 */

/** In place of a value of which nothing is there. */
export const ABSENT: unique symbol = Symbol("absent");

/** Thrown at the end of the text, with what is there of the value. */
class Cut {
  readonly value: unknown;

  constructor(value: unknown) {
    this.value = value;
  }
}

/**
 * Reads the beginning of a valid JSON text. Returns what is there of its value, or {@linkcode ABSENT}.
 *
 * @param isWithin Whether some bytes of another character follow.
 */
export function referencePartial(text: string, isWithin: boolean): unknown {
  let at = 0;
  const skip = (): string | undefined => {
    while (" \t\r\n".includes(text[at] ?? "x")) at++;
    return text[at];
  };
  const string = (): string => {
    let value = "";
    for (at++;; at++) {
      const c = text[at];
      if (c === undefined) throw new Cut(isWithin ? value : value.replace(/[\ud800-\udbff]$/, ""));
      if (c === '"') break;
      if (c !== "\\") value += c;
      else {
        const escape = text.slice(at, at + (text[at + 1] === "u" ? 6 : 2));
        if (escape.length < (text[at + 1] === "u" ? 6 : 2)) throw new Cut(value.replace(/[\ud800-\udbff]$/, ""));
        value += JSON.parse(`"${escape}"`);
        at += escape.length - 1;
      }
    }
    at++;
    return value;
  };
  /** Reads a value, and passes it on as soon as it has begun, however it ends. */
  const into = (take: (value: unknown) => void): void => {
    try {
      take(read());
    } catch (error) {
      if (error instanceof Cut && error.value !== ABSENT) take(error.value);
      throw error;
    }
  };
  const read = (): unknown => {
    const c = skip();
    if (c === undefined) throw new Cut(ABSENT);
    if (c === '"') return string();
    if (c === "[" || c === "{") {
      const container: unknown = c === "[" ? [] : {};
      try {
        at++;
        if (skip() === "]" || text[at] === "}") return at++, container;
        for (;;) {
          if (c === "[") into((value) => (container as unknown[]).push(value));
          else {
            if (skip() === undefined) throw new Cut(ABSENT);
            const name = string();
            if (skip() === undefined) throw new Cut(ABSENT);
            at++;
            into((value) => {
              Object.defineProperty(container, name, { value, writable: true, enumerable: true, configurable: true });
            });
          }
          if (skip() === undefined) throw new Cut(ABSENT);
          if (text[at++] !== ",") return container;
        }
      } catch (error) {
        throw error instanceof Cut ? new Cut(container) : error;
      }
    }
    const token = /^[-+.\w]*/.exec(text.slice(at))![0];
    at += token.length;
    if (at === text.length && !/^(?:true|false|null)$/.test(token)) throw new Cut(ABSENT);
    return JSON.parse(token);
  };
  try {
    return read();
  } catch (error) {
    if (error instanceof Cut) return error.value;
    throw error;
  }
}
