import { assert, assertEquals, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { ChunkQueue } from "../../chunk_queue.ts";
import { Random } from "../../bench/support/random.ts";

/** Chunk number `index`, told from others by its bytes. */
function chunkOf(index: number, length = index % 7 + 1): Uint8Array {
  return new Uint8Array(length).fill(index);
}

describe("ChunkQueue", () => {
  it("peek() and shift() return the chunks themselves, or the rest of one that was read in part", () => {
    const queue = new ChunkQueue();
    const chunk = new Uint8Array([1, 2, 3, 4]);
    queue.push(chunk);
    assert(queue.peek() === chunk);
    assertEquals([queue.skip(1), queue.length, queue.byteLength, queue.peek()], [1, 1, 3, chunk.subarray(1)]);
    assertEquals(queue.read(new Uint8Array(1)), 1);
    const rest = queue.shift()!;
    assertEquals([rest, rest.buffer === chunk.buffer], [chunk.subarray(2), true]);
    queue.push(chunk);
    assert(queue.shift() === chunk);
    for (let index = 0; index < 2_000; index++) queue.push(chunkOf(index));
    for (let index = 0; index < 2_000; index++) assertEquals(queue.shift(), chunkOf(index));
    assertEquals([queue.length, queue.byteLength, queue.shift()], [0, 0, undefined]);
  });

  const LOSSES: [name: string, lose: (buffer: ArrayBuffer) => void][] = [
    ["detached", (buffer) => structuredClone(buffer, { transfer: [buffer] })],
    ["shrunk", (buffer) => buffer.resize(2)],
  ];
  for (const [name, lose] of LOSSES) {
    it(`throws for a chunk that was ${name} while it was queued`, () => {
      const queue = new ChunkQueue();
      const chunk = new Uint8Array(new ArrayBuffer(5, { maxByteLength: 5 }));
      for (const each of [chunkOf(1, 3), chunk, chunkOf(3, 4)]) queue.push(each);
      lose(chunk.buffer);
      const target = new Uint8Array(12);
      assertThrows(() => queue.read(target), TypeError, "it was detached or resized while it was queued");
      assertEquals(target.subarray(0, 3), chunkOf(1, 3));
      for (const call of [() => queue.peek(), () => queue.shift()]) {
        const { message } = assertThrows(call, TypeError);
        assertEquals(message, "Cannot read this chunk: it was detached or resized while it was queued");
      }
      assertEquals([queue.length, queue.byteLength], [2, 9]);
      assertEquals(queue.skip(5), 5);
      assertEquals(queue.shift(), chunkOf(3, 4));
      assertEquals([queue.length, queue.byteLength], [0, 0]);
    });
  }

  it("skip() throws a RangeError for what is not a length", () => {
    for (const byteLength of [-1, 0.5, NaN, Infinity]) {
      const { message } = assertThrows(() => new ChunkQueue().skip(byteLength), RangeError);
      assertEquals(message, `Cannot skip ${byteLength} bytes: expected a non-negative integer`);
    }
  });

  it("agrees with an array of bytes, whatever is done in whatever order", () => {
    for (let seed = 0; seed < 20; seed++) {
      const random = new Random(seed);
      const queue = new ChunkQueue();
      const bytes: number[] = [];
      for (let step = 0; step < 2000; step++) {
        const pushing = step % 1000 < 500 ? 0.7 : 0.3;
        const action = random.next() < pushing ? "push" : random.pick(["shift", "peek", "read", "skip", "clear"]);
        if (action === "push") {
          const chunk = chunkOf(step, random.integer(0, 9));
          queue.push(chunk);
          bytes.push(...chunk);
        } else if (action === "shift") {
          const chunk = queue.shift();
          assertEquals([...chunk ?? []], bytes.splice(0, chunk?.length ?? 0));
        } else if (action === "peek") {
          const chunk = queue.peek();
          assertEquals([...chunk ?? []], bytes.slice(0, chunk?.length ?? 0));
          assertEquals(chunk === undefined, bytes.length === 0);
        } else if (action === "read") {
          const target = new Uint8Array(random.integer(0, 20));
          const count = queue.read(target);
          assertEquals(count, Math.min(target.length, bytes.length));
          assertEquals([...target.subarray(0, count)], bytes.splice(0, count));
        } else if (action === "skip") {
          const count = random.integer(0, 20);
          assertEquals(queue.skip(count), bytes.splice(0, count).length);
        } else if (random.once(20)) {
          queue.clear();
          bytes.length = 0;
        }
        assertEquals(queue.byteLength, bytes.length);
        assertEquals(queue.length === 0, bytes.length === 0);
      }
    }
  });

  it("drops its chunks when it is disposed, without detaching them", () => {
    const queue = new ChunkQueue();
    const chunk = chunkOf(1, 3);
    {
      using disposed = queue;
      disposed.push(chunk);
    }
    assertEquals([queue.length, queue.byteLength, chunk.length], [0, 0, 3]);
  });
});
