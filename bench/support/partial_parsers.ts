/**
 * Ways to get the value so far of a text that arrives in pieces, ours and those of others.
 *
 * @module
 */

import { parse as parseIncrementally } from "jsonriver";
import { parse as parseRepaired } from "partial-json";
import { BinaryParser, parsePartial } from "../../mod.ts";
import { Random } from "./random.ts";

/** Reads pieces, and takes the value after each. Resolves with the last one. */
export type PartialParser = (pieces: readonly string[]) => Promise<unknown>;

/** Iterates over pieces as a response gives them: with a turn of the microtasks between two. */
async function* arriving(pieces: readonly string[]): AsyncGenerator<string> {
  for (const piece of pieces) yield piece;
}

/** Parsers whose time is linear. The first is the baseline. */
export const LINEAR_PARSERS: Record<string, PartialParser> = {
  "jsonriver": async (pieces) => {
    let last: unknown;
    for await (const value of parseIncrementally(arriving(pieces))) last = value;
    return last;
  },
  "parsePartial": async (pieces) => {
    let last: unknown;
    for await (const result of parsePartial(arriving(pieces))) last = result.ok && result.value;
    return last;
  },
  "partial()": async (pieces) => {
    const parser = new BinaryParser();
    for await (const piece of arriving(pieces)) {
      parser.push(piece);
      parser.partial();
    }
    const result = parser.end();
    return result.ok && result.value;
  },
};

/** Parsers that begin anew at each piece. */
export const REPEATING_PARSERS: Record<string, PartialParser> = {
  "partial-json": async (pieces) => {
    let text = "";
    let last: unknown;
    for await (const piece of arriving(pieces)) last = parseRepaired(text += piece);
    return last;
  },
};

const WORDS = "the quick brown fox jumps over a lazy dog while é the sun rises again over mountains".split(" ");

/** Makes an answer of about this many characters, and cuts it. */
export function answerIn(pieceLength: number, length: number): string[] {
  const random = new Random(1);
  const words = (count: number): string => Array.from({ length: count }, () => random.pick(WORDS)).join(" ");
  const items: unknown[] = [];
  for (let size = 0; size < length;) {
    const tags = ["a", "bc", "def"].slice(random.below(4));
    const item = { id: items.length, title: words(5), done: random.once(2), tags, body: words(20 + random.below(40)) };
    items.push(item);
    size += JSON.stringify(item).length + 1;
  }
  const text = JSON.stringify({ model: "m", items, usage: { in: 1, out: 2 } });
  return text.match(new RegExp(`.{1,${pieceLength}}`, "gs"))!;
}
