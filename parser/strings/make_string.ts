/**
 * Makes flat strings: one byte a character if all fit Latin-1, two bytes otherwise. No result is a
 * rope or a slice of a larger string.
 */

import { packedArray } from "../engine/arrays.ts";
import { isJavaScriptCore } from "../engine/recognition.ts";
import { bufferOf, offsetOf } from "../engine/input.ts";
import { NO_BYTES } from "../engine/no_bytes.ts";

type SliceMethod = (this: Uint8Array, start: number, end: number) => string;

interface BufferMethods {
  latin1Slice?: SliceMethod;
  ucs2Slice?: SliceMethod;
  utf8Slice?: SliceMethod;
}

const fromCharCode = String.fromCharCode;
const { apply, getOwnPropertyDescriptor, ownKeys } = Reflect;
const { Bun, Deno } = globalThis as { Bun?: unknown; Deno?: unknown };

/**
 * Methods of Node's `Buffer`, reached without an import, so that browsers load this module too.
 * They take half the time of `TextDecoder`, and keep lone surrogates. They are not taken from
 * `process`, for which Deno loads all of its Node.js code. "Late constants": see ARCHITECTURE.md.
 */
const bufferMethods: BufferMethods = /* @__PURE__ */ Object.create(/* @__PURE__ */ Object.create(null));

/**
 * Characters of longer strings before Deno loads `Buffer`, in 5 to 8 ms. Until then they take as
 * much longer as loading takes.
 */
const CHARACTERS_WITHOUT_BUFFER = 1 << 21;

/** Getter by which Deno loads `Buffer`, as it was at load; `undefined` elsewhere. */
const loadBuffer = Deno === undefined ? undefined : /* @__PURE__ */ getOwnPropertyDescriptor(globalThis, "Buffer")?.get;

/** Length that every engine allows. If a shorter string fails, its length is not the cause. */
export const MAX_SAFE_LENGTH: number = 1 << 20;

/** Two characters, in Latin-1 and in UTF-16. */
const LATIN1_SAMPLE = /* @__PURE__ */ Uint8Array.of(0x61, 0xe9);
const UTF16_SAMPLE = /* @__PURE__ */ Uint8Array.of(0x61, 0x30, 0x00, 0xd8);
/** A byte-order mark, a character and a malformed byte in UTF-8. */
const UTF8_SAMPLE = /* @__PURE__ */ Uint8Array.of(0xef, 0xbb, 0xbf, 0xc3, 0xa9, 0x80);

/** Takes methods of `Buffer` that work like Node's: it may be a page element. Returns 0. */
function takeBuffer(): 0 {
  try {
    const { Buffer } = loadBuffer === undefined
      ? globalThis as { Buffer?: object }
      : { Buffer: apply(loadBuffer, globalThis, []) };
    const { prototype } = Buffer as { prototype: object };
    const take = (name: keyof BufferMethods, sample: Uint8Array, expected: string): void => {
      const method: SliceMethod | undefined = getOwnPropertyDescriptor(prototype, name)?.value;
      if (method?.call(sample, 0, sample.length) === expected) bufferMethods[name] = method;
    };
    take("latin1Slice", LATIN1_SAMPLE, "aé");
    take("ucs2Slice", UTF16_SAMPLE, "\u3061\ud800");
    take("utf8Slice", UTF8_SAMPLE, "\ufeffé\ufffd");
  } catch {
    // there is none, or it does not work
  }
  return 0;
}

/**
 * Returns whether user code has made Deno load its Node.js code: it then adds a property to the
 * console. Loading `Buffer` takes 0.2 ms from then on.
 */
function isNodeLoaded(): boolean {
  const { console } = globalThis as { console?: object };
  return typeof console === "object" && getOwnPropertyDescriptor(console, "_stdout") !== undefined;
}

