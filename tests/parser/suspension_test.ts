import { assertEquals, assertStrictEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { fail, failure } from "../../parser/out_params.ts";
import { FAILED } from "../../parser/scalar.ts";
import {
  BEFORE_COLON,
  BEFORE_VALUE,
  isCut,
  newSuspension,
  resumeMember,
  SUSPENDED,
  suspendWithin,
} from "../../parser/suspension.ts";
import { DICTIONARY, OBJECT, smallStack } from "../../parser/value_stack.ts";
import { utf8 } from "../support/bytes.ts";

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

  it("resumes before the value of a member whose name is on the stack", () => {
    const bytes = utf8("tr");
    for (const [kind, top] of [[OBJECT, 1], [DICTIONARY, 2]]) {
      const suspension = { ...newSuspension(), kind, top, stack: smallStack(null) };
      fail("unexpected-end", 2);
      assertStrictEquals(suspendWithin(suspension, bytes, new DataView(bytes.buffer), 0, 2), SUSPENDED);
      assertStrictEquals(suspension.stage, BEFORE_VALUE);
    }
  });
});

describe("resumeMember()", () => {
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
