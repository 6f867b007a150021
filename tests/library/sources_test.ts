/**
 * Sources of bytes, and the functions that read them to their end: `readBytes`, `parseStream`,
 * `parseValues` and `parsePartial`. What each does alone is in files of their names.
 */

import { assert, assertEquals, assertRejects, assertStrictEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { Buffer } from "node:buffer";
import { Readable } from "node:stream";
import { detach } from "../../detach.ts";
import { parseBinary } from "../../parse_binary.ts";
import { parsePartial, type ParsePartialOptions, parseStream, parseValues } from "../../parse_stream.ts";
import { type ByteSource, readBytes } from "../../read_bytes.ts";
import { concat, utf8 } from "../support/bytes.ts";
import { chunksOf } from "../support/cuts.ts";
import { settle, SOURCES } from "../support/sources.ts";

const MEBIBYTE = 2 ** 20;

/** Length of the buffers that streams are given to fill. */
const LENT_BYTES = 64 * 1024;

/** Function that reads a source, and its result for all bytes. */
interface Reader {
  read(source: ByteSource, options?: ParsePartialOptions): Promise<unknown>;
  expected(bytes: Uint8Array): unknown;
}

/** Returns the value, or the code of the failure, of the last of several results. */
// deno-lint-ignore no-explicit-any
const last = (results: any[]): unknown => results.at(-1).ok ? results.at(-1).value : results.at(-1).code;

const READERS: Record<string, Reader> = {
  readBytes: { read: readBytes, expected: (bytes) => bytes },
  parseStream: { read: parseStream, expected: parseBinary },
  parseValues: {
    read: async (source, options) => (await Array.fromAsync(parseValues(source, options))).map((result) => result.ok),
    expected: (bytes) => bytes.length === 0 ? [] : [parseBinary(bytes).ok],
  },
  "parseValues of elements": {
    async read(source, options) {
      const results = await Array.fromAsync(parseValues(source, { ...options, multiple: "elements" }));
      return results.at(-1)!.ok ? results.map((result) => result.ok && result.value) : last(results);
    },
    expected(bytes) {
      const result = parseBinary(bytes);
      return result.ok && !Array.isArray(result.value) ? "expected-array" : last([result]);
    },
  },
  parsePartial: {
    read: async (source, options) => last(await Array.fromAsync(parsePartial(source, options))),
    expected: (bytes) => last([parseBinary(bytes)]),
  },
};

const VALID = utf8(JSON.stringify([{ name: "é中😀" }, 1, -2.5e3, null, true, "\n", { a: [{}, []] }]));
const TEXTS = [VALID, utf8("7"), utf8("[1,2"), utf8("[1]]"), utf8('["', 0xff, '"]')];

for (const [name, { read, expected }] of Object.entries(READERS)) {
  for (const [kind, make] of Object.entries(SOURCES)) {
    describe(`${name}() of ${kind}`, () => {
      it("returns the result of all bytes, and unlocks the source", async () => {
        for (const bytes of TEXTS) {
          for (const size of [1, 5, 1_000]) {
            const { source } = make(chunksOf(bytes, size));
            assertEquals(await read(source, { maxBytes: bytes.length }), expected(bytes));
            if (source instanceof ReadableStream) assertEquals(source.locked, false);
          }
        }
      });

      it("rejects more than maxBytes, and cancels and unlocks the source", async () => {
        for (const length of [1_100, 300]) {
          const { source, cancelled } = make(chunksOf(utf8("[", " ".repeat(length)), 300), "stalls");
          const maxBytes = length - 100;
          await assertRejects(() => read(source, { maxBytes }), RangeError, `Cannot read more than ${maxBytes} bytes`);
          assertEquals(cancelled(), true);
          if (source instanceof ReadableStream) assertEquals(source.locked, false);
        }
      });

      it("rejects with the source's error", async () => {
        const failure = new Error("no more");
        const { source } = make(chunksOf(utf8("[1,2,", " ".repeat(500)), 100), failure);
        assertStrictEquals(await assertRejects(() => read(source)), failure);
      });

      it("rejects with a signal's reason, before it begins and at once while it waits", async () => {
        const reason = new Error("enough");
        const begun = make(chunksOf(utf8("[1]"), 10));
        assertStrictEquals(
          await assertRejects(() => read(begun.source, { signal: AbortSignal.abort(reason) })),
          reason,
        );
        if (kind === "an iterable") return; // its generator has not begun to run, and cannot wait
        assertEquals(begun.cancelled(), true);
        const { source, cancelled } = make(chunksOf(utf8("[1,2,3,"), 3), "stalls");
        const controller = new AbortController();
        setTimeout(() => controller.abort(reason), 5);
        assertStrictEquals(await assertRejects(() => read(source, { signal: controller.signal })), reason);
        assertEquals(cancelled(), true);
      });
    });
  }

  describe(`${name}()`, () => {
    it("with detachChunks, detaches each whole buffer before it reads the next chunk", async () => {
      for (const detachChunks of [true, false, undefined]) {
        const chunks = chunksOf(utf8("[10,20,30]"), 4);
        const seen: number[][] = [];
        const source = function* () {
          for (const chunk of chunks) {
            seen.push(chunks.map(({ length }) => length));
            yield chunk;
          }
        };
        await read(source(), { detachChunks });
        const kept = [[4, 4, 2], [4, 4, 2], [4, 4, 2], [4, 4, 2]];
        const freed = [[4, 4, 2], [0, 4, 2], [0, 0, 2], [0, 0, 0]];
        assertEquals([...seen, chunks.map(({ length }) => length)], detachChunks ? freed : kept);
      }
    });

    it("detaches the chunk that exceeds maxBytes, but no chunk that is part of a buffer", async () => {
      const chunks = chunksOf(utf8("[1,2,3,4,5]"), 4);
      await assertRejects(() => read(chunks, { maxBytes: 6, detachChunks: true }), RangeError);
      assertEquals(chunks.map(({ length }) => length), [0, 0, 3]);
      const whole = utf8("[1,2,3,4]");
      await read([whole.subarray(0, 4), whole.subarray(4)], { detachChunks: true });
      assertEquals(whole, utf8("[1,2,3,4]"));
    });

    it("reads small Buffers of a shared pool, shared memory, and the body of a response or request", async () => {
      const shared = new Uint8Array(new SharedArrayBuffer(5));
      shared.set(utf8(',"c"]'));
      const [result, expectedResult] = [
        await read([Buffer.from('["a'), Buffer.from('b"'), shared]),
        utf8('["ab","c"]'),
      ];
      assertEquals(result, expected(expectedResult));
      for (const source of [new Response("[1]"), new Request("http://localhost/", { method: "POST", body: "[1]" })]) {
        assertEquals(await read(source), expected(utf8("[1]")));
        await assertRejects(async () => await read(source), TypeError, "Cannot read this body: it was read already");
      }
      assertEquals(await read(new Response()), expected(utf8("")));
      await assertRejects(
        () => read(new Response(), { signal: AbortSignal.abort(new Error("enough")) }),
        Error,
        "enough",
      );
      const broken = new Response(new ReadableStream({ pull: (controller) => controller.error(new Error("gone")) }));
      await assertRejects(() => read(broken), Error, "gone");
    });

    it("removes its listener from the signal", async () => {
      const { signal } = new AbortController();
      const listeners = new Set<unknown>();
      signal.addEventListener = (type: string, listener: unknown) => void listeners.add(`${type} ${listener}`);
      signal.removeEventListener = (type: string, listener: unknown) => void listeners.delete(`${type} ${listener}`);
      await read([utf8("[1]")], { signal });
      await assertRejects(() => read([utf8("[1]")], { signal, maxBytes: 1 }), RangeError);
      assertEquals(listeners.size, 0);
    });

    it("reads nothing more once the source has aborted the signal", async () => {
      for (const abortsAt of [1, 3]) {
        const controller = new AbortController();
        let calls = 0;
        const next = () => {
          if (++calls === abortsAt) controller.abort(new Error("aborted"));
          return Promise.resolve({ done: calls > 100, value: utf8(" ") });
        };
        const source = { [Symbol.asyncIterator]: () => ({ next }) } as unknown as ByteSource;
        await assertRejects(() => read(source, { signal: controller.signal }), Error, "aborted");
        await settle();
        assert(calls <= abortsAt + 1, `${calls} calls`);
      }
    });

    it("calls return() of an iterator that has not ended or failed, whatever return() does", async () => {
      for (const [end, expected] of [["stalls", 1], ["fails", 0], ["ends", 0]] as const) {
        for (const returns of [true, false]) {
          let [calls, returned] = [0, 0];
          const iterator = {
            next: () => {
              if (calls++ === 0) return { done: false, value: utf8("[1]") };
              if (end === "stalls") return { done: false, value: utf8("   ") };
              if (end === "fails") throw new Error("failed");
              return { done: true, value: undefined };
            },
            return: () => {
              returned++;
              if (!returns) throw new Error("no return");
              return { done: true, value: undefined };
            },
          };
          // The source's `destroy` is no function.
          const source = { [Symbol.iterator]: () => iterator, destroy: true } as unknown as ByteSource;
          const error = await read(source, { maxBytes: 4 }).catch((error: unknown) => error);
          if (end === "stalls") assertEquals(String(error), "RangeError: Cannot read more than 4 bytes");
          assertEquals(returned, expected, end);
        }
      }
      const stream = new ReadableStream<Uint8Array>({
        pull: (controller) => controller.enqueue(utf8("[        ")),
        cancel: () => Promise.reject(new Error("no cancel")),
      });
      await assertRejects(() => read(stream, { maxBytes: 5 }), RangeError, "Cannot read more than 5 bytes");
    });

    it("takes own and inherited methods and those of a proxy, but none of Object.prototype", async () => {
      class Source {
        *[Symbol.iterator](): Generator<Uint8Array> {
          yield utf8("[1]");
        }
      }
      const methods = Object.assign(Object.create(null), { [Symbol.iterator]: () => [utf8("[1]")].values() });
      const proxy = new Proxy(Object.create(null), {
        has: (_, key) => key === Symbol.iterator,
        get: (_, key) => key === Symbol.iterator ? methods[key] : undefined,
      });
      for (const source of [new Source(), new (class extends Source {})(), methods, Object.create(methods), proxy]) {
        assertEquals(await read(source), expected(utf8("[1]")));
      }
      const keys = ["getReader", Symbol.asyncIterator, "body", "destroy", "return"];
      const lookedFor: PropertyKey[] = [];
      const get = (key: PropertyKey) => () => void lookedFor.push(key);
      for (const key of keys) Object.defineProperty(Object.prototype, key, { configurable: true, get: get(key) });
      try {
        await read([utf8("[1]")]).catch(() => {});
        await read([utf8("[1]")], { maxBytes: 1 }).catch(() => {});
        await Promise.resolve().then(() => read({} as ByteSource)).catch(() => {});
      } finally {
        for (const key of keys) Reflect.deleteProperty(Object.prototype, key);
      }
      assertEquals(lookedFor, []);
    });

    const NO_SOURCE = "Cannot read this source: expected a ReadableStream, a Response or an iterable of Uint8Array";
    const NO_CHUNK = "Cannot read a chunk of this source: expected a Uint8Array";
    const NO_TEXT = `${NO_CHUNK}; of text, pipe the source through new TextEncoderStream()`;
    const TEXT = name === "parsePartial" ? undefined : NO_TEXT; // which takes text

    it("rejects with a TypeError for other sources, for a stream that is locked, and for wrong options", async () => {
      const rows: [sources: unknown[], message: string | undefined][] = [
        [[undefined], NO_SOURCE],
        [[[1], [new ArrayBuffer(8)], ReadableStream.from([undefined])], NO_CHUNK],
        [[["[1]"], Readable.from(["[1]"]), new Response("[1]").body!.pipeThrough(new TextDecoderStream())], TEXT],
      ];
      for (const [sources, message] of rows) {
        for (const source of message === undefined ? [] : sources) {
          assertEquals((await assertRejects(async () => await read(source as ByteSource), TypeError)).message, message);
        }
      }
      for (const source of ["[1]", new Uint8Array(4)] as unknown as ByteSource[]) {
        await assertRejects(async () => await read(source), TypeError, "Cannot read");
      }
      const stream = new ReadableStream<Uint8Array>();
      stream.getReader();
      await assertRejects(async () => await read(stream), TypeError);
      for (const value of [NaN, -1, -0.5, "10", null] as number[]) {
        const rows: [option: string, message: string][] = [
          ["maxBytes", `Cannot use maxBytes: ${value}: expected a non-negative number`],
          ["timeSlice", `Cannot parse for ${value} milliseconds at a time: expected a non-negative number`],
          ["maxTokenBytes", "Cannot set maxTokenBytes: expected a positive number of bytes"],
        ];
        for (const [option, message] of name === "readBytes" ? rows.slice(0, 1) : rows) {
          const error = await assertRejects(async () => await read([], { [option]: value }), TypeError);
          assertEquals(error.message, message);
        }
      }
      for (const maxBytes of [0, 0.5, Infinity]) await read([], { maxBytes });
    });
  });
}

describe("readBytes() of any size", () => {
  const BYTES = new Uint8Array(4 * MEBIBYTE).map((_, i) => i % 251);

  /** Makes chunks of the given lengths. Each byte differs from its neighbours. */
  function chunksOfLengths(lengths: number[]): Uint8Array<ArrayBuffer>[] {
    let end = 0;
    return lengths.map((length) => BYTES.slice(end, end += length));
  }

  const sizes = [[], [1], [1, 2, 3], [5_000], [4_096, 1, 4_095], Array(200).fill(7_919), [3 * MEBIBYTE, 100]];
  it("returns the bytes in a buffer of exactly their length, whatever the hint was", async () => {
    for (const lengths of sizes) {
      const total = lengths.reduce((sum, length) => sum + length, 0);
      const hints = [total, 1, total + 1, total >> 1, total * 2, 1e10, 2 ** 53, NaN, -1, 0.5, Infinity, "10", null];
      for (const make of Object.values(SOURCES)) {
        for (const sizeHint of [undefined, ...hints] as number[]) {
          const bytes = await readBytes(make(chunksOfLengths(lengths)).source, { sizeHint, maxBytes: total });
          assertEquals([bytes.constructor, bytes.byteOffset, bytes.length], [Uint8Array, 0, bytes.buffer.byteLength]);
          assert(Buffer.compare(bytes, BYTES.subarray(0, total)) === 0);
          assertEquals(detach(bytes), true);
        }
      }
    }
  });

  it("copies a single chunk", async () => {
    const [chunk] = chunksOfLengths([100]);
    assert((await readBytes([chunk])).buffer !== chunk.buffer);
  });

  it("grows towards the length of the hint, and allocates hardly anything for the hint alone", async () => {
    assert(Buffer.compare(await readBytes([BYTES.slice()], { sizeHint: 17 * MEBIBYTE }), BYTES) === 0);
    const allocated: number[] = [];
    const { external } = Deno.memoryUsage();
    const source = function* () {
      for (let i = 0; i < 10; i++) {
        yield new Uint8Array(1);
        allocated.push(Deno.memoryUsage().external - external);
      }
    };
    await readBytes(source(), { sizeHint: 1e12 });
    // SECURITY.md says 16 MiB. Half a megabyte more is for what the runtime itself allocates.
    assert(Math.max(...allocated) <= 16.5 * MEBIBYTE, `${allocated}`);
  });

  it("retains nothing of a million chunks of one byte", async () => {
    const external = Deno.memoryUsage().external;
    const chunk = new Uint8Array(2);
    const bytes = await readBytes(function* () {
      for (let i = 0; i < 1e6; i++) yield chunk.subarray(1);
    }());
    assertEquals(bytes.length, 1e6);
    assert(Deno.memoryUsage().external - external < 50 * MEBIBYTE);
  });
});

describe("a byte stream", () => {
  it("fills one buffer again and again, a longer one once it was full, a shorter one for a short body", async () => {
    const rows: { chunks: number; sizeHint: number; lent: number[] }[] = [
      { chunks: 4, sizeHint: 0, lent: [16 * 1024, LENT_BYTES, LENT_BYTES, LENT_BYTES] },
      { chunks: 1, sizeHint: 10, lent: [1024] },
      { chunks: 3, sizeHint: 1500, lent: [1500, 1500, LENT_BYTES] },
      { chunks: 1, sizeHint: 1500, lent: [1500] },
      { chunks: 2, sizeHint: 10 * MEBIBYTE, lent: [LENT_BYTES, LENT_BYTES] },
    ];
    for (const { chunks, sizeHint, lent } of rows) {
      const given: number[] = [];
      const kept: Uint8Array[] = [];
      const stream = new ReadableStream({
        type: "bytes",
        pull(controller) {
          const request = controller.byobRequest!;
          if (given.length === chunks) {
            controller.close();
            return request.respond(0);
          }
          const view = request.view as Uint8Array;
          given.push(view.byteLength);
          kept.push(view.fill(given.length));
          request.respond(view.byteLength);
        },
      });
      const bytes = await readBytes(stream, { sizeHint });
      assertEquals(given, lent);
      assertEquals(bytes, concat(lent.map((length, i) => new Uint8Array(length).fill(i + 1))));
      assertEquals([stream.locked, ...kept.map(({ length }) => length)], [false, ...lent.map(() => 0)]);
    }
  });

  it("may have queued chunks, which are copied", async () => {
    const stream = new ReadableStream({
      type: "bytes",
      start(controller) {
        for (const length of [10, 3 * LENT_BYTES, 30]) controller.enqueue(new Uint8Array(length).fill(length));
        controller.close();
      },
    });
    const expectedBytes = concat([10, 3 * LENT_BYTES, 30].map((length) => new Uint8Array(length).fill(length)));
    assert(Buffer.compare(await readBytes(stream), expectedBytes) === 0);
  });

  it("may consist of parts of buffers and fill none that it is lent", async () => {
    const parts = [10, 20, 30].map((length) => new Uint8Array(length + 1).fill(length).subarray(1));
    assertEquals(await readBytes(ReadableStream.from(parts)), concat(parts));
  });

  it("may be an object whose reader is not the engine's, and takes no buffer of ours", async () => {
    for (const ignoresMode of [true, false]) {
      const kept = utf8("[1]");
      const source = {
        getReader(options?: { mode: string }) {
          if (options?.mode === "byob" && !ignoresMode) throw new TypeError("no bytes");
          let isRead = false;
          return {
            read: (...args: unknown[]) => {
              assertEquals(args, []);
              const done = isRead;
              isRead = true;
              return Promise.resolve({ done, value: done ? undefined : kept });
            },
            releaseLock() {},
          };
        },
      } as unknown as ReadableStream<Uint8Array>;
      assertEquals(await readBytes(source), utf8("[1]"));
      assertEquals(kept, utf8("[1]"));
    }
  });
});
