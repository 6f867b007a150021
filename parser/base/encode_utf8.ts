/**
 * UTF-8 of texts.
 *
 * @module
 */

const { apply } = Reflect;
const { codePointAt } = String.prototype;

/**
 * Returns the UTF-8 of a text, in engines without `TextEncoder` too. A lone surrogate becomes three
 * bytes that no valid input has: only an escape can spell it.
 */
export function encodeUtf8(text: string): Uint8Array {
  const bytes = new Uint8Array(3 * text.length);
  let p = 0;
  for (let i = 0; i < text.length; i++) {
    const codePoint = apply(codePointAt, text, [i]) as number;
    if (codePoint < 0x80) {
      bytes[p++] = codePoint;
    } else if (codePoint < 0x800) {
      bytes[p++] = 0xc0 | codePoint >> 6;
      bytes[p++] = 0x80 | codePoint & 0x3f;
    } else if (codePoint < 0x10000) {
      bytes[p++] = 0xe0 | codePoint >> 12;
      bytes[p++] = 0x80 | codePoint >> 6 & 0x3f;
      bytes[p++] = 0x80 | codePoint & 0x3f;
    } else {
      i++;
      bytes[p++] = 0xf0 | codePoint >> 18;
      bytes[p++] = 0x80 | codePoint >> 12 & 0x3f;
      bytes[p++] = 0x80 | codePoint >> 6 & 0x3f;
      bytes[p++] = 0x80 | codePoint & 0x3f;
    }
  }
  return new Uint8Array(bytes.buffer, 0, p);
}
