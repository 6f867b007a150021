/**
 * Copies the wanted bytes of one document after the other, from bytes that may end anywhere. All of
 * a document is checked, and nothing of it is kept but what is wanted.
 *
 * The parser's `selectValue` and `skipValue` read values that are there as a whole. A container
 * that the end of the bytes cuts is read member by member or element by element, along the mask
 * only.
 *
 * @module
 */

import {
  BACKSLASH,
  CLOSE_BRACE,
  CLOSE_BRACKET,
  COLON,
  COMMA,
  OPEN_BRACE,
  OPEN_BRACKET,
  QUOTE,
} from "../../parser/base/ascii.ts";
import { propertyNameOf } from "../../parser/base/decode_name.ts";
import { cursor } from "../../parser/base/cursor.ts";
import { lowestByte, needsAttention } from "../../parser/base/swar.ts";
import { skipWhitespace } from "../../parser/base/whitespace.ts";
import { newSuspension } from "../../parser/document/suspension.ts";
import type { MaskNode, ValueRange } from "../../parser/wanted/mask_node.ts";
import { findMember } from "../../parser/wanted/name_table.ts";
import { type Selection, selectValue } from "../../parser/wanted/select_value.ts";
import { MISSING } from "../../parser/wanted/selected_object.ts";
import { NO_CACHE } from "../../parser/strings/string_cache.ts";
import { readStringToken } from "../../parser/strings/read_string.ts";
import { failure, locateFailure } from "../../parser/validation/locate_failure.ts";
import { continueValidating, FAILED_POSITION, skipValue, stopped } from "../../parser/validation/skip_container.ts";
import {
  AFTER_ELEMENT,
  AFTER_MEMBER,
  AFTER_NAME,
  FIRST_KEY,
  FIRST_VALUE,
  KEY,
  VALUE,
} from "../../parser/validation/token_dfa.ts";
import { closeBrackets, type Machine, newInnerMachine } from "../../parser/validation/validator.ts";
import type { ByteOutput } from "./byte_output.ts";
import { ARRAY, type CopyNode, ELEMENTS, OBJECT, STEP, WHOLE } from "./copy_node.ts";

const NULL_BYTES = new TextEncoder().encode("null");

/** Results of reading. The value is complete, or more bytes must arrive. */
export const COMPLETE = 0;
export const CUT = 1;
/** A failure was located. */
export const FAILED = 2;
/** The output must be written first. */
export const FULL = 3;
/** Nothing more is wanted. */
export const STOPPED = 4;
/** A token was read. */
const NEXT = 5;
/** A value was read that was not copied. */
const LEFT_OUT = 6;

/** Stages of reading. A value comes next. */
const BEFORE_VALUE = 0;
/** A value is being read by the validator. */
const WITHIN_VALUE = 1;
/** The first element or member of a container comes next, or its closing bracket. */
const BEFORE_FIRST = 2;
/** Another element or member comes next. */
const BEFORE_NEXT = 3;
/** The colon of a member comes next. */
const BEFORE_COLON = 4;
/** A comma or a closing bracket comes next. */
const AFTER_VALUE = 5;

/** Bytes of output that are collected before they are written. */
export const FLUSH_BYTES = 2 ** 20;

/** Bytes of replaced members after which they are dropped from the output. */
const MAX_DEAD_BYTES = 2 ** 20;

const NO_BYTES = new Uint8Array(0);
const NO_VIEW = new DataView(NO_BYTES.buffer);

/** Selection from a value: a range, or parts of a container in the order of the mask. */
export type SelectedRanges = ValueRange | readonly SelectedRanges[] | null | undefined;

/** Returns what is selected for a member of an object; `undefined` if it is missing. */
function memberOf(values: readonly SelectedRanges[], number: number): SelectedRanges {
  const value = values[number];
  return value === null || value as unknown === MISSING ? undefined : value;
}

/** Returns what is selected at a path of members; `undefined` if it is missing. */
export function partAt(selected: SelectedRanges, path: readonly number[]): SelectedRanges {
  let part = selected;
  for (let depth = 0; depth < path.length; depth++) {
    if (!Array.isArray(part)) return undefined;
    part = memberOf(part, path[depth]);
  }
  return part;
}

/** Makes the state of a selection of ranges. */
export function newSelection(): Selection {
  return { bytes: NO_BYTES, view: NO_VIEW, isLast: false, cache: NO_CACHE, suspension: newSuspension() };
}

/**
 * Selects ranges from the value at `p`. Leaves the position after it in `cursor`, or a sentinel.
 */
