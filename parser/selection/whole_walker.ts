/**
 * Selects from a whole value: reads the selected members of its objects, and skips the others. All
 * bytes are checked.
 *
 * One loop reads the members of an object, and calls itself along the mask. Between two values, it
 * first compares the bytes with a gap that it has learned (`gaps.ts`).
 * `tests/library/differential_test.ts` compares it with the other copies of the grammar.
 */

import {
  CLOSE_BRACE,
  CLOSE_BRACKET,
  COLON,
  COMMA,
  LINE_FEED,
  LOWER_F,
  LOWER_N,
  LOWER_T,
  OPEN_BRACE,
  OPEN_BRACKET,
  POINT,
  QUOTE,
  SPACE,
  ZERO,
} from "../base/ascii.ts";
import { cursor } from "../base/cursor.ts";
import { decodeName, propertyNameOf } from "../base/decode_name.ts";
import { failAtLimit } from "../base/failure.ts";
import { FALSE_TAIL, lowestByte, needsAttention, NULL, TRUE } from "../base/swar.ts";
import { skipIndentation, skipWhitespace } from "../base/whitespace.ts";
import { INT32_DIGITS } from "../numbers/limits.ts";
import { foundKey } from "../objects/key_cache.ts";
import { FAILED_POSITION, locateFailure } from "../validation/locate_failure.ts";
import { IN_ARRAY, skipItems, skipValue } from "../validation/skip_container.ts";
import { AFTER_ELEMENT, AFTER_MEMBER, FIRST_KEY, FIRST_VALUE, KEY, VALUE } from "../validation/token_dfa.ts";
import {
  LAST,
  learnGap,
  LENGTH,
  MAX_BUDGET,
  MEMBER,
  MISS_COST,
  NEXT,
  NONE,
  noteLines,
  OBJECT_REWARD,
  START,
  WORDS,
} from "./gaps.ts";
import { findMember } from "./name_table.ts";
import { closeAllMembers, closeArray, closeElements, closeMembers, newOthers } from "./selected_parts.ts";
import type { Selection } from "./selection.ts";
import {
  ALL_ENTRIES,
  isContainer,
  isLeaf,
  memberNamed,
  MISSING,
  NO_ENTRIES,
  type SelectionNode,
  SOME_ENTRIES,
  SOME_TESTED,
  type ValueRange,
} from "./selection_node.ts";

const NO_VALUES: unknown[] = [];

/** Selected elements after which the string cache is copied: "Fresh stack" in ARCHITECTURE.md. */
const FRESH_CACHE_INTERVAL = 1024;

/** Number of a member whose name is not looked up yet: its gap was not predicted. */
const UNKNOWN_MEMBER = -2;
const OTHER_MEMBER = -1;

/** Locates the failure of an unreadable token. Leaves {@linkcode FAILED_POSITION} in `cursor`. */
function fail({ bytes, view }: Selection, p: number, state: number, isInObject: boolean): undefined {
  locateFailure(bytes, view, p, bytes.length, state, isInObject);
  cursor.position = FAILED_POSITION;
  return undefined;
}

/**
 * Reads a value under a node of the mask; `null` for all of it. Leaves the position after it in
 * `cursor`, or {@linkcode FAILED_POSITION} after a failure was located. Returns `undefined` for a
 * container of another kind than the node wants.
 *
 * Precondition: the value begins at `p` or after whitespace.
 */
export function selectValue(selection: Selection, node: SelectionNode | null, p: number): unknown {
  const { bytes, view } = selection;
  const end = bytes.length;
  p |= 0;
  if (p < end && bytes[p] <= SPACE) p = skipIndentation(bytes, view, p, end) | 0;
  const c = p < end ? bytes[p] : 0;
  if (node === null) return selection.maker!.readWhole(selection, p, c);
  if (c === OPEN_BRACE && node.ofObject !== NO_ENTRIES) {
    if (node.ofObject < ALL_ENTRIES) {
      const parts = readMembers(selection, node, p);
      return node.ofObject === SOME_TESTED ? tested(selection, node, p, parts) : parts;
    }
    if (node.rest === null && node.names.length === 0) return selection.maker!.readWhole(selection, p, c);
    const parts = readAllMembers(selection, node, p);
    return node.test === null ? parts : tested(selection, node, p, parts);
  }
  if (c === OPEN_BRACKET && node.ofArray !== NO_ENTRIES) {
    const isEvery = node.ofArray === ALL_ENTRIES;
    const parts = isEvery ? readElements(selection, node, p) : readSomeElements(selection, node, p);
    return node.test === null ? parts : tested(selection, node, p, parts);
  }
  if (isContainer(c) && !isLeaf(node) && node.test === null) {
    cursor.position = skipValue(bytes, view, p);
    return undefined;
  }
  return node.wantsRanges ? readRange(selection, node, p) : selection.maker!.readWhole(selection, p, c);
}

