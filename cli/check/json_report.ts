/**
 * Report for programs: one JSON object per line on standard output.
 *
 * @module
 */

import type { Diagnostic, InputResult } from "../diagnostics/diagnostic_validator.ts";
import { reportInputError } from "../input/read_error.ts";
import { writeRecord } from "../terminal/streams.ts";
import { Report, type Stats } from "./report.ts";

/** Prints a record per input, then a summary. */
export class JsonReport extends Report {
  /** Failures of the current input. */
  #failures: Record<string, unknown>[] = [];

  override async addDiagnostic(name: string, diagnostic: Diagnostic): Promise<void> {
    const { excerpt: _, ...failure } = diagnostic;
    // Loaded here, so that a check of valid documents does not pay for it.
    const { hintFor } = await import("../diagnostics/hints.ts");
    const hint = hintFor(diagnostic, name);
    this.#failures.push({ ...failure, ...hint !== undefined && { hint } });
  }

  protected override printResult(file: string, { bytes, documents, invalidDocuments }: InputResult): void {
    const failures = this.#failures;
    this.#failures = [];
    writeRecord({
      type: "result",
      file,
      valid: invalidDocuments === 0,
      bytes,
      ...failures[0],
      ...documents !== undefined && { documents, invalidDocuments, failures },
    });
  }

  protected override printError(file: string, message: string): void {
    this.#failures = [];
    reportInputError(file, message, true);
  }

  override printSummary(ms: number, exit: number, stats: Stats | undefined): void {
    const { files, valid, invalid, errors, bytes, unchecked } = this.tally;
    writeRecord({
      type: "summary",
      files,
      valid,
      invalid,
      errors,
      bytes,
      ...unchecked > 0 && { unchecked },
      ms: Math.round(ms * 10) / 10,
      exit,
      ...stats && { stats },
    });
  }
}
