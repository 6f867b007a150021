/**
 * Child process for any runtime that reads long tokens, right and wrong, in an engine without
 * `Buffer`, as browsers are. Prints failed checks, and their number.
 */

import { check, checkThat, reportChecks } from "../support/checks.ts";
import { resultDifference } from "../support/difference.ts";
import { referenceParse } from "../support/reference.ts";

Reflect.deleteProperty(globalThis, "Buffer");

/** Lists of characters that strings are made from, and the number of calls of decoders. */
const lists = new Set<number[]>();
let decoded = 0;
const { decode } = TextDecoder.prototype;
Object.defineProperty(String.fromCharCode, "apply", {
  value: (self: unknown, list: number[]): string => {
    lists.add(list);
    return Reflect.apply(String.fromCharCode, self, list);
  },
});
Object.assign(TextDecoder.prototype, {
  decode(this: TextDecoder, ...args: Parameters<typeof decode>): string {
    decoded++;
    return decode.apply(this, args);
  },
});

const { parseBinary } = await import("../../parse_binary.ts");
const encoder = new TextEncoder();

function checkBytes(name: string, bytes: Uint8Array): void {
  check(name, resultDifference(parseBinary(bytes), referenceParse(bytes)));
}

// Bytes that end a token or make it malformed, at places of tokens about as long as a decoder takes.
for (const unit of ["é", "中", "😀", "a中", "中\\n", "\\u4e2d", "é\\n", "abc\\n"]) {
  const size = encoder.encode(unit).length;
  for (const length of [20, 24, 25, 60, 199, 200, 201, 400, 900]) {
    const bytes = encoder.encode(`["${unit.repeat(Math.ceil(length / size))}","next","${unit}",1]`);
    const last = 2 + size * Math.ceil(length / size);
    checkBytes(`${unit}, ${length} bytes`, bytes);
    for (const place of [2, 2 + size, last - size, last - 1, last]) {
      for (const byte of [0x00, 0x1f, 0x20, 0x21, 0x22, 0x5c, 0x7f, 0x80, 0xff]) {
        checkBytes(`${unit}, ${length} bytes, ${byte} at ${place}`, bytes.with(place, byte));
      }
      checkBytes(`${unit}, ${length} bytes, cut at ${place}`, bytes.subarray(0, place));
    }
  }
}
checkThat("tokens that a decoder has read", decoded > 100, decoded);
const long = encoder.encode(`["${"é".repeat(300_000)}"]`);
checkBytes("600,000 bytes", long);
decoded = 0; // the reference decodes, too
parseBinary(long);
checkThat("calls of a decoder for 600,000 bytes", decoded === 1, decoded);
lists.clear();
for (const unit of ["é", "中\\ud800"]) {
  for (const count of [20, 40, 90]) parseBinary(encoder.encode(`["${unit.repeat(count)}"]`));
}
checkThat("lists that are wiped", lists.size > 4 && [...lists].flat().every((code) => code < 0), lists.size);

/** Parses an input that nothing else holds, with strings of which decoders get views. */
function parseOnce(): WeakRef<ArrayBuffer> {
  const { buffer } = encoder.encode(`["${"a".repeat(300)}","${"é".repeat(300)}"]`);
  parseBinary(buffer);
  return new WeakRef(buffer);
}
const inputs = Array.from({ length: 20 }, parseOnce);
await new Promise((resolve) => setTimeout(resolve)); // until then, what a WeakRef holds stays alive
(globalThis as { gc?: () => void }).gc!();
const held = inputs.filter((input) => input.deref() !== undefined).length;
checkThat("inputs that are held after the call", held === 0, held);
reportChecks();
