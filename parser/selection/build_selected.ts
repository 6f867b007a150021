/** Selects with options that change values: parses all of the text with them, then picks. */

import { defineMember } from "../engine/object_prototype.ts";
import { FAILED } from "../document/parse_scalar.ts";
import { propertyNameOf } from "../base/decode_name.ts";
import type { Guards } from "../options/options.ts";
import { buildText } from "../options/parse_guarded.ts";
import { makeSelected } from "./value_maker.ts";
import { NO_ENTRIES, type SelectionNode, SOME_ENTRIES } from "./selection_node.ts";

/**
 * Returns the part of a valid JSON text of `total` bytes that a mask wants; all of it for `null`.
 * Fails like `buildText`. A container of another kind than the mask becomes `undefined`.
 *
 * @param origin Offset of the text in the input.
 */
export function buildSelected(
  bytes: Uint8Array,
  total: number,
  origin: number,
  guards: Guards,
  node: SelectionNode | null,
): unknown {
  const { number } = guards;
  // The program may convert a number to an array or object, of which nothing is picked.
  const converted = new Set<unknown>();
  const convert = (text: string, offset: number): unknown => {
    const value = number!(text, offset);
    if (typeof value === "object") converted.add(value);
    return value;
  };
  const options = number === undefined ? guards : { ...guards, number: convert };
  const value = buildText(bytes, total, origin, options);
  return value === FAILED ? FAILED : pick(value, node, converted);
}

/** Picks the wanted part of a value. Calls itself at most as deep as a mask may be. */
function pick(value: unknown, node: SelectionNode | null, converted: ReadonlySet<unknown>): unknown {
  if (node === null || typeof value !== "object" || value === null || converted.has(value)) return value;
  const { names, children, members, every, rest } = node;
  if (Array.isArray(value)) {
    if (node.ofArray === SOME_ENTRIES) {
      return children.map((child) => child!.index < value.length ? value[child!.index] ?? null : null);
    }
    return every === undefined ? undefined : value.map((element) => pick(element, every, converted) ?? null);
  }
  if (node.ofObject === NO_ENTRIES) return undefined;
  const source = value as Record<string, unknown>;
  const values = node.noValues!.slice(0, names.length);
  let found = 0;
  for (let member = 0; member < names.length; member++) {
    const name = names[member];
    const part = Object.hasOwn(source, name) ? pick(source[name], children[member], converted) : undefined;
    if (part === undefined) continue;
    values[member] = part;
    found |= 1 << member;
  }
  const object = names.length === 0 ? {} : makeSelected(node, values, found);
  if (rest === undefined) return object;
  for (const name of Object.keys(source)) {
    if (members[propertyNameOf(name)] !== undefined) continue;
    const part = pick(source[name], rest, converted);
    if (part !== undefined) defineMember(object, name, part);
  }
  return object;
}
