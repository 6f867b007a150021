/**
 * Child process for any runtime that runs the smoke program in an engine without `Buffer`, as
 * browsers are, and reads long tokens, right and wrong. Prints failed checks, and their number.
 *
 * @module
 */

import { check, checkThat } from "../support/checks.ts";
import { difference } from "../support/difference.ts";

Reflect.deleteProperty(globalThis, "Buffer");
const { parseBinary } = await import("../../parse_binary.ts");
const { DECODES_TOKENS } = await import("../../parser/make_string.ts");

checkThat("strings from a decoder", DECODES_TOKENS, DECODES_TOKENS);
const encoder = new TextEncoder();
for (const unit of ["é", "中", "😀", "a中", "中\\n", "\\u4e2d"]) {
  const text = `["${unit.repeat(300)}","${unit.repeat(300)}","${unit}"]`;
  check(unit, difference(parseBinary(encoder.encode(text)), { ok: true, value: JSON.parse(text) }));
  const place = 2 + 100 * encoder.encode(unit).length;
  const cut = parseBinary(encoder.encode(text).subarray(0, place));
  checkThat(`${unit}, cut`, !cut.ok && cut.code === "unterminated-string" && cut.offset === place, cut);
  const spoilt = encoder.encode(text);
  spoilt[place] = 0xff;
  const result = parseBinary(spoilt);
  checkThat(`${unit}, spoilt`, !result.ok && result.offset <= place, result);
}
await import("./smoke.ts");
