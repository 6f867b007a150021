/**
 * Child process for any runtime that injects faults: it replaces every function and accessor of the
 * built-in objects, one at a time, by one that throws and by one that lies. A call then either has
 * the right result or throws the fault's error, and the next call knows nothing of it. Prints the
 * faults that changed a result, failed checks, and the number of checks.
 *
 *     check_faults.ts throw|lie
 *
 * @module
 */

import { Buffer } from "node:buffer";
import process from "node:process";
import { detach } from "../../detach.ts";
import { parseBinary } from "../../parse_binary.ts";
import { BinaryValidator, validateBinary } from "../../validate_binary.ts";
import { check, checkThat, reportChecks } from "../support/checks.ts";
import { difference } from "../support/difference.ts";

const encoder = new TextEncoder();

/** Built-in objects whose properties are replaced, by name. */
const HOLDERS: [name: string, holder: object][] = [];
const GLOBALS = globalThis as unknown as Record<string, { prototype?: object } | undefined>;
for (
  const name of [
    ...["Array", "ArrayBuffer", "SharedArrayBuffer", "Atomics", "BigInt", "Boolean", "DataView", "Error", "EvalError"],
    ...["Float64Array", "Function", "Int32Array", "JSON", "Map", "Math", "Number", "Object", "Promise", "RangeError"],
    ...["Reflect", "RegExp", "Set", "String", "Symbol", "SyntaxError", "TextDecoder", "TextEncoder", "TransformStream"],
    ...["TypeError", "Uint8Array", "Uint16Array", "WeakMap", "WeakRef", "WeakSet"],
  ]
) {
  const holder = GLOBALS[name];
  if (holder === undefined) continue;
  HOLDERS.push([name, holder]);
  if (holder.prototype) HOLDERS.push([`${name}.prototype`, holder.prototype]);
}
const TypedArray = Object.getPrototypeOf(Uint8Array);
HOLDERS.push(["TypedArray", TypedArray], ["TypedArray.prototype", TypedArray.prototype]);
HOLDERS.push(["Buffer", Buffer], ["Buffer.prototype", Buffer.prototype]);
HOLDERS.push(["%ArrayIteratorPrototype%", Object.getPrototypeOf([][Symbol.iterator]())]);
HOLDERS.push(["%GeneratorPrototype%", Object.getPrototypeOf(function* () {}).prototype]);

/**
 * Functions that a lie is not injected into: what the parser computes with and reads bytes through.
 * A program that replaces them by others gets what the others return.
 */
const PRIMITIVES = /^(Math|DataView\.prototype|TypedArray\.prototype|globalThis\.(DataView|Number|Uint8Array))(\.|$)/;

/** Error that a throwing fault throws. Made once: making one calls functions that are replaced. */
const FAULT = new Error("an injected fault");

/** Replacement of a property. */
interface Fault {
  name: string;
  holder: object;
  key: PropertyKey;
  before: PropertyDescriptor;
  after: PropertyDescriptor;
}

/** Value that a lying function or accessor returns: of a plausible kind, and wrong. */
function lie(key: PropertyKey): unknown {
  const name = String(key);
  if (/^(is|has|some|every|includes|test|can)/.test(name)) return false;
  if (/slice|concat|subarray|map|filter|split|fill|keys|values|entries|own/i.test(name)) return [];
  if (/string|join|decode|at|char|pad/i.test(name)) return "lie";
  return 0;
}

/** Makes the faults of a kind. Globals that are constructors are replaced too. */
function makeFaults(kind: string): Fault[] {
  const faults: Fault[] = [];
  const add = (name: string, holder: object, key: PropertyKey): void => {
    const before = Object.getOwnPropertyDescriptor(holder, key)!;
    const answer = lie(key);
    const fake = kind === "throw"
      ? function (): never {
        throw FAULT;
      }
      : function (): unknown {
        return answer;
      };
    const after = { ...before };
    if (before.get) after.get = fake;
    else if (typeof before.value === "function") after.value = fake;
    else return;
    const fullName = `${name}.${String(key)}`;
    if (!before.configurable || kind === "lie" && PRIMITIVES.test(fullName)) return;
    faults.push({ name: fullName, holder, key, before, after });
  };
  for (const [name, holder] of HOLDERS) for (const key of Reflect.ownKeys(holder)) add(name, holder, key);
  for (const [name] of HOLDERS) if (Object.hasOwn(globalThis, name)) add("globalThis", globalThis, name);
  return faults;
}

