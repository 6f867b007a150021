/** Converts JSON in UTF-16 and UTF-32 to UTF-8. */

/** Names of charsets. Groups: bits of a code unit, and byte order, `""` to detect it. */
const CHARSET = /^utf-?(?:8|(16|32)-?(le|be|))$/;

/** Returns whether {@linkcode toUtf8} knows a charset. */
export function isKnownCharset(charset: string): boolean {
  return CHARSET.test(charset);
}

/**
 * Converts bytes of a known charset to UTF-8. Bytes in UTF-8 are returned as they are.
 *
 * @returns The bytes, or `undefined` if they are not text of the charset.
 */
export function toUtf8(bytes: Uint8Array, charset: string): Uint8Array | undefined {
  const [, bits] = CHARSET.exec(charset)!;
  if (bits === undefined) return bytes;
  const text = decode(bytes, charset);
  return text === undefined ? undefined : new TextEncoder().encode(text);
}

/** Decodes bytes of a known charset. Malformed ones become replacement characters. */
export function toText(bytes: Uint8Array, charset: string): string {
  return decode(bytes, charset) ?? new TextDecoder().decode(bytes);
}

function decode(bytes: Uint8Array, charset: string): string | undefined {
  const [, bits, order] = CHARSET.exec(charset)!;
  return bits === undefined ? undefined : bits === "16" ? decodeUtf16(bytes, order) : decodeUtf32(bytes, order);
}

function decodeUtf16(bytes: Uint8Array, order: string): string | undefined {
  // JSON begins with a byte-order mark or an ASCII character, which has a zero byte.
  const isBig = order === "be" || order === "" && (bytes[0] === 0xfe || bytes[0] === 0);
  try {
    return new TextDecoder(isBig ? "utf-16be" : "utf-16le", { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function decodeUtf32(bytes: Uint8Array, order: string): string | undefined {
  if (bytes.length % 4 !== 0) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const isLittle = order === "le" || order === "" && bytes[0] !== 0;
  let text = "";
  for (let p = 0; p < bytes.length; p += 4) {
    const codePoint = view.getUint32(p, isLittle);
    if (codePoint > 0x10ffff || (codePoint >= 0xd800 && codePoint < 0xe000)) return undefined;
    if (p > 0 || codePoint !== 0xfeff) text += String.fromCodePoint(codePoint);
  }
  return text;
}
