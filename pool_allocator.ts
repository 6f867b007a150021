/**
 * Allocator of slices from memory that is taken once and reused: {@linkcode PoolAllocator}.
 *
 * @module
 */

import { detach } from "./detach.ts";
import { isBuffer } from "./parser/engine/input.ts";
import { Slice } from "./slice.ts";
import { sliceOwners } from "./parser/engine/slice_owners.ts";

export type * from "./slice.ts";

const DEFAULT_TOTAL = 128 * 2 ** 20;

/** Maximum number of bytes of a pool: offsets in it are unsigned 32-bit numbers. */
const MAX_TOTAL = 2 ** 32;

/** Minimum size of a slot as a power of two and in bytes, and maximum size in bytes. */
const MIN_SLOT_POWER = 4;
const MIN_SLOT = 2 ** MIN_SLOT_POWER;
const MAX_SLOT = 2 ** 18;

/**
 * Layout of the table of a pool. First comes, for each bucket, the table index of a free slot, or 0
 * if there is none. From {@linkcode IN_USE} on, it holds the number of slots in use of each bucket,
 * and from {@linkcode PLACES} on an entry for every 16 bytes of the pool:
 *
 * - 0: no slot begins here.
 * - Above 0: a slot in use begins here, for that many requested bytes.
 * - Below 0: a free slot begins here; the complement is the table index of the next free one.
 */
const IN_USE = 32;
const PLACES = 64;

/**
 * Bit mask of lengths whose bucket may be looked up. It includes lengths over {@linkcode MAX_SLOT},
 * whose bucket is empty.
 */
const LENGTH_BITS = 2 * MAX_SLOT - 1;

/** Buffer of freed slices, to detect that one is freed twice. */
const FREED = /* @__PURE__ */ new Uint8Array(0);

/** Buckets of the smallest and of the largest slots. A larger slot has a lower bucket. */
const FIRST_BUCKET = /* @__PURE__ */ bucketOf(MIN_SLOT);
const LAST_BUCKET = /* @__PURE__ */ bucketOf(MAX_SLOT);

/** Statistics of the slots of one size. */
export interface PoolBucket {
  /** Number of free slots. */
  free: number;
  /** Number of slots in use. */
  used: number;
  /** Length of a slot in bytes. */
  size: number;
}

/** Statistics of a {@linkcode PoolAllocator}. All numbers but counts and the ratio are in bytes. */
export interface PoolStats {
  /** Length of all slots in use. */
  size: number;
  /** Part of `size` that was not requested: lengths are rounded up to slots. */
  padding: number;
  /** `size` divided by the requested bytes; 1 if no slot is in use. */
  ratio: number;
  /** Length of the pool. */
  poolTotal: number;
  /** Part of the pool that was ever divided into slots. It never shrinks. */
  poolUsed: number;
  /** Length of all slots in use, the same as `size`. */
  poolSize: number;
  /** Number of slots that the pool was ever divided into. */
  poolCount: number;
  /** Slots of each size, from small to large. */
  buckets: PoolBucket[];
}

/**
 * Allocates slices of one large buffer, in slots of a power of two from 16 bytes to 256 KiB, and
 * reuses slots that were freed. A larger slice, or any slice once the pool is used up, gets a
 * buffer of its own.
 *
 * **`realloc` does not keep contents**: it is like `malloc` in C, not like `realloc`. A new slice,
 * or one that gets another slot, holds the bytes that were there before.
 *
 * A slot never changes its size. So free slots of one size can use up the pool, while slices of
 * other sizes get buffers of their own: watch `stats`.
 *
 * Free each slice with `free(slice)`, or declare it with `using`: one that is merely dropped,
 * or `reset`, occupies its slot forever. The allocator throws for a slice of another pool, a slice
 * made by hand, and a slice that is freed twice. It cannot detect that copied fields of
 * a slice are used after the slot was freed and allocated again.
 *
 * Do not share a pool: the allocator, not the buffer, records the slots in use, so two allocators
 * over one buffer, on one thread or two, allocate the same bytes twice. Do not keep secrets in a
 * pool: the next user of a slot can read the bytes of the last one.
 *
 * @example
 * ```ts
 * import { PoolAllocator } from "@bytejson/bytejson/pool-allocator";
 * import { assertEquals } from "@std/assert";
 *
 * const pool = new PoolAllocator(1024 * 1024);
 * const slice = pool.alloc(100);
 * assertEquals([slice.byteLength, slice.maxByteLength], [100, 128]);
 * pool.realloc(slice, 120); // the same slot: nothing moves
 * assertEquals(pool.size, 128);
 * pool.free(slice);
 * assertEquals(pool.size, 0);
 * ```
 */
