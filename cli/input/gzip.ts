/**
 * Decompression of gzip, in constant memory.
 *
 * `node:zlib` rather than `DecompressionStream`: that returns all that a piece expands to at once,
 * up to a thousand times its size, and rejects a file of several members, as `cat a.gz b.gz` and
 * parallel compressors write it.
 *
 * @module
 */

import { createGunzip, type Gunzip } from "node:zlib";

/** First bytes of gzip data. JSON begins with neither of them. */
const MAGIC = [0x1f, 0x8b];

/** Bytes of content per piece. */
const PIECE_BYTES = 2 ** 18;

/** Receives the next piece of content. Resolves with whether to read on. */
type PieceReceiver = (piece: Uint8Array<ArrayBuffer>) => Promise<boolean>;

/** Passes on the content of gzip data, and other bytes as they are. */
export class GzipReader {
  readonly #onPiece: PieceReceiver;
  /** First bytes, while they are too few to tell; a pipe may give one at a time. */
  #start: Uint8Array<ArrayBuffer> | undefined = new Uint8Array(0);
  #gunzip: Gunzip | undefined;
  /** Settles once all content is passed on, nobody wants more, or the data is found bad. */
  #content: Promise<void> | undefined;
  #isWanted = true;
  readonly #onDetected: () => void;

  /** @param onDetected Called if the data turns out to be gzip. */
  constructor(onPiece: PieceReceiver, onDetected: () => void) {
    this.#onPiece = onPiece;
    this.#onDetected = onDetected;
  }

  /**
   * Reads the next bytes, which may change afterwards. Resolves with whether to read on. Rejects if
   * the data is bad.
   */
  async push(bytes: Uint8Array<ArrayBuffer>): Promise<boolean> {
    let piece = bytes;
    if (this.#start !== undefined) {
      if (this.#start.length > 0) piece = new Uint8Array([...this.#start, ...bytes]);
      if (piece.length < MAGIC.length && piece[0] === MAGIC[0]) {
        this.#start = piece.slice();
        return true;
      }
      this.#start = undefined;
      if (MAGIC.every((byte, i) => byte === piece[i])) this.#startGunzip();
    }
    return await this.#pass(piece);
  }

  /** Ends the data. Resolves once all content is passed on. Rejects if the data is bad. */
  async end(): Promise<void> {
    if (this.#start !== undefined && this.#start.length > 0) await this.#onPiece(this.#start);
    if (this.#gunzip === undefined) return;
    this.#gunzip.end();
    await this.#content;
  }

  /** Releases the decompressor. */
  close(): void {
    this.#gunzip?.destroy();
  }

  #startGunzip(): void {
    this.#onDetected();
    const gunzip = this.#gunzip = createGunzip({ chunkSize: PIECE_BYTES });
    this.#content = (async () => {
      try {
        for await (const piece of gunzip) {
          if (await this.#onPiece(new Uint8Array(piece.buffer, piece.byteOffset, piece.length))) continue;
          this.#isWanted = false;
          return;
        }
      } catch (error) {
        throw describeGzipError(error);
      }
    })();
    this.#content.catch(() => {}); // whoever reads on gets it
  }

  async #pass(bytes: Uint8Array<ArrayBuffer>): Promise<boolean> {
    const gunzip = this.#gunzip;
    if (gunzip === undefined) return await this.#onPiece(bytes);
    const taken = new Promise<void>((resolve) => gunzip.write(bytes, () => resolve()));
    await Promise.race([taken, this.#content]);
    return this.#isWanted;
  }
}

/** Error of gzip data, for the user. */
class GzipError extends Error {}

function describeGzipError(error: unknown): unknown {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  if (code === "Z_BUF_ERROR") return new GzipError("its gzip data ends too early");
  if (!code.startsWith("Z_")) return error;
  return new GzipError(`its gzip data is corrupt: ${(error as Error).message}; --no-decompress reads it as it is`);
}
