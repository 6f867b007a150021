/**
 * JSON bodies for [Hono](https://hono.dev): {@linkcode jsonBody}.
 *
 * @module
 */

import type { Context, MiddlewareHandler } from "hono";
import { notJsonType } from "../parser/bodies/body_failure.ts";
import { settingsOf } from "../parser/bodies/body_options.ts";
import { isJsonType, lengthOfHeader } from "../parser/bodies/headers.ts";
import { type BodyLimits, interruptible } from "../parser/bodies/interruption.ts";
import { type KeptBody, type ParsedBytes, readAndParse } from "../parser/bodies/parse_body.ts";
import type { SchemaInput } from "../parser/bodies/standard_schema.ts";
import { NO_OPTIONS } from "../parser/engine/input.ts";
import type {
  InvalidBody,
  ReadJsonFailure,
  ReadJsonOptions,
  ReadJsonResult,
  SchemaOutput,
  StandardSchemaV1,
  UnreadBody,
} from "../read_json.ts";
import { answerTo, type FailureAnswer } from "./failure_answer.ts";
import {
  asError,
  bodyReadBefore,
  checkReadOptions,
  mayLackBody,
  refusesUnchecked,
  type UncheckedOptions,
} from "./options.ts";

export type { IssueAnswer } from "./failure_answer.ts";
export type { FailureAnswer, SchemaInput, UncheckedOptions };

export type * from "./exported_types.ts";

/** Members of a Hono context that are used. */
export interface HonoContext {
  /** Request. */
  readonly req: {
    /** Request of the Fetch API. */
    readonly raw: Request;
    /** Bodies that were read, for other methods of the request. */
    readonly bodyCache: object;
    /** Reads the body as JSON. */
    // deno-lint-ignore no-explicit-any
    json(): Promise<any>;
    /** Sets the value that `valid` of the request returns. */
    addValidatedData(target: "json", value: object): void;
  };
  /** Makes a response. */
  // deno-lint-ignore no-explicit-any
  json(value: any, status?: any): Response;
}

/** Response to a body that was refused, typed so that Hono's client can infer its JSON. */
export type RefusalResponse = Response & {
  _data: FailureAnswer;
  _status: 400 | 408 | 413 | 415 | 422;
  _format: "json";
};

/** Types of the client's input and of the handler's value, for Hono's `MiddlewareHandler`. */
export type JsonInput<Schema extends StandardSchemaV1> = {
  in: { json: SchemaInput<Schema> };
  out: { json: SchemaOutput<Schema> };
};

/**
 * Failure of a body, with a status that Hono supports. An aborted body has status 400, since nobody
 * is waiting for the answer.
 */
export type RefusedBody =
  | Extract<ReadJsonFailure, { code: "schema" }>
  | InvalidBody
  | (UnreadBody & {
    status: Exclude<UnreadBody["status"], 499>;
  });

/** Options of {@linkcode jsonBody}: those of `readJson`, and the answer to a failure. */
export interface JsonBodyOptions<
  C extends HonoContext = Context,
  Answer extends Response = RefusalResponse,
> extends ReadJsonOptions, UncheckedOptions {
  /** `"json"`, the default here, answers 415 to a body of another type. `"any"` reads any type. */
  contentType?: "json" | "any" | undefined;
  /**
   * Makes the response to a body that was refused. By default, it has the failure's status and a
   * {@linkcode FailureAnswer} as its body.
   */
  onFailure?: ((failure: RefusedBody, context: C) => Answer | Promise<Answer>) | undefined;
}

/** Middleware of Hono. */
export type HonoMiddleware<C extends HonoContext = Context, Answer extends Response = RefusalResponse> = (
  context: C,
  next: () => Promise<void>,
) => Promise<Answer | void>;

/** Bodies that a middleware has read, by request, until the request is answered. */
const readBodies = new WeakMap<object, KeptBody>();

/**
 * Makes a middleware that reads the body of a request by `readJson`. After it, `c.req.json()`
 * returns the value, so that Hono's `validator("json")` and the validators of schema libraries
 * work with it. With a schema, `c.req.valid("json")` returns it, too, with its type.
 * `c.req.text()`, `c.req.arrayBuffer()` and `cloneRawRequest` return the bytes that were received,
 * after decompression.
 *
 * A body that is refused is answered with the failure's status and `{ error, code, line, … }`. A
 * request of GET or HEAD is passed on, and so is one of DELETE or OPTIONS without a body. Any other
 * request without a body and `Content-Type` is passed on if there is no schema, and refused if
 * there is one, unless `passUnchecked` is `true`, which passes on bodies of other types, too.
 *
 * The same value is returned to every caller of `c.req.json()`. A body is read once: after a
 * middleware of this kind, another one takes the bytes that were read, and applies its own options
 * to them. A middleware after `c.req.text()` throws a `TypeError` or, with a schema, answers 400.
 *
 * @param options Options of `readJson`, with `contentType: "json"` by default, and `onFailure`.
 * @returns The middleware.
 * @throws {TypeError} If an option is unknown or has a wrong value.
 *
 * @example
 * ```ts ignore
 * import { jsonBody } from "@bytejson/bytejson/hono";
 * import { Hono } from "hono";
 * import { z } from "zod";
 *
 * const schema = z.object({ items: z.array(z.object({ price: z.number() })) });
 * const app = new Hono();
 * app.post("/orders", jsonBody({ schema, maxBytes: 65_536, timeout: 10_000 }), async (c) => {
 *   const order: z.infer<typeof schema> = await c.req.json();
 *   return c.json({ count: order.items.length });
 * });
 * ```
 */
