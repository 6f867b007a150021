/**
 * Reports of `--format compact` and `github`, and what they share with that of `sarif`: failures go
 * to standard output, and everything that is not a failure of a document to standard error.
 */

import type { Diagnostic, InputResult } from "../diagnostics/diagnostic_validator.ts";
import { PROGRAM } from "../program.ts";
import { harmless, printable, printableName } from "../terminal/printable.ts";
import { writeStdout } from "../terminal/streams.ts";
import { Report, type Stats } from "./report.ts";
import { printCountOfInvalid, printStats, printTally } from "./text_report.ts";

/** Prints errors of reading, numbers of omitted failures, and statistics. */
export abstract class LineReport extends Report {
  readonly #isQuiet: boolean;

  /** @param isQuiet Whether to print no summary. */
  constructor(isQuiet: boolean) {
    super();
    this.#isQuiet = isQuiet;
  }

  override async addDiagnostic(name: string, diagnostic: Diagnostic): Promise<void> {
    this.shown++;
    await this.printFailure(name, diagnostic);
  }

  protected abstract printFailure(name: string, diagnostic: Diagnostic): void | Promise<void>;

  /** Returns the message of a diagnostic, with the hint about it in brackets. */
  protected async messageWithHint(name: string, diagnostic: Diagnostic): Promise<string> {
    const hint = await this.hintFor(diagnostic, name);
    return hint === undefined ? diagnostic.message : `${diagnostic.message} (${hint})`;
  }

  protected override printResult(name: string, result: InputResult): void {
    if (this.shown < result.invalidDocuments) printCountOfInvalid(name, result, this.shown);
  }

  override printSummary(ms: number, exit: number, stats: Stats | undefined): void {
    if (!this.#isQuiet && this.tally.files > 0) printTally(this.tally, ms, exit);
    if (stats !== undefined) printStats(ms, stats);
  }
}

/**
 * Prints `file:line:column: error: message` for each failure, for editors and other readers of
 * lines.
 */
export class CompactReport extends LineReport {
  protected override printFailure(name: string, { line, column, message }: Diagnostic): void {
    writeStdout(`${printableName(name)}:${line}:${column}: error: ${message}\n`);
  }
}

/**
 * Prints an `::error` command for each failure and each input that cannot be read. GitHub shows
 * them as annotations.
 */
export class GithubReport extends LineReport {
  protected override async printFailure(name: string, diagnostic: Diagnostic): Promise<void> {
    const { line, column, message } = diagnostic;
    const hint = await this.hintFor(diagnostic, name);
    const text = hint === undefined ? message : `${message}\nhint: ${hint}`;
    writeCommand({ file: name, line: String(line), col: String(column), title: PROGRAM }, text);
  }

  protected override printError(name: string, message: string): void {
    super.printError(name, message);
    writeCommand({ file: name, title: PROGRAM }, message);
  }
}

function writeCommand(properties: Record<string, string>, message: string): void {
  const list = Object.entries(properties).map(([name, value]) => `${name}=${escapeProperty(value)}`).join(",");
  writeStdout(`::error ${list}::${escapeData(message)}\n`);
}

/**
 * Escapes the message of a command. GitHub decodes `%25`, `%0D` and `%0A`; other control characters
 * are made printable.
 */
function escapeData(text: string): string {
  return printable(escapeLines(text));
}

/**
 * Escapes the value of a property, in which `:` and `,` are delimiters. Invisible characters stay,
 * so that GitHub finds the file.
 */
function escapeProperty(text: string): string {
  return harmless(escapeLines(text)).replaceAll(":", "%3A").replaceAll(",", "%2C");
}

function escapeLines(text: string): string {
  return text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}
