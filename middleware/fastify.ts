/**
 * JSON bodies for [Fastify](https://fastify.dev), in place of its own parser:
 * {@linkcode jsonParser}.
 *
 * @module
 */

import type { ParseFailure } from "../parse_binary.ts";
import { checkFlag } from "../parser/bodies/body_options.ts";
import { openDecompression } from "../parser/bodies/decompressor.ts";
import { isCompressed } from "../parser/bodies/headers.ts";
import { checkTimeout } from "../parser/bodies/interruption.ts";
import { freeBody, ownBytes } from "../parser/bodies/parse_body.ts";
import type { ReceivedBody } from "../parser/bodies/message_reader.ts";
import { type ChunkOptions, detachesChunks } from "../parser/streaming/byte_source.ts";
import type { ReadJsonFailure, ReadJsonResult } from "../read_json.ts";
import {
  asBuffer,
  type BodyBytes,
  type FailedRead,
  type NodeReadable,
  readNodeBody,
  type WithRawBody,
} from "./node_body.ts";
import { asError, mayLackBody, refusesUnchecked, uncheckedBody, type ValueOptions, valueParserOf } from "./options.ts";

export type { UncheckedOptions } from "./options.ts";
export type { BodyBytes, NodeReadable, ValueOptions, WithRawBody };

export type * from "./exported_types.ts";

/** Members of a Fastify request that are used. */
export interface FastifyRequestLike {
  /** Method, in upper case. */
  readonly method?: string;
  /** Whether there is no route for the request. */
  readonly is404?: boolean;
  /** Instance of the route. */
  readonly server?: object;
  /** Headers, with names in lower case. */
  readonly headers: { readonly [name: string]: string | string[] | undefined };
  /** Options of the route. */
  readonly routeOptions: { readonly bodyLimit?: number | undefined };
  /** Receives the value of a request without a body, if the schema makes one. */
  body?: unknown;
}

/** Stream of a body that Fastify passes to parsers. */
export interface FastifyPayload extends NodeReadable {
  /** Bytes received before a `preParsing` hook decompressed them. */
  receivedEncodedLength?: number | undefined;
}

/** Members of a Fastify instance that are used. */
export interface FastifyInstanceLike {
  /** Options of the instance. */
  readonly initialConfig: { readonly bodyLimit?: number | undefined; readonly onProtoPoisoning?: unknown };
  /** Returns whether there is a parser for a content type. */
  hasContentTypeParser(contentType: string | RegExp): boolean;
  /** Removes the parser for a content type. */
  removeContentTypeParser(contentType: string | RegExp): void;
  /** Adds a parser for a content type. */
  addContentTypeParser(
    contentType: string | RegExp,
    // deno-lint-ignore no-explicit-any
    parser: (request: any, payload: any) => Promise<unknown>,
  ): unknown;
  /** Adds a hook that runs between the parser and the handler. */
  addHook(
    name: "preValidation",
    // deno-lint-ignore no-explicit-any
    hook: (request: any, reply: any, done: any) => void,
  ): unknown;
}

/** Options of {@linkcode jsonParser}: guards of `parseBinary`, and options of Fastify's parser. */
export interface JsonParserOptions extends ValueOptions, ChunkOptions {
  /** Content types of the bodies to parse, `"application/json"` by default. */
  type?: string | RegExp | readonly (string | RegExp)[] | undefined;
  /** Maximum number of milliseconds for a body to arrive; unlimited by default. */
  timeout?: number | undefined;
  /**
   * `true` decompresses bodies that no `preParsing` hook has decompressed. `bodyLimit` limits them
   * before and after. `false` by default.
   */
  inflate?: boolean | undefined;
  /**
   * `true` sets `request.rawBody` to the bytes of the body, after decompression, for example to
   * check signatures. They are yours to keep or change. `false` by default.
   */
  keepBytes?: boolean | undefined;
  /**
   * Treatment of names that may poison prototypes. Defaults to the instance's option
   * `onProtoPoisoning`, which is `"reject"` unless it was changed.
   */
  protoKeys?: "keep" | "drop" | "reject" | undefined;
}

/** Error that {@linkcode jsonParser} passes to Fastify, which handles it like its own errors. */
export interface JsonParserError extends Error {
  /** Code of Fastify, such as `FST_ERR_CTP_INVALID_JSON_BODY`. */
  code: string;
  /** HTTP status. */
  statusCode: number;
  /** Failure of the parser or the schema, with lines and columns. */
  cause?: unknown;
}

/** Maximum bytes of a body if the instance does not set `bodyLimit`. */
const DEFAULT_LIMIT = 2 ** 20;

