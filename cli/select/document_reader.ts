/**
 * Reads the documents of an input that arrives in pieces, and writes what is wanted of them: one
 * document, or one on each line.
 *
 * A line that is there as a whole is read in place, without a search for its end first. Any other
 * is delimited, or read as its bytes arrive.
 *
 * @module
 */

import { CARRIAGE_RETURN, LINE_FEED, SPACE, TAB } from "../../parser/base/ascii.ts";
import { cursor, needsLineCount } from "../../parser/base/cursor.ts";
import { HIGH_BITS } from "../../parser/base/swar.ts";
import { countLines } from "../../parser/base/line_counter.ts";
import { countPendingReturn, failureAtOffset, newLinePosition } from "../../parser/base/line_position.ts";
import { skipWhitespace } from "../../parser/base/whitespace.ts";
import { beginParse, endParse } from "../../parser/document/parse_document.ts";
import { type Conditions, selectMatch } from "../../parser/wanted/conditions.ts";
import type { Selection } from "../../parser/wanted/whole_walker.ts";
import { cut, failure, locateFailure } from "../../parser/validation/locate_failure.ts";
import { CUT_POSITION } from "../../parser/validation/skip_container.ts";
import { DONE } from "../../parser/validation/token_dfa.ts";
import { validateBinary } from "../../validate_binary.ts";
import type { Diagnostic } from "../diagnostics/diagnostic_validator.ts";
import type { Block } from "../lines/line_blocks.ts";
import type { ByteOutput } from "./byte_output.ts";
import { type CopyNode, type NamePath, namePathOf } from "./copy_node.ts";
import type { RowWriter } from "./rows.ts";
import {
  COMPLETE,
  type CopyOptions,
  copyRanges,
  CUT,
  FAILED,
  FLUSH_BYTES,
  FULL,
  newSelection,
  partAt,
  SelectedCopier,
  selectRanges,
  STOPPED,
} from "./selected_copier.ts";

/** Bytes of the first buffer: a piece, and a cut line before it. */
const FIRST_SIZE = 2 ** 18 + 2 ** 16;
/** Most bytes of a buffer, so that positions in it are int32. */
const MAX_SIZE = 2 ** 30;
/** Bytes that can be read after the end: values are copied by words. */
const SLACK = 8;
/** Bytes kept before the first unread one, for excerpts, and bytes wanted after a failure. */
const EXCERPT_BEFORE = 2048;
const EXCERPT_AFTER = 1024;
/** Bytes of a cut line above which it is read as it arrives. */
const LONG_LINE = 2 ** 20;
/** Bytes before it is decided whether the lines are documents: of the first line, or of blanks. */
const MAX_UNDECIDED = 2 ** 20;
/** Lines whose end is searched for first, after one that was wrong or spanned lines. */
const DELIMITED_LINES = 1024;

const NO_BYTES = new Uint8Array(0);
const NULL_BYTES = new TextEncoder().encode("null");

/** Parts of documents to print, and conditions. */
export interface Job {
  /** Parts to copy; `null` for all of a document, byte for byte. */
  readonly root: CopyNode | null;
  /** Kind of the results: a part of each document, a value, or elements. */
  readonly kind: "parts" | "value" | "elements";
  /** Conditions that a document must fulfil. */
  readonly conditions: Conditions | undefined;
  /** Writer of rows in place of JSON. */
  readonly rows: RowWriter | undefined;
  readonly options: CopyOptions;
  /** Number of failures that get a diagnostic. */
  readonly maxDiagnostics: number;
}

/** Phases of reading. It is still unknown whether the lines are documents. */
const UNDECIDED = 0;
/** Before a document. */
const BETWEEN = 1;
/** Within a document that the copier reads. */
const WITHIN = 2;
/** After its value: only whitespace may follow. */
const AFTER = 3;
/** After a failure: the rest of the line is skipped. */
const SKIPPING = 4;
/** After the failure of the only document. */
const ENDED = 5;

/** Failure that is still to be described. */
interface Pending {
  code: typeof failure.code;
  position: number;
  /** Whether the input ends too early. */
  isCut: boolean;
}

