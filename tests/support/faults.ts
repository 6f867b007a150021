/**
 * Faults to inject: every function and accessor of the built-in objects, replaced by one that
 * throws or lies; and documents that a parser has to read correctly all the same.
 */

import { Buffer } from "node:buffer";

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
 * Functions that get no lie: the parser computes with them and reads bytes through them. A program
 * that replaces them gets the results of the replacements.
 */
const PRIMITIVES = /^(Math|DataView\.prototype|TypedArray\.prototype|globalThis\.(DataView|Number|Uint8Array))(\.|$)/;

/** Error that a throwing fault throws. Made once: making one calls functions that are replaced. */
export const FAULT: Error = new Error("an injected fault");

/** Replacement of a property. */
export interface Fault {
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
export function makeFaults(kind: string): Fault[] {
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
/** More members than are looked up one by one, and than a generated constructor may have. */
const members = Array.from({ length: 200 }, (_, i) => `"key ${i}":${i}`);
const inherited = `{${members},"toString":1,"__proto__":{"at":2}}`;
const long = `[${Array.from({ length: 1_500 }, (_, i) => i % 5 ? i / 8 : `"${i}"`)}]`;

/** Documents of all kinds: small and large, right and wrong. */
export const DOCUMENTS: Uint8Array[] = [
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
  inherited,
  long,
  `${rows.slice(0, -1)},]`,
  `["${"long ".repeat(1_200)}","${"中\\n".repeat(300)}"]`,
].map((text) => text === '["\xff"]' ? Uint8Array.from(text, (c) => c.charCodeAt(0)) : encoder.encode(text));
