/**
 * Hints: guesses from the bytes around a failure at the format or the mistake behind it. The result
 * of the validation stays that of strict JSON.
 */

import { validateBinary } from "../../validate_binary.ts";
import { isJsoncName, isManifestName } from "../check/jsonc_names.ts";
import type { Diagnostic } from "./diagnostic.ts";

/** Bytes on each side of a failure that most rules look at. */
const CONTEXT_BYTES = 256;

/**
 * Returns what rules look at: the diagnostic, and the middle of its excerpt as text, one character
 * per byte, so that lengths are those of the bytes. To make a text of the whole excerpt takes six
 * times as long.
 */
function contextOf(diagnostic: Diagnostic, name: string) {
  const { code, excerpt: { bytes, at: offset, isStart, isEnd } } = diagnostic;
  const start = Math.max(0, offset - CONTEXT_BYTES);
  const text = textOf(bytes, start, Math.min(bytes.length, offset + CONTEXT_BYTES));
  /** Offset of the failure in the text. */
  const at = offset - start;
  const [before, after] = [text.slice(0, at), text.slice(at)];
  /** Letters, digits and signs around the failure. */
  const word = text.slice(wordStart(text, at), at) + /^[-+.\w]*/.exec(after)![0];
  const isInString = code === "bad-escape" || code === "bad-unicode-escape" || code === "invalid-utf8";
  const isWhole = isStart && isEnd;
  return { ...diagnostic, text, at, before, after, word, name, isJsonc: isJsoncName(name), isInString, isWhole };
}

type Context = ReturnType<typeof contextOf>;
type Rule = readonly [hint: string | ((context: Context) => string), matches: (context: Context) => boolean];

/** Matches an input that begins with one of several byte sequences, and fails there. */
function startsWith(...starts: readonly string[]): (context: Context) => boolean {
  return ({ excerpt, text, at }) =>
    excerpt.isStart && excerpt.at < 8 && starts.some((start) => text.startsWith(start) && at <= start.length);
}

/** Matches a failure at one of several words. */
function isWord(...words: readonly string[]): (context: Context) => boolean {
  return ({ word }) => words.includes(word.replace(/^[-+]/, ""));
}

