/** Compressed files of at most 1 MB that are made to take memory or time. */

import { constants, gzipSync, zstdCompressSync } from "node:zlib";
import { concat, utf8 } from "../support/bytes.ts";

const MIB = 2 ** 20;

/** Repeats data. */
function repeated(data: Uint8Array, times: number): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(data.length * times);
  for (let i = 0; i < times; i++) all.set(data, i * data.length);
  return all;
}

/** Returns a text repeated up to a length. */
function filled(text: string, length: number): Uint8Array<ArrayBuffer> {
  return repeated(utf8(text), Math.floor(length / text.length));
}

/** Compresses a text that is repeated up to some MiB, as one gzip member for each of them. */
function gzipOf(text: string, mebibytes: number): Uint8Array<ArrayBuffer> {
  return repeated(new Uint8Array(gzipSync(filled(text, MIB), { level: 9 })), mebibytes);
}

/**
 * Compresses a text that is repeated up to some MiB, as one frame of Zstandard for each of them.
 */
function zstdOf(text: string, mebibytes: number): Uint8Array<ArrayBuffer> {
  return repeated(new Uint8Array(zstdCompressSync(filled(text, MIB))), mebibytes);
}

/**
 * Compresses a text that is repeated up to some MiB, as one frame with a window of 2 **
 * `log` bytes.
 */
function zstdOfWindow(text: string, mebibytes: number, log: number): Uint8Array<ArrayBuffer> {
  const params = { [constants.ZSTD_c_compressionLevel]: 1, [constants.ZSTD_c_windowLog]: log };
  return new Uint8Array(zstdCompressSync(filled(text, mebibytes * MIB), { params }));
}

/**
 * Makes a frame of Zstandard whose content is one byte up to some MiB: 4 bytes of data for each
 * 128 KiB. Its window has 2 ** `log` bytes.
 */
export function zstdOfOneByte(byte: string, mebibytes: number, log = 17): Uint8Array<ArrayBuffer> {
  const blocks = repeated(Uint8Array.of(0x02, 0x00, 0x10, byte.charCodeAt(0)), 8 * mebibytes);
  blocks[blocks.length - 4] |= 1; // the last block
  return concat([Uint8Array.of(0x28, 0xb5, 0x2f, 0xfd, 0x00, log - 10 << 3), blocks]);
}

/** Makes members of gzip or frames of Zstandard with a space each, together up to some bytes. */
export function tinyParts(format: "gzip" | "zstd", bytes = 1e6): Uint8Array<ArrayBuffer> {
  const part = format === "gzip" ? gzipSync(" ") : zstdCompressSync(utf8(" "));
  return repeated(new Uint8Array(part), Math.floor(bytes / part.length));
}

/** Makes frames of Zstandard to be skipped, without content, together 1 MB. */
function skippedFrames(): Uint8Array<ArrayBuffer> {
  return repeated(Uint8Array.of(0x50, 0x2a, 0x4d, 0x18, 0, 0, 0, 0), 125_000);
}

/** Compresses data as gzip, layer over layer. */
function layers(data: Uint8Array<ArrayBuffer>, count: number): Uint8Array<ArrayBuffer> {
  for (let i = 0; i < count; i++) data = new Uint8Array(gzipSync(data, { level: 9 }));
  return data;
}

/** Content in MiB that no check could hold within the memory that the tests allow. */
const TELLING = 120;

/**
 * Hostile files of at most 1 MB by name, with a share of their content: 1 for all of it. What is
 * held by mistake shows with a small share, too: no file has less than that takes. Those of JSON
 * Lines are named so.
 */
export const HOSTILE_FILES: Readonly<Record<string, (share: number) => Uint8Array<ArrayBuffer>>> = {
  "brackets.json.gz": (share) => gzipOf("[", Math.max(TELLING, 960 * share)),
  "brackets.json.zst": (share) => zstdOfOneByte("[", Math.max(TELLING, 4096 * share)),
  "objects.json.zst": (share) => zstdOf('{"":', Math.max(TELLING, 4096 * share)),
  "brackets.json": () => filled("[", 1e6),
  "layers.json.gz": (share) => layers(gzipOf("[", Math.max(TELLING, 960 * share)), 2),
  "spaces.json.gz": (share) => gzipOf(" ", Math.max(TELLING, 960 * share)),
  "spaces.json.zst": (share) => zstdOfOneByte(" ", Math.max(TELLING, 4096 * share)),
  "window of 64 MiB.json.zst": (share) => zstdOfOneByte(" ", Math.max(100, 300 * share), 26),
  "window of 128 MiB.json.zst": (share) => zstdOfOneByte(" ", Math.max(TELLING, 600 * share), 27),
  "lines in a large window.jsonl.zst": (share) => zstdOfWindow("]\n", Math.max(10, 80 * share), 26),
  "members.json.gz": (share) => tinyParts("gzip", Math.max(250_000, 1e6 * share)),
  "frames.json.zst": (share) => tinyParts("zstd", Math.max(250_000, 1e6 * share)),
  "skipped.json.zst": skippedFrames,
  "valid lines.jsonl.gz": (share) => gzipOf("1\n", Math.max(13, 104 * share)),
  "wrong lines.jsonl.gz": (share) => gzipOf("]\n", Math.max(13, 104 * share)),
  "cut lines.jsonl.zst": (share) => zstdOf("[\n", Math.max(13, 104 * share)),
  "deep lines.jsonl.zst": () => concat([zstdOfOneByte("[", 2), zstdOf("\n", 1), zstdOfOneByte("[", 2)]),
};
