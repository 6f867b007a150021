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
    const cases: [code: typeof failure.code, offset: number, expected: boolean][] = [
      ["unexpected-end", 9, true],
      ["unexpected-end", 8, false],
      ["invalid-utf8", 6, true],
      ["invalid-utf8", 5, false],
      ["value-too-large", 9, false],
    ];
    for (const [code, offset, expected] of cases) {
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
    const [name, kind, size, stage] of [
      ["an array", ARRAY, 0, AT_VALUE],
      ["an array of two elements", ARRAY, 2, AT_VALUE],
      ["a flushed array", FLUSHED_ARRAY, 2, AT_VALUE],
      ["an object", OBJECT, 0, AT_VALUE],
      ["an object whose first name is on the stack", OBJECT, 1, BEFORE_VALUE],
      ["an object of one member", OBJECT, 2, AT_VALUE],
      ["an object whose second name is on the stack", OBJECT, 3, BEFORE_VALUE],
      ["a dictionary", DICTIONARY, 1, AT_VALUE],
      ["a dictionary with a name on the stack", DICTIONARY, 2, BEFORE_VALUE],
    ] as [string, number, number, number][]
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
    for (const [text, p, position] of [['"ab', 1, 0], ['["ab', 2, 1], ["tr", 0, 0], ["[tr", 1, 1]] as const) {
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
    const [rest, stale, stage, mayContinue, expected, code] of [
      ["  ", ":1}", BEFORE_COLON, true, SUSPENDED, null],
      ["  ", ":1}", BEFORE_COLON, false, FAILED, "expected-colon"],
      ["  ", "[1]", BEFORE_VALUE, true, SUSPENDED, null],
      ["  ", "[1]", BEFORE_VALUE, false, FAILED, "unexpected-end"],
      [" : ", "1}", BEFORE_COLON, true, SUSPENDED, null],
      [" : ", "1}", BEFORE_COLON, false, FAILED, "unexpected-end"],
      ["1", "", BEFORE_COLON, true, FAILED, "expected-colon"],
      ["nul", "l", BEFORE_VALUE, true, SUSPENDED, null],
      ["nul", "l", BEFORE_VALUE, false, FAILED, "unexpected-end"],
      ["nulx", "", BEFORE_VALUE, true, FAILED, "unexpected-token"],
    ] as [string, string, number, boolean, unknown, typeof failure.code | null][]
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