const rows = JSON.stringify(
  Array.from(
    { length: 60 },
    (_, i) => ({ id: i, name: `näme ${i % 7} "x"`, ratio: i / 7, tags: ["a", `b${i}`], at: {} }),
  ),
);
const wide = JSON.stringify(Object.fromEntries(Array.from({ length: 300 }, (_, i) => [`key ${i}`, i])));
const long = `[${Array.from({ length: 1_500 }, (_, i) => i % 5 ? i / 8 : `"${i}"`)}]`;

/** Documents of all kinds: small and large, right and wrong. */
const DOCUMENTS = [
  "1",
  "tru",
  '"\\u00e9\\ud83d"',
  "[1,2.5,-3e4,123456789012345678901]",
  '{"a":[1,{"b":null}],"__proto__":1,"é":"中","\\n":[[]]}',
  '{"a" 1}',
  "\x01",
  '["\xff"]',
  rows,
  wide,
  long,
  `${rows.slice(0, -1)},]`,
  `["${"long ".repeat(1_200)}","${"中\\n".repeat(300)}"]`,
].map((text) => text === '["\xff"]' ? Uint8Array.from(text, (c) => c.charCodeAt(0)) : encoder.encode(text));

const validator = new BinaryValidator({ multiple: "lines", onDocument() {} });

/** Entry points. Each gets bytes and returns a result that can be compared. */
const CALLS: ((bytes: Uint8Array) => unknown)[] = [
  (bytes) => parseBinary(bytes),
  (bytes) => validateBinary(bytes),
  (bytes) => {
    validator.reset();
    validator.push(bytes);
    return validator.end();
  },
];

/** Results of calls on all documents: `FAULT` where a call threw it. */
function results(): unknown[] {
  const found: unknown[] = [];
  let n = 0;
  // Plain loops: iterators and methods of arrays are among what is replaced.
  for (let c = 0; c < CALLS.length; c++) {
    for (let d = 0; d < DOCUMENTS.length; d++) {
      try {
        found[n++] = CALLS[c](DOCUMENTS[d]);
      } catch (error) {
        found[n - 1] = error;
      }
    }
  }
  return found;
}

/** Replaces a property, makes the calls, and restores the property. */
function withFault({ holder, key, before, after }: Fault): unknown[] {
  const { defineProperty } = Object;
  defineProperty(holder, key, after);
  try {
    return results();
  } finally {
    defineProperty(holder, key, before);
  }
}

const kind = process.argv[2] ?? "throw";
const expected = results();
checkThat("results without a fault", expected.every((result) => !(result instanceof Error)), expected);
for (let times = 0; times < 3; times++) results();

let unaffected = 0;
const thrown: string[] = [];
const changed: string[] = [];
for (const fault of makeFaults(kind)) {
  const found = withFault(fault);
  const threw = found.some((result, i) => result === FAULT && expected[i] !== FAULT);
  const others = found.map((result, i) => result === FAULT ? expected[i] : result);
  // Only a lie may change a result or make the engine itself throw.
  const problem = difference(others, expected);
  if (problem !== undefined) changed.push(fault.name);
  else if (threw) thrown.push(fault.name);
  else unaffected++;
  if (kind === "throw") check(`a throwing ${fault.name}`, problem);
  validator.reset();
  check(`results after a fault in ${fault.name}`, difference(results(), expected));
}
const buffer = new ArrayBuffer(8);
checkThat("detach after all faults", detach(buffer) && buffer.byteLength === 0, buffer.byteLength);
console.log(`${unaffected} faults had no effect, ${thrown.length} were thrown, ${changed.length} changed results`);
console.log(`thrown: ${thrown.join(" ")}`);
console.log(`changed: ${changed.join(" ")}`);
reportChecks();
