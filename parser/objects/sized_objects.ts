/**
 * Sized constructors, which make objects at their final size. Objects of 5, 12 and 20 members take
 * 72, 128 and 192 bytes, like those of `JSON.parse`; `{}` and stores take 104, 152 and 865.
 *
 * V8 gives `{}` room for 4 members in the object. Further ones go into an array with up to 3 to
 * spare, or above 16 into a hash table. An object of a constructor gets as much room as the
 * constructor's first objects used (in-object slack tracking).
 */

import { packedArray } from "../engine/arrays.ts";
import { defineMember } from "../engine/object_prototype.ts";
import { isJavaScriptCore } from "../engine/recognition.ts";

const OBJECT_PROTOTYPE = Object.prototype;

/** Maximum members of an object made at its final size, and so number of constructors. */
const MAX_SIZED_MEMBERS = 64;

/** Objects that a constructor makes before V8 fixes their size; V8 15 counts 7. */
const SLACK_TRACKING_OBJECTS = 8;

type ObjectConstructor = new (never: boolean) => Record<string, unknown>;

/** Constructors by number of members, made when first needed. */
const sizedConstructors = /* @__PURE__ */ packedArray<ObjectConstructor | null>(MAX_SIZED_MEMBERS + 1, null);

/**
 * Makes a constructor of empty objects with room for `members` members. V8 first reserves room for
 * all assignments in the function's source, executed or not, and then shrinks it to what the first
 * objects used. In engines that do not track sizes the objects are ordinary.
 */
function makeSizedConstructor(members: number): ObjectConstructor {
  // deno-lint-ignore no-explicit-any
  const Sized = function Object(this: any, never: boolean): void {
    if (never) {
      // not covered: read by V8, never run
      // deno-fmt-ignore
      {
        this._ = this._ = this._ = this._ = this._ = this._ = this._ = this._ = this._ = this._ = this._ = this._ = this._ = this._ = 0;
        this._ = this._ = this._ = this._ = this._ = this._ = this._ = this._ = this._ = this._ = this._ = this._ = this._ = this._ = 0;
        this._ = this._ = this._ = this._ = this._ = this._ = this._ = this._ = this._ = this._ = this._ = this._ = this._ = this._ = 0;
        this._ = this._ = this._ = this._ = this._ = this._ = this._ = this._ = this._ = this._ = this._ = this._ = this._ = this._ = 0;
        this._ = this._ = this._ = this._ = this._ = this._ = this._ = this._ = 0;
      }
    }
  } as unknown as ObjectConstructor;
  Sized.prototype = OBJECT_PROTOTYPE;
  // V8 keeps as much room as the largest of the first objects has used.
  const largest = new Sized(false);
  for (let i = 0; i < members; i++) defineMember(largest, `member ${i}`, 0);
  for (let times = 1; times < SLACK_TRACKING_OBJECTS; times++) new Sized(false);
  return Sized;
}

/** Maximum members of a sized object. `{}` is faster in JavaScriptCore (records: +4 %). */
const MAX_SIZED = /* @__PURE__ */ isJavaScriptCore() ? -1 : MAX_SIZED_MEMBERS;

/** Returns a plain empty object with room for `members` members. */
export function sizedObject(members: number): Record<string, unknown> {
  if (members > MAX_SIZED) return {};
  return new (sizedConstructors[members] ??= makeSizedConstructor(members))(false);
}
