/** Strings from bytes and code units in `parser/make_string.ts`, in each kind of engine. */

import { assertStrictEquals, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { used } from "../../parser/out_params.ts";
import { loadFresh, loadFreshWith } from "../support/modules.ts";
import { withSeeds } from "../support/random.ts";

type MakeString = typeof import("../../parser/make_string.ts");

const PATH = "parser/make_string.ts";
const APPLY_CHUNK = 8192;

/** Lengths around those at which strings are made in another way. */
const LENGTHS = Array.from({ length: 70 }, (_, i) => i + 1);
LENGTHS.push(1000, APPLY_CHUNK - 1, APPLY_CHUNK, APPLY_CHUNK + 1, 2 * APPLY_CHUNK, 3 * APPLY_CHUNK + 7);

const { Buffer } = globalThis as { Buffer?: { prototype: object } };

/** A class of the program that has methods of the same names. */
const otherBuffer = {
  prototype: {
    latin1Slice: (): string => "other",
    ucs2Slice(): string {
      throw new TypeError();
    },
  },
};

/** Error with the property by which JavaScriptCore is recognised. */
class ErrorOfSafari extends Error {
  readonly sourceURL = "";
}

const ENGINES: Record<string, MakeString> = {
  "with Node's Buffer": await loadFresh<MakeString>(PATH),
  "in Bun": await loadFreshWith<MakeString>(PATH, { Bun: {}, Buffer }),
  "in a browser": await loadFreshWith<MakeString>(PATH, { Buffer: undefined }),
  "in Safari": await loadFreshWith<MakeString>(PATH, { Buffer: undefined, Error: ErrorOfSafari }),
  "in a page with an element called Buffer": await loadFreshWith<MakeString>(PATH, { Buffer: {} }),
  "with another Buffer": await loadFreshWith<MakeString>(PATH, { Buffer: otherBuffer }),
  "in a shell": await loadFreshWith<MakeString>(PATH, { Buffer: undefined, TextDecoder: undefined }),
};

/** Returns the text of code units, made one by one. */
function textOf(units: ArrayLike<number>, start: number, end: number): string {
  let text = "";
  for (let i = start; i < end; i++) text += String.fromCharCode(units[i]);
  return text;
}

/** An engine whose decoders another library has replaced. */
const otherDecoder = class {
  decode(): string {
    return "other";
  }
};

describe("makeLatin1String() without Buffer", () => {
  it("makes the string by itself where TextDecoder is not the engine's", async () => {
    const globals = { Buffer: undefined, TextDecoder: otherDecoder };
    const { DECODES_TOKENS, makeLatin1String } = await loadFreshWith<MakeString>(PATH, globals);
    const bytes = new Uint8Array(300).fill(0x61);
    assertStrictEquals(DECODES_TOKENS, false);
    assertStrictEquals(makeLatin1String(bytes, 0, 300, true), "a".repeat(300));
  });

  it("makes strings of memory that can be resized", async () => {
    const { makeLatin1String } = await loadFreshWith<MakeString>(PATH, { Buffer: undefined });
    const bytes = new Uint8Array(new ArrayBuffer(300, { maxByteLength: 400 })).fill(0x61);
    assertStrictEquals(makeLatin1String(bytes, 0, 300, true), "a".repeat(300));
  });

  for (const [engine, byte] of [["in a browser", 0xe9], ["in Safari", 0x61]] as const) {
    it(`reports characters that it keeps as used, so that the end of a call wipes them, ${engine}`, () => {
      const { makeLatin1String, wipeLists } = ENGINES[engine];
      const bytes = new Uint8Array(30).fill(byte);
      for (let times = 0; times < 3; times++) {
        used.characters = 0;
        assertStrictEquals(makeLatin1String(bytes, 0, 30), String.fromCharCode(byte).repeat(30));
        assertStrictEquals(used.characters, 1);
        wipeLists();
      }
      used.characters = 0;
    });
  }
});

for (const [engine, { DECODES_TOKENS, makeLatin1String, makeUtf16String, makeUtf8String }] of Object.entries(ENGINES)) {
  describe(`makeLatin1String() ${engine}`, () => {
    it("makes a character of each byte, for every length and from every place", () => {
      const bytes = Uint8Array.from({ length: 4 * APPLY_CHUNK }, (_, i) => i * 7 & 0xff);
      for (const length of LENGTHS) {
        for (const start of [0, 1, 2, 3, 100]) {
          assertStrictEquals(makeLatin1String(bytes, start, start + length), textOf(bytes, start, start + length));
        }
      }
    });

    it("makes each of the 256 characters", () => {
      for (let byte = 0; byte < 256; byte++) {
        for (const length of [1, 2, 25, 26]) {
          const bytes = new Uint8Array(length).fill(byte);
          assertStrictEquals(makeLatin1String(bytes, 0, length), String.fromCharCode(byte).repeat(length));
        }
      }
    });

    it("makes ASCII, for every length and from every place", () => {
      const bytes = Uint8Array.from({ length: 4 * APPLY_CHUNK }, (_, i) => i * 7 & 0x7f);
      for (const length of [...LENGTHS, 127, 128, 129, 256]) {
        for (const start of [0, 1, 100]) {
          assertStrictEquals(
            makeLatin1String(bytes, start, start + length, true),
            textOf(bytes, start, start + length),
          );
        }
      }
    });

    it("reads bytes of a view that is not the beginning of its buffer", () => {
      const bytes = Uint8Array.from({ length: 300 }, (_, i) => i & 0xff).subarray(9, 290);
      for (const length of [1, 10, 24, 25, 200]) {
        assertStrictEquals(makeLatin1String(bytes, 5, 5 + length), textOf(bytes, 5, 5 + length));
      }
    });
  });

  if (DECODES_TOKENS) {
    describe(`makeUtf8String() ${engine}`, () => {
      it("makes what TextDecoder does, a byte-order mark included", () => {
        const text = "\ufeffé中😀\0plain";
        const bytes = new TextEncoder().encode(`"${text}"`);
        assertStrictEquals(makeUtf8String(bytes, 1, bytes.length - 1), text);
      });

      it("throws for malformed bytes", () => {
        for (const bytes of [[0xc3], [0xc3, 0x28], [0xed, 0xa0, 0x80], [0xff]]) {
          assertThrows(() => makeUtf8String(Uint8Array.from(bytes), 0, bytes.length));
        }
      });
    });
  }

  describe(`makeUtf16String() ${engine}`, () => {
    it("makes a text of every length, lone surrogates kept", () => {
      withSeeds(3, (random) => {
        const units = [0x61, 0xe9, 0x4e2d, 0xd83d, 0xde00, 0xd800, 0xffff, 0xfeff, 0];
        const codes = Uint16Array.from({ length: 4 * APPLY_CHUNK }, () => random.pick(units));
        codes[0] = 0x4e2d;
        const bytes = new Uint8Array(codes.buffer);
        for (const length of LENGTHS) {
          assertStrictEquals(makeUtf16String(codes, bytes, length), textOf(codes, 0, length));
        }
      });
    });

    it("makes each of the 65,536 code units", () => {
      const codes = Uint16Array.from({ length: 0x10000 }, (_, unit) => unit ^ 0xff00);
      const text = makeUtf16String(codes, new Uint8Array(codes.buffer), codes.length);
      assertStrictEquals(text, textOf(codes, 0, codes.length));
    });
  });
}
