/**
 * {@linkcode PoolAllocator}: memory for slices, taken once and handed out again and again.
 *
 * @module
 */

import { detach } from "./detach.ts";
import { Slice } from "./slice.ts";

const DEFAULT_TOTAL = 128 * 2 ** 20;

/** Positions are unsigned 32-bit numbers. */
const MAX_TOTAL = 2 ** 32;

/** Bytes of the smallest and of the largest slot, and the power of two that the smallest is. */
const MIN_SLOT_POWER = 4;
const MIN_SLOT = 2 ** MIN_SLOT_POWER;
const MAX_SLOT = 2 ** 18;

/**
 * What a pool's table has from where on: for each bucket the place of a free slot, 0 for none, and how many slots are in use; then
 * an entry for each place where a slot may begin, one every 16 bytes. It is 0 if none does, for a slot in use the bytes asked for,
 * for a free one the complement of the next free one's place.
 */
const IN_USE = 32;
const PLACES = 64;

/** All bits of the lengths whose bucket may be looked up: those of slots, and some more, whose bucket has nothing in it. */
const LENGTH_BITS = 2 * MAX_SLOT - 1;

/** What a slice has that was freed, so that it is not freed twice. */
const FREED = new Uint8Array(0);

/** The buckets, from small slots to large. */
const BUCKETS: number[] = [];
for (let slot = MIN_SLOT; slot <= MAX_SLOT; slot *= 2) BUCKETS.push(bucketOf(slot));

/** Slots of one size. */
export interface PoolBucket {
  /** How many slots wait to be handed out again. */
  free: number;
  /** How many slots are handed out. */
  used: number;
  /** Bytes of a slot. */
  size: number;
}

/** What a {@linkcode PoolAllocator} has handed out. All figures but counts are in bytes. */
export interface PoolStats {
  /** Handed out, rounded up to slots. */
  size: number;
  /** The part of `size` that is there by rounding up only. */
  padding: number;
  /** `size` over what was asked for; 1 if nothing was. */
  ratio: number;
  /** The pool. */
  poolTotal: number;
  /** The part of the pool that was ever handed out; it never becomes less. */
  poolUsed: number;
  /** The same as `size`. */
  poolSize: number;
  /** How many slots the pool was ever cut into. */
  poolCount: number;
  /** The slots, from small to large. */
  buckets: PoolBucket[];
}

/**
 * Hands out slices of one large buffer, in slots of a power of two from 16 bytes to 256 KiB. What is given back is handed out
 * again. Larger slices, and all when the pool is used up, get a buffer of their own.
 *
 * `realloc` has the meaning of `malloc`, not that of C's `realloc`: **contents are not kept** when a slice gets another slot, and
 * new slices hold whatever was there. A slot never becomes one of another size, so the pool can be used up by sizes of which few
 * are in use: watch `stats`.
 *
 * Give back what you took, with `realloc(slice, 0)`: a slice that is merely dropped, or `reset`, keeps its slot for ever. A slice of
 * another pool, a slice made by hand, and one that is freed twice are told by an error. What cannot be told is a copy of a slice's
 * fields, used after the slot was given back and handed out again.
 *
 * Not for sharing. One owner, one thread: what is in use is written in the allocator, not in the buffer, so two allocators over one
 * buffer, on two threads or on one, hand out the same bytes twice. Nor for secrets: whoever gets a slot can read what the last user
 * left there.
 *
 * @example
 * ```ts
 * import { PoolAllocator } from "@bytejson/bytejson/pool-allocator";
 * import { assertEquals } from "@std/assert";
 *
 * const pool = new PoolAllocator(1024 * 1024);
 * const slice = pool.realloc(100);
 * assertEquals([slice.byteLength, slice.maxByteLength], [100, 128]);
 * pool.realloc(slice, 120); // the same slot: nothing moves
 * assertEquals(pool.size, 128);
 * pool.realloc(slice, 0);
 * assertEquals(pool.size, 0);
 * ```
 */
export class PoolAllocator {
  readonly #buffer: Uint8Array;
  readonly #table: Int32Array;
  /** Buffers handed out that are not of the pool. */
  readonly #standalone: WeakSet<Uint8Array> = new WeakSet();
  /** Bytes that slots were cut of. */
  #cut = 0;

