/**
 * Reading of an input in pieces. The buffers are reused, so memory does not grow with the input.
 * @std/streams has no stream that reuses its buffers.
 */

import { type Interrupt, unlessInterrupted, yieldToEvents } from "../interrupt.ts";
import { platform } from "../platform/platform.ts";
import type { Input } from "../check/input_file.ts";
import type { ContentLimits } from "./content_limits.ts";
import { type Encoding, newTranscoder } from "./utf16.ts";

/** Bytes per read on this thread: fits the cache of a core, and makes calls rare enough. */
const PIECE_BYTES = 2 ** 18;

/** Bytes per read on another thread, larger because each read synchronises two threads. */
const AHEAD_PIECE_BYTES = 2 ** 20;

/** Size of a file from which reading on another thread pays. */
const AHEAD_MIN_BYTES = 2 ** 23;

/** Milliseconds to wait for bytes that only a snippet needs. */
const SNIPPET_TIMEOUT = 100;

/** Path, and the size of a regular file before decompression. */
export type Source = Pick<Input, "path" | "size" | "identity">;

export interface ReadOptions {
  interrupt?: Interrupt | undefined;
  /** Whether a core is free to read a large file ahead. */
  readsAhead?: boolean | undefined;
  /** Limits of the content of compressed data, which is then passed on instead of the data. */
  contentLimits: ContentLimits | undefined;
  /** Called before the first piece of UTF-16, which becomes UTF-8; absent to leave it as it is. */
  onEncoding?: ((encoding: Encoding) => void) | undefined;
  /** Returns whether the rest of the input matters only to a snippet; by default it never does. */
  isDecided?(): boolean;
  /**
   * Receives the next piece, which is overwritten afterwards. Resolves with whether to read on or, of a
   * file that is not read ahead, the offset of the next piece.
   */
  onPiece(piece: Uint8Array<ArrayBuffer>): Promise<boolean | number>;
}

// Allocated on first use. Reading ahead takes two: one is filled while the other is in use.
let buffer: Uint8Array<ArrayBuffer> | undefined;
let aheadBuffers: [Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>] | undefined;

/** Reads an input. Resolves with whether its end was reached. Rejects if it cannot be read. */
export async function readPieces(input: Source, options: ReadOptions): Promise<boolean> {
  const { onEncoding } = options;
  if (onEncoding === undefined) return await readContent(input, options);
  const transcoder = newTranscoder(options.onPiece, (encoding) => {
    delete input.size; // not that of the pieces
    onEncoding(encoding);
  });
  const isAtEnd = await readContent(input, { ...options, onPiece: transcoder.onPiece });
  if (isAtEnd) await transcoder.end();
  return isAtEnd;
}

/** Reads an input, or the content of a compressed one. */
async function readContent(input: Source, options: ReadOptions): Promise<boolean> {
  const { contentLimits } = options;
  if (contentLimits === undefined) return await readRaw(input, options);
  let compressed: ReturnType<typeof import("./compressed_input.ts").newCompressedInput> | undefined;
  let isFirst = true;
  try {
    const isAtEnd = await readRaw(input, {
      ...options,
      async onPiece(piece): Promise<boolean | number> {
        if (isFirst && mayBeCompressed(piece)) {
          // Loaded here, so that JSON does not pay for it.
          const { newCompressedInput } = await import("./compressed_input.ts");
          const onContent = async (piece: Uint8Array<ArrayBuffer>) => await options.onPiece(piece) !== false;
          // The content has another size.
          compressed = newCompressedInput(contentLimits, onContent, () => delete input.size);
        }
        isFirst = false;
        return await (compressed === undefined ? options.onPiece(piece) : compressed.push(piece));
      },
    });
    if (isAtEnd) await compressed?.end();
    return isAtEnd;
  } finally {
    compressed?.close();
  }
}

/**
 * Returns whether an input may be compressed, by its first piece: gzip begins with 1F, Zstandard
 * with 28, or with 50 to 5F and 2A. An opening bracket is 5B.
 */
export function mayBeCompressed([first, second = 0x2a]: Uint8Array): boolean {
  return first === 0x1f || first === 0x28 || (first & 0xf0) === 0x50 && second === 0x2a;
}

function readRaw(input: Source, options: ReadOptions): Promise<boolean> {
  const isAhead = input.size === undefined || options.readsAhead && input.size >= AHEAD_MIN_BYTES;
  return isAhead ? readAhead(input.path, options) : readInTurn(input, options);
}

async function readInTurn(input: Source, { onPiece }: ReadOptions): Promise<boolean> {
  const file = platform.openSync(input.path);
  buffer ??= new Uint8Array(PIECE_BYTES);
  try {
    const { dev, ino } = file.statSync();
    input.identity = { dev, ino };
    for (let position = 0;;) {
      const length = file.readSync(buffer, position);
      if (length === null) return true;
      const next = await onPiece(buffer.subarray(0, length));
      if (next === false) return false;
      position = next === true ? position + length : next;
      await yieldToEvents();
    }
  } finally {
    file.close();
  }
}

/** Reads standard input, a FIFO, a device or a large file on another thread, one piece ahead. */
async function readAhead(path: string, { interrupt, isDecided, onPiece }: ReadOptions): Promise<boolean> {
  const source = await unlessInterrupted(platform.openSource(path), interrupt);
  if (source === undefined) return false;
  aheadBuffers ??= [new Uint8Array(AHEAD_PIECE_BYTES), new Uint8Array(AHEAD_PIECE_BYTES)];
  let next = source.read(aheadBuffers[0]);
  try {
    for (let turn = 1;; turn++) {
      const length = await unlessInterrupted(isDecided?.() ? withTimeout(next) : next, interrupt);
      if (length === undefined) return false;
      if (length === null) return true;
      next = source.read(aheadBuffers[turn & 1]);
      if (!await onPiece(aheadBuffers[turn - 1 & 1].subarray(0, length))) return false;
    }
  } finally {
    // A pending read would delay closing, and its result no longer matters.
    next.catch(() => {}).then(() => source.close());
  }
}

/** Resolves like the promise, or with `undefined` after {@linkcode SNIPPET_TIMEOUT}. */
async function withTimeout<T>(promise: Promise<T>): Promise<T | undefined> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<undefined>((resolve) => timer = setTimeout(() => resolve(undefined), SNIPPET_TIMEOUT));
  try {
    return await Promise.race([promise, timeout]);
  } finally {
    clearTimeout(timer);
  }
}
