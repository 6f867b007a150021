/**
 * Child process for any runtime: checks that no entry point depends on changes to
 * `Object.prototype` and `Array.prototype`, runs code that the user has put there, or changes them.
 * Prints failed checks, and the number of checks.
 *
 * The streams and timers of a runtime may depend on prototypes. So the library is loaded with
 * another `TransformStream`, which does not, and time stands still.
 */

import { check, checksSoFar, reportChecks } from "../support/checks.ts";
import { difference, own } from "../support/difference.ts";
import {
  coveredBy,
  type EntryPoint,
  entryPointsOf,
  PlainTransformStream,
  type Reading,
  WRONG_TEXTS,
} from "../support/entry_points.ts";

Object.assign(globalThis, { TransformStream: PlainTransformStream });
performance.now = () => 0; // a time slice that ends would wait for a timer of the runtime
const library = await import("../../mod.ts");

const entryPoints = coveredBy("Prototypes", coveredBy("No accessor and no method", entryPointsOf(library)));

const encoder = new TextEncoder();

/** Rows until their shapes are cached, and rows that are enough to fill queues. */
const MANY_ROWS = 150;
const SOME_ROWS = 8;

/** Creates values: rows, and values as long as these are many. Some keys differ with `n`. */
function makeValues(n: number, rows: number): unknown[] {
  const row = (i: number): unknown =>
    own(
      ["a", i],
      [`key ${n}`, `text ${i}`],
      ["x y", [i, `${i}`, null, [i * 0.5, i], {}]],
      ["__proto__", { polluted: true }],
      ["constructor", { prototype: { polluted: true } }],
      ["toString", null],
      ["0", [1, 2, 3, 4, 5, 6, 7, 8, 9, 10].slice(0, i % 11)],
      ["value", own(["get", 1], ["set", 2], ["ok", false], ["length", 7])],
      ["é中\n", own([`only ${n} ${i}`, true], ["1", "one"], ["0", [[], [[]]]])],
    );
  const numbers = Array.from({ length: 7 * rows + 50 }, (_, i) => i / 2);
  const wide = numbers.map((i): [string, unknown] => [`wide ${n} ${i}`, [i]]);
  return [
    ...Array.from({ length: rows }, (_, i) => row(i)),
    own(...wide, ["__proto__", { polluted: true }], ["toString", 1], ["a", 2], ["7", 3], ["__proto__", []], ["key", 4]),
    [...numbers, "a", "b", ...numbers.map((i) => [i, `${i}`, null])],
    numbers.map((i) => i % 3 ? `text ${i}` : { a: i, "0": i }),
    [`${n} `.repeat(20 * rows), "é\n".repeat(60 * rows), "é\n中".repeat(13 * rows)],
    // So many shapes that constructors of some are dropped again.
    Array.from({ length: rows < MANY_ROWS ? 0 : 9_000 }, (_, i) => ({ [`shape ${i % 300}`]: i, i })),
  ];
}

/**
 * Returns copies of an input in chunks: one if it must be whole, and enough to enlarge a queue
 * of chunks.
 */
function chunksOf(text: string, { isWhole, readsJson }: EntryPoint): Uint8Array[] {
  const bytes = encoder.encode(text);
  const count = isWhole ? 1 : readsJson ? 3 : 12;
  const size = Math.ceil(bytes.length / count);
  return Array.from({ length: count }, (_, i) => bytes.slice(i * size, (i + 1) * size));
}

/** A few malformed inputs, for slow checks. */
const FEW = WRONG_TEXTS.slice(0, 3);

function summaryOf({ values, failure }: Reading): unknown {
  return [values.toArray(), failure];
}

/** Summaries of wrong inputs by entry point and input. */
const summaries = new Map<string, unknown>();

/** Reads an input while prototypes are as they should be. */
async function expectedOf(text: string, entryPoint: EntryPoint): Promise<unknown> {
  const key = `${entryPoint.name} ${text}`;
  if (!summaries.has(key)) summaries.set(key, summaryOf(await entryPoint.read(chunksOf(text, entryPoint))));
  return summaries.get(key);
}

