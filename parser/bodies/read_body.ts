/** Reads bodies of all kinds of sources to their end. */

import { notBody } from "../engine/argument_error.ts";
import { isBuffer } from "../engine/input.ts";
import { type ByteSource, type Chunks, has, openBytes } from "../streaming/byte_source.ts";
import {
  aborted,
  interruptedBy,
  notJsonType,
  tooLarge,
  type UnreadBody,
  unsupportedMediaType,
} from "./body_failure.ts";
import type { BodySettings } from "./body_options.ts";
import { CompressedMessage, Decompressor, openDecompression } from "./decompressor.ts";
import { isCompressed, isJsonType, lengthOfHeader } from "./headers.ts";
import { hasTimeLimits, interruptible } from "./interruption.ts";
import { type IncomingMessageLike, readMessage, type ReceivedBody } from "./message_reader.ts";
import { receive, ReceivedBytes, ReceivedMessage } from "./received_bytes.ts";
import { hasTrueLength } from "./received_request.ts";

/** Request or response of the Fetch API, reduced to the members used here. */
export interface BodyLike {
  /** Headers. */
  readonly headers: { get(name: string): string | null };
  /** Stream of the body. */
  readonly body: ReadableStream<Uint8Array> | null;
  /** Whether the body was read. */
  readonly bodyUsed: boolean;
  /** Reads the body whole. */
  arrayBuffer(): Promise<ArrayBuffer>;
  /** Reads the body whole. */
  bytes?(): Promise<Uint8Array>;
}

/** Blob or file, reduced to the members used here. */
export interface BlobLike {
  /** Number of bytes. */
  readonly size: number;
  /** Reads the bytes. */
  arrayBuffer(): Promise<ArrayBuffer>;
  /** Makes a stream of the bytes. */
  stream(): ReadableStream<Uint8Array>;
}

/**
 * Source of JSON: a `Request` or `Response`, the `IncomingMessage` of `node:http`, a `Blob`, a
 * stream or an iterable of bytes, or bytes.
 */
export type JsonSource =
  | BodyLike
  | IncomingMessageLike
  | BlobLike
  | ByteSource
  | Uint8Array
  | ArrayBuffer
  | SharedArrayBuffer;

/** Bytes of a body, or the failure to read it. */
type Received = ReceivedBody | UnreadBody;

/** Maximum number of bytes of a body that is read by `arrayBuffer`, faster than by its stream. */
const MAX_WHOLE = 2 ** 21;

/** Begins to read a source; returns `null` if it is bytes. */
export function bodyOf(source: object, settings: BodySettings): Promise<Received> | UnreadBody | null {
  if (has(source, "headers")) {
    const { headers } = source as BodyLike | IncomingMessageLike;
    if (typeof headers.get === "function") return readFetchBody(source as BodyLike, headers as Headers, settings);
    if (has(source, "on")) return readIncoming(source as IncomingMessageLike, settings);
  }
  if (has(source, "arrayBuffer")) return readBlob(source as BlobLike, settings);
  if (
    has(source, "getReader") || has(source, Symbol.asyncIterator) || has(source, Symbol.iterator) ||
    has(source, "bodyUsed")
  ) return readStream(source as ByteSource, settings, -1);
  if (isBuffer(source)) return null;
  throw notBody(source);
}

function readFetchBody(
  source: BodyLike,
  headers: BodyLike["headers"],
  settings: BodySettings,
): Promise<Received> | UnreadBody {
  if (source.bodyUsed) throw new TypeError("Cannot read this body: it was read already");
  const isResponse = has(source, "status");
  const encoding = headers.get("content-encoding");
  const type = settings.checksType ? headers.get("content-type") : null;
  const mayLackType = type === null && settings.checksType && settings.allowsEmpty;
  if (mayLackType) return onlyIfEmpty(readFetchBody(source, headers, { ...settings, checksType: false }));
  const encoded = isResponse ? null : encoding; // `fetch` has decompressed it
  const length = isResponse && encoding !== null ? -1 : lengthOfHeader(headers.get("content-length"));
  const { body } = source;
  const failure = failureBefore(settings, type, encoded, length);
  if (failure !== null) return cancelled(body, failure);
  if (isCompressed(encoded) && body !== null) return readCompressed(body, settings, encoded);
  if (length >= 0 && length <= MAX_WHOLE && !isResponse && hasTrueLength(source)) {
    const reading = typeof source.bytes === "function" ? source.bytes() : source.arrayBuffer();
    return readWhole(reading, settings, false); // a clone may hold the same memory in Deno
  }
  if (body === null) return Promise.resolve({ ok: true, bytes: new Uint8Array(0), isOurs: true });
  return readStream(body, settings, length);
}

/** Refuses bytes without a type. An empty body needs none. */
async function onlyIfEmpty(reading: Promise<Received> | UnreadBody): Promise<Received> {
  const received = await reading;
  return received.ok && received.bytes.length > 0 ? notJsonType() : received;
}

function cancelled(body: ReadableStream | null, failure: UnreadBody): UnreadBody {
  void body?.cancel(failure.cause).catch(ignore);
  return failure;
}

