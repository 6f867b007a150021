import { assert, assertEquals, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { Buffer } from "node:buffer";
import { Random } from "../../bench/support/random.ts";
import { PoolAllocator } from "../../pool_allocator.ts";
import { Slice } from "../../slice.ts";

const KIB = 1024;
const MIB = KIB * KIB;
const LARGEST_SLOT = 256 * KIB;

describe("PoolAllocator", () => {
  it("allocates and frees by name, and returns an empty slice for 0 bytes", () => {
    const pool = new PoolAllocator(KIB);
    const slice = pool.alloc(100);
    assertEquals([slice.byteLength, slice.maxByteLength, pool.size], [100, 128, 128]);
    assertEquals(pool.free(slice), undefined);
    assertEquals([slice.byteLength, slice.maxByteLength, pool.size], [0, 0, 0]);
    const empty = pool.realloc(0);
    assertEquals([pool.realloc(empty, 0), pool.isFromPool(empty), empty.byteLength], [empty, false, 0]);
    assertEquals([pool.alloc(0).byteLength, pool.alloc(2 * MIB).byteLength, pool.size], [0, 2 * MIB, 0]);
    const nothing = [null, undefined, new Slice(), Slice.EMPTY].filter((slice) => pool.isFromPool(slice));
    assertEquals([nothing.length, new PoolAllocator().stats.poolTotal], [0, 128 * MIB]);
  });

  it("changes nothing for arguments that are not lengths or slices", () => {
    const pool = new PoolAllocator(KIB);
    const slice = pool.realloc(16);
    for (const byteLength of [-1, 0.5, NaN, Infinity, 2 ** 53, "16", undefined, null, {}, slice] as number[]) {
      const message = `Cannot allocate ${String(byteLength)} bytes: expected a non-negative integer`;
      const calls = [
        () => pool.alloc(byteLength),
        () => pool.realloc(slice, byteLength),
        () => pool.realloc(byteLength),
      ];
      for (const call of typeof byteLength === "number" ? calls : calls.slice(0, 1)) {
        assertEquals(assertThrows(call, RangeError).message, message);
      }
    }
    for (const wrong of [16, "16", undefined, null, new Slice(new Uint8Array(4))] as Slice[]) {
      assertThrows(() => pool.free(wrong), TypeError);
    }
    assertEquals([pool.size, pool.stats.poolCount, slice.byteLength], [16, 1, 16]);
  });

  it("allocates a separate buffer for a large slice, and for any slice once the pool is full", () => {
    const pool = new PoolAllocator(KIB);
    const large = pool.realloc(LARGEST_SLOT + 1);
    assertEquals([large.byteLength, large.maxByteLength, large.byteOffset], [LARGEST_SLOT + 1, LARGEST_SLOT + 1, 0]);
    const slices = Array.from({ length: 10 }, () => pool.realloc(128));
    assertEquals(slices.map((slice) => pool.isFromPool(slice)), [...Array(8).fill(true), false, false]);
    assertEquals([pool.isFromPool(large), pool.size], [false, KIB]);
    pool.realloc(slices[0], 0);
    pool.realloc(slices[9], 0);
    assertEquals(pool.isFromPool(pool.realloc(128)), true);
  });

  it("keeps a separate buffer while more than half of it is used, and detaches it otherwise", () => {
    const pool = new PoolAllocator(MIB);
    const slice = pool.realloc(MIB);
    const rows: [byteLength: number, isKept: boolean, isPooled: boolean][] = [
      ...[[MIB / 2 + 1, true, false], [MIB, true, false], [MIB / 2, false, false], [100, false, true]],
      ...[[MIB, true, false], [0, false, false]],
    ] as [number, boolean, boolean][];
    for (const [byteLength, isKept, isPooled] of rows) {
      const { buffer } = slice;
      const wasPooled = pool.isFromPool(slice);
      assert(pool.realloc(slice, byteLength) === slice);
      assertEquals([slice.byteLength, pool.isFromPool(slice)], [byteLength, isPooled]);
      if (!wasPooled) assertEquals([slice.buffer === buffer, buffer.length > 0], [isKept, isKept], `${byteLength}`);
    }
    const full = new PoolAllocator(0);
    const small = full.realloc(new Slice(), 65);
    const { buffer } = small;
    full.realloc(small, 33);
    assertEquals([small.buffer === buffer, small.byteOffset], [true, 0]);
    full.realloc(small, 1);
    const { buffer: ofOne } = small;
    full.realloc(small, 0);
    assertEquals([buffer.length, ofOne.length], [0, 0]);
  });

  it("counts slots of powers of two, in which it moves nothing, and never allocates a byte twice", () => {
    const random = new Random(4);
    const pool = new PoolAllocator(64 * KIB);
    const sizes = Array.from({ length: 15 }, (_, i) => 2 ** (i + 4));
    assertEquals([pool.stats.ratio, pool.stats.buckets.map(({ size }) => size)], [1, sizes]);
    const slotOf = (byteLength: number): number => Math.max(16, 2 ** Math.ceil(Math.log2(byteLength)));
    /** Slices in use, with the bytes that were asked for. */
    const live = new Map<Slice, { tag: number; byteLength: number }>();
    let earlier = pool.stats;
    for (let step = 0; step < 20_000; step++) {
      const slice = live.size > 0 ? random.pick([...live.keys()]) : undefined;
      const byteLength = Math.floor(2 ** (random.next() * 13));
      if (slice) assertEquals([slice.at(0), slice.at(-1)], Array(2).fill(live.get(slice)!.tag));
      if (slice && random.once(4)) {
        slice.byteLength = 1; // does not confuse it
        pool.realloc(slice, 0);
        live.delete(slice);
      } else {
        const isResized = slice && (random.once(3) || live.size > 60);
        const isWithin = isResized && pool.isFromPool(slice) && slotOf(byteLength) === slice.maxByteLength;
        const before = [slice?.byteOffset, slice?.length && slice.at(0)];
        const changed = isResized ? pool.realloc(slice, byteLength) : pool.realloc(byteLength);
        if (isWithin) assertEquals([changed.byteOffset, changed.at(0)], before);
        live.set(changed, { tag: step & 255, byteLength });
        changed.toBytes().fill(step);
      }
      if (step % 50 > 0) continue;
      const pooled = [...live].filter(([slice]) => pool.isFromPool(slice));
      for (const [{ maxByteLength }, { byteLength }] of pooled) assertEquals(maxByteLength, slotOf(byteLength));
      const size = pooled.reduce((sum, [{ maxByteLength }]) => sum + maxByteLength, 0);
      const requested = pooled.reduce((sum, [, { byteLength }]) => sum + byteLength, 0);
      const { buckets, poolUsed, poolCount, ...stats } = pool.stats;
      assert(poolUsed >= earlier.poolUsed && poolCount >= earlier.poolCount && poolUsed <= 64 * KIB);
      earlier = pool.stats;
      assertEquals(buckets.reduce((sum, { free, used, size }) => sum + (free + used) * size, 0), poolUsed);
      assertEquals(buckets.reduce((sum, { free, used }) => sum + free + used, 0), poolCount);
      const used = sizes.map((size) => pooled.filter(([{ maxByteLength }]) => maxByteLength === size).length);
      assertEquals(buckets.map((bucket) => bucket.used), used);
      const ratio = requested === 0 ? 1 : size / requested;
      assertEquals(stats, { size, padding: size - requested, ratio, poolTotal: 64 * KIB, poolSize: size });
      assertEquals(pool.size, size);
    }
    for (const slice of live.keys()) pool.realloc(slice, 0);
    assertEquals([pool.size, pool.stats.padding, pool.stats.ratio], [0, 0, 1]);
  });

  it("throws a TypeError for a slice that is freed twice", () => {
    const pool = new PoolAllocator(MIB);
    for (const byteLength of [10, LARGEST_SLOT + 1]) {
      const slice = pool.realloc(byteLength);
      const copy = new Slice(slice.buffer, slice.byteOffset, slice.byteLength, slice.maxByteLength);
      pool.realloc(slice, 0);
      assertThrows(() => pool.realloc(slice, 0), TypeError, "Cannot free this slice: it is free already");
      assertThrows(() => pool.realloc(copy, 0), TypeError, "Cannot resize this slice");
      assertThrows(() => pool.realloc(copy, 20), TypeError, "Cannot resize this slice");
    }
    assertEquals(pool.size, 0);
  });

  it("changes nothing for a frozen slice", () => {
    const pool = new PoolAllocator(KIB);
    const slice = Object.freeze(pool.realloc(64));
    for (const byteLength of [0, 10, 50, 100]) {
      assertThrows(() => pool.realloc(slice, byteLength), TypeError);
      assertThrows(() => pool.realloc(Slice.EMPTY, byteLength), TypeError);
    }
    assertEquals([pool.size, pool.stats.padding], [64, 0]);
  });

  it("throws a TypeError for a slice that is not its own, even where slots are free", () => {
    const pool = new PoolAllocator(KIB);
    const slice = pool.realloc(64);
    pool.realloc(pool.realloc(16), 0);
    const { buffer, byteOffset } = slice;
    const foreign = {
      "of another pool": new PoolAllocator(KIB).realloc(64),
      "of another pool, with a buffer of its own": new PoolAllocator(0).realloc(64),
      "made by hand": new Slice(new Uint8Array(64)),
      "made by hand, of the smallest slot": new Slice(new Uint8Array(16)),
      "of the pool, but later in a slot": new Slice(buffer, byteOffset + 16, 48),
      "of the pool, but between slots": new Slice(buffer, byteOffset + 1, 16, 16),
      "of the pool, but of another size": new Slice(buffer, byteOffset, 32),
      "of the pool, but never handed out": new Slice(buffer, 512, 64),
      "of the pool, but of a slot that is free": new Slice(buffer, 64, 1),
    };
    for (const [name, other] of Object.entries(foreign)) {
      for (const byteLength of [0, 10, 64, 100, LARGEST_SLOT + 1]) {
        const { message } = assertThrows(() => pool.realloc(other, byteLength), TypeError, undefined, name);
        assertEquals(message, "Cannot resize this slice: it is not of this pool, or free already");
      }
      assert(other.buffer.length > 0);
    }
    assertThrows(() => pool.realloc(Slice.EMPTY, 64), TypeError);
    assertEquals([pool.size, pool.stats.padding, pool.stats.poolUsed], [64, 0, 80]);
    pool.realloc(slice, 0);
  });

  it("uses memory of the caller, as large as it was", () => {
    const buffer = new ArrayBuffer(KIB, { maxByteLength: 2 * KIB });
    const shared = new SharedArrayBuffer(KIB, { maxByteLength: 2 * KIB });
    for (const memory of [new Uint8Array(buffer), new DataView(buffer), Buffer.alloc(KIB), buffer, shared]) {
      const pool = new PoolAllocator(memory);
      if (memory === buffer) buffer.resize(2 * KIB);
      if (memory === shared) shared.grow(2 * KIB);
      const slices = [pool.realloc(KIB), pool.realloc(16)];
      assertEquals([...slices.map((slice) => pool.isFromPool(slice)), pool.stats.poolTotal], [true, false, KIB]);
    }
    const part = new PoolAllocator(new Uint8Array(buffer, 100, 50));
    const slices = [part.realloc(16), part.realloc(16), part.realloc(16), part.realloc(16)];
    assertEquals(slices.map((slice) => part.isFromPool(slice)), [true, true, true, false]);
    slices[0].write("text");
    assertEquals(new TextDecoder().decode(new Uint8Array(buffer, 100, 4)), "text");
  });

  it("throws for any other argument", () => {
    for (const total of [-1, 0.5, NaN, Infinity, 2 ** 32 + 1]) {
      const message = `Cannot make a pool of ${total} bytes: expected an integer from 0 to 4294967296`;
      assertEquals(assertThrows(() => new PoolAllocator(total), RangeError).message, message);
    }
    assertThrows(() => new PoolAllocator(new ArrayBuffer(2 ** 32 + 1)), RangeError, "Cannot make a pool");
    for (const bad of [null, "10", {}, []] as unknown as number[]) {
      const message = "Cannot make a pool of this argument: expected a number, a buffer or a view";
      assertEquals(assertThrows(() => new PoolAllocator(bad), TypeError).message, message);
    }
  });

  it("frees its memory when it is disposed, and allocates no more", () => {
    const pool = new PoolAllocator(KIB);
    const slice = pool.realloc(100);
    const large = pool.realloc(2 * KIB);
    const { buffer } = slice.buffer;
    const { buffer: own } = large.buffer;
    for (let times = 0; times < 2; times++) {
      pool[Symbol.dispose]();
      const { size, padding, poolTotal, poolUsed, poolCount } = pool.stats;
      assertEquals([buffer.byteLength, pool.size, pool.isFromPool(slice)], [0, 0, false]);
      assertEquals([size, padding, poolTotal, poolUsed, poolCount], [0, 0, 0, 0, 0]);
    }
    slice[Symbol.dispose]();
    for (const call of [() => pool.realloc(1), () => pool.realloc(large, 1)]) {
      assertThrows(call, TypeError, "Cannot allocate: the pool is disposed");
    }
    assertEquals(own.byteLength, 2 * KIB);
    pool.realloc(large, 0);
    assertEquals(own.byteLength, 0);
  });

  it("gets slices back that are declared with `using`, from whichever pool they are", () => {
    const pools = [new PoolAllocator(KIB), new PoolAllocator(KIB)];
    const kept = pools[0].realloc(16);
    {
      using small = pools[0].realloc(100);
      using large = pools[0].realloc(2 * KIB);
      using freed = pools[0].realloc(100);
      using other = pools[1].realloc(16);
      pools[0].realloc(freed, 0);
      const areOfPools = [small, large, freed, other].map((slice, i) => pools[i === 3 ? 1 : 0].isFromPool(slice));
      assertEquals([areOfPools, pools.map(({ size }) => size)], [[true, false, false, true], [144, 16]]);
    }
    assertEquals([pools.map(({ size }) => size), kept.byteLength], [[16, 0], 16]);
    const memory = new Uint8Array(KIB);
    let slice: Slice;
    {
      using pool = new PoolAllocator(memory);
      slice = pool.realloc(100);
    }
    slice[Symbol.dispose]();
    assertEquals([memory.length, slice.byteLength], [KIB, 0]); // the memory is its caller's
  });
});