/** Skips the value at `p`. Returns its range, or the answer of the node's tests. */
function readRange(
  { bytes, view }: Selection,
  { test, ownRange }: SelectionNode,
  p: number,
): ValueRange | number | undefined {
  const end = skipValue(bytes, view, p);
  cursor.position = end;
  if (end < 0) return undefined;
  if (test !== null) return test.answer(test, bytes, p, end);
  if (ownRange === null) return { start: p, end };
  ownRange.start = p;
  ownRange.end = end;
  return ownRange;
}

/** Adds the answer of the node's tests to those below the container at `p`, which was read. */
function tested({ bytes }: Selection, { test }: SelectionNode, p: number, answers: unknown): unknown {
  return cursor.position < 0 ? undefined : (answers as number) | test!.answer(test!, bytes, p, cursor.position);
}

// "Copied literals": see ARCHITECTURE.md.
/** Returns an array for the elements of a selected array. `first` is `null`. */
function eightItems(first: unknown): unknown[] {
  return [first, null, null, null, null, null, null, null];
}

/** Returns an array for the members of an object. `first` is `null`. */
function fourValues(first: unknown): unknown[] {
  return [first, null, null, null];
}

/** Returns an array for the parts of a container, with all of them missing. */
function emptyParts({ names: { length }, ownParts, noValues }: SelectionNode): unknown[] {
  if (ownParts === null) return length <= 4 ? fourValues(null) : noValues!.slice(0, length);
  for (let i = 0; i < length; i++) ownParts[i] = MISSING;
  return ownParts;
}

/** Reads the elements of the array at `p`. */
function readElements(selection: Selection, node: SelectionNode, p: number): unknown {
  const { bytes, view, maker } = selection;
  const { every } = node;
  if (every === null) return maker!.readWhole(selection, p, OPEN_BRACKET);
  const element = every as SelectionNode;
  const end = bytes.length;
  const isObject = element.ofObject === SOME_ENTRIES;
  const isTested = node.test !== null;
  let items: unknown[] = isTested ? NO_VALUES : eightItems(null);
  let answers = 0;
  let count = 0;
  p = p + 1 | 0;
  if (p < end && bytes[p] <= SPACE) p = skipIndentation(bytes, view, p, end) | 0;
  if (p < end && bytes[p] === CLOSE_BRACKET) {
    cursor.position = p + 1;
    return isTested ? 0 : [];
  }
  if (p >= end) return fail(selection, p, FIRST_VALUE, false);
  for (;;) {
    const value = isObject && bytes[p] === OPEN_BRACE
      ? readMembers(selection, element, p)
      : selectValue(selection, element, p);
    p = cursor.position | 0;
    if (p < 0) return undefined;
    if (isTested) answers |= value as number;
    else {
      if (count === items.length) items = items.concat(items);
      items[count++] = value === undefined ? null : value;
    }
    if ((count & FRESH_CACHE_INTERVAL - 1) === 0 && maker !== null) maker.renewCache(selection);
    if (p < end && bytes[p] <= SPACE) p = skipIndentation(bytes, view, p, end) | 0;
    const c = p < end ? bytes[p] : 0;
    if (c === COMMA) {
      p = p + 1 | 0;
      if (p < end && bytes[p] <= SPACE) p = skipIndentation(bytes, view, p, end) | 0;
      if (p >= end || bytes[p] === CLOSE_BRACKET) return fail(selection, p, VALUE, false);
    } else if (c === CLOSE_BRACKET) {
      cursor.position = p + 1;
      return isTested ? answers : closeArray(maker, items, count);
    } else {
      return fail(selection, p, AFTER_ELEMENT, false);
    }
  }
}

