/** Progress of long work, as a line on the terminal. */

import { count, formatBytes, mebibytesPerSecond } from "../../measure/byte_format.ts";
import { statusColumns } from "../terminal/lines.ts";
import { showStatusLine } from "../terminal/streams.ts";

const DELAY = 500;

const INTERVAL = 100;

export interface Progress {
  readonly inputs: readonly { readonly size?: number; readonly error?: string }[];
  /** Count of the inputs that are done. */
  readonly report: { readonly tally: { readonly files: number } };
  readonly bytesRead: number;
}

/** Shows the line until the returned function is called. */
export function startProgress(work: Progress): () => void {
  const started = performance.now();
  const timer = setInterval(() => {
    const ms = performance.now() - started;
    if (ms >= DELAY) showStatusLine(progressLine(work, ms, statusColumns()));
  }, INTERVAL);
  return () => {
    clearInterval(timer);
    showStatusLine("");
  };
}

/** Returns the line after `ms` milliseconds, in at most `columns` columns. */
export function progressLine({ inputs, report, bytesRead }: Progress, ms: number, columns: number): string {
  const speed = mebibytesPerSecond(bytesRead, ms);
  const parts = [formatBytes(bytesRead, true), `${speed.toFixed(1)} MiB/s`];
  if (inputs.length > 1) parts.unshift(`${report.tally.files} of ${count(inputs.length, "file")}`);
  const total = inputs.reduce((sum, { size, error }) => sum + (error === undefined ? size ?? Infinity : 0), 0);
  // The content of a compressed file is longer than the file.
  if (total < Infinity && bytesRead <= total) {
    const left = Math.max(0, total - bytesRead) / (speed * 2 ** 20);
    parts[parts.length - 2] += ` of ${formatBytes(total, true)}`;
    if (left < Infinity) parts.push(`ETA ${formatClock(left)}`);
  }
  // A figure is never clipped, since it would look like a different one.
  let line = parts[0];
  for (const part of parts.slice(1)) if (line.length + part.length + 2 <= columns) line += `  ${part}`;
  return line.slice(0, columns);
}

/**
 * Formats seconds as `0:07`, `12:30` or `1:05:00`. Not @std/fmt/duration: with colons it begins
 * with days. `tests/repository/std_packages_test.ts` fails when that changes.
 */
function formatClock(seconds: number): string {
  const whole = Math.ceil(seconds);
  const minutes = Math.floor(whole / 60);
  const tail = `${minutes % 60}`.padStart(minutes >= 60 ? 2 : 1, "0") + `:${String(whole % 60).padStart(2, "0")}`;
  return minutes >= 60 ? `${Math.floor(minutes / 60)}:${tail}` : tail;
}