/** Characters in longer strings until `Buffer` is taken; 0 after that, and elsewhere. */
let charactersUntilBuffer = loadBuffer === undefined || /* @__PURE__ */ isNodeLoaded()
  ? /* @__PURE__ */ takeBuffer()
  : CHARACTERS_WITHOUT_BUFFER;

/** Returns how many keys `Object.prototype` and `Array.prototype` have. */
function countPrototypeKeys(): number {
  return ownKeys(Object.prototype).length + ownKeys(Array.prototype).length;
}

const KEY_COUNT_AT_LOAD = /* @__PURE__ */ countPrototypeKeys();

/** Counts the characters of a longer string. Returns whether `Buffer` has just been taken. */
function countUntilBuffer(length: number): boolean {
  if (charactersUntilBuffer === 0) return false;
  if (charactersUntilBuffer > length) {
    charactersUntilBuffer -= length;
    return false;
  }
  // With keys added by user code, Deno would call that code.
  charactersUntilBuffer = countPrototypeKeys() === KEY_COUNT_AT_LOAD ? takeBuffer() : CHARACTERS_WITHOUT_BUFFER;
  return charactersUntilBuffer === 0;
}

/** Whether `fromCharCode` is slow with a list: for 4 KB, 30 µs against 6 to 10 in other engines. */
const isListSlow = /* @__PURE__ */ isJavaScriptCore();

// Decoders for engines without `Buffer`. Some JavaScript shells have neither.
const hasBuffer = charactersUntilBuffer > 0 ||
  (bufferMethods.latin1Slice !== undefined && bufferMethods.ucs2Slice !== undefined);
const decode = hasBuffer ? undefined : /* @__PURE__ */ findDecode();
const utf8Decoder = decode && /* @__PURE__ */ new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
/** Decoder of ASCII: JavaScriptCore decodes windows-1252 faster than UTF-8. */
const asciiDecoder = decode && /* @__PURE__ */ new TextDecoder("windows-1252");
const utf16Decoder = decode && /* @__PURE__ */ new TextDecoder("utf-16le", { fatal: true, ignoreBOM: true });

/** Returns `TextDecoder.prototype.decode`, unless it is missing or replaced. */
function findDecode(): TextDecoder["decode"] | undefined {
  try {
    const { decode } = TextDecoder.prototype;
    return decode.call(new TextDecoder("utf-16le"), UTF16_SAMPLE.subarray(0, 2)) === "\u3061" ? decode : undefined;
  } catch {
    return undefined;
  }
}

/** Whether {@linkcode decodeUtf8} is the fastest way for any token that it takes. */
export const DECODES_TOKENS: boolean = bufferMethods.latin1Slice === undefined && decode !== undefined;

/** Whether {@linkcode decodeUtf8} calls the decoder of Deno, which takes longer to call. */
const isDecoderOfDeno = Deno !== undefined && !DECODES_TOKENS;

/** Minimum bytes of a token to decode. */
export const MIN_DECODED_TOKEN = DECODES_TOKENS ? (isListSlow ? 24 : 200) : isDecoderOfDeno ? 144 : 48;

/** Minimum if the first character beyond ASCII has three bytes or more. */
export const MIN_DECODED_WIDE = isDecoderOfDeno ? 768 : Bun !== undefined ? 384 : MIN_DECODED_TOKEN;

/** Maximum bytes of a token to decode: Node.js makes longer ones of two bytes a character. */
export const MAX_DECODED_TOKEN: number = DECODES_TOKENS ? Infinity : 524_288;

/** Decoder of Deno, made for the first token. */
let lenientDecoder: TextDecoder | null | undefined;

/** Makes a decoder that puts U+FFFD in place of malformed UTF-8, as `utf8Slice` does. */
function newLenientDecoder(): TextDecoder | null {
  try {
    const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
    return decoder.decode(UTF8_SAMPLE) === "\ufeffé\ufffd" ? decoder : null;
  } catch {
    return null; // it is missing or replaced
  }
}

