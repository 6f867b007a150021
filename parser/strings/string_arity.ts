/**
 * Makes strings of 25 to 64 characters by a call of `fromCharCode` with one argument a character,
 * for engines where nothing is faster.
 *
 * @module
 */

const fromCharCode = String.fromCharCode;

/** Characters of the longest string that {@linkcode stringOf25To64} makes. */
export const MAX_LONG_ARITY = 64;

/**
 * Returns the string of `length` bytes of `b` from `p` on, each a character. Takes two thirds to
 * three quarters of the time of a call with a list: of 32 characters 61 and 88 ns in V8, 101 and
 * 137 ns in SpiderMonkey, of 64 characters 185 and 265, 181 and 243 ns.
 *
 * Precondition: `length` is from 25 to {@linkcode MAX_LONG_ARITY}.
 */
export function stringOf25To64(b: Uint8Array, p: number, length: number): string {
  p |= 0; // "Integers": see ARCHITECTURE.md
  if (length <= 32) return stringOf25To32(b, p, length);
  if (length <= 40) return stringOf33To40(b, p, length);
  if (length <= 48) return stringOf41To48(b, p, length);
  return length <= 56 ? stringOf49To56(b, p, length) : stringOf57To64(b, p, length);
}

// deno-fmt-ignore
/** Makes a string of 25 to 32 characters. */
function stringOf25To32(b: Uint8Array, p: number, length: number): string {
  switch (length) {
    case 25: return fromCharCode(
      b[p], b[p+1], b[p+2], b[p+3], b[p+4], b[p+5], b[p+6], b[p+7], b[p+8], b[p+9], b[p+10], b[p+11], b[p+12], b[p+13], b[p+14], b[p+15],
      b[p+16], b[p+17], b[p+18], b[p+19], b[p+20], b[p+21], b[p+22], b[p+23], b[p+24]);
    case 26: return fromCharCode(
      b[p], b[p+1], b[p+2], b[p+3], b[p+4], b[p+5], b[p+6], b[p+7], b[p+8], b[p+9], b[p+10], b[p+11], b[p+12], b[p+13], b[p+14], b[p+15],
      b[p+16], b[p+17], b[p+18], b[p+19], b[p+20], b[p+21], b[p+22], b[p+23], b[p+24], b[p+25]);
    case 27: return fromCharCode(
      b[p], b[p+1], b[p+2], b[p+3], b[p+4], b[p+5], b[p+6], b[p+7], b[p+8], b[p+9], b[p+10], b[p+11], b[p+12], b[p+13], b[p+14], b[p+15],
      b[p+16], b[p+17], b[p+18], b[p+19], b[p+20], b[p+21], b[p+22], b[p+23], b[p+24], b[p+25], b[p+26]);
    case 28: return fromCharCode(
      b[p], b[p+1], b[p+2], b[p+3], b[p+4], b[p+5], b[p+6], b[p+7], b[p+8], b[p+9], b[p+10], b[p+11], b[p+12], b[p+13], b[p+14], b[p+15],
      b[p+16], b[p+17], b[p+18], b[p+19], b[p+20], b[p+21], b[p+22], b[p+23], b[p+24], b[p+25], b[p+26], b[p+27]);
    case 29: return fromCharCode(
      b[p], b[p+1], b[p+2], b[p+3], b[p+4], b[p+5], b[p+6], b[p+7], b[p+8], b[p+9], b[p+10], b[p+11], b[p+12], b[p+13], b[p+14], b[p+15],
      b[p+16], b[p+17], b[p+18], b[p+19], b[p+20], b[p+21], b[p+22], b[p+23], b[p+24], b[p+25], b[p+26], b[p+27], b[p+28]);
    case 30: return fromCharCode(
      b[p], b[p+1], b[p+2], b[p+3], b[p+4], b[p+5], b[p+6], b[p+7], b[p+8], b[p+9], b[p+10], b[p+11], b[p+12], b[p+13], b[p+14], b[p+15],
      b[p+16], b[p+17], b[p+18], b[p+19], b[p+20], b[p+21], b[p+22], b[p+23], b[p+24], b[p+25], b[p+26], b[p+27], b[p+28], b[p+29]);
    case 31: return fromCharCode(
      b[p], b[p+1], b[p+2], b[p+3], b[p+4], b[p+5], b[p+6], b[p+7], b[p+8], b[p+9], b[p+10], b[p+11], b[p+12], b[p+13], b[p+14], b[p+15],
      b[p+16], b[p+17], b[p+18], b[p+19], b[p+20], b[p+21], b[p+22], b[p+23], b[p+24], b[p+25], b[p+26], b[p+27], b[p+28], b[p+29], b[p+30]);
    default: return fromCharCode(
      b[p], b[p+1], b[p+2], b[p+3], b[p+4], b[p+5], b[p+6], b[p+7], b[p+8], b[p+9], b[p+10], b[p+11], b[p+12], b[p+13], b[p+14], b[p+15],
      b[p+16], b[p+17], b[p+18], b[p+19], b[p+20], b[p+21], b[p+22], b[p+23], b[p+24], b[p+25], b[p+26], b[p+27], b[p+28], b[p+29], b[p+30], b[p+31]);
  }
}

