/** Inputs of callers as bytes, in `parser/engine/input.ts`: what the forms of input do not show. */

import { assert, assertEquals, assertStrictEquals, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { Buffer } from "node:buffer";
import { runInNewContext } from "node:vm";
import {
  bufferOf,
  bytesOf,
  isBuffer,
  isByteArray,
  isLikelyByteArray,
  isShared,
  lengthOf,
  offsetOf,
  plainView,
  UNVIEWED_SLICE,
} from "../../../parser/engine/input.ts";
import { Slice } from "../../../slice.ts";
import { withoutMemory } from "../../support/memory_limit.ts";
import { loadFreshWith } from "../../support/modules.ts";

type Input = typeof import("../../../parser/engine/input.ts");

const PATH = "parser/engine/input.ts";

/** Detaches the buffer of a view, and returns the view. */
function detached<T extends { buffer: ArrayBuffer }>(view: T): T {
  view.buffer.transfer();
  return view;
}

/** View with properties of its own under the names of the getters. */
function decorated(bytes: Uint8Array): Uint8Array {
  const lie = { value: "a lie", configurable: true };
  return Object.defineProperties(bytes, { buffer: lie, byteOffset: lie, byteLength: lie, length: lie });
}

describe("bufferOf(), offsetOf() and lengthOf()", () => {
  it("return what an array is a view of, by no property of the caller's", () => {
    const buffer = new ArrayBuffer(20);
    const views = [
      new Uint8Array(buffer, 4, 6),
      new Uint16Array(buffer, 4, 3),
      decorated(new Uint8Array(buffer, 4, 6)),
    ];
    for (const bytes of views) assertEquals([bufferOf(bytes), offsetOf(bytes), lengthOf(bytes)], [buffer, 4, 6]);
    assertEquals(lengthOf(detached(new Uint8Array(4))), 0);
    const resizable = new ArrayBuffer(8, { maxByteLength: 16 });
    const [tracking, fixed] = [new Uint8Array(resizable, 2), plainView(new Uint8Array(resizable))];
    resizable.resize(12);
    assertEquals([lengthOf(tracking), fixed.length], [10, 8]);
  });

  for (const property of ["sourceURL", "fileName"]) {
    it(`do so in an engine whose errors have a ${property}`, async () => {
      class EngineError extends Error {
        readonly [property] = "";
      }
      const { lengthOf } = await loadFreshWith<Input>(PATH, { Error: EngineError });
      assertEquals(lengthOf(new Uint16Array(3)), 6);
      assertEquals(lengthOf(decorated(new Uint8Array(6))), 6);
      assertEquals(lengthOf(detached(new Uint8Array(4))), 0);
      assertThrows(() => lengthOf({ byteLength: 1 } as Uint8Array), TypeError);
    });
  }
});

describe("isShared()", () => {
  it("says whether the memory is shared, whatever the buffer's prototype", () => {
    const shared = Object.setPrototypeOf(new SharedArrayBuffer(4), ArrayBuffer.prototype);
    for (const buffer of [new SharedArrayBuffer(4), new SharedArrayBuffer(4, { maxByteLength: 8 }), shared]) {
      assertEquals(isShared(new Uint8Array(buffer)), true);
    }
    const bare = Object.setPrototypeOf(new ArrayBuffer(4), null);
    for (const buffer of [new ArrayBuffer(4), new ArrayBuffer(4, { maxByteLength: 8 }), bare]) {
      assertEquals(isShared(new Uint8Array(buffer)), false);
    }
  });

  it("tells the shared memory of WebAssembly where the constructor is hidden, as in most pages", async () => {
    const { bytesOf, isShared, lengthOf } = await loadFreshWith<Input>(PATH, { SharedArrayBuffer: undefined });
    const { buffer } = new WebAssembly.Memory({ initial: 1, maximum: 1, shared: true });
    assertEquals(lengthOf(bytesOf(buffer)!), buffer.byteLength);
    assertEquals([isShared(new Uint8Array(buffer)), isShared(new Uint8Array(4))], [true, false]);
  });

  it("returns false in an engine that shares no memory", async () => {
    const Memory = class {
      buffer = new ArrayBuffer(0);
    };
    for (const WebAssembly of [undefined, { Memory }]) {
      const { isShared } = await loadFreshWith<Input>(PATH, { SharedArrayBuffer: undefined, WebAssembly });
      assertEquals(isShared(new Uint8Array(1)), false);
    }
  });
});

describe("isByteArray(), isLikelyByteArray() and isBuffer()", () => {
  it("accept their kinds of any class and realm, and nothing else", () => {
    const bare = Object.setPrototypeOf(new Uint8Array(1), null);
    const foreign = ["new Uint8Array(1)", "new ArrayBuffer(1)", "new SharedArrayBuffer(1)"].map((code) => {
      return runInNewContext(code);
    });
    const disguised = Object.setPrototypeOf(new Int8Array(1), Uint8Array.prototype);
    const rows: [value: unknown, isArray: boolean, isLikely: boolean, isMemory: boolean][] = [
      ...[new Uint8Array(1), Buffer.alloc(1), new Uint8Array(new SharedArrayBuffer(1)), foreign[0]].map((value) => {
        return [value, true, true, false] as [unknown, boolean, boolean, boolean];
      }),
      [bare, true, isLikelyByteArray(bare), false], // the likely ones are told by their prototype
      [disguised, false, true, false],
      ...[foreign[1], foreign[2], new ArrayBuffer(1)].map((value) => {
        return [value, false, false, true] as [unknown, boolean, boolean, boolean];
      }),
      ...[[], "", null, 1, new Int8Array(1), new DataView(new ArrayBuffer(1)), Object.create(new Uint8Array(1))].map((
        value,
      ) => [value, false, false, false] as [unknown, boolean, boolean, boolean]),
      [new Proxy(new Uint8Array(1), {}), false, false, false],
      [Object.create(Uint8Array.prototype), false, false, false],
      [new Proxy(new ArrayBuffer(1), {}), false, false, false],
      [{ byteLength: 1 }, false, false, false],
    ];
    for (const [i, [value, ...expected]] of rows.entries()) {
      const found = [isByteArray(value), isLikelyByteArray(value), isBuffer(value)];
      assertEquals(found, expected, `row ${i}`);
    }
  });
});

describe("bytesOf()", () => {
  it("hands on a plain Uint8Array, and views anything else anew over the same memory", () => {
    class Bytes extends Uint8Array {}
    const bytes = new Uint8Array(4).subarray(1);
    assertStrictEquals(bytesOf(bytes), bytes);
    const buffer = new ArrayBuffer(20);
    const slice = { buffer: new Uint8Array(buffer, 1), byteOffset: 3, byteLength: 6 };
    const inputs = [
      Buffer.from(buffer, 4, 6),
      new Bytes(buffer, 4, 6),
      Object.setPrototypeOf(new Uint8Array(buffer, 4, 6), null),
      decorated(new Bytes(buffer, 4, 6)),
      slice,
      new Slice(slice.buffer, 3, 6),
    ];
    for (const input of inputs) {
      const view = bytesOf(input)!;
      assertStrictEquals(Object.getPrototypeOf(view), Uint8Array.prototype);
      assertEquals([view.buffer, view.byteOffset, view.length], [buffer, 4, 6]);
    }
    assertStrictEquals(bytesOf(slice, false), UNVIEWED_SLICE);
    const bare = Object.setPrototypeOf(new SharedArrayBuffer(6), null);
    for (const whole of [buffer, new SharedArrayBuffer(6), new ArrayBuffer(6, { maxByteLength: 9 }), bare]) {
      const view = bytesOf(whole)!;
      assertEquals([view.buffer === whole, view.byteOffset, view.length], [true, 0, lengthOf(new Uint8Array(whole))]);
    }
  });

  it("returns null for a detached buffer, by whatever view, and no bytes for nothing", () => {
    const views = [new Uint8Array(4), new Uint8Array(4).subarray(1), Buffer.from(new ArrayBuffer(4))];
    for (const view of views) assertStrictEquals(bytesOf(detached(view as Uint8Array<ArrayBuffer>)), null);
    const buffer = detached(new Uint8Array(4));
    for (const input of [buffer.buffer, { buffer, byteOffset: 0, byteLength: 4 }]) {
      assertStrictEquals(bytesOf(input), null);
    }
    const slice = { buffer: new Uint8Array(0), byteOffset: 0, byteLength: 0 };
    for (const input of [new Uint8Array(0), new ArrayBuffer(0), new SharedArrayBuffer(0), Buffer.alloc(0), slice]) {
      assertEquals(bytesOf(input), new Uint8Array(0));
    }
  });

  it("throws the engine's error where the stack ends, rather than take a buffer for detached", () => {
    const buffer = new ArrayBuffer(4);
    // No view can be made where the stack ends.
    assertThrows(() => withoutMemory("Uint8Array", () => true, () => bytesOf(buffer)), RangeError);
    assert(bytesOf(buffer)?.length === 4);
  });

  it("throws a TypeError for what only looks like bytes, and says why it cannot read a slice", () => {
    const slice = { buffer: new Uint8Array(4), byteOffset: 0, byteLength: 4 };
    for (const input of [{ constructor: Uint8Array, length: 4 }, Object.create(slice)]) {
      assertThrows(() => bytesOf(input), TypeError, "Cannot parse this argument: expected a Uint8Array");
    }
    const { message } = assertThrows(() => bytesOf({ ...slice, byteLength: 5 }), RangeError);
    assertEquals(message, "Cannot parse this slice: it is not within its buffer");
  });
});
