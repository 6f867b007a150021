/**
 * Reference parser: RFC 8259 as directly as possible, and the options of `parseBinary`. Slow,
 * recursive, one byte at a time, and independent of the parser under test. Values are those of
 * `JSON.parse` without V8's bugs. Failures are those that V8 chooses, with a byte offset. The same
 * reader returns the locations of values, the partial value of an incomplete text, and the separate
 * values of an input.
 */

import type { FailureCode, ParseFailure, ParseOptions, ParseResult } from "../../parse_binary.ts";
import { textOf } from "./bytes.ts";

const MESSAGES: Partial<Record<FailureCode, string>> = {
  "unexpected-end": "Unexpected end of JSON input",
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

/** Messages of refusals by options. */
const REFUSALS: Partial<Record<FailureCode, string>> = {
  "string-too-long": "String too long in JSON",
  "too-deep": "Nesting too deep in JSON",
  "too-many-bytes": "Too many bytes in JSON",
  "too-many-members": "Too many members of an object in JSON",
  "too-many-elements": "Too many elements of an array in JSON",
  "duplicate-key": "Duplicate property name in JSON",
  "forbidden-key": "Forbidden property name in JSON",
  "unsafe-integer": "Integer beyond the range of exact numbers in JSON",
};

/** Returns the result that `parseBinary` must give. */
export function referenceParse(bytes: Uint8Array, options: ParseOptions = {}): ParseResult {
  const reading = referenceRead(bytes, options);
  return reading.refusal === null ? { ok: true, value: reading.value } : failureOf(bytes, reading.refusal);
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

/** Reads bytes with options. */
export function referenceRead(bytes: Uint8Array, options: ParseOptions): Reading {
  return attempt(() => new Reference(bytes, options).document().value);
}

/** Returns the reading of a function, or its refusal. */
function attempt<T>(read: () => T): { refusal: Refusal } | { refusal: null; value: T } {
  try {
    return { refusal: null, value: read() };
  } catch (refusal) {
    if (refusal instanceof Refusal) return { refusal };
    throw refusal;
  }
}

/** Value of a text, with its location, and those of the values in it. */
export interface Tree {
  value: unknown;
  start: number;
  end: number;
  /** Members with their names, or elements with their indexes, in order; `null` of a scalar. */
  entries: [name: string, value: Tree][] | null;
}

/** Reads a text with the locations of its values. Options must not refuse it. */
export function referenceTree(bytes: Uint8Array, options: ParseOptions = {}): Tree {
  return new Reference(bytes, options, "places").document();
}

/** In place of a value of which nothing has arrived. */
export const ABSENT: unique symbol = Symbol("absent");

/** Returns the partial value of the beginning of a valid text, or {@linkcode ABSENT}. */
export function referencePartial(bytes: Uint8Array, options: ParseOptions = {}): unknown {
  const reference = new Reference(bytes, options, "partial");
  attempt(() => reference.document());
  return reference.taken;
}

/** One of several values of an input. */
export interface SeparateValue {
  index: number;
  start: number;
  end: number;
  line: number;
  reading: Reading;
}

/** Reads several values of an input. After an invalid one, reading continues on the next line. */
export function referenceValues(
  bytes: Uint8Array,
  multiple: "lines" | "concatenated",
  options: ParseOptions = {},
): SeparateValue[] {
  const values: SeparateValue[] = [];
  const hasMark = startOf(bytes) > 0;
  const endOfFailed = (offset: number) => isSeparator(offset) ? offset : endOfLine(bytes, offset);
  let line = 1;
  /** Whether a value of a sequence (RFC 7464) may begin at an offset. */
  const isSeparator = (offset: number) => multiple === "concatenated" && bytes[offset] === 0x1e;
  for (let offset = 0, counted = 0;;) {
    while (isSpace(bytes[offset]) || isSeparator(offset)) offset++;
    if (offset >= bytes.length) return values;
    const start = offset;
    for (; counted < start; counted++) if (isLineEnd(bytes, counted)) line++;
    const lineEnd = endOfLine(bytes, start);
    const text = multiple === "lines" ? bytes.subarray(0, lineEnd) : bytes;
    const reference = new Reference(text, options, "values", start === 0 && hasMark ? 3 : start);
    const reading = attempt(() => multiple === "lines" ? reference.document() : reference.single());
    const end = reading.refusal === null ? reading.value.end : endOfFailed(reading.refusal.offset);
    values.push({
      index: values.length,
      start,
      end,
      line,
      reading: reading.refusal === null ? { refusal: null, value: reading.value.value } : reading,
    });
    offset = multiple === "lines" ? lineEnd : end;
  }
}

/** Returns the offset of the next line feed, or that of the end. */
function endOfLine(bytes: Uint8Array, offset: number): number {
  const found = bytes.indexOf(0x0a, offset);
  return found < 0 ? bytes.length : found;
}

/** Returns whether a line ends with a byte: LF, CRLF and a lone CR each end one. */
function isLineEnd(bytes: Uint8Array, offset: number): boolean {
  return bytes[offset] === 0x0a || bytes[offset] === 0x0d && bytes[offset + 1] !== 0x0a;
}

function isSpace(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}

/** Returns whether bytes are an incomplete character. */
function isCutCharacter(bytes: Uint8Array): boolean {
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes, { stream: true }) === "";
}

/** Returns whether a failure is at an incomplete character or byte-order mark. */
function isCut(bytes: Uint8Array, code: FailureCode, offset: number): boolean {
  const rest = bytes.subarray(offset);
  if (code === "invalid-utf8") return isCutCharacter(rest);
  return code === "unexpected-token" && offset === 0 && ["239", "239,187"].includes(String(rest));
}

/** Returns line and column of an offset. Columns count UTF-16 code units. */
export function placeAt(bytes: Uint8Array, offset: number): { line: number; column: number } {
  let line = 1;
  let column = 1;
  for (let p = startOf(bytes); p < offset; p++) {
    if (isLineEnd(bytes, p)) {
      line++;
      column = 1;
    } else if ((bytes[p] & 0xc0) !== 0x80) column += bytes[p] >= 0xf0 ? 2 : 1;
  }
  return { line, column };
}

export function failureOf(bytes: Uint8Array, { code, offset, firstOffset }: Refusal): ParseFailure {
  const { line, column } = placeAt(bytes, offset);
  const isRefused = code in REFUSALS;
  let message = REFUSALS[code] ?? MESSAGES[code];
  if (code === "unexpected-token") {
    const byte = bytes[offset];
    message = byte >= 0x20 && byte <= 0x7e
      ? `Unexpected token '${String.fromCharCode(byte)}' in JSON`
      : `Unexpected byte 0x${byte.toString(16).toUpperCase().padStart(2, "0")} in JSON`;
  }
  if (code !== "unexpected-end") message += ` at position ${offset} (line ${line} column ${column})`;
  const truncated = !isRefused && (offset === bytes.length || isCut(bytes, code, offset));
  const failure: ParseFailure = { ok: false, code, message: message!, offset, line, column, truncated };
  return firstOffset === undefined ? failure : { ...failure, firstOffset };
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

/** Result of a reader besides values: nothing, their offsets, or the partial value. */
type Keeping = "values" | "places" | "partial";

class Reference {
  readonly #bytes: Uint8Array;
  readonly #options: ParseOptions;
  readonly #keeping: Keeping;
  #offset: number;
  /** Value so far of the whole text. */
  taken: unknown = ABSENT;

  constructor(bytes: Uint8Array, options: ParseOptions, keeping: Keeping = "values", offset = startOf(bytes)) {
    this.#bytes = bytes;
    this.#options = options;
    this.#keeping = keeping;
    this.#offset = offset;
  }

  /** Reads all of the bytes. */
  document(): Tree {
    const { maxBytes = Infinity } = this.#options;
    if (this.#bytes.length > maxBytes) throw new Refusal("too-many-bytes", maxBytes, 0);
    const tree = this.single();
    this.#space();
    if (this.#offset < this.#bytes.length) throw this.#refuse("trailing-content");
    return tree;
  }

  /** Reads a value, whatever follows it. */
  single(): Tree {
    return this.#value(1, false, (value) => this.taken = value);
  }

  /** Refuses what an option forbids at an offset, if the count is above the limit. */
  #limit(count: number, limit: number | undefined, code: FailureCode, offset = this.#offset): void {
    if (count > (limit ?? Infinity)) throw new Refusal(code, offset, offset + 1);
  }

  /**
   * Reads a value. `depth` is the level of a container, `isConstructor` whether that is its name.
   * `take` gets the value: a container as soon as it begins, a string even if it is incomplete.
   */
  #value(depth: number, isConstructor: boolean, take: (value: unknown) => void): Tree {
    this.#space();
    const start = this.#offset;
    const character = this.#peek();
    const entries: Tree["entries"] = this.#keeping === "places" && /[[{]/.test(character) ? [] : null;
    let value: unknown;
    if (character === "{" || character === "[") {
      this.#limit(depth, this.#options.maxDepth, "too-deep");
      take(value = character === "{" ? {} : []);
      if (character === "{") this.#object(value as object, depth, isConstructor, entries);
      else this.#array(value as unknown[], depth, entries);
    } else take(value = this.#scalar(character, depth, take));
    return { value, start, end: this.#offset, entries };
  }

  #scalar(character: string, depth: number, take: (value: unknown) => void): unknown {
    if (character === '"') return this.#string(take);
    if (character === "t") return this.#literal("true", true);
    if (character === "f") return this.#literal("false", false);
    if (character === "n") return this.#literal("null", null);
    if (character !== "-" && !isDigit(character)) throw this.#unexpected();
    const number = this.#number(depth);
    if (this.#keeping === "partial" && this.#peek() === "") throw this.#refuse("unexpected-end"); // more may follow
    return number;
  }

  #object(object: object, depth: number, isConstructor: boolean, entries: Tree["entries"]): void {
    const { maxMembers, duplicateKeys, protoKeys } = this.#options;
    const offsets = new Map<string, number>();
    this.#offset++;
    this.#space();
    if (this.#take("}")) return;
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
      const member = this.#value(depth + 1, key === "constructor", (value) => {
        if (first !== undefined && duplicateKeys === "first") return;
        Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true });
      });
      entries?.push([key, member]);
      this.#space();
      if (this.#take("}")) break;
      if (!this.#take(",")) throw this.#refuse("expected-comma-or-brace");
      this.#space();
      if (this.#peek() !== '"') throw this.#refuse("expected-property-name");
    }
    if (protoKeys === "drop") dropPoison(object);
  }

  #array(array: unknown[], depth: number, entries: Tree["entries"]): void {
    this.#offset++;
    this.#space();
    if (this.#take("]")) return;
    for (let index = 0;; index++) {
      this.#space();
      if (/["[{tfn\d-]/.test(this.#peek())) this.#limit(index + 1, this.#options.maxElements, "too-many-elements");
      const element = this.#value(depth + 1, false, (value) => array[index] = value);
      entries?.push([String(index), element]);
      this.#space();
      if (this.#take("]")) return;
      if (!this.#take(",")) throw this.#refuse("expected-comma-or-bracket");
    }
  }

  #literal(word: string, value: unknown): unknown {
    for (const character of word) if (!this.#take(character)) throw this.#unexpected();
    return value;
  }

  #number(depth: number): unknown {
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
    const hasEnded = depth === 1 || this.#peek() !== ""; // within a container, more digits may follow
    if (isUnsafe && integers === "reject" && hasEnded) throw new Refusal("unsafe-integer", start, this.#offset);
    if (numbers === "source") return number === undefined ? text : number(text, start);
    const isBigInt = integers === "all-bigint" ? /^-?\d+$/.test(text) : isUnsafe && integers === "bigint";
    return isBigInt ? BigInt(text) : Number(text);
  }

  #digits(whenNone: FailureCode): void {
    if (!isDigit(this.#peek())) throw this.#refuse(whenNone);
    while (isDigit(this.#peek())) this.#offset++;
  }

  #string(take?: (value: unknown) => void): string {
    let text = "";
    const start = ++this.#offset;
    const { maxStringBytes = Infinity } = this.#options;
    let isEscape = false;
    try {
      while (true) {
        this.#limit(this.#offset - start, maxStringBytes, "string-too-long", start + maxStringBytes);
        const byte = this.#bytes[this.#offset];
        if (byte === undefined) throw this.#refuse("unterminated-string");
        if (byte < 0x20) throw this.#refuse("bad-control-character");
        if (this.#take('"')) return text;
        isEscape = this.#take("\\");
        text += isEscape ? this.#escape() : this.#character();
        isEscape = false;
      }
    } catch (refusal) {
      const limit = start + maxStringBytes;
      const { offset, code } = refusal as Refusal;
      const isWithin = (): boolean =>
        offset > limit || code === "invalid-utf8" && isCutCharacter(this.#bytes.subarray(offset, limit + 1));
      if (limit < this.#bytes.length && isWithin()) throw new Refusal("string-too-long", limit, limit + 1);
      // The next escape may make a pair with the last one. If it is not an escape, the bytes of the
      // character rule that out.
      const isOpen = isEscape || this.#offset === this.#bytes.length;
      if (this.#keeping === "partial") take?.(isOpen ? text.replace(/[\ud800-\udbff]$/, "") : text);
      throw refusal;
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