  /**
   * Takes the memory of the pool.
   *
   * @param totalOrBuffer Bytes of the pool, or memory that is to be the pool; that must be the allocator's alone.
   * For every 16 bytes of it, another 4 say what is in use; untouched, neither are resident.
   * @throws {RangeError} If it is no integer from 0 to 2³², or the buffer is larger than that.
   * @throws {TypeError} If it is neither a number nor a buffer.
   */
  constructor(totalOrBuffer: number | ArrayBufferLike | ArrayBufferView = DEFAULT_TOTAL) {
    const buffer = poolOf(totalOrBuffer);
    if (buffer.length > MAX_TOTAL) throw invalidTotal(buffer.length);
    this.#buffer = buffer;
    this.#table = new Int32Array(PLACES + Math.floor(buffer.length / MIN_SLOT));
  }

  /**
   * Allocates.
   *
   * @param byteLength How many bytes.
   * @returns A new slice.
   * @throws {RangeError} If `byteLength` is not an integer from 0 up, or there is no memory.
   */
  realloc(byteLength: number): Slice;
  /**
   * Resizes a slice, allocates for an empty one, or frees it. Contents are undefined after that.
   *
   * @param slice A slice of this allocator, or an empty one.
   * @param byteLength How many bytes; 0 frees. A buffer of its own is detached by that.
   * @returns The same slice.
   * @throws {RangeError} If `byteLength` is not an integer from 0 up, or there is no memory.
   * @throws {TypeError} If `slice` is not of this allocator, or is to be freed twice.
   */
  realloc(slice: Slice, byteLength: number): Slice;
  realloc(slice: Slice | number, byteLength?: number): Slice {
    // What is done again and again, and short, so that engines inline it: twice as fast. bench/pool.ts
    if (typeof slice === "object" && (byteLength! & LENGTH_BITS) === byteLength) {
      const buffer = this.#buffer;
      const table = this.#table;
      const bucket = bucketOf(byteLength);
      if (slice.buffer === buffer) {
        const { byteOffset } = slice;
        const place = PLACES + (byteOffset >>> MIN_SLOT_POWER);
        const request = table[place];
        const old = bucketOf(request);
        if (!(request > 0) || slice.maxByteLength !== slotOf(old) || byteOffset & (MIN_SLOT - 1)) throw notOurs();
        if (old === bucket) {
          slice.byteLength = byteLength;
          table[place] = byteLength;
          return slice;
        }
        empty(slice); // before the slot is given back: the slice may be frozen
        table[place] = ~table[old];
        table[old] = place;
        table[IN_USE + old]--;
        if (byteLength === 0) return slice;
      }
      const place = table[bucket];
      if (place !== 0 && slice.maxByteLength === 0) {
        slice.buffer = buffer;
        slice.byteOffset = (place - PLACES) * MIN_SLOT;
        slice.byteLength = byteLength;
        slice.maxByteLength = slotOf(bucket);
        table[bucket] = ~table[place];
        table[place] = byteLength;
        table[IN_USE + bucket]++;
        return slice;
      }
    }
    return this.#reallocSeldom(slice, byteLength!);
  }

