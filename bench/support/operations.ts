/**
 * Operations beside other ways to do the same: queues, slices and pools, and those of which the
 * proposals that bytejson grew from publish figures. Runs in any runtime.
 *
 * @module
 */

import { Buffer } from "node:buffer";
import { ChunkQueue } from "../../chunk_queue.ts";
import { detach } from "../../detach.ts";
import { PoolAllocator } from "../../pool_allocator.ts";
import { Slice } from "../../slice.ts";
import { generate, payload } from "./documents.ts";
import { consumed } from "./lane.ts";
import { Random } from "./random.ts";

/** Number of operations in one run of a loop. */
const LOOPS = 1000;
/** Live buffers under pressure on the garbage collector: enough to outlive the young generation. */
const LIVE = 4096;
/** Other live objects, which the collector has to trace. */
const BALLAST = 1e6;

/** Operation by two ways or more. */
export interface Operation {
  name: string;
  /** Operations of one run. */
  runs: number;
  /** Creates functions that run the operation, by the name of the way. */
  ways(): Record<string, () => unknown>;
}

/** Published ratio: the time of one way of an operation over that of the base. */
export type Claim = [claim: string, operation: string, way: string, base: string, published: number];

let loops = 0;

/**
 * Creates a function that runs statements {@linkcode LOOPS} times, for `i` from 0 up.
 *
 * Engines share type feedback between functions of one source text. Each function therefore has a
 * source of its own, so that no way pays for the types that another one was run with.
 *
 * @param statements Code to measure; it leaves results in `consumed.value`.
 * @param scope Variables of the statements.
 */
export function loop(statements: string, scope: Record<string, unknown>): () => void {
  const body = `/* ${loops++} */ return () => { for (let i = 0; i < ${LOOPS}; i++) { ${statements} } };`;
  return new Function("consumed", ...Object.keys(scope), body)(consumed, ...Object.values(scope));
}

/** Queue of WHATWG streams, as the standard specifies it. */
class WrappedQueue {
  readonly #entries: { value: Uint8Array; size: number }[] = [];
  /** Bytes in the queue. */
  byteLength = 0;

  /** Adds a chunk. */
  push(value: Uint8Array): void {
    const size = value.length;
    this.#entries.push({ value, size });
    this.byteLength += size;
  }

  /** Removes the first chunk. */
  shift(): Uint8Array | undefined {
    const entry = this.#entries.shift();
    if (entry === undefined) return undefined;
    this.byteLength -= entry.size;
    return entry.value;
  }
}

const WRAPPERS = "array of wrappers";
const QUEUE = "ChunkQueue";
const CHUNK = new Uint8Array(1024);

/** Pushes one chunk and shifts one, with some in the queue. */
function flowing(buffered: number): Operation {
  const way = (queue: WrappedQueue | ChunkQueue): () => void => {
    for (let i = 1; i < buffered; i++) queue.push(CHUNK);
    return loop("queue.push(chunk); consumed.value = queue.shift();", { queue, chunk: CHUNK });
  };
  const name = `a chunk through a queue of ${buffered}`;
  return { name, runs: LOOPS, ways: () => ({ [WRAPPERS]: way(new WrappedQueue()), [QUEUE]: way(new ChunkQueue()) }) };
}

const pool = new PoolAllocator(64 * 2 ** 20);
const UNSAFE = "Buffer.allocUnsafe";
const POOL = "PoolAllocator";

/** Allocates by statements for a slice of the pool. */
function allocating(name: string, sizes: number[], statements: string): Operation {
  const unsafe = sizes.map((size) => `consumed.value = Buffer.allocUnsafe(${size});`).join(" ");
  return {
    name,
    runs: LOOPS,
    ways: () => ({
      [UNSAFE]: loop(unsafe, { Buffer }),
      [POOL]: loop(statements, { pool, slice: pool.realloc(sizes.at(-1)!) }),
    }),
  };
}

let ballast: object[] | undefined;

/** Allocates with many buffers alive, in a heap with much to trace. Once measured, its ballast stays. */
function pressed(name: string, before: string, statements: [unsafe: string, pool: string], slices: number): Operation {
  return {
    name,
    runs: LOOPS,
    ways() {
      ballast ??= Array.from({ length: BALLAST }, (_, i) => ({ i }));
      const alive = new Array(LIVE).fill(undefined);
      const list = Array.from({ length: slices }, () => pool.realloc(4096));
      const state = { at: 0 };
      return {
        [UNSAFE]: loop(`${before} ${statements[0]}`, { Buffer, alive, state }),
        [POOL]: loop(`${before} ${statements[1]}`, { pool, alive: list, state }),
      };
    },
  };
}

const TEN = "for (let place = 0; place < 10; place++)";

/** Parses text, decoded first or not; a failure is a result, too. */
function parsing(name: string, inputs: Record<string, () => unknown>): Operation {
  const attempt = (parse: () => unknown) => (): unknown => {
    try {
      return parse();
    } catch (error) {
      return error;
    }
  };
  const ways = Object.entries(inputs).map(([way, parse]) => [way, attempt(parse)]);
  return { name, runs: 1, ways: () => Object.fromEntries(ways) };
}

const decoder = new TextDecoder();
const encoder = new TextEncoder();
const SYMBOLS = 2 ** 20;

function decoding(texts: Record<string, string>): Operation {
  return {
    name: "decoding a million symbols",
    runs: 1,
    ways: () =>
      Object.fromEntries(
        Object.entries(texts).map(([way, text]) => {
          const bytes = encoder.encode(text);
          return [way, () => decoder.decode(bytes)];
        }),
      ),
  };
}

