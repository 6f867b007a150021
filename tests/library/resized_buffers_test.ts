/** Buffers that shrink, grow or are detached between calls: each call reads the present bytes. */

import { assertEquals, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { parseBinary } from "../../parse_binary.ts";
import { BinaryParser } from "../../parse_stream.ts";
import { Slice } from "../../slice.ts";
import { BinaryValidator, validateBinary } from "../../validate_binary.ts";
import { utf8 } from "../support/bytes.ts";

const validator = new BinaryValidator();
const parser = new BinaryParser();

/** Entry points. Each returns the code of the failure, or "valid". */
const ENTRIES: Record<string, (input: Uint8Array | ArrayBuffer | Slice) => string> = {
  parseBinary: (input) => codeOf(parseBinary(input)),
  validateBinary: (input) => codeOf(validateBinary(input)),
  BinaryValidator(input) {
    validator.reset();
    validator.push(input);
    return codeOf(validator.end());
  },
  BinaryParser(input) {
    parser.reset();
    parser.push(input);
    return codeOf(parser.end());
  },
};

function codeOf(result: { ok: true } | { ok: false; code: string }): string {
  return result.ok ? "valid" : result.code;
}

/** Lengths of small and large inputs, which are read in different ways. */
for (const length of [40, 512, 513, 70_000]) {
  describe(`a resizable buffer of ${length} bytes`, () => {
    const text = utf8(`[1,2${" ".repeat(length - 5)}]`);

    for (const [entry, call] of Object.entries(ENTRIES)) {
      for (const form of ["buffer", "length-tracking view", "view of fixed length"]) {
        it(`is read by ${entry} as it is at each call, as a ${form}`, () => {
          const buffer = new ArrayBuffer(length, { maxByteLength: length + 9 });
          const bytes = new Uint8Array(buffer);
          bytes.set(text);
          const input = form === "buffer"
            ? buffer
            : form.startsWith("view")
            ? new Uint8Array(buffer, 0, length)
            : bytes;
          // A view that is partly out of bounds has a length of 0.
          const isFixed = form.startsWith("view");
          assertEquals(call(input), "valid");
          buffer.resize(length - 1);
          assertEquals(call(input), isFixed ? "unexpected-end" : "expected-comma-or-bracket");
          buffer.resize(0);
          assertEquals(call(input), "unexpected-end");
          buffer.resize(length + 9);
          bytes.set(text);
          bytes.fill(0x78, length);
          assertEquals(call(input), isFixed ? "valid" : "trailing-content");
          bytes.fill(0x20, length);
          assertEquals(call(input), "valid");
          buffer.transfer();
          assertEquals(call(input), "detached-buffer");
          assertEquals(call(utf8("[1]")), "valid");
        });
      }
    }
  });
}

describe("a slice of a resizable buffer", () => {
  for (const [entry, call] of Object.entries(ENTRIES)) {
    it(`is refused by ${entry} while it is not within its buffer`, () => {
      const text = utf8('[1,2]"neighbour"');
      const buffer = new ArrayBuffer(text.length, { maxByteLength: 64 });
      new Uint8Array(buffer).set(text);
      const slice = new Slice(new Uint8Array(buffer), 0, 5);
      assertEquals(call(slice), "valid");
      buffer.resize(4);
      assertThrows(() => call(slice), RangeError, "it is not within its buffer");
      buffer.resize(64);
      assertEquals(call(slice), "expected-comma-or-bracket"); // the byte that was cut off is 0 now
      buffer.transfer();
      assertEquals(call(slice), "detached-buffer");
      assertEquals(call(utf8("[1]")), "valid");
    });
  }
});

describe("a callback that resizes or detaches", () => {
  const text = utf8("1\n2\n3\n");

  for (const change of ["resizes", "detaches"]) {
    it(`the chunk of a BinaryParser: ${change} it after the first value`, () => {
      const buffer = new ArrayBuffer(text.length, { maxByteLength: 64 });
      new Uint8Array(buffer).set(text);
      const values: unknown[] = [];
      const several = new BinaryParser({
        multiple: "lines",
        onValue({ value }) {
          values.push(value);
          if (buffer.detached) return;
          if (change === "resizes") buffer.resize(0);
          else buffer.transfer();
        },
      });
      // The parser has copied the chunk, or says that it cannot go on. It never reads other bytes.
      try {
        several.push(buffer);
        several.end();
        assertEquals(values, [1, 2, 3]);
      } catch (error) {
        assertEquals([(error as Error).name, values], ["TypeError", [1]]);
      }
      several.reset();
      assertEquals(several.push(utf8("[4]\n")), true);
      assertEquals(values.at(-1), [4]);
    });
  }
});
