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

/** Bytes and code units, of one kind each. */
const ASCII = new Uint8Array(500).fill(0x61).subarray(10);
const LATIN1 = new Uint8Array(500).fill(0xe9).subarray(10);
const WIDE = new Uint16Array(490).fill(0x4e2d);
const WITH_SURROGATES = new Uint16Array(490).fill(0xd800);

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

/** An engine whose decoders another library has replaced. */
const otherDecoder = class {
  decode(): string {
    return "other";
  }
};

/** Calls that have made a string since the last look. */
let calls: string[] = [];

/** Adds a call that has made a string. */
function record(call: string, string: string): string {
  calls.push(call);
  return string;
}

/** Decoder that records its calls and, as those of browsers, refuses memory that can be resized. */
class RecordingDecoder extends TextDecoder {
  override decode(bytes: Uint8Array<ArrayBuffer>): string {
    if (bytes.buffer.resizable) throw new TypeError("The provided Uint8Array value must not be resizable");
    return record(this.encoding, super.decode(bytes));
  }
}

const LATIN1_METHOD: { latin1Slice: SliceMethod } = {
  latin1Slice(start, end): string {
    return record("latin1Slice", Buffer.prototype.latin1Slice.call(this, start, end));
  },
};
const UCS2_METHOD: { ucs2Slice: SliceMethod } = {
  ucs2Slice(start, end): string {
    return record("ucs2Slice", Buffer.prototype.ucs2Slice.call(this, start, end));
  },
};
const BOTH_METHODS = { ...LATIN1_METHOD, ...UCS2_METHOD };

const { fromCharCode } = String;
function recordingFromCharCode(...codes: number[]): string {
  return record("fromCharCode", fromCharCode(...codes));
}

/** Loads the module in an engine that records what makes its strings. */
function loadRecording(methods: object | undefined, globals: Record<string, unknown> = {}): Promise<MakeString> {
  return loadFreshWith<MakeString>(PATH, {
    Buffer: methods && { prototype: methods },
    TextDecoder: RecordingDecoder,
    String: Object.create(String, { fromCharCode: { value: recordingFromCharCode } }),
    ...globals,
  });
}

/**
 * Returns how strings of up to 400 characters are made: each way after the length it begins with.
 */
function waysOf(makeString: (length: number) => string): string {
  const ways: string[] = [];
  let last = "";
  for (let length = 1; length <= 400; length++) {
    calls = [];
    makeString(length);
    const way = calls.length === 1 ? calls[0] : `${calls.length} × ${[...new Set(calls)].join()}`;
    if (way !== last) ways.push(`${length}: ${way}`);
    last = way;
  }
  return ways.join(", ");
}

const LISTS = "1: fromCharCode, 129: 2 × fromCharCode, 257: 3 × fromCharCode, 385: 4 × fromCharCode";
const DECODER = "1: fromCharCode, 129: windows-1252";
const WIDE_DECODER = "1: fromCharCode, 129: utf-16le";

