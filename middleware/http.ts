/**
 * JSON bodies for handlers of `node:http`: {@linkcode jsonHandler}.
 *
 * @module
 */

import { NO_OPTIONS } from "../parser/engine/input.ts";
import {
  type IncomingMessageLike,
  readJson,
  type ReadJsonFailure,
  type ReadJsonOptions,
  type SchemaOutput,
  type StandardSchemaV1,
} from "../read_json.ts";
import type { ParsedBytes } from "../parser/bodies/parse_body.ts";
import { answerTo } from "./failure_answer.ts";
import { bodyReadBefore, checkReadOptions } from "./options.ts";

export type { FailureAnswer, IssueAnswer } from "./failure_answer.ts";
export type { IncomingMessageLike };

export type * from "./exported_types.ts";

/** Members of a `ServerResponse` that are used. */
export interface ServerResponseLike {
  /** HTTP status. */
  statusCode: number;
  /** Whether the headers have been sent. */
  readonly headersSent: boolean;
  /** Whether the response is complete. */
  readonly writableEnded?: boolean;
  /** Sets a header. */
  setHeader(name: string, value: string): unknown;
  /** Sends the rest of the response. */
  end(text?: string): unknown;
  /** Closes the connection. */
  destroy?(): unknown;
}

/** Options of {@linkcode jsonHandler}: those of `readJson`, and the answer to a failure. */
export interface JsonHandlerOptions<
  Message extends IncomingMessageLike = IncomingMessageLike,
  Response extends ServerResponseLike = ServerResponseLike,
> extends ReadJsonOptions {
  /** `"json"`, the default here, answers 415 to a body of another type. `"any"` reads any type. */
  contentType?: "json" | "any" | undefined;
  /**
   * Answers a request whose body was refused. By default, the answer has the failure's status and a
   * {@linkcode FailureAnswer} as its body.
   */
  onFailure?: ((request: Message, response: Response, failure: ReadJsonFailure) => unknown) | undefined;
  /**
   * Called with what your handler, the schema, `number` or `onFailure` throws or rejects with, to
   * answer and to log it. An error of `onError` itself is dropped, and the request is answered with
   * 500. Without `onError`, the promise rejects, which ends the process if the server ignores it.
   */
  onError?: ((request: Message, response: Response, error: unknown) => unknown) | undefined;
}

/** Handler of requests, as `createServer` of `node:http` takes it. */
export type HttpHandler<Message, Response> = (request: Message, response: Response) => Promise<void>;

/** Bytes of a body for a handler, with the option `keepBytes`. */
export type KeptBytes<Keeps extends boolean> = Keeps extends true ? Uint8Array<ArrayBuffer> : undefined;

/**
 * Wraps a handler of `node:http` that takes a JSON body checked by a schema.
 *
 * @param handler Called with the request, the response, and the value that the schema returns.
 * @param options The schema, and other options of `readJson`.
 * @returns The handler, as for the form without a schema.
 */
export function jsonHandler<
  Schema extends StandardSchemaV1,
  Message extends IncomingMessageLike = IncomingMessageLike,
  Response extends ServerResponseLike = ServerResponseLike,
  Keeps extends boolean = boolean,
>(
  handler: (request: Message, response: Response, value: SchemaOutput<Schema>, bytes: KeptBytes<Keeps>) => unknown,
  options: JsonHandlerOptions<Message, Response> & { schema: Schema; keepBytes?: Keeps | undefined },
): HttpHandler<Message, Response>;
/**
 * Wraps a handler of `node:http` that takes a JSON body. The body of each request is read by
 * `readJson`. A body that is refused is answered with the failure's status and `{ error, code,
 * line, … }`, and the handler is not called.
 *
 * @typeParam T Type that you expect the value to have. It is not checked.
 * @param handler Called with the request, the response and the value.
 * @param options Options of `readJson`, with `contentType: "json"` by default, `onFailure`
 * and `onError`.
 * @returns The handler for a server.
 * @throws {TypeError} If an option is unknown or has a wrong value.
 *
 * @example
 * ```ts
 * import { jsonHandler } from "@bytejson/bytejson/http";
 * import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
 *
 * const echo = jsonHandler((_request: IncomingMessage, response: ServerResponse, value) => {
 *   response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(value));
 * }, { maxBytes: 65_536, timeout: 10_000 });
 *
 * const server = createServer(echo); // server.listen(8000)
 * ```
 */
export function jsonHandler<
  T = unknown,
  Message extends IncomingMessageLike = IncomingMessageLike,
  Response extends ServerResponseLike = ServerResponseLike,
  Keeps extends boolean = boolean,
>(
  handler: (request: Message, response: Response, value: T, bytes: KeptBytes<Keeps>) => unknown,
  options?: JsonHandlerOptions<Message, Response> & { schema?: undefined; keepBytes?: Keeps | undefined },
): HttpHandler<Message, Response>;
export function jsonHandler(
  handler: (
    request: IncomingMessageLike,
    response: ServerResponseLike,
    value: unknown,
    bytes: Uint8Array<ArrayBuffer>,
  ) => unknown,
  options: JsonHandlerOptions = NO_OPTIONS,
): HttpHandler<IncomingMessageLike, ServerResponseLike> {
  const { onFailure = answerFailure, onError, ...read } = options;
  const readOptions = checkReadOptions(read, "jsonHandler");
  return async (request, response) => {
    try {
      const isRead = request.readableDidRead || request.readableEnded;
      const result = isRead && readOptions.schema ? bodyReadBefore() : await readJson(request, readOptions);
      if (result.ok) return void await handler(request, response, result.value, (result as ParsedBytes).bytes);
      request.resume(); // drops the rest of the body, so that the client can read the answer
      // The rest of a slow body would keep the connection busy.
      if (result.code === "timed-out" && !response.headersSent) response.setHeader("connection", "close");
      await onFailure(request, response, result);
    } catch (error) {
      if (onError === undefined) throw error;
      try {
        await onError(request, response, error);
      } catch {
        answerInternalError(response);
      }
    }
  };
}

/** Answers 500 or, if part of another answer was already sent, closes the connection. */
function answerInternalError(response: ServerResponseLike): void {
  if (response.writableEnded) return;
  if (response.headersSent) return void response.destroy?.();
  response.setHeader("connection", "close"); // a length set for another answer would be wrong
  answer(response, 500, { error: "Internal Server Error" });
}

function answerFailure(_request: IncomingMessageLike, response: ServerResponseLike, failure: ReadJsonFailure): void {
  answer(response, failure.status, answerTo(failure));
}

function answer(response: ServerResponseLike, status: number, value: object): void {
  response.statusCode = status;
  response.setHeader("content-type", "application/json");
  response.end(JSON.stringify(value));
}
