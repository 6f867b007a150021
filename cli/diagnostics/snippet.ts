/** Snippet of a failure: its line, the line before, and a caret. */

import { CARRIAGE_RETURN, LINE_FEED } from "../bytes.ts";
import { type Cell, cellsOf, clip, codePointCells, ELLIPSIS, widthOf } from "../terminal/cells.ts";
import { paint } from "../terminal/paint.ts";
import { printable } from "../terminal/printable.ts";
import { type Diagnostic, type Excerpt, trailingCommaAt } from "./diagnostic.ts";

/** Bytes of a line on each side of the failure: over 200 columns of four-byte characters. */
const LINE_BYTES = 1024;

// Keeps a byte-order mark at the start of a range. It takes no column.
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** Renders the lines of a snippet, in `columns` columns, gutter included. */
export function renderSnippet(diagnostic: Diagnostic, columns: number): string {
  const { code, reading, line, excerpt } = atTrailingComma(diagnostic);
  const { bytes, at } = excerpt;
  const start = lineStart(excerpt, at);
  // If a line end is itself the failure, the line continues after it.
  const end = lineEnd(excerpt, code === "bad-control-character" ? afterLineEnd(bytes, at) : at);
  const before = cells(bytes, start.offset, at);
  const after = cells(bytes, at, end.offset);
  // An invisible character is shown as a picture, or by its code point.
  if (bytes[at] === 0x09) after[0] = { text: "␉", width: 1 };
  else if (after[0]?.width === 0) after.splice(0, 1, ...codePointCells(after[0].text));

  const digits = String(line).length;
  const room = columns - digits - 5;
  // The caret of a failure at the end of the line takes a column, too.
  const leftColumns = Math.max(room >> 1, room - Math.max(1, widthOf(after)) - Number(end.isClipped));
  const left = clip(before.reverse(), leftColumns, start.isClipped).reverse();
  const right = clip(after, room - widthOf(left), end.isClipped);

  const rows: string[] = [];
  const previous = reading === "lines" || left[0] === ELLIPSIS ? undefined : previousLine(excerpt, start.offset);
  if (previous) rows.push(gutter(String(line - 1).padStart(digits)) + text(clip(previous, room, false)));
  rows.push(gutter(String(line)) + text([...left, ...right]));
  rows.push(gutter(" ".repeat(digits)) + " ".repeat(widthOf(left)) + paint("bad", "^"));
  return rows.map((row) => row.trimEnd() + "\n").join("");
}

/** Moves a failure at a bracket to the trailing comma before it, which should be removed. */
function atTrailingComma(diagnostic: Diagnostic): Diagnostic {
  const { excerpt, line } = diagnostic;
  const at = trailingCommaAt(diagnostic);
  if (at < 0) return diagnostic;
  const lineEnds = decoder.decode(excerpt.bytes.subarray(at, excerpt.at)).match(/\r\n?|\n/g)?.length ?? 0;
  return { ...diagnostic, line: line - lineEnds, excerpt: { ...excerpt, at } };
}

function gutter(label: string): string {
  return `  ${label} | `;
}

function text(line: readonly Cell[]): string {
  // Made printable as a whole, too: harmless cells may form a log command.
  return printable(line.map((cell) => cell.text).join(""));
}

/** Returns the cells of a range. Malformed bytes are shown as U+FFFD. */
function cells(bytes: Uint8Array, start: number, end: number): Cell[] {
  return cellsOf(decoder.decode(bytes.subarray(start, end)));
}

function isLineEnd(byte: number): boolean {
  return byte === LINE_FEED || byte === CARRIAGE_RETURN;
}

/** Returns the start of the line of `offset`, or, with `isClipped`, an offset within a long line. */
function lineStart({ bytes, isStart }: Excerpt, offset: number): { offset: number; isClipped: boolean } {
  const minimum = Math.max(0, offset - LINE_BYTES);
  let start = offset;
  while (start > minimum && !isLineEnd(bytes[start - 1])) start--;
  const isClipped = start === minimum && !(start === 0 ? isStart : isLineEnd(bytes[start - 1]));
  // Skips the rest of an incomplete character.
  while (isClipped && start < offset && (bytes[start] & 0xc0) === 0x80) start++;
  return { offset: start, isClipped };
}

/** Returns the end of the line of `from`, or, with `isClipped`, an offset within a long line. */
function lineEnd({ bytes, isEnd }: Excerpt, from: number): { offset: number; isClipped: boolean } {
  const maximum = Math.min(bytes.length, from + LINE_BYTES);
  let end = from;
  while (end < maximum && !isLineEnd(bytes[end])) end++;
  const isClipped = end === maximum && !(end === bytes.length ? isEnd : isLineEnd(bytes[end]));
  return { offset: end, isClipped };
}

/** Returns the offset after the line end at `offset`, or `offset` if there is none. */
function afterLineEnd(bytes: Uint8Array, offset: number): number {
  if (offset >= bytes.length || !isLineEnd(bytes[offset])) return offset;
  const pair = bytes[offset] === CARRIAGE_RETURN && offset + 1 < bytes.length && bytes[offset + 1] === LINE_FEED;
  return offset + (pair ? 2 : 1);
}

function previousLine(excerpt: Excerpt, start: number): Cell[] | undefined {
  const { bytes } = excerpt;
  if (start === 0) return undefined;
  const crlf = start >= 2 && bytes[start - 1] === LINE_FEED && bytes[start - 2] === CARRIAGE_RETURN;
  const end = start - (crlf ? 2 : 1);
  const previous = lineStart(excerpt, end);
  return previous.isClipped ? undefined : cells(bytes, previous.offset, end);
}
