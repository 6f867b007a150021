/**
 * Decompression of gzip and Zstandard, recognised by their first bytes, in constant memory.
 *
 * `node:zlib` rather than `DecompressionStream`: that returns all that a piece expands to at once,
 * up to a thousand times its size, rejects gzip data of several members, as `cat a.gz b.gz` and
 * parallel compressors write it, and has no Zstandard.
 */

import * as zlib from "node:zlib";
import { type ContentLimits, LimitedContent } from "./content_limits.ts";
import { CompressionError, type PieceReceiver, ZlibStream } from "./zlib_stream.ts";
import { ZstdReader } from "./zstd.ts";

interface Decompressor {
  /**
   * Reads the next bytes, which may change afterwards. Resolves with whether to read on. Rejects if
   * the data is bad.
   */
  push(bytes: Uint8Array<ArrayBuffer>): Promise<boolean>;
  /** Ends the data. Resolves once all content is passed on. Rejects if the data is bad. */
  end(): Promise<void>;
  close(): void;
}

/** Passes on the content of compressed data, and other bytes as they are. */
export class CompressedInput implements Decompressor {
  readonly #limits: ContentLimits;
  readonly #onPiece: PieceReceiver;
  readonly #onDetected: () => void;
  /** First bytes, while they are too few to tell; a pipe may give one at a time. */
  #start: Uint8Array<ArrayBuffer> | undefined = new Uint8Array(0);
  #decompressor: Decompressor | undefined;
  #content: LimitedContent | undefined;

  /** @param onDetected Called if the data turns out to be compressed. */
  constructor(limits: ContentLimits, onPiece: PieceReceiver, onDetected: () => void) {
    this.#limits = limits;
    this.#onPiece = onPiece;
    this.#onDetected = onDetected;
  }

  async push(bytes: Uint8Array<ArrayBuffer>): Promise<boolean> {
    if (this.#start === undefined) return await this.#pass(bytes);
    const piece = this.#start.length === 0 ? bytes : new Uint8Array([...this.#start, ...bytes]);
    const formats = FORMATS.filter(({ magic, firstBits = 0xff }) =>
      magic.every((byte, i) => i >= piece.length || byte === (i === 0 ? piece[0] & firstBits : piece[i]))
    );
    if (formats.some(({ magic }) => magic.length > piece.length)) {
      this.#start = piece.slice();
      return true;
    }
    this.#start = undefined;
    if (formats.length > 0) {
      this.#content = new LimitedContent(this.#limits, this.#onPiece);
      this.#decompressor = formats[0].create(this.#content);
      this.#onDetected();
    }
    return await this.#pass(piece);
  }

  async end(): Promise<void> {
    if (this.#start !== undefined && this.#start.length > 0) await this.#onPiece(this.#start);
    await this.#decompressor?.end();
  }

  close(): void {
    this.#decompressor?.close();
  }

  async #pass(piece: Uint8Array<ArrayBuffer>): Promise<boolean> {
    if (this.#content !== undefined) this.#content.dataBytes += piece.length;
    return await (this.#decompressor === undefined ? this.#onPiece(piece) : this.#decompressor.push(piece));
  }
}

/** Decompresses gzip, all members. */
class GzipReader implements Decompressor {
  readonly #stream: ZlibStream;

  constructor(content: LimitedContent) {
    this.#stream = new ZlibStream(zlib.createGunzip, (piece) => content.pass(piece), describeGzipError);
  }

  push(bytes: Uint8Array<ArrayBuffer>): Promise<boolean> {
    return this.#stream.write(bytes);
  }

  async end(): Promise<void> {
    await this.#stream.end();
  }

  close(): void {
    this.#stream.close();
  }
}

function describeGzipError(error: unknown): unknown {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  if (code === "Z_BUF_ERROR") return new CompressionError("its gzip data ends too early");
  if (!code.startsWith("Z_")) return error;
  return new CompressionError(
    `its gzip data is corrupt: ${(error as Error).message}; --no-decompress reads it as it is`,
  );
}

/** Compression of data that begins with certain bytes, of the first one with certain bits. */
interface Format {
  magic: readonly number[];
  firstBits?: number;
  create(content: LimitedContent): Decompressor;
}

/**
 * Compressions. JSON begins like none of them. Zstandard may begin with a skippable frame.
 * Older versions of Deno have no decoder of it.
 */
const FORMATS: readonly Format[] = [
  { magic: [0x1f, 0x8b], create: (content) => new GzipReader(content) },
  ...zlib.createZstdDecompress === undefined ? [] : [
    { magic: [0x28, 0xb5, 0x2f, 0xfd], create: (content: LimitedContent) => new ZstdReader(content) },
    { magic: [0x50, 0x2a, 0x4d, 0x18], firstBits: 0xf0, create: (content: LimitedContent) => new ZstdReader(content) },
  ],
];
