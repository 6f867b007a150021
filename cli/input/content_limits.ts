/** Limits of the content of compressed data: 1 MB of data can have 30 GB of content. */

import { CompressionError, type PieceReceiver } from "./zlib_stream.ts";

export interface ContentLimits {
  maxBytes: number;
  /** Maximum bytes of content per byte of data, beyond {@linkcode FREE_BYTES}. */
  maxRatio: number;
}

/** Bytes of content that any data may have, read in a second. 1 MB of gzip cannot have more. */
const FREE_BYTES = 2 ** 30;

/** Largest Zstandard window that is always allowed: that of `zstd --ultra -21` and below. */
const FREE_WINDOW = 2 ** 26;

/**
 * Maximum bytes of a larger window per byte of compressed data. The window of 128 MiB that `zstd
 * --long` uses needs 2 MB of data, and 1 MB of data may not take more than 64 MiB.
 */
const WINDOW_RATIO = 64;

/** Passes on the content of an input up to its limits. */
export class LimitedContent {
  readonly #limits: ContentLimits;
  readonly #onPiece: PieceReceiver;
  #dataBytes = 0;
  #bytes = 0;

  constructor(limits: ContentLimits, onPiece: PieceReceiver) {
    this.#limits = limits;
    this.#onPiece = onPiece;
  }

  /** Counts bytes of compressed data, which raise the limits of its content. */
  countData(bytes: number): void {
    this.#dataBytes += bytes;
  }

  /**
   * Passes on a piece, up to the limits. Resolves to `false` when the receiver wants no more.
   *
   * @throws {CompressionError} If a limit is exceeded, and the receiver wants more.
   */
  async pass(piece: Uint8Array<ArrayBuffer>): Promise<boolean> {
    const { maxBytes, maxRatio } = this.#limits;
    const maximum = Math.min(maxBytes, Math.max(FREE_BYTES, maxRatio * this.#dataBytes));
    const room = maximum - this.#bytes;
    this.#bytes += piece.length;
    if (piece.length <= room) return await this.#onPiece(piece);
    if (room > 0 && !await this.#onPiece(piece.subarray(0, room))) return false;
    throw new CompressionError(
      maximum === maxBytes
        ? `its content is longer than ${maxBytes} bytes (--max-content)`
        : `its content is more than ${maxRatio} times as long as its data (--max-ratio)`,
    );
  }

  /**
   * Checks the bytes that a window takes.
   *
   * @throws {CompressionError} If the limit is exceeded.
   */
  checkWindow(bytes: number): void {
    if (bytes <= FREE_WINDOW || bytes <= WINDOW_RATIO * this.#dataBytes || this.#limits.maxRatio === Infinity) return;
    throw new CompressionError(
      "its Zstandard window takes more than 64 MiB of memory for little data; --max-ratio 0 reads it",
    );
  }
}
