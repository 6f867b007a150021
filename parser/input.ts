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

/**
 * The bytes of `input` in place, or `null` if its buffer is detached.
 *
 * A plain `Uint8Array` is handed on as it is: making a view costs as much as parsing ten bytes. A subclass (Node's
 * `Buffer`) is viewed anew, so that the engine only ever meets one kind of object and its loads stay monomorphic.
 *
 * @throws {TypeError} If `input` is not bytes.
 */
export function bytesOf(input: unknown): Uint8Array | null {
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
    if (isArrayBuffer(input) || isSharedArrayBuffer(input)) return isDetached(input) ? null : new Uint8Array(input);
  }
  throw new TypeError("Cannot parse this argument: expected a Uint8Array, an ArrayBuffer or a SharedArrayBuffer");
}
