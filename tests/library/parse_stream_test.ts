/** `parseStream`, `parseValues` and `JsonParseStream`: sources, limits, cancelling and turns. */

import { assert, assertEquals, assertLess, assertRejects, assertStrictEquals, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { Buffer } from "node:buffer";
import { Readable } from "node:stream";
import { parseBinary, type ParseResult } from "../../parse_binary.ts";
import {
  JsonParseStream,
  parseStream,
  type ParseStreamOptions,
  parseValues,
  type ParseValuesOptions,
  type StreamedValue,
} from "../../parse_stream.ts";
import type { ByteSource } from "../../read_bytes.ts";
import { concat, utf8 } from "../support/bytes.ts";
import { evenCuts, piecesAt, singleCuts } from "../support/cuts.ts";
import { resultDifference } from "../support/difference.ts";
import { corrupt, randomDocument } from "../support/documents.ts";
import { withGlobals } from "../support/modules.ts";
import { withSeeds } from "../support/random.ts";
import { SOURCES } from "../support/sources.ts";

/** Cuts bytes into chunks with buffers of their own. */
function chunksOf(bytes: Uint8Array, size: number): Uint8Array<ArrayBuffer>[] {
  return Array.from(
    { length: Math.ceil(bytes.length / size) },
    (_, i) => new Uint8Array(bytes.slice(i * size, (i + 1) * size)),
  );
}

async function collect<T>(values: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const value of values) all.push(value);
  return all;
}

/** Returns the values of valid results, and the codes of failures. */
function summary(results: StreamedValue[]): unknown[] {
  return results.map((result) => result.ok ? result.value : result.code);
}

/** Waits until the tasks that are due have run. */
function settle(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 20));
}

const DOCUMENT = utf8(JSON.stringify({ name: "é中😀", list: [1, -2.5e3, null, true, "\n"], nested: { a: [{}, []] } }));
const LINES = utf8('{"id":1}\n{"id":}\n\n{"id":3}\n[4');
const LINE_RESULTS = [{ id: 1 }, "unexpected-token", { id: 3 }, "expected-comma-or-bracket"];

/** Functions that read a source to its end, for behaviour that all of them share. */
const READERS: Record<string, (source: ByteSource, options?: ParseStreamOptions) => Promise<unknown>> = {
  "parseStream()": parseStream,
  "parseValues()": (source, options) => collect(parseValues(source, options)),
  "parseValues() of elements": (source, options) => {
    return collect(parseValues(source, { ...options, multiple: "elements" }));
  },
};

