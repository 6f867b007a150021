/** Words of four bytes in `parser/base/`: masks of bytes, and the byte loops built on them. */

import { assertEquals, assertStrictEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import {
  countHighBits,
  FALSE_TAIL,
  FOUR_BYTE_SEQUENCE,
  FOUR_SPACES,
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
import { skipIndentation, skipWhitespace } from "../../../parser/base/whitespace.ts";
import { utf8 } from "../../support/bytes.ts";
import { withSeeds } from "../../support/random.ts";

const LANES = [0, 1, 2, 3];

/**
 * Bytes at which words tend to err: the limits of every test that is made of them, and of carries.
 */
const CRITICAL = [
  ...[0, 1, 2, 8, 9, 0x0a, 0x0b, 0x0d, 0x1f, 0x20, 0x21, 0x22, 0x23, 0x24, 0x2f, 0x30, 0x39, 0x3a, 0x5b, 0x5c, 0x5d],
  ...[0x7f, 0x80, 0x81, 0xc0, 0xf0, 0xfe, 0xff],
];

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
const SPACE = PLAIN.map((_, byte) => "\t\n\r ".includes(String.fromCharCode(byte)));
const isDigit = (byte: number): boolean => byte >= 0x30 && byte <= 0x39;

/** Returns the lane of the lowest mark; fails if a mask has other bits than marks. */
function lowestMark(mask: number): number {
  assertStrictEquals(mask & ~HIGH_BITS, 0);
  return LANES.findIndex((lane) => (mask >>> 8 * lane & 0x80) !== 0);
}

/**
 * Functions of words, what they have to return for the bytes of one, and bytes next to
 * critical ones.
 */
const WORDS: Record<
  string,
  [actual: (word: number) => unknown, expected: (bytes: number[]) => unknown, fillers: number[]]
> = {
  "needsAttention(), up to the lowest mark": [
    (word) => lowestMark(needsAttention(word)),
    (bytes) => bytes.findIndex((byte) => !PLAIN[byte]),
    [0x61, 0x23],
  ],
  "nonDigits(), up to the lowest mark": [
    (word) => lowestMark(nonDigits(word ^ ZEROS)),
    (bytes) => bytes.findIndex((byte) => !isDigit(byte)),
    [0x30, 0x39],
  ],
  "lowestByte()": [(word) => word === 0 || lowestByte(word), (bytes) => {
    const lane = bytes.findIndex((byte) => byte !== 0);
    return lane < 0 || lane;
  }, [0, 0xff]],
  "countHighBits()": [countHighBits, (bytes) => bytes.filter((byte) => byte >= 0x80).length, [0x7f]],
};

describe("words", () => {
  it("that are constants match their texts and the marker bits of four-byte characters", () => {
    const words = ["true", "alse", "null", "    "].map((text) => wordOf(utf8(text)));
    assertEquals([TRUE, FALSE_TAIL, NULL, FOUR_SPACES], words);
    for (const character of ["\u{10000}", "😀", "\u{10ffff}"]) {
      assertStrictEquals(wordOf(utf8(character)) & 0xc0c0c0f8 | 0, FOUR_BYTE_SEQUENCE);
    }
  });

  for (const [name, [actual, expected, fillers]] of Object.entries(WORDS)) {
    it(`have an exact ${name} for any combination of bytes`, () => {
      const check = (bytes: number[]): void => {
        const found = actual(wordOf(bytes));
        if (found !== expected(bytes)) throw new Error(`bytes ${bytes}: ${found}, not ${expected(bytes)}`);
      };
      for (const filler of fillers) {
        for (const lane of [0, 1, 2]) {
          for (let pair = 0; pair < 0x10000; pair++) {
            if (lane !== 1 && !CRITICAL.includes(pair & 0xff)) continue;
            check(LANES.map((other) => other === lane ? pair & 0xff : other === lane + 1 ? pair >> 8 : filler));
          }
        }
      }
      withSeeds(20_000, (random) => check(LANES.map(() => random.pick(CRITICAL))));
    });
  }
});

/** Functions that skip bytes, the bytes that they skip, and whether the first has to be one. */
type Skip = (bytes: Uint8Array<ArrayBuffer>, view: DataView, p: number, end: number) => number;
const SKIPS: Record<string, [skip: Skip, skipped: boolean[], isFirstSkipped?: boolean]> = {
  "skipPlainBytes()": [(bytes, _, p, end) => skipPlainBytes(bytes, p, end), PLAIN],
  "skipPlain()": [skipPlain, PLAIN],
  "skipText()": [skipText, TEXT],
  "skipWhitespace()": [(bytes, _, p, end) => skipWhitespace(bytes, p, end), SPACE],
  "skipIndentation()": [skipIndentation, SPACE, true],
};

for (const [name, [skip, skipped, isFirstSkipped = false]] of Object.entries(SKIPS)) {
  describe(name, () => {
    const [filler, pieces] = skipped === SPACE
      ? [0x20, [" ", "\n", "\r\n", "\t", "    ", " ".repeat(13), "\n        ", "x", "\v"]]
      : [0x61, ["a", "aaaa", "a".repeat(9)]];

    it("stops at each byte that it does not skip, at every offset", () => {
      for (let place = isFirstSkipped ? 1 : 0; place < 34; place++) {
        for (let byte = 0; byte < 256; byte++) {
          const bytes = new Uint8Array(40).fill(filler).with(place, byte);
          const found = skip(bytes, new DataView(bytes.buffer), 0, 40);
          assertStrictEquals(found, skipped[byte] ? 40 : place, `byte ${byte} at ${place}`);
        }
      }
    });

    it("agrees with a loop over single bytes, for every start and end", () => {
      withSeeds(300, (random) => {
        const bytes = utf8(random.repeat(0, 9, () => random.pick(pieces)));
        for (let critical = random.below(3); critical > 0; critical--) {
          if (bytes.length > 0) bytes[random.below(bytes.length)] = random.pick(CRITICAL);
        }
        const view = new DataView(bytes.buffer);
        for (let start = 0; start <= bytes.length; start++) {
          if (isFirstSkipped && !skipped[bytes[start]]) continue;
          for (let end = start + (isFirstSkipped ? 1 : 0); end <= bytes.length; end++) {
            const stop = bytes.subarray(start, end).findIndex((byte) => !skipped[byte]);
            const found = skip(bytes, view, start, end);
            if (found !== (stop < 0 ? end : start + stop)) {
              throw new Error(`${found}: [${bytes}] from ${start} to ${end}`);
            }
          }
        }
      });
    });
  });
}
