/**
 * JSON bodies for [Hono](https://hono.dev): {@linkcode jsonBody}.
 *
 * @module
 */

import { notJsonType } from "../parser/bodies/body_failure.ts";
import { isJsonType } from "../parser/bodies/headers.ts";
import { NO_OPTIONS } from "../parser/engine/input.ts";
import { readJson, type ReadJsonFailure, type ReadJsonOptions, type ReadJsonResult } from "../read_json.ts";
import { answerTo, type FailureAnswer, type IssueAnswer } from "./failure_answer.ts";
import {
  asError,
  bodyReadBefore,
  checkReadOptions,
  isBodiless,
  refusesUnchecked,
  type UncheckedOptions,
} from "./options.ts";

export type * from "./exported_types.ts";
export type { FailureAnswer, IssueAnswer, UncheckedOptions };

/** Part of a context of Hono in use. */
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
  };
  /** Makes a response. */
  // deno-lint-ignore no-explicit-any
  json(value: any, status?: any): Response;
}

/** Options of {@linkcode jsonBody}: those of `readJson`, and the answer to a failure. */
export interface JsonBodyOptions<Context extends HonoContext = HonoContext> extends ReadJsonOptions, UncheckedOptions {
  /**
   * `"json"`, the default here, answers 415 to a body of another type. `"any"` reads bodies of any
   * type.
   */
  contentType?: "json" | "any" | undefined;
  /**
   * Makes the response to a body that was refused. By default it is the failure's status, and a
   * {@linkcode FailureAnswer}.
   */
  onFailure?: ((failure: ReadJsonFailure, context: Context) => Response | Promise<Response>) | undefined;
}

/** Middleware of Hono. */
export type HonoMiddleware<Context extends HonoContext = HonoContext> = (
  context: Context,
  next: () => Promise<void>,
) => Promise<Response | void>;

/**
 * Makes a middleware that reads the body of a request by `readJson`. After it, `c.req.json()`
 * returns the value, so that Hono's `validator("json")` and the validators of schema libraries work
 * with it. `c.req.text()` and its like return the value as `JSON.stringify` writes it.
 *
 * A body that is refused is answered with the failure's status and `{ error, code, line, … }`. A
 * request of GET or HEAD is passed on, and so is one without body and `Content-Type`. With a
 * schema, the latter is refused unless it is of DELETE or OPTIONS, or `passUnchecked` is `true`,
 * which passes on bodies of other types, too.
 *
 * The same value is returned to every caller of `c.req.json()`. A body is read once: a second
 * middleware of this kind, or one after `c.req.text()`, throws a `TypeError` or, with a schema,
 * answers 400.
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
export function jsonBody<Context extends HonoContext = HonoContext>(
  options: JsonBodyOptions<Context> = NO_OPTIONS,
): HonoMiddleware<Context> {
  const { onFailure = answerFailure, passUnchecked, ...read } = options;
  const readOptions = checkReadOptions(read, "jsonBody");
  const { schema, contentType } = readOptions;
  const isStrict = refusesUnchecked({ schema, passUnchecked });
  const anyType: ReadJsonOptions = Object.freeze({ ...readOptions, __proto__: null, contentType: "any" });
  return async (context, next) => {
    const { req } = context;
    const { raw } = req;
    const { method, headers } = raw;
    if (method === "GET" || method === "HEAD") return await next();
    const type = headers.get("content-type");
    if (passUnchecked && (raw.bodyUsed || contentType === "json" && !isJsonType(type))) return await next();
    const mayBeMissing = type === null && (!isStrict || isBodiless(method) || method === "DELETE");
    if (mayBeMissing && raw.body === null) return await next();
    let result: ReadJsonResult;
    let isMissing = false;
    try {
      result = isStrict && raw.bodyUsed ? bodyReadBefore() : await readJson(raw, mayBeMissing ? anyType : readOptions);
      isMissing = mayBeMissing && isEmpty(result); // some servers make a stream of no bytes
      if (mayBeMissing && !isMissing && contentType === "json") result = notJsonType();
      if (!result.ok && !isMissing) {
        const answer: unknown = await onFailure(result, context);
        return isResponse(answer) ? answer : answerFailure(result, context);
      }
    } catch (error) {
      throw asError(error);
    }
    if (!result.ok) return await next();
    const value = Promise.resolve(result.value);
    req.json = () => value;
    (req.bodyCache as { json?: Promise<unknown> }).json = value;
    await next();
  };
}

/**
 * Returns whether a body had no bytes. `c.req.json()` of such a request fails, so no handler gets a
 * value that was not checked.
 */
function isEmpty(result: ReadJsonResult): boolean {
  return !result.ok && result.code === "unexpected-end" && result.offset === 0;
}

/** Returns whether a value is a response, of this realm or of a server's own class. */
function isResponse(value: unknown): value is Response {
  const { status, headers } = Object(value);
  return typeof status === "number" && typeof headers === "object";
}

function answerFailure(failure: ReadJsonFailure, context: HonoContext): Response {
  return context.json(answerTo(failure), failure.status);
}