for (const [name, read] of Object.entries(READERS)) {
  describe(name, () => {
    for (const [kind, make] of Object.entries(SOURCES)) {
      describe(`from ${kind}`, () => {
        it("accepts maxBytes", async () => {
          const text = name === "parseValues()" ? DOCUMENT : utf8("[", ...Array(499).fill("1,"), "2]");
          await read(make(chunksOf(text, 60)).source, { maxBytes: text.length });
        });

        it("rejects more than maxBytes and cancels the source", async () => {
          const { source, cancelled } = make(chunksOf(utf8("[", " ".repeat(1_100)), 300), "stalls");
          await assertRejects(
            () => read(source, { maxBytes: 1_000 }),
            RangeError,
            "Cannot read more than 1000 bytes",
          );
          assertEquals(cancelled(), true);
        });

        it("rejects with the error of its source", async () => {
          const failure = new Error("no more");
          const { source } = make(chunksOf(utf8("[1,2,", " ".repeat(500)), 100), failure);
          assertStrictEquals(await assertRejects(() => read(source)), failure);
        });

        it("reads nothing if the signal is aborted", async () => {
          const { source, cancelled } = make(chunksOf(utf8("[1]"), 10));
          const reason = new Error("too late");
          const error = await assertRejects(() => read(source, { signal: AbortSignal.abort(reason) }));
          assertStrictEquals(error, reason);
          if (kind === "an iterable") return; // a generator that has not begun runs no finally
          assertEquals(cancelled(), true);
        });

        if (kind !== "an iterable") {
          it("rejects at once if the signal is aborted while the source lets it wait", async () => {
            const { source, cancelled } = make(chunksOf(utf8("[1,2,3,"), 3), "stalls");
            const controller = new AbortController();
            const reason = new Error("enough");
            setTimeout(() => controller.abort(reason), 5);
            const error = await assertRejects(() => read(source, { signal: controller.signal }));
            assertStrictEquals(error, reason);
            assertEquals(cancelled(), true);
          });
        }

        it("unlocks a stream at the end, and after a failure", async () => {
          for (const options of [{}, { maxBytes: 1 }]) {
            const { source } = make(chunksOf(utf8("[1,2,3]"), 3));
            if (!(source instanceof ReadableStream)) continue;
            await read(source, options).catch(() => {});
            assertEquals(source.locked, false);
          }
        });
      });
    }

    it("detaches each chunk that covers its buffer before it reads the next", async () => {
      const chunks = chunksOf(utf8("[10,20,30]"), 4);
      const seen: number[][] = [];
      await read(function* () {
        for (const chunk of chunks) {
          seen.push(chunks.map(({ length }) => length));
          yield chunk;
        }
      }());
      assertEquals(seen, [[4, 4, 2], [0, 4, 2], [0, 0, 2]]);
      assertEquals(chunks.map(({ length }) => length), [0, 0, 0]);
    });

    it("does not detach a chunk that is part of a buffer", async () => {
      const whole = utf8("[1,2,3,4]");
      await read([whole.subarray(0, 4), whole.subarray(4)]);
      assertEquals(whole, utf8("[1,2,3,4]"));
    });

    it("does not detach chunks with detachChunks: false", async () => {
      const chunks = chunksOf(utf8("[1,2,3]"), 3);
      await read(chunks, { detachChunks: false });
      assertEquals(concat(chunks), utf8("[1,2,3]"));
    });

    it("frees the chunk that exceeds maxBytes", async () => {
      const chunks = chunksOf(utf8("[1,2,3,4,5]"), 4);
      await assertRejects(() => read(chunks, { maxBytes: 6 }), RangeError);
      assertEquals(chunks.map(({ length }) => length), [0, 0, 3]);
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
      await read([utf8("[1]")], { signal });
      await assertRejects(() => read([utf8("[1]")], { signal, maxBytes: 1 }), RangeError);
      assertEquals(listeners, 0);
    });

    it("lets other tasks run while it parses one large chunk", async () => {
      const chunk = utf8("[", "1234567,".repeat(1_000_000), "0]");
      const reading = { isOver: false };
      const done = read([chunk], { timeSlice: 1 }).then(() => reading.isOver = true);
      let turns = 0;
      while (!reading.isOver) {
        await new Promise((resolve) => setTimeout(resolve));
        turns++;
      }
      await done;
      assert(turns > 1, `${turns} turns`);
    });

    it("waits for no more turns than it must, however small the chunks are", async () => {
      const chunks = chunksOf(utf8("[", "1234567,".repeat(20_000), "0]"), 4);
      await assertFewTurns(() => read(chunks, { timeSlice: 4 }), 4);
    });

    it("never waits for a turn with timeSlice: Infinity", async () => {
      const chunk = utf8("[", "1234567,".repeat(100_000), "0]");
      let tasks = 0;
      const timer = setInterval(() => tasks++);
      await read([chunk], { timeSlice: Infinity });
      clearInterval(timer);
      assertEquals(tasks, 0);
    });

    it("rejects with a TypeError for a chunk that is resized between two turns", async () => {
      const buffer = new ArrayBuffer(2 ** 25, { maxByteLength: 2 ** 26 });
      const chunk = new Uint8Array(buffer).fill(0x20);
      setTimeout(() => buffer.resize(100));
      await assertRejects(() => read([chunk], { timeSlice: 0 }), TypeError, "Cannot parse the rest of a chunk");
    });

    for (
      const [what, source] of Object.entries<unknown>({
        "undefined": undefined,
        "null": null,
        "a string": "[1]",
        "an object": {},
        "bytes": new Uint8Array(4),
        "an iterable of strings": ["[1]"],
        "an iterable of buffers": [new ArrayBuffer(8)],
        "a Readable with an encoding": Readable.from(["[1]"]),
        "a stream of strings": new Response("[1]").body!.pipeThrough(new TextDecoderStream()),
      })
    ) {
      it(`rejects with a TypeError for ${what}`, async () => {
        await assertRejects(async () => await read(source as ByteSource), TypeError, "Cannot read");
      });
    }

    it("rejects with a TypeError for a stream that is locked", async () => {
      const stream = new ReadableStream<Uint8Array>();
      stream.getReader();
      await assertRejects(async () => await read(stream), TypeError);
    });

    for (const value of [NaN, -1, "10", null]) {
      it(`rejects with a TypeError for ${value} as an option`, async () => {
        for (const option of ["maxBytes", "timeSlice", "maxTokenBytes"]) {
          await assertRejects(async () => await read([], { [option]: value }), TypeError, "Cannot");
        }
      });
    }
  });
}

