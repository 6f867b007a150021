/** Threads that read parts of the input in any order, but answer in the order of the input. */

import type { WorkerThread } from "../platform/interface.ts";
import { platform } from "../platform/platform.ts";

/**
 * Parts queued for a thread, so that it need not wait for the next one if this thread reads, too.
 */
const PARTS_AT_ONCE = 3;

/**
 * Maximum number of parts, for each thread including this one, whose answers wait for their turn,
 * or to be written.
 */
const MAX_WAITING = 4;

export class ThreadError extends Error {}

export interface PartTask<T> {
  readonly turn: number;
  readonly task: T;
}

export interface PartAnswer<R> {
  /** Turn of the part; -1 once the thread can read. */
  readonly turn: number;
  readonly answer?: R;
  /** Bytes of the next answer that were read since the last message. */
  readonly bytes?: number;
  /** Error that ends the work. Thrown, it would be printed with a stack trace. */
  readonly broken?: string;
}

interface Reader {
  readonly thread: WorkerThread;
  parts: number;
  isReady: boolean;
}

export interface OwnWork<T, R> {
  /**
   * Reads a part if the other threads are busy. The code of this thread is warm, and warming up
   * another takes a third of a second.
   */
  readHere?(task: T): R;
  /** Returns whether too many answers wait for their turn to hand out another part. */
  isFull?(answers: Iterable<R>): boolean;
}

/** Threads that read one input after the other. */
export class LineThreads<T, R> {
  readonly #readers: Reader[];
  readonly #own: OwnWork<T, R>;
  #listener: (answer: R) => Promise<boolean> = () => Promise.resolve(false);
  onIdle: (() => void) | undefined;
  onProgress: ((bytes: number) => void) | undefined;
  #nextTurn = 0;
  readonly #answers = new Map<number, R>();
  /** Turns of the parts that are not done, in the order of the input. */
  #turns: number[] = [];
  #isDelivering = false;
  #delivering: Promise<void> | undefined;
  #isStopped = false;
  #error: unknown;
  #wake = (): void => {};

  constructor(threads: readonly WorkerThread[], own: OwnWork<T, R>) {
    this.#own = own;
    this.#readers = threads.map((thread) => ({ thread, parts: 0, isReady: false }));
    for (const reader of this.#readers) {
      reader.thread.onmessage = ({ data }) => this.#receive(reader, data as PartAnswer<R>);
      reader.thread.onerror = (event) => {
        event.preventDefault();
        this.#fail(new ThreadError(`a thread has ended: ${event.message}`));
      };
    }
  }

  /**
   * Begins another input. The listener receives answers in order, and resolves with whether to go
   * on.
   */
  begin(listener: (answer: R) => Promise<boolean>): void {
    this.#listener = listener;
    this.#isStopped = false;
  }

  get areReady(): boolean {
    return this.#readers.every(({ isReady }) => isReady);
  }

  /** Whether the listener wants no more. */
  get isStopped(): boolean {
    return this.#isStopped;
  }

  /** Resolves once another part can be read. Rejects after an error. */
  waitForRoom(): Promise<void> {
    return this.#waitFor(() => {
      if (this.#own.readHere !== undefined) return this.#turns.length < MAX_WAITING * (this.#readers.length + 1);
      return this.#readers.some(({ parts }) => parts === 0) && !this.#own.isFull?.(this.#answers.values());
    });
  }

  /** Reads a part, in a thread that gets the buffers, or here. */
  async read(task: T, buffers: ArrayBuffer[]): Promise<void> {
    const turn = this.#nextTurn++;
    this.#turns.push(turn);
    const reader = this.#readers.reduce((least, other) => other.parts < least.parts ? other : least);
    const { readHere } = this.#own;
    if (readHere === undefined || reader.parts < PARTS_AT_ONCE) {
      reader.parts++;
      reader.thread.postMessage({ turn, task } satisfies PartTask<T>, buffers);
      return;
    }
    this.#addAnswer(turn, readHere(task));
    // The others may have answered meanwhile, and wait for more.
    await platform.takeTurn();
  }

  get isIdle(): boolean {
    return this.#readers.every(({ parts }) => parts === 0);
  }

  /** Resolves once all parts are answered or enough is found. */
  drain(): Promise<void> {
    return this.#waitFor(() => this.#turns.length === 0);
  }

  /** Drops all further answers. Resolves once the listener is done with the current one. */
  async stop(): Promise<void> {
    this.#drop();
    await this.#delivering;
  }

  #drop(): void {
    this.#isStopped = true;
    this.onIdle = undefined;
    this.#turns = [];
    this.#answers.clear();
    this.#wake();
  }

  async close(): Promise<void> {
    this.#drop();
    await Promise.all(this.#readers.map(({ thread }) => thread.terminate()));
  }

  async #waitFor(isReady: () => boolean): Promise<void> {
    while (this.#error === undefined && !this.#isStopped && !isReady()) {
      await new Promise<void>((resolve) => this.#wake = resolve);
    }
    if (this.#error !== undefined) throw this.#error;
  }

  #receive(reader: Reader, { turn, answer, bytes, broken }: PartAnswer<R>): void {
    if (broken !== undefined) return this.#fail(new ThreadError(broken));
    if (bytes !== undefined) return this.onProgress?.(bytes);
    if (turn < 0) {
      reader.isReady = true;
      return;
    }
    reader.parts--;
    if (this.isIdle) this.onIdle?.();
    this.#addAnswer(turn, answer!);
  }

  #addAnswer(turn: number, answer: R): void {
    if (this.#turns.includes(turn)) this.#answers.set(turn, answer);
    if (!this.#isDelivering) this.#delivering = this.#deliver().catch((error) => this.#fail(error));
    this.#wake();
  }

  async #deliver(): Promise<void> {
    this.#isDelivering = true;
    try {
      for (;;) {
        const [turn] = this.#turns;
        const answer = this.#answers.get(turn);
        if (answer === undefined) return;
        this.#answers.delete(turn);
        if (!await this.#listener(answer)) this.#drop();
        else this.#turns.shift();
        this.#wake();
      }
    } finally {
      this.#isDelivering = false;
    }
  }

  #fail(error: unknown): void {
    this.#error ??= error;
    this.#wake();
  }
}
