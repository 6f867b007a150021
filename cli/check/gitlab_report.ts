/** Report for GitLab: Code Quality issues as a JSON array on standard output. */

import type { Diagnostic } from "../diagnostics/diagnostic_validator.ts";
import { platform } from "../platform/platform.ts";
import { printableJson } from "../terminal/printable.ts";
import { writeStdout } from "../terminal/streams.ts";
import { LineReport } from "./line_report.ts";
import type { Stats } from "./report.ts";

/** Bytes of a fingerprint: enough for no two issues to have the same. */
const FINGERPRINT_BYTES = 16;

/** Prints each failure as soon as it is found, so that memory does not grow with their number. */
export class GitlabReport extends LineReport {
  #hasIssues = false;
  /** Numbers of issues of the current input, by their kinds. */
  readonly #counts = new Map<string, number>();

  protected override async printFailure(name: string, diagnostic: Diagnostic): Promise<void> {
    const { code, line } = diagnostic;
    const ordinal = (this.#counts.get(code) ?? 0) + 1;
    this.#counts.set(code, ordinal);
    // Lines move when others are added, so they are no part of the fingerprint.
    const identity = `${pathOf(name)}\0${code}\0${ordinal}`;
    const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(identity));
    const bytes = [...new Uint8Array(digest, 0, FINGERPRINT_BYTES)];
    const fingerprint = bytes.map((byte) => byte.toString(16).padStart(2, "0")).join("");
    const issue = {
      description: await this.messageWithHint(name, diagnostic),
      check_name: code,
      fingerprint,
      severity: "major",
      location: { path: pathOf(name), lines: { begin: line } },
    };
    writeStdout(`${this.#hasIssues ? "," : "["}\n${printableJson(JSON.stringify(issue))}`);
    this.#hasIssues = true;
  }

  override addOutcome(...args: Parameters<LineReport["addOutcome"]>): void {
    super.addOutcome(...args);
    this.#counts.clear();
  }

  override printSummary(ms: number, exit: number, stats: Stats | undefined): void {
    writeStdout(this.#hasIssues ? "\n]\n" : "[]\n");
    super.printSummary(ms, exit, stats);
  }
}

/** Returns a path as GitLab knows it: from the root of the repository, with slashes. */
function pathOf(name: string): string {
  return (platform.isWindows ? name.replaceAll("\\", "/") : name).replace(/^(?:\.\/+)+/, "");
}
