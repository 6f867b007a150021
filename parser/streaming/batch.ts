/**
 * Collects results into arrays.
 *
 * @module
 */

import { copyRange, doubled } from "../engine/arrays.ts";

/** Results that have not been passed on. */
export class Batch<T> {
  #items: (T | null)[] = [];
  #count = 0;

  /** Adds a result. */
  add(item: T): void {
    if (this.#count === 0) this.#items = [null, null, null, null, null, null, null, null];
    else if (this.#count === this.#items.length) this.#items = doubled(this.#items);
    this.#items[this.#count++] = item;
  }

  /** Takes all results. Returns `undefined` if there are none. */
  take(): T[] | undefined {
    if (this.#count === 0) return undefined;
    const items = copyRange(this.#items, 0, this.#count) as T[];
    this.#items = [];
    this.#count = 0;
    return items;
  }
}

/**
 * Returns whether an option wants batches.
 *
 * @throws {TypeError} If it is no boolean.
 */
export function isBatched(batch: unknown): boolean {
  if (batch !== undefined && typeof batch !== "boolean") {
    throw new TypeError('Cannot parse this way: expected "batch" to be a boolean');
  }
  return batch === true;
}
