/** What engines say of their garbage collections when asked to trace them. */

/** How often garbage was collected, and how long that kept the program waiting. */
export interface Collections {
  events: number;
  milliseconds: number;
}

/** V8's `--trace-gc`: a line for each collection, what it took at the end of it, and the steps taken before. */
const V8 =
  /: (?:Scavenge|(?:\w+ )*Mark-Compact|Minor Mark-Sweep) .* MB, ([\d.]+) \/ [\d.]+ +ms(?: +\(\+ ([\d.]+) ms in \d+ steps)?/g;

/** JavaScriptCore's `logGC`: its pauses, the last of a collection followed by what kind that was. */
const JSC_PAUSE = /\bp=([\d.]+)ms/g;
const JSC_COLLECTION = /=> (?:Eden|Full)Collection\b/g;

/** The collections in a trace, of either engine. */
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
