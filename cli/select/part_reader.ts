/**
 * Reads parts of an input in a thread: what is wanted of their lines, and the failures of these.
 *
 * @module
 */

import { LINE_FEED } from "../../parser/base/ascii.ts";
import type { Diagnostic } from "../diagnostics/diagnostic_validator.ts";
import { type Block, CONTEXT_BYTES } from "../lines/line_blocks.ts";
import { platform } from "../platform/platform.ts";
import { ByteOutput } from "./byte_output.ts";
import { DocumentReader } from "./document_reader.ts";
import { compileJob, type JobText } from "./job.ts";

/** Bytes per read of a file. */
const PIECE_BYTES = 2 ** 18;

/** Bytes after the end of a range that its last line may take. */
const MAX_EXCESS = 2 ** 23;

/** Lines of a file that begin in a range of offsets. */
export interface LineRange {
  readonly path: string;
  readonly start: number;
  readonly end: number;
}

/** What to read: a block or a range, and how many results are enough. */
export interface Part {
  readonly block?: Block;
  readonly range?: LineRange;
  readonly resultsLeft: number;
}

/** What was read. */
export interface PartResult {
  readonly part: Part;
  readonly outputs: Uint8Array<ArrayBuffer>[];
  /** Failures; their lines count from the beginning of the part. */
  readonly diagnostics: Diagnostic[];
  readonly documents: number;
  readonly invalidDocuments: number;
  readonly results: number;
  readonly lines: number;
  /** Offset of the next line; -1 if the part cannot be read like this. */
  readonly next: number;
}

/** Reads parts for one job. */
export class PartReader {
  readonly #output = new ByteOutput();
  readonly #reader: DocumentReader;
  #diagnostics: Diagnostic[] = [];
  #buffer: Uint8Array<ArrayBuffer> | undefined;

  constructor(text: JobText) {
    const job = compileJob(text, this.#output);
    this.#reader = new DocumentReader(job, true, this.#output, 0, (diagnostic) => this.#diagnostics.push(diagnostic));
    this.#drop(); // the header of rows
  }

  /** Reads a part. Returns the result, and the buffers that it gives away. */
  read(part: Part): [PartResult, ArrayBuffer[]] {
    const output = this.#output;
    const outputs: Uint8Array<ArrayBuffer>[] = [];
    const diagnostics: Diagnostic[] = this.#diagnostics = [];
    const reader = this.#reader;
    reader.documents = reader.invalidDocuments = reader.results = 0;
    reader.resultsLeft = part.resultsLeft;
    const read = (isLast: boolean): void => {
      for (let isDone = false; !isDone;) {
        isDone = reader.read(isLast);
        if (output.committed > 0) outputs.push(output.bytes.slice(0, output.committed));
        reader.dropWritten();
      }
    };
    let next = -1;
    const none = new Uint8Array(0);
    reader.resume({ bytes: none, at: 0, end: 0, offset: 0 }, 0); // a range within a line has no lines
    if (part.range !== undefined) next = this.#readRange(part.range, reader, read);
    else {
      reader.resume(part.block!, 0);
      read(true);
    }
    this.#drop();
    const { documents, invalidDocuments, results, lines } = reader;
    const result = { part, outputs, diagnostics, documents, invalidDocuments, results, lines, next };
    const buffers = outputs.map(({ buffer }) => buffer);
    if (part.block !== undefined) buffers.push(part.block.bytes.buffer);
    return [result, buffers];
  }

  /** Reads the lines that begin in a range. Returns the offset after them; -1 if they do not end. */
  #readRange({ path, start, end }: LineRange, reader: DocumentReader, read: (isLast: boolean) => void): number {
    const buffer = this.#buffer ??= new Uint8Array(PIECE_BYTES);
    const file = platform.openSync(path);
    let offset = Math.max(0, start - CONTEXT_BYTES);
    let hasBegun = false;
    try {
      file.seekSync(offset);
      while (reader.resultsLeft > 0 && offset < end + MAX_EXCESS) {
        const length = file.readSync(buffer);
        if (length === null) return -1; // the file has shrunk
        let piece = buffer.subarray(0, length);
        const lineEnd = piece.indexOf(LINE_FEED, Math.max(0, end - 1 - offset));
        const isLast = offset + length >= end && lineEnd >= 0;
        if (isLast) piece = piece.subarray(0, lineEnd + 1);
        if (hasBegun) reader.push(piece);
        else {
          const at = piece.indexOf(LINE_FEED, Math.max(0, start - 1 - offset)) + 1;
          hasBegun = at > 0 && offset + at < end;
          if (hasBegun) reader.resume({ bytes: piece, at, end: piece.length, offset }, 0);
        }
        if (hasBegun) read(isLast);
        offset += piece.length;
        if (isLast) return offset;
      }
      return reader.resultsLeft > 0 ? -1 : offset;
    } finally {
      file.close();
    }
  }

  #drop(): void {
    const output = this.#output;
    output.committed = output.length;
    output.dropCommitted();
  }
}
