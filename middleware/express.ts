/**
 * JSON bodies for [Express](https://expressjs.com), in place of `express.json()`:
 * {@linkcode json}.
 *
 * @module
 */

import type { ParseFailure } from "../parse_binary.ts";
import { describeFailure } from "../parser/base/failure.ts";
import { openDecompression } from "../parser/bodies/decompressor.ts";
import type { ReceivedBody } from "../parser/bodies/message_reader.ts";
import { freeBody, type KeptBody, ownBytes } from "../parser/bodies/parse_body.ts";
import { NO_OPTIONS } from "../parser/engine/input.ts";
import { skipByteOrderMark } from "../parser/engine/input_view.ts";
import type { ReadJsonResult } from "../read_json.ts";
import { isKnownCharset, toText, toUtf8 } from "./charset.ts";
import { charsetOf } from "./content_type.ts";
import { errorOf, type JsonError, readErrorOf, refusal, thrownError, tooLarge } from "./express_error.ts";
import {
  headerOf,
  type JsonOptions,
  type JsonRequest,
  type JsonResponse,
  type JsonSettings,
  settingsOf,
} from "./express_options.ts";
import { asBuffer, type BodyBytes, readNodeBody, type WithRawBody } from "./node_body.ts";
import { asError, mayLackBody, uncheckedBody } from "./options.ts";
import { reviveValue } from "./revive.ts";

export type { NodeReadable, WithRawBody } from "./node_body.ts";
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
 * `express.json()`, sets `request.body`, and passes on errors with the `type` and `status` of
 * body-parser's errors. The guards of `parseBinary` are options, too.
 *
 * A body that cannot be parsed is an error with the `cause` that `parseBinary` returns: its code,
 * offset, line and column. The bytes are freed once they are parsed, unless `verify` has seen them.
 * Compressed bodies are accepted if the runtime supports the compression.
 *
 * @typeParam Request Type of requests, for the functions among the options.
 * @typeParam Response Type of responses, for the functions among the options.
 * @param options Options of `express.json()`, and guards.
 * @returns The middleware. It leaves `body` undefined if there is no body, or the body has another
 * type; with a schema, it refuses such requests, except GET, HEAD, OPTIONS, and DELETE without a
 * body, unless `passUnchecked` is `true`. It calls `next` with a {@linkcode JsonError} for a body
 * that cannot be read or parsed.
 * @throws {TypeError} If an option has a wrong value, or if `reviver` is combined with `select`
 * or `schema`.
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
  const { guards, mask, schema, allowsEmpty } = settings.parser.settings;
  const isPlain = guards === null && mask === null && schema === undefined;
  mayReadAgain ||= !isPlain;
  const done = new WeakSet<object>();
  return function jsonParser(request, response, next) {
    const isRead = isConsumed(request);
    if (done.has(request) || isRead && isPlain) return next();
    if (!("body" in request)) request.body = undefined;
    const take = (reading: Promise<unknown>): void =>
      void reading.then((value) => {
        request.body = value;
        if (!isPlain) done.add(request);
        next();
      }, (error) => next(asError(error)));
    const pass = (): void => {
      const error = uncheckedError(request, settings);
      if (allowsEmpty && error?.type === MISSING) take(valueOfNothing(settings));
      else next(error);
    };
    if (!hasBody(request)) return pass();
    let isWanted: unknown;
    try {
      isWanted = settings.isWanted(request);
    } catch (error) {
      return next(asError(error));
    }
    if (!isWanted) return pass();
    take(readValue(request, response, settings, isWanted));
  };
}

/** Whether any middleware of the process may apply options to a body that another one has read. */
let mayReadAgain = false;

/** Bodies that were read, if they may be read again. */
const keptBodies = new WeakMap<object, KeptBody & { bytes: Uint8Array }>();

/** Keeps a body until the response is closed. */
function keep(
  request: JsonRequest,
  response: JsonResponse,
  body: KeptBody & { bytes: Uint8Array },
  free: () => void,
): void {
  keptBodies.set(request, body);
  response.once?.("close", () => {
    keptBodies.delete(request);
    free();
  });
}

/** Returns the error for a request that the schema cannot check; `undefined` if it may pass. */
function uncheckedError(request: JsonRequest, { isStrict }: JsonSettings): JsonError | undefined {
  switch (isStrict && uncheckedBody(request.method, request.headers)) {
    case "other":
      return errorOf(415, "media.type.unsupported", "unsupported media type");
    case "none":
      return errorOf(400, MISSING, "request has no body");
  }
}

/** Type of the error for a request without a body. */
const MISSING = "entity.missing";

