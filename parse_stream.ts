/**
 * Parses JSON while its bytes arrive. {@linkcode parseStream} returns the value of one
 * document, {@linkcode parseValues} iterates over many values of one input: JSON Lines,
 * concatenated documents, the elements of an array, or the members of an object.
 * {@linkcode JsonParseStream} does the same as a `TransformStream`, and
 * {@linkcode BinaryParser} takes chunks one call at a time.
 *
 * @module
 */

import type { ParseResult } from "./parser/base/failure.ts";
import { NO_OPTIONS } from "./parser/engine/input.ts";
import { LateErrorStream, newTransform } from "./parser/engine/transform_stream.ts";
import type { ParseAtResult } from "./parser/selection/parse_values_at.ts";
import type { Pointer } from "./parser/selection/pointers.ts";
import { type ByteSource, checkedChunk, openBytes, raceAbort } from "./parser/streaming/byte_source.ts";
import type {
  BatchOption,
  BytesOption,
  EmbeddedResult,
  JsonParseStreamOptions,
  ParsePartialOptions,
  ParseStreamAtOptions,
  ParseStreamOptions,
  ParseValuesOptions,
  PartialResult,
  StreamedItem,
  StreamedMember,
  StreamedValue,
  TextSource,
} from "./parser/streaming/stream_options.ts";
import { DocumentParser, PointerParser } from "./parser/streaming/document_parser.ts";
import { Pieces } from "./parser/streaming/pieces.ts";
import { iteratePartial } from "./parser/streaming/partial_iterator.ts";
import { iterateValues, ValuesReader } from "./parser/streaming/value_iterator.ts";

export type { FailureCode, ParseFailure, ParseSuccess } from "./parser/base/failure.ts";
export type {
  ContentGuards,
  GuardOptions,
  ParseLimits,
  ParseOptions,
  PieceGuardOptions,
  PointerGuardOptions,
} from "./parser/options/options.ts";
export type { Condition, ConditionTest, ConditionValue } from "./parser/selection/conditions.ts";
export type { NoPlace, Place } from "./parser/selection/locate_document.ts";
export type { ValueAt } from "./parser/selection/parse_values_at.ts";
export type { PointerPath } from "./parser/selection/pointers.ts";
export { BinaryParser, type BinaryParserOptions } from "./parser/streaming/binary_parser.ts";
export type { BodySource, ChunkOptions } from "./parser/streaming/byte_source.ts";
export type * from "./parser/streaming/stream_options.ts";
export type { Selector } from "./parser/selection/selector.ts";
export type * from "./slice.ts";
export type { ByteSource, ParseAtResult, ParseResult, Pointer };

/**
 * Parses one JSON text while its bytes arrive.
 *
 * The result is that of `parseBinary` for all bytes in one buffer, values, failures and positions
 * included. It is ready soon after the last byte: parsing overlaps receiving, and no buffer is
 * ever as large as the input. Only an incomplete token at the end of a chunk is buffered until the
 * next chunk.
 *
 * The chunks are left as they are. With `detachChunks: true`, each is detached once it is parsed.
 *
 * Reading stops at the first failure. The source is then cancelled (`cancel()` of a stream,
 * `destroy()` of a Node.js `Readable`, `return()` of any other iterator), as it is if reading fails
 * for any reason. A stream is unlocked at the end.
 *
 * @typeParam T Type that you expect the value to have. It is not checked.
 * @param source Source of the bytes.
 * @param options Limits, treatment of chunks, time slice, and an abort signal.
 * @returns `{ ok: true, value }` or, for bytes that are not a JSON text, `{ ok: false, code,
 * message, offset, line, column, truncated }`. The promise rejects
 * - with a `RangeError` for more than `maxBytes`,
 * - with the reason of the signal once it is aborted,
 * - with the error of the source if it fails,
 * - with a `TypeError` for a source of another type, a locked stream, a chunk that is not a
 *   `Uint8Array`, and an option out of its range.
 *
 * @example The body of a request
 * ```ts
 * import { parseStream } from "@bytejson/bytejson/parse-stream";
 * import { assertEquals } from "@std/assert";
 *
 * const request = new Request("https://example.org/", { method: "POST", body: '{"id": 7}' });
 * const result = await parseStream<{ id: number }>(request, {
 *   maxBytes: 1_000_000,
 *   signal: request.signal,
 * });
 * assertEquals(result, { ok: true, value: { id: 7 } });
 * ```
 */
