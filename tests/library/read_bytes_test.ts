import { assert, assertEquals, assertMatch, assertRejects } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { Buffer } from "node:buffer";
import { Readable } from "node:stream";
import { detach } from "../../detach.ts";
import { type ByteSource, readBytes } from "../../read_bytes.ts";
import { ChangingMemory } from "../support/changing_memory.ts";
import { SOURCES } from "../support/sources.ts";

const BYTES = new Uint8Array(4 * 2 ** 20).map((_, i) => i % 251);

/**
 * Makes chunks of the given lengths, with buffers of their own. Each byte differs from its
 * neighbours.
 */
function chunksOf(...lengths: number[]): Uint8Array<ArrayBuffer>[] {
  let end = 0;
  return lengths.map((length) => BYTES.slice(end, end += length));
}

function ownsBuffer(bytes: Uint8Array): boolean {
  return bytes.byteOffset === 0 && bytes.length === bytes.buffer.byteLength;
}

const MB = 2 ** 20;

describe("readBytes()", () => {
  for (const [kind, make] of Object.entries(SOURCES)) {
    describe(`from ${kind}`, () => {
      const sizes = [[], [1], [1, 2, 3], [5000], [4096, 1, 4095], Array(200).fill(7919), [3 * MB, 100]];
      for (const lengths of sizes) {
        const total = lengths.reduce((sum, length) => sum + length, 0);
        it(`reads ${lengths.length} chunks, ${total} bytes, whatever was announced`, async () => {
          for (const sizeHint of [undefined, total, 1, total + 1, total >> 1, total * 2, 1e10, 2 ** 53]) {
            const bytes = await readBytes(make(chunksOf(...lengths)).source, { sizeHint });
            assert(bytes.constructor === Uint8Array);
            assert(ownsBuffer(bytes), "the buffer should be of the same length");
            assert(Buffer.compare(bytes, BYTES.subarray(0, total)) === 0);
            assertEquals(detach(bytes), true);
          }
        });
      }

      it("accepts maxBytes", async () => {
        const bytes = await readBytes(make(chunksOf(600, 400)).source, { maxBytes: 1000, sizeHint: 5000 });
        assertEquals(bytes.length, 1000);
      });

      it("rejects more than maxBytes and cancels the source", async () => {
        for (const sizeHint of [undefined, 10, 5000]) {
          const { source, cancelled } = make(chunksOf(600, 401, 100), "stalls");
          await assertRejects(
            () => readBytes(source, { maxBytes: 1000, sizeHint }),
            RangeError,
            "Cannot read more than 1000 bytes",
          );
          assertEquals(cancelled(), true);
        }
      });

      it("rejects with the error of its source", async () => {
        const failure = new Error("no more");
        const { source } = make(chunksOf(600, 400), failure);
        const error = await assertRejects(() => readBytes(source, { sizeHint: 2000 }));
        assert(error === failure);
      });

      it("reads nothing if the signal is aborted", async () => {
        const { source, cancelled } = make(chunksOf(10));
        const reason = new Error("too late");
        const error = await assertRejects(() => readBytes(source, { signal: AbortSignal.abort(reason) }));
        assert(error === reason);
        if (kind === "an iterable") return; // a generator that has not begun runs no finally
        assertEquals(cancelled(), true);
      });

      if (kind !== "an iterable") {
        it("rejects at once if the signal is aborted while the source lets it wait", async () => {
          const { source, cancelled } = make(chunksOf(600, 400), "stalls");
          const controller = new AbortController();
          const reason = new Error("enough");
          setTimeout(() => controller.abort(reason), 5);
          const error = await assertRejects(() => readBytes(source, { signal: controller.signal }));
          assert(error === reason);
          assertEquals(cancelled(), true);
        });
      }
    });
  }

  it("unlocks a stream after success and failure", async () => {
    for (const kind of Object.keys(SOURCES).filter((kind) => kind.includes("stream"))) {
      const whole = SOURCES[kind](chunksOf(2000, 2000)).source as ReadableStream<Uint8Array>;
      await readBytes(whole);
      assertEquals(whole.locked, false);
      const part = SOURCES[kind](chunksOf(2000, 2000)).source as ReadableStream<Uint8Array>;
      await assertRejects(() => readBytes(part, { maxBytes: 1 }), RangeError);
      assertEquals(part.locked, false);
    }
  });

  it("detaches each chunk that covers its buffer before it reads the next", async () => {
    const chunks = chunksOf(100, 200, 300);
    const seen: number[][] = [];
    await readBytes(function* () {
      for (const chunk of chunks) {
        seen.push(chunks.map(({ length }) => length));
        yield chunk;
      }
    }());
    assertEquals(seen, [[100, 200, 300], [0, 200, 300], [0, 0, 300]]);
    assertEquals(chunks.map(({ length }) => length), [0, 0, 0]);
  });

  it("does not detach a chunk that is part of a buffer", async () => {
    const whole = new Uint8Array(100).fill(7);
    await readBytes([whole.subarray(0, 50), whole.subarray(50)]);
    assertEquals(whole, new Uint8Array(100).fill(7));
  });

  it("reads no more than maxBytes of a chunk of shared memory that grows", async () => {
    const LENGTH = 3_000;
    const chunks = Array.from({ length: 400 }, () => {
      return new Uint8Array(new SharedArrayBuffer(0, { maxByteLength: LENGTH }));
    });
    const memory = await ChangingMemory.start({ kind: "grow", buffers: chunks.map(({ buffer }) => buffer) });
    let last = 0;
    for (let chunk: Uint8Array | undefined = chunks[0]; chunk; chunk = chunks.find(({ length }) => length < LENGTH)) {
      const maxBytes = chunk.length;
      try {
        const { length } = await readBytes([chunk], { sizeHint: maxBytes, maxBytes });
        assert(length <= maxBytes, `${length} bytes of at most ${maxBytes}`);
        last = Math.max(last, length);
      } catch (error) {
        // The chunk had grown when it came.
        assertMatch(String(error), /^RangeError: Cannot read more than \d+ bytes$/);
      }
    }
    await memory.stop();
    assert(last > 0, "nothing grew");
  });

  it("does not detach chunks with detachChunks: false", async () => {
    const chunks = chunksOf(100, 200);
    await readBytes(chunks, { detachChunks: false });
    assertEquals(chunks, chunksOf(100, 200));
    const [chunk] = chunksOf(100);
    const bytes = await readBytes([chunk], { detachChunks: false });
    assert(bytes.buffer !== chunk.buffer);
  });

  it("frees the chunk that exceeds maxBytes", async () => {
    const chunks = chunksOf(100, 200);
    await assertRejects(() => readBytes(chunks, { maxBytes: 250 }), RangeError);
    assertEquals(chunks.map(({ length }) => length), [0, 0]);
  });

  it("takes hardly any memory for a size hint alone", async () => {
    const allocated: number[] = [];
    const { external } = Deno.memoryUsage();
    await readBytes(
      function* () {
        for (let i = 0; i < 10; i++) {
          yield new Uint8Array(1);
          allocated.push(Deno.memoryUsage().external - external);
        }
      }(),
      { sizeHint: 1e12 },
    );
    // SECURITY.md says 16 MiB. Half a megabyte more is for what the runtime itself allocates.
    assert(Math.max(...allocated) <= 16.5 * MB, `${allocated}`);
  });

  it("keeps nothing alive of a million chunks of one byte", async () => {
    const external = Deno.memoryUsage().external;
    const chunk = new Uint8Array(2);
    const bytes = await readBytes(function* () {
      for (let i = 0; i < 1e6; i++) yield chunk.subarray(1);
    }());
    assertEquals(bytes.length, 1e6);
    assert(Deno.memoryUsage().external - external < 50 * MB);
  });

  it("removes its listener from the signal", async () => {
    const { signal } = new AbortController();
    let listeners = 0;
    const { addEventListener, removeEventListener } = signal;
    signal.addEventListener = (...args: Parameters<typeof addEventListener>) => {
      listeners++;
      addEventListener.apply(signal, args);
    };
    signal.removeEventListener = (...args: Parameters<typeof removeEventListener>) => {
      listeners--;
      removeEventListener.apply(signal, args);
    };
    await readBytes(chunksOf(10), { signal });
    await assertRejects(() => readBytes(chunksOf(10), { signal, maxBytes: 1 }), RangeError);
    assertEquals(listeners, 0);
  });

  for (
    const [name, source] of Object.entries<unknown>({
      "undefined": undefined,
      "null": null,
      "a string": "[1]",
      "a number": 8,
      "an object": {},
      "bytes": new Uint8Array(4),
      "an iterable of strings": ["[1]"],
      "an iterable of buffers": [new ArrayBuffer(8)],
      "a Readable with an encoding": Readable.from(["[1]"]),
      "a stream of strings": new Response("[1]").body!.pipeThrough(new TextDecoderStream()),
      "a stream of undefined": new ReadableStream({
        start(controller) {
          controller.enqueue(undefined);
          controller.close();
        },
      }),
    })
  ) {
    it(`rejects with a TypeError for ${name}`, async () => {
      await assertRejects(() => readBytes(source as ByteSource), TypeError, "Cannot read");
    });
  }

  for (const [name, abortsAt] of [["first", 1], ["third", 3]] as const) {
    it(`rejects if the source aborts within the ${name} call, and reads nothing more`, async () => {
      const controller = new AbortController();
      let calls = 0;
      const iterator = {
        next() {
          calls++;
          if (calls === abortsAt) controller.abort(new Error("aborted"));
          return Promise.resolve({ done: calls > 100, value: chunksOf(1)[0] });
        },
      };
      const source = { [Symbol.asyncIterator]: () => iterator } as unknown as AsyncIterable<Uint8Array>;
      await assertRejects(() => readBytes(source, { signal: controller.signal }), Error, "aborted");
      await new Promise((resolve) => setTimeout(resolve));
      assert(calls <= abortsAt + 1, `${calls} calls`);
    });
  }

  it("reads a stream whose chunks are parts of buffers, and which takes no buffers", async () => {
    const parts = chunksOf(10, 20, 30).map((chunk) => {
      const part = new Uint8Array(chunk.length + 1).subarray(1);
      part.set(chunk);
      return part;
    });
    assertEquals(await readBytes(ReadableStream.from(parts)), BYTES.slice(0, 60));
  });

  it("rejects with the error that ended reading if the stream cannot be cancelled", async () => {
    const source = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.enqueue(new Uint8Array(10)),
      cancel: () => Promise.reject(new Error("no cancel")),
    });
    await assertRejects(() => readBytes(source, { maxBytes: 5 }), RangeError, "Cannot read more than 5 bytes");
  });

  it("rejects with the error that ended reading if the iterator cannot be ended", async () => {
    const iterator = {
      next: () => ({ done: false, value: new Uint8Array(10) }),
      return: () => {
        throw new Error("no return");
      },
    };
    const source = { [Symbol.iterator]: () => iterator } as unknown as Iterable<Uint8Array>;
    await assertRejects(() => readBytes(source, { maxBytes: 5 }), RangeError, "Cannot read more than 5 bytes");
  });

  it("rejects with a TypeError for a stream that is locked", async () => {
    const stream = new ReadableStream<Uint8Array>();
    stream.getReader();
    await assertRejects(() => readBytes(stream), TypeError);
  });

  for (const maxBytes of [NaN, -1, "10", null]) {
    it(`rejects with a TypeError for at most ${maxBytes} bytes`, async () => {
      await assertRejects(() => readBytes([], { maxBytes: maxBytes as number }), TypeError, "Cannot use maxBytes");
    });
  }

  for (const sizeHint of [NaN, -1, 0.5, Infinity, "10", null]) {
    it(`ignores a size hint of ${sizeHint}`, async () => {
      const bytes = await readBytes(chunksOf(10, 20), { sizeHint: sizeHint as number });
      assertEquals(bytes.length, 30);
    });
  }
});
