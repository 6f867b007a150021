/** Arguments that callers may pass as input, turned into a plain `Uint8Array` over the same memory. */

import { notBytes } from "./argument_error.ts";
import { isJavaScriptCore, isSpiderMonkey } from "./recognition.ts";

const { apply, get } = Reflect;
const { hasOwn } = Object;
const { isInteger } = Number;
const { isView } = ArrayBuffer;
const NO_ARGUMENTS: never[] = [];

/** Default options. An object literal would inherit members added to `Object.prototype`. */
export const NO_OPTIONS: Readonly<Record<never, never>> = /* @__PURE__ */ Object.freeze(
  /* @__PURE__ */ Object.create(null),
);

/** Returns the getter of a built-in prototype, which works across realms. */
function getter(prototype: object, name: PropertyKey): () => unknown {
  return Object.getOwnPropertyDescriptor(prototype, name)!.get!;
}

const TYPED_ARRAY_PROTOTYPE = /* @__PURE__ */ Object.getPrototypeOf(Uint8Array.prototype) as object;
const typeGetter = /* @__PURE__ */ getter(TYPED_ARRAY_PROTOTYPE, Symbol.toStringTag);
const bufferGetter = /* @__PURE__ */ getter(TYPED_ARRAY_PROTOTYPE, "buffer");
const offsetGetter = /* @__PURE__ */ getter(TYPED_ARRAY_PROTOTYPE, "byteOffset");
const lengthGetter = /* @__PURE__ */ getter(TYPED_ARRAY_PROTOTYPE, "byteLength");
/** Object by which `Reflect.get` calls the getter of `byteLength` on another receiver. */
const lengthHolder = /* @__PURE__ */ Object.create(null, { byteLength: { get: lengthGetter } }) as object;
/** Whether `Reflect.get` calls a getter faster than `Reflect.apply`: 9 ns against 25. V8: 10, 2. */
const isGetFast = /* @__PURE__ */ isJavaScriptCore() || /* @__PURE__ */ isSpiderMonkey();
const bufferLengthGetter = /* @__PURE__ */ getter(ArrayBuffer.prototype, "byteLength");
const SHARED_BUFFER = /* @__PURE__ */ findSharedConstructor();
const sharedLengthGetter = SHARED_BUFFER === null
  ? null
  : /* @__PURE__ */ getter(SHARED_BUFFER.prototype, "byteLength");

/**
 * Returns the constructor of shared memory; `null` if the engine has none. Pages that are
 * not isolated from other origins do not have it as a global, but still get shared memory
 * from WebAssembly.
 */
function findSharedConstructor(): typeof SharedArrayBuffer | null {
  if (typeof SharedArrayBuffer === "function") return SharedArrayBuffer;
  try {
    const { constructor } = new WebAssembly.Memory({ initial: 0, maximum: 0, shared: true }).buffer;
    return constructor === ArrayBuffer ? null : constructor as typeof SharedArrayBuffer;
  } catch {
    // not covered: Deno has WebAssembly
    return null;
  }
}

/** Returns the name of a typed array's type; `undefined` for anything else. */
function typedArrayName(value: unknown): unknown {
  return apply(typeGetter, value, NO_ARGUMENTS);
}

/** Returns whether a value is a `Uint8Array`, of any realm. */
export function isByteArray(value: unknown): value is Uint8Array {
  return typedArrayName(value) === "Uint8Array";
}

/**
 * Returns whether a value is a `Uint8Array`, or a typed array of another type that user code has
 * given the prototype of `Uint8Array`. Faster than {@linkcode isByteArray}, because it rarely needs
 * the internal type (JavaScriptCore, making a slice: 118 → 23 ns).
 */
export function isLikelyByteArray(value: unknown): value is Uint8Array {
  return isView(value) && value instanceof Uint8Array || isByteArray(value);
}

// The next three functions read internal slots, never properties that callers have defined.
export function bufferOf(bytes: Uint8Array | Uint16Array): ArrayBufferLike {
  return apply(bufferGetter, bytes, NO_ARGUMENTS) as ArrayBufferLike;
}

/** Returns the offset of a typed array in its buffer, in bytes. */
export function offsetOf(bytes: Uint8Array | Uint16Array): number {
  return apply(offsetGetter, bytes, NO_ARGUMENTS) as number;
}

/** Returns the length of a typed array, in bytes. */
export function lengthOf(bytes: Uint8Array | Uint16Array): number {
  return (isGetFast ? get(lengthHolder, "byteLength", bytes) : apply(lengthGetter, bytes, NO_ARGUMENTS)) as number;
}

/** Returns whether the getter of a buffer's length works on a value. */
function hasLength(lengthGetter: (() => unknown) | null, value: unknown): boolean {
  try {
    return lengthGetter !== null && apply(lengthGetter, value, NO_ARGUMENTS) as number >= 0;
  } catch {
    return false;
  }
}

/** Returns whether a value is an `ArrayBuffer` or a `SharedArrayBuffer`, of any realm. */
export function isBuffer(value: unknown): value is ArrayBufferLike {
  return hasLength(bufferLengthGetter, value) || hasLength(sharedLengthGetter, value);
}

