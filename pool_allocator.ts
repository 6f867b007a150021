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

/** Bytes of the smallest and of the largest slot, and the powers of two they are. */
const MIN_SLOT_POWER = 4;
const MAX_SLOT_POWER = 18;
const MIN_SLOT = 2 ** MIN_SLOT_POWER;
const MAX_SLOT = 2 ** MAX_SLOT_POWER;
const BUCKETS = MAX_SLOT_POWER - MIN_SLOT_POWER + 1;

/** The place of no slot. Places count in units of the smallest slot. */
const NONE = -1;

/** What a slice has that was freed, so that it is not freed twice. */
const FREED = new Uint8Array(0);

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
  /**
   * For each place where a slot may begin: the bytes asked for, from 1 up. For a free slot, the complement of the place of the
   * next free one of its bucket, or of `NONE`, which is 0, as it is where no slot begins.
   */
  readonly #requests: Int32Array;
  /** For each bucket, the place of a free slot, or `NONE`. */
  readonly #free: Int32Array = new Int32Array(BUCKETS).fill(NONE);
  /** For each bucket, how many slots were cut. */
  readonly #cut: Int32Array = new Int32Array(BUCKETS);
  /** Buffers handed out that are not of the pool. */
  readonly #standalone: WeakSet<Uint8Array> = new WeakSet();
  #used = 0;
  #size = 0;
  #requested = 0;

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
    this.#requests = new Int32Array(Math.floor(buffer.length / MIN_SLOT));
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
  realloc(sliceOrLength: Slice | number, length?: number): Slice {
    if (typeof sliceOrLength === "number") {
      checkLength(sliceOrLength);
      const slice = new Slice();
      if (sliceOrLength > 0) this.#allocate(slice, sliceOrLength);
      return slice;
    }
    const slice = sliceOrLength;
    const byteLength = length!;
    checkLength(byteLength);
    if (slice.buffer === this.#buffer) {
      const place = slice.byteOffset >>> MIN_SLOT_POWER;
      const request = this.#requests[place];
      if (!(request > 0) || slice.byteOffset & (MIN_SLOT - 1)) throw notOurs();
      const bucket = bucketOf(request);
      if (slice.maxByteLength !== MIN_SLOT << bucket) throw notOurs();
      if (byteLength > 0 && byteLength <= MAX_SLOT && bucketOf(byteLength) === bucket) {
        this.#requests[place] = byteLength;
        this.#requested += byteLength - request;
        slice.byteLength = byteLength;
        return slice;
      }
      this.#requests[place] = ~this.#free[bucket];
      this.#free[bucket] = place;
      this.#requested -= request;
      this.#size -= MIN_SLOT << bucket;
    } else if (slice.maxByteLength > 0) {
      if (!this.#standalone.has(slice.buffer)) throw notOurs();
      if (byteLength <= slice.maxByteLength && byteLength > slice.maxByteLength / 2) {
        slice.byteLength = byteLength;
        return slice;
      }
      this.#standalone.delete(slice.buffer);
      detach(slice.buffer);
    } else if (byteLength === 0 && slice.buffer === FREED) {
      throw new TypeError("Cannot free this slice: it is free already");
    }
    if (byteLength > 0) this.#allocate(slice, byteLength);
    else release(slice);
    return slice;
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
    return this.#size;
  }

  /** What is handed out now; a new object every time. */
  get stats(): PoolStats {
    return {
      size: this.#size,
      padding: this.#size - this.#requested,
      ratio: this.#size === 0 ? 1 : this.#size / this.#requested,
      poolTotal: this.#buffer.length,
      poolUsed: this.#used,
      poolSize: this.#size,
      poolCount: this.#cut.reduce((sum, count) => sum + count, 0),
      buckets: Array.from(this.#cut, (cut, bucket) => {
        const free = this.#countFree(bucket);
        return { free, used: cut - free, size: MIN_SLOT << bucket };
      }),
    };
  }

  #countFree(bucket: number): number {
    let count = 0;
    for (let place = this.#free[bucket]; place !== NONE; place = ~this.#requests[place]) count++;
    return count;
  }

  /** Precondition: `byteLength` is from 1 up, and the slice has no slot. */
  #allocate(slice: Slice, byteLength: number): void {
    if (byteLength > MAX_SLOT) return this.#allocateStandalone(slice, byteLength);
    const bucket = bucketOf(byteLength);
    const slot = MIN_SLOT << bucket;
    let place = this.#free[bucket];
    if (place === NONE) {
      if (this.#used + slot > this.#buffer.length) return this.#allocateStandalone(slice, byteLength);
      place = this.#used / MIN_SLOT;
      slice.buffer = this.#buffer; // before anything is taken: the slice may be frozen
      this.#used += slot;
      this.#cut[bucket]++;
    } else {
      slice.buffer = this.#buffer;
      this.#free[bucket] = ~this.#requests[place];
    }
    this.#requests[place] = byteLength;
    this.#requested += byteLength;
    this.#size += slot;
    slice.byteOffset = place * MIN_SLOT;
    slice.byteLength = byteLength;
    slice.maxByteLength = slot;
  }

  #allocateStandalone(slice: Slice, byteLength: number): void {
    release(slice); // stays so if there is no memory
    const buffer = new Uint8Array(byteLength);
    this.#standalone.add(buffer);
    slice.buffer = buffer;
    slice.byteLength = byteLength;
    slice.maxByteLength = byteLength;
  }
}

function release(slice: Slice): void {
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

function checkLength(byteLength: number): void {
  if (!Number.isSafeInteger(byteLength) || byteLength < 0) {
    throw new RangeError(`Cannot allocate ${String(byteLength)} bytes: expected an integer from 0 up`);
  }
}

function notOurs(): TypeError {
  return new TypeError("Cannot resize this slice: it is not of this pool, or free already");
}

/** Precondition: from 1 to the largest slot. */
function bucketOf(byteLength: number): number {
  return 32 - MIN_SLOT_POWER - Math.clz32((byteLength - 1) | (MIN_SLOT - 1));
}
