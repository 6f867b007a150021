import { assert, assertEquals, assertStrictEquals, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { Buffer } from "node:buffer";
import { Slice, type SliceEncoding } from "../../slice.ts";
import { Random } from "../../bench/support/random.ts";
import { utf8 } from "../support/bytes.ts";
import { loadFreshWith } from "../support/modules.ts";

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
  it("is empty by default", () => {
    assertEquals(fields(new Slice()), [0, 0, 0, 0]);
    assertEquals(new Slice().buffer.length, 0);
    assertEquals(new Slice().toString(), "");
  });

  it("extends to the end of the buffer by default", () => {
    const buffer = new Uint8Array(10);
    assertEquals(fields(new Slice(buffer)), [0, 10, 10, 10]);
    assertEquals(fields(new Slice(buffer, 4)), [4, 6, 6, 6]);
    assertEquals(fields(new Slice(buffer, 4, 2)), [4, 2, 2, 2]);
    assertEquals(fields(new Slice(buffer, 4, 2, 5)), [4, 2, 5, 2]);
    assertEquals(fields(new Slice(buffer, 10)), [10, 0, 0, 0]);
    assertStrictEquals(new Slice(buffer, 4).buffer, buffer);
  });

  it("throws a RangeError if it is not within the buffer", () => {
    const buffer = new Uint8Array(10);
    const windows = [[-1], [11], [0, 11], [5, 6], [0, -1], [0, 5, 4], [0, 5, 11], [4, 5, 7], [0, 0, -1]];
    for (const window of windows) assertThrows(() => new Slice(buffer, ...window), RangeError, "Cannot use");
    for (const bad of NO_INTEGERS) {
      for (const window of [[bad], [0, bad], [0, 1, bad]]) {
        assertThrows(() => new Slice(buffer, ...window), RangeError, "Cannot use");
      }
    }
    assertThrows(() => new Slice(undefined, 1), RangeError);
  });

  it("throws a TypeError for a buffer that is not a Uint8Array", () => {
    for (const bad of [null, "text", [1], new ArrayBuffer(8), new Uint16Array(4)]) {
      assertThrows(() => new Slice(bad as unknown as Uint8Array), TypeError, "Cannot make a slice");
    }
    assertEquals(new Slice(Buffer.from("text"), 1).toString(), "ext");
  });

  it("has a frozen empty slice", () => {
    assertEquals(fields(Slice.EMPTY), [0, 0, 0, 0]);
    assertThrows(() => Slice.EMPTY.byteLength = 4, TypeError);
  });

  it("reset() makes it empty", () => {
    const { slice } = between("text");
    slice.reset();
    assertEquals(fields(slice), [0, 0, 0, 0]);
    assertEquals(slice.buffer.length, 0);
  });
});

describe("Slice.at()", () => {
  it("counts from either end", () => {
    const { slice } = between("text");
    assertEquals([0, 3, -1, -4].map((index) => slice.at(index)), [0x74, 0x74, 0x74, 0x74]);
    assertEquals([1, -2].map((index) => slice.at(index)), [0x65, 0x78]);
  });

  it("does not read a neighbour", () => {
    const { slice } = between("text");
    for (const index of [4, -5, ...NO_INTEGERS]) assertThrows(() => slice.at(index), RangeError, "Cannot read at");
    assertThrows(() => Slice.EMPTY.at(0), RangeError);
  });
});