export function jsonBody<
  Schema extends StandardSchemaV1,
  C extends HonoContext = Context,
  Answer extends Response = RefusalResponse,
>(
  options: Omit<JsonBodyOptions<C, Answer>, "schema"> & { schema: Schema },
  // deno-lint-ignore no-explicit-any
): MiddlewareHandler<any, string, JsonInput<Schema>, Answer>;
/** Like the form with a schema, but the type of the value is unknown. */
export function jsonBody<C extends HonoContext = Context, Answer extends Response = RefusalResponse>(
  options?: JsonBodyOptions<C, Answer>,
): HonoMiddleware<C, Answer>;
export function jsonBody(
  options: JsonBodyOptions<HonoContext, Response> = NO_OPTIONS,
): HonoMiddleware<HonoContext, Response> {
  const { onFailure = answerFailure, passUnchecked, ...read } = options;
  const readOptions = checkReadOptions(read, "jsonBody");
  const { schema, contentType } = readOptions;
  const isStrict = refusesUnchecked({ schema, passUnchecked });
  const settings = settingsOf(readOptions);
  const againOptions = read.maxBytes === undefined // the default limit is that of the first middleware
    ? Object.freeze({ ...readOptions, __proto__: null, maxBytes: Infinity })
    : readOptions;
  return async (context, next) => {
    const { req } = context;
    const { raw } = req;
    const { method, headers } = raw;
    if (method === "GET" || method === "HEAD") return await next();
    const type = headers.get("content-type");
    const isWanted = contentType === "any" || isJsonType(type);
    const before = readBodies.get(raw);
    const isReadByOther = raw.bodyUsed && before === undefined;
    if (passUnchecked && (isReadByOther || !isWanted)) return await next();
    const mayPass = passUnchecked || mayLackBody(method) || !isStrict && (type === null || settings.allowsEmpty);
    const own: KeptBody | null = before === undefined ? {} : null;
    try {
      const mayBeMissing = mayPass && !raw.bodyUsed && lengthOfHeader(headers.get("content-length")) <= 0;
      const isMissing = mayBeMissing && await isEmpty(raw, settings);
      if (isMissing === true) {
        if (settings.allowsEmpty) req.json = () => Promise.resolve(undefined);
        return await next();
      }
      let result: ReadJsonResult;
      try {
        if (isMissing !== false) result = isMissing;
        else if (before?.bytes !== undefined) result = await readAndParse(before.bytes, againOptions, before);
        else result = isStrict && isReadByOther ? bodyReadBefore() : await readAndParse(raw, readOptions, own);
        const { bytes = own?.bytes } = result as Partial<ParsedBytes>;
        if (bytes !== undefined) keepBytes(req.bodyCache, bytes);
        if (!isWanted && before !== undefined) result = notJsonType();
        if (!result.ok) {
          const failure = (result.code === "aborted" ? { ...result, status: 400 } : result) as RefusedBody;
          const answer: unknown = await onFailure(failure, context);
          return isResponse(answer) ? answer : answerFailure(failure, context);
        }
      } catch (error) {
        throw asError(error);
      }
      const value = Promise.resolve(result.value);
      req.json = () => value;
      if (schema !== undefined) req.addValidatedData("json", result.value as object);
      if (own !== null) readBodies.set(raw, own);
      await next();
    } finally {
      if (own !== null) readBodies.delete(raw);
    }
  };
}

/**
 * Returns whether a request has no body, or a failure if that cannot be determined. Only a copy of
 * the request is read, because reading the request itself, even if empty, would prevent others from
 * reading it.
 */
function isEmpty(request: Request, limits: BodyLimits): Promise<boolean | UnreadBody> | true {
  if (request.body === null) return true;
  const reader = request.clone().body!.getReader();
  const endsAtOnce = async (): Promise<boolean> => {
    for (;;) {
      const { done, value } = await reader.read();
      if (done || value.length > 0) return done;
    }
  };
  const reading = endsAtOnce().catch(() => false); // reading the request itself fails, too
  return interruptible(reading, limits, ignore).finally(() => void reader.cancel().catch(ignore));
}

/** Makes the methods of a Hono request return bytes that were read. */
function keepBytes(bodyCache: { arrayBuffer?: Promise<ArrayBuffer> }, bytes: Uint8Array): void {
  const { buffer, byteLength } = bytes as Uint8Array<ArrayBuffer>;
  bodyCache.arrayBuffer = Promise.resolve(byteLength === buffer.byteLength ? buffer : new Uint8Array(bytes).buffer);
}

/** Returns whether a value is a response, of this realm or of a server's own class. */
function isResponse(value: unknown): value is Response {
  const { status, headers } = Object(value);
  return typeof status === "number" && typeof headers === "object";
}

function answerFailure(failure: RefusedBody, context: HonoContext): RefusalResponse {
  return context.json(answerTo(failure), failure.status) as RefusalResponse;
}

function ignore(): void {}
