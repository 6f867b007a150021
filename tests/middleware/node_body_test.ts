/**
 * Tests of reading bodies by the events of a stream, with streams and decompressors made by hand.
 */

import { assertEquals, assertStrictEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { EventEmitter } from "node:events";
import { type FailedRead, isRead, type NodeBodyOptions, readNodeBody } from "../../middleware/node_body.ts";
import { utf8 } from "../support/bytes.ts";

/** Stream that notes whether it was told to flow. */
class FakeStream extends EventEmitter {
  calls: string[] = [];

  pause(): void {
    this.calls.push("pause");
  }

  resume(): void {
    this.calls.push("resume");
  }
}

const OPTIONS: NodeBodyOptions = { limit: 9, length: undefined, timeout: undefined, decompression: undefined };

/** Returns the failure of a read; throws if there are bytes. */
async function failureOf(reading: ReturnType<typeof readNodeBody>): Promise<FailedRead> {
  const result = await reading;
  if (isRead(result)) throw new Error("The body was read");
  return result;
}

/** Makes a decompressor of a transformation. */
function decompressorOf(transformer: Transformer<Uint8Array, Uint8Array>): DecompressionStream {
  return new TransformStream(transformer) as unknown as DecompressionStream;
}

describe("readNodeBody()", () => {
  it("makes an error where a stream fails without one", async () => {
    const stream = new FakeStream();
    const reading = readNodeBody(stream, OPTIONS);
    stream.emit("data", utf8("[1"));
    stream.emit("error");
    const { error, ...rest } = await failureOf(reading);
    assertEquals(rest, { problem: "failed", received: 2 });
    assertEquals(`${error}`, "Error: Cannot read the body");
  });

  it("fails for a body whose bytes cannot be taken", async () => {
    const stream = new FakeStream();
    const reading = readNodeBody(stream, { ...OPTIONS, limit: Infinity });
    stream.emit("data", { length: 2 ** 53 });
    const { problem, received, error } = await failureOf(reading);
    assertEquals([problem, received, error instanceof TypeError], ["failed", 0, true]);
    assertEquals(stream.calls, ["resume"]);
  });

  it("counts the bytes that a decompressor yields at the end", async () => {
    for (const [limit, expected] of [[3, utf8("[1]")], [2, { problem: "too-large", received: 3 }]] as const) {
      const stream = new FakeStream();
      const decompression = decompressorOf({
        transform() {},
        flush: (controller) => controller.enqueue(utf8("[1]")),
      });
      const reading = readNodeBody(stream, { ...OPTIONS, limit, decompression });
      stream.emit("data", utf8("compressed"));
      stream.emit("end");
      assertEquals(await reading, expected);
      await new Promise((resolve) => setTimeout(resolve)); // the end of the decompressor comes later
      assertEquals(stream.eventNames(), limit === 2 ? ["error"] : []);
    }
  });

  it("stops once, however often the rest of a decompressed body fails", async () => {
    const stream = new FakeStream();
    const decompression = decompressorOf({ transform: (_, controller) => controller.enqueue(utf8("[1]")) });
    const reading = readNodeBody(stream, { ...OPTIONS, limit: 2, decompression });
    stream.emit("data", new Uint8Array(10_000));
    assertEquals(await reading, { problem: "too-large", received: 3 });
    await new Promise((resolve) => setTimeout(resolve)); // the next piece cannot be written any more
    assertEquals([stream.listenerCount("error"), stream.calls], [1, ["pause", "resume"]]);
  });

  it("ends the decompression of a body that it gives up", async () => {
    const stream = new FakeStream();
    const ended: string[] = [];
    const decompression = {
      readable: new ReadableStream({ cancel: () => void ended.push("cancel") }),
      writable: new WritableStream({ abort: () => void ended.push("abort") }),
    } as DecompressionStream;
    const reading = readNodeBody(stream, { ...OPTIONS, decompression });
    stream.emit("close");
    assertEquals(await reading, { problem: "aborted", received: 0 });
    await new Promise((resolve) => setTimeout(resolve));
    assertEquals(ended.sort(), ["abort", "cancel"]);
  });

  it("keeps its first result when a decompressor yields more", async () => {
    const stream = new FakeStream();
    const decompression = decompressorOf({
      transform(_, controller) {
        controller.enqueue(utf8("[1]"));
        stream.emit("error", error);
      },
    });
    const error = new Error("broken");
    const reading = readNodeBody(stream, { ...OPTIONS, limit: 2, decompression });
    stream.emit("data", utf8("compressed"));
    const result = await failureOf(reading);
    assertStrictEquals(result.error, error);
    assertEquals([result.problem, result.received], ["failed", 0]);
  });
});
