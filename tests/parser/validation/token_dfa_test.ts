/**
 * Automaton of `parser/validation/token_dfa.ts`: it reads input byte by byte, and must agree
 * with the reference parser on any byte after any state. Its runs of numbers must agree with
 * its transitions.
 */

import { assertEquals, assertStrictEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import {
  ACCEPT_BEFORE,
  isNumberEnd,
  REJECT,
  RUN_END,
  RUN_WORDS,
  STRING,
  TRANSITIONS,
  VALUE,
} from "../../../parser/validation/token_dfa.ts";
import { BinaryValidator } from "../../../validate_binary.ts";
import { concat, fromHex, show, utf8 } from "../../support/bytes.ts";
import { type Cut, piecesAt, readPieces } from "../../support/cuts.ts";
import { assertSame } from "../../support/difference.ts";
import { SIGNIFICANT_BYTES } from "../../support/mutants.ts";
import { assertRead, PLAIN } from "../../support/readers.ts";
import { referenceParse } from "../../support/reference.ts";

/** Beginnings of documents: one for each state within a token, and for each between tokens. */
const PREFIXES = [
  ...'|[|[ |[1|[1 |[1,|[[]|{|{"a"|{"a" |{"a":|{"a":1|{"a":1,|{"a":[]| |1 '.split("|"),
  ...String.raw`"|"a|"\|"\u|"\u0|"\u09|"\u09a|{"|{"a\|{"a\u00`.split("|"),
  ..."-|0|-0|7|42|0.|0.5|1e|1E|1e+|1e-|1e5|-1.5E+1|[-|[0|[1.|[1e".split("|"),
  ...'t|tr|tru|true|f|fa|fal|fals|false|n|nu|nul|null|[t|{"a":f'.split("|"),
  "[\ufeff",
  "\ufeff",
].map((text) => utf8(text));

/** Incomplete byte-order marks. */
PREFIXES.push(...["ef", "efbb"].map(fromHex));

/** Incomplete characters, in hexadecimal: well-formed beginnings (The Unicode Standard, table 3-7). */
const CHARACTERS = "c2 df e0 e0a0 e1 e180 ec ed ed9f ee efbf f0 f090 f09080 f1 f3bf f3bfbf f4 f48f";
PREFIXES.push(...CHARACTERS.split(" ").map((digits) => utf8('"', ...fromHex(digits))));

function cutEverywhere(bytes: Uint8Array): Cut[] {
  return [Array.from(bytes.keys())];
}

describe("the automaton", () => {
  const validator = new BinaryValidator();

  it("agrees with the reference parser on each byte after each state, and on the end there", () => {
    for (const prefix of PREFIXES) {
      for (let byte = -1; byte < 256; byte++) {
        const bytes = concat([prefix, byte < 0 ? new Uint8Array(0) : Uint8Array.of(byte)]);
        const continues = byte < 0 || SIGNIFICANT_BYTES.includes(byte);
        if (!continues) { // which the validator alone reads by the automaton
          const [result, expected] = [
            readPieces(validator, piecesAt(bytes, cutEverywhere(bytes)[0])),
            referenceParse(bytes),
          ];
          assertSame(result.ok || result, expected.ok || expected, () => show(bytes));
          validator.reset();
          continue;
        }
        for (const whole of [bytes, concat([bytes, utf8(byte % 2 === 0 ? '"' : "1")])]) {
          assertRead(whole, PLAIN, cutEverywhere(whole), referenceParse(whole));
        }
      }
    }
  });

  it("counts columns in UTF-16 code units, although it reads bytes", () => {
    for (const character of ["a", "\x7f", "\x80", "\u07ff", "\u0800", "\uffff", "\u{10000}", "\u{10ffff}", "\ufeff"]) {
      const bytes = utf8(`\ufeff"${character}" x`);
      const expected = referenceParse(bytes);
      assertEquals(!expected.ok && expected.column, character.length + 4);
      assertRead(bytes, PLAIN, cutEverywhere(bytes), expected);
    }
  });
});

describe("RUN_WORDS", () => {
  /**
   * Reads a run of numbers, commas and spaces by `TRANSITIONS`. Returns its length, and whether a
   * number ends there.
   */
  function readByTransitions(bytes: Uint8Array): [length: number, isNumber: boolean] {
    let state = VALUE;
    for (let p = 0; p < bytes.length; p++) {
      const next = TRANSITIONS[state << 8 | bytes[p]];
      const isExponent = (bytes[p] | 0x20) === 0x65;
      if (state === VALUE && bytes[p] === 0x20) continue;
      if (next === ACCEPT_BEFORE && bytes[p] === 0x2c) state = VALUE;
      else if (next === ACCEPT_BEFORE) return [p, true];
      else if (next === REJECT || next === STRING || isExponent) return [p, false];
      else state = next;
    }
    throw new Error("the run has no end");
  }

  /** Reads a run by `RUN_WORDS`, with the same result. */
  function readByWords(bytes: Uint8Array): [length: number, isNumber: boolean] {
    let shift = 0;
    for (let p = 0; p < bytes.length; p++) {
      const next = RUN_WORDS[bytes[p]] >>> shift & RUN_END;
      if (next === RUN_END) return [p, isNumberEnd(shift, bytes[p])];
      shift = next;
    }
    throw new Error("the run has no end");
  }

  it("agree with TRANSITIONS on every run of up to six bytes", () => {
    const alphabet = utf8("-019., ");
    const ends = utf8(']}e"x\n', 0x80);
    const bytes = new Uint8Array(7);
    for (let length = 0; length <= 6; length++) {
      for (let i = 0; i < alphabet.length ** length; i++) {
        for (let p = 0, rest = i; p < length; p++, rest = Math.floor(rest / alphabet.length)) {
          bytes[p] = alphabet[rest % alphabet.length];
        }
        bytes[length] = ends[i % ends.length];
        const run = bytes.subarray(0, length + 1);
        const [end, isNumber] = readByTransitions(run);
        const [foundEnd, found] = readByWords(run);
        if (end !== foundEnd || isNumber !== found) throw new Error(`${show(run)}: ${[foundEnd, found]}`);
      }
    }
  });

  it("end a run at every byte that no number, comma or space contains", () => {
    const inNumbers = utf8("-.0123456789, ");
    for (let byte = 0; byte < 256; byte++) {
      for (let shift = 0; shift < 30 && !inNumbers.includes(byte); shift += 5) {
        assertStrictEquals(RUN_WORDS[byte] >>> shift & RUN_END, RUN_END, `byte ${byte}`);
      }
    }
  });
});
