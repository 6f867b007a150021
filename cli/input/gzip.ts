/**
 * Decompression of gzip (RFC 1952), of one member or several, in constant memory.
 *
 * `createGunzip` of `node:zlib` drops the output of the write in which it meets an error: a whole
 * small file if garbage follows it, or its checksum is wrong. So headers and trailers are read
 * here, and only the data between them by `node:zlib`.
 */

import * as zlib from "node:zlib";
import { LINE_FEED } from "../bytes.ts";
import type { LimitedContent } from "./content_limits.ts";
import { CompressionError, trailingDataError, ZlibStream } from "./zlib_stream.ts";

const MAGIC = [0x1f, 0x8b];
const DEFLATE = 8;

/** Flags of a header. */
const HAS_CHECKSUM = 2;
const HAS_EXTRA = 4;
const HAS_NAME = 8;
const HAS_COMMENT = 16;
const RESERVED = 0xe0;

/** Bytes of a trailer: the checksum of the content, and its length modulo 2^32. */
const TRAILER_BYTES = 8;

/**
 * Maximum content of a member that is read by one call, without a stream. A file of 1 MB can have
 * 50,000 members, whose streams would take 20 s and hundreds of megabytes.
 */
const SMALL_BYTES = 2 ** 16;

/** Reads a header byte by byte, so that it may be split anywhere and have a name of any length. */
function* readHeader(): Generator<undefined, void, number> {
  let checksum = 0;
  const next = function* (): Generator<undefined, number, number> {
    const byte: number = yield;
    checksum = zlib.crc32(Uint8Array.of(byte), checksum);
    return byte;
  };
  for (const byte of MAGIC) if ((yield* next()) !== byte) throw trailingDataError("gzip");
  if ((yield* next()) !== DEFLATE) throw corrupt("its method is not known");
  const flags = yield* next();
  if ((flags & RESERVED) !== 0) throw corrupt("a reserved flag is set");
  for (let i = 0; i < 6; i++) yield* next(); // time, level and system
  if ((flags & HAS_EXTRA) !== 0) {
    const low = yield* next();
    for (let left = low | (yield* next()) << 8; left > 0; left--) yield* next();
  }
  for (const flag of [HAS_NAME, HAS_COMMENT]) {
    let byte = flags & flag;
    while (byte !== 0) byte = yield* next(); // up to the zero at the end of the text
  }
  if ((flags & HAS_CHECKSUM) !== 0) {
    const expected = checksum & 0xffff;
    const low = yield* next();
    if ((low | (yield* next()) << 8) !== expected) throw corrupt("the checksum of its header is wrong");
  }
}

export class GzipReader {
  readonly #content: LimitedContent;
  /** Header that is being read; `undefined` after it, and between two members. */
  #header: Generator<undefined, void, number> | undefined = startHeader();
  /** Decoder of the member's data. */
  #decoder: ZlibStream | undefined;
  /** Trailer that is being read, and how many bytes of it have arrived; -1 before it. */
  readonly #trailer = new Uint8Array(TRAILER_BYTES);
  #trailerLength = -1;
  /** Checksum and length of the member's content. */
  #checksum = 0;
  #length = 0;

  constructor(content: LimitedContent) {
    this.#content = content;
  }

  /** Reads the next bytes, which may change afterwards. Resolves with whether to read on. */
  async push(bytes: Uint8Array<ArrayBuffer>): Promise<boolean> {
    for (let p = 0; p < bytes.length;) {
      if (this.#header !== undefined) {
        if (!this.#header.next(bytes[p++]).done) continue;
        this.#header = undefined;
        this.#checksum = this.#length = 0;
        const small = readSmall(bytes.subarray(p));
        if (small === undefined) this.#beginData();
        else {
          p += small.bytesRead;
          this.#trailerLength = 0;
          if (!await this.#pass(small.content)) return false;
        }
      } else if (this.#trailerLength >= 0) {
        this.#trailer[this.#trailerLength++] = bytes[p++];
        if (this.#trailerLength === TRAILER_BYTES) this.#endMember();
      } else if (this.#decoder !== undefined) {
        const before = this.#decoder.bytesRead;
        if (!await this.#decoder.push(bytes.subarray(p))) return false;
        p += this.#decoder.bytesRead - before;
        if (p === bytes.length) return true; // the decoder takes nothing that follows its data
        this.#decoder.close();
        this.#decoder = undefined;
        this.#trailerLength = 0;
      } else if (bytes[p] === 0 || bytes[p] === LINE_FEED) {
        p++; // padding to a block of a tape, and a line feed that an editor or `echo` has appended
      } else this.#header = startHeader();
    }
    return true;
  }

  /** Ends the data. Passes on the rest of the content, then rejects if a member is incomplete. */
  async end(): Promise<void> {
    const isWithin = this.#header !== undefined || this.#decoder !== undefined || this.#trailerLength >= 0;
    if (!isWithin) return;
    // First, passes on what the decoder still has.
    if (await this.#decoder?.end().catch(() => true) ?? true) {
      throw new CompressionError("its gzip data ends too early");
    }
  }

  close(): void {
    this.#decoder?.close();
  }

  #beginData(): void {
    this.#decoder = new ZlibStream(zlib.createInflateRaw, (piece) => this.#pass(piece), describeError);
  }

  #pass(piece: Uint8Array<ArrayBuffer>): Promise<boolean> {
    this.#checksum = zlib.crc32(piece, this.#checksum);
    this.#length += piece.length;
    return this.#content.pass(piece);
  }

  #endMember(): void {
    this.#trailerLength = -1;
    const view = new DataView(this.#trailer.buffer);
    if (view.getUint32(0, true) !== this.#checksum) throw corrupt("its checksum is wrong");
    if (view.getUint32(4, true) !== this.#length % 2 ** 32) throw corrupt("its length is wrong");
  }
}

/** Decompresses a small member in one call; `undefined` if it is incomplete, large or corrupt. */
function readSmall(data: Uint8Array<ArrayBuffer>): { content: Uint8Array<ArrayBuffer>; bytesRead: number } | undefined {
  try {
    const options = { info: true, chunkSize: 4096, maxOutputLength: SMALL_BYTES } as const;
    const { buffer, engine } = zlib.inflateRawSync(data, options) as unknown as Inflated;
    return { content: new Uint8Array(buffer.buffer, buffer.byteOffset, buffer.length), bytesRead: engine.bytesWritten };
  } catch {
    return undefined; // a stream decides
  }
}

/** Result of `inflateRawSync` with the option `info`, missing from @types/node. */
interface Inflated {
  buffer: Uint8Array<ArrayBuffer>;
  engine: { bytesWritten: number };
}

function startHeader(): Generator<undefined, void, number> {
  const header = readHeader();
  header.next();
  return header;
}

function describeError(error: unknown): unknown {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  if (code === "Z_BUF_ERROR") return new CompressionError("its gzip data ends too early");
  return code.startsWith("Z_") ? corrupt((error as Error).message) : error;
}

function corrupt(reason: string): CompressionError {
  return new CompressionError(`its gzip data is corrupt: ${reason}; use --no-decompress to read the raw bytes`);
}
