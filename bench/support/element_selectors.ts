/**
 * Ways to get two members of each element of an array that arrives in chunks, ours and those of
 * others.
 *
 * @module
 */

import { Readable } from "node:stream";
import { JSONParser } from "@streamparser/json";
import chain from "stream-chain";
import { parser as streamJsonParser } from "stream-json";
import { filter } from "stream-json/filters/filter.js";
import { pick } from "stream-json/filters/pick.js";
import { streamArray } from "stream-json/streamers/stream-array.js";
import { BinaryParser, type BinaryParserOptions, selector } from "../../mod.ts";
import { chunksOf } from "./stream_parsers.ts";

/** Members of an order that are wanted. */
export interface WantedOrder {
  id: number;
  total: number;
}

/** Function that returns the sum of the totals of a page of orders. */
export type ElementSelector = (bytes: Uint8Array) => number | Promise<number>;

const decoder = new TextDecoder();
const wanted = selector<WantedOrder>()({ id: true, total: true });

function sumElements(bytes: Uint8Array, options: BinaryParserOptions<WantedOrder>): number {
  let sum = 0;
  const parser = new BinaryParser<WantedOrder>({
    ...options,
    multiple: "elements",
    at: "/data",
    onValue: ({ value }) => sum += value.id + value.total,
  });
  for (const chunk of chunksOf(bytes)) parser.push(chunk);
  const result = parser.end();
  if (!result.ok) throw new SyntaxError(result.message);
  return sum;
}

/** Ways by name. The first is the baseline. */
export const ELEMENT_SELECTORS: Record<string, ElementSelector> = {
  "decode + JSON.parse of the whole": (bytes) => {
    const { data }: { data: WantedOrder[] } = JSON.parse(decoder.decode(bytes));
    return data.reduce((sum, { id, total }) => sum + id + total, 0);
  },
  "BinaryParser, elements, select": (bytes) => sumElements(bytes, { select: wanted }),
  "BinaryParser, elements": (bytes) => sumElements(bytes, {}),
  "@streamparser/json, paths": (bytes) => {
    let sum = 0;
    const parser = new JSONParser({ paths: ["$.data.*.id", "$.data.*.total"], keepStack: false });
    parser.onValue = ({ value }) => void (sum += value as number);
    for (const chunk of chunksOf(bytes)) parser.write(chunk);
    return sum;
  },
  "stream-json, pick and filter": async (bytes) => {
    let sum = 0;
    const pipeline = chain([
      Readable.from(chunksOf(bytes)),
      streamJsonParser(),
      pick({ filter: "data" }),
      filter({ filter: /^\d+\.(?:id|total)$/ }),
      streamArray(),
    ]);
    for await (const { value } of pipeline as unknown as AsyncIterable<{ value: WantedOrder }>) {
      sum += value.id + value.total;
    }
    return sum;
  },
};
