/** Summary of a check that has found nothing wrong. */

import { count, formatBytes } from "../../measure/byte_format.ts";
import { paint } from "../terminal/paint.ts";

/** Returns the line that says how much was checked, and how long that took. */
export function summaryOfValid(files: number, bytes: number, ms: number): string {
  return `${paint("good", "ok")}  ${count(files, "file")}, ${formatBytes(bytes)}, ${formatSeconds(ms)}\n`;
}

export function formatSeconds(ms: number): string {
  return `${(ms / 1e3).toFixed(2)} s`;
}
