/**
 * Rows of `--csv` (RFC 4180) and `--tsv`, below a header: one for each document, or for each
 * element of the only array that a mask has.
 */

import { MISSING, type ValueRange } from "../../parser/streaming/cli_internals.ts";
import { BACKSLASH, CARRIAGE_RETURN, COMMA, LINE_FEED, LOWER_N, LOWER_R, LOWER_T, QUOTE, TAB } from "../bytes.ts";
import { UsageError } from "../arguments.ts";
import type { ByteOutput } from "./byte_output.ts";
import type { Picture } from "./mask_text.ts";
import { partAt, type SelectedRanges } from "./outline.ts";

export type RowFormat = "csv" | "tsv";

/** Column: its name, and the path to its values in the selected ranges. */
interface Column {
  readonly name: string;
  readonly path: readonly number[];
}

/** Writer of rows below a header. */
export abstract class RowWriter {
  readonly #isCsv: boolean;
  readonly #separator: number;
  protected readonly output: ByteOutput;
  #rowStart = 0;
  #fields = 0;
  /** Message about a document without rows. */
  abstract readonly problem: string;

  constructor(format: RowFormat, output: ByteOutput) {
    this.#isCsv = format === "csv";
    this.#separator = this.#isCsv ? COMMA : TAB;
    this.output = output;
  }

  /** Writes at most `maximum` rows of a document. Returns how many; -1 if it has none. */
  abstract write(selected: SelectedRanges, bytes: Uint8Array, view: DataView, maximum: number): number;

  /** Confirms the rows that were written last: their document is valid. */
  commit(): void {}

  protected writeHeader(names: readonly string[]): void {
    this.beginRow();
    for (const name of names) {
      this.#beginField();
      const start = this.output.length;
      this.output.addText(name);
      this.#escape(start);
    }
    this.endRow();
  }

  protected beginRow(): void {
    this.#rowStart = this.output.length;
    this.#fields = 0;
  }

  #beginField(): void {
    if (this.#fields++ > 0) this.output.addByte(this.#separator);
  }

  protected endRow(): void {
    // An empty line would not be a row.
    if (this.#isCsv && this.output.length === this.#rowStart) this.#addEmpty();
    this.output.addByte(LINE_FEED);
  }

  /** Adds the field of the value `bytes[start, end)`; an empty one if `start` is -1. */
  protected addField(start: number, end: number, bytes: Uint8Array, view: DataView): void {
    this.#beginField();
    const { output } = this;
    const fieldStart = output.length;
    const first = start < 0 ? LOWER_N : bytes[start];
    if (first === LOWER_N) return; // `null`
    output.addValue(bytes, view, start, end);
    const isString = first === QUOTE;
    if (isString) output.decodeString(fieldStart);
    if (isString || (first | 0x20) === 0x7b) this.#escape(fieldStart);
    // The field of an empty string differs from that of a missing value.
    if (isString && this.#isCsv && output.length === fieldStart) this.#addEmpty();
  }

  #addEmpty(): void {
    this.output.addByte(QUOTE);
    this.output.addByte(QUOTE);
  }

  /** Escapes the field from `start` on, if it needs that. */
  #escape(start: number): void {
    const { output } = this;
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

/** Writer of rows with the columns of a mask. */
export class MaskRows extends RowWriter {
  readonly problem = "There is no array of rows";
  readonly #columns: readonly Column[];
  /** Path of the array whose elements are rows, if they are not documents. */
  readonly #arrayPath: readonly number[] | undefined;

  /**
   * Makes a writer, and writes the header.
   *
   * @param text Text of the mask, for errors.
   * @throws {UsageError} If a document has no fixed columns, or two of one name.
   */
  constructor(format: RowFormat, picture: Picture, output: ByteOutput, text: string) {
    super(format, output);
    const [arrayPath, row] = rowOf(picture, []);
    this.#arrayPath = arrayPath;
    const columns = columnsOf(row, [], []);
    if (columns === undefined || columns.length === 0) {
      const at = Math.max(0, text.search(/[[*]/));
      throw new UsageError(`--${format} takes a mask of members with names`, undefined, { text, at });
    }
    this.#columns = columns;
    const names = columns.map(({ name }) => name);
    const twin = repeatedName(names);
    if (twin !== undefined) {
      throw new UsageError(`--${format} would have two columns of the name '${twin}'`, undefined, { text, at: 0 });
    }
    this.writeHeader(names);
    output.committed = output.length;
  }

  override write(selected: SelectedRanges, bytes: Uint8Array, view: DataView, maximum: number): number {
    if (this.#arrayPath === undefined) {
      this.#writeRow(selected, bytes, view);
      return 1;
    }
    const rows = partAt(selected, this.#arrayPath);
    if (!Array.isArray(rows)) return -1;
    const count = Math.min(rows.length, maximum);
    for (let i = 0; i < count; i++) this.#writeRow(rows[i] as SelectedRanges, bytes, view);
    return count;
  }

  #writeRow(selected: SelectedRanges, bytes: Uint8Array, view: DataView): void {
    this.beginRow();
    const columns = this.#columns;
    for (let i = 0; i < columns.length; i++) {
      const value = fieldAt(selected, columns[i].path);
      if (value === undefined) this.addField(-1, -1, bytes, view);
      else this.addField(value.start, value.end, bytes, view);
    }
    this.endRow();
  }
}

/** Returns a name that occurs twice, if any. */
export function repeatedName(names: readonly string[]): string | undefined {
  const met = new Set<string>();
  return names.find((name) => met.size === met.add(name).size);
}

/** Returns the path of the array of rows, and their mask; without an array, the mask itself. */
function rowOf(picture: Picture, path: readonly number[]): [path: readonly number[] | undefined, row: Picture] {
  if (picture === true) return [undefined, picture];
  if (picture.element !== undefined) return [path, picture.element];
  if (picture.indexes !== undefined) return [undefined, picture];
  const [member] = picture.members.values();
  if (picture.members.size !== 1 || picture.rest !== undefined) return [undefined, picture];
  const [arrayPath, row] = rowOf(member, [...path, 0]);
  return arrayPath === undefined ? [undefined, picture] : [arrayPath, row];
}

/**
 * Returns the value of a column; `undefined` if it is missing. A scalar where the mask has an
 * object is the value of the first column of that object.
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

/** Returns the columns of a mask; `undefined` if their number would not be fixed. */
function columnsOf(picture: Picture, names: readonly string[], path: readonly number[]): Column[] | undefined {
  if (picture === true) return [{ name: names.join("."), path }];
  if (picture.indexes !== undefined) {
    return picture.indexes.map((index, i) => ({ name: [...names, index].join("."), path: [...path, i] }));
  }
  if (picture.element !== undefined || picture.rest !== undefined) return undefined;
  const columns: Column[] = [];
  for (const [number, [name, member]] of [...picture.members].entries()) {
    const more = columnsOf(member, [...names, name], [...path, number]);
    if (more === undefined) return undefined;
    columns.push(...more);
  }
  return columns;
}
