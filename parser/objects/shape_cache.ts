/**
 * Cache of object shapes: keys in their order. A shape in frequent use gets a generated
 * constructor, which makes an object with its hidden class at once. The cache is fixed in size; a
 * new entry replaces one without eviction resistance. Key names, in the constructors, are all that
 * it keeps of inputs.
 */

import { packedArray } from "../engine/arrays.ts";
import { MAX_UNFLAGGED_OBJECT } from "../base/guard_flags.ts";
import { filteringConstructor } from "./changed_object.ts";
import { FULL_RESISTANCE, type Key, NO_KEY } from "./key.ts";
import {
  compileConstructor,
  type Constructor,
  constructorSource,
  forbidGeneration,
  generation,
  MAX_SOURCE,
} from "./generated_constructors.ts";
import { mixHash, mixWord, seenBefore } from "./hash.ts";
import { keepYoung } from "../engine/young_generation.ts";

/**
 * Maximum number of keys of a cached shape. It bounds the length of a generated function, which does
 * not flag how many members its objects have.
 */
const MAX_SHAPE_KEYS = MAX_UNFLAGGED_OBJECT;

/** Slots of the cache, a power of two, and neighbouring slots that a shape may be in. */
const SHAPE_SLOTS = 1024;
const SHAPE_WAYS = 4;

/**
 * Bounds of the tier-up threshold: the number of objects of a shape before it gets a constructor,
 * which takes about 9 µs to make. See {@linkcode decayConstructors}.
 */
const MIN_THRESHOLD = 24;
const MAX_THRESHOLD = 4096;

/** Maximum generated functions alive. Each takes 4 KB with its code, and 220 bytes a member. */
const MAX_CONSTRUCTORS = 208;

/** Maximum number of members of all generated functions alive. */
const MAX_CONSTRUCTOR_MEMBERS = 4096;

/** Look-ups of cached shapes after which the tier-up threshold is halved. */
const DECAY_INTERVAL = 1 << 20;

/** An entry of the cache. Its keys are in {@linkcode shapeIds}. */
interface Shape {
  readonly hash: number;
  /** Number of keys. */
  readonly count: number;
  /** Objects of this shape made without a constructor. */
  useCount: number;
  /** Eviction resistance: see `FULL_RESISTANCE` in key.ts. */
  resistance: number;
  construct: Constructor | null;
}

const NO_SHAPE: Shape = { hash: 0, count: 0, useCount: 0, resistance: 0, construct: null };
export const shapes: Shape[] = /* @__PURE__ */ packedArray<Shape>(SHAPE_SLOTS + SHAPE_WAYS, NO_SHAPE);
/** Ids of the entries' keys. */
const shapeIds = /* @__PURE__ */ new Int32Array((SHAPE_SLOTS + SHAPE_WAYS) * MAX_SHAPE_KEYS);
/** Hashes seen once: only a shape seen twice is worth an entry. */
const seenHashes = /* @__PURE__ */ new Int32Array(2 * SHAPE_SLOTS);

/** Constructors alive, at most `MAX_CONSTRUCTORS`, and the sum of their members. */
let constructorCount = 0;
let constructorMembers = 0;
/** Tier-up threshold, in objects of a shape: at most `MAX_THRESHOLD`. */
let tierUpThreshold = MIN_THRESHOLD;
/** Look-ups left until the threshold is halved. */
let untilDecay = DECAY_INTERVAL;

/**
 * Returns the constructor for an object, or `null` if its shape has none (yet). Call it if the
 * shape that the last key predicts does not match or has no constructor.
 *
 * Preconditions: `ids[base]`, `ids[base + 2]`, … below `top` are the ids of the object's keys, 0
 * for a key that is not cached; `key` is the last key. Cost: a pass over the ids.
 */
