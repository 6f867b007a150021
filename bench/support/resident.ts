/** The memory this process has, in bytes. */
import { readFileSync, writeFileSync } from "node:fs";
import process from "node:process";

/** To `clear_refs`: the peak begins anew at what is resident now (proc(5), Linux 4.0). */
const RESET_PEAK = "5";

/** A change of so many bytes between two collections is the measuring's own. */
const SETTLED = 1000;
const MOST_COLLECTIONS = 6;

const { gc } = globalThis as { gc?: () => void };

/** What is resident now. */
export function resident(): number {
  return statusField("VmRSS") ?? process.memoryUsage().rss;
}

/** The most that was resident, since {@linkcode resetPeak} where that succeeded, else ever. */
export function peakResident(): number {
  return statusField("VmHWM") ?? process.resourceUsage().maxRSS * 1024;
}

/** Forgets the peak so far; whether the system can. */
export function resetPeak(): boolean {
  try {
    writeFileSync("/proc/self/clear_refs", RESET_PEAK);
    return true;
  } catch {
    return false;
  }
}

/** Heap in use with what it holds outside itself, once collections change it no more (the first leaves pages to be swept). */
export async function settledHeap(): Promise<number> {
  let before = Infinity;
  for (let times = 0; times < MOST_COLLECTIONS; times++) {
    await collect();
    const { heapUsed, external } = process.memoryUsage();
    const now = heapUsed + external;
    if (Math.abs(now - before) <= SETTLED) return now;
    before = now;
  }
  return before;
}

/** Collects in a task of its own: what was awaited last is garbage then. */
export async function collect(): Promise<void> {
  if (gc === undefined) throw new Error("Cannot collect garbage: run with --expose-gc");
  await new Promise((resolve) => setTimeout(resolve));
  gc();
}

/** A line of `/proc/self/status`, `undefined` where there is no such file. */
function statusField(name: string): number | undefined {
  let status: string;
  try {
    status = readFileSync("/proc/self/status", "latin1");
  } catch {
    return undefined;
  }
  const [, kibibytes] = new RegExp(`^${name}:\\s+(\\d+) kB$`, "m").exec(status) ?? [];
  return kibibytes === undefined ? undefined : Number(kibibytes) * 1024;
}
