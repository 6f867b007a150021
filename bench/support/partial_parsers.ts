/**
 * Ways to get the value so far of a text that arrives in pieces, ours and those of others, and such
 * texts.
 *
 * @module
 */

import { parsePartialJson } from "ai";
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

/** Makes a parser of a function that parses the text so far, which is what others do. */
function repeating(parse: (text: string) => unknown): PartialParser {
  return async (pieces) => {
    let text = "";
    let last: unknown;
    for await (const piece of arriving(pieces)) last = await parse(text += piece);
    return last;
  };
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
  "partial-json": repeating(parseRepaired),
  "AI SDK": repeating(async (text) => (await parsePartialJson(text)).value),
};

const WORDS = "the quick brown fox jumps over a lazy dog while é the sun rises again over mountains".split(" ");

function words(random: Random, count: number): string {
  return Array.from({ length: count }, () => random.pick(WORDS)).join(" ");
}

/** Texts of about so many characters, by kind. */
export const TEXTS: Record<string, (length: number) => string> = {
  "an answer"(length) {
    const random = new Random(1);
    const items: unknown[] = [];
    for (let size = 0; size < length;) {
      const tags = ["a", "bc", "def"].slice(random.below(4));
      const [title, body] = [words(random, 5), words(random, 20 + random.below(40))];
      const item = { id: items.length, title, done: random.once(2), tags, body };
      items.push(item);
      size += JSON.stringify(item).length + 1;
    }
    return JSON.stringify({ model: "m", items, usage: { in: 1, out: 2 } });
  },
  "one string": (length) => JSON.stringify(words(new Random(1), length / 5)),
  "an array": (length) => JSON.stringify(Array.from({ length: length / 6 }, (_, i) => 10_000 + i)),
};

/** Cuts a text into pieces. */
export function cut(text: string, pieceLength: number): string[] {
  return Array.from(
    { length: Math.ceil(text.length / pieceLength) },
    (_, i) => text.slice(i * pieceLength, (i + 1) * pieceLength),
  );
}
