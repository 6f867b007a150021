/**
 * Programs that watch `parseBinary` make functions. Each wants a process of its own, named as the argument: the engine takes
 * `Function` from the globals, and remembers what it has seen. Says what it observed as JSON on standard output.
 *
 * @module
 */

import { difference, own } from "./difference.ts";

/** The text of every function made. */
const sources: string[] = [];
/** Calls of them. */
let calls = 0;
/** Attempts that the engine refused. */
let refused = 0;
const alive: WeakRef<object>[] = [];

const Native = Function;
globalThis.Function = function (...args: string[]): unknown {
  let made: (...args: unknown[]) => unknown;
  try {
    made = new Native(...args) as typeof made;
  } catch (error) {
    refused++;
    throw error;
  }
  const watched = (...args: unknown[]): unknown => {
    calls++;
    return made(...args);
  };
  sources.push(args.at(-1)!);
  alive.push(new WeakRef(watched));
  return watched;
} as unknown as FunctionConstructor;

const { parseBinary } = await import("../../parse_binary.ts");

/** More objects of one shape than it takes to earn a function, whatever went before. */
const MANY = 10_000;
/** More shapes than the engine keeps keys, shapes or functions. */
const SHAPES = 3_000;
/** Objects of each, enough for it to earn a function at first. */
const ROWS = 100;

const encoder = new TextEncoder();
let wrong = 0;

/** Parses so many objects of these keys, and checks them. `text` of a key: how it is spelled, without its quotes. */
function parseRows(keys: string[], count: number, text: (key: string) => string = spelled): void {
  const row = `{${keys.map((key, i) => `"${text(key)}":${i}`).join()}}`;
  const expected = own(...keys.map((key, i): [string, unknown] => [key, i]));
  const result = parseBinary<unknown[]>(encoder.encode(`[${Array(count).fill(row).join()}]`));
  const right = result.ok && !difference(result.value[0], expected) && !difference(result.value.at(-1), expected) &&
    JSON.stringify(result.value) === JSON.stringify(Array(count).fill(expected));
  if (!right) wrong++;
}

function spelled(key: string): string {
  return JSON.stringify(key).slice(1, -1);
}

function escaped(key: string): string {
  return key.replace(/[^]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** The functions made for common objects of these keys. */
function sourcesFor(keys: string[], text?: (key: string) => string): string[] {
  sources.length = 0;
  parseRows(keys, 10 * ROWS, text);
  return [...sources];
}

/** Objects parsed one by one until a function is made, or too many. */
function rowsUntilFunction(keys: string[]): number {
  const before = sources.length;
  let rows = 0;
  while (sources.length === before && rows < MANY) {
    parseRows(keys, 1);
    rows++;
  }
  return rows;
}

/** Common shapes by the thousand. Returns the most functions that were alive at a time, as far as can be seen. */
async function flood(prefix: string): Promise<number> {
  let most = 0;
  for (let i = 0; i < SHAPES; i++) {
    parseRows(["id", `${prefix}${i}`], ROWS);
    if (i % 100 === 0) {
      await new Promise((resolve) => setTimeout(resolve)); // a WeakRef holds on until its turn of the event loop ends
      (globalThis as unknown as { gc(): void }).gc();
      most = Math.max(most, alive.filter((reference) => reference.deref()).length);
    }
  }
  return most;
}

/** Whether functions make objects of these keys now. */
function usesFunction(keys: string[]): boolean {
  const before = calls;
  parseRows(keys, 1);
  return calls > before;
}

const SCENARIOS: Record<string, (argument: string) => unknown> = {
  /** Sources for objects in which each of the keys stands between two others, spelled plainly and in escapes. */
  names: (keys) =>
    (JSON.parse(keys) as string[]).map((key) => ({
      key,
      sources: sourcesFor(["before", key, "after"]),
      escapedSources: key.length > 10 ? [] : sourcesFor(["before", key, "after"], escaped),
    })),

  /** Objects of one shape before a function, in documents of their own and in one. */
  patience: () => {
    const alone = rowsUntilFunction(["a", "b"]);
    parseRows(["c", "d"], alone >> 1);
    return { alone, soon: sources.length - 1 };
  },

  /** The longest function, whatever the number and the length of keys. */
  length: () => {
    for (const count of [1, 10, 30, 60, 64, 65, 100, 300]) {
      for (const length of [5, 30, 100]) {
        parseRows(Array.from({ length: count }, (_, i) => `${i}`.padEnd(length, '"')), ROWS);
      }
    }
    return { longest: Math.max(...sources.map((source) => source.length)), made: sources.length };
  },

  /** What a flood of common shapes makes and keeps, and what one more makes. */
  flood: async () => {
    const alive = await flood("x");
    const first = sources.length;
    await flood("y");
    return { shapes: SHAPES, alive, first, second: sources.length - first };
  },

  /** A shape that has its function, is flooded away, and comes back. */
  recovery: async () => {
    const keys = ["a", "b", "c"];
    parseRows(keys, MANY);
    const before = usesFunction(keys);
    await flood("x");
    const during = usesFunction(keys);
    parseRows(keys, MANY);
    return { before, during, after: usesFunction(keys) };
  },

  /** What becomes of common shapes where functions are forbidden. */
  forbidden: () => {
    for (let i = 0; i < 100; i++) parseRows(["id", `x${i}`], ROWS);
    return { made: sources.length, refused };
  },

  /** The same with the module that forbids them imported first, and after a function was made. */
  noCodegen: async () => {
    await import("../../no_codegen.ts");
    parseRows(["a", "b"], MANY);
    return { made: sources.length };
  },
  noCodegenLate: async () => {
    parseRows(["a", "b"], MANY);
    const before = usesFunction(["a", "b"]);
    await import("../../no_codegen.ts");
    const made = sources.length;
    parseRows(["a", "b"], MANY);
    parseRows(["c", "d"], MANY);
    return { before, after: usesFunction(["a", "b"]), madeAfter: sources.length - made };
  },
};

const [name, argument = ""] = Deno.args;
const observed = await SCENARIOS[name](argument);
console.log(JSON.stringify({ observed, wrong }));
