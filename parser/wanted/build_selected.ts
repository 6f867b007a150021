/**
 * Makes the selected part of a valid JSON text as options say: other numbers, the first of equal
 * names, no names that poison prototypes. It is what the mask selects from the value that
 * `parseBinary` returns with these options.
 */

import { OPEN_BRACE, QUOTE } from "../base/ascii.ts";
import { cursor } from "../base/cursor.ts";
import { failAtLimit, limitFailure } from "../base/failure.ts";
import { beginParse, endParse } from "../document/parse_document.ts";
import { buildText } from "../guarded/parse_guarded.ts";
import { FAILED } from "../document/parse_scalar.ts";
import { skipByteOrderMark } from "../engine/input_view.ts";
import { bufferOf, offsetOf } from "../engine/input.ts";
import { PARSE_WINDOW, SMALL_INPUT } from "../engine/input_sizes.ts";
import { resetObjectPrototypeCheck } from "../engine/object_prototype.ts";
import type { Guards } from "../guarded/options.ts";
import { readStringValue } from "../strings/read_string.ts";
import { NO_CACHE } from "../strings/string_cache.ts";
import { skipValue } from "../validation/skip_container.ts";
import { CLOSED, enter, type Frame, leave, newWalk, pass, VALUE_BEGINS, type Walk, walkOn } from "./cut_walker.ts";
import { compilePointers } from "./pointers.ts";
import { closeParts, newParts, putPart, type SelectedParts } from "./selected_object.ts";
import { isContainer, type Wanted, wantsEntries } from "./wanted.ts";

const { hasOwn } = Object;

/**
 * Makes the part of a JSON text of `total` bytes that a mask wants; all of it for `null`. Returns
 * what `buildText` does, and `undefined` for a container of another kind than the mask.
 *
 * @param origin Offset of the text in the input.
 */
export function buildSelected(
  bytes: Uint8Array,
  total: number,
  origin: number,
  guards: Guards,
  node: Wanted | null,
): unknown {
  if (node === null) return buildText(bytes, total, origin, guards);
  if (total > PARSE_WINDOW) {
    // not covered: needs 2 GiB
    failAtLimit("value-too-large", PARSE_WINDOW);
    return FAILED;
  }
  const text = new Uint8Array(bufferOf(bytes), offsetOf(bytes), total);
  const view = new DataView(bufferOf(bytes), offsetOf(bytes), total);
  beginParse();
  try {
    resetObjectPrototypeCheck();
    return buildParts(text, view, newWalk(node), origin, guards);
  } finally {
    endParse(SMALL_INPUT + 1);
  }
}

function buildParts(
  bytes: Uint8Array,
  view: DataView,
  walk: Walk<BuiltParts>,
  origin: number,
  guards: Guards,
): unknown {
  const end = bytes.length;
  let result: unknown;
  for (let p = skipByteOrderMark(bytes, end);;) {
    let value: unknown;
    const step = walkOn(walk, bytes, view, p, true);
    p = walk.position;
    if (step === VALUE_BEGINS) {
      const { node, frame } = walk;
      const c = bytes[p];
      if (frame !== null && isLeftOut(guards, frame)) {
        p = skipValue(bytes, view, p, true);
        pass(walk);
        continue;
      }
      const isPoison = frame !== null && guards.protoKeys === "drop" && nameOf(frame) === "constructor" &&
        hasPrototype(bytes, view, p);
      if (isPoison || node !== null && isContainer(c) && !wantsEntries(node, c)) p = skipValue(bytes, view, p, true);
      else if (node !== null && isContainer(c)) {
        const isObject = c === OPEN_BRACE;
        enter(walk, isObject, { ...newParts(node, isObject), seen: { __proto__: null } });
        p = walk.position;
        continue;
      } else {
        if (c === QUOTE) {
          value = readStringValue(bytes, view, NO_CACHE, p + 1, end, end);
          if (value === null) return FAILED; // not covered: needs a string of more than 536,870,888 characters
          p = cursor.position;
        } else {
          const start = p;
          p = skipValue(bytes, view, p, true);
          const text = new Uint8Array(bytes.buffer, bytes.byteOffset + start, p - start);
          value = buildText(text, p - start, origin + start, guards);
          beginParse(); // again, for the next string
          if (value === FAILED) {
            limitFailure.offset += start;
            return FAILED;
          }
        }
      }
    } else if (step === CLOSED) value = closeParts(leave(walk));
    else return result; // the text has ended
    const { frame } = walk;
    if (frame === null) result = value;
    else if (!putPart(frame, value)) {
      // not covered: needs 8,388,608 members
      failAtLimit("value-too-large", p - 1);
      return FAILED;
    }
    pass(walk);
  }
}

/** Parts of a container, and the members of the mask that were met. */
interface BuiltParts extends SelectedParts {
  readonly seen: Record<number, boolean> & { __proto__: null };
}

/** Returns the name of the current member. */
function nameOf({ node, isObject, member, name }: Frame): string | null {
  return !isObject ? null : member < 0 ? name : node.names[member];
}

/** Returns whether options leave out the current member of an object. */
function isLeftOut({ duplicateKeys, protoKeys }: Guards, frame: Frame<BuiltParts>): boolean {
  const { isObject, member, name, parts: { others, seen } } = frame;
  if (!isObject) return false;
  if (protoKeys === "drop" && nameOf(frame) === "__proto__") return true;
  if (duplicateKeys !== "first") return false;
  if (member < 0) return hasOwn(others!, name);
  const wasSeen = seen[member] === true;
  seen[member] = true;
  return wasSeen;
}

/** Returns whether the value at `p`, which is valid, is an object with a member `prototype`. */
function hasPrototype(bytes: Uint8Array, view: DataView, p: number): boolean {
  if (bytes[p] !== OPEN_BRACE) return false;
  const walk = newWalk(compilePointers([["prototype"]]).root);
  walk.node = walk.root;
  walk.position = p;
  enter(walk, true, null);
  return walkOn(walk, bytes, view, p + 1, true) === VALUE_BEGINS;
}