/** Quotation marks other than `"`, in UTF-8. */
const QUOTES = /^(?:['`]|\xe2\x80[\x98-\x9f]|\xc2\xb4)/;

const BLANK = /^(?:\xef\xbb\xbf)?\s*$/;

const RULES: readonly Rule[] = [
  ["the input is empty", ({ isWhole, text }) => isWhole && text === ""],
  ["the input has only whitespace", ({ isWhole, excerpt }) => isWhole && BLANK.test(latin1(excerpt.bytes))],
  [
    ({ firstOffset, name }) =>
      `the first one is at byte ${firstOffset}; JSON.parse keeps the last value` +
      (isManifestName(name) ? "; check --no-unique-keys accepts it" : ""),
    ({ code }) => code === "duplicate-key",
  ],
  ["JSON.parse may round it; write it as a string", ({ code }) => code === "unsafe-integer"],
  ["a copy of the object, by assignment or merging, may change a prototype", ({ code }) => code === "forbidden-key"],
  ["the input ends early", ({ code, truncated }) => truncated && code !== "unexpected-end"],
  [
    "looks like UTF-32; convert it to UTF-8",
    startsWith("\xff\xfe\0\0", "\0\0\xfe\xff", "[\0\0\0", "{\0\0\0", "\0\0\0[", "\0\0\0{"),
  ],
  [
    "looks like UTF-16; convert it to UTF-8",
    startsWith("\xff\xfe", "\xfe\xff", "\0[", "\0{", '\0"', "[\0", "{\0", '"\0'),
  ],
  ["looks like gzip; decompress it first", startsWith("\x1f\x8b")],
  ["looks like Zstandard; decompress it first", startsWith("\x28\xb5\x2f\xfd")],
  ["looks like bzip2; decompress it first", startsWith("BZh")],
  ["looks like xz; decompress it first", startsWith("\xfd7zXZ")],
  ["looks like a ZIP archive; extract it first", startsWith("PK\x03\x04")],
  [
    "looks like a merge conflict; resolve it first",
    ({ after, before }) => /^(?:<{7}|\|{7}|={7}|>{7})(?:[ \r\n]|$)/.test(after) && /(?:^|[\r\n])$/.test(before),
  ],
  ["looks like HTML or XML", ({ after, before }) => /^<[!?/a-z]/i.test(after) && BLANK.test(before)],
  ["looks like a JSON text sequence (RFC 7464), with byte 0x1E before each document", startsWith("\x1e")],
  ["looks like JSON Lines; try --jsonl", looksLikeJsonLines],
  ["looks like several documents; try check --concatenated", looksConcatenated],
  [
    "looks like a byte-order mark; it may only stand at the very beginning",
    ({ after, offset }) => after.startsWith("\xef\xbb\xbf") && offset > 0,
  ],
  [
    ({ isJsonc, name }) => `looks like a comment; ${isJsonc ? ACCEPTED : `try check --jsonc '${globOf(name)}'`}`,
    ({ after, isInString }) => /^\/[/*]/.test(after) && !isInString,
  ],
  ["looks like a comment; JSON has none", ({ after, isInString }) => after.startsWith("#") && !isInString],
  [
    ({ isJsonc }) => `looks like a trailing comma; ${isJsonc ? ACCEPTED : "JSON has none"}`,
    ({ after, before }) => /^[\]}]/.test(after) && /,\s*$/.test(before),
  ],
  ['looks like another quotation mark; JSON has only "', ({ after, isInString }) => QUOTES.test(after) && !isInString],
  ["looks like NaN; JSON has no such number, and JSON.stringify writes null", isWord("NaN", "nan", "NAN")],
  [
    "looks like Infinity; JSON has no such number, and JSON.stringify writes null",
    isWord("Infinity", "infinity", "inf", "Inf", "INF"),
  ],
  ["looks like undefined; JSON has null", isWord("undefined")],
  ["looks like None; JSON has null", isWord("None", "nil", "NULL", "Null")],
  ["looks like True or False; JSON has true and false", isWord("True", "False", "TRUE", "FALSE")],
  [
    "looks like a property name without quotation marks; JSON requires them",
    ({ code, excerpt }) => code.startsWith("expected-property-name") && beginsName(excerpt.bytes, excerpt.at),
  ],
  [
    "looks like a hexadecimal, octal or binary number; JSON has only decimal ones",
    ({ word }) => /^[-+]?0[xob]/i.test(word),
  ],
  ["looks like leading zeros; JSON has none", ({ word, code }) => code === "unexpected-number" && /^-?0\d/.test(word)],
  [
    "looks like a number that begins with a point; JSON requires a digit before it",
    ({ word }) => /^[-+]?\.\d/.test(word),
  ],
  ["looks like a plus sign before a number; JSON has none", ({ after }) => /^\+[\d.]/.test(after)],
  [
    "looks like a literal backslash; JSON has \\\\ for it",
    ({ code, after }) => code === "bad-escape" && /^\w/.test(after),
  ],
  [
    "looks like a surrogate in UTF-8 (CESU-8), which is malformed",
    ({ code, after }) => code === "invalid-utf8" && /^\xed[\xa0-\xbf]/.test(after),
  ],
  [
    "looks like Latin-1 or Windows-1252; convert it to UTF-8",
    ({ code, after }) => code === "invalid-utf8" && /^[\x80-\xff](?![\x80-\xbf])/.test(after) && after.length > 1,
  ],
];

/** What to do about a comment or a trailing comma in files that have them. */
const ACCEPTED = "check without --strict accepts it here";

/** Returns a pattern for `--jsonc` that matches a file, and needs no escapes in a shell. */
function globOf(name: string): string {
  const base = name.slice(name.lastIndexOf("/") + 1);
  return /^\w[\w.-]*$/.test(base) ? base : "*";
}

/**
 * Returns the hint of the first rule that matches.
 *
 * @param name Name of the input.
 */
export function hintFor(diagnostic: Diagnostic, name = ""): string | undefined {
  const context = contextOf(diagnostic, name);
  const hint = RULES.find(([, matches]) => matches(context))?.[0];
  return typeof hint === "function" ? hint(context) : hint;
}

/** Bytes of the largest buffer that is made a text as a whole, and the text of the last one. */
const MAX_SHARED_BYTES = 8192;
const shared = { buffer: new ArrayBuffer(0) as ArrayBufferLike, text: "" };

/**
 * Returns a text of some bytes, one character per byte. Failures close to each other have views of
 * one buffer, whose text is made once: otherwise each would take 6 KB.
 */
function textOf({ buffer, byteOffset }: Uint8Array, start: number, end: number): string {
  if (buffer.byteLength > MAX_SHARED_BYTES) return latin1(new Uint8Array(buffer, byteOffset + start, end - start));
  if (shared.buffer !== buffer) {
    shared.text = latin1(new Uint8Array(buffer));
    shared.buffer = buffer;
  }
  return shared.text.slice(byteOffset + start, byteOffset + end);
}

function latin1(bytes: Uint8Array): string {
  // Spreading the bytes would take seven times as long.
  return String.fromCharCode.apply(null, bytes as unknown as number[]);
}

/**
 * Returns the start of the letters, digits and signs before `at`. A pattern with `$` at its end
 * would try each start in turn.
 */
function wordStart(text: string, at: number): number {
  let start = at;
  while (start > 0 && /[-+.\w]/.test(text[start - 1])) start--;
  return start;
}

/** Returns whether the character at an offset may begin a property name of JavaScript. */
function beginsName(bytes: Uint8Array, at: number): boolean {
  return /^[\p{ID_Start}\d$_]/u.test(new TextDecoder().decode(bytes.subarray(at, at + 4)));
}

/** Matches a second document on a line of its own, after a line that is a whole document. */
function looksLikeJsonLines({ code, line, column, excerpt }: Context): boolean {
  if (code !== "trailing-content" || line === 1 || column !== 1) return false;
  if (line === 2) return true;
  const lines = latin1(excerpt.bytes.subarray(0, excerpt.at)).trimEnd();
  const start = lines.lastIndexOf("\n") + 1;
  return (start > 0 || excerpt.isStart) && validateBinary(excerpt.bytes.subarray(start, lines.length)).ok;
}

function looksConcatenated({ code, after }: Context): boolean {
  return code === "trailing-content" && /^(?:[[{"\d-]|true|false|null)/.test(after);
}