/** Reads the elements of the array at `p` that are selected by index. Returns the parts. */
function readSomeElements(selection: Selection, node: SelectionNode, p: number): unknown {
  const { bytes, view, maker } = selection;
  const { elements } = node;
  const end = bytes.length;
  const values = emptyParts(node);
  p++;
  if (p < end && bytes[p] <= SPACE) p = skipIndentation(bytes, view, p, end);
  if (p < end && bytes[p] === CLOSE_BRACKET) {
    cursor.position = p + 1;
    return closeElements(maker, node, values);
  }
  let state = FIRST_VALUE;
  for (let index = 0, next = 0; p < end && bytes[p] !== CLOSE_BRACKET; index++) {
    if (next === elements.length) {
      cursor.position = skipItems(bytes, view, p, IN_ARRAY, VALUE);
      return closeElements(maker, node, values);
    }
    const child = elements[next];
    if (child.index === index) {
      const value = selectValue(selection, child, p);
      values[child.member] = value === undefined ? MISSING : value;
      next++;
    } else cursor.position = skipValue(bytes, view, p);
    p = cursor.position;
    if (p < 0) return undefined;
    if (p < end && bytes[p] <= SPACE) p = skipIndentation(bytes, view, p, end);
    const c = p < end ? bytes[p] : 0;
    if (c === CLOSE_BRACKET) {
      cursor.position = p + 1;
      return closeElements(maker, node, values);
    }
    if (c !== COMMA) return fail(selection, p, AFTER_ELEMENT, false);
    p++;
    if (p < end && bytes[p] <= SPACE) p = skipIndentation(bytes, view, p, end);
    state = VALUE;
  }
  return fail(selection, p, state, false);
}

/**
 * Reads the selected members of the object at `p`. Leaves what {@linkcode selectValue} leaves.
 *
 * In the loop, `p` is the position of the next gap, and `gap` is the previous gap's entry.
 */