/** Makes {@linkcode lenientDecoder}, in Deno. Returns whether there is one. */
function takeLenientDecoder(): boolean {
  if (isDecoderOfDeno && lenientDecoder === undefined) lenientDecoder = newLenientDecoder();
  return lenientDecoder != null;
}

/**
 * Decodes the UTF-8 of `bytes[start, end)`. Returns `null` if it is malformed; and where there is
 * no decoder, or a decoder that replaces malformed UTF-8 by U+FFFD has returned that character.
 */
export function decodeUtf8(bytes: Uint8Array, start: number, end: number): string | null {
  if (DECODES_TOKENS) {
    try {
      return decode!.call(utf8Decoder!, viewRange(bytes, start, end));
    } catch {
      return null;
    }
  }
  const { utf8Slice } = bufferMethods;
  // Deno's decoder takes half the time of its `utf8Slice` for long tokens.
  const string = takeLenientDecoder()
    ? lenientDecoder!.decode(viewRange(bytes, start, end))
    : utf8Slice !== undefined
    ? utf8Slice.call(bytes, start, end)
    : "\ufffd";
  return string.includes("\ufffd") ? null : string;
}

/** Maximum characters of a string made from a list; a decoder is as fast there, in 0.3 µs. */
const MAX_LIST = 128;

/** Minimum characters of an ASCII string made by a decoder. The caller must set `isAscii`. */
export const MIN_DECODED_ASCII: number = !DECODES_TOKENS ? Infinity : isListSlow ? 13 : MAX_LIST + 1;

/** Characters written to the scratch buffers of this folder since they were wiped. */
export const dirtyLength: { characters: number } = { characters: 0 };

/** First element of a list that has been wiped: no character has this code. */
const WIPED = -1;

/** Arguments of `fromCharCode` by length. A reused array takes a third of a typed array's time. */
const lists = /* @__PURE__ */ packedArray<number[] | null>(MAX_LIST + 1, null);
/** Lengths of the lists in use since they were wiped. */
const usedLists = /* @__PURE__ */ new Uint8Array(MAX_LIST + 1);
/** Number of such lists, at most `MAX_LIST`; 0 between calls. */
let usedListCount = 0;

/** Wipes the lists, and releases the bytes viewed. Call it at the end of a parse with strings. */
export function wipeLists(): void {
  viewed.bytes = NO_BYTES;
  viewed.buffer = NO_BYTES.buffer;
  for (let i = 0; i < usedListCount; i++) lists[usedLists[i]]!.fill(WIPED);
  usedListCount = 0;
}

/** Makes a string of up to {@linkcode MAX_LIST} characters. */
function makeStringOfList(codes: Uint8Array | Uint16Array, start: number, length: number): string {
  // V8 keeps it as an array of integers after `fill`, so here and in `wipeLists`.
  const list = lists[length] ??= packedArray(length, WIPED).fill(WIPED);
  if (list[0] === WIPED) {
    usedLists[usedListCount++] = length;
    // So that the list is wiped at the end of the call. Not a branch, whose first use deoptimises.
    dirtyLength.characters = Math.max(1, dirtyLength.characters);
  }
  for (let i = 0; i < length; i++) list[i] = codes[start + i];
  return fromCharCode.apply(null, list);
}

/**
 * Characters that Deno first makes from views: until V8 has compiled the loop of lists, that takes a
 * third of the time.
 */
const CHARACTERS_OF_VIEWS = 1 << 12;

/** Returns whether Deno makes a string of some characters from a view. */
function isMadeOfView(length: number): boolean {
  return length <= MAX_LIST && charactersUntilBuffer > CHARACTERS_WITHOUT_BUFFER - CHARACTERS_OF_VIEWS;
}

/** Makes a string from a view, which V8 copies. */
function stringOfView(codes: Uint8Array | Uint16Array): string {
  return fromCharCode.apply(null, codes as unknown as number[]);
}

