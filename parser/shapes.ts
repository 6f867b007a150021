/**
 * Object shapes seen before: keys in their order. One that is hot gets a generated constructor, which makes an object of its hidden
 * class at once. The table is fixed in size and forgets by overwriting. It holds key names only, in the constructors.
 *
 * @module
 */

import { packedArray } from "./arrays.ts";
import * as keys from "./keys.ts";

// An imported binding costs a load and a check at every use, a constant of this file nothing (5 % on the corpus).
const { FIRST_HEAT, HEAT, mix, NO_KEY, seenBefore } = keys;
type Key = keys.Key;

/** Most members of a remembered shape: bounds the length of a generated function. */
const MAX_SHAPE_KEYS = 128;

/** Slots of the shape table, a power of two, and the neighbouring ones a shape may be in. */
const SHAPE_SLOTS = 1024;
const WAYS = 4;

/** Longest source of a generated function, in characters. */
const MAX_SOURCE = 8192;

/** Objects of one shape built before it earns a constructor, as making one costs about 9 µs; see {@linkcode coolBuilders}. */
const HOT = 24;
const MAX_HOT = 4096;

/** Generated functions alive at once: each holds some 4 KB, its compiled code included, and 220 bytes a member. */
const MAX_BUILDERS = 208;

/** Members of all of them together. */
const MAX_BUILT_MEMBERS = 4096;

/** Objects not foretold after which constructors are half as hard to earn again. */
const COOLING = 1 << 20;

/** Makes an object of the members `stack[base]` name, `stack[base + 1]` value, `stack[base + 2]` name, … */
export type Builder = (stack: unknown[], base: number) => unknown;

/** Which keys, is in {@linkcode shapeIds}. */
interface Shape {
  readonly hash: number;
  readonly count: number;
  /** Objects of this shape built so far, up to when it got its constructor. */
  hits: number;
  /** See `HEAT` in keys.ts. */
  heat: number;
  builder: Builder | null;
}

const NO_SHAPE: Shape = { hash: 0, count: 0, hits: 0, heat: 0, builder: null };
export const shapes = packedArray<Shape>(SHAPE_SLOTS + WAYS, NO_SHAPE);
const shapeIds = new Int32Array((SHAPE_SLOTS + WAYS) * MAX_SHAPE_KEYS);
/** Hashes seen once: a one-off object costs a look here and no more. */
const seen = new Int32Array(2 * SHAPE_SLOTS);

// Kept from before anyone could put something else in their place.
const { stringify } = JSON;
const makeFunction = Function;

let builders = 0;
let builtMembers = 0;
let hot = HOT;
let untilCool = COOLING;

/**
 * The constructor for an object that its last key's remembered shape does not fit, or `null` if it has none (yet).
 *
 * Precondition: `ids[base]`, `ids[base + 2]`, … below `top` are its keys' ids, 0 where a key is not remembered, and
 * `key` is the last one. Cost: a pass over the ids.
 */
export function findBuilder(ids: Int32Array, base: number, top: number, key: Key, stack: unknown[]): Builder | null {
  const count = top - base >> 1;
  if (count > MAX_SHAPE_KEYS || key === NO_KEY) return null;
  let hash = count;
  for (let p = base; p < top; p += 2) {
    if (ids[p] === 0) return null;
    hash = mix(hash, ids[p]);
  }
  const first = hash & SHAPE_SLOTS - 1;
  let slot = first;
  while (slot < first + WAYS && !(shapes[slot].hash === hash && fits(slot, ids, base, top))) slot++;
  if (slot === first + WAYS) {
    if (!seenBefore(seen, hash)) return null;
    slot = admitShape(hash, ids, base, count);
    if (slot < 0) return null;
  }
  key.shape = slot;
  if (--untilCool === 0) {
    untilCool = COOLING;
    hot = Math.max(HOT, hot >> 1);
  }
  const shape = shapes[slot];
  shape.heat = HEAT;
  if (shape.builder === null && ++shape.hits >= hot) {
    shape.hits = 0;
    if (!hasRoom(count)) coolBuilders(count);
    if (hasRoom(count)) {
      const source = sourceOf(stack, base, top);
      const build = source.length > MAX_SOURCE ? null : generate(source);
      shape.builder = build;
      if (build !== null) {
        builders++;
        builtMembers += count;
      } else if (source.length > MAX_SOURCE) {
        shape.hits = -COOLING;
      }
    }
  }
  return shape.builder;
}

