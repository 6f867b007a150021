/** Streams of `node:zlib`, whose content is passed on piece by piece. */

import type { Transform } from "node:stream";
import { detach } from "../../detach.ts";

const PIECE_BYTES = 2 ** 18;

/** Receives the next piece of content. Resolves to `false` to stop reading. */
export type PieceReceiver = (piece: Uint8Array<ArrayBuffer>) => Promise<boolean>;

/** Error of compressed data, for the user. */
export class CompressionError extends Error {}

/** Returns the error for bytes after compressed data, whose content was passed on. */
export function trailingDataError(program: "gzip" | "zstd"): CompressionError {
  return new CompressionError(
    `something follows its compressed data; to leave that out, pipe in the output of ${program} -dc`,
  );
}

/** Fields of a stream of `node:zlib` that hold its output. */
type BufferedStream = Transform & { _outBuffer?: Uint8Array<ArrayBuffer>; _outOffset?: number };

/** Decompresses data, and passes its content on. */
export class ZlibStream {
  readonly #stream: Transform;
  readonly #onPiece: PieceReceiver;
  readonly #describe: (error: unknown) => unknown;
  /** First error, in an object because it may be any value. */
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
    this.#clearBuffers();
    this.#stream.on("readable", () => this.#wake());
    this.#stream.on("error", (error) => this.fail(error));
    this.#stream.on("end", () => {
      this.#hasEnded = true;
      this.#wake();
    });
  }

  /**
   * Reads the next bytes, which may change afterwards. Resolves once their content is passed on, to
   * `false` when no more input is wanted.
   */
  push(bytes: Uint8Array<ArrayBuffer>): Promise<boolean> {
    let isTaken = false;
    this.#stream.write(bytes, () => {
      isTaken = true;
      this.#wake();
    });
    return this.#passOn(() => isTaken || this.#hasEnded);
  }

  /** Ends the data. Resolves once all content is passed on, with whether more is wanted. */
  end(): Promise<boolean> {
    this.#stream.end();
    return this.#passOn(() => this.#hasEnded);
  }

  /** Number of bytes of the compressed data that were read. */
  get bytesRead(): number {
    return (this.#stream as Transform & { bytesWritten: number }).bytesWritten;
  }

  /** Ends with an error, after passing on what has been decompressed. */
  fail(error: unknown): void {
    this.#failure ??= { error };
    this.#wake();
  }

  close(): void {
    this.#stream.destroy();
  }

  /**
   * Makes the stream fill its buffers with zeros before it writes to them.
   *
   * A stream of `node:zlib` drops the content of a write that fails, and does not say how long it
   * is. It is still in `_outBuffer`, from `_outOffset` to the last byte that is not zero: JSON text
   * in UTF-8 has no zero bytes. In UTF-16LE, the last character may lose one, and is then left out.
   * In a runtime without that buffer, the content is lost.
   */
  #clearBuffers(): void {
    const stream = this.#stream as BufferedStream;
    let buffer = stream._outBuffer?.fill(0);
    if (buffer === undefined) return;
    Object.defineProperty(stream, "_outBuffer", {
      get: () => buffer,
      set: (value?: Uint8Array<ArrayBuffer>) => buffer = value?.fill(0),
    });
  }

  #contentBeforeFault(): Uint8Array<ArrayBuffer> {
    const { _outBuffer: buffer, _outOffset: start = 0 } = this.#stream as BufferedStream;
    if (!buffer) return new Uint8Array(0);
    let end = buffer.length;
    while (end > start && buffer[end - 1] === 0) end--;
    return buffer.slice(start, end);
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
      if (this.#failure !== undefined) {
        const rest = this.#contentBeforeFault();
        if (rest.length > 0 && !await this.#onPiece(rest)) return false;
        throw this.#describe(this.#failure.error);
      }
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