// deno-fmt-ignore
/** Makes a string of 33 to 40 characters. */
function stringOf33To40(b: Uint8Array, p: number, length: number): string {
  switch (length) {
    case 33: return fromCharCode(
      b[p], b[p+1], b[p+2], b[p+3], b[p+4], b[p+5], b[p+6], b[p+7], b[p+8], b[p+9], b[p+10], b[p+11], b[p+12], b[p+13], b[p+14], b[p+15],
      b[p+16], b[p+17], b[p+18], b[p+19], b[p+20], b[p+21], b[p+22], b[p+23], b[p+24], b[p+25], b[p+26], b[p+27], b[p+28], b[p+29], b[p+30], b[p+31],
      b[p+32]);
    case 34: return fromCharCode(
      b[p], b[p+1], b[p+2], b[p+3], b[p+4], b[p+5], b[p+6], b[p+7], b[p+8], b[p+9], b[p+10], b[p+11], b[p+12], b[p+13], b[p+14], b[p+15],
      b[p+16], b[p+17], b[p+18], b[p+19], b[p+20], b[p+21], b[p+22], b[p+23], b[p+24], b[p+25], b[p+26], b[p+27], b[p+28], b[p+29], b[p+30], b[p+31],
      b[p+32], b[p+33]);
    case 35: return fromCharCode(
      b[p], b[p+1], b[p+2], b[p+3], b[p+4], b[p+5], b[p+6], b[p+7], b[p+8], b[p+9], b[p+10], b[p+11], b[p+12], b[p+13], b[p+14], b[p+15],
      b[p+16], b[p+17], b[p+18], b[p+19], b[p+20], b[p+21], b[p+22], b[p+23], b[p+24], b[p+25], b[p+26], b[p+27], b[p+28], b[p+29], b[p+30], b[p+31],
      b[p+32], b[p+33], b[p+34]);
    case 36: return fromCharCode(
      b[p], b[p+1], b[p+2], b[p+3], b[p+4], b[p+5], b[p+6], b[p+7], b[p+8], b[p+9], b[p+10], b[p+11], b[p+12], b[p+13], b[p+14], b[p+15],
      b[p+16], b[p+17], b[p+18], b[p+19], b[p+20], b[p+21], b[p+22], b[p+23], b[p+24], b[p+25], b[p+26], b[p+27], b[p+28], b[p+29], b[p+30], b[p+31],
      b[p+32], b[p+33], b[p+34], b[p+35]);
    case 37: return fromCharCode(
      b[p], b[p+1], b[p+2], b[p+3], b[p+4], b[p+5], b[p+6], b[p+7], b[p+8], b[p+9], b[p+10], b[p+11], b[p+12], b[p+13], b[p+14], b[p+15],
      b[p+16], b[p+17], b[p+18], b[p+19], b[p+20], b[p+21], b[p+22], b[p+23], b[p+24], b[p+25], b[p+26], b[p+27], b[p+28], b[p+29], b[p+30], b[p+31],
      b[p+32], b[p+33], b[p+34], b[p+35], b[p+36]);
    case 38: return fromCharCode(
      b[p], b[p+1], b[p+2], b[p+3], b[p+4], b[p+5], b[p+6], b[p+7], b[p+8], b[p+9], b[p+10], b[p+11], b[p+12], b[p+13], b[p+14], b[p+15],
      b[p+16], b[p+17], b[p+18], b[p+19], b[p+20], b[p+21], b[p+22], b[p+23], b[p+24], b[p+25], b[p+26], b[p+27], b[p+28], b[p+29], b[p+30], b[p+31],
      b[p+32], b[p+33], b[p+34], b[p+35], b[p+36], b[p+37]);
    case 39: return fromCharCode(
      b[p], b[p+1], b[p+2], b[p+3], b[p+4], b[p+5], b[p+6], b[p+7], b[p+8], b[p+9], b[p+10], b[p+11], b[p+12], b[p+13], b[p+14], b[p+15],
      b[p+16], b[p+17], b[p+18], b[p+19], b[p+20], b[p+21], b[p+22], b[p+23], b[p+24], b[p+25], b[p+26], b[p+27], b[p+28], b[p+29], b[p+30], b[p+31],
      b[p+32], b[p+33], b[p+34], b[p+35], b[p+36], b[p+37], b[p+38]);
    default: return fromCharCode(
      b[p], b[p+1], b[p+2], b[p+3], b[p+4], b[p+5], b[p+6], b[p+7], b[p+8], b[p+9], b[p+10], b[p+11], b[p+12], b[p+13], b[p+14], b[p+15],
      b[p+16], b[p+17], b[p+18], b[p+19], b[p+20], b[p+21], b[p+22], b[p+23], b[p+24], b[p+25], b[p+26], b[p+27], b[p+28], b[p+29], b[p+30], b[p+31],
      b[p+32], b[p+33], b[p+34], b[p+35], b[p+36], b[p+37], b[p+38], b[p+39]);
  }
}

