/**
 * `parseStream`, `parseValues` and `JsonParseStream`: turns of the event loop, iterators, and
 * streams. `sources_test.ts` has sources, limits and signals.
 */

import { assert, assertEquals, assertLess, assertRejects, assertStrictEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { parseBinary } from "../../parse_binary.ts";
import {
  JsonParseStream,
  parseStream,
  type ParseStreamOptions,
  parseValues,
  type ParseValuesOptions,
  type StreamedValue,
} from "../../parse_stream.ts";
import type { ByteSource } from "../../read_bytes.ts";
import { utf8 } from "../support/bytes.ts";
import { chunksOf } from "../support/cuts.ts";
import { withGlobals } from "../support/modules.ts";
import { STREAMS } from "../support/readers.ts";
import { settle, SOURCES } from "../support/sources.ts";

/** Returns the values of valid results, and the codes of failures. */
function summary(results: StreamedValue[]): unknown[] {
  return results.map((result) => result.ok ? result.value : result.code);
}

/** Functions that read chunks to their end, in time slices. */
const READERS: Record<string, (chunks: Uint8Array[], options?: ParseStreamOptions) => Promise<unknown>> = {
  parseStream,
  parseValues: (chunks, options) => Array.fromAsync(parseValues(chunks, options)),
  "parseValues of elements": (chunks, options) => {
    return Array.fromAsync(parseValues(chunks, { ...options, multiple: "elements" }));
  },
  JsonParseStream: STREAMS.JsonParseStream,
};

/** Runs a function while turns of the event loop are counted. Returns their number. */
async function countTurns(run: () => Promise<unknown>): Promise<number> {
  const { setTimeout } = globalThis;
  let turns = 0;
  const counted = (callback: () => void, ...args: number[]): unknown => {
    turns++;
    return setTimeout(callback, ...args);
  };
  await withGlobals({ setTimeout: counted }, run);
  return turns;
}

for (const [name, read] of Object.entries(READERS)) {
  describe(`${name}: turns of the event loop`, () => {
    const numbers = (count: number): string => `[${"1234567,".repeat(count)}0]`;

    it("are taken while it parses one large chunk", async () => {
      let isOver = false;
      const done = read([utf8(numbers(300_000))], { timeSlice: 1 }).then(() => isOver = true);
      let turns = 0;
      for (; !isOver; turns++) await new Promise((resolve) => setTimeout(resolve));
      await done;
      assert(turns > 1, `${turns} turns`);
    });

    it("are at most two per time slice, however small the chunks are, and none with timeSlice: Infinity", async () => {
      const start = performance.now();
      const turns = await countTurns(() => read(chunksOf(numbers(10_000), 4), { timeSlice: 4 }));
      const slices = (performance.now() - start) / 4;
      assert(turns <= 2 * slices + 2, `${turns} turns in ${slices.toFixed(1)} time slices`);
      assertEquals(await countTurns(() => read([utf8(numbers(100_000))], { timeSlice: Infinity })), 0);
    });

    it("are taken at each piece with timeSlice: 0, though the clock stands still", async () => {
      const { now } = performance;
      performance.now = () => 1;
      try {
        assert(await countTurns(() => read([utf8(numbers(50_000))], { timeSlice: 0 })) >= 4);
      } finally {
        performance.now = now;
      }
    });

    it("reject with a TypeError if user code resizes the chunk meanwhile", async () => {
      const buffer = new ArrayBuffer(2 ** 25, { maxByteLength: 2 ** 26 });
      const chunk = new Uint8Array(buffer).fill(0x20);
      setTimeout(() => buffer.resize(100));
      const { message } = await assertRejects(() => read([chunk], { timeSlice: 0 }), TypeError);
      assertEquals(message, "Cannot parse the rest of a chunk: its buffer was detached or resized");
    });
  });
}

describe("a time slice", () => {
  it("starts anew at a turn of the event loop that came while parseStream waited for its source", async () => {
    const { now } = performance;
    let time = 1;
    async function* source(): AsyncGenerator<Uint8Array<ArrayBuffer>> {
      for (const text of ["[1", ",2", ",3", "]"]) {
        yield utf8(text + " ".repeat(4096)); // smaller ones would be parsed without a look at the clock
        time += 6; // more than half of the time slice
        await realTimeout(20); // a turn comes meanwhile
      }
    }
    const { setTimeout } = globalThis;
    const realTimeout = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
    performance.now = () => time;
    try {
      assertEquals(await countTurns(() => parseStream(source(), { timeSlice: 10 })), 2);
    } finally {
      performance.now = now;
    }
  });

  /** Turns of the event loop that were requested. */
  let turns = 0;
  const [realImmediate, realTimeout] = [setImmediate, setTimeout];
  class CountedChannel extends MessageChannel {
    constructor() {
      super();
      turns++;
    }
  }
  const counted = (real: (callback: () => void) => unknown) => (callback: () => void): unknown => {
    turns++;
    return real(callback);
  };
  const none = { Deno: undefined, setImmediate: undefined, MessageChannel: undefined };
  const engines: { name: string; means: string; globals: Record<string, unknown> }[] = [
    { name: "Node.js", means: "setImmediate", globals: { Deno: undefined, setImmediate: counted(realImmediate) } },
    { name: "a browser", means: "MessageChannel", globals: { ...none, MessageChannel: CountedChannel } },
    { name: "a shell", means: "setTimeout", globals: { ...none, setTimeout: counted(realTimeout) } },
  ];
  for (const { name, means, globals } of engines) {
    it(`ends by ${means} in ${name}`, async () => {
      turns = 0;
      const chunk = utf8(`[${"1,".repeat(500_000)}1]`);
      assert((await withGlobals(globals, () => parseStream([chunk], { timeSlice: 0 }))).ok);
      assert(turns >= 10, `${turns} turns`);
    });
  }
});

it("parseStream() stops at the first failure and cancels the source, of whatever kind", async () => {
  for (const [kind, make] of Object.entries(SOURCES)) {
    const { source, cancelled } = make(chunksOf(`[1,2,,${" ".repeat(5_000)}`, 3), "stalls");
    assertEquals(await parseStream(source), parseBinary(utf8("[1,2,,")), kind);
    assertEquals(cancelled(), true);
  }
  const result = await parseStream(chunksOf(`["${"a".repeat(5_000)}"]`, 100), { maxTokenBytes: 1_000 });
  assertEquals(result.ok ? "" : result.code, "value-too-large");
});

const END = { done: true as const, value: undefined };

/** Makes a source that gives what a test resolves, and calls back when it is ended. */
function givenSource(): { source: ByteSource; give(chunk: Uint8Array): void; fail(error: Error): void } {
  const { promise, resolve, reject } = Promise.withResolvers<IteratorResult<Uint8Array>>();
  const source = { [Symbol.asyncIterator]: () => ({ next: () => promise }) };
  return { source, give: (value) => resolve({ done: false, value }), fail: reject };
}

describe("parseValues() and JsonParseStream", () => {
  it("end with the first failure of elements, or a missing array, and cancel the source", async () => {
    const rows: [text: string, codes: unknown[]][] = [
      ["[1,2,,3]", [1, 2, "unexpected-token"]],
      ["{}", ["expected-array"]],
    ];
    for (const [text, codes] of rows) {
      const made = [0, 1].map(() => SOURCES["a stream"](chunksOf(text, 3), "stalls"));
      const [values, streamed] = made.map(({ source }) => source as ReadableStream<Uint8Array>);
      assertEquals(summary(await Array.fromAsync(parseValues(values, { multiple: "elements" }))), codes);
      const stream = streamed.pipeThrough(new JsonParseStream({ multiple: "elements" }));
      assertEquals(summary(await Array.fromAsync(stream)), codes);
      await settle();
      assertEquals(made.map(({ cancelled }) => cancelled()), [true, true]);
    }
  });

  it("report a detached chunk as a failure after the values before it", async () => {
    const detached = utf8("2\n");
    detached.buffer.transfer();
    const results = await Array.fromAsync(parseValues([utf8("1\nx\n"), detached]));
    assertEquals(summary(results), [1, "unexpected-token", "detached-buffer"]);
    assertEquals(results.map(({ index }) => index), [0, 1, 2]);
    assertEquals((await Array.fromAsync(parseValues([detached]))).map(({ index }) => index), [0]);
  });
});

describe("the iterator of parseValues()", () => {
  it("reads nothing before the first next(), and no chunk while a value is waiting", async () => {
    let chunks = 0;
    const values = parseValues(function* () {
      for (; chunks < 100; chunks++) yield utf8("1\n2\n3\n");
    }());
    for (let i = 0; i < 9; i++) {
      await settle();
      assertEquals(chunks, Math.max(0, Math.floor((i - 1) / 3)));
      assertEquals((await values.next()).value?.index, i);
    }
    await values.return!();
  });

  it("answers calls of next() in their order", async () => {
    const values = parseValues<number>(chunksOf("1\n2\n3\n4\nx\n6\n", 3));
    const results = await Promise.all(Array.from({ length: 8 }, () => values.next()));
    const found = results.map(({ done, value }) => done ? "done" : value.ok ? value.value : value.code);
    assertEquals(found, [1, 2, 3, 4, "unexpected-token", 6, "done", "done"]);
  });

  it("cancels the source and detaches the current chunk, however the loop is left", async () => {
    const error = new Error("enough");
    type Values = AsyncIterableIterator<StreamedValue, undefined> & AsyncDisposable;
    const ways: Record<string, (values: Values) => Promise<void>> = {
      async break(values) {
        for await (const _ of values) break;
      },
      async throw(values) {
        const loop = async () => {
          for await (const { index } of values) if (index === 0) throw error;
        };
        assertStrictEquals(await assertRejects(loop), error);
      },
      async using(values) {
        await using used = values;
        await used.next();
      },
      async return(values) {
        await values.next();
        for (let times = 0; times < 2; times++) assertEquals(await values.return!(), END);
      },
    };
    for (const [way, leave] of Object.entries(ways)) {
      const chunks = chunksOf("1\n2\n3\n4\n", 4);
      const { source, cancelled } = SOURCES["a stream"](chunks, "stalls");
      await leave(parseValues(source, { detachChunks: true }));
      assertEquals([cancelled(), chunks[0].length], [true, 0], way);
    }
  });

  it("ends a pending next() on return(), even if the source stalls", async () => {
    for (const [kind, make] of Object.entries(SOURCES)) {
      if (kind === "an iterable") continue; // it cannot wait
      const { source, cancelled } = make(chunksOf("1\n[2", 4), "stalls");
      const values = parseValues(source);
      assertEquals((await values.next()).value?.ok, true);
      const waiting = values.next();
      await settle();
      assertEquals([await values.return!(), await waiting, await values.next()], [END, END, END]);
      assertEquals(cancelled(), true, kind);
    }
  });

  it("ignores a chunk or an error that comes after return(), and detaches the chunk if it may", async () => {
    for (const fails of [true, false]) {
      const { source, give, fail } = givenSource();
      const values = parseValues(source, { detachChunks: true });
      const waiting = values.next();
      await settle();
      await values.return!();
      const chunk = utf8("1\n2\n");
      if (fails) fail(new Error("late"));
      else give(chunk);
      assertEquals(await waiting, END);
      await settle();
      assertEquals([await values.next(), chunk.length], [END, fails ? 4 : 0]);
    }
  });

  it("detaches a chunk if return() comes between two turns of the event loop", async () => {
    const chunk = utf8("1\n".repeat(100_000));
    const values = parseValues([chunk], { timeSlice: 0, detachChunks: true });
    const waiting = values.next();
    // The chunk is taken within the turn, and parsed in the next one.
    for (let i = 0; i < 50; i++) await Promise.resolve();
    await values.return!();
    assertEquals(await waiting, END);
    await settle();
    assertStrictEquals(chunk.length, 0);
  });

  it("rejects once, and is done afterwards", async () => {
    const failure = new Error("no more");
    const values = parseValues(SOURCES["a stream"](chunksOf("1\n", 2), failure).source);
    await values.next();
    const results = await Promise.allSettled([values.next(), values.next()]);
    assertEquals(results, [{ status: "rejected", reason: failure }, { status: "fulfilled", value: END }]);
    assertEquals(await values.next(), END);
  });

  it("rejects with the signal's reason instead of pending values and failures", async () => {
    const texts: { text: string; options: ParseValuesOptions; end: "stalls" | undefined }[] = [
      { text: "1\n2\n3\n4\n", options: {}, end: "stalls" },
      { text: "[1,2}", options: { multiple: "elements" }, end: undefined },
      { text: "[1,x]", options: { multiple: "elements" }, end: undefined },
    ];
    for (const { text, options, end } of texts) {
      const { source, cancelled } = SOURCES["a stream"](chunksOf(text, 8), end);
      const controller = new AbortController();
      const values = parseValues(source, { ...options, signal: controller.signal });
      assertEquals((await values.next()).value?.index, 0);
      const reason = new Error("enough");
      controller.abort(reason);
      await settle();
      assertEquals(cancelled(), true);
      assertStrictEquals(await assertRejects(() => values.next()), reason);
      assertEquals(await values.next(), END);
    }
  });
});

describe("JsonParseStream", () => {
  it("passes back-pressure on", async () => {
    let pulls = 0;
    const source = new ReadableStream<Uint8Array>({
      pull(controller) {
        pulls++;
        controller.enqueue(utf8("1\n2\n3\n"));
      },
    });
    const reader = source.pipeThrough(new JsonParseStream()).getReader();
    await reader.read();
    await settle();
    assertLess(pulls, 6);
    await reader.cancel();
  });

  it("detaches chunks only if they were given away, and fails for too many bytes, and for none", async () => {
    const read = STREAMS.JsonParseStream;
    for (const detachChunks of [true, false, undefined]) {
      const chunks = chunksOf("1\n2\n", 2);
      await read(chunks, { detachChunks });
      assertEquals(chunks.map(({ length }) => length), detachChunks ? [0, 0] : [2, 2]);
    }
    await assertRejects(() => read([utf8("1\n2\n")], { maxBytes: 3 }), RangeError, "Cannot read more than 3 bytes");
    await assertRejects(() => read(["1\n"] as unknown as Uint8Array[]), TypeError, "Cannot read a chunk");
  });

  it("with maxBytes, ends with its input, and cancels it if nobody reads on", async () => {
    assertEquals((await STREAMS.JsonParseStream(chunksOf("1\n2\n", 2), { maxBytes: 4 })).length, 2);
    let reason: unknown;
    const source = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.enqueue(utf8("1\n")),
      cancel: (given) => void (reason = given),
    });
    const reader = source.pipeThrough(new JsonParseStream({ maxBytes: 1e6 })).getReader();
    await reader.read();
    await reader.cancel("enough");
    assertEquals(reason, "enough");
  });

  it("detaches the chunk that it was reading when it fails", async () => {
    for (const options of [{ multiple: "elements" }, { maxBytes: 3 }] as const) {
      const chunk = utf8("[1,x");
      const { readable, writable } = new JsonParseStream({ ...options, detachChunks: true });
      const reading = Array.fromAsync(readable).catch(() => {});
      await writable.getWriter().write(chunk).catch(() => {});
      await reading;
      assertEquals(chunk.length, 0);
    }
  });
});
