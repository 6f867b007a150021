import { assertEquals, assertStrictEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import {
  appendChunk,
  type ChunkBuffer,
  makeRoom,
  newChunkBuffer,
  releaseChunkBuffer,
} from "../../parser/chunk_buffer.ts";
import { utf8 } from "../support/bytes.ts";
import { withoutMemory } from "../support/memory_limit.ts";

/** Makes a buffer that is full of bytes; they count up. */
function fullBuffer(): ChunkBuffer {
  const buffer = newChunkBuffer();
  makeRoom(buffer, 0, 0);
  const chunk = Uint8Array.from(buffer.bytes, (_, i) => i);
  assertStrictEquals(appendChunk(buffer, chunk, 0, chunk.length), chunk.length);
  return buffer;
}

describe("makeRoom()", () => {
  it("moves nothing while there is room", () => {
    const buffer = fullBuffer();
    buffer.end--;
    assertStrictEquals(makeRoom(buffer, 5, 0), 0);
    assertStrictEquals(buffer.origin, 0);
  });

  it("keeps the bytes from a position on, and counts those that go", () => {
    const buffer = fullBuffer();
    const kept = buffer.bytes.slice(100);
    assertStrictEquals(makeRoom(buffer, 100, 0), 100);
    assertEquals(buffer.arrived, kept);
    assertEquals([buffer.end, buffer.origin], [kept.length, 100]);
  });

  it("leaves everything as it was if there is no memory", () => {
    const buffer = fullBuffer();
    const { bytes, end } = buffer;
    assertStrictEquals(
      withoutMemory("Uint8Array", (size) => typeof size === "number", () => makeRoom(buffer, 9, 0)),
      -1,
    );
    assertStrictEquals(buffer.bytes, bytes);
    assertEquals([buffer.end, buffer.origin], [end, 0]);
  });

  it("makes no buffer of more than 1 GiB", () => {
    const buffer = newChunkBuffer();
    // Memory that nobody writes to takes none of the machine's.
    buffer.bytes = new Uint8Array(2 ** 29 + 1);
    buffer.end = buffer.bytes.length;
    assertStrictEquals(makeRoom(buffer, 0, 0), -1);
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
});

describe("releaseChunkBuffer()", () => {
  it("refers to no bytes afterwards", () => {
    const buffer = fullBuffer();
    releaseChunkBuffer(buffer);
    assertEquals([buffer.bytes.length, buffer.arrived.length, buffer.end], [0, 0, 0]);
  });
});
