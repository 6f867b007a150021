/**
 * The value so far: the part of a document that has arrived, as immutable values. They share
 * complete parts; containers that are still open are copied when they have changed.
 */

import { BACKSLASH, LOWER_U, QUOTE } from "../base/ascii.ts";
import { skipPlain } from "../base/swar.ts";
import { skipWhitespace } from "../base/whitespace.ts";
import { AT_VALUE, BEFORE_VALUE, START, type Suspension } from "../document/suspension.ts";
import { beginParse, endParse } from "../document/parse_document.ts";
import {
  ARRAY,
  DICTIONARY,
  FLUSHED_ARRAY,
  OBJECT,
  segmentCount,
  type Tables,
  tables,
} from "../document/value_stack.ts";
import { defineElement, joinArrays } from "../engine/arrays.ts";
import { SMALL_INPUT } from "../engine/input_sizes.ts";
import { defineMember, resetObjectPrototypeCheck } from "../engine/object_prototype.ts";
import { addMember, assembleObject, finishDictionary } from "../objects/make_object.ts";
import { ACCEPT_BEFORE, STRING, TRANSITIONS } from "../validation/token_dfa.ts";
import { readStringToken } from "../strings/read_string.ts";
import type { ChunkBuffer } from "../document/chunk_buffer.ts";
import { AFTER, type ParserState, WITHIN } from "./parser_state.ts";
import type { ValueReader } from "../document/value_reader.ts";

/** Placeholder for a value of which nothing has arrived. */
export const NOTHING: unique symbol = /* @__PURE__ */ Symbol("nothing");

/**
 * Work that each value so far may do, and more for each byte that arrives, in copied elements. So a
 * wide container is copied again only after enough input, and all copies together take time linear
 * in the input.
 */
const FREE_WORK = 256;
const WORK_PER_BYTE = 4;
/** Work of a member, and of an open container. */
const MEMBER_WORK = 16;
const LEVEL_WORK = 8;

/** Open container, as last returned to the caller. */
interface Level {
  value: unknown;
  /** Number of complete entries, or {@linkcode UNCOUNTED} for a dictionary. */
  entries: number;
  /** Name of the open member; `null` if there is none. */
  name: string | number | null;
  /** Value of the open entry that was last returned, or {@linkcode NOTHING}. */
  child: unknown;
}

const UNCOUNTED = -1;

/** Maximum number of closed levels compared for identity, since the comparison recurses. */
const MAX_CLOSED = 1000;

const NO_IDS = /* @__PURE__ */ new Int32Array(0);

/** Maker of the values so far of one document. */
export interface PartialReader {
  /** Value returned last, or {@linkcode NOTHING}. */
  value: unknown;
  /** Containers that were open then, outermost first. Only the first `depth` are in use. */
  levels: Level[];
  depth: number;
  /** Offset of the incomplete string, or -1; its text; and the offset it is decoded to. */
  stringStart: number;
  text: string;
  decodedTo: number;
  /** Remaining budget of work: see {@linkcode WORK_PER_BYTE}. */
  credit: number;
  /** Offset up to which bytes were counted for it. */
  creditedTo: number;
}

/** Container that {@linkcode locate} has located: its stack position, ids and level. */
const open = {
  kind: ARRAY,
  ids: NO_IDS,
  base: 0,
  top: 0,
  segments: 0,
  entries: 0,
  name: null as string | number | null,
};

const { defineProperty, ownKeys } = Reflect;
const { isArray } = Array;
const { is } = Object;

export function newPartialReader(): PartialReader {
  return { value: NOTHING, levels: [], depth: 0, stringStart: -1, text: "", decodedTo: 0, credit: 0, creditedTo: 0 };
}

/** Returns whether there has been enough input for the work of another value so far. */
export function hasCredit(partial: PartialReader, { reader: { buffer } }: ParserState): boolean {
  const arrived = buffer.origin + buffer.end;
  partial.credit += WORK_PER_BYTE * (arrived - partial.creditedTo);
  partial.creditedTo = arrived;
  return partial.credit >= 0;
}