/** Checks that an entry point reads while prototypes are changed what it reads otherwise. */
async function checkEntryPoint(
  name: string,
  tamper: () => () => void,
  entryPoint: EntryPoint,
  wrongTexts: string[],
): Promise<void> {
  const rows = entryPoint.name === "parseBinary" ? MANY_ROWS : entryPoint.readsJson ? SOME_ROWS : 1;
  const texts = makeValues(checksSoFar(), rows).map((value) => JSON.stringify(value));
  const good = entryPoint.inputOf(texts);
  const bad = entryPoint.inputOf([...texts, "[1,"]);
  const expected: unknown[] = [[entryPoint.valuesOf(texts), null], [entryPoint.valuesOf(texts), null]];
  const inputs = [chunksOf(good, entryPoint), chunksOf(good, entryPoint)];
  // Elements must be within an array, or nothing else is read.
  const isOfElements = entryPoint.name.endsWith(" of elements");
  const wrongInputs = wrongTexts.map((text) => isOfElements ? entryPoint.inputOf(["1", text]) : text);
  const wrong = entryPoint.readsJson ? [bad, ...wrongInputs] : [];
  for (const text of wrong) {
    inputs.push(chunksOf(text, entryPoint));
    expected.push(await expectedOf(text, entryPoint));
  }
  const readings = inputs.map((): Reading | undefined => undefined);
  const restore = tamper();
  let thrown: unknown;
  let input = 0;
  try {
    for (let i = 0; i < inputs.length; i++) {
      input = i;
      const reading = entryPoint.read(inputs[i]);
      readings[i] = reading instanceof Promise ? await reading : reading;
    }
  } catch (error) {
    thrown = error;
  } finally {
    restore();
  }
  const found = readings.map((reading) => reading && summaryOf(reading));
  const problem = thrown === undefined ? difference(found, expected) : `input ${input} threw ${firstLines(thrown)}`;
  check(`${entryPoint.name}, ${name}`, problem);
}

/**
 * Checks all entry points. Those that return at once get all wrong inputs by default; the others
 * are built on them, and get some.
 */
async function checkAll(name: string, tamper: () => () => void, wrongTexts = WRONG_TEXTS): Promise<void> {
  for (const entryPoint of entryPoints) {
    const returnsAtOnce = entryPoint.isWhole || entryPoint.open !== undefined;
    await checkEntryPoint(name, tamper, entryPoint, returnsAtOnce ? wrongTexts : FEW);
  }
  check(`${name}, pollution`, "polluted" in {} || "polluted" in [] ? "a prototype was polluted" : undefined);
}

/** Returns the message of an error and the top of its stack. */
function firstLines(error: unknown): string {
  return String(error instanceof Error ? error.stack : error).split("\n").slice(0, 4).join("\n");
}

function withProperties(prototype: object, keys: PropertyKey[], make: (key: PropertyKey) => PropertyDescriptor) {
  return (): () => void => {
    const before = keys.map((key) => Object.getOwnPropertyDescriptor(prototype, key));
    // Without a prototype, so that they work while `Object.prototype` is changed.
    const after = keys.map((key) => Object.assign(Object.create(null), { configurable: true }, make(key)));
    for (let i = 0; i < keys.length; i++) Object.defineProperty(prototype, keys[i], after[i]);
    return () => {
      for (let i = 0; i < keys.length; i++) {
        Reflect.deleteProperty(prototype, keys[i]);
        const former = before[i];
        if (former) Object.defineProperty(prototype, keys[i], Object.setPrototypeOf(former, null));
      }
    };
  };
}

function forbidden(key: PropertyKey): () => never {
  return () => {
    throw new Error(`the parser touched ${String(key)}`);
  };
}

const trap = (key: PropertyKey): PropertyDescriptor => ({ get: forbidden(key), set: forbidden(key) });
const constant = (): PropertyDescriptor => ({ value: 1, writable: false });
const method = (key: PropertyKey): PropertyDescriptor => ({
  value: forbidden(key),
  writable: true,
  enumerable: true,
});

const DATA = [
  ...["a", "x y", "", "key", "value", "get", "set", "ok", "polluted", "length", "é中\n", "0", "1", "2", "9", "10"],
];
const INDEXES = Array.from({ length: 40 }, (_, i) => String(i));
/** Indexes up to the end of the first stacks and caches. */
const LARGE_INDEXES = Array.from({ length: 1_300 }, (_, i) => String(i + INDEXES.length));
/**
 * Options of the entry points, and members of what they look at: sources, iterators, transformers.
 */
