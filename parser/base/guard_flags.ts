/**
 * Flags that the parser sets on rare paths where the input may violate a guard. If none is set, the
 * guards need not read the input again.
 */

/** Checks of object keys that a guarded parse makes, as bits. */
export const DUPLICATE = 1;
export const PROTO_KEY = 2;
export const COUNT = 4;
/** Members that it leaves out, as bits: later duplicates, and those that may poison prototypes. */
export const KEEPS_FIRST = 8;
export const DROPS_PROTO = 16;
export const CHANGING: number = KEEPS_FIRST | DROPS_PROTO;

/**
 * Maximum bytes of a string, elements of an array and members of an object that the parser does not
 * flag. So these flags decide only about limits that are not smaller.
 */
export const MAX_UNFLAGGED_STRING = 4096;
export const MAX_UNFLAGGED_ARRAY = 16;
export const MAX_UNFLAGGED_OBJECT = 128;

/** Flags of the current parse. Only a guarded parse resets them. */
export const guardFlags: {
  /** Checks of object keys; 0 without a guarded parse. */
  watched: number;
  /** Maximum number of containers within each other that such a parse may have. */
  maxDepth: number;
  /** Bytes of the longest string of more than {@linkcode MAX_UNFLAGGED_STRING}. */
  longestString: number;
  /** Elements of the longest array of more than {@linkcode MAX_UNFLAGGED_ARRAY}. */
  longestArray: number;
  /** Bound for the members of any object of more than {@linkcode MAX_UNFLAGGED_OBJECT}. */
  members: number;
  /** Whether an object may have had two members with the same name. */
  hasDuplicate: boolean;
  /** Whether there may have been a name `__proto__` or `constructor`. */
  hasProtoKey: boolean;
  /** Whether a number may have been an integer beyond ±(2^53 − 1). */
  hasUnsafeInteger: boolean;
} = {
  watched: 0,
  maxDepth: Infinity,
  longestString: 0,
  longestArray: 0,
  members: 0,
  hasDuplicate: false,
  hasProtoKey: false,
  hasUnsafeInteger: false,
};

/** Clears the flags before a guarded parse. */
export function beginGuardFlags(maxDepth: number, watched: number): void {
  guardFlags.watched = watched;
  guardFlags.maxDepth = maxDepth;
  guardFlags.longestString = guardFlags.longestArray = guardFlags.members = 0;
  guardFlags.hasDuplicate = guardFlags.hasProtoKey = guardFlags.hasUnsafeInteger = false;
}

export function endGuardFlags(): void {
  guardFlags.watched = 0;
  guardFlags.maxDepth = Infinity;
}

/** Records the length of a string of more than {@linkcode MAX_UNFLAGGED_STRING} bytes. */
export function flagLongString(length: number): void {
  if (length > guardFlags.longestString) guardFlags.longestString = length;
}

/** Records the length of an array of more than {@linkcode MAX_UNFLAGGED_ARRAY} elements. */
export function flagLongArray(length: number): void {
  if (length > guardFlags.longestArray) guardFlags.longestArray = length;
}

/** Flags a number that may be an integer beyond ±(2^53 − 1). */
export function flagUnsafeInteger(): void {
  guardFlags.hasUnsafeInteger = true;
}

/**
 * Checks the keys of an object that was made of the members on the stack, or a dictionary begun
 * with them: names at `stack[base]`, `stack[base + 2]`, … below `top`.
 */
export function flagMembers(object: object, stack: unknown[], base: number, top: number): void {
  const count = top - base >> 1;
  if (count > guardFlags.members) guardFlags.members = count;
  if ((guardFlags.watched & PROTO_KEY) !== 0) { for (let p = base; p < top; p += 2) flagName(stack[p]); }
  if ((guardFlags.watched & DUPLICATE) !== 0 && Object.keys(object).length !== count) guardFlags.hasDuplicate = true;
}

/**
 * Returns the bits to flag for each object with these keys; 0 for most. A positive id in `ids` says
 * that the key is not on `Object.prototype`.
 */
export function shapeFlags(stack: unknown[], ids: Int32Array, base: number, top: number): number {
  let flags = 0;
  for (let p = base; p < top; p += 2) {
    const name = stack[p];
    if (ids[p] <= 0 && (name === "__proto__" || name === "constructor")) flags |= PROTO_KEY;
    for (let q = base; q < p; q += 2) if (stack[q] === name) flags |= DUPLICATE;
  }
  return flags;
}

/** Flags an object by the bits that {@linkcode shapeFlags} returned for its shape. */
export function flagShape(flags: number): void {
  if ((flags & DUPLICATE) !== 0) guardFlags.hasDuplicate = true;
  if ((flags & PROTO_KEY) !== 0) guardFlags.hasProtoKey = true;
}

/** Flags a key that guards may forbid. */
export function flagName(name: unknown): void {
  if (name === "__proto__" || name === "constructor") guardFlags.hasProtoKey = true;
}

/** Flags a member that is added to a dictionary, an object without a prototype. */
export function flagAdded(object: object, key: string | number): void {
  guardFlags.members++;
  if ((guardFlags.watched & PROTO_KEY) !== 0) flagName(key);
  if ((guardFlags.watched & DUPLICATE) !== 0 && key in object) guardFlags.hasDuplicate = true;
}
