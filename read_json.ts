/**
 * Reads JSON from a request, a response, a stream or bytes, and checks it by a schema:
 * {@linkcode readJson} returns a value, or a failure with an HTTP status.
 * {@linkcode parseWithSchema} does the same for bytes that are already in memory.
 *
 * @module
 */

import { GUARD_NAMES } from "./parser/base/option_names.ts";
import type { InvalidBody, SchemaFailure, UnreadBody } from "./parser/bodies/body_failure.ts";
import {
  checkSchema,
  type ParseWithSchemaOptions,
  type ReadJsonOptions,
  valueSettingsOf,
} from "./parser/bodies/body_options.ts";
import { checkedResult, type ParsedBytes, parseValue, readAndParse } from "./parser/bodies/parse_body.ts";
import type { JsonSource } from "./parser/bodies/read_body.ts";
import type { SchemaOutput, SchemaResult, StandardSchemaV1 } from "./parser/bodies/standard_schema.ts";
import { describeFailure, detachedBuffer, type ParseFailure, type ParseSuccess } from "./parser/base/failure.ts";
import { bytesOf, lengthOf, NO_OPTIONS, unsharedView } from "./parser/engine/input.ts";
import { checkMaxBytes, has } from "./parser/streaming/byte_source.ts";
import type { Slice } from "./slice.ts";

export type { LocatedIssue, UnreadBodyCode } from "./parser/bodies/body_failure.ts";
export type { IncomingMessageLike } from "./parser/bodies/message_reader.ts";
export type { BlobLike, BodyLike } from "./parser/bodies/read_body.ts";
export type { SchemaIssue, StandardSchemaProperties } from "./parser/bodies/standard_schema.ts";
export type { FailureCode, ParseResult } from "./parser/base/failure.ts";
export type { ParseLimits, ParseOptions } from "./parser/options/options.ts";
export type { Selector } from "./parser/selection/selector.ts";
export type { BodySource, ByteSource, ChunkOptions } from "./parser/streaming/byte_source.ts";
export type * from "./slice.ts";
export type {
  InvalidBody,
  JsonSource,
  ParsedBytes,
  ParseFailure,
  ParseSuccess,
  ParseWithSchemaOptions,
  ReadJsonOptions,
  SchemaFailure,
  SchemaOutput,
  SchemaResult,
  StandardSchemaV1,
  UnreadBody,
};

/** Failure of {@linkcode readJson}; `code` distinguishes its kinds. */
export type ReadJsonFailure = InvalidBody | UnreadBody | SchemaFailure;

/** Result of {@linkcode readJson}. */
export type ReadJsonResult<T = unknown> = ParseSuccess<T> | ReadJsonFailure;

/** Result of {@linkcode parseWithSchema}. */
export type ParseWithSchemaResult<T = unknown> = ParseSuccess<T> | ParseFailure | SchemaFailure;

/** Names of the options of `parseWithSchema` that are not guards. */
const SCHEMA_NAMES = /* @__PURE__ */ GUARD_NAMES.concat("select");

/**
 * Reads a body to its end, parses it, and checks its value by a schema of
 * [Standard Schema](https://standardschema.dev), synchronous or not.
 *
 * A value that does not conform is the failure `"schema"`. Each issue has its location in the
 * bytes, which are kept until validation is done, and read again only if there are issues. For a
 * missing member, it is the location of the object that lacks it.
 *
 * @param source The source, as without a schema.
 * @param options The schema, and all options that are available without one.
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
 * if (result.ok || result.code !== "schema") throw new Error("It conforms");
 * const [{ path, line, column, start, end, issue }] = result.issues;
 * assertEquals({ path, line, column, start, end }, { path: "/id", line: 2, column: 9, start: 10, end: 13 });
 * assertEquals(issue, { path: ["id"], message: "Expected a number" }); // as the schema has made it
 * ```
 */
