/** What the user may have meant: what the bytes at a failure look like. The verdict stays that of strict JSON. */

import { validateBinary } from "../../validate_binary.ts";
import type { Finding } from "./diagnostic_validator.ts";

/** What stands at a failure. */
interface Place {
  finding: Finding;
  /** The excerpt as text, a character a byte, so that offsets are those of the bytes. */
  text: string;
  at: number;
  /** The text from the failure on, and before it. */
  after: string;
  before: string;
  /** The letters, digits and signs the failure is in or before. */
  word: string;
}

type Rule = readonly [hint: string, holds: (place: Place) => boolean];

/** Whether the input begins with one of these byte sequences, and fails there. */
function begins(...starts: readonly string[]): (place: Place) => boolean {
  return ({ finding, text, at }) =>
    finding.excerpt.isStart && at < 8 && starts.some((start) => text.startsWith(start) && at <= start.length);
}

/** Whether one of these words stands at the failure. */
function isWord(...words: readonly string[]): (place: Place) => boolean {
  return ({ word }) => words.includes(word.replace(/^[-+]/, ""));
}

const QUOTES = /^(?:['`]|\xe2\x80[\x98-\x9f]|\xc2\xb4)/;

// The first that holds is told.
const RULES: readonly Rule[] = [
  ["the input is empty", ({ finding, text }) => isWhole(finding) && text === ""],
  ["there is nothing but whitespace", ({ finding, text }) => isWhole(finding) && /^(?:\xef\xbb\xbf)?\s*$/.test(text)],
  [
    "looks like UTF-32; convert it to UTF-8",
    begins("\xff\xfe\0\0", "\0\0\xfe\xff", "[\0\0\0", "{\0\0\0", "\0\0\0[", "\0\0\0{"),
  ],
  ["looks like UTF-16; convert it to UTF-8", begins("\xff\xfe", "\xfe\xff", "\0[", "\0{", '\0"', "[\0", "{\0", '"\0')],
  ["looks like gzip; decompress it first", begins("\x1f\x8b")],
  ["looks like Zstandard; decompress it first", begins("\x28\xb5\x2f\xfd")],
  ["looks like bzip2; decompress it first", begins("BZh")],
  ["looks like xz; decompress it first", begins("\xfd7zXZ")],
  ["looks like a ZIP archive; extract it first", begins("PK\x03\x04")],
  ["looks like HTML or XML", ({ after, before }) => /^<[!?/a-z]/i.test(after) && /^(?:\xef\xbb\xbf)?\s*$/.test(before)],
  ["looks like a JSON text sequence (RFC 7464), which has a 1E byte before each document", begins("\x1e")],
  ["looks like JSON Lines; try --jsonl", looksLikeJsonLines],
  [
    "looks like a byte-order mark; it may stand at the very beginning only",
    ({ after, finding }) => after.startsWith("\xef\xbb\xbf") && finding.offset > 0,
  ],
  ["looks like a comment; JSON has none", ({ after, finding }) => /^(?:\/[/*]|#)/.test(after) && !isInString(finding)],
  [
    "looks like a trailing comma; JSON has none",
    ({ after, before }) => /^[\]}]/.test(after) && /,\s*$/.test(before),
  ],
  [
    'looks like another kind of quotation mark; JSON has " only',
    ({ after, finding }) => QUOTES.test(after) && !isInString(finding),
  ],
  ["looks like NaN; JSON has no such number, null is what JSON.stringify writes", isWord("NaN", "nan", "NAN")],
  [
    "looks like Infinity; JSON has no such number, null is what JSON.stringify writes",
    isWord("Infinity", "infinity", "inf", "Inf", "INF"),
  ],
  ["looks like undefined; JSON has null", isWord("undefined")],
  ["looks like None; JSON has null", isWord("None", "nil", "NULL", "Null")],
  ["looks like True or False; JSON writes them in lower case", isWord("True", "False", "TRUE", "FALSE")],
  [
    "looks like a property name without quotation marks; JSON needs them",
    ({ finding, after }) => finding.code.startsWith("expected-property-name") && /^[\w$]/.test(after),
  ],
  [
    "looks like a hexadecimal, octal or binary number; JSON has decimal ones only",
    ({ word }) => /^[-+]?0[xob]/i.test(word),
  ],
  [
    "looks like leading zeros; JSON has none",
    ({ word, finding }) => finding.code === "unexpected-number" && /^-?0\d/.test(word),
  ],
  ["looks like a number that begins with a point; JSON needs a digit before it", ({ word }) => /^[-+]?\.\d/.test(word)],
  ["looks like a plus sign before a number; JSON has none", ({ after }) => /^\+[\d.]/.test(after)],
  [
    "looks like a backslash that is to be one; JSON writes \\\\",
    ({ finding, after }) => finding.code === "bad-escape" && /^\w/.test(after),
  ],
  [
    "looks like a surrogate in UTF-8 (CESU-8), which is not well-formed",
    ({ finding, after }) => finding.code === "invalid-utf8" && /^\xed[\xa0-\xbf]/.test(after),
  ],
  [
    "looks like Latin-1 or Windows-1252; convert it to UTF-8",
    ({ finding, after }) =>
      finding.code === "invalid-utf8" && /^[\x80-\xff](?![\x80-\xbf])/.test(after) && after.length > 1,
  ],
];

/** What the user may have meant, if that can be told. */
export function hintFor(finding: Finding): string | undefined {
  const { bytes, at } = finding.excerpt;
  const text = Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
  const [before, after] = [text.slice(0, at), text.slice(at)];
  const word = /[-+.\w]*$/.exec(before)![0] + /^[-+.\w]*/.exec(after)![0];
  const place = { finding, text, at, before, after, word };
  return RULES.find(([, holds]) => holds(place))?.[0];
}

function isWhole({ excerpt }: Finding): boolean {
  return excerpt.isStart && excerpt.isEnd;
}

function isInString({ code }: Finding): boolean {
  return code === "bad-escape" || code === "bad-unicode-escape" || code === "invalid-utf8";
}

/** Whether a second document starts on a line of its own, and the line before it is a whole document. */
function looksLikeJsonLines({ finding, before }: Place): boolean {
  const { code, line, column, excerpt } = finding;
  if (code !== "trailing-content" || line === 1 || column !== 1) return false;
  if (line === 2) return true;
  const lines = before.trimEnd();
  const start = lines.lastIndexOf("\n") + 1;
  return (start > 0 || excerpt.isStart) && validateBinary(excerpt.bytes.subarray(start, lines.length)).ok;
}
