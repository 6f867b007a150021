/**
 * Writing to standard output and standard error. A stream whose reader has gone is dropped silently,
 * so that the exit code stays that of the work done.
 */

import { LINE_FEED } from "../bytes.ts";
import type { OutputStream } from "../platform/interface.ts";
import { platform } from "../platform/platform.ts";
import { kindOf, messageOf } from "../platform/system_errors.ts";
import { proseLines } from "./lines.ts";
import { printable, printableJson } from "./printable.ts";

const encoder = new TextEncoder();
const lineBuffer = new Uint8Array(2 ** 13);

/** Streams whose reader has gone. */
const closed = new Set<OutputStream>();

/** Moves to the first column and clears the line. */
const CLEAR_LINE = "\r\x1b[K";

let hasStatusLine = false;

/** Whether the cursor of the terminal is in a line with text that is not a report. */
let isLineOpen = false;

/** Error of a write to standard output, other than that its reader has gone (EPIPE). */
export class OutputError extends Error {
  constructor(cause: unknown) {
    super(`cannot write to standard output: ${messageOf(cause)}`, { cause });
  }
}

/** Writes requested text to standard output, and blocks meanwhile. */
export function writeStdout(text: string): void {
  write(platform.stdout, text);
}

/** Writes requested bytes to standard output, without blocking: for large outputs. */
export async function copyToStdout(bytes: Uint8Array): Promise<void> {
  if (isOutputShown()) clearStatusLine();
  if (closed.has(platform.stdout)) return;
  try {
    // The array itself at first, not a view ("Views": see ARCHITECTURE.md).
    let written = bytes.length === 0 ? 0 : await platform.stdout.write(bytes);
    while (written < bytes.length) written += await platform.stdout.write(bytes.subarray(written));
    if (isOutputShown()) noteLineEnd(bytes);
  } catch (error) {
    handleWriteError(platform.stdout, error);
  }
}

export function isStdoutClosed(): boolean {
  return closed.has(platform.stdout);
}

/** Writes a record of `--json` to a line of standard output. */
export function writeRecord(record: object): void {
  writeStdout(printableJson(JSON.stringify(record)) + "\n");
}

/** Writes reports and diagnostics to standard error. */
export function writeStderr(text: string): void {
  write(platform.stderr, text);
}

/** Writes an error message to a line of standard error, with all that it quotes made printable. */
export function writeError(message: string): void {
  writeStderr(`${printable(message)}\n`);
}

/** Writes prose to standard error, with all that it quotes made printable. */
export function writeProse(text: string): void {
  for (const line of proseLines(text)) writeError(line);
}

/** Shows a line on the terminal until anything else is written. An empty line removes it. */
export function showStatusLine(line: string): void {
  if (platform.variable("TERM") === "dumb") return; // it cannot clear a line
  writeStderr(line);
  hasStatusLine = line !== "";
}

/**
 * Notes whether text that the terminal shows, typed by the user or written to standard output, ends
 * with a line. If not, the next report begins another one.
 */
export function noteLineEnd(bytes: Uint8Array): void {
  if (bytes.length > 0) isLineOpen = bytes[bytes.length - 1] !== LINE_FEED;
}

/** Whether standard output is a terminal. Asked once: it takes a system call. */
let isStdoutTerminal: boolean | undefined;

/** Returns whether a terminal shows standard output. */
function isOutputShown(): boolean {
  return isStdoutTerminal ??= platform.stdout.isTerminal();
}

/** Notes that the terminal shows the `^C` of an interrupt, or what was being typed before it. */
export function noteInterrupt(): void {
  isLineOpen = true;
}

function clearStatusLine(): void {
  if (!hasStatusLine) return;
  hasStatusLine = false;
  isLineOpen = false;
  write(platform.stderr, CLEAR_LINE);
}

function write(stream: OutputStream, text: string): void {
  clearStatusLine();
  if (closed.has(stream)) return;
  const startsLine = isLineOpen && stream === platform.stderr && text !== "" && stream.isTerminal();
  if (startsLine) isLineOpen = false;
  const bytes = encode(startsLine ? `\n${text}` : text);
  try {
    for (let written = 0; written < bytes.length;) written += stream.writeSync(bytes.subarray(written));
    if (stream === platform.stdout && isOutputShown()) noteLineEnd(bytes);
  } catch (error) {
    handleWriteError(stream, error);
  }
}

/**
 * Encodes a text, into a buffer that the next call overwrites if it is short. A million lines would
 * leave a million buffers to the garbage collector.
 */
function encode(text: string): Uint8Array<ArrayBuffer> {
  // A UTF-16 code unit takes three bytes at most.
  if (3 * text.length > lineBuffer.length) return encoder.encode(text);
  return lineBuffer.subarray(0, encoder.encodeInto(text, lineBuffer).written);
}

/** Drops the stream. Throws if it is standard output and its reader has not gone. */
function handleWriteError(stream: OutputStream, error: unknown): void {
  if (stream === platform.stdout && kindOf(error) !== "reader gone") throw new OutputError(error);
  closed.add(stream);
}
