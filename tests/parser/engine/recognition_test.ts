/** Modules of the parser in engines and realms other than this one. */

import { assertEquals, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { isShared } from "../../../parser/engine/input.ts";
import { IS_BROWSER } from "../../../parser/engine/realm.ts";
import { isJavaScriptCore, isSpiderMonkey } from "../../../parser/engine/recognition.ts";
import { parseBinary } from "../../../parse_binary.ts";
import { utf8 } from "../../support/bytes.ts";
import { withoutMemory } from "../../support/memory_limit.ts";
import { loadFreshWith, withGlobals } from "../../support/modules.ts";

type EncodeUtf8 = typeof import("../../../parser/base/encode_utf8.ts");
type Input = typeof import("../../../parser/engine/input.ts");
type Realm = typeof import("../../../parser/engine/realm.ts");

const INPUT = "parser/engine/input.ts";

/** Returns a class of errors that have properties of an engine. */
function errorWith(properties: Record<string, unknown>): typeof Error {
  return class extends Error {
    constructor() {
      super();
      Object.assign(this, properties);
    }
  } as typeof Error;
}

const SAFARI = { Error: errorWith({ line: 1, column: 1, sourceURL: "" }) };
const FIREFOX = { Error: errorWith({ fileName: "", lineNumber: 1, columnNumber: 1 }) };

describe("an engine", () => {
  it("is recognised by the properties of its errors", async () => {
    const rows = [[{}, [false, false]], [SAFARI, [true, false]], [FIREFOX, [false, true]]] as const;
    for (const [globals, expected] of rows) {
      const found = await withGlobals(globals, () => Promise.all([isJavaScriptCore(), isSpiderMonkey()]));
      assertEquals<readonly boolean[]>(found, expected);
    }
  });

  /**
   * Globals that runtimes have, and that a page may have as well: an element called `Deno`, say.
   */
  const NO_RUNTIME = {
    ...{ SecurityPolicyViolationEvent: undefined, WorkerGlobalScope: undefined, WorkletGlobalScope: undefined },
    ...{ Deno: {}, process: {} },
  };
  const page = { SecurityPolicyViolationEvent: Event };
  const worker = { WorkerGlobalScope: Object };
  const realms: { name: string; globals: Record<string, unknown>; isBrowser: boolean }[] = [
    { name: "a window", globals: page, isBrowser: true },
    { name: "a worker of a browser", globals: { ...page, ...worker }, isBrowser: true },
    { name: "a worker of an older browser", globals: worker, isBrowser: true },
    { name: "a worklet", globals: { WorkletGlobalScope: Object }, isBrowser: true },
    { name: "a worker of Deno", globals: { ...worker, Deno: { version: { deno: "2.0.0" } } }, isBrowser: false },
    {
      name: "a worker of Node.js",
      globals: { ...worker, process: { versions: { node: "24.0.0" } } },
      isBrowser: false,
    },
    { name: "an engine alone", globals: {}, isBrowser: false },
  ];
  it("is told to be a browser's by the globals of pages and their workers", async () => {
    assertEquals(IS_BROWSER, false);
    for (const { name, globals, isBrowser: expected } of realms) {
      const realm = await loadFreshWith<Realm>("parser/engine/realm.ts", { ...NO_RUNTIME, ...globals });
      assertEquals(realm.IS_BROWSER, expected, name);
    }
  });
});

describe("text", () => {
  it("is encoded without TextEncoder", async () => {
    const { encodeUtf8 } = await loadFreshWith<EncodeUtf8>("parser/base/encode_utf8.ts", { TextEncoder: undefined });
    const text = "aé中😀".repeat(50);
    assertEquals(encodeUtf8(text), utf8(text));
  });
});

describe("inputs", () => {
  it("have the length of their internal slot in every engine", async () => {
    for (const globals of [SAFARI, FIREFOX]) {
      const { lengthOf } = await loadFreshWith<Input>(INPUT, globals);
      const decorated = Object.defineProperty(new Uint8Array(6), "byteLength", { value: "a lie" });
      const detached = new Uint8Array(4);
      detached.buffer.transfer();
      assertEquals([new Uint16Array(3), decorated, detached].map(lengthOf), [6, 6, 0]);
      assertThrows(() => lengthOf({ byteLength: 1 } as Uint8Array), TypeError);
    }
  });

  it("are shared or not, whatever the prototype of their buffer", () => {
    const shared = Object.setPrototypeOf(new SharedArrayBuffer(4), ArrayBuffer.prototype);
    const bare = Object.setPrototypeOf(new ArrayBuffer(4), null);
    const buffers = [shared, new SharedArrayBuffer(4, { maxByteLength: 8 }), bare, new ArrayBuffer(4)];
    assertEquals(buffers.map((buffer) => isShared(new Uint8Array(buffer))), [true, true, false, false]);
  });

  it("are recognised as shared where the constructor is hidden, as in most pages, or missing", async () => {
    const { bytesOf, isShared, lengthOf } = await loadFreshWith<Input>(INPUT, { SharedArrayBuffer: undefined });
    const { buffer } = new WebAssembly.Memory({ initial: 1, maximum: 1, shared: true });
    assertEquals(lengthOf(bytesOf(buffer)!), buffer.byteLength);
    assertEquals([isShared(new Uint8Array(buffer)), isShared(new Uint8Array(4))], [true, false]);
    const Memory = class {
      buffer = new ArrayBuffer(0);
    };
    for (const WebAssembly of [undefined, { Memory }]) {
      const { isShared } = await loadFreshWith<Input>(INPUT, { SharedArrayBuffer: undefined, WebAssembly });
      assertEquals(isShared(new Uint8Array(1)), false);
    }
  });

  it("are not mistaken for detached on a stack overflow, where no view can be made", () => {
    const buffer = new ArrayBuffer(4);
    assertThrows(() => withoutMemory("Uint8Array", () => true, () => parseBinary(buffer)), RangeError);
    assertEquals(parseBinary(buffer).ok, false);
  });
});
