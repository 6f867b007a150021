/**
 * Rows of `--csv` (RFC 4180) and `--tsv`, below a header: one for each document, or for each element
 * of the only array that a mask has.
 */

import { MISSING, type ValueRange } from "../../parser/streaming/value_ranges.ts";
import { BACKSLASH, CARRIAGE_RETURN, COMMA, LINE_FEED, LOWER_N, LOWER_R, LOWER_T, QUOTE, TAB } from "../ascii.ts";
import { UsageError } from "../arguments.ts";
import type { ByteOutput } from "./byte_output.ts";
import type { Picture } from "./mask_text.ts";
import { partAt, type SelectedRanges } from "./outline.ts";

export type RowFormat = "csv" | "tsv";

/** Column: its name, and where its values are in what the mask selects. */
interface Column {
  readonly name: string;
  readonly path: readonly number[];
}

export class RowWriter {
  readonly #isCsv: boolean;
  readonly #separator: number;
  readonly #columns: readonly Column[];
  /** Path of the array whose elements are rows, if they are not documents. */
  readonly #arrayPath: readonly number[] | undefined;
  readonly #output: ByteOutput;

  /**
   * Makes a writer, and writes the header.
   *
   * @param text Text of the mask, for errors.
   * @throws {UsageError} If a document has no fixed columns, or two of one name.
   */
  constructor(format: RowFormat, picture: Picture, output: ByteOutput, text: string) {
    this.#isCsv = format === "csv";
    this.#separator = this.#isCsv ? COMMA : TAB;
    this.#output = output;
    const [arrayPath, row] = rowOf(picture, []);
    this.#arrayPath = arrayPath;
    const columns = columnsOf(row, [], []);
    if (columns === undefined || columns.length === 0) {
      const at = Math.max(0, text.search(/[[*]/));
      throw new UsageError(`--${format} takes a mask of members with names`, undefined, { text, at });
    }
    this.#columns = columns;
    for (const [i, { name }] of columns.entries()) {
      if (columns.findIndex((column) => column.name === name) === i) continue;
      throw new UsageError(`--${format} would have two columns of the name '${name}'`, undefined, { text, at: 0 });
    }
    columns.forEach(({ name }, i) => {
      if (i > 0) output.addByte(this.#separator);
      const start = output.length;
      output.addText(name);
      this.#escape(start);
    });
    output.addByte(LINE_FEED);
    output.committed = output.length;
  }

  /** Writes at most `most` rows of a document. Returns how many; -1 if it lacks their array. */
  write(selected: SelectedRanges, bytes: Uint8Array, view: DataView, most: number): number {
    if (this.#arrayPath === undefined) {
      this.#writeRow(selected, bytes, view);
      return 1;
    }
    const rows = partAt(selected, this.#arrayPath);
    if (!Array.isArray(rows)) return -1;
    const count = Math.min(rows.length, most);
    for (let i = 0; i < count; i++) this.#writeRow(rows[i] as SelectedRanges, bytes, view);
    return count;
  }

  #writeRow(selected: SelectedRanges, bytes: Uint8Array, view: DataView): void {
    const output = this.#output;
    const rowStart = output.length;
    const columns = this.#columns;
    for (let i = 0; i < columns.length; i++) {
      if (i > 0) output.addByte(this.#separator);
      const value = fieldAt(selected, columns[i].path);
      if (value !== undefined) this.#writeField(value, bytes, view);
    }
    // An empty line would not be a row.
    if (this.#isCsv && output.length === rowStart) this.#addEmpty();
    output.addByte(LINE_FEED);
  }

  #writeField({ start, end }: ValueRange, bytes: Uint8Array, view: DataView): void {
    const output = this.#output;
    const fieldStart = output.length;
    const first = bytes[start];
    if (first === LOWER_N) return; // `null`
    output.addValue(bytes, view, start, end);
    const isString = first === QUOTE;
    if (isString) output.decodeString(fieldStart);
    if (isString || (first | 0x20) === 0x7b) this.#escape(fieldStart);
    // The field of an empty string differs from that of a missing value.
    if (isString && this.#isCsv && output.length === fieldStart) this.#addEmpty();
  }

  #addEmpty(): void {
    this.#output.addByte(QUOTE);
    this.#output.addByte(QUOTE);
  }

  /** Escapes the field from `start` on, if it needs that. */
  #escape(start: number): void {
    const output = this.#output;
    const { bytes, length } = output;
    let p = start;
    while (p < length && !this.#isSpecial(bytes[p])) p++;
    if (p === length) return;
    const field = bytes.slice(start, length);
    output.length = start;
    output.reserve(2 * field.length + 2);
    if (this.#isCsv) output.addByte(QUOTE);
    for (const c of field) {
      if (this.#isCsv) {
        if (c === QUOTE) output.addByte(QUOTE);
        output.addByte(c);
      } else if (c === TAB || c === LINE_FEED || c === CARRIAGE_RETURN || c === BACKSLASH) {
        output.addByte(BACKSLASH);
        output.addByte(c === TAB ? LOWER_T : c === LINE_FEED ? LOWER_N : c === CARRIAGE_RETURN ? LOWER_R : c);
      } else output.addByte(c);
    }
    if (this.#isCsv) output.addByte(QUOTE);
  }

  #isSpecial(byte: number): boolean {
    if (byte > BACKSLASH) return false;
    if (byte === LINE_FEED || byte === CARRIAGE_RETURN) return true;
    return this.#isCsv ? byte === QUOTE || byte === COMMA : byte === TAB || byte === BACKSLASH;
  }
}

/**
 * Returns the path of the array whose elements are rows, and their mask; without an array, the mask
 * itself.
 */
function rowOf(picture: Picture, path: readonly number[]): [path: readonly number[] | undefined, row: Picture] {
  if (picture === true) return [undefined, picture];
  if (picture.element !== undefined) return [path, picture.element];
  const [member] = picture.members.values();
  if (picture.members.size !== 1 || picture.rest !== undefined) return [undefined, picture];
  const [arrayPath, row] = rowOf(member, [...path, 0]);
  return arrayPath === undefined ? [undefined, picture] : [arrayPath, row];
}

/**
 * Returns the value of a column; `undefined` if it is missing. A scalar where the mask has an object
 * is the value of the first column of that object.
 */
function fieldAt(selected: SelectedRanges, path: readonly number[]): ValueRange | undefined {
  let part = selected;
  for (let i = 0; i < path.length; i++) {
    if (!Array.isArray(part)) {
      for (; i < path.length; i++) if (path[i] !== 0) return undefined;
      break;
    }
    part = part[path[i]];
  }
  return part === null || part === undefined || part as unknown === MISSING ? undefined : part as ValueRange;
}

/** Returns the columns of a mask; `undefined` if an element of an array would be one, or any member. */
function columnsOf(picture: Picture, names: readonly string[], path: readonly number[]): Column[] | undefined {
  if (picture === true) return [{ name: names.join("."), path }];
  if (picture.element !== undefined || picture.rest !== undefined) return undefined;
  const columns: Column[] = [];
  for (const [number, [name, member]] of [...picture.members].entries()) {
    const more = columnsOf(member, [...names, name], [...path, number]);
    if (more === undefined) return undefined;
    columns.push(...more);
  }
  return columns;
}