/** Makes a UTF-16 string that is too long for one argument a code unit, without `Buffer`. */
function makeUtf16StringSlow(codes: Uint16Array, bytes: Uint8Array, length: number): string {
  if (countUntilBuffer(length)) return makeUtf16String(codes, bytes, length);
  if (isMadeOfView(length)) return stringOfView(codes.subarray(0, length));
  if (length > MAX_LIST && decode !== undefined) {
    try {
      return decode.call(utf16Decoder!, viewRange(bytes, 0, 2 * length));
    } catch {
      // A lone surrogate, which the decoder refuses. If the string is too long, the lists fail too.
    }
  }
  return makeStringByLists(codes, 0, length);
}

/** Makes a string that is too long for a call with one argument a character, without `Buffer`. */
function makeLatin1StringSlow(bytes: Uint8Array, start: number, end: number, isAscii: boolean): string {
  if (countUntilBuffer(end - start)) return makeLatin1String(bytes, start, end, isAscii);
  if (isMadeOfView(end - start)) return stringOfView(viewRange(bytes, start, end));
  // In 0.5 µs from the second call on. A list of 32 takes 1.2 until V8 has compiled its loop, of 100 3.5.
  if (isAscii && takeLenientDecoder()) return lenientDecoder!.decode(viewRange(bytes, start, end));
  if (isAscii && end - start >= MIN_DECODED_ASCII) return decode!.call(asciiDecoder!, viewRange(bytes, start, end));
  return makeStringByLists(bytes, start, end);
}

/** Makes a string of any length from lists. `join` returns a flat string, `+` a rope. */
function makeStringByLists(codes: Uint8Array | Uint16Array, start: number, end: number): string {
  if (end - start <= MAX_LIST) return makeStringOfList(codes, start, end - start);
  const chunks = packedArray(Math.ceil((end - start) / MAX_LIST), "");
  for (let i = 0, p = start; p < end; i++, p += MAX_LIST) {
    chunks[i] = makeStringOfList(codes, p, Math.min(MAX_LIST, end - p));
  }
  return chunks.join("");
}

const isResizable = /* @__PURE__ */ resizableGetter();

function resizableGetter(): (() => boolean) | undefined {
  return Object.getOwnPropertyDescriptor(ArrayBuffer.prototype, "resizable")?.get;
}

/** Bytes that were viewed last, and their buffer, which takes longer to ask for than a view to make. */
const viewed: { bytes: Uint8Array; buffer: ArrayBuffer; offset: number; isResizable: boolean } = {
  bytes: NO_BYTES,
  buffer: NO_BYTES.buffer,
  offset: 0,
  isResizable: false,
};

function setViewed(bytes: Uint8Array): void {
  dirtyLength.characters = Math.max(1, dirtyLength.characters); // so that they are released
  // If a stack overflow ends a call here, nothing half-made may match.
  viewed.bytes = NO_BYTES;
  viewed.buffer = bufferOf(bytes) as ArrayBuffer;
  viewed.offset = offsetOf(bytes);
  viewed.isResizable = isResizable !== undefined && apply(isResizable, viewed.buffer, []);
  viewed.bytes = bytes;
}

/**
 * Returns a view of `bytes[start, end)`, or a copy if the buffer is resizable, which decoders of
 * browsers refuse. Not `subarray`, which looks up the constructor of `bytes`.
 */
function viewRange(bytes: Uint8Array, start: number, end: number): Uint8Array<ArrayBuffer> {
  if (bytes !== viewed.bytes) setViewed(bytes);
  const view = new Uint8Array(viewed.buffer, viewed.offset + start, end - start);
  return viewed.isResizable ? new Uint8Array(view) : view;
}

/** Whether this is Bun, where `Buffer` is faster from two characters on (payloads: 0.86 → 1.05). */
const isRuntimeCallCheap = Bun !== undefined;

