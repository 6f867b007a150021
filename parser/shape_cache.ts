/**
 * Cache of object shapes: keys in their order. A shape in frequent use gets a generated
 * constructor, which makes an object with its hidden class at once. The cache is fixed in size and
 * forgets by overwriting. It holds key names only, in the constructors.
 *
 * @module
 */

import { packedArray } from "./arrays.ts";
import * as entries from "./key.ts";
import * as keyCache from "./key_cache.ts";

// Local aliases: see "Aliases of imports" in ARCHITECTURE.md.
const { FIRST_RESISTANCE, FULL_RESISTANCE, NO_KEY } = entries;
const { mixHash, seenBefore } = keyCache;
type Key = entries.Key;

/** Members of the largest shape cached: bounds the length of a generated function. */
const MAX_SHAPE_KEYS = 128;

/** Slots of the cache, a power of two, and the neighbouring ones that a shape may be in. */
const SHAPE_SLOTS = 1024;
const SHAPE_WAYS = 4;

/** Longest source of a generated function, in characters. */
const MAX_SOURCE = 8192;

/**
 * Bounds of the tier-up threshold: objects of a shape made before it gets a constructor, as making
 * one costs about 9 µs. See {@linkcode decayConstructors}.
 */
const MIN_THRESHOLD = 24;
const MAX_THRESHOLD = 4096;

/** Generated functions alive at once: each holds some 4 KB, compiled code included, and 220 bytes a member. */
const MAX_CONSTRUCTORS = 208;

/** Members of all of them together. */
const MAX_CONSTRUCTOR_MEMBERS = 4096;

/** Objects of a shape not predicted after which the tier-up threshold is halved. */
const DECAY_INTERVAL = 1 << 20;

/** Makes an object of the members `stack[base]` name, `stack[base + 1]` value, `stack[base + 2]` name, … */
export type Constructor = (stack: unknown[], base: number) => unknown;

/** An entry of the cache. Its keys are in {@linkcode shapeIds}. */
interface Shape {
  readonly hash: number;
  /** Number of keys. */
  readonly count: number;
  /** Objects of this shape made so far, up to when it got its constructor. */
  useCount: number;
  /** Eviction resistance: see `FULL_RESISTANCE` in key.ts. */
  resistance: number;
  construct: Constructor | null;
}

const NO_SHAPE: Shape = { hash: 0, count: 0, useCount: 0, resistance: 0, construct: null };
/** Entries by slot. */
export const shapes: Shape[] = packedArray<Shape>(SHAPE_SLOTS + SHAPE_WAYS, NO_SHAPE);
/** Numbers of the entries' keys. */
const shapeIds = new Int32Array((SHAPE_SLOTS + SHAPE_WAYS) * MAX_SHAPE_KEYS);
/** Hashes met once: a one-off object costs a look here and no more. */
const seen = new Int32Array(2 * SHAPE_SLOTS);

// Kept from before anyone could put something else in their place.
const { stringify } = JSON;
const makeFunction = Function;

/** Constructors alive, and the members of all of them. */
let constructorCount = 0;
let constructorMembers = 0;
/** Objects of a shape made before it gets a constructor. */
let tierUpThreshold = MIN_THRESHOLD;
/** Objects until the threshold is halved. */
let untilDecay = DECAY_INTERVAL;

/**
 * Returns the constructor for an object that its last key's shape does not match, or `null` if it
 * has none (yet).
 *
 * Precondition: `ids[base]`, `ids[base + 2]`, … below `top` are the numbers of its keys, 0 for a key
 * that is not cached, and `key` is the last one. Cost: a pass over the numbers.
 */
