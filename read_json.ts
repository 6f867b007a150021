/**
 * Reads JSON from a request, a response, a stream or bytes, and checks it by a schema:
 * {@linkcode readJson} returns a value or a failure with a status of HTTP, and
 * {@linkcode parseWithSchema} does the same for bytes at hand.
 *
 * @module
 */

import {
  aborted,
  failureOfSource,
  interruptedBy,
  type InvalidBody,
  type LocatedIssue,
  type SchemaFailure,
  tooLarge,
  type UnreadBody,
  type UnreadBodyCode,
  unsupportedMediaType,
} from "./parser/bodies/body_failure.ts";
import { isCompressed, isJsonType, lengthOfHeader } from "./parser/bodies/headers.ts";
import { interruptible, type TimeLimits } from "./parser/bodies/interruption.ts";
import { schemaFailure } from "./parser/bodies/located_issues.ts";
import { type IncomingMessageLike, readMessage } from "./parser/bodies/message_reader.ts";
import type {
  SchemaIssue,
  SchemaOutput,
  SchemaResult,
  StandardSchemaProperties,
  StandardSchemaV1,
} from "./parser/bodies/standard_schema.ts";
import { describeFailure, type FailureCode, type ParseFailure } from "./parser/base/failure.ts";
import type { ParseResult, ParseSuccess } from "./parser/base/parse_result.ts";
import { parseDocument } from "./parser/document/parse_document.ts";
import { parseGuarded } from "./parser/document/parse_guarded.ts";
import { ChunkTypeError, notBody, notSchema } from "./parser/engine/argument_error.ts";
import { bytesOf, isBuffer, isByteArray, isShared, lengthOf } from "./parser/engine/input.ts";
import { bodyGuardsOf, type Guards, type ParseOptions } from "./parser/guards/options.ts";
import type { MaskNode } from "./parser/selecting/mask_node.ts";
import { selectDocument, selectGuarded } from "./parser/selecting/select_document.ts";
import { nodeOf, type Selector } from "./parser/selecting/selector.ts";
import { type ByteSource, checkMaxBytes, type Chunks, openSource } from "./parser/streaming/byte_source.ts";
import { isLargeInput, selectLargeInput } from "./parser/streaming/large_input.ts";
import { detach } from "./detach.ts";
import { ReceivedBytes } from "./received_bytes.ts";
import type { Slice } from "./slice.ts";

export type {
  ByteSource,
  FailureCode,
  IncomingMessageLike,
  InvalidBody,
  LocatedIssue,
  ParseFailure,
  ParseResult,
  ParseSuccess,
  SchemaFailure,
  SchemaIssue,
  SchemaOutput,
  SchemaResult,
  StandardSchemaProperties,
  StandardSchemaV1,
  UnreadBody,
  UnreadBodyCode,
};

/** Request or response of the Fetch API, as far as it is used here. */
export interface BodyLike {
  /** Headers. */
  readonly headers: { get(name: string): string | null };
  /** Stream of the body. */
  readonly body: ReadableStream<Uint8Array> | null;
  /** Whether the body was read. */
  readonly bodyUsed: boolean;
  /** Reads the body whole. */
  arrayBuffer(): Promise<ArrayBuffer>;
}

/** Blob or file, as far as it is used here. */
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

/** Options of {@linkcode parseWithSchema}. */
export interface ParseWithSchemaOptions extends ParseOptions {
  /** Selector of the wanted part of the value, which the schema then checks. */
  select?: Selector | undefined;
}

/** Options of {@linkcode readJson}, among them those of `parseBinary`. */
export interface ReadJsonOptions<T = unknown> extends ParseOptions {
  /** Most bytes of the body, 1,048,576 by default. More are the failure `"too-large"`. */
  maxBytes?: number | undefined;
  /**
   * Milliseconds within which the whole body must arrive; unlimited by default. Otherwise there is
   * the failure `"timed-out"`.
   */
  timeout?: number | undefined;
  /**
   * Signal that aborts reading, which is the failure `"aborted"`. That of `AbortSignal.timeout` is
   * the failure `"timed-out"`.
   */
  signal?: AbortSignal | undefined;
  /**
   * `"json"` makes a `Content-Type` that is neither `application/json` nor ends in `+json`, and a
   * charset other than UTF-8, the failure `"unsupported-media-type"`. Sources without headers have
   * none to check. `"any"` is the default.
   */
  contentType?: "json" | "any" | undefined;
  /** Selector of the wanted part of the value, as for `parseStream`. By default all is wanted. */
  select?: Selector<T> | undefined;
  /**
   * Schema of any library of [Standard Schema](https://standardschema.dev). The value is what the
   * schema returns. A value that does not conform is the failure `"schema"`.
   */
  schema?: StandardSchemaV1 | undefined;
}

