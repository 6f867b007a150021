/** Failures of `parser/parse_container.ts` for which an engine has to run out of memory. */

import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { parseDocument } from "../../parser/parse_document.ts";
import { utf8 } from "../support/bytes.ts";
import { withoutMemory } from "../support/memory_limit.ts";

/** Fails unless a text is too large at a place where tables cannot grow, and valid where they can. */
function assertTooLarge(text: string, offset: number): void {
  const bytes = utf8(text);
  const result = withoutMemory("Int32Array", (size) => typeof size === "number", () => parseDocument(bytes));
  const { ok, code, offset: found } = result as { ok: boolean; code?: string; offset?: number };
  assertEquals({ ok, code, offset: found }, { ok: false, code: "value-too-large", offset });
  assertEquals(parseDocument(bytes), { ok: true, value: JSON.parse(text) });
}

describe("parseContainer() without memory for larger tables", () => {
  it("fails at the bracket that has no frame", () => {
    // The innermost bracket needs none: it is closed at once.
    const depth = 1026;
    assertTooLarge(`${"[".repeat(depth)}${"]".repeat(depth)}`, depth - 2);
  });

  it("fails at the value that the stack has no room for", () => {
    const opening = '["a","b",';
    const depth = 600;
    const full = Math.ceil((1024 - 10) / 2);
    assertTooLarge(`${opening.repeat(depth)}0${"]".repeat(depth)}`, full * opening.length);
  });

  it("fails behind the run of numbers that the stack has no room for", () => {
    const opening = '["a","b",';
    const depth = 500;
    const run = Array.from({ length: 100 }, () => 1).join();
    const before = opening.repeat(depth).length + 1 + run.length;
    assertTooLarge(`${opening.repeat(depth)}[${run},"c"]${"]".repeat(depth)}`, before);
  });
});