describe("Slice.copy()", () => {
  const targets: Record<string, (length: number) => [Uint8Array | Slice, () => string]> = {
    "a Uint8Array": (length) => {
      const target = new Uint8Array(length).fill(0x2e);
      return [target, () => Buffer.from(target).toString()];
    },
    "a slice": (length) => {
      const { slice, assertNeighbours } = between(".".repeat(length));
      return [slice, () => (assertNeighbours(), slice.toString())];
    },
  };
  for (const [kind, make] of Object.entries(targets)) {
    it(`copies to ${kind} as much as there is room for`, () => {
      const { slice } = between("text");
      const cases: { args: number[]; count: number; expected: string }[] = [
        { args: [], count: 4, expected: "text.." },
        { args: [1], count: 4, expected: ".text." },
        { args: [4], count: 2, expected: "....te" },
        { args: [6], count: 0, expected: "......" },
        { args: [0, 2], count: 2, expected: "xt...." },
        { args: [0, 4], count: 0, expected: "......" },
        { args: [0, 1, 3], count: 2, expected: "ex...." },
        { args: [0, 1, 99], count: 3, expected: "ext..." },
        { args: [0, 1, Infinity], count: 3, expected: "ext..." },
        { args: [0, 1, 2.9], count: 1, expected: "e....." },
        { args: [0, 2, 1], count: 0, expected: "......" },
        { args: [0, 0, -1], count: 0, expected: "......" },
        { args: [0, 0, NaN], count: 0, expected: "......" },
      ];
      for (const { args, count, expected } of cases) {
        const [target, text] = make(6);
        assertEquals([slice.copy(target, ...args), text()], [count, expected], `${args}`);
      }
    });

    it(`does not copy to ${kind} from or to a neighbour`, () => {
      const { slice } = between("text");
      const [target, text] = make(6);
      for (const bad of [-1, 7, ...NO_INTEGERS]) assertThrows(() => slice.copy(target, bad), RangeError, "Cannot use");
      for (const bad of [-1, 5, ...NO_INTEGERS]) {
        assertThrows(() => slice.copy(target, 0, bad), RangeError, "Cannot use");
      }
      assertEquals(text(), "......");
    });
  }

  it("copies within one buffer, also where the two overlap", () => {
    const bytes = utf8("abcdef..");
    for (const buffer of [bytes.slice(), Buffer.from(bytes)]) {
      const slice = new Slice(buffer, 0, 6);
      assertEquals(slice.copy(new Slice(buffer, 2, 6)), 6);
      assertEquals(Buffer.from(buffer).toString(), "ababcdef");
    }
    const whole = bytes.slice();
    assertEquals(new Slice(whole.subarray(0), 0, 6).copy(whole, 2), 6);
    assertEquals(Buffer.from(whole).toString(), "ababcdef");
  });
});

describe("Slice.compare()", () => {
  it("orders as Buffer.compare does", () => {
    const texts = ["", "a", "ab", "abc", "abd", "b", "\u00ff", "\ud7ff"];
    for (const ours of texts) {
      for (const theirs of texts) {
        const expected = Buffer.compare(Buffer.from(ours), Buffer.from(theirs));
        const { slice } = between(ours);
        assertEquals(slice.compare(utf8(theirs)), expected);
        assertEquals(slice.compare(between(theirs).slice), expected);
      }
    }
  });

  it("compares parts, as Buffer's method does", () => {
    const random = new Random(1);
    const ours = "abcabcab";
    const theirs = "bcabca";
    const { slice } = between(ours);
    for (let i = 0; i < 2000; i++) {
      const starts = [random.integer(0, theirs.length), random.integer(0, ours.length)];
      const ends = [random.integer(starts[0], theirs.length), random.integer(starts[1], ours.length)];
      const args = [starts[0], ends[0], starts[1], ends[1]];
      const expected = Buffer.from(ours).compare(Buffer.from(theirs), ...args);
      assertEquals(slice.compare(utf8(theirs), ...args), expected, `${args}`);
      assertEquals(slice.compare(between(theirs).slice, ...args), expected, `${args}`);
    }
  });

  it("cuts ends and checks starts", () => {
    const { slice } = between("text");
    const { slice: same } = between("text");
    assertEquals(slice.compare(same, 0, 99, 0, Infinity), 0);
    assertEquals(slice.compare(same, 0, -1), 1);
    assertEquals(slice.compare(same, 0, 4, 0, NaN), -1);
    assertEquals(slice.compare(same, 2, 1), 1);
    for (const bad of [-1, 5, ...NO_INTEGERS]) {
      assertThrows(() => slice.compare(same, bad), RangeError, "Cannot use");
      assertThrows(() => slice.compare(same, 0, 4, bad), RangeError, "Cannot use");
    }
  });
});

