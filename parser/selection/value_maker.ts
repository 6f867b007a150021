/**
 * Makes the values of masks. A literal gives an object its hidden class at once, so each set of
 * members that objects of a mask have gets a constructor with a literal, if functions may be
 * generated. The names come from the mask, and so from the caller.
 */

import { LOWER_F, MINUS, OPEN_BRACE, OPEN_BRACKET, QUOTE, ZERO } from "../base/ascii.ts";
import { cursor } from "../base/cursor.ts";
import { FALSE_TAIL, NULL, TRUE } from "../base/swar.ts";
import { parseContainer } from "../document/parse_container.ts";
import { FAILED } from "../document/parse_scalar.ts";
import { resetSuspension } from "../document/suspension.ts";
import { beginReading, endReading, placeReader, readValue } from "../document/value_reader.ts";
import { elementArray } from "../document/value_stack.ts";
import { defineMember, isInObjectPrototype } from "../engine/object_prototype.ts";
import { keepYoung } from "../engine/young_generation.ts";
import { numberValue, readNumber } from "../numbers/read_number.ts";
import { compileConstructor, type Constructor, generation, namesSource } from "../objects/generated_constructors.ts";
import { FULL_RESISTANCE, type Key } from "../objects/key.ts";
import { foundKey, keys, matches, readKeyUnpredicted } from "../objects/key_cache.ts";
import { addMember } from "../objects/make_object.ts";
import { sizedObject } from "../objects/sized_objects.ts";
import { readStringToken, readStringValue } from "../strings/read_string.ts";
import { freshStringCache } from "../strings/string_cache.ts";
import { FAILED_POSITION, locateFailure } from "../validation/locate_failure.ts";
import { VALUE } from "../validation/token_dfa.ts";
import type { Selection, ValueMaker } from "./selection.ts";
import { MISSING, type SelectionNode } from "./selection_node.ts";

/** Maximum members of a mask for each to have a bit. */
export const MAX_BITS = 31;

/** Maximum number of constructors of a node. */
const MAX_CONSTRUCTORS = 64;

/** Makes an object: see {@linkcode ValueMaker}. */
export function makeSelected(node: SelectionNode, values: unknown[], found: number): Record<string, unknown> {
  const { names } = node;
  const constructors = node.constructors!;
  if (names.length <= MAX_BITS && generation.isAllowed) {
    if (found !== constructors.found) findSelectedConstructor(node, found, values);
    const { construct } = constructors;
    if (construct !== null) return construct(values, 0) as Record<string, unknown>;
  }
  const object = sizedObject(names.length);
  for (let member = 0; member < names.length; member++) {
    const value = values[member];
    if (names.length <= MAX_BITS ? (found >> member & 1) === 0 : value === MISSING) continue;
    const name = names[member];
    if (isInObjectPrototype(name, 0)) defineMember(object, name, value);
    else object[name] = value;
  }
  return object;
}

function joinMembers(
  node: SelectionNode,
  values: unknown[],
  found: number,
  others: Record<string, unknown>,
  leavesOut: boolean,
): unknown {
  if (node.names.length === 0 && !leavesOut) return others;
  const object = node.names.length === 0 ? {} : makeSelected(node, values, found);
  const rest = Object.keys(others);
  for (let i = 0; i < rest.length; i++) {
    const value = others[rest[i]];
    if (value !== MISSING) defineMember(object, rest[i], value);
  }
  return object;
}

function putOther(others: Record<string, unknown>, name: string, id: number, value: unknown): boolean {
  if (!isInObjectPrototype(name, id)) return addMember(others, name, value);
  defineMember(others, name, value);
  return true;
}

/** Finds or makes the constructor of the objects that have certain members. */
function findSelectedConstructor(node: SelectionNode, found: number, values: unknown[]): void {
  const { names } = node;
  const constructors = node.constructors!;
  let construct: Constructor | null = constructors.all[found] ?? null;
  if (construct === null && constructors.count < MAX_CONSTRUCTORS) {
    construct = compileConstructor(namesSource(names, found));
    if (construct !== null) {
      constructors.all[found] = construct;
      constructors.count++;
      keepYoung(construct, values, 0);
    }
  }
  constructors.construct = construct;
  constructors.found = found;
}

function fail({ bytes, view }: Selection, p: number): undefined {
  locateFailure(bytes, view, p, bytes.length, VALUE, false);
  cursor.position = FAILED_POSITION;
  return undefined;
}

function readWhole(selection: Selection, p: number, c: number): unknown {
  const { bytes, view } = selection;
  const end = bytes.length;
  if (c === QUOTE) {
    const string = readStringValue(bytes, view, selection.cache, p + 1, end, end);
    return string === null ? fail(selection, p) : string;
  }
  if (c === OPEN_BRACE || c === OPEN_BRACKET) return readContainer(selection, p);
  if (c - ZERO >>> 0 <= 9 || c === MINUS) {
    const q = readNumber(bytes, view, p, end, end);
    if (q < 0) return fail(selection, p);
    cursor.position = q;
    return numberValue[0];
  }
  // Not by `parseScalar`: wanted literals then took a quarter more time.
  cursor.position = p + 4;
  if (end - p >= 4) {
    const word = view.getInt32(p, true);
    if (word === TRUE) return true;
    if (word === NULL) return null;
  }
  cursor.position = p + 5;
  if (c === LOWER_F && end - p >= 5 && view.getInt32(p + 1, true) === FALSE_TAIL) return false;
  return fail(selection, p);
}

/** Reads all of the container at `p` by the main loop. */
function readContainer(selection: Selection, p: number): unknown {
  const { bytes } = selection;
  const suspension = selection.suspension!;
  suspension.cache = selection.cache;
  const value = parseContainer(suspension, bytes, selection.view, p, bytes.length);
  selection.cache = suspension.cache; // the main loop may have continued with a copy
  resetSuspension(suspension);
  if (value === FAILED) cursor.position = FAILED_POSITION;
  else suspension.stackAge += cursor.position - p;
  return value;
}

function readName({ bytes, view }: Selection, p: number, before: Key, isFirst: boolean): string | null {
  const end = bytes.length;
  const predicted = keys[isFirst ? before.child : before.next];
  if (predicted.size > end - p - 3 || !matches(predicted, view, p + 1)) {
    return readKeyUnpredicted(bytes, view, p + 1, end, before, isFirst, true);
  }
  predicted.resistance = FULL_RESISTANCE;
  foundKey.key = predicted;
  cursor.position = p + 1 + predicted.size;
  return predicted.name;
}

export const valueMaker: ValueMaker = {
  readWhole,
  readString: readStringValue,
  readName,
  readText: readStringToken,
  renewCache: (selection) => selection.cache = freshStringCache(selection.cache),
  readValue,
  placeReader,
  beginReading,
  endReading,
  makeSelected,
  joinMembers,
  putOther,
  makeArray: (items, count) => elementArray(items, 0, count),
};
