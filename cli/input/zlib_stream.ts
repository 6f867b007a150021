/**
 * Streams of `node:zlib`, whose content is passed on piece by piece.
 *
 * @module
 */

import type { Transform } from "node:stream";

/** Bytes of content per piece. */
const PIECE_BYTES = 2 ** 18;

/** Receives the next piece of content. Resolves with whether to read on. */
export type PieceReceiver = (piece: Uint8Array<ArrayBuffer>) => Promise<boolean>;

/** Error of compressed data, for the user. */
export class CompressionError extends Error {}

/** Passes on the content of a stream. */
export class ZlibStream {
  readonly #stream: Transform;
  /** Settles once all content is passed on, nobody wants more, or the data is found bad. */
  readonly #content = Promise.withResolvers<void>();
  #isWanted = true;
  /** Error that the stream does not know of. */
  #error: unknown;

  /** @param describe Turns an error of the stream into one for the user. */
  constructor(
    create: (options: { chunkSize: number }) => Transform,
    onPiece: PieceReceiver,
    describe: (error: unknown) => unknown,
  ) {
    this.#stream = create({ chunkSize: PIECE_BYTES });
    this.#content.promise.catch(() => {}); // whoever writes on gets it
    this.#passOn(onPiece).then(this.#content.resolve, (error) => this.#content.reject(describe(error)));
  }

  /** Writes bytes, which may change afterwards. Resolves with whether more are wanted. */
  async write(bytes: Uint8Array<ArrayBuffer>): Promise<boolean> {
    const taken = new Promise<void>((resolve) => this.#stream.write(bytes, () => resolve()));
    await Promise.race([taken, this.#content.promise]);
    return this.#isWanted;
  }

  /** Ends the data. Resolves once all content is passed on, with whether more is wanted. */
  async end(): Promise<boolean> {
    this.#stream.end();
    await this.#content.promise;
    return this.#isWanted;
  }

  /** Ends with an error, after the content that is decompressed already. */
  fail(error: unknown): void {
    this.#error ??= error;
    this.#stream.push(null);
  }

  /** Releases memory. */
  close(): void {
    this.#stream.destroy();
  }

  async #passOn(onPiece: PieceReceiver): Promise<void> {
    for await (const piece of this.#stream) {
      this.#isWanted = await onPiece(new Uint8Array(piece.buffer, piece.byteOffset, piece.length));
      if (!this.#isWanted) return;
    }
    if (this.#error !== undefined) throw this.#error;
  }
}
