/** Failures of bodies: before there are bytes to parse, and of the parsed value. */

import type { ParseFailure } from "../base/failure.ts";
import type { SchemaIssue } from "./standard_schema.ts";

/** Result for a body that is not a JSON text, or that a guard refuses. */
export interface InvalidBody extends ParseFailure {
  /** HTTP status of the response. */
  status: 400;
}

/** Reason why a body was not read to its end. */
export type UnreadBodyCode =
  | "too-large"
  | "unsupported-media-type"
  | "bad-compression"
  | "timed-out"
  | "aborted"
  | "source-failed";

/** Result for a body that was not read to its end. */
export interface UnreadBody {
  /** Always `false`. */
  ok: false;
  /** Reason. Codes are stable and made for `switch`. */
  code: UnreadBodyCode;
  /** Message for people. */
  message: string;
  /** HTTP status of the response. 499 is for logs: nobody waits for the response. */
  status: 400 | 408 | 413 | 415 | 499;
  /** Error of the source, or reason of the signal. */
  cause?: unknown;
}

/** Issue of a schema, with its location in the bytes. */
export interface LocatedIssue {
  /** Message of the schema. */
  message: string;
  /** JSON Pointer of the value ([RFC 6901](https://www.rfc-editor.org/rfc/rfc6901)). */
  path: string;
  /** Offset of the first byte of the value or, if it is missing, of the object that lacks it. */
  start: number;
  /** Offset after its last byte. */
  end: number;
  /** Line of the first byte, from 1. */
  line: number;
  /** Column of the first byte in UTF-16 code units, from 1. */
  column: number;
  /** Issue as the schema has made it, with further members, such as a code or inner issues. */
  issue: SchemaIssue;
}

/** Result for a value that does not conform to the schema. */
export interface SchemaFailure {
  /** Always `false`. */
  ok: false;
  /** Always `"schema"`. */
  code: "schema";
  /** Message for people, with the line and column of the first issue. */
  message: string;
  /** HTTP status of the response. */
  status: 422;
  /** Issues in the order of the schema, at most 1,000. */
  issues: LocatedIssue[];
  /** Number of all issues. */
  issueCount: number;
}

export function tooLarge(maxBytes: number): UnreadBody {
  return { ok: false, code: "too-large", message: `Body is larger than ${maxBytes} bytes`, status: 413 };
}

export function unsupportedMediaType(message: string): UnreadBody {
  return { ok: false, code: "unsupported-media-type", message, status: 415 };
}

export function notJsonType(): UnreadBody {
  return unsupportedMediaType("Body is not of a type of JSON in UTF-8: send application/json");
}

export function badCompression(cause: unknown): UnreadBody {
  return {
    ok: false,
    code: "bad-compression",
    message: "Body cannot be decompressed: it is not what its Content-Encoding says, or cut short",
    status: 400,
    cause,
  };
}

export function timedOut(message: string): UnreadBody {
  return { ok: false, code: "timed-out", message, status: 408 };
}

/** Makes the failure of a body that was abandoned, by the signal or by the peer. */
export function aborted(cause: unknown): UnreadBody {
  return { ok: false, code: "aborted", message: "Body was aborted before its end", status: 499, cause };
}

function sourceFailed(cause: unknown): UnreadBody {
  return { ok: false, code: "source-failed", message: "Body could not be read", status: 400, cause };
}

/** Makes the failure for a signal that is aborted. That of `AbortSignal.timeout` has timed out. */
export function interruptedBy(reason: unknown): UnreadBody {
  const isTimeout = typeof reason === "object" && reason !== null && (reason as Error).name === "TimeoutError";
  return isTimeout ? { ...timedOut("Body did not arrive in time"), cause: reason } : aborted(reason);
}

/** Returns whether an error says that the peer went away. */
function isAbort(error: unknown): boolean {
  if (typeof error !== "object" || error === null) return false;
  switch ((error as { name?: unknown }).name) {
    case "AbortError":
    case "BadResource": // of the body of a request in Deno
    case "BrokenPipe":
    case "ConnectionAborted":
    case "ConnectionReset":
    case "Http": // of a connection that was reset, in Deno
    case "Interrupted":
      return true;
  }
  const { code } = error as { code?: unknown };
  return code === "ECONNRESET" || code === "ERR_STREAM_PREMATURE_CLOSE";
}

export function failureOfSource(error: unknown): UnreadBody {
  return isAbort(error) ? aborted(error) : sourceFailed(error);
}