  /** New slices, slices with a buffer of their own, those that get one, slots that are not cut yet, and mistakes. */
  #reallocSeldom(sliceOrLength: Slice | number, length: number): Slice {
    if (typeof sliceOrLength === "number") {
      const slice = new Slice();
      return sliceOrLength === 0 ? slice : this.realloc(slice, sliceOrLength);
    }
    const slice = sliceOrLength;
    if (!Number.isSafeInteger(length) || length < 0) {
      throw new RangeError(`Cannot allocate ${String(length)} bytes: expected an integer from 0 up`);
    }
    if (slice.buffer === this.#buffer) {
      this.realloc(slice, 0);
    } else if (slice.maxByteLength > 0) {
      if (!this.#standalone.has(slice.buffer)) throw notOurs();
      if (length <= slice.maxByteLength && length > slice.maxByteLength / 2) {
        slice.byteLength = length;
        return slice;
      }
      this.#standalone.delete(slice.buffer);
      detach(slice.buffer);
    } else if (length === 0 && slice.buffer === FREED) {
      throw new TypeError("Cannot free this slice: it is free already");
    }
    empty(slice); // it stays so if there is no memory
    if (length === 0) return slice;
    if (length <= MAX_SLOT && this.#hasFree(bucketOf(length))) return this.realloc(slice, length);
    const buffer = new Uint8Array(length);
    this.#standalone.add(buffer);
    slice.buffer = buffer;
    slice.byteLength = length;
    slice.maxByteLength = length;
    return slice;
  }

  /** Whether a bucket has a free slot; if need be one is cut. */
  #hasFree(bucket: number): boolean {
    if (this.#table[bucket] !== 0) return true;
    const slot = slotOf(bucket);
    if (this.#cut + slot > this.#buffer.length) return false;
    const place = PLACES + this.#cut / MIN_SLOT;
    this.#cut += slot;
    this.#table[bucket] = place;
    this.#table[place] = ~0;
    return true;
  }

  /**
   * Whether a slice is a part of the pool's buffer, whoever made it.
   *
   * @param slice The slice.
   * @returns `false` for slices with a buffer of their own, empty ones, `null` and `undefined`.
   */
  isFromPool(slice: Slice | null | undefined): boolean {
    return slice?.buffer === this.#buffer;
  }

  /** Bytes handed out of the pool, rounded up to slots. */
  get size(): number {
    return BUCKETS.reduce((size, bucket) => size + this.#table[IN_USE + bucket] * slotOf(bucket), 0);
  }

  /** What is handed out now; a new object every time. It is counted then, some milliseconds for 128 MiB: for people, not for loops. */
  get stats(): PoolStats {
    const buckets = BUCKETS.map((bucket): PoolBucket => {
      return { free: this.#countFree(bucket), used: this.#table[IN_USE + bucket], size: slotOf(bucket) };
    });
    const { size } = this;
    const requested = this.#countRequested();
    return {
      size,
      padding: size - requested,
      ratio: size === 0 ? 1 : size / requested,
      poolTotal: this.#buffer.length,
      poolUsed: this.#cut,
      poolSize: size,
      poolCount: buckets.reduce((count, { free, used }) => count + free + used, 0),
      buckets,
    };
  }

  #countFree(bucket: number): number {
    let count = 0;
    for (let place = this.#table[bucket]; place !== 0; place = ~this.#table[place]) count++;
    return count;
  }

  /** Bytes that were asked for. */
  #countRequested(): number {
    const table = this.#table;
    const end = PLACES + this.#cut / MIN_SLOT;
    let requested = 0;
    for (let place = PLACES; place < end; place++) requested += Math.max(0, table[place]);
    return requested;
  }
}

function empty(slice: Slice): void {
  slice.buffer = FREED;
  slice.byteOffset = 0;
  slice.byteLength = 0;
  slice.maxByteLength = 0;
}

function poolOf(totalOrBuffer: number | ArrayBufferLike | ArrayBufferView): Uint8Array {
  if (typeof totalOrBuffer === "number") {
    if (!Number.isInteger(totalOrBuffer) || totalOrBuffer < 0 || totalOrBuffer > MAX_TOTAL) {
      throw invalidTotal(totalOrBuffer);
    }
    return new Uint8Array(totalOrBuffer);
  }
  if (ArrayBuffer.isView(totalOrBuffer)) {
    return new Uint8Array(totalOrBuffer.buffer, totalOrBuffer.byteOffset, totalOrBuffer.byteLength);
  }
  if (typeof totalOrBuffer === "object" && totalOrBuffer !== null && "byteLength" in totalOrBuffer) {
    return new Uint8Array(totalOrBuffer);
  }
  throw new TypeError("Cannot make a pool of this argument: expected a number, a buffer or a view");
}

function invalidTotal(total: number): RangeError {
  return new RangeError(`Cannot make a pool of ${total} bytes: expected an integer from 0 to ${MAX_TOTAL}`);
}

function notOurs(): TypeError {
  return new TypeError("Cannot resize this slice: it is not of this pool, or free already");
}

/** The slots that so many bytes go into: a power of two, as the number of its leading zeros in 32 bits. */
function bucketOf(byteLength: number): number {
  return Math.clz32((byteLength - 1) | (MIN_SLOT - 1));
}

/** Bytes of a slot. Only the low five bits of a shift count count (ECMA-262 §6.1.6.1.9), so that -b is as good as 32 - b. */
function slotOf(bucket: number): number {
  return 1 << -bucket;
}
