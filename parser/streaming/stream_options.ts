/** Options and results of parsing streams. */

import type { ParseFailure, ParseSuccess } from "../base/failure.ts";
import type { ChunkOptions } from "./byte_source.ts";
import type { Condition } from "../selection/conditions.ts";
import type { Pointer } from "../selection/pointers.ts";
import type { PieceGuardOptions, PointerGuardOptions } from "../options/options.ts";
import type { Selector } from "../selection/selector.ts";

/**
 * Separation of several values in one input. `"lines"` is JSON Lines: one value on each line that
 * is not blank. `"concatenated"` is one value after the other, on any number of lines. `"elements"`
 * are the elements of one array, `"members"` the members of one object.
 */
export type ValueSeparation = "lines" | "concatenated" | "elements" | "members";

/** One of several values in an input. Offsets and lines count from the beginning of the input. */
export interface ParsedValue<T = unknown> {
  /** The value, equal to the result of `JSON.parse` for its text. */
  value: T;
  /** Name of the member, its escapes decoded. Only with `"members"`. */
  key?: string;
  /** Number of values before this one, valid or not. */
  index: number;
  /** Offset of the first byte. */
  start: number;
  /** Offset after the last byte. */
  end: number;
  /** Line of the first byte, from 1. */
  line: number;
}

/** One of several values in an input that is not a JSON text. */
export interface InvalidValue extends Omit<ParsedValue, "value" | "key"> {
  /** Reason and position. */
  failure: ParseFailure;
  /** Offset after the skipped bytes: the end of the line with the failure. */
  end: number;
}

/** Options of `parseStream`. */
export interface ParseStreamOptions<T = unknown> extends PieceGuardOptions, ChunkOptions {
  /**
   * Selector of the wanted part of the value, or of each value. Each value is then what
   * `selectBinary` selects from it. The rest is checked, and not kept. By
   * default, everything is selected.
   */
  select?: Selector<T> | undefined;
  /** Maximum number of bytes to read; unlimited by default. */
  maxBytes?: number | undefined;
  /**
   * Maximum bytes of a token that is incomplete at the end of a chunk. Only these bytes are kept
   * until the next chunk. More bytes are the failure `"value-too-large"`. By default 512 MiB,
   * longer than any string. With `duplicateKeys: "first"`, `protoKeys: "drop"` or `number`, a value
   * is made once its last byte has arrived, and so is a part of it with other options for numbers.
   * All bytes of a value are kept until then, and this limits an incomplete value.
   */
  maxTokenBytes?: number | undefined;
  /**
   * Milliseconds after which parsing lets other tasks of the event loop run, 8 by default. With
   * `Infinity`, a source whose chunks are all available is parsed in one turn.
   */
  timeSlice?: number | undefined;
  /** Signal that aborts parsing, even while it waits for the source. */
  signal?: AbortSignal | undefined;
}

/**
 * Options of `parseStream` for one value within the document. Those that refuse input guard all of
 * the document or, with `stopWhenFound`, the part of it that is read.
 */
export interface ParseStreamAtOptions<T = unknown> extends ParseStreamOptions<T> {
  /**
   * JSON Pointer ([RFC 6901](https://www.rfc-editor.org/rfc/rfc6901)) of the value, as a text such
   * as `"/data/items/0"` or an array of names and indexes.
   */
  at: Pointer;
  /**
   * Whether to read no further than the value, and to cancel the source then: of members with the
   * same name, the first one counts, and the rest of the input is not checked. `false` by default.
   */
  stopWhenFound?: boolean | undefined;
  /** `"reject"` refuses a name that an object has twice: the failure `duplicate-key`. */
  duplicateKeys?: "last" | "reject" | undefined;
  /** `"reject"` refuses a name that may poison a prototype: the failure `forbidden-key`. */
  protoKeys?: "keep" | "reject" | undefined;
}

/** Options of `parseValues`. */
export interface ParseValuesOptions<T = unknown> extends ParseStreamOptions<T> {
  /**
   * Separation of the values. `"lines"`, the default, is [JSON Lines](https://jsonlines.org), one
   * value on each line that is not blank; `"concatenated"` is one value after the other, on any
   * number of lines; `"elements"` are the elements of one array, and `"members"` the members of one
   * object, each with its name as `key`.
   */
  multiple?: ValueSeparation | undefined;
  /**
   * JSON Pointer ([RFC 6901](https://www.rfc-editor.org/rfc/rfc6901)) of the array or object, for
   * `"elements"` and `"members"`: `""`, the default, is the document itself, `"/data/items"` a
   * member of a member.
   */
  at?: string | undefined;
  /**
   * Conditions, all of which a value must fulfil to be among the results. The others are checked
   * but never made, and count in `index`. Failures are still reported. A value that is incomplete
   * at the end of a chunk is made once its last byte has arrived, and `maxTokenBytes` limits it.
   * Only for several values, and not with `duplicateKeys: "first"` or `protoKeys: "drop"`, with
   * which conditions would test members that are left out.
   */
  where?: readonly Condition[] | undefined;
}