/**
 * Returns the value so far, the same as before if nothing has changed; {@linkcode NOTHING} if none
 * has begun.
 *
 * Cost: linear in the entries of the open containers. Precondition: called during parsing.
 */
export function readPartial(partial: PartialReader, state: ParserState): unknown {
  if (state.phase === AFTER) return state.value = completePartial(partial, state.value);
  if (state.phase === WITHIN) partial.value = makePartial(partial, state.reader, tables);
  return partial.value;
}

/** Like {@linkcode readPartial}, between two chunks. */
export function readPartialBetween(partial: PartialReader, state: ParserState): unknown {
  if (state.phase !== WITHIN) return readPartial(partial, state);
  beginParse();
  resetObjectPrototypeCheck();
  try {
    return partial.value = makePartial(partial, state.reader, state.reader.tables ?? tables);
  } finally {
    endParse(SMALL_INPUT + 1);
  }
}

/**
 * Makes the value so far after a text has lengthened the last string. If that string is all that
 * has changed since the value before, nothing of the suspended parse has to be read.
 */
export function growPartial(partial: PartialReader, state: ParserState, text: string): void {
  const { levels, depth } = partial;
  const { origin, end } = state.reader.buffer;
  // Otherwise part of the string was not decoded yet, or it is another one.
  if (partial.decodedTo === origin + end - text.length) {
    let child: unknown = partial.text += text;
    partial.decodedTo = origin + end;
    let work = depth * LEVEL_WORK - FREE_WORK;
    let level = depth - 1;
    for (; level >= 0; level--) {
      const before = levels[level];
      if (before.entries === UNCOUNTED) break;
      work += replaceChild(before, child);
      child = before.value;
    }
    partial.credit -= Math.max(0, work);
    if (level < 0) {
      partial.value = child;
      return;
    }
  }
  readPartialBetween(partial, state);
}

/** Returns the complete value, or the one returned before if it is the same. */
export function completePartial(partial: PartialReader, value: unknown): unknown {
  if (partial.depth > 0) value = reuseClosed(partial, 0, value);
  partial.depth = 0;
  return partial.value = value;
}

/** @param own Tables of the suspended parse. */
function makePartial(partial: PartialReader, reader: ValueReader, own: Tables): unknown {
  const { suspension } = reader;
  const { stage, kind, stack } = suspension;
  const isValue = stage === START || stage === BEFORE_VALUE || stage === AT_VALUE && kind < OBJECT;
  let child = isValue ? readText(partial, reader) : NOTHING;
  if (stage === START) return child;
  const depth = suspension.depth >> 1;
  const { levels } = partial;
  while (levels.length < depth) {
    const level: Level = { value: NOTHING, entries: 0, name: null, child: NOTHING };
    defineElement(levels, levels.length, level);
  }
  // Containers that were open before and still are, outermost first.
  let same = Math.min(1, partial.depth);
  for (; same < partial.depth; same++) {
    const { entries, name } = levels[same - 1];
    locate(suspension, own, same - 1);
    if (same === depth || entries !== open.entries || name !== open.name) {
      reuseClosedEntry(partial, same, stack);
      break;
    }
  }
  // Makes changed containers anew, innermost first.
  let work = depth * LEVEL_WORK - FREE_WORK;
  for (let level = depth - 1; level >= 0; level--) {
    const before = levels[level];
    if (level < same - 1 && before.entries !== UNCOUNTED) {
      // It has no other entries than before, and its last one is still open.
      if (!is(child, before.child)) work += replaceChild(before, child);
      child = before.value;
      continue;
    }
    locate(suspension, own, level);
    const { kind, entries, name } = open;
    const isOpen = level < same; // since before
    let value: unknown;
    if (isOpen && isUnchanged(before, child, stack)) value = before.value;
    else {
      const isGrown = isOpen && kind !== DICTIONARY && before.entries === entries && before.child !== NOTHING;
      if (isGrown) value = withChild(before, child);
      else value = kind < OBJECT ? makeArray(stack, child) : makeObject(stack, child);
      work += kind < OBJECT ? entries : MEMBER_WORK * (kind === OBJECT ? entries : ownKeys(value as object).length);
      if (kind === DICTIONARY && isOpen && isSameContent(value, before.value)) value = before.value;
    }
    before.value = value;
    before.entries = entries;
    before.name = name;
    before.child = child;
    child = value;
  }
  for (let level = depth; level < partial.depth; level++) levels[level].value = levels[level].child = NOTHING;
  partial.depth = depth;
  partial.credit -= Math.max(0, work);
  return child;
}

