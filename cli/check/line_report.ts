/**
 * What the reports of `--format compact`, `github` and `sarif` have in common: failures go to
 * standard output, and everything that is not a failure of a document to standard error.
 *
 * @module
 */

import type { InputResult } from "../diagnostics/diagnostic_validator.ts";
import { reportInputError } from "../input/read_error.ts";
import { writeStderr } from "../terminal/streams.ts";
import { Report, type Stats } from "./report.ts";
import { countOfInvalid, printStats } from "./text_report.ts";

/** Prints errors of reading, numbers of omitted failures, and statistics. */
export abstract class LineReport extends Report {
  /** Diagnostics of the current input so far. */
  #shown = 0;

  /** Counts a diagnostic of the current input. */
  protected countShown(): void {
    this.#shown++;
  }

  protected override printResult(name: string, result: InputResult): void {
    const shown = this.#shown;
    this.#shown = 0;
    if (shown < result.invalidDocuments) writeStderr(countOfInvalid(name, result, shown));
  }

  protected override printError(name: string, message: string): void {
    this.#shown = 0;
    reportInputError(name, message, false);
  }

  override printSummary(ms: number, _exit: number, stats: Stats | undefined): void {
    if (stats !== undefined) printStats(ms, stats);
  }
}