export function readJson<Schema extends StandardSchemaV1>(
  source: JsonSource,
  options: Omit<ReadJsonOptions, "schema"> & { schema: Schema; keepBytes: true },
): Promise<ParsedBytes<SchemaOutput<Schema>> | ReadJsonFailure>;
/** Reads a body and checks its value by a schema, like {@linkcode readJson}. */
export function readJson<Schema extends StandardSchemaV1>(
  source: JsonSource,
  options: Omit<ReadJsonOptions, "schema"> & { schema: Schema },
): Promise<ReadJsonResult<SchemaOutput<Schema>>>;
/** Like {@linkcode readJson}, but returns the bytes of the body, too. */
export function readJson<T = unknown>(
  source: JsonSource,
  options: ReadJsonOptions<T> & { keepBytes: true },
): Promise<ParsedBytes<T> | ReadJsonFailure>;
/**
 * Reads a body to its end, and parses it as `parseBinary` does.
 *
 * A bad body is a result, not a rejection, whether it is too large, too slow, broken or not JSON. A
 * failure has a `code`, a `message` for people, and the HTTP `status` to answer with:
 *
 * | code | status | reason |
 * | --- | --- | --- |
 * | codes of `parseBinary` | 400 | not a JSON text, or rejected by a guard; with offset, line, column |
 * | `"too-large"` | 413 | more than `maxBytes` were announced, or have arrived |
 * | `"unsupported-media-type"` | 415 | another `Content-Type`, if checked; a compressed body |
 * | `"bad-compression"` | 400 | with `inflate`: a body that cannot be decompressed |
 * | `"timed-out"` | 408 | the body has not arrived within `timeout` |
 * | `"aborted"` | 499 | the signal was aborted, or the peer has disconnected |
 * | `"source-failed"` | 400 | the source has failed for another reason, which is the `cause` |
 * | `"schema"` | 422 | the value does not conform to the schema |
 *
 * `Content-Length` is never trusted: bytes are counted, and at most 16 MiB are allocated for the
 * header alone. Bun has no means to do so for a `Request`, whose length its server checks. Bodies
 * with a `Content-Encoding` are refused without `inflate: true`, except those of a `Response`,
 * which `fetch` has decompressed.
 *
 * The bytes are freed after a failure too: 4,096 bytes or more immediately, fewer by the garbage
 * collector. Bytes of the caller, and the chunks of a source, stay as they are. With
 * `detachChunks: true`, each chunk is detached once it is read. After a failure, a stream is
 * cancelled and unlocked, and an `IncomingMessage` flows on, without listeners of this module, so
 * that it can be answered.
 *
 * @typeParam T Type that you expect the value to have. It is not checked.
 * @param source A `Request` or `Response`, an `IncomingMessage` of `node:http`, a `Blob`, a stream,
 * an iterable of bytes, or bytes.
 * @param options Limits of size and time, guards of `parseBinary`, and a selector.
 * @returns `{ ok: true, value }` or a failure. The promise rejects with a `TypeError` for a source
 * of another type, a body that was read already, a locked stream, a chunk that is not a
 * `Uint8Array`, and an option that is unknown or has a wrong value: programming errors.
 *
 * @example
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
 */
export function readJson<T = unknown>(
  source: JsonSource,
  options?: ReadJsonOptions<T>,
): Promise<ReadJsonResult<T>>;
export function readJson(source: JsonSource, options?: ReadJsonOptions): Promise<ReadJsonResult> {
  return readAndParse(source, options, null);
}

/**
 * Parses a JSON text in bytes, and checks its value by a synchronous schema of
 * [Standard Schema](https://standardschema.dev).
 *
 * Each issue has its location in the bytes, which are read again only if there are issues.
 *
 * @param input The bytes, as `parseBinary` takes them. They are never detached.
 * @param schema The schema.
 * @param options Guards of `parseBinary`, and a selector of what the schema checks.
 * @returns `{ ok: true, value }` with what the schema returns. For input that is not a JSON text or
 * that the options refuse, the failure of `parseBinary`. For a value that does not conform,
 * `{ ok: false, code: "schema", message, status: 422, issues, issueCount }`.
 * @throws {TypeError} If `input` is not bytes, `schema` is not a schema or an asynchronous one, or
 * an option is unknown or has a wrong value. Errors of the schema are thrown as they are.
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
  options: ParseWithSchemaOptions = NO_OPTIONS,
): ParseWithSchemaResult<SchemaOutput<Schema>> {
  checkSchema(schema);
  const settings = valueSettingsOf(options, SCHEMA_NAMES, "parseWithSchema");
  const bytes = bytesOf(input);
  if (bytes === null) return detachedBuffer();
  const { maxBytes = Infinity } = options;
  checkMaxBytes(maxBytes);
  if (lengthOf(bytes) > maxBytes) return describeFailure(bytes, "too-many-bytes", maxBytes);
  const own = unsharedView(bytes);
  const parsed = parseValue(own, settings);
  if (!parsed.ok) return parsed;
  const checked = schema["~standard"].validate(parsed.value);
  if (has(checked, "then")) { // of another realm, or of a library
    (checked as PromiseLike<unknown>).then(() => {}, () => {});
    throw new TypeError("Cannot parse with an asynchronous schema: use readJson");
  }
  return checkedResult(own, checked as SchemaResult<unknown>, settings) as ParseWithSchemaResult<SchemaOutput<Schema>>;
}
