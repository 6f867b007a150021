/**
 * Notices of a parse for the guards: signs that a guard may be violated, recorded on rare paths.
 * Without a sign, a guarded parse needs no second look at the input.
 */

/** Bits of what a guarded parse notes about the names of objects. */
export const DUPLICATE = 1;
export const PROTO_KEY = 2;
export const COUNT = 4;
/**
 * Bits of what it leaves out: later members of the same name, and those that may poison prototypes.
 */
export const KEEPS_FIRST = 8;
export const DROPS_PROTO = 16;
export const CHANGING: number = KEEPS_FIRST | DROPS_PROTO;

/** Notices of the current parse. Reset by a guarded parse only. */
export const notices: {
  /** Those bits; 0 without a guarded parse. */
  watched: number;
  /** Maximum number of containers within each other that such a parse may have. */
  maxDepth: number;
  /** Bytes of the longest string of more than 4096. */
  longestString: number;
  /** Elements of the longest array of more than 16. */
  longestArray: number;
  /** Bound for the members of any object of more than 128. */
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

/** Begins to take notice in a parse with a limit of depth. */
export function beginNotices(maxDepth: number, watched: number): void {
  notices.watched = watched;
  notices.maxDepth = maxDepth;
  notices.longestString = notices.longestArray = notices.members = 0;
  notices.hasDuplicate = notices.hasProtoKey = notices.hasUnsafeInteger = false;
}

export function endNotices(): void {
  notices.watched = 0;
  notices.maxDepth = Infinity;
}

/** Notes the length of a string of more than 4096 bytes. */
export function noteLongString(length: number): void {
  if (length > notices.longestString) notices.longestString = length;
}

/** Notes the length of an array of more than 16 elements. */
export function noteLongArray(length: number): void {
  if (length > notices.longestArray) notices.longestArray = length;
}

/** Notes a number that may be an integer beyond ±(2^53 − 1). */
export function noteUnsafeInteger(): void {
  notices.hasUnsafeInteger = true;
}

const { keys } = Object;

/**
 * Looks at the names of an object that was made of the members on the stack, or a dictionary begun
 * with them: names at `stack[base]`, `stack[base + 2]`, … below `top`.
 */
export function noteMembers(object: object, stack: unknown[], base: number, top: number): void {
  const count = top - base >> 1;
  if (count > notices.members) notices.members = count;
  if ((notices.watched & PROTO_KEY) !== 0) { for (let p = base; p < top; p += 2) noteName(stack[p]); }
  if ((notices.watched & DUPLICATE) !== 0 && keys(object).length !== count) notices.hasDuplicate = true;
}

/**
 * Returns bits of notices for objects with these names; 0 for most. A positive id in `ids` says
 * that the name is not on `Object.prototype`.
 */
export function shapeNotice(stack: unknown[], ids: Int32Array, base: number, top: number): number {
  let notice = 0;
  for (let p = base; p < top; p += 2) {
    const name = stack[p];
    if (ids[p] <= 0 && (name === "__proto__" || name === "constructor")) notice |= PROTO_KEY;
    for (let q = base; q < p; q += 2) if (stack[q] === name) notice |= DUPLICATE;
  }
  return notice;
}

/** Notes an object with a {@linkcode shapeNotice}. */
export function noteShape(notice: number): void {
  if ((notice & DUPLICATE) !== 0) notices.hasDuplicate = true;
  if ((notice & PROTO_KEY) !== 0) notices.hasProtoKey = true;
}

/** Notes a name if it may be one that guards forbid. */
export function noteName(name: unknown): void {
  if (name === "__proto__" || name === "constructor") notices.hasProtoKey = true;
}

/** Notes a member that is added to a dictionary, an object without a prototype. */
export function noteAdded(object: object, key: string | number): void {
  notices.members++;
  if ((notices.watched & PROTO_KEY) !== 0) noteName(key);
  if ((notices.watched & DUPLICATE) !== 0 && key in object) notices.hasDuplicate = true;
}
