/** Strings from bytes and code units in `parser/strings/`, in each kind of engine. */

import { assertEquals, assertStrictEquals, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { skipPlain } from "../../../parser/base/swar.ts";
import { readStringToken } from "../../../parser/strings/read_string.ts";
import { utf8 } from "../../support/bytes.ts";
import { runDeno } from "../../support/environment.ts";
import { loadFreshWith } from "../../support/modules.ts";
import { assertChecks } from "../../support/outcomes.ts";
import { withSeeds } from "../../support/random.ts";

type MakeString = typeof import("../../../parser/strings/make_string.ts");

const PATH = "parser/strings/make_string.ts";

/** Lengths around those at which strings are made in another way. */
const LENGTHS = [...Array.from({ length: 70 }, (_, i) => i + 1), 127, 128, 129, 256, 600, 8191, 8192, 8193, 24_583];

type SliceMethod = (this: Uint8Array, start: number, end: number) => string;

const { Buffer } = globalThis as unknown as {
  Buffer: { prototype: { latin1Slice: SliceMethod; ucs2Slice: SliceMethod } };
};
const { latin1Slice, ucs2Slice } = Buffer.prototype;

/** A class of the program that has methods of the same names. */
const otherBuffer = {
  prototype: {
    latin1Slice: (): string => "other",
    ucs2Slice(): string {
      throw new TypeError();
    },
  },
};

class OtherDecoder {
  decode(): string {
    return "other";
  }
}

/** Error with the property that reveals JavaScriptCore. */
class ErrorOfSafari extends Error {
  readonly sourceURL = "";
}

const NO_BUFFER = { Buffer: undefined };

/** Engines, and whether a decoder reads their tokens. */
const ENGINES: Record<string, [globals: Record<string, unknown>, decodesTokens: boolean]> = {
  "with the Buffer that Deno loads when it is read": [{}, false],
  "with Node's Buffer": [{ Deno: undefined }, false],
  "in Bun": [{ Bun: {}, Buffer }, false],
  "in a browser": [NO_BUFFER, true],
  "in Safari": [{ ...NO_BUFFER, Error: ErrorOfSafari }, true],
  "in a page with an element called Buffer": [{ Buffer: {} }, true],
  "with another Buffer": [{ Buffer: otherBuffer }, true],
  "with half a Buffer": [{ Buffer: { prototype: { latin1Slice } } }, false],
  "with the other half": [{ Buffer: { prototype: { ucs2Slice } } }, true],
  "in a browser without resizable buffers": [{ ...NO_BUFFER, ArrayBuffer: class {} }, true],
  "in a shell": [{ ...NO_BUFFER, TextDecoder: undefined }, false],
  "with another decoder": [{ ...NO_BUFFER, TextDecoder: OtherDecoder }, false],
};

/** Returns the text of code units, made one by one. */
function textOf(units: ArrayLike<number>, start: number, end: number): string {
  let text = "";
  for (let i = start; i < end; i++) text += String.fromCharCode(units[i]);
  return text;
}

for (const [engine, [globals, decodesTokens]] of Object.entries(ENGINES)) {
  describe(`strings ${engine}`, () => {
    it("contain any byte, at every length and offset", async () => {
      const { DECODES_TOKENS, makeLatin1String, decodeUtf8 } = await loadFreshWith<MakeString>(PATH, globals);
      assertStrictEquals(DECODES_TOKENS, decodesTokens);
      const bytes = Uint8Array.from({ length: 25_000 }, (_, i) => i * 7 & 0xff).subarray(9);
      const ascii = bytes.map((byte) => byte & 0x7f);
      for (const length of LENGTHS) {
        for (const start of [0, 1, 2, 3, 100]) {
          const end = start + length;
          assertStrictEquals(makeLatin1String(bytes, start, end), textOf(bytes, start, end));
          assertStrictEquals(makeLatin1String(ascii, start, end, true), textOf(ascii, start, end));
        }
      }
      if (engine === "in a shell" || engine === "with another decoder" || engine === "with half a Buffer") return;
      const text = "\ufeffé中😀\0plain";
      const token = utf8(`"${text}"`);
      assertStrictEquals(decodeUtf8(token, 1, token.length - 1), text);
      for (const wrong of [[0xc3], [0xc3, 0x28], [0xed, 0xa0, 0x80], [0xff]]) {
        assertStrictEquals(decodeUtf8(Uint8Array.from(wrong), 0, wrong.length), null);
      }
    });

    it("contain any code unit, lone surrogates and a byte-order mark included", async () => {
      const { makeUtf16String } = await loadFreshWith<MakeString>(PATH, globals);
      const check = (codes: Uint16Array, length: number): void => {
        assertStrictEquals(makeUtf16String(codes, new Uint8Array(codes.buffer), length), textOf(codes, 0, length));
      };
      const descending = Uint16Array.from({ length: 1000 }, (_, i) => 0xfeff - i);
      for (let length = 1; length <= 600; length++) check(descending, length);
      withSeeds(3, (random) => {
        const units = [0x61, 0xe9, 0x4e2d, 0xd83d, 0xde00, 0xd800, 0xffff, 0xfeff, 0];
        const codes = Uint16Array.from({ length: 25_000 }, (_, i) => i === 0 ? 0x4e2d : random.pick(units));
        for (const length of LENGTHS) check(codes, length);
      });
      const each = Uint16Array.from({ length: 0x10000 }, (_, unit) => unit ^ 0xff00);
      check(each, each.length);
    });
  });
}

describe("strings without Buffer", () => {
  it("leave nothing in the list that is wiped at the end of a call", async () => {
    const globals = { ...NO_BUFFER, Bun: {}, Error: ErrorOfSafari };
    const { dirtyLength, makeLatin1String } = await loadFreshWith<MakeString>(PATH, globals);
    for (let times = 0; times < 2; times++) {
      assertStrictEquals(makeLatin1String(utf8("plain"), 0, 5, true), "plain");
      assertStrictEquals(dirtyLength.characters, 1);
    }
  });

  it("are decoded from a copy of resizable memory, which decoders of browsers refuse, and of no other", async () => {
    const buffers: ArrayBuffer[] = [];
    class BrowserDecoder extends TextDecoder {
      override decode(bytes: Uint8Array<ArrayBuffer>): string {
        if (bytes.buffer.resizable) throw new TypeError("The provided Uint8Array value must not be resizable");
        buffers.push(bytes.buffer);
        return super.decode(bytes);
      }
    }
    const globals = { Buffer: undefined, TextDecoder: BrowserDecoder };
    const { makeLatin1String, makeUtf16String } = await loadFreshWith<MakeString>(PATH, globals);
    for (const options of [undefined, { maxByteLength: 1000 }]) {
      const bytes = new Uint8Array(new ArrayBuffer(600, options)).fill(0x61);
      const codes = new Uint16Array(bytes.buffer);
      for (const make of [() => makeLatin1String(bytes, 0, 300, true), () => makeUtf16String(codes, bytes, 300)]) {
        buffers.length = 0;
        assertStrictEquals(make().length, 300);
        assertEquals(buffers.map((buffer) => buffer === bytes.buffer), [options === undefined]);
      }
    }
  });

  it("are right in the first calls of a program, also for tokens long enough for a decoder", async () => {
    assertChecks(await runDeno(["run", "tests/processes/run_without_buffer.ts"]), 1_000);
  });
});

describe("a short string that the engine cannot make", () => {
  it("ends the call with the engine's error", () => {
    const bytes = utf8(`"${"a".repeat(40_000)}"`); // so many that Deno takes Buffer
    const view = new DataView(bytes.buffer);
    assertStrictEquals(readStringToken(bytes, view, 1, skipPlain(bytes, view, 1, 40_002), 40_002)?.length, 40_000);
    // No bytes to the engine, which cannot make a string of them.
    assertThrows(() => readStringToken(Array.from(bytes) as unknown as Uint8Array, view, 1, 40_001, 40_002));
  });
});