export class PoolAllocator {
  #buffer: Uint8Array;
  #table: Int32Array;
  /** Whether the constructor allocated the memory of the pool. */
  readonly #ownsBuffer: boolean;
  #isDisposed = false;
  /** Bytes of the pool that were divided into slots. */
  #cut = 0;

  /**
   * Makes an allocator and the memory of its pool.
   *
   * @param totalOrBuffer Bytes of the pool, or memory to use as the pool, which must then belong to
   * the allocator alone. For every 16 bytes of the pool, 4 more record the slots. Pages of either
   * become resident only once they are used.
   * @throws {RangeError} If the number is not an integer from 0 to 2³², or the buffer is larger.
   * @throws {TypeError} If the argument is neither a number nor a buffer or view.
   */
  constructor(totalOrBuffer: number | ArrayBufferLike | ArrayBufferView = DEFAULT_TOTAL) {
    const buffer = poolOf(totalOrBuffer);
    if (buffer.length > MAX_TOTAL) throw invalidTotal(buffer.length);
    this.#buffer = buffer;
    this.#table = new Int32Array(PLACES + Math.floor(buffer.length / MIN_SLOT));
    this.#ownsBuffer = typeof totalOrBuffer === "number";
    sliceOwners.set(buffer, this);
  }

  /**
   * Allocates a slice. Its contents are undefined.
   *
   * @param byteLength Length in bytes.
   * @returns A new slice, empty for 0 bytes.
   * @throws {RangeError} If `byteLength` is not a non-negative integer, or there is no memory.
   * @throws {TypeError} If the allocator is disposed and `byteLength` is not 0.
   */
  alloc(byteLength: number): Slice {
    return this.realloc(new Slice(), byteLength);
  }

  /**
   * Frees a slice, which is empty afterwards and may be passed to {@linkcode realloc} again. A
   * buffer outside the pool is detached.
   *
   * @param slice Slice of this allocator, or an empty one that was never allocated.
   * @throws {TypeError} If `slice` is not of this allocator, or is free already.
   */
  free(slice: Slice): void {
    if (typeof slice !== "object") throw notOurs(); // a number would be allocated
    this.realloc(slice, 0);
  }

  /**
   * Allocates a slice, like {@linkcode alloc}.
   *
   * @param byteLength Length in bytes.
   * @returns A new slice.
   * @throws {RangeError} If `byteLength` is not a non-negative integer, or there is no memory.
   * @throws {TypeError} If the allocator is disposed.
   */
  realloc(byteLength: number): Slice;
  /**
   * Resizes a slice, allocates memory for an empty one, or frees it.
   *
   * **The contents are not kept**: they are undefined afterwards, even if the slice grows. First
   * copy what you need to another slice.
   *
   * @param slice Slice of this allocator, or an empty one.
   * @param byteLength New length in bytes; 0 frees the slice. Freeing detaches a buffer outside
   * the pool.
   * @returns The same slice.
   * @throws {RangeError} If `byteLength` is not a non-negative integer, or there is no memory. The
   * slice is freed if there is no memory.
   * @throws {TypeError} If `slice` is not of this allocator, or is free already, or the allocator
   * is disposed and `byteLength` is not 0.
   */
  realloc(slice: Slice, byteLength: number): Slice;
  realloc(slice: Slice | number, byteLength?: number): Slice {
    // Fast path, short enough for engines to inline: twice as fast (bench/support/operations.ts).
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
        empty(slice); // before the slot is freed: it throws for a frozen slice
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
    return this.#reallocSlow(slice, byteLength!);
  }