/** Asserts that a function asks for at most two turns of the event loop in each time slice. */
async function assertFewTurns(run: () => Promise<unknown>, timeSlice: number): Promise<void> {
  const { setTimeout } = globalThis;
  let turns = 0;
  globalThis.setTimeout = ((callback: () => void, ...args: number[]) => {
    turns++;
    return setTimeout(callback, ...args);
  }) as typeof setTimeout;
  const start = performance.now();
  try {
    await run();
  } finally {
    globalThis.setTimeout = setTimeout;
  }
  const slices = (performance.now() - start) / timeSlice;
  assert(turns <= 2 * slices + 2, `${turns} turns in ${slices.toFixed(1)} time slices`);
}

/** Returns the bytes that V8 has for this thread. Others run tests, too. */
function memoryOfThread(): number {
  const { heapTotal, external } = Deno.memoryUsage();
  return heapTotal + external;
}

describe("parseStream()", () => {
  it("begins a time slice with a turn of the event loop that came while it waited for its source", async () => {
    const { now } = performance;
    const { setTimeout } = globalThis;
    let time = 1;
    let turns = 0;
    async function* source(): AsyncGenerator<Uint8Array<ArrayBuffer>> {
      for (const text of ["[1", ",2", ",3", "]"]) {
        yield utf8(text + " ".repeat(4096)); // smaller ones would be parsed without a look at the clock
        time += 6; // more than half of the time slice
        await new Promise((resolve) => setTimeout(resolve, 20)); // a turn comes meanwhile
      }
    }
    performance.now = () => time;
    globalThis.setTimeout = ((callback: () => void, ...args: number[]) => {
      turns++;
      return setTimeout(callback, ...args);
    }) as typeof setTimeout;
    try {
      assertEquals(await parseStream(source(), { timeSlice: 10 }), { ok: true, value: [1, 2, 3] });
    } finally {
      performance.now = now;
      globalThis.setTimeout = setTimeout;
    }
    assertEquals(turns, 2, "turns asked for");
  });

  it("gives the result of parseBinary() for sources of every kind", async () => {
    for (const make of Object.values(SOURCES)) {
      for (const bytes of [DOCUMENT, utf8(), utf8("[1,\n2"), utf8("7"), utf8("[1]]"), utf8('["', 0xff, '"]')]) {
        for (const size of [1, 5, 1_000]) {
          const problem = resultDifference(
            await parseStream(make(chunksOf(bytes, size)).source),
            parseBinary(bytes),
          );
          assertEquals(problem, undefined);
        }
      }
    }
  });

  it("gives the result of parseBinary() for random documents", async () => {
    const documents: Uint8Array[] = [];
    withSeeds(100, (random) => {
      const document = utf8(randomDocument(random));
      documents.push(document, corrupt(random, document));
    });
    for (const bytes of documents) {
      const problem = resultDifference(await parseStream(chunksOf(bytes, 17)), parseBinary(bytes));
      assertEquals(problem, undefined);
    }
  });

  it("waits for a turn at each piece with timeSlice: 0, though the clock stands still", async () => {
    const bytes = utf8(`[${" ".repeat(200_000)}1]`);
    const { now } = performance;
    performance.now = () => 1;
    try {
      assertEquals(await parseStream([bytes], { timeSlice: 0 }), { ok: true, value: [1] });
    } finally {
      performance.now = now;
    }
  });

  it("parses chunks of many pieces", async () => {
    const bytes = utf8("[", Array(60_000).fill('{"key":"é","n":[1.5]}').join(), "]");
    const result = await parseStream([bytes.slice()], { timeSlice: 0 });
    assertEquals(resultDifference(result, parseBinary(bytes)), undefined);
  });

  it("stops at the first failure and cancels the source", async () => {
    for (const [kind, make] of Object.entries(SOURCES)) {
      const { source, cancelled } = make(chunksOf(utf8("[1,2,,", " ".repeat(5_000)), 3), "stalls");
      const result = await parseStream(source);
      assertEquals(result, parseBinary(utf8("[1,2,,")), kind);
      assertEquals(cancelled(), true);
    }
  });

  it("parses the body of a response", async () => {
    const result: ParseResult = await parseStream(new Response(DOCUMENT as Uint8Array<ArrayBuffer>).body!);
    assertEquals(result, parseBinary(DOCUMENT));
  });

  it("reads small Buffers of a shared pool and shared memory", async () => {
    const shared = new Uint8Array(new SharedArrayBuffer(5));
    shared.set(utf8(',"c"]'));
    assertEquals(await parseStream([Buffer.from('["a'), Buffer.from('b"'), shared]), { ok: true, value: ["ab", "c"] });
  });

  it("fails at a token of more than maxTokenBytes", async () => {
    const result = await parseStream(chunksOf(utf8(`["${"a".repeat(5_000)}"]`), 100), { maxTokenBytes: 1_000 });
    assertEquals(result.ok ? "" : result.code, "value-too-large");
  });
});