// deno-fmt-ignore
/** Makes a string of 41 to 48 characters. */
function stringOf41To48(b: Uint8Array, p: number, length: number): string {
  switch (length) {
    case 41: return fromCharCode(
      b[p], b[p+1], b[p+2], b[p+3], b[p+4], b[p+5], b[p+6], b[p+7], b[p+8], b[p+9], b[p+10], b[p+11], b[p+12], b[p+13], b[p+14], b[p+15],
      b[p+16], b[p+17], b[p+18], b[p+19], b[p+20], b[p+21], b[p+22], b[p+23], b[p+24], b[p+25], b[p+26], b[p+27], b[p+28], b[p+29], b[p+30], b[p+31],
      b[p+32], b[p+33], b[p+34], b[p+35], b[p+36], b[p+37], b[p+38], b[p+39], b[p+40]);
    case 42: return fromCharCode(
      b[p], b[p+1], b[p+2], b[p+3], b[p+4], b[p+5], b[p+6], b[p+7], b[p+8], b[p+9], b[p+10], b[p+11], b[p+12], b[p+13], b[p+14], b[p+15],
      b[p+16], b[p+17], b[p+18], b[p+19], b[p+20], b[p+21], b[p+22], b[p+23], b[p+24], b[p+25], b[p+26], b[p+27], b[p+28], b[p+29], b[p+30], b[p+31],
      b[p+32], b[p+33], b[p+34], b[p+35], b[p+36], b[p+37], b[p+38], b[p+39], b[p+40], b[p+41]);
    case 43: return fromCharCode(
      b[p], b[p+1], b[p+2], b[p+3], b[p+4], b[p+5], b[p+6], b[p+7], b[p+8], b[p+9], b[p+10], b[p+11], b[p+12], b[p+13], b[p+14], b[p+15],
      b[p+16], b[p+17], b[p+18], b[p+19], b[p+20], b[p+21], b[p+22], b[p+23], b[p+24], b[p+25], b[p+26], b[p+27], b[p+28], b[p+29], b[p+30], b[p+31],
      b[p+32], b[p+33], b[p+34], b[p+35], b[p+36], b[p+37], b[p+38], b[p+39], b[p+40], b[p+41], b[p+42]);
    case 44: return fromCharCode(
      b[p], b[p+1], b[p+2], b[p+3], b[p+4], b[p+5], b[p+6], b[p+7], b[p+8], b[p+9], b[p+10], b[p+11], b[p+12], b[p+13], b[p+14], b[p+15],
      b[p+16], b[p+17], b[p+18], b[p+19], b[p+20], b[p+21], b[p+22], b[p+23], b[p+24], b[p+25], b[p+26], b[p+27], b[p+28], b[p+29], b[p+30], b[p+31],
      b[p+32], b[p+33], b[p+34], b[p+35], b[p+36], b[p+37], b[p+38], b[p+39], b[p+40], b[p+41], b[p+42], b[p+43]);
    case 45: return fromCharCode(
      b[p], b[p+1], b[p+2], b[p+3], b[p+4], b[p+5], b[p+6], b[p+7], b[p+8], b[p+9], b[p+10], b[p+11], b[p+12], b[p+13], b[p+14], b[p+15],
      b[p+16], b[p+17], b[p+18], b[p+19], b[p+20], b[p+21], b[p+22], b[p+23], b[p+24], b[p+25], b[p+26], b[p+27], b[p+28], b[p+29], b[p+30], b[p+31],
      b[p+32], b[p+33], b[p+34], b[p+35], b[p+36], b[p+37], b[p+38], b[p+39], b[p+40], b[p+41], b[p+42], b[p+43], b[p+44]);
    case 46: return fromCharCode(
      b[p], b[p+1], b[p+2], b[p+3], b[p+4], b[p+5], b[p+6], b[p+7], b[p+8], b[p+9], b[p+10], b[p+11], b[p+12], b[p+13], b[p+14], b[p+15],
      b[p+16], b[p+17], b[p+18], b[p+19], b[p+20], b[p+21], b[p+22], b[p+23], b[p+24], b[p+25], b[p+26], b[p+27], b[p+28], b[p+29], b[p+30], b[p+31],
      b[p+32], b[p+33], b[p+34], b[p+35], b[p+36], b[p+37], b[p+38], b[p+39], b[p+40], b[p+41], b[p+42], b[p+43], b[p+44], b[p+45]);
    case 47: return fromCharCode(
      b[p], b[p+1], b[p+2], b[p+3], b[p+4], b[p+5], b[p+6], b[p+7], b[p+8], b[p+9], b[p+10], b[p+11], b[p+12], b[p+13], b[p+14], b[p+15],
      b[p+16], b[p+17], b[p+18], b[p+19], b[p+20], b[p+21], b[p+22], b[p+23], b[p+24], b[p+25], b[p+26], b[p+27], b[p+28], b[p+29], b[p+30], b[p+31],
      b[p+32], b[p+33], b[p+34], b[p+35], b[p+36], b[p+37], b[p+38], b[p+39], b[p+40], b[p+41], b[p+42], b[p+43], b[p+44], b[p+45], b[p+46]);
    default: return fromCharCode(
      b[p], b[p+1], b[p+2], b[p+3], b[p+4], b[p+5], b[p+6], b[p+7], b[p+8], b[p+9], b[p+10], b[p+11], b[p+12], b[p+13], b[p+14], b[p+15],
      b[p+16], b[p+17], b[p+18], b[p+19], b[p+20], b[p+21], b[p+22], b[p+23], b[p+24], b[p+25], b[p+26], b[p+27], b[p+28], b[p+29], b[p+30], b[p+31],
      b[p+32], b[p+33], b[p+34], b[p+35], b[p+36], b[p+37], b[p+38], b[p+39], b[p+40], b[p+41], b[p+42], b[p+43], b[p+44], b[p+45], b[p+46], b[p+47]);
  }
}

