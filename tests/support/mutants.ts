/** Small documents, and the texts that they become when a byte changes. */

import { concat, utf8 } from "./bytes.ts";

/** Small documents with every kind of token, and of position between tokens. */
export const SEEDS: readonly string[] = [
  '{"a":[1,{"b":null}],"c":"d"}',
  " [ true , false , null ] ",
  "[0,-1,2.5,-3e4,5E-6,7.0e+8]",
  '["","\\"\\\\\\/\\b\\f\\n\\r\\t","\\u0041\\ud83d\\ude00"]',
  '["é中😀","\ufeff","\ud7ff\ue000\u{10000}"]',
  '{\r\n\t"k" : "v" ,\r"l":[]\n}\r',
  "\r\n[\r\r\n\n1,\r\n      2é",
  "[[[[]]],{},[{}]]",
  '[[[[]]],{},[{}],{"__proto__":{"\\u005f_proto__":1},"":2,"":3}]',
  "-12.5e-3",
  '"plain text of 31 characters...."',
  "\ufeff[1]",
  "\n\n    nul",
];

/** Bytes with a meaning somewhere in the grammar. */
export const SIGNIFICANT_BYTES: Uint8Array = utf8(
  ...'{}[]:,"\\/-+.eE01atfnu \n\r\t\0\x1f\x7f',
  ...[0x80, 0xbf, 0xc3, 0xe4, 0xed, 0xf0, 0xf4, 0xff],
);

/** Yields each prefix of the input, from the empty one to the whole input. */
export function* prefixesOf(input: Uint8Array): Generator<Uint8Array> {
  for (let length = 0; length <= input.length; length++) yield input.subarray(0, length);
}

/** Yields the input, changed in place, with each of its bytes replaced by each of `bytes`. */
export function* mutantsOf<T extends Uint8Array>(input: T, bytes: Iterable<number> = SIGNIFICANT_BYTES): Generator<T> {
  for (const [mutant] of placedMutantsOf(input, bytes)) yield mutant;
}

/** Yields the same as {@linkcode mutantsOf}, with the position of the byte. */
export function* placedMutantsOf<T extends Uint8Array>(
  input: T,
  bytes: Iterable<number> = SIGNIFICANT_BYTES,
): Generator<[mutant: T, place: number]> {
  for (let place = 0; place < input.length; place++) {
    const original = input[place];
    for (const byte of bytes) {
      input[place] = byte;
      yield [input, place];
    }
    input[place] = original;
  }
}

/**
 * Yields the input with one of `bytes` inserted, a byte removed, and two bytes swapped, at
 * each position.
 */
export function* shiftsOf(input: Uint8Array, bytes: Iterable<number> = SIGNIFICANT_BYTES): Generator<Uint8Array> {
  for (let place = 0; place <= input.length; place++) {
    const before = input.subarray(0, place);
    for (const byte of bytes) yield concat([before, Uint8Array.of(byte), input.subarray(place)]);
    yield concat([before, input.subarray(place + 1)]);
    yield concat([before, input.subarray(place, place + 2).toReversed(), input.subarray(place + 2)]);
  }
}
