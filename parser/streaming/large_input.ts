/**
 * Selects from an input of more than 2 GiB, or looks up pointers in it, as if it arrived in pieces:
 * positions are int32 in the loops that read whole inputs.
 *
 * @module
 */

import type { ParseFailure } from "../base/failure.ts";
import type { ParseResult } from "../base/parse_result.ts";
import { PARSE_WINDOW } from "../document/windows.ts";
import { defineElement } from "../engine/arrays.ts";
import { bufferOf, lengthOf, offsetOf } from "../engine/input.ts";
import type { Guards } from "../guards/options.ts";
import type { NoPlace, Place, ValueAt } from "../selecting/locate_document.ts";
import type { MaskNode } from "../selecting/mask_node.ts";
import { endChunks, newChunkParser, parseChunk, takeResult } from "./chunk_parser.ts";
import { PointerParser } from "./pointer_parser.ts";

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

/**
 * Does what `parseValuesAt` does, or `locateDocument` if `skipsValues`, with one pass for each
 * pointer.
 */
export function findInLargeInput(
  input: Uint8Array,
  pointers: readonly (readonly string[])[],
  stops: boolean,
  skipsValues: boolean,
  guards: Guards | null = null,
): (ValueAt | Place | NoPlace | ParseFailure)[] {
  const results: (ValueAt | Place | NoPlace | ParseFailure)[] = [];
  for (let i = 0; i < pointers.length; i++) {
    const parser = new PointerParser(pointers[i], stops, null, Infinity, skipsValues, guards);
    pushPieces(input, (piece) => parser.push(piece));
    defineElement(results, i, parser.end());
  }
  return results;
}
