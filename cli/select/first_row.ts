/**
 * Rows without a mask: their columns are those of the first one. Documents are validated before
 * their members are read here.
 */

import {
  decodeName,
  findMember,
  type NameTable,
  newNameTable,
  propertyNameOf,
  skipValue,
  type ValueRange,
} from "../../parser/streaming/cli_internals.ts";
import {
  BACKSLASH,
  CLOSE_BRACE,
  CLOSE_BRACKET,
  COMMA,
  LOWER_N,
  OPEN_BRACE,
  OPEN_BRACKET,
  QUOTE,
  SPACE,
} from "../bytes.ts";
import type { ByteOutput } from "./byte_output.ts";
import type { SelectedRanges } from "./outline.ts";
import { repeatedName, type RowFormat, RowWriter } from "./rows.ts";

/** Levels of members that become columns. A deeper object is a field with its JSON. */
const MAX_LEVELS = 32;

/** Maximum length of the name of a column that is left out, in UTF-16 code units. */
const MAX_NAME = 100;

/** Names on the path to a column; an index counts as one. */
export type ColumnPath = readonly string[];

/** Columns below a container of a row. */
interface Columns {
  readonly names: readonly string[];
  /** Members by the bytes of their names, and by their names: see `propertyNameOf`. */
  readonly table: NameTable;
  readonly members: Record<string, number>;
  /** Columns below each member; `null` if it is one itself. */
  readonly children: readonly (Columns | null)[];
  /** First column of each member. */
  readonly columns: readonly number[];
  /** Last row with each member. */
  readonly rows: number[];
}

/**
 * Receives an entry: its name, which may be empty for a column, the number of the column or -1, and
 * the position of its value. Returns the position after the value.
 */
type Visitor = (name: string, member: number, value: number) => number;

export class FirstRowColumns extends RowWriter {
  problem = "";
  /** Columns, once a valid document had a row. */
  columns: readonly ColumnPath[] | undefined;
  /** Names without a column, in the order of the rows, and at most one more than is shown. */
  readonly leftOut = new Set<string>();
  readonly #maxLeftOut: number;
  #root: Columns | undefined;
  /** Columns that the last document has, before it is confirmed. */
  #newColumns: readonly ColumnPath[] | undefined;
  #newLeftOut = new Set<string>();
  #leftOutOfRow: string[] = [];
  #bytes = new Uint8Array(0);
  #view = new DataView(this.#bytes.buffer);
  /** Range of each field of a row; -1 for a missing one. */
  #starts: number[] = [];
  #ends: number[] = [];
  #row = 0;
  /** Whether a name occurs twice with an object: the last one counts. */
  #hasRepeats = false;

  /**
   * Makes a writer.
   *
   * @param columns Columns of the first row, whose header is written; `undefined` if it was not
   * read yet.
   */
  constructor(format: RowFormat, output: ByteOutput, columns: readonly ColumnPath[] | undefined, maxLeftOut: number) {
    super(format, output);
    this.columns = columns;
    this.#maxLeftOut = maxLeftOut;
    if (columns !== undefined) this.#setColumns(columns);
  }

  override write(selected: SelectedRanges, bytes: Uint8Array, view: DataView, maximum: number): number {
    this.#newLeftOut.clear();
    this.#newColumns = undefined;
    this.#bytes = bytes as Uint8Array<ArrayBuffer>;
    this.#view = view as DataView<ArrayBuffer>;
    const { start } = selected as ValueRange;
    const count = this.#writeRows(start, maximum);
    this.#bytes = new Uint8Array(0);
    this.#view = new DataView(this.#bytes.buffer);
    return count;
  }

  override commit(): void {
    this.columns ??= this.#newColumns;
    for (const name of this.#newLeftOut) this.leaveOut(name);
  }

  /** Notes a name without a column, by default as confirmed. */
  leaveOut(name: string, names: Set<string> = this.leftOut): void {
    if (names.size <= this.#maxLeftOut) names.add(clipped(name));
  }

  /**
   * Writes the document at `p`: a row or, for an array whose first element may be one, its rows.
   */
  #writeRows(p: number, maximum: number): number {
    const bytes = this.#bytes;
    if (bytes[p] !== OPEN_BRACKET) return this.#writeRow(p) < 0 ? -1 : 1;
    let q = this.#skipSpace(p + 1);
    if (bytes[q] === CLOSE_BRACKET) return 0;
    if (bytes[q] !== OPEN_BRACE && bytes[q] !== OPEN_BRACKET) return this.#writeRow(p) < 0 ? -1 : 1;
    for (let count = 1;; count++) {
      q = this.#writeRow(q);
      if (q < 0) return -1;
      q = this.#skipSpace(q);
      if (count === maximum || bytes[q] === CLOSE_BRACKET) return count;
      q = this.#skipSpace(q + 1);
    }
  }

  /** Writes the row at `p`, after the header if it is the first. Returns its end, or -1. */
  #writeRow(p: number): number {
    const bytes = this.#bytes;
    if (bytes[p] !== OPEN_BRACE && bytes[p] !== OPEN_BRACKET) {
      this.problem = "Expected an object or an array, as a row";
      return -1;
    }
    if (this.columns === undefined && this.#newColumns === undefined) {
      const columns: ColumnPath[] = [];
      this.#findColumns(p, [], columns);
      const twin = repeatedName(columns.map(nameOf));
      if (twin !== undefined || columns.length === 0) {
        this.problem = twin === undefined
          ? "The first row has no columns"
          : `The first row has two columns of the name '${twin.slice(0, MAX_NAME)}': a mask can select one`;
        return -1;
      }
      this.#newColumns = columns;
      this.#setColumns(columns);
    }
    this.#hasRepeats = false;
    let end = this.#readRow(p);
    if (this.#hasRepeats) end = this.#readRow(p);
    for (const name of this.#leftOutOfRow) this.leaveOut(name, this.#newLeftOut);
    this.beginRow();
    for (let i = 0; i < this.#starts.length; i++) this.addField(this.#starts[i], this.#ends[i], bytes, this.#view);
    this.endRow();
    return end;
  }

  #setColumns(columns: readonly ColumnPath[]): void {
    this.#root = newColumns(columns, 0, 0);
    this.#starts = columns.map(() => -1);
    this.#ends = columns.map(() => -1);
    this.writeHeader(columns.map(nameOf));
  }

  /** Finds the columns of the container at `p`: its entries, and those of objects in it. */
  #findColumns(p: number, path: ColumnPath, columns: ColumnPath[]): void {
    const bytes = this.#bytes;
    this.#visitLastEntries(p, (name, _member, value) => {
      const isFilled = bytes[value] === OPEN_BRACE && bytes[this.#skipSpace(value + 1)] !== CLOSE_BRACE;
      if (isFilled && path.length + 1 < MAX_LEVELS) this.#findColumns(value, [...path, name], columns);
      else columns.push([...path, name]);
      return -1;
    });
  }

