/** Strings from bytes and code units in `parser/strings/`, in each kind of engine. */

import { assert, assertEquals, assertStrictEquals, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { skipPlain } from "../../../parser/base/swar.ts";
import { readStringToken } from "../../../parser/strings/read_string.ts";
import { utf8 } from "../../support/bytes.ts";
import { runDeno } from "../../support/environment.ts";
import { loadFresh, loadFreshWith, withGlobals } from "../../support/modules.ts";
import { assertChecks } from "../../support/outcomes.ts";
import { withSeeds } from "../../support/random.ts";

type MakeString = typeof import("../../../parser/strings/make_string.ts");

const PATH = "parser/strings/make_string.ts";

/** Lengths around those where the strategy changes. */
const LENGTHS = [...Array.from({ length: 70 }, (_, i) => i + 1), 127, 128, 129, 256, 600, 8191, 8192, 8193, 24_583];

type SliceMethod = (this: Uint8Array, start: number, end: number) => string;

const { Buffer } = globalThis as unknown as {
  Buffer: { prototype: { latin1Slice: SliceMethod; ucs2Slice: SliceMethod } };
};
const { latin1Slice, ucs2Slice } = Buffer.prototype;

/** A user-defined `Buffer`, whose methods have the same names. */
const userBuffer = {
  prototype: {
    latin1Slice: (): string => "other",
    ucs2Slice(): string {
      throw new TypeError();
    },
  },
};

/** A user-defined `TextDecoder`. */
class UserDecoder {
  decode(): string {
    return "other";
  }
}

/** Error with the property by which JavaScriptCore is recognised. */
class ErrorOfSafari extends Error {
  readonly sourceURL = "";
}

const NO_BUFFER = { Buffer: undefined };

interface Engine {
  globals: Record<string, unknown>;
  /** Whether a decoder reads whole tokens. */
  decodesTokens: boolean;
  /** Whether there is something that decodes UTF-8. */
  decodesUtf8: boolean;
}

const ENGINES: Record<string, Engine> = {
  "with the Buffer that Deno loads when it is read": {
    globals: { console: {} },
    decodesTokens: false,
    decodesUtf8: true,
  },
  "with the Buffer that Deno has loaded": {
    globals: { console: { _stdout: null } },
    decodesTokens: false,
    decodesUtf8: true,
  },
  "without a console": { globals: { console: undefined }, decodesTokens: false, decodesUtf8: true },
  "with Node's Buffer": { globals: { Deno: undefined }, decodesTokens: false, decodesUtf8: true },
  "in Bun": { globals: { Bun: {}, Buffer }, decodesTokens: false, decodesUtf8: true },
  "in a browser": { globals: NO_BUFFER, decodesTokens: true, decodesUtf8: true },
  "in Safari": { globals: { ...NO_BUFFER, Error: ErrorOfSafari }, decodesTokens: true, decodesUtf8: true },
  "in a page with an element called Buffer": { globals: { Buffer: {} }, decodesTokens: true, decodesUtf8: true },
  "with a user-defined Buffer": { globals: { Buffer: userBuffer }, decodesTokens: true, decodesUtf8: true },
  "with only latin1Slice": {
    globals: { Buffer: { prototype: { latin1Slice } } },
    decodesTokens: false,
    decodesUtf8: true,
  },
  "with only ucs2Slice": { globals: { Buffer: { prototype: { ucs2Slice } } }, decodesTokens: true, decodesUtf8: true },
  "in a browser without resizable buffers": {
    globals: { ...NO_BUFFER, ArrayBuffer: class {} },
    decodesTokens: true,
    decodesUtf8: true,
  },
  "without Buffer and TextDecoder, as in a shell": {
    globals: { ...NO_BUFFER, TextDecoder: undefined },
    decodesTokens: false,
    decodesUtf8: false,
  },
  "with a user-defined TextDecoder": {
    globals: { ...NO_BUFFER, TextDecoder: UserDecoder },
    decodesTokens: false,
    decodesUtf8: false,
  },
};

/** Returns the text of code units, made one by one. */
function textOf(units: ArrayLike<number>, start: number, end: number): string {
  let text = "";
  for (let i = start; i < end; i++) text += String.fromCharCode(units[i]);
  return text;
}

for (const [engine, { globals, decodesTokens, decodesUtf8 }] of Object.entries(ENGINES)) {
  describe(`strings ${engine}`, () => {
    it("contain any byte, at every length and offset", async () => {
      const { DECODES_TOKENS, makeLatin1String, decodeUtf8 } = await loadFreshWith<MakeString>(PATH, globals);
      assertStrictEquals(DECODES_TOKENS, decodesTokens);
      const text = "\ufeffé中😀\0plain";
      const token = utf8(`"${text}"`);
      // Deno's decoder is made for the first token.
      const decoded = await withGlobals(globals, () => Promise.resolve(decodeUtf8(token, 1, token.length - 1)));
      assertStrictEquals(decoded, decodesUtf8 ? text : null);
      const bytes = Uint8Array.from({ length: 25_000 }, (_, i) => i * 7 & 0xff).subarray(9);
      const ascii = bytes.map((byte) => byte & 0x7f);
      for (const length of LENGTHS) {
        for (const start of [0, 1, 2, 3, 100]) {
          const end = start + length;
          assertStrictEquals(makeLatin1String(bytes, start, end), textOf(bytes, start, end));
          assertStrictEquals(makeLatin1String(ascii, start, end, true), textOf(ascii, start, end));
        }
      }
      if (!decodesUtf8) return;
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

describe("strings of Deno", () => {
  it("are made by Buffer once they are many, or if it is loaded anyway", async () => {
    let decoded = 0;
    class CountingDecoder extends TextDecoder {
      override decode(bytes: Uint8Array<ArrayBuffer>): string {
        decoded++;
        return super.decode(bytes);
      }
    }
    const bytes = new Uint8Array(1 << 20).fill(0x61);
    const codes = new Uint16Array(1 << 20).fill(0x4e2d);
    const string = "a".repeat(bytes.length);
    const wide = "中".repeat(codes.length);
    for (const [console, expected] of [[{}, 1], [{ _stdout: null }, 0]] as const) {
      await withGlobals({ console, TextDecoder: CountingDecoder }, async () => {
        const { makeLatin1String, makeUtf16String } = await loadFresh<MakeString>(PATH);
        makeLatin1String(bytes, 0, 200, true); // tries the decoder, too
        decoded = 0;
        for (let i = 0; i < 3; i++) {
          assert(makeLatin1String(bytes, 0, bytes.length, true) === string);
          assert(makeUtf16String(codes, new Uint8Array(codes.buffer), codes.length) === wide);
        }
        assertStrictEquals(decoded, expected);
      });
    }
  });
});

describe("strings without Buffer", () => {
  it("record the length of the scratch buffer to wipe at the end of a call", async () => {
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

  it("are right in the first calls of a process, also for tokens long enough for a decoder", async () => {
    assertChecks(await runDeno(["run", "--v8-flags=--expose-gc", "tests/processes/run_without_buffer.ts"]), 1_000);
  });
});

describe("a string that the engine cannot make, though it is not too long", () => {
  it("ends the call with the engine's error", () => {
    const bytes = utf8(`"${"a".repeat(40_000)}"`); // long enough for methods of Buffer
    const view = new DataView(bytes.buffer);
    assertStrictEquals(readStringToken(bytes, view, 1, skipPlain(bytes, view, 1, 40_002), 40_002)?.length, 40_000);
    // Methods of Buffer throw for an array of numbers, as they do when memory runs out.
    assertThrows(() => readStringToken(Array.from(bytes) as unknown as Uint8Array, view, 1, 40_001, 40_002));
  });
});