export function parseStream<T = unknown>(
  source: ByteSource,
  options?: ParseStreamOptions<T> & { at?: undefined; stopWhenFound?: undefined },
): Promise<ParseResult<T>>;
/**
 * Parses the value at a JSON Pointer of one JSON text while its bytes arrive. All of the text is
 * checked, but only that value is built. With `stopWhenFound`, the source is cancelled as soon as
 * the answer is certain.
 *
 * The result is that of `parseAt` for all bytes in one buffer. Everything else is as without `at`:
 * the promise rejects for the same reasons.
 *
 * @typeParam T Type that you expect the value to have. It is not checked.
 * @param source Source of the bytes.
 * @param options The pointer, and all options that are available without one.
 * @returns `{ ok: true, found: true, value, start, end, line, column }`, `{ ok: true, found: false,
 * depth }` if there is no value at the pointer or, for bytes that are not a JSON text, `{ ok:
 * false, code, message, offset, line, column }`. The promise rejects with a `TypeError` for a wrong
 * pointer too.
 *
 * @example The beginning of a long response
 * ```ts
 * import { parseStream } from "@bytejson/bytejson/parse-stream";
 * import { assertEquals } from "@std/assert";
 *
 * const { body } = new Response('{"meta": {"next": "/page/2"}, "data": [1, 2, 3]}');
 * const next = await parseStream<string>(body!, { at: "/meta/next", stopWhenFound: true });
 * assertEquals(next.ok && next.found && next.value, "/page/2");
 * ```
 */
export function parseStream<T = unknown>(
  source: ByteSource,
  options: ParseStreamAtOptions<T>,
): Promise<ParseAtResult<T>>;
export async function parseStream<T>(
  source: ByteSource,
  options: ParseStreamOptions<T> & { at?: Pointer | undefined; stopWhenFound?: boolean | undefined } = NO_OPTIONS,
  // deno-lint-ignore no-explicit-any
): Promise<any> {
  const at = options?.at; // of `null`, which the parser refuses
  const parser = at === undefined ? new DocumentParser(options) : new PointerParser(at, options);
  const pieces = new Pieces(options, () => openBytes(source));
  const { signal } = options;
  try {
    signal?.throwIfAborted();
    return await raceAbort(pieces.parse<unknown>(parser), signal);
  } catch (error) {
    pieces.cancel(error);
    throw error;
  }
}

/**
 * Iterates over the members of an object while its bytes arrive. Each result has the name of its
 * member as `key`. A name that the object has twice comes twice. Everything else is as for the
 * elements of an array: see the next signature.
 *
 * @typeParam T Type that you expect the values to have. It is not checked.
 * @param source Source of the bytes.
 * @param options All options of `parseValues`, without `batch`.
 * @returns An iterator of `{ ok: true, key, value, index, start, end, line }` and, as the last
 * result, a failure.
 * @throws {TypeError} For `duplicateKeys: "first"` and `protoKeys: "drop"`, which would leave
 * members out, and for the same reasons as for elements.
 *
 * @example Versions of a package
 * ```ts
 * import { parseValues } from "@bytejson/bytejson/parse-stream";
 * import { assertEquals } from "@std/assert";
 *
 * const { body } = new Response('{"name": "app", "versions": {"1.0.0": {"size": 7}, "1.1.0": {"size": 8}}}');
 * const sizes = new Map<string, number>();
 * for await (
 *   const version of parseValues<{ size: number }>(body!, { multiple: "members", at: "/versions" })
 * ) {
 *   if (!version.ok) throw new SyntaxError(version.message);
 *   sizes.set(version.key, version.value.size);
 * }
 * assertEquals([...sizes], [["1.0.0", 7], ["1.1.0", 8]]);
 * ```
 */