describe("makeLatin1String() and makeUtf16String()", () => {
  /** The ways of ASCII, of other Latin-1, of UTF-16 and of UTF-16 with lone surrogates. */
  const rows: { engine: string; globals: Parameters<typeof loadRecording>; ways: string[] }[] = [
    {
      engine: "with Node's Buffer",
      globals: [BOTH_METHODS],
      ways: [
        ...Array(2).fill("1: fromCharCode, 25: latin1Slice"),
        ...Array(2).fill("1: fromCharCode, 17: ucs2Slice"),
      ],
    },
    {
      engine: "in Bun",
      globals: [BOTH_METHODS, { Bun: {} }],
      ways: [
        ...Array(2).fill("1: fromCharCode, 2: latin1Slice"),
        ...Array(2).fill("1: fromCharCode, 2: ucs2Slice"),
      ],
    },
    { engine: "in a browser", globals: [undefined], ways: [DECODER, LISTS, WIDE_DECODER, LISTS] },
    {
      engine: "in Safari",
      globals: [undefined, { Error: ErrorOfSafari }],
      ways: [
        "1: fromCharCode, 13: windows-1252",
        LISTS,
        WIDE_DECODER,
        LISTS,
      ],
    },
    {
      engine: "in JavaScriptCore with half of Buffer",
      globals: [LATIN1_METHOD, { Error: ErrorOfSafari }],
      ways: [
        ...Array(2).fill("1: fromCharCode, 25: latin1Slice"),
        WIDE_DECODER,
        LISTS,
      ],
    },
    {
      engine: "with the other half of Buffer",
      globals: [UCS2_METHOD],
      ways: [
        DECODER,
        LISTS,
        ...Array(2).fill("1: fromCharCode, 17: ucs2Slice"),
      ],
    },
    {
      engine: "in a shell",
      globals: [undefined, { TextDecoder: undefined }],
      ways: [
        ...Array(2).fill(LISTS),
        ...Array(2).fill(LISTS),
      ],
    },
  ];

  for (const { engine, globals, ways } of rows) {
    it(`take the fastest way ${engine}`, async () => {
      const module = await loadRecording(...globals);
      const { makeLatin1String, makeUtf16String, wipeLists } = module;
      warmUp(module);
      const ofUnits = (units: Uint16Array): string => {
        const bytes = new Uint8Array(units.buffer);
        return waysOf((length) => makeUtf16String(units, bytes, length));
      };
      assertEquals([
        waysOf((length) => makeLatin1String(ASCII, 0, length, true)),
        waysOf((length) => makeLatin1String(LATIN1, 0, length)),
        ofUnits(WIDE),
        ofUnits(WITH_SURROGATES),
      ], ways);
      // As any Latin-1 if nobody says that it is ASCII.
      assertEquals(waysOf((length) => makeLatin1String(ASCII, 7, 7 + length)), ways[1]);
      wipeLists();
    });
  }

  it("call Buffer for shorter strings until a process is warm", async () => {
    const { makeLatin1String } = await loadRecording(BOTH_METHODS);
    const ways = (): string => waysOf((length) => makeLatin1String(ASCII, 0, length));
    assertEquals(ways(), "1: fromCharCode, 17: latin1Slice");
    for (let times = 8; times < COLD_STRINGS - 4; times++) makeLatin1String(ASCII, 7, 7 + 17 + times % 8);
    assertEquals(ways(), "1: fromCharCode, 17: latin1Slice, 21: fromCharCode, 25: latin1Slice");
    assertEquals(ways(), "1: fromCharCode, 25: latin1Slice");
  });

  it("need no decoder where Buffer has both methods", async () => {
    let made = 0;
    const counting = class extends TextDecoder {
      constructor(...args: ConstructorParameters<typeof TextDecoder>) {
        super(...args);
        made++;
      }
    };
    await loadRecording(BOTH_METHODS, { TextDecoder: counting });
    assertStrictEquals(made, 0);
    await loadRecording(undefined, { TextDecoder: counting });
    assert(made > 0);
  });

  it("copy memory that can be resized for a decoder, and no other", async () => {
    const buffers: ArrayBuffer[] = [];
    const recording = class extends RecordingDecoder {
      override decode(bytes: Uint8Array<ArrayBuffer>): string {
        buffers.push(bytes.buffer);
        return super.decode(bytes);
      }
    };
    const { makeLatin1String, makeUtf16String } = await loadRecording(undefined, { TextDecoder: recording });
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

  it("read tokens by a decoder where Buffer cannot make Latin-1", async () => {
    for (const methods of [BOTH_METHODS, LATIN1_METHOD, UCS2_METHOD, undefined]) {
      const { DECODES_TOKENS } = await loadRecording(methods);
      assertStrictEquals(DECODES_TOKENS, methods === undefined || methods === UCS2_METHOD);
    }
    const { DECODES_TOKENS } = await loadRecording(undefined, { TextDecoder: undefined });
    assertStrictEquals(DECODES_TOKENS, false);
  });

  it("read shorter tokens by a decoder in Safari than elsewhere", () => {
    assert(ENGINES["in Safari"].MIN_DECODED_TOKEN < ENGINES["in a browser"].MIN_DECODED_TOKEN);
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
      if (method === fromCharCode) lists.add(list);
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
      const { dirtyLength, makeLatin1String, wipeLists } = ENGINES[engine];
      const bytes = new Uint8Array(90).fill(byte);
      for (let times = 0; times < 3; times++) {
        dirtyLength.characters = 0;
        assertStrictEquals(makeLatin1String(bytes, 0, 90, byte < 0x80), String.fromCharCode(byte).repeat(90));
        assertStrictEquals(dirtyLength.characters, 1);
        wipeLists();
        dirtyLength.characters = 500;
        makeLatin1String(bytes, 0, 90, byte < 0x80);
        assertStrictEquals(dirtyLength.characters, 500);
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
