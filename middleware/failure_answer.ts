/** JSON responses to requests whose body was refused. */

import type { FailureCode, ReadJsonFailure, UnreadBodyCode } from "../read_json.ts";

/** Maximum schema issues in a response, so that a short request cannot cause a long one. */
const MAX_ISSUES = 20;

/** Issue of a schema in a {@linkcode FailureAnswer}. */
export interface IssueAnswer {
  /** Message of the schema. */
  error: string;
  /** JSON Pointer of the value. */
  path: string;
  /** Line of the value in the body, from 1. */
  line: number;
  /** Column of the value in its line, from 1, in UTF-16 code units. */
  column: number;
}

/** Body of the response to a request that was refused. */
export interface FailureAnswer extends Partial<IssueAnswer> {
  /** Message of the failure or, if the schema found issues, of the first one. */
  error: string;
  /** Code of the failure of `readJson`, for programs. */
  code: FailureCode | UnreadBodyCode | "schema";
  /** Offset of the JSON error, in bytes. */
  offset?: number;
  /** Issues of the schema, if there are several; the first 20 at most. */
  issues?: IssueAnswer[];
}

/**
 * Makes the body of the response to a refused request, with the location of the error.
 *
 * @param failure Failure of `readJson`.
 * @returns The body of the response, whose status is that of the failure.
 */
export function answerTo(failure: ReadJsonFailure): FailureAnswer {
  const { code, message } = failure;
  if (code === "schema") {
    if (failure.issues.length === 0) return { error: message, code };
    const issues = failure.issues.slice(0, MAX_ISSUES).map(({ message, path, line, column }): IssueAnswer => {
      return { error: message, path, line, column };
    });
    const { error, ...place } = issues[0];
    return issues.length === 1 ? { error, code, ...place } : { error, code, ...place, issues };
  }
  if (!("offset" in failure)) return { error: message, code };
  const { offset, line, column } = failure;
  return { error: message, code, offset, line, column };
}
