/** Types of the library in the signatures of the middleware. */

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
