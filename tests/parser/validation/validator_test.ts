/**
 * The stack of brackets of the validator, and its fast path for alphabets of two-byte characters.
 */

import { assertEquals, assertStrictEquals, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { DocumentValidator } from "../../../parser/streaming/document_validator.ts";
import { BinaryValidator, type ParseFailure, validateBinary } from "../../../validate_binary.ts";
import { utf8 } from "../../support/bytes.ts";
import { withoutMemory } from "../../support/memory_limit.ts";
import { sampled, withSeeds } from "../../support/random.ts";
import { assertRead, PLAIN } from "../../support/readers.ts";
import { referenceParse } from "../../support/reference.ts";

describe("a limit of nesting", () => {
  /** Reads a text in pieces. Returns code and offset of its failure, `null` if it has none. */
  function failureIn(validator: BinaryValidator, text: string, pieceBytes = Infinity): [string, number] | null {
    const bytes = utf8(text);
    validator.reset();
    for (let p = 0; p < bytes.length; p += pieceBytes) validator.push(bytes.subarray(p, p + pieceBytes));
    const result = validator.end();
    return result.ok ? null : [result.code, result.offset];
  }

  it("allows exactly that many levels", () => {
    // Depths around those where the stack gets another word, is full, or moved away.
    for (const depth of [1, 2, 29, 30, 31, 59, 60, 61, 90, 959, 960, 990, 30_719, 30_720, 30_750, 46_080, 300_000]) {
      const validator = new BinaryValidator({ maxDepth: depth });
      for (const [opening, closing] of [["[", "]"], ['{"":', "}"]]) {
        const start = opening.repeat(depth);
        const end = closing.repeat(depth);
        // Once more to the limit, from above the outermost level.
        const inner = opening.repeat(depth - 1);
        const second = `${start}1${closing.repeat(depth - 1)},${opening === "[" ? "" : '"":'}${inner}`;
        for (const pieceBytes of depth < 2_000 ? [1, 7, 600, Infinity] : [Infinity]) {
          assertEquals(failureIn(validator, `${start}1${end}`, pieceBytes), null);
          assertEquals(failureIn(validator, `${second}1${end}`, pieceBytes), null);
          for (const text of [start, second]) {
            assertEquals(failureIn(validator, text + opening, pieceBytes), ["too-deep", text.length]);
          }
        }
      }
    }
  });

  it("of 0 allows scalars only, and other failures keep their codes", () => {
    const validator = new BinaryValidator({ maxDepth: 0 });
    assertEquals([" 1", " [1]", "{}"].map((text) => failureIn(validator, text)), [null, ["too-deep", 1], [
      "too-deep",
      0,
    ]]);
    for (const depth of [1, 30, 60]) {
      const start = "[".repeat(depth);
      const validator = new BinaryValidator({ maxDepth: depth });
      assertEquals(failureIn(validator, `${start}1 [`), ["expected-comma-or-bracket", depth + 2]);
      assertEquals(failureIn(validator, `${start}}`), ["unexpected-token", depth]);
      assertEquals(failureIn(validator, `${start}"[{"${"]".repeat(depth)}`), null);
    }
  });
});

describe("the stack of brackets", () => {
  it("is right at any depth with any brackets, and empty for the next input", () => {
    const validator = new BinaryValidator();
    withSeeds(3, (random) => {
      // Up and down over the places where parts of the stack are moved away and brought back.
      const open: string[] = [];
      const pieces: string[] = [];
      for (const goal of [600_000, 200_000, 700_000, 20_000, 300_000, 0]) {
        if (open.length > 0 && open.length < goal) pieces.push(open.at(-1) === "}" ? ',"":' : ",");
        for (; open.length < goal; open.push(pieces.at(-1) === "[" ? "]" : "}")) {
          pieces.push(random.below(2) > 0 ? '{"":' : "[");
        }
        while (open.length > goal) {
          if (pieces.at(-1) === "[" || pieces.at(-1) === '{"":') pieces.push("1");
          pieces.push(open.pop()!);
        }
      }
      const bytes = utf8(pieces.join(""));
      assertStrictEquals(validateBinary(bytes).ok, true);
      // A bracket of the wrong kind, far down.
      const at = bytes.length - 1_000 - random.below(250_000);
      const start = bytes.slice(0, bytes.lastIndexOf(0x7d, at) + 1);
      start[start.length - 1] = 0x5d;
      assertStrictEquals((validateBinary(start) as ParseFailure).offset, start.length - 1);
      validator.push(start.subarray(0, -1));
      for (const text of ["[1]", "[[1]", "{}]"]) {
        validator.reset();
        validator.push(utf8(text));
        assertStrictEquals(validator.end().ok, text === "[1]");
      }
    });
  });

  it("does not mistake a stack overflow, where nothing can be allocated, for missing memory", () => {
    const bytes = utf8("[".repeat(40_000));
    const read = (): unknown => validateBinary(bytes);
    const result = withoutMemory("Int32Array", (size) => size !== 1024, read) as ParseFailure;
    assertStrictEquals(result.code, "value-too-large");
    const deny = (): unknown => withoutMemory("Uint8Array", () => true, read);
    assertThrows(() => withoutMemory("Int32Array", (size) => size !== 1024, deny), RangeError);
  });
});

describe("two-byte characters", () => {
  it("are read alike by all readers with any two bytes among them, at every alignment", () => {
    const seconds = [...utf8('" AB\\\na', 0x1f, 0x7f, 0x80, 0x9f, 0xa0, 0xbf, 0xc1, 0xc2, 0xdf, 0xe4, 0xf0)];
    for (let first = 0; first < 256; first++) {
      for (const [i, second] of seconds.entries()) {
        const before = `"éя${"a".repeat((first + i) % 4)}`;
        for (const lead of [[], [0xc3]]) {
          for (const after of ['яß б"', 'яß б"        ']) {
            if (!sampled()) continue;
            const bytes = utf8(before, ...lead, first, second, after);
            assertRead(bytes, PLAIN, [[]], referenceParse(bytes));
          }
        }
      }
    }
  });
});

it("DocumentValidator can count failures without describing them, and stop at the first one", () => {
  const bytes = utf8("[1}\n[2]\n[3");
  for (const endsAtFailure of [false, true]) {
    const events: unknown[] = [];
    const validator = new DocumentValidator({
      describesFailures: false,
      beginDocument: (start, line) => events.push([start, line]),
      addFailure: (failure) => events.push(failure),
      endDocument: (end, isValid) => events.push([end, isValid]),
    }, { multiple: "lines", guards: null, maxDepth: Infinity, comments: null, endsAtFailure });
    validator.push(bytes, new DataView(bytes.buffer));
    validator.end();
    const first = [[0, 1], null];
    assertEquals(events, endsAtFailure ? first : [...first, [3, false], [4, 2], [7, true], [8, 3], null, [10, false]]);
  }
});
