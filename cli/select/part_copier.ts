/**
 * Copies the selected bytes of one document after the other to the output, while the documents
 * arrive. No other bytes of a document are kept.
 */

import {
  CLOSED,
  cursor,
  enter,
  FAILED,
  FAILURE,
  type Frame,
  INCOMPLETE,
  isContainer,
  isIncomplete,
  isLeaf,
  leave,
  locateFailure,
  MISSING,
  NAME,
  newSelection,
  newWalk,
  type PartReader,
  pass,
  propertyNameOf,
  type RangeVisitor,
  readStringToken,
  releaseSelection,
  resetWalk,
  type Selection,
  type SelectionNode,
  selectValue,
  setFailure,
  showUpTo,
  skip,
  SKIPPED,
  VALUE,
  VALUE_BEGINS,
  type ValueRange,
  type ValueReader,
  type Walk,
  walkOn,
  wantsEntries,
} from "../../parser/streaming/cli_internals.ts";
import { CLOSE_BRACE, CLOSE_BRACKET, COLON, COMMA, LINE_FEED, OPEN_BRACE, OPEN_BRACKET } from "../bytes.ts";
import type { ByteOutput } from "./byte_output.ts";
import { type Outline, partAt, type SelectedRanges } from "./outline.ts";
import type { RowWriter } from "./rows.ts";

const NULL = new TextEncoder().encode("null");
/** Texts before the name and the value of a member that is an element. */
const BEFORE_KEY = new TextEncoder().encode('{"key":');
const BEFORE_VALUE = new TextEncoder().encode(',"value":');

/** Value of a document that was read to its end. */
export const COPIED: object = {};

/** Bytes of an incomplete document below which it waits, and is read again as a whole. */
const MAX_INCOMPLETE = 2 ** 20;
/** Times that each of these bytes is read again, on average. */
const MAX_REREADING = 4;

/** Bytes of replaced members from which they are dropped from the output. */
const MAX_DEAD_BYTES = 2 ** 20;

/** Bytes after a text that can be read: rows copy by words. */
const SLACK = 8;

/** Parts to copy. */
export interface SelectedParts {
  /** Parts of a mask, or the value or the elements at a pointer. */
  readonly kind: "parts" | "value" | "elements";
  readonly root: SelectionNode;
  /** Outline of a mask. */
  readonly outline: Outline | undefined;
  /** Node at the end of a pointer. */
  readonly end: SelectionNode | undefined;
  /** Writer of rows in place of JSON. */
  readonly rows: RowWriter | undefined;
  /** Message about a document without the selected parts. */
  readonly problem: string;
  /** Whether strings become their texts. */
  readonly isRaw: boolean;
  /** Whether the elements are the members of an object. */
  readonly isOfObject?: boolean;
}

/** Counter of results. */
export interface Results {
  /** Number of results that are still wanted. */
  readonly resultsLeft: number;
  /** Counts a result at the end of the output. */
  addResult(): void;
}

/** Container that is copied in part. Positions are relative to the document in the output. */
interface Parts {
  readonly outline: Outline;
  readonly start: number;
  /** Number of elements so far. */
  count: number;
  /** Number of the current member, -1 for none, and where it begins. */
  member: number;
  memberStart: number;
  /** Start of each member, its separator included, and its end; -1 if it is missing. */
  readonly starts: number[];
  readonly ends: number[];
  /** Whether the members are not in order, or one of them was replaced. */
  isMixed: boolean;
  /** Bytes of those that were replaced. */
  dead: number;
  /** Numbers of the members that the mask does not name; made for the first. */
  others: Map<string, number> | undefined;
}

