/**
 * Large documents, each loaded into one buffer by the process that measures.
 *
 * @module
 */

import { closeSync, fstatSync, openSync, readSync } from "node:fs";

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

/** Returns whether V8 stores the text of a document with one byte per character. */
export function isNarrow(bytes: Uint8Array): boolean {
  return bytes.every((byte) => byte <= 0xc3); // the first byte of a character outside Latin-1 is higher
}