/** Makes a buffer of zeros, every page written to, and frees it or not. */
function freeing(name: string, bytes: number, runs: number): Operation {
  const way = (free: (buffer: ArrayBuffer) => void) => (): void => {
    for (let i = 0; i < runs; i++) {
      const buffer = new Uint8Array(bytes).fill(i).buffer;
      consumed.value = buffer;
      free(buffer);
    }
  };
  return { name, runs, ways: () => ({ "left to the collector": way(() => {}), "detach": way(detach) }) };
}

const SMALL = decoder.decode(payload(512, new Random(1)));
const ERROR_SCOPE = { message: "Unexpected token" };

/** Creates the parses of 4 MB. The document is made when it is asked for. */
function largeParsing(): Operation {
  const name = "a payload of 4 MB";
  return {
    name,
    runs: 1,
    ways() {
      const bytes = generate("records", 4 * 2 ** 20);
      const text = decoder.decode(bytes);
      return parsing(name, {
        "text": () => JSON.parse(text),
        "bytes": () => JSON.parse(decoder.decode(bytes)),
        "bad at its end": () => JSON.parse(`${text.slice(0, -1)}x`),
      }).ways();
    },
  };
}

/** Operations of allocation, which docs/memory.md shows. */
export const ALLOCATION: Operation[] = [
  flowing(1),
  flowing(100),
  flowing(1000),
  {
    name: "a slice of 64 B",
    runs: LOOPS,
    ways() {
      const bytes = new Uint8Array(64 * 1024);
      return {
        "Uint8Array.subarray": loop("consumed.value = bytes.subarray(i, i + 64);", { bytes }),
        "new Slice": loop("consumed.value = new Slice(bytes, i, 64);", { Slice, bytes }),
      };
    },
  },
  ...[64, 4096].map((size) => {
    const statements = `consumed.value = pool.realloc(slice, ${size}); pool.realloc(slice, 0);`;
    return allocating(`allocate ${size} B and free`, [size], statements);
  }),
  allocating(
    "resize 64 → 128 → 64 B",
    [64, 128, 64],
    [64, 128, 64].map((size) => `consumed.value = pool.realloc(slice, ${size});`).join(" "),
  ),
  pressed("ten of 64 B, with a million objects alive", "", [
    `${TEN} alive[place] = Buffer.allocUnsafe(64); ${TEN} alive[place] = undefined;`,
    `${TEN} pool.realloc(alive[place], 64); ${TEN} pool.realloc(alive[place], 0);`,
  ], 10),
];

/** All operations. */
export const OPERATIONS: Operation[] = [
  {
    name: "a failure",
    runs: LOOPS,
    ways: () => ({
      "object": loop("consumed.value = { ok: false, message };", ERROR_SCOPE),
      "new SyntaxError": loop("consumed.value = new SyntaxError(message);", ERROR_SCOPE),
      "throw": loop(
        "try { throw new SyntaxError(message); } catch (error) { consumed.value = error; }",
        ERROR_SCOPE,
      ),
    }),
  },
  decoding({
    "ASCII": "A".repeat(SYMBOLS),
    "ASCII and one emoji": `${"A".repeat(SYMBOLS)}👎🏿`,
    "4 bytes": "👎🏿".repeat(SYMBOLS),
  }),
  parsing("a payload of 512 B", {
    "valid": () => JSON.parse(SMALL),
    "bad at its start": () => JSON.parse(`x${SMALL.slice(1)}`),
  }),
  largeParsing(),
  freeing("buffers of 1 KiB", 1024, LOOPS),
  freeing("buffers of 100 MiB", 100 * 2 ** 20, 1),
  allocating("allocate 4096 B, slice kept", [4096], "consumed.value = pool.realloc(slice, 4096);"),
  ...ALLOCATION,
  pressed("allocate 4096 B, 4096 alive", `const at = state.at = state.at + 1 & ${LIVE - 1};`, [
    "alive[at] = Buffer.allocUnsafe(4096);",
    "pool.realloc(alive[at], 4096);",
  ], LIVE),
];

/** Claims of the proposals, with the ratios that they publish. */
export const CLAIMS: Claim[] = [
  ["an error costs hundreds of times what an object costs", "a failure", "new SyntaxError", "object", 596],
  ["throwing one costs more", "a failure", "throw", "object", 755],
  ["one emoji makes decoding slower", "decoding a million symbols", "ASCII and one emoji", "ASCII", 1.62],
  ["symbols of 4 bytes take 79 times the time", "decoding a million symbols", "4 bytes", "ASCII", 78.59],
  [
    "a small payload that is bad at its start costs 2.5 times a valid one",
    "a payload of 512 B",
    "bad at its start",
    "valid",
    2.55,
  ],
  ["decoding adds 16 % to 4 MB", "a payload of 4 MB", "bytes", "text", 1.16],
  ["a bad end adds 16 % to 4 MB", "a payload of 4 MB", "bad at its end", "text", 1.16],
  [
    "detaching buffers of 1 KiB makes a program 2.9 times as fast",
    "buffers of 1 KiB",
    "left to the collector",
    "detach",
    2.92,
  ],
  [
    "detaching buffers of 100 MiB makes it 2.2 times as fast",
    "buffers of 100 MiB",
    "left to the collector",
    "detach",
    2.18,
  ],
  [
    "a pool allocates 4 KiB 72 times as fast as `Buffer.allocUnsafe`",
    "allocate 4096 B, slice kept",
    UNSAFE,
    POOL,
    71.56,
  ],
  ["with much alive, 103 times as fast", "allocate 4096 B, 4096 alive", UNSAFE, POOL, 103],
  [
    "a ring buffer speeds up streams by 12 to 49 %: the queue alone",
    "a chunk through a queue of 1",
    WRAPPERS,
    QUEUE,
    1.15,
  ],
];
