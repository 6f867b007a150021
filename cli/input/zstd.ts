/**
 * Decompression of Zstandard (RFC 8878). Memory is bounded by the window of the data, which the
 * decoder limits to 128 MiB.
 *
 * The decoder of `node:zlib` in Deno 2.9 takes truncated data for complete, ignores what follows a
 * frame in the same write, and throws errors where no caller can catch them. So the ends of frames
 * are found here, no write goes beyond one, and errors are caught in the global scope. One decoder
 * reads all frames, because making one takes ten times as long as reading a tiny frame.
 */

import { joined, NO_BYTES } from "../bytes.ts";
import * as zlib from "node:zlib";
import { platform } from "../platform/platform.ts";
import type { LimitedContent } from "./content_limits.ts";
import { CompressionError, trailingDataError, ZlibStream } from "./zlib_stream.ts";

/** First four bytes of a frame with content, as a number. */
const MAGIC = 0xfd2fb528;

/** First four bytes of a frame to be skipped, as a number. Its lowest four bits vary. */
const SKIPPABLE_MAGIC = 0x184d2a50;

const RUN_LENGTH_BLOCK = 1;
/** Type of a block that may not occur. */
const RESERVED_BLOCK = 3;

/** Bytes of the identifier of a dictionary, by its flag. */
const DICTIONARY_ID_BYTES = [0, 1, 2, 4];
/** Bytes of the content's length, by its flag. */
const LENGTH_BYTES = [0, 2, 4, 8];

/** Beginning of the messages of errors that Deno throws in the global scope. */
const ERROR_PREFIX = "Zstd decompress error: ";

export class ZstdReader {
  readonly #content: LimitedContent;
  /** Part of the frame that comes next: its header, a block, or nothing. */
  #next: "header" | "block" | "end" = "header";
  /** Bytes left before that part. */
  #left = 0;
  /** Beginning of that part, if its header is incomplete. */
  #incomplete: Uint8Array<ArrayBuffer> = NO_BYTES;
  /** Whether the frame has content, the bytes of its checksum, and the length that it states. */
  #hasContent = false;
  #checksumBytes = 0;
  #statedLength: number | undefined;
  /** Bytes of the content so far, and the maximum of it that a decoder keeps. */
  #length = 0;
  #window = 0;
  /** Decoder of all frames, made for the first. */
  #decoder: ZlibStream | undefined;
  readonly #stopCatching: () => void;

  constructor(content: LimitedContent) {
    this.#content = content;
    this.#stopCatching = platform.catchGlobalErrors((error) => this.#catchGlobalError(error));
  }

