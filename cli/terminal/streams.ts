/**
 * Writing to standard output and standard error, and their widths. A stream whose reader has gone
 * is dropped silently, so that the exit code stays that of the work done.
 *
 * @module
 */

import { printable, printableJson } from "./printable.ts";

type OutputStream = typeof Deno.stdout | typeof Deno.stderr;

const encoder = new TextEncoder();

/** Streams whose reader has gone. */
const closed = new Set<OutputStream>();

/** Moves to the first column and clears the line. */
const CLEAR_LINE = "\r\x1b[K";

/** Whether the terminal shows a status line. */
let hasStatusLine = false;

/** Error of a write to standard output, for another reason than a reader that has gone. */
export class OutputError extends Error {
  constructor(cause: unknown) {
    super(`cannot write to standard output: ${cause instanceof Error ? cause.message : cause}`, { cause });
  }
}

/** Writes requested data to standard output. */
export function writeStdout(text: string): void {
  write(Deno.stdout, text);
}

/** Copies bytes to standard output. */
export async function copyToStdout(bytes: Uint8Array): Promise<void> {
  clearStatusLine();
  if (closed.has(Deno.stdout)) return;
  try {
    for (let written = 0; written < bytes.length;) written += await Deno.stdout.write(bytes.subarray(written));
  } catch (error) {
    handleWriteError(Deno.stdout, error);
  }
}

/** Writes a record of `--json` to a line of standard output. */
export function writeRecord(record: Record<string, unknown>): void {
  writeStdout(printableJson(JSON.stringify(record)) + "\n");
}

/** Writes reports and diagnostics to standard error. */
export function writeStderr(text: string): void {
  write(Deno.stderr, text);
}

/** Writes an error message to a line of standard error, printable whatever it quotes. */
export function writeError(message: string): void {
  writeStderr(`${printable(message)}\n`);
}

/** Shows a line on the terminal until anything else is written. An empty line removes it. */
export function showStatusLine(line: string): void {
  writeStderr(line);
  hasStatusLine = line !== "";
}

function clearStatusLine(): void {
  if (!hasStatusLine) return;
  hasStatusLine = false;
  write(Deno.stderr, CLEAR_LINE);
}

function write(stream: OutputStream, text: string): void {
  clearStatusLine();
  if (closed.has(stream)) return;
  const bytes = encoder.encode(text);
  try {
    for (let written = 0; written < bytes.length;) written += stream.writeSync(bytes.subarray(written));
  } catch (error) {
    handleWriteError(stream, error);
  }
}

/** Drops the stream. Throws if it is standard output and its reader has not gone. */
function handleWriteError(stream: OutputStream, error: unknown): void {
  const isReaderGone = error instanceof Deno.errors.BrokenPipe || error instanceof Deno.errors.ConnectionReset;
  if (stream === Deno.stdout && !isReaderGone) throw new OutputError(error);
  closed.add(stream);
}

/** Columns where there is no terminal. */
const DEFAULT_COLUMNS = 80;

/** Fewest columns that screens are laid out for; a narrower terminal wraps them. */
const MIN_COLUMNS = 40;

/** Most columns that screens use: longer lines are hard to read. */
const MAX_COLUMNS = 200;

/** Returns the columns for text on standard output. */
export function stdoutColumns(): number {
  return columnsOf(Deno.stdout);
}

/** Returns the columns for text on standard error. */
export function stderrColumns(): number {
  return columnsOf(Deno.stderr);
}

function columnsOf(stream: OutputStream): number {
  if (!stream.isTerminal()) return DEFAULT_COLUMNS;
  // A terminal of unknown size says that it has no columns.
  const columns = Deno.consoleSize().columns || DEFAULT_COLUMNS;
  return Math.min(MAX_COLUMNS, Math.max(MIN_COLUMNS, columns));
}