// deno-fmt-ignore
/** Makes a string of 49 to 56 characters. */
function stringOf49To56(b: Uint8Array, p: number, length: number): string {
  switch (length) {
    case 49: return fromCharCode(
      b[p], b[p+1], b[p+2], b[p+3], b[p+4], b[p+5], b[p+6], b[p+7], b[p+8], b[p+9], b[p+10], b[p+11], b[p+12], b[p+13], b[p+14], b[p+15],
      b[p+16], b[p+17], b[p+18], b[p+19], b[p+20], b[p+21], b[p+22], b[p+23], b[p+24], b[p+25], b[p+26], b[p+27], b[p+28], b[p+29], b[p+30], b[p+31],
      b[p+32], b[p+33], b[p+34], b[p+35], b[p+36], b[p+37], b[p+38], b[p+39], b[p+40], b[p+41], b[p+42], b[p+43], b[p+44], b[p+45], b[p+46], b[p+47],
      b[p+48]);
    case 50: return fromCharCode(
      b[p], b[p+1], b[p+2], b[p+3], b[p+4], b[p+5], b[p+6], b[p+7], b[p+8], b[p+9], b[p+10], b[p+11], b[p+12], b[p+13], b[p+14], b[p+15],
      b[p+16], b[p+17], b[p+18], b[p+19], b[p+20], b[p+21], b[p+22], b[p+23], b[p+24], b[p+25], b[p+26], b[p+27], b[p+28], b[p+29], b[p+30], b[p+31],
      b[p+32], b[p+33], b[p+34], b[p+35], b[p+36], b[p+37], b[p+38], b[p+39], b[p+40], b[p+41], b[p+42], b[p+43], b[p+44], b[p+45], b[p+46], b[p+47],
      b[p+48], b[p+49]);
    case 51: return fromCharCode(
      b[p], b[p+1], b[p+2], b[p+3], b[p+4], b[p+5], b[p+6], b[p+7], b[p+8], b[p+9], b[p+10], b[p+11], b[p+12], b[p+13], b[p+14], b[p+15],
      b[p+16], b[p+17], b[p+18], b[p+19], b[p+20], b[p+21], b[p+22], b[p+23], b[p+24], b[p+25], b[p+26], b[p+27], b[p+28], b[p+29], b[p+30], b[p+31],
      b[p+32], b[p+33], b[p+34], b[p+35], b[p+36], b[p+37], b[p+38], b[p+39], b[p+40], b[p+41], b[p+42], b[p+43], b[p+44], b[p+45], b[p+46], b[p+47],
      b[p+48], b[p+49], b[p+50]);
    case 52: return fromCharCode(
      b[p], b[p+1], b[p+2], b[p+3], b[p+4], b[p+5], b[p+6], b[p+7], b[p+8], b[p+9], b[p+10], b[p+11], b[p+12], b[p+13], b[p+14], b[p+15],
      b[p+16], b[p+17], b[p+18], b[p+19], b[p+20], b[p+21], b[p+22], b[p+23], b[p+24], b[p+25], b[p+26], b[p+27], b[p+28], b[p+29], b[p+30], b[p+31],
      b[p+32], b[p+33], b[p+34], b[p+35], b[p+36], b[p+37], b[p+38], b[p+39], b[p+40], b[p+41], b[p+42], b[p+43], b[p+44], b[p+45], b[p+46], b[p+47],
      b[p+48], b[p+49], b[p+50], b[p+51]);
    case 53: return fromCharCode(
      b[p], b[p+1], b[p+2], b[p+3], b[p+4], b[p+5], b[p+6], b[p+7], b[p+8], b[p+9], b[p+10], b[p+11], b[p+12], b[p+13], b[p+14], b[p+15],
      b[p+16], b[p+17], b[p+18], b[p+19], b[p+20], b[p+21], b[p+22], b[p+23], b[p+24], b[p+25], b[p+26], b[p+27], b[p+28], b[p+29], b[p+30], b[p+31],
      b[p+32], b[p+33], b[p+34], b[p+35], b[p+36], b[p+37], b[p+38], b[p+39], b[p+40], b[p+41], b[p+42], b[p+43], b[p+44], b[p+45], b[p+46], b[p+47],
      b[p+48], b[p+49], b[p+50], b[p+51], b[p+52]);
    case 54: return fromCharCode(
      b[p], b[p+1], b[p+2], b[p+3], b[p+4], b[p+5], b[p+6], b[p+7], b[p+8], b[p+9], b[p+10], b[p+11], b[p+12], b[p+13], b[p+14], b[p+15],
      b[p+16], b[p+17], b[p+18], b[p+19], b[p+20], b[p+21], b[p+22], b[p+23], b[p+24], b[p+25], b[p+26], b[p+27], b[p+28], b[p+29], b[p+30], b[p+31],
      b[p+32], b[p+33], b[p+34], b[p+35], b[p+36], b[p+37], b[p+38], b[p+39], b[p+40], b[p+41], b[p+42], b[p+43], b[p+44], b[p+45], b[p+46], b[p+47],
      b[p+48], b[p+49], b[p+50], b[p+51], b[p+52], b[p+53]);
    case 55: return fromCharCode(
      b[p], b[p+1], b[p+2], b[p+3], b[p+4], b[p+5], b[p+6], b[p+7], b[p+8], b[p+9], b[p+10], b[p+11], b[p+12], b[p+13], b[p+14], b[p+15],
      b[p+16], b[p+17], b[p+18], b[p+19], b[p+20], b[p+21], b[p+22], b[p+23], b[p+24], b[p+25], b[p+26], b[p+27], b[p+28], b[p+29], b[p+30], b[p+31],
      b[p+32], b[p+33], b[p+34], b[p+35], b[p+36], b[p+37], b[p+38], b[p+39], b[p+40], b[p+41], b[p+42], b[p+43], b[p+44], b[p+45], b[p+46], b[p+47],
      b[p+48], b[p+49], b[p+50], b[p+51], b[p+52], b[p+53], b[p+54]);
    default: return fromCharCode(
      b[p], b[p+1], b[p+2], b[p+3], b[p+4], b[p+5], b[p+6], b[p+7], b[p+8], b[p+9], b[p+10], b[p+11], b[p+12], b[p+13], b[p+14], b[p+15],
      b[p+16], b[p+17], b[p+18], b[p+19], b[p+20], b[p+21], b[p+22], b[p+23], b[p+24], b[p+25], b[p+26], b[p+27], b[p+28], b[p+29], b[p+30], b[p+31],
      b[p+32], b[p+33], b[p+34], b[p+35], b[p+36], b[p+37], b[p+38], b[p+39], b[p+40], b[p+41], b[p+42], b[p+43], b[p+44], b[p+45], b[p+46], b[p+47],
      b[p+48], b[p+49], b[p+50], b[p+51], b[p+52], b[p+53], b[p+54], b[p+55]);
  }
}

