/** Errors of the Express middleware, with the same members as errors of body-parser. */

import type { ParseFailure } from "../parse_binary.ts";
import { syntaxErrorOf } from "../parser/base/failure.ts";
import type { LocatedIssue, ReadJsonFailure } from "../read_json.ts";
import { toText } from "./charset.ts";
import type { FailedRead } from "./node_body.ts";
import { asError } from "./options.ts";

/** Error that `json` passes on, with the same members as an error of body-parser. */
export interface JsonError extends Error {
  /** HTTP status. */
  status: number;
  /** HTTP status. */
  statusCode: number;
  /** Kind of error, such as `entity.parse.failed`. */
  type: string;
  /** Whether the message is for the client: true below 500. */
  expose: boolean;
  /** The body as text or, in an error of `verify`, as bytes. */
  body?: unknown;
  /** Failure of the parser, with line and column, in an error `entity.parse.failed`. */
  cause?: unknown;
  /** Issues of the schema, with lines and columns, in an error `entity.schema.failed`. */
  issues?: LocatedIssue[];
}

const ERROR_NAMES = new Map([
  [400, "BadRequestError"],
  [403, "ForbiddenError"],
  [408, "RequestTimeoutError"],
  [413, "PayloadTooLargeError"],
  [415, "UnsupportedMediaTypeError"],
  [422, "UnprocessableEntityError"],
  [500, "InternalServerError"],
]);

export function readErrorOf(body: FailedRead, length: number | undefined, limit: number): JsonError {
  const { code, received, cause } = body;
  const sizes = { expected: length, length, received };
  switch (code) {
    case "too-large":
      return tooLarge({ limit, received });
    case "wrong-length":
      return errorOf(400, "request.size.invalid", "request size did not match content length", sizes);
    case "aborted":
      return errorOf(400, "request.aborted", "request aborted", { code: "ECONNABORTED", ...sizes });
    case "timed-out":
      return errorOf(408, "request.timed.out", "request body took too long", sizes);
    case "bad-compression":
      return errorOf(
        400,
        "entity.inflate.failed",
        `request body cannot be decompressed: ${asError(cause).message}`,
        { cause },
      );
    default:
      return thrownError(cause, 400, "entity.read.failed", {});
  }
}

export function tooLarge(sizes: object): JsonError {
  return errorOf(413, "entity.too.large", "request entity too large", sizes);
}

/** Makes the error for a body that was read but refused. */
export function refusal(failure: ReadJsonFailure | ParseFailure, bytes: Uint8Array, charset: string): JsonError {
  const body = toText(bytes, charset);
  if (failure.code === "schema") {
    return errorOf(failure.status, "entity.schema.failed", failure.message, { body, issues: failure.issues });
  }
  return withMembers(syntaxErrorOf(failure as ParseFailure), 400, "entity.parse.failed", { body });
}

/** Converts a thrown value to an error. Its own status and type take precedence. */
export function thrownError(thrown: unknown, status: number, type: string, members: object): JsonError {
  const error = asError(thrown) as Partial<JsonError> & Error;
  const own = error.status ?? error.statusCode;
  const isStatus = typeof own === "number" && own >= 400 && own < 600;
  return withMembers(error, isStatus ? own : status, error.type || type, members);
}

/** Makes an error, as `http-errors` does. */
export function errorOf(status: number, type: string, message: string, members: object = {}): JsonError {
  const error = new Error(message);
  Object.defineProperty(error, "name", { value: ERROR_NAMES.get(status), configurable: true, writable: true });
  return withMembers(error, status, type, members);
}

function withMembers(error: Error, status: number, type: string, members: object): JsonError {
  return Object.assign(error, { expose: status < 500, status, statusCode: status, type, ...members });
}
