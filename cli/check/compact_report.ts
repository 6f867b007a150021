/**
 * Report for editors and other programs that read lines: one line per failure on standard output.
 *
 * @module
 */

import type { Diagnostic } from "../diagnostics/diagnostic_validator.ts";
import { printableName } from "../terminal/printable.ts";
import { writeStdout } from "../terminal/streams.ts";
import { LineReport } from "./line_report.ts";

/** Prints `file:line:column: error: message` for each failure, and nothing of valid inputs. */
export class CompactReport extends LineReport {
  override addDiagnostic(name: string, { line, column, message }: Diagnostic): Promise<void> {
    this.countShown();
    writeStdout(`${printableName(name)}:${line}:${column}: error: ${message}\n`);
    return Promise.resolve();
  }
}
