/**
 * Reference parser: RFC 8259 as directly as possible, and the options of `parseBinary`. Slow,
 * recursive, one byte at a time, and independent of the parser under test. Values are those of
 * `JSON.parse` without V8's bugs. Failures are those that V8 chooses, with a byte offset.
 *
 * @module
 */

import type { FailureCode, ParseFailure, ParseOptions, ParseResult } from "../../parse_binary.ts";
import { textOf } from "./bytes.ts";

const AT_POSITION: Partial<Record<FailureCode, string>> = {
  "unexpected-number": "Unexpected number in JSON",
  "unexpected-string": "Unexpected string in JSON",
  "unterminated-string": "Unterminated string in JSON",
  "expected-property-name-or-brace": "Expected property name or '}' in JSON",
  "expected-property-name": "Expected double-quoted property name in JSON",
  "expected-colon": "Expected ':' after property name in JSON",
  "expected-comma-or-brace": "Expected ',' or '}' after property value in JSON",
  "expected-comma-or-bracket": "Expected ',' or ']' after array element in JSON",
  "unterminated-fraction": "Unterminated fractional number in JSON",
  "missing-exponent": "Exponent part is missing a number in JSON",
  "missing-digits": "No number after minus sign in JSON",
  "bad-control-character": "Bad control character in string literal in JSON",
  "bad-escape": "Bad escaped character in JSON",
  "bad-unicode-escape": "Bad Unicode escape in JSON",
  "trailing-content": "Unexpected non-whitespace character after JSON",
  "invalid-utf8": "Invalid UTF-8 in JSON",
};

/** Returns the result that `parseBinary` must give. */
export function referenceParse(bytes: Uint8Array): ParseResult {
  try {
    return { ok: true, value: new Reference(bytes).document() };
  } catch (refusal) {
    if (refusal instanceof Refusal) return failureOf(bytes, refusal);
    throw refusal;
  }
}

/** Refusal of a text, by the grammar or by an option. */
export class Refusal {
  readonly code: FailureCode;
  readonly offset: number;
  /** Number of bytes after which a refusal by an option is certain. */
  readonly certainAt: number;
  readonly firstOffset: number | undefined;

  constructor(code: FailureCode, offset: number, certainAt: number = offset, firstOffset?: number) {
    this.code = code;
    this.offset = offset;
    this.certainAt = certainAt;
    this.firstOffset = firstOffset;
  }
}

/** Reading of a text by options. */
export type Reading = { refusal: Refusal } | { refusal: null; value: unknown };

/** Reads the bytes of a valid text as options say. */
export function referenceRead(bytes: Uint8Array, options: ParseOptions): Reading {
  try {
    return { refusal: null, value: new Reference(bytes, options).document() };
  } catch (refusal) {
    if (refusal instanceof Refusal) return { refusal };
    throw refusal;
  }
}

/**
 * Returns whether the bytes from a failure on are the beginning of a character or byte-order mark.
 */
function isCutCharacter(bytes: Uint8Array, code: FailureCode, offset: number): boolean {
  const rest = bytes.subarray(offset);
  if (code === "unexpected-token") {
    return offset === 0 && rest.length < 3 && String(rest) === String([0xef, 0xbb].slice(0, rest.length));
  }
  if (code !== "invalid-utf8") return false;
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(rest, { stream: true }) === "";
  } catch {
    return false;
  }
}

function failureOf(bytes: Uint8Array, { code, offset }: Refusal): ParseFailure {
  const lines = textOf(bytes.subarray(startOf(bytes), offset))!.split(/\r\n|\r|\n/);
  const line = lines.length;
  const column = lines[line - 1].length + 1;
  let message = AT_POSITION[code] ?? "Unexpected end of JSON input";
  if (code === "unexpected-token") {
    const byte = bytes[offset];
    message = byte >= 0x20 && byte <= 0x7e
      ? `Unexpected token '${String.fromCharCode(byte)}' in JSON`
      : `Unexpected byte 0x${byte.toString(16).toUpperCase().padStart(2, "0")} in JSON`;
  }
  if (code !== "unexpected-end") message += ` at position ${offset} (line ${line} column ${column})`;
  const truncated = offset === bytes.length || isCutCharacter(bytes, code, offset);
  return { ok: false, code, message, offset, line, column, truncated };
}

