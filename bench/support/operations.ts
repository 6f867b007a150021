/**
 * Operations, and other ways to do the same: queues, slices and pools, and operations for which the
 * proposals behind bytejson publish figures. Runs in any runtime.
 */

import { Buffer } from "node:buffer";
import { ChunkQueue } from "../../chunk_queue.ts";
import { detach } from "../../detach.ts";
import { PoolAllocator } from "../../pool_allocator.ts";
import { Slice } from "../../slice.ts";
import { generate, payload } from "./documents.ts";
import { consumed } from "./bench_lanes.ts";
import { Random } from "./random.ts";

/** Number of operations in one run of a loop. */
const LOOPS = 1000;
/** Live buffers under pressure on the garbage collector: enough to outlive the young generation. */
const LIVE = 4096;
/** Other live objects, which the collector has to trace. */
const BALLAST = 1e6;

type Ways = Record<string, () => unknown>;

export interface Operation {
  name: string;
  /** Operations of one run. */
  runs: number;
  /** Creates functions that run the operation, by the name of the way. */
  ways(): Ways;
}

/** Published ratio: the time of one way of an operation over that of the base. */
export type Claim = [claim: string, operation: string, way: string, base: string, published: number];

let loops = 0;

/**
 * Creates a function that runs statements {@linkcode LOOPS} times, for `i` from 0 up.
 *
 * Engines share type feedback between functions of one source text. Each function therefore has its
 * own source, so that no way pays for types that another one has seen.
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
  byteLength = 0;

  push(value: Uint8Array): void {
    const size = value.length;
    this.#entries.push({ value, size });
    this.byteLength += size;
  }

  shift(): Uint8Array | undefined {
    const entry = this.#entries.shift();
    if (entry === undefined) return undefined;
    this.byteLength -= entry.size;
    return entry.value;
  }
}

const WRAPPERS = "array of wrappers";
const QUEUE = "ChunkQueue";
const chunk = new Uint8Array(1024);

/** Pushes one chunk and shifts one, with `buffered` others in the queue. */
function flowing(buffered: number): Operation {
  const way = (queue: WrappedQueue | ChunkQueue): () => void => {
    for (let i = 1; i < buffered; i++) queue.push(chunk);
    return loop("queue.push(chunk); consumed.value = queue.shift();", { queue, chunk });
  };
  const name = `a chunk through a queue of ${buffered}`;
  return { name, runs: LOOPS, ways: () => ({ [WRAPPERS]: way(new WrappedQueue()), [QUEUE]: way(new ChunkQueue()) }) };
}

const pool = new PoolAllocator(64 * 2 ** 20);
const UNSAFE = "Buffer.allocUnsafe";
const POOL = "PoolAllocator";

/** Allocates with statements for a slice of the pool. */
function allocating(name: string, sizes: number[], statements: string): Operation {
  const unsafe = sizes.map((size) => `consumed.value = Buffer.allocUnsafe(${size});`).join(" ");
  const ways = (): Ways => ({
    [UNSAFE]: loop(unsafe, { Buffer }),
    [POOL]: loop(statements, { pool, slice: pool.realloc(sizes.at(-1)!) }),
  });
  return { name, runs: LOOPS, ways };
}

let ballast: object[] | undefined;

/** Allocates with many buffers alive, in a heap with much to trace, which stays alive. */
function pressed(name: string, [unsafe, pooled]: [unsafe: string, pooled: string], slices: number): Operation {
  const ways = (): Ways => {
    ballast ??= Array.from({ length: BALLAST }, (_, i) => ({ i }));
    const list = Array.from({ length: slices }, () => pool.realloc(4096));
    return {
      [UNSAFE]: loop(unsafe, { Buffer, alive: new Array(LIVE).fill(undefined), state: { at: 0 } }),
      [POOL]: loop(pooled, { pool, alive: list, state: { at: 0 } }),
    };
  };
  return { name, runs: LOOPS, ways };
}

const TEN = "for (let place = 0; place < 10; place++)";
const NEXT = `const at = state.at = state.at + 1 & ${LIVE - 1};`;

/** Runs functions once each; a failure is a result, too. */
function attempting(ways: Ways): Ways {
  const attempt = (run: () => unknown) => (): unknown => {
    try {
      return run();
    } catch (error) {
      return error;
    }
  };
  return Object.fromEntries(Object.entries(ways).map(([way, run]) => [way, attempt(run)]));
}

const decoder = new TextDecoder();
const encoder = new TextEncoder();
const SYMBOLS = 2 ** 20;
const COLLECTED = "left to the collector";

