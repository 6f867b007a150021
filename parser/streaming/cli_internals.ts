/**
 * Entry point of the command line to the reader of values: ranges of bytes in place of values, and
 * conditions. This file and `validator_state.ts` are all that `cli/` may import of `parser/`.
 */

export { cursor } from "../base/cursor.ts";
export { decodeName, propertyNameOf } from "../base/decode_name.ts";
export { describeFailure, type ParseFailure } from "../base/failure.ts";
export { countLinesTo, countPendingReturn, newLineLocation } from "../base/line_counter.ts";
export { HIGH_BITS, lowestByte } from "../base/swar.ts";
export { showBytes, showUpTo } from "../document/chunk_buffer.ts";
export { FAILED } from "../document/parse_scalar.ts";
export { INCOMPLETE } from "../document/suspension.ts";
export type { ValueReader } from "../document/value_reader.ts";
export { skipByteOrderMark } from "../engine/input_view.ts";
export { buildText } from "../options/parse_guarded.ts";
export { type ChunkParser, endChunks, newChunkParser, parseChunk, resetChunkParser } from "./chunk_parser.ts";
export type { DocumentSeparation } from "./document_validator.ts";
export {
  AFTER,
  BETWEEN,
  canRecover,
  countTo,
  ParserSink,
  type ParserState,
  reportValue,
  WITHIN,
} from "./parser_state.ts";
export { readStringToken } from "../strings/read_string.ts";
export { isIncomplete, locateFailure, setFailure } from "../validation/locate_failure.ts";
export { skipValue } from "../validation/skip_container.ts";
export { VALUE } from "../validation/token_dfa.ts";
export { type ExpectedValue, expectedValueOf } from "../selection/compare_values.ts";
export { every, newElementsNode, newMaskNode, prepareAll, reuseParts } from "../selection/compile_mask.ts";
export {
  compileRules,
  existsRule,
  type Filter,
  filterBy,
  isTooDeep,
  MAX_NESTING,
  neededOperand,
  newTest,
  type Operator,
  type Path,
  type Rule,
} from "../selection/conditions.ts";
export {
  CLOSED,
  enter,
  FAILURE,
  type Frame,
  leave,
  NAME,
  newWalk,
  pass,
  type RangeVisitor,
  resetWalk,
  skip,
  SKIPPED,
  VALUE_BEGINS,
  type Walk,
  walkOn,
} from "../selection/path_walker.ts";
export { compileElements, compilePointers, parsePointer } from "../selection/pointers.ts";
export { findMember, type NameTable, newNameTable } from "../selection/name_table.ts";
export type { PartReader } from "../selection/read_selected.ts";
export { newSelection, releaseSelection, type Selection } from "../selection/selection.ts";
export {
  isContainer,
  isLeaf,
  MISSING,
  type SelectionNode,
  type ValueRange,
  wantsEntries,
} from "../selection/selection_node.ts";
export { selectValue } from "../selection/whole_walker.ts";