/** Returns the offset after a byte-order mark, which RFC 8259 §8.1 allows a parser to skip. */
function startOf(bytes: Uint8Array): number {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
}

const ESCAPES: Record<string, string> = {
  '"': '"',
  "\\": "\\",
  "/": "/",
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
};

class Reference {
  readonly #bytes: Uint8Array;
  readonly #options: ParseOptions;
  #offset: number;

  constructor(bytes: Uint8Array, options: ParseOptions = {}) {
    this.#bytes = bytes;
    this.#options = options;
    this.#offset = startOf(bytes);
  }

  document(): unknown {
    const { maxBytes = Infinity } = this.#options;
    if (this.#bytes.length > maxBytes) throw new Refusal("too-many-bytes", maxBytes, 0);
    const value = this.#value(1, false);
    this.#space();
    if (this.#offset < this.#bytes.length) throw this.#refuse("trailing-content");
    return value;
  }

  /** Refuses what an option forbids at an offset, if the count is above the limit. */
  #limit(count: number, limit: number | undefined, code: FailureCode, offset = this.#offset): void {
    if (count > (limit ?? Infinity)) throw new Refusal(code, offset, offset + 1);
  }

  /** Reads a value. `depth` is the level of a container, `isConstructor` whether that is its name. */
  #value(depth: number, isConstructor: boolean): unknown {
    this.#space();
    const character = this.#peek();
    if (character === "{" || character === "[") this.#limit(depth, this.#options.maxDepth, "too-deep");
    if (character === "{") return this.#object(depth, isConstructor);
    if (character === "[") return this.#array(depth);
    if (character === '"') return this.#string();
    if (character === "t") return this.#literal("true", true);
    if (character === "f") return this.#literal("false", false);
    if (character === "n") return this.#literal("null", null);
    if (character === "-" || isDigit(character)) return this.#number();
    throw this.#unexpected();
  }

