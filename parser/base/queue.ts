/**
 * Queues as linked lists, out of reach of a modified `Array.prototype`. A program may replace
 * `push` and `shift`, and a store beyond the end of an array calls a setter that it has defined for
 * the index.
 *
 * @module
 */

/** Item of a queue, and the one after it. */
interface QueuedItem<T> {
  readonly item: T;
  next: QueuedItem<T> | null;
}

/** First-in, first-out queue. It keeps no item alive that was taken. */
export class Queue<T> {
  #first: QueuedItem<T> | null = null;
  #last: QueuedItem<T> | null = null;

  /** Whether there are no items. */
  get isEmpty(): boolean {
    return this.#first === null;
  }

  /** Adds an item at the end. */
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
    first.next = null; // else a taken item in the old generation would keep all after it alive
    return first.item;
  }

  /** Drops all items. */
  clear(): void {
    this.#first = this.#last = null;
  }
}

/** Call of a callback, and the call after it. */
interface QueuedCall {
  readonly callback: (argument: never) => void;
  readonly argument: unknown;
  next: QueuedCall | null;
}

/** Queue of calls that are made later, in the order in which they were added. */
export class CallbackQueue {
  #first: QueuedCall | null = null;
  #last: QueuedCall | null = null;

  /** Adds a call at the end. */
  add<T>(callback: (argument: T) => void, argument: T): void {
    const added: QueuedCall = { callback, argument, next: null };
    if (this.#last === null) this.#first = added;
    else this.#last.next = added;
    this.#last = added;
  }

  /** Makes all calls. Passes on the error of a callback, and drops the calls after it. */
  flush(): void {
    let call = this.#first;
    this.clear();
    while (call !== null) {
      const { callback, argument } = call;
      callback(argument as never);
      call = call.next;
    }
  }

  /** Drops all calls. */
  clear(): void {
    this.#first = this.#last = null;
  }
}