export function parseValues<T = unknown>(
  source: ByteSource,
  options: ParseValuesOptions<T> & BatchOption<false> & BytesOption & { multiple: "members" },
): AsyncIterableIterator<StreamedMember<T>, undefined> & AsyncDisposable;
/**
 * Iterates over the values of an input while its bytes arrive: the documents of JSON Lines, of
 * concatenated JSON, the elements of an array, or the members of an object. Memory is bounded by
 * the largest value and one chunk, however long the input is.
 *
 * A value that is not valid JSON is a failure among the results, never an exception. With `"lines"`
 * and `"concatenated"`, parsing continues on the line after it. With `"elements"` and `"members"`,
 * a failure is the last result. It has the code `"expected-array"` or `"expected-object"` if there
 * is none at the pointer. Elements and members are parsed; everything around them is validated and
 * skipped without making values.
 *
 * Values are parsed on demand: at most the values of one chunk are queued, and the source is not
 * read while any are.
 *
 * Leaving the loop for any reason stops reading: `break`, an exception, or an abort cancels the
 * source and frees the queued values. Call `return()`, or declare the iterator by `await using`, if
 * you call `next()` yourself.
 *
 * @typeParam T Type that you expect the values to have. It is not checked.
 * @param source Source of the bytes.
 * @param options Separation of the values, limits, treatment of chunks, time slice, and an
 * abort signal.
 * @returns An iterator of `{ ok: true, value, index, start, end, line }` and, for a value that
 * is not valid, `{ ok: false, code, message, offset, line, column, truncated, index, start, end
 * }`. `next()` rejects once, for the same reasons as {@linkcode parseStream}; the iterator has
 * then ended.
 * @throws {TypeError} For a source of another type, a locked stream, an invalid JSON Pointer, and
 * an option out of its range.
 *
 * @example JSON Lines from a file
 * ```ts
 * import { parseValues } from "@bytejson/bytejson/parse-stream";
 * import { assertEquals } from "@std/assert";
 *
 * const file = new Blob(['{"id": 1}\n{"id": }\n{"id": 3}\n']).stream();
 * const ids: number[] = [];
 * for await (const line of parseValues<{ id: number }>(file)) {
 *   if (line.ok) ids.push(line.value.id);
 *   else assertEquals(line.message, "Unexpected token '}' in JSON at position 17 (line 2 column 8)");
 * }
 * assertEquals(ids, [1, 3]);
 * ```
 *
 * @example Lines that are not JSON, as they came
 * ```ts
 * import { parseValues } from "@bytejson/bytejson/parse-stream";
 * import { assertEquals } from "@std/assert";
 *
 * const log = new Blob(['{"id": 1}\nsegfault at 0x7f\n{"id": 3}\n']).stream();
 * const rejected: string[] = [];
 * for await (const line of parseValues(log, { bytes: true })) {
 *   if (!line.ok) rejected.push(new TextDecoder().decode(line.bytes));
 * }
 * assertEquals(rejected, ["segfault at 0x7f"]);
 * ```
 *
 * @example Elements of an array within a document
 * ```ts
 * import { parseValues } from "@bytejson/bytejson/parse-stream";
 * import { assertEquals } from "@std/assert";
 *
 * const { body } = new Response('{"total": 2, "data": {"items": ["a", "b"]}}');
 * const items: string[] = [];
 * for await (const item of parseValues<string>(body!, { multiple: "elements", at: "/data/items" })) {
 *   if (!item.ok) throw new SyntaxError(item.message);
 *   items.push(item.value);
 * }
 * assertEquals(items, ["a", "b"]);
 * ```
 */
export function parseValues<T = unknown>(
  source: ByteSource,
  options?: ParseValuesOptions<T> & BatchOption<false> & BytesOption,
): AsyncIterableIterator<StreamedValue<T>, undefined> & AsyncDisposable;
/**
 * Iterates over the values of an input in batches: an array of the results of each chunk, or of
 * 64 KiB of a longer one. Everything else is as without `batch`. For short lines, batches take a
 * quarter less time.
 *
 * @typeParam T Type that you expect the values to have. It is not checked.
 * @param source Source of the bytes.
 * @param options All options that are available without `batch`.
 * @returns An iterator of arrays of results.
 * @throws {TypeError} For the same reasons as without `batch`.
 *
 * @example Errors among log lines
 * ```ts
 * import { parseValues } from "@bytejson/bytejson/parse-stream";
 * import { assertEquals } from "@std/assert";
 *
 * const log = new Blob(['{"level":"info"}\n{"level":"error","text":"full"}\n{"level":"error","text":"cut"}\n']);
 * const texts: string[] = [];
 * for await (
 *   const lines of parseValues<{ text: string }>(log.stream(), { batch: true, where: [["/level", "=", "error"]] })
 * ) {
 *   for (const line of lines) if (line.ok) texts.push(line.value.text);
 * }
 * assertEquals(texts, ["full", "cut"]);
 * ```
 */
