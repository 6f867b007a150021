/**
 * Resources that a check takes, for `--stats`.
 *
 * @module
 */

import { mebibytesPerSecond } from "../../measure/byte_format.ts";
import { platform } from "../platform/platform.ts";

/**
 * Resolves with the throughput in MiB/s, and with this thread's heap, the process's resident set
 * and its peak in bytes.
 */
export async function resourceUsage(bytes: number, ms: number): Promise<Record<string, number>> {
  return { mibPerSecond: mebibytesPerSecond(bytes, ms), ...await platform.memoryUse() };
}
