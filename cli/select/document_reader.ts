/**
 * Reads the documents of an input that arrives in pieces, and writes what is wanted of them: one
 * document, or one on each line. The parser's reader of values does the work; this file decides
 * whether lines are documents, counts results, and describes failures.
 */

import { LINE_FEED } from "../../parser/base/ascii.ts";
import { cursor } from "../../parser/base/cursor.ts";
import type { ParseFailure } from "../../parser/base/failure.ts";
import { skipWhitespace } from "../../parser/base/whitespace.ts";
import { showBytes } from "../../parser/document/chunk_buffer.ts";
import type { ValueReader } from "../../parser/document/value_reader.ts";
import { skipByteOrderMark } from "../../parser/engine/input_view.ts";
import {
  type ChunkParser,
  endChunks,
  newChunkParser,
  parseChunk,
  resetChunkParser,
} from "../../parser/streaming/chunk_parser.ts";
import {
  AFTER,
  BETWEEN,
  canRecover,
  countTo,
  failAtLocated,
  ParserSink,
  type ParserState,
  reportValue,
  WITHIN,
} from "../../parser/streaming/parser_state.ts";
import { cut, failure } from "../../parser/validation/locate_failure.ts";
import { buildSelected } from "../../parser/wanted/build_selected.ts";
import type { Filter } from "../../parser/wanted/conditions.ts";
import type { PartReader } from "../../parser/wanted/read_selected.ts";
import { validateBinary } from "../../validate_binary.ts";
import { describeFailure, type Diagnostic, EXCERPT_AFTER, EXCERPT_BEFORE, joined } from "../diagnostics/diagnostic.ts";
import type { Block } from "../lines/line_blocks.ts";
import type { ByteOutput } from "./byte_output.ts";
import { COPIED, PartCopier, type Results, type WantedParts } from "./part_copier.ts";

/** Bytes of the first line, or of blanks, before it is decided whether the lines are documents. */
const MAX_UNDECIDED = 2 ** 20;

/**
 * Maximum bytes of a buffer, so that positions in it are int32. It bounds a name, and a document
 * with conditions.
 */
const MAX_BYTES = 2 ** 30;

const NO_BYTES = new Uint8Array(0);

/** Parts of documents to print, and conditions. */
export interface Job {
  /** Parts to copy; `null` for all of a document, byte for byte. */
  readonly wanted: WantedParts | null;
  /** Conditions that a document must fulfil. */
  readonly filter: Filter | null;
  /** Pointer of a value or of elements, for messages. */
  readonly pointer?: string | undefined;
  /** Number of failures that get a diagnostic. */
  readonly maxDiagnostics: number;
}

/** Failure of the only document, or of a line, until the bytes after it in its excerpt are there. */
interface Pending {
  readonly diagnostic: Diagnostic;
  /** Bytes still to come. */
  missing: number;
}

/** Reads one input. */
export class DocumentReader extends ParserSink implements Results {
  override readonly wantsFailuresAtOnce = false;
  readonly #job: Job;
  readonly #output: ByteOutput;
  readonly #parser: ChunkParser;
  readonly #onDiagnostic: (diagnostic: Diagnostic) => void;
  #copier: PartCopier | undefined;
  /** Whether each line is a document; `undefined` until that is decided. */
  #isJsonLines: boolean | undefined;
  /**
   * Bytes that wait for that decision, or for the end of a byte-order mark; `null` once reading has
   * begun.
   */
  #held: Uint8Array<ArrayBuffer> | null = NO_BYTES;
  /**
   * Whether the only document ended on the line on which it began, and whether a line feed
   * followed.
   */
  #isOnOneLine: boolean | undefined;
  #hasLineFeed = false;
  /** Offset of the text, after a byte-order mark. */
  #textStart = 0;
  /** Bytes before those that were resumed at, for excerpts. */
  #context: Uint8Array<ArrayBuffer> = NO_BYTES;
  #contextEnd = 0;
  #isLast = false;
  #pending: Pending | undefined;
  /** Whether a document has nothing at the pointer of the elements. */
  #isArrayMissing = false;
  #documentsBefore = 0;
  invalidDocuments = 0;
  /** Number of results so far. */
  results = 0;
  /** Number of results that are wanted. */
  maxResults: number;

  constructor(
    job: Job,
    isJsonLines: boolean | undefined,
    output: ByteOutput,
    maxResults: number,
    onDiagnostic: (diagnostic: Diagnostic) => void,
  ) {
    super();
    this.#job = job;
    this.#output = output;
    this.maxResults = maxResults;
    this.#onDiagnostic = onDiagnostic;
    this.#isJsonLines = isJsonLines;
    const newReader = (reader: ValueReader): PartReader => {
      if (job.wanted === null) return newWholeReader();
      return this.#copier = new PartCopier(job.wanted, output, this, reader);
    };
    const source = { node: null, buildSelected, newReader };
    this.#parser = newChunkParser(undefined, null, source, MAX_BYTES, null, this, job.filter);
    if (isJsonLines) this.#separateLines();
  }

  /** Whether the input may have several documents. */
  get isJsonLines(): boolean {
    return this.#isJsonLines === true;
  }

