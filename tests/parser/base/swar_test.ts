/**
 * Words of four bytes in `parser/base/swar.ts`: masks of bytes, and the byte loops built on them.
 */

import { assert, assertEquals, assertStrictEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import {
  countHighBits,
  FALSE_TAIL,
  FOUR_BYTE_SEQUENCE,
  FOUR_SPACES,
  hasZeroByte,
  HIGH_BITS,
  lowestByte,
  needsAttention,
  nonDigits,
  NULL,
  skipPlain,
  skipPlainBytes,
  skipText,
  TRUE,
  ZEROS,
} from "../../../parser/base/swar.ts";
import { utf8 } from "../../support/bytes.ts";
import { type Random, withSeeds } from "../../support/random.ts";

const LANES = [0, 1, 2, 3];

/**
 * Bytes at which words tend to err: the limits of every test that is made of them, and of carries.
 */
const CRITICAL = [0, 1, 2, 8, 9, 0x1f, 0x20, 0x21, 0x22, 0x23, 0x24, 0x2f, 0x30, 0x39, 0x3a, 0x5b, 0x5c, 0x5d, 0x7f];
CRITICAL.push(0x80, 0x81, 0xc0, 0xf0, 0xfe, 0xff);

/** Returns the little-endian word of four bytes. */
function wordOf(bytes: ArrayLike<number>): number {
  return new DataView(Uint8Array.from(bytes).buffer).getInt32(0, true);
}

/** Returns whether a byte stands for itself in a JSON string, according to `JSON.parse`. */
function isPlain(byte: number): boolean {
  if (byte >= 0x80) return false;
  try {
    return JSON.parse(`"${String.fromCharCode(byte)}"`).length === 1;
  } catch {
    return false;
  }
}

const PLAIN = Array.from({ length: 256 }, (_, byte) => isPlain(byte));
/** Bytes that a token may have between its quotes, apart from a backslash. */
const TEXT = PLAIN.map((isPlain, byte) => isPlain || byte >= 0x80);

function isDigit(byte: number): boolean {
  return "0123456789".includes(String.fromCharCode(byte));
}

/**
 * Calls `check` with words: every byte in each lane, every two neighbours, and random critical
 * bytes.
 */
function forWords(filler: number, check: (bytes: number[]) => void): void {
  for (const lane of LANES) {
    for (let byte = 0; byte < 256; byte++) check(LANES.map((other) => other === lane ? byte : filler));
  }
  for (const lane of [0, 1, 2]) {
    for (let pair = 0; pair < 0x10000; pair++) {
      check(LANES.map((other) => other === lane ? pair & 0xff : other === lane + 1 ? pair >> 8 : filler));
    }
  }
  withSeeds(20_000, (random) => check(LANES.map(() => random.pick(CRITICAL))));
}

/** Checks a mask up to and including its lowest mark, where it is exact. */
function assertLowestMark(mask: number, bytes: number[], isMarked: (byte: number) => boolean): void {
  assertStrictEquals(mask & ~HIGH_BITS, 0);
  const expected = bytes.findIndex(isMarked);
  const actual = LANES.findIndex((lane) => (mask >>> 8 * lane & 0x80) !== 0);
  if (actual !== expected) throw new Error(`bytes ${bytes}: lowest mark in lane ${actual}, not ${expected}`);
}

describe("TRUE, FALSE_TAIL, NULL and FOUR_SPACES", () => {
  it("are the words of their texts", () => {
    assertEquals(
      [TRUE, FALSE_TAIL, NULL, FOUR_SPACES],
      ["true", "alse", "null", "    "].map((text) => wordOf(utf8(text))),
    );
  });
});

describe("FOUR_BYTE_SEQUENCE", () => {
  it("has the marker bits of a character of four bytes", () => {
    for (const character of ["\u{10000}", "😀", "\u{10ffff}"]) {
      assertStrictEquals(wordOf(utf8(character)) & 0xc0c0c0f8 | 0, FOUR_BYTE_SEQUENCE);
    }
  });
});

describe("needsAttention()", () => {
  it("marks quotes, backslashes, control bytes and non-ASCII bytes", () => {
    for (const lane of LANES) {
      for (let byte = 0; byte < 256; byte++) {
        const mask = needsAttention(wordOf(LANES.map((other) => other === lane ? byte : 0x61)));
        assertStrictEquals((mask >>> 8 * lane & 0x80) === 0, PLAIN[byte], `byte ${byte} in lane ${lane}`);
      }
    }
  });

  it("is exact up to the lowest mark, whatever bytes stand together", () => {
    for (const filler of [0x61, 0x23, 0x5d, 0x7f]) {
      forWords(filler, (bytes) => assertLowestMark(needsAttention(wordOf(bytes)), bytes, (byte) => !PLAIN[byte]));
    }
  });
});

describe("nonDigits()", () => {
  it("is exact up to the lowest mark, whatever bytes stand together", () => {
    for (const filler of [0x30, 0x39]) {
      forWords(filler, (bytes) => {
        assertLowestMark(nonDigits(wordOf(bytes) ^ ZEROS), bytes, (byte) => !isDigit(byte));
      });
    }
  });
});

describe("lowestByte()", () => {
  it("returns the lane of the lowest byte that is not 0", () => {
    for (const lane of LANES) {
      for (let byte = 1; byte < 256; byte++) {
        for (const above of [0, 1, 0x80, 0xff]) {
          const bytes = LANES.map((other) => other < lane ? 0 : other === lane ? byte : above);
          assertStrictEquals(lowestByte(wordOf(bytes)), lane, `bytes ${bytes}`);
        }
      }
    }
  });
});

describe("countHighBits()", () => {
  it("counts bytes of 0x80 and above", () => {
    forWords(0x7f, (bytes) => {
      const expected = bytes.filter((byte) => byte >= 0x80).length;
      if (countHighBits(wordOf(bytes)) !== expected) throw new Error(`bytes ${bytes}: not ${expected}`);
    });
  });
});

describe("hasZeroByte()", () => {
  it("is exact, whatever bytes stand together", () => {
    forWords(1, (bytes) => {
      if (hasZeroByte(wordOf(bytes)) !== bytes.includes(0)) throw new Error(`bytes ${bytes}`);
    });
  });
});

/** Plain ASCII with a critical byte here and there. */
function mostlyPlain(random: Random): Uint8Array<ArrayBuffer> {
  return Uint8Array.from({ length: random.below(24) }, () => random.once(8) ? random.pick(CRITICAL) : 0x61);
}

/** Functions that skip bytes, and the bytes that they skip. */
type Skip = (bytes: Uint8Array<ArrayBuffer>, p: number, end: number) => number;
const SKIPS: { name: string; skip: Skip; skipped: boolean[] }[] = [
  { name: "skipPlainBytes()", skip: skipPlainBytes, skipped: PLAIN },
  {
    name: "skipPlain()",
    skip: (bytes, p, end) => skipPlain(bytes, new DataView(bytes.buffer), p, end),
    skipped: PLAIN,
  },
  { name: "skipText()", skip: (bytes, p, end) => skipText(bytes, new DataView(bytes.buffer), p, end), skipped: TEXT },
];

for (const { name, skip, skipped } of SKIPS) {
  describe(name, () => {
    it("stops at each byte that it does not skip, in every place", () => {
      for (let place = 0; place < 9; place++) {
        for (let byte = 0; byte < 256; byte++) {
          const bytes = new Uint8Array(12).fill(0x61);
          bytes[place] = byte;
          assertStrictEquals(skip(bytes, 0, 12), skipped[byte] ? 12 : place, `byte ${byte} at ${place}`);
        }
      }
    });

    it("returns the end where every byte is plain, and looks no further", () => {
      const bytes = utf8(`${"a".repeat(20)}"`);
      for (let start = 0; start <= 20; start++) {
        for (let end = start; end <= 20; end++) assertStrictEquals(skip(bytes, start, end), end);
      }
    });

    it("agrees with a look at each byte, from every start to every end", () => {
      withSeeds(300, (random) => {
        const bytes = mostlyPlain(random);
        for (let start = 0; start <= bytes.length; start++) {
          for (let end = start; end <= bytes.length; end++) {
            const stop = bytes.subarray(start, end).findIndex((byte) => !skipped[byte]);
            assert(skip(bytes, start, end) === (stop < 0 ? end : start + stop), `[${bytes}] from ${start} to ${end}`);
          }
        }
      });
    });
  });
}
