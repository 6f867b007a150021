import { assert, assertEquals, assertStrictEquals, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import {
  appendChunk,
  type ChunkBuffer,
  newChunkBuffer,
  releaseChunkBuffer,
  reserveBytes,
  USUAL_SIZE,
} from "../../../parser/streaming/chunk_buffer.ts";
import { utf8 } from "../../support/bytes.ts";
import { withoutMemory } from "../../support/memory_limit.ts";

/** Makes a buffer that is full of bytes, without a period. `arriving` bytes were expected. */
function fullBuffer(arriving = 0): ChunkBuffer {
  const buffer = newChunkBuffer();
  reserveBytes(buffer, 0, arriving);
  const chunk = new Uint8Array(buffer.bytes.length);
  for (let i = 0; i < chunk.length; i++) chunk[i] = i + (i >> 8) + (i >> 16);
  assertStrictEquals(appendChunk(buffer, chunk, 0, chunk.length), chunk.length);
  return buffer;
}

describe("reserveBytes()", () => {
  it("moves nothing while there is room", () => {
    const buffer = fullBuffer();
    buffer.end--;
    assertStrictEquals(reserveBytes(buffer, 5, 0), 0);
    assertStrictEquals(buffer.origin, 0);
  });

  it("keeps the bytes from a position on, and counts those that go", () => {
    const buffer = fullBuffer();
    const kept = buffer.bytes.slice(100);
    assertStrictEquals(reserveBytes(buffer, 100, 0), 100);
    assertEquals(buffer.arrived, kept);
    assertEquals([buffer.end, buffer.origin], [kept.length, 100]);
  });

  it("makes a small buffer at first if few bytes arrive, and doubles it if more than half is kept", () => {
    const small = fullBuffer(100);
    assert(small.bytes.length < USUAL_SIZE);
    reserveBytes(small, small.end, 100);
    assertStrictEquals(small.bytes.length, USUAL_SIZE);
    for (const kept of [0, USUAL_SIZE / 2, USUAL_SIZE / 2 + 1, USUAL_SIZE]) {
      const buffer = fullBuffer(USUAL_SIZE);
      const { bytes } = buffer;
      const keptBytes = bytes.slice(USUAL_SIZE - kept);
      assertStrictEquals(reserveBytes(buffer, USUAL_SIZE - kept, 1), USUAL_SIZE - kept);
      assertStrictEquals(buffer.bytes.length, kept > USUAL_SIZE / 2 ? 2 * USUAL_SIZE : USUAL_SIZE);
      assertStrictEquals(buffer.bytes === bytes, kept <= USUAL_SIZE / 2);
      assertStrictEquals(buffer.view.buffer, buffer.bytes.buffer);
      assertEquals([buffer.end, buffer.arrived.length], [kept, kept]);
      assert(buffer.arrived.every((byte, i) => byte === keptBytes[i]));
    }
  });

  it("leaves everything as it was if there is no memory", () => {
    const buffer = fullBuffer();
    const { bytes, end } = buffer;
    assertStrictEquals(
      withoutMemory("Uint8Array", (size) => typeof size === "number", () => reserveBytes(buffer, 9, 0)),
      -1,
    );
    assertStrictEquals(buffer.bytes, bytes);
    assertEquals([buffer.end, buffer.origin], [end, 0]);
  });

  it("makes no buffer of more than 1 GiB", () => {
    for (const [length, expected] of [[2 ** 29, [2 ** 30]], [2 ** 29 + 1, []]] as [number, number[]][]) {
      const buffer = newChunkBuffer();
      // Memory that nobody writes to takes none of the machine's.
      buffer.bytes = new Uint8Array(length);
      buffer.end = length;
      const sizes: unknown[] = [];
      const isDenied = (size: unknown): boolean => typeof size === "number" && sizes.push(size) > 0;
      assertStrictEquals(withoutMemory("Uint8Array", isDenied, () => reserveBytes(buffer, 0, 0)), -1);
      assertEquals(sizes, expected);
    }
  });

  it("does not take the end of the stack, where nothing can be made, for that of memory", () => {
    const buffer = fullBuffer();
    assertThrows(() => withoutMemory("Uint8Array", () => true, () => reserveBytes(buffer, 9, 0)), RangeError);
  });
});

describe("appendChunk()", () => {
  it("takes as many bytes as there is room for", () => {
    const buffer = fullBuffer();
    const size = buffer.bytes.length;
    buffer.end = size - 2;
    assertStrictEquals(appendChunk(buffer, utf8("abcd"), 1, 4), 2);
    assertEquals(buffer.bytes.subarray(size - 2), utf8("bc"));
    assertStrictEquals(buffer.end, size);
  });

  it("takes no more bytes than the chunk has", () => {
    const buffer = fullBuffer();
    buffer.end = 3;
    assertStrictEquals(appendChunk(buffer, utf8("abcd"), 1, 4), 3);
    assertStrictEquals(buffer.end, 6);
    assertEquals(buffer.arrived, buffer.bytes.subarray(0, 6));
    assertEquals(buffer.bytes.slice(3, 6), utf8("bcd"));
  });
});

describe("releaseChunkBuffer()", () => {
  it("refers to no bytes afterwards", () => {
    const buffer = fullBuffer();
    releaseChunkBuffer(buffer);
    assertEquals([buffer.bytes.length, buffer.arrived.length, buffer.end], [0, 0, 0]);
    assertStrictEquals(buffer.view.byteLength, 0);
  });

  it("leaves the bytes of a buffer of the usual size to one other buffer, wiped", () => {
    const buffer = fullBuffer(USUAL_SIZE);
    const { bytes } = buffer;
    reserveBytes(buffer, USUAL_SIZE - 1, 1);
    releaseChunkBuffer(buffer);
    const [second, third] = [newChunkBuffer(), newChunkBuffer()];
    reserveBytes(second, 0, 1);
    reserveBytes(third, 0, 1);
    assertStrictEquals(second.bytes, bytes);
    assert(second.bytes.every((byte) => byte === 0));
    assert(third.bytes !== bytes);
  });

  it("leaves the bytes of a buffer of another size to none", () => {
    releaseChunkBuffer(fullBuffer(USUAL_SIZE));
    reserveBytes(newChunkBuffer(), 0, 1); // takes the bytes left
    const buffer = fullBuffer(1);
    const { bytes } = buffer;
    releaseChunkBuffer(buffer);
    const other = newChunkBuffer();
    reserveBytes(other, 0, 1);
    assert(other.bytes !== bytes);
    assertStrictEquals(other.bytes.length, bytes.length);
  });
});
