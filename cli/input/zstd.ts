/**
 * Decompression of Zstandard (RFC 8878). Memory is bounded by the window of the data, which the
 * decoder limits to 128 MiB.
 *
 * The decoder of `node:zlib` in Deno 2.9 takes truncated data for complete, ignores what follows a
 * frame in the same write, and throws errors where no caller can catch them. So the ends of frames
 * are found here, no write goes beyond one, and errors are caught in the global scope. One decoder
 * reads all frames, because making one takes ten times as long as reading a tiny frame.
 */

import * as zlib from "node:zlib";
import { platform } from "../platform/platform.ts";
import type { LimitedContent } from "./content_limits.ts";
import { CompressionError, ZlibStream } from "./zlib_stream.ts";

/** First four bytes of a frame with content, and their value. */
const MAGIC_BYTES = new Uint8Array([0x28, 0xb5, 0x2f, 0xfd]);
const MAGIC = 0xfd2fb528;

/** Value of the first four bytes of a frame to be skipped. The lowest four bits vary. */
const SKIPPABLE_MAGIC = 0x184d2a50;

/** Type of a block that repeats one byte. */
const RUN_LENGTH_BLOCK = 1;
/** Type of a block that may not occur. */
const RESERVED_BLOCK = 3;

/** Bytes of the identifier of a dictionary, by its flag. */
const DICTIONARY_ID_BYTES = [0, 1, 2, 4];
/** Bytes of the content's length, by its flag. */
const LENGTH_BYTES = [0, 2, 4, 8];

/** Beginning of the messages of errors that Deno throws in the global scope. */
const ERROR_PREFIX = "Zstd decompress error: ";

/** Field of a frame: a number that is stored in some bytes, lowest first, or bytes to skip. */
interface Field {
  bytes: number;
  isSkipped: boolean;
}

/** Fields of a part of the data, one after the other. Each gets its value; skipped ones get 0. */
type Fields = Generator<Field, number | undefined, number>;

function numberOf(bytes: number): Field {
  return { bytes, isSkipped: false };
}

function skip(bytes: number): Field {
  return { bytes, isSkipped: true };
}

/** Part of the content of a frame so far that a decoder keeps. */
interface Window {
  /** Most bytes that it keeps. */
  size: number;
}

/**
 * Fields of a frame with content, after its first four bytes. Sets the size of the window. Returns
 * the length of the content, if the frame tells it.
 */
function* contentFields(window: Window): Fields {
  const descriptor = yield numberOf(1);
  const isSingleSegment = (descriptor & 0x20) !== 0;
  if ((descriptor & 0x08) !== 0) throw notDecompressed("a reserved bit is set");
  if (!isSingleSegment) {
    const size = yield numberOf(1);
    window.size = (1 + (size & 7) / 8) * 2 ** (10 + (size >> 3));
  }
  yield skip(DICTIONARY_ID_BYTES[descriptor & 3]);
  const lengthBytes = LENGTH_BYTES[descriptor >> 6] || Number(isSingleSegment);
  const stored = yield numberOf(lengthBytes);
  const length = lengthBytes === 0 ? undefined : lengthBytes === 2 ? stored + 256 : stored;
  if (isSingleSegment) window.size = length!;
  for (let isLast = false; !isLast;) {
    const header = yield numberOf(3);
    isLast = (header & 1) !== 0;
    const type = header >> 1 & 3;
    if (type === RESERVED_BLOCK) throw notDecompressed("a block has a reserved type");
    yield skip(type === RUN_LENGTH_BLOCK ? 1 : header >> 3);
  }
  if ((descriptor & 0x04) !== 0) yield skip(4); // the checksum
  return length;
}

/** Fields of a frame to be skipped, after its first four bytes. */
function* skippedFields(): Fields {
  yield skip(yield numberOf(4));
  return undefined;
}

function* magicFields(): Fields {
  return yield numberOf(4);
}

/** Reads fields from pieces that may end anywhere. */
class FieldReader {
  readonly #fields: Fields;
  #field: Field | undefined;
  /** Bytes left of the field. */
  #left = 0;
  /** Value of the field so far, and of the lowest bit of its next byte. */
  #value = 0;
  #unit = 1;
  /** Whether any byte has been read. */
  isStarted = false;
  /** Number that the fields return after the last one. */
  result: number | undefined;

  constructor(fields: Fields) {
    this.#fields = fields;
    this.#startField();
  }

  get isComplete(): boolean {
    return this.#field === undefined;
  }

