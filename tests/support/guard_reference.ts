/**
 * An independent reading of the options of `parseBinary`: a recursive parser of JSON texts that are
 * valid, one character after the other.
 *
 * @module
 */

import type { FailureCode, ParseOptions } from "../../parse_binary.ts";

/** Refusal of a text by an option. */
export interface Refusal {
  code: FailureCode;
  offset: number;
  firstOffset?: number;
  /** Number of bytes after which the refusal is certain. */
  certainAt: number;
}

/** Reading of a text by options. */
export type Reading = { refusal: Refusal } | { refusal: null; value: unknown };

const decoder = new TextDecoder();

class Refused {
  readonly refusal: Refusal;

  constructor(refusal: Refusal) {
    this.refusal = refusal;
  }
}

function refuse(code: FailureCode, offset: number, certainAt: number, firstOffset?: number): never {
  throw new Refused({ code, offset, certainAt, ...firstOffset !== undefined && { firstOffset } });
}

/** Reads the bytes of a valid text as options say. */
export function referenceRead(bytes: Uint8Array, options: ParseOptions): Reading {
  try {
    return { refusal: null, value: readText(bytes, options) };
  } catch (error) {
    if (error instanceof Refused) return { refusal: error.refusal };
    throw error;
  }
}

function readText(bytes: Uint8Array, options: ParseOptions): unknown {
  const { maxDepth = Infinity, maxStringBytes = Infinity, maxMembers = Infinity, maxElements = Infinity } = options;
  const { duplicateKeys, protoKeys, integers, numbers, number } = options;
  if (bytes.length > (options.maxBytes ?? Infinity)) refuse("too-many-bytes", options.maxBytes!, 0);
  let at = bytes[0] === 0xef ? 3 : 0;
  const peek = (): string => String.fromCharCode(bytes[at]);
  const space = (): void => {
    while (at < bytes.length && /\s/.test(peek())) at++;
  };
  const readString = (): string => {
    const start = at++;
    let length = 0;
    let isEscaped = false;
    for (; isEscaped || peek() !== '"'; at++) {
      if (++length > maxStringBytes) refuse("string-too-long", at, at + 1);
      isEscaped = !isEscaped && peek() === "\\";
    }
    at++;
    return JSON.parse(decoder.decode(bytes.subarray(start, at)));
  };
  const readNumber = (): unknown => {
    const start = at;
    while (at < bytes.length && /[-+.eE\d]/.test(peek())) at++;
    const text = decoder.decode(bytes.subarray(start, at));
    const isUnsafe = /^-?\d+$/.test(text) && !Number.isSafeInteger(Number(text));
    if (isUnsafe && integers === "reject") refuse("unsafe-integer", start, at);
    if (numbers === "source") return number === undefined ? text : number(text, start);
    return isUnsafe && integers === "bigint" ? BigInt(text) : Number(text);
  };
  const readObject = (depth: number, isConstructor: boolean): Map<string, unknown> => {
    const members = new Map<string, unknown>();
    const offsets = new Map<string, number>();
    let count = 0;
    at++;
    for (space(); peek() !== "}"; space()) {
      if (peek() === ",") at++;
      space();
      const start = at;
      if (++count > maxMembers) refuse("too-many-members", start, start + 1);
      const name = readString();
      if (duplicateKeys === "reject" && offsets.has(name)) refuse("duplicate-key", start, at, offsets.get(name));
      offsets.set(name, start);
      const isForbidden = name === "__proto__" || name === "prototype" && isConstructor;
      if (protoKeys === "reject" && isForbidden) refuse("forbidden-key", start, at);
      space();
      at++; // the colon
      const value = readValue(depth, name === "constructor");
      if (duplicateKeys !== "first" || !members.has(name)) members.set(name, value);
    }
    at++;
    return members;
  };
  const readArray = (depth: number): unknown[] => {
    const elements: unknown[] = [];
    at++;
    for (space(); peek() !== "]"; space()) {
      if (peek() === ",") at++;
      space();
      if (elements.length + 1 > maxElements) refuse("too-many-elements", at, at + 1);
      elements.push(readValue(depth, false));
    }
    at++;
    return elements;
  };
  const readValue = (depth: number, isConstructor: boolean): unknown => {
    space();
    const c = peek();
    if (c === '"') return readString();
    if (c === "{" || c === "[") {
      if (depth + 1 > maxDepth) refuse("too-deep", at, at + 1);
      return c === "{" ? readObject(depth + 1, isConstructor) : readArray(depth + 1);
    }
    if (/[-\d]/.test(c)) return readNumber();
    at += c === "f" ? 5 : 4;
    return c === "n" ? null : c === "t";
  };
  const plain = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(plain);
    if (!(value instanceof Map)) return value;
    const object = {};
    for (const [name, member] of value) {
      const isPoison = name === "__proto__" ||
        name === "constructor" && member instanceof Map && member.has("prototype");
      if (isPoison && protoKeys === "drop") continue;
      Object.defineProperty(object, name, {
        value: plain(member),
        writable: true,
        enumerable: true,
        configurable: true,
      });
    }
    return object;
  };
  return plain(readValue(0, false));
}
