/** Decodes escapes, and names outside of a parse, without its caches and scratch. */

import { BACKSLASH, LOWER_U, QUOTE } from "./ascii.ts";

const MAX_CODE_POINT = 0x10ffff;

/** Maximum bytes of an escape, which encodes one UTF-16 code unit. */
export const MAX_ESCAPE = 6;

/** Byte encoded by each escape letter; 0 for `u` and any other byte. */
export const ESCAPE_VALUES: Uint8Array = /* @__PURE__ */ escapeValues();

function escapeValues(): Uint8Array {
  const values = new Uint8Array(256);
  values[QUOTE] = QUOTE;
  values[BACKSLASH] = BACKSLASH;
  values[0x2f] = 0x2f; // /
  values[0x62] = 0x08; // b
  values[0x66] = 0x0c; // f
  values[0x6e] = 0x0a; // n
  values[0x72] = 0x0d; // r
  values[0x74] = 0x09; // t
  return values;
}

/** Value of a byte that is not a hexadecimal digit: a bit that no digit has. */
const NOT_HEX = 0x100;

/** Value of a hexadecimal digit; {@linkcode NOT_HEX} for any other byte. */
const HEX_VALUES = /* @__PURE__ */ hexValues();

function hexValues(): Uint16Array {
  const values = new Uint16Array(256).fill(NOT_HEX);
  for (let digit = 0; digit < 10; digit++) values[0x30 + digit] = digit;
  for (let digit = 10; digit < 16; digit++) values[0x41 - 10 + digit] = values[0x61 - 10 + digit] = digit;
  return values;
}

/** Reads four hexadecimal digits at `p`. Returns the code unit, or -1 if one is missing. */
export function readHex4(bytes: Uint8Array, p: number, end: number): number {
  if (p + 4 > end) return -1;
  const high = HEX_VALUES[bytes[p]] << 4 | HEX_VALUES[bytes[p + 1]];
  const low = HEX_VALUES[bytes[p + 2]] << 4 | HEX_VALUES[bytes[p + 3]];
  return (high | low) <= 0xff ? high << 8 | low : -1;
}

/**
 * Returns a property name for a name of a document, in tables of such names. It is not an array
 * index: V8 hashes those by their digits alone, so an attacker could choose names that collide.
 */
export function propertyNameOf(name: string): string {
  return name !== "" && name < ":" ? `.${name}` : name;
}

/** Returns whether `bytes[start, end)` of a string have an escape. */
export function hasEscape(bytes: Uint8Array, start: number, end: number): boolean {
  for (let p = start; p < end; p++) if (bytes[p] === BACKSLASH) return true;
  return false;
}

/** Returns the name that `bytes[start, end)` spell; for a malformed token, any text. */
export function decodeName(bytes: Uint8Array, start: number, end: number): string {
  let name = "";
  for (let p = start; p < end;) {
    const byte = bytes[p++];
    if (byte === BACKSLASH && p < end) {
      const letter = bytes[p++];
      if (letter !== LOWER_U) {
        name += String.fromCharCode(ESCAPE_VALUES[letter]);
        continue;
      }
      name += String.fromCharCode(readHex4(bytes, p, end));
      p += 4;
    } else if (byte < 0x80) {
      name += String.fromCharCode(byte);
    } else {
      const rest = byte >= 0xf0 ? 3 : byte >= 0xe0 ? 2 : 1;
      let point = byte & 0x3f >> rest;
      for (const after = Math.min(p + rest, end); p < after; p++) point = point << 6 | bytes[p] & 0x3f;
      name += String.fromCodePoint(Math.min(point, MAX_CODE_POINT)); // larger ones are malformed
    }
  }
  return name;
}
