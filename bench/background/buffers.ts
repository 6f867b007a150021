/**
 * Cost of buffers that are freed by hand, or left to the collector.
 *
 * @module
 */

import { Buffer } from "node:buffer";
import { detach } from "../../detach.ts";
import { peakResidentBytes, resetPeak, residentBytes } from "../../measure/process_memory.ts";
import { consumed } from "../support/lane.ts";
import { collectGarbage, COLLECTION_FIGURES, type Measurement, scaled } from "./measurement.ts";

const NATIVE = ["--allow-natives-syntax"];
const NOTHING = "no release";

/** Ways to release a buffer, by lane. */
const RELEASES: Record<string, (buffer: ArrayBuffer) => void> = {
  "detach, native": (buffer) => {
    detach(buffer);
  },
  "detach": (buffer) => {
    detach(buffer);
  },
  "transfer(0)": (buffer) => {
    consumed.value = buffer.transfer(0);
  },
  [NOTHING]: () => {},
};

const PRESSURE_BYTES = 50e6;
const PRESSURE_COUNT = 60;
const PRESSURE_CAP = 300e6;

/** Memory, time and collections of buffers of 50 MB. */
export const pressure: Measurement = {
  name: "pressure",
  title: `${PRESSURE_COUNT} buffers of 50 MB, every page written to, in a process limited to 300 MB`,
  section: "Pressure",
  figures: {
    "resident set at the end": "bytes",
    "peak": "bytes",
    "time": "time",
    ...COLLECTION_FIGURES,
  },
  claims: [
    {
      claim: "buffers of 50 MB pile up: MB at the end, without release",
      lane: NOTHING,
      figure: "resident set at the end",
    },
    { claim: "collecting them takes much of the time", lane: NOTHING, figure: "share of the time" },
  ],
  lanes: {
    [NOTHING]: {
      published: {
        "resident set at the end": 101e6,
        "collection time": 1393.9,
        "share of the time": 0.157,
        "collections": "1335: WeakCallbacks, IncrementalMarking",
      },
    },
    "transfer(0)": {
      published: {
        "resident set at the end": 0.5e6,
        "collection time": 3,
        "collections": "1: IncrementalMarking",
      },
    },
    "detach, native": {
      flags: NATIVE,
      published: { "resident set at the end": 0.5e6, "collection time": 0.3, "collections": "1: Scavenge" },
    },
  },
  isolated: true,
  cap: PRESSURE_CAP,
  countsCollections: true,
  measure(lane, scale) {
    const release = RELEASES[lane];
    const count = scaled(PRESSURE_COUNT, scale);
    const length = scaled(PRESSURE_BYTES, Math.min(1, scale * PRESSURE_COUNT));
    release(new ArrayBuffer(1)); // loads modules that a first use needs
    resetPeak();
    const before = residentBytes();
    const start = performance.now();
    for (let i = 0; i < count; i++) {
      const bytes = new Uint8Array(length).fill(1);
      release(bytes.buffer);
    }
    return {
      "time": performance.now() - start,
      "resident set at the end": residentBytes() - before,
      "peak": peakResidentBytes() - before,
    };
  },
};

/** Creates a measurement of many buffers of one size. */
function manyBuffers(
  { name, title, section, claim }: { name: string; title: string; section: string; claim: string },
  byteLength: number,
  count: number,
  published: { released: number; kept: number },
): Measurement {
  return {
    name,
    title,
    section,
    claims: [{ claim, lane: "detach" }],
    ratio: "speed",
    figures: { time: "time" },
    lanes: {
      [NOTHING]: { flags: [], published: { time: published.kept } },
      "transfer(0)": { base: NOTHING },
      "detach": { base: NOTHING, flags: NATIVE, published: { time: published.released } },
    },
    isolated: false,
    measure(lane, scale) {
      const release = RELEASES[lane];
      const buffers = scaled(count, scale);
      collectGarbage(); // no lane pays for another one's garbage
      const start = performance.now();
      for (let i = 0; i < buffers; i++) {
        const bytes = Buffer.alloc(byteLength);
        consumed.value = bytes;
        release(bytes.buffer as ArrayBuffer);
      }
      return { time: (performance.now() - start) * count / buffers };
    },
  };
}

/** Times of a million buffers of 1 KiB. The published figure is the median of ten rounds. */
export const kibibyteBuffers: Measurement = manyBuffers(
  {
    name: "buffers-1k",
    title: "1,048,576 buffers of 1 KiB by Buffer.alloc",
    section: "Small buffers",
    claim: "detaching buffers of 1 KiB makes a program 2.9 times as fast",
  },
  1024,
  2 ** 20,
  { released: 371.9, kept: 1085 },
);

/**
 * Times of buffers of 100 MiB that nobody writes to. The published figure is for 100,000 of them.
 */
export const largeBuffers: Measurement = manyBuffers(
  {
    name: "buffers-100m",
    title: "50 buffers of 100 MiB by Buffer.alloc",
    section: "Large buffers",
    claim: "detaching buffers of 100 MiB makes it 2.2 times as fast",
  },
  100 * 2 ** 20,
  50,
  { released: 5.5, kept: 12 },
);