/** Locates the entries of an open container, the outermost of which is at level 0. */
function locate({ stack, depth, base, kind, top }: Suspension, { frames, ids }: Tables, level: number): void {
  const innermost = (depth >> 1) - 1;
  if (level < innermost) {
    const frame = frames[2 * level + 2];
    top = level + 1 < innermost ? frames[2 * level + 4] >> 2 : base;
    base = frame >> 2;
    kind = frame & 3;
  }
  open.kind = kind;
  open.base = base;
  open.top = top;
  open.ids = ids;
  open.segments = kind === FLUSHED_ARRAY ? segmentCount(base, ids) : 0;
  open.name = null;
  if (kind < OBJECT) {
    open.entries = top - base - open.segments;
    for (let i = 0; i < open.segments; i++) open.entries += (stack[base + i] as unknown[]).length;
  } else if (kind === OBJECT) {
    open.entries = top - base >> 1;
    if ((top - base & 1) === 1) open.name = stack[top - 1] as string | number;
  } else {
    open.entries = UNCOUNTED;
    if (top === base + 2) open.name = stack[top - 1] as string | number;
  }
}

/** Makes the located array, with `child` as its last element unless that is `NOTHING`. */
function makeArray(stack: unknown[], child: unknown): unknown {
  const { base, top, segments } = open;
  const saved = stack[top];
  stack[top] = child; // there is room: see `SLACK`
  const rest = stack.slice(base + segments, child === NOTHING ? top : top + 1);
  stack[top] = saved;
  if (segments === 0) return rest;
  // An empty array of any values would make V8 box the doubles of the others (an array of 600 KB by
  // 1 KB: a third of the time).
  if (rest.length === 0) return joinArrays(stack.slice(base, base + segments) as unknown[][]);
  const parts = stack.slice(base, base + segments + 1) as unknown[][]; // one more
  parts[segments] = rest;
  return joinArrays(parts);
}

/** Replaces the last entry of a container, in a copy. Returns the work. */
function replaceChild(level: Level, child: unknown): number {
  const { value, entries } = level;
  level.value = withChild(level, child);
  level.child = child;
  return isArray(value) ? entries : MEMBER_WORK * entries;
}

/** Copies a returned container, with another last entry (a third faster than making it anew). */
function withChild({ value, entries, name }: Level, child: unknown): unknown {
  if (isArray(value)) {
    const copy = value.slice(0, entries + 1);
    copy[entries] = child;
    return copy;
  }
  const copy = copyOf(value as Record<string, unknown>, entries);
  copy[name!] = child;
  return copy;
}

/**
 * Copies an object with `entries` members before the last one. V8 copies objects of up to four
 * shapes fast at each place in the code, and others in three times the time. So there is a place
 * for each width (an answer of 4 KB by 8 characters, of jsonriver's time: 1.31 → 1.12).
 */
function copyOf(object: Record<string, unknown>, entries: number): Record<string, unknown> {
  switch (entries) {
    case 0:
      return { ...object };
    case 1:
      return { ...object };
    case 2:
      return { ...object };
    case 3:
      return { ...object };
    case 4:
      return { ...object };
    case 5:
      return { ...object };
    case 6:
      return { ...object };
    case 7:
      return { ...object };
    default:
      return { ...object };
  }
}