/** Maximum characters of a Latin-1 string made by `fromCharCode` with one argument each. */
const MAX_LATIN1_ARITY = isRuntimeCallCheap ? 1 : isListSlow && DECODES_TOKENS ? MIN_DECODED_ASCII - 1 : 24;

/**
 * Number of strings of 17 to 24 characters that a process first makes by `latin1Slice`: until V8
 * has compiled the call with one argument each, that takes twice as long (five documents of
 * objects, first call +13 %).
 */
let coldStringsLeft = hasBuffer ? 2048 : 0;

/**
 * Returns the string of `bytes[start, end)`, each byte a character.
 *
 * Up to 24 characters come from `fromCharCode` with one argument each, in 8 ns plus 2 ns a
 * character. `latin1Slice` makes longer strings, in 55 to 90 ns at any length.
 *
 * Without `Buffer`, up to 128 characters come from a list, more from a decoder, in 70 to 130 ns.
 *
 * Throws if the engine allows no string of that length.
 *
 * Preconditions: `start < end`; `isAscii` only if all bytes are below 0x80. It need not be set
 * below {@linkcode MIN_DECODED_ASCII} characters.
 */
export function makeLatin1String(bytes: Uint8Array, start: number, end: number, isAscii: boolean = false): string {
  start |= 0; // "Integers": see ARCHITECTURE.md
  const length = end - start | 0;
  if (length > MAX_LATIN1_ARITY) {
    const { latin1Slice } = bufferMethods;
    return latin1Slice !== undefined
      ? latin1Slice.call(bytes, start, end)
      : makeLatin1StringSlow(bytes, start, end, isAscii);
  }
  if (length <= 8) return stringOf1To8(bytes, start, length);
  if (length <= 16) return stringOf9To16(bytes, start, length);
  if (coldStringsLeft === 0) return stringOf17To24(bytes, start, length);
  const { latin1Slice } = bufferMethods;
  if (latin1Slice === undefined) {
    return isMadeOfView(length)
      ? makeLatin1StringSlow(bytes, start, end, isAscii)
      : stringOf17To24(bytes, start, length);
  }
  coldStringsLeft--;
  return latin1Slice.call(bytes, start, end);
}

// deno-fmt-ignore
function stringOf1To8(b: Uint8Array, p: number, length: number): string {
  switch (length) {
    case 1: return fromCharCode(b[p]);
    case 2: return fromCharCode(b[p], b[p + 1]);
    case 3: return fromCharCode(b[p], b[p + 1], b[p + 2]);
    case 4: return fromCharCode(b[p], b[p + 1], b[p + 2], b[p + 3]);
    case 5: return fromCharCode(b[p], b[p + 1], b[p + 2], b[p + 3], b[p + 4]);
    case 6: return fromCharCode(b[p], b[p + 1], b[p + 2], b[p + 3], b[p + 4], b[p + 5]);
    case 7: return fromCharCode(b[p], b[p + 1], b[p + 2], b[p + 3], b[p + 4], b[p + 5], b[p + 6]);
    default: return fromCharCode(b[p], b[p + 1], b[p + 2], b[p + 3], b[p + 4], b[p + 5], b[p + 6], b[p + 7]);
  }
}