describe("parseValues()", () => {
  it("gives values and failures of lines, from sources of every kind", async () => {
    for (const make of Object.values(SOURCES)) {
      for (const size of [1, 4, 1_000]) {
        assertEquals(summary(await collect(parseValues(make(chunksOf(LINES, size)).source))), LINE_RESULTS);
      }
    }
  });

  it("gives the place of each value, and of each failure", async () => {
    for (const cut of singleCuts(LINES.length)) {
      const results = await collect(parseValues(piecesAt(LINES, cut), { detachChunks: false }));
      assertEquals(results, [
        { ok: true, value: { id: 1 }, index: 0, start: 0, end: 8, line: 1 },
        {
          ok: false,
          code: "unexpected-token",
          message: "Unexpected token '}' in JSON at position 15 (line 2 column 7)",
          offset: 15,
          line: 2,
          column: 7,
          truncated: false,
          index: 1,
          start: 9,
          end: 16,
        },
        { ok: true, value: { id: 3 }, index: 2, start: 18, end: 26, line: 4 },
        {
          ok: false,
          code: "expected-comma-or-bracket",
          message: "Expected ',' or ']' after array element in JSON at position 29 (line 5 column 3)",
          offset: 29,
          line: 5,
          column: 3,
          truncated: true,
          index: 3,
          start: 27,
          end: 29,
        },
      ]);
    }
  });

  it("gives concatenated values", async () => {
    for (const size of [1, 3, 100]) {
      const chunks = chunksOf(utf8('{"a":1}[2]\n"3" 4'), size);
      assertEquals(summary(await collect(parseValues(chunks, { multiple: "concatenated" }))), [{ a: 1 }, [2], "3", 4]);
    }
  });

  it("gives the elements at a pointer", async () => {
    for (const [cut] of Array.from({ length: 30 }, (_, size) => evenCuts(40, size + 1)).map((cuts) => [...cuts])) {
      const source = piecesAt(utf8('{"a":[0],"data":{"items":[1,{"b":[2]},3]}}'), cut);
      const options: ParseValuesOptions = { multiple: "elements", at: "/data/items", detachChunks: false };
      assertEquals(summary(await collect(parseValues(source, options))), [1, { b: [2] }, 3]);
    }
  });

  it("ends with the first failure of elements and cancels the source", async () => {
    const { source, cancelled } = SOURCES["a stream"](chunksOf(utf8("[1,2,,3]"), 4), "stalls");
    const results = await collect(parseValues(source, { multiple: "elements" }));
    assertEquals(summary(results), [1, 2, "unexpected-token"]);
    const { index, start, end, line } = results[2];
    assertEquals({ index, start, end, line }, { index: 2, start: 5, end: 5, line: 1 });
    assertEquals(cancelled(), true);
  });

  it('ends with "expected-array" if there is none', async () => {
    const results = await collect(parseValues([utf8('{"a":{}}')], { multiple: "elements", at: "/a" }));
    assertEquals(summary(results), ["expected-array"]);
  });

  it("reads no chunk while a value waits", async () => {
    let chunks = 0;
    const values = parseValues(function* () {
      for (; chunks < 100; chunks++) yield utf8("1\n2\n3\n");
    }());
    for (let i = 0; i < 9; i++) {
      assertEquals((await values.next()).value?.index, i);
      await settle();
      assertEquals(chunks, Math.floor(i / 3));
    }
    await values.return!();
  });

  it("reads nothing before a value is asked for", async () => {
    let chunks = 0;
    parseValues(function* () {
      for (;; chunks++) yield utf8("1\n");
    }());
    await settle();
    assertEquals(chunks, 0);
  });

  it("answers calls of next() in their order", async () => {
    const values = parseValues<number>(chunksOf(utf8("1\n2\n3\n4\nx\n6\n"), 3));
    const results = await Promise.all(Array.from({ length: 8 }, () => values.next()));
    assertEquals(
      results.map(({ done, value }) => done ? "done" : value.ok ? value.value : value.code),
      [1, 2, 3, 4, "unexpected-token", 6, "done", "done"],
    );
  });

  it("cancels the source at a break and frees the chunk", async () => {
    const chunks = chunksOf(utf8("1\n2\n3\n4\n"), 4);
    const { source, cancelled } = SOURCES["a stream"](chunks, "stalls");
    for await (const value of parseValues(source)) {
      assertEquals(value.index, 0);
      break;
    }
    assertEquals(cancelled(), true);
    assertEquals(chunks[0].length, 0);
  });

  it("cancels the source if the loop throws", async () => {
    const { source, cancelled } = SOURCES["a stream"](chunksOf(utf8("1\n2\n3\n4\n"), 4), "stalls");
    const error = new Error("enough");
    const thrown = await assertRejects(async () => {
      for await (const value of parseValues(source)) if (value.index === 2) throw error;
    });
    assertStrictEquals(thrown, error);
    assertEquals(cancelled(), true);
  });

  it("frees a chunk that arrives after return()", async () => {
    const { promise, resolve } = Promise.withResolvers<IteratorResult<Uint8Array>>();
    const values = parseValues({ [Symbol.asyncIterator]: () => ({ next: () => promise }) });
    const waiting = values.next();
    await settle();
    await values.return!();
    const chunk = Uint8Array.of(0x31, 0x0a);
    resolve({ done: false, value: chunk });
    assertEquals(await waiting, { done: true, value: undefined });
    await settle();
    assertStrictEquals(chunk.length, 0);
  });

  it("frees a chunk if return() comes between two turns", async () => {
    const chunk = utf8("1\n".repeat(100_000));
    const values = parseValues([chunk], { timeSlice: 0 });
    const waiting = values.next();
    // The chunk is taken within the turn, and parsed in the next one.
    for (let i = 0; i < 50; i++) await Promise.resolve();
    await values.return!();
    assertEquals(await waiting, { done: true, value: undefined });
    await settle();
    assertStrictEquals(chunk.length, 0);
  });

  it("rejects with the signal's reason in place of values that wait, after the source has ended too", async () => {
    const controller = new AbortController();
    const values = parseValues([utf8("[1,2}")], { multiple: "elements", signal: controller.signal });
    assertStrictEquals((await values.next()).value!.index, 0);
    controller.abort("enough");
    assertStrictEquals(await values.next().catch((reason: unknown) => reason), "enough");
  });

  it("takes no notice of a signal that is aborted after the last value", async () => {
    const controller = new AbortController();
    const values = parseValues([utf8("1")], { signal: controller.signal });
    assertStrictEquals((await values.next()).value!.index, 0);
    controller.abort("late");
    assertEquals(await values.next(), { done: true, value: undefined });
    assertEquals(await values.return!(), { done: true, value: undefined });
  });

  it("return() ends a next() that waits for a source which stalls", async () => {
    for (const [kind, make] of Object.entries(SOURCES)) {
      if (kind === "an iterable") continue; // it cannot wait
      const { source, cancelled } = make(chunksOf(utf8("1\n[2"), 4), "stalls");
      const values = parseValues(source);
      assertEquals((await values.next()).value?.ok, true);
      const waiting = values.next();
      await settle();
      assertEquals(await values.return!(), { done: true, value: undefined });
      assertEquals(await waiting, { done: true, value: undefined });
      assertEquals(await values.next(), { done: true, value: undefined });
      assertEquals(cancelled(), true, kind);
    }
  });

  it("is disposed by await using", async () => {
    const { source, cancelled } = SOURCES["a stream"](chunksOf(utf8("1\n2\n"), 4), "stalls");
    {
      await using values = parseValues(source);
      await values.next();
      assertEquals(cancelled(), false);
    }
    assertEquals(cancelled(), true);
  });

  it("rejects once, and has then ended", async () => {
    const failure = new Error("no more");
    const { source } = SOURCES["a stream"](chunksOf(utf8("1\n"), 2), failure);
    const values = parseValues(source);
    await values.next();
    const results = await Promise.allSettled([values.next(), values.next()]);
    assertEquals(results, [
      { status: "rejected", reason: failure },
      { status: "fulfilled", value: { done: true, value: undefined } },
    ]);
    assertEquals(await values.next(), { done: true, value: undefined });
  });

  it("an abort cancels the source and drops the values that wait", async () => {
    const { source, cancelled } = SOURCES["a stream"](chunksOf(utf8("1\n2\n3\n4\n"), 8), "stalls");
    const controller = new AbortController();
    const values = parseValues(source, { signal: controller.signal });
    await values.next();
    const reason = new Error("enough");
    controller.abort(reason);
    await settle();
    assertEquals(cancelled(), true);
    assertStrictEquals(await assertRejects(() => values.next()), reason);
    assertEquals(await values.next(), { done: true, value: undefined });
  });

  it("an abort after the last value changes nothing", async () => {
    const controller = new AbortController();
    const values = parseValues([utf8("1\n")], { signal: controller.signal });
    assertEquals(summary(await collect(values)), [1]);
    controller.abort(new Error("too late"));
    assertEquals(await values.next(), { done: true, value: undefined });
  });

  it("rejects no promise that nobody has when the source fails after return()", async () => {
    let fail!: (error: Error) => void;
    const values = parseValues({
      [Symbol.asyncIterator]: () => ({
        next: () => new Promise<never>((_, reject) => fail = reject),
      }),
    });
    const waiting = values.next();
    await settle();
    await values.return!();
    fail(new Error("late"));
    await settle();
    assertEquals(await waiting, { done: true, value: undefined });
    assertEquals(await values.next(), { done: true, value: undefined });
  });

  it("counts lines and offsets from the beginning of a long input", async () => {
    const line = `{"text":"${"x".repeat(90)}"}\n`;
    const count = 3_000;
    const results = await collect(parseValues(chunksOf(utf8(line.repeat(count)), 10_007)));
    assertEquals(results.length, count);
    const last = results[count - 1];
    assertEquals([last.index, last.line, last.end], [count - 1, count, count * line.length - 1]);
  });

  it("parses 200 MB of elements in the memory of some chunks", async () => {
    const row = '{"id":12345678,"name":"a name","tags":["a","b"],"score":12.5},';
    const chunk = utf8(row.repeat(1_000));
    const total = 200_000_000;
    const values = parseValues(
      function* () {
        yield utf8("[");
        for (let size = 0; size < total; size += chunk.length) yield chunk;
        yield utf8("0]");
      }(),
      { multiple: "elements", detachChunks: false },
    );
    let count = 0;
    const before = memoryOfThread();
    for await (const value of values) {
      assert(value.ok);
      count++;
    }
    assertStrictEquals(count, Math.ceil(total / chunk.length) * 1_000 + 1);
    assertLess(memoryOfThread() - before, 150e6);
  });

  it("throws a TypeError for another separation or pointer", () => {
    assertThrows(() => parseValues([], { multiple: "lined" as "lines" }), TypeError);
    assertThrows(() => parseValues([], { multiple: "elements", at: "items" }), TypeError);
  });
});

