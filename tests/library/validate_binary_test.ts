/**
 * `validateBinary`, `BinaryValidator` and `JsonValidationStream` alone: memory, and chunks that
 * pass through. `differential_test.ts` cuts documents, `several_values_test.ts` inputs of several
 * values, and `push_readers_test.ts` has what `BinaryParser` does alike.
 */

import { assert, assertEquals, assertLess, assertRejects, assertStrictEquals, assertThrows } from "@std/assert";
import { toBytes } from "@std/streams/to-bytes";
import { describe, it } from "@std/testing/bdd";
import { parseBinary, type ParseFailure } from "../../parse_binary.ts";
import { BinaryValidator, type BinaryValidatorOptions, JsonValidationStream } from "../../validate_binary.ts";
import { concat, utf8 } from "../support/bytes.ts";
import { loadFresh, withGlobals } from "../support/modules.ts";

it("BinaryValidator takes one bit of memory for an open bracket", () => {
  const depth = 20_000_000;
  const [opening, closing] = [0x5b, 0x5d].map((byte) => new Uint8Array(100_000).fill(byte));
  const validator = new BinaryValidator();
  const { external } = Deno.memoryUsage();
  for (let i = 0; i < depth; i += opening.length) assert(validator.push(opening));
  assertLess(Deno.memoryUsage().external - external, 1.2 * depth / 8, "bytes");
  for (let i = 0; i < depth; i += closing.length) assert(validator.push(closing));
  assertEquals(validator.end(), { ok: true, bytes: 2 * depth });
});

describe("JsonValidationStream", () => {
  /** Returns the chunks that pass until the stream ends or fails, and the error. */
  async function flow(parts: Uint8Array[], options?: BinaryValidatorOptions): Promise<[Uint8Array[], unknown]> {
    const passed: Uint8Array[] = [];
    let taken = 0;
    // Not every browser has `ReadableStream.from`, or iterates over streams.
    const source = new ReadableStream<Uint8Array>({
      pull(controller) {
        const part = parts[taken++];
        if (part === undefined) controller.close();
        else controller.enqueue(part);
      },
    });
    const reader = source.pipeThrough(new JsonValidationStream(options)).getReader();
    try {
      for (let part; !(part = await reader.read()).done;) passed.push(part.value);
    } catch (error) {
      return [passed, error];
    }
    return [passed, undefined];
  }

  const thrown = new Error("enough");
  const rows: {
    name: string;
    parts: Uint8Array[];
    passed: string;
    error?: unknown;
    options?: BinaryValidatorOptions;
  }[] = [
    {
      name: "passes bytes up to the first wrong one",
      parts: [utf8("[1, "), utf8("2, ] 3"), utf8("]")],
      passed: "[1, 2, ",
      error: "[1, 2, ]",
    },
    { name: "fails where the input ends too early", parts: [utf8("[1"), utf8(", 2")], passed: "[1, 2", error: "[1, 2" },
    {
      name: "fails for what is no Uint8Array",
      parts: [utf8(" "), new Proxy(utf8("[1]"), {})],
      passed: " ",
      error: TypeError,
    },
    {
      name: "fails with the error of a callback",
      parts: [utf8("1\n"), utf8("2\n")],
      passed: "",
      error: thrown,
      options: {
        multiple: "lines",
        onDocument: () => {
          throw thrown;
        },
      },
    },
    {
      name: "passes several documents",
      parts: [utf8("1\n2"), utf8("3\n[]\n")],
      passed: "1\n23\n[]\n",
      error: undefined,
      options: { multiple: "lines" },
    },
  ];
  for (const { name, parts, passed: expected, error: reason, options } of rows) {
    it(name, async () => {
      const [passed, error] = await flow(parts, options);
      assertEquals(concat(passed), utf8(expected));
      if (reason === TypeError) assert(error instanceof TypeError);
      else if (typeof reason !== "string") assertStrictEquals(error, reason);
      else {
        const { message, cause } = error as SyntaxError;
        assertEquals([cause, message], [parseBinary(utf8(reason)), (cause as ParseFailure).message]);
      }
    });
  }

  it("passes chunks through as they are, and copies of shared memory", async () => {
    const parts = [utf8('{"a": "'), utf8("é").subarray(0, 1), utf8("é").subarray(1), utf8('"'), utf8("}")];
    const [whole] = await flow(parts);
    assertEquals(whole.length, parts.length);
    whole.forEach((part, i) => assertStrictEquals(part, parts[i]));
    const buffer = new SharedArrayBuffer(3, { maxByteLength: 10 });
    const chunk = new Uint8Array(buffer);
    chunk.set(utf8("[1]"));
    const onDocument = () => {
      chunk[1] = 0;
      buffer.grow(10);
    };
    const [passed, error] = await flow([chunk], { multiple: "lines", onDocument });
    assertEquals([passed, error], [[utf8("[1]")], undefined]);
    assert(passed[0].buffer instanceof ArrayBuffer);
  });

  it("passes through streams of the platform, by its types too", async () => {
    const source = () => new Blob(['{"a": ', '"é"}']).stream();
    const text = source().pipeThrough(new JsonValidationStream()).pipeThrough(new TextDecoderStream());
    assertEquals(await new Response(text.pipeThrough(new TextEncoderStream())).json(), { a: "é" });
    const packed = source().pipeThrough(new CompressionStream("gzip")).pipeThrough(new DecompressionStream("gzip"))
      .pipeThrough(new JsonValidationStream()).pipeThrough(new CompressionStream("gzip"));
    assertEquals(await new Response(packed.pipeThrough(new DecompressionStream("gzip"))).json(), { a: "é" });
  });

  it("cancels its source", async () => {
    // Some engines cancel the source after the reader has its error.
    const { promise: reason, resolve: cancel } = Promise.withResolvers<unknown>();
    const source = new ReadableStream<Uint8Array>({ pull: (controller) => controller.enqueue(utf8("]")), cancel });
    await assertRejects(() => toBytes(source.pipeThrough(new JsonValidationStream())), SyntaxError);
    assert(await reason instanceof SyntaxError);
  });

  it("throws a TypeError when it is made in an engine without TransformStream, not at load", async () => {
    await withGlobals({ TransformStream: undefined }, async () => {
      const { JsonValidationStream } = await loadFresh<typeof import("../../validate_binary.ts")>("validate_binary.ts");
      const message = "Cannot make a stream: this engine has no TransformStream";
      assertThrows(() => new JsonValidationStream(), TypeError, message);
    });
  });
});
