import { assert, assertEquals, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { Buffer } from "node:buffer";
import { Random } from "../../bench/support/random.ts";
import { PoolAllocator } from "../../pool_allocator.ts";
import { Slice } from "../../slice.ts";
import { loadFreshWith } from "../support/modules.ts";

const KIB = 1024;
const MIB = KIB * KIB;
const NO_LENGTHS = [-1, 0.5, NaN, Infinity, 2 ** 53];
const LARGEST_SLOT = 256 * KIB;

function copyOf({ buffer, byteOffset, byteLength, maxByteLength }: Slice): Slice {
  return new Slice(buffer, byteOffset, byteLength, maxByteLength);
}

describe("PoolAllocator", () => {
  it("has slots of powers of two", () => {
    const pool = new PoolAllocator(MIB);
    const cases = [[1, 16], [10, 16], [16, 16], [17, 32], [64, 64], [65, 128], [4096, 4096], [4097, 8192]];
    for (const [byteLength, slot] of [...cases, [200_000, LARGEST_SLOT], [LARGEST_SLOT, LARGEST_SLOT]]) {
      const slice = pool.realloc(byteLength);
      assertEquals([slice.byteLength, slice.maxByteLength], [byteLength, slot]);
      assert(pool.isFromPool(slice));
    }
  });

  it("returns an empty slice for 0 bytes", () => {
    const pool = new PoolAllocator(KIB);
    const slice = pool.realloc(0);
    assertEquals([slice.byteLength, pool.isFromPool(slice), pool.size], [0, false, 0]);
    assertEquals(pool.realloc(slice, 0), slice);
  });

  it("allocates and frees by name", () => {
    const pool = new PoolAllocator(KIB);
    const slice = pool.alloc(100);
    assertEquals([slice.byteLength, slice.maxByteLength, pool.size], [100, 128, 128]);
    assertEquals(pool.free(slice), undefined);
    assertEquals([slice.byteLength, slice.maxByteLength, pool.size], [0, 0, 0]);
    assertThrows(() => pool.free(slice), TypeError, "Cannot free this slice: it is free already");
    assertEquals([pool.alloc(0).byteLength, pool.alloc(2 * MIB).byteLength, pool.size], [0, 2 * MIB, 0]);
  });

  it("allocates nothing for an argument of a wrong type", () => {
    const pool = new PoolAllocator(KIB);
    for (const byteLength of [...NO_LENGTHS, "16", undefined, null, {}, new Slice()] as number[]) {
      assertThrows(() => pool.alloc(byteLength), RangeError, "expected an integer from 0 up");
    }
    for (const slice of [16, "16", undefined, null, new Slice(new Uint8Array(4))] as Slice[]) {
      assertThrows(() => pool.free(slice), TypeError);
    }
    assertEquals([pool.size, pool.stats.poolCount], [0, 0]);
  });

  it("fills the slice it is given", () => {
    const pool = new PoolAllocator(KIB);
    const slice = new Slice();
    assert(pool.realloc(slice, 10) === slice);
    assertEquals([slice.byteLength, slice.maxByteLength], [10, 16]);
    assert(pool.realloc(slice, 0) === slice);
    assertEquals([slice.byteLength, slice.maxByteLength, slice.buffer.length], [0, 0, 0]);
    assert(pool.realloc(slice, 20) === slice);
    assertEquals([slice.byteLength, slice.maxByteLength], [20, 32]);
  });

  it("moves nothing within a slot", () => {
    const pool = new PoolAllocator(KIB);
    const slice = pool.realloc(20);
    slice.write("contents");
    const { byteOffset } = slice;
    for (const byteLength of [32, 17, 25]) {
      pool.realloc(slice, byteLength);
      assertEquals([slice.byteOffset, slice.byteLength, slice.maxByteLength], [byteOffset, byteLength, 32]);
    }
    assertEquals(slice.toString("utf-8", 0, 8), "contents");
  });

  it("reuses a slot that was freed", () => {
    const pool = new PoolAllocator(KIB);
    const first = pool.realloc(100);
    const { byteOffset } = first;
    pool.realloc(100);
    pool.realloc(first, 0);
    assertEquals(pool.realloc(128).byteOffset, byteOffset);
    assertEquals(pool.stats.poolUsed, 256);
  });

  it("gives a buffer of its own to a large slice, and to any slice once the pool is used up", () => {
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

  it("keeps a buffer of its own while it is used by more than half", () => {
    const pool = new PoolAllocator(MIB);
    const slice = pool.realloc(MIB);
    const { buffer } = slice;
    pool.realloc(slice, MIB / 2 + 1);
    assert(slice.buffer === buffer);
    assertEquals(slice.byteLength, MIB / 2 + 1);
    pool.realloc(slice, MIB / 2);
    assert(slice.buffer !== buffer);
    assertEquals(buffer.length, 0, "detached");
    pool.realloc(slice, 100);
    assert(pool.isFromPool(slice));
    pool.realloc(slice, MIB);
    assertEquals([pool.isFromPool(slice), pool.size], [false, 0]);
    const last = slice.buffer;
    pool.realloc(slice, 0);
    assertEquals([slice.byteLength, last.length], [0, 0]);
  });

  it("counts slots of every size", () => {
    const pool = new PoolAllocator(MIB);
    let size = 0;
    for (let slot = 16; slot <= LARGEST_SLOT; slot *= 2) {
      pool.realloc(slot);
      assertEquals(pool.size, size += slot);
    }
    assertEquals(pool.stats.poolCount, 15);
  });

  it("counts what is in use in stats", () => {
    const pool = new PoolAllocator(MIB);
    assertEquals([pool.stats.ratio, pool.stats.padding, pool.stats.poolCount], [1, 0, 0]);
    const small = pool.realloc(10);
    const other = pool.realloc(100);
    pool.realloc(pool.realloc(100), 0);
    pool.realloc(LARGEST_SLOT + 1);
    const { buckets, ...rest } = pool.stats;
    assertEquals(rest, {
      size: 144,
      padding: 34,
      ratio: 144 / 110,
      poolTotal: MIB,
      poolUsed: 272,
      poolSize: 144,
      poolCount: 3,
    });
    assertEquals(buckets.map(({ size }) => size), Array.from({ length: 15 }, (_, i) => 2 ** (i + 4)));
    assertEquals(buckets[0], { free: 0, used: 1, size: 16 });
    assertEquals(buckets[3], { free: 1, used: 1, size: 128 });

    pool.realloc(small, 16);
    assertEquals([pool.size, pool.stats.padding], [144, 28]);
    small.byteLength = 3; // does not confuse it
    pool.realloc(small, 0);
    pool.realloc(other, 0);
    assertEquals([pool.size, pool.stats.padding, pool.stats.ratio, pool.stats.poolUsed], [0, 0, 1, 272]);
  });

  it("never allocates a byte twice", () => {
    const random = new Random(4);
    const pool = new PoolAllocator(64 * KIB);
    const live = new Map<Slice, number>();
    let requested = 0;
    for (let step = 0; step < 20_000; step++) {
      const [slice = undefined] = live.size > 0 ? [random.pick([...live.keys()])] : [];
      if (slice) {
        const tag = live.get(slice)!;
        assertEquals([slice.at(0), slice.at(-1)], [tag, tag]);
      }
      const byteLength = Math.floor(2 ** (random.next() * 13));
      const next = slice && random.next() < 0.3 ? pool.realloc(slice, byteLength) : undefined;
      if (slice && !next && (random.next() < 0.45 || live.size > 60)) {
        pool.realloc(slice, 0);
        live.delete(slice);
      } else {
        const target = next ?? pool.realloc(byteLength);
        assert(target.byteOffset + target.maxByteLength <= target.buffer.length);
        target.toBytes().fill(step);
        live.set(target, step & 255);
      }
    }
    const pooled = [...live.keys()].filter((slice) => pool.isFromPool(slice));
    for (const slice of pooled) requested += slice.byteLength;
    assertEquals(pool.size, pooled.reduce((sum, { maxByteLength }) => sum + maxByteLength, 0));
    assertEquals(pool.stats.padding, pool.size - requested);
    for (const slice of live.keys()) pool.realloc(slice, 0);
    assertEquals([pool.size, pool.stats.padding], [0, 0]);
  });

  it("throws a TypeError for a slice that is freed twice", () => {
    const pool = new PoolAllocator(MIB);
    for (const byteLength of [10, LARGEST_SLOT + 1]) {
      const slice = pool.realloc(byteLength);
      const copy = copyOf(slice);
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

  it("throws a TypeError for a slice that is not its own", () => {
    const pool = new PoolAllocator(KIB);
    const slice = pool.realloc(64);
    const { buffer, byteOffset } = slice;
    const foreign = {
      "of another pool": new PoolAllocator(KIB).realloc(64),
      "of another pool, with a buffer of its own": new PoolAllocator(0).realloc(64),
      "made by hand": new Slice(new Uint8Array(64)),
      "of the pool, but later in a slot": new Slice(buffer, byteOffset + 16, 48),
      "of the pool, but between slots": new Slice(buffer, byteOffset + 1, 16, 16),
      "of the pool, but of another size": new Slice(buffer, byteOffset, 32),
      "of the pool, but never handed out": new Slice(buffer, 512, 64),
    };
    for (const [name, other] of Object.entries(foreign)) {
      for (const byteLength of [0, 10, 64, 100, LARGEST_SLOT + 1]) {
        assertThrows(() => pool.realloc(other, byteLength), TypeError, "Cannot resize this slice", name);
      }
    }
    assertThrows(() => pool.realloc(Slice.EMPTY, 64), TypeError);
    assertEquals([pool.size, pool.stats.padding, pool.stats.poolUsed], [64, 0, 64]);
    pool.realloc(slice, 0);
  });

  for (const byteLength of NO_LENGTHS) {
    it(`throws a RangeError for ${byteLength} bytes`, () => {
      const pool = new PoolAllocator(KIB);
      const slice = pool.realloc(16);
      assertThrows(() => pool.realloc(byteLength), RangeError, `Cannot allocate ${byteLength} bytes`);
      assertThrows(() => pool.realloc(slice, byteLength), RangeError, `Cannot allocate ${byteLength} bytes`);
      assertEquals([pool.size, slice.byteLength], [16, 16]);
    });
  }

  it("uses memory of the caller", () => {
    const buffer = new ArrayBuffer(KIB);
    const kinds = {
      "ArrayBuffer": [buffer, 0],
      "SharedArrayBuffer": [new SharedArrayBuffer(KIB), 0],
      "Buffer": [Buffer.alloc(KIB), 0],
      "Uint8Array": [new Uint8Array(buffer), 0],
      "DataView": [new DataView(buffer), 0],
    } as const;
    for (const [memory] of Object.values(kinds)) {
      const pool = new PoolAllocator(memory);
      const slice = pool.realloc(KIB);
      assertEquals([pool.isFromPool(slice), pool.stats.poolTotal], [true, KIB]);
      assertEquals(pool.isFromPool(pool.realloc(16)), false);
    }
    const part = new PoolAllocator(new Uint8Array(buffer, 100, 50));
    const slices = [part.realloc(16), part.realloc(16), part.realloc(16), part.realloc(16)];
    assertEquals(slices.map((slice) => part.isFromPool(slice)), [true, true, true, false]);
    slices[0].write("text");
    assertEquals(new TextDecoder().decode(new Uint8Array(buffer, 100, 4)), "text");
  });

  it("does not grow with memory of the caller", () => {
    const resizable = new ArrayBuffer(32, { maxByteLength: KIB });
    const growable = new SharedArrayBuffer(32, { maxByteLength: KIB });
    for (const [memory, grow] of [[resizable, () => resizable.resize(KIB)], [growable, () => growable.grow(KIB)]]) {
      const pool = new PoolAllocator(memory as ArrayBufferLike);
      (grow as () => void)();
      assertEquals(pool.stats.poolTotal, 32);
      const slices = [pool.realloc(16), pool.realloc(16), pool.realloc(16)];
      assertEquals(slices.map((slice) => pool.isFromPool(slice)), [true, true, false]);
      for (const slice of slices) pool.realloc(slice, 0);
      assertEquals(pool.size, 0);
    }
  });

  it("has 128 MiB by default", () => {
    assertEquals(new PoolAllocator().stats.poolTotal, 128 * MIB);
  });

  it("throws for any other argument", () => {
    for (const total of [-1, 0.5, NaN, Infinity, 2 ** 32 + 1]) {
      assertThrows(() => new PoolAllocator(total), RangeError, "Cannot make a pool");
    }
    assertThrows(() => new PoolAllocator(new ArrayBuffer(2 ** 32 + 1)), RangeError, "Cannot make a pool");
    for (const bad of [null, "10", {}, []]) {
      assertThrows(() => new PoolAllocator(bad as unknown as number), TypeError, "Cannot make a pool");
    }
  });

  it("isFromPool() returns false for null, undefined and empty slices", () => {
    const pool = new PoolAllocator(KIB);
    assertEquals([null, undefined, new Slice(), Slice.EMPTY].map((slice) => pool.isFromPool(slice)), [
      false,
      false,
      false,
      false,
    ]);
  });

  it("frees its memory and its slices when it is disposed", () => {
    const pool = new PoolAllocator(KIB);
    const slice = pool.realloc(100);
    const { buffer } = slice.buffer;
    pool[Symbol.dispose]();
    assertEquals([buffer.byteLength, pool.size, pool.stats.poolTotal, pool.isFromPool(slice)], [0, 0, 0, false]);
    pool[Symbol.dispose]();
    slice[Symbol.dispose]();
  });

  it("leaves memory of its caller alone when it is disposed", () => {
    const memory = new ArrayBuffer(KIB);
    {
      using pool = new PoolAllocator(memory);
      pool.realloc(100);
    }
    assertEquals(memory.byteLength, KIB);
  });

  it("allocates nothing once it is disposed, and frees slices with a buffer of their own", () => {
    const pool = new PoolAllocator(KIB);
    const large = pool.realloc(2 * KIB);
    const { buffer } = large.buffer;
    pool[Symbol.dispose]();
    assertThrows(() => pool.realloc(1), TypeError, "Cannot allocate: the pool is disposed");
    assertThrows(() => pool.realloc(large, 1), TypeError, "Cannot allocate: the pool is disposed");
    assertEquals(buffer.byteLength, 2 * KIB);
    pool.realloc(large, 0);
    assertEquals(buffer.byteLength, 0);
  });

  it("gets slices back that are declared with `using`", () => {
    const pool = new PoolAllocator(KIB);
    {
      using small = pool.realloc(100);
      using large = pool.realloc(2 * KIB);
      assertEquals([pool.isFromPool(small), pool.isFromPool(large), pool.size], [true, false, 128]);
    }
    assertEquals(pool.size, 0);
  });

  it("takes slices that are freed within their block", () => {
    const pool = new PoolAllocator(KIB);
    {
      using slice = pool.realloc(100);
      pool.realloc(slice, 0);
    }
    assertEquals(pool.size, 0);
  });

  it("gets a slice back from whichever pool it is of", () => {
    const pools = [new PoolAllocator(KIB), new PoolAllocator(KIB)];
    const slices = pools.map((pool) => pool.realloc(16));
    slices[1][Symbol.dispose]();
    assertEquals(pools.map(({ size }) => size), [16, 0]);
  });

  it("has no method for `using` in an engine without Symbol.dispose", async () => {
    const globals = { Symbol: { iterator: Symbol.iterator } };
    const { PoolAllocator } = await loadFreshWith<typeof import("../../pool_allocator.ts")>(
      "pool_allocator.ts",
      globals,
    );
    assertEquals(
      Reflect.ownKeys(PoolAllocator.prototype).filter((key) => typeof key === "symbol" || key === "undefined"),
      [],
    );
  });
});

describe("a PoolAllocator in detail", () => {
  it("keeps a buffer of its own for lengths that fit it, and frees it for others", () => {
    const pool = new PoolAllocator(64);
    const first = pool.realloc(64);
    const slice = pool.realloc(64);
    const { buffer } = slice;
    assertEquals([pool.isFromPool(slice), buffer.length], [false, 64]);
    pool.realloc(first, 0);
    pool.realloc(slice, 64);
    assertEquals([pool.isFromPool(slice), buffer.length], [false, 64], "it still fits its buffer");
    pool.realloc(slice, 65);
    pool.realloc(slice, 33);
    assertEquals([pool.isFromPool(slice), slice.byteOffset, buffer.length], [false, 0, 0]);
  });

  it("cuts no slot while one is free", () => {
    const pool = new PoolAllocator(1024);
    pool.realloc(pool.realloc(16), 0);
    const slice = pool.realloc(1025);
    const { buffer } = slice;
    pool.realloc(slice, 16);
    assertEquals([pool.isFromPool(slice), slice.byteLength, buffer.length], [true, 16, 0]);
    assertEquals([pool.stats.poolUsed, pool.stats.poolCount], [16, 1]);
  });

  it("frees a buffer of one byte", () => {
    const pool = new PoolAllocator(0);
    const slice = pool.realloc(1);
    const { buffer } = slice;
    pool.realloc(slice, 0);
    assertEquals(buffer.length, 0);
  });

  it("does not resize a slice made by hand, even where slots are free", () => {
    const pool = new PoolAllocator(1024);
    const own = pool.realloc(16);
    pool.realloc(pool.realloc(16), 0);
    const slices = [
      new Slice(new Uint8Array(16)),
      new Slice(own.buffer, 1, 16),
      new Slice(own.buffer, 15, 16),
      new Slice(own.buffer, 16, 1),
      new Slice(own.buffer, 64, 1),
    ];
    for (const slice of slices) {
      const { message } = assertThrows(() => pool.realloc(slice, 8), TypeError);
      assertEquals(message, "Cannot resize this slice: it is not of this pool, or free already");
    }
    assertEquals([pool.size, slices[0].buffer.length], [16, 16]);
  });

  it("leaves memory of its caller alone when a slice is disposed after the pool", () => {
    const memory = new Uint8Array(64);
    const pool = new PoolAllocator(memory);
    const slice = pool.realloc(16);
    pool[Symbol.dispose]();
    slice[Symbol.dispose]();
    assertEquals([memory.length, slice.byteLength], [64, 0]);
  });

  it("has nothing in its stats once it is disposed", () => {
    const pool = new PoolAllocator(64);
    pool.realloc(16);
    pool[Symbol.dispose]();
    const { size, padding, poolTotal, poolUsed, poolCount } = pool.stats;
    assertEquals([size, padding, poolTotal, poolUsed, poolCount], [0, 0, 0, 0, 0]);
  });

  const disposed = new PoolAllocator(0);
  disposed[Symbol.dispose]();
  const pool = new PoolAllocator(64);
  const freed = pool.realloc(16);
  pool.realloc(freed, 0);
  const failures: [call: () => unknown, message: string][] = [
    [() => disposed.realloc(1), "Cannot allocate: the pool is disposed"],
    [() => pool.realloc(freed, 0), "Cannot free this slice: it is free already"],
    [
      () => new PoolAllocator(2 ** 40),
      "Cannot make a pool of 1099511627776 bytes: expected an integer from 0 to 4294967296",
    ],
    [
      () => new PoolAllocator("1" as unknown as number),
      "Cannot make a pool of this argument: expected a number, a buffer or a view",
    ],
  ];
  for (const [call, expected] of failures) {
    it(`fails with the message "${expected}"`, () => {
      assertEquals(assertThrows(call, Error).message, expected);
    });
  }
});
