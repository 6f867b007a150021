/**
 * Child process that shows what V8 does with the library of a folder: its output, with flags of V8
 * that print or log, is read by tests/repository/build_test.ts.
 *
 *     measure_engine_effects.ts FOLDER collections|first|deoptimisations
 */

import v8 from "node:v8";
import { pathToFileURL } from "node:url";

const [folder, effect] = Deno.args;
const { parseBinary }: typeof import("../../mod.ts") = await import(
  new URL("index.js", pathToFileURL(`${folder}/`)).href
);

/** Encodes an array of `count` records of 140 bytes. */
function records(count: number): Uint8Array<ArrayBuffer> {
  const record = (i: number) => ({
    id: 37 * i,
    name: `Item number ${i}`,
    price: 9.5 + i / 8,
    tags: ["new", "sale"],
    place: { lat: 52.516275 + i, lon: -13.377704e-5 },
    active: i % 2 === 0,
  });
  return new TextEncoder().encode(JSON.stringify(Array.from({ length: count }, (_, i) => record(i))));
}

/** Returns the bytes in use of a space of the heap. */
function usedOf(space: string): number {
  return v8.getHeapSpaceStatistics().find(({ space_name }) => space_name === space)!.space_used_size;
}

/** Part of what `GCProfiler` of node:v8 reports. */
interface Collection {
  gcType: string;
  afterGC: { heapSpaceStatistics: { spaceName: string; spaceUsedSize: number }[] };
}

/**
 * Prints how many collections of the young generation there were while documents were parsed one
 * after the other, how many bytes the fullest left there, and how many grew old.
 */
function printCollections(): void {
  const bytes = records(40_000);
  const parse = (times: number): void => {
    for (let i = 0; i < times; i++) parseBinary(bytes);
  };
  parse(8);
  const old = usedOf("old_space");
  // deno-lint-ignore no-explicit-any -- older types lack it
  const profiler = new (v8 as any).GCProfiler();
  profiler.start();
  parse(16);
  const { statistics } = profiler.stop() as { statistics: Collection[] };
  const left = statistics.filter(({ gcType }) => gcType === "Scavenge").map(({ afterGC }) =>
    afterGC.heapSpaceStatistics.find(({ spaceName }) => spaceName === "new_space")!.spaceUsedSize
  );
  console.log(JSON.stringify({ count: left.length, left: Math.max(...left), aged: usedOf("old_space") - old }));
}

/** Marks the end of loading in V8's log, since V8 compiles it when it is called. */
function beginFirstCalls(): void {}

function makeFirstCalls(): void {
  beginFirstCalls();
  for (const count of [1, 40]) parseBinary(records(count));
}

function parseOften(): void {
  const [large, small] = [records(14_000), records(4)];
  for (let i = 0; i < 30; i++) parseBinary(large);
  for (let i = 0; i < 30_000; i++) parseBinary(small);
}

if (effect === "collections") printCollections();
else if (effect === "first") makeFirstCalls();
else parseOften();
