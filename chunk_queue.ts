/**
 * Queue of chunks of bytes, first in, first out: {@linkcode ChunkQueue}.
 *
 * @module
 */

import { isLikelyByteArray } from "./parser/engine/input.ts";

/** Slot of a queue. A chunk takes two instead of an object: itself, and its bytes left. */
type Slot = Uint8Array | number | null;

/** Slots of an empty queue. Never written to: pushing grows them first. */
const NO_SLOTS: Slot[] = [];

/** Minimum slots of a ring buffer: see {@linkcode newSlots}. */
const MIN_SLOTS = 8;

/** Maximum slots that a drained queue keeps for reuse: see bench/support/operations.ts. */
const KEPT_SLOTS = 2048;

/** A ring buffer is halved after a full turn with less than one in this many slots in use. */
const SPARSE = 8;

/**
 * Queue of chunks in a ring buffer that grows and shrinks by powers of two.
 *
 * Pushing and shifting move no other chunk, and allocate only when the ring buffer is resized. A
 * new or cleared queue has no storage; a drained one keeps storage for at most 1,024 chunks.
 *
 * Chunks are kept by reference: do not change or detach them while they are queued. A chunk that
 * was detached cannot be read, only skipped.
 *
 * @example
 * ```ts
 * import { ChunkQueue } from "@bytejson/bytejson/chunk-queue";
 * import { assertEquals } from "@std/assert";
 *
 * const queue = new ChunkQueue();
 * queue.push(new Uint8Array([1, 2, 3]));
 * queue.push(new Uint8Array([4, 5]));
 *
 * const target = new Uint8Array(4);
 * assertEquals(queue.read(target), 4);
 * assertEquals(target, new Uint8Array([1, 2, 3, 4]));
 * assertEquals([queue.length, queue.byteLength], [1, 1]);
 * assertEquals(queue.shift(), new Uint8Array([5]));
 * ```
 */
export class ChunkQueue {
  #slots = NO_SLOTS;
  #head = 0;
  #tail = 0;
  #length = 0;
  #byteLength = 0;
  /** Chunks dropped since the ring buffer was last well filled. */
  #sparseDrops = 0;

  /** Number of chunks queued, including a partly read one. */
  get length(): number {
    return this.#length;
  }

  /** Number of bytes queued. */
  get byteLength(): number {
    return this.#byteLength;
  }