const MEMBERS = [
  ...["multiple", "onValue", "onFailure", "onInvalid", "onDocument", "maxTokenBytes", "sizeHint", "maxBytes"],
  ...["timeSlice", "detachChunks", "signal", "getReader", "destroy", "return", "throw", "closed", "start", "flush"],
  ...["maxDepth", "maxStringBytes", "maxMembers", "maxElements", "duplicateKeys", "protoKeys", "integers"],
  ...["numbers", "number", "cancel", "readableType", "writableType", "mode", "done", "next", "buffer", "byteOffset"],
  ...["byteLength"],
];
const RESULT = ["ok", "value", "code", "message", "offset", "line", "column", "truncated"];
const ATTRIBUTES = ["get", "set", "value", "writable", "enumerable", "configurable"];
const OPTIONS = ["fatal", "ignoreBOM", "stream", "maxByteLength"];
const OBJECT_METHODS = Reflect.ownKeys(Object.prototype)
  .filter((key) => key !== "constructor" && !String(key).startsWith("__"));
/** Methods that libraries add to prototypes, as Prototype.js and Sugar do. */
const FURTHER_METHODS = ["each", "first", "last", "extend", "clone", "collect", "size", "isEmpty", "toJSON", "remove"];
/** Without `Symbol.isConcatSpreadable`, which the engine itself looks for in each `concat`. */
const SYMBOLS = [Symbol.iterator, Symbol.toPrimitive, Symbol.toStringTag, Symbol.species];

// Deno disables this setter. Elsewhere it reveals a parser that assigns instead of defining.
const probe: Record<string, unknown> = {};
probe["__proto__"] = null;
console.log(`__proto__ ${Object.getPrototypeOf(probe) === null ? "sets the prototype" : "is tame"}`);

/** Changes: what is changed, its keys, and their new properties. */
const CHANGES: { name: string; holder: object; keys: PropertyKey[]; make: (key: PropertyKey) => PropertyDescriptor }[] =
  [
    { name: "accessors of data on Object.prototype", holder: Object.prototype, keys: DATA, make: trap },
    {
      name: "accessors of data on Array.prototype",
      holder: Array.prototype,
      keys: DATA.filter((key) => key !== "length"),
      make: trap,
    },
    { name: "accessors of indexes on Object.prototype", holder: Object.prototype, keys: INDEXES, make: trap },
    { name: "accessors of indexes on Array.prototype", holder: Array.prototype, keys: INDEXES, make: trap },
    { name: "accessors of __proto__", holder: Object.prototype, keys: ["__proto__"], make: trap },
    { name: "accessors of a result's fields", holder: Object.prototype, keys: RESULT, make: trap },
    { name: "accessors of large indexes on Array.prototype", holder: Array.prototype, keys: LARGE_INDEXES, make: trap },
    { name: "accessors of members on Object.prototype", holder: Object.prototype, keys: MEMBERS, make: trap },
    { name: "constants as members on Object.prototype", holder: Object.prototype, keys: MEMBERS, make: constant },
    {
      name: "accessors of what objects inherit",
      holder: Object.prototype,
      keys: ["constructor", ...OBJECT_METHODS],
      make: trap,
    },
    { name: "constants on Object.prototype", holder: Object.prototype, keys: DATA, make: constant },
    { name: "constants on Array.prototype", holder: Array.prototype, keys: INDEXES, make: constant },
    { name: "indexes that are constants on Object.prototype", holder: Object.prototype, keys: INDEXES, make: constant },
    { name: "a constant __proto__", holder: Object.prototype, keys: ["__proto__"], make: constant },
    { name: "attributes of descriptors", holder: Object.prototype, keys: ATTRIBUTES, make: constant },
    { name: "options of decoders", holder: Object.prototype, keys: OPTIONS, make: constant },
    { name: "methods of Object.prototype", holder: Object.prototype, keys: OBJECT_METHODS, make: method },
    { name: "further methods on Object.prototype", holder: Object.prototype, keys: FURTHER_METHODS, make: method },
    { name: "further methods on Array.prototype", holder: Array.prototype, keys: FURTHER_METHODS, make: method },
    { name: "symbols on Object.prototype", holder: Object.prototype, keys: SYMBOLS, make: method },
    { name: "accessors of symbols on Object.prototype", holder: Object.prototype, keys: SYMBOLS, make: trap },
  ];

await checkAll("as they are", () => () => {});
for (const { name, holder, keys, make } of CHANGES) await checkAll(name, withProperties(holder, keys, make));
await checkAll("another prototype of Array.prototype", () => {
  const traps = Object.create(Object.prototype);
  for (const key of new Set([...INDEXES, ...DATA])) Object.defineProperty(traps, key, trap(key));
  Object.setPrototypeOf(Array.prototype, traps);
  return () => Object.setPrototypeOf(Array.prototype, Object.prototype);
});
// Freezing cannot be undone.
await checkAll("frozen prototypes", () => {
  Object.freeze(Object.prototype);
  Object.freeze(Array.prototype);
  return () => {};
});

reportChecks();