  /** Reads the next bytes, which may change afterwards. Resolves with whether to read on. */
  async push(bytes: Uint8Array<ArrayBuffer>): Promise<boolean> {
    if (this.#incomplete.length > 0) bytes = joined(this.#incomplete, bytes);
    this.#incomplete = NO_BYTES;
    for (let p = 0; p < bytes.length;) {
      const start = p;
      try {
        p = this.#passFrame(bytes, start);
      } catch (error) {
        return await this.#failAfterContent(error);
      }
      if (this.#hasContent && start < p && !await this.#decode(bytes.subarray(start, p))) return false;
      if (!this.#hasEnded) {
        this.#incomplete = bytes.slice(p);
        break;
      }
      this.#next = "header";
      if (this.#hasContent && this.#length !== (this.#statedLength ?? this.#length)) {
        throw notDecompressed("its content does not have the length that it states");
      }
    }
    return true;
  }

  /** Ends the data. Passes on the rest of the content, then rejects if a frame is incomplete. */
  async end(): Promise<void> {
    if (this.#next === "header" && this.#incomplete.length === 0) return;
    await this.#failAfterContent(new CompressionError("its Zstandard data ends too early"));
  }

  close(): void {
    this.#stopCatching();
    this.#decoder?.close();
  }

  get #hasEnded(): boolean {
    return this.#next === "end" && this.#left === 0;
  }

  /** Returns the position after the frame, of an incomplete header, or the end of the bytes. */
  #passFrame(bytes: Uint8Array, p: number): number {
    for (;;) {
      const passed = Math.min(this.#left, bytes.length - p);
      p += passed;
      this.#left -= passed;
      if (this.#left > 0 || this.#next === "end") return p;
      const rest = bytes.subarray(p);
      const length = this.#next === "block" ? this.#readBlockHeader(rest) : this.#readFrameHeader(rest);
      if (length === 0) return p;
      p += length;
    }
  }

  /** Reads the header of a frame. Returns its length; 0 if it is incomplete. */
  #readFrameHeader(bytes: Uint8Array): number {
    if (bytes.length < 4) return 0;
    const magic = numberAt(bytes, 0, 4);
    this.#hasContent = magic === MAGIC;
    if (magic - magic % 16 === SKIPPABLE_MAGIC) {
      if (bytes.length < 8) return 0;
      this.#left = numberAt(bytes, 4, 4);
      this.#next = "end";
      return 8;
    }
    if (!this.#hasContent) throw trailingDataError("zstd");
    if (bytes.length < 6) return 0;
    const [descriptor, window] = bytes.subarray(4);
    if ((descriptor & 0x08) !== 0) throw notDecompressed("a reserved bit is set");
    const isSingleSegment = (descriptor & 0x20) !== 0;
    const lengthAt = (isSingleSegment ? 5 : 6) + DICTIONARY_ID_BYTES[descriptor & 3];
    const lengthBytes = LENGTH_BYTES[descriptor >> 6] || Number(isSingleSegment);
    if (bytes.length < lengthAt + lengthBytes) return 0;
    const length = numberAt(bytes, lengthAt, lengthBytes) + (lengthBytes === 2 ? 256 : 0);
    this.#statedLength = lengthBytes === 0 ? undefined : length;
    this.#window = isSingleSegment ? length : (1 + (window & 7) / 8) * 2 ** (10 + (window >> 3));
    this.#checksumBytes = (descriptor & 0x04) !== 0 ? 4 : 0;
    this.#length = 0;
    this.#next = "block";
    return lengthAt + lengthBytes;
  }

  /** Reads the header of a block. Returns its length; 0 if it is incomplete. */
  #readBlockHeader(bytes: Uint8Array): number {
    if (bytes.length < 3) return 0;
    const header = numberAt(bytes, 0, 3);
    const type = header >> 1 & 3;
    if (type === RESERVED_BLOCK) throw notDecompressed("a block has a reserved type");
    this.#left = type === RUN_LENGTH_BLOCK ? 1 : header >> 3;
    if ((header & 1) !== 0) {
      this.#left += this.#checksumBytes;
      this.#next = "end";
    }
    return 3;
  }

  /** Decodes bytes of a frame, and passes on their content. Resolves with whether to read on. */
  #decode(bytes: Uint8Array<ArrayBuffer>): Promise<boolean> {
    this.#decoder ??= new ZlibStream(zlib.createZstdDecompress, (piece) => {
      this.#length += piece.length;
      this.#content.checkWindow(Math.min(this.#length, this.#window));
      return this.#content.pass(piece);
    }, describeError);
    return this.#decoder.push(bytes);
  }

  /** Throws an error of the data, unless the receiver wants only the content before it. */
  async #failAfterContent(error: unknown): Promise<false> {
    if (await this.#decoder?.end().catch(() => true) ?? true) throw error;
    return false;
  }

  /** Catches an error that Deno throws in the global scope, which would end the process. */
  #catchGlobalError(error: unknown): boolean {
    if (this.#decoder === undefined || !(error instanceof Error)) return false;
    if (!error.message.startsWith(ERROR_PREFIX)) return false;
    this.#decoder.fail(error);
    return true;
  }
}

/** Reads a little-endian number. */
function numberAt(bytes: Uint8Array, at: number, length: number): number {
  let number = 0;
  for (let i = length - 1; i >= 0; i--) number = number * 256 + bytes[at + i];
  return number;
}

/** Describes an error of the decoder. Errors of the receiver of the content stay as they are. */
function describeError(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const { message } = error;
  if (message.startsWith(ERROR_PREFIX)) return notDecompressed(message.slice(ERROR_PREFIX.length));
  const isOfDecoder = "code" in error && /^Z(?:STD)?_/.test(String(error.code));
  return isOfDecoder ? notDecompressed(message) : error;
}

function notDecompressed(reason: string): CompressionError {
  return new CompressionError(
    `its Zstandard data cannot be decompressed: ${reason}; use --no-decompress to read the raw bytes`,
  );
}