  /** Handles new slices, buffers outside the pool, slots to be created, and wrong arguments. */
  #reallocSlow(sliceOrLength: Slice | number, length: number): Slice {
    if (typeof sliceOrLength === "number") {
      const slice = new Slice();
      return sliceOrLength === 0 ? slice : this.realloc(slice, sliceOrLength);
    }
    const slice = sliceOrLength;
    if (this.#isDisposed && length !== 0) throw new TypeError("Cannot allocate: the pool is disposed");
    if (!Number.isSafeInteger(length) || length < 0) {
      throw new RangeError(`Cannot allocate ${String(length)} bytes: expected a non-negative integer`);
    }
    if (slice.buffer === this.#buffer) {
      this.realloc(slice, 0);
    } else if (slice.maxByteLength > 0) {
      if (sliceOwners.get(slice.buffer) !== this) throw notOurs();
      if (length <= slice.maxByteLength && length > slice.maxByteLength / 2) {
        slice.byteLength = length;
        return slice;
      }
      sliceOwners.delete(slice.buffer);
      detach(slice.buffer);
    } else if (length === 0 && slice.buffer === FREED) {
      throw new TypeError("Cannot free this slice: it is free already");
    }
    empty(slice); // the slice stays empty if there is no memory
    if (length === 0) return slice;
    if (length <= MAX_SLOT && this.#hasFree(bucketOf(length))) return this.realloc(slice, length);
    const buffer = new Uint8Array(length);
    sliceOwners.set(buffer, this);
    slice.buffer = buffer;
    slice.byteLength = length;
    slice.maxByteLength = length;
    return slice;
  }

  /** Returns whether a bucket has a free slot, after adding one if necessary. */
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
   * Returns whether a slice is a part of the pool's buffer, even if the pool has not allocated it.
   *
   * @param slice Slice to test.
   * @returns `true` for a part of the pool; `false` for a slice with a buffer of its own, an empty
   * one, `null` and `undefined`.
   */
  isFromPool(slice: Slice | null | undefined): boolean {
    return slice?.buffer === this.#buffer;
  }

  /** Length of all slots in use, in bytes. */
  get size(): number {
    let size = 0;
    for (let bucket = FIRST_BUCKET; bucket >= LAST_BUCKET; bucket--) {
      size += this.#table[IN_USE + bucket] * slotOf(bucket);
    }
    return size;
  }

  /** Current statistics, in a new object. For a pool of 128 MiB, that takes milliseconds. */
  get stats(): PoolStats {
    let buckets: PoolBucket[] = [];
    for (let bucket = FIRST_BUCKET; bucket >= LAST_BUCKET; bucket--) {
      const used = this.#table[IN_USE + bucket];
      buckets = buckets.concat({ free: this.#countFree(bucket), used, size: slotOf(bucket) });
    }
    let poolCount = 0;
    for (const { free, used } of buckets) poolCount += free + used;
    const { size } = this;
    const requested = this.#countRequested();
    return {
      size,
      padding: size - requested,
      ratio: size === 0 ? 1 : size / requested,
      poolTotal: this.#buffer.length,
      poolUsed: this.#cut,
      poolSize: size,
      poolCount,
      buckets,
    };
  }

  /**
   * Frees the memory of the pool at once, and with it all slices in it. Memory that was passed to
   * the constructor, and slices with a buffer of their own, are not freed. Later calls that
   * allocate throw. A `using` declaration calls this method when its block ends. Engines without
   * `Symbol.dispose` do not have it.
   */
  [Symbol.dispose](): void {
    if (this.#isDisposed) return;
    this.#isDisposed = true;
    sliceOwners.delete(this.#buffer);
    if (this.#ownsBuffer) detach(this.#buffer);
    this.#buffer = new Uint8Array(0);
    this.#table = new Int32Array(PLACES);
    this.#cut = 0;
  }

  #countFree(bucket: number): number {
    let count = 0;
    for (let place = this.#table[bucket]; place !== 0; place = ~this.#table[place]) count++;
    return count;
  }

  /** Counts the requested bytes. */
  #countRequested(): number {
    const table = this.#table;
    const end = PLACES + this.#cut / MIN_SLOT;
    let requested = 0;
    for (let place = PLACES; place < end; place++) requested += Math.max(0, table[place]);
    return requested;
  }
}

// An engine without Symbol.dispose has defined the method as "undefined".
if (Symbol.dispose === undefined) Reflect.deleteProperty(PoolAllocator.prototype, "undefined");

/** Makes a slice empty and marks it as freed. */
function empty(slice: Slice): void {
  slice.buffer = FREED;
  slice.byteOffset = 0;
  slice.byteLength = 0;
  slice.maxByteLength = 0;
}

/** Makes the array of a pool. Its length is fixed, as is that of the table. */
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
  if (isBuffer(totalOrBuffer)) {
    return new Uint8Array(totalOrBuffer, 0, totalOrBuffer.byteLength); // its length now: it may grow
  }
  throw new TypeError("Cannot make a pool of this argument: expected a number, a buffer or a view");
}

function invalidTotal(total: number): RangeError {
  return new RangeError(`Cannot make a pool of ${total} bytes: expected an integer from 0 to ${MAX_TOTAL}`);
}

function notOurs(): TypeError {
  return new TypeError("Cannot resize this slice: it is not of this pool, or free already");
}

/** Returns the bucket of a length: the leading zeros, in 32 bits, of its slot's size. */
function bucketOf(byteLength: number): number {
  return Math.clz32((byteLength - 1) | (MIN_SLOT - 1));
}

/**
 * Returns the bytes of a slot. A shift uses the low five bits of its count (ECMA-262 §6.1.6.1.9),
 * so `-b` means `32 - b`.
 */
function slotOf(bucket: number): number {
  return 1 << -bucket;
}