describe("JsonParseStream", () => {
  it("waits for no more turns than it must, however small the chunks are", async () => {
    const chunks = chunksOf(utf8("1234567\n".repeat(20_000)), 4);
    await assertFewTurns(
      () => collect(ReadableStream.from(chunks).pipeThrough(new JsonParseStream({ timeSlice: 4 }))),
      4,
    );
  });

  it("gives the results of parseValues()", async () => {
    for (const size of [1, 4, 100]) {
      const results = await collect(ReadableStream.from(chunksOf(LINES, size)).pipeThrough(new JsonParseStream()));
      assertEquals(results, await collect(parseValues([LINES.slice()])));
    }
  });

  it("ends with the first failure of elements and cancels the source", async () => {
    const { source, cancelled } = SOURCES["a stream"](chunksOf(utf8("[1,2,,3]"), 3), "stalls");
    const stream = (source as ReadableStream<Uint8Array>).pipeThrough(new JsonParseStream({ multiple: "elements" }));
    assertEquals(summary(await collect(stream)), [1, 2, "unexpected-token"]);
    await settle();
    assertEquals(cancelled(), true);
  });

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

  it("detaches chunks, unless detachChunks is false", async () => {
    for (const detachChunks of [true, false]) {
      const chunks = chunksOf(utf8("1\n2\n"), 2);
      await collect(ReadableStream.from(chunks).pipeThrough(new JsonParseStream({ detachChunks })));
      assertEquals(chunks.map(({ length }) => length), detachChunks ? [0, 0] : [2, 2]);
    }
  });

  it("fails for more than maxBytes, and for chunks that are no bytes", async () => {
    await assertRejects(
      () => collect(ReadableStream.from([utf8("1\n2\n")]).pipeThrough(new JsonParseStream({ maxBytes: 3 }))),
      RangeError,
      "Cannot read more than 3 bytes",
    );
    const strings = ReadableStream.from(["1\n"]) as unknown as ReadableStream<Uint8Array>;
    await assertRejects(() => collect(strings.pipeThrough(new JsonParseStream())), TypeError, "Cannot read a chunk");
  });

  it("lets other tasks run while it parses one large chunk", async () => {
    const chunk = utf8("1234567\n".repeat(300_000));
    let isOver = false;
    const done = collect(ReadableStream.from([chunk]).pipeThrough(new JsonParseStream({ timeSlice: 1 })))
      .then(({ length }) => {
        isOver = true;
        assertEquals(length, 300_000);
      });
    let turns = 0;
    while (!isOver) {
      await new Promise((resolve) => setTimeout(resolve));
      turns++;
    }
    await done;
    assert(turns > 1, `${turns} turns`);
  });
});

