/**
 * Decodes names apart from a parse, to whose readers the caches and the scratch belong.
 *
 * @module
 */

import { BACKSLASH, LOWER_U, NINE } from "./ascii.ts";

const { fromCharCode, fromCodePoint } = String;

const MAX_CODE_POINT = 0x10ffff;

/** Bytes of the longest escape. It stands for one UTF-16 code unit. */
export const MAX_ESCAPE = 6;

/** Returns the character that an escape letter stands for: itself but for five. */
function escapedCharacter(letter: number): number {
  switch (letter) {
    case 0x62:
      return 0x08;
    case 0x66:
      return 0x0c;
    case 0x6e:
      return 0x0a;
    case 0x72:
      return 0x0d;
    case 0x74:
      return 0x09;
  }
  return letter;
}

function hexDigit(byte: number): number {
  return byte <= NINE ? byte & 15 : (byte & 15) + 9;
}

/**
 * Returns a property name for a name of a document, in tables of such names. It is no array index:
 * V8 hashes those by their digits alone, so an attacker could choose names that collide.
 */
export function propertyNameOf(name: string): string {
  return name !== "" && name < ":" ? `.${name}` : name;
}

/**
 * Returns the name that the first `length` bytes of a token spell, without its escapes. Of a
 * malformed one, returns any text.
 */
export function decodeName(token: Uint8Array, length: number): string {
  let name = "";
  for (let i = 0; i < length;) {
    const byte = token[i++];
    if (byte === BACKSLASH && i < length) {
      const letter = token[i++];
      if (letter !== LOWER_U) {
        name += fromCharCode(escapedCharacter(letter));
        continue;
      }
      let unit = 0;
      for (const end = Math.min(i + 4, length); i < end; i++) unit = unit << 4 | hexDigit(token[i]);
      name += fromCharCode(unit);
    } else if (byte < 0x80) {
      name += fromCharCode(byte);
    } else {
      const rest = byte >= 0xf0 ? 3 : byte >= 0xe0 ? 2 : 1;
      let point = byte & 0x3f >> rest;
      for (const end = Math.min(i + rest, length); i < end; i++) point = point << 6 | token[i] & 0x3f;
      name += fromCodePoint(Math.min(point, MAX_CODE_POINT)); // larger ones are malformed
    }
  }
  return name;
}