/** Option of `parseValues` and of a `JsonParseStream`. */
export interface BatchOption<Batched extends boolean> {
  /**
   * Whether to pass on an array of results for each chunk, or part of 64 KiB of one, that has any.
   * A loop over short lines then awaits once for hundreds of them. `false` by default.
   */
  batch?: Batched | undefined;
}

/** Option of `parseValues` and of a `JsonParseStream`. */
export interface BytesOption {
  /**
   * Whether each result has the bytes of its value or, for an invalid one, of the rest of its line.
   * They are a copy that belongs to you. The bytes of a value are kept until it has ended, and
   * `maxTokenBytes` limits a value, or a line with it, that is incomplete at the end of a chunk.
   * `false` by default.
   */
  bytes?: boolean | undefined;
}

/** Options of a `JsonParseStream`. */
export type JsonParseStreamOptions<T = unknown> = Omit<ParseValuesOptions<T>, "signal">;

/**
 * One of many values of an input, or the failure of one that is not valid. Offsets and lines count
 * from the beginning of the input.
 */
export type StreamedValue<T = unknown> = ((ParseSuccess<T> & { key?: string }) | ParseFailure) & {
  /** Number of values before this one, valid or not. */
  index: number;
  /** Offset of the first byte. */
  start: number;
  /**
   * Offset after the last byte; for an invalid value, the end of the line with the failure. For a
   * failure among elements or members, `start` and `end` are its offset.
   */
  end: number;
  /** Line of the first byte, from 1; for an invalid value, the line of the failure. */
  line: number;
  /**
   * The bytes from `start` to `end`. Only with the option `bytes`, and not for a failure among
   * elements or members, or in a line that is longer than `maxTokenBytes`.
   */
  bytes?: Uint8Array<ArrayBuffer>;
};

/** One of the members of an object, or the failure that ends them. */
export type StreamedMember<T = unknown> =
  & StreamedValue<T>
  & ({
    ok: true;
    /** Name of the member, its escapes decoded. */
    key: string;
  } | { ok: false });

/** Options of `parsePartial`. */
export interface ParsePartialOptions
  extends
    Pick<ParseStreamOptions, "maxBytes" | "maxTokenBytes" | "timeSlice" | "detachChunks" | "signal">,
    Omit<PointerGuardOptions, "maxBytes" | "number"> {
  /** Minimum interval between two values in milliseconds, for rendering; 0 by default. */
  interval?: number | undefined;
  /**
   * Whether to skip the text before the first array or object, such as words and a code fence, and
   * to end at its end, whatever follows. With `"object"`, the value is an object, and arrays before
   * it are text. `false` by default: only whitespace may be around the value.
   *
   * A `{` begins the value if `"` or `}` follows it. A `[` does if `]`, a string, another such
   * bracket, or a number or literal before a `,` or `]` follows it. Whitespace may be between them.
   * Other brackets are text. 64 bytes after a bracket, it begins the value in any case.
   */
  embedded?: boolean | "object" | undefined;
}

/** Source of chunks of text or bytes: a stream, another async iterable, or an iterable. */
export type TextSource =
  | ReadableStream<string | Uint8Array>
  | AsyncIterable<string | Uint8Array>
  | Iterable<string | Uint8Array>;

/**
 * Value of type `T` while it arrives: members may be missing, and arrays and strings be shorter. So
 * the types of literals and template literals, such as `"text" | "code"`, are widened to `string`,
 * those of numbers to `number`, and tuples may end early.
 */
export type PartialValue<T> = T extends string ? string
  : T extends number ? number
  : T extends bigint ? bigint
  : T extends readonly (infer E)[]
    ? number extends T["length"] ? readonly PartialValue<E>[] : { readonly [K in keyof T]?: PartialValue<T[K]> }
  : T extends object ? { readonly [K in keyof T]?: PartialValue<T[K]> }
  : T;

/** The value so far, the complete value, or the failure of the input. */
export type PartialResult<T = unknown> =
  | {
    /** Always `true`. */
    ok: true;
    /** The part of the value that has arrived. It never changes. */
    value: PartialValue<T>;
    /** Whether the value has ended. */
    isComplete: false;
  }
  | (ParseSuccess<T> & { isComplete: true })
  | ParseFailure;

/** Result of `parsePartial` with the option `embedded`. */
export type EmbeddedResult<T = unknown> =
  | Extract<PartialResult<T>, { isComplete: false }>
  | (ParseSuccess<T> & {
    isComplete: true;
    /** Offset of the first byte of the value, in bytes of UTF-8 from the start of the source. */
    start: number;
    /** Offset after its last byte, where the rest of the source begins. */
    end: number;
  })
  | ParseFailure;

/** Item of a stream: a result or, in batches, an array of results. */
export type StreamedItem<T, Batched extends boolean> = Batched extends true ? StreamedValue<T>[] : StreamedValue<T>;
