import { assert, assertEquals, assertStrictEquals, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { Buffer } from "node:buffer";
import { Slice, type SliceEncoding } from "../../slice.ts";
import { Random } from "../../bench/support/random.ts";
import { utf8 } from "../support/bytes.ts";

/** Makes a slice of a text, and a function that fails unless the bytes around it are unchanged. */
function between(text: string | Uint8Array): { slice: Slice; assertNeighbours(): void } {
  const bytes = typeof text === "string" ? utf8(text) : text;
  const buffer = new Uint8Array(bytes.length + 20).fill(0xee);
  buffer.set(bytes, 10);
  return {
    slice: new Slice(buffer, 10, bytes.length),
    assertNeighbours() {
      const outside = [...buffer.subarray(0, 10), ...buffer.subarray(10 + bytes.length)];
      assert(outside.every((byte) => byte === 0xee), `${outside}`);
    },
  };
}

const NO_INTEGERS = [0.5, NaN, Infinity, -Infinity, "1", null, {}] as number[];
const ENCODINGS: SliceEncoding[] = ["utf-8", "latin1", "hex", "base64"];

function fields({ byteOffset, byteLength, maxByteLength, length }: Slice): number[] {
  return [byteOffset, byteLength, maxByteLength, length];
}

describe("Slice", () => {
  it("extends to the end of the buffer by default, and is empty without a buffer", () => {
    const buffer = new Uint8Array(10);
    const windows: [args: [offset?: number, length?: number, max?: number], fields: number[]][] = [
      [[], [0, 10, 10, 10]],
      [[4], [4, 6, 6, 6]],
      [[4, 2], [4, 2, 2, 2]],
      [[4, 2, 5], [4, 2, 5, 2]],
      [[10], [10, 0, 0, 0]],
    ];
    for (const [window, expected] of windows) assertEquals(fields(new Slice(buffer, ...window)), expected);
    assertStrictEquals(new Slice(buffer, 4).buffer, buffer);
    for (const empty of [new Slice(), Slice.EMPTY]) {
      assertEquals([...fields(empty), empty.buffer.length], Array(5).fill(0));
    }
    assertThrows(() => Slice.EMPTY.byteLength = 4, TypeError);
    assertEquals(new Slice().toString(), "");
  });

  it("throws a RangeError if it is not within the buffer", () => {
    const buffer = new Uint8Array(10);
    const windows = [[-1], [11], [0, 11], [5, 6], [0, -1], [0, 5, 4], [0, 5, 11], [4, 5, 7], [0, 0, -1]];
    for (const bad of NO_INTEGERS) windows.push([bad], [0, bad], [0, 1, bad]);
    for (const window of windows) assertThrows(() => new Slice(buffer, ...window), RangeError, "Cannot use");
    assertThrows(() => new Slice(undefined, 1), RangeError);
  });

  it("throws a TypeError for a buffer that is not a Uint8Array", () => {
    for (const bad of [null, "text", [1], new ArrayBuffer(8), new Uint16Array(4)]) {
      const { message } = assertThrows(() => new Slice(bad as unknown as Uint8Array), TypeError);
      assertEquals(message, "Cannot make a slice: expected a Uint8Array");
    }
    assertEquals(new Slice(Buffer.from("text"), 1).toString(), "ext");
  });

  it("is emptied by reset(), and at the end of a block that declares it with `using`", () => {
    const buffer = utf8("hello");
    const slice = new Slice(buffer, 1, 2);
    {
      using declared = slice;
      assertEquals(declared.length, 2);
    }
    const one = new Slice(new Uint8Array(1));
    one[Symbol.dispose]();
    const reset = new Slice(buffer, 1, 2);
    reset.reset();
    for (const empty of [slice, one, reset]) assertEquals([...fields(empty), empty.buffer.length], Array(5).fill(0));
    assertEquals(buffer.length, 5);
    slice[Symbol.dispose]();
    Slice.EMPTY[Symbol.dispose]();
  });
});

/** Calls of methods of a slice of four bytes, each with one number, which must be from 0 to 4. */
const CALLS: Record<string, (slice: Slice, number: number) => unknown> = {
  "copy(), in an array": (slice, start) => slice.copy(new Uint8Array(4), start),
  "copy(), in a slice": (slice, start) => slice.copy(between("....").slice, start),
  "copy(), from": (slice, start) => slice.copy(new Uint8Array(4), 0, start),
  "compare(), of the other": (slice, start) => slice.compare(utf8("text"), start),
  "compare(), of this": (slice, start) => slice.compare(between("text").slice, 0, 4, start),
  "set()": (slice, offset) => slice.set(utf8("a"), offset),
  "toBytes()": (slice, start) => slice.toBytes(start),
  "toString()": (slice, start) => slice.toString("utf-8", start),
  "write(), at": (slice, offset) => slice.write("a", offset),
  "write(), up to": (slice, length) => slice.write("a", 0, length),
};

describe("an index beyond a slice", () => {
  it("is a RangeError, and changes nothing", () => {
    for (const [name, call] of Object.entries(CALLS)) {
      const { slice, assertNeighbours } = between("text");
      for (const bad of [-1, 5, ...NO_INTEGERS]) {
        const { message } = assertThrows(() => call(slice, bad), RangeError, undefined, name);
        assertEquals(message, `Cannot use ${String(bad)} in a slice: expected an integer from 0 to 4`);
      }
      assertEquals(slice.toString(), "text");
      assertNeighbours();
    }
  });

  it("is a RangeError in at(), which counts from either end", () => {
    const { slice } = between("text");
    assertEquals([0, 1, 3, -1, -2, -4].map((index) => slice.at(index)), [0x74, 0x65, 0x74, 0x74, 0x78, 0x74]);
    for (const index of [4, -5, ...NO_INTEGERS]) {
      const { message } = assertThrows(() => slice.at(index), RangeError);
      assertEquals(message, `Cannot read at ${String(index)}: expected an integer from -4 to 3`);
    }
    assertThrows(() => Slice.EMPTY.at(0), RangeError);
  });

  it("is a RangeError in write() if only offset + length exceeds it, and in set() if the source is too long", () => {
    const { slice, assertNeighbours } = between("....");
    assertThrows(() => slice.write("a", 2, 3), RangeError, "Cannot use 3 in a slice: expected an integer from 0 to 2");
    for (const source of [utf8("abcde"), between("abcde").slice]) {
      assertThrows(() => slice.set(source), RangeError, "Cannot set 5 bytes at 0: there is room for 4");
      assertThrows(() => slice.set(source, 4), RangeError, "Cannot set 5 bytes at 4: there is room for 0");
    }
    assertEquals(slice.toString(), "....");
    assertNeighbours();
  });
});

describe("Slice.copy() and Slice.compare()", () => {
  it("copy as much as there is room for to an array or a slice, as Buffer.copy does", () => {
    const { slice } = between("text");
    for (let targetStart = 0; targetStart <= 6; targetStart++) {
      for (let start = 0; start <= 4; start++) {
        for (const end of [undefined, start, 3, 4, 99, Infinity, 2.9, 1, NaN, -1]) {
          const expected = Buffer.from("......");
          const last = Math.max(start, Math.min(end ?? 4, 99)) || start;
          const count = Buffer.from("text").copy(expected, targetStart, start, last);
          const array = new Uint8Array(6).fill(0x2e);
          const { slice: target, assertNeighbours } = between("......");
          const args = [targetStart, start, end] as const;
          assertEquals([slice.copy(array, ...args), slice.copy(target, ...args)], [count, count], `${args}`);
          assertEquals([Buffer.from(array), target.toString()], [expected, `${expected}`], `${args}`);
          assertNeighbours();
        }
      }
    }
  });

  it("copy within one buffer, also where the two overlap", () => {
    for (const buffer of [utf8("abcdef.."), Buffer.from("abcdef..")]) {
      assertEquals(new Slice(buffer, 0, 6).copy(new Slice(buffer, 2, 6)), 6);
      assertEquals(Buffer.from(buffer).toString(), "ababcdef");
    }
    const whole = utf8("abcdef..");
    assertEquals(new Slice(whole.subarray(0), 0, 6).copy(whole, 2), 6);
    assertEquals(whole, utf8("ababcdef"));
  });

  it("order whole slices and parts as Buffer.compare does", () => {
    const random = new Random(1);
    const texts = ["", "a", "ab", "abc", "abd", "b", "\u00ff", "\ud7ff", "abcabcab"].map((text) => utf8(text));
    for (const ours of texts) {
      for (const theirs of texts) {
        const { slice } = between(ours);
        const { slice: other } = between(theirs);
        const part = ({ length }: Uint8Array): [start: number, end: number] => {
          const start = random.integer(0, length);
          return [start, random.pick([random.integer(start, length), 99, Infinity])];
        };
        for (const args of [[], ...Array.from({ length: 30 }, () => [...part(theirs), ...part(ours)])]) {
          const expected = Buffer.compare(ours.subarray(args[2], args[3]), theirs.subarray(args[0], args[1]));
          for (const target of [theirs, other, other.toBytes()]) {
            assertEquals(slice.compare(target, ...args), expected, `${args}`);
          }
        }
      }
    }
    const { slice } = between("text");
    const { slice: same } = between("text");
    for (const [args, expected] of [[[0, -1], 1], [[0, 4, 0, NaN], -1], [[2, 1], 1]] as const) {
      assertEquals(slice.compare(same, ...args), expected);
    }
  });
});

describe("Slice", () => {
  it("set() copies bytes or a slice, or nothing if they do not fit", () => {
    const { slice, assertNeighbours } = between("......");
    slice.set(utf8("ab"));
    slice.set(Buffer.from("cd"), 2);
    slice.set(between("ef").slice, 4);
    for (const nothing of [null, undefined, Slice.EMPTY]) slice.set(nothing, 6);
    assertEquals(slice.toString(), "abcdef");
    slice.set(new Slice(slice.buffer, slice.byteOffset, 4), 2);
    assertEquals(slice.toString(), "ababcd");
    assertNeighbours();
  });

  it("test() applies a regular expression to its bytes", () => {
    const { slice } = between("text");
    const seen: unknown[] = [];
    assertEquals(slice.test({ test: (...args) => (seen.push(...args), true) }), true);
    assertEquals([seen[0] === slice.buffer, ...seen.slice(1)], [true, 10, 4]);
  });

  it("toBytes() returns a view of a part, which is not a Buffer", () => {
    const { slice } = between("text");
    slice.toBytes()[0] = 0x6e;
    for (
      const [start, end, expected] of [[0, 4, "next"], [1, 3, "ex"], [1, 99, "ext"], [3, 1, ""], [
        4,
        undefined,
        "",
      ]] as const
    ) {
      assertEquals(slice.toBytes(start, end), utf8(expected));
    }
    const bytes = new Slice(Buffer.from("....text....").subarray(4, 8), 1, 2).toBytes();
    assertEquals([bytes, bytes.constructor], [utf8("ex"), Uint8Array]);
  });
});

describe("Slice.toString()", () => {
  it("agrees with Buffer in every encoding, and write() reverses it", () => {
    const random = new Random(2);
    for (const length of [...Array(50).keys(), 255, 8192, 8193, 20000]) {
      const bytes = Uint8Array.from({ length }, () => random.integer(0, 255));
      for (const encoding of ENCODINGS) {
        const text = Buffer.from(bytes).toString(encoding);
        assertEquals(between(bytes).slice.toString(encoding), text, `${encoding} ${length}`);
        if (encoding === "utf-8") continue;
        const { slice, assertNeighbours } = between(new Uint8Array(length));
        assertEquals(slice.write(text, 0, length, encoding), length);
        assertEquals(slice.toBytes(), bytes);
        assertNeighbours();
      }
    }
  });

  it("decodes a part, a byte-order mark, and shared memory", () => {
    const shared = new Uint8Array(new SharedArrayBuffer(4));
    shared.set(utf8("text"));
    for (const slice of [between("text").slice, new Slice(shared)]) {
      const found = [
        ...[slice.toString("utf-8", 1), slice.toString("latin1", 1, 3), slice.toString("hex", 3, 99)],
        ...[slice.toString("base64", 4), slice.toString("utf-8", 2, 1)],
      ];
      assertEquals(found, ["ext", "ex", "74", "", ""]);
    }
    assertEquals(between("\ufefftext").slice.toString(), "\ufefftext");
  });
});

describe("Slice.write()", () => {
  it("writes as Buffer.write does: whole characters, at an offset, up to a length, and nothing else", () => {
    const texts = [
      "",
      "text",
      "textual",
      "€€€",
      "a€€",
      "ab𝄞",
      "abc𝄞",
      "\ud800",
      ..."616263 0aF 0ag0ff 0aĀa".split(" "),
      "0a F0",
    ];
    for (const text of texts) {
      const isAscii = /^[ -~]*$/.test(text); // Deno's Buffer takes some other characters for digits
      for (const encoding of ["utf-8", "latin1", ...isAscii ? ["hex"] as const : []] as const) {
        assertEquals([between("...").slice.write(text, 3, 0, encoding), between("").slice.write(text)], [0, 0]);
        for (let offset = 0; offset < 6; offset++) {
          for (let length = 1; length <= 6 - offset; length++) {
            const expected = Buffer.from("......");
            const count = expected.write(text, offset, length, encoding);
            const { slice, assertNeighbours } = between("......");
            const written = slice.write(text, offset, length === 6 - offset ? undefined : length, encoding);
            assertEquals(
              [written, slice.toBytes()],
              [count, new Uint8Array(expected)],
              `${text} ${encoding} ${offset}`,
            );
            assertNeighbours();
          }
        }
      }
    }
  });

  it("reads digits up to the first other character", () => {
    const rows = [["+/-_", "fbffbf"], [" Y W\r\nJ\tj\f", "616263"], ["YWI=", "6162"], ["YWI", "6162"], ["Y", ""]];
    for (const [text, expected] of [...rows, ["YWI=YWI=", "6162"], ["YWJj!YWJj", "616263"], ["YWJjŁ", "616263"]]) {
      const { slice } = between(new Uint8Array(8));
      assertEquals(slice.toString("hex", 0, slice.write(text, 0, 8, "base64")), expected, text);
    }
    const slice = new Slice(new Uint8Array(8));
    const hex = new Set("0123456789abcdefABCDEF");
    const base64 = new Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/-_\t\n\f\r ");
    for (let code = 0; code < 0x10000; code = code < 0x200 ? code + 1 : code * 2) {
      const character = String.fromCharCode(code);
      const written = [
        slice.write(`00${character}0`, 0, 8, "hex"),
        slice.write(`AAAA${character}AAAA`, 0, 8, "base64"),
      ];
      assertEquals(written, [hex.has(character) ? 2 : 1, base64.has(character) ? 6 : 3], character);
    }
  });

  it("throws a TypeError for any other encoding, as toString() does", () => {
    const { slice } = between("....");
    for (const encoding of ["utf16le", "UTF-8", "", null] as unknown as SliceEncoding[]) {
      assertThrows(() => slice.write("a", 0, 4, encoding), TypeError, "Cannot use encoding");
      assertThrows(() => slice.toString(encoding), TypeError, "Cannot use encoding");
    }
  });
});