export function findConstructor(
  ids: Int32Array,
  base: number,
  top: number,
  key: Key,
  stack: unknown[],
): Constructor | null {
  const count = top - base >> 1;
  if (count > MAX_SHAPE_KEYS || key === NO_KEY) return null;
  let hash = count;
  for (let p = base; p < top; p += 2) {
    if (ids[p] === 0) return null;
    hash = mixHash(hash, ids[p]);
  }
  const first = hash & SHAPE_SLOTS - 1;
  let slot = first;
  while (slot < first + SHAPE_WAYS && !(shapes[slot].hash === hash && shapeMatches(slot, ids, base, top))) slot++;
  if (slot === first + SHAPE_WAYS) {
    if (!seenBefore(seen, hash)) return null;
    slot = insertShape(hash, ids, base, count);
    if (slot < 0) return null;
  }
  key.shape = slot;
  if (--untilDecay === 0) {
    untilDecay = DECAY_INTERVAL;
    tierUpThreshold = Math.max(MIN_THRESHOLD, tierUpThreshold >> 1);
  }
  const shape = shapes[slot];
  shape.resistance = FULL_RESISTANCE;
  if (shape.construct === null && ++shape.useCount >= tierUpThreshold) {
    shape.useCount = 0;
    if (!hasRoom(count)) decayConstructors(count);
    if (hasRoom(count)) {
      const source = constructorSource(stack, base, top);
      const build = source.length > MAX_SOURCE ? null : makeConstructor(source);
      shape.construct = build;
      if (build !== null) {
        constructorCount++;
        constructorMembers += count;
      } else if (source.length > MAX_SOURCE) {
        shape.useCount = -DECAY_INTERVAL;
      }
    }
  }
  return shape.construct;
}

/** Inserts a shape if a slot gives way; returns the slot, or -1. */
function insertShape(hash: number, ids: Int32Array, base: number, count: number): number {
  const first = hash & SHAPE_SLOTS - 1;
  const end = first + SHAPE_WAYS;
  let slot = first;
  while (slot < end && shapes[slot].resistance > 0) slot++;
  if (slot === end) {
    for (let other = first; other < end; other++) shapes[other].resistance--;
    return -1;
  }
  if (shapes[slot].construct !== null) dropConstructor(shapes[slot]);
  shapes[slot] = NO_SHAPE; // nothing may match an entry half made: any call may overflow the stack
  for (let i = 0; i < count; i++) shapeIds[slot * MAX_SHAPE_KEYS + i] = ids[base + 2 * i];
  shapes[slot] = { hash, count, useCount: 0, resistance: FIRST_RESISTANCE, construct: null };
  return slot;
}

/**
 * Drops the constructors that were not used for long, when there are too many, and doubles the
 * tier-up threshold. So many shapes in rotation leave the constructors to those used most, and an
 * attacker cannot keep us making them.
 */
function decayConstructors(count: number): void {
  for (const shape of shapes) {
    if (shape.construct === null) continue;
    shape.resistance >>= 1;
    if (shape.resistance === 0) dropConstructor(shape);
  }
  if (hasRoom(count)) tierUpThreshold = Math.min(MAX_THRESHOLD, 2 * tierUpThreshold);
}

/** Returns whether there may be another constructor, of `count` members. */
function hasRoom(count: number): boolean {
  return constructorCount < MAX_CONSTRUCTORS && constructorMembers + count <= MAX_CONSTRUCTOR_MEMBERS;
}

function dropConstructor(shape: Shape): void {
  shape.construct = null;
  shape.useCount = 0;
  constructorCount--;
  constructorMembers -= shape.count;
}

/** Returns whether the keys of an object are exactly the shape's. Preconditions: those of {@linkcode findConstructor}. */
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

/** False once functions must not be made: by the engine's rules, or the program's. */
let mayGenerate = true;

/** Stops the making of functions, and drops those made. This is what `./no-codegen` does. */
export function forbidCodeGeneration(): void {
  mayGenerate = false;
  for (const shape of shapes) if (shape.construct !== null) dropConstructor(shape);
}

/**
 * Returns the source of a function that makes an object with the keys on the stack by one literal, which gets the hidden class at
 * once. The names are the sender's: they readableEnd the source only through `JSON.stringify`, and `"__proto__"` as a computed key,
 * which is an ordinary property (ECMA-262 §13.2.5.5).
 */
function constructorSource(stack: unknown[], base: number, top: number): string {
  let members = "";
  for (let p = base; p < top; p += 2) {
    const name = stringify(stack[p]);
    members += `${name === '"__proto__"' ? `[${name}]` : name}:s[b+${p - base + 1}],`;
  }
  return `"use strict";return{${members}}`;
}

/**
 * Returns the function, or `null` where there is none. An engine that forbids code from strings
 * throws an `EvalError` or, under Trusted Types, a `TypeError`, and is not asked again. Any other
 * error, such as an overflow of the stack, is no such rule.
 */
function makeConstructor(source: string): Constructor | null {
  if (!mayGenerate) return null;
  try {
    return new makeFunction("s", "b", source) as Constructor;
  } catch (error) {
    if (error instanceof EvalError || error instanceof TypeError) mayGenerate = false;
    return null;
  }
}