export function findConstructor(
  ids: Int32Array,
  base: number,
  top: number,
  key: Key,
  stack: unknown[],
): Constructor | null {
  const count = top - base >> 1;
  if (count > MAX_SHAPE_KEYS || key === NO_KEY || !generation.isAllowed) return null;
  let slot = key.shape;
  // One with a constructor did not match: the caller has compared it.
  if (shapes[slot].construct !== null || !shapeMatches(slot, ids, base, top)) {
    let hash = count;
    for (let p = base; p < top; p += 2) {
      if (ids[p] === 0) return null;
      hash = mixWord(hash, ids[p]);
    }
    hash = mixHash(hash, 0); // completes the mixing
    const first = hash & SHAPE_SLOTS - 1;
    slot = first;
    while (slot < first + SHAPE_WAYS && !(shapes[slot].hash === hash && shapeMatches(slot, ids, base, top))) slot++;
    if (slot === first + SHAPE_WAYS) {
      if (!seenBefore(seenHashes, hash)) return null;
      slot = insertShape(hash, ids, base, count);
      if (slot < 0) return null;
    }
    key.shape = slot;
  }
  if (--untilDecay === 0) {
    untilDecay = DECAY_INTERVAL;
    tierUpThreshold = Math.max(MIN_THRESHOLD, tierUpThreshold >> 1);
  }
  const shape = shapes[slot];
  shape.resistance = FULL_RESISTANCE;
  if (shape.construct === null && ++shape.useCount >= tierUpThreshold) {
    shape.useCount = 0;
    if (!mayAddConstructor(count)) decayConstructors(count);
    if (mayAddConstructor(count)) {
      const source = constructorSource(stack, base, top);
      const compiled = compileConstructor(source);
      const construct = compiled === null ? null : filteringConstructor(compiled, stack, ids, base, top);
      shape.construct = construct;
      if (construct !== null) {
        keepYoung(construct, stack, base);
        constructorCount++;
        constructorMembers += count;
      } else if (source.length > MAX_SOURCE) {
        shape.useCount = -DECAY_INTERVAL; // the source is too long: does not try again soon
      }
    }
  }
  return shape.construct;
}

/** Inserts a shape, evicting one without resistance. Returns the slot, or -1 if all resist. */
function insertShape(hash: number, ids: Int32Array, base: number, count: number): number {
  const first = hash & SHAPE_SLOTS - 1;
  const end = first + SHAPE_WAYS;
  let slot = first;
  while (slot < end && shapes[slot].resistance > 0) slot++;
  if (slot === end) {
    for (let neighbour = first; neighbour < end; neighbour++) shapes[neighbour].resistance--;
    return -1;
  }
  if (shapes[slot].construct !== null) dropConstructor(shapes[slot]);
  // If a stack overflow ends a call here, no half-made entry may match.
  shapes[slot] = NO_SHAPE;
  for (let i = 0; i < count; i++) shapeIds[slot * MAX_SHAPE_KEYS + i] = ids[base + 2 * i];
  shapes[slot] = { hash, count, useCount: 0, resistance: FULL_RESISTANCE, construct: null };
  return slot;
}

/**
 * Makes room for a constructor of `count` members: halves the resistance of each shape with a
 * constructor, and drops the constructors of those that reach 0. If there is room now, it doubles
 * the tier-up threshold. So the most used shapes keep their constructors, and an attacker cannot
 * make the parser generate code all the time.
 */
function decayConstructors(count: number): void {
  for (let i = 0; i < shapes.length; i++) {
    const shape = shapes[i];
    if (shape.construct === null) continue;
    shape.resistance >>= 1;
    if (shape.resistance === 0) dropConstructor(shape);
  }
  if (mayAddConstructor(count)) tierUpThreshold = Math.min(MAX_THRESHOLD, 2 * tierUpThreshold);
}

/** Returns whether the bounds allow another constructor, of `count` members. */
function mayAddConstructor(count: number): boolean {
  return constructorCount < MAX_CONSTRUCTORS && constructorMembers + count <= MAX_CONSTRUCTOR_MEMBERS;
}

function dropConstructor(shape: Shape): void {
  shape.construct = null;
  shape.useCount = 0;
  constructorCount--;
  constructorMembers -= shape.count;
}

/** Returns whether an object's keys are the shape's. As for {@linkcode findConstructor}. */
export function shapeMatches(slot: number, ids: Int32Array, base: number, top: number): boolean {
  base |= 0; // "Integers": see ARCHITECTURE.md
  const count = shapes[slot].count;
  if (top - base !== count << 1) return false;
  const start = slot * MAX_SHAPE_KEYS;
  for (let i = start; i < start + count; i++, base += 2) {
    if (ids[base] !== shapeIds[i]) return false;
  }
  return true;
}

/** Forbids the generation of functions, and drops all constructors. `./no-codegen` calls it. */
export function forbidCodeGeneration(): void {
  forbidGeneration();
  for (let slot = 0; slot < shapes.length; slot++) if (shapes[slot].construct !== null) dropConstructor(shapes[slot]);
}
