/** Inputs of callers as bytes, in `parser/engine/input.ts`. */

import { assert, assertEquals, assertInstanceOf, assertStrictEquals, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { Buffer } from "node:buffer";
import { runInNewContext } from "node:vm";
import {
  bufferOf,
  bytesOf,
  isBuffer,
  isByteArray,
  isLikelyByteArray,
  isReadableSlice,
  isShared,
  lengthOf,
  offsetOf,
  plainView,
  UNVIEWED_SLICE,
} from "../../../parser/engine/input.ts";
import { Slice } from "../../../slice.ts";
import { withoutMemory } from "../../support/memory_limit.ts";
import { loadFreshWith } from "../../support/modules.ts";

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
  it("return what the array is a view of", () => {
    const buffer = new ArrayBuffer(20);
    for (const bytes of [new Uint8Array(buffer, 4, 6), new Uint16Array(buffer, 4, 3)]) {
      assertStrictEquals(bufferOf(bytes), buffer);
      assertEquals([offsetOf(bytes), lengthOf(bytes)], [4, 6]);
    }
  });

  it("consult no property of the caller's", () => {
    const buffer = new ArrayBuffer(20);
    const bytes = decorated(new Uint8Array(buffer, 4, 6));
    assertStrictEquals(bufferOf(bytes), buffer);
    assertEquals([offsetOf(bytes), lengthOf(bytes)], [4, 6]);
  });

  it("return 0 for a detached array, and the length that a resized buffer leaves", () => {
    assertEquals(lengthOf(detached(new Uint8Array(4))), 0);
    const buffer = new ArrayBuffer(8, { maxByteLength: 16 });
    const bytes = new Uint8Array(buffer, 2);
    buffer.resize(12);
    assertEquals(lengthOf(bytes), 10);
  });
});

describe("lengthOf() in other engines", () => {
  for (const property of ["sourceURL", "fileName"]) {
    it(`consults no property of the caller's where errors have a ${property}`, async () => {
      class EngineError extends Error {
        readonly [property] = "";
      }
      const globals = { Error: EngineError };
      const { lengthOf } = await loadFreshWith<typeof import("../../../parser/engine/input.ts")>(
        "parser/engine/input.ts",
        globals,
      );
      assertEquals(lengthOf(new Uint16Array(3)), 6);
      assertEquals(lengthOf(decorated(new Uint8Array(6))), 6);
      assertEquals(lengthOf(detached(new Uint8Array(4))), 0);
      assertThrows(() => lengthOf({ byteLength: 1 } as Uint8Array), TypeError);
    });
  }
});

describe("isShared()", () => {
  it("accepts shared memory where the constructor is hidden, as in most pages", async () => {
    const path = "parser/engine/input.ts";
    const input = await loadFreshWith<typeof import("../../../parser/engine/input.ts")>(path, {
      SharedArrayBuffer: undefined,
    });
    const { buffer } = new WebAssembly.Memory({ initial: 1, maximum: 1, shared: true });
    assertEquals(lengthOf(input.bytesOf(buffer)!), buffer.byteLength);
    assertEquals(input.isShared(new Uint8Array(buffer)), true);
    assertEquals(input.isShared(new Uint8Array(4)), false);
  });

  it("says whether the memory is that of a SharedArrayBuffer", () => {
    assertEquals(isShared(new Uint8Array(new SharedArrayBuffer(4))), true);
    assertEquals(isShared(new Uint8Array(new SharedArrayBuffer(4, { maxByteLength: 8 }))), true);
    assertEquals(isShared(new Uint8Array(4)), false);
    assertEquals(isShared(new Uint8Array(new ArrayBuffer(4, { maxByteLength: 8 }))), false);
  });

  it("is not misled by the buffer's prototype", () => {
    const shared = Object.setPrototypeOf(new SharedArrayBuffer(4), ArrayBuffer.prototype);
    assertEquals(isShared(new Uint8Array(shared)), true);
    const bare = Object.setPrototypeOf(new ArrayBuffer(4), null);
    assertEquals(isShared(new Uint8Array(bare)), false);
  });
});

describe("isByteArray()", () => {
  it("accepts a Uint8Array of any class, prototype or memory, and nothing else", () => {
    const bytes = [new Uint8Array(1), Buffer.alloc(1), new Uint8Array(new SharedArrayBuffer(1))];
    bytes.push(Object.setPrototypeOf(new Uint8Array(1), null));
    for (const value of bytes) assert(isByteArray(value));
    for (const value of [[], "", null, new Int8Array(1), new ArrayBuffer(1), Object.create(new Uint8Array(1))]) {
      assert(!isByteArray(value));
    }
  });
});

