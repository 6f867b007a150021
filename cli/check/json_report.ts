/** Report for programs: one JSON object per line on standard output. */

import { DEFAULT_MAX_ERRORS } from "../commands.ts";
import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import type { InputResult } from "../diagnostics/diagnostic_validator.ts";
import { reportInputError } from "../input/read_error.ts";
import { printableJson } from "../terminal/printable.ts";
import { writeRecord, writeStdout } from "../terminal/streams.ts";
import { Report, type Stats } from "./report.ts";

/** Maximum failures kept until the result of an input. With more, its record begins with them. */
const MAX_KEPT = DEFAULT_MAX_ERRORS;

/**
 * Prints a record per input, then a summary. A record with many failures is printed piece by piece,
 * so that memory does not grow with their number.
 */
export class JsonReport extends Report {
  #failures: Record<string, unknown>[] = [];
  #isOpen = false;

  override async addDiagnostic(name: string, diagnostic: Diagnostic): Promise<void> {
    const { excerpt: _, reading: __, truncated, ...fields } = diagnostic;
    const hint = await this.hintFor(diagnostic, name);
    const failure = { ...fields, ...truncated && { truncated }, ...hint !== undefined && { hint } };
    if (this.#isOpen) return writeStdout(`,${toJson(failure)}`);
    this.#failures.push(failure);
    if (this.#failures.length <= MAX_KEPT) return;
    this.#isOpen = true;
    writeStdout(toJson({ file: name, failures: this.#failures }).slice(0, -2));
    this.#failures.length = 1;
  }

  protected override printResult(file: string, { bytes, documents, invalidDocuments }: InputResult): void {
    const failures = this.#failures;
    const isOpen = this.#isOpen;
    this.#reset();
    const result = { type: "result", ...!isOpen && { file }, valid: invalidDocuments === 0, bytes, ...failures[0] };
    const counts = documents === undefined ? {} : { documents, invalidDocuments };
    if (isOpen) writeStdout(`],${toJson({ ...result, ...counts }).slice(1)}\n`);
    else writeRecord({ ...result, ...counts, ...documents !== undefined && { failures } });
  }

  protected override printError(file: string, message: string): void {
    if (this.#isOpen) writeStdout(`],${toJson({ type: "error", message }).slice(1)}\n`);
    reportInputError(file, message, !this.#isOpen);
    this.#reset();
  }

  #reset(): void {
    this.#failures = [];
    this.#isOpen = false;
  }

  override printSummary(ms: number, exit: number, stats: Stats | undefined): void {
    const { unchecked, isInterrupted: _, ...counts } = this.tally;
    writeRecord({
      type: "summary",
      ...counts,
      ...unchecked > 0 && { unchecked },
      ms: Math.round(ms * 10) / 10,
      exit,
      ...stats && { stats: { ...stats, mibPerSecond: Number(stats.mibPerSecond.toPrecision(3)) } },
    });
  }
}

function toJson(value: Record<string, unknown>): string {
  return printableJson(JSON.stringify(value));
}
