import { assertEquals, assertStrictEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import {
  AFTER_ELEMENT,
  AFTER_MEMBER,
  FIRST_KEY,
  FIRST_VALUE,
  KEY,
  VALUE,
} from "../../../parser/validation/token_dfa.ts";
import { grammarState } from "../../../parser/document/grammar_state.ts";
import { failure } from "../../../parser/validation/locate_failure.ts";
import { FAILED } from "../../../parser/document/parse_scalar.ts";
import {
  AT_VALUE,
  BEFORE_COLON,
  BEFORE_VALUE,
  newSuspension,
  resumeMember,
  SUSPENDED,
  suspendWithin,
  type Suspension,
} from "../../../parser/document/suspension.ts";
import { ARRAY, DICTIONARY, FLUSHED_ARRAY, OBJECT, smallStack } from "../../../parser/document/value_stack.ts";
import { utf8 } from "../../support/bytes.ts";

/** State of the main loop where a token was not read, and the stage to resume in. */
interface Cut {
  name: string;
  kind: number;
  /** Entries of the container on the stack. */
  size: number;
  /** State of the automaton before the token. */
  state: number;
  stage: number;
}

const CUTS: Cut[] = [
  { name: "an array", kind: ARRAY, size: 0, state: FIRST_VALUE, stage: AT_VALUE },
  { name: "an array of two elements", kind: ARRAY, size: 2, state: VALUE, stage: AT_VALUE },
  { name: "a flushed array", kind: FLUSHED_ARRAY, size: 2, state: VALUE, stage: AT_VALUE },
  { name: "an object", kind: OBJECT, size: 0, state: FIRST_KEY, stage: AT_VALUE },
  { name: "an object whose first name is on the stack", kind: OBJECT, size: 1, state: VALUE, stage: BEFORE_VALUE },
  { name: "an object of one member", kind: OBJECT, size: 2, state: KEY, stage: AT_VALUE },
  { name: "an object whose second name is on the stack", kind: OBJECT, size: 3, state: VALUE, stage: BEFORE_VALUE },
  { name: "a dictionary", kind: DICTIONARY, size: 1, state: KEY, stage: AT_VALUE },
  { name: "a dictionary with a name on the stack", kind: DICTIONARY, size: 2, state: VALUE, stage: BEFORE_VALUE },
];

describe("grammarState()", () => {
  for (const { name, kind, size, state } of CUTS) {
    it(`tells what comes next in ${name}`, () => {
      for (const base of [0, 1, 6]) assertStrictEquals(grammarState(kind, base, base + size, false), state);
      assertStrictEquals(grammarState(kind, 0, size, true), kind < OBJECT ? AFTER_ELEMENT : AFTER_MEMBER);
    });
  }
});

describe("suspendWithin()", () => {
  /** Suspends a parse, or fails, at a position of a text. */
  function suspend(text: string, p: number, state: number, suspension: Suspension): unknown {
    const bytes = utf8(text);
    return suspendWithin(suspension, bytes, new DataView(bytes.buffer), p, bytes.length, state);
  }

  it("fails at a name that is wrong", () => {
    const suspension = { ...newSuspension(), kind: OBJECT, stack: smallStack(null) };
    assertStrictEquals(suspend('{"\x01"', 1, FIRST_KEY, suspension), FAILED);
    assertEquals(failure, { code: "bad-control-character", offset: 2 });
  });

  it("fails at a token that is cut if no more bytes follow", () => {
    const suspension = { ...newSuspension(), mayContinue: false, stack: smallStack(null) };
    assertStrictEquals(suspend('["ab', 1, FIRST_VALUE, suspension), FAILED);
    assertEquals(failure, { code: "unterminated-string", offset: 4 });
  });

  it("resumes before the colon of a name that is whole", () => {
    const suspension = { ...newSuspension(), kind: OBJECT, stack: smallStack(null) };
    assertStrictEquals(suspend('{"ab"  ', 1, FIRST_KEY, suspension), SUSPENDED);
    assertEquals([suspension.stage, suspension.stack[0], suspension.position], [BEFORE_COLON, "ab", 7]);
  });

  for (const { name, kind, size, state, stage } of CUTS) {
    it(`resumes before a value or before a name in ${name}`, () => {
      for (const base of [0, 1, 6]) {
        const suspension = { ...newSuspension(), kind, base, top: base + size, stack: smallStack(null) };
        const text = state === KEY || state === FIRST_KEY ? '"na' : "tr";
        assertStrictEquals(suspend(text, 0, state, suspension), SUSPENDED);
        assertStrictEquals(suspension.stage, stage, `base ${base}`);
        assertStrictEquals(suspension.position, 0);
      }
    });
  }
});

describe("resumeMember()", () => {
  for (
    const { rest, stale, stage, mayContinue, expected, code } of [
      { rest: "  ", stale: ":1}", stage: BEFORE_COLON, mayContinue: true, expected: SUSPENDED, code: null },
      { rest: "  ", stale: ":1}", stage: BEFORE_COLON, mayContinue: false, expected: FAILED, code: "expected-colon" },
      { rest: "  ", stale: "[1]", stage: BEFORE_VALUE, mayContinue: true, expected: SUSPENDED, code: null },
      { rest: "  ", stale: "[1]", stage: BEFORE_VALUE, mayContinue: false, expected: FAILED, code: "unexpected-end" },
      { rest: " : ", stale: "1}", stage: BEFORE_COLON, mayContinue: true, expected: SUSPENDED, code: null },
      { rest: " : ", stale: "1}", stage: BEFORE_COLON, mayContinue: false, expected: FAILED, code: "unexpected-end" },
      { rest: "1", stale: "", stage: BEFORE_COLON, mayContinue: true, expected: FAILED, code: "expected-colon" },
      { rest: "nul", stale: "l", stage: BEFORE_VALUE, mayContinue: true, expected: SUSPENDED, code: null },
      { rest: "nul", stale: "l", stage: BEFORE_VALUE, mayContinue: false, expected: FAILED, code: "unexpected-end" },
      { rest: "nulx", stale: "", stage: BEFORE_VALUE, mayContinue: true, expected: FAILED, code: "unexpected-token" },
    ] as {
      rest: string;
      stale: string;
      stage: number;
      mayContinue: boolean;
      expected: unknown;
      code: typeof failure.code | null;
    }[]
  ) {
    it(`${code ?? "waits"} at ${JSON.stringify(rest)}, whatever follows in the buffer`, () => {
      const bytes = utf8(rest, stale);
      const stack = smallStack(null);
      stack[0] = "name";
      const suspension = { ...newSuspension(), kind: OBJECT, top: 1, stack, stage, mayContinue };
      const view = new DataView(bytes.buffer);
      assertStrictEquals(resumeMember(suspension, bytes, view, rest.length), expected);
      if (code !== null) assertStrictEquals(failure.code, code);
    });
  }

  it("goes on within an object or array", () => {
    for (const [text, kind] of [[" [", ARRAY], [" {", OBJECT]] as const) {
      const bytes = utf8(text);
      const suspension = { ...newSuspension(), kind: OBJECT, base: 4, top: 5, stage: BEFORE_VALUE };
      assertStrictEquals(resumeMember(suspension, bytes, new DataView(bytes.buffer), 2), null);
      const { stage, position, base, depth } = suspension;
      assertEquals([stage, position, base, depth, suspension.kind], [AT_VALUE, 2, 5, 2, kind]);
    }
  });

  it("fails if the object has no room for the member", () => {
    const bytes = utf8("1 ");
    const stack = smallStack(null);
    stack[0] = Object.freeze({});
    stack[1] = "name";
    const suspension = { ...newSuspension(), kind: DICTIONARY, top: 2, stack, stage: BEFORE_VALUE };
    assertStrictEquals(resumeMember(suspension, bytes, new DataView(bytes.buffer), 2), FAILED);
    assertStrictEquals(failure.code, "value-too-large");
  });
});
