/**
 * Child process for any runtime that runs the smoke program in an engine without `Buffer`, as
 * browsers are, and reads long tokens, right and wrong. Prints failed checks, and their number.
 *
 * @module
 */

import { check, checkThat } from "../support/checks.ts";
import { difference, resultDifference } from "../support/difference.ts";
import { referenceParse } from "../support/reference.ts";

Reflect.deleteProperty(globalThis, "Buffer");

/** Lists of characters that strings are made from. */
const lists = new Set<number[]>();
const { apply } = Reflect;
Object.assign(Reflect, {
  apply: (method: () => unknown, self: unknown, list: []): unknown => {
    if (method === String.fromCharCode) lists.add(list);
    return apply(method, self, list);
  },
});

const { parseBinary } = await import("../../parse_binary.ts");
const { DECODES_TOKENS } = await import("../../parser/strings/make_string.ts");
const { readStringToken } = await import("../../parser/strings/read_string.ts");
const { skipPlain } = await import("../../parser/base/swar.ts");

checkThat("strings from a decoder", DECODES_TOKENS, DECODES_TOKENS);
const encoder = new TextEncoder();
for (const unit of ["é", "中", "😀", "a中", "中\\n", "\\u4e2d", "é\\n", "abc\\n"]) {
  const text = `["${unit.repeat(300)}","${unit.repeat(300)}","${unit}"]`;
  check(unit, difference(parseBinary(encoder.encode(text)), { ok: true, value: JSON.parse(text) }));
  const place = 2 + 100 * encoder.encode(unit).length;
  const cut = parseBinary(encoder.encode(text).subarray(0, place));
  checkThat(`${unit}, cut`, !cut.ok && cut.code === "unterminated-string" && cut.offset === place, cut);
  const corrupted = encoder.encode(text);
  corrupted[place] = 0xff;
  const result = parseBinary(corrupted);
  checkThat(`${unit}, corrupted`, !result.ok && result.offset <= place, result);
}
lists.clear();
for (const unit of ["é", "中\\ud800"]) {
  for (const count of [20, 40, 90]) parseBinary(encoder.encode(`["${unit.repeat(count)}"]`));
}
checkThat("lists that are wiped", lists.size > 4 && [...lists].flat().every((code) => code < 0), lists.size);

// Bytes that end a token or make it malformed, at places of tokens about as long as a decoder
// takes.
for (const unit of ["é", "中", "😀", "a中"]) {
  for (const length of [20, 24, 25, 60, 199, 200, 201, 400]) {
    const size = encoder.encode(unit).length;
    const bytes = encoder.encode(`["${unit.repeat(Math.ceil(length / size))}","next",1]`);
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    const last = 2 + size * Math.ceil(length / size);
    check(`${unit}, ${length} bytes`, resultDifference(parseBinary(bytes), referenceParse(bytes)));
    for (const place of [2, 2 + size, last - size, last - 1, last]) {
      for (const byte of [0x00, 0x1f, 0x20, 0x21, 0x22, 0x5c, 0x7f, 0x80, 0xff]) {
        const corrupted = bytes.slice();
        corrupted[place] = byte;
        const name = `${unit}, ${length} bytes, ${byte} at ${place}`;
        check(name, resultDifference(parseBinary(corrupted), referenceParse(corrupted)));
      }
      const cut = bytes.subarray(0, place);
      check(`${unit}, ${length} bytes, cut at ${place}`, resultDifference(parseBinary(cut), referenceParse(cut)));
      const string = readStringToken(bytes, view, 2, skipPlain(bytes, view, 2, place), place);
      checkThat(`${unit}, ${length} bytes, read up to ${place}`, string === null, string);
    }
  }
}
await import("./smoke.ts");
