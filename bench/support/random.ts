/** Seeded pseudo-random choices: the same on every machine, so that failures can be repeated. */

/** Common English words, and some that APIs use. */
const WORDS =
  ("the of and to in is that for it as was with be by on not he his but at are this have from or had an they " +
    "which one you were her all she there would their we him been has when who will more no if out so said what up its " +
    "about into than them can only other new some could time these two may then do first any my now such like our over " +
    "man me even most made after also did many before must through back years where much your way well down should " +
    "because each just those people how too little state good very make world still own see men work long get here " +
    "between both life being under never day same another know while last might us great old year off come since " +
    "against go came right used take three system request response customer account payment invoice delivery").split(
      " ",
    );

/** Pseudo-random number generator (mulberry32). */
export class Random {
  #state: number;

  /**
   * Creates a generator.
   *
   * @param seed A 32-bit integer; equal seeds give equal sequences.
   */
  constructor(seed: number) {
    this.#state = seed | 0;
  }

  /** Returns a number from 0 up to, but not including, 1. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** Returns an integer from 0 up to, but not including, `limit`. */
  below(limit: number): number {
    return Math.floor(this.next() * limit);
  }

  /** Returns an integer from `low` to `high`, both included. */
  integer(low: number, high: number): number {
    return low + this.below(high - low + 1);
  }

  /** Returns true once in `times` calls on average. */
  once(times: number): boolean {
    return this.below(times) === 0;
  }

  pick<T>(choices: ArrayLike<T>): T {
    return choices[this.below(choices.length)];
  }

  /** Returns an integer with exactly `count` digits. */
  digits(count: number): number {
    return this.integer(10 ** (count - 1), 10 ** count - 1);
  }

  /** Returns `count` characters of an alphabet. */
  characters(count: number, alphabet: string): string {
    let text = "";
    for (let i = 0; i < count; i++) text += this.pick(alphabet);
    return text;
  }

  /** Returns `count` English words, separated by spaces. */
  words(count: number): string {
    return Array.from({ length: count }, () => this.pick(WORDS)).join(" ");
  }

  /** Joins the results of `low` to `high` calls of `make`. */
  repeat(low: number, high: number, make: () => string): string {
    let text = "";
    for (let i = this.integer(low, high); i > 0; i--) text += make();
    return text;
  }

  /** Shuffles an array in place, every order equally likely (Fisher-Yates), and returns it. */
  shuffle<T>(items: T[]): T[] {
    for (let i = items.length - 1; i > 0; i--) {
      const j = this.below(i + 1);
      [items[i], items[j]] = [items[j], items[i]];
    }
    return items;
  }
}
