/** Ways to parse bytes that arrive in chunks, ours and those of others. */

import { Readable } from "node:stream";
import { JsonParseStream as StdJsonParseStream } from "@std/json/parse-stream";
import { TextLineStream } from "@std/streams/text-line-stream";
import { JSONParser } from "@streamparser/json";
import chain from "stream-chain";
import { parser as streamJsonParser } from "stream-json";
import { streamArray } from "stream-json/streamers/stream-array.js";
import { BinaryParser, type BinaryParserOptions, parseBinary, parseValues, type ValueSeparation } from "../../mod.ts";
import { chunksOf, pushAll, readLinesNative } from "./documents.ts";

/** Function that parses an input and returns the number of its values. */
export type StreamParser = (bytes: Uint8Array) => number | Promise<number>;

const decoder = new TextDecoder();

function countPushed(bytes: Uint8Array, options: BinaryParserOptions, size?: number): number {
  let count = 0;
  const result = pushAll(bytes, new BinaryParser({ ...options, onValue: () => void count++ }), size);
  if (!result.ok) throw new SyntaxError(result.message);
  return options.multiple === undefined ? lengthOf(result.value) : count;
}

async function countStreamed(bytes: Uint8Array, multiple: ValueSeparation): Promise<number> {
  let count = 0;
  for await (const value of parseValues(chunksOf(bytes), { multiple, detachChunks: false })) {
    if (!value.ok) throw new SyntaxError(value.message);
    count++;
  }
  return count;
}

function countWhole(bytes: Uint8Array): number {
  const result = parseBinary(bytes);
  if (!result.ok) throw new SyntaxError(result.message);
  return lengthOf(result.value);
}

function lengthOf(value: unknown): number {
  return (value as unknown[]).length;
}

/** Ways to get the elements of an array. The first is the baseline. */
export const ELEMENT_PARSERS: Record<string, StreamParser> = {
  "parseBinary of the whole": countWhole,
  "BinaryParser, elements": (bytes) => countPushed(bytes, { multiple: "elements" }),
  "parseValues, elements": (bytes) => countStreamed(bytes, "elements"),
  "decode + JSON.parse of the whole": (bytes) => lengthOf(JSON.parse(decoder.decode(bytes))),
  "@streamparser/json": (bytes) => {
    let count = 0;
    const parser = new JSONParser({ paths: ["$.*"], keepStack: false });
    parser.onValue = () => void count++;
    for (const chunk of chunksOf(bytes)) parser.write(chunk);
    return count;
  },
  "stream-json": async (bytes) => {
    let count = 0;
    const pipeline = chain([Readable.from(chunksOf(bytes)), streamJsonParser(), streamArray()]);
    for await (const _ of pipeline as unknown as AsyncIterable<unknown>) count++;
    return count;
  },
};

/** Ways to get the values of JSON Lines. The first is the baseline. */
export const LINE_PARSERS: Record<string, StreamParser> = {
  "split + JSON.parse": (bytes) => readLinesNative(bytes),
  "BinaryParser, lines": (bytes) => countPushed(bytes, { multiple: "lines" }),
  "parseValues, lines": (bytes) => countStreamed(bytes, "lines"),
  "@std/json with TextLineStream": async (bytes) => {
    let count = 0;
    const values = ReadableStream.from(chunksOf(bytes) as Generator<Uint8Array<ArrayBuffer>>)
      .pipeThrough(new TextDecoderStream())
      .pipeThrough(new TextLineStream())
      .pipeThrough(new StdJsonParseStream());
    for await (const _ of values) count++;
    return count;
  },
};

/** Ways to get the value of one document. The first is the baseline. */
export const DOCUMENT_PARSERS: Record<string, StreamParser> = {
  "parseBinary of the whole": countWhole,
  "BinaryParser, 64 KiB chunks": (bytes) => countPushed(bytes, {}),
  "BinaryParser, 1 KiB chunks": (bytes) => countPushed(bytes, {}, 1_024),
};
