/**
 * Reports that list failures on standard output, for editors and for CI services. Failures are
 * printed as they are found, so that memory does not grow with their number. Everything else goes
 * to standard error.
 */

import { count } from "../../measure/byte_format.ts";
import type { Arguments } from "../arguments.ts";
import type { Format } from "../commands.ts";
import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import type { InputResult } from "../diagnostics/diagnostic_validator.ts";
import { inputName, withSlashes } from "../input/read_error.ts";
import { platform } from "../platform/platform.ts";
import { EXIT, PROGRAM } from "../program.ts";
import { harmless, printable, printableJson, printableName } from "../terminal/printable.ts";
import { writeStdout } from "../terminal/streams.ts";
import { Report, type Stats } from "./report.ts";
import { repositoryPath } from "./repository_path.ts";
import { printCountOfInvalid, printStats, printTally } from "./text_report.ts";

/** Format of a report: the texts of its parts. */
interface LineFormat {
  readonly head?: string;
  /** Returns the text of a failure, with `hint` if there is one and the format has hints. */
  failure(name: string, diagnostic: Diagnostic, hint: string | undefined): string | Promise<string>;
  readonly hasHints?: boolean;
  /**
   * Returns the text at the end of an input; `error` if it could not be read. `hidden` is the number
   * of failures that were not shown.
   */
  end?(name: string, error: string | undefined, hidden?: number): string;
  tail?(exit: number): string;
}

class LineReport extends Report {
  readonly #isQuiet: boolean;
  readonly #format: LineFormat;

  constructor(args: Arguments, format: LineFormat) {
    super(args);
    this.#format = format;
    this.#isQuiet = args.has("quiet");
    writeStdout(format.head ?? "");
  }