describe("parseStream() of a byte stream", () => {
  it("keeps the buffer that it lends, even if the stream fills all of it", async () => {
    let chunks = 0;
    const stream = new ReadableStream({
      type: "bytes",
      autoAllocateChunkSize: 100,
      pull(controller) {
        const request = controller.byobRequest!;
        const { buffer, byteOffset, byteLength } = request.view!;
        // The first chunk is part of a buffer: the parser then lends one.
        const length = chunks === 0 ? 10 : chunks < 4 ? byteLength : 1;
        new Uint8Array(buffer, byteOffset).fill((chunks < 4 ? " " : "7").charCodeAt(0), 0, length);
        if (chunks++ === 5) controller.close();
        request.respond(chunks > 5 ? 0 : length);
      },
    });
    assertEquals(await parseStream(stream), { ok: true, value: 7 });
    assertStrictEquals(chunks, 6);
  });
});

describe("turns of the event loop in other engines", () => {
  /** Turns of the event loop that were requested. */
  let turns = 0;
  const [realImmediate, realTimeout] = [setImmediate, setTimeout];
  class CountedChannel extends MessageChannel {
    constructor() {
      super();
      turns++;
    }
  }
  const countedImmediate = (callback: () => void): unknown => {
    turns++;
    return realImmediate(callback);
  };
  const countedTimeout = (callback: () => void): unknown => {
    turns++;
    return realTimeout(callback);
  };
  const engines: { name: string; means: string; globals: Record<string, unknown> }[] = [
    { name: "Node.js", means: "setImmediate", globals: { Deno: undefined, setImmediate: countedImmediate } },
    {
      name: "a browser",
      means: "MessageChannel",
      globals: { Deno: undefined, setImmediate: undefined, MessageChannel: CountedChannel },
    },
    {
      name: "a shell",
      means: "setTimeout",
      globals: {
        Deno: undefined,
        setImmediate: undefined,
        MessageChannel: undefined,
        setTimeout: countedTimeout,
      },
    },
  ];
  for (const { name, means, globals } of engines) {
    it(`are asked for by ${means}, as in ${name}`, async () => {
      turns = 0;
      const chunk = utf8(`[${"1,".repeat(500_000)}1]`);
      const result = await withGlobals(globals, () => parseStream([chunk], { timeSlice: 0 }));
      assert(result.ok);
      assert(turns >= 10, `${turns} turns`);
    });
  }
});

