/**
 * JSON bodies for [Express](https://expressjs.com), in place of `express.json()`:
 * {@linkcode json}.
 *
 * @module
 */

import { detach } from "../detach.ts";
import type { ParseFailure } from "../parse_binary.ts";
import { describeFailure } from "../parser/base/failure.ts";
import { openDecompression } from "../parser/bodies/decompressor.ts";
import { isByteArray, NO_OPTIONS } from "../parser/engine/input.ts";
import { skipByteOrderMark } from "../parser/engine/input_view.ts";
import type { ReadJsonResult } from "../read_json.ts";
import { isKnownCharset, toText, toUtf8 } from "./charset.ts";
import { charsetOf } from "./content_type.ts";
import { errorOf, type JsonError, readErrorOf, refusal, thrownError } from "./express_error.ts";
import {
  type BodyBytes,
  headerOf,
  type JsonOptions,
  type JsonRequest,
  type JsonResponse,
  type JsonSettings,
  settingsOf,
} from "./express_options.ts";
import { readNodeBody } from "./node_body.ts";
import { asError, mayLackBody, uncheckedBody } from "./options.ts";
import { reviveValue } from "./revive.ts";

export type { NodeReadable } from "./node_body.ts";
export type { UncheckedOptions, ValueOptions } from "./options.ts";
export type { Reviver, ReviverContext } from "./revive.ts";
export type { BodyBytes, JsonError, JsonOptions, JsonRequest, JsonResponse };

export type * from "./exported_types.ts";

/** Middleware of Express and Connect. */
export type JsonMiddleware<Request = JsonRequest, Response = JsonResponse> = (
  request: Request,
  response: Response,
  next: (error?: unknown) => void,
) => void;

/**
 * Makes a middleware that parses JSON bodies, in place of `express.json()`. It takes the options of
 * `express.json()`, sets `request.body`, and passes on errors with the `type` and `status` that
 * body-parser's have. The guards of `parseBinary` are options, too.
 *
 * A body that cannot be parsed is an error with the `cause` that `parseBinary` returns: its code,
 * offset, line and column. The bytes are freed once they are parsed, unless `verify` has seen them.
 * Compressed bodies are accepted where the runtime's `DecompressionStream` knows the compression.
 *
 * @typeParam Request Type of requests, for the functions among the options.
 * @typeParam Response Type of responses, for the functions among the options.
 * @param options Options of `express.json()`, and guards.
 * @returns The middleware. It leaves `body` undefined where there is no body, or one of another
 * type; with a schema, it refuses such requests, except GET, HEAD, OPTIONS, and DELETE without a
 * body, unless `passUnchecked` is `true`. It calls `next` with a {@linkcode JsonError} for a body
 * that cannot be read or parsed.
 * @throws {TypeError} If an option has a wrong value, or if `reviver` is combined with `select` or
 * `schema`.
 *
 * @example
 * ```ts ignore
 * import { json } from "@bytejson/bytejson/express";
 * import express from "express";
 *
 * const app = express();
 * app.use(json({ limit: "1mb", maxDepth: 64, protoKeys: "reject" }));
 * app.post("/orders", (request, response) => response.json({ received: request.body }));
 * ```
 */
export function json<Request extends JsonRequest = JsonRequest, Response extends JsonResponse = JsonResponse>(
  options: JsonOptions<Request, Response> | null = NO_OPTIONS,
): JsonMiddleware<Request, Response> {
  const settings = settingsOf((options ?? NO_OPTIONS) as unknown as JsonOptions);
  const checked = new WeakSet<object>();
  return function jsonParser(request, response, next) {
    if (isConsumed(request)) return next(checked.has(request) ? undefined : uncheckedError(request, settings));
    if (!("body" in request)) request.body = undefined;
    if (!hasBody(request)) return next(uncheckedError(request, settings));
    let isWanted: unknown;
    try {
      isWanted = settings.isWanted(request);
    } catch (error) {
      return next(asError(error));
    }
    if (!isWanted) return next(uncheckedError(request, settings));
    readValue(request, response, settings, isWanted).then((value) => {
      request.body = value;
      if (settings.isStrict) checked.add(request);
      next();
    }, (error) => next(asError(error)));
  };
}

/** Returns the error for a request that the schema cannot check; `undefined` if it may pass. */
function uncheckedError(request: JsonRequest, { isStrict }: JsonSettings): JsonError | undefined {
  switch (isStrict && uncheckedBody(request.method, request.headers)) {
    case "other":
      return isConsumed(request)
        ? errorOf(400, "request.read.before", "request body was read before the schema could check it")
        : errorOf(415, "media.type.unsupported", "unsupported media type");
    case "none":
      return errorOf(400, "entity.missing", "request has no body");
  }
}

/** Returns whether the body was read already, such as by the same middleware. */
function isConsumed({ complete, readable }: JsonRequest): boolean {
  return complete === true && readable === false;
}

function hasBody(request: JsonRequest): boolean {
  return headerOf(request, "transfer-encoding") !== undefined || lengthOf(request) !== undefined;
}