describe("isLikelyByteArray()", () => {
  it("accepts what isByteArray() does, and a view with the prototype of Uint8Array", () => {
    const others = [new Int8Array(1), new DataView(new ArrayBuffer(1))];
    for (const view of [Buffer.alloc(1), runInNewContext("new Uint8Array(1)"), ...others]) {
      assertEquals(isLikelyByteArray(view), isByteArray(view));
    }
    const disguised = Object.setPrototypeOf(new Int8Array(1), Uint8Array.prototype);
    assertEquals([isLikelyByteArray(disguised), isByteArray(disguised)], [true, false]);
  });

  it("accepts neither a proxy nor an object with the prototype of Uint8Array", () => {
    for (const value of [new Proxy(new Uint8Array(1), {}), Object.create(Uint8Array.prototype), null, "text"]) {
      assert(!isLikelyByteArray(value));
    }
  });
});

describe("isBuffer()", () => {
  it("accepts memory of any realm, shared or not, and nothing else", () => {
    const buffer = new ArrayBuffer(1);
    const foreign = ["new ArrayBuffer(1)", "new SharedArrayBuffer(1)"].map((code) => runInNewContext(code));
    for (const value of [buffer, new SharedArrayBuffer(1), ...foreign]) assert(isBuffer(value));
    for (const value of [new Uint8Array(1), new Proxy(buffer, {}), Object.create(buffer), { byteLength: 1 }, 1]) {
      assert(!isBuffer(value));
    }
  });
});

describe("plainView()", () => {
  it("views the same bytes, without the caller's properties", () => {
    const buffer = new ArrayBuffer(20);
    const view = plainView(decorated(new Uint8Array(buffer, 4, 6)));
    assertStrictEquals(view.buffer, buffer);
    assertEquals([view.byteOffset, view.length], [4, 6]);
  });

  it("keeps its length when the buffer grows", () => {
    const buffer = new ArrayBuffer(4, { maxByteLength: 8 });
    const view = plainView(new Uint8Array(buffer));
    buffer.resize(8);
    assertEquals(view.length, 4);
  });
});

describe("isReadableSlice()", () => {
  const buffer = new Uint8Array(10);

  it("accepts every slice within its buffer", () => {
    for (let byteOffset = 0; byteOffset <= 10; byteOffset++) {
      for (let byteLength = 0; byteOffset + byteLength <= 10; byteLength++) {
        assert(isReadableSlice(buffer, byteOffset, byteLength));
      }
    }
  });

  it("throws for fields that are not within the buffer", () => {
    const rows = [[0, 11], [11, 0], [10, 1], [-1, 2], [0, -1], [0.5, 1], [0, 1.5], [NaN, 1], [0, Infinity]];
    for (const [byteOffset, byteLength] of rows) {
      assertThrows(
        () => isReadableSlice(buffer, byteOffset, byteLength),
        RangeError,
        "Cannot parse this slice: it is not within its buffer",
      );
    }
  });

  it("returns false for a detached buffer, but not for an empty one", () => {
    assertEquals(isReadableSlice(detached(new Uint8Array(4)), 0, 4), false);
    assertEquals(isReadableSlice(new Uint8Array(0), 0, 0), true);
  });
});

