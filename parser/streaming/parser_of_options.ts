/** Makes chunked parsers from the options of callers. */

import type { Guards, ParseOptions } from "../options/options.ts";
import { filterOf } from "../selection/conditions.ts";
import { parsePointer } from "../selection/pointers.ts";
import { maskOf } from "../selection/selector.ts";
import { type ChunkParser, newChunkParser } from "./chunk_parser.ts";
import { canRecover, type ParserSink } from "./parser_state.ts";
import { ENTRIES_TARGET, newElementReader } from "./read_elements.ts";
import type { ParseValuesOptions, ValueSeparation } from "./stream_options.ts";

type ParserOptions = ParseOptions & Omit<ParseValuesOptions, "multiple">;

/** @throws {TypeError} If an option leaves members out. */
function refuseLeavingOut({ duplicateKeys, protoKeys }: ParseOptions, action: string, reason: string): void {
  if (duplicateKeys !== "first" && protoKeys !== "drop") return;
  const option = duplicateKeys === "first" ? 'duplicateKeys: "first"' : 'protoKeys: "drop"';
  throw new TypeError(`Cannot ${action} with ${option}: ${reason}`);
}

/**
 * Makes the parser for options; callbacks are left to the caller.
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
  const hasMembers = multiple === "members";
  const hasEntries = hasMembers || multiple === "elements";
  if (multiple !== undefined && !hasEntries && !canRecover({ multiple })) {
    throw new TypeError('Cannot separate values this way: expected "lines", "concatenated", "elements" or "members"');
  }
  if (at !== undefined && !hasEntries) {
    throw new TypeError('Cannot use a JSON Pointer here: "at" needs multiple: "elements" or "members"');
  }
  if (hasMembers) refuseLeavingOut(options, "pass on members", "it would leave some of them out");
  const elements = hasEntries ? newElementReader(parsePointer(at ?? ""), guards, ENTRIES_TARGET, hasMembers) : null;
  const mask = select === undefined ? null : maskOf(select);
  const filter = where === undefined ? null : filterOf(where);
  if (filter !== null) {
    if (multiple === undefined) throw new TypeError('Cannot filter one value: "where" needs "multiple"');
    refuseLeavingOut(options, "filter", "conditions would test what it leaves out");
  }
  return newChunkParser(multiple, elements, mask, maxTokenBytes, guards, sink, filter);
}
