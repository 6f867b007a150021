/** String tokens in `parser/strings/read_string.ts`: what documents do not show. */

import { assert, assertEquals, assertStrictEquals, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { cursor, needsLineCount } from "../../../parser/base/cursor.ts";
import { skipPlain } from "../../../parser/base/swar.ts";
import { LARGE_INPUT } from "../../../parser/engine/input_sizes.ts";
import { wipeScratch } from "../../../parser/strings/decode_string.ts";
import { readStringToken, readStringValue } from "../../../parser/strings/read_string.ts";
import {
  findInL2,
  insertInL2,
  newStringCache,
  NO_CACHE,
  releaseStringCache,
} from "../../../parser/strings/string_cache.ts";
import { parseBinary } from "../../../parse_binary.ts";
import { concat, show, utf8 } from "../../support/bytes.ts";
import { runDeno } from "../../support/environment.ts";
import { constantOf, loadFreshWith, withGlobals } from "../../support/modules.ts";

const DECODER = "parser/strings/decode_string.ts";

type DecodeString = typeof import("../../../parser/strings/decode_string.ts");

const FIRST_HIT_BUDGET = constantOf("parser/strings/string_cache.ts", "FIRST_UTF8_BUDGET");
const BYPASS_LENGTH = constantOf("parser/strings/string_cache.ts", "UTF8_BYPASS_LENGTH");

/** Zeros behind a token. */
const LOOKAHEAD = 64;

/** Size of an input that has a string cache. */
const CACHED_INPUT = 100_000;

/** Reads a token behind its opening quote. */
function readToken(bytes: Uint8Array, start = 1, end = bytes.length): string | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  return readStringToken(bytes, view, start, skipPlain(bytes, view, start, end), end);
}

describe("readStringToken() and readStringValue()", () => {
  it("read up to the end of the input, whatever is behind it", () => {
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
        const results = [0, 0x22, 0x34, 0x5c, 0x80, 0xbf, token[length] ?? 0].map((behind) => {
          const bytes = concat([token.slice(0, length), utf8(...Array(LOOKAHEAD).fill(behind))]);
          const view = new DataView(bytes.buffer);
          return [
            readToken(bytes, 1, length),
            readStringValue(bytes, view, NO_CACHE, 1, length, bytes.length),
            readStringValue(bytes, view, NO_CACHE, 1, length, length),
            readStringValue(bytes, view, newStringCache(CACHED_INPUT), 1, length, bytes.length),
          ];
        });
        for (const result of results) assertEquals(result, results[0], show(token.subarray(0, length)));
      }
    }
    for (let size = 1; size <= 40; size++) {
      const bytes = new Uint8Array(size).fill(0x61);
      const view = new DataView(bytes.buffer);
      for (let start = 0; start <= size; start++) {
        assertStrictEquals(readStringValue(bytes, view, NO_CACHE, start, size, size), null);
      }
    }
  });

  it("throw the engine's error for a short string that it cannot make", () => {
    const bytes = utf8(`"${"a".repeat(100)}"`);
    assertStrictEquals(readToken(bytes)?.length, 100);
    const view = new DataView(bytes.buffer);
    // No bytes to the engine, which cannot make a string of them.
    assertThrows(() => readStringToken(Array.from(bytes) as unknown as Uint8Array, view, 1, 101, 102));
  });
});

