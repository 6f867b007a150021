/**
 * `BinaryParser` alone: limits of tokens, pointers, and large inputs.
 * `differential_test.ts` cuts documents, `several_values_test.ts` inputs of several values, and
 * `push_readers_test.ts` has what `BinaryValidator` does alike.
 */

import { assert, assertEquals, assertStrictEquals, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import type { ParseFailure } from "../../parse_binary.ts";
import { BinaryParser } from "../../parse_stream.ts";
import { textOf, utf8 } from "../support/bytes.ts";
import { evenCut, piecesAt } from "../support/cuts.ts";
import { describeLong } from "../support/long.ts";
import { withoutMemory } from "../support/memory_limit.ts";

describe("BinaryParser", () => {
  it("reports only the first failure of a single document, and no invalid value", () => {
    const told: ParseFailure[] = [];
    const parser = new BinaryParser({
      maxTokenBytes: 1,
      onFailure: (failure) => told.push(failure),
      onInvalid: () => assert(false),
    });
    for (const piece of ["x\n]", "\n1\n", "]\n"]) parser.push(utf8(piece));
    const failure = parser.end() as ParseFailure;
    assertEquals([told, failure.code], [[failure], "unexpected-token"]);
  });

  it("refuses calls after end(), until reset() begins a new input with a value of its own", () => {
    const parser = new BinaryParser();
    parser.push(utf8("[1]"));
    const first = parser.end();
    for (const call of [() => parser.push(utf8("[2]")), () => parser.end()]) {
      assertThrows(call, Error, "the input has ended; reset() begins a new one");
    }
    parser.reset();
    parser.push(utf8("[2]"));
    assertEquals([first, parser.end()], [{ ok: true, value: [1] }, { ok: true, value: [2] }]);
  });

  it("throws a TypeError for a pointer without elements, and for what is not a JSON Pointer", () => {
    for (const multiple of [undefined, "lines", "concatenated"] as const) {
      const { message } = assertThrows(() => new BinaryParser({ multiple, at: "/a" }), TypeError);
      assertEquals(message, 'Cannot use a JSON Pointer here: "at" needs multiple: "elements" or "members"');
    }
    for (const at of ["a", "a/b", "/a~", "/~2", "/~a", 1, ["/a"], ["/", "a"]] as string[]) {
      const { message } = assertThrows(() => new BinaryParser({ multiple: "elements", at }), TypeError);
      assertEquals(
        message,
        'Cannot follow this JSON Pointer: expected a text such as "/data/items", or an array of names',
      );
    }
  });

  it("fails on a token for which the engine has no memory", () => {
    const parser = new BinaryParser();
    withoutMemory("Uint8Array", (size) => typeof size === "number" && size > 2 ** 18, () => {
      for (const piece of ['["', ...Array(3).fill("a".repeat(200_000))]) parser.push(utf8(piece));
    });
    assertEquals((parser.end() as ParseFailure).code, "value-too-large");
  });

  it("refuses calls after a reset() that threw, until the next one", () => {
    const parser = new BinaryParser();
    parser.push(utf8("[".repeat(2_000)));
    withoutMemory("Int32Array", () => true, () => assertThrows(() => parser.reset(), RangeError));
    for (const call of [() => parser.push(utf8("[1]")), () => parser.end()]) {
      assertThrows(call, Error, "reset() begins a new input");
    }
    parser.reset();
    parser.push(utf8("[1]"));
    assertEquals(parser.end(), { ok: true, value: [1] });
  });
});

describe("maxTokenBytes", () => {
  const kinds: { kind: string; before: string; start: string; more: string }[] = [
    { kind: "string", before: "", start: '"', more: "a" },
    { kind: "string in an array", before: "[", start: '"', more: "a" },
    { kind: "string with escapes", before: "[", start: '"', more: "\\n" },
    { kind: "key", before: "{", start: '"', more: "k" },
    { kind: "number", before: "", start: "", more: "7" },
    { kind: "number in an array", before: "[", start: "", more: "7" },
  ];
  it("limits the bytes of a token, and the failure is located at its first byte", () => {
    for (const { kind, before, start, more } of kinds) {
      for (const maxTokenBytes of [11, 10_001]) {
        const token = `${start}${more.repeat(maxTokenBytes)}`.slice(0, maxTokenBytes);
        for (const size of [1, 100, maxTokenBytes]) {
          for (const form of [(piece: Uint8Array) => piece, (piece: Uint8Array) => textOf(piece)!]) {
            const parser = new BinaryParser({ maxTokenBytes });
            parser.push(utf8(before));
            for (const piece of piecesAt(utf8(token), evenCut(utf8(token), size))) {
              assert(parser.push(form(piece)), `${kind}, ${piece.length} bytes`);
            }
            assert(!parser.push(form(utf8(more))), kind);
            const { code, offset } = parser.end() as ParseFailure;
            assertEquals([code, offset], ["value-too-large", before.length], kind);
          }
        }
      }
    }
  });

  it("has to be a positive number", () => {
    for (const maxTokenBytes of [NaN, -1, 0, "10", null] as number[]) {
      const { message } = assertThrows(() => new BinaryParser({ maxTokenBytes }), TypeError);
      assertEquals(message, "Cannot set maxTokenBytes: expected a positive number of bytes");
    }
  });
});

describeLong("BinaryParser of large inputs", () => {
  it("parses 10 million levels in pieces of 1,000", () => {
    const depth = 10_000_000;
    const parser = new BinaryParser();
    for (const byte of [0x5b, 0x5d]) {
      const brackets = new Uint8Array(1_000).fill(byte);
      for (let i = 0; i < depth; i += brackets.length) assert(parser.push(brackets));
    }
    const result = parser.end();
    let levels = 0;
    for (let value = result.ok && result.value; Array.isArray(value); value = value[0]) levels++;
    assertStrictEquals(levels, depth);
  });

  it("parses a string of 100 MB in pieces of 64 KiB", () => {
    const parser = new BinaryParser<string[]>();
    const piece = new Uint8Array(65_536).fill(0x61);
    parser.push(utf8('["'));
    for (let i = 0; i < 1_600; i++) assert(parser.push(piece));
    parser.push(utf8('"]'));
    const result = parser.end();
    assertStrictEquals(result.ok && result.value[0].length, 1_600 * piece.length);
  });
});