export function parseValues<T = unknown>(
  source: ByteSource,
  options: ParseValuesOptions<T> & BytesOption & { batch: true },
): AsyncIterableIterator<StreamedValue<T>[], undefined> & AsyncDisposable;
export function parseValues<T>(
  source: ByteSource,
  options: ParseValuesOptions<T> & BatchOption<boolean> & BytesOption = NO_OPTIONS,
  // deno-lint-ignore no-explicit-any
): AsyncIterableIterator<any, undefined> & AsyncDisposable {
  return iterateValues<T>(source, options);
}

/**
 * Iterates over the growing versions of a value that is embedded in text, as language models wrap
 * their JSON in words and code fences.
 *
 * The last result has `start` and `end`, the offsets of the value in bytes of UTF-8, and the rest
 * of the source begins at `end`. It is not read: the source is cancelled.
 *
 * @typeParam T Type that you expect the value to have. It is not checked.
 * @param source Source of the bytes or texts.
 * @param options Options as without `embedded`.
 * @returns An iterator like that without `embedded`. A source without an array or object ends in
 * the failure `unexpected-end`.
 * @throws {TypeError} For the same reasons as without `embedded`.
 *
 * @example An answer with words around its value
 * ```ts
 * import { parsePartial } from "@bytejson/bytejson/parse-stream";
 * import { assertEquals } from "@std/assert";
 *
 * const deltas = ["Sure [see below]:\n\n{", '"a": 1}', "\n\nAnything else?"];
 * const results = await Array.fromAsync(parsePartial(deltas, { embedded: true }));
 * assertEquals(results.at(-1), { ok: true, value: { a: 1 }, isComplete: true, start: 19, end: 27 });
 * ```
 */
export function parsePartial<T = unknown>(
  source: ByteSource | TextSource,
  options: ParsePartialOptions & { embedded: true | "object" },
): AsyncIterableIterator<EmbeddedResult<T>, undefined> & AsyncDisposable;
/**
 * Iterates over the growing versions of one value while its bytes or its text arrive, such as the
 * answer of a language model or a long response. Each version holds exactly what has arrived so
 * far, and extends the one before it.
 *
 * - A string grows by whole characters, a member appears once its value has begun. `true`,
 *   `false`, `null` and numbers appear when they are complete: a number once another byte
 *   follows it.
 * - Types never change, unless an object has a name twice.
 * - Values are immutable. Parts that stay the same are the same objects (`===`) in the next
 *   value, so that a page draws only what is new. The complete value consists of those parts, too.
 * - There is at most one value for each chunk, and only if something has changed. While a long
 *   array or object is open, values are passed on less often. So the time is linear in the input,
 *   however small its chunks are.
 *
 * Chunks, `break`, abort and errors are treated as in {@linkcode parseValues}. Text is encoded
 * as UTF-8 first, and offsets of failures count its bytes. A surrogate pair may be split
 * between chunks.
 *
 * @typeParam T Type that you expect the value to have. It is not checked.
 * @param source Source of the bytes or texts.
 * @param options Limits, treatment of chunks, time slice, an abort signal, and an interval.
 * @returns An iterator of `{ ok: true, value, isComplete: false }`, the last one with `isComplete:
 * true` and the value that `parseBinary` returns; or, as the last item, a failure `{ ok: false,
 * code, message, offset, line, column, truncated }`. `next()` rejects once, for the same reasons as
 * {@linkcode parseStream}; the iterator has then ended.
 * @throws {TypeError} For a source of another type, a locked stream, an option out of its range,
 * `select`, `number`, and options that leave members out.
 *
 * @example An answer that grows
 * ```ts
 * import { parsePartial } from "@bytejson/bytejson/parse-stream";
 * import { assertEquals } from "@std/assert";
 *
 * const deltas = ['{"answer": "Fo', 'rty-', 'two", "sure": tr', "ue}"];
 * const seen: unknown[] = [];
 * for await (const result of parsePartial<{ answer: string; sure: boolean }>(deltas)) {
 *   if (!result.ok) throw new SyntaxError(result.message);
 *   seen.push(result.value);
 * }
 * assertEquals(seen, [
 *   { answer: "Fo" },
 *   { answer: "Forty-" },
 *   { answer: "Forty-two" },
 *   { answer: "Forty-two", sure: true },
 *   { answer: "Forty-two", sure: true },
 * ]);
 * ```
 */
