/**
 * Options of parsers, made of those of streams. None is left out, so that none is inherited.
 *
 * @module
 */

import { pieceGuardsOf } from "../guarded/options.ts";
import type { BinaryParserOptions } from "./binary_parser.ts";
import type { JsonParseStreamOptions, StreamedValue } from "./stream_options.ts";

/** Makes the options of a parser that passes on each value, valid or not. */
export function streamedValueOptions<T>(
  options: JsonParseStreamOptions<T>,
  receive: (value: StreamedValue<T>) => void,
): BinaryParserOptions<T> {
  const { multiple = "lines", at, select, where, maxTokenBytes } = options;
  let count = 0;
  return {
    ...pieceGuardsOf(options, "parseValues"),
    multiple,
    at,
    select,
    where,
    maxTokenBytes,
    onValue({ value, index, start, end, line }): void {
      count = index + 1;
      receive({ ok: true, value, index, start, end, line });
    },
    onInvalid({ failure, index, start, end }): void {
      count = index + 1;
      receive({ ...failure, index, start, end });
    },
    onFailure(failure): void {
      // A failure among elements, or a detached chunk, belongs to no value.
      if (multiple !== "elements" && failure.code !== "detached-buffer") return;
      receive({ ...failure, index: count, start: failure.offset, end: failure.offset });
    },
  };
}
