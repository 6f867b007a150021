/** String tokens in `parser/read_string.ts`. */

import { assert, assertEquals, assertStrictEquals, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { cursor, failure } from "../../parser/out_params.ts";
import { readStringToken, readStringValue, wipeScratch } from "../../parser/read_string.ts";
import { newStringCache, NO_CACHE, releaseStringCache } from "../../parser/string_cache.ts";
import { skipPlain } from "../../parser/swar.ts";
import { concat, show, textOf, utf8 } from "../support/bytes.ts";
import { randomString, spoil } from "../support/documents.ts";
import { runDeno } from "../support/environment.ts";
import { withoutMemory } from "../support/memory_limit.ts";
import { loadFreshWith } from "../support/modules.ts";
import { withSeeds } from "../support/random.ts";

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

/** Fails unless a token is read as `JSON.parse` reads it, whatever follows. */
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
    const actual = [text, failure.code, failure.offset - MARGIN - 1];
    if (actual[0] !== null || actual[1] !== code || actual[2] !== offset) {
      throw new Error(`${name}, ${show(token)}: ${actual}, not ${code} at ${offset}`);
    }
  });
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

  it("read Unicode escapes of every code unit, in both cases", () => {
    for (let unit = 0; unit < 0x10000; unit += 7) {
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
    const sequences = [[0xe0, 0x9f, 0xbf], [0xed, 0xa0, 0x80], [0xed, 0xbf, 0xbf], [0xe4, 0x41, 0x80], [
      0xe4,
      0xb8,
      0x41,
    ]];
    for (const sequence of sequences) {
      for (let place = 0; place < 9; place++) {
        const before = "\u0800\ud7ff\ue000\uffff\u0915\u4e2d\u0fff\u1000\u3042".slice(0, place);
        const token = concat([utf8('"', before), Uint8Array.from(sequence), utf8("中".repeat(8), '"')]);
        readInEveryWay(token, (name, text) => {
          const where = `${name}, ${show(token)}`;
          assertStrictEquals(text, null, where);
          assertEquals(failure, { code: "invalid-utf8", offset: MARGIN + 1 + 3 * place }, where);
        });
      }
    }
  });

  it("read characters of four bytes", () => {
    for (let point = 0x10000; point < 0x110000; point += 251) {
      assertToken(`"${String.fromCodePoint(point)}a${String.fromCodePoint(point + 1)}"`);
    }
    assertToken('"\u{10ffff}"');
  });

  it("accept exactly the UTF-8 that TextDecoder accepts", () => {
    const critical = [0x00, 0x41, 0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc0, 0xe0, 0xff];
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
      for (let second = 0x80; second < 256; second += first < 0xe0 ? 1 : 8) check([first, second]);
      for (const second of critical.slice(1)) {
        for (const third of critical.slice(1)) {
          check([first, second, third]);
          if (first >= 0xef) { for (const fourth of critical.slice(1)) check([first, second, third, fourth]); }
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
        readInEveryWay(concat([utf8('"'), token.subarray(0, length)]), (name, read) => {
          assertStrictEquals(read, null, name);
          const codes = ["unterminated-string", "unexpected-end", "bad-unicode-escape", "invalid-utf8"];
          assertEquals(codes.includes(failure.code), true, failure.code);
        });
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

  it("read long texts that turn wide at any place", () => {
    for (const length of [4090, 4095, 4096, 4097, 9000]) {
      for (const character of ["é", "中", "😀", "\\n", "\\u4e2d"]) {
        for (const place of [0, length >> 1, length - 1]) {
          assertToken(`"${"a".repeat(place)}${character}${"b".repeat(length - place)}"`);
        }
        assertToken(`"${character.repeat(length)}"`);
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
    const path = "parser/read_string.ts";
    const globals = { Uint8Array: recording(Uint8Array), Uint16Array: recording(Uint16Array) };
    const { readStringToken, wipeScratch } = await loadFreshWith<typeof import("../../parser/read_string.ts")>(
      path,
      globals,
    );
    // The tables of escapes and digits are made at load too.
    const scratches = made.filter(({ length }) => length > 256);
    assertEquals(scratches.length, 3);
    for (
      const text of ["a\\n", "é".repeat(900), "中".repeat(900), "a\\n\\x", "中\\x", `${"a".repeat(700)}\\`, "é\x01"]
    ) {
      const bytes = concat([utf8(`"${text}"`), new Uint8Array(LOOKAHEAD)]);
      const end = bytes.length - LOOKAHEAD;
      const view = new DataView(bytes.buffer);
      readStringToken(bytes, view, 1, skipPlain(bytes, view, 1, end), end);
      wipeScratch();
      assertEquals(
        scratches.map((scratch) => scratch.every((byte) => byte === 0)),
        [true, true, true],
        text.slice(0, 9),
      );
    }
  });

  it("agree with JSON.parse on random tokens", () => {
    withSeeds(5_000, (random) => assertToken(randomString(random)));
  });

  it("agree with JSON.parse on random tokens that are spoilt", () => {
    const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
    withSeeds(5_000, (random) => {
      const token = utf8(randomString(random));
      const spoilt = concat([utf8('"'), spoil(random, token.subarray(1, -1)), utf8('"')]);
      let expected: string | undefined;
      try {
        expected = JSON.parse(decoder.decode(spoilt));
      } catch {
        return; // a shorter token may be at its start
      }
      readInEveryWay(spoilt, (name, text) => assertStrictEquals(text, expected, `${name}, ${show(spoilt)}`));
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
        assertEquals(failure, { code: "unterminated-string", offset: size });
      }
    }
  });

  it("takes strings of two characters and more from the cache", () => {
    const bytes = concat([utf8('"ab""longer text"'), new Uint8Array(LOOKAHEAD)]);
    const view = new DataView(bytes.buffer);
    for (const [start, text, other] of [[1, "ab", "AB"], [5, "longer text", "LONGER TEXT"]] as const) {
      const cache = newStringCache(CACHED_INPUT);
      const read = (): string | null => readStringValue(bytes, view, cache, start, 17, 17 + LOOKAHEAD);
      assertStrictEquals(read(), text);
      cache[cache.indexOf(text)] = other;
      assertStrictEquals(read(), other);
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

  for (const [type, text] of [["Uint8Array", "\\n".repeat(5_000)], ["Uint16Array", "中".repeat(5_000)]] as const) {
    it(`is thrown if there is no memory for a larger ${type}`, () => {
      const isLarge = (size: unknown): boolean => typeof size === "number" && size > 4_000;
      assertThrows(() => withoutMemory(type, isLarge, () => readToken(`"${text}"`)), RangeError);
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