// deno-fmt-ignore
/** Makes a string of 57 to 64 characters. */
function stringOf57To64(b: Uint8Array, p: number, length: number): string {
  switch (length) {
    case 57: return fromCharCode(
      b[p], b[p+1], b[p+2], b[p+3], b[p+4], b[p+5], b[p+6], b[p+7], b[p+8], b[p+9], b[p+10], b[p+11], b[p+12], b[p+13], b[p+14], b[p+15],
      b[p+16], b[p+17], b[p+18], b[p+19], b[p+20], b[p+21], b[p+22], b[p+23], b[p+24], b[p+25], b[p+26], b[p+27], b[p+28], b[p+29], b[p+30], b[p+31],
      b[p+32], b[p+33], b[p+34], b[p+35], b[p+36], b[p+37], b[p+38], b[p+39], b[p+40], b[p+41], b[p+42], b[p+43], b[p+44], b[p+45], b[p+46], b[p+47],
      b[p+48], b[p+49], b[p+50], b[p+51], b[p+52], b[p+53], b[p+54], b[p+55], b[p+56]);
    case 58: return fromCharCode(
      b[p], b[p+1], b[p+2], b[p+3], b[p+4], b[p+5], b[p+6], b[p+7], b[p+8], b[p+9], b[p+10], b[p+11], b[p+12], b[p+13], b[p+14], b[p+15],
      b[p+16], b[p+17], b[p+18], b[p+19], b[p+20], b[p+21], b[p+22], b[p+23], b[p+24], b[p+25], b[p+26], b[p+27], b[p+28], b[p+29], b[p+30], b[p+31],
      b[p+32], b[p+33], b[p+34], b[p+35], b[p+36], b[p+37], b[p+38], b[p+39], b[p+40], b[p+41], b[p+42], b[p+43], b[p+44], b[p+45], b[p+46], b[p+47],
      b[p+48], b[p+49], b[p+50], b[p+51], b[p+52], b[p+53], b[p+54], b[p+55], b[p+56], b[p+57]);
    case 59: return fromCharCode(
      b[p], b[p+1], b[p+2], b[p+3], b[p+4], b[p+5], b[p+6], b[p+7], b[p+8], b[p+9], b[p+10], b[p+11], b[p+12], b[p+13], b[p+14], b[p+15],
      b[p+16], b[p+17], b[p+18], b[p+19], b[p+20], b[p+21], b[p+22], b[p+23], b[p+24], b[p+25], b[p+26], b[p+27], b[p+28], b[p+29], b[p+30], b[p+31],
      b[p+32], b[p+33], b[p+34], b[p+35], b[p+36], b[p+37], b[p+38], b[p+39], b[p+40], b[p+41], b[p+42], b[p+43], b[p+44], b[p+45], b[p+46], b[p+47],
      b[p+48], b[p+49], b[p+50], b[p+51], b[p+52], b[p+53], b[p+54], b[p+55], b[p+56], b[p+57], b[p+58]);
    case 60: return fromCharCode(
      b[p], b[p+1], b[p+2], b[p+3], b[p+4], b[p+5], b[p+6], b[p+7], b[p+8], b[p+9], b[p+10], b[p+11], b[p+12], b[p+13], b[p+14], b[p+15],
      b[p+16], b[p+17], b[p+18], b[p+19], b[p+20], b[p+21], b[p+22], b[p+23], b[p+24], b[p+25], b[p+26], b[p+27], b[p+28], b[p+29], b[p+30], b[p+31],
      b[p+32], b[p+33], b[p+34], b[p+35], b[p+36], b[p+37], b[p+38], b[p+39], b[p+40], b[p+41], b[p+42], b[p+43], b[p+44], b[p+45], b[p+46], b[p+47],
      b[p+48], b[p+49], b[p+50], b[p+51], b[p+52], b[p+53], b[p+54], b[p+55], b[p+56], b[p+57], b[p+58], b[p+59]);
    case 61: return fromCharCode(
      b[p], b[p+1], b[p+2], b[p+3], b[p+4], b[p+5], b[p+6], b[p+7], b[p+8], b[p+9], b[p+10], b[p+11], b[p+12], b[p+13], b[p+14], b[p+15],
      b[p+16], b[p+17], b[p+18], b[p+19], b[p+20], b[p+21], b[p+22], b[p+23], b[p+24], b[p+25], b[p+26], b[p+27], b[p+28], b[p+29], b[p+30], b[p+31],
      b[p+32], b[p+33], b[p+34], b[p+35], b[p+36], b[p+37], b[p+38], b[p+39], b[p+40], b[p+41], b[p+42], b[p+43], b[p+44], b[p+45], b[p+46], b[p+47],
      b[p+48], b[p+49], b[p+50], b[p+51], b[p+52], b[p+53], b[p+54], b[p+55], b[p+56], b[p+57], b[p+58], b[p+59], b[p+60]);
    case 62: return fromCharCode(
      b[p], b[p+1], b[p+2], b[p+3], b[p+4], b[p+5], b[p+6], b[p+7], b[p+8], b[p+9], b[p+10], b[p+11], b[p+12], b[p+13], b[p+14], b[p+15],
      b[p+16], b[p+17], b[p+18], b[p+19], b[p+20], b[p+21], b[p+22], b[p+23], b[p+24], b[p+25], b[p+26], b[p+27], b[p+28], b[p+29], b[p+30], b[p+31],
      b[p+32], b[p+33], b[p+34], b[p+35], b[p+36], b[p+37], b[p+38], b[p+39], b[p+40], b[p+41], b[p+42], b[p+43], b[p+44], b[p+45], b[p+46], b[p+47],
      b[p+48], b[p+49], b[p+50], b[p+51], b[p+52], b[p+53], b[p+54], b[p+55], b[p+56], b[p+57], b[p+58], b[p+59], b[p+60], b[p+61]);
    case 63: return fromCharCode(
      b[p], b[p+1], b[p+2], b[p+3], b[p+4], b[p+5], b[p+6], b[p+7], b[p+8], b[p+9], b[p+10], b[p+11], b[p+12], b[p+13], b[p+14], b[p+15],
      b[p+16], b[p+17], b[p+18], b[p+19], b[p+20], b[p+21], b[p+22], b[p+23], b[p+24], b[p+25], b[p+26], b[p+27], b[p+28], b[p+29], b[p+30], b[p+31],
      b[p+32], b[p+33], b[p+34], b[p+35], b[p+36], b[p+37], b[p+38], b[p+39], b[p+40], b[p+41], b[p+42], b[p+43], b[p+44], b[p+45], b[p+46], b[p+47],
      b[p+48], b[p+49], b[p+50], b[p+51], b[p+52], b[p+53], b[p+54], b[p+55], b[p+56], b[p+57], b[p+58], b[p+59], b[p+60], b[p+61], b[p+62]);
    default: return fromCharCode(
      b[p], b[p+1], b[p+2], b[p+3], b[p+4], b[p+5], b[p+6], b[p+7], b[p+8], b[p+9], b[p+10], b[p+11], b[p+12], b[p+13], b[p+14], b[p+15],
      b[p+16], b[p+17], b[p+18], b[p+19], b[p+20], b[p+21], b[p+22], b[p+23], b[p+24], b[p+25], b[p+26], b[p+27], b[p+28], b[p+29], b[p+30], b[p+31],
      b[p+32], b[p+33], b[p+34], b[p+35], b[p+36], b[p+37], b[p+38], b[p+39], b[p+40], b[p+41], b[p+42], b[p+43], b[p+44], b[p+45], b[p+46], b[p+47],
      b[p+48], b[p+49], b[p+50], b[p+51], b[p+52], b[p+53], b[p+54], b[p+55], b[p+56], b[p+57], b[p+58], b[p+59], b[p+60], b[p+61], b[p+62], b[p+63]);
  }
}
