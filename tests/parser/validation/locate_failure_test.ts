/** Failures of tokens that the parser did not read, in `parser/validation/locate_failure.ts`. */

import { assert, assertEquals, assertStrictEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { failAtLimit, limitFailure } from "../../../parser/base/limit_failure.ts";
import { smallBytes, smallView, wipeSmall } from "../../../parser/engine/small_copy.ts";
import { failure, locateFailure, stateAtCut } from "../../../parser/validation/locate_failure.ts";
import {
  AFTER_ELEMENT,
  AFTER_MEMBER,
  AFTER_NAME,
  DONE,
  FIRST_KEY,
  FIRST_VALUE,
  KEY,
  STRING,
  VALUE,
} from "../../../parser/validation/token_dfa.ts";
import { show, utf8 } from "../../support/bytes.ts";
import { failureAt } from "../../support/failures.ts";

describe("locateFailure()", () => {
  const states = [
    { state: VALUE, text: "]", code: "unexpected-token" },
    { state: VALUE, text: "?", code: "unexpected-token" },
    { state: FIRST_VALUE, text: ",", code: "unexpected-token" },
    { state: FIRST_KEY, text: "1", code: "expected-property-name-or-brace" },
    { state: FIRST_KEY, text: "?", code: "expected-property-name-or-brace" },
    { state: KEY, text: "}", code: "expected-property-name" },
    { state: KEY, text: "\\", code: "expected-property-name" },
    { state: AFTER_NAME, text: "1", code: "expected-colon" },
    { state: AFTER_ELEMENT, text: "}", code: "expected-comma-or-bracket" },
    { state: AFTER_MEMBER, text: "]", code: "expected-comma-or-brace" },
    { state: DONE, text: "1", code: "trailing-content" },
  ];
  for (const { state, text, code } of states) {
    it(`names ${code} at ${text} in state ${state}, wherever that is`, () => {
      for (let p = 0; p < 9; p++) {
        assertEquals(failureAt(utf8("x".repeat(p), text, "  "), p, p + 1, state), { code, offset: p });
      }
    });
  }

  it("takes a byte-order mark anywhere for a wrong byte", () => {
    assertEquals(failureAt(utf8("\ufeff1"), 0), { code: "unexpected-token", offset: 0 });
    assertEquals(failureAt(utf8(" \ufeff1"), 1), { code: "unexpected-token", offset: 1 });
  });

  it("tells a token that is cut from one that is wrong, at every byte", () => {
    for (const token of ['"a\\n\\u00e9é中😀"', "-12.5e+7", "true", "false", "null"]) {
      const whole = utf8(token);
      for (let end = 0; end < whole.length; end++) {
        assertStrictEquals(failureAt(whole, 0, end, VALUE, false), null, show(whole.subarray(0, end)));
        const atEnd = failureAt(whole, 0, end);
        if (/^-?\d/.test(token)) continue; // a number may end early
        assert(atEnd !== null && atEnd.offset <= end, show(whole.subarray(0, end)));
      }
    }
  });

  it("leaves the state in which the bytes end", () => {
    const rows = [
      { text: '"ab', state: STRING },
      { text: '"ab" ', state: AFTER_NAME },
      { text: '"ab": ', state: VALUE },
    ];
    for (const { text, state } of rows) {
      assertStrictEquals(failureAt(utf8(text), 0, text.length, KEY, false), null);
      assertStrictEquals(stateAtCut(), state, text);
    }
  });

  it("reads nothing behind the end, in the scratch of small inputs either", () => {
    for (const text of ['"abc', "tru", "[1", '"é']) {
      const bytes = utf8(text);
      for (const behind of ['"', "e", "]", "\u00e9"]) {
        smallBytes.set(bytes);
        smallBytes.set(utf8(behind), bytes.length);
        assert(!locateFailure(smallBytes, smallView, 0, bytes.length, VALUE, false, false), text);
        assertStrictEquals(failureAt(utf8(text, behind), 0, bytes.length, VALUE, false), null);
        wipeSmall(bytes.length + 8);
      }
    }
  });

  it("reports a limit of the engine first, and once", () => {
    failAtLimit("string-too-long", 7);
    assertEquals(failureAt(utf8("?"), 0), { code: "string-too-long", offset: 7 });
    assertStrictEquals(limitFailure.code, null);
    assertEquals(failureAt(utf8("?"), 0), { code: "unexpected-token", offset: 0 });
    assertEquals(failure, { code: "unexpected-token", offset: 0 });
  });
});
