/**
 * Report of a whole run of `deno test`: a line for each file when it begins, failures as Deno
 * prints them, and at the end the skipped tests by reason. Deno prints a line for each of thousands
 * of steps, which hide what matters.
 */

import { stripAnsiCode } from "@std/fmt/colors";
import { TextLineStream } from "@std/streams/text-line-stream";

/** Line of a test or a step, in a run with `--parallel`. */
const RESULT = /^(\S+) => (.*) \.\.\. (ok|FAILED|ignored)\b.*\)$/;

/** Lines around the output of tests. */
const OUTPUT_MARK = /^-+ (?:pre-test |post-test )?output(?: end)? -+$/;

/** First line of the last part of Deno's own report. */
const END = /^(?: ERRORS | FAILURES |(?:ok|FAILED) \| \d+ passed.*)$/;

/** Name of a test that is registered as skipped: see `tests/support/skip.ts`. */
const SKIPPED = /\(skipped: (.*?)\)(?: \.\.\.|$)/;

/** Message of a test that decides to skip itself while it runs. */
const SKIPPED_WITHIN = /^skipped: (.*)$/;

const LONG = / \(long\)$/;

/** Reads the output of `deno test --parallel`, line by line. */
export class TestReport {
  readonly #print: (line: string) => void;
  readonly #files = new Set<string>();
  /** Numbers of skipped tests, by their reasons. */
  readonly #skipped = new Map<string, number>();
  #hasEnded = false;

  constructor(print: (line: string) => void) {
    this.#print = print;
  }

  add(line: string): void {
    const plain = stripAnsiCode(line);
    if (!this.#hasEnded && END.test(plain)) this.#endTests();
    if (this.#hasEnded) return this.#print(line);
    const result = RESULT.exec(plain);
    if (result !== null) return this.#addResult(line, result);
    const within = SKIPPED_WITHIN.exec(plain);
    if (within !== null) this.#skip(within[1]);
    else if (plain !== "" && !OUTPUT_MARK.test(plain)) this.#print(line);
  }

  #addResult(line: string, [, path, name, result]: RegExpExecArray): void {
    const file = path.replace(/[#$]\d.*$/, ""); // an example of documentation is followed by its lines
    if (!this.#files.has(file)) this.#print(file);
    this.#files.add(file);
    if (result === "FAILED") this.#print(line);
    if (result !== "ignored") return;
    const reason = LONG.test(name) ? "takes long; deno task test long runs it" : SKIPPED.exec(name)?.[1];
    this.#skip(reason ?? name);
  }

  #skip(reason: string): void {
    this.#skipped.set(reason, (this.#skipped.get(reason) ?? 0) + 1);
  }

  #endTests(): void {
    this.#hasEnded = true;
    this.#print("");
    for (const [reason, count] of this.#skipped) {
      this.#print(`skipped: ${reason}${count > 1 ? ` (${count} times)` : ""}`);
    }
  }
}

/** Passes the output of `deno test --parallel` through a report. */
export async function report(
  output: ReadableStream<Uint8Array<ArrayBuffer>>,
  print: (line: string) => void,
): Promise<void> {
  const testReport = new TestReport(print);
  const lines: ReadableStream<string> = output.pipeThrough(new TextDecoderStream()).pipeThrough(new TextLineStream());
  for await (const line of lines) testReport.add(line);
}