/** Reads the value of a body. Rejects with the error to pass on. */
async function readValue(
  request: JsonRequest,
  response: JsonResponse,
  settings: JsonSettings,
  isWanted: unknown,
): Promise<unknown> {
  if (isWanted instanceof Promise && !await isWanted) {
    const error = uncheckedError(request, settings);
    if (error !== undefined) throw error;
    return undefined;
  }
  const charset = charsetOf(headerOf(request, "content-type")) || settings.defaultCharset;
  if (!isKnownCharset(charset)) {
    throw errorOf(415, "charset.unsupported", `unsupported charset "${charset.toUpperCase()}"`, { charset });
  }
  const bytes = await readBytesOf(request, response, settings);
  const mayPass = settings.isChecked && (!settings.isStrict || mayLackBody(request.method));
  if (bytes.length === 0 && mayPass) return undefined;
  if (settings.verify !== undefined) await verify(request, response, bytes, charset, settings.verify);
  const utf8 = toUtf8(bytes, charset);
  if (utf8 === undefined) throw refusal(describeFailure(bytes, "invalid-utf8", 0), bytes, charset);
  const isEmpty = utf8.length === skipByteOrderMark(utf8, utf8.length); // an empty object for body-parser
  const result = await parse(isEmpty ? new TextEncoder().encode("{}") : utf8, settings);
  if (!result.ok) throw refusal(result, bytes, charset);
  let { value } = result;
  if (settings.reviver && !isEmpty) {
    try {
      value = reviveValue(value, settings.reviver, utf8);
    } catch (error) {
      throw thrownError(error, 400, "entity.parse.failed", { body: toText(bytes, charset) });
    }
  }
  if (settings.verify === undefined) detach(bytes);
  return value;
}

/** Reads the bytes of a body, without compression. Rejects with the error to pass on. */
async function readBytesOf(
  request: JsonRequest,
  response: JsonResponse,
  { inflate, limit, timeout }: JsonSettings,
): Promise<Uint8Array> {
  const encoding = (headerOf(request, "content-encoding") || "identity").toLowerCase();
  const isEncoded = encoding !== "identity";
  const decompression = isEncoded && inflate ? openDecompression(encoding) : undefined;
  if (isEncoded && decompression === undefined) {
    const message = inflate ? `unsupported content encoding "${encoding}"` : "content encoding unsupported";
    throw errorOf(415, "encoding.unsupported", message, { encoding });
  }
  const length = isEncoded ? undefined : lengthOf(request);
  if (length !== undefined && length > limit) {
    request.resume();
    throw errorOf(413, "entity.too.large", "request entity too large", { expected: length, length, limit });
  }
  checkReadable(request);
  const body = await readNodeBody(request, { limit, length, timeout, decompression });
  if (isByteArray(body)) return body;
  // The rest of a body that is too slow would keep the connection busy.
  if (body.code === "timed-out" && !response.headersSent) response.setHeader("connection", "close");
  throw readErrorOf(body, length, limit);
}

function lengthOf(request: JsonRequest): number | undefined {
  const length = Number(headerOf(request, "content-length"));
  return Number.isNaN(length) ? undefined : length;
}

/** Throws an error for mistakes of the program, as body-parser does. */
function checkReadable(request: JsonRequest): void {
  const { readableEncoding } = request as { readableEncoding?: unknown };
  if (readableEncoding) throw errorOf(500, "stream.encoding.set", "stream encoding should not be set");
  if (request.readable === false && !request.destroyed) {
    throw errorOf(500, "stream.not.readable", "stream is not readable");
  }
}

/** Calls the function of the option `verify`. Rejects with the error to pass on. */
async function verify(
  request: JsonRequest,
  response: JsonResponse,
  bytes: Uint8Array,
  charset: string,
  check: NonNullable<JsonSettings["verify"]>,
): Promise<void> {
  const body = asBuffer(bytes);
  try {
    await check(request, response, body, charset);
  } catch (error) {
    throw thrownError(error, 403, "entity.verify.failed", { body });
  }
}

interface BufferClass {
  isBuffer(bytes: unknown): boolean;
  from(buffer: ArrayBufferLike, start: number, length: number): BodyBytes;
}

function asBuffer(bytes: Uint8Array): BodyBytes {
  const { Buffer } = globalThis as { Buffer?: BufferClass };
  if (Buffer === undefined || Buffer.isBuffer(bytes)) return bytes;
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function parse(
  utf8: Uint8Array,
  { strict, parse }: JsonSettings,
): ReadJsonResult | ParseFailure | Promise<ReadJsonResult> {
  const first = strict ? firstOf(utf8) : -1;
  return first >= 0 ? describeFailure(utf8, "unexpected-token", first) : parse(utf8);
}

/** Finds the first byte of a value that is no array and no object; -1 if there is none. */
function firstOf(bytes: Uint8Array): number {
  let p = skipByteOrderMark(bytes, bytes.length);
  while (bytes[p] === 0x20 || bytes[p] === 0x0a || bytes[p] === 0x0d || bytes[p] === 0x09) p++;
  return p === bytes.length || bytes[p] === 0x7b || bytes[p] === 0x5b ? -1 : p;
}