  /** Reads the fields of the row at `p`. Returns the position after it. */
  #readRow(p: number): number {
    this.#row++;
    this.#leftOutOfRow = [];
    this.#starts.fill(-1);
    return this.#readEntries(this.#root!, p);
  }

  /** Reads the fields of the container at `p`. Returns the position after it. */
  #readEntries(columns: Columns, p: number, outer = ""): number {
    const bytes = this.#bytes;
    const visit: Visitor = (name, member, value) => {
      if (member < 0) {
        this.#leftOutOfRow.push(outer + name);
        return this.#skip(value);
      }
      const child = columns.children[member];
      const column = columns.columns[member];
      if (child === null) {
        const end = this.#skip(value);
        this.#starts[column] = value;
        this.#ends[column] = end;
        return end;
      }
      const path = outer + columns.names[member];
      if (columns.rows[member] === this.#row) this.#hasRepeats = true;
      columns.rows[member] = this.#row;
      if (bytes[value] === OPEN_BRACE) return this.#readEntries(child, value, `${path}.`);
      if (bytes[value] !== LOWER_N) this.#leftOutOfRow.push(path);
      return this.#skip(value);
    };
    return this.#hasRepeats ? this.#visitLastEntries(p, visit, columns) : this.#visitEntries(p, visit, columns);
  }

  /** Calls a visitor for the last entry of each name. Returns the position after the container. */
  #visitLastEntries(p: number, visit: Visitor, columns?: Columns): number {
    const entries = new Map<string, number>();
    const end = this.#visitEntries(p, (name, _member, value) => {
      entries.set(name, value);
      return this.#skip(value);
    });
    for (const [name, value] of entries) visit(name, columns?.members[propertyNameOf(name)] ?? -1, value);
    return end;
  }

  /** Calls a visitor for each entry of the container at `p`. Returns the position after it. */
  #visitEntries(p: number, visit: Visitor, columns?: Columns): number {
    const bytes = this.#bytes;
    const isObject = bytes[p] === OPEN_BRACE;
    const close = isObject ? CLOSE_BRACE : CLOSE_BRACKET;
    p = this.#skipSpace(p + 1);
    for (let index = 0; bytes[p] !== close; index++) {
      let name = "";
      let member = -1;
      if (isObject) {
        const start = p + 1;
        for (p = start; bytes[p] !== QUOTE && bytes[p] !== BACKSLASH;) p++;
        const isPlain = bytes[p] === QUOTE;
        if (!isPlain) p = this.#skip(start - 1) - 1;
        if (isPlain && columns !== undefined) member = findMember(columns.table, bytes, start, p);
        if (member < 0) name = decodeName(bytes, start, p);
        p = this.#skipSpace(this.#skipSpace(p + 1) + 1);
      } else name = String(index);
      if (member < 0 && columns !== undefined) member = columns.members[propertyNameOf(name)] ?? -1;
      p = this.#skipSpace(visit(name, member, p));
      if (bytes[p] === COMMA) p = this.#skipSpace(p + 1);
    }
    return p + 1;
  }

  #skip(p: number): number {
    return skipValue(this.#bytes, this.#view, p);
  }

  #skipSpace(p: number): number {
    while (this.#bytes[p] <= SPACE) p++;
    return p;
  }
}

function nameOf(path: ColumnPath): string {
  return path.join(".");
}

function clipped(name: string): string {
  return name.length > MAX_NAME ? `${name.slice(0, MAX_NAME)}…` : name;
}

/**
 * Returns the columns of paths that are equal up to a level.
 *
 * @param first Number of the first path.
 */
function newColumns(paths: readonly ColumnPath[], level: number, first: number): Columns {
  const names: string[] = [];
  const children: (Columns | null)[] = [];
  const columns: number[] = [];
  const members: Record<string, number> = { __proto__: null } as never;
  for (let i = 0; i < paths.length;) {
    const name = paths[i][level];
    let end = i + 1;
    while (end < paths.length && paths[end][level] === name) end++;
    members[propertyNameOf(name)] = names.length;
    names.push(name);
    columns.push(first + i);
    children.push(paths[i].length === level + 1 ? null : newColumns(paths.slice(i, end), level + 1, first + i));
    i = end;
  }
  return { names, table: newNameTable(names), members, children, columns, rows: names.map(() => 0) };
}