/** Failure of {@linkcode readJson}; `code` distinguishes its kinds. */
export type ReadJsonFailure = InvalidBody | UnreadBody | SchemaFailure;

/** Result of {@linkcode readJson}. */
export type ReadJsonResult<T = unknown> = ParseSuccess<T> | ReadJsonFailure;

/** Result of {@linkcode parseWithSchema}. */
export type ParseWithSchemaResult<T = unknown> = ParseSuccess<T> | ParseFailure | SchemaFailure;

/** Options of values, checked. */
interface ValueSettings {
  readonly guards: Guards | null;
  /** Mask; `undefined` if all is wanted. */
  readonly node: MaskNode | null | undefined;
  readonly schema: StandardSchemaV1 | undefined;
}

/** Options, checked. */
interface Settings extends ValueSettings, TimeLimits {
  readonly maxBytes: number;
  readonly checksType: boolean;
}

const DEFAULT_MAX_BYTES = 2 ** 20;

const DEFAULTS: Settings = {
  guards: null,
  node: undefined,
  schema: undefined,
  maxBytes: DEFAULT_MAX_BYTES,
  timeout: Infinity,
  signal: undefined,
  checksType: false,
};

/** Names of the options that are no guards. */
const NAMES = ["timeout", "signal", "contentType", "select", "schema"];
const SCHEMA_NAMES = ["select"];

const { isView } = ArrayBuffer;

const NO_BYTES = new Uint8Array(0);

/**
 * Reads a body to its end, and checks its value by a schema.
 *
 * @param source The source.
 * @param options The schema, and limits.
 * @returns The value that the schema returns, or a failure.
 */
export function readJson<Schema extends StandardSchemaV1>(
  source: JsonSource,
  options: Omit<ReadJsonOptions, "schema"> & { schema: Schema },
): Promise<ReadJsonResult<SchemaOutput<Schema>>>;
/**
 * Reads a body to its end, and parses it.
 *
 * @typeParam T Type that you expect the value to have. It is not checked.
 * @param source The source.
 * @param options Limits.
 * @returns The value, or a failure.
 */
export function readJson<T = unknown>(
  source: JsonSource,
  options?: ReadJsonOptions<T>,
): Promise<ReadJsonResult<T>>;
export async function readJson(source: JsonSource, options?: ReadJsonOptions): Promise<ReadJsonResult> {
  const settings = options === undefined ? DEFAULTS : settingsOf(options);
  const isOwn = !isByteArray(source) && !isBuffer(source);
  const bytes = isOwn ? await readBody(source, settings) : bytesOf(source);
  if (bytes === null) return invalid(describeFailure(NO_BYTES, "detached-buffer", 0));
  if (!isView(bytes)) return bytes;
  try {
    if (lengthOf(bytes) > settings.maxBytes) return tooLarge(settings.maxBytes);
    const result = settings.schema === undefined
      ? parseValue(bytes, settings)
      : await parseAndCheck(bytes, settings, settings.schema);
    return result.ok || result.code === "schema" ? result : invalid(result);
  } finally {
    if (isOwn) detach(bytes);
  }
}

/**
 * Parses a JSON text in bytes, and checks its value by a schema.
 *
 * @param input The bytes.
 * @param schema The schema.
 * @param options Guards, and a selector.
 * @returns The value that the schema returns, or a failure.
 */
export function parseWithSchema<Schema extends StandardSchemaV1>(
  input: Uint8Array | ArrayBuffer | SharedArrayBuffer | Slice,
  schema: Schema,
  options?: ParseWithSchemaOptions,
): ParseWithSchemaResult<SchemaOutput<Schema>> {
  checkSchema(schema);
  const settings = valueSettingsOf(options ?? {}, SCHEMA_NAMES, "parseWithSchema");
  const bytes = bytesOf(input);
  if (bytes === null) return describeFailure(NO_BYTES, "detached-buffer", 0);
  const { maxBytes = Infinity } = options ?? {};
  checkMaxBytes(maxBytes);
  if (lengthOf(bytes) > maxBytes) return describeFailure(bytes, "too-many-bytes", maxBytes);
  const own = isShared(bytes) ? new Uint8Array(bytes) : bytes;
  const parsed = parseValue(own, settings);
  if (!parsed.ok) return parsed;
  const checked = schema["~standard"].validate(parsed.value);
  if (checked instanceof Promise) {
    checked.catch(() => {});
    throw new TypeError("Cannot parse with an asynchronous schema: use readJson");
  }
  return resultOf(own, checked, settings) as ParseWithSchemaResult<SchemaOutput<Schema>>;
}

