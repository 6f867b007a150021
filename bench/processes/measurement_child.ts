/**
 * Child process that takes samples of a measurement. Prints a {@linkcode MeasurementReadings} as
 * the last line.
 *
 *     measurement_child.ts TASK     a {@linkcode MeasurementTask} as JSON
 *
 * @module
 */

import { PerformanceObserver } from "node:perf_hooks";
import process from "node:process";
import { type Reading, withCollections } from "../background/measurement.ts";
import { MEASUREMENTS } from "../background/measurements.ts";

/** Samples to take. */
export interface MeasurementTask {
  /** Name of the measurement. */
  name: string;
  lanes: string[];
  /** Samples per lane. Lanes take turns, after a warm-up unless each has a process. */
  rounds: number;
  scale: number;
}

/** Readings of each lane. */
export type MeasurementReadings = Record<string, Reading[]>;

/** Kinds of garbage collections in Node.js, by `perf_hooks.constants`. */
const KINDS: Record<number, string> = {
  1: "Scavenge",
  2: "Minor Mark-Sweep",
  4: "Mark-Compact",
  8: "IncrementalMarking",
  16: "WeakCallbacks",
};

/** Garbage collection as Node.js reports it. */
type CollectionEntry = { duration: number; detail: { kind: number } };

/** Garbage collections as Node.js reports them, which tells kinds apart that traces do not. */
class Collections {
  readonly #entries: CollectionEntry[] = [];
  #observer: PerformanceObserver | undefined;

  constructor() {
    if (process.versions.deno || process.versions.bun) return;
    this.#observer = new PerformanceObserver((list) => {
      this.#entries.push(...list.getEntries() as unknown as CollectionEntry[]);
    });
    this.#observer.observe({ entryTypes: ["gc"] });
  }

  /** Adds the figures of the collections to a reading; none outside Node.js. */
  async addTo(reading: Reading): Promise<Reading> {
    if (this.#observer === undefined) return reading;
    await new Promise((resolve) => setTimeout(resolve, 50)); // entries arrive in a later turn
    this.#observer.disconnect();
    const kinds = Map.groupBy(this.#entries, ({ detail }) => KINDS[detail.kind]);
    const words = [...kinds].map(([kind, { length }]) => `${length} ${kind}`).join(", ");
    return withCollections(reading, this.#entries.reduce((sum, { duration }) => sum + duration, 0), words);
  }
}

/** Rounds before the first sample, in which compilers settle. */
const WARM_UP_ROUNDS = 2;

async function measure({ name, lanes, rounds, scale }: MeasurementTask): Promise<MeasurementReadings> {
  const measurement = MEASUREMENTS.find((measurement) => measurement.name === name)!;
  const readings: MeasurementReadings = Object.fromEntries(lanes.map((lane) => [lane, []]));
  for (let round = measurement.isolated ? 0 : -WARM_UP_ROUNDS; round < rounds; round++) {
    const order = round % 2 === 0 ? lanes : lanes.toReversed();
    for (const lane of order) {
      const collections = measurement.countsCollections ? new Collections() : undefined;
      const reading = await measurement.measure(lane, scale);
      if (round >= 0) readings[lane].push(await collections?.addTo(reading) ?? reading);
    }
  }
  return readings;
}

console.log(`\n${JSON.stringify(await measure(JSON.parse(process.argv[2])))}`);
