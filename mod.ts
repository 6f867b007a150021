/**
 * JSON parser for bytes. {@linkcode parseBinary} makes the value straight from UTF-8 bytes, and
 * returns a result instead of throwing an exception. {@linkcode detach} then frees the bytes at
 * once.
 *
 * ```ts
 * import { detach, parseBinary } from "@bytejson/bytejson";
 * import { assertEquals } from "@std/assert";
 *
 * const bytes = new TextEncoder().encode('{"id": 7, "tags": ["a", "b"]}');
 * const result = parseBinary<{ id: number; tags: string[] }>(bytes);
 * detach(bytes);
 *
 * assertEquals(result.ok && result.value.tags, ["a", "b"]);
 * ```
 *
 * {@linkcode selectBinary} makes only the part of a document that a {@linkcode selector} wants.
 * {@linkcode parseStream} and {@linkcode parseValues} take the same selectors while bytes arrive.
 * {@linkcode parseAt} and {@linkcode locate} find single values by their JSON Pointers.
 *
 * ```ts
 * import { selectBinary, selector } from "@bytejson/bytejson";
 * import { assertEquals } from "@std/assert";
 *
 * const wanted = selector({ id: true, customer: { name: true } });
 * const order = '{"id": 7, "items": [1, 2], "customer": {"name": "Ann", "since": 2020}}';
 * const result = selectBinary(new TextEncoder().encode(order), wanted);
 * assertEquals(result, { ok: true, value: { id: 7, customer: { name: "Ann" } } });
 * ```
 *
 * {@linkcode readJson} reads the body of a request, response or stream, and checks it by a schema.
 * {@linkcode UNTRUSTED} has the limits for what strangers send. {@linkcode validateBinary} makes no
 * value.
 *
 * @module
 */

export {
  type FailureCode,
  parseBinary,
  type ParseFailure,
  type ParseLimits,
  type ParseOptions,
  parseOrThrow,
  type ParseResult,
  type ParseSuccess,
  UNTRUSTED,
} from "./parse_binary.ts";
export {
  BinaryValidator,
  type BinaryValidatorOptions,
  type ContentGuards,
  type DocumentSeparation,
  type GuardOptions,
  JsonValidationStream,
  type StreamValidationResult,
  validateBinary,
  type ValidatedDocument,
  type ValidationResult,
} from "./validate_binary.ts";
export {
  type Condition,
  type ConditionValue,
  every,
  type Mask,
  type MaskOf,
  matches,
  selectBinary,
  type Selected,
  type SelectedMembers,
  type SelectedOf,
  type Selector,
  selector,
} from "./select.ts";
export {
  locate,
  type LocateResult,
  type NoPlace,
  parseAt,
  type ParseAtOptions,
  type ParseAtResult,
  type ParseFirstResult,
  type Place,
  type Pointer,
  type PointerGuardOptions,
  type PointerList,
  type PointerPath,
  type ValueAt,
} from "./pointer.ts";
export { type Detach, detach, type DetachKind } from "./detach.ts";
export { type BodySource, type ByteSource, readBytes, type ReadBytesOptions } from "./read_bytes.ts";
export {
  type BlobLike,
  type BodyLike,
  type IncomingMessageLike,
  type InvalidBody,
  type JsonSource,
  type LocatedIssue,
  parseWithSchema,
  type ParseWithSchemaOptions,
  type ParseWithSchemaResult,
  readJson,
  type ReadJsonFailure,
  type ReadJsonOptions,
  type ReadJsonResult,
  type SchemaFailure,
  type SchemaIssue,
  type SchemaOutput,
  type SchemaResult,
  type StandardSchemaProperties,
  type StandardSchemaV1,
  type UnreadBody,
  type UnreadBodyCode,
} from "./read_json.ts";
export {
  type BatchOption,
  BinaryParser,
  type BinaryParserOptions,
  type InvalidValue,
  JsonParseStream,
  type JsonParseStreamOptions,
  type ParsedValue,
  parsePartial,
  type ParsePartialOptions,
  parseStream,
  type ParseStreamAtOptions,
  type ParseStreamOptions,
  parseValues,
  type ParseValuesOptions,
  type PartialResult,
  type PartialValue,
  type PieceGuardOptions,
  type StreamedItem,
  type StreamedValue,
  type TextSource,
  type ValueSeparation,
} from "./parse_stream.ts";
export { ChunkQueue } from "./chunk_queue.ts";
export { Slice, type SliceEncoding, type SliceExpression } from "./slice.ts";
export { PoolAllocator, type PoolBucket, type PoolStats } from "./pool_allocator.ts";
