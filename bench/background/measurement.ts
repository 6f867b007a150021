/**
 * Measurements that proposals and other projects have published, repeated here.
 *
 * @module
 */

/** Quantity that is measured. It decides how its values are formatted. */
export type Quantity = "time" | "bytes" | "number" | "share" | "words";

/** Values of one sample of a lane, by the names of the figures. */
export type Reading = Record<string, number | string>;

/** Engine of a runtime, for what only one of them can do. */
export type RuntimeKind = "Deno" | "Node" | "Bun";

/** One of the ways that a measurement compares. */
export interface MeasurementLane {
  /** Published values by the names of the figures. Times are in milliseconds. */
  published?: Reading;
  /** Published ratio to the lane's base, where no times are published. */
  publishedRatio?: number;
  /** Lane to which times are relative; absent for a base. */
  base?: string;
  /** Flags of V8 that the lane needs. It is left out in Bun if there are any. */
  flags?: string[];
}

/** Statement of a document, and the figure that decides about it. */
export interface Claim {
  claim: string;
  /** Lane with the figure; its ratio is shown if the lane has a base. */
  lane: string;
  /** Name of the figure, `time` by default. */
  figure?: string;
}

/** Measurement of several lanes. */
export interface Measurement {
  name: string;
  title: string;
  /** Heading of docs/background/measurements.md under which its table is. */
  section: string;
  claims?: Claim[];
  /** Whether ratios to the base are multiples of its time, as by default, or of its speed. */
  ratio?: "time" | "speed";
  /** Figures of each lane, with their quantities. */
  figures: Record<string, Quantity>;
  lanes: Record<string, MeasurementLane>;
  /** Whether each sample needs a process of its own. Otherwise lanes take turns in one process. */
  isolated: boolean;
  /** Whether the figures of a lane share one row. */
  isCompact?: boolean;
  /** Cap on the memory of a process, in bytes. */
  cap?: number;
  /** Whether to count garbage collections, as {@linkcode COLLECTION_FIGURES}. */
  countsCollections?: boolean;
  /** Returns why the measurement cannot be made here, if it cannot. */
  missing?(): string | undefined;
  /**
   * Takes one sample of a lane.
   *
   * @param lane Name of the lane.
   * @param scale Amount of work relative to the default.
   */
  measure(lane: string, scale: number): Reading | Promise<Reading>;
}

/** Figures of garbage collections, which are added to those of a sample. */
export const COLLECTION_FIGURES = {
  "collection time": "time",
  "share of the time": "share",
  "collections": "words",
} as const satisfies Record<string, Quantity>;

/** Returns figures of collections beside those of a sample. */
export function withCollections(reading: Reading, milliseconds: number, kinds: string): Reading {
  const share = milliseconds / Number(reading["time"]);
  return { ...reading, "collection time": milliseconds, "share of the time": share, "collections": kinds || "0" };
}

/** Least milliseconds of a sample of {@linkcode timeCalls}. */
const LEAST_MS = 100;

/** Returns an amount of work at a scale: a whole number above 0. */
export function scaled(amount: number, scale: number): number {
  return Math.max(1, Math.round(amount * scale));
}

/** Returns the milliseconds of one call, from as many calls as take some time at a scale. */
export function timeCalls(call: () => void, scale: number): number {
  for (let calls = 1;; calls *= 4) {
    const start = performance.now();
    for (let i = 0; i < calls; i++) call();
    const elapsed = performance.now() - start;
    if (elapsed >= LEAST_MS * Math.min(1, scale)) return elapsed / calls;
  }
}

/** Collects garbage, where the engine was started with a way to do so. */
export function collectGarbage(): void {
  const { gc, Bun } = globalThis as { gc?: () => void; Bun?: { gc(force: boolean): void } };
  if (Bun) Bun.gc(true);
  else gc?.();
}
