/**
 * Queue of WHATWG streams, as the standard specifies it.
 *
 * @module
 */

/** Array of `{ value, size }` objects, which `shift` takes from. */
export class WrappedQueue {
  readonly #entries: { value: Uint8Array; size: number }[] = [];
  #byteLength = 0;

  /** Number of bytes queued. */
  get byteLength(): number {
    return this.#byteLength;
  }

  /** Adds a chunk at the end. */
  push(value: Uint8Array): void {
    const size = value.length;
    this.#entries.push({ value, size });
    this.#byteLength += size;
  }

  /** Takes the first chunk out of the queue; returns `undefined` if it is empty. */
  shift(): Uint8Array | undefined {
    const entry = this.#entries.shift();
    if (entry === undefined) return undefined;
    this.#byteLength -= entry.size;
    return entry.value;
  }
}