describe("Slice.set()", () => {
  it("copies bytes or a slice, or nothing", () => {
    const { slice, assertNeighbours } = between("......");
    slice.set(utf8("ab"));
    slice.set(Buffer.from("cd"), 2);
    slice.set(between("ef").slice, 4);
    slice.set(null, 3);
    slice.set(undefined);
    slice.set(Slice.EMPTY, 6);
    assertEquals(slice.toString(), "abcdef");
    slice.set(new Slice(slice.buffer, slice.byteOffset, 4), 2);
    assertEquals(slice.toString(), "ababcd");
    assertNeighbours();
  });

  it("does not write to a neighbour", () => {
    const { slice, assertNeighbours } = between("....");
    for (const bad of [-1, 5, ...NO_INTEGERS]) assertThrows(() => slice.set(utf8("a"), bad), RangeError, "Cannot use");
    for (const source of [utf8("abcde"), between("abcde").slice]) {
      assertThrows(() => slice.set(source), RangeError, "Cannot set 5 bytes at 0: there is room for 4");
      assertThrows(() => slice.set(source, 4), RangeError, "Cannot set 5 bytes at 4: there is room for 0");
    }
    assertEquals(slice.toString(), "....");
    assertNeighbours();
  });
});

describe("Slice.test()", () => {
  it("passes its bytes to the expression", () => {
    const { slice } = between("text");
    const seen: unknown[] = [];
    const answer = slice.test({ test: (...args) => (seen.push(...args), true) });
    assertEquals(answer, true);
    assert(seen[0] === slice.buffer);
    assertEquals(seen.slice(1), [10, 4]);
  });
});

describe("Slice.toBytes()", () => {
  it("is a view of the part asked for", () => {
    const { slice } = between("text");
    const view = slice.toBytes();
    view[0] = 0x6e;
    assertEquals(slice.toString(), "next");
    assertEquals(slice.toBytes(1, 3), utf8("ex"));
    assertEquals(slice.toBytes(1, 99), utf8("ext"));
    assertEquals(slice.toBytes(3, 1), utf8(""));
    assertEquals(slice.toBytes(4), utf8(""));
    for (const bad of [-1, 5, ...NO_INTEGERS]) assertThrows(() => slice.toBytes(bad), RangeError, "Cannot use");
  });

  it("is right in a buffer that is a view itself, and no Buffer then", () => {
    const buffer = Buffer.from("....text....").subarray(4, 8);
    const bytes = new Slice(buffer, 1, 2).toBytes();
    assertEquals(bytes, utf8("ex"));
    assert(bytes.constructor === Uint8Array);
  });
});

describe("Slice.toString()", () => {
  it("agrees with Buffer in every encoding", () => {
    const random = new Random(2);
    for (const length of [...Array(20).keys(), 255, 8192, 8193, 20000]) {
      const bytes = Uint8Array.from({ length }, () => random.integer(0, 255));
      const { slice } = between(bytes);
      for (const encoding of ENCODINGS) {
        assertEquals(slice.toString(encoding), Buffer.from(bytes).toString(encoding), `${encoding} ${length}`);
      }
    }
  });

  it("keeps a byte-order mark", () => {
    assertEquals(between("\ufefftext").slice.toString(), "\ufefftext");
  });

  it("reads the part asked for", () => {
    const { slice } = between("text");
    assertEquals(slice.toString("utf-8", 1), "ext");
    assertEquals(slice.toString("latin1", 1, 3), "ex");
    assertEquals(slice.toString("hex", 3, 99), "74");
    assertEquals(slice.toString("base64", 4), "");
    assertEquals(slice.toString("utf-8", 2, 1), "");
    for (const bad of [-1, 5, ...NO_INTEGERS]) {
      assertThrows(() => slice.toString("utf-8", bad), RangeError, "Cannot use");
    }
  });

  it("reads shared memory", () => {
    const buffer = new Uint8Array(new SharedArrayBuffer(4));
    buffer.set(utf8("text"));
    assertEquals(new Slice(buffer, 1).toString(), "ext");
  });
});

