/**
 * Strings of documents: every kind of character in any place, and strings that recur in large ones.
 */

import { assertEquals, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { parseDocument } from "../../../parser/document/parse_document.ts";
import { parseBinary } from "../../../parse_binary.ts";
import { assertAgreement, assertFailure, assertReadAlike, assertValue } from "../../support/assertions.ts";
import { between, concat, utf8 } from "../../support/bytes.ts";
import { difference, own } from "../../support/difference.ts";
import { withoutMemory } from "../../support/memory_limit.ts";
import { constantOf } from "../../support/modules.ts";
import { collidingLongStrings, collidingStrings } from "../../fuzz/collisions.ts";
import { Random } from "../../support/random.ts";

const MAX_SAFE_LENGTH = constantOf("parser/strings/make_string.ts", "MAX_SAFE_LENGTH");

/** Characters before another one: none, of one byte in memory, of two, in any place of a word. */
const BEFORE = ["", "a", "ab", "abc", "abcd", "é", "aé", "中", "a中", "中文", "\\n", "abcdefghijklm", "😀"];

/** Characters of every width, with an escape, and the limits of each width. */
const KINDS = ["a", "é", "中", "😀", "\x7f", "\u0080", "\u07ff", "\u0800", "\ud7ff", "\ue000", "\uffff", "\u{10ffff}"];
const ESCAPES = ["\\n", '\\"', "\\\\", "\\u0041", "\\u00e9", "\\u4e2d", "\\ud83d\\ude00", "\\ud83d", "\\u0000"];

describe("strings", () => {
  it("of every length around those of words and buffers are read, as keys too", () => {
    for (const kind of ["The quick brown fox. ", ...KINDS]) {
      const text = kind.repeat(300);
      for (let length = 0; length <= 300; length += length < 100 ? 1 : 7) {
        const value = text.slice(0, length).toWellFormed();
        assertValue(between('"', utf8(`["${value}",{"${value}":"${value}"}]`)), [value, own([value, value])]);
      }
    }
    for (const length of [0, 1, 31, 511, 512, 513, 4095, 4096, 4097, 8191, 8192, 8193, 30_000]) {
      assertReadAlike(utf8(`"${"x".repeat(length)}"`), [[length >> 1]]);
    }
  });

  it("with any byte, escaped byte or digit, behind characters of every width, agree with JSON.parse", () => {
    for (const before of BEFORE) {
      for (let byte = 0; byte < 256; byte++) {
        assertAgreement(utf8('"', before, byte, 'more text" '));
        assertAgreement(utf8('"', before, "\\", byte, 'abcd" '));
        for (let place = 0; place < 4; place++) {
          assertAgreement(concat([utf8('"', before, "\\u"), utf8("Ab1f").with(place, byte), utf8('" ')]));
        }
      }
    }
  });

  it("long enough for a decoder fail and end where short ones do", () => {
    // A decoder is asked for a token behind a long one, unless one of the last 16 was malformed.
    const before = (unit: string): string =>
      `${'"é",'.repeat(17)}"${unit.repeat(Math.ceil(1000 / utf8(unit).length))}",`;
    for (const unit of ["é", "ž", "中", "😀", "a中", "\ufeffž", "\ufffdž"]) {
      for (const count of [30, 100, 300]) {
        const text = unit.repeat(count);
        for (const after of ["", "\\n", "\\ud800", "\\x", "\ufffd", "\0", "\x1f", '",1,"', "plain"]) {
          const document = utf8(`[${before(unit)}"${text}${after}${text}"]`);
          assertAgreement(document);
          const place = document.length - utf8(text).length - 2;
          for (const byte of [0x80, 0xc3, 0xed, 0xff]) assertAgreement(document.with(place, byte));
        }
      }
    }
  });

  it("with malformed characters behind others of every width fail at their first byte", () => {
    const sequences = [
      ...[[0x80], [0xbf], [0xff], [0xc1, 0xbf], [0xe0, 0x9f, 0xbf], [0xf0, 0x8f, 0xbf, 0xbf]], // overlong or stray
      ...[[0xc3], [0xe4, 0xb8], [0xf0, 0x9f, 0x98], [0xe4, 0x41, 0x80], [0xe4, 0xb8, 0x41]], // cut
      ...[[0xed, 0xa0, 0x80], [0xed, 0xbf, 0xbf], [0xf4, 0x90, 0x80, 0x80], [0xf5, 0x80, 0x80, 0x80]], // no characters
      ...[[0xe4, 0x20, 0x20, 0x05, 0x20, 0x80], [0xe4, 0xb8, 0x20, 0x05, 0x20, 0x20], [0x84, 0xb8, 0xad]],
    ];
    const wide = "\u0800\ud7ff\ue000\uffff\u0915\u4e2d\u0fff\u1000\u3042";
    for (const text of [...BEFORE, ...Array.from({ length: 9 }, (_, place) => wide.slice(0, place))]) {
      for (const sequence of sequences) {
        for (const after of ['"', '" and more', `${"中".repeat(8)}"`]) {
          assertAgreement(utf8('"', text, ...sequence, after));
        }
      }
    }
  });

  it("with a character of another kind, or an escape, at any place are read", () => {
    for (const piece of [...KINDS.slice(1), ...ESCAPES]) {
      for (const place of [...Array(70).keys(), 199, 4090, 4095, 4096, 4097, 4098, 8191, 8192, 8193, 9000]) {
        for (const narrow of ["a", "é"].slice(0, place < 70 ? 2 : 1)) {
          const text = `"${narrow.repeat(place)}${piece}${"b".repeat(place % 70)}"`;
          assertAgreement(utf8(text), [], { ok: true, value: JSON.parse(text) });
        }
      }
      for (const length of [255, 257, 4096, 8193, 131_073]) {
        const text = `"${piece.repeat(length)}"`;
        assertAgreement(utf8(text), [], { ok: true, value: JSON.parse(text) });
      }
    }
  });

  it("that are incomplete fail at the end of the input, whatever precedes it", () => {
    for (const character of ["é", "中", "😀"]) {
      const token = utf8(`"中${character.repeat(1500)}`);
      for (let end = 4; end <= token.length; end += utf8(character).length) {
        assertFailure(token.subarray(0, end), "unterminated-string", end);
      }
    }
    for (let count = 0; count <= 200; count++) {
      const values = ["\\".repeat(count), '"'.repeat(count), `${"\\".repeat(count)}"`, `x${'\\"'.repeat(count)}`];
      assertValue(utf8(JSON.stringify(values)), values);
      assertFailure(utf8(`"${"\\\\".repeat(count)}\\"`), "unterminated-string", 2 * count + 3);
    }
  });
});

describe("strings for which there is no memory", () => {
  it("are too large if they have many characters", () => {
    const length = MAX_SAFE_LENGTH + 10;
    const plain = "a".repeat(length - 1);
    const rows: [text: string, width: number][] = [
      ["é".repeat(length), 1],
      [`${plain}é`, 1],
      ["中".repeat(length), 2],
      [`${plain}中`, 2],
    ];
    for (const [text, width] of rows) {
      const bytes = utf8(`"${text}"`);
      const isLarge = (size: unknown): boolean => typeof size === "number" && size > width * MAX_SAFE_LENGTH;
      for (const options of [undefined, { numbers: "source" } as const]) {
        const result = withoutMemory("Uint8Array", isLarge, () => parseBinary(bytes, options));
        assertEquals(!result.ok && [result.code, result.offset], ["string-too-long", 0]);
      }
      assertEquals(parseBinary(bytes), { ok: true, value: text });
    }
  });

  it("end the call with the engine's error otherwise", () => {
    for (const text of ["\\n".repeat(9_000), "中".repeat(5_000)]) {
      const isLarge = (size: unknown): boolean => typeof size === "number" && size > 8_192;
      const bytes = utf8(`"${text}"`);
      assertThrows(() => withoutMemory("Uint8Array", isLarge, () => parseBinary(bytes)), RangeError);
      assertEquals(parseBinary(utf8('"a\\n中"')), { ok: true, value: "a\n中" });
    }
  });
});

/** From this size on a second table looks further back. */
const LARGE = 5e6;

/** Strings that mostly recur, soon or much later, some with the hash of another in a table. */
function recurring(random: Random, size: number): Uint8Array {
  const known: string[] = [];
  const tokens: string[] = [];
  for (let length = 0; length < size; length += tokens.at(-1)!.length + 1) {
    if (known.length < 10 || random.once(20)) {
      const characters = random.pick(["ab", "éü", "中文", '\n"', "é中\\"]);
      const text = random.repeat(0, random.pick([2, 4, 13, 64, 520]), () => random.pick(characters));
      const strings = [text, ...collidingStrings(random, 4), ...collidingLongStrings(random, 4)];
      known.push(...strings.filter(({ length }) => length < 1_000));
    }
    const token = JSON.stringify(random.pick(random.once(2) ? known : known.slice(-20)));
    tokens.push(random.once(9) ? token.replaceAll("a", "\\u0061") : token);
  }
  if (size > 10_000 || random.once(2)) return utf8(`[${tokens}]`);
  return utf8(`[${tokens.map((text) => `{${text}:${random.pick(tokens)}}`)}]`);
}

function check(bytes: Uint8Array, windowSize?: number): void {
  const result = parseDocument(bytes, windowSize);
  assertEquals(difference(result.ok && result.value, JSON.parse(new TextDecoder().decode(bytes))), undefined);
}

describe("recurring strings", () => {
  const large = recurring(new Random(1), LARGE);

  it("match JSON.parse even if their hashes are equal", () => {
    for (const size of [600, 3_000, 5_000, 30_000, 300_000]) {
      for (let seed = 1; seed <= (size < 30_000 ? 20 : 10); seed++) check(recurring(new Random(seed), size));
    }
    check(recurring(new Random(1), 300_000), 100_000); // in windows
    check(large);
    const numbers = Array.from({ length: 300_000 }, (_, i) => i * 7919 % 20_000); // recur after 20,000 others
    check(utf8(JSON.stringify(numbers.map((number) => `${number} in a long string of ${number}`))));
  });

  it("match JSON.parse if they have two characters, or differ in one", () => {
    const pairs: string[] = [];
    for (let first = 0x20; first < 0x7f; first++) {
      for (let second = 0x20; second < 0x7f; second++) pairs.push(String.fromCharCode(first, second));
    }
    check(utf8(JSON.stringify([pairs, pairs, pairs.toReversed()])));
    for (let length = 3; length <= 40; length++) {
      const base = "abcdefgh".repeat(5).slice(0, length);
      const values = Array.from({ length }, (_, place) => `${base.slice(0, place)}_${base.slice(place + 1)}`);
      check(utf8(JSON.stringify([base, ...values, base, ...values.toReversed(), ...values.flatMap((v) => [v, base])])));
    }
  });

  it("end where the input ends", () => {
    const bytes = large.slice(0, -1);
    for (const text of ["é", "ab", "a text of some length", "a text with é and 中"]) {
      const cut = concat([bytes, utf8(`,"${text}"`)]);
      for (const end of [cut.length, cut.length - 1]) assertEquals(parseDocument(cut.subarray(0, end)).ok, false);
    }
  });
});