// deno-fmt-ignore
function stringOf9To16(b: Uint8Array, p: number, length: number): string {
  switch (length) {
    case 9: return fromCharCode(
      b[p], b[p + 1], b[p + 2], b[p + 3], b[p + 4], b[p + 5], b[p + 6], b[p + 7],
      b[p + 8]);
    case 10: return fromCharCode(
      b[p], b[p + 1], b[p + 2], b[p + 3], b[p + 4], b[p + 5], b[p + 6], b[p + 7],
      b[p + 8], b[p + 9]);
    case 11: return fromCharCode(
      b[p], b[p + 1], b[p + 2], b[p + 3], b[p + 4], b[p + 5], b[p + 6], b[p + 7],
      b[p + 8], b[p + 9], b[p + 10]);
    case 12: return fromCharCode(
      b[p], b[p + 1], b[p + 2], b[p + 3], b[p + 4], b[p + 5], b[p + 6], b[p + 7],
      b[p + 8], b[p + 9], b[p + 10], b[p + 11]);
    case 13: return fromCharCode(
      b[p], b[p + 1], b[p + 2], b[p + 3], b[p + 4], b[p + 5], b[p + 6], b[p + 7],
      b[p + 8], b[p + 9], b[p + 10], b[p + 11], b[p + 12]);
    case 14: return fromCharCode(
      b[p], b[p + 1], b[p + 2], b[p + 3], b[p + 4], b[p + 5], b[p + 6], b[p + 7],
      b[p + 8], b[p + 9], b[p + 10], b[p + 11], b[p + 12], b[p + 13]);
    case 15: return fromCharCode(
      b[p], b[p + 1], b[p + 2], b[p + 3], b[p + 4], b[p + 5], b[p + 6], b[p + 7],
      b[p + 8], b[p + 9], b[p + 10], b[p + 11], b[p + 12], b[p + 13], b[p + 14]);
    default: return fromCharCode(
      b[p], b[p + 1], b[p + 2], b[p + 3], b[p + 4], b[p + 5], b[p + 6], b[p + 7],
      b[p + 8], b[p + 9], b[p + 10], b[p + 11], b[p + 12], b[p + 13], b[p + 14], b[p + 15]);
  }
}

// deno-fmt-ignore
function stringOf17To24(b: Uint8Array, p: number, length: number): string {
  switch (length) {
    case 17: return fromCharCode(
      b[p], b[p + 1], b[p + 2], b[p + 3], b[p + 4], b[p + 5], b[p + 6], b[p + 7],
      b[p + 8], b[p + 9], b[p + 10], b[p + 11], b[p + 12], b[p + 13], b[p + 14], b[p + 15],
      b[p + 16]);
    case 18: return fromCharCode(
      b[p], b[p + 1], b[p + 2], b[p + 3], b[p + 4], b[p + 5], b[p + 6], b[p + 7],
      b[p + 8], b[p + 9], b[p + 10], b[p + 11], b[p + 12], b[p + 13], b[p + 14], b[p + 15],
      b[p + 16], b[p + 17]);
    case 19: return fromCharCode(
      b[p], b[p + 1], b[p + 2], b[p + 3], b[p + 4], b[p + 5], b[p + 6], b[p + 7],
      b[p + 8], b[p + 9], b[p + 10], b[p + 11], b[p + 12], b[p + 13], b[p + 14], b[p + 15],
      b[p + 16], b[p + 17], b[p + 18]);
    case 20: return fromCharCode(
      b[p], b[p + 1], b[p + 2], b[p + 3], b[p + 4], b[p + 5], b[p + 6], b[p + 7],
      b[p + 8], b[p + 9], b[p + 10], b[p + 11], b[p + 12], b[p + 13], b[p + 14], b[p + 15],
      b[p + 16], b[p + 17], b[p + 18], b[p + 19]);
    case 21: return fromCharCode(
      b[p], b[p + 1], b[p + 2], b[p + 3], b[p + 4], b[p + 5], b[p + 6], b[p + 7],
      b[p + 8], b[p + 9], b[p + 10], b[p + 11], b[p + 12], b[p + 13], b[p + 14], b[p + 15],
      b[p + 16], b[p + 17], b[p + 18], b[p + 19], b[p + 20]);
    case 22: return fromCharCode(
      b[p], b[p + 1], b[p + 2], b[p + 3], b[p + 4], b[p + 5], b[p + 6], b[p + 7],
      b[p + 8], b[p + 9], b[p + 10], b[p + 11], b[p + 12], b[p + 13], b[p + 14], b[p + 15],
      b[p + 16], b[p + 17], b[p + 18], b[p + 19], b[p + 20], b[p + 21]);
    case 23: return fromCharCode(
      b[p], b[p + 1], b[p + 2], b[p + 3], b[p + 4], b[p + 5], b[p + 6], b[p + 7],
      b[p + 8], b[p + 9], b[p + 10], b[p + 11], b[p + 12], b[p + 13], b[p + 14], b[p + 15],
      b[p + 16], b[p + 17], b[p + 18], b[p + 19], b[p + 20], b[p + 21], b[p + 22]);
    default: return fromCharCode(
      b[p], b[p + 1], b[p + 2], b[p + 3], b[p + 4], b[p + 5], b[p + 6], b[p + 7],
      b[p + 8], b[p + 9], b[p + 10], b[p + 11], b[p + 12], b[p + 13], b[p + 14], b[p + 15],
      b[p + 16], b[p + 17], b[p + 18], b[p + 19], b[p + 20], b[p + 21], b[p + 22], b[p + 23]);
  }
}