/** Makes the located object, with `child` as its last value unless that is `NOTHING`. */
function makeObject(stack: unknown[], child: unknown): unknown {
  const { kind, ids, base, top, entries, name } = open;
  if (kind === DICTIONARY) {
    const copy = { __proto__: null, ...stack[base] as object } as unknown as Record<string, unknown>;
    if (child !== NOTHING) addMember(copy, name!, child);
    return finishDictionary(copy);
  }
  const end = base + 2 * entries + (child === NOTHING ? 0 : 2);
  if (end === base) return {};
  const saved = stack[top];
  if (child !== NOTHING) stack[top] = child;
  const object = assembleObject(stack, ids, base, end);
  stack[top] = saved;
  return object;
}

/** Returns whether the located container has the same entries as before. */
function isUnchanged({ value, entries, child: childBefore }: Level, child: unknown, stack: unknown[]): boolean {
  if (open.kind === DICTIONARY) return false;
  const size = open.entries + (child === NOTHING ? 0 : 1);
  if (size !== entries + (childBefore === NOTHING ? 0 : 1)) return false;
  if (childBefore === NOTHING) return true;
  if (child !== NOTHING) return is(child, childBefore);
  const at = entrySlot(entries, stack);
  if (!is(at.holder[at.index], childBefore)) return false;
  settle(value as object, open.kind < OBJECT ? entries : stack[at.index - 1] as string, at.holder[at.index]);
  return true;
}

/** Locates the value of a complete entry of the located container. */
function entrySlot(entry: number, stack: unknown[]): { holder: unknown[]; index: number } {
  const { kind, base, segments } = open;
  if (kind === OBJECT) return { holder: stack, index: base + 2 * entry + 1 };
  let index = entry;
  for (let i = 0; i < segments; i++) {
    const segment = stack[base + i] as unknown[];
    if (index < segment.length) return { holder: segment, index };
    index -= segment.length;
  }
  return { holder: stack, index: base + segments + index };
}

/** Reuses the returned value of an entry that has closed, in the located container. */
function reuseClosedEntry(partial: PartialReader, level: number, stack: unknown[]): void {
  const { entries, name } = partial.levels[level - 1];
  if (open.kind === DICTIONARY) {
    const members = stack[open.base] as Record<string, unknown>;
    addMember(members, name!, reuseClosed(partial, level, members[name!]));
  } else {
    const { holder, index } = entrySlot(entries, stack);
    holder[index] = reuseClosed(partial, level, holder[index]);
  }
}

/**
 * Returns the container returned before for a level that has closed, if it equals `value`.
 * Otherwise returns `value`, after doing the same with its open entry.
 */
function reuseClosed(partial: PartialReader, level: number, value: unknown, closed: number = 0): unknown {
  const { levels, depth } = partial;
  const { value: before, entries, name, child } = levels[level];
  if (typeof value !== "object" || value === null || isArray(value) !== isArray(before)) return value;
  const key = name ?? entries;
  const read = value as Record<string, unknown>;
  if (child !== NOTHING) {
    let last = read[key];
    if (level + 1 < depth && closed < MAX_CLOSED) {
      const reused = reuseClosed(partial, level + 1, last, closed + 1);
      if (reused !== last) defineMember(read, key, last = reused);
    }
    if (!is(last, child)) return value;
  }
  if (!isSameContent(value, before)) return value;
  if (typeof child === "string") settle(before as object, key, read[key]);
  return before;
}

/** Replaces a string, which is a rope in the engine, by the same flat string. */
function settle(container: object, key: string | number, string: unknown): void {
  defineProperty(
    container,
    key,
    { __proto__: null, value: string, writable: true, enumerable: true, configurable: true } as object,
  ); // false if the caller has frozen it
}

