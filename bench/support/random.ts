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

/** A seeded generator (mulberry32): the same documents on every machine. */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed | 0;
  }

  /** At least 0, below 1. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** A whole number, both ends included. */
  integer(low: number, high: number): number {
    return low + Math.floor(this.next() * (high - low + 1));
  }

  pick<T>(items: ArrayLike<T>): T {
    return items[this.integer(0, items.length - 1)];
  }

  /** An integer of exactly so many digits. */
  digits(count: number): number {
    return this.integer(10 ** (count - 1), 10 ** count - 1);
  }

  /** So many characters, each out of `alphabet`. */
  characters(count: number, alphabet: string): string {
    let text = "";
    for (let i = 0; i < count; i++) text += this.pick(alphabet);
    return text;
  }

  /** So many English words. */
  words(count: number): string {
    return Array.from({ length: count }, () => this.pick(WORDS)).join(" ");
  }

  /** In place, every order equally likely. */
  shuffle<T>(items: T[]): T[] {
    for (let i = items.length - 1; i > 0; i--) {
      const j = this.integer(0, i);
      [items[i], items[j]] = [items[j], items[i]];
    }
    return items;
  }
}
