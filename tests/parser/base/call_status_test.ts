/** Refusals of parsers and validators of chunks in `parser/base/call_status.ts`. */

import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { BROKEN, BUSY, ENDED, refusal } from "../../../parser/base/call_status.ts";

describe("refusal()", () => {
  const reasons: [status: number, reason: string][] = [
    [BUSY, "a callback of this parser is running"],
    [ENDED, "the input has ended; reset() begins a new one"],
    [BROKEN, "an earlier call threw before it was done; reset() begins a new input"],
  ];
  for (const [status, reason] of reasons) {
    it(`says that ${reason}`, () => {
      assertEquals(refusal("parser", "push", status).message, `Cannot push: ${reason}`);
    });
  }
});
