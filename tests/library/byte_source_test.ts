import { assertEquals, assertRejects, assertStrictEquals, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import {
  type ByteSource,
  checkedChunk,
  checkMaxBytes,
  openBytes,
  raceAbort,
} from "../../parser/streaming/byte_source.ts";
import { IS_BROWSER } from "../../parser/engine/realm.ts";
import { parsePartial, parseStream } from "../../parse_stream.ts";
import { readBytes } from "../../read_bytes.ts";
import { utf8 } from "../support/bytes.ts";
import { runDeno } from "../support/environment.ts";

/** Length of the buffers that streams are given to fill. */
const LENT_BYTES = 64 * 1024;

/**
 * Makes a byte stream that fills the buffers it is given. Without one it makes chunks itself, of
 * the first bytes of a buffer. The list gets the lengths of the buffers that the stream was given.
 */
function byteStream(chunkCount: number, length: number, bufferLength: number): [ReadableStream<Uint8Array>, number[]] {
  const given: number[] = [];
  let made = 0;
  const stream = new ReadableStream({
    type: "bytes",
    pull(controller) {
      const request = controller.byobRequest;
      if (made++ === chunkCount) {
        controller.close();
        request?.respond(0);
      } else if (request) {
        const view = request.view as Uint8Array;
        given.push(view.byteLength);
        view.fill(made);
        request.respond(view.byteLength);
      } else controller.enqueue(new Uint8Array(new ArrayBuffer(bufferLength), 0, length).fill(made));
    },
  });
  return [stream, given];
}

describe("checkMaxBytes()", () => {
  it("accepts numbers from 0 up", () => {
    for (const maxBytes of [0, 0.5, 1, Infinity]) checkMaxBytes(maxBytes);
  });

  it("throws a TypeError for anything else", () => {
    for (const maxBytes of [-1, -0.5, NaN, "1", null, 1n]) {
      const { message } = assertThrows(() => checkMaxBytes(maxBytes), TypeError);
      assertEquals(message, `Cannot use maxBytes: ${maxBytes}: expected a number from 0 up`);
    }
  });
});

describe("checkedChunk()", () => {
  it("returns a chunk of plain memory itself", () => {
    const chunk = new Uint8Array(3);
    assertStrictEquals(checkedChunk(chunk), chunk);
  });

  it("returns a view of shared memory that does not grow with it", () => {
    const buffer = new SharedArrayBuffer(3, { maxByteLength: 9 });
    const chunk = checkedChunk(new Uint8Array(buffer, 1));
    buffer.grow(9);
    assertEquals([chunk.byteOffset, chunk.length, chunk.buffer === buffer], [1, 2, true]);
  });

  it("throws a TypeError for anything else", () => {
    const { message } = assertThrows(() => checkedChunk("text"), TypeError);
    assertEquals(
      message,
      "Cannot read a chunk of this source: expected a Uint8Array; of text, pipe the source through new TextEncoderStream()",
    );
    assertEquals(
      assertThrows(() => checkedChunk(1), TypeError).message,
      "Cannot read a chunk of this source: expected a Uint8Array",
    );
  });
});

describe("raceAbort()", () => {
  it("removes its listener from the signal", async () => {
    const { signal } = new AbortController();
    const listeners = new Set<unknown>();
    signal.addEventListener = (type: string, listener: unknown) => void listeners.add(`${type} ${listener}`);
    signal.removeEventListener = (type: string, listener: unknown) => void listeners.delete(`${type} ${listener}`);
    assertEquals(await raceAbort(Promise.resolve(1), signal), 1);
    assertEquals(listeners.size, 0);
  });
});

describe("openBytes()", () => {
  it("throws a TypeError for what is no source", () => {
    for (const source of [undefined, null, 1, {}]) {
      const { message } = assertThrows(() => openBytes(source as unknown as ByteSource), TypeError);
      assertEquals(
        message,
        "Cannot read this source: expected a ReadableStream, a Response or an iterable of Uint8Array",
      );
    }
  });

  it("reads the body of a response or request, which may have none", async () => {
    for (const source of [new Response("[1]"), new Request("http://localhost/", { method: "POST", body: "[1]" })]) {
      assertEquals(await readBytes(source), utf8("[1]"));
      await assertRejects(() => readBytes(source), TypeError, "Cannot read this body: it was read already");
    }
    assertEquals(await readBytes(new Response()), new Uint8Array(0));
    assertEquals(await parseStream(new Response("[1]")), { ok: true, value: [1] });
    const values: unknown[] = [];
    for await (const value of parsePartial(new Response('["a"]'))) values.push(value.ok && value.value);
    assertEquals(values.at(-1), ["a"]);
    const broken = new Response(new ReadableStream({ pull: (controller) => controller.error(new Error("gone")) }));
    await assertRejects(() => readBytes(broken), Error, "gone");
  });

  it("looks for no methods on Object.prototype", async () => {
    const keys = ["getReader", Symbol.asyncIterator, "body", "destroy", "return"];
    const { prototype } = Object;
    const lookedFor: PropertyKey[] = [];
    for (const key of keys) {
      Object.defineProperty(prototype, key, { configurable: true, get: () => void lookedFor.push(key) });
    }
    try {
      const chunks = openBytes([new Uint8Array(3)]);
      assertEquals((await chunks.next())?.length, 3);
      await chunks.cancel(undefined);
      assertThrows(() => openBytes({} as unknown as ByteSource), TypeError, "Cannot read this source");
    } finally {
      for (const key of keys) Reflect.deleteProperty(prototype, key);
    }
    assertEquals(lookedFor, []);
  });

  it("asks the iterator to return if what the source calls destroy is no function", async () => {
    let returned = 0;
    const iterator = {
      next: () => ({ done: false as const, value: new Uint8Array(1) }),
      return: () => ({ done: true as const, value: ++returned }),
    };
    const chunks = openBytes({ [Symbol.iterator]: () => iterator, destroy: true } as unknown as ByteSource);
    await chunks.cancel(undefined);
    assertEquals(returned, 1);
  });

  it("accepts sources whose methods are of their class, of a prototype, their own, or answered for", async () => {
    class Source {
      *[Symbol.iterator](): Generator<Uint8Array> {
        yield new Uint8Array(3);
      }
    }
    const methods = Object.assign(Object.create(null), {
      [Symbol.iterator]: () => [new Uint8Array(3)].values(),
    });
    const proxy = new Proxy(Object.create(null), {
      has: (_, key) => key === Symbol.iterator,
      get: (_, key) => key === Symbol.iterator ? methods[key] : undefined,
    });
    for (const source of [new Source(), new (class extends Source {})(), methods, Object.create(methods), proxy]) {
      assertEquals((await openBytes(source).next())?.length, 3);
    }
  });

  for (const fails of [true, false]) {
    it(`${fails ? "does not ask an iterator that has failed" : "asks an iterator"} to return`, async () => {
      let returned = 0;
      const iterator = {
        next: () => {
          if (fails) throw new Error("failed");
          return { done: false as const, value: new Uint8Array(1) };
        },
        return: () => ({ done: true as const, value: ++returned }),
      };
      const chunks = openBytes({ [Symbol.iterator]: () => iterator } as unknown as ByteSource);
      if (fails) await assertRejects(() => chunks.next(), Error, "failed");
      else await chunks.next();
      await chunks.cancel(new Error("cancelled"));
      assertEquals(returned, fails ? 0 : 1);
    });
  }
});

describe("a byte stream", () => {
  it("is given a buffer to fill once its chunks are parts of buffers", async () => {
    const [stream, given] = byteStream(4, 10, 20);
    const bytes = await readBytes(stream);
    assertEquals(given, [LENT_BYTES, LENT_BYTES, LENT_BYTES]);
    assertEquals([bytes.length, bytes[9], bytes[10], bytes.at(-1)], [10 + 3 * LENT_BYTES, 1, 2, 4]);
    assertEquals(stream.locked, false);
  });

  it("makes its chunks itself if they are buffers of their own", async () => {
    const [stream, given] = byteStream(4, 10, 10);
    const bytes = await readBytes(stream);
    const [reused, length] = IS_BROWSER ? [3, 10 + 3 * LENT_BYTES] : [0, 40];
    assertEquals([given.length, bytes.length, bytes.at(-1), stream.locked], [reused, length, 4, false]);
  });

  it("is given a buffer to fill in a browser, whatever its chunks, if it takes one", async () => {
    const { success, output } = await runDeno(["run", "tests/processes/read_as_browser.ts"]);
    assertEquals([success, output], [true, `${LENT_BYTES} ${LENT_BYTES} 3\n`]);
  });
});