/** Values of Fastify's option `onProtoPoisoning`. */
const PROTO_ACTIONS = new Map<unknown, "keep" | "drop" | "reject">([
  ["ignore", "keep"],
  ["remove", "drop"],
  ["error", "reject"],
]);

/**
 * Parses JSON bodies in place of Fastify's own parser, as a plugin: for all routes of the instance
 * that it is registered on. It respects `bodyLimit`, of the instance and of each route, and its
 * errors have the codes, statuses and messages of Fastify's. The `cause` of an error
 * `FST_ERR_CTP_INVALID_JSON_BODY` is the failure of `parseBinary`, with line and column. A value
 * that does not conform to `schema` is an error `FST_ERR_VALIDATION` of status 422.
 *
 * With a schema, requests whose body the plugin has not parsed are refused with 400 or 415, except
 * GET, HEAD, OPTIONS, and DELETE without a body, unless `passUnchecked` is `true`.
 *
 * The bytes are freed once they are parsed.
 *
 * @param app Instance of Fastify.
 * @param options Guards of `parseBinary`, a schema, a time limit, and content types. Unknown
 * options are ignored, since Fastify adds some; so is `maxBytes`, in favour of `bodyLimit`.
 * @param done Called once the parser is registered, with a `TypeError` if an option is wrong.
 *
 * @example
 * ```ts ignore
 * import { jsonParser } from "@bytejson/bytejson/fastify";
 * import { fastify } from "fastify";
 *
 * const app = fastify({ bodyLimit: 1_000_000 });
 * await app.register(jsonParser, { maxDepth: 64, timeout: 10_000 });
 * app.post("/orders", (request) => ({ received: request.body }));
 * ```
 */
export function jsonParser(
  app: FastifyInstanceLike,
  options: JsonParserOptions,
  done: (error?: Error) => void,
): void {
  try {
    register(app, options);
  } catch (error) {
    return done(error as Error);
  }
  done();
}

// Fastify would give the plugin a separate instance, and other routes would not have the parser.
Object.assign(jsonParser, { [Symbol.for("skip-override")]: true, [Symbol.for("fastify.display-name")]: "bytejson" });

/** Property of instances: the instance that the plugin in force was registered on. */
const OWNER = Symbol("owner");

/** Instance whose plugin has parsed the body, by request. */
const parsedBy = new WeakMap<object, object>();

function register(app: FastifyInstanceLike, options: JsonParserOptions): void {
  const { type = "application/json", timeout, inflate = false, passUnchecked, keepBytes = false } = options;
  const { bodyLimit = DEFAULT_LIMIT, onProtoPoisoning } = app.initialConfig;
  checkTimeout(timeout);
  checkFlag("inflate", inflate);
  checkFlag("keepBytes", keepBytes);
  const detachChunks = detachesChunks(options);
  // For an unknown value, Fastify's own parser removes the names.
  const protoKeys = options.protoKeys ?? PROTO_ACTIONS.get(onProtoPoisoning || "error") ?? "drop";
  const { parse, settings: { allowsEmpty } } = valueParserOf({ ...options, protoKeys }, "jsonParser");

  const valueOf = async (bytes: Uint8Array): Promise<unknown> => {
    let result: ReadJsonResult;
    try {
      result = await parse(bytes);
    } catch (error) {
      throw asError(error);
    }
    if (!result.ok) throw refusal(result);
    return result.value;
  };
  const parser = async (request: FastifyRequestLike, payload: FastifyPayload): Promise<unknown> => {
    const limit = request.routeOptions.bodyLimit ?? bodyLimit;
    const received = await readPayload(request, payload, { limit, timeout, inflate, detachChunks });
    const { bytes } = received;
    if (keepBytes) (request as FastifyRequestLike & WithRawBody).rawBody = asBuffer(ownBytes(received));
    if (bytes.length === 0 && (passUnchecked || mayLackBody(request.method))) {
      parsedBy.set(request, app);
      return undefined;
    }
    if (bytes.length === 0 && !allowsEmpty) throw errorOf("FST_ERR_CTP_EMPTY_JSON_BODY", 400, EMPTY);
    try {
      return await valueOf(bytes);
    } finally {
      if (!keepBytes) freeBody(received);
      parsedBy.set(request, app);
    }
  };
  Object.defineProperty(app, OWNER, { value: app, configurable: true }); // inner instances inherit it
  if (refusesUnchecked(options)) {
    app.addHook("preValidation", (request: FastifyRequestLike, _reply, done: (error?: Error) => void) => {
      const isOther = (request.server as { [OWNER]?: object } | undefined)?.[OWNER] !== app; // an inner plugin counts
      if (isOther || request.is404 || parsedBy.get(request) === app) return done();
      const error = uncheckedError(request);
      if (!allowsEmpty || error?.code !== "FST_ERR_CTP_EMPTY_JSON_BODY") return done(error);
      valueOf(new Uint8Array(0)).then((value) => {
        request.body = value;
        done();
      }, done);
    });
  }
  for (const one of typeof type === "string" || type instanceof RegExp ? [type] : type) {
    if (app.hasContentTypeParser(one)) app.removeContentTypeParser(one); // the parser of an outer instance
    app.addContentTypeParser(one, parser);
  }
}

