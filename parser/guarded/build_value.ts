/**
 * Makes the value of a valid JSON text as options say: other numbers, the first of equal names, no
 * names that poison prototypes. It takes a few times as long as the parser, which makes all other
 * values.
 * `tests/library/guards_test.ts` holds it to the other places of the grammar.
 */

import { COMMA, MINUS, OPEN_BRACE, OPEN_BRACKET, QUOTE, ZERO } from "../base/ascii.ts";
import { cursor } from "../base/cursor.ts";
import { failAtLimit } from "../base/failure.ts";
import { skipWhitespace } from "../base/whitespace.ts";
import { FAILED, parseScalar } from "../document/parse_scalar.ts";
import { elementArray } from "../document/value_stack.ts";
import { doubled, packedArray, resetArrayPrototypeCheck } from "../engine/arrays.ts";
import { defineMember, isInObjectPrototype, resetObjectPrototypeCheck } from "../engine/object_prototype.ts";
import { readStringValue } from "../strings/read_string.ts";
import { readExactNumber } from "../numbers/exact_number.ts";
import type { Guards } from "./options.ts";

const { deleteProperty } = Reflect;
const { hasOwn } = Object;

interface OpenContainer {
  /** The object; `null` for an array, whose elements are on the stack from `base` on. */
  readonly object: Record<string, unknown> | null;
  readonly base: number;
  name: string;
  /** Whether the current member is left out. */
  isDropped: boolean;
  /** Whether the member `constructor` is an object with a member `prototype`. */
  hasProto: boolean;
  readonly outer: OpenContainer | null;
}

/** Value of {@linkcode OpenContainer.name} in an array. */
const NO_NAME = "";

/**
 * Makes the value that begins at `p`. Returns it, and leaves the position after it in `cursor`; or
 * `FAILED` at a limit of the engine, which `limitFailure` then has. Bytes of the text must not
 * change.
 *
 * Preconditions: the bytes up to `end` are a JSON text, which begins at offset `origin` of the
 * input; `view` is a view of the same memory; a parse was begun. The strings of `cache` are of
 * these bytes.
 */
export function buildValue(
  bytes: Uint8Array,
  view: DataView,
  cache: (string | null)[],
  p: number,
  end: number,
  origin: number,
  guards: Guards,
): unknown {
  let stack = packedArray<unknown>(64, null);
  let top = 0;
  let frame: OpenContainer | null = null;
  for (;;) {
    // A value or, first in an object or after a comma in one, a name.
    p = skipWhitespace(bytes, p, end);
    let c = bytes[p];
    if (frame !== null && frame.object !== null && c === QUOTE) {
      const name = readStringValue(bytes, view, cache, p + 1, end, end);
      if (name === null) return FAILED; // not covered: needs a string of more than 536,870,888 characters
      frame.name = name;
      frame.isDropped = guards.protoKeys === "drop" && name === "__proto__" ||
        guards.duplicateKeys === "first" && hasOwn(frame.object, name);
      p = skipWhitespace(bytes, cursor.position, end) + 1; // after the colon
      p = skipWhitespace(bytes, p, end);
      c = bytes[p];
    }
    let value: unknown;
    if (c === OPEN_BRACE || c === OPEN_BRACKET) {
      const object: OpenContainer["object"] = c === OPEN_BRACE ? {} : null;
      frame = { object, base: top, name: NO_NAME, isDropped: false, hasProto: false, outer: frame };
      p = skipWhitespace(bytes, p + 1, end);
      if (bytes[p] !== c + 2) continue;
      value = FAILED; // the container closes at once
    } else if (c === QUOTE) {
      value = readStringValue(bytes, view, cache, p + 1, end, end);
      if (value === null) return FAILED; // not covered: needs a string of more than 536,870,888 characters
      p = cursor.position;
    } else if (c === MINUS || c - ZERO >>> 0 <= 9) {
      const start = p;
      value = readExactNumber(bytes, view, p, end, guards);
      if (value === null) return FAILED;
      p = cursor.position;
      if (guards.numbers === "source" && guards.number !== undefined) {
        value = guards.number(value as string, origin + start);
        resetArrayPrototypeCheck(); // the callback may have changed prototypes
        resetObjectPrototypeCheck();
      }
    } else {
      value = parseScalar(bytes, view, p, end);
      p = cursor.position;
    }
    let hasPrototype = false; // whether the value is an object with a member of that name
    for (;;) {
      if (value !== FAILED) {
        if (frame === null) {
          cursor.position = p;
          return value;
        }
        if (frame.object !== null) {
          if (frame.name === "constructor" && !frame.isDropped) frame.hasProto = hasPrototype;
          if (!addMember(frame, value)) {
            // not covered: needs 8,388,608 members
            failAtLimit("value-too-large", p - 1);
            return FAILED;
          }
        } else {
          if (top === stack.length) stack = doubled(stack);
          stack[top++] = value;
        }
        p = skipWhitespace(bytes, p, end);
      }
      // A comma, or the bracket that closes the innermost container.
      if (bytes[p] === COMMA && value !== FAILED) {
        p++;
        break;
      }
      p++;
      const closed: OpenContainer = frame!;
      frame = closed.outer;
      if (closed.object !== null) {
        if (closed.hasProto && guards.protoKeys === "drop") deleteProperty(closed.object, "constructor");
        value = closed.object;
        hasPrototype = hasOwn(closed.object, "prototype");
      } else {
        hasPrototype = false;
        value = top === closed.base ? [] : elementArray(stack, closed.base, top);
        top = closed.base;
      }
    }
  }
}

/** Adds the current member to an object. Returns `false` if the engine has no room for it. */
function addMember(frame: OpenContainer, value: unknown): boolean {
  const { name, isDropped } = frame;
  const object = frame.object!;
  if (isDropped) return true;
  try {
    if (isInObjectPrototype(name, 0)) defineMember(object, name, value);
    else object[name] = value;
    return true;
  } catch {
    // not covered: needs 8,388,608 members
    return false;
  }
}
