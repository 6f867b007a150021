/**
 * Decompression of gzip and Zstandard, recognised by their first bytes, in constant memory.
 *
 * `node:zlib` rather than `DecompressionStream`: that returns the whole content of a piece at once,
 * up to a thousand times its size, rejects gzip data with several members, which `cat a.gz b.gz`
 * and parallel compressors write, and lacks Zstandard.
 */

import * as zlib from "node:zlib";
import { joined } from "../bytes.ts";
import { type ContentLimits, LimitedContent } from "./content_limits.ts";
import { GzipReader } from "./gzip.ts";
import type { PieceReceiver } from "./zlib_stream.ts";
import { ZstdReader } from "./zstd.ts";

interface Decompressor {
  /**
   * Reads the next bytes, which may change afterwards. Resolves to `false` when no more input is
   * wanted. Rejects if the data is corrupt.
   */
  push(bytes: Uint8Array<ArrayBuffer>): Promise<boolean>;
  /** Ends the data. Resolves once all content is passed on. Rejects if the data is corrupt. */
  end(): Promise<unknown>;
  close(): void;
}

/**
 * Makes a reader that passes on the content of compressed data, and other bytes as they are.
 *
 * @param onDetected Called if the data turns out to be compressed.
 */
export function newCompressedInput(
  limits: ContentLimits,
  onPiece: PieceReceiver,
  onDetected: () => void,
): Decompressor {
  /** First bytes, while there are too few to decide; a pipe may deliver one at a time. */
  let start: Uint8Array<ArrayBuffer> | undefined = new Uint8Array(0);
  let decompressor: Decompressor | undefined;
  let content: LimitedContent | undefined;
  return {
    async push(piece): Promise<boolean> {
      if (start !== undefined) {
        if (start.length > 0) piece = joined(start, piece);
        const formats = FORMATS.filter(({ magic, firstBits = 0xff }) =>
          magic.every((byte, i) => i >= piece.length || byte === (i === 0 ? piece[0] & firstBits : piece[i]))
        );
        const isUndecided = formats.some(({ magic }) => magic.length > piece.length);
        start = isUndecided ? piece.slice() : undefined;
        if (isUndecided) return true;
        if (formats.length > 0) {
          content = new LimitedContent(limits, onPiece);
          decompressor = formats[0].create(content);
          onDetected();
        }
      }
      if (content !== undefined) content.countData(piece.length);
      return await (decompressor === undefined ? onPiece(piece) : decompressor.push(piece));
    },
    async end(): Promise<void> {
      if (start !== undefined && start.length > 0) await onPiece(start);
      await decompressor?.end();
    },
    close: () => decompressor?.close(),
  };
}

/** Compression, with the first bytes of its data; of the first one, perhaps only some bits. */
interface Format {
  magic: readonly number[];
  firstBits?: number;
  create(content: LimitedContent): Decompressor;
}

/**
 * Compressions. JSON begins with none of these bytes. Zstandard may begin with a skippable frame;
 * older versions of Deno cannot decode it.
 */
const FORMATS: readonly Format[] = [
  { magic: [0x1f, 0x8b], create: (content: LimitedContent) => new GzipReader(content) },
  ...zlib.createZstdDecompress === undefined ? [] : [
    { magic: [0x28, 0xb5, 0x2f, 0xfd], create: (content: LimitedContent) => new ZstdReader(content) },
    { magic: [0x50, 0x2a, 0x4d, 0x18], firstBits: 0xf0, create: (content: LimitedContent) => new ZstdReader(content) },
  ],
];
