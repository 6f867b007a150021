/**
 * Report for GitHub workflows: one `::error` command per failure, which GitHub shows as an
 * annotation at the line.
 *
 * @module
 */

import type { Diagnostic } from "../diagnostics/diagnostic_validator.ts";
import { inputName } from "../input/read_error.ts";
import { PROGRAM } from "../program.ts";
import { printable } from "../terminal/printable.ts";
import { writeStdout } from "../terminal/streams.ts";
import { LineReport } from "./line_report.ts";

/** Prints a workflow command for each failure and each input that cannot be read. */
export class GithubReport extends LineReport {
  override async addDiagnostic(name: string, diagnostic: Diagnostic): Promise<void> {
    this.countShown();
    const { line, column, message } = diagnostic;
    // Loaded here, so that a check of valid documents does not pay for it.
    const hint = (await import("../diagnostics/hints.ts")).hintFor(diagnostic);
    const text = hint === undefined ? message : `${message}\nhint: ${hint}`;
    writeCommand({ file: name, line: String(line), col: String(column), title: PROGRAM }, text);
  }

  protected override printError(name: string, message: string): void {
    super.printError(name, message);
    writeCommand({ file: inputName(name), title: PROGRAM }, message);
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
  return printable(text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A"));
}

/** Escapes the value of a property, in which `:` and `,` are delimiters. */
function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
}
