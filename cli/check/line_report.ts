/**
 * Report that lists failures on standard output. Everything that is not a failure of a document
 * goes to standard error: errors of reading, numbers of omitted failures, and statistics.
 */

import type { Diagnostic, InputResult } from "../diagnostics/diagnostic_validator.ts";
import { writeStdout } from "../terminal/streams.ts";
import type { LineFormat } from "./line_formats.ts";
import { Report, type Stats } from "./report.ts";
import { printCountOfInvalid, printStats, printTally } from "./text_report.ts";

export class LineReport extends Report {
  readonly #isQuiet: boolean;
  readonly #format: LineFormat;

  /** @param isQuiet Whether to print no summary. */
  constructor(format: LineFormat, isQuiet: boolean) {
    super();
    this.#format = format;
    this.#isQuiet = isQuiet;
    writeStdout(format.head ?? "");
  }

  override async addDiagnostic(name: string, diagnostic: Diagnostic): Promise<void> {
    this.shown++;
    const hint = this.#format.hasHints === false ? undefined : await this.hintFor(diagnostic, name);
    writeStdout(await this.#format.failure(name, diagnostic, hint));
  }

  protected override printResult(name: string, result: InputResult): void {
    if (this.shown < result.invalidDocuments) printCountOfInvalid(name, result, this.shown);
    writeStdout(this.#format.end?.(name, undefined) ?? "");
  }

  protected override printError(name: string, message: string): void {
    super.printError(name, message);
    writeStdout(this.#format.end?.(name, message) ?? "");
  }

  override printSummary(ms: number, exit: number, stats: Stats | undefined): void {
    writeStdout(this.#format.tail?.(exit) ?? "");
    if (!this.#isQuiet && this.tally.files > 0) printTally(this.tally, ms, exit);
    if (stats !== undefined) printStats(ms, stats);
  }
}
