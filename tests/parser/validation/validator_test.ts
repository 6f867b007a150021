import { assert, assertEquals, assertStrictEquals, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { parseBinary } from "../../../parse_binary.ts";
import { describeFailure } from "../../../parser/base/failure.ts";
import {
  advance,
  closeBrackets,
  dataViewOf,
  type Machine,
  newMachine,
  piecesOf,
  readAll,
  readPiece,
  resetMachine,
  skipLine,
} from "../../../parser/validation/validator.ts";
import { countPendingReturn, failureAtOffset } from "../../../parser/base/line_position.ts";
import { type ParseFailure, validateBinary } from "../../../validate_binary.ts";
import { concat, show, utf8 } from "../../support/bytes.ts";
import { withSeeds } from "../../support/random.ts";
import { withoutMemory } from "../../support/memory_limit.ts";

const SPACES = utf8("        ");

/**
 * Asserts that bytes get the answer of `parseBinary`, alone and with room for words behind them.
 */
function assertAgreement(bytes: Uint8Array): void {
  for (const input of [bytes, concat([bytes, SPACES])]) {
    const expected = parseBinary(input);
    const found = validateBinary(input);
    if (expected.ok && found.ok) continue;
    // Comparing text is faster, and there are thousands of inputs.
    if (JSON.stringify(found) !== JSON.stringify(expected)) assertEquals(found, expected as ParseFailure, show(input));
  }
}

/** Returns the fields that a new machine has, but for those that are set before they are read. */
function fieldsOf({ isKey: _, ...fields }: Machine): Partial<Machine> {
  return fields;
}

describe("resetMachine()", () => {
  it("makes a machine like a new one", () => {
    for (const text of ["\n\r\né]", "[[[", '{"a', "1\r", "[1]\n\n"]) {
      const machine = newMachine(false, false);
      readAll(machine, utf8(text));
      readAll(machine, utf8(" "));
      resetMachine(machine);
      assertEquals(fieldsOf(machine), fieldsOf(newMachine(false, false)), text);
    }
    const { state, brackets, outerCount, pieceStart, lines, lineStart, excessBytes } = newMachine(false, false);
    assertEquals([state, brackets, outerCount, pieceStart, lines, lineStart, excessBytes], [0, 1, 0, 0, 0, 0, 0]);
  });
});

describe("newMachine() with a limit of nesting", () => {
  /** Reads a text in pieces. Returns code and offset of its failure, `null` if it has none. */
  function failureIn(machine: Machine, text: string, pieceBytes = Infinity): [code: string, offset: number] | null {
    const bytes = utf8(text);
    resetMachine(machine);
    for (let p = 0; p < bytes.length; p += pieceBytes) {
      const failure = readAll(machine, bytes.subarray(p, p + pieceBytes));
      if (failure !== null) return [failure.code, failure.offset];
    }
    return null;
  }

  // Depths around those where the stack gets another word, is doubled, or moved away.
  for (const depth of [1, 2, 29, 30, 31, 59, 60, 61, 90, 959, 960, 990, 1_000, 491_550, 491_580, 1_000_000]) {
    it(`allows ${depth} levels and no more`, () => {
      const machine = newMachine(false, false, depth);
      for (const [opening, closing] of [["[", "]"], ['{"":', "}"]]) {
        const start = opening.repeat(depth);
        const end = closing.repeat(depth);
        // Once more to the limit, from above the outermost level.
        const inner = opening.repeat(depth - 1);
        const again = `${closing.repeat(depth - 1)},${opening === "[" ? "" : '"":'}${inner}`;
        for (const pieceBytes of depth < 2_000 ? [1, 7, 600, Infinity] : [100_000, Infinity]) {
          assertEquals(failureIn(machine, `${start}1${end}`, pieceBytes), null);
          assertEquals(failureIn(machine, `${start}1${again}1${end}`, pieceBytes), null);
          assertEquals(failureIn(machine, `${start}${opening}`, pieceBytes), ["too-deep", start.length]);
          const second = `${start}1${again}`;
          assertEquals(failureIn(machine, `${second}${opening}`, pieceBytes), ["too-deep", second.length]);
        }
      }
    });
  }

  it("allows scalars only with a limit of 0", () => {
    const machine = newMachine(false, false, 0);
    assertEquals(failureIn(machine, " 1"), null);
    assertEquals(failureIn(machine, " [1]"), ["too-deep", 1]);
    assertEquals(failureIn(machine, "{}"), ["too-deep", 0]);
  });

  it("tells other wrong bytes at the limit from brackets that are too deep", () => {
    for (const depth of [1, 30, 60]) {
      const start = "[".repeat(depth);
      const machine = newMachine(false, false, depth);
      assertEquals(failureIn(machine, `${start}1 [`), ["expected-comma-or-bracket", depth + 2]);
      assertEquals(failureIn(machine, `${start}}`), ["unexpected-token", depth]);
      assertEquals(failureIn(machine, `${start}"[{"${"]".repeat(depth)}`), null);
    }
  });
});

describe("the stack of brackets", () => {
  it("is right at any depth, with any brackets", () => {
    withSeeds(3, (random) => {
      // Up and down over the places where parts of the stack are moved away and brought back.
      const open: string[] = [];
      const pieces: string[] = [];
      for (const goal of [600_000, 200_000, 1_300_000, 491_000, 800_000, 0]) {
        if (open.length > 0 && open.length < goal) pieces.push(open.at(-1) === "}" ? ',"":' : ",");
        for (; open.length < goal; open.push(pieces.at(-1) === "[" ? "]" : "}")) {
          pieces.push(random.below(2) > 0 ? '{"":' : "[");
        }
        while (open.length > goal) {
          if (pieces.at(-1) === "[" || pieces.at(-1) === '{"":') pieces.push("1");
          pieces.push(open.pop()!);
        }
      }
      const machine = newMachine(false, false);
      const bytes = utf8(pieces.join(""));
      assertStrictEquals(readAll(machine, bytes), null);
      assertStrictEquals(machine.documentEnd, bytes.length);
      // A bracket of the wrong kind, far down.
      const at = bytes.length - 1_000 - random.below(490_000);
      const start = bytes.slice(0, bytes.lastIndexOf(0x7d, at) + 1);
      start[start.length - 1] = 0x5d;
      resetMachine(machine);
      assertStrictEquals(readAll(machine, start)?.offset, start.length - 1);
    });
  });

  it("is released with the document", () => {
    const machine = newMachine(false, false);
    readAll(machine, utf8("[".repeat(1_000_000)));
    assert(machine.buried !== null);
    closeBrackets(machine);
    assertEquals([machine.buried, machine.buriedCount], [null, 0]);
    for (const depth of [20, 900, 5_000, 50_000]) {
      readAll(machine, utf8("[".repeat(depth)));
      closeBrackets(machine);
      assertEquals([machine.brackets, machine.outerCount, machine.buriedCount], [1, 0, 0]);
    }
  });
});

describe("dataViewOf() and piecesOf()", () => {
  it("view bytes of private memory in place", () => {
    const bytes = new Uint8Array(utf8("0123456789").buffer, 2, 6);
    const view = dataViewOf(bytes)!;
    assertEquals([view.buffer, view.byteOffset, view.byteLength], [bytes.buffer, 2, 6]);
    const pieces = [...piecesOf(bytes)];
    assertEquals(pieces, [bytes]);
    assertStrictEquals(pieces[0].buffer, bytes.buffer);
  });

  it("copy shared memory piece by piece", () => {
    const bytes = new Uint8Array(new SharedArrayBuffer(0x8000 + 7), 7);
    for (let i = 0; i < bytes.length; i++) bytes[i] = i + (i >> 8);
    assertStrictEquals(dataViewOf(bytes), null);
    for (const length of [0x8000, 0x7fff, 0x4001, 0x4000, 5]) {
      const copies: number[] = [];
      let count = 0;
      for (const piece of piecesOf(bytes.subarray(0, length))) {
        assert(piece.buffer instanceof ArrayBuffer);
        copies.push(...piece);
        count++;
      }
      assertStrictEquals(count, Math.ceil(length / 0x4000));
      assert(copies.length === length && copies.every((byte, i) => byte === bytes[i]));
    }
  });
});

describe("skipLine()", () => {
  for (const text of ["abc\n", "\r\ra\r\n", "a\rb\r\rc\n", "\r\n", "\r"]) {
    it(`counts the lines of ${JSON.stringify(text)} that end in a carriage return, cut anywhere`, () => {
      const bytes = utf8(text);
      const offset = text.includes("\n") ? text.indexOf("\n") : text.length;
      for (let cut = 0; cut <= offset; cut++) {
        const machine = newMachine(true, false);
        for (const piece of [bytes.slice(0, cut), utf8(""), bytes.slice(cut), utf8("")]) {
          const p = skipLine(machine, piece, 0);
          assertStrictEquals(p, piece[p] === 0x0a ? offset - machine.pieceStart : piece.length);
          if (p < piece.length) break;
          advance(machine, p);
        }
        countPendingReturn(machine, offset, bytes[offset] ?? -1);
        const found = failureAtOffset(machine, offset, "unexpected-end", -1, false);
        assertEquals(found, describeFailure(bytes, "unexpected-end", offset), `cut at ${cut}`);
      }
    });
  }
});

describe("growing the stack of brackets", () => {
  it("does not take the end of the stack, where nothing can be made, for that of memory", () => {
    const bytes = utf8("[".repeat(40_000));
    const view = dataViewOf(bytes)!;
    const machine = newMachine(false, false);
    const read = (): number => readPiece(machine, bytes, view, 0);
    assert(withoutMemory("Int32Array", () => true, read) < bytes.length);
    resetMachine(machine);
    const deny = (): number => withoutMemory("Uint8Array", () => true, read);
    assertThrows(() => withoutMemory("Int32Array", () => true, deny), RangeError);
  });
});

describe("the fast path agrees with parseBinary()", () => {
  it("on each two bytes among two-byte characters, wherever a word begins", () => {
    const seconds = [...utf8('" AB\\\na', 0x1f, 0x7f, 0x80, 0x9f, 0xa0, 0xbf, 0xc1, 0xc2, 0xdf, 0xe4, 0xf0)];
    for (let first = 0; first < 256; first++) {
      for (const [i, second] of seconds.entries()) {
        const before = `"éя${"a".repeat((first + i) % 4)}`;
        assertAgreement(utf8(before, first, second, 'яß б"'));
        assertAgreement(utf8(before, 0xc3, first, second, 'яß б"'));
      }
    }
  });

  for (const beginning of ["[", "[-", "[1", "[1.", "[1.5", "[1e", "[1e-", "[1,"]) {
    it(`on ${beginning} before each short sequence of what numbers are of`, () => {
      let texts = [""];
      for (let length = 1; length <= 3; length++) {
        texts = texts.flatMap((text) => [..."01.-+,e "].map((character) => text + character));
        for (const text of texts) assertAgreement(utf8(`${beginning}${text}]`));
      }
    });
  }

  it("on each byte in a number", () => {
    for (let byte = 0; byte < 256; byte++) {
      for (const before of ["[", "[1", "[12.", "[1.5", "[1e", "[1e+", "[1, ", "[1,2"]) {
        assertAgreement(utf8(before, byte, "5]"));
      }
    }
  });

  it("on brackets next to each other at depths about those that a word has bits for", () => {
    const neighbours = ["[],[]", "{},{}", "[],{}", '{"a":[],[]}', '{"a":{},{}}', '[{"a":{},"b":{}}]', "[],[}", "{},]"];
    for (const depth of [0, 1, 2, 27, 28, 29, 30, 31, 32, 58, 59, 60, 61]) {
      for (const opening of ["[", '{"":', '[{"":']) {
        const closing = [...opening].reverse().join("").replaceAll(/[":]/g, "").replaceAll("[", "]").replaceAll(
          "{",
          "}",
        );
        for (const text of neighbours) {
          assertAgreement(utf8(`${opening.repeat(depth)}[${text}]${closing.repeat(depth)}`));
          assertAgreement(utf8(`${opening.repeat(depth)}{"":${text}}${closing.repeat(depth)}`));
        }
      }
    }
  });
});
