/**
 * Selects from an input of more than 2 GiB, or looks up pointers in it, as if it arrived in pieces:
 * positions are int32 in the loops that read whole inputs.
 *
 * @module
 */

import type { ParseResult } from "../base/parse_result.ts";
import { bufferOf, lengthOf, offsetOf } from "../engine/input.ts";
import { PARSE_WINDOW } from "../engine/input_sizes.ts";
import type { MaskNode } from "../selecting/mask_node.ts";
import { endChunks, newChunkParser, parseChunk, takeResult } from "./chunk_parser.ts";

const PIECE = 1 << 24;

/** Returns whether an input is too large for the loops that read whole inputs. */
export function isLargeInput(input: Uint8Array): boolean {
  return lengthOf(input) > PARSE_WINDOW;
}

/** Pushes an input piece by piece, until `push` returns `false`. */
function pushPieces(input: Uint8Array, push: (piece: Uint8Array) => boolean): void {
  const total = lengthOf(input);
  for (let start = 0; start < total; start += PIECE) {
    const piece = new Uint8Array(bufferOf(input), offsetOf(input) + start, Math.min(PIECE, total - start));
    if (!push(piece)) return;
  }
}

/** Does what `selectDocument` does. */
export function selectLargeInput(input: Uint8Array, mask: MaskNode | null): ParseResult {
  const parser = newChunkParser(undefined, null, mask, Infinity, {});
  pushPieces(input, (piece) => parseChunk(parser, piece));
  endChunks(parser);
  return takeResult(parser);
}
