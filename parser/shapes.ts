/**
 * Object keys and shapes seen before. Keys are found by their bytes and each remembers which key followed it, so that
 * most keys are recognised by comparing a few words; shapes are found by their keys and get a generated constructor once
 * they are hot. Both tables are fixed in size and forget by overwriting: hostile input costs them nothing but hits.
 * They hold key names only.
 *
 * @module
 */

/** Longest key remembered, in bytes with its closing quote; also bounds what hashing a key may cost. */
export const MAX_KEY_SIZE = 64;

/** Slots of the key table, a power of two. */
const KEY_SLOTS = 4096;

/** Slots of the shape table, a power of two. */
const SHAPE_SLOTS = 1024;

/** Neighbouring slots a key or a shape may be in. Enough that those of a real document seldom drive each other out. */
const WAYS = 4;

/** Most members of a remembered shape: bounds the length of a generated function. */
export const MAX_SHAPE_KEYS = 64;

/** Longest source of a generated function, in characters. */
const MAX_SOURCE = 8192;

/** Objects of one shape built before it earns a constructor; making one costs about 9 µs. */
const HOT = 24;

/** Generated functions alive at once. */
const MAX_BUILDERS = 512;

/** Makes an object of the members `stack[base]` name, `stack[base + 1]` value, `stack[base + 2]` name, … */
export type Builder = (stack: unknown[], base: number) => unknown;

/** A key name with the bytes it is spelled by, escapes as they stand. */
export class Key {
  readonly text: string;
  /** Unique for the life of the module: a slot's next tenant gets another. */
  readonly id: number;
  /** Bytes from the first of the name to the closing quote, that one included. */
  size: number;
  /** The bytes as little-endian words. Words overlap so that no byte beyond `size` is compared: see {@linkcode matches}. */
  readonly word0: number;
  readonly word1: number;
  readonly last: number;
  readonly mask: number;
  readonly middle: Int32Array | null;
  /** The key that followed this one in its object last time. */
  next: Key;
  /** The first key of the object that was this one's value, or an element of it, last time. */
  child: Key;
  /** The shape that ended in this key last time. */
  shape: Shape;

  constructor(text: string, id: number, size: number, view: DataView, p: number, none: Key | null) {
    this.text = text;
    this.id = id;
    this.size = size;
    this.mask = size < 4 ? (1 << 8 * size) - 1 : -1;
    this.word0 = size > 0 ? view.getInt32(p, true) & this.mask : 0;
    this.word1 = size > 8 ? view.getInt32(p + 4, true) : 0;
    this.last = size > 4 ? view.getInt32(p + size - 4, true) : 0;
    this.middle = size > 12 ? new Int32Array(size - 9 >> 2) : null;
    if (this.middle !== null) {
      for (let i = 0; i < this.middle.length; i++) this.middle[i] = view.getInt32(p + 8 + 4 * i, true);
    }
    this.next = none ?? this;
    this.child = none ?? this;
    this.shape = NO_SHAPE;
  }
}

/** The keys of objects in their order. */
export class Shape {
  readonly ids: Int32Array;
  readonly hash: number;
  /** Objects of this shape built so far, up to when it got its constructor. */
  hits: number = 0;
  builder: Builder | null = null;

  constructor(ids: Int32Array, hash: number) {
    this.ids = ids;
    this.hash = hash;
  }
}

const NO_SHAPE = new Shape(new Int32Array(0), 0);

const NO_BYTES = new DataView(new ArrayBuffer(4));

/** Stands where no key is remembered. Its size exceeds any input, so it never matches. */
export const NO_KEY: Key = new Key("", 0, 0, NO_BYTES, 0, null);
NO_KEY.size = 0x7fffffff;

/** Whose `child` is the first key of a top-level object. */
export const ROOT_KEY: Key = new Key("", 0, 0, NO_BYTES, 0, NO_KEY);

const keys: Key[] = [];
for (let i = 0; i < KEY_SLOTS + WAYS; i++) keys.push(NO_KEY);
/** Hashes seen once: only a key met twice is worth remembering. */
const keyHashes = new Int32Array(2 * KEY_SLOTS);
let lastId = 0;

/** Ids stay int32; a module that has remembered that many keys remembers no more. */
const MAX_ID = 0x3fffffff;

const shapes: Shape[] = [];
for (let i = 0; i < SHAPE_SLOTS + WAYS; i++) shapes.push(NO_SHAPE);
const shapeHashes = new Int32Array(2 * SHAPE_SLOTS);
let builders = 0;

/** Whether `hash` was noted before and not driven out since; notes it. Two places a slot, the older one is driven out. */
function seenBefore(hashes: Int32Array, hash: number): boolean {
  const slot = 2 * hash & hashes.length - 2;
  if (hashes[slot] === hash || hashes[slot + 1] === hash) return true;
  hashes[slot + 1] = hashes[slot];
  hashes[slot] = hash;
  return false;
}

/**
 * Whether the key's bytes and closing quote stand at `p`.
 *
 * Precondition: `max(4, key.size)` bytes can be read at `p`. The words overlap at the end of the key: for 4 bytes or
 * fewer one masked word; up to 8 the first and the last; up to 12 three; beyond, the ones between are in `middle`.
 */
