/**
 * Resources that a check takes, for `--stats`.
 *
 * @module
 */

import process from "node:process";
import { mebibytesPerSecond } from "../../measure/byte_format.ts";

/**
 * Returns the throughput in MiB/s, and in bytes this thread's heap, the process's resident set and
 * its peak.
 */
export function resourceUsage(bytes: number, ms: number): Record<string, number> {
  const { heapUsed, external, rss } = Deno.memoryUsage();
  const peakRss = Math.max(rss, process.resourceUsage().maxRSS * 1024);
  return { mibPerSecond: mebibytesPerSecond(bytes, ms), heapUsed, external, rss, peakRss };
}
