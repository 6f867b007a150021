/**
 * Ways to get one value of a document by its path, and their figures.
 *
 * @module
 */

import { type Contestant, native } from "../../measure/contestants.ts";
import { difference } from "./difference.ts";
import { median } from "../../measure/statistics.ts";
import { validator } from "../../measure/validator_contestant.ts";
import { parseAt } from "../../pointer.ts";
import { generate } from "./documents.ts";
import { type Effort, Lane, measureAlternating } from "./lane.ts";
import { messages, orders } from "./select_documents.ts";

type Path = (string | number)[];

/** Value to look up in a document. */
export interface LookUp {
  /** Name of the document, and the place of the value in it. */
  name: string;
  /** Returns the path to the value, given the value of the document. */
  path(document: unknown): Path;
  /** File of the shared corpus, or a function that generates the documents. */
  source: string | (() => Uint8Array[]);
}

/** Figures of one look-up. */
export interface LookUpRow {
  name: string;
  pointer: string;
  bytes: number;
  /** Milliseconds by the name of the contestant: medians. */
  milliseconds: Record<string, number>;
}

/** Name of `parseAt` without options. */
export const PARSE_AT = "parseAt";
/** Name of `parseAt` with `stopWhenFound`. */
export const STOP_WHEN_FOUND = "stopWhenFound";

/** Names of all contestants, in the order of columns. */
export const LOOK_UP_NAMES: readonly string[] = [native.name, validator.name, PARSE_AT, STOP_WHEN_FOUND];

const RECORDS_BYTES = 20_000_000;
const ORDERS_BYTES = 1_000_000;

const records = (): Uint8Array[] => [generate("records", RECORDS_BYTES)];
const pageOfOrders = (): Uint8Array[] => [orders(ORDERS_BYTES)];

function lastIndex(array: unknown): number {
  return (array as unknown[]).length - 1;
}

/** All look-ups. */
export const LOOK_UPS: LookUp[] = [
  { name: "message of 2 KB, near the start", path: () => ["event"], source: () => messages(2000) },
  {
    name: "message of 2 KB, in the middle",
    path: () => ["data", "order", "address", "city"],
    source: () => messages(2000),
  },
  { name: "orders of 1 MB, near the start", path: () => ["data", 2, "customer", "name"], source: pageOfOrders },
  { name: "orders of 1 MB, at the end", path: () => ["count"], source: pageOfOrders },
  { name: "records of 20 MB, near the start", path: () => [3, "name"], source: records },
  { name: "records of 20 MB, at the end", path: (document) => [lastIndex(document), "name"], source: records },
  {
    name: "twitter.json, near the start",
    path: () => ["statuses", 1, "user", "screen_name"],
    source: "twitter.json",
  },
  { name: "twitter.json, at the end", path: () => ["search_metadata", "count"], source: "twitter.json" },
  { name: "citm_catalog.json, at the end", path: () => ["venueNames", "PLEYEL_PLEYEL"], source: "citm_catalog.json" },
];

/** Returns the value at a path. */
function follow(document: unknown, path: Path): unknown {
  return path.reduce((value, key) => (value as Record<string, unknown>)[key], document);
}

/** Creates the contestants for a path. */
function contestantsFor(path: Path): Contestant[] {
  const pointer = pointerOf(path);
  const valueAt = (bytes: Uint8Array, stopWhenFound: boolean): unknown => {
    const result = parseAt(bytes, pointer, { stopWhenFound });
    return result.ok && result.found ? result.value : undefined;
  };
  return [
    { name: native.name, parse: (bytes) => follow(native.parse(bytes), path) },
    validator,
    { name: PARSE_AT, parse: (bytes) => valueAt(bytes, false) },
    { name: STOP_WHEN_FOUND, parse: (bytes) => valueAt(bytes, true) },
  ];
}

/** Returns the JSON Pointer of a path whose names need no escapes. */
function pointerOf(path: Path): string {
  return path.map((token) => `/${token}`).join("");
}

/**
 * Measures a look-up.
 *
 * @throws {Error} If `parseAt` finds another value than native.
 */
export function measureLookUp({ name, path }: LookUp, parts: readonly Uint8Array[], effort: Effort): LookUpRow {
  const ofFirst = path(native.parse(parts[0]));
  const contestants = contestantsFor(ofFirst);
  for (const part of parts) {
    const expected = contestants[0].parse(part);
    if (expected === undefined) throw new Error(`Cannot look up ${pointerOf(ofFirst)} in ${name}: there is no value`);
    for (const contestant of contestants) {
      const problem = contestant === validator ? undefined : difference(contestant.parse(part), expected);
      if (problem) throw new Error(`${contestant.name} differs at ${pointerOf(ofFirst)} of ${name}: ${problem}`);
    }
  }
  const lanes = contestants.map((contestant) => new Lane(contestant, parts));
  measureAlternating(lanes, effort);
  const times = lanes.map(({ contestant, samples }) => [contestant.name, median(samples) / parts.length]);
  return {
    name,
    pointer: pointerOf(ofFirst),
    bytes: Math.round(parts.reduce((sum, part) => sum + part.length, 0) / parts.length),
    milliseconds: Object.fromEntries(times),
  };
}
