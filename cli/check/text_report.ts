/** Report for people, on standard error. */

import { count, formatBytes } from "../../measure/byte_format.ts";
import type { Arguments } from "../arguments.ts";
import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import type { InputResult } from "../diagnostics/diagnostic_validator.ts";
import { EXIT } from "../program.ts";
import { printableName } from "../terminal/printable.ts";
import { writeProse, writeStderr } from "../terminal/streams.ts";
import { Report, type Stats, type Tally } from "./report.ts";
import { formatSeconds, summaryOfValid } from "./valid_summary.ts";

export interface TextReportOptions {
  /** Whether to print nothing but read errors. */
  isQuiet: boolean;
  hasSnippets: boolean;
  maxShown: number;
  /** Whether each bad line of an input after the first is reported in one line. */
  isBrief?: boolean;
}

export class TextReport extends Report {
  readonly #options: TextReportOptions;
  #allShown = 0;
  /** Number of invalid documents of inputs about which nothing is printed. */
  #hidden = 0;
  #printing: typeof import("../diagnostics/print_diagnostic.ts") | undefined;

  constructor(args: Arguments, options: TextReportOptions) {
    super(args);
    this.#options = options;
  }

  override async addDiagnostic(name: string, diagnostic: Diagnostic): Promise<void> {
    if (this.#allShown >= this.#options.maxShown) return;
    this.#allShown++;
    this.shown++;
    if (this.#options.isQuiet) return;
    // Loaded here, so that a check of valid documents does not pay for it.
    this.#printing ??= await import("../diagnostics/print_diagnostic.ts");
    const { hasSnippets, isBrief } = this.#options;
    if (isBrief && diagnostic.reading === "lines" && this.shown > 1) this.#printing.printFailure(name, diagnostic);
    else this.#printing.printDiagnostic(name, diagnostic, hasSnippets, this);
  }

  protected override printResult(name: string, result: InputResult): void {
    const { documents, invalidDocuments } = result;
    if (this.#options.isQuiet || invalidDocuments === 0) return;
    if (this.shown === 0) this.#hidden += invalidDocuments;
    else if (documents !== undefined) printCountOfInvalid(name, result, this.shown);
  }

  override printSummary(ms: number, exit: number, stats: Stats | undefined): void {
    if (this.#options.isQuiet) return;
    printTally(this.tally, ms, exit, this.#hidden);
    if (stats !== undefined) printStats(ms, stats);
  }
}

/**
 * Prints the summary.
 *
 * @param hidden Number of failures that were not shown.
 */
export function printTally(tally: Tally, ms: number, exit: number, hidden = 0): void {
  const { files, valid, invalid, errors, bytes, unchecked, isInterrupted } = tally;
  if (exit === EXIT.valid) return writeStderr(summaryOfValid(files, bytes, ms));
  const share = (some: number, state: string): string[] =>
    some > 0 ? [`${some} of ${count(files, "file")} ${state}`] : [];
  const parts = [...share(invalid, "invalid"), ...share(errors, "could not be read")];
  if (parts.length === 0) parts.push(`${count(valid, "file")} valid`);
  if (unchecked > 0) parts.push(`${unchecked} not checked`);
  if (hidden > 0) parts.push(`${count(hidden, "error")} not shown; --max-errors 0 shows all`);
  writeProse(`${isInterrupted ? "interrupted: " : ""}${parts.join(", ")}`);
}

/** Prints how many documents of JSON Lines are invalid, and how many of them were shown. */
export function printCountOfInvalid(
  name: string,
  { documents = 1, invalidDocuments }: InputResult,
  shown: number,
): void {
  const rest = shown < invalidDocuments ? `; ${shown} shown, --max-errors 0 shows all` : "";
  writeProse(`${printableName(name)}: ${invalidDocuments} of ${count(documents, "document")} invalid${rest}`);
}

export function printStats(ms: number, stats: Stats): void {
  writeStderr(statLine("time", formatSeconds(ms)));
  for (const [name, figure] of Object.entries(stats)) {
    const isSpeed = name === "mibPerSecond";
    writeStderr(statLine(STAT_NAMES[name], isSpeed ? `${figure.toFixed(1)} MiB/s` : formatBytes(figure)));
  }
}

const STAT_NAMES: Record<string, string> = {
  mibPerSecond: "throughput",
  heapUsed: "heap used",
  external: "external",
  rss: "RSS",
  peakRss: "peak RSS",
};

function statLine(name: string, figure: string): string {
  return `${name.padEnd(12)}${figure}\n`;
}