export function selectRanges(selection: Selection, mask: MaskNode, p: number): SelectedRanges {
  return selectValue(selection, mask, p) as SelectedRanges;
}

/** Copies what was selected from a value of `bytes`. */
export function copyRanges(
  output: ByteOutput,
  node: CopyNode,
  value: SelectedRanges,
  bytes: Uint8Array,
  view: DataView,
): void {
  if (value === null || value === undefined) return output.addShort(NULL_BYTES);
  if (!Array.isArray(value)) {
    const { start, end } = value as ValueRange;
    return output.addValue(bytes, view, start, end);
  }
  if (node.kind === ARRAY) {
    output.addByte(OPEN_BRACKET);
    for (let i = 0; i < value.length; i++) {
      if (i > 0) output.addByte(COMMA);
      copyRanges(output, node.element!, value[i], bytes, view);
    }
    return output.addByte(CLOSE_BRACKET);
  }
  const { children, prefixes, numbers } = node;
  let separator = OPEN_BRACE;
  for (let member = 0; member < numbers.length; member++) {
    const part = value[numbers[member]] as SelectedRanges;
    if (part === null || part as unknown === MISSING) continue;
    output.addByte(separator);
    separator = COMMA;
    output.addShort(prefixes[member]);
    copyRanges(output, children[member], part, bytes, view);
  }
  if (separator === OPEN_BRACE) output.addByte(OPEN_BRACE);
  output.addByte(CLOSE_BRACE);
}

/** Container on the path of the mask or pointer that is being read. */
interface Frame {
  readonly node: CopyNode;
  readonly isObject: boolean;
  /** Position in the output at which it begins. */
  start: number;
  /** Number of elements so far. */
  count: number;
  /** Number of the member that is being read, -1 for none, and where it begins in the output. */
  member: number;
  memberStart: number;
  /**
   * Start of each member in the output, its separator included, and its end; -1 if it is missing.
   */
  readonly starts: number[];
  readonly ends: number[];
  /** Whether the members in the output are not in order, or one of them was replaced. */
  isMixed: boolean;
  /** Bytes of those that were replaced. */
  dead: number;
  /** Numbers of the members that the mask does not name; made for the first. */
  others: Map<string, number> | undefined;
  readonly outer: Frame | null;
}

/** Options of {@linkcode SelectedCopier}. */
export interface CopyOptions {
  /** Whether strings become their texts. */
  readonly isRaw: boolean;
  /** Most brackets that may be open within a value that the end of bytes cuts. */
  readonly maxDepth: number;
}

/** Copies what is wanted of documents. */
export class SelectedCopier {
  readonly #root: CopyNode;
  readonly #output: ByteOutput;
  readonly #options: CopyOptions;
  readonly #selection: Selection = newSelection();
  readonly #machine: Machine;
  /** Results that are still wanted. */
  resultsLeft = Infinity;
  /** Elements that were results, since this was set to 0. */
  elements = 0;
  /** Whether something was found in the document. */
  hasResult = false;
  /** Position of the first unread byte; and, within a value, where the validator goes on. */
  position = 0;
  #readTo = 0;

  #bytes: Uint8Array = NO_BYTES;
  #view: DataView = NO_VIEW;
  #end = 0;
  #isLast = false;
  #stage = BEFORE_VALUE;
  #frame: Frame | null = null;
  /** Node of the value that comes next; `null` if it is not wanted. */
  #node: CopyNode | null = null;
  /** Whether the value that is being read is copied. */
  #isCopied = false;
  /** Whether the array of a pointer was found. */
  #hasElements = false;
  /** Position up to which a cut name has no closing quote; -1 if none is cut. */
  #quoteSearchedTo = -1;

  constructor(root: CopyNode, output: ByteOutput, options: CopyOptions) {
    this.#root = root;
    this.#output = output;
    this.#options = options;
    this.#machine = newInnerMachine(true, options.maxDepth);
  }