export function parsePartial<T = unknown>(
  source: ByteSource | TextSource,
  options?: ParsePartialOptions,
): AsyncIterableIterator<PartialResult<T>, undefined> & AsyncDisposable;
export function parsePartial<T>(
  source: ByteSource | TextSource,
  options: ParsePartialOptions = NO_OPTIONS,
  // deno-lint-ignore no-explicit-any
): AsyncIterableIterator<any, undefined> & AsyncDisposable {
  return iteratePartial<T>(source, options);
}

/**
 * Like {@linkcode parseValues}, but as a transform stream for a pipeline.
 *
 * The readable side has a result for each value, valid or not. With `"elements"` and `"members"`,
 * it ends after the first failure, and the stream piped into it is cancelled. The readable side
 * fails with a `RangeError` for more than `maxBytes`, and with a `TypeError` for a chunk that is
 * not a `Uint8Array`.
 *
 * @typeParam T Type that you expect the values to have. It is not checked.
 * @typeParam Batched `true` with the option `batch`.
 *
 * @example Lines of a gzip file
 * ```ts
 * import { JsonParseStream } from "@bytejson/bytejson/parse-stream";
 * import { assertEquals } from "@std/assert";
 *
 * const text = new Blob(['{"id": 1}\n{"id": 2}\n']);
 * const lines = text.stream()
 *   .pipeThrough(new CompressionStream("gzip"))
 *   .pipeThrough(new DecompressionStream("gzip"))
 *   .pipeThrough(new JsonParseStream<{ id: number }>());
 * const ids: number[] = [];
 * for await (const line of lines) if (line.ok) ids.push(line.value.id);
 * assertEquals(ids, [1, 2]);
 * ```
 */
export class JsonParseStream<T = unknown, Batched extends boolean = false>
  implements TransformStream<Uint8Array, StreamedItem<T, Batched>> {
  /** Readable side: a result for each value or, with `batch`, arrays of them. */
  readonly readable: ReadableStream<StreamedItem<T, Batched>>;
  /** Writable side: the bytes to parse. */
  readonly writable: WritableStream<Uint8Array>;

  /**
   * Makes a transform stream for one input.
   *
   * @param options Separation of the values, limits, treatment of chunks, and time slice.
   * @throws {TypeError} For an invalid JSON Pointer, and an option out of its range.
   */
  constructor(options: JsonParseStreamOptions<T> & BatchOption<Batched> & BytesOption = NO_OPTIONS) {
    let output: TransformStreamDefaultController<StreamedItem<T, Batched>>;
    const reader = new ValuesReader<T>(options, "JsonParseStream");
    const { items } = reader;
    const passOn = (): void => {
      for (let item = items.take(); item !== undefined; item = items.take()) {
        output.enqueue(item as StreamedItem<T, Batched>);
      }
    };
    const pieces = new Pieces<Uint8Array>(options, null);
    const transformer = {
      __proto__: null, // streams would read inherited members
      start(controller): void {
        output = controller;
      },
      async transform(chunk): Promise<void> {
        pieces.take(checkedChunk(chunk), true);
        try {
          for (let piece = await pieces.next(); piece !== undefined; piece = await pieces.next()) {
            const goesOn = reader.read(piece);
            passOn();
            if (goesOn) continue;
            pieces.free();
            output.terminate();
          }
        } catch (error) {
          if (limited !== null && error instanceof RangeError) await limited.fail(output, error);
          throw error;
        }
      },
      flush(): void {
        reader.end();
        passOn();
      },
    } as Transformer<Uint8Array, StreamedItem<T, Batched>>;
    const limited = options.maxBytes === undefined ? null : new LateErrorStream<StreamedItem<T, Batched>>();
    const { readable, writable } = newTransform<Uint8Array, StreamedItem<T, Batched>>(transformer);
    this.readable = limited === null ? readable : limited.open(readable);
    this.writable = writable;
  }
}
