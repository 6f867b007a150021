/**
 * Child process that counts the bytes that `BinaryParser` copies and searches while tokens, lines
 * and whitespace of some megabytes arrive in chunks. Prints a {@linkcode StreamWork} as JSON.
 *
 * The methods of `Uint8Array` count before the module that uses them is loaded.
 */

import type { BinaryParserOptions } from "../../parse_stream.ts";

/** For each kind of input, bytes of work for each byte of the input. */
export type StreamWork = Record<string, number>;

const CHUNK_BYTES = 65_536;
const INPUT_BYTES = 8_000_000;

let work = 0;
const { copyWithin, indexOf, set } = Uint8Array.prototype;
Object.assign(Uint8Array.prototype, {
  copyWithin(this: Uint8Array, target: number, start: number, end: number = this.length): Uint8Array {
    work += end - start;
    return copyWithin.call(this, target, start, end);
  },
  indexOf(this: Uint8Array, byte: number, from: number = 0): number {
    const found = indexOf.call(this, byte, from);
    work += Math.max(0, (found < 0 ? this.length : found) - from);
    return found;
  },
  set(this: Uint8Array, source: ArrayLike<number>, offset?: number): void {
    work += source.length;
    set.call(this, source, offset);
  },
});

const { BinaryParser } = await import("../../parse_stream.ts");

const encoder = new TextEncoder();

/** Returns the bytes of work for each byte of `start`, many times `more`, and `end`. */
function measure(start: string, more: string, end: string, options: BinaryParserOptions = {}): number {
  const chunk = encoder.encode(more.repeat(Math.ceil(CHUNK_BYTES / more.length)));
  const parser = new BinaryParser(options);
  work = 0;
  parser.push(encoder.encode(start));
  for (let size = 0; size < INPUT_BYTES; size += chunk.length) parser.push(chunk);
  parser.push(encoder.encode(end));
  parser.end();
  return work / INPUT_BYTES;
}

const counts: StreamWork = {
  "string": measure('["', "a", '"]'),
  "string with escapes": measure('["', '\\"\\\\', '"]'),
  "key": measure('{"', "k", '":1}'),
  "number": measure("[1", "0", "]"),
  "whitespace": measure("[", "    \n", "1]"),
  "line": measure('["', "a", '"]\n', { multiple: "lines" }),
  "line after a failure": measure("[x", "a", "\n1\n", { multiple: "lines" }),
  "whitespace in a line": measure("[", " ", "1]\n", { multiple: "lines" }),
  "concatenated string": measure('"', "a", '"', { multiple: "concatenated" }),
  "string of an element": measure('["', "a", '"]', { multiple: "elements" }),
  "whitespace between elements": measure("[", " ", "1]", { multiple: "elements" }),
  "key beside the elements": measure('{"', "k", '":1,"a":[]}', { multiple: "elements", at: "/a" }),
  "string beside the elements": measure('{"b":"', "c", '","a":[]}', { multiple: "elements", at: "/a" }),
};
console.log(JSON.stringify(counts));
