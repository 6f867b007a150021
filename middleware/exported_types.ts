/** Types of the library that the middleware mentions. */

export type { FailureCode, ParseFailure, ParseLimits, ParseOptions, ParseSuccess } from "../parse_binary.ts";
export type {
  ChunkOptions,
  InvalidBody,
  LocatedIssue,
  ReadJsonFailure,
  ReadJsonOptions,
  SchemaFailure,
  SchemaIssue,
  SchemaOutput,
  SchemaResult,
  StandardSchemaProperties,
  StandardSchemaV1,
  UnreadBody,
  UnreadBodyCode,
} from "../read_json.ts";
export type { Selector } from "../select.ts";