/** Reads a source that is not bytes. */
function readBody(source: unknown, settings: Settings): Promise<Uint8Array | UnreadBody> | UnreadBody {
  if (typeof source !== "object" || source === null) throw notBody(source);
  const { headers } = source as Partial<BodyLike & IncomingMessageLike>;
  if (typeof headers === "object" && headers !== null) {
    if (typeof headers.get === "function") return readFetchBody(source as BodyLike, settings);
    if (typeof (source as IncomingMessageLike).on === "function") {
      return readIncoming(source as IncomingMessageLike, settings);
    }
  }
  const { arrayBuffer, size } = source as Partial<BlobLike>;
  if (typeof arrayBuffer === "function" && typeof size === "number") return readBlob(source as BlobLike, settings);
  return readSource(source as ByteSource, settings, -1);
}

function readFetchBody(source: BodyLike, settings: Settings): Promise<Uint8Array | UnreadBody> | UnreadBody {
  const { body, headers } = source;
  if (source.bodyUsed) throw new TypeError("Cannot read this body: it was read already");
  const isResponse = "status" in source; // `fetch` has decompressed it
  const encoding = headers.get("content-encoding");
  const failure = checkHeaders(settings, headers.get("content-type"), isResponse ? null : encoding);
  if (failure !== null) return failure;
  const length = isResponse && isCompressed(encoding) ? -1 : lengthOfHeader(headers.get("content-length"));
  if (length > settings.maxBytes) {
    if (body !== null) void body.cancel().catch(() => {});
    return tooLarge(settings.maxBytes);
  }
  if (body === null) return Promise.resolve(new Uint8Array(0));
  return readSource(body, settings, length);
}

function readIncoming(message: IncomingMessageLike, settings: Settings): Promise<Uint8Array | UnreadBody> | UnreadBody {
  if (message.readableEnded || message.readableDidRead) {
    throw new TypeError("Cannot read this message: it was read already");
  }
  const { headers } = message;
  const failure = checkHeaders(
    settings,
    headers["content-type"] as string | undefined,
    headers["content-encoding"] as string | undefined,
  );
  if (failure !== null) return failure;
  const length = lengthOfHeader(headers["content-length"] as string | undefined);
  if (length > settings.maxBytes) return tooLarge(settings.maxBytes);
  if (message.destroyed) return aborted(undefined);
  if (settings.signal?.aborted) return interruptedBy(settings.signal.reason);
  return receiveMessage(message, settings, length);
}

async function receiveMessage(
  message: IncomingMessageLike,
  settings: Settings,
  length: number,
): Promise<Uint8Array | UnreadBody> {
  const { maxBytes } = settings;
  const received = new ReceivedBytes(length, maxBytes);
  let only: Uint8Array | null = null;
  let count = 0;
  let room = maxBytes;
  const failure = await readMessage(message, settings, (chunk) => {
    const size = lengthOf(chunk);
    if (size > room) return tooLarge(maxBytes);
    room -= size;
    if (count++ === 0) only = chunk;
    else {
      if (only !== null) addChunk(received, only);
      only = null;
      addChunk(received, chunk);
    }
    return null;
  });
  if (failure !== null) {
    received.free();
    return failure;
  }
  return only ?? received.finish();
}

function addChunk(received: ReceivedBytes, chunk: Uint8Array): void {
  received.add(chunk);
  detach(chunk);
}

async function readBlob(blob: BlobLike, settings: Settings): Promise<Uint8Array | UnreadBody> {
  const { maxBytes, signal } = settings;
  if (blob.size > maxBytes) return tooLarge(maxBytes);
  if (signal?.aborted) return interruptedBy(signal.reason);
  try {
    const buffer = await withLimits(blob.arrayBuffer(), settings);
    return isBuffer(buffer) ? new Uint8Array(buffer) : buffer;
  } catch (error) {
    return failureOfSource(error);
  }
}

function withLimits<T>(work: Promise<T>, settings: Settings): Promise<T | UnreadBody> {
  return settings.timeout === Infinity && settings.signal === undefined ? work : interruptible(work, settings);
}

