/** Report as JUnit's XML, which most services for continuous integration read, on standard output. */

import type { Diagnostic, InputResult } from "../diagnostics/diagnostic_validator.ts";
import { PROGRAM } from "../program.ts";
import { harmless, printableName } from "../terminal/printable.ts";
import { writeStdout } from "../terminal/streams.ts";
import { LineReport } from "./line_report.ts";
import type { Stats } from "./report.ts";

/**
 * Prints a test case for each input, as soon as it is checked. A failed one lists its failures,
 * which are printed as they are found, so that memory does not grow with their number.
 */
export class JunitReport extends LineReport {
  /** Whether the failures of the current input have begun. */
  #isOpen = false;

  constructor(isQuiet: boolean) {
    super(isQuiet);
    writeStdout(`<?xml version="1.0" encoding="UTF-8"?>\n<testsuites>\n<testsuite name="${PROGRAM} check">\n`);
  }

  protected override async printFailure(name: string, diagnostic: Diagnostic): Promise<void> {
    const { code, message, line, column } = diagnostic;
    // The line begins with the name, and standard output may be a log.
    const place = `${printableName(name)}:${line}:${column}`;
    if (!this.#isOpen) {
      this.#isOpen = true;
      const title = escapeXml(`${message} at ${line}:${column}`);
      writeStdout(`${testCase(name)}><failure type="${code}" message="${title}">\n`);
    }
    writeStdout(`${escapeXml(`${place}: ${await this.messageWithHint(name, diagnostic)}`)}\n`);
  }

  protected override printResult(name: string, result: InputResult): void {
    writeStdout(this.#isOpen ? "</failure></testcase>\n" : `${testCase(name)}/>\n`);
    this.#isOpen = false;
    super.printResult(name, result);
  }

  protected override printError(name: string, message: string): void {
    const error = `<error message="${escapeXml(message)}"/></testcase>\n`;
    writeStdout(this.#isOpen ? `</failure>${error}` : `${testCase(name)}>${error}`);
    this.#isOpen = false;
    super.printError(name, message);
  }

  override printSummary(ms: number, exit: number, stats: Stats | undefined): void {
    writeStdout("</testsuite>\n</testsuites>\n");
    super.printSummary(ms, exit, stats);
  }
}

/** Returns the start tag of an input's test case, without its closing `>`. */
function testCase(name: string): string {
  return `<testcase classname="${PROGRAM}" name="${escapeXml(name)}"`;
}

/** Escapes a text for XML, which has no control characters at all. */
function escapeXml(text: string): string {
  return harmless(text.toWellFormed()).replace(/[<>&"]/g, (character) => `&#${character.charCodeAt(0)};`);
}
