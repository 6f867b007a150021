/** Streams of `node:zlib`, whose content is passed on piece by piece. */

import type { Transform } from "node:stream";
import { detach } from "../../detach.ts";

const PIECE_BYTES = 2 ** 18;

/** Receives the next piece of content. Resolves with whether to read on. */
export type PieceReceiver = (piece: Uint8Array<ArrayBuffer>) => Promise<boolean>;

/** Error of compressed data, for the user. */
export class CompressionError extends Error {}

export class ZlibStream {
  readonly #stream: Transform;
  readonly #onPiece: PieceReceiver;
  readonly #describe: (error: unknown) => unknown;
  /** First error, as an object because it may be any value. */
  #failure: { error: unknown } | undefined;
  #hasEnded = false;
  #wake: () => void = () => {};

  /** @param describe Turns an error of the stream into one for the user. */
  constructor(
    create: (options: { chunkSize: number }) => Transform,
    onPiece: PieceReceiver,
    describe: (error: unknown) => unknown,
  ) {
    this.#onPiece = onPiece;
    this.#describe = describe;
    this.#stream = create({ chunkSize: PIECE_BYTES });
    this.#stream.on("readable", () => this.#wake());
    this.#stream.on("error", (error) => this.fail(error));
    this.#stream.on("end", () => {
      this.#hasEnded = true;
      this.#wake();
    });
  }

  /**
   * Reads the next bytes, which may change afterwards. Resolves once their content is passed on, with
   * whether to read on.
   */
  push(bytes: Uint8Array<ArrayBuffer>): Promise<boolean> {
    let isTaken = false;
    this.#stream.write(bytes, () => {
      isTaken = true;
      this.#wake();
    });
    return this.#passOn(() => isTaken);
  }

  /** Ends the data. Resolves once all content is passed on, with whether more is wanted. */
  end(): Promise<boolean> {
    this.#stream.end();
    return this.#passOn(() => this.#hasEnded);
  }

  /** Ends with an error, after the content that is decompressed already. */
  fail(error: unknown): void {
    this.#failure ??= { error };
    this.#wake();
  }

  close(): void {
    this.#stream.destroy();
  }

  /** Passes on content until there is none and `isDone` returns `true`. */
  async #passOn(isDone: () => boolean): Promise<boolean> {
    for (;;) {
      const event = new Promise<void>((resolve) => this.#wake = resolve);
      for (let piece; (piece = this.#stream.read() as Uint8Array<ArrayBuffer> | null) !== null;) {
        const isWanted = await this.#onPiece(new Uint8Array(piece.buffer, piece.byteOffset, piece.length));
        releaseBuffer(piece);
        if (!isWanted) return false;
      }
      if (this.#failure !== undefined) throw this.#describe(this.#failure.error);
      if (isDone()) return true;
      await event;
    }
  }
}

/**
 * Frees the buffer of a piece if the stream has filled it, and so no longer uses it. Left to the
 * garbage collector, such buffers add up to 64 MiB.
 */
function releaseBuffer({ buffer, byteOffset, length }: Uint8Array<ArrayBuffer>): void {
  // Buffers of another size are shared by the small allocations of a program.
  if (buffer.byteLength === PIECE_BYTES && byteOffset + length === PIECE_BYTES) detach(buffer);
}