async function readSource(source: ByteSource, settings: Settings, length: number): Promise<Uint8Array | UnreadBody> {
  const { maxBytes, signal } = settings;
  const chunks = openSource(source);
  const detaches = !(Symbol.iterator in source);
  const received = new ReceivedBytes(length, maxBytes);
  let result: Uint8Array | UnreadBody;
  try {
    result = signal?.aborted
      ? interruptedBy(signal.reason)
      : await withLimits(collect(chunks, received, maxBytes, detaches), settings);
  } catch (error) {
    received.free();
    void chunks.cancel(error);
    if (error instanceof ChunkTypeError) throw error;
    return failureOfSource(error);
  }
  if (!isView(result)) {
    received.free();
    void chunks.cancel(result.cause ?? result);
  }
  return result;
}

/** Reads all chunks, and returns their bytes. */
async function collect(
  chunks: Chunks,
  received: ReceivedBytes,
  maxBytes: number,
  detaches: boolean,
): Promise<Uint8Array | UnreadBody> {
  let room = maxBytes;
  for (let chunk = await chunks.next(); chunk !== undefined; chunk = await chunks.next()) {
    const size = lengthOf(chunk);
    try {
      if (size > room) return tooLarge(maxBytes);
      room -= size;
      received.add(chunk);
    } finally {
      if (detaches && !chunks.isReused(chunk)) detach(chunk);
    }
  }
  chunks.close();
  return received.finish();
}

function checkHeaders(
  { checksType }: Settings,
  type: string | null | undefined,
  encoding: string | null | undefined,
): UnreadBody | null {
  if (checksType && !isJsonType(type)) {
    return unsupportedMediaType("Body is not of a type of JSON in UTF-8: send application/json");
  }
  if (isCompressed(encoding)) {
    return unsupportedMediaType("Body is compressed: send it without Content-Encoding, or decompress it before");
  }
  return null;
}

function parseValue(bytes: Uint8Array, { guards, node }: ValueSettings): ParseResult {
  const plain = bytesOf(bytes)!;
  if (node === undefined) return guards === null ? parseDocument(plain) : parseGuarded(plain, guards);
  if (guards !== null) return selectGuarded(plain, node, guards);
  return isLargeInput(plain) ? selectLargeInput(plain, node) : selectDocument(plain, node);
}

async function parseAndCheck(
  bytes: Uint8Array,
  settings: ValueSettings,
  schema: StandardSchemaV1,
): Promise<ParseResult | SchemaFailure> {
  const own = isShared(bytes) ? new Uint8Array(bytes) : bytes;
  const parsed = parseValue(own, settings);
  if (!parsed.ok) return parsed;
  return resultOf(own, await schema["~standard"].validate(parsed.value), settings);
}

function resultOf(
  bytes: Uint8Array,
  checked: SchemaResult<unknown>,
  { guards }: ValueSettings,
): ParseSuccess | SchemaFailure {
  if (checked.issues === undefined) return { ok: true, value: checked.value };
  return schemaFailure(bytesOf(bytes) ?? NO_BYTES, checked.issues, guards?.duplicateKeys === "first");
}

function invalid(failure: ParseFailure): InvalidBody {
  (failure as InvalidBody).status = 400;
  return failure as InvalidBody;
}

function settingsOf(options: ReadJsonOptions): Settings {
  if (typeof options !== "object" || options === null) {
    throw new TypeError(`Cannot use ${String(options)} as options of readJson: expected an object`);
  }
  const { maxBytes = DEFAULT_MAX_BYTES, timeout = Infinity, signal, contentType = "any" } = options;
  checkMaxBytes(maxBytes);
  if (typeof timeout !== "number" || !(timeout >= 0)) {
    throw new TypeError(`Cannot wait for ${String(timeout)} milliseconds: expected a number from 0 up`);
  }
  if (contentType !== "any" && contentType !== "json") {
    throw new TypeError(`Cannot use contentType: ${String(contentType)}: expected "any" or "json"`);
  }
  if (signal !== undefined && typeof signal.addEventListener !== "function") {
    throw new TypeError("Cannot use signal: expected an AbortSignal");
  }
  if (options.schema !== undefined) checkSchema(options.schema);
  const { guards, node } = valueSettingsOf(options, NAMES, "readJson");
  return { guards, node, schema: options.schema, maxBytes, timeout, signal, checksType: contentType === "json" };
}

function valueSettingsOf(options: ParseWithSchemaOptions, names: readonly string[], caller: string): ValueSettings {
  const { select } = options;
  const node = select === undefined ? undefined : nodeOf(select);
  const guards = bodyGuardsOf(options, names, caller, select === undefined);
  return { guards, node, schema: undefined };
}

function checkSchema(schema: unknown): void {
  if ((typeof schema === "object" || typeof schema === "function") && schema !== null) {
    const properties = (schema as StandardSchemaV1)["~standard"];
    if (typeof properties === "object" && properties !== null && typeof properties.validate === "function") return;
  }
  throw notSchema();
}
