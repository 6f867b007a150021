/**
 * Reads the documents of an input that arrives in pieces, and writes the selected parts of them: one
 * document, one on each line, or one after the other. The parser's reader of values does the work;
 * this file decides where documents end, counts results, and describes failures.
 */

import {
  AFTER,
  BETWEEN,
  buildText,
  canRecover,
  type ChunkParser,
  countTo,
  cursor,
  describeFailure as describeFailureAt,
  type DocumentSeparation,
  endChunks,
  type Filter,
  newChunkParser,
  parseChunk,
  type ParseFailure,
  ParserSink,
  type ParserState,
  type PartReader,
  reportValue,
  resetChunkParser,
  showBytes,
  skipByteOrderMark,
  WITHIN,
} from "../../parser/streaming/cli_internals.ts";
import {
  CLOSE_BRACE,
  CLOSE_BRACKET,
  COMMA,
  joined,
  LINE_FEED,
  NO_BYTES,
  OPEN_BRACE,
  OPEN_BRACKET,
  RECORD_SEPARATOR,
  SPACE,
} from "../bytes.ts";
import { validateBinary } from "../../validate_binary.ts";
import {
  describeFailure,
  type Diagnostic,
  EXCERPT_AFTER,
  EXCERPT_BEFORE,
  type Reading,
} from "../diagnostics/diagnostic.ts";
import { looksLikeLines, MAX_UNDECIDED } from "../input/json_lines.ts";
import { type Block, blockOfPiece } from "../lines/line_blocks.ts";
import type { ByteOutput } from "./byte_output.ts";
import { COPIED, PartCopier, type Results, type SelectedParts } from "./part_copier.ts";

/** Maximum bytes of a buffer, whose positions are int32: of a name, or a filtered document. */
const MAX_BYTES = 2 ** 30;

/** Parts of documents to print, and conditions. */
export interface Job {
  /** Parts to copy; `null` for all of a document, byte for byte. */
  readonly selected: SelectedParts | null;
  /** Conditions that a document must fulfil. */
  readonly filter: Filter | null;
  /** Message about an array that can never fulfil them; `undefined` if one may. */
  readonly arrayProblem?: string | undefined;
  /** Whether a comma follows each result. The last one is not written. */
  readonly isArray?: boolean | undefined;
  /** Number of failures that get a diagnostic. */
  readonly maxDiagnostics: number;
}

/** Failure of the only document, or of a line, while bytes of its excerpt are missing. */
interface Pending {
  readonly diagnostic: Diagnostic;
  /** Number of missing bytes. */
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
  /** Separation of documents; `undefined` while the input may have one or several. */
  #reading: Reading | undefined;
  /** Bytes that wait for that, or for the end of a byte-order mark; `null` after reading began. */
  #held: Uint8Array<ArrayBuffer> | null = NO_BYTES;
  /**
   * Bytes so far, while the first line may fail, and that failure. Then the next line decides
   * whether lines are documents.
   */
  #beginning: Uint8Array<ArrayBuffer> | null = null;
  #failureOfBeginning: ParseFailure | undefined;
  /** Whether the only document ended on its first line, and whether a line feed followed. */
  #isOnOneLine: boolean | undefined;
  #hasLineFeed = false;
  /** Whether it is an array or an object. */
  #isBracketed: boolean | undefined;
  /** Offset of the text, after a byte-order mark. */
  #textStart = 0;
  /** Bytes before the block that was resumed at, for excerpts. */
  #context: Uint8Array<ArrayBuffer> = NO_BYTES;
  #contextEnd = 0;
  #isLast = false;
  #pending: Pending | undefined;
  /** Whether the first document is an array. */
  #isArrayFirst = false;
  #documentsBefore = 0;
  invalidDocuments = 0;
  /** Number of results so far. */
  results = 0;
  /** Number of results that are wanted. */
  maxResults: number;

  constructor(
    job: Job,
    reading: Reading | undefined,
    output: ByteOutput,
    maxResults: number,
    onDiagnostic: (diagnostic: Diagnostic) => void,
  ) {
    super();
    this.#job = job;
    this.#output = output;
    this.maxResults = maxResults;
    this.#onDiagnostic = onDiagnostic;
    this.#reading = reading;
    const newReader = (): PartReader => {
      if (job.selected === null) return newWholeReader();
      return this.#copier = new PartCopier(job.selected, output, this);
    };
    const source = { buildText, newReader };
    this.#parser = newChunkParser(undefined, null, source, MAX_BYTES, null, this, job.filter);
    if (reading === "lines" || reading === "concatenated") this.#separate(reading);
  }

  /** Way in which the input is read, as far as it is decided. */
  get reading(): Reading {
    return this.#reading ?? "document";
  }

