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
import { type BodyLimits, hasTimeLimits, interruptible } from "./parser/bodies/interruption.ts";
import { schemaFailure } from "./parser/bodies/located_issues.ts";
import { type IncomingMessageLike, readMessage } from "./parser/bodies/message_reader.ts";
import { hasTrueLength } from "./parser/bodies/received_request.ts";
import { parseSmallBody } from "./parser/bodies/small_body.ts";
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
import { bytesOf, isBuffer, isShared, lengthOf, NO_OPTIONS, plainView } from "./parser/engine/input.ts";
import {
  BODY_OPTION_NAMES,
  bodyGuardsOf,
  checkContentType,
  checkTimeout,
  type Guards,
  type ParseLimits,
  type ParseOptions,
} from "./parser/guards/options.ts";
import type { MaskNode } from "./parser/selecting/mask_node.ts";
import { isLargeInput, selectLargeInput } from "./parser/selecting/select_large.ts";
import { selectDocument, selectGuarded } from "./parser/selecting/select_document.ts";
import { nodeOf, type Selector } from "./parser/selecting/selector.ts";
import { type ByteSource, checkMaxBytes, type Chunks, has, openSource } from "./parser/streaming/byte_source.ts";
import { detach } from "./detach.ts";
import { ReceivedBytes, ReceivedMessage } from "./received_bytes.ts";
import type { Slice, SliceEncoding, SliceExpression } from "./slice.ts";