describe("Slice.write()", () => {
  it("undoes toString", () => {
    const random = new Random(3);
    for (const encoding of ["latin1", "hex", "base64"] as SliceEncoding[]) {
      for (let length = 0; length < 50; length++) {
        const bytes = Uint8Array.from({ length }, () => random.integer(0, 255));
        const { slice, assertNeighbours } = between(new Uint8Array(length));
        assertEquals(slice.write(Buffer.from(bytes).toString(encoding), 0, length, encoding), length);
        assertEquals(slice.toBytes(), bytes);
        assertNeighbours();
      }
    }
  });

  it("writes whole characters of UTF-8", () => {
    const cases: { text: string; count: number; expected: string }[] = [
      { text: "text", count: 4, expected: "text.." },
      { text: "textual", count: 6, expected: "textua" },
      { text: "€€€", count: 6, expected: "€€" },
      { text: "a€€", count: 4, expected: "a€.." },
      { text: "ab𝄞", count: 6, expected: "ab𝄞" },
      { text: "abc𝄞", count: 3, expected: "abc..." },
      { text: "\ud800", count: 3, expected: "\ufffd..." },
    ];
    for (const { text, count, expected } of cases) {
      const { slice, assertNeighbours } = between("......");
      assertEquals([slice.write(text), slice.toString()], [count, expected]);
      assertNeighbours();
    }
  });

  it("writes at the given offset, up to the given length", () => {
    for (
      const [encoding, text] of [["utf-8", "abc"], ["latin1", "abc"], ["hex", "616263"], ["base64", "YWJj"]] as [
        SliceEncoding,
        string,
      ][]
    ) {
      const { slice, assertNeighbours } = between("......");
      assertEquals(slice.write(text, 1, 2, encoding), 2);
      assertEquals(slice.write(text, 5, undefined, encoding), 1);
      assertEquals(slice.write(text, 6, undefined, encoding), 0);
      assertEquals(slice.toString(), ".ab..a");
      assertNeighbours();
    }
  });

  it("keeps the low byte for latin1", () => {
    const { slice } = between("..");
    slice.write("\u00e9\u20ac", 0, 2, "latin1");
    assertEquals(slice.toString("hex"), "e9ac");
  });

  it("reads digits up to the first other character", () => {
    const cases: { encoding: SliceEncoding; text: string; expected: string }[] = [
      { encoding: "hex", text: "", expected: "" },
      { encoding: "hex", text: "0aF", expected: "0a" },
      { encoding: "hex", text: "0a F0", expected: "0a" },
      { encoding: "hex", text: "0ag0ff", expected: "0a" },
      { encoding: "hex", text: "0a0gff", expected: "0a" },
      { encoding: "hex", text: "0aĀa", expected: "0a" },
      { encoding: "base64", text: "+/-_", expected: "fbffbf" },
      { encoding: "base64", text: " Y W\r\nJ\tj\f", expected: "616263" },
      { encoding: "base64", text: "YWI=", expected: "6162" },
      { encoding: "base64", text: "YWI", expected: "6162" },
      { encoding: "base64", text: "Y", expected: "" },
      { encoding: "base64", text: "YWI=YWI=", expected: "6162" },
      { encoding: "base64", text: "YWJj!YWJj", expected: "616263" },
      { encoding: "base64", text: "YWJjŁ", expected: "616263" },
    ];
    for (const { encoding, text, expected } of cases) {
      const { slice } = between(new Uint8Array(8));
      const count = slice.write(text, 0, 8, encoding);
      assertEquals(slice.toString("hex", 0, count), expected, `${encoding} ${text}`);
    }
  });

  it("does not write to a neighbour", () => {
    const { slice, assertNeighbours } = between("....");
    for (const bad of [-1, 5, ...NO_INTEGERS]) {
      assertThrows(() => slice.write("a", bad), RangeError, "Cannot use");
      assertThrows(() => slice.write("a", 0, bad), RangeError, "Cannot use");
    }
    assertThrows(() => slice.write("a", 2, 3), RangeError, "Cannot use 3 in a slice: expected an integer from 0 to 2");
    assertEquals(slice.toString(), "....");
    assertNeighbours();
  });

  it("throws a TypeError for any other encoding, as toString() does", () => {
    const { slice } = between("....");
    for (const encoding of ["utf16le", "UTF-8", "", null] as unknown as SliceEncoding[]) {
      assertThrows(() => slice.write("a", 0, 4, encoding), TypeError, "Cannot use encoding");
      assertThrows(() => slice.toString(encoding), TypeError, "Cannot use encoding");
    }
  });

  it("is emptied at the end of a block that declares it with `using`", () => {
    const buffer = utf8("hello");
    const slice = new Slice(buffer, 1, 2);
    {
      using declared = slice;
      assertEquals(declared.length, 2);
    }
    assertEquals(fields(slice), [0, 0, 0, 0]);
    assertEquals(buffer.length, 5);
    slice[Symbol.dispose]();
    Slice.EMPTY[Symbol.dispose]();
    const one = new Slice(new Uint8Array(1));
    one[Symbol.dispose]();
    assertEquals(fields(one), [0, 0, 0, 0]);
  });

  it("has no method for `using` in an engine without Symbol.dispose", async () => {
    const globals = { Symbol: { iterator: Symbol.iterator } };
    const { Slice } = await loadFreshWith<typeof import("../../slice.ts")>("slice.ts", globals);
    assertEquals(Reflect.ownKeys(Slice.prototype).filter((key) => typeof key === "symbol" || key === "undefined"), []);
  });
});