  /** Whether each line is a document. */
  get isJsonLines(): boolean {
    return this.#reading === "lines";
  }

  /** Whether the input may have several documents. */
  get hasSeveral(): boolean {
    return canRecover(this.#parser.state);
  }

  /** Number of documents that have ended. */
  get documents(): number {
    return this.#documentsBefore + this.#parser.state.count;
  }
  set documents(count: number) {
    this.#documentsBefore = count - this.#parser.state.count;
  }

  /** Number of results that are still wanted. */
  get resultsLeft(): number {
    return this.maxResults - this.results;
  }

  /** Whether the rest of the input matters only to an excerpt. */
  get isDecided(): boolean {
    const { state } = this.#parser;
    return state.failure !== null && !canRecover(state) && this.#failureOfBeginning === undefined;
  }

  /** Whether the rest of the input does not matter at all. */
  get isComplete(): boolean {
    return this.isDecided && this.#pending === undefined || this.resultsLeft <= 0;
  }

  /**
   * Whether conditions ask for members of objects, none of several documents fulfils them, and the
   * first one is an array.
   */
  get needsElements(): boolean {
    return this.#isArrayFirst && this.#job.arrayProblem !== undefined && this.hasSeveral && this.results === 0;
  }

  /** Number of lines that have ended before the next document. */
  get lines(): number {
    const { state } = this.#parser;
    countTo(state, state.reader.position);
    return state.location.lines;
  }

  /** Reads the next bytes, which may change afterwards. */
  push(piece: Uint8Array): void {
    const pending = this.#pending;
    if (pending !== undefined) {
      const { excerpt } = pending.diagnostic;
      excerpt.bytes = joined(excerpt.bytes, piece.subarray(0, pending.missing));
      pending.missing -= piece.length;
      if (pending.missing <= 0 || this.hasSeveral && piece.includes(LINE_FEED)) this.describeRest();
      if (!this.hasSeveral) return;
    }
    if (this.#held !== null) {
      this.#held = joined(this.#held, piece);
      this.#begin(false);
    } else {
      if (this.#beginning !== null) this.#beginning = joined(this.#beginning, piece);
      parseChunk(this.#parser, piece);
    }
    this.#decideByNextLine();
  }

  /** Ends the input. */
  end(): void {
    this.#isLast = true;
    if (this.#held !== null) this.#begin(true);
    endChunks(this.#parser);
    this.#decideByNextLine();
    const { state } = this.#parser;
    if (state.phase === AFTER && !this.isDecided) reportValue(state);
    this.#refuseArray();
    this.describeRest();
  }

  /** Decides whether lines are documents, if the first one fails, once the next has arrived. */
  #decideByNextLine(): void {
    const bytes = this.#beginning;
    if (bytes === null) return;
    const parseFailure = this.#failureOfBeginning;
    if (parseFailure === undefined) {
      // The first line has ended without a failure, or is too long.
      const { phase, start } = this.#parser.state;
      const isOver = phase !== BETWEEN && bytes.indexOf(LINE_FEED, start) >= 0;
      if (isOver || this.hasSeveral || bytes.length >= MAX_UNDECIDED) this.#beginning = null;
      return;
    }
    const isJsonLines = looksLikeLines(bytes, this.#textStart, this.#isLast);
    if (isJsonLines === undefined) return;
    this.#beginning = null;
    this.#failureOfBeginning = undefined;
    if (!isJsonLines) return this.#report(parseFailure, bytes, 0, bytes.length);
    this.#separate("lines");
    const lineEnd = bytes.indexOf(LINE_FEED, parseFailure.offset);
    const first = validateBinary(bytes.subarray(0, lineEnd));
    // Reported as a line's, whose end is not that of the input.
    this.#report(first.ok ? parseFailure : { ...first, truncated: false }, bytes, 0, bytes.length);
    this.documents++;
    const { line } = describeFailureAt(bytes, "unexpected-end", lineEnd + 1);
    const isLast = this.#isLast;
    this.resume(blockOfPiece(bytes, 0, lineEnd + 1), line - 1);
    this.#isLast = isLast;
    if (isLast) endChunks(this.#parser);
  }

  /** Refuses the only document, an array, if conditions ask for members of an object. */
  #refuseArray(): void {
    const { arrayProblem } = this.#job;
    const { state } = this.#parser;
    if (arrayProblem === undefined || this.hasSeveral || state.failure !== null || this.results > 0) return;
    const { arrived, origin } = state.reader.buffer;
    if (arrived[state.start - origin] === OPEN_BRACKET) this.#failDocument(arrayProblem);
  }

  /**
   * Returns the bytes from the current line on, for another reader, before which {@linkcode lines}
   * have ended; `undefined` if that line has been begun, or is not a document.
   */
  lineRest(): Block | undefined {
    const { state } = this.#parser;
    const { reader: { buffer }, phase } = state;
    if (!this.isJsonLines || phase !== BETWEEN && (phase !== WITHIN || this.#copier?.isWalking)) return undefined;
    if (phase === BETWEEN) countTo(state, state.reader.position);
    const start = state.location.lineStart - buffer.origin;
    if (start < 0 || state.location.lineStart === 0) return undefined;
    const before = Math.max(0, start - EXCERPT_BEFORE);
    const bytes = buffer.bytes.subarray(before, buffer.end);
    return { bytes, at: start - before, end: bytes.length, offset: buffer.origin + before };
  }

  /** Reads the lines of a block, and those after it. `lines` have ended before it. */
  resume(block: Block, lines: number): void {
    const { bytes, at, end } = block;
    const { reader: { buffer }, location } = this.#beginBlock(block);
    this.#context = bytes.slice(Math.max(0, at - EXCERPT_BEFORE), at);
    this.#contextEnd = buffer.origin = location.lineStart;
    location.lines = lines;
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
    this.#separate("lines");
    this.#held = null;
    this.#isLast = false;
    this.#textStart = 0;
    state.location.lineStart = offset + at;
    return state;
  }

  #separate(multiple: DocumentSeparation): void {
    this.#reading = this.#parser.state.multiple = multiple;
  }

  /** Begins reading, once it is known how documents are separated if that is needed. */
  #begin(isLast: boolean): void {
    const bytes = this.#held!;
    if (!isLast && (bytes.length === 0 || bytes.length < 3 && bytes[0] === 0xef)) return;
    const mark = skipByteOrderMark(bytes, bytes.length);
    if (this.#reading === undefined && bytes[mark] === RECORD_SEPARATOR) this.#separate("concatenated");
    // Conditions need the end of a document. Without any, the bytes after the first one decide, or
    // a failure on its first line.
    if (this.#reading === undefined && this.#job.filter !== null) {
      const isJsonLines = looksLikeLines(bytes, mark, isLast);
      if (isJsonLines === undefined) return;
      if (isJsonLines) this.#separate("lines");
    }
    this.#held = null;
    // A record separator is less than a space, too.
    this.#isArrayFirst = bytes.subarray(mark).find((byte) => byte > SPACE) === OPEN_BRACKET;
    const { state } = this.#parser;
    this.#textStart = state.reader.buffer.origin = state.location.excessBytes = mark;
    if (this.#reading === undefined && this.#job.filter === null) this.#beginning = bytes;
    parseChunk(this.#parser, bytes.subarray(mark));
  }

  addResult(): void {
    const output = this.#output;
    if (this.#job.isArray) {
      output.length--;
      output.addByte(COMMA);
      output.addByte(LINE_FEED);
    }
    output.committed = output.length;
    if (++this.results >= this.maxResults) this.#parser.state.isCertain = true;
  }

  override onValue(state: ParserState): void {
    const { selected } = this.#job;
    if (selected === null) this.#copyText(state);
    else if (this.#copier!.isFound) this.#copier!.endResult();
    else this.#failDocument(selected.rows?.problem ?? selected.problem);
  }

  /** Fails at the beginning of a document that has ended and is of another kind than asked for. */
  #failDocument(message: string): void {
    const { state } = this.#parser;
    const { start, line, reader: { buffer: { arrived, origin } } } = state;
    const at = start - origin;
    const column = at < 0 ? 1 : at - lineStartAt(arrived, at) + 1;
    const code = this.#job.selected?.isOfObject ? "expected-object" : "expected-array";
    const parseFailure = { ok: false, code, message, offset: start, line, column, truncated: false } as const;
    state.failure ??= parseFailure;
    this.#report(parseFailure, arrived, origin, state.reader.buffer.end);
  }

  /**
   * Copies a document byte for byte: with its line, or all of the input if it is the only one and
   * does not become an element.
   */
  #copyText({ start, end, reader: { buffer, position } }: ParserState): void {
    const output = this.#output;
    output.length = output.committed;
    const isAlone = this.#job.isArray || this.#reading === "concatenated";
    const first = start - buffer.origin;
    const from = isAlone ? first : this.isJsonLines ? lineStartAt(buffer.arrived, first) : 0;
    output.addRange(buffer.arrived, buffer.view, from, isAlone ? end - buffer.origin : position);
    if (output.bytes[output.length - 1] !== LINE_FEED) output.addByte(LINE_FEED);
    this.addResult();
  }

  override get describesFailures(): boolean {
    return this.invalidDocuments < this.#job.maxDiagnostics;
  }

  override onFailure({ line, reader: { buffer } }: ParserState, parseFailure: ParseFailure): void {
    this.#output.length = this.#output.committed;
    const message = this.#copier?.takeProblem();
    if (message !== undefined) parseFailure = { ...parseFailure, message };
    if (this.#reading === undefined && this.#beginning !== null && parseFailure.line === line) {
      this.#failureOfBeginning = parseFailure;
    } else this.#report(parseFailure, buffer.arrived, buffer.origin, buffer.end);
  }

  /** Counts a failure, and describes it with the bytes from offset `origin` on. */
  #report(parseFailure: ParseFailure, arrived: Uint8Array, origin: number, end: number): void {
    this.invalidDocuments++;
    if (this.invalidDocuments > this.#job.maxDiagnostics) return;
    const position = Math.max(0, parseFailure.offset - origin);
    const start = Math.max(0, position - EXCERPT_BEFORE);
    const last = Math.min(end, position + EXCERPT_AFTER);
    const context = start === 0 && origin === this.#contextEnd ? this.#context : NO_BYTES;
    const excerpt = {
      bytes: joined(context, arrived.subarray(start, last)),
      at: context.length + position - start,
      isStart: origin + start - context.length === this.#textStart,
      isEnd: this.#isLast && last === end,
    };
    const diagnostic = describeFailure(parseFailure, excerpt, this.reading);
    this.describeRest();
    const isThere = this.#isLast || end - position >= EXCERPT_AFTER ||
      this.hasSeveral && arrived.indexOf(LINE_FEED, position) >= 0;
    if (isThere) this.#describe(diagnostic);
    else this.#pending = { diagnostic, missing: EXCERPT_AFTER - (end - position) };
  }

  override changesState(state: ParserState, end: number): boolean {
    if (this.#reading !== undefined) return false;
    const { position, buffer: { arrived } } = state.reader;
    // Later calls have the position after the whitespace that has arrived.
    this.#isBracketed ??= isClosing(arrived[end - 1]);
    if (this.#isOnOneLine === undefined) {
      countTo(state, end);
      this.#isOnOneLine = state.location.lines + 1 === state.line;
    }
    const lineFeed = arrived.indexOf(LINE_FEED, end);
    this.#hasLineFeed ||= lineFeed >= 0 && lineFeed < position;
    if (position >= arrived.length) return false;
    if (this.#isOnOneLine ? !this.#hasLineFeed : !this.#isBracketed || !isOpening(arrived[position])) return false;
    this.#separate(this.#isOnOneLine ? "lines" : "concatenated");
    state.mustCount = true;
    state.lineSearchedTo = position;
    reportValue(state);
    return true;
  }

  override keptFrom({ phase, start, reader: { buffer, position } }: ParserState): number {
    let from = position;
    if (this.#job.selected === null) {
      if (this.isJsonLines) from = lineStartAt(buffer.arrived, position);
      else if (this.#reading !== "concatenated") from = 0;
      else if (phase === WITHIN) from = start - buffer.origin;
    }
    return Math.max(0, from - EXCERPT_BEFORE);
  }

  /** Describes a failure that waits for bytes which do not arrive. */
  describeRest(): void {
    const pending = this.#pending;
    if (pending === undefined) return;
    this.#pending = undefined;
    pending.diagnostic.excerpt.isEnd = this.#isLast && pending.missing > 0;
    this.#describe(pending.diagnostic);
  }

  /**
   * Passes on a diagnostic. That of a line has no bytes of the next line, since their number would
   * depend on the pieces.
   */
  #describe(diagnostic: Diagnostic): void {
    const { excerpt } = diagnostic;
    const lineEnd = this.isJsonLines ? excerpt.bytes.indexOf(LINE_FEED, excerpt.at) : -1;
    if (lineEnd < 0 || lineEnd + 1 === excerpt.bytes.length) return this.#onDiagnostic(diagnostic);
    const bytes = excerpt.bytes.subarray(0, lineEnd + 1);
    this.#onDiagnostic({ ...diagnostic, excerpt: { ...excerpt, bytes, isEnd: false } });
  }
}

function isOpening(byte: number): boolean {
  return byte === OPEN_BRACE || byte === OPEN_BRACKET;
}

function isClosing(byte: number): boolean {
  return byte === CLOSE_BRACE || byte === CLOSE_BRACKET;
}

/** Returns the position after the line feed before `p`. */
function lineStartAt(bytes: Uint8Array, p: number): number {
  return p === 0 ? 0 : bytes.lastIndexOf(LINE_FEED, p - 1) + 1;
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
