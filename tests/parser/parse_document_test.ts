/** Calls of `parser/parse_document.ts` in the middle of which something else happens. */

import { assert, assertEquals, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { parseDocument } from "../../parser/parse_document.ts";
import { tables } from "../../parser/value_stack.ts";
import { utf8 } from "../support/bytes.ts";
import { withoutMemory } from "../support/memory_limit.ts";

const TYPED_ARRAY_PROTOTYPE = Object.getPrototypeOf(Uint8Array.prototype);

/** Calls `body` while a method of a prototype is another function. */
function withMethod<T>(prototype: object, name: string, method: (...args: never[]) => unknown, body: () => T): T {
  const descriptor = Object.getOwnPropertyDescriptor(prototype, name)!;
  Object.defineProperty(prototype, name, { ...descriptor, value: method });
  try {
    return body();
  } finally {
    Object.defineProperty(prototype, name, descriptor);
  }
}

describe("parseDocument()", () => {
  it("cleans up after a call that could not", () => {
    const stop = (): never => {
      throw new RangeError("stack");
    };
    for (const text of ['"secret"', '["secret", 12.5]']) {
      assertThrows(
        () => withMethod(DataView.prototype, "setFloat64", stop, () => parseDocument(utf8(text))),
        RangeError,
      );
      assertEquals(parseDocument(utf8("[1]")), { ok: true, value: [1] });
    }
  });

  it("releases the tables of a deep input whose call could not", () => {
    const { length } = tables.frames;
    const deep = utf8(`${"[".repeat(3000)}${"]".repeat(3000)}`);
    assertThrows(() => withoutMemory("Int32Array", (size) => size === length, () => parseDocument(deep)), RangeError);
    assert(tables.frames.length > length);
    assertEquals(parseDocument(utf8("[1]")), { ok: true, value: [1] });
    assertEquals(tables.frames.length, length);
  });

  for (const length of [17, 512]) {
    it(`parses the ${length} bytes that shared memory had when the call began, though it grows while it is copied`, () => {
      const buffer = new SharedArrayBuffer(length, { maxByteLength: 2048 });
      const bytes = new Uint8Array(buffer);
      bytes.set(utf8(`[${"1,".repeat((length - 3) / 2)}${" ".repeat((length - 3) % 2)}1]`));
      const { set } = Uint8Array.prototype;
      let calls = 0;
      const grow = function (this: Uint8Array, source: Uint8Array): void {
        if (calls++ === 0) {
          buffer.grow(2048);
          bytes.fill(0x20, length);
        }
        Reflect.apply(set, this, [source]);
      };
      const expected = JSON.parse(new TextDecoder().decode(bytes.slice()));
      const result = withMethod(TYPED_ARRAY_PROTOTYPE, "set", grow, () => parseDocument(bytes));
      assertEquals(result, { ok: true, value: expected });
    });
  }

  it("parses the bytes that shared memory had, though it grows by some that fit the copy", () => {
    const buffer = new SharedArrayBuffer(20, { maxByteLength: 100 });
    const bytes = new Uint8Array(buffer);
    bytes.set(utf8("[1,2,3,4,5,6,7,8,99]"));
    const { set } = Uint8Array.prototype;
    let calls = 0;
    const grow = function (this: Uint8Array, source: Uint8Array): void {
      if (calls++ === 0) {
        buffer.grow(100);
        bytes.fill(0x78, 20);
      }
      Reflect.apply(set, this, [source]);
    };
    const result = withMethod(TYPED_ARRAY_PROTOTYPE, "set", grow, () => parseDocument(bytes));
    assertEquals(result, { ok: true, value: [1, 2, 3, 4, 5, 6, 7, 8, 99] });
    assertEquals(parseDocument(utf8("[1,2,3,4,5,6,7,8,9]")), { ok: true, value: [1, 2, 3, 4, 5, 6, 7, 8, 9] });
  });
});
