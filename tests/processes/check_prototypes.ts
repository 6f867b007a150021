/**
 * Child process for any runtime: checks that values neither depend on changes to `Object.prototype`
 * and `Array.prototype` nor change them. Prints failed checks, and the number of checks.
 *
 * @module
 */

import { parseBinary } from "../../parse_binary.ts";
import { check, checksSoFar, reportChecks } from "../support/checks.ts";
import { difference, own } from "../support/difference.ts";

const encoder = new TextEncoder();

/**
 * Creates a document of rows, repeated until their shapes are cached, and of long values. Some keys
 * differ from those of every other `n`.
 */
function makeDocument(n: number): unknown[] {
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
  const numbers = Array.from({ length: 1_100 }, (_, i) => i / 2);
  const wide = numbers.map((i): [string, unknown] => [`wide ${n} ${i}`, [i]]);
  return [
    ...Array.from({ length: 150 }, (_, i) => row(i)),
    own(...wide, ["__proto__", { polluted: true }], ["toString", 1], ["a", 2], ["7", 3], ["__proto__", []], ["key", 4]),
    [...numbers, "a", "b", ...numbers.map((i) => [i, `${i}`, null])],
    numbers.map((i) => i % 3 ? `text ${i}` : { a: i, "0": i }),
    [`${n} `.repeat(3_000), "é\n".repeat(9_000), "é\n中".repeat(2_000)],
  ];
}

function checkDocument(name: string, tamper: () => () => void): void {
  const value = makeDocument(checksSoFar());
  const bytes = encoder.encode(JSON.stringify(value));
  const bad = bytes.subarray(0, bytes.length - 2);
  const restore = tamper();
  let outcome: unknown;
  let thrown: unknown;
  try {
    const first = parseBinary(bytes);
    const second = parseBinary(bytes);
    const third = parseBinary(bad);
    outcome = [first.ok && first.value, second.ok && second.value, third.ok];
  } catch (error) {
    thrown = error;
  } finally {
    restore();
  }
  check(name, thrown instanceof Error ? `threw ${firstLines(thrown)}` : difference(outcome, [value, value, false]));
  check(`${name}, pollution`, "polluted" in {} || "polluted" in [] ? "a prototype was polluted" : undefined);
}

/** Returns the message of an error and the top of its stack. */
function firstLines(error: Error): string {
  return String(error.stack).split("\n").slice(0, 4).join("\n");
}

// Descriptors have no prototype, so that they work while `Object.prototype` is changed.
function descriptor(properties: PropertyDescriptor): PropertyDescriptor {
  return Object.assign(Object.create(null), { configurable: true, enumerable: false }, properties);
}