/** Reader of the selected parts of documents. */
export class PartCopier implements PartReader {
  readonly #selected: SelectedParts;
  readonly #output: ByteOutput;
  readonly #results: Results;
  readonly #selection: Selection = newSelection();
  readonly #walk: Walk<Parts | null>;
  readonly #visitor: RangeVisitor;
  /** Members on the path of a pointer, in the selected ranges. */
  readonly #path: number[] = [];
  /** Whether complete documents are read by the whole walker, which recurses. */
  readonly #mayReadWhole: boolean;
  /** Whether the document is read entry by entry. */
  isWalking = false;
  #bytesReread = 0;
  /** Whether the value that is skipped is copied. */
  #isCopying = false;
  /** Whether something was found in the document, and whether it was the array of the elements. */
  #hasResult = false;
  #hasArray = false;
  /** Number of rows of the document; -1 if it lacks their array. */
  #rowCount = 0;
  /** Opening bracket of the kind of container that the mask lacks; -1 without a mask. */
  readonly #refused: number;
  #problem: string | undefined;

  constructor(selected: SelectedParts, output: ByteOutput, results: Results) {
    this.#selected = selected;
    this.#output = output;
    this.#results = results;
    this.#walk = newWalk(selected.root, readStringToken, true);
    const { outline } = selected;
    this.#refused = outline === undefined || isLeaf(outline.node) ? -1 : outline.isArray ? OPEN_BRACE : OPEN_BRACKET;
    this.#mayReadWhole = selected.root.gaps !== null && !selected.outline?.hasRest;
    this.#visitor = (bytes, view, from, to) => output.addPart(bytes, view, from, to);
    for (let node = selected.root; selected.end !== undefined && node !== selected.end; node = node.children[0]!) {
      this.#path.push(0);
    }
  }

  /** Whether results cannot be taken back before the end of a document. */
  get isDelimited(): boolean {
    const { kind } = this.#selected;
    return kind === "elements" || kind === "value" && this.#results.resultsLeft < Infinity;
  }