/** Returns the result of the schema for `undefined`. Rejects with the error to pass on. */
async function valueOfNothing({ parser }: JsonSettings): Promise<unknown> {
  const bytes = new Uint8Array(0);
  const result = await parser.parse(bytes);
  if (!result.ok) throw refusal(result, bytes, "utf-8");
  return result.value;
}

/** Returns whether the body was read already, for example by the same middleware. */
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
    return request.body;
  }
  const kept = keptBodies.get(request);
  if (kept === undefined && isConsumed(request)) {
    if (uncheckedError(request, settings) === undefined) return request.body;
    throw errorOf(500, "request.read.before", READ_BEFORE);
  }
  const charset = charsetOf(headerOf(request, "content-type")) || settings.defaultCharset;
  if (!isKnownCharset(charset)) {
    throw errorOf(415, "charset.unsupported", `unsupported charset "${charset.toUpperCase()}"`, { charset });
  }
  const received = kept === undefined ? await readBytesOf(request, response, settings) : null;
  const bytes = received?.bytes ?? kept!.bytes;
  const { isLimited, isStrict, limit, parser, reviver } = settings;
  if (kept !== undefined && isLimited && bytes.length > limit) throw tooLarge({ length: bytes.length, limit });
  if (received !== null && settings.keepBytes) {
    (request as JsonRequest & WithRawBody).rawBody = asBuffer(ownBytes(received));
  }
  const hasSchema = parser.settings.schema !== undefined;
  if (bytes.length === 0 && hasSchema && (!isStrict || mayLackBody(request.method))) return undefined;
  if (settings.verify !== undefined) await verify(request, response, bytes, charset, settings.verify);
  const utf8 = toUtf8(bytes, charset);
  if (utf8 === undefined) throw refusal(describeFailure(bytes, "invalid-utf8", 0), bytes, charset);
  const isEmpty = utf8.length === skipByteOrderMark(utf8, utf8.length); // for body-parser, an empty object
  // Other middleware may have replaced the value since then.
  const current = kept?.parsed && { ...kept, parsed: { ...kept.parsed, value: request.body } };
  const isObject = isEmpty && !(parser.settings.allowsEmpty && bytes.length === 0);
  const result = await parse(isObject ? new TextEncoder().encode("{}") : utf8, settings, current ?? kept);
  if (!result.ok) throw refusal(result, bytes, charset);
  let { value } = result;
  if (reviver && !isEmpty) {
    try {
      value = reviveValue(value, reviver, utf8);
    } catch (error) {
      throw thrownError(error, 400, "entity.parse.failed", { body: toText(bytes, charset) });
    }
  }
  if (received === null) return value;
  const free = () => void (settings.verify === undefined && !settings.keepBytes && freeBody(received));
  if (!mayReadAgain) free();
  else keep(request, response, { bytes, parsed: hasSchema ? undefined : result, guards: parser.settings.guards }, free);
  return value;
}

const READ_BEFORE = "request body was read by another parser, so that json() cannot check it by its schema: " +
  "remove that parser, such as express.json(), or replace it by json()";

/** Reads the bytes of a body, without compression. Rejects with the error to pass on. */
async function readBytesOf(
  request: JsonRequest,
  response: JsonResponse,
  { inflate, limit, timeout, detachChunks }: JsonSettings,
): Promise<ReceivedBody> {
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
    throw tooLarge({ expected: length, length, limit });
  }
  checkReadable(request);
  const body = await readNodeBody(request, { limit, length, timeout, detachChunks, decompression });
  if (body.ok) return body;
  // The rest of a slow body would keep the connection busy.
  if (body.code === "timed-out" && !response.headersSent) response.setHeader("connection", "close");
  throw readErrorOf(body, length, limit);
}

function lengthOf(request: JsonRequest): number | undefined {
  const length = Number(headerOf(request, "content-length"));
  return Number.isNaN(length) ? undefined : length;
}

/** Throws an error for programming mistakes, like body-parser. */
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

function parse(
  utf8: Uint8Array,
  { strict, parser }: JsonSettings,
  kept: KeptBody | undefined,
): ReadJsonResult | ParseFailure | Promise<ReadJsonResult> {
  const first = strict ? firstOf(utf8) : -1;
  return first >= 0 ? describeFailure(utf8, "unexpected-token", first) : parser.parse(utf8, kept);
}

/** Finds the first byte of a value that is neither an array nor an object; -1 if there is none. */
function firstOf(bytes: Uint8Array): number {
  let p = skipByteOrderMark(bytes, bytes.length);
  while (bytes[p] === 0x20 || bytes[p] === 0x0a || bytes[p] === 0x0d || bytes[p] === 0x09) p++;
  return p === bytes.length || bytes[p] === 0x7b || bytes[p] === 0x5b ? -1 : p;
}
