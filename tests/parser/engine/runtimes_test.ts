/** Recognition of engines and realms, and streams of the runtime. */

import { assertEquals, assertInstanceOf, assertRejects } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { IS_BROWSER } from "../../../parser/engine/realm.ts";
import { isJavaScriptCore, isSpiderMonkey } from "../../../parser/engine/recognition.ts";
import { newTransform } from "../../../parser/engine/transform_stream.ts";
import { loadFreshWith, withGlobals } from "../../support/modules.ts";

describe("isJavaScriptCore() and isSpiderMonkey()", () => {
  it("recognise engines by the properties of their errors", async () => {
    const rows = [
      { properties: {}, expected: [false, false] },
      { properties: { line: 1, column: 1, sourceURL: "" }, expected: [true, false] },
      { properties: { fileName: "", lineNumber: 1, columnNumber: 1 }, expected: [false, true] },
    ];
    for (const { properties, expected } of rows) {
      class EngineError extends Error {
        constructor() {
          super();
          Object.assign(this, properties);
        }
      }
      await withGlobals({ Error: EngineError }, async () => {
        assertEquals(await Promise.all([isJavaScriptCore(), isSpiderMonkey()]), expected);
      });
    }
  });
});

describe("IS_BROWSER", () => {
  /** Globals that runtimes have, and that a page may have as well: an element called `Deno`, say. */
  const NO_RUNTIME = {
    SecurityPolicyViolationEvent: undefined,
    WorkerGlobalScope: undefined,
    WorkletGlobalScope: undefined,
    Deno: {},
    process: {},
  };
  const worker = { WorkerGlobalScope: Object };
  const realms: { name: string; globals: Record<string, unknown>; expected: boolean }[] = [
    { name: "a window", globals: { SecurityPolicyViolationEvent: Event }, expected: true },
    { name: "a worker of a browser", globals: { SecurityPolicyViolationEvent: Event, ...worker }, expected: true },
    { name: "a worker of an older browser", globals: worker, expected: true },
    { name: "a worklet", globals: { WorkletGlobalScope: Object }, expected: true },
    { name: "a worker of Deno", globals: { ...worker, Deno: { version: { deno: "2.0.0" } } }, expected: false },
    { name: "a worker of Node.js", globals: { ...worker, process: { versions: { node: "24.0.0" } } }, expected: false },
    { name: "an engine alone", globals: {}, expected: false },
  ];
  it("tells pages and their workers from other realms", async () => {
    assertEquals(IS_BROWSER, false);
    for (const { name, globals, expected } of realms) {
      type Realm = typeof import("../../../parser/engine/realm.ts");
      const realm = await loadFreshWith<Realm>("parser/engine/realm.ts", { ...NO_RUNTIME, ...globals });
      assertEquals(realm.IS_BROWSER, expected, name);
    }
  });
});

describe("newTransform()", () => {
  const double: Transformer<number, number> = {
    transform: (chunk, controller) => controller.enqueue(2 * chunk),
  };

  it("makes a TransformStream of the engine, which it looks for when it is called", async () => {
    type Streams = typeof import("../../../parser/engine/transform_stream.ts");
    const globals = { TransformStream: undefined };
    const fresh = await loadFreshWith<Streams>("parser/engine/transform_stream.ts", globals);
    for (const make of [newTransform, fresh.newTransform]) {
      const stream = make(double);
      assertInstanceOf(stream, TransformStream);
      assertEquals(await Array.fromAsync(ReadableStream.from([1, 2]).pipeThrough(stream)), [2, 4]);
    }
    const { message } = await assertRejects(() => {
      return withGlobals(globals, async () => await Promise.resolve(newTransform(double)));
    }, TypeError);
    assertEquals(message, "Cannot make a stream: this engine has no TransformStream");
  });
});