  reset = (): boolean => {
    this.#bytesReread = 0;
    if (!this.isWalking) return false;
    this.isWalking = false;
    resetWalk(this.#walk);
    return true;
  };

  release = (): void => {
    releaseSelection(this.#selection);
  };

  read = (reader: ValueReader): unknown => {
    const { buffer, parsableEnd, readableEnd } = reader;
    const selection = this.#selection;
    showUpTo(selection, buffer, readableEnd);
    if (this.isWalking) return this.#readOn(reader);
    this.#output.length = this.#output.committed; // of a document that was not printed
    this.#hasResult = this.#hasArray = false;
    if (buffer.bytes[reader.position] === this.#refused && reader.position < parsableEnd) {
      this.#problem = this.#selected.problem;
      return failAt(reader.position, this.#refused === OPEN_BRACKET);
    }
    if (this.#mayReadWhole && (this.#selected.kind === "parts" || this.#results.resultsLeft > 1)) {
      const value = selectValue(selection, this.#selected.root, reader.position) as SelectedRanges;
      if (reader.isLast || !isIncomplete(selection.bytes, cursor.position)) {
        if (cursor.position < 0) return FAILED;
        reader.position = cursor.position;
        this.#copyWhole(value);
        return COPIED;
      }
      const waiting = parsableEnd - reader.position;
      if (waiting < MAX_INCOMPLETE && this.#bytesReread <= MAX_REREADING * waiting) {
        this.#bytesReread += waiting;
        return INCOMPLETE;
      }
    }
    this.isWalking = true;
    return this.#readOn(reader);
  };

  /** Returns the message about the last failure, if it was not one of the grammar. */
  takeProblem(): string | undefined {
    const problem = this.#problem;
    this.#problem = undefined;
    return problem;
  }

  /** Copies the ranges selected from a complete document. */
  #copyWhole(value: SelectedRanges): void {
    const { kind, outline, rows } = this.#selected;
    const { bytes, view } = this.#selection;
    if (kind === "parts") {
      this.#hasResult = true;
      if (rows !== undefined) this.#rowCount = rows.write(value, bytes, view, this.#results.resultsLeft);
      else this.#copyRanges(outline!, value);
      return;
    }
    const part = partAt(value, this.#path) as ValueRange | undefined;
    if (part === undefined) return;
    this.#hasResult = true;
    this.#output.addValue(bytes, view, part.start, part.end);
  }

  /** Copies the ranges selected under an outline. */
  #copyRanges(outline: Outline, value: SelectedRanges): void {
    const output = this.#output;
    if (value === null || value === undefined) return output.addShort(NULL);
    if (!Array.isArray(value)) {
      const { start, end } = value as ValueRange;
      return output.addValue(this.#selection.bytes, this.#selection.view, start, end);
    }
    const { element, isArray, members, prefixes } = outline;
    if (element !== null) {
      output.addByte(OPEN_BRACKET);
      for (let i = 0; i < value.length; i++) {
        if (i > 0) output.addByte(COMMA);
        this.#copyRanges(element, value[i]);
      }
      return output.addByte(CLOSE_BRACKET);
    }
    const start = output.length;
    for (let member = 0; member < members.length; member++) {
      const part = value[member] as SelectedRanges;
      const isMissing = part === null || part as unknown === MISSING;
      if (isMissing && !isArray) continue;
      output.addShort(prefixes[member]);
      this.#copyRanges(members[member], isMissing ? null : part);
    }
    this.#closeEntries(start, isArray);
  }

  /** Closes the container from `start` on, whose entries have a comma before them. */
  #closeEntries(start: number, isArray: boolean): void {
    const output = this.#output;
    if (output.length === start) output.addByte(COMMA);
    output.bytes[start] = isArray ? OPEN_BRACKET : OPEN_BRACE;
    output.addByte(isArray ? CLOSE_BRACKET : CLOSE_BRACE);
  }

  /** Reads a document entry by entry. */
  #readOn(reader: ValueReader): unknown {
    const walk = this.#walk;
    const { bytes, view } = this.#selection;
    for (;;) {
      const step = walkOn(walk, bytes, view, reader.position, reader.isLast);
      reader.position = walk.position;
      const { frame } = walk;
      if (step === VALUE_BEGINS) {
        if (!this.#beginValue(frame)) return FAILED;
        reader.position = walk.position;
      } else if (step === NAME) {
        const { parts, name } = frame!;
        if (parts === null) this.#output.addShort(BEFORE_KEY);
        else {
          this.#beginMember(parts, this.#numberOfOther(parts, name));
          this.#output.addByte(COMMA);
        }
        this.#output.addRange(bytes, view, walk.nameStart, walk.position);
        if (parts === null) this.#output.addShort(BEFORE_VALUE);
        else this.#output.addByte(COLON);
      } else if (step === SKIPPED) {
        this.#endValue(frame, this.#isCopying);
        if (this.#results.resultsLeft <= 0) return INCOMPLETE;
      } else if (step === CLOSED) {
        const { node, parts } = leave(walk);
        if (parts === null) this.#hasArray ||= node === this.#selected.end;
        else {
          this.#close(parts);
          this.#endValue(walk.frame, true);
        }
      } else if (step === FAILURE) return FAILED;
      else return INCOMPLETE;
      if (walk.frame === null && (step === SKIPPED || step === CLOSED)) return this.#endDocument();
    }
  }

  /** Begins the value at the position. Returns `false` after a failure was located. */
  #beginValue(frame: Frame<Parts | null> | null): boolean {
    const walk = this.#walk;
    const { bytes } = this.#selection;
    const node = walk.node!;
    const c = bytes[walk.position];
    this.#isCopying = false;
    if (this.#selected.outline === undefined) return this.#beginOnWay(frame, node, c);
    const outline = frame === null ? this.#selected.outline : this.#beginEntry(frame);
    if (isContainer(c) && !wantsEntries(node, c) && !isLeaf(node)) skip(walk);
    else if (isLeaf(node) || !isContainer(c)) this.#copy();
    else if (frame === null || outline.hasRest || !this.#copiedWhole(outline)) {
      if (outline.element !== null) this.#output.addByte(OPEN_BRACKET);
      enter(walk, c === OPEN_BRACE, newParts(outline, this.#at));
    }
    return true;
  }

  /** Copies the value at the position while it is validated. */
  #copy(): void {
    this.#isCopying = true;
    this.#output.beginPart();
    skip(this.#walk, this.#visitor);
  }

  /** Copies the container at the position if it is complete. */
  #copiedWhole(outline: Outline): boolean {
    const walk = this.#walk;
    const value = selectValue(this.#selection, outline.node, walk.position) as SelectedRanges;
    if (cursor.position < 0) return false; // a failure is located again
    this.#copyRanges(outline, value);
    walk.position = cursor.position;
    pass(walk);
    this.#endValue(walk.frame, true);
    return true;
  }

  /** Begins a value at a pointer, or on the path to it. Returns `false` after a failure. */
  #beginOnWay(frame: Frame<null | Parts> | null, node: SelectionNode, c: number): boolean {
    const walk = this.#walk;
    const { end, kind } = this.#selected;
    const isAtEnd = node === end;
    if (frame !== null && frame.node === end) this.#copy();
    else if (this.#hasArray) skip(walk);
    else {
      this.#output.length = this.#output.committed; // of an earlier member of the same name
      this.#hasResult = false;
      if (isAtEnd && kind === "value") this.#copy();
      else if (isAtEnd && c !== (this.#selected.isOfObject ? OPEN_BRACE : OPEN_BRACKET)) {
        return this.#failWithoutContainer(frame);
      } else if (!wantsEntries(node, c)) skip(walk);
      else enter(walk, c === OPEN_BRACE, null);
    }
    return true;
  }

  #failWithoutContainer(frame: Frame<null | Parts> | null): false {
    const { bytes, view } = this.#selection;
    const { position } = this.#walk;
    const isInObject = frame !== null && frame.isObject;
    if (!locateFailure(bytes, view, position, position + 1, VALUE, isInObject, false)) {
      failAt(position, this.#selected.isOfObject);
    }
    return false;
  }

  /** Ends the document. */
  #endDocument(): unknown {
    const { kind, rows } = this.#selected;
    const output = this.#output;
    if (kind === "parts") this.#hasResult = true;
    if (rows !== undefined) {
      // The copied parts are a document with the same columns.
      output.reserve(SLACK);
      const bytes = output.bytes.slice(output.committed, output.length + SLACK);
      const text = bytes.subarray(0, output.length - output.committed);
      const selection = { ...this.#selection, bytes: text, view: new DataView(bytes.buffer) };
      output.length = output.committed;
      const value = selectValue(selection, this.#selected.root, 0) as SelectedRanges;
      this.#rowCount = rows.write(value, text, selection.view, this.#results.resultsLeft);
    }
    return COPIED;
  }

  /** Position in the output, from the beginning of the document. */
  get #at(): number {
    return this.#output.length - this.#output.committed;
  }

  /** Begins an element, or a member that the mask names. Returns its outline. */
  #beginEntry({ isObject, member, parts }: Frame<Parts | null>): Outline {
    const { outline } = parts!;
    if (!isObject && outline.element !== null) {
      if (parts!.count++ > 0) this.#output.addByte(COMMA);
      return outline.element;
    }
    if (member < 0) return outline.rest!;
    this.#beginMember(parts!, member);
    this.#output.addShort(outline.prefixes[member]);
    return outline.members[member];
  }

  #numberOfOther(parts: Parts, name: string): number {
    parts.others ??= new Map();
    const key = propertyNameOf(name);
    let number = parts.others.get(key);
    if (number === undefined) {
      number = parts.outline.prefixes.length + parts.others.size;
      parts.others.set(key, number);
    }
    return number;
  }

  /** Begins a member in the output. */
  #beginMember(parts: Parts, member: number): void {
    const { starts, ends } = parts;
    while (starts.length <= member) {
      starts.push(-1);
      ends.push(-1);
    }
    if (starts[member] >= 0) this.#dropMember(parts, member);
    parts.member = member;
    parts.memberStart = this.#at;
  }

  /** Drops a member that another one of the same name replaces. */
  #dropMember(parts: Parts, member: number): void {
    parts.dead += parts.ends[member] - parts.starts[member];
    parts.starts[member] = parts.ends[member] = -1;
    parts.isMixed = true;
    if (parts.dead > MAX_DEAD_BYTES && 2 * parts.dead > this.#at - parts.start) this.#sortMembers(parts);
  }

  /** Ends a value; `isCopied` if it is in the output. */
  #endValue(frame: Frame<Parts | null> | null, isCopied: boolean): void {
    const output = this.#output;
    const { kind, end, isRaw } = this.#selected;
    if (kind === "elements") {
      if (frame === null || frame.node !== end) return;
      if (isRaw) output.decodeString(output.committed);
      if (this.#selected.isOfObject) output.addByte(CLOSE_BRACE);
      output.addByte(LINE_FEED);
      this.#results.addResult();
    } else if (kind === "value") {
      this.#hasResult ||= isCopied;
      if (this.#hasResult && this.#results.resultsLeft === 1) this.endResult(); // the first one counts
    } else if (frame === null || !frame.isObject && frame.member < 0) {
      if (!isCopied) output.addShort(NULL);
    } else this.#endMember(frame.parts!, isCopied);
  }

  #endMember(parts: Parts, isCopied: boolean): void {
    const { member, memberStart, starts, ends } = parts;
    if (isCopied) {
      // Members that the mask names are in order if each has a greater number than those before.
      if (member < starts.length - 1) parts.isMixed = true;
      starts[member] = memberStart;
      ends[member] = this.#at;
      return;
    }
    this.#output.length = this.#output.committed + memberStart;
    // A later one is then the last: those before it may be in order.
    if (member === starts.length - 1 && parts.others === undefined) {
      starts.pop();
      ends.pop();
    }
  }

  /** Whether the document has the array of the elements or rows, if one was asked for. */
  get isFound(): boolean {
    const { kind } = this.#selected;
    return kind === "elements" ? this.#hasArray : this.#rowCount >= 0;
  }

  /** Ends the result of a document: its parts, or the value at a pointer. */
  endResult(): void {
    const { kind, rows, isRaw } = this.#selected;
    const output = this.#output;
    if (kind === "elements" || !this.#hasResult) return;
    if (rows !== undefined) {
      rows.commit();
      for (let i = 0; i < this.#rowCount; i++) this.#results.addResult();
      return;
    }
    if (isRaw) output.decodeString(output.committed);
    output.addByte(LINE_FEED);
    this.#results.addResult();
  }

  /** Ends a container. */
  #close(parts: Parts): void {
    const output = this.#output;
    const { element, isArray, members } = parts.outline;
    if (element !== null) return output.addByte(CLOSE_BRACKET);
    for (let member = 0; isArray && member < members.length; member++) {
      if (member < parts.starts.length && parts.starts[member] >= 0) continue;
      this.#beginMember(parts, member);
      output.addByte(COMMA);
      output.addShort(NULL);
      this.#endMember(parts, true);
    }
    if (parts.isMixed) this.#sortMembers(parts);
    this.#closeEntries(output.committed + parts.start, isArray);
  }

  /** Puts the members of an object in order in the output, without those that were replaced. */
  #sortMembers(parts: Parts): void {
    const output = this.#output;
    const { starts, ends, start } = parts;
    const base = output.committed + start;
    const old = output.bytes.slice(base, output.length);
    let o = start;
    for (let member = 0; member < starts.length; member++) {
      if (starts[member] < 0) continue;
      const size = ends[member] - starts[member];
      output.bytes.set(old.subarray(starts[member] - start, ends[member] - start), output.committed + o);
      starts[member] = o;
      ends[member] = o += size;
    }
    output.length = output.committed + o;
    parts.dead = 0;
    // Members that come later are still put in order at the end.
  }
}

/** Fails at a value that has another kind than was asked for. */
function failAt(position: number, wantsObject = false): typeof FAILED {
  setFailure(wantsObject ? "expected-object" : "expected-array", position);
  return FAILED;
}

function newParts(outline: Outline, start: number): Parts {
  return {
    outline,
    start,
    count: 0,
    member: -1,
    memberStart: 0,
    starts: [],
    ends: [],
    isMixed: false,
    dead: 0,
    others: undefined,
  };
}
