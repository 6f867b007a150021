/** Buffer of chunks in `parser/document/chunk_buffer.ts`. */

import { assert, assertEquals, assertStrictEquals, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import {
  appendChunk,
  type ChunkBuffer,
  newChunkBuffer,
  releaseChunkBuffer,
  reserveBytes,
  USUAL_SIZE,
} from "../../../parser/document/chunk_buffer.ts";
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

const isSize = (size: unknown): boolean => typeof size === "number";

describe("reserveBytes()", () => {
  it("moves the kept bytes to the front when the buffer is full, and doubles it if there are many", () => {
    const small = fullBuffer(100);
    assert(small.bytes.length < USUAL_SIZE);
    small.end--;
    assertEquals([reserveBytes(small, 5, 0), small.origin], [0, 0]);
    small.end++;
    reserveBytes(small, small.end, 100);
    assertStrictEquals(small.bytes.length, USUAL_SIZE);
    for (const kept of [0, USUAL_SIZE / 2, USUAL_SIZE / 2 + 1, USUAL_SIZE - 100, USUAL_SIZE]) {
      const buffer = fullBuffer(USUAL_SIZE);
      const { bytes } = buffer;
      const position = USUAL_SIZE - kept;
      const keptBytes = bytes.slice(position);
      assertStrictEquals(reserveBytes(buffer, position, 1), position);
      assertStrictEquals(buffer.bytes.length, kept > USUAL_SIZE / 2 ? 2 * USUAL_SIZE : USUAL_SIZE);
      assertStrictEquals(buffer.bytes === bytes, kept <= USUAL_SIZE / 2);
      assertStrictEquals(buffer.view.buffer, buffer.bytes.buffer);
      assertEquals([buffer.end, buffer.arrived.length, buffer.origin], [kept, kept, position]);
      assert(buffer.arrived.every((byte, i) => byte === keptBytes[i]));
    }
  });

  it("changes nothing when there is no memory, and does not mistake a stack overflow for that", () => {
    const buffer = fullBuffer();
    const { bytes, end } = buffer;
    assertStrictEquals(withoutMemory("Uint8Array", isSize, () => reserveBytes(buffer, 9, 0)), -1);
    assertEquals([buffer.bytes === bytes, buffer.end, buffer.origin], [true, end, 0]);
    assertThrows(() => withoutMemory("Uint8Array", () => true, () => reserveBytes(buffer, 9, 0)), RangeError);
  });

  it("makes no buffer of more than 1 GiB", () => {
    for (const [length, expected] of [[2 ** 29, [2 ** 30]], [2 ** 29 + 1, []]] as [number, number[]][]) {
      // Memory that nobody writes to takes none of the machine's.
      const buffer = { ...newChunkBuffer(), bytes: new Uint8Array(length), end: length };
      const sizes: unknown[] = [];
      const isDenied = (size: unknown): boolean => isSize(size) && sizes.push(size) > 0;
      assertStrictEquals(withoutMemory("Uint8Array", isDenied, () => reserveBytes(buffer, 0, 0)), -1);
      assertEquals(sizes, expected);
    }
  });
});

describe("appendChunk()", () => {
  it("takes as many bytes of the chunk as fit", () => {
    const buffer = fullBuffer();
    const size = buffer.bytes.length;
    for (const [end, taken] of [[3, "bcd"], [size - 2, "bc"]] as const) {
      buffer.end = end;
      assertStrictEquals(appendChunk(buffer, utf8("abcd"), 1, 4), taken.length);
      assertStrictEquals(buffer.end, end + taken.length);
      assertEquals(buffer.arrived, buffer.bytes.subarray(0, buffer.end));
      assertEquals(buffer.bytes.slice(end, buffer.end), utf8(taken));
    }
  });
});

describe("releaseChunkBuffer()", () => {
  it("hands one wiped buffer of the usual size to the next parser, and keeps no reference", () => {
    for (const size of [USUAL_SIZE, 1]) {
      reserveBytes(newChunkBuffer(), 0, 1); // takes what is left
      const buffer = fullBuffer(size);
      const { bytes } = buffer;
      if (size === USUAL_SIZE) reserveBytes(buffer, size - 1, 1);
      releaseChunkBuffer(buffer);
      assertEquals([buffer.bytes.length, buffer.arrived.length, buffer.view.byteLength, buffer.end], [0, 0, 0, 0]);
      const [second, third] = [newChunkBuffer(), newChunkBuffer()];
      reserveBytes(second, 0, 1);
      reserveBytes(third, 0, 1);
      assertEquals([second.bytes === bytes, third.bytes === bytes], [size === USUAL_SIZE, false]);
      assert(second.bytes.every((byte) => byte === 0));
    }
  });
});