describe("parseStream() of a signal that is aborted", () => {
  it("does not begin to read", async () => {
    let reads = 0;
    const source = { [Symbol.iterator]: () => ({ next: () => ({ done: true as const, value: ++reads }) }) };
    const signal = AbortSignal.abort(new Error("aborted"));
    await assertRejects(() => parseStream(source as unknown as ByteSource, { signal }), Error, "aborted");
    assertEquals(reads, 0);
  });
});

describe("the iterator of parseValues()", () => {
  const END = { done: true as const, value: undefined };

  it("has no values of a chunk that comes after return()", async () => {
    let give!: (result: IteratorResult<Uint8Array>) => void;
    const source = {
      [Symbol.asyncIterator]: () => ({
        next: () => new Promise<IteratorResult<Uint8Array>>((resolve) => give = resolve),
      }),
    };
    const values = parseValues(source as unknown as ByteSource);
    const first = values.next();
    await settle();
    await values.return!();
    give({ done: false, value: utf8("1\n2\n") });
    assertEquals(await first, END);
    await settle();
    assertEquals(await values.next(), END);
  });

  it("ends as it would have if the signal is aborted after the last value", async () => {
    const controller = new AbortController();
    const values = parseValues([utf8("1")], { signal: controller.signal });
    assertEquals((await values.next()).done, false);
    controller.abort();
    assertEquals(await values.next(), END);
  });

  it("rejects if the signal is aborted while a failure waits", async () => {
    const controller = new AbortController();
    const values = parseValues([utf8("[1,x]")], { multiple: "elements", signal: controller.signal });
    assertEquals(summary([(await values.next()).value!]), [1]);
    controller.abort(new Error("aborted"));
    await assertRejects(() => values.next(), Error, "aborted");
    assertEquals(await values.next(), END);
  });

  it("removes the listener that it has added to the signal", async () => {
    const { signal } = new AbortController();
    const listeners = new Map<unknown, string>();
    signal.addEventListener = (type: string, listener: unknown) => void listeners.set(listener, type);
    signal.removeEventListener = (type: string, listener: unknown) => {
      if (listeners.get(listener) === type) listeners.delete(listener);
    };
    await collect(parseValues([utf8("1")], { signal }));
    assertEquals(listeners.size, 0);
  });
});