  /** Begins a document at a position. */
  begin(position: number): void {
    this.position = position;
    this.#stage = BEFORE_VALUE;
    this.#frame = null;
    this.#node = this.#root;
    this.hasResult = this.#hasElements = false;
    this.#quoteSearchedTo = -1;
    closeBrackets(this.#machine);
  }

  /** Moves positions, after the bytes before the first unread one were dropped. */
  move(by: number): void {
    this.position -= by;
    this.#readTo -= by;
    if (this.#quoteSearchedTo >= 0) this.#quoteSearchedTo -= by;
  }

  /** Moves positions in the output, after bytes before those of this document were written. */
  moveOutput(by: number): void {
    for (let frame = this.#frame; frame !== null; frame = frame.outer) {
      frame.start -= by;
      frame.memberStart -= by;
      const { starts, ends } = frame;
      for (let member = 0; member < starts.length; member++) {
        if (starts[member] < 0) continue;
        starts[member] -= by;
        ends[member] -= by;
      }
    }
  }

  /**
   * Reads on. Returns {@linkcode COMPLETE}, {@linkcode CUT}, {@linkcode FAILED}, {@linkcode FULL}
   * or {@linkcode STOPPED}.
   *
   * @param view View of the buffer of `bytes`, from the same byte on.
   * @param isLast Whether no bytes of the document follow.
   */
  read(bytes: Uint8Array, view: DataView, isLast: boolean): number {
    this.#bytes = this.#selection.bytes = bytes;
    this.#view = this.#selection.view = view;
    this.#end = bytes.length;
    this.#isLast = this.#selection.isLast = isLast;
    for (;;) {
      let state: number;
      if (this.#stage === WITHIN_VALUE) state = this.#continueValue();
      else {
        this.position = skipWhitespace(bytes, this.position, this.#end);
        state = this.#stage === BEFORE_VALUE ? this.#beginValue() : this.#readToken();
      }
      if (state === NEXT) continue;
      if (state !== COMPLETE && state !== LEFT_OUT) return state;
      if (this.#frame === null) {
        if (state === COMPLETE && this.#root.kind !== STEP && this.#root.kind !== ELEMENTS) this.hasResult = true;
        return COMPLETE;
      }
      state = this.#endPart(this.#frame, state === COMPLETE);
      this.#stage = AFTER_VALUE;
      if (state !== NEXT) return state;
    }
  }

  /** Locates the failure of a token. Returns {@linkcode CUT} if the end of the bytes cuts it. */
  #fail(state: number, isInObject: boolean): number {
    const { position } = this;
    return locateFailure(this.#bytes, this.#view, position, this.#end, state, isInObject, this.#isLast) ? FAILED : CUT;
  }

  /** Begins the value at the position. */
  #beginValue(): number {
    const bytes = this.#bytes;
    const view = this.#view;
    const node = this.#node;
    const p = this.position;
    if (p >= this.#end) return this.#fail(VALUE, this.#frame !== null && this.#frame.isObject);
    const c = bytes[p];
    const isContainer = c === OPEN_BRACE || c === OPEN_BRACKET;
    if (node !== null && node.kind === ELEMENTS && c !== OPEN_BRACKET) {
      failure.code = "expected-array";
      failure.offset = p;
      return FAILED;
    }
    const isSkipped = node === null ||
      (isContainer
        ? node.kind === OBJECT && c !== OPEN_BRACE || node.kind === ARRAY && c !== OPEN_BRACKET
        : node.kind === STEP);
    if (isSkipped || node.kind === WHOLE || !isContainer) {
      const end = skipValue(bytes, view, p, this.#isLast);
      if (end === FAILED_POSITION) return FAILED;
      this.#isCopied = !isSkipped;
      if (end < 0) {
        this.#stage = WITHIN_VALUE;
        this.#machine.state = VALUE;
        closeBrackets(this.#machine);
        this.#readTo = p;
        this.#output.beginPart();
        return NEXT;
      }
      if (!isSkipped) this.#output.addValue(bytes, view, p, end);
      this.position = end;
      return isSkipped ? LEFT_OUT : this.#endWhole();
    }
    if (node.mask !== null) {
      const value = selectRanges(this.#selection, node.mask, p);
      if (cursor.position === FAILED_POSITION) return FAILED;
      if (cursor.position >= 0) {
        copyRanges(this.#output, node, value, bytes, view);
        this.position = cursor.position;
        return COMPLETE;
      }
    }
    if (node.kind === ARRAY) this.#output.addByte(OPEN_BRACKET);
    if (node.kind === ELEMENTS) this.#hasElements = this.hasResult = true;
    this.#frame = {
      node,
      isObject: c === OPEN_BRACE,
      start: this.#output.length,
      count: 0,
      member: -1,
      memberStart: 0,
      starts: [],
      ends: [],
      isMixed: false,
      dead: 0,
      others: undefined,
      outer: this.#frame,
    };
    this.#stage = BEFORE_FIRST;
    this.position = p + 1;
    return NEXT;
  }

  /** Has the validator read more of a value. */
  #continueValue(): number {
    const from = this.#readTo;
    const end = continueValidating(this.#machine, this.#bytes, this.#view, from, this.#isLast);
    if (this.#isCopied) this.#output.addPart(this.#bytes, this.#view, from, end < 0 ? stopped.validatedTo : end);
    if (end < 0) {
      this.#readTo = stopped.validatedTo;
      this.position = stopped.keptFrom;
      return end === FAILED_POSITION ? FAILED : CUT;
    }
    this.position = end;
    return this.#isCopied ? this.#endWhole() : LEFT_OUT;
  }

  /** Ends a value that was copied whole. */
  #endWhole(): number {
    const frame = this.#frame;
    const isAtPointer = frame === null ? this.#root.kind === WHOLE : frame.node.kind === STEP;
    if (!isAtPointer) return COMPLETE;
    this.hasResult = true;
    return this.resultsLeft === 1 ? STOPPED : COMPLETE; // the first one counts, if no other is wanted
  }

  /** Reads a token that is no value: a name or a punctuator of the innermost container. */
  #readToken(): number {
    const bytes = this.#bytes;
    const stage = this.#stage;
    const frame = this.#frame!;
    const { node, isObject } = frame;
    const p = this.position;
    const c = p < this.#end ? bytes[p] : 0;
    if (stage !== BEFORE_NEXT && stage !== BEFORE_COLON && c === (isObject ? CLOSE_BRACE : CLOSE_BRACKET)) {
      this.position = p + 1;
      this.#frame = frame.outer;
      return this.#closeFrame(frame);
    }
    if (stage === AFTER_VALUE) {
      if (c !== COMMA) return this.#fail(isObject ? AFTER_MEMBER : AFTER_ELEMENT, isObject);
      this.position = p + 1;
      this.#stage = BEFORE_NEXT;
      return NEXT;
    }
    if (stage === BEFORE_COLON) {
      if (c !== COLON) return this.#fail(AFTER_NAME, true);
      this.position = p + 1;
      this.#stage = BEFORE_VALUE;
      return NEXT;
    }
    if (isObject) return this.#readName(frame, stage === BEFORE_FIRST ? FIRST_KEY : KEY);
    // The automaton says whether the array may end here.
    if (p >= this.#end || c === CLOSE_BRACKET) return this.#fail(stage === BEFORE_FIRST ? FIRST_VALUE : VALUE, false);
    this.#stage = BEFORE_VALUE;
    frame.memberStart = this.#output.length;
    if (node.kind === ARRAY && frame.count > 0) this.#output.addByte(COMMA);
    this.#node = node.element;
    if (node.kind === STEP) {
      this.#node = null;
      if (frame.count === node.index) this.#enterStep(node.element!);
    }
    frame.count++;
    return NEXT;
  }

  /** Reads the name of a member. */
  #readName(frame: Frame, state: number): number {
    const bytes = this.#bytes;
    const view = this.#view;
    const { node } = frame;
    const start = this.position;
    if (start >= this.#end || bytes[start] !== QUOTE) return this.#fail(state, true);
    if (this.#quoteSearchedTo >= 0 && !this.#isLast && !this.#hasClosingQuote()) return CUT;
    this.#quoteSearchedTo = -1;
    const wordEnd = this.#end - 4;
    let p = start + 1;
    let attention = 0;
    for (; p <= wordEnd; p += 4) {
      attention = needsAttention(view.getInt32(p, true));
      if (attention !== 0) break;
    }
    if (attention !== 0) p += lowestByte(attention);
    let member: number;
    let name: string | undefined;
    if (attention !== 0 && bytes[p] === QUOTE && node.rest === null) {
      member = findMember(node.table, bytes, start + 1, p);
      p++;
    } else {
      const text = readStringToken(bytes, view, start + 1, start + 1, this.#end);
      if (text === null) {
        const stopped = this.#fail(state, true);
        if (stopped === CUT) this.#quoteSearchedTo = this.#end;
        return stopped;
      }
      name = text;
      member = node.members[text] ?? -1;
      p = cursor.position;
    }
    this.#node = null;
    if (node.kind === STEP) {
      if (member >= 0) this.#enterStep(node.children[0]);
    } else if (member >= 0) {
      this.#node = node.children[member];
      this.#beginMember(frame, member);
      this.#output.addShort(node.prefixes[member]);
    } else if (node.rest !== null) {
      this.#node = node.rest;
      this.#beginMember(frame, this.#numberOfOther(frame, name!));
      this.#output.addRange(bytes, view, start, p);
      this.#output.addByte(COLON);
    }
    if (this.#node === null) frame.member = -1;
    this.position = p;
    this.#stage = BEFORE_COLON;
    return NEXT;
  }

  /**
   * Returns whether the cut name has its closing quote. Looks at each byte once, over all calls.
   */
  #hasClosingQuote(): boolean {
    const bytes = this.#bytes;
    let p = this.#quoteSearchedTo;
    for (;;) {
      p = bytes.indexOf(QUOTE, p);
      if (p < 0) break;
      let q = p;
      while (q > this.position && bytes[q - 1] === BACKSLASH) q--;
      if ((p - q & 1) === 0) return true;
      p++;
    }
    this.#quoteSearchedTo = this.#end;
    return false;
  }

  /**
   * Enters the value at a token of a pointer. The last of several members counts, but the first
   * array.
   */
  #enterStep(child: CopyNode): void {
    if (this.#hasElements) return;
    this.#node = child;
    this.hasResult = false;
    this.#output.length = this.#output.committed;
  }

  #numberOfOther(frame: Frame, name: string): number {
    frame.others ??= new Map();
    const key = propertyNameOf(name);
    let number = frame.others.get(key);
    if (number === undefined) {
      number = frame.node.prefixes.length + frame.others.size;
      frame.others.set(key, number);
    }
    return number;
  }

  /** Begins a member in the output. */
  #beginMember(frame: Frame, member: number): void {
    const { starts, ends } = frame;
    while (starts.length <= member) {
      starts.push(-1);
      ends.push(-1);
    }
    if (starts[member] >= 0) this.#dropMember(frame, member);
    frame.member = member;
    frame.memberStart = this.#output.length;
    this.#output.addByte(frame.memberStart === frame.start ? OPEN_BRACE : COMMA);
  }

  /** Drops a member that another one of the same name replaces. */
  #dropMember(frame: Frame, member: number): void {
    frame.dead += frame.ends[member] - frame.starts[member];
    frame.starts[member] = frame.ends[member] = -1;
    frame.isMixed = true;
    if (frame.dead > MAX_DEAD_BYTES && 2 * frame.dead > this.#output.length - frame.start) this.#sortMembers(frame);
  }

  /** Ends an element or a member; `isCopied` if it is in the output. */
  #endPart(frame: Frame, isCopied: boolean): number {
    const output = this.#output;
    const { node, member } = frame;
    if (node.kind === ARRAY) {
      if (!isCopied) output.addShort(NULL_BYTES);
    } else if (node.kind === OBJECT && member >= 0) {
      if (isCopied) {
        // Members that the mask names are in order if each has a greater number than those before.
        if (member < frame.starts.length - 1) frame.isMixed = true;
        frame.starts[member] = frame.memberStart;
        frame.ends[member] = output.length;
      } else {
        output.length = frame.memberStart;
        // A later one is then the last: those before it may be in order.
        if (member === frame.starts.length - 1 && frame.others === undefined) {
          frame.starts.pop();
          frame.ends.pop();
        }
      }
    } else if (node.kind === ELEMENTS) {
      if (this.#options.isRaw) output.decodeString(frame.memberStart);
      output.addByte(0x0a);
      output.committed = output.length;
      this.elements++;
      if (--this.resultsLeft <= 0) return STOPPED;
      if (output.length > FLUSH_BYTES) return FULL;
    }
    return NEXT;
  }

  /** Ends a container. */
  #closeFrame(frame: Frame): number {
    const output = this.#output;
    const { node } = frame;
    if (node.kind === STEP || node.kind === ELEMENTS) return LEFT_OUT;
    if (node.kind === ARRAY) output.addByte(CLOSE_BRACKET);
    else {
      if (frame.isMixed) this.#sortMembers(frame);
      if (output.length === frame.start) output.addByte(OPEN_BRACE);
      output.addByte(CLOSE_BRACE);
    }
    return COMPLETE;
  }

  /** Puts the members of an object in order in the output, without those that were replaced. */
  #sortMembers(frame: Frame): void {
    const output = this.#output;
    const { starts, ends, start } = frame;
    const old = output.bytes.slice(start, output.length);
    let o = start;
    for (let member = 0; member < starts.length; member++) {
      if (starts[member] < 0) continue;
      const size = ends[member] - starts[member];
      output.bytes.set(old.subarray(starts[member] - start, ends[member] - start), o);
      output.bytes[o] = o === start ? OPEN_BRACE : COMMA;
      starts[member] = o;
      ends[member] = o += size;
    }
    output.length = o;
    frame.dead = 0;
    // Members that come later are still put in order at the end.
  }
}