const EMPTY = "Body cannot be empty when content-type is set to 'application/json'";
const INVALID = "Body is not valid JSON but content-type is set to 'application/json'";

/** Reads a body. Throws the same errors as Fastify's own parsers. */
async function readPayload(
  { headers }: FastifyRequestLike,
  payload: FastifyPayload,
  { inflate, ...limits }: {
    limit: number;
    timeout: number | undefined;
    inflate: boolean;
    detachChunks: boolean;
  },
): Promise<ReceivedBody> {
  const length = Number(headers["content-length"]); // NaN without one
  if (length > limits.limit) throw tooLarge();
  const encoding = headers["content-encoding"] as string | undefined;
  // A hook that has decompressed the body sets the number of bytes before that.
  const isEncoded = inflate && payload.receivedEncodedLength === undefined && isCompressed(encoding);
  const decompression = isEncoded ? openDecompression(encoding) : undefined;
  if (isEncoded && decompression === undefined) {
    throw errorOf("FST_CP_ERR_INVALID_CONTENT_ENCODING", 415, "Unsupported Content-Encoding");
  }
  // The length is checked below, since a decompressed body does not have the announced one.
  const body = await readNodeBody(payload, { ...limits, length: undefined, decompression });
  if (!body.ok) throw readError(body);
  const { receivedEncodedLength = 0 } = payload;
  if (receivedEncodedLength > limits.limit) throw tooLarge();
  if (!isEncoded && !Number.isNaN(length) && (receivedEncodedLength || body.bytes.length) !== length) {
    const message = "Request body size did not match Content-Length";
    throw errorOf("FST_ERR_CTP_INVALID_CONTENT_LENGTH", 400, message);
  }
  return body;
}

function tooLarge(): JsonParserError {
  return errorOf("FST_ERR_CTP_BODY_TOO_LARGE", 413, "Request body is too large");
}

function readError({ code, cause }: FailedRead): JsonParserError {
  switch (code) {
    case "too-large":
      return tooLarge();
    case "timed-out":
      return errorOf("ERR_HTTP_REQUEST_TIMEOUT", 408, "Request body took too long");
    case "bad-compression": // like @fastify/compress
      return errorOf("FST_CP_ERR_INVALID_CONTENT", 400, "Could not decompress the request payload", cause);
    case "source-failed": {
      const failed = asError(cause) as JsonParserError;
      if (!(failed.statusCode >= 400)) failed.statusCode = 400;
      return failed;
    }
    default:
      return errorOf("ECONNRESET", 400, "aborted");
  }
}

/** Returns the error for a request that the schema has not checked; `undefined` if it may pass. */
function uncheckedError({ method, headers }: FastifyRequestLike): JsonParserError | undefined {
  switch (uncheckedBody(method, headers)) {
    case "other":
      return errorOf("FST_ERR_CTP_INVALID_MEDIA_TYPE", 415, "Unsupported Media Type");
    case "none":
      return errorOf("FST_ERR_CTP_EMPTY_JSON_BODY", 400, "Body cannot be empty");
  }
}

function refusal(failure: ReadJsonFailure | ParseFailure): JsonParserError {
  if (failure.code !== "schema") return errorOf("FST_ERR_CTP_INVALID_JSON_BODY", 400, INVALID, failure);
  const { issues: [issue] } = failure;
  const text = issue === undefined
    ? failure.message
    : `body${issue.path} ${issue.message} (line ${issue.line} column ${issue.column})`;
  return errorOf("FST_ERR_VALIDATION", failure.status, text, failure);
}

function errorOf(code: string, statusCode: number, message: string, cause?: unknown): JsonParserError {
  const error = cause === undefined ? new Error(message) : new Error(message, { cause });
  Object.defineProperty(error, "name", { value: "FastifyError", configurable: true, writable: true });
  return Object.assign(error, { code, statusCode });
}