export function matches(key: Key, view: DataView, p: number): boolean {
  const size = key.size;
  if (size <= 4) return ((view.getInt32(p, true) ^ key.word0) & key.mask) === 0;
  if (view.getInt32(p, true) !== key.word0 || view.getInt32(p + size - 4, true) !== key.last) return false;
  if (size <= 8) return true;
  if (view.getInt32(p + 4, true) !== key.word1) return false;
  return key.middle === null || matchesMiddle(key.middle, view, p + 8);
}

function matchesMiddle(middle: Int32Array, view: DataView, p: number): boolean {
  for (let i = 0; i < middle.length; i++, p += 4) {
    if (view.getInt32(p, true) !== middle[i]) return false;
  }
  return true;
}

/** Mixes a word into a hash. */
export function mix(hash: number, word: number): number {
  hash = Math.imul(hash ^ word, 0x9e3779b1);
  return hash ^ hash >>> 15;
}

/**
 * The remembered key whose bytes stand at `p`, or {@linkcode NO_KEY}.
 *
 * Precondition: `size` bytes with the closing quote stand at `p`, `max(4, size)` can be read, `hash` is theirs.
 */
export function findKey(hash: number, size: number, view: DataView, p: number): Key {
  let slot = hash & KEY_SLOTS - 1;
  for (const end = slot + WAYS; slot < end; slot++) {
    const key = keys[slot];
    if (key.size === size && matches(key, view, p)) return key;
  }
  return NO_KEY;
}

/**
 * Remembers a key if its hash was seen before; returns it, else {@linkcode NO_KEY}.
 *
 * Preconditions of {@linkcode findKey}, which has not found it; `text` is its decoded name.
 */
export function admitKey(hash: number, size: number, view: DataView, p: number, text: string): Key {
  if (!seenBefore(keyHashes, hash) || lastId >= MAX_ID) return NO_KEY;
  const key = new Key(internalized(text), ++lastId, size, view, p, NO_KEY);
  const slot = hash & KEY_SLOTS - 1;
  let way = 0;
  while (way < WAYS && keys[slot + way] !== NO_KEY) way++;
  keys[slot + (way < WAYS ? way : lastId % WAYS)] = key;
  return key;
}

/** The engine's one copy of a name, which stores and lookups by name need not hash again. */
function internalized(text: string): string {
  const names = Object.keys({ [text]: 0 });
  return names.length === 1 ? names[0] : text;
}

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
  while (slot < first + WAYS && !(shapes[slot].hash === hash && fits(shapes[slot], ids, base, top))) slot++;
  if (slot === first + WAYS) {
    if (!seenBefore(shapeHashes, hash)) return null;
    slot = admitShape(hash, ids, base, top);
  }
  const shape = shapes[slot];
  key.shape = shape;
  if (shape.builder === null && ++shape.hits >= HOT) {
    if (builders < MAX_BUILDERS) shape.builder = generate(stack, base, top);
    if (shape.builder !== null) builders++;
    else shape.hits = -0x3fffffff;
  }
  return shape.builder;
}

/** Remembers a shape in place of the coldest of its neighbours; returns its slot. */
function admitShape(hash: number, ids: Int32Array, base: number, top: number): number {
  const first = hash & SHAPE_SLOTS - 1;
  let slot = first;
  for (let other = first + 1; other < first + WAYS; other++) {
    if (shapes[other].hits < shapes[slot].hits) slot = other;
  }
  // They cool down, so that a shape hot long ago gives way in the end.
  for (let other = first; other < first + WAYS; other++) if (shapes[other] !== NO_SHAPE) shapes[other].hits >>= 1;
  if (shapes[slot].builder !== null) builders--;
  const own = new Int32Array(top - base >> 1);
  for (let i = 0; i < own.length; i++) own[i] = ids[base + 2 * i];
  shapes[slot] = new Shape(own, hash);
  return slot;
}

/** Whether the keys are exactly the shape's. */
export function fits(shape: Shape, ids: Int32Array, base: number, top: number): boolean {
  const own = shape.ids;
  const count = own.length;
  if (top - base !== count << 1) return false;
  for (let i = 0; i < count; i++, base += 2) {
    if (ids[base] !== own[i]) return false;
  }
  return true;
}

let generating = true;

/** Stops the making of functions: what `./no-codegen` does. Constructors made before stay in use. */
export function forbidCodeGeneration(): void {
  generating = false;
}

/**
 * A function that makes an object with the keys on the stack by one literal, which gets the hidden class at once.
 * The names are the sender's: they reach the source only through `JSON.stringify`, and `"__proto__"` as a computed key,
 * which is an ordinary property (ECMA-262 §13.2.5.5). Returns `null` where the engine forbids code from strings.
 */
function generate(stack: unknown[], base: number, top: number): Builder | null {
  if (!generating) return null;
  const members: string[] = [];
  for (let p = base; p < top; p += 2) {
    const name = JSON.stringify(stack[p]);
    members.push(`${name === '"__proto__"' ? `[${name}]` : name}:s[b+${p - base + 1}]`);
  }
  const source = `"use strict";return{${members.join()}}`;
  if (source.length > MAX_SOURCE) return null;
  try {
    return new Function("s", "b", source) as Builder;
  } catch {
    generating = false;
    return null;
  }
}
