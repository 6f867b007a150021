/** What a check took. */

import process from "node:process";
import { mebibytesPerSecond } from "./units.ts";

/** Throughput in MiB/s, memory in bytes: this thread's heap, and what the process has and had resident. */
export function statsOf(bytes: number, ms: number): Record<string, number> {
  const { heapUsed, external, rss } = Deno.memoryUsage();
  const peakRss = Math.max(rss, process.resourceUsage().maxRSS * 1024);
  return { mibPerSecond: mebibytesPerSecond(bytes, ms), heapUsed, external, rss, peakRss };
}
