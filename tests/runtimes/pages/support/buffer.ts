/**
 * Stand-in for `Buffer` of `node:buffer` in a page: a subclass of `Uint8Array`. Tests expect that
 * it is read like any other.
 */

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** Subclass of `Uint8Array` with the methods of Node's `Buffer` that the tests call. */
export class Buffer extends Uint8Array<ArrayBuffer> {
  /** Returns the bytes of a string in UTF-8, of an array, or of a buffer in place. */
  static override from(source: unknown, offset?: unknown, length?: unknown): Buffer {
    if (typeof source === "string") {
      const bytes = encoder.encode(source);
      return new Buffer(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    }
    if (source instanceof ArrayBuffer) return new Buffer(source, offset as number, length as number);
    return new Buffer(Uint8Array.from(source as number[]).buffer);
  }

  /** Returns `size` bytes. */
  static alloc(size: number): Buffer {
    return new Buffer(new ArrayBuffer(size));
  }

  /** Returns `size` bytes. */
  static allocUnsafe(size: number): Buffer {
    return new Buffer(new ArrayBuffer(size));
  }

  /** Returns which of two arrays of bytes comes first: -1, 0 or 1. */
  static compare(a: Uint8Array, b: Uint8Array): number {
    for (let i = 0; i < Math.min(a.length, b.length); i++) if (a[i] !== b[i]) return a[i] < b[i] ? -1 : 1;
    return Math.sign(a.length - b.length);
  }

  /** Decodes the bytes as UTF-8. */
  override toString(): string {
    return decoder.decode(this);
  }

  /** Fills with a number, or with the bytes of a string. */
  override fill(value: unknown): this {
    const bytes = typeof value === "string" ? encoder.encode(value) : [value as number];
    for (let i = 0; i < this.length; i++) this[i] = bytes[i % bytes.length];
    return this;
  }
}
