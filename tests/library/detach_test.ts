import { assert, assertEquals, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { detach, type DetachKind } from "../../detach.ts";
import { run } from "../support/environment.ts";
import { loadFreshWith } from "../support/modules.ts";

const MODULE = new URL("../../detach.ts", import.meta.url).href;

/** Outcome of a case. */
interface Outcome {
  name: string;
  answer: boolean;
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

  const cases: Record<string, () => unknown> = {
    "ArrayBuffer": () => new ArrayBuffer(8),
    "ArrayBuffer of no bytes": () => new ArrayBuffer(0),
    "ArrayBuffer, resizable": () => resizable(8),
    "ArrayBuffer of another realm": () => runInNewContext("new ArrayBuffer(8)"),
    "ArrayBuffer, detached": () => emptied((buffer) => buffer),
    "Uint8Array": () => new Uint8Array(8),
    "Uint8Array of no bytes": () => new Uint8Array(0),
    "Uint8Array of another realm": () => runInNewContext("new Uint8Array(8)"),
    "Uint8Array from the first byte on": () => new Uint8Array(8).subarray(0, 7),
    "Uint8Array to the last byte": () => new Uint8Array(8).subarray(1),
    "Uint8Array of none of its bytes": () => new Uint8Array(8).subarray(0, 0),
    "Uint8Array that tracks its length": () => new Uint8Array(resizable(8)),
    "Uint8Array over all of a resizable": () => new Uint8Array(resizable(8), 0, 8),
    "Uint8Array over less of a resizable": () => new Uint8Array(resizable(8), 0, 7),
    "Uint8Array out of bounds": () => shrunken((buffer) => new Uint8Array(buffer, 0, 16)),
    "Uint8Array, detached": () => emptied((buffer) => new Uint8Array(buffer)),
    "Float64Array": () => new Float64Array(2),
    "BigInt64Array": () => new BigInt64Array(2),
    "DataView": () => new DataView(new ArrayBuffer(8)),
    "DataView to the last byte": () => new DataView(new ArrayBuffer(8), 1),
    "DataView that tracks its length": () => new DataView(resizable(8)),
    "DataView out of bounds": () => shrunken((buffer) => new DataView(buffer, 0, 16)),
    "DataView, detached": () => emptied((buffer) => new DataView(buffer)),
    "Buffer of its own": () => Buffer.alloc(8),
    "Buffer from the pool": () => Buffer.from("abc"),
    "SharedArrayBuffer": () => new SharedArrayBuffer(8),
    "SharedArrayBuffer, growable": () => new SharedArrayBuffer(8, { maxByteLength: 16 }),
    "SharedArrayBuffer, viewed": () => new Uint8Array(new SharedArrayBuffer(8)),
    "SharedArrayBuffer, DataView": () => new DataView(new SharedArrayBuffer(8)),
    "WebAssembly memory": () => new WebAssembly.Memory({ initial: 1 }).buffer,
    "WebAssembly memory, viewed": () => new Uint8Array(new WebAssembly.Memory({ initial: 1 }).buffer),
    "WebAssembly memory, shared": () => new WebAssembly.Memory({ initial: 1, maximum: 1, shared: true }).buffer,
  };
  return Object.entries(cases).map(([name, make]) => {
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
    return { name, answer, isConsistent: answer ? isDetached : untouched };
  });
}

/** Names of the cases in which there is something to free and nobody else loses it. */
const DETACHABLE = [
  "ArrayBuffer",
  "ArrayBuffer of no bytes",
  "ArrayBuffer, resizable",
  "ArrayBuffer of another realm",
  "Uint8Array",
  "Uint8Array of no bytes",
  "Uint8Array of another realm",
  "Uint8Array that tracks its length",
  "Uint8Array over all of a resizable",
  "Float64Array",
  "BigInt64Array",
  "DataView",
  "DataView that tracks its length",
  "Buffer of its own",
];

function assertOutcomes(outcomes: Outcome[], detachable: string[]): void {
  assertEquals(outcomes.filter(({ answer }) => answer).map(({ name }) => name), detachable);
  assertEquals(outcomes.filter(({ isConsistent }) => !isConsistent), []);
}

/** Runs a program that prints one JSON value and nothing else; returns the value. */
async function evaluate(program: string, args: string[]): Promise<unknown> {
  const { output } = await run(program, args);
  try {
    return JSON.parse(output);
  } catch {
    throw new Error(`${program} said more than a value: ${output}`);
  }
}

/**
 * Evaluates a module in a process of Deno. `deno eval` would not count for `deno task test
 * coverage`.
 */
function evaluateInDeno(v8Flags: string[], code: string): Promise<unknown> {
  const flags = v8Flags.length > 0 ? [`--v8-flags=${v8Flags}`] : [];
  const module = `data:text/javascript,${encodeURIComponent(code)}`;
  return evaluate(Deno.execPath(), ["run", "--quiet", "--no-check", "--allow-all", ...flags, module]);
}

function evaluateInNode(flags: string[], code: string): Promise<unknown> {
  return evaluate("node", [...flags, "--disable-warning=ExperimentalWarning", "--input-type=module", "--eval", code]);
}

/** Returns the text of a module that does `setup`, imports `detach` and prints an expression. */
function program(expression: string, setup = ""): string {
  return `${setup} const { detach } = await import("${MODULE}"); console.log(JSON.stringify(${expression}));`;
}

const KIND_AND_OUTCOMES = `[detach.kind, (${runCases})(detach)]`;

function assertKind(result: unknown, kind: DetachKind, detachable = DETACHABLE): void {
  const [actual, outcomes] = result as [DetachKind, Outcome[]];
  assertEquals(actual, kind);
  assertOutcomes(outcomes, detachable);
}

/** Returns the reason why tests cannot run in Node.js here; `undefined` where they can. */
async function nodeObstacle(): Promise<string | undefined> {
  try {
    const { output } = await run("node", ["--version"]);
    const [major, minor] = output.slice(1).split(".").map(Number);
    if (major > 22 || (major === 22 && minor >= 18)) return undefined;
    return `skipped: needs Node.js 22.18 for TypeScript, found ${output.trim()}`;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return "skipped: needs Node.js";
    throw error;
  }
}

describe("detach()", () => {
  it("returns true for what it can free and false for the rest", () => {
    assertOutcomes(runCases(detach), DETACHABLE);
  });

  it("returns false for shared memory whose constructor is hidden, as in most pages", async () => {
    const { detach } = await loadFreshWith<typeof import("../../detach.ts")>("detach.ts", {
      SharedArrayBuffer: undefined,
    });
    const { buffer } = new WebAssembly.Memory({ initial: 1, maximum: 1, shared: true });
    assertEquals(detach(buffer), false);
    assertEquals(detach(new Uint8Array(buffer)), false);
  });

  it("does not rely on a structuredClone that only copies", async () => {
    const transfer = Object.getOwnPropertyDescriptor(ArrayBuffer.prototype, "transfer")!;
    Reflect.deleteProperty(ArrayBuffer.prototype, "transfer");
    try {
      const globals = { process: undefined, structuredClone: (value: unknown) => value };
      const { detach } = await loadFreshWith<typeof import("../../detach.ts")>("detach.ts", globals);
      assertEquals([detach.kind, detach(new ArrayBuffer(8))], ["none", false]);
    } finally {
      Object.defineProperty(ArrayBuffer.prototype, "transfer", transfer);
    }
  });

  it("returns false for a small Buffer and leaves its neighbours alone", () => {
    // deno-lint-ignore no-explicit-any
    const { Buffer } = (globalThis as any).process.getBuiltinModule("node:buffer");
    const first = Buffer.from("first");
    const second = Buffer.from("second");
    assert(first.buffer === second.buffer, "the two should share the pool");
    assertEquals(detach(first), false);
    assertEquals([first.toString(), second.toString()], ["first", "second"]);
  });

  it("empties every view of the buffer", () => {
    const bytes = new Uint8Array([1, 2, 3, 4]);
    const tail = bytes.subarray(2);
    assertEquals(detach(bytes), true);
    assertEquals([bytes.length, tail.length, tail[0]], [0, 0, undefined]);
  });

  it("frees memory without a garbage collection", () => {
    const size = 1 << 28;
    const bytes = new Uint8Array(size);
    const before = Deno.memoryUsage().external;
    assertEquals(detach(bytes), true);
    assert(before - Deno.memoryUsage().external > size / 2);
  });

  for (
    const [name, value] of Object.entries({
      "undefined": undefined,
      "null": null,
      "a number": 8,
      "a string": "bytes",
      "an array": [1, 2, 3],
      "an object that looks like a buffer": { byteLength: 8, slice() {} },
      "an object that inherits from ArrayBuffer": Object.create(ArrayBuffer.prototype),
      "an object that inherits from Uint8Array": Object.create(Uint8Array.prototype),
      "a proxy of a buffer": new Proxy(new ArrayBuffer(8), {}),
    })
  ) {
    it(`throws a TypeError for ${name}`, () => {
      assertThrows(
        () => detach(value as ArrayBuffer),
        TypeError,
        "Cannot detach this argument: expected an ArrayBuffer, a SharedArrayBuffer or a view of one",
      );
    });
  }
});

describe("detach.kind", () => {
  const withoutTransfer = "delete ArrayBuffer.prototype.transfer; delete ArrayBuffer.prototype.detached;";
  // The cases themselves still use structuredClone, by a name of their own.
  const withoutClone = "const { structuredClone } = globalThis; delete globalThis.structuredClone;";

  it("is transfer by default", async () => {
    assertKind(await evaluateInDeno([], program(KIND_AND_OUTCOMES)), "transfer");
  });

  it("is native where natives syntax is allowed", async () => {
    assertKind(await evaluateInDeno(["--allow-natives-syntax"], program(KIND_AND_OUTCOMES)), "native");
  });

  it("is transfer where natives syntax is allowed but code generation is not", async () => {
    const flags = ["--allow-natives-syntax", "--disallow-code-generation-from-strings"];
    assertKind(await evaluateInDeno(flags, program(KIND_AND_OUTCOMES)), "transfer");
  });

  it("is structuredClone in an engine without transfer", async () => {
    assertKind(await evaluateInDeno([], program(KIND_AND_OUTCOMES, withoutTransfer)), "structuredClone");
  });

  it("is none in an engine without either", async () => {
    assertKind(await evaluateInDeno([], program(KIND_AND_OUTCOMES, withoutTransfer + withoutClone)), "none", []);
  });

  it("is found without evaluating code in a page", async () => {
    const page = program("detach.kind", "delete globalThis.process; delete globalThis.Deno;");
    assertEquals(await evaluateInDeno(["--allow-natives-syntax"], page), "transfer");
  });

  for (const throws of [false, true]) {
    it(`is found by flags that are ${throws ? "refused" : "set and reset"}, where an engine might have natives`, async () => {
      const flags: string[] = [];
      const setFlagsFromString = (flag: string): void => {
        flags.push(flag);
        if (throws) throw new Error("no flags");
      };
      const process = { versions: { v8: "1" }, getBuiltinModule: () => ({ setFlagsFromString }) };
      const { detach } = await loadFreshWith<typeof import("../../detach.ts")>("detach.ts", {
        Deno: undefined,
        process,
      });
      const all = ["--allow-natives-syntax", "--no-allow-natives-syntax"];
      assertEquals([detach.kind, flags], ["transfer", throws ? all.slice(0, 1) : all]);
    });
  }

  it("is transfer in Bun, whose V8 is none", async () => {
    const process = { versions: { v8: "1", bun: "1" } };
    const { detach } = await loadFreshWith<typeof import("../../detach.ts")>("detach.ts", { Deno: undefined, process });
    assertEquals(detach.kind, "transfer");
  });

  it("is none where transfer and structuredClone are functions that detach nothing, or throw", async () => {
    const transfer = Object.getOwnPropertyDescriptor(ArrayBuffer.prototype, "transfer")!;
    const structuredClone = (): void => {
      throw new Error("no clone");
    };
    Object.defineProperty(ArrayBuffer.prototype, "transfer", { ...transfer, value: () => new ArrayBuffer(0) });
    try {
      const { detach } = await loadFreshWith<typeof import("../../detach.ts")>("detach.ts", { structuredClone });
      assertEquals([detach.kind, detach(new ArrayBuffer(8))], ["none", false]);
    } finally {
      Object.defineProperty(ArrayBuffer.prototype, "transfer", transfer);
    }
  });

  for (const [where, globals] of [["", {}], [" and WebAssembly", { WebAssembly: undefined }]] as const) {
    it(`works in an engine without SharedArrayBuffer${where}`, async () => {
      const all = { SharedArrayBuffer: undefined, ...globals };
      const { detach } = await loadFreshWith<typeof import("../../detach.ts")>("detach.ts", all);
      assertEquals(detach(new Uint8Array(8)), true);
      assertThrows(() => detach({} as ArrayBuffer), TypeError);
    });
  }

  it("is transfer in a page", async () => {
    const page = { Deno: undefined, process: undefined };
    const { detach } = await loadFreshWith<typeof import("../../detach.ts")>("detach.ts", page);
    assertEquals(detach.kind, "transfer");
  });

  it("is transfer in a Node.js that cannot be asked for natives", async () => {
    const process = { versions: { v8: "1" } };
    const { detach } = await loadFreshWith<typeof import("../../detach.ts")>("detach.ts", { Deno: undefined, process });
    assertEquals(detach.kind, "transfer");
  });

  it("does not prevent detaching after a buffer that its host protects", async () => {
    const held = `[detach(pool.buffer), detach(new ArrayBuffer(8)), pool.toString()]`;
    const pool = `const pool = process.getBuiltinModule("node:buffer").Buffer.from("abc");`;
    for (const flags of [[], ["--allow-natives-syntax"]]) {
      assertEquals(await evaluateInDeno(flags, program(held, pool)), [false, true, "abc"]);
    }
  });

  for (const flags of [[], ["--allow-natives-syntax"]]) {
    it(`is not affected by changed globals ${flags}`, async () => {
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
      assertEquals(await evaluateInDeno(flags, program(tampered)), [true, true, false]);
    });
  }
});

const obstacle = await nodeObstacle();

describe(`detach in Node.js${obstacle ? ` (${obstacle})` : ""}`, () => {
  const test = obstacle ? it.skip : it;
  const allowsNatives = `(() => { try { return !!new Function("%ArrayBufferDetach(0)") } catch { return false } })()`;

  test("is native without a flag, and leaves natives syntax forbidden", async () => {
    assertKind(await evaluateInNode([], program(KIND_AND_OUTCOMES)), "native");
    const allowed = program(`[before, detach.kind, ${allowsNatives}]`, `const before = ${allowsNatives};`);
    assertEquals(await evaluateInNode([], allowed), [false, "native", false]);
  });

  test("leaves natives syntax allowed where it was", async () => {
    const allowed = program(`[detach.kind, ${allowsNatives}]`);
    assertEquals(await evaluateInNode(["--allow-natives-syntax"], allowed), ["native", true]);
  });

  test("is transfer where code generation is not allowed", async () => {
    const flags = ["--disallow-code-generation-from-strings"];
    assertKind(await evaluateInNode(flags, program(KIND_AND_OUTCOMES)), "transfer");
  });

  test("outlives the engine's clearing of unused bytecode", async () => {
    const later = `(() => {
      for (let i = 0; i < 10; i++) gc();
      return [detach(new ArrayBuffer(8)), detach(new WebAssembly.Memory({ initial: 1 }).buffer), detach(new ArrayBuffer(8))];
    })()`;
    assertEquals(await evaluateInNode(["--expose-gc", "--stress-flush-code"], program(later)), [true, false, true]);
  });
});

/** Loads `detach` anew while methods of `ArrayBuffer.prototype` and globals are missing. */
async function detachWithout(methods: string[], globals: string[] = []): Promise<typeof detach> {
  const missing = [[ArrayBuffer.prototype, methods], [globalThis, globals]] as const;
  const before = missing.flatMap(([object, names]) =>
    names.map((name) => ({ object, name, descriptor: Object.getOwnPropertyDescriptor(object, name)! }))
  );
  for (const { object, name } of before) Reflect.deleteProperty(object, name);
  try {
    const loaded = await loadFreshWith<typeof import("../../detach.ts")>("detach.ts", {
      Deno: undefined,
      process: undefined,
    });
    return loaded.detach;
  } finally {
    for (const { object, name, descriptor } of before) Object.defineProperty(object, name, descriptor);
  }
}

describe("detach() in engines of before 2023", () => {
  it("detaches what it can by structuredClone", async () => {
    const detach = await detachWithout(["transfer", "detached"]);
    assertEquals(detach.kind, "structuredClone");
    assertOutcomes(runCases(detach), DETACHABLE);
  });

  it("detaches nothing without structuredClone", async () => {
    const detach = await detachWithout(["transfer", "detached"], ["structuredClone"]);
    assertEquals(detach.kind, "none");
    assertOutcomes(runCases(detach), []);
  });
});

describe("detach() of anything else", () => {
  it("says whole what it expects", () => {
    const { message } = assertThrows(() => detach({} as ArrayBuffer), TypeError);
    assertEquals(
      message,
      "Cannot detach this argument: expected an ArrayBuffer, a SharedArrayBuffer or a view of one",
    );
  });
});

describe("the flags of the engine", () => {
  const versions = { v8: "1" };
  const runtimes: { name: string; globals: Record<string, unknown>; asked: string[] }[] = [
    { name: "Deno", globals: { Deno: { version: versions }, process: { versions } }, asked: [] },
    { name: "Bun", globals: { Deno: undefined, process: { versions: { ...versions, bun: "1" } } }, asked: [] },
    { name: "Node.js", globals: { Deno: undefined, process: { versions } }, asked: ["node:v8"] },
  ];
  for (const { name, globals, asked } of runtimes) {
    it(`are ${asked.length > 0 ? "asked for" : "left alone"} in ${name}`, async () => {
      const modules: string[] = [];
      const getBuiltinModule = (name: string) => {
        modules.push(name);
        return { setFlagsFromString: () => {} };
      };
      Object.assign(globals.process as object, { getBuiltinModule });
      const { detach } = await loadFreshWith<typeof import("../../detach.ts")>("detach.ts", globals);
      assertEquals([detach.kind, modules], ["transfer", asked]);
    });
  }
});