/**
 * Returns whether other threads can write to the memory of `bytes`. Internal slots decide, since a
 * program can change prototypes. The prototype is tested first only because that recognises most
 * shared memory without an exception, which costs 3 µs.
 */
export function isShared(bytes: Uint8Array): boolean {
  const buffer = bufferOf(bytes);
  return SHARED_BUFFER !== null && buffer instanceof SHARED_BUFFER || !hasLength(bufferLengthGetter, buffer);
}

/** Returns a view of fixed length, without properties that a caller has defined. Costs 100 ns. */
export function plainView(bytes: Uint8Array): Uint8Array {
  return new Uint8Array(bufferOf(bytes), offsetOf(bytes), lengthOf(bytes));
}

/** Returns such a view or, for shared memory, a copy. */
export function unsharedView(bytes: Uint8Array): Uint8Array {
  return isShared(bytes) ? new Uint8Array(plainView(bytes)) : plainView(bytes);
}

/** Holder of a view, so that no compiler removes its allocation. */
const probe = { view: /* @__PURE__ */ new Uint8Array(0) };

/**
 * Throws the engine's error if the stack is about to overflow. Call it after an allocation has
 * failed: near the end of the stack, that does not mean a lack of memory.
 */
export function requireStack(): void {
  probe.view = new Uint8Array(probe.view.buffer);
}

/** Returns whether a buffer is detached: making a view of it throws. */
function isDetached(buffer: ArrayBufferLike): boolean {
  try {
    return new Uint8Array(buffer).length < 0;
  } catch {
    requireStack();
    return true;
  }
}

interface SliceLike {
  buffer: Uint8Array;
  byteOffset: number;
  byteLength: number;
}

/**
 * Returns the buffer of an object if it is a slice, otherwise `undefined`. Duck-typed, so that
 * programs without slices never load `Slice`. The `buffer` of a typed array is an `ArrayBuffer`,
 * that of a slice a `Uint8Array`.
 */
function sliceBuffer(input: object): Uint8Array | undefined {
  if (!hasOwn(input, "buffer")) return undefined;
  const { buffer } = input as SliceLike;
  return isByteArray(buffer) ? buffer : undefined;
}

/**
 * Returns whether a slice can be read: false if its buffer is detached.
 *
 * @throws {RangeError} If its fields were set to a range that is not within the buffer.
 */
export function isReadableSlice(buffer: Uint8Array, byteOffset: number, byteLength: number): boolean {
  const length = lengthOf(buffer);
  if (length === 0 && isDetached(bufferOf(buffer))) return false;
  const isWithin = isInteger(byteOffset) && isInteger(byteLength) &&
    byteOffset >= 0 && byteLength >= 0 && byteOffset + byteLength <= length;
  if (!isWithin) throw new RangeError("Cannot parse this slice: it is not within its buffer");
  return true;
}

/** Returns a view of a slice of `buffer`, or `null` if that is detached. */
function viewOfSlice({ byteOffset, byteLength }: SliceLike, buffer: Uint8Array): Uint8Array | null {
  if (!isReadableSlice(buffer, byteOffset, byteLength)) return null;
  return new Uint8Array(bufferOf(buffer), offsetOf(buffer) + byteOffset, byteLength);
}

/** Result of {@linkcode bytesOf} for a slice if the caller wants no view of it. */
export const UNVIEWED_SLICE = /* @__PURE__ */ new Uint8Array(0);

/**
 * Returns the bytes of `input` in place, or `null` if its buffer is detached. Returns a view of a
 * slice if `viewsSlices`, otherwise {@linkcode UNVIEWED_SLICE}.
 *
 * Returns a plain `Uint8Array` as it is: making a view costs as much as parsing ten bytes. Makes a
 * new view of a subclass (a Node `Buffer`), so that loads in V8 stay monomorphic.
 *
 * @throws {TypeError} If `input` is not bytes.
 * @throws {RangeError} If `input` is a slice whose fields were set to a range that is not within
 * its buffer.
 */
export function bytesOf(input: unknown, viewsSlices: boolean = true): Uint8Array | null {
  if (typeof input === "object" && input !== null) {
    // `isView` excludes proxies, and objects that only inherit from the prototype. `length` may be
    // a property that the caller has defined: nothing depends on it, and reading it is three times
    // as fast as the getter.
    if (isView(input) && input instanceof Uint8Array && input.constructor === Uint8Array && input.length > 0) {
      return input;
    }
    if (isByteArray(input)) {
      const length = lengthOf(input);
      if (length === 0) return isDetached(bufferOf(input)) ? null : new Uint8Array(0);
      return new Uint8Array(bufferOf(input), offsetOf(input), length);
    }
    const buffer = sliceBuffer(input);
    if (buffer !== undefined) return viewsSlices ? viewOfSlice(input as SliceLike, buffer) : UNVIEWED_SLICE;
    if (isBuffer(input)) return isDetached(input) ? null : new Uint8Array(input);
  }
  throw notBytes(input);
}