export type {
  ByteSource,
  FailureCode,
  IncomingMessageLike,
  InvalidBody,
  LocatedIssue,
  ParseFailure,
  ParseLimits,
  ParseOptions,
  ParseResult,
  ParseSuccess,
  SchemaFailure,
  SchemaIssue,
  SchemaOutput,
  SchemaResult,
  Selector,
  Slice,
  SliceEncoding,
  SliceExpression,
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
  /** Reads the body whole. */
  bytes?(): Promise<Uint8Array>;
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

/** Bytes of a body, or the failure to read it. */
type Received = Uint8Array | ArrayBuffer | UnreadBody;

/** Options of values, checked. */
interface ValueSettings {
  readonly guards: Guards | null;
  /** Mask; `undefined` if all is wanted. */
  readonly node: MaskNode | null | undefined;
  readonly schema: StandardSchemaV1 | undefined;
}

/** Options, checked. */
interface Settings extends ValueSettings, BodyLimits {
  readonly checksType: boolean;
}

const DEFAULT_MAX_BYTES = 2 ** 20;

/** Most bytes of a body that is read by `arrayBuffer`, faster than by its stream. */
const MAX_WHOLE = 2 ** 21;

const DEFAULTS: Settings = {
  guards: null,
  node: undefined,
  schema: undefined,
  maxBytes: DEFAULT_MAX_BYTES,
  timeout: Infinity,
  signal: undefined,
  checksType: false,
};

/** Fewest bytes that are detached. Fewer cost more to detach than to collect. */
const MIN_FREED = 4096;

/** Names of the options of `parseWithSchema` that are no guards. */
const SCHEMA_NAMES = ["select"];

const { isView } = ArrayBuffer;
const { hasOwn, isFrozen } = Object;
const { apply } = Reflect;
const { get, set } = WeakMap.prototype;

const NO_BYTES = /* @__PURE__ */ new Uint8Array(0);

/**
 * Reads a body to its end, parses it, and checks its value by a schema of
 * [Standard Schema](https://standardschema.dev), synchronous or not.
 *
 * A value that does not conform is the failure `"schema"`. Each issue has its place in the bytes,
 * which are kept until the schema has answered, and read again only if there are issues. If a
 * member is missing, the place is that of the object that lacks it.
 *
 * @param source The source, as without a schema.
 * @param options The schema, and all options that there are without one.
 * @returns `{ ok: true, value }` with what the schema returns, or a failure. The promise rejects as
 * without a schema, and with the error of a schema that throws or rejects.
 *
 * @example
 * ```ts
 * import { readJson, type StandardSchemaV1 } from "@bytejson/bytejson/read-json";
 * import { assertEquals } from "@std/assert";
 *
 * const schema: StandardSchemaV1<unknown, { id: number }> = { // or z.object({ id: z.number() })
 *   "~standard": {
 *     version: 1,
 *     vendor: "example",
 *     validate(value) {
 *       const { id } = Object(value);
 *       return typeof id === "number" ? { value: { id } } : { issues: [{ path: ["id"], message: "Expected a number" }] };
 *     },
 *   },
 * };
 * const request = new Request("https://example.org/", { method: "POST", body: '{\n  "id": "7"\n}' });
 * const result = await readJson(request, { schema });
 * assertEquals(!result.ok && result.code === "schema" && result.issues, [
 *   { message: "Expected a number", path: "/id", start: 10, end: 13, line: 2, column: 9 },
 * ]);
 * ```
 */
export function readJson<Schema extends StandardSchemaV1>(
  source: JsonSource,
  options: Omit<ReadJsonOptions, "schema"> & { schema: Schema },
): Promise<ReadJsonResult<SchemaOutput<Schema>>>;
/**
 * Reads a body to its end, and parses it as `parseBinary` does.
 *
 * There is one result whatever the peer does: no promise rejects because a body is too large, slow,
 * broken or not JSON. A failure has a `code`, a `message` for people, and the `status` of HTTP to
 * answer with:
 *
 * | code | status | reason |
 * | --- | --- | --- |
 * | codes of `parseBinary` | 400 | no JSON text, or a guard refuses it; with offset, line, column |
 * | `"too-large"` | 413 | more than `maxBytes` were announced, or have arrived |
 * | `"unsupported-media-type"` | 415 | another `Content-Type`, if checked; a compressed body |
 * | `"timed-out"` | 408 | the body has not arrived within `timeout` |
 * | `"aborted"` | 499 | the signal was aborted, or the peer has gone away |
 * | `"source-failed"` | 400 | the source has failed for another reason, which is the `cause` |
 * | `"schema"` | 422 | the value does not conform to the schema |
 *
 * `Content-Length` is never trusted: bytes are counted, and at most 16 MiB are allocated for the
 * header alone. Bun has no means to do so for a `Request`, whose length its server checks. Bodies
 * with a `Content-Encoding` are refused, except those of a `Response`, which `fetch` has decoded.
 * To read them, pass `body.pipeThrough(new DecompressionStream("gzip"))`.
 *
 * The bytes are freed, whatever the result: `Request`, `Response`, `Blob` and `IncomingMessage` are
 * read to their end, and chunks of a stream or an async iterable are detached. Bytes of the caller,
 * and chunks of an array, stay as they are. After a failure, a stream is cancelled and unlocked,
 * and an `IncomingMessage` flows on, without listeners of this module, so that it can be answered.
 *
 * @typeParam T Type that you expect the value to have. It is not checked.
 * @param source A `Request` or `Response`, an `IncomingMessage` of `node:http`, a `Blob`, a stream,
 * an iterable of bytes, or bytes.
 * @param options Limits of size and time, guards of `parseBinary`, and a selector.
 * @returns `{ ok: true, value }` or a failure. The promise rejects with a `TypeError` for a source
 * of another type, a body that was read already, a locked stream, a chunk that is not a
 * `Uint8Array`, and an option that is unknown or has a wrong value: programming errors.
 *
 * @example The body of a request
 * ```ts
 * import { readJson } from "@bytejson/bytejson/read-json";
 * import { assertEquals } from "@std/assert";
 *
 * async function handle(request: Request): Promise<Response> {
 *   const result = await readJson<{ id: number }>(request, { maxBytes: 100_000, timeout: 10_000 });
 *   if (!result.ok) return Response.json({ error: result.message }, { status: result.status });
 *   return Response.json({ received: result.value.id });
 * }
 *
 * const request = new Request("https://example.org/", { method: "POST", body: '{"id": 7}' });
 * assertEquals(await (await handle(request)).json(), { received: 7 });
 * ```
 *
 * @example A body that is too large
 * ```ts
 * import { readJson } from "@bytejson/bytejson/read-json";
 * import { assertEquals } from "@std/assert";
 *
 * const result = await readJson(new Blob(["[1, 2, 3]"]), { maxBytes: 5 });
 * assertEquals(result, { ok: false, code: "too-large", message: "Body is larger than 5 bytes", status: 413 });
 * ```
 */
export function readJson<T = unknown>(
  source: JsonSource,
  options?: ReadJsonOptions<T>,
): Promise<ReadJsonResult<T>>;
export async function readJson(source: JsonSource, options?: ReadJsonOptions): Promise<ReadJsonResult> {
  const settings = options === undefined ? DEFAULTS : settingsOf(options);
  if (typeof source !== "object" || source === null) throw notBody(source);
  const body = isView(source) ? null : bodyOf(source, settings);
  if (body === null) return await readGiven(source, settings);
  let received: Received;
  try {
    received = await body;
  } catch (error) {
    if (error instanceof ChunkTypeError) throw error;
    return failureOfSource(error);
  }
  if (!isView(received)) {
    if (hasOwn(received, "ok")) return received as UnreadBody;
    received = new Uint8Array(received as ArrayBuffer);
  }
  try {
    if (lengthOf(received) > settings.maxBytes) return tooLarge(settings.maxBytes); // not what was announced
    if (settings.schema !== undefined) return await parseAndCheck(privateBytes(received), settings, settings.schema);
    const result = parseValue(received, settings);
    return result.ok ? result : invalid(result);
  } finally {
    if (lengthOf(received) >= MIN_FREED) detach(received);
  }
}

/**
 * Parses a JSON text in bytes, and checks its value by a synchronous schema of
 * [Standard Schema](https://standardschema.dev).
 *
 * Each issue has its place in the bytes, which are read again only if there are issues.
 *
 * @param input The bytes, as `parseBinary` takes them. They are never detached.
 * @param schema The schema.
 * @param options Guards of `parseBinary`, and a selector of what the schema checks.
 * @returns `{ ok: true, value }` with what the schema returns. For input that is not a JSON text or
 * that the options refuse, the failure of `parseBinary`. For a value that does not conform,
 * `{ ok: false, code: "schema", message, status: 422, issues, issueCount }`.
 * @throws {TypeError} If `input` is not bytes, `schema` is no schema or an asynchronous one, or an
 * option is unknown or has a wrong value. Errors of the schema are thrown as they are.
 * @throws {RangeError} If `input` is a slice whose fields were set to a range that is not within
 * its buffer.
 *
 * @example
 * ```ts
 * import { parseWithSchema, type StandardSchemaV1 } from "@bytejson/bytejson/read-json";
 * import { assertEquals } from "@std/assert";
 *
 * const list: StandardSchemaV1<unknown, unknown[]> = { // or z.array(z.unknown())
 *   "~standard": {
 *     version: 1,
 *     vendor: "example",
 *     validate: (value) => Array.isArray(value) ? { value } : { issues: [{ message: "Expected a list" }] },
 *   },
 * };
 * const encoder = new TextEncoder();
 * assertEquals(parseWithSchema(encoder.encode("[1]"), list), { ok: true, value: [1] });
 *
 * const wrong = parseWithSchema(encoder.encode(' {"a": 1}'), list);
 * assertEquals(!wrong.ok && wrong.message, "Value does not conform to the schema (line 1 column 2)");
 * ```
 */
export function parseWithSchema<Schema extends StandardSchemaV1>(
  input: Uint8Array | ArrayBuffer | SharedArrayBuffer | Slice,
  schema: Schema,
  options?: ParseWithSchemaOptions,
): ParseWithSchemaResult<SchemaOutput<Schema>> {
  checkSchema(schema);
  const settings = valueSettingsOf(options ?? NO_OPTIONS, SCHEMA_NAMES, "parseWithSchema");
  const bytes = bytesOf(input);
  if (bytes === null) return describeFailure(NO_BYTES, "detached-buffer", 0);
  const { maxBytes = Infinity } = options ?? NO_OPTIONS as ParseWithSchemaOptions;
  checkMaxBytes(maxBytes);
  if (lengthOf(bytes) > maxBytes) return describeFailure(bytes, "too-many-bytes", maxBytes);
  const own = privateBytes(bytes);
  const parsed = parseValue(own, settings);
  if (!parsed.ok) return parsed;
  const checked = schema["~standard"].validate(parsed.value);
  if (has(checked, "then")) { // of another realm, or of a library
    (checked as PromiseLike<unknown>).then(ignore, ignore);
    throw new TypeError("Cannot parse with an asynchronous schema: use readJson");
  }
  return resultOf(own, checked as SchemaResult<unknown>, settings) as ParseWithSchemaResult<SchemaOutput<Schema>>;
}

/** Reads bytes of the caller. */
function readGiven(source: unknown, settings: Settings): ReadJsonResult | Promise<ReadJsonResult> {
  const bytes = bytesOf(source);
  if (bytes === null) return invalid(describeFailure(NO_BYTES, "detached-buffer", 0));
  if (settings.signal?.aborted) return interruptedBy(settings.signal.reason);
  if (lengthOf(bytes) > settings.maxBytes) return tooLarge(settings.maxBytes);
  if (settings.schema !== undefined) return parseAndCheck(privateBytes(bytes), settings, settings.schema);
  const result = parseValue(bytes, settings);
  return result.ok ? result : invalid(result);
}

/** Begins to read a source; returns `null` if it is bytes. */
function bodyOf(source: object, settings: Settings): Promise<Received> | UnreadBody | null {
  if (has(source, "headers")) {
    const { headers } = source as BodyLike | IncomingMessageLike;
    if (typeof headers.get === "function") return readFetchBody(source as BodyLike, headers as Headers, settings);
    if (has(source, "on")) return readIncoming(source as IncomingMessageLike, settings);
  }
  if (has(source, "arrayBuffer")) return readBlob(source as BlobLike, settings);
  if (has(source, "getReader") || has(source, Symbol.asyncIterator)) {
    return readStream(source as ByteSource, settings, -1, true);
  }
  if (has(source, Symbol.iterator)) return readStream(source as ByteSource, settings, -1, false);
  if (isBuffer(source)) return null;
  throw notBody(source);
}

function readFetchBody(
  source: BodyLike,
  headers: BodyLike["headers"],
  settings: Settings,
): Promise<Received> | UnreadBody {
  if (source.bodyUsed) throw new TypeError("Cannot read this body: it was read already");
  const isResponse = has(source, "status");
  const encoding = headers.get("content-encoding");
  const type = settings.checksType ? headers.get("content-type") : null;
  const failure = checkHeaders(settings, type, isResponse ? null : encoding); // `fetch` has decompressed it
  if (failure !== null) {
    void source.body?.cancel().catch(ignore);
    return failure;
  }
  const length = isResponse && encoding !== null ? -1 : lengthOfHeader(headers.get("content-length"));
  const { maxBytes, signal } = settings;
  if (length > maxBytes) {
    void source.body?.cancel().catch(ignore);
    return tooLarge(maxBytes);
  }
  if (signal?.aborted) {
    void source.body?.cancel(signal.reason).catch(ignore);
    return interruptedBy(signal.reason);
  }
  if (length >= 0 && length <= MAX_WHOLE && !isResponse && hasTrueLength(source)) return readReceived(source, settings);
  const { body } = source;
  return body === null ? Promise.resolve(new Uint8Array(0)) : readStream(body, settings, length, true);
}

function readIncoming(message: IncomingMessageLike, settings: Settings): Promise<Received> | UnreadBody {
  if (message.readableDidRead || message.readableEnded) {
    throw new TypeError("Cannot read this message: it was read already");
  }
  const { headers } = message;
  const type = headers["content-type"] as string | undefined;
  const failure = checkHeaders(settings, type, headers["content-encoding"] as string | undefined);
  if (failure !== null) return dropped(message, failure);
  const length = lengthOfHeader(headers["content-length"] as string | undefined);
  const { maxBytes, signal } = settings;
  if (length > maxBytes) return dropped(message, tooLarge(maxBytes));
  if (message.destroyed) return aborted(undefined);
  if (signal?.aborted) return dropped(message, interruptedBy(signal.reason));
  return readMessage(message, settings, new ReceivedMessage(length, maxBytes));
}

/** Lets a message flow on that is not read, so that it can be answered. */
function dropped(message: IncomingMessageLike, failure: UnreadBody): UnreadBody {
  message.resume();
  return failure;
}

function readBlob(blob: BlobLike, settings: Settings): Promise<Received> | UnreadBody {
  const { maxBytes, signal } = settings;
  if (blob.size > maxBytes) return tooLarge(maxBytes);
  if (signal?.aborted) return interruptedBy(signal.reason);
  return readWhole(blob, settings);
}

/** Reads a request at once that the server has received. */
function readReceived(source: BodyLike, settings: Settings): Promise<Received> {
  if (typeof source.bytes !== "function" || hasTimeLimits(settings)) return readWhole(source, settings);
  return source.bytes();
}

/** Reads a body at once. Its length is known. */
function readWhole(source: BodyLike | BlobLike, settings: Settings): Promise<Received> {
  const reading = source.arrayBuffer();
  if (!hasTimeLimits(settings)) return reading;
  return interruptible(reading, settings, detach);
}

/** Reads chunks. Those that are not the caller's are freed. */
function readStream(
  source: ByteSource,
  settings: Settings,
  length: number,
  isOwn: boolean,
): Promise<Received> | UnreadBody {
  const { maxBytes, signal } = settings;
  const chunks = openSource(source);
  if (signal?.aborted) {
    void chunks.cancel(signal.reason);
    return interruptedBy(signal.reason);
  }
  return readChunks(chunks, new ReceivedBytes(length, maxBytes), settings, isOwn);
}

async function readChunks(
  chunks: Chunks,
  received: ReceivedBytes,
  settings: Settings,
  isOwn: boolean,
): Promise<Uint8Array | UnreadBody> {
  try {
    const work = receive(chunks, received, settings.maxBytes, isOwn);
    const result = hasTimeLimits(settings) ? await interruptible(work, settings, ignore) : await work;
    if (isView(result)) return result;
    received.free();
    void chunks.cancel(result.cause ?? result);
    return result;
  } catch (error) {
    received.free();
    void chunks.cancel(error);
    throw error;
  }
}

/** Receives all chunks, and returns their bytes. */
async function receive(
  chunks: Chunks,
  received: ReceivedBytes,
  maxBytes: number,
  isOwn: boolean,
): Promise<Uint8Array | UnreadBody> {
  let room = maxBytes;
  for (let chunk = await chunks.next(); chunk !== undefined; chunk = await chunks.next()) {
    try {
      const size = lengthOf(chunk);
      if (size > room) return tooLarge(maxBytes);
      room -= size;
      received.add(chunk);
    } finally {
      if (isOwn && !chunks.isReused(chunk)) detach(chunk);
    }
  }
  chunks.close();
  return received.finish();
}

function ignore(): void {}

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

/** Parses bytes, and checks the value. */
async function parseAndCheck(
  bytes: Uint8Array,
  settings: Settings,
  schema: StandardSchemaV1,
): Promise<ReadJsonResult> {
  const parsed = parseValue(bytes, settings);
  if (!parsed.ok) return invalid(parsed);
  return resultOf(bytes, await schema["~standard"].validate(parsed.value), settings);
}

/** Returns bytes that no other thread can change, since they may be read twice. */
function privateBytes(bytes: Uint8Array): Uint8Array {
  return isShared(bytes) ? new Uint8Array(plainView(bytes)) : bytes;
}

function parseValue(bytes: Uint8Array, { guards, node }: ValueSettings): ParseResult {
  const small = node === undefined && guards === null ? parseSmallBody(bytes, lengthOf(bytes)) : null;
  if (small !== null) return small;
  const plain = bytesOf(bytes)!;
  if (node === undefined) return guards === null ? parseDocument(plain) : parseGuarded(plain, guards);
  const select = isLargeInput(plain) ? selectLargeInput : selectDocument; // not covered: needs 2 GiB
  return guards === null ? select(plain, node) : selectGuarded(plain, node, guards, select);
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

/** Checked options by objects of options that are frozen. */
const checked = /* @__PURE__ */ new WeakMap<object, Settings>();

/**
 * Checks options; those of a frozen object once.
 *
 * @throws {TypeError} If one is unknown or has a wrong value.
 */
function settingsOf(options: ReadJsonOptions): Settings {
  if (typeof options !== "object" || options === null) {
    throw new TypeError(`Cannot use ${String(options)} as options of readJson: expected an object`);
  }
  const known = apply(get, checked, [options]) as Settings | undefined; // before `isFrozen`, which is slower
  if (known !== undefined) return known;
  const settings = readSettings(options);
  if (isFrozen(options)) apply(set, checked, [options, settings]);
  return settings;
}

function readSettings(options: ReadJsonOptions): Settings {
  const { maxBytes = DEFAULT_MAX_BYTES, timeout = Infinity, signal, contentType = "any" } = options;
  checkMaxBytes(maxBytes);
  checkTimeout(timeout);
  checkContentType(contentType);
  if (signal !== undefined && typeof signal.addEventListener !== "function") {
    throw new TypeError(`Cannot use signal: ${String(signal)}: expected an AbortSignal`);
  }
  if (options.schema !== undefined) checkSchema(options.schema);
  const { guards, node } = valueSettingsOf(options, BODY_OPTION_NAMES, "readJson");
  return { guards, node, schema: options.schema, maxBytes, timeout, signal, checksType: contentType === "json" };
}

function valueSettingsOf(options: ParseWithSchemaOptions, names: readonly string[], caller: string): ValueSettings {
  const { select } = options;
  const node = select === undefined ? undefined : nodeOf(select);
  const guards = bodyGuardsOf(options, names, caller);
  return { guards, node, schema: undefined };
}

function checkSchema(schema: unknown): void {
  if ((typeof schema === "object" || typeof schema === "function") && schema !== null) {
    const properties = (schema as StandardSchemaV1)["~standard"];
    if (typeof properties === "object" && properties !== null && typeof properties.validate === "function") return;
  }
  throw notSchema();
}