/** Reads one input. */
export class DocumentReader {
  readonly #job: Job;
  readonly #output: ByteOutput;
  readonly #selection: Selection = newSelection();
  readonly #copier: SelectedCopier | null;
  /** Path of the wanted value, if it is one of members only. */
  readonly #path: NamePath | null;
  readonly #onDiagnostic: (diagnostic: Diagnostic) => void;
  /** Whether each line is a document; `undefined` until that is decided. */
  #isJsonLines: boolean | undefined;
  #phase = UNDECIDED;
  /** Line at which the first document begins, and whether it ends there. */
  #firstLine = 0;
  #isOnOneLine = false;

  #buffer: Uint8Array<ArrayBuffer> = NO_BYTES;
  #view: DataView<ArrayBuffer> = new DataView(NO_BYTES.buffer);
  /** The bytes that have arrived, and those before them that are kept. */
  #arrived: Uint8Array<ArrayBuffer> = NO_BYTES;
  #end = 0;
  /** Offset in the input of the first byte of the buffer. */
  #origin = 0;
  /** Position of the first byte that is still needed. */
  #position = 0;
  /** Beginning of the current line, and of the document in it. */
  #lineStart = 0;
  #start = 0;
  /** Position up to which the line was searched for its end. */
  #lineSearchedTo = 0;
  /** Number of lines that ended before the current one, and by lone carriage returns in it. */
  #lines = 0;
  #returns = 0;
  #delimitedLines = 0;
  /** Lines and columns within the document that the copier reads, counted up to a position. */
  readonly #place = newLinePosition();
  #counted = 0;
  /** Whether they are counted in the current line. */
  #isCounting = false;
  #hasMark = false;
  #isLast = false;

  /** Failure of the only document, until the bytes after it are there. */
  #pending: Pending | undefined;
  documents = 0;
  invalidDocuments = 0;
  /** Number of results so far. */
  results = 0;
  /** Results that are still wanted. */
  resultsLeft: number;

  constructor(
    job: Job,
    isJsonLines: boolean | undefined,
    output: ByteOutput,
    resultsLeft: number,
    onDiagnostic: (diagnostic: Diagnostic) => void,
  ) {
    this.#job = job;
    this.#output = output;
    this.resultsLeft = resultsLeft;
    this.#onDiagnostic = onDiagnostic;
    this.#isJsonLines = isJsonLines;
    this.#copier = job.root === null ? null : new SelectedCopier(job.root, output, job.options);
    this.#path = job.root === null || job.kind !== "value" ? null : namePathOf(job.root);
  }

  /** Whether the input may have several documents. */
  get isJsonLines(): boolean {
    return this.#isJsonLines === true;
  }

  /** Whether the rest of the input matters only to a snippet. */
  get isDecided(): boolean {
    return this.#phase === ENDED;
  }

  /** Whether the rest of the input does not matter at all. */
  get isComplete(): boolean {
    return this.isDecided && this.#pending === undefined || this.resultsLeft <= 0;
  }

  /** Adds the next bytes, which may change afterwards. Then call {@linkcode read}. */
  push(piece: Uint8Array): void {
    this.#reserve(piece.length);
    this.#buffer.set(piece, this.#end);
    this.#setEnd(this.#end + piece.length);
  }

