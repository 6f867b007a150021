/** Reads parts of an input in a thread: what is wanted of their lines, and the failures of these. */

import type { Diagnostic } from "../diagnostics/diagnostic_validator.ts";
import type { Block } from "../lines/line_blocks.ts";
import { type LineRange, piecesOfRange } from "../lines/read_range.ts";
import { ByteOutput } from "./byte_output.ts";
import { DocumentReader } from "./document_reader.ts";
import { compileJob, type JobText } from "./job.ts";

/** What to read: a block or a range, and how many results are enough. */
export interface Part {
  readonly block?: Block;
  readonly range?: LineRange;
  readonly resultsLeft: number;
}

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

export class PartReader {
  readonly #output = new ByteOutput();
  readonly #reader: DocumentReader;
  #diagnostics: Diagnostic[] = [];

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
    reader.maxResults = part.resultsLeft;
    const take = (): void => {
      if (output.committed > 0) outputs.push(output.bytes.slice(0, output.committed));
      output.dropCommitted();
    };
    let next = -1;
    const none = new Uint8Array(0);
    reader.resume({ bytes: none, at: 0, end: 0, offset: 0 }, 0); // a range within a line has no lines
    if (part.range !== undefined) next = this.#readRange(part.range, reader, take);
    else {
      reader.resume(part.block!, 0);
      reader.end();
    }
    take();
    this.#drop();
    const { documents, invalidDocuments, results, lines } = reader;
    const result = { part, outputs, diagnostics, documents, invalidDocuments, results, lines, next };
    const buffers = outputs.map(({ buffer }) => buffer);
    if (part.block !== undefined) buffers.push(part.block.bytes.buffer);
    return [result, buffers];
  }

  /** Reads the lines that begin in a range. Returns the offset after them; -1 if they do not end. */
  #readRange(range: LineRange, reader: DocumentReader, take: () => void): number {
    const pieces = piecesOfRange(range);
    for (let hasBegun = false;; hasBegun = true) {
      const { value, done } = pieces.next();
      if (done) {
        if (value >= 0) reader.end();
        return value;
      }
      if (hasBegun) reader.push(value.bytes);
      else reader.resume(value, 0);
      take();
      if (reader.resultsLeft <= 0) return pieces.return(-1).value as number;
    }
  }

  #drop(): void {
    const output = this.#output;
    output.committed = output.length;
    output.dropCommitted();
  }
}