function readCompressed(
  body: ReadableStream<Uint8Array>,
  settings: BodySettings,
  encoding: string,
): Promise<Received> | UnreadBody {
  const decompressor = decompressorOf(encoding, settings.maxBytes);
  if (decompressor === undefined) return cancelled(body, unknownCompression());
  const chunks = openBytes(body);
  const { detachChunks, maxBytes } = settings;
  return readChunks(chunks, receive(chunks, decompressor, detachChunks, maxBytes), decompressor, settings);
}

/** Makes a decompressor into one buffer; `undefined` if the compression is not supported. */
function decompressorOf(encoding: string, maxBytes: number): Decompressor | undefined {
  const stream = openDecompression(encoding);
  return stream && new Decompressor(stream, new ReceivedMessage(-1, maxBytes, true), maxBytes);
}

function readIncoming(message: IncomingMessageLike, settings: BodySettings): Promise<Received> | UnreadBody {
  if (message.readableDidRead || message.readableEnded) {
    throw new TypeError("Cannot read this message: it was read already");
  }
  const { headers } = message;
  const type = headers["content-type"] as string | undefined;
  const mayLackType = type === undefined && settings.checksType && settings.allowsEmpty;
  if (mayLackType) return onlyIfEmpty(readIncoming(message, { ...settings, checksType: false }));
  const encoding = headers["content-encoding"] as string | undefined;
  const { maxBytes, detachChunks } = settings;
  const length = lengthOfHeader(headers["content-length"] as string | undefined);
  const failure = failureBefore(settings, type, encoding, length);
  if (failure !== null) return dropped(message, failure);
  if (message.destroyed) return aborted(undefined);
  if (!isCompressed(encoding)) {
    return readMessage(message, settings, new ReceivedMessage(length, maxBytes, detachChunks));
  }
  const decompressor = decompressorOf(encoding, maxBytes);
  if (decompressor === undefined) return dropped(message, unknownCompression());
  return readMessage(message, settings, new CompressedMessage(message, decompressor, detachChunks));
}

/** Lets a message that is not read flow on, so that it can be answered. */
function dropped(message: IncomingMessageLike, failure: UnreadBody): UnreadBody {
  message.resume();
  return failure;
}

function readBlob(blob: BlobLike, settings: BodySettings): Promise<Received> | UnreadBody {
  const { maxBytes, signal } = settings;
  if (blob.size > maxBytes) return tooLarge(maxBytes);
  if (signal?.aborted) return interruptedBy(signal.reason);
  return readWhole(blob.arrayBuffer(), settings, isNativeBlob(blob));
}

/** Returns whether a blob copies its bytes for each reader. A user-defined one may not. */
function isNativeBlob(blob: BlobLike): boolean {
  return typeof Blob === "function" && blob instanceof Blob && blob.arrayBuffer === Blob.prototype.arrayBuffer;
}

/** Reads a body at once. Its length is known. */
async function readWhole(
  reading: Promise<Uint8Array | ArrayBuffer>,
  settings: BodySettings,
  isOurs: boolean,
): Promise<Received> {
  const received = hasTimeLimits(settings) ? await interruptible(reading, settings, ignore) : await reading;
  if (ArrayBuffer.isView(received)) return { ok: true, bytes: received, isOurs };
  return Object.hasOwn(received, "ok")
    ? received as UnreadBody
    : { ok: true, bytes: new Uint8Array(received as ArrayBuffer), isOurs };
}

function readStream(source: ByteSource, settings: BodySettings, length: number): Promise<Received> | UnreadBody {
  const { maxBytes, signal, detachChunks } = settings;
  const chunks = openBytes(source, length);
  if (signal?.aborted) {
    void chunks.cancel(signal.reason);
    return interruptedBy(signal.reason);
  }
  const received = new ReceivedBytes(length, maxBytes);
  return readChunks(chunks, receive(chunks, received, detachChunks, maxBytes), received, settings);
}

async function readChunks(
  chunks: Chunks,
  work: Promise<Received>,
  received: { free(): void },
  settings: BodySettings,
): Promise<Received> {
  try {
    const result = hasTimeLimits(settings) ? await interruptible(work, settings, ignore) : await work;
    if (result.ok) return result;
    received.free();
    void chunks.cancel(result.cause ?? result);
    return result;
  } catch (error) {
    received.free();
    void chunks.cancel(error);
    throw error;
  }
}

function ignore(): void {}

function unknownCompression(): UnreadBody {
  return unsupportedMediaType("Body has an unknown Content-Encoding: send gzip, or no Content-Encoding");
}

/** Returns the failure of a body that is not read, for its headers or the signal. */
function failureBefore(
  { checksType, inflate, maxBytes, signal }: BodySettings,
  type: string | null | undefined,
  encoding: string | null | undefined,
  length: number,
): UnreadBody | null {
  if (checksType && !isJsonType(type)) return notJsonType();
  if (isCompressed(encoding) && !inflate) {
    return unsupportedMediaType("Body is compressed: send it without Content-Encoding, or decompress it before");
  }
  if (length > maxBytes) return tooLarge(maxBytes);
  return signal?.aborted ? interruptedBy(signal.reason) : null;
}
