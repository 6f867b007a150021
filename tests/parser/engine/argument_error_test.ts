/** Messages for arguments of a wrong type: what to pass instead. */

import { assertEquals, assertRejects, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { parseBinary, parseStream, readBytes, validateBinary } from "../../../mod.ts";

const BYTES = "Cannot parse this argument: expected a Uint8Array, an ArrayBuffer, a SharedArrayBuffer or a Slice";
const SOURCE = "Cannot read this source: expected a ReadableStream, a Response or an iterable of Uint8Array";
const OF_BODY = "; of a response or request, pass";
const OF_BUFFER = "; of a buffer, pass [new Uint8Array(buffer)]";
const OF_BYTES = "; of bytes, pass an array around them, [bytes]";

const throwingTag = Object.defineProperty({}, Symbol.toStringTag, {
  get(): never {
    throw new Error("read");
  },
});

const response = new Response("[1]");
const request = new Request("https://example.org/");
const blob = new Blob(["[1]"]);
const file = new File(["[1]"], "a");

/** Arguments, the advice where bytes are expected, and where a source is; `null` if it is one. */
const ROWS: [argument: unknown, advice: string | null, adviceOnSource: string | null][] = [
  ["[1]", "; of a string, pass new TextEncoder().encode(text)", "; of a string, pass [new TextEncoder().encode(text)]"],
  ...[response, request].map((body): [unknown, string, null] => {
    return [body, `${OF_BODY} await response.bytes(), or call parseStream(response)`, null];
  }),
  ...[blob, file].map((blob): [unknown, string, string] => {
    const advice = "; of a blob, pass await blob.bytes(), or call parseStream(blob.stream())";
    return [blob, advice, "; of a blob, pass blob.stream()"];
  }),
  [blob.stream(), "; of a stream, call parseStream(stream)", null],
  [Promise.resolve(), "; await the promise first", "; await the promise first"],
  [
    new DataView(new ArrayBuffer(4)),
    "; of another view, pass new Uint8Array(view.buffer, view.byteOffset, view.byteLength)",
    null,
  ],
  [[1, 2], "", null],
  [null, "", null],
  [1, "", null],
  [throwingTag, "", null],
  [new Uint8Array(3), null, OF_BYTES],
  [new Uint8Array(0), null, OF_BYTES],
  [new ArrayBuffer(3), null, OF_BUFFER],
  [new SharedArrayBuffer(3), null, OF_BUFFER],
  [{}, "", ""],
  [undefined, "", ""],
];

describe("an argument of a wrong type", () => {
  it("is refused with the advice what to pass instead", async () => {
    for (const [argument, advice, adviceOnSource] of ROWS) {
      for (const read of advice === null ? [] : [parseBinary, validateBinary]) {
        assertEquals(assertThrows(() => read(argument as Uint8Array), TypeError).message, BYTES + advice);
      }
      for (const read of adviceOnSource === null ? [] : [parseStream, readBytes]) {
        const { message } = await assertRejects(() => read(argument as []) as Promise<unknown>, TypeError);
        assertEquals(message, SOURCE + adviceOnSource);
      }
    }
  });
});
