/**
 * Hints: guesses, from the bytes around a failure, at the format or mistake behind it, and what to
 * do about it. They do not change the result of the validation.
 */

import { type DocumentSeparation, DocumentValidator } from "../../parser/streaming/validator_state.ts";
import { CARRIAGE_RETURN, LINE_FEED } from "../bytes.ts";
import { validateBinary } from "../../validate_binary.ts";
import { isJsoncName } from "../check/jsonc_names.ts";
import { looksLikeLines } from "../input/json_lines.ts";
import { type Diagnostic, trailingCommaAt } from "./diagnostic.ts";

/** Bytes on each side of a failure that most rules look at. */
const CONTEXT_BYTES = 256;

/** Hint about a failure. */
export interface Hint {
  /** Format or mistake that the bytes look like. */
  readonly sign: string;
  /** Remedy: the option that reads such an input, or a text; absent if the sign says it all. */
  readonly remedy?: string | undefined;
}

/**
 * Returns the input of the rules: the diagnostic, and the middle of its excerpt as text, one
 * character per byte, so that lengths are those of the bytes. Decoding the whole excerpt takes six
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
  return { ...diagnostic, text, at, before, after, word, name, isInString, isWhole };
}

type Context = ReturnType<typeof contextOf>;
type Text = string | ((context: Context) => string | undefined);
type Rule = readonly [sign: Text, matches: (context: Context) => boolean, remedy?: Text];

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

const TRAILING = "trailing-content";

/** Remedy for a comment: an option, if the input is read as one document. */
function asJsonc({ reading, name }: Context): string {
  return reading !== "document" ? "JSON has none" : isJsoncName(name) ? "strict" : "jsonc";
}