/**
 * Returns the string of the first `length` UTF-16 code units of `codes`, lone surrogates kept.
 * `bytes` is a view of the same memory.
 *
 * The calls of fixed arity are repeated for `Uint16Array`: in a function that has seen two array
 * types, V8 checks the type at each read of an element (all strings: a fifth slower).
 *
 * Precondition: `length > 0`, and at least one unit is above 0xFF. Throws if the engine allows no
 * string of that length.
 */
export function makeUtf16String(codes: Uint16Array, bytes: Uint8Array, length: number): string {
  if (length <= (isRuntimeCallCheap ? 1 : 16)) return utf16StringOf1To16(codes, length);
  const { ucs2Slice } = bufferMethods;
  return ucs2Slice !== undefined ? ucs2Slice.call(bytes, 0, 2 * length) : makeUtf16StringSlow(codes, bytes, length);
}

// deno-fmt-ignore
function utf16StringOf1To16(c: Uint16Array, length: number): string {
  switch (length) {
    case 1: return fromCharCode(c[0]);
    case 2: return fromCharCode(c[0], c[1]);
    case 3: return fromCharCode(c[0], c[1], c[2]);
    case 4: return fromCharCode(c[0], c[1], c[2], c[3]);
    case 5: return fromCharCode(c[0], c[1], c[2], c[3], c[4]);
    case 6: return fromCharCode(c[0], c[1], c[2], c[3], c[4], c[5]);
    case 7: return fromCharCode(c[0], c[1], c[2], c[3], c[4], c[5], c[6]);
    case 8: return fromCharCode(c[0], c[1], c[2], c[3], c[4], c[5], c[6], c[7]);
    case 9: return fromCharCode(
      c[0], c[1], c[2], c[3], c[4], c[5], c[6], c[7],
      c[8]);
    case 10: return fromCharCode(
      c[0], c[1], c[2], c[3], c[4], c[5], c[6], c[7],
      c[8], c[9]);
    case 11: return fromCharCode(
      c[0], c[1], c[2], c[3], c[4], c[5], c[6], c[7],
      c[8], c[9], c[10]);
    case 12: return fromCharCode(
      c[0], c[1], c[2], c[3], c[4], c[5], c[6], c[7],
      c[8], c[9], c[10], c[11]);
    case 13: return fromCharCode(
      c[0], c[1], c[2], c[3], c[4], c[5], c[6], c[7],
      c[8], c[9], c[10], c[11], c[12]);
    case 14: return fromCharCode(
      c[0], c[1], c[2], c[3], c[4], c[5], c[6], c[7],
      c[8], c[9], c[10], c[11], c[12], c[13]);
    case 15: return fromCharCode(
      c[0], c[1], c[2], c[3], c[4], c[5], c[6], c[7],
      c[8], c[9], c[10], c[11], c[12], c[13], c[14]);
    default: return fromCharCode(
      c[0], c[1], c[2], c[3], c[4], c[5], c[6], c[7],
      c[8], c[9], c[10], c[11], c[12], c[13], c[14], c[15]);
  }
}
