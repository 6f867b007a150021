/**
 * Queues as linked lists, out of reach of a modified `Array.prototype`. A program may replace
 * `push` and `shift`, and a store beyond the end of an array calls a setter that it has defined for
 * the index.
 */

interface QueuedItem<T> {
  readonly item: T;
  next: QueuedItem<T> | null;
}

/** First-in, first-out queue. It does not keep taken items alive. */
export class Queue<T> {
  #first: QueuedItem<T> | null = null;
  #last: QueuedItem<T> | null = null;

  get isEmpty(): boolean {
    return this.#first === null;
  }

  add(item: T): void {
    const added: QueuedItem<T> = { item, next: null };
    if (this.#last === null) this.#first = added;
    else this.#last.next = added;
    this.#last = added;
  }

  /** Takes the first item out of the queue. Returns `undefined` if the queue is empty. */
  take(): T | undefined {
    const first = this.#first;
    if (first === null) return undefined;
    this.#first = first.next;
    if (first.next === null) this.#last = null;
    first.next = null; // otherwise a taken item in the old generation would keep all after it alive
    return first.item;
  }

  clear(): void {
    this.#first = this.#last = null;
  }
}