/** Remembers a shape if there is a place for it; returns its slot, or -1. */
function admitShape(hash: number, ids: Int32Array, base: number, count: number): number {
  const first = hash & SHAPE_SLOTS - 1;
  const end = first + WAYS;
  let slot = first;
  while (slot < end && shapes[slot].heat > 0) slot++;
  if (slot === end) {
    for (let other = first; other < end; other++) shapes[other].heat--;
    return -1;
  }
  if (shapes[slot].builder !== null) dropBuilder(shapes[slot]);
  shapes[slot] = NO_SHAPE; // nothing may fit an entry half made: the stack may end in any call
  for (let i = 0; i < count; i++) shapeIds[slot * MAX_SHAPE_KEYS + i] = ids[base + 2 * i];
  shapes[slot] = { hash, count, hits: 0, heat: FIRST_HEAT, builder: null };
  return slot;
}

/**
 * Lets those constructors go that were not used for long, when there are too many. Each time they become twice as hard to earn, so
 * that many shapes in rotation leave them to the hottest, and an attacker cannot keep us making them.
 */
function coolBuilders(count: number): void {
  for (const shape of shapes) {
    if (shape.builder === null) continue;
    shape.heat >>= 1;
    if (shape.heat === 0) dropBuilder(shape);
  }
  if (hasRoom(count)) hot = Math.min(MAX_HOT, 2 * hot);
}

/** Whether there may be a constructor of `count` members more. */
function hasRoom(count: number): boolean {
  return builders < MAX_BUILDERS && builtMembers + count <= MAX_BUILT_MEMBERS;
}

function dropBuilder(shape: Shape): void {
  shape.builder = null;
  shape.hits = 0;
  builders--;
  builtMembers -= shape.count;
}

/** Whether the keys of an object are exactly the shape's. Preconditions of {@linkcode findBuilder}. */
export function fits(slot: number, ids: Int32Array, base: number, top: number): boolean {
  base |= 0; // an integer to the engine from the start
  const count = shapes[slot].count;
  if (top - base !== count << 1) return false;
  const start = slot * MAX_SHAPE_KEYS;
  for (let i = start; i < start + count; i++, base += 2) {
    if (ids[base] !== shapeIds[i]) return false;
  }
  return true;
}

let generating = true;

/** Stops the making of functions: what `./no-codegen` does. */
export function forbidCodeGeneration(): void {
  generating = false;
  for (const shape of shapes) if (shape.builder !== null) dropBuilder(shape);
}

/**
 * Returns the source of a function that makes an object with the keys on the stack by one literal, which gets the hidden class at
 * once. The names are the sender's: they reach the source only through `JSON.stringify`, and `"__proto__"` as a computed key,
 * which is an ordinary property (ECMA-262 §13.2.5.5).
 */
function sourceOf(stack: unknown[], base: number, top: number): string {
  let members = "";
  for (let p = base; p < top; p += 2) {
    const name = stringify(stack[p]);
    members += `${name === '"__proto__"' ? `[${name}]` : name}:s[b+${p - base + 1}],`;
  }
  return `"use strict";return{${members}}`;
}

/**
 * Returns the function, or `null` where the engine forbids code from strings, of which it is not asked again. An engine says so by an
 * `EvalError` or, under Trusted Types, a `TypeError`; when the stack has ended by other errors, and then this once goes without.
 */
function generate(source: string): Builder | null {
  if (!generating) return null;
  try {
    return new makeFunction("s", "b", source) as Builder;
  } catch (error) {
    if (error instanceof EvalError || error instanceof TypeError) generating = false;
    return null;
  }
}
