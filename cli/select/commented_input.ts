/** Inputs that are read as a whole: those of `locate`, and documents that may have comments. */

import { describeFailure as failureAt } from "../../parser/streaming/cli_internals.ts";
import { describeFailure, type Diagnostic } from "../diagnostics/diagnostic.ts";
import { type ReadOptions, readPieces } from "../input/read_pieces.ts";
import type { Input } from "../check/input_file.ts";

/** Reads all of an input. Resolves with `undefined` if an interrupt ends it. */
export async function readAllPieces(
  input: Input,
  options: Omit<ReadOptions, "onPiece">,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  const isAtEnd = await readPieces(input, {
    ...options,
    onPiece(piece) {
      pieces.push(piece.slice());
      return Promise.resolve(true);
    },
  });
  return isAtEnd ? new Uint8Array(await new Blob(pieces.splice(0)).arrayBuffer()) : undefined;
}

/**
 * Returns a diagnostic made with comments blanked out, with the excerpt and columns of the
 * original.
 */
export function withComments(diagnostic: Diagnostic, bytes: Uint8Array<ArrayBuffer>): Diagnostic {
  const { code, offset, message, truncated } = diagnostic;
  const failure = { ...failureAt(bytes, code, offset), message, truncated };
  return describeFailure(failure, { bytes, at: offset, isStart: true, isEnd: true }, "comments");
}
