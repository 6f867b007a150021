/** A line that tells how far a check is, on a terminal. */

import { count, formatBytes, mebibytesPerSecond } from "../measure/byte_format.ts";
import type { Check } from "./check.ts";
import { showStatus } from "./output.ts";

/** Milliseconds before the line appears, and between two of them. */
const DELAY = 500;
const INTERVAL = 100;

/** Shows the line until `stop` is called. */
export function watch(check: Check): { stop(): void } {
  const started = performance.now();
  const timer = setInterval(() => {
    const ms = performance.now() - started;
    if (ms >= DELAY) showStatus(statusLine(check, ms, Deno.consoleSize().columns));
  }, INTERVAL);
  return {
    stop(): void {
      clearInterval(timer);
      showStatus("");
    },
  };
}

/** The line after so many milliseconds, no wider than a terminal of so many columns. */
export function statusLine({ inputs, report, bytesRead }: Check, ms: number, columns: number): string {
  const speed = mebibytesPerSecond(bytesRead, ms);
  const parts = [formatBytes(bytesRead, true), `${speed.toFixed(1)} MiB/s`];
  if (inputs.length > 1) parts.unshift(`${report.tally.files} of ${count(inputs.length, "file")}`);
  const total = inputs.reduce((sum, { size, trouble }) => sum + (trouble === undefined ? size ?? Infinity : 0), 0);
  if (total < Infinity) {
    const left = Math.max(0, total - bytesRead) / (speed * 2 ** 20);
    parts[parts.length - 2] += ` of ${formatBytes(total, true)}`;
    if (left < Infinity) parts.push(`ETA ${clock(left)}`);
  }
  return parts.join("  ").slice(0, columns - 1);
}

/** `0:07`, `12:30`, `1:05:00`. */
function clock(seconds: number): string {
  const whole = Math.ceil(seconds);
  const minutes = Math.floor(whole / 60);
  const tail = `${minutes % 60}`.padStart(minutes >= 60 ? 2 : 1, "0") + `:${String(whole % 60).padStart(2, "0")}`;
  return minutes >= 60 ? `${Math.floor(minutes / 60)}:${tail}` : tail;
}
