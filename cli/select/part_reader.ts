/** Reads parts of an input in a thread: the results of their lines, and the failures of these. */

import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import { noBlock } from "../lines/line_blocks.ts";
import { blockOf, buffersOf, type Lines } from "../lines/read_block.ts";
import { ByteOutput } from "./byte_output.ts";
import { DocumentReader } from "./document_reader.ts";
import type { FirstRowColumns } from "./first_row.ts";
import { columnsOfJob, compileJob, type JobText } from "./job.ts";

/** Lines to read, and the number of results that are still wanted. */
export interface Part {
  readonly lines: Lines;
  readonly resultsLeft: number;
}

export interface PartResult {
  readonly part: Part;
  /** Offset after the last line; -1 if they could not be read. */
  readonly end: number;
  readonly output: Uint8Array<ArrayBuffer>;
  /** Failures; their lines count from the beginning of the part. */
  readonly diagnostics: Diagnostic[];
  readonly documents: number;
  readonly invalidDocuments: number;
  readonly results: number;
  readonly lines: number;
  /** Columns that were left out: see `FirstRowColumns`. */
  readonly leftOut: readonly string[];
}

export class PartReader {
  readonly #output = new ByteOutput();
  readonly #reader: DocumentReader;
  readonly #rows: FirstRowColumns | undefined;
  #diagnostics: Diagnostic[] = [];

  constructor(text: JobText) {
    const job = compileJob(text, this.#output);
    this.#rows = columnsOfJob(job);
    this.#reader = new DocumentReader(
      job,
      "lines",
      this.#output,
      0,
      (diagnostic) => this.#diagnostics.push(diagnostic),
    );
    this.#drop(); // the header of rows
  }

  /** Reads a part. Returns the result, and the buffers to transfer. */
  read(part: Part): [PartResult, ArrayBuffer[]] {
    const output = this.#output;
    const diagnostics: Diagnostic[] = this.#diagnostics = [];
    const reader = this.#reader;
    reader.documents = reader.invalidDocuments = reader.results = 0;
    reader.maxResults = part.resultsLeft;
    const block = blockOf(part.lines);
    reader.readBlock(block ?? noBlock());
    const bytes = output.bytes.slice(0, output.committed);
    this.#drop();
    const { documents, invalidDocuments, results, lines } = reader;
    const end = block === undefined ? -1 : block.offset + block.end;
    const leftOut = [...this.#rows?.leftOut ?? []];
    this.#rows?.leftOut.clear();
    const result = { part, end, output: bytes, diagnostics, documents, invalidDocuments, results, lines, leftOut };
    return [result, [bytes.buffer, ...buffersOf(part.lines)]];
  }

  #drop(): void {
    const output = this.#output;
    output.committed = output.length;
    output.dropCommitted();
  }
}
