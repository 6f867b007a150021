/**
 * Tests of reading bodies by the events of a stream, with streams and decompressors made by hand.
 */

import { assertEquals, assertStrictEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { Buffer } from "node:buffer";
import { type FailedRead, type NodeBodyOptions, readNodeBody } from "../../middleware/node_body.ts";
import { utf8 } from "../support/bytes.ts";
import { FakeRequest } from "../support/fake_request.ts";

const OPTIONS: NodeBodyOptions = {
  limit: 9,
  length: undefined,
  timeout: undefined,
  detachChunks: false,
  decompression: undefined,
};

/** Returns the bytes of a read, or the code of its failure and the number of bytes. */
async function resultOf(reading: ReturnType<typeof readNodeBody>): Promise<Uint8Array | [string, number]> {
  const result = await reading;
  return result.ok ? result.bytes : [result.code, result.received];
}

/** Makes a decompressor of a transformation. */
function decompressorOf(transformer: Transformer<Uint8Array, Uint8Array>): DecompressionStream {
  return new TransformStream(transformer) as unknown as DecompressionStream;
}

/** Makes a decompressor that detaches what it is given, and adds `[1]` at the end. */
function greedyDecompression(): DecompressionStream {
  return decompressorOf({
    transform(chunk, controller) {
      controller.enqueue(chunk.slice());
      (chunk.buffer as ArrayBuffer).transfer();
    },
    flush: (controller) => controller.enqueue(utf8("[1]")),
  });
}

/** Returns after all tasks that are ready. */
const soon = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));

describe("readNodeBody()", () => {
  it("makes an error where a stream fails without one", async () => {
    const stream = new FakeRequest();
    const reading = readNodeBody(stream, OPTIONS);
    stream.emit("data", utf8("[1"));
    stream.emit("error");
    assertEquals(await resultOf(reading), ["source-failed", 2]);
    assertEquals(`${(await reading as FailedRead).cause}`, "Error: Cannot read the body");
  });

  it("fails for a body whose bytes cannot be taken", async () => {
    const stream = new FakeRequest();
    const reading = readNodeBody(stream, { ...OPTIONS, limit: Infinity });
    stream.emit("data", { length: 2 ** 53 });
    assertEquals(await resultOf(reading), ["source-failed", 0]);
    assertEquals([(await reading as FailedRead).cause instanceof TypeError, stream.calls], [true, ["resume"]]);
  });

  it("counts the bytes before decompression, after it, and those at its end", async () => {
    const text = "x".repeat(5000); // more than one piece
    for (
      const [limit, expected] of [
        [5003, utf8(`${text}[1]`)],
        [5002, ["too-large", 5003]],
        [4999, ["too-large", 0]],
      ] as const
    ) {
      const stream = new FakeRequest();
      const reading = readNodeBody(stream, { ...OPTIONS, limit, decompression: greedyDecompression() });
      stream.emit("data", Buffer.from(text));
      await soon();
      stream.emit("end");
      assertEquals(await resultOf(reading), expected as Uint8Array);
      await soon();
      assertEquals(stream.eventNames(), limit === 5003 ? [] : ["error"]);
    }
  });

  it("decompresses the chunks of a stream that does not pause in their order", async () => {
    const stream = new FakeRequest();
    const reading = readNodeBody(stream, { ...OPTIONS, limit: 1e5, decompression: greedyDecompression() });
    const chunks = ["a", "b", "c"].map((letter) => letter.repeat(9000));
    for (const chunk of chunks) stream.emit("data", utf8(chunk));
    stream.emit("end");
    assertEquals(await resultOf(reading), utf8(`${chunks.join("")}[1]`));
  });

  it("stops once, however often the rest of a decompressed body fails", async () => {
    const stream = new FakeRequest();
    const decompression = decompressorOf({
      transform: (_, controller) => controller.enqueue(utf8("y".repeat(20_000))),
    });
    const reading = readNodeBody(stream, { ...OPTIONS, limit: 10_000, decompression });
    stream.emit("data", new Uint8Array(10_000));
    assertEquals(await resultOf(reading), ["too-large", 20_000]);
    await soon(); // the next piece cannot be written any more
    assertEquals([stream.listenerCount("error"), stream.calls], [1, ["pause", "resume"]]);
  });

  it("fails where what is decompressed cannot be taken", async () => {
    const stream = new FakeRequest();
    const decompression = decompressorOf({ transform: (_, controller) => controller.enqueue(7 as never) });
    const reading = readNodeBody(stream, { ...OPTIONS, limit: 10_000, decompression });
    stream.emit("data", new Uint8Array(10_000));
    assertEquals(await resultOf(reading), ["bad-compression", 0]);
  });

  it("ends the decompression of a body that it gives up", async () => {
    const stream = new FakeRequest();
    const ended: string[] = [];
    const decompression = {
      readable: new ReadableStream({ cancel: () => void ended.push("cancel") }),
      writable: new WritableStream({ abort: () => void ended.push("abort") }),
    } as DecompressionStream;
    const reading = readNodeBody(stream, { ...OPTIONS, decompression });
    stream.emit("close");
    assertEquals(await resultOf(reading), ["aborted", 0]);
    await soon();
    assertEquals(ended.sort(), ["abort", "cancel"]);
  });

  it("keeps its first result when a decompressor yields more", async () => {
    const stream = new FakeRequest();
    const decompression = decompressorOf({
      transform(_, controller) {
        controller.enqueue(utf8("[1]"));
        stream.emit("error", error);
      },
    });
    const error = new Error("broken");
    const reading = readNodeBody(stream, { ...OPTIONS, limit: 2, decompression });
    stream.emit("data", utf8("c"));
    assertEquals(await resultOf(reading), ["source-failed", 3]);
    assertStrictEquals((await reading as FailedRead).cause, error);
  });
});
