/**
 * Heap that strings of payloads hold when a handler ends.
 *
 * @module
 */

import process from "node:process";
import { native, parser } from "../../measure/contestants.ts";
import { generate } from "../support/documents.ts";
import { consumed } from "../support/lane.ts";
import { collectGarbage, type Measurement, type MeasurementLane, type Reading, scaled } from "./measurement.ts";

const BYTES = 5 * 2 ** 20;
/** Number of calls before the handler ends. */
const CALLS = 20;
const MIB = 2 ** 20;
const CAPPED = ["--max-old-space-size=25"];
const decoder = new TextDecoder();

const WAYS: Record<string, (bytes: Uint8Array) => unknown> = {
  "decode": (bytes) => decoder.decode(bytes),
  "decode + JSON.parse": (bytes) => native.parse(bytes),
  "parseBinary": (bytes) => parser.parse(bytes),
};

/** Creates a pair of lanes. The first one is the base of the other. */
function pair(
  way: string,
  heap: string,
  flags: string[],
  published?: [ascii: Reading, emoji: Reading],
): Record<string, MeasurementLane> {
  const [ascii, emoji] = published ?? [];
  const base = `${way}, ASCII, ${heap}`;
  return {
    [base]: { flags, ...(ascii && { published: ascii }) },
    [`${way}, one emoji, ${heap}`]: { flags, base, ...(emoji && { published: emoji }) },
  };
}

/** Returns published sizes in bytes, and the time of one of 2,000 calls. */
function publishedHeap(total: number, before: number, atExit: number, afterCollection: number): Reading {
  return {
    "time": total / 2000,
    "heap before": before * MIB,
    "heap at exit": atExit * MIB,
    "heap after a collection": afterCollection * MIB,
  };
}

/** Adds an emoji at the end of an array, so that an engine has decoded most of the text by then. */
function withEmoji(document: Uint8Array): Uint8Array {
  const end = new TextEncoder().encode(',"👎🏿"]');
  const bytes = new Uint8Array(document.length - 1 + end.length); // made without a string on the heap
  bytes.set(document.subarray(0, -1));
  bytes.set(end, document.length - 1);
  return bytes;
}

/** Heap around calls with a document of 5 MB. The last result stays alive. */
export const heap: Measurement = {
  name: "heap",
  title: "Heap held by a document of 5 MB, and the time of each call",
  section: "Heap",
  claims: [
    { claim: "one emoji makes decoding 5 MB slower", lane: "decode, one emoji, free heap" },
    { claim: "strings pile up on the heap: MB at exit", lane: "decode, ASCII, free heap", figure: "heap at exit" },
    { claim: "one emoji makes it more", lane: "decode, one emoji, free heap", figure: "heap at exit" },
  ],
  figures: {
    "time": "time",
    "heap before": "bytes",
    "heap at exit": "bytes",
    "heap after a collection": "bytes",
  },
  lanes: {
    ...pair("decode", "free heap", [], [
      publishedHeap(5232.221, 3.8, 68, 8),
      publishedHeap(8510.069, 3, 123, 13),
    ]),
    ...pair("decode", "heap of 25 MB", CAPPED, [
      publishedHeap(6546.614, 3.8, 23, 8),
      publishedHeap(10991.535, 3, 23, 13),
    ]),
    ...pair("decode + JSON.parse", "free heap", []),
    ...pair("decode + JSON.parse", "heap of 25 MB", CAPPED),
    ...pair("parseBinary", "free heap", []),
    ...pair("parseBinary", "heap of 25 MB", CAPPED),
  },
  isolated: true,
  isCompact: true,
  measure(lane, scale) {
    const [name, characters] = lane.split(", ");
    const document = generate("records", scaled(BYTES, scale));
    const bytes = characters === "one emoji" ? withEmoji(document) : document;
    const way = WAYS[name];
    const calls = scaled(CALLS, scale);
    collectGarbage();
    const before = process.memoryUsage().heapUsed;
    const start = performance.now();
    for (let i = 0; i < calls; i++) consumed.value = way(bytes);
    const time = (performance.now() - start) / calls;
    const atExit = process.memoryUsage().heapUsed;
    collectGarbage();
    return {
      time,
      "heap before": before,
      "heap at exit": atExit,
      "heap after a collection": process.memoryUsage().heapUsed,
    };
  },
};
