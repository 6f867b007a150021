/**
 * What callers may hand in, as one plain `Uint8Array` over the same memory.
 *
 * @module
 */

/** A getter of a built-in prototype as a function: works across realms, and however callers decorate their objects. */
function getter<T>(prototype: object, name: PropertyKey): (receiver: unknown) => T {
  const get = Object.getOwnPropertyDescriptor(prototype, name)?.get;
  return (receiver) => get === undefined ? undefined as T : Reflect.apply(get, receiver, []) as T;
}

const TYPED_ARRAY = Object.getPrototypeOf(Uint8Array.prototype) as object;
const typeName = getter<string | undefined>(TYPED_ARRAY, Symbol.toStringTag);
const viewBuffer = getter<ArrayBufferLike>(TYPED_ARRAY, "buffer");
const viewOffset = getter<number>(TYPED_ARRAY, "byteOffset");
const viewLength = getter<number>(TYPED_ARRAY, "byteLength");
const bufferLength = getter<number>(ArrayBuffer.prototype, "byteLength");
const sharedLength = typeof SharedArrayBuffer === "undefined"
  ? null
  : getter<number>(SharedArrayBuffer.prototype, "byteLength");

function isArrayBuffer(value: unknown): value is ArrayBuffer {
  try {
    return bufferLength(value) >= 0;
  } catch {
    return false;
  }
}

function isSharedArrayBuffer(value: unknown): value is SharedArrayBuffer {
  try {
    return sharedLength !== null && sharedLength(value) >= 0;
  } catch {
    return false;
  }
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
interface Window {
  buffer: Uint8Array;
  byteOffset: number;
  byteLength: number;
}

/** Told by what it has and not by its class, so that nobody loads that who has no slices. Typed arrays have an `ArrayBuffer`. */
function isWindow(input: object): input is Window {
  return Object.hasOwn(input, "buffer") && (input as Partial<Window>).buffer instanceof Uint8Array;
}

/**
 * Whether a slice can be read; not if its buffer is detached.
 *
 * @throws {RangeError} If its fields were set to what is not within the buffer.
 */
export function isReadable({ buffer, byteOffset, byteLength }: Window): boolean {
  if (buffer.length === 0 && isDetached(buffer.buffer)) return false;
  const isWithin = Number.isInteger(byteOffset) && Number.isInteger(byteLength) &&
    byteOffset >= 0 && byteLength >= 0 && byteOffset + byteLength <= buffer.length;
  if (!isWithin) throw new RangeError("Cannot parse this slice: it is not within its buffer");
  return true;
}

function bytesOfWindow(slice: Window): Uint8Array | null {
  const { buffer, byteOffset, byteLength } = slice;
  return isReadable(slice) ? new Uint8Array(buffer.buffer, buffer.byteOffset + byteOffset, byteLength) : null;
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
    if (input instanceof Uint8Array && input.constructor === Uint8Array) {
      return input.length === 0 && isDetached(input.buffer) ? null : input;
    }
    if (typeName(input) === "Uint8Array") {
      const buffer = viewBuffer(input);
      const length = viewLength(input);
      if (length === 0) return isDetached(buffer) ? null : new Uint8Array(0);
      return new Uint8Array(buffer, viewOffset(input), length);
    }
    if (isWindow(input)) return viewsSlices ? bytesOfWindow(input) : SLICE;
    if (isArrayBuffer(input) || isSharedArrayBuffer(input)) return isDetached(input) ? null : new Uint8Array(input);
  }
  throw new TypeError(
    "Cannot parse this argument: expected a Uint8Array, an ArrayBuffer, a SharedArrayBuffer or a Slice",
  );
}
