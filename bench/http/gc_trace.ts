/**
 * Garbage collections in the traces of engines.
 *
 * @module
 */

/** Number of garbage collections, and the time that the program was paused for them. */
export interface Collections {
  events: number;
  milliseconds: number;
}

/** Pattern of V8's `--trace-gc`: a line per collection, with its pause and the steps before it. */
const V8 =
  /: (?:Scavenge|(?:\w+ )*Mark-Compact|Minor Mark-Sweep) .* MB, ([\d.]+) \/ [\d.]+ +ms(?: +\(\+ ([\d.]+) ms in \d+ steps)?/g;

/** Pattern of a pause in JavaScriptCore's `logGC`; a collection has several. */
const JSC_PAUSE = /\bp=([\d.]+)ms/g;
/** Pattern of a collection in `logGC`. */
const JSC_COLLECTION = /=> (?:Eden|Full)Collection\b/g;

/** Counts the collections in a trace of either engine. */
export function collectionsIn(trace: string): Collections {
  const collections = [...trace.matchAll(V8)];
  const pauses = [
    ...collections.flatMap(([, pause, steps = "0"]) => [pause, steps]),
    ...Array.from(trace.matchAll(JSC_PAUSE), ([, pause]) => pause),
  ];
  return {
    events: collections.length + [...trace.matchAll(JSC_COLLECTION)].length,
    milliseconds: pauses.reduce((sum, pause) => sum + Number(pause), 0),
  };
}