function withProperties(prototype: object, keys: PropertyKey[], make: (key: PropertyKey) => PropertyDescriptor) {
  return (): () => void => {
    const before = keys.map((key) => Object.getOwnPropertyDescriptor(prototype, key));
    const after = keys.map((key) => descriptor(make(key)));
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
const method = (key: PropertyKey): PropertyDescriptor => ({ value: forbidden(key), writable: true });

let accessorCalls = 0;
let isInAccessor = false;

/** Returns a getter that counts its calls, and parses in each before it answers. */
function countingGetter(answer: () => unknown): () => unknown {
  return () => {
    accessorCalls++;
    if (isInAccessor) return answer();
    isInAccessor = true;
    parseBinary(encoder.encode(`[[1,2,3,4,5,"a","b"],{"a":1},"${"\\t".repeat(1_000)}","${"中\\t".repeat(1_000)}"]`));
    isInAccessor = false;
    return answer();
  };
}

const DATA = [
  "a",
  "x y",
  "",
  "key",
  "value",
  "get",
  "set",
  "ok",
  "polluted",
  "length",
  "é中\n",
  "0",
  "1",
  "2",
  "9",
  "10",
];
const INDEXES = Array.from({ length: 40 }, (_, i) => String(i));
const RESULT = ["ok", "value", "code", "message", "offset", "line", "column"];
const ATTRIBUTES = ["get", "set", "value", "writable", "enumerable", "configurable"];
const OPTIONS = ["fatal", "ignoreBOM", "stream", "maxByteLength"];
const OBJECT_METHODS = [
  "hasOwnProperty",
  "toString",
  "toLocaleString",
  "valueOf",
  "isPrototypeOf",
  "propertyIsEnumerable",
];
const ARRAY_METHODS = Reflect.ownKeys(Array.prototype).filter((key) => key !== "length" && key !== "constructor");
const SYMBOLS = [Symbol.iterator, Symbol.toPrimitive, Symbol.toStringTag, Symbol.isConcatSpreadable, Symbol.species];

// Deno disables this setter. Elsewhere it reveals a parser that assigns instead of defining.
const probe: Record<string, unknown> = {};
probe["__proto__"] = null;
console.log(`__proto__ ${Object.getPrototypeOf(probe) === null ? "sets the prototype" : "is tame"}`);

checkDocument("as they are", () => () => {});
checkDocument("accessors of data on Object.prototype", withProperties(Object.prototype, DATA, trap));
checkDocument(
  "accessors of data on Array.prototype",
  withProperties(Array.prototype, DATA.filter((k) => k !== "length"), trap),
);
checkDocument("accessors of indexes on Object.prototype", withProperties(Object.prototype, INDEXES, trap));
checkDocument("accessors of indexes on Array.prototype", withProperties(Array.prototype, INDEXES, trap));
checkDocument("accessors of __proto__", withProperties(Object.prototype, ["__proto__"], trap));
checkDocument("accessors of a result's fields", withProperties(Object.prototype, RESULT, trap));
checkDocument(
  "accessors of what objects inherit",
  withProperties(Object.prototype, ["constructor", ...OBJECT_METHODS], trap),
);
checkDocument("constants on Object.prototype", withProperties(Object.prototype, DATA, constant));
checkDocument("constants on Array.prototype", withProperties(Array.prototype, INDEXES, constant));
checkDocument("indexes that are constants on Object.prototype", withProperties(Object.prototype, INDEXES, constant));
checkDocument("a constant __proto__", withProperties(Object.prototype, ["__proto__"], constant));
checkDocument("attributes of descriptors", withProperties(Object.prototype, ATTRIBUTES, constant));
checkDocument("options of decoders", withProperties(Object.prototype, OPTIONS, constant));
checkDocument("methods of Object.prototype", withProperties(Object.prototype, OBJECT_METHODS, method));
checkDocument("methods of Array.prototype", withProperties(Array.prototype, ARRAY_METHODS, method));
checkDocument("symbols on Object.prototype", withProperties(Object.prototype, SYMBOLS, method));
checkDocument("symbols on Array.prototype", withProperties(Array.prototype, SYMBOLS, method));
checkDocument(
  "another constructor of arrays",
  withProperties(Array.prototype, ["constructor"], () => ({ value: { [Symbol.species]: forbidden("species") } })),
);
checkDocument("accessors where the constructor of arrays was", withProperties(Array.prototype, ["constructor"], trap));
// Accessors with the value of the property: they could call the parser during a parse.
checkDocument(
  "an accessor of the constructor of arrays that answers",
  withProperties(Array.prototype, ["constructor"], () => ({ get: countingGetter(() => Array) })),
);
checkDocument(
  "an accessor of the species of arrays that answers",
  withProperties(Array as unknown as object, [Symbol.species], () => ({ get: countingGetter(() => Array) })),
);
check("accessors that answer", accessorCalls === 0 ? undefined : `were called ${accessorCalls} times`);
checkDocument(
  "an accessor of the constructor of byte arrays that answers",
  withProperties(Uint8Array.prototype, ["constructor"], () => ({ get: countingGetter(() => Uint8Array) })),
);
checkDocument(
  "an accessor of the constructor of arrays of code units that answers",
  withProperties(Uint16Array.prototype, ["constructor"], () => ({ get: countingGetter(() => Uint16Array) })),
);
checkDocument("accessors of symbols on Array.prototype", withProperties(Array.prototype, SYMBOLS, trap));
checkDocument("accessors of symbols on Object.prototype", withProperties(Object.prototype, SYMBOLS, trap));
checkDocument("another prototype of Array.prototype", () => {
  const traps = Object.create(Object.prototype);
  for (const key of new Set([...INDEXES, ...DATA])) Object.defineProperty(traps, key, trap(key));
  Object.setPrototypeOf(Array.prototype, traps);
  return () => Object.setPrototypeOf(Array.prototype, Object.prototype);
});
// Freezing cannot be undone.
checkDocument("frozen prototypes", () => {
  Object.freeze(Object.prototype);
  Object.freeze(Array.prototype);
  return () => {};
});

reportChecks();
