import { assert, assertEquals, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { detach, type DetachKind } from "../../detach.ts";
import { findNode, NO_NODE, run, runDeno } from "../support/environment.ts";
import { loadFreshWith } from "../support/modules.ts";
import { itUnless } from "../support/skip.ts";

const MODULE = new URL("../../detach.ts", import.meta.url).href;

/** Outcome of a case. */
interface Outcome {
  name: string;
  answer: boolean;
  /** Whether there is something to free, and nobody else loses it. */
  isFreed: boolean;
  /** Whether the state of the buffer agrees with the answer. */
  isConsistent: boolean;
}

/**
 * Runs `detach` on one argument of each kind. The source of this function is also what the other
 * processes run, so it refers to nothing outside.
 */
// deno-lint-ignore no-explicit-any
function runCases(detach: (bufferOrView: any) => boolean): Outcome[] {
  // deno-lint-ignore no-explicit-any
  const { process } = globalThis as any;
  const { Buffer } = process.getBuiltinModule("node:buffer");
  const { runInNewContext } = process.getBuiltinModule("node:vm");
  const resizable = (length: number) => new ArrayBuffer(length, { maxByteLength: 64 });
  const shrunken = (view: (buffer: ArrayBuffer) => ArrayBufferView) => {
    const buffer = resizable(16);
    const result = view(buffer);
    buffer.resize(8);
    return result;
  };
  const emptied = (view: (buffer: ArrayBuffer) => unknown) => {
    const buffer = new ArrayBuffer(8);
    const result = view(buffer);
    structuredClone(buffer, { transfer: [buffer] });
    return result;
  };

  const cases: Record<string, [isFreed: boolean, make: () => unknown]> = {
    "ArrayBuffer": [true, () => new ArrayBuffer(8)],
    "ArrayBuffer of no bytes": [true, () => new ArrayBuffer(0)],
    "ArrayBuffer, resizable": [true, () => resizable(8)],
    "ArrayBuffer of another realm": [true, () => runInNewContext("new ArrayBuffer(8)")],
    "ArrayBuffer, detached": [false, () => emptied((buffer) => buffer)],
    "Uint8Array": [true, () => new Uint8Array(8)],
    "Uint8Array of no bytes": [true, () => new Uint8Array(0)],
    "Uint8Array of another realm": [true, () => runInNewContext("new Uint8Array(8)")],
    "Uint8Array from the first byte on": [false, () => new Uint8Array(8).subarray(0, 7)],
    "Uint8Array to the last byte": [false, () => new Uint8Array(8).subarray(1)],
    "Uint8Array of none of its bytes": [false, () => new Uint8Array(8).subarray(0, 0)],
    "Uint8Array that tracks its length": [true, () => new Uint8Array(resizable(8))],
    "Uint8Array over all of a resizable": [true, () => new Uint8Array(resizable(8), 0, 8)],
    "Uint8Array over less of a resizable": [false, () => new Uint8Array(resizable(8), 0, 7)],
    "Uint8Array out of bounds": [false, () => shrunken((buffer) => new Uint8Array(buffer, 0, 16))],
    "Uint8Array, detached": [false, () => emptied((buffer) => new Uint8Array(buffer))],
    "Float64Array": [true, () => new Float64Array(2)],
    "BigInt64Array": [true, () => new BigInt64Array(2)],
    "DataView": [true, () => new DataView(new ArrayBuffer(8))],
    "DataView to the last byte": [false, () => new DataView(new ArrayBuffer(8), 1)],
    "DataView that tracks its length": [true, () => new DataView(resizable(8))],
    "DataView out of bounds": [false, () => shrunken((buffer) => new DataView(buffer, 0, 16))],
    "DataView, detached": [false, () => emptied((buffer) => new DataView(buffer))],
    "Buffer of its own": [true, () => Buffer.alloc(8)],
    "Buffer from the pool": [false, () => Buffer.from("abc")],
    "SharedArrayBuffer": [false, () => new SharedArrayBuffer(8)],
    "SharedArrayBuffer, growable": [false, () => new SharedArrayBuffer(8, { maxByteLength: 16 })],
    "SharedArrayBuffer, viewed": [false, () => new Uint8Array(new SharedArrayBuffer(8))],
    "SharedArrayBuffer, DataView": [false, () => new DataView(new SharedArrayBuffer(8))],
    "WebAssembly memory": [false, () => new WebAssembly.Memory({ initial: 1 }).buffer],
    "WebAssembly memory, viewed": [false, () => new Uint8Array(new WebAssembly.Memory({ initial: 1 }).buffer)],
    "WebAssembly memory, shared": [
      false,
      () => new WebAssembly.Memory({ initial: 1, maximum: 1, shared: true }).buffer,
    ],
  };
  return Object.entries(cases).map(([name, [isFreed, make]]) => {
    // deno-lint-ignore no-explicit-any
    const argument = make() as any;
    const buffer = ArrayBuffer.isView(argument) ? argument.buffer : argument;
    const { byteLength } = buffer;
    const answer = detach(argument);
    let isDetached = false;
    try {
      new Uint8Array(buffer);
    } catch {
      isDetached = true;
    }
    const untouched = buffer.byteLength === byteLength;
    return { name, answer, isFreed, isConsistent: answer ? isDetached : untouched };
  });
}

function assertOutcomes(outcomes: Outcome[], mayFree = true): void {
  const wrong = outcomes.filter(({ answer, isFreed, isConsistent }) =>
    answer !== (isFreed && mayFree) || !isConsistent
  );
  assertEquals(wrong, []);
}

/** Evaluates a module in a process of its own, which prints one JSON value and nothing else. */
async function evaluate(runtime: "Deno" | "Node.js", flags: string[], code: string): Promise<unknown> {
  // `deno eval` would not count for `deno task test coverage`.
  const module = `data:text/javascript,${encodeURIComponent(code)}`;
  const v8Flags = flags.length > 0 ? [`--v8-flags=${flags}`] : [];
  const { output } = runtime === "Deno"
    ? await runDeno(["run", "--quiet", "--no-check", "--allow-all", ...v8Flags, module])
    : await run("node", [...flags, "--disable-warning=ExperimentalWarning", "--input-type=module", "--eval", code]);
  try {
    return JSON.parse(output);
  } catch {
    throw new Error(`${runtime} said more than a value: ${output}`);
  }
}

/** Returns the text of a module that does `setup`, imports `detach` and prints an expression. */
function program(expression: string, setup = ""): string {
  return `${setup} const { detach } = await import("${MODULE}"); console.log(JSON.stringify(${expression}));`;
}

/** Loads `detach` anew while some globals have other values. */
async function loadWith(globals: Record<string, unknown>): Promise<typeof detach> {
  return (await loadFreshWith<typeof import("../../detach.ts")>("detach.ts", globals)).detach;
}

/**
 * Loads `detach` anew as in a page, while properties of `ArrayBuffer.prototype` have other values.
 */
async function loadInPage(properties: Record<string, unknown>, globals: Record<string, unknown> = {}) {
  const { prototype } = ArrayBuffer;
  const before = Object.getOwnPropertyDescriptors(prototype);
  for (const [name, value] of Object.entries(properties)) {
    Reflect.deleteProperty(prototype, name);
    if (value !== undefined) Object.defineProperty(prototype, name, { value, configurable: true });
  }
  try {
    return await loadWith({ Deno: undefined, process: undefined, ...globals });
  } finally {
    Object.defineProperties(prototype, before);
  }
}

describe("detach()", () => {
  it("returns true for buffers that it can detach and false for others", () => {
    assertOutcomes(runCases(detach));
  });

  it("empties every view of the buffer, and frees memory without a garbage collection", () => {
    const size = 1 << 28;
    const bytes = new Uint8Array(size);
    const tail = bytes.subarray(2);
    const before = Deno.memoryUsage().external;
    assertEquals(detach(bytes), true);
    assert(before - Deno.memoryUsage().external > size / 2);
    assertEquals([bytes.length, tail.length, tail[0]], [0, 0, undefined]);
  });

  it("accepts the same arguments in pages without SharedArrayBuffer and WebAssembly, and throws a TypeError for others", async () => {
    const message = "Cannot detach this argument: expected an ArrayBuffer, a SharedArrayBuffer or a view of one";
    const { buffer } = new WebAssembly.Memory({ initial: 1, maximum: 1, shared: true });
    for (const missing of [[], ["SharedArrayBuffer"], ["SharedArrayBuffer", "WebAssembly"]]) {
      const detach = await loadWith(Object.fromEntries(missing.map((name) => [name, undefined])));
      assertEquals(detach(new Uint8Array(8)), true);
      if (missing.length < 2) assertEquals([detach(buffer), detach(new Uint8Array(buffer))], [false, false]);
      assertEquals(assertThrows(() => detach({} as ArrayBuffer), TypeError).message, message);
    }
  });
});

const NATIVES = "--allow-natives-syntax";
const NO_CODE = "--disallow-code-generation-from-strings";
const noNode = await findNode() === undefined && NO_NODE;

describe("detach.kind", () => {
  const processes: { runtime: "Deno" | "Node.js"; flags: string[]; kind: DetachKind }[] = [
    { runtime: "Deno", flags: [], kind: "transfer" },
    { runtime: "Deno", flags: [NATIVES], kind: "native" },
    { runtime: "Deno", flags: [NATIVES, NO_CODE], kind: "transfer" },
    { runtime: "Node.js", flags: [], kind: "native" },
    { runtime: "Node.js", flags: [NO_CODE], kind: "transfer" },
  ];
  for (const { runtime, flags, kind } of processes) {
    const register = itUnless(runtime === "Node.js" && noNode);
    register([`is ${kind} in ${runtime}`, ...flags].join(" "), async () => {
      const result = await evaluate(runtime, flags, program(`[detach.kind, (${runCases})(detach)]`));
      const [actual, outcomes] = result as [DetachKind, Outcome[]];
      assertEquals(actual, kind);
      assertOutcomes(outcomes);
    });
  }

  it("is found without evaluating code in a page", async () => {
    const page = program("detach.kind", "delete globalThis.process; delete globalThis.Deno;");
    assertEquals(await evaluate("Deno", [NATIVES], page), "transfer");
  });

  const fails = (): never => {
    throw new Error("refused");
  };
  const missing = { transfer: undefined, detached: undefined };
  type Members = Record<string, unknown>;
  const copying = { structuredClone: (value: unknown) => value };
  const pages: { name: string; properties: Members; globals: Members; kind: DetachKind }[] = [
    { name: "a page", properties: {}, globals: {}, kind: "transfer" },
    { name: "an engine before 2023", properties: missing, globals: {}, kind: "structuredClone" },
    { name: "one without structuredClone", properties: missing, globals: { structuredClone: undefined }, kind: "none" },
    { name: "one whose structuredClone only copies", properties: missing, globals: copying, kind: "none" },
    {
      name: "one that detaches nothing",
      properties: { transfer: () => new ArrayBuffer(0) },
      globals: { structuredClone: fails },
      kind: "none",
    },
  ];
  for (const { name, properties, globals, kind } of pages) {
    it(`is ${kind} in ${name}`, async () => {
      const detach = await loadInPage(properties, globals);
      assertEquals(detach.kind, kind);
      assertOutcomes(runCases(detach), kind !== "none");
    });
  }

  const versions = { v8: "1" };
  const runtimes: { name: string; globals: Record<string, unknown>; asked: string[]; flags?: string[] }[] = [
    { name: "Deno", globals: { Deno: { version: versions }, process: { versions } }, asked: [] },
    {
      name: "Bun, whose V8 is none",
      globals: { Deno: undefined, process: { versions: { ...versions, bun: "1" } } },
      asked: [],
    },
    {
      name: "Node.js",
      globals: { Deno: undefined, process: { versions } },
      asked: ["node:v8"],
      flags: [NATIVES, "--no-allow-natives-syntax"],
    },
    {
      name: "a Node.js that refuses flags",
      globals: { Deno: undefined, process: { versions } },
      asked: ["node:v8"],
      flags: [NATIVES],
    },
  ];
  for (const { name, globals, asked, flags = [] } of runtimes) {
    it(`is transfer in ${name} without natives, whose flags are ${flags.length > 0 ? "asked for" : "left alone"}`, async () => {
      const modules: string[] = [];
      const set: string[] = [];
      const setFlagsFromString = (flag: string): void => {
        set.push(flag);
        if (flags.length === 1) fails();
      };
      const getBuiltinModule = (name: string) => {
        modules.push(name);
        return { setFlagsFromString };
      };
      const process = { ...globals.process as object, getBuiltinModule };
      assertEquals([(await loadWith({ ...globals, process })).kind, modules, set], ["transfer", asked, flags]);
      assertEquals((await loadWith(globals)).kind, "transfer"); // which cannot be asked
    });
  }
});

describe("detach() in a process of its own", () => {
  /** Changes built-in functions, after arguments were made. */
  const tampered = `(() => {
    const args = [new Uint8Array(8), new ArrayBuffer(8), new SharedArrayBuffer(8)];
    const reached = () => { throw new Error("reached") };
    for (const { prototype } of [ArrayBuffer, SharedArrayBuffer, Object.getPrototypeOf(Uint8Array), DataView]) {
      for (const key of Reflect.ownKeys(prototype)) Object.defineProperty(prototype, key, { value: reached });
    }
    Object.getPrototypeOf(function* () {}).prototype.next = reached;
    Function.prototype.call = Function.prototype.apply = Function.prototype.bind = reached;
    ArrayBuffer.isView = Reflect.apply = globalThis.Uint8Array = globalThis.structuredClone = reached;
    ArrayBuffer.prototype.detach = reached;
    return [detach(args[0]), detach(args[1]), detach(args[2])];
  })()`;
  const allowed = `(() => { try { return !!new Function("%ArrayBufferDetach(0)") } catch { return false } })()`;
  const later = `(() => {
    for (let i = 0; i < 10; i++) gc();
    return [detach(new ArrayBuffer(8)), detach(new WebAssembly.Memory({ initial: 1 }).buffer), detach(new ArrayBuffer(8))];
  })()`;
  const held = program(
    "[detach(pool.buffer), detach(new ArrayBuffer(8)), pool.toString()]",
    'const pool = process.getBuiltinModule("node:buffer").Buffer.from("abc");',
  );
  const states = program(`[before, detach.kind, ${allowed}]`, `const before = ${allowed};`);
  const rows: [name: string, runtime: "Deno" | "Node.js", flags: string[], code: string, expected: unknown][] = [
    ["goes on after a buffer that its host protects", "Deno", [], held, [false, true, "abc"]],
    ["is not affected by changed globals", "Deno", [], program(tampered), [true, true, false]],
    ["is not affected by them with natives", "Deno", [NATIVES], program(tampered), [true, true, false]],
    ["leaves natives syntax forbidden", "Node.js", [], states, [false, "native", false]],
    ["leaves natives syntax allowed", "Node.js", [NATIVES], states, [true, "native", true]],
    [
      ...["outlives the clearing of unused bytecode", "Node.js", ["--expose-gc", "--stress-flush-code"]],
      ...[program(later), [true, false, true]],
    ] as [string, "Node.js", string[], string, unknown],
  ];
  for (const [name, runtime, flags, code, expected] of rows) {
    const register = itUnless(runtime === "Node.js" && noNode);
    register(`${name} in ${runtime}`, async () => assertEquals(await evaluate(runtime, flags, code), expected));
  }
});