  #object(depth: number, isConstructor: boolean): object {
    const { maxMembers, duplicateKeys, protoKeys } = this.#options;
    const object = {};
    const offsets = new Map<string, number>();
    this.#offset++;
    this.#space();
    if (this.#take("}")) return object;
    if (this.#peek() !== '"') throw this.#refuse("expected-property-name-or-brace");
    for (let count = 1;; count++) {
      const start = this.#offset;
      this.#limit(count, maxMembers, "too-many-members");
      const key = this.#string();
      const first = offsets.get(key);
      if (first === undefined) offsets.set(key, start);
      else if (duplicateKeys === "reject") throw new Refusal("duplicate-key", start, this.#offset, first);
      const isForbidden = key === "__proto__" || key === "prototype" && isConstructor;
      if (protoKeys === "reject" && isForbidden) throw new Refusal("forbidden-key", start, this.#offset);
      this.#space();
      if (!this.#take(":")) throw this.#refuse("expected-colon");
      const value = this.#value(depth + 1, key === "constructor");
      if (first === undefined || duplicateKeys !== "first") {
        Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true });
      }
      this.#space();
      if (this.#take("}")) break;
      if (!this.#take(",")) throw this.#refuse("expected-comma-or-brace");
      this.#space();
      if (this.#peek() !== '"') throw this.#refuse("expected-property-name");
    }
    if (protoKeys === "drop") dropPoison(object);
    return object;
  }

  #array(depth: number): unknown[] {
    const array: unknown[] = [];
    this.#offset++;
    this.#space();
    if (this.#take("]")) return array;
    while (true) {
      this.#space();
      this.#limit(array.length + 1, this.#options.maxElements, "too-many-elements");
      array.push(this.#value(depth + 1, false));
      this.#space();
      if (this.#take("]")) return array;
      if (!this.#take(",")) throw this.#refuse("expected-comma-or-bracket");
    }
  }

  #literal(word: string, value: unknown): unknown {
    for (const character of word) if (!this.#take(character)) throw this.#unexpected();
    return value;
  }

  #number(): unknown {
    const start = this.#offset;
    this.#take("-");
    if (!isDigit(this.#peek())) throw this.#refuse("missing-digits");
    if (this.#take("0")) {
      if (isDigit(this.#peek())) throw this.#refuse("unexpected-number");
    } else this.#digits("missing-digits");
    if (this.#take(".")) this.#digits("unterminated-fraction");
    if (this.#take("e") || this.#take("E")) {
      if (!this.#take("+")) this.#take("-");
      this.#digits("missing-exponent");
    }
    const text = textOf(this.#bytes.subarray(start, this.#offset))!;
    const { integers, numbers, number } = this.#options;
    const isUnsafe = /^-?\d+$/.test(text) && !Number.isSafeInteger(Number(text));
    if (isUnsafe && integers === "reject") throw new Refusal("unsafe-integer", start, this.#offset);
    if (numbers === "source") return number === undefined ? text : number(text, start);
    return isUnsafe && integers === "bigint" ? BigInt(text) : Number(text);
  }

  #digits(whenNone: FailureCode): void {
    if (!isDigit(this.#peek())) throw this.#refuse(whenNone);
    while (isDigit(this.#peek())) this.#offset++;
  }

  #string(): string {
    let text = "";
    const start = ++this.#offset;
    const { maxStringBytes = Infinity } = this.#options;
    while (true) {
      this.#limit(this.#offset - start, maxStringBytes, "string-too-long", start + maxStringBytes);
      const byte = this.#bytes[this.#offset];
      if (byte === undefined) throw this.#refuse("unterminated-string");
      if (byte < 0x20) throw this.#refuse("bad-control-character");
      if (this.#take('"')) return text;
      text += this.#take("\\") ? this.#escape() : this.#character();
    }
  }

  #escape(): string {
    if (this.#take("u")) {
      let unit = 0;
      for (let i = 0; i < 4; i++) {
        const digit = this.#peek();
        if (digit === "" || !"0123456789ABCDEFabcdef".includes(digit)) throw this.#refuse("bad-unicode-escape");
        unit = unit * 16 + parseInt(digit, 16);
        this.#offset++;
      }
      return String.fromCharCode(unit);
    }
    const character = this.#peek();
    if (character === "") throw this.#refuse("unexpected-end");
    if (!Object.hasOwn(ESCAPES, character)) throw this.#refuse("bad-escape");
    this.#offset++;
    return ESCAPES[character];
  }

  /** Reads a character of UTF-8 (RFC 3629). The platform decides whether it is well formed. */
  #character(): string {
    const lead = this.#bytes[this.#offset];
    if (lead < 0x80) return String.fromCharCode(this.#bytes[this.#offset++]);
    const length = lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
    const character = textOf(this.#bytes.subarray(this.#offset, this.#offset + length));
    if (character === undefined) throw this.#refuse("invalid-utf8");
    this.#offset += length;
    return character;
  }

  #space(): void {
    while (this.#take(" ") || this.#take("\n") || this.#take("\r") || this.#take("\t"));
  }

  /** Returns the current byte as a character, `""` at the end. */
  #peek(): string {
    return this.#offset < this.#bytes.length ? String.fromCharCode(this.#bytes[this.#offset]) : "";
  }

  #take(character: string): boolean {
    if (this.#peek() !== character) return false;
    this.#offset++;
    return true;
  }

  #unexpected(): Refusal {
    const character = this.#peek();
    if (character === "") return this.#refuse("unexpected-end");
    if (character === '"') return this.#refuse("unexpected-string");
    if (character === "-" || isDigit(character)) return this.#refuse("unexpected-number");
    return this.#refuse("unexpected-token");
  }

  #refuse(code: FailureCode): Refusal {
    return new Refusal(code, this.#offset);
  }
}

/** Deletes the members through which a merge would reach a prototype. */
function dropPoison(object: { constructor?: unknown }): void {
  Reflect.deleteProperty(object, "__proto__");
  const { constructor } = Object.hasOwn(object, "constructor") ? object : { constructor: null };
  const isPoison = typeof constructor === "object" && constructor !== null && Object.hasOwn(constructor, "prototype");
  if (isPoison) Reflect.deleteProperty(object, "constructor");
}

function isDigit(character: string): boolean {
  return character >= "0" && character <= "9" && character.length === 1;
}
