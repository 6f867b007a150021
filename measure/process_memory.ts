/** Memory of this process, in bytes. */

import { readFileSync, writeFileSync } from "node:fs";
import process from "node:process";

/** Value for `/proc/self/clear_refs` that resets the peak (proc(5), Linux 4.0). */
const RESET_PEAK = "5";

/**
 * Minimum number of collections before the heap counts as settled. The first one leaves pages
 * to be swept; later ones free objects that only finalizers kept alive, and leftovers of
 * background compilation.
 */
const MIN_COLLECTIONS = 4;
/** Maximum number of collections to wait for a settled heap. */
const MAX_COLLECTIONS = 8;
/** Maximum change of the heap, in bytes, that measuring itself causes between two collections. */
const SETTLED_BYTES = 1000;

const { gc } = globalThis as { gc?: () => void };

/** Whether garbage can be collected on demand: in V8 with `--expose-gc`. */
export const canCollect: boolean = gc !== undefined;

export function residentBytes(): number {
  return statusField("VmRSS") ?? process.memoryUsage().rss;
}

/** Returns the peak resident set, since {@linkcode resetPeak} if that succeeded. */
export function peakResidentBytes(): number {
  return statusField("VmHWM") ?? process.resourceUsage().maxRSS * 1024;
}

/** Resets the peak to the current resident set. Returns whether the system allows it. */
export function resetPeak(): boolean {
  try {
    writeFileSync("/proc/self/clear_refs", RESET_PEAK);
    return true;
  } catch {
    return false;
  }
}

/** Collects garbage until the heap no longer shrinks. Returns its size with external memory. */
export async function settledHeapBytes(): Promise<number> {
  let previous = Infinity;
  for (let collections = 1; collections <= MAX_COLLECTIONS; collections++) {
    await collect();
    const { heapUsed, external } = process.memoryUsage();
    const current = heapUsed + external;
    if (collections >= MIN_COLLECTIONS && Math.abs(current - previous) <= SETTLED_BYTES) return current;
    previous = current;
  }
  return previous;
}

/** Collects garbage in a separate task, so that the caller's last awaited value is garbage, too. */
export async function collect(): Promise<void> {
  if (gc === undefined) throw new Error("Cannot collect garbage: run with --expose-gc");
  await new Promise((resolve) => setTimeout(resolve));
  gc();
}

/** Returns a field of the status of a process in bytes; `undefined` if it cannot be read. */
export function statusField(name: "VmRSS" | "VmHWM", pid: number | "self" = "self"): number | undefined {
  let status: string;
  try {
    status = readFileSync(`/proc/${pid}/status`, "latin1");
  } catch {
    return undefined;
  }
  const [, kibibytes] = new RegExp(`^${name}:\\s+(\\d+) kB$`, "m").exec(status) ?? [];
  return kibibytes === undefined ? undefined : Number(kibibytes) * 1024;
}