  /** Number of documents that have ended. */
  get documents(): number {
    return this.#documentsBefore + this.#parser.state.count;
  }
  set documents(count: number) {
    this.#documentsBefore = count - this.#parser.state.count;
  }

  /** Results that are still wanted. */
  get resultsLeft(): number {
    return this.maxResults - this.results;
  }

  /** Whether the rest of the input matters only to an excerpt. */
  get isDecided(): boolean {
    const { state } = this.#parser;
    return state.failure !== null && !canRecover(state);
  }

  /** Whether the rest of the input does not matter at all. */
  get isComplete(): boolean {
    return this.isDecided && this.#pending === undefined || this.resultsLeft <= 0;
  }

  /** Number of lines that have ended before the next document. */
  get lines(): number {
    const { state } = this.#parser;
    countTo(state, state.reader.position);
    return state.lines.lines;
  }

  /** Reads the next bytes, which may change afterwards. */
  push(piece: Uint8Array): void {
    const pending = this.#pending;
    if (pending !== undefined) {
      const { excerpt } = pending.diagnostic;
      excerpt.bytes = joined(excerpt.bytes, piece.subarray(0, pending.missing));
      pending.missing -= piece.length;
      if (pending.missing <= 0 || this.#isJsonLines && piece.includes(LINE_FEED)) this.describeRest();
      if (!this.#isJsonLines) return;
    }
    if (this.#held !== null) {
      this.#held = joined(this.#held, piece);
      this.#begin(false);
    } else parseChunk(this.#parser, piece);
  }

  /** Ends the input. */
  end(): void {
    this.#isLast = true;
    if (this.#held !== null) this.#begin(true);
    const { state } = this.#parser;
    endChunks(this.#parser);
    if (state.phase === AFTER && !this.isDecided) reportValue(state);
    this.describeRest();
  }

  /**
   * Returns the bytes from the current line on, for another reader, before which
   * {@linkcode lines} have ended; `undefined` if that line has been begun, or is no document.
   */
  lineRest(): Block | undefined {
    const { state } = this.#parser;
    const { reader: { buffer }, phase } = state;
    if (!this.#isJsonLines || phase !== BETWEEN && (phase !== WITHIN || this.#copier?.isWalking)) return undefined;
    if (phase === BETWEEN) countTo(state, state.reader.position);
    const start = state.lines.lineStart - buffer.origin;
    if (start < 0 || state.lines.lineStart === 0) return undefined;
    const before = Math.max(0, start - EXCERPT_BEFORE);
    const bytes = buffer.bytes.subarray(before, buffer.end);
    return { bytes, at: start - before, end: bytes.length, offset: buffer.origin + before };
  }

  /**
   * Reads the lines of a block, before which so many have ended, and goes on with those to come.
   */
  resume(block: Block, lines: number): void {
    const { bytes, at, end } = block;
    const { reader: { buffer }, lines: position } = this.#beginBlock(block);
    this.#context = bytes.slice(Math.max(0, at - EXCERPT_BEFORE), at);
    this.#contextEnd = buffer.origin = position.lineStart;
    position.lines = lines;
    parseChunk(this.#parser, bytes.subarray(at, end));
  }

  /** Reads the lines of a block, and no others, in place. */
  readBlock(block: Block): void {
    const state = this.#beginBlock(block);
    showBytes(state.reader.buffer, block.bytes.subarray(0, block.end), block.offset);
    state.reader.position = state.counted = state.lineSearchedTo = block.at;
    this.#contextEnd = -1;
    this.end();
  }

  #beginBlock({ at, offset }: Block): ParserState {
    const { documents } = this;
    resetChunkParser(this.#parser);
    const { state } = this.#parser;
    this.documents = documents;
    this.#separateLines();
    this.#held = null;
    this.#isLast = false;
    this.#textStart = 0;
    state.lines.lineStart = offset + at;
    return state;
  }

  #separateLines(): void {
    this.#isJsonLines = true;
    this.#parser.state.multiple = "lines";
  }

  /** Begins reading once it is known how, as far as that is needed first. */
  #begin(isLast: boolean): void {
    const bytes = this.#held!;
    if (!isLast && (bytes.length === 0 || bytes.length < 3 && bytes[0] === 0xef)) return;
    const mark = skipByteOrderMark(bytes, bytes.length);
    // Conditions need the end of a document. Otherwise what follows the first one decides.
    if (this.#isJsonLines === undefined && this.#job.filter !== null) {
      const isJsonLines = looksLikeLines(bytes, mark, isLast);
      if (isJsonLines === undefined) return;
      if (isJsonLines) this.#separateLines();
      else this.#isJsonLines = false;
    }
    this.#held = null;
    const { state } = this.#parser;
    this.#textStart = state.reader.buffer.origin = state.lines.excessBytes = mark;
    parseChunk(this.#parser, bytes.subarray(mark));
  }

  addResult(): void {
    this.#output.committed = this.#output.length;
    if (++this.results >= this.maxResults) this.#parser.state.isCertain = true;
  }

  override onValue(state: ParserState): void {
    const { wanted } = this.#job;
    if (wanted === null) this.#copyText(state);
    else if (wanted.kind !== "elements") this.#copier!.endResult();
    else if (!this.#copier!.hasArray) {
      state.count--; // counted again as an invalid one
      failure.code = "expected-array";
      // Behind the document, not behind the blank lines that follow.
      failure.offset = Math.max(state.counted, state.end - state.reader.buffer.origin);
      cut.at = -1;
      this.#isArrayMissing = true;
      failAtLocated(state);
      if (!canRecover(state)) state.count++;
    }
  }

  /** Copies a document byte for byte: its line, or all of the input. */
  #copyText({ start, reader: { buffer, position } }: ParserState): void {
    const output = this.#output;
    output.length = output.committed;
    const from = this.#isJsonLines ? lineStartAt(buffer.arrived, start - buffer.origin) : 0;
    output.addRange(buffer.arrived, buffer.view, from, position);
    if (output.bytes[output.length - 1] !== LINE_FEED) output.addByte(LINE_FEED);
    this.addResult();
  }

  override get describesFailures(): boolean {
    return this.invalidDocuments < this.#job.maxDiagnostics;
  }

  override onFailure({ reader: { buffer } }: ParserState, parseFailure: ParseFailure): void {
    this.#output.length = this.#output.committed;
    this.invalidDocuments++;
    if (this.invalidDocuments > this.#job.maxDiagnostics) return;
    const { arrived, origin, end } = buffer;
    const position = parseFailure.offset - origin;
    const start = Math.max(0, position - EXCERPT_BEFORE);
    const last = Math.min(end, position + EXCERPT_AFTER);
    const context = start === 0 && origin === this.#contextEnd ? this.#context : NO_BYTES;
    const excerpt = {
      bytes: joined(context, arrived.subarray(start, last)),
      at: context.length + position - start,
      isStart: origin + start - context.length === this.#textStart,
      isEnd: this.#isLast && last === end,
    };
    const diagnostic = {
      ...describeFailure(parseFailure, excerpt, this.isJsonLines ? "lines" : "document"),
      ...this.#isArrayMissing && { message: `There is no array at '${this.#job.pointer}'` },
    };
    this.#isArrayMissing = false;
    const isThere = this.#isLast || end - position >= EXCERPT_AFTER ||
      this.#isJsonLines && arrived.indexOf(LINE_FEED, position) >= 0;
    if (isThere) this.#onDiagnostic(diagnostic);
    else this.#pending = { diagnostic, missing: EXCERPT_AFTER - (end - position) };
  }

  override beginsLines(state: ParserState, end: number): boolean {
    if (this.#isJsonLines !== undefined) return false;
    const { position, parsableEnd, buffer: { arrived } } = state.reader;
    if (this.#isOnOneLine === undefined) {
      countTo(state, end);
      this.#isOnOneLine = state.lines.lines + 1 === state.line;
    }
    const lineFeed = arrived.indexOf(LINE_FEED, end);
    this.#hasLineFeed ||= lineFeed >= 0 && lineFeed < position;
    if (!this.#isOnOneLine || !this.#hasLineFeed || position >= parsableEnd) return false;
    this.#separateLines();
    state.mustCount = true;
    state.lineSearchedTo = position;
    reportValue(state);
    return true;
  }

  override keptFrom({ reader: { buffer, position } }: ParserState): number {
    let from = position;
    if (this.#job.wanted === null) from = this.#isJsonLines ? lineStartAt(buffer.arrived, position) : 0;
    return Math.max(0, from - EXCERPT_BEFORE);
  }

  /** Describes a failure that waits for bytes which do not arrive. */
  describeRest(): void {
    const pending = this.#pending;
    if (pending === undefined) return;
    this.#pending = undefined;
    pending.diagnostic.excerpt.isEnd = this.#isLast && pending.missing > 0;
    this.#onDiagnostic(pending.diagnostic);
  }
}

/** Returns the position after the line feed before `p`. */
function lineStartAt(bytes: Uint8Array, p: number): number {
  return p === 0 ? 0 : bytes.lastIndexOf(LINE_FEED, p - 1) + 1;
}

/** Returns whether the first line is a document and another one follows; `undefined` if unknown. */
export function looksLikeLines(bytes: Uint8Array, from: number, isLast: boolean): boolean | undefined {
  const start = skipWhitespace(bytes, from, bytes.length);
  const isUnknown = !isLast && bytes.length < MAX_UNDECIDED;
  const lineEnd = start < bytes.length ? bytes.indexOf(LINE_FEED, start) : -1;
  if (lineEnd < 0 || skipWhitespace(bytes, lineEnd, bytes.length) >= bytes.length) return isUnknown ? undefined : false;
  return validateBinary(bytes.subarray(start, lineEnd)).ok;
}

/** Makes the reader of documents that are copied byte for byte. Their filter has just read them. */
function newWholeReader(): PartReader {
  return {
    read(reader) {
      reader.position = cursor.position;
      return COPIED;
    },
    reset: () => false,
    release() {},
    isDelimited: false,
  };
}