  /**
   * Adds a chunk at the end.
   *
   * @param chunk The chunk, which is not copied. An empty one is not queued.
   * @throws {TypeError} If `chunk` is not a `Uint8Array`. The queue stays as it was.
   */
  push(chunk: Uint8Array): void {
    if (!isLikelyByteArray(chunk)) throw new TypeError("Cannot queue this chunk: expected a Uint8Array");
    const size = chunk.length;
    if (size === 0) return;
    if (this.#length * 2 === this.#slots.length) this.#resize(Math.max(MIN_SLOTS, this.#slots.length * 2));
    const slots = this.#slots;
    const tail = this.#tail;
    slots[tail] = chunk;
    slots[tail + 1] = size;
    this.#tail = (tail + 2) & (slots.length - 1);
    this.#length++;
    this.#byteLength += size;
  }

  /**
   * Returns the first chunk without removing it.
   *
   * @returns The chunk itself, or a view of the rest of one that was read in part; `undefined` if
   * the queue is empty.
   * @throws {TypeError} If the chunk was detached or shrunk while it was queued.
   */
  peek(): Uint8Array | undefined {
    if (this.#length === 0) return undefined;
    const chunk = this.#slots[this.#head] as Uint8Array;
    const left = this.#slots[this.#head + 1] as number;
    const done = chunk.length - left;
    if (done === 0) return chunk;
    if (done < 0) throw new TypeError("Cannot read this chunk: it was detached or resized while it was queued");
    return chunk.subarray(done);
  }

  /**
   * Removes the first chunk from the queue and returns it.
   *
   * @returns The chunk itself, or a view of the rest of one that was read in part; `undefined` if
   * the queue is empty.
   * @throws {TypeError} If the chunk was detached or shrunk while it was queued.
   */
  shift(): Uint8Array | undefined {
    const chunk = this.peek();
    if (chunk !== undefined) this.#drop(chunk.length);
    return chunk;
  }

  /**
   * Moves bytes from the front of the queue, across chunks, into an array.
   *
   * @param target Array to fill from its first byte on.
   * @returns The number of bytes moved: the length of `target`, or less if fewer were queued.
   * @throws {TypeError} If a chunk was detached or shrunk while it was queued. The bytes before it
   * have been moved.
   */
  read(target: Uint8Array): number {
    let done = 0;
    while (done < target.length && this.#length > 0) {
      const chunk = this.peek()!;
      const room = target.length - done;
      const part = chunk.length <= room ? chunk : chunk.subarray(0, room);
      target.set(part, done);
      done += part.length;
      this.skip(part.length);
    }
    return done;
  }

  /**
   * Drops bytes from the front of the queue, across chunks.
   *
   * @param byteLength Number of bytes to drop.
   * @returns The number of bytes dropped: `byteLength`, or less if fewer were queued.
   * @throws {RangeError} If `byteLength` is not a non-negative safe integer.
   */
  skip(byteLength: number): number {
    if (!Number.isSafeInteger(byteLength) || byteLength < 0) {
      throw new RangeError(`Cannot skip ${byteLength} bytes: expected a non-negative integer`);
    }
    let rest = byteLength;
    while (rest > 0 && this.#length > 0) {
      const left = this.#slots[this.#head + 1] as number;
      if (rest < left) {
        this.#slots[this.#head + 1] = left - rest;
        this.#byteLength -= rest;
        return byteLength;
      }
      this.#drop(left);
      rest -= left;
    }
    return byteLength - rest;
  }

  /** Drops all chunks and the storage. */
  clear(): void {
    this.#slots = NO_SLOTS;
    this.#head = 0;
    this.#tail = 0;
    this.#length = 0;
    this.#byteLength = 0;
    this.#sparseDrops = 0;
  }

  /**
   * Drops all chunks and the storage, like `clear`. A `using` declaration calls it when its
   * block ends. The chunks are not detached: the queue does not own them. Engines without
   * `Symbol.dispose` do not have this method.
   */
  [Symbol.dispose](): void {
    this.clear();
  }

  /** Drops the first chunk. Precondition: there is one, with `left` bytes left. */
  #drop(left: number): void {
    const slots = this.#slots;
    slots[this.#head] = null;
    this.#head = (this.#head + 2) & (slots.length - 1);
    this.#length--;
    this.#byteLength -= left;
    if (this.#length * 2 * SPARSE >= slots.length || slots.length === MIN_SLOTS) this.#sparseDrops = 0;
    else if (this.#length === 0 && slots.length > KEPT_SLOTS) this.clear();
    else if (++this.#sparseDrops === slots.length / 2) this.#resize(slots.length / 2);
  }

  /** Moves the slots to a ring buffer of another length. Precondition: they fit. */
  #resize(length: number): void {
    const slots = newSlots(length);
    const used = this.#length * 2;
    const mask = this.#slots.length - 1;
    for (let i = 0; i < used; i++) slots[i] = this.#slots[(this.#head + i) & mask];
    this.#slots = slots;
    this.#sparseDrops = 0;
    this.#head = 0;
    this.#tail = used & (length - 1);
  }
}

// An engine without Symbol.dispose has defined the method as "undefined".
if (Symbol.dispose === undefined) Reflect.deleteProperty(ChunkQueue.prototype, "undefined");

/**
 * Makes empty slots, without holes: a store into a hole would call a setter that user code has
 * defined for the index on `Array.prototype`.
 *
 * Precondition: the length is {@linkcode MIN_SLOTS} times a power of two.
 */
function newSlots(length: number): Slot[] {
  let slots: Slot[] = [null, null, null, null, null, null, null, null];
  while (slots.length < length) slots = slots.concat(slots);
  return slots;
}
