/**
 * Table of the automaton in `parser/validation/token_dfa.ts`: tokens, failure codes, UTF-8, runs of
 * numbers.
 */

import { assert, assertEquals, assertStrictEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import type { FailureCode } from "../../../parser/base/failure.ts";
import {
  ACCEPT,
  ACCEPT_BEFORE,
  AFTER_ELEMENT,
  AFTER_MEMBER,
  AFTER_NAME,
  BACKTRACK,
  BOM_2,
  codeOfByte,
  codeOfEnd,
  DONE,
  EXCESS_BYTES,
  FIRST_KEY,
  FIRST_VALUE,
  IDLE,
  isNumberEnd,
  KEY,
  REJECT,
  RUN_END,
  RUN_WORDS,
  STRING,
  TOKEN,
  TRANSITIONS,
  VALUE,
} from "../../../parser/validation/token_dfa.ts";
import { show, utf8 } from "../../support/bytes.ts";

/**
 * State or transition after a token's bytes, in which {@linkcode REJECT} and {@linkcode ACCEPT} are
 * final.
 */
function stateAfter(bytes: Uint8Array): number {
  let state = TRANSITIONS[VALUE << 8 | bytes[0]];
  for (const byte of bytes.subarray(1)) {
    assert(state < ACCEPT_BEFORE, `${show(bytes)} ended before its last byte`);
    state = TRANSITIONS[state << 8 | byte];
  }
  return state;
}

/** Bytes less UTF-16 code units of the characters of a string without its quotes. */
function excessOf(characters: Uint8Array): number {
  let state = STRING;
  let excess = 0;
  for (const byte of characters) {
    excess += EXCESS_BYTES[state];
    state = TRANSITIONS[state << 8 | byte];
  }
  assertStrictEquals(state, STRING);
  return excess;
}

describe("TRANSITIONS", () => {
  for (
    const token of [
      '""',
      '"a"',
      '" ~\x7f"',
      '"é€中\u{10000}\u{10ffff}"',
      '"\\"\\\\\\/\\b\\f\\n\\r\\t"',
      '"\\u0000\\u09af\\uAFaf\\ud800"',
      "true",
      "false",
      "null",
    ]
  ) {
    it(`accept ${token} at its last byte`, () => {
      const bytes = utf8(token);
      assertStrictEquals(stateAfter(bytes), ACCEPT);
      for (let length = 1; length < bytes.length; length++) {
        const state = stateAfter(bytes.subarray(0, length));
        assert(state >= TOKEN && state < ACCEPT_BEFORE, `${length} bytes`);
      }
    });
  }

  for (
    const token of [
      ...[
        "0",
        "-0",
        "7",
        "42",
        "-1234567890",
        "0.5",
        "-0.05",
        "10.0",
        "1e5",
        "1E5",
        "0e0",
        "1e+5",
        "1e-05",
        "-1.5E+10",
      ],
    ]
  ) {
    it(`accept ${token} before any byte that does not continue it`, () => {
      const bytes = utf8(token);
      const state = stateAfter(bytes);
      for (let byte = 0; byte < 256; byte++) {
        const isContinued = /^-?(0|[1-9]\d*)(\.\d*)?([eE][+-]?\d*)?$/.test(token + String.fromCharCode(byte));
        const isLeadingZero = /^-?0\d$/.test(token + String.fromCharCode(byte));
        const next = TRANSITIONS[state << 8 | byte];
        if (isLeadingZero) assertStrictEquals(next, REJECT);
        else assertStrictEquals(next === ACCEPT_BEFORE, !isContinued, `byte ${byte}`);
      }
    });
  }

  it("begin a token with a quote, a digit, a minus sign or the first letter of a literal", () => {
    for (let byte = 0; byte < 256; byte++) {
      const isStart = byte < 0x80 && /["0-9tfn-]/.test(String.fromCharCode(byte));
      assertStrictEquals(TRANSITIONS[VALUE << 8 | byte] !== REJECT, isStart, `byte ${byte}`);
    }
  });

  it("reject every control byte in a string", () => {
    for (let byte = 0; byte < 0x20; byte++) assertStrictEquals(TRANSITIONS[STRING << 8 | byte], REJECT);
  });

  it("reject every byte that makes no escape", () => {
    for (let byte = 0; byte < 256; byte++) {
      const isEscape = byte < 0x80 && /["\\/bfnrtu]/.test(String.fromCharCode(byte));
      assertStrictEquals(stateAfter(utf8('"\\', byte)) !== REJECT, isEscape, `byte ${byte}`);
    }
  });

  it("reject every byte that is no hexadecimal digit in a Unicode escape", () => {
    for (const digits of ["", "0", "09", "09a"]) {
      for (let byte = 0; byte < 256; byte++) {
        const isDigit = byte < 0x80 && /[\da-fA-F]/.test(String.fromCharCode(byte));
        assertStrictEquals(stateAfter(utf8(`"\\u${digits}`, byte)) !== REJECT, isDigit, `${digits}, byte ${byte}`);
      }
    }
  });

  it("reject every other letter in a literal", () => {
    for (const literal of ["true", "false", "null"]) {
      for (let length = 1; length < literal.length; length++) {
        for (let byte = 0; byte < 256; byte++) {
          const isNext = byte === literal.charCodeAt(length);
          assertStrictEquals(stateAfter(utf8(literal.slice(0, length), byte)) !== REJECT, isNext);
        }
      }
    }
  });

  it("accept the rest of a byte-order mark and nothing else", () => {
    for (let second = 0; second < 256; second++) {
      const state = TRANSITIONS[BOM_2 << 8 | second];
      assertStrictEquals(state !== REJECT, second === 0xbb);
      if (state === REJECT) continue;
      for (let third = 0; third < 256; third++) {
        assertStrictEquals(TRANSITIONS[state << 8 | third], third === 0xbf ? VALUE : REJECT);
      }
    }
  });
});

/** Well-formed UTF-8: The Unicode Standard, table 3-7, without ASCII. */
const WELL_FORMED: [number, number][][] = [
  [[0xc2, 0xdf], [0x80, 0xbf]],
  [[0xe0, 0xe0], [0xa0, 0xbf], [0x80, 0xbf]],
  [[0xe1, 0xec], [0x80, 0xbf], [0x80, 0xbf]],
  [[0xed, 0xed], [0x80, 0x9f], [0x80, 0xbf]],
  [[0xee, 0xef], [0x80, 0xbf], [0x80, 0xbf]],
  [[0xf0, 0xf0], [0x90, 0xbf], [0x80, 0xbf], [0x80, 0xbf]],
  [[0xf1, 0xf3], [0x80, 0xbf], [0x80, 0xbf], [0x80, 0xbf]],
  [[0xf4, 0xf4], [0x80, 0x8f], [0x80, 0xbf], [0x80, 0xbf]],
];

describe("TRANSITIONS of UTF-8", () => {
  it("begin a character with the first bytes of table 3-7 only", () => {
    for (let byte = 0x80; byte < 256; byte++) {
      const isFirst = WELL_FORMED.some(([[from, to]]) => byte >= from && byte <= to);
      assertStrictEquals(TRANSITIONS[STRING << 8 | byte] !== REJECT, isFirst, `byte ${byte}`);
    }
  });

  for (const ranges of WELL_FORMED) {
    const name = ranges.map(([from, to]) => `${from.toString(16)}..${to.toString(16)}`.toUpperCase()).join(" ");

    it(`accept ${name} and no other byte at any place`, () => {
      let states = new Set<number>([STRING]);
      ranges.forEach(([from, to], i) => {
        const next = new Set<number>();
        for (const state of states) {
          for (let byte = i === 0 ? from : 0; byte <= (i === 0 ? to : 255); byte++) {
            const after = TRANSITIONS[state << 8 | byte];
            assertStrictEquals(after !== REJECT, byte >= from && byte <= to, `byte ${byte} at place ${i}`);
            if (after !== REJECT) next.add(after);
          }
        }
        states = next;
      });
      assertEquals([...states], [STRING]);
    });

    it(`put a failure of ${name} at the first byte of the character`, () => {
      let state = STRING;
      ranges.forEach(([from], i) => {
        assertStrictEquals(BACKTRACK[state], i);
        if (i > 0) assertStrictEquals(codeOfByte(state, 0x22), "invalid-utf8");
        if (i > 0) assertStrictEquals(codeOfEnd(state), "invalid-utf8");
        state = TRANSITIONS[state << 8 | from];
      });
    });
  }

  it("count the bytes of a character less its UTF-16 code units", () => {
    for (const character of ["a", "\x7f", "\x80", "\u07ff", "\u0800", "\uffff", "\u{10000}", "\u{10ffff}"]) {
      const bytes = utf8(character);
      assertStrictEquals(excessOf(bytes), bytes.length - character.length, show(bytes));
    }
  });

  it("count a byte-order mark as no code unit", () => {
    const state = TRANSITIONS[BOM_2 << 8 | 0xbb];
    assertEquals([EXCESS_BYTES[BOM_2], EXCESS_BYTES[state]], [0, 3]);
    assertEquals([BACKTRACK[BOM_2], BACKTRACK[state]], [1, 2]);
  });
});

describe("codeOfByte()", () => {
  /** Beginning of a token, a byte that may not follow, and the failure code. */
  const REJECTED: { token: string; byte: string | number; code: FailureCode }[] = [
    { token: '"a', byte: 0, code: "bad-control-character" },
    { token: '"a', byte: 0x1f, code: "bad-control-character" },
    { token: '"a', byte: 0x80, code: "invalid-utf8" },
    { token: '"a', byte: 0xff, code: "invalid-utf8" },
    { token: '"\\', byte: "x", code: "bad-escape" },
    { token: '"\\u', byte: '"', code: "bad-unicode-escape" },
    { token: '"\\u1', byte: "g", code: "bad-unicode-escape" },
    { token: '"\\u12', byte: " ", code: "bad-unicode-escape" },
    { token: '"\\u123', byte: "\\", code: "bad-unicode-escape" },
    { token: "-", byte: "x", code: "missing-digits" },
    { token: "-", byte: "-", code: "missing-digits" },
    { token: "0", byte: "1", code: "unexpected-number" },
    { token: "-0", byte: "0", code: "unexpected-number" },
    { token: "1.", byte: ".", code: "unterminated-fraction" },
    { token: "0.", byte: "]", code: "unterminated-fraction" },
    { token: "1e", byte: "x", code: "missing-exponent" },
    { token: "1e+", byte: "-", code: "missing-exponent" },
    { token: "t", byte: "x", code: "unexpected-token" },
    { token: "fals", byte: "1", code: "unexpected-number" },
    { token: "nul", byte: '"', code: "unexpected-string" },
  ];
  for (const { token, byte, code } of REJECTED) {
    it(`returns ${code} for ${show(utf8(byte))} after ${token}`, () => {
      const state = stateAfter(utf8(token));
      const [value] = utf8(byte);
      assertStrictEquals(TRANSITIONS[state << 8 | value], REJECT);
      assertStrictEquals(codeOfByte(state, value), code);
    });
  }

  const BETWEEN: { name: string; state: number; code: FailureCode }[] = [
    { name: "where a value must stand", state: VALUE, code: "unexpected-token" },
    { name: "after an opening bracket", state: FIRST_VALUE, code: "unexpected-token" },
    { name: "where a property name must stand", state: KEY, code: "expected-property-name" },
    { name: "after an opening brace", state: FIRST_KEY, code: "expected-property-name-or-brace" },
    { name: "after a property name", state: AFTER_NAME, code: "expected-colon" },
    { name: "after an array element", state: AFTER_ELEMENT, code: "expected-comma-or-bracket" },
    { name: "after a property value", state: AFTER_MEMBER, code: "expected-comma-or-brace" },
    { name: "after the document", state: DONE, code: "trailing-content" },
    { name: "in a byte-order mark", state: BOM_2, code: "unexpected-token" },
  ];
  for (const { name, state, code } of BETWEEN) {
    it(`returns ${code} ${name}`, () => {
      assertStrictEquals(codeOfByte(state, 0x78), code);
    });
  }

  it("names a string or a number where a value may not stand", () => {
    assertStrictEquals(codeOfByte(IDLE, 0x22), "unexpected-string");
    for (const byte of utf8("-0123456789")) assertStrictEquals(codeOfByte(IDLE, byte), "unexpected-number");
  });
});

describe("codeOfEnd()", () => {
  it("returns null after a document and before one that need not come", () => {
    assertEquals([codeOfEnd(DONE), codeOfEnd(IDLE)], [null, null]);
  });

  const ENDS: [token: string, code: FailureCode][] = [
    ['"a', "unterminated-string"],
    ['"\\', "unexpected-end"],
    ['"\\u', "bad-unicode-escape"],
    ['"\\u123', "bad-unicode-escape"],
    ["-", "missing-digits"],
    ["1.", "unterminated-fraction"],
    ["1e", "missing-exponent"],
    ["1e-", "missing-exponent"],
    ["t", "unexpected-end"],
    ["fals", "unexpected-end"],
    ["nul", "unexpected-end"],
  ];
  for (const [token, code] of ENDS) {
    it(`returns ${code} after ${token}`, () => {
      assertStrictEquals(codeOfEnd(stateAfter(utf8(token))), code);
    });
  }

  const BETWEEN: { name: string; state: number; code: FailureCode }[] = [
    { name: "where a value must stand", state: VALUE, code: "unexpected-end" },
    { name: "after an opening bracket", state: FIRST_VALUE, code: "unexpected-end" },
    { name: "where a property name must stand", state: KEY, code: "expected-property-name" },
    { name: "after an opening brace", state: FIRST_KEY, code: "expected-property-name-or-brace" },
    { name: "after a property name", state: AFTER_NAME, code: "expected-colon" },
    { name: "after an array element", state: AFTER_ELEMENT, code: "expected-comma-or-bracket" },
    { name: "after a property value", state: AFTER_MEMBER, code: "expected-comma-or-brace" },
    { name: "in a byte-order mark", state: BOM_2, code: "unexpected-token" },
  ];
  for (const { name, state, code } of BETWEEN) {
    it(`returns ${code} ${name}`, () => {
      assertStrictEquals(codeOfEnd(state), code);
    });
  }
});

describe("RUN_WORDS", () => {
  /**
   * Reads a run as `TRANSITIONS` have it; returns how many bytes it has, and whether a number ended
   * there.
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
    throw new Error("a run ends before a byte that is not of it");
  }

  function readByWords(bytes: Uint8Array): [length: number, isNumber: boolean] {
    let shift = 0;
    for (let p = 0; p < bytes.length; p++) {
      const next = RUN_WORDS[bytes[p]] >>> shift & RUN_END;
      if (next === RUN_END) return [p, isNumberEnd(shift, bytes[p])];
      shift = next;
    }
    throw new Error("a run ends before a byte that is not of it");
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

  it("end a run at every byte that is in no number", () => {
    const inNumbers = utf8("-.0123456789, ");
    for (let byte = 0; byte < 256; byte++) {
      for (let shift = 0; shift < 30; shift += 5) {
        if (!inNumbers.includes(byte)) assertStrictEquals(RUN_WORDS[byte] >>> shift & RUN_END, RUN_END, `byte ${byte}`);
      }
    }
  });
});