describe("a Slice in detail", () => {
  it("compare() takes an array that is a part of its buffer", () => {
    const slice = new Slice(new Uint8Array([1, 2, 3]));
    assertEquals(slice.compare(new Uint8Array([9, 9, 1, 2, 3, 9]).subarray(2, 5)), 0);
    assertEquals(slice.compare(new Uint8Array([9, 9, 1, 2, 4, 9]).subarray(2, 5)), -1);
  });

  for (const [encoding, count] of [["utf-8", 2], ["latin1", 2], ["hex", 1], ["base64", 1]] as const) {
    it(`write() leaves the bytes behind the text as they were, in ${encoding}`, () => {
      const bytes = new Uint8Array(8).fill(7);
      assertEquals(new Slice(bytes).write("ab", 0, 8, encoding), count);
      assertEquals(bytes.subarray(count), new Uint8Array(8 - count).fill(7));
    });
  }

  it("write() ends at each character that is no digit", () => {
    const slice = new Slice(new Uint8Array(8));
    const hex = new Set("0123456789abcdefABCDEF");
    const base64 = new Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/-_\t\n\f\r ");
    for (let code = 0; code < 0x10000; code = code < 0x200 ? code + 1 : code * 2) {
      const character = String.fromCharCode(code);
      const isDigit = [hex.has(character), base64.has(character)];
      const written = [
        slice.write(`00${character}0`, 0, 8, "hex"),
        slice.write(`AAAA${character}AAAA`, 0, 8, "base64"),
      ];
      assertEquals(written, [isDigit[0] ? 2 : 1, isDigit[1] ? 6 : 3], character);
    }
  });

  it("write() skips white space of each kind in base64", () => {
    const slice = new Slice(new Uint8Array(3));
    for (const space of "\t\n\f\r ") {
      assertEquals(slice.write(`AQ${space}I${space}D`, 0, 3, "base64"), 3);
      assertEquals(slice.toString("hex"), "010203");
    }
  });

  const slice = new Slice(new Uint8Array(5));
  const failures: [call: () => unknown, message: string][] = [
    [() => new Slice([] as unknown as Uint8Array), "Cannot make a slice: expected a Uint8Array"],
    [() => slice.at(5), "Cannot read at 5: expected an integer from -5 to 4"],
    [() => slice.write("a", 9), "Cannot use 9 in a slice: expected an integer from 0 to 5"],
  ];
  for (const [call, expected] of failures) {
    it(`fails with the message "${expected}"`, () => {
      assertEquals(assertThrows(call, Error).message, expected);
    });
  }
});
