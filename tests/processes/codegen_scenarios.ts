/**
 * Child process that observes how `parseBinary` generates constructors, in one of several
 * scenarios. Each scenario needs a process of its own, since caches outlive calls. Prints what it
 * observed as JSON.
 *
 *     codegen_scenarios.ts SCENARIO [ARGUMENT]
 */

import { difference, own } from "../support/difference.ts";

/** Source of every generated function. */
const sources: string[] = [];
/** Number of calls of generated functions. */
let calls = 0;
/** Number of attempts that the engine refused. */
let refused = 0;
const alive: WeakRef<object>[] = [];

/** Sources refused by a policy that the page has got later. */
const refusedSources: string[] = [];
let hasPolicy = false;

const Native = Function;
globalThis.Function = function (...args: string[]): unknown {
  if (hasPolicy) {
    refusedSources.push(args.at(-1)!);
    throw new EvalError("refused by a policy");
  }
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

const [name, argument = ""] = Deno.args;
// The parser tells a browser by this class. Its timer takes a tenth of its time.
const { setTimeout: startTimer } = globalThis;
if (name.startsWith("browser")) {
  const setTimeout = (callback: () => void, milliseconds: number) => startTimer(callback, milliseconds / 10);
  Object.assign(globalThis, { SecurityPolicyViolationEvent: class {}, setTimeout });
}

const { parseBinary } = await import("../../parse_binary.ts");

/** Number of objects of one shape that reach any tier-up threshold. */
const MANY = 10_000;
/** Number of shapes that exceeds every cache. */
const SHAPES = 3_000;
/** Number of objects of a shape that reach the threshold in a fresh process. */
const ROWS = 100;

const encoder = new TextEncoder();
let wrong = 0;

/** Parses `count` objects with these keys and checks the values. `text` spells a key in JSON. */
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

/** Returns the sources generated for common objects with these keys. */
function sourcesFor(keys: string[], text?: (key: string) => string): string[] {
  sources.length = 0;
  parseRows(keys, 10 * ROWS, text);
  return [...sources];
}

/**
 * Returns the number of objects parsed one by one until a function is generated, at most
 * {@linkcode MANY}.
 */
function rowsUntilFunction(keys: string[]): number {
  const before = sources.length;
  let rows = 0;
  while (sources.length === before && rows < MANY) {
    parseRows(keys, 1);
    rows++;
  }
  return rows;
}

/** Parses thousands of common shapes. Returns the highest number of functions seen alive. */
async function flood(prefix: string): Promise<number> {
  let most = 0;
  for (let i = 0; i < SHAPES; i++) {
    parseRows(["id", `${prefix}${i}`], ROWS);
    if (i % 100 === 0) {
      // A WeakRef keeps its target until the end of the task.
      await new Promise((resolve) => setTimeout(resolve));
      (globalThis as unknown as { gc(): void }).gc();
      most = Math.max(most, alive.filter((reference) => reference.deref()).length);
    }
  }
  return most;
}

/** Returns the number of functions generated that are not empty. */
const made = (): number => sources.filter((source) => source !== "").length;

/** Parses common objects with these keys. Returns how many functions are generated for them. */
function madeFor(...keys: string[]): number {
  const before = made();
  parseRows(keys, MANY);
  return made() - before;
}

/** Returns whether a generated function creates objects with these keys now. */
function usesFunction(keys: string[]): boolean {
  const before = calls;
  parseRows(keys, 1);
  return calls > before;
}

const importCodegen = (): Promise<unknown> => import("../../codegen.ts");
const importNoCodegen = (): Promise<unknown> => import("../../no_codegen.ts");
/**
 * Time after which a page that imports `codegen.ts` generates functions, unless a violation
 * is reported.
 */
const pass = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 1500));

const SCENARIOS: Record<string, (argument: string) => unknown> = {
  /** Sources for objects with each key between two others, spelled plainly and in escapes. */
  names: (keys) =>
    (JSON.parse(keys) as string[]).map((key) => ({
      key,
      sources: sourcesFor(["before", key, "after"]),
      escapedSources: key.length > 10 ? [] : sourcesFor(["before", key, "after"], escaped),
    })),

  /** Number of objects before a function is generated, in documents of their own and in one. */
  patience: () => {
    const alone = rowsUntilFunction(["a", "b"]);
    parseRows(["c", "d"], alone >> 1);
    return { alone, soon: sources.length - 1 };
  },

  /** Length of the longest function, for many numbers and lengths of keys. */
  length: () => {
    for (const count of [1, 10, 30, 60, 64, 65, 100, 300]) {
      for (const length of [5, 30, 100]) {
        parseRows(Array.from({ length: count }, (_, i) => `${i}`.padEnd(length, '"')), ROWS);
      }
    }
    return { longest: Math.max(...sources.map((source) => source.length)), made: made() };
  },

  /** Number of functions generated and kept for many common shapes, and generated for as many more. */
  flood: async () => {
    const alive = await flood("x");
    const first = made();
    await flood("y");
    return { shapes: SHAPES, alive, first, second: made() - first };
  },

  /** Attempts to generate functions where the engine forbids it. */
  forbidden: () => {
    for (let i = 0; i < 100; i++) parseRows(["id", `x${i}`], ROWS);
    return { made: made(), refused };
  },

  /** Functions generated after `no_codegen.ts` is imported. */
  noCodegen: async () => {
    await importNoCodegen();
    return { made: madeFor("a", "b") };
  },

  /** Functions used and generated when `no_codegen.ts` is imported after a function exists. */
  noCodegenLate: async () => {
    parseRows(["a", "b"], MANY);
    const before = usesFunction(["a", "b"]);
    await importNoCodegen();
    const madeAfter = madeFor("a", "b") + madeFor("c", "d");
    return { before, after: usesFunction(["a", "b"]), madeAfter };
  },

  /** Functions generated in a browser, before and after it imports `codegen.ts`. */
  browser: async () => {
    const before = madeFor("a", "b");
    await importCodegen();
    const atOnce = madeFor("c", "d");
    await pass();
    return { before, atOnce, after: madeFor("e", "f") };
  },

  /** Functions generated in a browser that imports `codegen.ts`, but reports a violation. */
  browserReporting: async () => {
    await importCodegen();
    dispatchEvent(new Event("securitypolicyviolation"));
    await pass();
    return { made: madeFor("a", "b") };
  },

  /** Functions generated in a browser before it gets a policy, and those refused afterwards. */
  browserLatePolicy: async () => {
    await importCodegen();
    await pass();
    const before = madeFor("a", "b");
    hasPolicy = true;
    const during = madeFor("c", "d") + madeFor("e", "f");
    hasPolicy = false;
    return { before, refused: refusedSources, after: during + madeFor("g", "h") };
  },

  /** Functions generated in a browser that imports both `no_codegen.ts` and `codegen.ts`. */
  browserForbidden: async () => {
    await importNoCodegen();
    await importCodegen();
    await pass();
    return { made: madeFor("a", "b") };
  },
};

const observed = await SCENARIOS[name](argument);
console.log(JSON.stringify({ observed, wrong }));
