/**
 * What callers may hand in, as one plain `Uint8Array` over the same memory.
 *
 * @module
 */

const { apply } = Reflect;
const NO_ARGUMENTS: never[] = [];

/** Getters of built-in prototypes: they work across realms, and however callers decorate their objects. */
function getter(prototype: object, name: PropertyKey): () => unknown {
  return Object.getOwnPropertyDescriptor(prototype, name)!.get!;
}

const TYPED_ARRAY = Object.getPrototypeOf(Uint8Array.prototype) as object;
const typeGetter = getter(TYPED_ARRAY, Symbol.toStringTag);
const bufferGetter = getter(TYPED_ARRAY, "buffer");
const offsetGetter = getter(TYPED_ARRAY, "byteOffset");
const lengthGetter = getter(TYPED_ARRAY, "byteLength");
const bufferLengthGetter = getter(ArrayBuffer.prototype, "byteLength");
const SHARED = typeof SharedArrayBuffer === "undefined" ? null : SharedArrayBuffer;
const sharedLengthGetter = SHARED === null ? null : getter(SHARED.prototype, "byteLength");

/** Returns the name of a typed array's type, `undefined` for anything else. */
function typeName(value: unknown): unknown {
  return apply(typeGetter, value, NO_ARGUMENTS);
}

/** Returns whether a value is a `Uint8Array`, of any realm. */
export function isByteArray(value: unknown): value is Uint8Array {
  return typeName(value) === "Uint8Array";
}

// Of a typed array, from its internal slots: what callers have put on the array or on a prototype under these names is not consulted.

/** Returns the buffer that a typed array is a view of. */
export function bufferOf(bytes: Uint8Array | Uint16Array): ArrayBufferLike {
  return apply(bufferGetter, bytes, NO_ARGUMENTS) as ArrayBufferLike;
}

/** Returns where in its buffer a typed array begins, in bytes. */
export function offsetOf(bytes: Uint8Array | Uint16Array): number {
  return apply(offsetGetter, bytes, NO_ARGUMENTS) as number;
}

/** Returns the length of a typed array, in bytes. */
export function lengthOf(bytes: Uint8Array | Uint16Array): number {
  return apply(lengthGetter, bytes, NO_ARGUMENTS) as number;
}

function isArrayBuffer(value: unknown): value is ArrayBuffer {
  try {
    return apply(bufferLengthGetter, value, NO_ARGUMENTS) as number >= 0;
  } catch {
    return false;
  }
}

function isSharedArrayBuffer(value: unknown): value is SharedArrayBuffer {
  try {
    return sharedLengthGetter !== null && apply(sharedLengthGetter, value, NO_ARGUMENTS) as number >= 0;
  } catch {
    return false;
  }
}

/**
 * Returns whether other threads can write to the memory of `bytes`. Only an `ArrayBuffer` has the slots of one, whatever its prototype;
 * shared memory is mostly told by its own, as an exception costs 3 µs.
 */
export function isShared(bytes: Uint8Array): boolean {
  const buffer = bufferOf(bytes);
  return SHARED !== null && buffer instanceof SHARED || !isArrayBuffer(buffer);
}

/**
 * Returns a view of the same bytes, of fixed length, that nobody has put properties on. Costs
 * 100 ns.
 */
export function plainView(bytes: Uint8Array): Uint8Array {
  return new Uint8Array(bufferOf(bytes), offsetOf(bytes), lengthOf(bytes));
}

/** A view of no bytes is also what a detached buffer shows; only making a new view of it tells. */
function isDetached(buffer: ArrayBufferLike): boolean {
  try {
    return new Uint8Array(buffer).length < 0;
  } catch {
    return true;
  }
}

/** What a `Slice` has, whoever made it. */
interface SliceLike {
  buffer: Uint8Array;
  byteOffset: number;
  byteLength: number;
}

/** Told by what it has and not by its class, so that nobody loads that who has no slices. Typed arrays have an `ArrayBuffer`. */
function isSliceLike(input: object): input is SliceLike {
  return Object.hasOwn(input, "buffer") && typeName((input as Partial<SliceLike>).buffer) === "Uint8Array";
}

/**
 * Whether a slice can be read; not if its buffer is detached.
 *
 * @throws {RangeError} If its fields were set to what is not within the buffer.
 */
export function isReadable({ buffer, byteOffset, byteLength }: SliceLike): boolean {
  const length = lengthOf(buffer);
  if (length === 0 && isDetached(bufferOf(buffer))) return false;
  const isWithin = Number.isInteger(byteOffset) && Number.isInteger(byteLength) &&
    byteOffset >= 0 && byteLength >= 0 && byteOffset + byteLength <= length;
  if (!isWithin) throw new RangeError("Cannot parse this slice: it is not within its buffer");
  return true;
}

function bytesOfSlice(slice: SliceLike): Uint8Array | null {
  const { buffer, byteOffset, byteLength } = slice;
  return isReadable(slice) ? new Uint8Array(bufferOf(buffer), offsetOf(buffer) + byteOffset, byteLength) : null;
}

/** Stands for a slice of which no view is wanted. */
export const SLICE = new Uint8Array(0);

/**
 * The bytes of `input` in place, or `null` if its buffer is detached. Of a slice a view, or {@linkcode SLICE}.
 *
 * A plain `Uint8Array` is handed on as it is: making a view costs as much as parsing ten bytes. A subclass (Node's
 * `Buffer`) is viewed anew, so that the engine only ever meets one kind of object and its loads stay monomorphic.
 *
 * @throws {TypeError} If `input` is not bytes.
 * @throws {RangeError} If `input` is a slice whose fields somebody set to what is not within its buffer.
 */
export function bytesOf(input: unknown, viewsSlices: boolean = true): Uint8Array | null {
  if (typeof input === "object" && input !== null) {
    // Nothing depends on this `length`, which may be a property of the caller's: it is read because that is three times as fast.
    if (input instanceof Uint8Array && input.constructor === Uint8Array && input.length > 0) return input;
    if (typeName(input) === "Uint8Array") {
      const bytes = input as Uint8Array;
      const length = lengthOf(bytes);
      if (length === 0) return isDetached(bufferOf(bytes)) ? null : new Uint8Array(0);
      return new Uint8Array(bufferOf(bytes), offsetOf(bytes), length);
    }
    if (isSliceLike(input)) return viewsSlices ? bytesOfSlice(input) : SLICE;
    if (isArrayBuffer(input) || isSharedArrayBuffer(input)) return isDetached(input) ? null : new Uint8Array(input);
  }
  throw new TypeError(
    "Cannot parse this argument: expected a Uint8Array, an ArrayBuffer, a SharedArrayBuffer or a Slice",
  );
}