describe("bytesOf()", () => {
  it("hands on a plain Uint8Array", () => {
    const bytes = new Uint8Array(4).subarray(1);
    assertStrictEquals(bytesOf(bytes), bytes);
    assertStrictEquals(bytesOf(new Uint8Array(new SharedArrayBuffer(4)))?.length, 4);
  });

  it("views every other Uint8Array anew, over the same memory", () => {
    class Bytes extends Uint8Array {}
    const buffer = new ArrayBuffer(20);
    const views = [
      Buffer.from(buffer, 4, 6),
      new Bytes(buffer, 4, 6),
      Object.setPrototypeOf(new Uint8Array(buffer, 4, 6), null),
      decorated(new Bytes(buffer, 4, 6)),
    ];
    for (const view of views) {
      const bytes = bytesOf(view)!;
      assertStrictEquals(Object.getPrototypeOf(bytes), Uint8Array.prototype);
      assertStrictEquals(bytes.buffer, buffer);
      assertEquals([bytes.byteOffset, bytes.length], [4, 6]);
    }
  });

  it("views the whole of a buffer, shared and resizable ones too", () => {
    const buffers = [
      new ArrayBuffer(6),
      new SharedArrayBuffer(6),
      new ArrayBuffer(6, { maxByteLength: 9 }),
      Object.setPrototypeOf(new ArrayBuffer(6), null),
      Object.setPrototypeOf(new SharedArrayBuffer(6), null),
    ];
    for (const buffer of buffers) {
      const bytes = bytesOf(buffer)!;
      assertInstanceOf(bytes, Uint8Array);
      assertStrictEquals(bytes.buffer, buffer);
      assertEquals([bytes.byteOffset, bytes.length], [0, 6]);
    }
  });

  it("views a slice, or returns UNVIEWED_SLICE where no view is wanted", () => {
    const buffer = new Uint8Array(new ArrayBuffer(20), 3, 10);
    for (const slice of [new Slice(buffer, 2, 5), { buffer, byteOffset: 2, byteLength: 5 }]) {
      const bytes = bytesOf(slice)!;
      assertStrictEquals(bytes.buffer, buffer.buffer);
      assertEquals([bytes.byteOffset, bytes.length], [5, 5]);
      assertStrictEquals(bytesOf(slice, false), UNVIEWED_SLICE);
    }
  });

  it("returns null for a detached buffer, by whatever view", () => {
    const views = [new Uint8Array(4), new Uint8Array(4).subarray(1), Buffer.from(new ArrayBuffer(4))];
    for (const view of views) assertStrictEquals(bytesOf(detached(view as Uint8Array<ArrayBuffer>)), null);
    assertStrictEquals(bytesOf(detached(new Uint8Array(4)).buffer), null);
    const buffer = detached(new Uint8Array(4));
    assertStrictEquals(bytesOf({ buffer, byteOffset: 0, byteLength: 4 }), null);
  });

  it("returns no bytes for an empty input", () => {
    const slice = { buffer: new Uint8Array(0), byteOffset: 0, byteLength: 0 };
    for (const input of [new Uint8Array(0), new ArrayBuffer(0), new SharedArrayBuffer(0), Buffer.alloc(0), slice]) {
      assertEquals(bytesOf(input), new Uint8Array(0));
    }
  });

  it("throws the engine's error where the stack ends, rather than take a buffer for detached", () => {
    const buffer = new ArrayBuffer(4);
    // No view can be made where the stack ends.
    assertThrows(() => withoutMemory("Uint8Array", () => true, () => bytesOf(buffer)), RangeError);
    assertEquals(bytesOf(buffer), new Uint8Array(4));
  });

  it("throws a TypeError for anything else", () => {
    const inputs: unknown[] = [undefined, null, 0, "[]", true, 1n, Symbol(), [], {}, () => 0, new Uint16Array(4)];
    inputs.push(new Int8Array(4), new Uint8ClampedArray(4), new DataView(new ArrayBuffer(4)), { length: 4, 0: 1 });
    inputs.push({ buffer: new ArrayBuffer(4), byteOffset: 0, byteLength: 4 });
    for (const input of inputs) {
      assertThrows(
        () => bytesOf(input),
        TypeError,
        "Cannot parse this argument: expected a Uint8Array, an ArrayBuffer, a SharedArrayBuffer or a Slice",
      );
    }
  });
});

describe("isShared() in an engine without SharedArrayBuffer", () => {
  type Input = typeof import("../../../parser/engine/input.ts");

  it("tells the shared memory of WebAssembly", async () => {
    const { isShared } = await loadFreshWith<Input>("parser/engine/input.ts", { SharedArrayBuffer: undefined });
    const memory = new WebAssembly.Memory({ initial: 0, maximum: 1, shared: true });
    assertEquals([isShared(new Uint8Array(memory.buffer)), isShared(new Uint8Array(1))], [true, false]);
  });

  it("finds no shared memory where there is no WebAssembly", async () => {
    const globals = { SharedArrayBuffer: undefined, WebAssembly: undefined };
    const { isShared } = await loadFreshWith<Input>("parser/engine/input.ts", globals);
    assertEquals(isShared(new Uint8Array(1)), false);
  });

  it("finds no shared memory where that of WebAssembly is not shared", async () => {
    const WebAssembly = {
      Memory: class {
        buffer = new ArrayBuffer(0);
      },
    };
    const { isShared } = await loadFreshWith<Input>("parser/engine/input.ts", {
      SharedArrayBuffer: undefined,
      WebAssembly,
    });
    assertEquals(isShared(new Uint8Array(1)), false);
  });
});

describe("bytesOf() of what only looks like bytes", () => {
  const slice = { buffer: new Uint8Array(4), byteOffset: 0, byteLength: 4 };
  const inputs: [name: string, input: unknown][] = [
    ["an object that names Uint8Array as its constructor", { constructor: Uint8Array, length: 4 }],
    ["an object that inherits the fields of a slice", Object.create(slice)],
  ];
  for (const [name, input] of inputs) {
    it(`throws a TypeError for ${name}`, () => {
      const { message } = assertThrows(() => bytesOf(input), TypeError);
      assertEquals(
        message,
        "Cannot parse this argument: expected a Uint8Array, an ArrayBuffer, a SharedArrayBuffer or a Slice",
      );
    });
  }

  it("says whole why it cannot read a slice", () => {
    const { message } = assertThrows(() => bytesOf({ ...slice, byteLength: 5 }), RangeError);
    assertEquals(message, "Cannot parse this slice: it is not within its buffer");
  });
});

describe("isShared() in an engine that shares no memory", () => {
  it("returns false", async () => {
    const WebAssembly = {
      Memory: class {
        buffer = new ArrayBuffer(0);
      },
    };
    const globals = { SharedArrayBuffer: undefined, WebAssembly };
    const { isShared } = await loadFreshWith<typeof import("../../../parser/engine/input.ts")>(
      "parser/engine/input.ts",
      globals,
    );
    assertEquals(isShared(new Uint8Array(1)), false);
  });
});