  override async addDiagnostic(name: string, diagnostic: Diagnostic): Promise<void> {
    this.shown++;
    const hint = this.#format.hasHints === false ? undefined : await this.hintFor(diagnostic, name);
    writeStdout(await this.#format.failure(name, diagnostic, hint));
  }

  protected override printResult(name: string, result: InputResult): void {
    const hidden = result.invalidDocuments - this.shown;
    if (hidden > 0) printCountOfInvalid(name, result, this.shown);
    writeStdout(this.#format.end?.(name, undefined, hidden) ?? "");
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

/** Creates the report of `--format`. */
export async function createLineReport(args: Arguments, format: Exclude<Format, "text" | "json">): Promise<Report> {
  if (format !== "sarif") return new LineReport(args, { compact, github, gitlab, junit }[format]());
  const { version } = (await import("../../deno.json", { with: { type: "json" } })).default;
  return new LineReport(args, sarif(version));
}

/** Name of standard input in a report. */
const STDIN = inputName("-");

/** Returns the path of an input from the root of the repository; that of standard input is its name. */
function fileOf(name: string): string {
  return name === STDIN ? name : repositoryPath(name);
}

function messageWithHint({ message }: Diagnostic, hint: string | undefined): string {
  return hint === undefined ? message : `${message} (${hint})`;
}

/** `file:line:column: error: message`. */
function compact(): LineFormat {
  return {
    failure: (name, { line, column, message }) => `${printableName(name)}:${line}:${column}: error: ${message}\n`,
    hasHints: false,
  };
}

/** An `::error` command for each failure and unreadable input, which GitHub annotates. */
function github(): LineFormat {
  // GitHub decodes `%25`, `%0D` and `%0A`.
  const escapeLines = (text: string): string =>
    text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
  // `:` and `,` are delimiters. Invisible characters stay, so that GitHub finds the file.
  const escapeProperty = (text: string): string =>
    harmless(escapeLines(text)).replaceAll(":", "%3A").replaceAll(",", "%2C");
  const command = (properties: Record<string, string | number>, message: string): string => {
    const list = Object.entries(properties).map(([name, value]) => `${name}=${escapeProperty(String(value))}`);
    return `::error ${list.join(",")}::${printable(escapeLines(message))}\n`;
  };
  return {
    failure(name, { line, column, message }, hint): string {
      const text = hint === undefined ? message : `${message}\nhint: ${hint}`;
      return command({ file: fileOf(name), line, col: column, title: PROGRAM }, text);
    },
    end: (name, error) => error === undefined ? "" : command({ file: fileOf(name), title: PROGRAM }, error),
  };
}

/** Bytes of a fingerprint, enough to make it unique. */
const FINGERPRINT_BYTES = 16;

/** Code Quality issues as a JSON array. */
function gitlab(): LineFormat {
  let hasIssues = false;
  /** Numbers of issues of the current input, by kind. */
  const counts = new Map<string, number>();
  return {
    async failure(name, diagnostic, hint): Promise<string> {
      const { code, line } = diagnostic;
      const path = fileOf(name);
      const ordinal = (counts.get(code) ?? 0) + 1;
      counts.set(code, ordinal);
      // The number of a line changes when others are added, so it is not part of the fingerprint.
      const identity = new TextEncoder().encode(`${path}\0${code}\0${ordinal}`);
      const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", identity), 0, FINGERPRINT_BYTES);
      const issue = {
        description: messageWithHint(diagnostic, hint),
        check_name: code,
        fingerprint: Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join(""),
        severity: "major",
        location: { path, lines: { begin: line } },
      };
      const separator = hasIssues ? "," : "[";
      hasIssues = true;
      return `${separator}\n${printableJson(JSON.stringify(issue))}`;
    },
    end(): string {
      counts.clear();
      return "";
    },
    tail: () => hasIssues ? "\n]\n" : "[]\n",
  };
}

/** JUnit's XML, which most services read: a test case for each input, with its failures. */
function junit(): LineFormat {
  // XML does not allow control characters.
  const escapeXml = (text: string): string =>
    harmless(text.toWellFormed()).replace(/[<>&"]/g, (character) => `&#${character.charCodeAt(0)};`);
  const testCase = (name: string): string => `<testcase classname="${PROGRAM}" name="${escapeXml(name)}"`;
  /** Whether the failures of the current input have begun. */
  let isOpen = false;
  return {
    head: `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites>\n<testsuite name="${PROGRAM} check">\n`,
    failure(name, diagnostic, hint): string {
      const { code, message, line, column } = diagnostic;
      const title = escapeXml(`${message} at ${line}:${column}`);
      const head = isOpen ? "" : `${testCase(name)}><failure type="${code}" message="${title}">\n`;
      isOpen = true;
      // The line begins with the name, and standard output may be a log.
      return `${head}${escapeXml(`${printableName(name)}:${line}:${column}: ${messageWithHint(diagnostic, hint)}`)}\n`;
    },
    end(name, error): string {
      const wasOpen = isOpen;
      isOpen = false;
      if (error === undefined) return wasOpen ? "</failure></testcase>\n" : `${testCase(name)}/>\n`;
      return `${wasOpen ? "</failure>" : `${testCase(name)}>`}<error message="${escapeXml(error)}"/></testcase>\n`;
    },
    tail: () => "</testsuite>\n</testsuites>\n",
  };
}

const SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json";
const INFORMATION = "https://jsr.io/@bytejson/bytejson";

/**
 * A SARIF 2.1.0 log, the format of code scanning services. Rules and read errors follow at the end,
 * since members of an object have no order.
 */
function sarif(semanticVersion: string): LineFormat {
  /** Codes of the failures so far. Their order gives the indexes of the rules. */
  const codes: string[] = [];
  const toolExecutionNotifications: Record<string, unknown>[] = [];
  return {
    head: `{"$schema":"${SCHEMA}","version":"2.1.0","runs":[{"columnKind":"utf16CodeUnits","results":[`,
    failure(name, diagnostic, hint): string {
      const { code, line, column, offset } = diagnostic;
      const separator = codes.length > 0 ? "," : "";
      if (!codes.includes(code)) codes.push(code);
      const result = {
        ruleId: code,
        ruleIndex: codes.indexOf(code),
        level: "error",
        message: { text: messageWithHint(diagnostic, hint) },
        locations: [locationOf(name, { startLine: line, startColumn: column })],
        properties: { byteOffset: offset },
      };
      return `${separator}\n${printableJson(JSON.stringify(result))}`;
    },
    end(name, error, hidden = 0): string {
      const notify = (level: string, text: string): void => {
        toolExecutionNotifications.push({ level, message: { text }, locations: [locationOf(name)] });
      };
      if (error !== undefined) notify("error", error);
      if (hidden > 0) notify("warning", `${count(hidden, "failure")} of this file left out; --max-errors 0 shows all`);
      return "";
    },
    tail(exitCode): string {
      const rules = codes.map((id) => ({
        id,
        shortDescription: { text: `${id[0].toUpperCase()}${id.slice(1).replaceAll("-", " ")}` },
      }));
      const driver = { name: PROGRAM, semanticVersion, informationUri: INFORMATION, rules };
      const executionSuccessful = exitCode === EXIT.valid || exitCode === EXIT.invalid;
      const invocations = [{ executionSuccessful, exitCode, toolExecutionNotifications }];
      return `\n],${printableJson(JSON.stringify({ tool: { driver }, invocations })).slice(1, -1)}}]}\n`;
    },
  };
}

/** Returns the physical location of a failure or, without a region, of an input. */
function locationOf(name: string, region?: Record<string, number>): Record<string, unknown> {
  const artifactLocation = name === STDIN ? { description: { text: "standard input" } } : { uri: uriOf(fileOf(name)) };
  return { physicalLocation: { artifactLocation, ...region && { region } } };
}

/** Returns a path as a URI reference: absolute paths as `file:`, others relative. */
function uriOf(path: string): string {
  const slashed = withSlashes(path);
  const reference = slashed.toWellFormed().split("/").map(encodeURIComponent).join("/");
  if (slashed.startsWith("/")) return `file://${reference}`;
  if (platform.isWindows && /^[a-z]:\//i.test(slashed)) return `file:///${slashed[0]}:${reference.slice(4)}`;
  return reference;
}
