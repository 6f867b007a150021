/** Makes chunked parsers of options, as programs give them. */

import type { Guards, ParseOptions } from "../options/options.ts";
import { filterOf } from "../selection/conditions.ts";
import { parsePointer } from "../selection/pointers.ts";
import { maskOf } from "../selection/selector.ts";
import { type ChunkParser, newChunkParser } from "./chunk_parser.ts";
import type { ParserSink } from "./parser_state.ts";
import { newElementReader } from "./read_elements.ts";
import type { ParseValuesOptions, ValueSeparation } from "./stream_options.ts";

type ParserOptions = ParseOptions & Omit<ParseValuesOptions, "multiple">;

/** @throws {TypeError} If a filter cannot be used with other options. */
function checkFilter(multiple: ValueSeparation | undefined, { duplicateKeys, protoKeys }: ParseOptions): void {
  if (multiple === undefined) throw new TypeError('Cannot filter one value: "where" needs "multiple"');
  if (duplicateKeys === "first" || protoKeys === "drop") {
    const option = duplicateKeys === "first" ? 'duplicateKeys: "first"' : 'protoKeys: "drop"';
    throw new TypeError(`Cannot filter with ${option}: conditions would test what it leaves out`);
  }
}

/**
 * Makes the parser that options describe, but for their callbacks.
 *
 * @param guards Those among the options.
 * @throws {TypeError} If an option has a wrong value, or cannot be used with another one.
 */
export function newParserOf(
  options: ParserOptions,
  multiple: ValueSeparation | undefined,
  guards: Guards | null,
  sink: ParserSink,
): ChunkParser {
  const { at, select, where, maxTokenBytes } = options;
  if (multiple !== undefined && multiple !== "lines" && multiple !== "concatenated" && multiple !== "elements") {
    throw new TypeError('Cannot separate values this way: expected "lines", "concatenated" or "elements"');
  }
  if (at !== undefined && multiple !== "elements") {
    throw new TypeError('Cannot use a JSON Pointer here: "at" needs multiple: "elements"');
  }
  const elements = multiple === "elements" ? newElementReader(parsePointer(at ?? ""), guards) : null;
  const mask = select === undefined ? null : maskOf(select);
  const filter = where === undefined ? null : filterOf(where);
  if (filter !== null) checkFilter(multiple, options);
  return newChunkParser(multiple, elements, mask, maxTokenBytes, guards, sink, filter);
}
