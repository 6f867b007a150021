/** What the command line writes, and in which colours. */

import type { COLOUR_CHOICES } from "../commands.ts";

const encoder = new TextEncoder();
const closed = new Set<unknown>();

/** Standard output cannot be written to, for another reason than that its reader has gone. */
export class OutputError extends Error {
  constructor(cause: unknown) {
    super(`cannot write to standard output: ${cause instanceof Error ? cause.message : cause}`, { cause });
  }
}

/** Data that was asked for. Silent once the reader has gone. */
export function writeData(text: string): void {
  write(Deno.stdout, text);
}

/** Copies bytes to standard output. Drops them once the reader has gone. */
export async function passData(bytes: Uint8Array): Promise<void> {
  clearStatus();
  if (closed.has(Deno.stdout)) return;
  try {
    for (let written = 0; written < bytes.length;) written += await Deno.stdout.write(bytes.subarray(written));
  } catch (error) {
    if (!isReaderGone(error)) throw new OutputError(error);
    closed.add(Deno.stdout);
  }
}

/** Tells whether a write failed because nobody reads: the other end of a pipe, or of a socket, is closed. */
function isReaderGone(error: unknown): boolean {
  return error instanceof Deno.errors.BrokenPipe || error instanceof Deno.errors.ConnectionReset;
}

/** Writes a record of `--json` on a line of its own. Whatever might act on a terminal or a log is escaped. */
export function writeRecord(record: Record<string, unknown>): void {
  const json = JSON.stringify(record).replace(UNSAFE, escapeUnit).replace(LOG_COMMAND, escapeUnit);
  writeData(json + "\n");
}

function escapeUnit(unit: string): string {
  return "\\u" + unit.charCodeAt(0).toString(16).padStart(4, "0");
}

/** Reports and diagnostics. Silent once the reader has gone. */
export function writeReport(text: string): void {
  write(Deno.stderr, text);
}

/** Writes an error message on a line of its own. Whatever it quotes is harmless to the terminal. */
export function writeError(message: string): void {
  writeReport(`${printable(message)}\n`);
}

/** A line on the terminal that the next text of any kind takes the place of; empty for none. */
export function showStatus(line: string): void {
  writeReport(line);
  hasStatus = line !== "";
}

/** Back to the first column, and clear the line. */
const CLEAR_LINE = "\r\x1b[K";
let hasStatus = false;

function clearStatus(): void {
  if (!hasStatus) return;
  hasStatus = false;
  write(Deno.stderr, CLEAR_LINE);
}

function write(stream: typeof Deno.stdout | typeof Deno.stderr, text: string): void {
  clearStatus();
  if (closed.has(stream)) return;
  const bytes = encoder.encode(text);
  try {
    for (let written = 0; written < bytes.length;) written += stream.writeSync(bytes.subarray(written));
  } catch (error) {
    // `bytejson … | head -1` is no failure: the exit code stays the verdict's. And of a broken stderr nobody can be told.
    if (stream === Deno.stdout && !isReaderGone(error)) throw new OutputError(error);
    closed.add(stream);
  }
}

// Not @std/fmt/colors: it has no way to let an explicit --color=always win over NO_COLOR.
const STYLES = { strong: 1, faint: 2, bad: 31, good: 32, hint: 36 } as const;
let coloured = false;

/** Decides about colour: the flag, then NO_COLOR, then FORCE_COLOR, then whether reports go to a terminal. */
export function chooseColour(when: typeof COLOUR_CHOICES[number]): void {
  coloured = when === "always" || when === "auto" && wantsColour();
}

function wantsColour(): boolean {
  if (Deno.env.get("NO_COLOR")) return false;
  const forced = Deno.env.get("FORCE_COLOR");
  return forced ? forced !== "0" : Deno.stderr.isTerminal();
}

/** The text in a style, where colour is on. */
export function paint(style: keyof typeof STYLES, text: string): string {
  return coloured ? `\x1b[${STYLES[style]}m${text}\x1b[0m` : text;
}

// C1 controls, line separators and bidirectional overrides would let a document rewrite the screen it is shown on.
const UNSAFE = /[\x7f-\x9f\u2028-\u202e\u2066-\u2069]/g;

// `##[add-mask]` of GitHub, `##vso[…]` of Azure, `##teamcity[…]`: commands wherever they stand in a line of a log. The comparison of the
// first one passes over characters that are ignorable.
const LOG_COMMAND = /#(?=\p{DI}*#[\w\p{DI}]*\[)/gu;

/** The text with nothing in it that a terminal or a log would act on: control characters become their pictures (␊). */
export function printable(text: string): string {
  return text
    // deno-lint-ignore no-control-regex
    .replace(/[\0-\x1f]/g, (control) => String.fromCharCode(0x2400 + control.charCodeAt(0)))
    .replaceAll("\x7f", "␡")
    .replace(UNSAFE, "\ufffd")
    .replace(LOG_COMMAND, "♯");
}

// `::add-mask::` of GitHub, after any white space, `---` and `+++` of others: commands at the beginning of a line of a log.
const LINE_COMMAND = /^[\s\p{DI}]*[-+:#]/u;

/** The name of a file as a line of a report can begin with it: printable, and `./` before what might be a command to a log. */
export function printableName(name: string): string {
  const shown = printable(name);
  return LINE_COMMAND.test(shown) ? `./${shown}` : shown;
}
