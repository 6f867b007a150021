/** Report as a SARIF 2.1.0 log, the format of code scanning services, on standard output. */

import type { Diagnostic } from "../diagnostics/diagnostic_validator.ts";
import { inputName } from "../input/read_error.ts";
import { platform } from "../platform/platform.ts";
import { EXIT, PROGRAM } from "../program.ts";
import { printableJson } from "../terminal/printable.ts";
import { writeStdout } from "../terminal/streams.ts";
import { LineReport } from "./line_report.ts";
import type { Stats } from "./report.ts";

const SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json";
const INFORMATION = "https://jsr.io/@bytejson/bytejson";

/**
 * Prints each failure as soon as it is found, so that memory does not grow with their number. Rules
 * and errors of reading follow at the end: members of an object have no order.
 */
export class SarifReport extends LineReport {
  readonly #version: string;
  /** Codes of the failures so far. Their order gives the indexes of the rules. */
  readonly #codes: string[] = [];
  readonly #notifications: Record<string, unknown>[] = [];
  #hasResults = false;

  constructor(isQuiet: boolean, version: string) {
    super(isQuiet);
    this.#version = version;
    const head = { $schema: SCHEMA, version: "2.1.0" };
    writeStdout(`${JSON.stringify(head).slice(0, -1)},"runs":[{"columnKind":"utf16CodeUnits","results":[`);
  }

  protected override async printFailure(name: string, diagnostic: Diagnostic): Promise<void> {
    const { code, line, column, offset } = diagnostic;
    if (!this.#codes.includes(code)) this.#codes.push(code);
    const result = {
      ruleId: code,
      ruleIndex: this.#codes.indexOf(code),
      level: "error",
      message: { text: await this.messageWithHint(name, diagnostic) },
      locations: [locationOf(name, { startLine: line, startColumn: column })],
      properties: { byteOffset: offset },
    };
    writeStdout(`${this.#hasResults ? "," : ""}\n${printableJson(JSON.stringify(result))}`);
    this.#hasResults = true;
  }

  protected override printError(name: string, message: string): void {
    super.printError(name, message);
    this.#notifications.push({ level: "error", message: { text: message }, locations: [locationOf(name)] });
  }

  override printSummary(ms: number, exit: number, stats: Stats | undefined): void {
    const driver = {
      name: PROGRAM,
      semanticVersion: this.#version,
      informationUri: INFORMATION,
      rules: this.#codes.map((id) => ({ id, shortDescription: { text: sentenceOf(id) } })),
    };
    const invocation = {
      executionSuccessful: exit === EXIT.valid || exit === EXIT.invalid,
      exitCode: exit,
      toolExecutionNotifications: this.#notifications,
    };
    const tail = { tool: { driver }, invocations: [invocation] };
    writeStdout(`\n],${printableJson(JSON.stringify(tail)).slice(1, -1)}}]}\n`);
    super.printSummary(ms, exit, stats);
  }
}

/** Returns the physical location of a failure, or that of an input without a region. */
function locationOf(name: string, region?: Record<string, number>): Record<string, unknown> {
  const artifactLocation = name === inputName("-") ? { description: { text: "standard input" } } : { uri: uriOf(name) };
  return { physicalLocation: { artifactLocation, ...region && { region } } };
}

/** Returns a path as a URI reference: absolute paths as `file:`, others relative. */
function uriOf(path: string): string {
  const slashed = platform.isWindows ? path.replaceAll("\\", "/") : path;
  const reference = slashed.toWellFormed().split("/").map(encodeURIComponent).join("/");
  if (slashed.startsWith("/")) return `file://${reference}`;
  if (platform.isWindows && /^[a-z]:\//i.test(slashed)) return `file:///${slashed[0]}:${reference.slice(4)}`;
  return reference;
}

/** Returns a code in words: `unexpected-end` is "Unexpected end". */
function sentenceOf(code: string): string {
  const words = code.replaceAll("-", " ");
  return words[0].toUpperCase() + words.slice(1);
}