function readMembers(selection: Selection, node: SelectionNode, p: number): unknown {
  p |= 0;
  const { bytes, view, maker } = selection;
  const end = bytes.length | 0;
  const wordEnd = end - 4 | 0;
  const { children } = node;
  const table = node.gaps!;
  let words = table.words;
  const values = emptyParts(node);
  let found = 0;
  let gap = START;
  let budget = table.budget < MAX_BUDGET ? table.budget + OBJECT_REWARD | 0 : MAX_BUDGET;
  for (;;) {
    let member = OTHER_MEMBER;
    gap: {
      if (budget > 0) {
        // The predicted gap: compared from its end, where names differ.
        const predicted = words[gap + NEXT];
        const size = words[predicted + LENGTH];
        if (size < end - p) {
          const last = size - 4 | 0;
          if (view.getInt32(p + last, true) === words[predicted + LAST]) {
            let k = 0;
            let word = predicted + WORDS | 0;
            while (k < last && view.getInt32(p + k, true) === words[word]) {
              k = k + 4 | 0;
              word = word + 1 | 0;
            }
            if (k >= last) {
              p = p + size | 0;
              gap = predicted;
              budget = budget + 1 | 0;
              member = words[predicted + MEMBER];
              break gap;
            }
          }
        }
      }
      // Any gap, or the end of the object.
      const start = p;
      if (p < end && bytes[p] <= SPACE) p = skipIndentation(bytes, view, p, end) | 0;
      if (gap === START) p = p + 1 | 0; // the opening brace
      else {
        const c = p < end ? bytes[p] : 0;
        if (c === CLOSE_BRACE) {
          cursor.position = p + 1;
          table.budget = budget;
          noteLines(table);
          return closeMembers(maker, node, values, found);
        }
        if (c !== COMMA) return fail(selection, p, AFTER_MEMBER, true);
        p = p + 1 | 0;
      }
      if (p < end && bytes[p] <= SPACE) p = skipIndentation(bytes, view, p, end) | 0;
      const name = p;
      if (p >= end || bytes[p] !== QUOTE) {
        if (gap !== START || p >= end || bytes[p] !== CLOSE_BRACE) {
          return fail(selection, p, gap === START ? FIRST_KEY : KEY, true);
        }
        cursor.position = p + 1;
        return closeMembers(maker, node, values, found);
      }
      p = p + 1 | 0;
      let attention = 0;
      while (p <= wordEnd) {
        attention = needsAttention(view.getInt32(p, true));
        if (attention !== 0) break;
        p = p + 4 | 0;
      }
      if (attention !== 0) p = p + lowestByte(attention) | 0;
      if (attention !== 0 && bytes[p] === QUOTE) {
        member = UNKNOWN_MEMBER;
      } else {
        p = skipValue(bytes, view, name) - 1 | 0;
        if (p < 0) return fail(selection, name, gap === START ? FIRST_KEY : KEY, true);
        member = memberNamed(node, bytes, name + 1, p);
      }
      const nameEnd = p;
      p = p + 1 | 0;
      if (p < end && bytes[p] <= SPACE) p = skipIndentation(bytes, view, p, end) | 0;
      if (p < end && bytes[p] === COLON) {
        p = p + 1 | 0;
        if (p < end && bytes[p] <= SPACE) p = skipIndentation(bytes, view, p, end) | 0;
      } else p = end;
      if (p >= end) return fail(selection, name, gap === START ? FIRST_KEY : KEY, true);
      if (member === UNKNOWN_MEMBER) member = findMember(node.table!, bytes, name + 1, nameEnd) | 0;
      if (budget > 0) {
        gap = learnGap(table, gap, bytes, view, start, p, end, member) | 0;
        words = table.words;
        budget = budget - MISS_COST | 0;
      } else gap = NONE;
    }
    // The value.
    let c = bytes[p];
    if (member >= 0) {
      const child = children[member];
      let value: unknown;
      let q = p;
      if (child !== null) {
        value = c === OPEN_BRACE && child.ofObject === SOME_ENTRIES
          ? readMembers(selection, child, p)
          : selectValue(selection, child, p);
        q = cursor.position | 0;
      } else if (c === QUOTE) {
        value = maker!.readString(bytes, view, selection.cache, p + 1, end, end);
        if (value === null) return fail(selection, p, VALUE, true);
        q = cursor.position | 0;
      } else {
        let whole = c - ZERO;
        if (whole - 1 >>> 0 < 9 && p + INT32_DIGITS + 1 < end) {
          // An integer of few digits. Anything else that begins with digits is read once more.
          const last = p + INT32_DIGITS | 0;
          q = q + 1 | 0;
          c = bytes[q];
          while (q < last && c - ZERO >>> 0 <= 9) {
            whole = whole * 10 + (c - ZERO) | 0;
            q = q + 1 | 0;
            c = bytes[q];
          }
        }
        if (q > p && (c === COMMA || c === CLOSE_BRACE || c === LINE_FEED)) value = whole;
        else {
          value = selectValue(selection, null, p);
          q = cursor.position | 0;
        }
      }
      p = q;
      if (p < 0) return undefined;
      if (value !== undefined) {
        values[member] = value;
        found |= 1 << member;
      } else {
        values[member] = MISSING;
        found &= ~(1 << member);
      }
      continue;
    }
    if (c === QUOTE) {
      let q = p + 1 | 0;
      let attention = 0;
      while (q <= wordEnd) {
        attention = needsAttention(view.getInt32(q, true));
        if (attention !== 0) break;
        q = q + 4 | 0;
      }
      if (attention !== 0) {
        q = q + lowestByte(attention) | 0;
        if (bytes[q] === QUOTE) {
          p = q + 1 | 0;
          continue;
        }
      }
    } else if (c - ZERO >>> 0 <= 9) { // a number of few digits
      let q = p + 1 | 0;
      const last = end < p + 20 ? end : p + 20 | 0;
      if (c !== ZERO) { while (q < last && bytes[q] - ZERO >>> 0 <= 9) q = q + 1 | 0; }
      if (q + 1 < last && bytes[q] === POINT && bytes[q + 1] - ZERO >>> 0 <= 9) {
        q = q + 2 | 0;
        while (q < last && bytes[q] - ZERO >>> 0 <= 9) q = q + 1 | 0;
      }
      if (q < last) {
        const next = bytes[q];
        if (next === COMMA || next === CLOSE_BRACE || next === LINE_FEED || next === SPACE) {
          p = q;
          continue;
        }
      }
    } else if (end - p >= 5) {
      const word = view.getInt32(p, true);
      if (c === LOWER_T && word === TRUE || c === LOWER_N && word === NULL) {
        p = p + 4 | 0;
        continue;
      }
      if (c === LOWER_F && view.getInt32(p + 1, true) === FALSE_TAIL) {
        p = p + 5 | 0;
        continue;
      }
    }
    p = skipValue(bytes, view, p) | 0;
    if (p < 0) {
      cursor.position = p;
      return undefined;
    }
  }
}

