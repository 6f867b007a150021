import { assertEquals, assertRejects, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { parseBinary, parseStream, readBytes, validateBinary } from "../../../mod.ts";

const BYTES = "Cannot parse this argument: expected a Uint8Array, an ArrayBuffer, a SharedArrayBuffer or a Slice";
const SOURCE = "Cannot read this source: expected a ReadableStream or an iterable of Uint8Array";

const throwingTag = Object.defineProperty({}, Symbol.toStringTag, {
  get(): never {
    throw new Error("read");
  },
});

const notBytes: [name: string, argument: unknown, advice: string][] = [
  ["a string", "[1]", "; of a string, pass new TextEncoder().encode(text)"],
  [
    "a response",
    new Response("[1]"),
    "; of a response or request, pass await response.bytes(), or call parseStream(response.body)",
  ],
  [
    "a request",
    new Request("https://example.org/"),
    "; of a response or request, pass await response.bytes(), or call parseStream(response.body)",
  ],
  ["a blob", new Blob(["[1]"]), "; of a blob, pass await blob.bytes(), or call parseStream(blob.stream())"],
  ["a file", new File(["[1]"], "a"), "; of a blob, pass await blob.bytes(), or call parseStream(blob.stream())"],
  ["a stream", new Blob(["[1]"]).stream(), "; of a stream, call parseStream(stream)"],
  ["a promise", Promise.resolve(), "; await the promise first"],
  [
    "another view",
    new DataView(new ArrayBuffer(4)),
    "; of another view, pass new Uint8Array(view.buffer, view.byteOffset, view.byteLength)",
  ],
  ["an array", [1, 2], ""],
  ["null", null, ""],
  ["a number", 1, ""],
  ["an object whose tag throws", throwingTag, ""],
];

describe("parseBinary() and validateBinary() of what is not bytes", () => {
  for (const [name, argument, advice] of notBytes) {
    it(`name what to pass instead of ${name}`, () => {
      for (const read of [parseBinary, validateBinary]) {
        assertEquals(assertThrows(() => read(argument as Uint8Array), TypeError).message, BYTES + advice);
      }
    });
  }
});

const notSources: [name: string, source: unknown, advice: string][] = [
  ["a response", new Response("[1]"), "; of a response or request, pass response.body"],
  ["a request", new Request("https://example.org/"), "; of a response or request, pass response.body"],
  ["a blob", new Blob(["[1]"]), "; of a blob, pass blob.stream()"],
  ["a file", new File(["[1]"], "a"), "; of a blob, pass blob.stream()"],
  ["a string", "[1]", "; of a string, pass [new TextEncoder().encode(text)]"],
  ["bytes", new Uint8Array(3), "; of bytes, pass an array around them, [bytes]"],
  ["no bytes", new Uint8Array(0), "; of bytes, pass an array around them, [bytes]"],
  ["a buffer", new ArrayBuffer(3), "; of a buffer, pass [new Uint8Array(buffer)]"],
  ["shared memory", new SharedArrayBuffer(3), "; of a buffer, pass [new Uint8Array(buffer)]"],
  ["a promise", Promise.resolve(), "; await the promise first"],
  ["an object", {}, ""],
  ["undefined", undefined, ""],
];

describe("parseStream() and readBytes() of what is no source", () => {
  for (const [name, source, advice] of notSources) {
    it(`name what to pass instead of ${name}`, async () => {
      for (const read of [parseStream, readBytes]) {
        const { message } = await assertRejects(() => read(source as []) as Promise<unknown>, TypeError);
        assertEquals(message, SOURCE + advice);
      }
    });
  }
});