  /**
   * Reads what has arrived. Returns `false` if the output must be written before reading on.
   *
   * @param isLast Whether nothing more arrives.
   */
  read(isLast: boolean): boolean {
    this.#isLast = isLast;
    beginParse();
    try {
      return this.#readOn() !== FULL;
    } finally {
      endParse(this.#buffer.length);
    }
  }

  /** Number of lines that have ended. */
  get lines(): number {
    return this.#lines;
  }

  /**
   * Returns the bytes from the current line on, for another reader, before which
   * {@linkcode lines} have ended; `undefined` if that line has been begun, or is no document.
   */
  lineRest(): Block | undefined {
    const start = this.#lineStart;
    if (!this.#isJsonLines || this.#phase !== BETWEEN || this.#origin + start === 0) return undefined;
    const before = Math.max(0, start - EXCERPT_BEFORE);
    const bytes = this.#buffer.subarray(before, this.#end);
    return { bytes, at: start - before, end: bytes.length, offset: this.#origin + before };
  }

  /** Goes on at the lines of a block, before which so many have ended. Then call {@linkcode read}. */
  resume({ bytes, at, end, offset }: Block, lines: number): void {
    this.#end = this.#position = this.#lineStart = 0;
    this.#reserve(end);
    this.#buffer.set(bytes.subarray(0, end));
    this.#setEnd(end);
    this.#origin = offset;
    this.#position =
      this.#lineStart =
      this.#start =
      this.#lineSearchedTo =
        at;
    this.#lines = lines;
    this.#returns = this.#delimitedLines = 0;
    this.#isCounting = false;
    this.#phase = BETWEEN;
  }

  /** Drops the output that was written. */
  dropWritten(): void {
    this.#copier?.moveOutput(this.#output.committed);
    this.#output.dropCommitted();
  }

  #setEnd(end: number): void {
    this.#end = end;
    this.#arrived = new Uint8Array(this.#buffer.buffer, 0, end);
  }

  /** Makes room for bytes, by dropping those that are no longer needed. */
  #reserve(more: number): void {
    if (this.#end + more + SLACK <= this.#buffer.length) return;
    // A document that is passed on byte for byte begins with its line.
    const needed = this.#job.root === null ? Math.min(this.#lineStart, this.#position) : this.#position;
    const dropped = Math.max(0, needed - EXCERPT_BEFORE);
    if (this.#lineStart < dropped && this.#phase !== UNDECIDED) {
      this.#beginCounting();
      this.#countTo(needed);
    }
    const kept = this.#end - dropped;
    let size = Math.max(FIRST_SIZE, this.#buffer.length);
    // At least half of the buffer is then free, so that moving bytes takes linear time.
    while (size < 2 * kept + more + SLACK) size *= 2;
    if (size > MAX_SIZE) size = MAX_SIZE;
    if (kept + more + SLACK > size) throw new Error("a name, or a value that --where needs, is longer than 1 GiB");
    if (size === this.#buffer.length) this.#buffer.copyWithin(0, dropped, this.#end);
    else {
      const larger = new Uint8Array(size);
      larger.set(this.#arrived.subarray(dropped));
      this.#buffer = larger;
      this.#view = new DataView(larger.buffer);
    }
    this.#origin += dropped;
    this.#position -= dropped;
    this.#lineStart -= dropped;
    this.#start -= dropped;
    this.#lineSearchedTo -= dropped;
    this.#counted -= dropped;
    if (this.#pending !== undefined) this.#pending.position -= dropped;
    this.#copier?.move(dropped);
    this.#setEnd(kept);
  }

  #readOn(): number {
    for (;;) {
      switch (this.#phase) {
        case UNDECIDED:
          if (!this.#decide()) return CUT;
          break;
        case BETWEEN: {
          const state = this.#isJsonLines ? this.#readLines() : this.#beginOnly();
          if (state !== COMPLETE) return state;
          break;
        }
        case WITHIN: {
          const state = this.#continueDocument();
          if (state !== COMPLETE) return state;
          break;
        }
        case AFTER:
          if (!this.#readAfter()) return CUT;
          break;
        case SKIPPING:
          if (!this.#skipLine()) return CUT;
          break;
        default:
          this.#describePending();
          return CUT;
      }
      if (this.resultsLeft <= 0) return STOPPED;
    }
  }

  /** Decides whether the lines are documents. Returns `false` if more bytes must arrive. */
  #decide(): boolean {
    const bytes = this.#arrived;
    if (this.#end < 3 && !this.#isLast && this.#end > 0 && bytes[0] === 0xef) return false;
    const mark = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
    const start = skipWhitespace(bytes, mark, this.#end);
    if (this.#isJsonLines === undefined) {
      if (start >= this.#end && !this.#isLast && this.#end < MAX_UNDECIDED) return false;
      // An empty input counts as JSON Lines without a line.
      if (start >= this.#end && this.#isLast) this.#isJsonLines = true;
      // Conditions need the end of a document. Otherwise what follows the first one decides.
      else if (this.#job.conditions !== undefined) {
        const isJsonLines = this.#looksLikeLines(start);
        if (isJsonLines === undefined) return false;
        this.#isJsonLines = isJsonLines;
      }
    } else if (this.#end === 0 && !this.#isLast) return false;
    this.#hasMark = mark > 0;
    this.#position = mark;
    this.#phase = BETWEEN;
    return true;
  }

  /**
   * Returns whether the first line is a document and another one follows; `undefined` if unknown.
   */
  #looksLikeLines(start: number): boolean | undefined {
    const bytes = this.#arrived;
    const isUnknown = !this.#isLast && this.#end < MAX_UNDECIDED;
    const lineEnd = bytes.indexOf(LINE_FEED, start);
    if (lineEnd < 0) return isUnknown ? undefined : false;
    const next = skipWhitespace(bytes, lineEnd, this.#end);
    if (next >= this.#end) return isUnknown ? undefined : false;
    endParse(this.#buffer.length); // the validator is a call of its own
    try {
      return validateBinary(bytes.subarray(start, lineEnd)).ok;
    } finally {
      beginParse();
    }
  }

  /** Begins the only document, or the first one. */
  #beginOnly(): number {
    this.#beginDocument(skipWhitespace(this.#arrived, this.#position, this.#end));
    this.#countTo(this.#position);
    this.#firstLine = this.#place.lines;
    return COMPLETE;
  }

  /** Begins a document that the copier reads, or that must be there as a whole first. */
  #beginDocument(p: number): void {
    this.#beginCounting();
    this.#start = this.#position = p;
    this.#phase = WITHIN;
    this.#copier?.begin(p);
  }

  /** Counts lines and columns from the beginning of the current line on. */
  #beginCounting(): void {
    if (this.#isCounting) return;
    this.#isCounting = true;
    const place = this.#place;
    place.lines = this.#lines;
    place.lineStart = this.#origin + this.#lineStart;
    place.excessBytes = 0;
    place.isReturnPending = false;
    this.#counted = this.#lineStart;
    if (this.#origin + this.#lineStart === 0 && this.#hasMark) {
      place.excessBytes = 3;
      this.#counted = 3;
    }
  }

  /** Reads lines in place, up to one that is odd, or the end of the bytes. */
  #readLines(): number {
    const { root, conditions, rows } = this.#job;
    const output = this.#output;
    const bytes = this.#arrived;
    const view = this.#view;
    const end = this.#end;
    const isLast = this.#isLast;
    const selection = this.#selection;
    selection.bytes = bytes;
    selection.view = view;
    selection.isLast = isLast;
    const path = this.#path;
    const mask = conditions !== undefined ? null : path !== null ? path.mask : root!.mask;
    const isDelimited = mask === null && conditions === undefined;
    let p = this.#position;
    for (;;) {
      // Blank lines.
      for (; p < end; p++) {
        const c = bytes[p];
        if (c === LINE_FEED) {
          this.#endLine(p + 1);
        } else if (c === CARRIAGE_RETURN) {
          if (p + 1 >= end && !isLast) break;
          if (p + 1 < end && bytes[p + 1] !== LINE_FEED) this.#returns++;
        } else if (c !== SPACE && c !== TAB) break;
      }
      this.#position = p;
      if (p >= end || bytes[p] === CARRIAGE_RETURN) return CUT;
      if (output.length > FLUSH_BYTES) return FULL;
      // Nothing is read after the last wanted value.
      if (isDelimited || this.#delimitedLines > 0 || path !== null && this.resultsLeft === 1) {
        this.#delimitedLines--;
        this.#beginDocument(p);
        return COMPLETE;
      }
      if (this.#lineSearchedTo > p) {
        // The line was cut here before: read again once it is whole.
        if (this.#isLineCut(p)) return CUT;
        if (this.#phase === WITHIN) return COMPLETE;
      }
      needsLineCount.passed = 0;
      const value = conditions === undefined ? selectRanges(selection, mask!, p) : undefined;
      const isMatching = conditions !== undefined && selectMatch(conditions, selection, p);
      const valueEnd = cursor.position;
      if (valueEnd < 0) {
        if (valueEnd === CUT_POSITION && this.#isLineCut(p)) return CUT;
        if (this.#phase === WITHIN) return COMPLETE;
        this.#delimitedLines = DELIMITED_LINES;
        this.#beginDocument(p);
        return COMPLETE;
      }
      let q = valueEnd;
      while (q < end && (bytes[q] === SPACE || bytes[q] === TAB || bytes[q] === CARRIAGE_RETURN)) q++;
      if (q >= end ? !isLast : bytes[q] !== LINE_FEED) {
        if (q >= end && this.#isLineCut(p)) return CUT;
        if (this.#phase === WITHIN) return COMPLETE;
        this.#delimitedLines = DELIMITED_LINES;
        this.#beginDocument(p);
        return COMPLETE;
      }
      if ((needsLineCount.passed !== 0 || q > valueEnd) && !this.#isOneLine(p, q)) {
        this.#delimitedLines = DELIMITED_LINES;
        this.#beginDocument(p);
        return COMPLETE;
      }
      this.documents++;
      if (path !== null) {
        const found = partAt(value, path.numbers);
        if (found !== undefined) {
          copyRanges(output, root!, found, bytes, view);
          if (this.#job.options.isRaw) output.decodeString(output.committed);
          output.addByte(LINE_FEED);
          this.#endResult();
        }
      } else if (conditions === undefined) {
        if (rows !== undefined) rows.write(value, bytes, view);
        else {
          copyRanges(output, root!, value, bytes, view);
          output.addByte(LINE_FEED);
        }
        this.#endResult();
      } else if (isMatching) {
        this.#copyMatching(p, q);
      }
      p = q;
      if (this.resultsLeft <= 0) return STOPPED;
    }
  }

  /** Notes the end of a line, before position `next`. */
  #endLine(next: number): void {
    this.#lines += 1 + this.#returns;
    this.#returns = 0;
    this.#isCounting = false;
    this.#lineStart = this.#lineSearchedTo = next;
  }

  /**
   * Returns whether to read a cut document again once more bytes have arrived.
   * Otherwise its line is there; or it is long, and the document was begun.
   */
  #isLineCut(p: number): boolean {
    if (this.#isLast) return false;
    const from = Math.max(p, this.#lineSearchedTo);
    this.#lineSearchedTo = this.#end;
    if (from < this.#end && this.#arrived.indexOf(LINE_FEED, from) >= 0) {
      this.#lineSearchedTo = p;
      return false;
    }
    if (this.#end - p < LONG_LINE || this.#job.conditions !== undefined) return true;
    this.#beginDocument(p);
    return false;
  }

  /**
   * Returns whether no line feed is in `bytes[from, to)`. Counts the carriage returns that end
   * lines.
   */
  #isOneLine(from: number, to: number): boolean {
    const bytes = this.#arrived;
    const view = this.#view;
    let p = from;
    for (const wordEnd = to - 4; p <= wordEnd; p += 4) {
      const word = view.getInt32(p, true);
      if ((word - 0x20202020 & ~word & HIGH_BITS) !== 0) break; // a control character
    }
    let returns = 0;
    for (; p < to; p++) {
      if (bytes[p] === LINE_FEED) return false;
      if (bytes[p] === CARRIAGE_RETURN && p + 1 < this.#end && bytes[p + 1] !== LINE_FEED) returns++;
    }
    this.#returns += returns;
    return true;
  }

  /** Copies what is wanted of a document that fulfils the conditions, and ends before `to`. */
  #copyMatching(p: number, to: number): void {
    const { root, rows } = this.#job;
    const output = this.#output;
    const bytes = this.#arrived;
    const view = this.#view;
    if (root === null) {
      const start = this.#origin + this.#lineStart === 0 && this.#hasMark ? this.#lineStart + 3 : this.#lineStart;
      output.addRange(bytes, view, start, to);
      if (output.length === 0 || output.bytes[output.length - 1] !== LINE_FEED) output.addByte(LINE_FEED);
    } else if (root.mask !== null) {
      const value = selectRanges(this.#selection, root.mask, p);
      if (rows !== undefined) rows.write(value, bytes, view);
      else {
        copyRanges(output, root, value, bytes, view);
        output.addByte(LINE_FEED);
      }
    } else {
      const copier = this.#copier!;
      copier.begin(p);
      copier.read(this.#selection.bytes, view, this.#selection.isLast);
      if (!copier.hasResult) output.addShort(NULL_BYTES);
      output.addByte(LINE_FEED);
    }
    this.#endResult();
  }

  /** Counts a result at the end of the output. */
  #endResult(): void {
    this.#output.committed = this.#output.length;
    this.results++;
    this.resultsLeft--;
  }

  /**
   * Returns the end of the current document if it is there: that of its line, or of the input;
   * otherwise -1.
   */
  #findEnd(): number {
    if (!this.#isJsonLines) return this.#isLast ? this.#end : -1;
    const from = Math.max(this.#start, this.#lineSearchedTo);
    const found = from < this.#end ? this.#arrived.indexOf(LINE_FEED, from) : -1;
    this.#lineSearchedTo = found < 0 ? this.#end : found;
    return found >= 0 ? found : this.#isLast ? this.#end : -1;
  }

  /** Reads more of a document. */
  #continueDocument(): number {
    const { conditions } = this.#job;
    let limit = this.#findEnd();
    const isWhole = limit >= 0;
    if (conditions !== undefined && !isWhole) return CUT;
    if (!isWhole) limit = this.#end;
    const bytes = limit === this.#end ? this.#arrived : new Uint8Array(this.#buffer.buffer, 0, limit);
    if (conditions !== undefined) return this.#readConditional(conditions, bytes);
    const copier = this.#copier!;
    copier.resultsLeft = this.resultsLeft;
    copier.elements = 0;
    const state = copier.read(bytes, this.#view, isWhole);
    this.results += copier.elements;
    this.resultsLeft -= copier.elements;
    this.#position = copier.position;
    if (state === FAILED) this.#fail(failure.code, failure.offset);
    else if (state === COMPLETE) {
      this.#phase = AFTER;
      if (this.#isJsonLines === undefined) {
        this.#countTo(this.#position);
        this.#isOnOneLine = this.#place.lines === this.#firstLine;
      }
    } else if (state === STOPPED) {
      if (this.#job.kind === "value") this.#endValue();
      return STOPPED;
    } else return state;
    return COMPLETE;
  }

  /**
   * Reads a document that is there as a whole, and copies what is wanted of it if it fulfils the
   * conditions.
   */
  #readConditional(conditions: Conditions, bytes: Uint8Array<ArrayBuffer>): number {
    const view = this.#view;
    const selection = this.#selection;
    selection.bytes = bytes;
    selection.isLast = true;
    selection.view = view;
    const p = skipWhitespace(bytes, this.#start, bytes.length);
    const isMatching = selectMatch(conditions, selection, p);
    const end = cursor.position;
    if (end < 0) {
      this.#fail(failure.code, failure.offset);
      return COMPLETE;
    }
    const after = skipWhitespace(bytes, end, bytes.length);
    if (after < bytes.length) {
      this.#failAfter(bytes, after);
      return COMPLETE;
    }
    this.documents++;
    this.#position = this.#isJsonLines ? bytes.length : this.#end;
    if (isMatching) this.#copyMatching(p, this.#isJsonLines ? this.#lineSearchedTo : this.#end);
    this.#phase = this.#isJsonLines ? BETWEEN : ENDED;
    return COMPLETE;
  }

  /** Fails at something that follows a document. */
  #failAfter(bytes: Uint8Array, p: number): void {
    locateFailure(bytes, this.#view, p, bytes.length, DONE, false, true);
    this.#fail(failure.code, failure.offset);
  }

  /** Reads what follows the value of a document. Returns `false` if more bytes must arrive. */
  #readAfter(): boolean {
    const lineEnd = this.#findEnd();
    const limit = lineEnd < 0 ? this.#end : lineEnd;
    const p = skipWhitespace(this.#arrived, this.#position, limit);
    if (this.#isJsonLines === undefined) {
      const lineFeed = this.#isOnOneLine ? this.#arrived.indexOf(LINE_FEED, this.#position) : -1;
      if (lineFeed >= 0 && lineFeed < p) {
        // Another document on the next line: this one is the first of several.
        this.#position = lineFeed;
        if (p < limit) {
          this.#isJsonLines = true;
          this.#lineSearchedTo = lineFeed;
          this.#endComplete();
          return true;
        }
        if (lineEnd < 0 && p - lineFeed < MAX_UNDECIDED) return false;
        this.#isJsonLines = false;
      }
    }
    this.#position = p;
    if (p < limit) {
      this.#failAfter(this.#arrived.subarray(0, limit), p);
      return true;
    }
    if (lineEnd < 0) return false;
    this.#endComplete();
    return true;
  }

  /** Ends a document that was read to its end, and prints its results. */
  #endComplete(): void {
    const { kind } = this.#job;
    if (kind === "elements" && !this.#copier!.hasResult) {
      this.#fail("expected-array", this.#position);
      return;
    }
    this.documents++;
    if (kind === "value") this.#endValue();
    else if (kind === "parts") this.#endParts();
    this.#endDocument();
  }

  /** Ends the value at a pointer, if there is one. */
  #endValue(): void {
    const output = this.#output;
    if (!this.#copier!.hasResult) return;
    if (this.#job.options.isRaw) output.decodeString(output.committed);
    output.addByte(LINE_FEED);
    this.#endResult();
  }

  /** Ends the parts of a document, which the copier has written as JSON. */
  #endParts(): void {
    const { root, rows } = this.#job;
    const output = this.#output;
    if (!this.#copier!.hasResult) output.addShort(NULL_BYTES);
    if (rows === undefined) output.addByte(LINE_FEED);
    else {
      output.reserve(SLACK);
      const bytes = output.bytes.slice(output.committed, output.length + SLACK);
      const selection = newSelection();
      selection.bytes = bytes.subarray(0, output.length - output.committed);
      selection.view = new DataView(bytes.buffer);
      selection.isLast = true;
      output.length = output.committed;
      rows.write(selectRanges(selection, root!.mask!, 0), selection.bytes, selection.view);
    }
    this.#endResult();
  }

  #endDocument(): void {
    if (this.#isJsonLines) {
      this.#countTo(this.#position);
      this.#returns = this.#place.lines - this.#lines;
      this.#phase = BETWEEN;
    } else this.#phase = ENDED;
  }

  /** Notes a failure of the current document, and takes back its output. */
  #fail(code: typeof failure.code, position: number): void {
    this.#output.length = this.#output.committed;
    this.documents++;
    this.invalidDocuments++;
    // A line that ends too early ends before the carriage return of its end.
    if (this.#isJsonLines && this.#arrived[position] === LINE_FEED && this.#arrived[position - 1] === CARRIAGE_RETURN) {
      position--;
    }
    this.#pending = this.invalidDocuments <= this.#job.maxDiagnostics
      ? { code, position, isCut: this.#isLast && cut.at === this.#end }
      : undefined;
    this.#position = Math.max(this.#position, Math.min(position, this.#end));
    this.#phase = this.#isJsonLines ? SKIPPING : ENDED;
    if (this.#isJsonLines) this.#describePending();
  }

  /** Describes a failure once the bytes after it are there, or none will come. */
  #describePending(): void {
    if (this.#pending === undefined) return;
    const { position } = this.#pending;
    const end = this.#end;
    if (!this.#isJsonLines && !this.#isLast && end - position < EXCERPT_AFTER) return;
    this.#describe(this.#pending);
    this.#pending = undefined;
  }

  /** Describes a failure that waits for bytes which do not arrive. */
  describeRest(): void {
    if (this.#pending === undefined) return;
    this.#describe(this.#pending);
    this.#pending = undefined;
  }

  #describe({ code: failureCode, position, isCut }: Pending): void {
    const place = this.#place;
    const offset = this.#origin + position;
    const byte = position < this.#end ? this.#arrived[position] : -1;
    this.#countTo(position);
    countPendingReturn(place, offset, byte);
    const { code, message, line, column, truncated } = failureAtOffset(place, offset, failureCode, byte, isCut);
    const start = Math.max(0, position - EXCERPT_BEFORE);
    const last = Math.min(this.#end, position + EXCERPT_AFTER);
    this.#onDiagnostic({
      offset,
      line,
      column,
      code,
      truncated,
      message: message.replace(/(?: in JSON)? at position \d+ \(line \d+ column \d+\)$/, ""),
      excerpt: {
        bytes: this.#buffer.slice(start, last),
        at: position - start,
        isStart: this.#origin + start === 0,
        isEnd: this.#isLast && last === this.#end,
      },
    });
  }

  /** Counts the lines before a position. */
  #countTo(position: number): void {
    if (position <= this.#counted) return;
    countLines(this.#place, this.#arrived, this.#view, this.#origin, this.#counted, position);
    this.#counted = position;
  }

  /** Skips the rest of the line of a failure. Returns `false` if more bytes must arrive. */
  #skipLine(): boolean {
    const lineEnd = this.#findEnd();
    const limit = lineEnd < 0 ? this.#end : lineEnd;
    this.#countTo(limit);
    this.#position = limit;
    if (lineEnd < 0) {
      this.#lineStart = this.#start = limit; // nothing of the line is needed
      return false;
    }
    this.#returns = this.#place.lines - this.#lines;
    this.#phase = BETWEEN;
    return true;
  }
}
