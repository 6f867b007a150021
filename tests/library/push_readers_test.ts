/**
 * `BinaryParser` and `BinaryValidator`, whose methods are alike: answers of `push`, `end` and
 * `reset`, callbacks that go wrong, and memory that changes or runs out.
 */

import { assert, assertEquals, assertLess, assertStrictEquals, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { detach } from "../../detach.ts";
import { parseBinary, type ParseFailure } from "../../parse_binary.ts";
import { BinaryParser, type ValueSeparation } from "../../parse_stream.ts";
import { USUAL_SIZE } from "../../parser/document/chunk_buffer.ts";
import { BinaryValidator } from "../../validate_binary.ts";
import { concat, FORMS, utf8 } from "../support/bytes.ts";
import { singleCuts } from "../support/cuts.ts";
import { withoutMemory } from "../support/memory_limit.ts";
import { referenceParse } from "../support/reference.ts";

/** Options of both readers, by the names of their callbacks. */
interface Options {
  multiple?: ValueSeparation | undefined;
  /** Called for each value, and for each invalid one. */
  onValue?: (value: { line: number; end: number }) => void;
  onFailure?: () => void;
}

/** Reader of pieces. */
interface Reader {
  push(piece: Uint8Array): boolean;
  end(): { ok: boolean };
  reset(): void;
}

/** Reader, and the words of its errors. */
interface Kind {
  make(options?: Options): Reader;
  multiple: readonly Options["multiple"][];
  words: { push: string; reset: string; busy: string; rest: string };
}

const KINDS: Record<string, Kind> = {
  BinaryParser: {
    make: ({ onValue, ...options } = {}) => new BinaryParser({ ...options, onValue, onInvalid: onValue }),
    multiple: ["lines", "concatenated", "elements", "members"],
    words: {
      push: "Cannot parse a chunk",
      reset: "Cannot reset the parser",
      busy: "a callback of this parser is running",
      rest: "Cannot parse the rest of this chunk: a callback detached or resized its buffer",
    },
  },
  BinaryValidator: {
    make: ({ onValue, multiple, ...options } = {}) =>
      new BinaryValidator({ ...options, multiple: multiple as "lines", ...onValue && { onDocument: onValue } }),
    multiple: ["lines", "concatenated"],
    words: {
      push: "Cannot validate a piece",
      reset: "Cannot reset the validator",
      busy: "a callback of this validator is running",
      rest: "Cannot validate the rest of this piece: a callback detached or resized its buffer",
    },
  },
};

const BROKEN = "an earlier call threw before it was done; reset() begins a new input";

/** Reads pieces. Returns the answers and the result, of a parser without its value. */
function read(reader: Reader, ...pieces: (string | number)[][]): unknown[] {
  const answers = pieces.map((piece) => reader.push(utf8(...piece)));
  const result = reader.end();
  return [...answers, result.ok ? "ok" : result];
}

/** Fails unless the reader takes nothing but `reset`, and works after it. */
function assertBroken(reader: Reader, { words }: Kind): void {
  for (let times = 0; times < 2; times++) {
    assertEquals(assertThrows(() => reader.push(utf8("5\n6\n")), Error).message, `${words.push}: ${BROKEN}`);
    assertEquals(assertThrows(() => reader.end(), Error).message, `Cannot end the input: ${BROKEN}`);
  }
  reader.reset();
  reader.push(utf8(" "));
  reader.reset();
}

for (const [name, kind] of Object.entries(KINDS)) {
  const { make, multiple: separations, words } = kind;
  const isParser = name === "BinaryParser";

  describe(`${name}: its methods`, () => {
    it("push() returns false from the first failure on, and end() returns that failure", () => {
      const rows: (string | number)[][][] = [
        [["[1,"], [""], ["]"], ["2]"]],
        [[0xef, 0x41]],
        [[0xef, 0xbb, 0x41]],
        [["\n]"]],
        [["[1"], [], [",2]"]],
        [["["], ["\n\r", "x"], ["]"]],
      ];
      for (const pieces of rows) {
        const result = referenceParse(utf8(...pieces.flat()));
        const ends = pieces.map((_, i) => {
          const failure = referenceParse(utf8(...pieces.slice(0, i + 1).flat()));
          return failure.ok || failure.truncated;
        });
        assertEquals(read(make(), ...pieces), [...ends, result.ok ? "ok" : result], String(pieces));
      }
    });

    it("reset() begins a new input, whatever came before", () => {
      for (const multiple of [undefined, ...separations]) {
        const places: number[] = [];
        const reader = make({ multiple, onValue: ({ line, end }) => places.push(line, end) });
        for (
          const text of ["[1,", '{"a', "[1]", "}", '"\\u00', "\ufeff", "[\r", "12", "\n\n[1,]", "1\n2\n[", "\n\nx"]
        ) {
          reader.push(utf8(text));
          reader.reset();
          places.length = 0;
          const pieces = multiple === "members" ? ['\n{"a":1', "}\n"] : ["\n[1", "]\n"];
          assertEquals(read(reader, ...pieces.map((piece) => [piece])), [true, true, "ok"], text);
          assertEquals(places.length > 0 && places[0], multiple !== undefined && 2, text);
          reader.reset();
          assertEquals(read(reader, ["\n]"]), [false, referenceParse(utf8("\n]"))], text);
          reader.reset();
        }
      }
    });

    it("push() returns a failure for a detached piece", () => {
      const bytes = utf8("1]");
      detach(bytes);
      let failures = 0;
      const reader = make({ onFailure: () => void failures++ });
      assertEquals([reader.push(utf8("[")), reader.push(bytes), reader.push(utf8("x"))], [true, false, false]);
      assertEquals([reader.end(), failures], [parseBinary(bytes), 1]);
    });

    it("push() takes pieces in every form, cut anywhere", () => {
      const bytes = utf8('{"a":["é\\n",-1.5e3,true]}');
      for (const [form, makePiece] of FORMS) {
        for (const [place] of singleCuts(bytes.length)) {
          const reader = make();
          for (const part of [bytes.slice(0, place), bytes.slice(place)]) reader.push(makePiece(part) as Uint8Array);
          const expected = isParser ? parseBinary(bytes) : { ok: true, bytes: bytes.length };
          assertEquals(reader.end(), expected, `cut at ${place}, as ${form}`);
        }
      }
    });

    it("the constructor refuses other separations", () => {
      const wrong = ["", "line", "pages", 1, null, ...isParser ? [] : ["elements", "members"]];
      const message = isParser
        ? 'Cannot separate values this way: expected "lines", "concatenated", "elements" or "members"'
        : 'Cannot separate documents this way: expected "lines" or "concatenated"';
      for (const multiple of wrong) {
        assertEquals(assertThrows(() => make({ multiple: multiple as "lines" }), TypeError).message, message);
      }
    });

    it("fails on nesting for which the engine has no memory, cut before each level", () => {
      for (const unit of ["[", '{"a":']) {
        const reader = make();
        withoutMemory("Int32Array", (size) => typeof size === "number" && size > 2_048, () => {
          for (let level = 0; level < 70_000 && reader.push(utf8(unit)); level++);
        });
        const { code } = reader.end() as { ok: boolean; code?: string };
        assertEquals(code, "value-too-large");
        reader.reset();
        assertEquals(read(reader, ["[1]"]), [true, "ok"]);
      }
    });
  });

  const VALID = { lines: "1\n2\n3\n", concatenated: "1 2 3 ", elements: "[1,2,3]", members: '{"a":1,"b":2,"c":3}' };
  const INVALID = { lines: "x\n2\n3\n", concatenated: "x\n2 3 ", elements: "[x,2,3]", members: '{"a":x}' };
  const CUT = { lines: "1", concatenated: "1", elements: "[1", members: '{"a":1' };

  describe(`${name}: callbacks`, () => {
    for (const multiple of separations as ValueSeparation[]) {
      for (const callback of ["onValue", "onFailure"] as const) {
        it(`${callback} of ${multiple} may throw, in push() and end(); nothing is taken until reset()`, () => {
          const error = new Error("enough");
          let throws = true;
          const reader = make({
            multiple,
            [callback]() {
              if (throws) throw error;
            },
          });
          const bytes = utf8((callback === "onValue" ? VALID : INVALID)[multiple]);
          assertStrictEquals(assertThrows(() => reader.push(bytes)), error);
          assertBroken(reader, kind);
          const isCut = callback === "onFailure" || multiple === "lines" || multiple === "concatenated";
          if (isCut) {
            reader.push(utf8(callback === "onFailure" && multiple !== "members" ? "[1" : CUT[multiple]));
            assertStrictEquals(assertThrows(() => reader.end()), error);
            assertBroken(reader, kind);
          }
          throws = false;
          assertEquals(read(reader, [VALID[multiple]]), [true, "ok"]);
        });
      }

      it(`those of ${multiple} may not call the reader, but others`, () => {
        const errors: string[] = [];
        const callback = (): void => {
          for (const call of [() => reader.push(utf8("9")), () => reader.end(), () => reader.reset()]) {
            errors.push(assertThrows(call, Error).message);
          }
          assertEquals(parseBinary(utf8('{"a":["z",3]}')), { ok: true, value: { a: ["z", 3] } });
          assertEquals(read(make(), ['{"a":["z'], ['",3]}']), [true, true, "ok"]);
        };
        const reader = make({ multiple, onValue: callback, onFailure: callback });
        const expected = [words.push, "Cannot end the input", words.reset].map((what) => `${what}: ${words.busy}`);
        for (const pieces of [[[VALID[multiple]]], Array.from(VALID[multiple], (byte) => [byte])]) {
          assertEquals(read(reader, ...pieces).at(-1), "ok");
          assertEquals(errors, [...expected, ...expected, ...expected]);
          errors.length = 0;
          reader.reset();
        }
        assertStrictEquals(reader.push(utf8(INVALID[multiple])), false);
        assertEquals(errors.slice(0, 3), expected);
      });
    }

    const changes: Record<string, (buffer: ArrayBuffer) => void> = {
      detaches: (buffer) => void detach(buffer),
      shortens: (buffer) => buffer.resize(4),
    };
    for (const [change, act] of Object.entries(changes)) {
      it(`one that ${change} the piece being read ends the call by a TypeError, or changes nothing`, () => {
        for (const multiple of ["lines", "concatenated"] as const) {
          for (const length of [16, USUAL_SIZE + 1]) {
            const buffer = new ArrayBuffer(length, { maxByteLength: length });
            const piece = new Uint8Array(buffer).fill(0x20);
            piece.set(utf8("1\n2\n3\n"));
            let calls = 0;
            const reader = make({ multiple, onValue: () => calls++ === 0 && act(buffer) });
            const hasCopied = isParser && length < USUAL_SIZE;
            if (hasCopied) assertEquals([reader.push(piece), reader.end().ok, calls], [true, true, 3]);
            else {
              assertEquals(assertThrows(() => reader.push(piece), TypeError).message, words.rest);
              assertEquals(calls, isParser ? 3 : 1);
              assertBroken(reader, kind);
            }
          }
        }
      });
    }

    it("one that grows the piece being read does not make it longer", () => {
      for (const multiple of ["lines", "concatenated"] as const) {
        const buffer = new ArrayBuffer(6, { maxByteLength: 64 });
        const shared = new SharedArrayBuffer(6, { maxByteLength: 64 });
        for (const [memory, grow] of [[buffer, () => buffer.resize(64)], [shared, () => shared.grow(64)]] as const) {
          const bytes = new Uint8Array(memory);
          bytes.set(utf8("1\n2\n3 "));
          let values = 0;
          const reader = make({ multiple, onValue: () => void (values++, grow()) });
          assertEquals([reader.push(bytes), reader.end().ok, values], [true, true, 3]);
        }
      }
    });
  });

  describe(`${name}: memory`, () => {
    it("does not grow with whitespace", () => {
      const spaces = new Uint8Array(65_536).fill(0x20);
      const reader = make();
      for (const place of ["", "[", "[1", "[1,"]) {
        reader.reset();
        reader.push(utf8(place));
        const { external } = Deno.memoryUsage();
        for (let i = 0; i < 300; i++) assert(reader.push(spaces));
        assertLess(Deno.memoryUsage().external - external, 8 * 2 ** 20);
        assert(!reader.end().ok);
      }
    });
  });
}

it("malformed UTF-8 is refused at once, or in a string of more than 1 KiB without an end, at its end", () => {
  for (const text of ["x", "é", "中", "\u{1f600}"]) {
    for (const [length, size] of [[3000, 1], [3000, 700], [3000, 1024], [3000, 1500], [9000, 4000]]) {
      const start = utf8(`["${text.repeat(length)}`);
      const bytes = concat([start, Uint8Array.of(0xff), utf8(`${text.repeat(length)}"]`)]);
      const [parser, validator] = [new BinaryParser(), new BinaryValidator()];
      for (let p = 0; p < bytes.length; p += size) {
        const piece = bytes.subarray(p, p + size);
        const [isRight, isValid] = [parser.push(piece), validator.push(piece)];
        if (size <= 1024 || p + size >= bytes.length) assertEquals(isRight, isValid, `${text} by ${size}`);
        assert(isRight || !isValid);
      }
      assertEquals(parser.end(), validator.end() as ParseFailure);
    }
  }
});