const RULES: readonly Rule[] = [
  ["the input is empty", ({ isWhole, text }) => isWhole && text === ""],
  ["the input has only whitespace", ({ isWhole, excerpt }) => isWhole && BLANK.test(latin1(excerpt.bytes))],
  [
    ({ firstOffset }) => `the first one is at byte ${firstOffset}`,
    ({ code }) => code === "duplicate-key",
    "no-unique-keys",
  ],
  ["JSON.parse may round it", ({ code }) => code === "unsafe-integer", "write it as a string"],
  ["a copy of the object, by assignment or merging, may change a prototype", ({ code }) => code === "forbidden-key"],
  ["looks like a document on several lines", isOnSeveralLines, "concatenated"],
  ["the input ends early", ({ code, truncated }) => truncated && code !== "unexpected-end"],
  [
    "looks like UTF-32",
    startsWith("\xff\xfe\0\0", "\0\0\xfe\xff", "[\0\0\0", "{\0\0\0", "\0\0\0[", "\0\0\0{"),
    "convert it to UTF-8",
  ],
  [
    "looks like UTF-16",
    startsWith("\xff\xfe", "\xfe\xff", "\0[", "\0{", '\0"', "[\0", "{\0", '"\0'),
    "convert it to UTF-8",
  ],
  ["looks like gzip", startsWith("\x1f\x8b"), "no-decompress"],
  ["looks like Zstandard", startsWith("\x28\xb5\x2f\xfd"), "no-decompress"],
  ["looks like bzip2", startsWith("BZh"), "decompress it first"],
  ["looks like xz", startsWith("\xfd7zXZ"), "decompress it first"],
  ["looks like a ZIP archive", startsWith("PK\x03\x04"), "extract it first"],
  [
    "looks like a merge conflict",
    ({ after, before }) => /^(?:<{7}|\|{7}|={7}|>{7})(?:[ \r\n]|$)/.test(after) && /(?:^|[\r\n])$/.test(before),
    "resolve it first",
  ],
  ["looks like a template", looksLikeTemplate, "render it first"],
  ["looks like HTML or XML, not JSON", ({ after, before }) => /^<[!?/a-z]/i.test(after) && BLANK.test(before)],
  ["looks like a JSON text sequence (RFC 7464)", startsWith("\x1e"), "concatenated"],
  [
    "looks like a byte-order mark",
    ({ after, offset }) => after.startsWith("\xef\xbb\xbf") && offset === 0,
    "no-mark",
  ],
  ["looks like lines that end in CR alone", endsInReturn, "concatenated"],
  ["looks like a comment", ({ after, isInString }) => /^\/[/*]/.test(after) && !isInString, asJsonc],
  ["looks like a comment", ({ after, isInString }) => after.startsWith("#") && !isInString, "JSON has none"],
  ["looks like JSON Lines", looksLikeJsonLines, "jsonl"],
  ["looks like several documents", looksConcatenated, "concatenated"],
  [
    "looks like JSON Lines with a comma after each line",
    ({ code, after }) => code === TRAILING && /^,[ \t\r]*(?:\n|$)/.test(after),
    ({ reading }) => reading === "document" ? "remove the commas, and try --jsonl" : "remove the commas",
  ],
  [
    "looks like elements without the brackets of an array",
    ({ code, after }) => code === TRAILING && after.startsWith(","),
    "JSON requires them",
  ],
  [
    "looks like a byte-order mark",
    ({ after, offset }) => after.startsWith("\xef\xbb\xbf") && offset > 0,
    "it may only stand at the very beginning",
  ],
  [
    "looks like a trailing comma",
    (context) => trailingCommaAt(context) >= 0,
    ({ reading }) => reading === "document" ? "strict" : "JSON has none",
  ],
  [
    "looks like a text in three quotation marks",
    ({ after, before }) => /(?:^|[^"\\])""$/.test(before) && after.startsWith('"'),
    'JSON has one, \\n for line breaks, and \\" for quotation marks in the text',
  ],
  [
    "looks like another quotation mark",
    ({ after, isInString }) => QUOTES.test(after) && !isInString,
    'JSON has only "',
  ],
  [
    "looks like a quotation mark in a string",
    ({ code, after, before }) =>
      (isAfterEntry(code) || code === TRAILING) && /[^\s"]\s?"$/.test(before) && /^[a-z\x80-\xff]/i.test(after),
    'JSON has \\" for it',
  ],
  ["looks like NaN", isWord("NaN", "nan", "NAN"), "JSON has no such number, and JSON.stringify writes null"],
  [
    "looks like Infinity",
    isWord("Infinity", "infinity", "inf", "Inf", "INF"),
    "JSON has no such number, and JSON.stringify writes null",
  ],
  ["looks like undefined", isWord("undefined"), "JSON has null"],
  ["looks like None", isWord("None", "nil", "NULL", "Null"), "JSON has null"],
  ["looks like True or False", isWord("True", "False", "TRUE", "FALSE"), "JSON has true and false"],
  [
    "looks like a property name without quotation marks",
    ({ code, excerpt }) => code.startsWith("expected-property-name") && beginsName(excerpt.bytes, excerpt.at),
    "JSON requires them",
  ],
  [
    "looks like a hexadecimal, octal or binary number",
    ({ word }) => /^[-+]?0[xob]/i.test(word),
    "JSON has only decimal ones",
  ],
  [
    "looks like leading zeros",
    ({ word, code }) => code === "unexpected-number" && /^-?0\d/.test(word),
    "JSON has none",
  ],
  [
    "looks like a number that begins with a point",
    ({ word }) => /^[-+]?\.\d/.test(word),
    "JSON requires a digit before it",
  ],
  ["looks like a plus sign before a number", ({ after }) => /^\+[\d.]/.test(after), "JSON has none"],
  [
    "looks like a missing comma",
    ({ code, after, before }) =>
      isAfterEntry(code) && /^(?:[[{"\d-]|true|false|null)/.test(after) && /[\s\]}]$/.test(before),
    "JSON requires one between entries",
  ],
  [
    "looks like a line break in a string",
    ({ code, after }) => code === "bad-control-character" && /^[\r\n]/.test(after),
    "JSON has \\n for it; or a closing quotation mark is missing",
  ],
  [
    "looks like a tab in a string",
    ({ code, after }) => code === "bad-control-character" && after.startsWith("\t"),
    "JSON has \\t for it",
  ],
  [
    "looks like a literal backslash",
    ({ code, after }) => code === "bad-escape" && /^\w/.test(after),
    "JSON has \\\\ for it",
  ],
  [
    "looks like a surrogate in UTF-8 (CESU-8), which is malformed",
    ({ code, after }) => code === "invalid-utf8" && /^\xed[\xa0-\xbf]/.test(after),
  ],
  [
    "looks like Latin-1 or Windows-1252",
    ({ code, after }) => code === "invalid-utf8" && /^[\x80-\xff](?![\x80-\xbf])/.test(after) && after.length > 1,
    "convert it to UTF-8",
  ],
];

/**
 * Finds the first rule that matches a failure.
 *
 * @param name Name of the input, without the extension of its compression.
 */
export function findHint(diagnostic: Diagnostic, name = ""): Hint | undefined {
  // The document is well-formed.
  if (diagnostic.code === "expected-array" || diagnostic.code === "expected-object") return undefined;
  const context = contextOf(diagnostic, name);
  const rule = RULES.find(([, matches]) => matches(context));
  if (rule === undefined) return undefined;
  const [sign, remedy] = [rule[0], rule[2]].map((text) => typeof text === "function" ? text(context) : text);
  return { sign: sign!, remedy };
}

/** Maximum bytes of a buffer that is decoded as a whole, and the text of the last one. */
const MAX_SHARED_BYTES = 8192;
const shared = { buffer: new ArrayBuffer(0) as ArrayBufferLike, text: "" };

/**
 * Returns bytes as text, one character per byte. Failures close to each other have views of one
 * buffer, whose text is made once: otherwise each would take 6 KB.
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

function isAfterEntry(code: Diagnostic["code"]): boolean {
  return code === "expected-comma-or-brace" || code === "expected-comma-or-bracket";
}

/**
 * Matches placeholders and tags of templates: `{{ … }}`, `{% … %}`, `<% … %>` and `${…}`. A brace
 * before the failure was read as JSON.
 */
function looksLikeTemplate({ before, after, isInString }: Context): boolean {
  if (isInString) return false;
  const text = (/\{$/.exec(before)?.[0] ?? "") + after;
  return /^(?:\{\{(?!\s*"[^"]*"\s*:)[^{}]*\}\}|\{?\{%[^%]*%\}|<%[^%]*%>|\$\{[^{}]*\})/.test(text);
}

/** Matches a second document on its own line, after a complete one or a first line that fails. */
function looksLikeJsonLines({ code, reading, line, excerpt }: Context): boolean {
  if (reading !== "document") return false;
  if (excerpt.isStart && line === 1 && looksLikeLines(excerpt.bytes, 0, excerpt.isEnd)) return true;
  if (code !== TRAILING) return false;
  const { bytes, at } = excerpt;
  const start = bytes.lastIndexOf(LINE_FEED, at - 1) + 1;
  const lines = latin1(bytes.subarray(0, at)).trimEnd();
  if (start === 0 || lines.length >= start) return false;
  const last = lines.lastIndexOf("\n") + 1;
  const isDocument = last > 0 || excerpt.isStart ? validateBinary(bytes.subarray(last, lines.length)).ok : line === 2;
  return isDocument && readsAs("lines", excerpt, start);
}

/** Matches a second document after a lone CR. */
function endsInReturn({ code, excerpt }: Context): boolean {
  const { bytes, at } = excerpt;
  return code === TRAILING && bytes[at - 1] === CARRIAGE_RETURN && readsAs("concatenated", excerpt, at);
}

/** Matches a second document. Two scalars have whitespace between them. */
function looksConcatenated({ code, before, after, excerpt }: Context): boolean {
  return code === TRAILING && (/[\s\]}"]$/.test(before) || /^[[{"]/.test(after)) &&
    readsAs("concatenated", excerpt, excerpt.at);
}

/** Matches a line of one bracket, which begins a document that may not be in the excerpt. */
function isOnSeveralLines({ reading, excerpt, after }: Context): boolean {
  if (reading !== "lines" || !/^\r?\n/.test(after)) return false;
  const { bytes, at, isStart, isEnd } = excerpt;
  const start = bytes.lastIndexOf(LINE_FEED, at - 1) + 1;
  if (start === 0 && !isStart || !/^\s*[[{]\s*$/.test(latin1(bytes.subarray(start, at)))) return false;
  return !isEnd && /^\s*$/.test(after) || readsAs("concatenated", excerpt, start);
}

/** Returns whether an excerpt has only documents from a position on, the last maybe incomplete. */
function readsAs(multiple: DocumentSeparation, { bytes, isEnd }: Diagnostic["excerpt"], from: number): boolean {
  let isValid = true;
  const sink = {
    describesFailures: false,
    beginDocument() {},
    addFailure: () => void (isValid = false),
    endDocument() {},
  };
  const options = { multiple, guards: null, maxDepth: Infinity, comments: null, endsAtFailure: true };
  const validator = new DocumentValidator(sink, options);
  const rest = bytes.subarray(from);
  validator.push(rest, new DataView(rest.buffer, rest.byteOffset, rest.length));
  if (isEnd) validator.end();
  return isValid;
}
