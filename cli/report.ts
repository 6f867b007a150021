/** What `check` says of its inputs: for people on the report stream, for programs as records. */

import { count, formatBytes } from "../measure/byte_format.ts";
import { EXIT } from "./command.ts";
import { reportUnreadable } from "./input.ts";
import type { Finding, Verdict } from "./inspection.ts";
import { paint, printable, writeRecord, writeReport } from "./output.ts";

/** How many inputs of each kind there were. */
export interface Tally {
  /** Those checked: valid, invalid, or of no use. */
  files: number;
  valid: number;
  invalid: number;
  errors: number;
  bytes: number;
  /** Inputs that were not checked, to their end at least. */
  unchecked: number;
  isInterrupted: boolean;
}

/** What came of an input: a verdict, or why it could not be read. */
export type Outcome = Verdict | string;

/** Hears of inputs one after the other, and counts them. */
export abstract class Report {
  readonly tally: Tally = { files: 0, valid: 0, invalid: 0, errors: 0, bytes: 0, unchecked: 0, isInterrupted: false };

  /** Something is wrong with the input at hand. */
  abstract finding(name: string, finding: Finding): Promise<void>;

  /** The input at hand is over. */
  settle(name: string, outcome: Outcome): void {
    const { tally } = this;
    tally.files++;
    if (typeof outcome === "string") {
      tally.errors++;
      this.unreadable(name, outcome);
    } else {
      tally.bytes += outcome.bytes;
      if (outcome.invalidDocuments > 0) tally.invalid++;
      else tally.valid++;
      this.verdict(name, outcome);
    }
  }

  /** All inputs are over. */
  abstract summary(ms: number, exit: number, stats: Record<string, number> | undefined): void;

  protected abstract verdict(name: string, verdict: Verdict): void;
  protected abstract unreadable(name: string, message: string): void;
}

/** A report for people. */
export class Screen extends Report {
  readonly #isQuiet: boolean;
  readonly #hasSnippets: boolean;
  #told = 0;

  constructor(isQuiet: boolean, hasSnippets: boolean) {
    super();
    this.#isQuiet = isQuiet;
    this.#hasSnippets = hasSnippets;
  }

  override async finding(name: string, finding: Finding): Promise<void> {
    this.#told++;
    if (this.#isQuiet) return;
    const { reportFinding } = await import("./diagnostics.ts"); // not for those whose documents are valid
    reportFinding(name, finding, this.#hasSnippets);
  }

  protected override verdict(name: string, { documents, invalidDocuments }: Verdict): void {
    const told = this.#told;
    this.#told = 0;
    if (this.#isQuiet || documents === undefined || invalidDocuments === 0) return;
    const shown = told < invalidDocuments ? `; ${told} shown, --max-errors 0 shows all` : "";
    writeReport(`${printable(name)}: ${invalidDocuments} of ${count(documents, "document")} invalid${shown}\n`);
  }

  protected override unreadable(name: string, message: string): void {
    this.#told = 0;
    reportUnreadable(name, message, false);
  }

  override summary(ms: number, exit: number, stats: Record<string, number> | undefined): void {
    if (this.#isQuiet) return;
    writeReport(exit === EXIT.valid ? allValid(this.tally, ms) : notAllValid(this.tally));
    if (stats === undefined) return;
    writeReport(statLine("time", formatSeconds(ms)));
    for (const [name, figure] of Object.entries(stats)) {
      const isSpeed = name === "mibPerSecond";
      writeReport(statLine(STAT_NAMES[name], isSpeed ? `${figure.toFixed(1)} MiB/s` : formatBytes(figure)));
    }
  }
}

function allValid({ files, bytes }: Tally, ms: number): string {
  return `${paint("good", "ok")}  ${count(files, "file")}, ${formatBytes(bytes)}, ${formatSeconds(ms)}\n`;
}

function formatSeconds(ms: number): string {
  return `${(ms / 1e3).toFixed(2)} s`;
}

function notAllValid({ files, valid, invalid, errors, unchecked, isInterrupted }: Tally): string {
  const of = (some: number, what: string): string[] => some > 0 ? [`${some} of ${count(files, "file")} ${what}`] : [];
  const parts = [...of(invalid, "invalid"), ...of(errors, "could not be read")];
  if (parts.length === 0) parts.push(`${count(valid, "file")} valid`);
  if (unchecked > 0) parts.push(`${unchecked} not checked`);
  return `${isInterrupted ? "interrupted: " : ""}${parts.join(", ")}\n`;
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

/** A report for programs. */
export class Records extends Report {
  /** Of the input at hand. */
  #failures: Record<string, unknown>[] = [];

  override async finding(_name: string, finding: Finding): Promise<void> {
    const { excerpt: _, ...failure } = finding;
    const { hintFor } = await import("./hints.ts");
    const hint = hintFor(finding);
    this.#failures.push({ ...failure, ...hint !== undefined && { hint } });
  }

  protected override verdict(file: string, { bytes, documents, invalidDocuments }: Verdict): void {
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

  protected override unreadable(file: string, message: string): void {
    this.#failures = [];
    reportUnreadable(file, message, true);
  }

  override summary(ms: number, exit: number, stats: Record<string, number> | undefined): void {
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