/** Returns whether two arrays or objects have identical entries in the same order. */
function isSameContent(one: unknown, other: unknown): boolean {
  if (isArray(one)) {
    const before = other as unknown[];
    if (one.length !== before.length) return false;
    for (let i = 0; i < one.length; i++) if (!is(one[i], before[i])) return false;
    return true;
  }
  const names = ownKeys(one as object) as string[];
  const before = ownKeys(other as object);
  if (names.length !== before.length) return false;
  for (let i = 0; i < names.length; i++) {
    const name = names[i];
    if (name !== before[i]) return false;
    if (!is((one as Record<string, unknown>)[name], (other as Record<string, unknown>)[name])) return false;
  }
  return true;
}

/** Returns the whole characters that have arrived of the incomplete string. */
function readText(partial: PartialReader, reader: ValueReader): unknown {
  const { buffer, readableEnd: end, suspension: { position } } = reader;
  const { bytes, origin } = buffer;
  const p = skipWhitespace(bytes, position, end);
  if (p >= end || bytes[p] !== QUOTE) return NOTHING;
  if (partial.stringStart !== origin + p) {
    partial.stringStart = origin + p;
    partial.text = "";
    partial.decodedTo = origin + p + 1;
  }
  const from = partial.decodedTo - origin;
  if (from === Infinity) return partial.text;
  const to = endOfCharacters(bytes, from, end);
  if (to > from) {
    let text = decodeText(buffer, from, to);
    partial.decodedTo = text === null ? Infinity : origin + to; // it fails once it ends
    text ??= decodeText(buffer, from, endOfCharacters(bytes, from, endOfValid(bytes, from, to)));
    partial.text += text ?? ""; // not covered: needs a string of more than 536,870,888 characters
  }
  return partial.text;
}

/** Returns the end of the last complete character, which may be an escape or a surrogate pair. */
function endOfCharacters(bytes: Uint8Array, from: number, end: number): number {
  let p = from;
  for (; p < end; p++) {
    if (bytes[p] !== BACKSLASH) continue;
    const size = bytes[p + 1] === LOWER_U ? 6 : 2;
    if (p + size > end) return p;
    if (size === 6 && isHighSurrogate(bytes, p)) {
      // The next escape may be the other half.
      if (p + 6 >= end || bytes[p + 6] === BACKSLASH && (p + 7 >= end || bytes[p + 7] === LOWER_U && p + 12 > end)) {
        return p;
      }
    }
    p += size - 1;
  }
  let lead = end - 1;
  while (lead > from && lead > end - 4 && (bytes[lead] & 0xc0) === 0x80) lead--;
  const first = lead >= from ? bytes[lead] : 0;
  const size = first < 0xc0 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
  return lead + size > end ? lead : end;
}

/** Returns the position up to which a string is valid, in whole characters. */
function endOfValid(bytes: Uint8Array, from: number, to: number): number {
  let state = STRING;
  let valid = from;
  for (let p = from; p < to && state < ACCEPT_BEFORE; p++) {
    state = TRANSITIONS[state << 8 | bytes[p]];
    if (state === STRING) valid = p + 1;
  }
  return valid;
}

/** Returns whether the escape at `p` is `\uD800` to `\uDBFF`. */
function isHighSurrogate(bytes: Uint8Array, p: number): boolean {
  const third = bytes[p + 3] | 0x20;
  return (bytes[p + 2] | 0x20) === 0x64 && (third === 0x38 || third === 0x39 || third === 0x61 || third === 0x62);
}

/** Decodes part of a string, with a temporary quote at its end; `null` if it is malformed. */
function decodeText({ bytes, view, end }: ChunkBuffer, from: number, to: number): string | null {
  if (to === bytes.length) {
    const copy = new Uint8Array(end - from + 1);
    copy.set(new Uint8Array(bytes.buffer, from, end - from));
    bytes = copy;
    view = new DataView(copy.buffer);
    to -= from;
    from = 0;
  }
  const saved = bytes[to];
  bytes[to] = QUOTE;
  const text = readStringToken(bytes, view, from, skipPlain(bytes, view, from, to), to + 1);
  bytes[to] = saved;
  return text;
}
