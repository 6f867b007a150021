/**
 * Selects from an input of more than 2 GiB, in which positions are no int32. A container that is
 * too large for the loop that reads whole inputs is read here, one value at a time: each is skipped,
 * and so checked, before that loop selects from it.
 *
 * @module
 */

import { describeFailure } from "../base/failure.ts";
import { limitFailure } from "../base/limit_failure.ts";
import type { ParseResult } from "../base/parse_result.ts";
import { skipWhitespace } from "../base/whitespace.ts";
import { parseDocument, parseRange } from "../document/parse_document.ts";
import { FAILED } from "../document/parse_scalar.ts";
import { skipByteOrderMark, windowOf } from "../document/windows.ts";
import { resetArrayPrototypeCheck } from "../engine/arrays.ts";
import { bufferOf, isShared, lengthOf, offsetOf } from "../engine/input.ts";
import { PARSE_WINDOW } from "../engine/input_sizes.ts";
import { resetObjectPrototypeCheck } from "../engine/object_prototype.ts";
import { cut, failure } from "../validation/locate_failure.ts";
import { type LargeInput, newLargeInput, skipInLarge } from "../validation/skip_large.ts";
import { AFTER_ELEMENT, codeOfByte, DONE, FIRST_KEY, FIRST_VALUE, KEY, VALUE } from "../validation/token_dfa.ts";
import { failWithoutMemory } from "../validation/validate_guarded.ts";
import { ARRAY_MASK, type MaskNode, OBJECT_MASK } from "./mask_node.ts";
import { selectDocument } from "./select_document.ts";
import { closeFrame, newFrame, putValue } from "./selected_frame.ts";

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

/** Input, and the position after the value read last. */
interface LargeSelection {
  readonly large: LargeInput;
  readonly windowSize: number;
  position: number;
}

/** Returns whether an input is too large for the loop that reads whole inputs. */
export function isLargeInput(input: Uint8Array): boolean {
  return lengthOf(input) > PARSE_WINDOW;
}

/**
 * Does what `selectDocument` does. Shared memory needs a copy, for which there may be no memory.
 *
 * @param windowSize Most bytes of a value for the loop that reads whole inputs.
 */
export function selectLargeInput(
  input: Uint8Array,
  mask: MaskNode | null,
  windowSize: number = PARSE_WINDOW,
): ParseResult {
  if (mask === null) return parseDocument(input);
  const total = lengthOf(input);
  const bytes = isShared(input) ? windowOf(input, 0, total) : input;
  if (bytes === null) return failWithoutMemory(input, total); // not covered: needs an engine without memory
  limitFailure.code = null; // of a call that could not clean up
  resetArrayPrototypeCheck();
  resetObjectPrototypeCheck();
  const selection = { large: newLargeInput(bytes, total, windowSize), windowSize, position: 0 };
  const start = skipWhitespace(bytes, skipByteOrderMark(bytes, total), total);
  const value = isSelected(mask, bytes[start])
    ? selectItems(selection, mask, start)
    : selectSkipped(selection, mask, start);
  if (value !== FAILED) {
    const p = skipWhitespace(bytes, selection.position, total);
    if (p >= total) return { ok: true, value };
    failure.code = codeOfByte(DONE, bytes[p]);
    failure.offset = p;
    cut.at = -1;
  }
  return describeFailure(bytes, failure.code, failure.offset, total, cut.at >= 0);
}

/** Returns whether a mask selects from a value with this first byte, a container. */
function isSelected({ kind }: MaskNode, c: number): boolean {
  return c === OPEN_BRACE && kind === OBJECT_MASK || c === OPEN_BRACKET && kind === ARRAY_MASK;
}

/** Skips the value at `p`, and then selects from it. Returns what is selected, or `FAILED`. */
function selectSkipped(selection: LargeSelection, node: MaskNode | null, p: number): unknown {
  const { large: { input }, windowSize } = selection;
  const end = skipInLarge(selection.large, p, 1, VALUE);
  if (end < 0) return FAILED;
  selection.position = end;
  if (node !== null && end - p > windowSize) {
    const c = input[p];
    if (isSelected(node, c)) return selectItems(selection, node, p);
    if (c === OPEN_BRACE || c === OPEN_BRACKET) return undefined;
  }
  const part = new Uint8Array(bufferOf(input), offsetOf(input) + p, end - p);
  return valueOf(node === null ? parseDocument(part) : selectDocument(part, node), p);
}

/** Returns the value of a result. A failure, at a limit of the engine, is recorded: `FAILED`. */
function valueOf(result: ParseResult, origin: number): unknown {
  if (result.ok) return result.value;
  failure.code = result.code;
  failure.offset = origin + result.offset;
  cut.at = -1;
  return FAILED;
}

/** Selects from each value of the container at `p`. Returns the new container, or `FAILED`. */
function selectItems(selection: LargeSelection, node: MaskNode, p: number): unknown {
  const { large, large: { input, total } } = selection;
  const isObject = input[p] === OPEN_BRACE ? 1 : 0;
  const closing = isObject === 1 ? CLOSE_BRACE : CLOSE_BRACKET;
  const frame = newFrame(node, null);
  p++;
  for (let isFirst = true;; isFirst = false) {
    p = skipWhitespace(input, p, total);
    if (p < total && input[p] === closing) {
      selection.position = p + 1;
      return closeFrame(frame);
    }
    if (!isFirst) {
      if (p >= total || input[p] !== COMMA) return fail(large, p, AFTER_ELEMENT + isObject, isObject);
      p = skipWhitespace(input, p + 1, total);
    }
    let child = node.element;
    let isWanted = true;
    if (isObject === 1) {
      const start = p;
      const state = isFirst ? FIRST_KEY : KEY;
      if (p < total && input[p] === QUOTE) p = skipInLarge(large, p, 1, VALUE);
      const end = p;
      if (p > start) p = skipWhitespace(input, p, total);
      if (p <= start || p >= total || input[p] !== COLON) return fail(large, start, state, 1);
      const name = valueOf(parseRange(input, start, end - start), start);
      if (name === FAILED) return FAILED; // not covered: needs a string of more than 536,870,888 characters
      frame.name = name as string;
      frame.member = node.members[frame.name] ?? -1;
      child = frame.member >= 0 ? node.children[frame.member] : node.rest ?? null;
      isWanted = frame.member >= 0 || node.rest !== undefined;
      p = skipWhitespace(input, p + 1, total);
    } else if (p >= total || input[p] === CLOSE_BRACKET) {
      return fail(large, p, isFirst ? FIRST_VALUE : VALUE, 0);
    }
    const value = isWanted ? selectSkipped(selection, child, p) : skipUnwanted(selection, p);
    if (value === FAILED) return FAILED;
    if (isWanted && !putValue(frame, value)) {
      // not covered: needs 8,388,608 members
      failure.code = "value-too-large";
      failure.offset = p;
      cut.at = -1;
      return FAILED;
    }
    p = selection.position;
  }
}

/** Skips the value at `p`. Returns `undefined`, or `FAILED`. */
function skipUnwanted(selection: LargeSelection, p: number): unknown {
  selection.position = skipInLarge(selection.large, p, 1, VALUE);
  return selection.position < 0 ? FAILED : undefined;
}

/** Locates the failure of a token at `p` that cannot be there. Returns `FAILED`. */
function fail(large: LargeInput, p: number, state: number, isObject: number): typeof FAILED {
  skipInLarge(large, p, 2 | isObject, state);
  return FAILED;
}
