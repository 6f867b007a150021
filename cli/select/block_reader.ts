/**
 * Reads blocks of lines in a thread: what is wanted of them, and their failures.
 *
 * @module
 */

import type { Diagnostic } from "../diagnostics/diagnostic_validator.ts";
import type { BlockAnswer } from "../lines/line_threads.ts";
import type { Block } from "../lines/line_blocks.ts";
import { ByteOutput } from "./byte_output.ts";
import { DocumentReader, type Job } from "./document_reader.ts";
import { compileJob, type JobText } from "./job.ts";

/** Block of lines to read. */
export interface BlockTask {
  readonly block: Block;
  /** Results that are enough. */
  readonly resultsLeft: number;
}

/** What was read of a block. */
export interface BlockResult {
  readonly outputs: Uint8Array<ArrayBuffer>[];
  /** Failures; their lines count from the beginning of the block. */
  readonly diagnostics: Diagnostic[];
  readonly documents: number;
  readonly invalidDocuments: number;
  readonly results: number;
  readonly lines: number;
}

/** Reads blocks for one job. */
export class BlockReader {
  readonly #output = new ByteOutput();
  readonly #job: Job;

  constructor(text: JobText) {
    this.#job = compileJob(text, this.#output);
    this.#output.committed = this.#output.length; // the header of rows
    this.#output.dropCommitted();
  }

  /** Reads a block. Returns the answer, and what it gives away. */
  read({ block, resultsLeft }: BlockTask): [BlockAnswer<BlockResult>, ArrayBuffer[]] {
    const output = this.#output;
    const outputs: Uint8Array<ArrayBuffer>[] = [];
    const diagnostics: Diagnostic[] = [];
    const reader = new DocumentReader(this.#job, true, output, resultsLeft, (diagnostic) => diagnostics.push(diagnostic));
    reader.resume(block, 0);
    for (let isDone = false; !isDone;) {
      isDone = reader.read(true);
      if (output.committed > 0) outputs.push(output.bytes.slice(0, output.committed));
      reader.dropWritten();
    }
    output.length = 0;
    const { documents, invalidDocuments, results, lines } = reader;
    return [
      { block, result: { outputs, diagnostics, documents, invalidDocuments, results, lines } },
      [block.bytes.buffer, ...outputs.map(({ buffer }) => buffer)],
    ];
  }
}
