/** Strings from bytes and code units in `parser/strings/make_string.ts`, in each kind of engine. */

import { assert, assertEquals, assertStrictEquals, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { constantOf, loadFresh, loadFreshWith } from "../../support/modules.ts";
import { withSeeds } from "../../support/random.ts";

type MakeString = typeof import("../../../parser/strings/make_string.ts");

const PATH = "parser/strings/make_string.ts";
const APPLY_CHUNK = 8192;
const MAX_LIST = constantOf(PATH, "MAX_LIST");
const COLD_STRINGS = constantOf(PATH, "COLD_STRINGS");

/** Lengths around those at which strings are made in another way. */
const LENGTHS = Array.from({ length: 70 }, (_, i) => i + 1);
LENGTHS.push(1000, APPLY_CHUNK - 1, APPLY_CHUNK, APPLY_CHUNK + 1, 2 * APPLY_CHUNK, 3 * APPLY_CHUNK + 7);

type SliceMethod = (this: Uint8Array, start: number, end: number) => string;

const { Buffer } = globalThis as unknown as {
  Buffer: { prototype: { latin1Slice: SliceMethod; ucs2Slice: SliceMethod } };
};

/** A class of the program that has methods of the same names. */
const otherBuffer = {
  prototype: {
    latin1Slice: (): string => "other",
    ucs2Slice(): string {
      throw new TypeError();
    },
  },
};

const ASCII = new Uint8Array(500).fill(0x61).subarray(10);

/** Error with the property that reveals JavaScriptCore. */
class ErrorOfSafari extends Error {
  readonly sourceURL = "";
}

const ENGINES: Record<string, MakeString> = {
  "with Node's Buffer": await loadFresh<MakeString>(PATH),
  "with Node's Buffer, warm": await loadFresh<MakeString>(PATH),
  "in Bun": await loadFreshWith<MakeString>(PATH, { Bun: {}, Buffer }),
  "in a browser": await loadFreshWith<MakeString>(PATH, { Buffer: undefined }),
  "in Safari": await loadFreshWith<MakeString>(PATH, { Buffer: undefined, Error: ErrorOfSafari }),
  "in a page with an element called Buffer": await loadFreshWith<MakeString>(PATH, { Buffer: {} }),
  "with another Buffer": await loadFreshWith<MakeString>(PATH, { Buffer: otherBuffer }),
  "in a browser without resizable buffers": await loadFreshWith<MakeString>(PATH, {
    Buffer: undefined,
    ArrayBuffer: class {},
  }),
  "in a shell": await loadFreshWith<MakeString>(PATH, { Buffer: undefined, TextDecoder: undefined }),
};

/** Makes so many strings that the module takes a process for warm. */
function warmUp({ makeLatin1String }: MakeString): void {
  for (let times = 0; times < COLD_STRINGS; times++) makeLatin1String(ASCII, 0, 24);
}

/** Returns the text of code units, made one by one. */
function textOf(units: ArrayLike<number>, start: number, end: number): string {
  let text = "";
  for (let i = start; i < end; i++) text += String.fromCharCode(units[i]);
  return text;
}

warmUp(ENGINES["with Node's Buffer, warm"]);

describe("DECODES_TOKENS and MIN_DECODED_TOKEN", () => {
  it("say that tokens are read by a decoder where Buffer cannot make Latin-1, shorter ones in Safari", async () => {
    const { latin1Slice, ucs2Slice } = Buffer.prototype;
    for (
      const [prototype, expected] of [[{ latin1Slice, ucs2Slice }, false], [{ latin1Slice }, false], [
        { ucs2Slice },
        true,
      ]]
    ) {
      const { DECODES_TOKENS } = await loadFreshWith<MakeString>(PATH, { Buffer: { prototype } });
      assertStrictEquals(DECODES_TOKENS, expected);
    }
    const found = ["in a browser", "in Safari", "in a shell"].map((engine) => ENGINES[engine]);
    assertEquals(found.map(({ DECODES_TOKENS }) => DECODES_TOKENS), [true, true, false]);
    assert(found[1].MIN_DECODED_TOKEN < found[0].MIN_DECODED_TOKEN);
  });
});

describe("wipeLists()", () => {
  it("wipes every list and the scratch, whatever was in them", async () => {
    const scratches: Uint8Array[] = [];
    const recording = new Proxy(Uint8Array, {
      construct(target, args, newTarget) {
        const array = Reflect.construct(target, args, newTarget) as Uint8Array;
        if (array.length === MAX_LIST) scratches.push(array);
        return array;
      },
    });
    const lists = new Set<number[]>();
    const { apply } = Reflect;
    const recordingApply = (method: () => unknown, self: unknown, list: []): unknown => {
      if (method === String.fromCharCode) lists.add(list);
      return apply(method, self, list);
    };
    const globals = {
      Buffer: undefined,
      Bun: {},
      Error: ErrorOfSafari,
      Reflect: Object.create(Reflect, { apply: { value: recordingApply } }),
      Uint8Array: recording,
    };
    const { makeLatin1String, makeUtf16String, wipeLists } = await loadFreshWith<MakeString>(PATH, globals);
    assertStrictEquals(scratches.length, 1);
    for (let times = 0; times < 3; times++) {
      for (const byte of [0, 1, 2, 0x61, 0xe9, 0xff]) {
        const bytes = new Uint8Array(MAX_LIST + 1).fill(byte);
        const codes = new Uint16Array(MAX_LIST + 1).fill(0x100 | byte);
        codes[0] = byte;
        codes[1] = 0xd800; // which the decoder does not accept
        for (let length = 2; length <= MAX_LIST + 1; length++) {
          assertStrictEquals(makeLatin1String(bytes, 1, length), textOf(bytes, 1, length));
          assertStrictEquals(makeUtf16String(codes, new Uint8Array(codes.buffer), length), textOf(codes, 0, length));
        }
      }
      wipeLists();
      assertEquals(new Set([...lists].flat()), new Set([-1]), "lists");
      assertEquals(new Set(scratches[0]), new Set([0]), "scratch");
    }
    assertStrictEquals(lists.size, MAX_LIST);
  });
});

describe("makeLatin1String() without Buffer", () => {
  it("makes the string by itself where TextDecoder is not the engine's", async () => {
    const TextDecoder = class {
      decode(): string {
        return "other";
      }
    };
    const { DECODES_TOKENS, makeLatin1String } = await loadFreshWith<MakeString>(PATH, {
      Buffer: undefined,
      TextDecoder,
    });
    assertStrictEquals(DECODES_TOKENS, false);
    assertStrictEquals(makeLatin1String(new Uint8Array(300).fill(0x61), 0, 300, true), "a".repeat(300));
  });

  it("copies memory that can be resized, which decoders of browsers refuse, and no other", async () => {
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

  for (const [engine, byte] of [["in a browser", 0xe9], ["in Safari", 0x61]] as const) {
    it(`reports characters that it keeps as used, so that the end of a call wipes them, ${engine}`, () => {
      const { dirtyLength, makeLatin1String, wipeLists } = ENGINES[engine];
      const bytes = new Uint8Array(90).fill(byte);
      for (const [before, after] of [[0, 1], [500, 500]]) {
        dirtyLength.characters = before;
        assertStrictEquals(makeLatin1String(bytes, 0, 90, byte < 0x80), String.fromCharCode(byte).repeat(90));
        assertStrictEquals(dirtyLength.characters, after);
        wipeLists();
      }
      dirtyLength.characters = 0;
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

    it("makes ASCII, and each of the 256 characters, of bytes anywhere in their buffer", () => {
      const ascii = Uint8Array.from({ length: 4 * APPLY_CHUNK + 9 }, (_, i) => i * 7 & 0x7f).subarray(9);
      for (const length of [...LENGTHS, 127, 128, 129, 256]) {
        for (const start of [0, 1, 100]) {
          assertStrictEquals(
            makeLatin1String(ascii, start, start + length, true),
            textOf(ascii, start, start + length),
          );
        }
      }
      for (let byte = 0; byte < 256; byte++) {
        for (const length of [1, 2, 25, 26]) {
          const text = String.fromCharCode(byte).repeat(length);
          assertStrictEquals(makeLatin1String(new Uint8Array(length).fill(byte), 0, length), text);
        }
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

    it("makes a text of every length whose units all differ, a byte-order mark included", () => {
      const codes = Uint16Array.from({ length: 1000 }, (_, i) => 0xfeff - i);
      const bytes = new Uint8Array(codes.buffer);
      for (let length = 1; length <= 600; length++) {
        assertStrictEquals(makeUtf16String(codes, bytes, length), textOf(codes, 0, length));
      }
    });

    it("makes each of the 65,536 code units", () => {
      const codes = Uint16Array.from({ length: 0x10000 }, (_, unit) => unit ^ 0xff00);
      const text = makeUtf16String(codes, new Uint8Array(codes.buffer), codes.length);
      assertStrictEquals(text, textOf(codes, 0, codes.length));
    });
  });
}
