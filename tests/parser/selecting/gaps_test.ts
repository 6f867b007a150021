/** Tables of gaps in `parser/selecting/gaps.ts`. */

import { assert, assertEquals, assertNotEquals, assertStrictEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { needsLineCount } from "../../../parser/base/cursor.ts";
import {
  type GapTable,
  LAST,
  learnGap,
  LENGTH,
  MEMBER,
  newGapTable,
  NEXT,
  NONE,
  START,
  STRIDE,
  WORDS,
} from "../../../parser/selecting/gaps.ts";
import { utf8 } from "../../support/bytes.ts";
import { constantOf } from "../../support/modules.ts";

const PATH = "parser/selecting/gaps.ts";
const MAX_GAPS = constantOf(PATH, "MAX_GAPS");
const MAX_GAP = 4 * (STRIDE - WORDS);

/** Learns a gap that stands between two bytes of an input. */
function learn(table: GapTable, previous: number, gap: string, member: number): number {
  const bytes = utf8("1", gap, "2");
  const view = new DataView(bytes.buffer);
  return learnGap(table, previous, bytes, view, 1, bytes.length - 1, bytes.length, member);
}

/** Returns the bytes that an entry stands for. */
function bytesOf({ words }: GapTable, entry: number): string {
  const length = words[entry + LENGTH];
  const bytes = new Uint8Array(length);
  const view = new DataView(bytes.buffer);
  for (let k = 0; k < length - 4; k += 4) {
    for (let i = k; i < k + 4; i++) bytes[i] = words[entry + WORDS + (k >> 2)] >> 8 * (i - k);
  }
  view.setInt32(length - 4, words[entry + LAST], true);
  return new TextDecoder().decode(bytes);
}

describe("learnGap()", () => {
  it("keeps the bytes of a gap and its member, and predicts it after the one before it", () => {
    const table = newGapTable();
    const gaps = [',"a":', ', "name" : ', ',\n    "é": ', ',"abcd":', ',"abcde":', ',"abcdef":', ',"abcdefg":', ',"":'];
    let previous = START;
    for (const [member, gap] of gaps.entries()) {
      const entry = learn(table, previous, gap, member);
      assertStrictEquals(bytesOf(table, entry), gap);
      assertStrictEquals(table.words[entry + MEMBER], member);
      assertStrictEquals(table.words[previous + NEXT], entry);
      previous = entry;
    }
    assertStrictEquals(table.words[previous + NEXT], NONE);
    assertStrictEquals(table.count, gaps.length + 2);
  });

  it("finds a gap again, and predicts it elsewhere", () => {
    const table = newGapTable();
    const first = learn(table, START, ',"a":', 0);
    const second = learn(table, first, ',"b":', -1);
    assertStrictEquals(learn(table, second, ',"a":', 0), first);
    assertStrictEquals(table.words[second + NEXT], first);
    assertStrictEquals(learn(table, NONE, ',"b":', -1), second);
    assertStrictEquals(table.words[NONE + NEXT], NONE);
    assertStrictEquals(table.count, 4);
  });

  it("takes gaps of 4 to 76 bytes, and as many as the table has room for", () => {
    assertStrictEquals(MAX_GAP, 76);
    const table = newGapTable();
    for (const length of [1, 2, 3, 77, 78, 1_000]) assertStrictEquals(learn(table, START, "x".repeat(length), 0), NONE);
    for (const length of [4, 5, 6, 7, 8, 75, 76]) {
      const entry = learn(table, START, "x".repeat(length), 0);
      assertStrictEquals(bytesOf(table, entry), "x".repeat(length));
    }
    const entries = new Set<number>();
    for (let i = 0; table.count < MAX_GAPS + 2; i++) entries.add(learn(table, START, `,"gap ${i}":`, i));
    assertStrictEquals(entries.size, MAX_GAPS - 7);
    assertStrictEquals(learn(table, START, ',"one more":', 0), NONE);
    for (let i = 0; i < entries.size; i++) assertNotEquals(learn(table, START, `,"gap ${i}":`, i), NONE);
    assertStrictEquals(table.words.length, (MAX_GAPS + 2) * STRIDE);
  });

  it("takes no gap that ends beyond the bytes that may be read", () => {
    const table = newGapTable();
    const bytes = utf8(',"a":1');
    assertStrictEquals(learnGap(table, START, bytes, new DataView(bytes.buffer), 0, 5, 4, 0), NONE);
  });

  it("notes gaps with line ends and with bytes beyond ASCII", () => {
    const gaps = {
      ',"a":': [0, 0],
      ',\n"a":': [1, 0],
      ',\r"a":': [1, 0],
      ',"é":': [0, 1],
      ',\t"~":': [0, 0],
      ',\n"é":': [1, 1],
    };
    for (const [gap, expected] of Object.entries(gaps)) {
      const table = newGapTable();
      for (const previous of [START, NONE]) { // learned, and found again
        needsLineCount.passed = needsLineCount.passedNonAscii = 0;
        assertNotEquals(learn(table, previous, gap, 0), NONE);
        assertEquals([needsLineCount.passed, needsLineCount.passedNonAscii], expected, gap);
        assertEquals([table.hasLineEnd, table.hasNonAscii].map(Number), expected, gap);
      }
    }
    needsLineCount.passed = needsLineCount.passedNonAscii = 0;
  });
});

describe("newGapTable()", () => {
  it("shares what it predicts with nobody", () => {
    const one = newGapTable(), other = newGapTable();
    learn(one, START, ',"a":', 0);
    assertStrictEquals(other.words[START + NEXT], NONE);
    learn(other, START, ',"b":', 0);
    assertStrictEquals(bytesOf(one, one.words[START + NEXT]), ',"a":');
    assert(one.words !== other.words);
  });
});