describe("the scratch of strings", () => {
  /** Makes a constructor that notes the arrays, or the sizes, that it makes. */
  function recording<T extends object>(type: T, note: (array: Uint8Array) => void): T {
    return new Proxy(type, {
      construct(target, args, newTarget) {
        const array = Reflect.construct(target as unknown as new () => Uint8Array, args, newTarget);
        if (typeof args[0] === "number") note(array);
        return array;
      },
    });
  }

  /** Reads a token by a decoder of its own. */
  function readEscaped(
    { readStringEscaped, resetScratch }: DecodeString,
    bytes: Uint8Array,
    start: number,
    end: number,
  ) {
    const view = new DataView(bytes.buffer);
    const string = readStringEscaped(bytes, view, start, skipPlain(bytes, view, start, end), end);
    if (string === null) resetScratch();
    return string;
  }

  it("is as small as it was after a long text, right or wrong", async () => {
    const made: number[] = [];
    const globals = { Uint8Array: recording(Uint8Array, ({ length }) => made.push(length)) };
    const decoder = await loadFreshWith<DecodeString>(DECODER, globals);
    await withGlobals(globals, async () => {
      for (const [character, length] of [["\\n", 18_000], ["中", 9_000]] as const) {
        for (const [end, expected] of [["", length], ["\\x", undefined]] as const) {
          const token = utf8(`"${character.repeat(length)}${end}"`);
          for (let times = 0; times < 2; times++) {
            made.length = 0;
            assertStrictEquals(readEscaped(decoder, token, 1, token.length)?.length, expected);
            // Grown twice, from the size at first, which comes back.
            assertEquals(made, [16_384, 32_768, 8192]);
          }
        }
      }
      await Promise.resolve();
    });
    wipeScratch();
  });

  it("holds nothing once it is wiped", async () => {
    const scratches: Uint8Array[] = [];
    // The tables of escapes and digits are made at load too.
    const note = (array: Uint8Array): unknown => array.length > 256 && scratches.push(array);
    const globals = { Uint8Array: recording(Uint8Array, note), Uint16Array: recording(Uint16Array, note) };
    const decoder = await loadFreshWith<DecodeString>(DECODER, globals);
    assert(scratches.length > 0);
    const texts = ["é", "中", "a\\n", "é".repeat(900), "中".repeat(900), "a\\n\\x", "中\\x", "é\x01"];
    for (const text of [...texts, `${"a".repeat(700)}\\`]) {
      // A shorter text that follows does not make the longer one forgotten.
      for (const next of ["", "\\n中"]) {
        const end = utf8(`"${text}"`).length;
        const bytes = concat([utf8(`"${text}""${next}"`), new Uint8Array(LOOKAHEAD)]);
        for (const [start, last] of [[1, end], [end + 1, bytes.length]]) readEscaped(decoder, bytes, start, last);
        decoder.wipeScratch();
        assert(scratches.every((scratch) => scratch.every((byte) => byte === 0)), `${text.slice(0, 9)}, ${next}`);
      }
    }
  });
});

describe("readStringValue() with a cache", () => {
  it("takes strings of two bytes and more from the cache, by their spelling", () => {
    for (const text of ["ab", "longer text", "éé", "中", "a longer text é", "é and a longer text", "中 and 😀"]) {
      const token = utf8(`"${text}"`);
      const bytes = concat([token, token, new Uint8Array(LOOKAHEAD)]);
      const end = bytes.length - LOOKAHEAD;
      const cache = newStringCache(CACHED_INPUT);
      const read = (start: number): string | null =>
        readStringValue(bytes, new DataView(bytes.buffer), cache, start, end, bytes.length);
      assertStrictEquals(read(1), text);
      const isPlain = token.length === text.length + 2;
      const other = isPlain ? text.toUpperCase() : "cached"; // of the same length, which is compared
      cache[cache.indexOf(text)] = other;
      needsLineCount.passedNonAscii = 0;
      assertStrictEquals(read(1 + token.length), other);
      assertEquals([cursor.position, needsLineCount.passedNonAscii], [2 * token.length, isPlain ? 0 : 1]);
    }
    releaseStringCache();
  });

  it("does not cache what is malformed, too long or too short, or has escapes", () => {
    const texts = ["é", "\\n\\n", "éé\\n", `${"x".repeat(200)}é`, "x".repeat(5000), "éé\\", "éé\\x", "é\u0001é"];
    for (const token of [...texts.map((text) => utf8(`"${text}"`)), Uint8Array.of(0x22, 0xe9, 0xe9, 0xe9, 0x22)]) {
      const bytes = concat([token, new Uint8Array(LOOKAHEAD)]);
      const cache = newStringCache(CACHED_INPUT);
      const string = readStringValue(bytes, new DataView(bytes.buffer), cache, 1, token.length, bytes.length);
      const result = parseBinary(token);
      assertStrictEquals(string, result.ok ? result.value : null);
      assert(cache.every((entry) => entry === null));
    }
    releaseStringCache();
  });

  it("looks strings beyond ASCII up no longer after too many misses, and again later", () => {
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
    releaseStringCache();
  });

  it("takes strings that it decodes from the L2 cache, by their spelling", () => {
    for (const text of ["a longer text\\n", "a longer text é", "a longer text 中"]) {
      const bytes = utf8(`"${text}""${text}""${text.replace("longer", "Longer")}"`);
      const size = utf8(text).length + 2;
      newStringCache(LARGE_INPUT);
      assertStrictEquals(findInL2(new DataView(bytes.buffer), 1, size - 1), null);
      insertInL2("inserted", 1);
      assertStrictEquals(readToken(bytes, 1 + size), "inserted");
      assertStrictEquals(cursor.position, 2 * size);
      assertStrictEquals(readToken(bytes, 1 + 2 * size), JSON.parse(`"${text.replace("longer", "Longer")}"`));
    }
    releaseStringCache();
  });
});

describe("an engine without Buffer", () => {
  it("runs the first things that users do, and reads long tokens by a decoder", async () => {
    const { success, output } = await runDeno(["run", "tests/processes/run_without_buffer.ts"]);
    assert(success && /^\d+ checks, 0 failed$/m.test(output), output);
  });
});
