import { assertEquals, assertStrictEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { fail, failure } from "../../../parser/base/out_params.ts";
import { FAILED } from "../../../parser/document/parse_scalar.ts";
import {
  AT_VALUE,
  BEFORE_COLON,
  BEFORE_VALUE,
  isCut,
  newSuspension,
  resumeMember,
  SUSPENDED,
  suspendWithin,
} from "../../../parser/document/suspension.ts";
import { ARRAY, DICTIONARY, FLUSHED_ARRAY, OBJECT, smallStack } from "../../../parser/document/value_stack.ts";
import { utf8 } from "../../support/bytes.ts";

describe("isCut()", () => {
  it("is true of tokens that end with the bytes, and of UTF-8 sequences next to the end", () => {
    const cases: { code: typeof failure.code; offset: number; expected: boolean }[] = [
      { code: "unexpected-end", offset: 9, expected: true },
      { code: "unexpected-end", offset: 8, expected: false },
      { code: "invalid-utf8", offset: 6, expected: true },
      { code: "invalid-utf8", offset: 5, expected: false },
      { code: "value-too-large", offset: 9, expected: false },
    ];
    for (const { code, offset, expected } of cases) {
      fail(code, offset);
      assertStrictEquals(isCut(9), expected, `${code} at ${offset}`);
    }
  });
});

describe("suspendWithin()", () => {
  it("fails if the name before a missing colon cannot be read", () => {
    const bytes = utf8('{"\x01"');
    const suspension = { ...newSuspension(), kind: OBJECT, stack: smallStack(null) };
    fail("expected-colon", bytes.length);
    assertStrictEquals(suspendWithin(suspension, bytes, new DataView(bytes.buffer), 2, bytes.length), FAILED);
  });

  it("resumes before the colon of a name that is whole", () => {
    const bytes = utf8('{"ab"  ');
    const suspension = { ...newSuspension(), kind: OBJECT, stack: smallStack(null) };
    fail("expected-colon", bytes.length);
    assertStrictEquals(suspendWithin(suspension, bytes, new DataView(bytes.buffer), 2, bytes.length), SUSPENDED);
    assertEquals([suspension.stage, suspension.stack[0], suspension.position], [BEFORE_COLON, "ab", 7]);
  });

  for (
    const { name, kind, size, stage } of [
      { name: "an array", kind: ARRAY, size: 0, stage: AT_VALUE },
      { name: "an array of two elements", kind: ARRAY, size: 2, stage: AT_VALUE },
      { name: "a flushed array", kind: FLUSHED_ARRAY, size: 2, stage: AT_VALUE },
      { name: "an object", kind: OBJECT, size: 0, stage: AT_VALUE },
      { name: "an object whose first name is on the stack", kind: OBJECT, size: 1, stage: BEFORE_VALUE },
      { name: "an object of one member", kind: OBJECT, size: 2, stage: AT_VALUE },
      { name: "an object whose second name is on the stack", kind: OBJECT, size: 3, stage: BEFORE_VALUE },
      { name: "a dictionary", kind: DICTIONARY, size: 1, stage: AT_VALUE },
      { name: "a dictionary with a name on the stack", kind: DICTIONARY, size: 2, stage: BEFORE_VALUE },
    ] as { name: string; kind: number; size: number; stage: number }[]
  ) {
    it(`resumes before a value or before a name in ${name}`, () => {
      const bytes = utf8("tr");
      for (const base of [0, 1, 6]) {
        const suspension = { ...newSuspension(), kind, base, top: base + size, stack: smallStack(null) };
        fail("unexpected-end", 2);
        assertStrictEquals(suspendWithin(suspension, bytes, new DataView(bytes.buffer), 0, 2), SUSPENDED);
        assertStrictEquals(suspension.stage, stage, `base ${base}`);
      }
    });
  }

  it("resumes at the opening quote of a string, and at the beginning of any other token", () => {
    for (
      const { text, p, position } of [
        { text: '"ab', p: 1, position: 0 },
        { text: '["ab', p: 2, position: 1 },
        { text: "tr", p: 0, position: 0 },
        { text: "[tr", p: 1, position: 1 },
      ] as const
    ) {
      const bytes = utf8(text);
      const suspension = { ...newSuspension(), stack: smallStack(null) };
      fail("unexpected-end", bytes.length);
      assertStrictEquals(suspendWithin(suspension, bytes, new DataView(bytes.buffer), p, bytes.length), SUSPENDED);
      assertStrictEquals(suspension.position, position, text);
    }
  });
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