describe("errors of parseStream()", () => {
  const failures: [options: ParseStreamOptions, message: string][] = [
    [{ maxBytes: -1 }, "Cannot use maxBytes: -1: expected a number from 0 up"],
    [{ timeSlice: -1 }, "Cannot parse for -1 milliseconds at a time: expected a number from 0 up"],
    [{ timeSlice: NaN }, "Cannot parse for NaN milliseconds at a time: expected a number from 0 up"],
    [{ timeSlice: "1" as unknown as number }, "Cannot parse for 1 milliseconds at a time: expected a number from 0 up"],
  ];
  for (const [options, expected] of failures) {
    it(`are: ${expected}`, async () => {
      const { message } = await assertRejects(() => parseStream([], options), TypeError);
      assertEquals(message, expected);
    });
  }

  it("say that a chunk has changed", async () => {
    const chunk = new Uint8Array(new ArrayBuffer(200_000, { maxByteLength: 200_000 })).fill(0x20);
    const parsed = parseStream([chunk], { timeSlice: 0 });
    setTimeout(() => chunk.buffer.resize(100_000), 0);
    const { message } = await assertRejects(() => parsed, TypeError);
    assertEquals(message, "Cannot parse the rest of a chunk: its buffer was detached or resized");
  });
});

describe("parseValues() of a chunk that was detached", () => {
  it("gives a failure after the values before it", async () => {
    const detached = utf8("2\n");
    structuredClone(detached, { transfer: [detached.buffer as ArrayBuffer] });
    const results = await collect(parseValues([utf8("1\nx\n"), detached]));
    assertEquals(summary(results), [1, "unexpected-token", "detached-buffer"]);
    assertEquals(results.map(({ index }) => index), [0, 1, 2]);
    assertEquals((await collect(parseValues([detached]))).map(({ index }) => index), [0]);
  });
});

describe("JsonParseStream that gives up", () => {
  const cases: [name: string, options: ParseValuesOptions][] = [
    ["a failure among elements", { multiple: "elements" }],
    ["too many bytes", { maxBytes: 3 }],
  ];
  for (const [name, options] of cases) {
    it(`frees the chunk that it was reading, after ${name}`, async () => {
      const chunk = utf8("[1,x");
      const { readable, writable } = new JsonParseStream(options);
      const reading = collect(readable).catch(() => {});
      await writable.getWriter().write(chunk).catch(() => {});
      await reading;
      assertEquals(chunk.length, 0);
    });
  }
});

describe("the source of parseValues()", () => {
  for (
    const { name, chunkCount, expected } of [
      { name: "has ended", chunkCount: 1, expected: 0 },
      { name: "has not ended", chunkCount: 3, expected: 1 },
    ] as const
  ) {
    it(`is cancelled ${expected === 1 ? "once" : "never"} if it ${name}`, async () => {
      let made = 0;
      let cancelled = 0;
      const iterator = {
        next: () => made < chunkCount ? { done: false, value: utf8(`${made++}\n`) } : { done: true, value: undefined },
        return: () => ({ done: true, value: ++cancelled }),
      };
      const values = parseValues({ [Symbol.iterator]: () => iterator } as unknown as ByteSource);
      for (let i = 0; i < 2; i++) await values.next();
      for (let i = 0; i < 2; i++) await values.return!();
      await settle();
      assertEquals(cancelled, expected);
    });
  }
});
