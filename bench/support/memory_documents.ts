/**
 * Large documents, each loaded into one buffer by the process that measures.
 *
 * @module
 */

import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { Random } from "./random.ts";

/** Description of a document to load. It is sent to another process as JSON. */
export interface MemoryInput {
  path: string;
  /**
   * Bytes to fill with copies of the file, as elements of one array. Without it the file is loaded
   * as it is, JSON Lines as one array.
   */
  size?: number;
  /**
   * Whether to add a string outside Latin-1. V8 then stores the text of the whole document with two
   * bytes per character.
   */
  emoji?: boolean;
}

/** Pattern of the names of JSON Lines files. */
const JSON_LINES = /\.(ndjson|jsonl)$/;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const COMMA = 0x2c;
const LINE_FEED = 0x0a;
const EMOJI = new TextEncoder().encode('"😀",');

/** Share of digits among the bytes other than whitespace above which a document is numeric. */
const NUMERIC_SHARE = 1 / 3;

/** Loads a document into one `ArrayBuffer` of exactly its size. Keeps nothing else. */
export function loadInput({ path, size, emoji = false }: MemoryInput): Uint8Array<ArrayBuffer> {
  const file = openSync(path, "r");
  try {
    const fileSize = fstatSync(file).size;
    if (size === undefined && !JSON_LINES.test(path)) return readInto(file, new Uint8Array(fileSize), 0, fileSize);
    const prefix = emoji ? EMOJI : new Uint8Array(0);
    const copies = Math.max(1, Math.floor((size ?? 0) / (fileSize + 1)));
    const bytes = new Uint8Array(1 + prefix.length + copies * (fileSize + 1));
    bytes[0] = OPEN_BRACKET;
    bytes.set(prefix, 1);
    const first = 1 + prefix.length;
    readInto(file, bytes, first, fileSize);
    separateLines(path, bytes.subarray(first, first + fileSize));
    for (let at = first; at < bytes.length; at += fileSize + 1) {
      if (at > first) bytes.copyWithin(at, first, first + fileSize);
      bytes[at + fileSize] = COMMA;
    }
    bytes[bytes.length - 1] = CLOSE_BRACKET;
    return bytes;
  } finally {
    closeSync(file);
  }
}

function readInto(file: number, bytes: Uint8Array<ArrayBuffer>, at: number, length: number): Uint8Array<ArrayBuffer> {
  for (let filled = 0; filled < length;) {
    const count = readSync(file, bytes, at + filled, length - filled, filled);
    if (count === 0) throw new Error("Cannot load a document: its file became shorter");
    filled += count;
  }
  return bytes;
}

/** Turns JSON Lines into elements of an array: line feeds between two lines become commas. */
function separateLines(path: string, bytes: Uint8Array): void {
  if (!JSON_LINES.test(path)) return;
  let end = bytes.length;
  while (end > 0 && bytes[end - 1] === LINE_FEED) end--;
  for (let at = bytes.indexOf(LINE_FEED); at >= 0 && at < end; at = bytes.indexOf(LINE_FEED, at + 1)) bytes[at] = COMMA;
}

/**
 * Returns whether a document is mostly numbers, and whether V8 stores its text with one byte per
 * character.
 */
export function classify(bytes: Uint8Array): { numeric: boolean; narrow: boolean } {
  let digits = 0;
  let solid = 0;
  let narrow = true;
  let inString = false;
  for (let i = 0; i < bytes.length; i++) {
    const c = bytes[i];
    if (c > 0xc3) narrow = false; // the first byte of a character outside Latin-1
    if (c > 0x20) solid++;
    if (c === 0x22) inString = !inString;
    else if (c === 0x5c) i++; // only in strings
    else if (!inString && c >= 0x30 && c <= 0x39) digits++;
  }
  return { numeric: digits > NUMERIC_SHARE * solid, narrow };
}

/** Documents made to fill caches by their names and shapes: they must leave no memory behind. */
export const HOSTILE: [name: string, make: () => Iterable<string>][] = [
  ["370,101 keys in an object", function* () {
    yield '{"first":0';
    for (let i = 1; i < 370_101; i++) yield `,"key ${i}":${i}`;
    yield "}";
  }],
  ["a million keys, an object each", function* () {
    yield '[{"first":0}';
    for (let i = 1; i < 1_000_000; i++) yield `,{"key ${i}":${i}}`;
    yield "]";
  }],
  ["a million shapes of 24 keys", function* () {
    const random = new Random(1);
    const names = Array.from({ length: 24 }, (_, i) => `"key ${i}":${i}`);
    yield "[{}";
    for (let i = 1; i < 1_000_000; i++) yield `,{${random.shuffle(names).slice(0, 4 + i % 8).join()}}`;
    yield "]";
  }],
  ["10,000 shapes, each of 40 objects", function* () {
    yield "[{}";
    for (let shape = 0; shape < 10_000; shape++) {
      yield `,{"key ${shape}":1,"other":2}`.repeat(40);
    }
    yield "]";
  }],
  ["1,000 shapes of 100 keys, each of 40 objects", function* () {
    yield "[{}";
    for (let shape = 0; shape < 1_000; shape++) {
      const members = Array.from({ length: 100 }, (_, i) => `"${shape % 7} ${shape} a name of some length ${i}":${i}`);
      yield `,{${members.join()}}`.repeat(40);
    }
    yield "]";
  }],
  ["1,000 shapes of 100 keys out of 2,000, each of 40 objects", function* () {
    const random = new Random(1);
    const names = Array.from({ length: 2_000 }, (_, i) => `"a name of some length, ${i}":${i}`);
    yield "[{}";
    for (let shape = 0; shape < 1_000; shape++) yield `,{${random.shuffle(names).slice(0, 100).join()}}`.repeat(40);
    yield "]";
  }],
  ["a million strings", function* () {
    yield '[""';
    for (let i = 1; i < 1_000_000; i++) yield `,"text ${i} 中"`;
    yield "]";
  }],
  ["a million brackets deep", function* () {
    yield '[{"a":'.repeat(500_000);
    yield "0";
    yield "}]".repeat(500_000);
  }],
  ["a string of 40 MB, escaped", function* () {
    yield '"';
    for (let i = 0; i < 1_000; i++) yield "some text\\n".repeat(4_000);
    yield '"';
  }],
];
