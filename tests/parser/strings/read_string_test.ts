/** String tokens in `parser/strings/read_string.ts`. */

import { assert, assertEquals, assertStrictEquals, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { cursor, needsLineCount } from "../../../parser/base/cursor.ts";
import { VALUE } from "../../../parser/validation/token_dfa.ts";
import { failureAt } from "../../support/failures.ts";
import { limitFailure } from "../../../parser/base/limit_failure.ts";
import { wipeScratch } from "../../../parser/strings/decode_string.ts";
import { readStringToken, readStringValue } from "../../../parser/strings/read_string.ts";
import { LARGE_INPUT } from "../../../parser/engine/input_sizes.ts";
import {
  findInL2,
  insertInL2,
  newStringCache,
  NO_CACHE,
  releaseStringCache,
} from "../../../parser/strings/string_cache.ts";
import { skipPlain } from "../../../parser/base/swar.ts";
import { concat, show, textOf, utf8 } from "../../support/bytes.ts";
import { corrupt, randomString } from "../../support/documents.ts";
import { runDeno } from "../../support/environment.ts";
import { withoutMemory } from "../../support/memory_limit.ts";
import { constantOf, loadFreshWith, withGlobals } from "../../support/modules.ts";
import { withSeeds } from "../../support/random.ts";

const DECODER = "parser/strings/decode_string.ts";

type DecodeString = typeof import("../../../parser/strings/decode_string.ts");

/** Returns a reader of tokens that are not plain ASCII, by a decoder of its own. */
function tokenReader({ readStringEscaped, resetScratch }: DecodeString): typeof readStringToken {
  return (bytes, view, start, plainEnd, end) => {
    const string = readStringEscaped(bytes, view, start, plainEnd, end);
    if (string === null) resetScratch();
    return string;
  };
}
const FIRST_HIT_BUDGET = constantOf("parser/strings/string_cache.ts", "FIRST_UTF8_BUDGET");
const MAX_HIT_BUDGET = constantOf("parser/strings/string_cache.ts", "MAX_HIT_BUDGET");
const BYPASS_LENGTH = constantOf("parser/strings/string_cache.ts", "UTF8_BYPASS_LENGTH");
const MAX_SAFE_LENGTH = constantOf("parser/strings/make_string.ts", "MAX_SAFE_LENGTH");

/** Bytes before a token, and zeros behind it. */
const MARGIN = 13;
const LOOKAHEAD = 64;

/** Size of an input that has a string cache. */
const CACHED_INPUT = 100_000;

/**
 * Reads a token whose bytes, quotes included, are in a larger array; returns its text, or `null`.
 */
type Reader = (bytes: Uint8Array, view: DataView, p: number, end: number) => string | null;

const READERS: Record<string, Reader> = {
  "readStringValue()": (bytes, view, p, end) => readStringValue(bytes, view, NO_CACHE, p, end, end + LOOKAHEAD),
  "readStringValue() near the end of the input": (bytes, view, p, end) =>
    readStringValue(bytes, view, NO_CACHE, p, end, end),
  "readStringValue() with a cache": (bytes, view, p, end) =>
    readStringValue(bytes, view, newStringCache(CACHED_INPUT), p, end, end + LOOKAHEAD),
  "readStringToken()": (bytes, view, p, end) => readStringToken(bytes, view, p, skipPlain(bytes, view, p, end), end),
};

/** Reads a token in every way; `check` gets the text and how many bytes were read. */
function readInEveryWay(token: Uint8Array, check: (name: string, text: string | null, size: number) => void): void {
  const bytes = new Uint8Array(MARGIN + token.length + LOOKAHEAD);
  bytes.fill(0x78, 0, MARGIN);
  bytes.set(token, MARGIN);
  const view = new DataView(bytes.buffer);
  for (const [name, read] of Object.entries(READERS)) {
    const text = read(bytes, view, MARGIN + 1, MARGIN + token.length);
    check(name, text, cursor.position - MARGIN);
  }
}

/** Fails unless a token is read as `JSON.parse` reads it, before any bytes. */
function assertToken(token: string): void {
  const expected = JSON.parse(token);
  const length = utf8(token).length;
  for (const after of ["", ',"x"', "\\"]) {
    readInEveryWay(utf8(token, after), (name, text, size) => {
      if (text !== expected || size !== length) {
        throw new Error(`${name}, ${show(utf8(token))}: ${text}, ${size} bytes`);
      }
    });
  }
}

/**
 * Fails unless a token without its quotes is refused for the expected reason, at the expected byte
 * of it.
 */
function assertRefused(characters: Uint8Array, code: string, offset: number): void {
  const token = concat([utf8('"'), characters]);
  readInEveryWay(token, (name, text) => {
    if (text !== null) throw new Error(`${name}, ${show(token)}: ${text}`);
  });
  assertEquals(failureAt(token, 0), { code, offset: 1 + offset }, show(token));
}

/** Characters before another one: none, of one byte in memory, of two, in any place of a word. */
const BEFORE = ["", "a", "ab", "abc", "abcd", "é", "aé", "中", "a中", "中文", "\\n", "abcdefghijklm", "😀"];

const HEX = "0123456789abcdefABCDEF";

describe("readStringValue() and readStringToken()", () => {
  it("read plain ASCII of every length", () => {
    for (let length = 0; length <= 100; length++) {
      assertToken(`"${"The quick brown fox. ".repeat(5).slice(0, length)}"`);
    }
    for (const length of [511, 512, 513, 4095, 4096, 4097, 8191, 8192, 8193, 30_000]) {
      assertToken(`"${"The quick brown fox. ".repeat(length / 20).slice(0, length)}"`);
    }
  });

  it("read each of the eight short escapes, behind characters of every width", () => {
    for (const before of BEFORE) {
      for (const letter of '"\\/bfnrt') assertToken(`"${before}\\${letter}x"`);
    }
  });

  it("refuse each other byte behind a backslash", () => {
    for (const before of BEFORE) {
      for (let byte = 0; byte < 256; byte++) {
        if ('"\\/bfnrtu'.includes(String.fromCharCode(byte))) continue;
        assertRefused(utf8(before, "\\", byte, 'abcd"'), "bad-escape", utf8(before).length + 1);
      }
    }
  });

  it("read Unicode escapes of many code units, in both cases", () => {
    const limits = [0xff, 0x100, 0x7ff, 0x800, 0xd7ff, 0xd800, 0xdbff, 0xdc00, 0xdfff, 0xe000, 0xffff];
    for (const unit of [...Array.from({ length: 1772 }, (_, i) => 37 * i), ...limits]) {
      const digits = unit.toString(16).padStart(4, "0");
      assertToken(`"\\u${digits}${unit % 2 ? "" : "abcdefgh"}\\u${digits.toUpperCase()}"`);
    }
  });

  it("refuse Unicode escapes at the first byte that is no hexadecimal digit", () => {
    for (const before of BEFORE) {
      const start = utf8(before).length + 2;
      for (let place = 0; place < 4; place++) {
        for (let byte = 0; byte < 256; byte++) {
          if (HEX.includes(String.fromCharCode(byte))) continue;
          const digits = utf8("Ab1f");
          digits[place] = byte;
          assertRefused(concat([utf8(before, "\\u"), digits, utf8('"')]), "bad-unicode-escape", start + place);
        }
        const digits = utf8("0000");
        digits[place] = 0x67;
        assertRefused(concat([utf8(before, "\\u"), digits, utf8('"')]), "bad-unicode-escape", start + place);
      }
    }
  });

  it("read characters of two bytes, each of them", () => {
    for (let point = 0x80; point < 0x800; point++) assertToken(`"${String.fromCharCode(point)}a"`);
  });

  it("read characters of three bytes, each of them", () => {
    for (let first = 0x800; first < 0x10000; first += 64) {
      if (first >= 0xd800 && first <= 0xdfff) continue;
      const units = Array.from({ length: 64 }, (_, i) => first + i);
      assertToken(`"${String.fromCharCode(...units)}"`);
    }
  });

  it("refuse a malformed character at each place among those of three bytes", () => {
    const sequences = [
      ...[[0xe0, 0x9f, 0xbf], [0xed, 0xa0, 0x80], [0xed, 0xbf, 0xbf], [0xe4, 0x41, 0x80], [0xe4, 0xb8, 0x41]],
      ...[[0xf4, 0xb8, 0xad], [0x84, 0xb8, 0xad], [0xe4, 0x20, 0x20, 0x05, 0x20, 0x80], [
        0xe4,
        0xb8,
        0x20,
        0x05,
        0x20,
        0x20,
      ]],
    ];
    for (const sequence of sequences) {
      for (let place = 0; place < 9; place++) {
        const before = "\u0800\ud7ff\ue000\uffff\u0915\u4e2d\u0fff\u1000\u3042".slice(0, place);
        const token = concat([utf8('"', before), Uint8Array.from(sequence), utf8("中".repeat(8), '"')]);
        assertRefused(token.subarray(1), "invalid-utf8", 3 * place);
      }
    }
  });

  it("read characters of four bytes", () => {
    for (let point = 0x10000; point < 0x110000; point += 1021) {
      assertToken(`"${String.fromCodePoint(point)}a${String.fromCodePoint(point + 1)}"`);
    }
    assertToken('"\u{10ffff}"');
  });

  it("accept exactly the UTF-8 that TextDecoder accepts", () => {
    const critical = [0x41, 0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc0, 0xe0, 0xff];
    const last = [0x41, 0x7f, 0x80, 0xbf, 0xc0, 0xff];
    const check = (sequence: number[]): void => {
      const isValid = textOf(Uint8Array.from(sequence)) !== undefined;
      for (const before of ["", "中"]) {
        const token = concat([utf8('"', before), Uint8Array.from(sequence), utf8('"    ')]);
        readInEveryWay(token, (name, text) => {
          if (isValid !== (text !== null)) throw new Error(`${name}, ${show(token)}: ${text}`);
        });
      }
    };
    for (let first = 0x80; first < 256; first++) {
      check([first]);
      for (const second of critical) {
        check([first, second]);
        if (first < 0xe0) continue;
        for (const third of first < 0xf0 ? critical : last) {
          check([first, second, third]);
          if (first >= 0xef) { for (const fourth of last) check([first, second, third, fourth]); }
        }
      }
    }
  });

  it("refuse malformed UTF-8 at the first byte of the sequence", () => {
    const sequences = [
      ...[[0x80], [0xbf], [0xff], [0xc1, 0xbf], [0xe0, 0x9f, 0xbf], [0xf0, 0x8f, 0xbf, 0xbf]], // overlong or stray
      ...[[0xc3], [0xe4, 0xb8], [0xf0, 0x9f, 0x98]], // cut
      ...[[0xed, 0xa0, 0x80], [0xed, 0xbf, 0xbf], [0xf4, 0x90, 0x80, 0x80], [0xf5, 0x80, 0x80, 0x80]], // no characters
    ];
    for (const before of BEFORE) {
      for (const sequence of sequences) {
        for (const after of ['"', '" and more', "中"]) {
          assertRefused(utf8(before, ...sequence, after), "invalid-utf8", utf8(before).length);
        }
      }
    }
  });

  it("refuse each control byte, in every place", () => {
    for (const before of BEFORE) {
      for (let byte = 0; byte < 0x20; byte++) {
        assertRefused(utf8(before, byte, 'more text"'), "bad-control-character", utf8(before).length);
      }
    }
  });

  it("refuse a token that the input ends in, wherever it ends", () => {
    for (const text of ["", "plain text of some length", "é中😀 and more", "\\n\\\\\\u00e9 and more"]) {
      const token = utf8(text);
      for (let length = 0; length <= token.length; length++) {
        const cut = concat([utf8('"'), token.subarray(0, length)]);
        readInEveryWay(cut, (name, read) => assertStrictEquals(read, null, name));
        assertStrictEquals(failureAt(cut, 0, cut.length, VALUE, false), null);
      }
    }
    for (const text of ["", "abc", "é中", "abc中"]) {
      assertRefused(utf8(text), "unterminated-string", utf8(text).length);
      assertRefused(utf8(text, "\\"), "unexpected-end", utf8(text).length + 1);
      assertRefused(utf8(text, "\\u00"), "bad-unicode-escape", utf8(text).length + 4);
    }
  });

  it("stop at the end of the input, though a quote follows", () => {
    const bytes = utf8(`"abcdefgh中"${" ".repeat(LOOKAHEAD)}`);
    const view = new DataView(bytes.buffer);
    for (let end = 1; end <= 12; end++) {
      for (const read of [READERS["readStringToken()"], READERS["readStringValue() near the end of the input"]]) {
        assertStrictEquals(read(bytes, view, 1, end), null, `${end}`);
      }
    }
  });

  it("read nothing behind the end of the input, whatever is there", () => {
    const texts = [
      "plain text",
      "é",
      "éé",
      "abc中",
      "中é",
      "中中中中中",
      "😀",
      "中😀",
      '\\n\\"',
      "\\u00e9\\u4e2d",
      "中\\u4e2d",
    ];
    for (const text of texts) {
      const token = utf8(`"${text}"`);
      for (let length = 1; length <= token.length; length++) {
        const cut = token.slice(0, length);
        const rows = [utf8(""), token.slice(length), ...[0x22, 0x34, 0x5c, 0x80, 0xbf].map((byte) => utf8(byte))];
        const results = rows.map((behind) => {
          const bytes = concat([new Uint8Array(MARGIN).fill(0x78), cut, behind, new Uint8Array(LOOKAHEAD)]);
          bytes.fill(behind.at(-1) ?? 0, -LOOKAHEAD);
          const view = new DataView(bytes.buffer);
          return Object.entries(READERS).map(([name, read]) => {
            const text = read(bytes, view, MARGIN + 1, MARGIN + length);
            return [name, text, ...(text === null ? [] : [cursor.position])];
          });
        });
        for (const result of results) assertEquals(result, results[0], show(cut));
      }
    }
  });

  it("refuse a string that there is no memory for as too long, if it has many characters", () => {
    const length = MAX_SAFE_LENGTH + 10;
    const plain = "a".repeat(length - 1);
    const rows: [text: string, width: number][] = [
      ["é".repeat(length), 1],
      [`${plain}é`, 1],
      ["中".repeat(length), 2],
      [`${plain}中`, 2],
    ];
    for (const [text, width] of rows) {
      const token = utf8(`"${text}"`);
      const view = new DataView(token.buffer);
      const isLarge = (size: unknown): boolean => typeof size === "number" && size > width * MAX_SAFE_LENGTH;
      const plainEnd = skipPlain(token, view, 1, token.length);
      const read = (): string | null => readStringToken(token, view, 1, plainEnd, token.length);
      assertStrictEquals(withoutMemory("Uint8Array", isLarge, read), null);
      assertEquals(limitFailure, { code: "string-too-long", offset: 0 });
      assertEquals(failureAt(token, 0), { code: "string-too-long", offset: 0 });
      assertEquals(limitFailure.code, null);
      assertStrictEquals(read()?.length, length);
    }
    wipeScratch();
  });

  it("release the memory that a long text needed, right or wrong", async () => {
    const made: number[] = [];
    const globals = {
      Uint8Array: new Proxy(Uint8Array, {
        construct(target, args, newTarget) {
          if (typeof args[0] === "number") made.push(args[0]);
          return Reflect.construct(target as unknown as new () => Uint8Array, args, newTarget);
        },
      }),
    };
    const readStringToken = tokenReader(await loadFreshWith<DecodeString>(DECODER, globals));
    await withGlobals(globals, async () => {
      const rows: [character: string, length: number][] = [["\\n", 18_000], ["中", 9_000]];
      for (const [character, length] of rows) {
        for (const [end, expected] of [["", length], ["\\x", undefined]] as const) {
          const token = utf8(`"${character.repeat(length)}${end}"`);
          const view = new DataView(token.buffer);
          for (let times = 0; times < 2; times++) {
            made.length = 0;
            assertStrictEquals(readStringToken(token, view, 1, 1, token.length)?.length, expected);
            // Grown twice, from the size at first, which comes back.
            assertEquals(made, [16_384, 32_768, 8192]);
          }
        }
      }
      await Promise.resolve();
    });
    wipeScratch();
  });

  it("read long texts that turn wide at any place", () => {
    for (const length of [4090, 4095, 4096, 4097, 4098, 4101, 8186, 8191, 8192, 8193, 8194, 8197, 9000]) {
      for (const character of ["é", "中", "😀", "\\n", "\\u4e2d"]) {
        for (const place of [0, length >> 1, length - 1]) {
          assertToken(`"${"a".repeat(place)}${character}${"b".repeat(length - place)}"`);
        }
        assertToken(`"${character.repeat(length)}"`);
      }
    }
  });

  it("read long texts of characters of any length, wherever the scratch ends", () => {
    const alphabets = [
      ["\u0080", "\u0101", "\u07ff", "\u03b1"],
      ["\u0800", "\u1fc1", "\u303f", "\ud7ff", "\ue000", "\u4e2d", "\uffff"],
      ["\u{10000}", "\u{1f600}", "\u{2f81d}", "\u{3ffff}", "\u{fabcd}", "\u{10ffff}"],
    ];
    for (let shift = 0; shift < 8; shift++) {
      for (const text of ["aaaé", "aaa\\n", "aé中", "a\\u4e2d"]) {
        assertToken(`"${"a".repeat(shift)}${text.repeat(4000)}"`);
      }
    }
    for (const alphabet of alphabets) {
      for (let shift = 0; shift < alphabet.length; shift++) {
        assertToken(`"中${alphabet.join("").repeat(1000)}"`);
        alphabet.push(alphabet.shift()!);
      }
    }
  });

  it("refuse a long text that the input ends in, behind whatever character", () => {
    for (const character of ["é", "中", "😀"]) {
      const token = utf8(`"中${character.repeat(1500)}`);
      const view = new DataView(token.buffer);
      for (let end = 4; end <= token.length; end += utf8(character).length) {
        assertStrictEquals(readStringToken(token, view, 1, 1, end), null);
        assertEquals(failureAt(token, 0, end), { code: "unterminated-string", offset: end });
      }
    }
  });

  it("keep the scratch apart from one token to the next", () => {
    for (const text of ["long é ".repeat(2000), "é", "long 中 ".repeat(2000), "中", "x\\n"]) assertToken(`"${text}"`);
    wipeScratch();
    for (const text of ["é".repeat(10), "中".repeat(10)]) assertToken(`"${text}"`);
  });

  it("leave nothing in the scratch once it is wiped", async () => {
    // Every array that the module makes, as it makes it.
    const made: (Uint8Array | Uint16Array)[] = [];
    const recording = <T extends object>(type: T): T =>
      new Proxy(type, {
        construct(target, args, newTarget) {
          const array = Reflect.construct(target as unknown as new () => Uint8Array, args, newTarget);
          made.push(array);
          return array;
        },
      });
    const globals = { Uint8Array: recording(Uint8Array), Uint16Array: recording(Uint16Array) };
    const fresh = await loadFreshWith<DecodeString>(DECODER, globals);
    const readStringToken = tokenReader(fresh);
    // The tables of escapes and digits are made at load too.
    const scratches = made.filter(({ length }) => length > 256);
    assertEquals(scratches.length, 2);
    const texts = ["é", "中", "a\\n", "é".repeat(900), "中".repeat(900), "a\\n\\x", "中\\x", "é\x01"];
    for (const text of [...texts, `${"a".repeat(700)}\\`]) {
      // A shorter text that follows does not make the longer one forgotten.
      for (const next of ["", "\\n中"]) {
        const end = utf8(`"${text}"`).length;
        const bytes = concat([utf8(`"${text}""${next}"`), new Uint8Array(LOOKAHEAD)]);
        const view = new DataView(bytes.buffer);
        for (const [start, last] of [[1, end], [end + 1, bytes.length]]) {
          readStringToken(bytes, view, start, skipPlain(bytes, view, start, last), last);
        }
        fresh.wipeScratch();
        assertEquals(
          scratches.map((scratch) => scratch.every((byte) => byte === 0)),
          [true, true],
          `${text.slice(0, 9)}, ${next}`,
        );
      }
    }
  });

  it("agree with JSON.parse on random tokens", () => {
    withSeeds(5_000, (random) => assertToken(randomString(random)));
  });

  it("agree with JSON.parse on random tokens that are corrupted", () => {
    const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
    withSeeds(5_000, (random) => {
      const token = utf8(randomString(random));
      const corrupted = concat([utf8('"'), corrupt(random, token.subarray(1, -1)), utf8('"')]);
      let expected: string | undefined;
      try {
        expected = JSON.parse(decoder.decode(corrupted));
      } catch {
        return; // a shorter token may be at its start
      }
      readInEveryWay(corrupted, (name, text) => assertStrictEquals(text, expected, `${name}, ${show(corrupted)}`));
    });
  });
});

describe("readStringValue()", () => {
  it("reads nothing behind the readable bytes, whatever their number", () => {
    for (let size = 1; size <= 40; size++) {
      const bytes = new Uint8Array(size).fill(0x61);
      const view = new DataView(bytes.buffer);
      for (let start = 0; start <= size; start++) {
        assertStrictEquals(readStringValue(bytes, view, NO_CACHE, start, size, size), null);
      }
    }
  });

  it("takes strings of two characters and more from the cache", () => {
    const bytes = concat([utf8('"ab""longer text"'), new Uint8Array(LOOKAHEAD)]);
    const view = new DataView(bytes.buffer);
    for (
      const { start, text, other } of [
        { start: 1, text: "ab", other: "AB" },
        { start: 5, text: "longer text", other: "LONGER TEXT" },
      ] as const
    ) {
      const cache = newStringCache(CACHED_INPUT);
      const read = (): string | null => readStringValue(bytes, view, cache, start, 17, 17 + LOOKAHEAD);
      assertStrictEquals(read(), text);
      cache[cache.indexOf(text)] = other;
      assertStrictEquals(read(), other);
    }
    releaseStringCache();
  });

  it("takes strings beyond ASCII from the cache, by their spelling", () => {
    for (const text of ["éé", "中", "a longer text é", "é and a longer text", "中 and 😀"]) {
      const token = utf8(`"${text}"`);
      const bytes = concat([token, token, new Uint8Array(LOOKAHEAD)]);
      const view = new DataView(bytes.buffer);
      const end = bytes.length - LOOKAHEAD;
      const cache = newStringCache(CACHED_INPUT);
      const read = (start: number): string | null => readStringValue(bytes, view, cache, start, end, bytes.length);
      assertStrictEquals(read(1), text);
      cache[cache.indexOf(text)] = "cached";
      needsLineCount.passedNonAscii = 0;
      assertStrictEquals(read(1 + token.length), "cached");
      assertEquals([cursor.position, needsLineCount.passedNonAscii], [2 * token.length, 1]);
    }
    releaseStringCache();
  });

  it("does not cache what is malformed, too long or too short, or has escapes", () => {
    const texts = ["é", "\\n\\n", "éé\\n", `${"x".repeat(200)}é`, "x".repeat(5000), "éé\\", "éé\\x", "é\u0001é"];
    for (const text of texts) {
      const bytes = concat([utf8(`"${text}"`), new Uint8Array(LOOKAHEAD)]);
      const end = bytes.length - LOOKAHEAD;
      const cache = newStringCache(CACHED_INPUT);
      const string = readStringValue(bytes, new DataView(bytes.buffer), cache, 1, end, bytes.length);
      let expected: string | null = null;
      try {
        expected = JSON.parse(`"${text}"`);
      } catch {
        // malformed
      }
      assertStrictEquals(string, expected);
      assert(cache.every((entry) => entry === null));
    }
    const malformed = concat([Uint8Array.of(0x22, 0xe9, 0xe9, 0xe9, 0x22), new Uint8Array(LOOKAHEAD)]);
    const cache = newStringCache(CACHED_INPUT);
    const { length } = malformed;
    assertStrictEquals(readStringValue(malformed, new DataView(malformed.buffer), cache, 1, 5, length), null);
    assert(cache.every((entry) => entry === null));
    releaseStringCache();
  });

  it("looks such strings up no longer after too many misses, and again later", () => {
    const count = FIRST_HIT_BUDGET + BYPASS_LENGTH + 2;
    const tokens = Array.from({ length: count }, (_, i) => `"é ${i}"`);
    const bytes = utf8(tokens.join(""));
    const view = new DataView(bytes.buffer);
    const cache = newStringCache(CACHED_INPUT);
    cursor.position = 0;
    for (const [i, token] of tokens.entries()) {
      const text = JSON.parse(token);
      assertStrictEquals(readStringValue(bytes, view, cache, cursor.position + 1, bytes.length, bytes.length), text);
      assertStrictEquals(cache.includes(text), i <= FIRST_HIT_BUDGET || i > FIRST_HIT_BUDGET + BYPASS_LENGTH, token);
    }
    for (let times = 0; times < 2 * MAX_HIT_BUDGET; times++) {
      readStringValue(bytes, view, cache, bytes.length - tokens[0].length, bytes.length, bytes.length);
    }
    releaseStringCache();
  });
});

describe("readStringToken()", () => {
  it("takes strings that it decodes from the L2 cache, by their spelling", () => {
    for (const text of ["a longer text\\n", "a longer text é", "a longer text 中"]) {
      const bytes = utf8(`"${text}""${text}""${text.replace("longer", "Longer")}"`);
      const view = new DataView(bytes.buffer);
      const size = utf8(text).length + 2;
      newStringCache(LARGE_INPUT);
      assertStrictEquals(findInL2(view, 1, size - 1), null);
      insertInL2("inserted", 1);
      const read = (start: number): string | null =>
        readStringToken(bytes, view, start, skipPlain(bytes, view, start, bytes.length), bytes.length);
      assertStrictEquals(read(1 + size), "inserted");
      assertStrictEquals(cursor.position, 2 * size);
      assertStrictEquals(read(1 + 2 * size), JSON.parse(`"${text.replace("longer", "Longer")}"`));
    }
    releaseStringCache();
  });
});

describe("an error of the engine while a string is made that is not too long", () => {
  /** Reads a token from what the engine takes for no bytes. */
  function readToken(text: string, bytes: ArrayLike<number> = utf8(text)): string | null {
    const view = new DataView(utf8(text).buffer);
    const end = view.byteLength;
    return readStringToken(bytes as Uint8Array, view, 1, skipPlain(utf8(text), view, 1, end), end);
  }

  it("is thrown, not taken for a failure", () => {
    const plain = `"${"a".repeat(100)}"`;
    assertStrictEquals(readToken(plain)?.length, 100);
    assertThrows(() => readToken(plain, Array.from(utf8(plain))));
  });

  for (const [encoding, text] of [["Latin-1", "\\n".repeat(9_000)], ["UTF-16", "中".repeat(5_000)]]) {
    it(`is thrown if there is no memory for more ${encoding}`, () => {
      const isLarge = (size: unknown): boolean => typeof size === "number" && size > 8_192;
      assertThrows(() => withoutMemory("Uint8Array", isLarge, () => readToken(`"${text}"`)), RangeError);
      wipeScratch();
      assertStrictEquals(readToken('"a\\n中"'), "a\n中");
    });
  }
});

describe("an engine without Buffer", () => {
  it("runs the first things that users do, and reads long tokens by a decoder", async () => {
    const { success, output } = await runDeno(["run", "tests/processes/run_without_buffer.ts"]);
    assert(success && /^\d+ checks, 0 failed$/m.test(output), output);
  });
});
