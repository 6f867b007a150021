/** The place of a failure, drawn: its line, the line before, and a caret. */

import { paint, printable } from "../terminal/streams.ts";
import type { Excerpt, Finding } from "./diagnostic_validator.ts";

/** Columns a line of a snippet may take, gutter included. */
const COLUMNS = 80;

/** Bytes of a line looked at on either side of the failure: three times what 80 columns of four-byte characters take. */
const WINDOW = 1024;

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;

// A byte-order mark counts for nothing in a column, and must not be swallowed at the start of a window.
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** A character as shown, with all that combines with it, and the columns it takes. */
interface Cell {
  text: string;
  width: number;
}

/** Draws the lines of a snippet, from the bytes around the failure. */
export function renderSnippet({ code, line, excerpt }: Finding): string {
  const { bytes, at } = excerpt;
  const start = lineStart(excerpt, at);
  // A line end that is itself the failure is shown with what comes after it.
  const end = lineEnd(excerpt, code === "bad-control-character" ? afterLineEnd(bytes, at) : at);
  const before = cells(bytes, start.offset, at);
  const after = cells(bytes, at, end.offset);
  // A tab that is the failure itself is worth seeing.
  if (bytes[at] === 0x09) after[0] = { text: "␉", width: 1 };

  const digits = String(line).length;
  const room = COLUMNS - digits - 5;
  const leftRoom = Math.max(room >> 1, room - width(after) - Number(end.cut));
  const left = clip(before.reverse(), leftRoom, start.cut).reverse();
  const right = clip(after, room - width(left), end.cut);

  const rows: string[] = [];
  const previous = left[0] === ELLIPSIS ? undefined : previousLine(excerpt, start.offset);
  if (previous) rows.push(gutter(String(line - 1).padStart(digits)) + text(clip(previous, room, false)));
  rows.push(gutter(String(line)) + text([...left, ...right]));
  rows.push(gutter(" ".repeat(digits)) + " ".repeat(width(left)) + paint("bad", "^"));
  return rows.map((row) => row.trimEnd() + "\n").join("");
}

function gutter(label: string): string {
  return paint("faint", `  ${label} |`) + " ";
}

const ELLIPSIS: Cell = { text: "…", width: 1 };
const TAB: Cell = { text: "    ", width: 4 };

/** The first cells that fit into `room` columns, with an ellipsis where any are left out or `cut` says there are more. */
function clip(line: readonly Cell[], room: number, cut: boolean): Cell[] {
  if (!cut && width(line) <= room) return [...line];
  let used = ELLIPSIS.width;
  const overflow = line.findIndex((cell) => (used += cell.width) > room);
  return [...line.slice(0, overflow < 0 ? line.length : overflow), ELLIPSIS];
}

function width(line: readonly Cell[]): number {
  return line.reduce((sum, cell) => sum + cell.width, 0);
}

function text(line: readonly Cell[]): string {
  // Once more: characters that are harmless one by one can be a command to a log together.
  return printable(line.map((cell) => cell.text).join(""));
}

// Made when needed: it takes longer than all else that start-up does.
let segmenter: Intl.Segmenter | undefined;

/** The characters of a range; malformed bytes show as U+FFFD. */
function cells(bytes: Uint8Array, start: number, end: number): Cell[] {
  segmenter ??= new Intl.Segmenter("en", { granularity: "grapheme" });
  const characters = segmenter.segment(decoder.decode(bytes.subarray(start, end)));
  return Array.from(characters, ({ segment }) => {
    if (segment === "\t") return TAB;
    const shown = printable(segment);
    return { text: shown, width: columnsOf(shown) };
  });
}

// East Asian Wide and Fullwidth (Unicode Standard Annex 11), by block, and emoji: flags, and those that a selector makes such.
const WIDE = new RegExp(
  String.raw`^(?:\p{Emoji_Presentation}|.\ufe0f|[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97f\uac00-\ud7a3` +
    String.raw`\uf900-\ufaff\ufe10-\ufe19\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6` +
    String.raw`\u{17000}-\u{18cff}\u{1b000}-\u{1b2ff}\u{1f200}-\u{1f2ff}\u{20000}-\u{3fffd}])`,
  "u",
);

// Combining marks with nothing to combine with, and format characters.
const ZERO_WIDTH = /^[\p{Mn}\p{Me}\p{Cf}]/u;

/** Columns a terminal gives a character with all that combines with it. */
function columnsOf(grapheme: string): number {
  return WIDE.test(grapheme) ? 2 : ZERO_WIDTH.test(grapheme) ? 0 : 1;
}

function isLineEnd(byte: number): boolean {
  return byte === LINE_FEED || byte === CARRIAGE_RETURN;
}

/** Where the line of `offset` starts; `cut` when that is too far off to look. */
function lineStart({ bytes, isStart }: Excerpt, offset: number): { offset: number; cut: boolean } {
  const least = Math.max(0, offset - WINDOW);
  let start = offset;
  while (start > least && !isLineEnd(bytes[start - 1])) start--;
  const cut = start === least && !(start === 0 ? isStart : isLineEnd(bytes[start - 1]));
  // Not in the middle of a character.
  while (cut && start < offset && (bytes[start] & 0xc0) === 0x80) start++;
  return { offset: start, cut };
}

/** Where the line that goes on at `from` ends; `cut` when that is too far off to look. */
function lineEnd({ bytes, isEnd }: Excerpt, from: number): { offset: number; cut: boolean } {
  const most = Math.min(bytes.length, from + WINDOW);
  let end = from;
  while (end < most && !isLineEnd(bytes[end])) end++;
  const isCut = end === most && !(end === bytes.length ? isEnd : isLineEnd(bytes[end]));
  return { offset: end, cut: isCut };
}

/** The offset behind the line end at `offset`, if there is one. */
function afterLineEnd(bytes: Uint8Array, offset: number): number {
  if (offset >= bytes.length || !isLineEnd(bytes[offset])) return offset;
  const pair = bytes[offset] === CARRIAGE_RETURN && offset + 1 < bytes.length && bytes[offset + 1] === LINE_FEED;
  return offset + (pair ? 2 : 1);
}

/** The line before the one that starts at `start`, where there is one and it is short enough to be worth showing. */
function previousLine(excerpt: Excerpt, start: number): Cell[] | undefined {
  const { bytes } = excerpt;
  if (start === 0) return undefined;
  const crlf = start >= 2 && bytes[start - 1] === LINE_FEED && bytes[start - 2] === CARRIAGE_RETURN;
  const end = start - (crlf ? 2 : 1);
  const previous = lineStart(excerpt, end);
  return previous.cut ? undefined : cells(bytes, previous.offset, end);
}
