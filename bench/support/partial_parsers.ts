/** Ways, ours and others', to get the partial value of a text in pieces, and such texts. */

import { parsePartialJson } from "ai";
import { parse as parseIncrementally } from "jsonriver";
import { parse as parseRepaired } from "partial-json";
import { BinaryParser, parsePartial } from "../../mod.ts";
import { Random } from "./random.ts";

/** Reads pieces, and takes the value after each. Resolves with the last one. */
export type PartialParser = (pieces: readonly string[]) => Promise<unknown>;

/** Iterates over pieces as a response yields them, each in its own microtask. */
async function* arriving(pieces: readonly string[]): AsyncGenerator<string> {
  for (const piece of pieces) yield piece;
}

async function lastOf<T>(values: AsyncIterable<T>): Promise<T | undefined> {
  let last: T | undefined;
  for await (const value of values) last = value;
  return last;
}

/** Makes a parser from a function that parses the whole text so far, as other libraries do. */
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
  "jsonriver": (pieces) => lastOf(parseIncrementally(arriving(pieces))),
  "parsePartial": async (pieces) => {
    const result = await lastOf(parsePartial(arriving(pieces)));
    return result?.ok && result.value;
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

/** Parsers that start over with each piece. */
export const REPEATING_PARSERS: Record<string, PartialParser> = {
  "partial-json": repeating(parseRepaired),
  "AI SDK": repeating(async (text) => (await parsePartialJson(text)).value),
};

/** Texts of about `length` characters, by kind. */
export const TEXTS: Record<string, (length: number) => string> = {
  "an answer"(length) {
    const random = new Random(1);
    const items: unknown[] = [];
    for (let size = 0; size < length;) {
      const tags = ["a", "bc", "def"].slice(random.below(4));
      const body = `${random.words(20 + random.below(40))} é`;
      const item = { id: items.length, title: random.words(5), done: random.once(2), tags, body };
      items.push(item);
      size += JSON.stringify(item).length + 1;
    }
    return JSON.stringify({ model: "m", items, usage: { in: 1, out: 2 } });
  },
  "one string": (length) => JSON.stringify(new Random(1).words(length / 5)),
  "an array": (length) => JSON.stringify(Array.from({ length: length / 6 }, (_, i) => 10_000 + i)),
};

export function cut(text: string, pieceLength: number): string[] {
  return Array.from(
    { length: Math.ceil(text.length / pieceLength) },
    (_, i) => text.slice(i * pieceLength, (i + 1) * pieceLength),
  );
}
