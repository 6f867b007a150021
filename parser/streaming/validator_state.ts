/**
 * Entry point of the command line to the validator: its state, comments, and failures. This file
 * and `cli_internals.ts` are all that `cli/` may import of `parser/`.
 */

export { closestWord } from "../base/closest_word.ts";
export { describeFailure, type ParseFailure } from "../base/failure.ts";
export { skipWhitespace } from "../base/whitespace.ts";
export { type ContentGuards, guardsOf } from "../options/options.ts";
export { Comments } from "./comments.ts";
export { type DocumentSeparation, type DocumentSink, DocumentValidator } from "./document_validator.ts";