/**
 * Reads all members of the object at `p`: those that the mask names, and the others under the mask
 * for the rest. Leaves what {@linkcode selectValue} leaves.
 */
function readAllMembers(selection: Selection, node: SelectionNode, p: number): unknown {
  const { bytes, view, maker } = selection;
  const { children, members } = node;
  const { length } = node.names;
  const rest = node.rest as SelectionNode | null;
  const end = bytes.length;
  const values = length === 0 ? NO_VALUES : node.noValues!.slice(0, length);
  const others = newOthers(maker);
  let found = 0;
  let leavesOut = false;
  let answers = 0;
  let key = node.firstKey!;
  p++;
  if (p < end && bytes[p] <= SPACE) p = skipIndentation(bytes, view, p, end);
  if (p < end && bytes[p] === CLOSE_BRACE) {
    cursor.position = p + 1;
    return closeAllMembers(maker, node, values, 0, others, false);
  }
  for (let isFirst = true;; isFirst = false) {
    if (p >= end || bytes[p] !== QUOTE) return fail(selection, p, isFirst ? FIRST_KEY : KEY, true);
    const nameStart = p;
    const name = maker === null ? passName(selection, p) : maker.readName(selection, p, key, isFirst);
    if (name === null) return fail(selection, p, isFirst ? FIRST_KEY : KEY, true);
    key = foundKey.key;
    p = cursor.position;
    const member = length === 0 ? OTHER_MEMBER : members[propertyNameOf(name)] ?? OTHER_MEMBER;
    const value = selectValue(selection, member < 0 ? rest : children[member], p);
    p = cursor.position;
    if (p < 0) return undefined;
    if (member >= 0) {
      values[member] = value === undefined ? MISSING : value;
      found = value === undefined ? found & ~(1 << member) : found | 1 << member;
    } else if (maker === null) {
      // A later member of the same name counts, so names matter once a test holds.
      answers |= value as number;
      if (answers !== 0) others[propertyNameOf(nameAt(selection, nameStart))] = value;
    } else {
      if (value === undefined) leavesOut = true;
      if (!maker.putOther(others, name, key.id, value === undefined ? MISSING : value)) {
        // not covered: needs 8,388,608 members
        failAtLimit("value-too-large", p);
        return fail(selection, p, AFTER_MEMBER, true);
      }
    }
    if (p < end && bytes[p] <= SPACE) p = skipIndentation(bytes, view, p, end);
    const c = p < end ? bytes[p] : 0;
    if (c === CLOSE_BRACE) break;
    if (c !== COMMA) return fail(selection, p, AFTER_MEMBER, true);
    p++;
    if (p < end && bytes[p] <= SPACE) p = skipIndentation(bytes, view, p, end);
  }
  cursor.position = p + 1;
  return closeAllMembers(maker, node, values, found, others, leavesOut);
}

/** Passes the name at `p` and its colon. Returns `null` on failure. Leaves `cursor` after them. */
function passName({ bytes, view }: Selection, p: number): string | null {
  const end = bytes.length;
  const nameEnd = skipValue(bytes, view, p);
  if (nameEnd < 0) return null;
  const colon = skipWhitespace(bytes, nameEnd, end);
  if (colon >= end || bytes[colon] !== COLON) return null;
  cursor.position = colon + 1;
  return "";
}

/** Returns the well-formed name at `p`. */
function nameAt({ bytes, view }: Selection, p: number): string {
  return decodeName(bytes, p + 1, skipValue(bytes, view, p) - 1);
}