/** Makes a buffer of zeros, every page written to, and frees it or not. */
function freeing(name: string, bytes: number, runs: number): Operation {
  const way = (free: (buffer: ArrayBuffer) => void) => (): void => {
    for (let i = 0; i < runs; i++) {
      const buffer = new Uint8Array(bytes).fill(i).buffer;
      consumed.value = buffer;
      free(buffer);
    }
  };
  return { name, runs, ways: () => ({ [COLLECTED]: way(() => {}), "detach": way(detach) }) };
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
  pressed("ten of 64 B, with a million objects alive", [
    `${TEN} alive[place] = Buffer.allocUnsafe(64); ${TEN} alive[place] = undefined;`,
    `${TEN} pool.realloc(alive[place], 64); ${TEN} pool.realloc(alive[place], 0);`,
  ], 10),
];

export const OPERATIONS: Operation[] = [
  {
    name: "a failure",
    runs: LOOPS,
    ways() {
      const scope = { message: "Unexpected token" };
      return {
        "object": loop("consumed.value = { ok: false, message };", scope),
        "new SyntaxError": loop("consumed.value = new SyntaxError(message);", scope),
        "throw": loop("try { throw new SyntaxError(message); } catch (error) { consumed.value = error; }", scope),
      };
    },
  },
  {
    name: "decoding a million symbols",
    runs: 1,
    ways() {
      const texts = ["A".repeat(SYMBOLS), `${"A".repeat(SYMBOLS)}👎🏿`, "👎🏿".repeat(SYMBOLS)];
      const [ascii, mixed, wide] = texts.map((text) => encoder.encode(text)).map((bytes) => () =>
        decoder.decode(bytes)
      );
      return { "ASCII": ascii, "ASCII and one emoji": mixed, "4 bytes": wide };
    },
  },
  {
    name: "a payload of 512 B",
    runs: 1,
    ways() {
      const text = decoder.decode(payload(512, new Random(1)));
      return attempting({ "valid": () => JSON.parse(text), "bad at its start": () => JSON.parse(`x${text.slice(1)}`) });
    },
  },
  {
    name: "a payload of 4 MB",
    runs: 1,
    ways() {
      const bytes = generate("records", 4 * 2 ** 20);
      const text = decoder.decode(bytes);
      return attempting({
        "text": () => JSON.parse(text),
        "bytes": () => JSON.parse(decoder.decode(bytes)),
        "bad at its end": () => JSON.parse(`${text.slice(0, -1)}x`),
      });
    },
  },
  freeing("buffers of 1 KiB", 1024, LOOPS),
  freeing("buffers of 100 MiB", 100 * 2 ** 20, 1),
  allocating("allocate 4096 B, slice kept", [4096], "consumed.value = pool.realloc(slice, 4096);"),
  ...ALLOCATION,
  pressed("allocate 4096 B, 4096 alive", [
    `${NEXT} alive[at] = Buffer.allocUnsafe(4096);`,
    `${NEXT} pool.realloc(alive[at], 4096);`,
  ], LIVE),
];

// deno-fmt-ignore
/** Claims of the proposals, with the ratios that they publish. */
export const CLAIMS: Claim[] = [
  ["an error costs hundreds of times what an object costs", "a failure", "new SyntaxError", "object", 596],
  ["throwing one costs more", "a failure", "throw", "object", 755],
  ["one emoji makes decoding slower", "decoding a million symbols", "ASCII and one emoji", "ASCII", 1.62],
  ["symbols of 4 bytes take 79 times the time", "decoding a million symbols", "4 bytes", "ASCII", 78.59],
  ["a small payload that is bad at its start costs 2.5 times a valid one", "a payload of 512 B", "bad at its start", "valid", 2.55],
  ["decoding adds 16 % to 4 MB", "a payload of 4 MB", "bytes", "text", 1.16],
  ["a bad end adds 16 % to 4 MB", "a payload of 4 MB", "bad at its end", "text", 1.16],
  ["detaching buffers of 1 KiB makes a program 2.9 times as fast", "buffers of 1 KiB", COLLECTED, "detach", 2.92],
  ["detaching buffers of 100 MiB makes it 2.2 times as fast", "buffers of 100 MiB", COLLECTED, "detach", 2.18],
  ["a pool allocates 4 KiB 72 times as fast as `Buffer.allocUnsafe`", "allocate 4096 B, slice kept", UNSAFE, POOL, 71.56],
  ["with much alive, 103 times as fast", "allocate 4096 B, 4096 alive", UNSAFE, POOL, 103],
  ["a ring buffer speeds up streams by 12 to 49 %: the queue alone", "a chunk through a queue of 1", WRAPPERS, QUEUE, 1.15],
];