  /** Reads from position `p` on. Returns the position after the last field, or the end. */
  read(bytes: Uint8Array, p: number): number {
    while (this.#field !== undefined && p < bytes.length) {
      this.isStarted = true;
      if (this.#field.isSkipped) {
        const skipped = Math.min(this.#left, bytes.length - p);
        this.#left -= skipped;
        p += skipped;
      } else {
        this.#value += bytes[p++] * this.#unit;
        this.#unit *= 256;
        this.#left--;
      }
      if (this.#left === 0) this.#startField();
    }
    return p;
  }

  /** Starts the next field that has bytes. */
  #startField(): void {
    do {
      const { done, value } = this.#fields.next(this.#value);
      this.#field = done ? undefined : value;
      if (done) this.result = value;
      this.#left = this.#field?.bytes ?? 0;
      this.#value = 0;
      this.#unit = 1;
    } while (this.#field !== undefined && this.#left === 0);
  }
}

/** Passes on the content of all frames. */
export class ZstdReader {
  readonly #content: LimitedContent;
  /** Reader of the first four bytes of a frame. */
  #magic = new FieldReader(magicFields());
  /** Reader of the rest of the frame; `undefined` before that. */
  #frame: FieldReader | undefined;
  /** Decoder of all frames, made for the first. */
  #decoder: ZlibStream | undefined;
  /** Whether the frame has content. */
  #hasContent = false;
  /** Length of the content of the frame so far. */
  #length = 0;
  readonly #window: Window = { size: 0 };
  readonly #stopCatching: () => void;

  constructor(content: LimitedContent) {
    this.#content = content;
    this.#stopCatching = platform.catchGlobalErrors((error) => this.#takeGlobalError(error));
  }

  /** Reads the next bytes, which may change afterwards. Resolves with whether to read on. */
  async push(bytes: Uint8Array<ArrayBuffer>): Promise<boolean> {
    for (let p = 0; p < bytes.length;) {
      let start = p;
      if (this.#frame === undefined) {
        const isCut = this.#magic.isStarted;
        p = this.#magic.read(bytes, start);
        if (!this.#magic.isComplete) return true;
        this.#startFrame(this.#magic.result);
        // The decoder gets the frame from its first byte on, in one write if it is not cut.
        if (isCut && this.#hasContent && !await this.#decoder!.write(MAGIC_BYTES)) return false;
        if (isCut) start = p;
      }
      try {
        p = this.#frame!.read(bytes, p);
      } catch (error) {
        return await this.#failAfterContent(error);
      }
      if (this.#hasContent && start < p && !await this.#decoder!.write(bytes.subarray(start, p))) return false;
      if (this.#frame!.isComplete) this.#endFrame(this.#frame!.result);
    }
    return true;
  }

  /** Ends the data. Rejects if it ends within a frame, after the content up to there. */
  async end(): Promise<void> {
    if (this.#frame === undefined && !this.#magic.isStarted) return;
    await this.#failAfterContent(new CompressionError("its Zstandard data ends too early"));
  }

  close(): void {
    this.#stopCatching();
    this.#decoder?.close();
  }

  #startFrame(magic: number | undefined): void {
    this.#hasContent = magic === MAGIC;
    if (this.#hasContent) {
      this.#length = 0;
      this.#decoder ??= new ZlibStream(zlib.createZstdDecompress, (piece) => {
        this.#length += piece.length;
        this.#content.checkWindow(Math.min(this.#length, this.#window.size));
        return this.#content.pass(piece);
      }, describeError);
      this.#frame = new FieldReader(contentFields(this.#window));
    } else if (magic !== undefined && magic - magic % 16 === SKIPPABLE_MAGIC) {
      this.#frame = new FieldReader(skippedFields());
    } else {
      throw notDecompressed("something else follows it");
    }
  }

  /** Ends a frame whose content has a length that the frame may tell. */
  #endFrame(length: number | undefined): void {
    this.#frame = undefined;
    this.#magic = new FieldReader(magicFields());
    if (this.#hasContent && length !== undefined && length !== this.#length) {
      throw notDecompressed("its content does not have the length that it states");
    }
  }

  /** Throws an error of the data, unless the content before it is all that is wanted. */
  async #failAfterContent(error: unknown): Promise<false> {
    if (await this.#decoder?.end().catch(() => true) ?? true) throw error;
    return false;
  }

  /** Takes an error that Deno throws in the global scope, which would end the process. */
  #takeGlobalError(error: unknown): boolean {
    if (this.#decoder === undefined || !(error instanceof Error)) return false;
    if (!error.message.startsWith(ERROR_PREFIX)) return false;
    this.#decoder.fail(error);
    return true;
  }
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
    `its Zstandard data cannot be decompressed: ${reason}; --no-decompress reads it as it is`,
  );
}
