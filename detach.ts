/**
 * Frees the memory of an `ArrayBuffer` at once, without waiting for the garbage collector.
 *
 * @module
 */

// The engine's functions are taken at load, so that later changes of the globals, such as a
// polyfill of `ArrayBuffer.prototype.detach`, have no effect here.
const { apply, getOwnPropertyDescriptor, getPrototypeOf } = Reflect;
const { isView } = ArrayBuffer;
const Bytes = Uint8Array;

/** Makes a function of a built-in getter. It returns `undefined` if there is no such getter. */
function getter<T>(prototype: object, name: PropertyKey): (object: unknown) => T {
  const get = getOwnPropertyDescriptor(prototype, name)?.get;
  return get ? (object) => apply(get, object, []) : () => undefined as T;
}

/**
 * Returns the prototype of shared memory, or `ArrayBuffer.prototype` if the engine has none. Pages
 * that are not isolated from other origins get it only from WebAssembly.
 */
function findSharedPrototype(): object {
  if (typeof SharedArrayBuffer === "function") return SharedArrayBuffer.prototype;
  try {
    return getPrototypeOf(new WebAssembly.Memory({ initial: 0, maximum: 0, shared: true }).buffer)!;
  } catch {
    // not covered: Deno has WebAssembly
    return ArrayBuffer.prototype;
  }
}

function viewGetters(prototype: object) {
  return {
    buffer: getter<ArrayBufferLike>(prototype, "buffer"),
    byteLength: getter<number>(prototype, "byteLength"),
  };
}

const typedArrayPrototype = getPrototypeOf(Bytes.prototype)!;
const typedArrayName = getter<string | undefined>(typedArrayPrototype, Symbol.toStringTag);
const ofTypedArray = viewGetters(typedArrayPrototype);
const ofDataView = viewGetters(DataView.prototype);
const byteLength = getter<number>(ArrayBuffer.prototype, "byteLength");
const detached = getter<boolean | undefined>(ArrayBuffer.prototype, "detached");
const sharedByteLength = getter<number>(findSharedPrototype(), "byteLength");

const [kind, release] = findMethod();

/** Method by which {@linkcode detach} frees memory in this engine: see {@linkcode Detach.kind}. */
export type DetachKind = "native" | "transfer" | "structuredClone" | "none";

/** Type of {@linkcode detach}: a function with a property. */
export interface Detach {
  /**
   * Detaches a buffer.
   *
   * @param bufferOrView An `ArrayBuffer` (fixed or resizable, of any size and realm), or a typed
   * array, `Buffer` or `DataView` that covers the whole of one.
   * @returns Whether this call detached the buffer. `false`, with nothing changed, for a view of
   * a part, a `SharedArrayBuffer` or a view of one, a buffer that is detached already,
   * `WebAssembly` memory, and any other buffer that the runtime protects, such as the pool of
   * small `Buffer`s in Node.js.
   * @throws {TypeError} If the argument is neither a buffer nor a view.
   */
  (bufferOrView: ArrayBufferLike | ArrayBufferView): boolean;

  /**
   * Method in use, for diagnostics. It is chosen once, when the module loads.
   *
   * - `"native"`: V8's `%ArrayBufferDetach`, where natives syntax is allowed
   *   (`--allow-natives-syntax`; Deno: `--v8-flags=--allow-natives-syntax`). Node.js needs no flag:
   *   the module switches the syntax on for a moment.
   * - `"transfer"`: `ArrayBuffer.prototype.transfer` to a buffer of no bytes.
   * - `"structuredClone"`: engines from before 2023. The buffer is detached, but its memory waits
   *   for the garbage collector.
   * - `"none"`: engines with none of these; `detach` returns `false`.
   */
  readonly kind: DetachKind;
}

/**
 * Detaches a buffer: frees its memory at once, and leaves it and all views of it empty.
 *
 * A view must cover the whole of its buffer; otherwise nothing happens. So detaching a subarray, or
 * a small Node.js `Buffer` in its shared pool, never frees memory that others use. Detach only
 * buffers that no other code reads any more. An empty buffer is detached like any other, and cannot
 * be resized or viewed afterwards. Chromium keeps the memory of buffers that the browser has made,
 * such as the result of `Response.arrayBuffer()`, until its next collection.
 *
 * See [DetachArrayBuffer](https://tc39.es/ecma262/#sec-detacharraybuffer) in ECMAScript.
 *
 * @example
 * ```ts
 * import { detach } from "@bytejson/bytejson/detach";
 * import { assertEquals } from "@std/assert";
 *
 * const bytes = new Uint8Array(8);
 * assertEquals(detach(bytes.subarray(4)), false); // half of the buffer: untouched
 * assertEquals(bytes.byteLength, 8);
 * assertEquals(detach(bytes), true);
 * assertEquals(bytes.byteLength, 0);
 * assertEquals(detach(bytes), false); // nothing left to free
 * ```
 */
export const detach: Detach = Object.assign(function detach(bufferOrView: ArrayBufferLike | ArrayBufferView): boolean {
  if (isView(bufferOrView)) {
    const of = typedArrayName(bufferOrView) === undefined ? ofDataView : ofTypedArray;
    const buffer = of.buffer(bufferOrView);
    return isArrayBuffer(buffer) && covers(bufferOrView, buffer, of) && detachBuffer(buffer);
  }
  if (isArrayBuffer(bufferOrView)) return detachBuffer(bufferOrView);
  if (accepts(sharedByteLength, bufferOrView)) return false;
  throw new TypeError("Cannot detach this argument: expected an ArrayBuffer, a SharedArrayBuffer or a view of one");
}, { kind });

function detachBuffer(buffer: ArrayBuffer): boolean {
  if (isDetached(buffer)) return false;
  try {
    release(buffer);
  } catch {
    return false; // not detachable, such as WebAssembly memory
  }
  return isDetached(buffer);
}

function isDetached(buffer: ArrayBuffer): boolean {
  return detached(buffer) ?? (byteLength(buffer) === 0 && !accepts((empty) => new Bytes(empty as ArrayBuffer), buffer));
}

function isArrayBuffer(value: unknown): value is ArrayBuffer {
  return accepts(byteLength, value);
}

/** Returns whether a built-in accepts `value`. Unlike `instanceof`, it works across realms. */
function accepts(builtIn: (value: unknown) => unknown, value: unknown): boolean {
  try {
    builtIn(value);
    return true;
  } catch {
    return false;
  }
}

/** Returns whether a view is as long as its buffer. It then begins where the buffer begins. */
function covers(view: ArrayBufferView, buffer: ArrayBuffer, of: ReturnType<typeof viewGetters>): boolean {
  try {
    return of.byteLength(view) === byteLength(buffer);
  } catch {
    return false; // a DataView of a detached or shrunken buffer
  }
}

type Release = (buffer: ArrayBuffer) => void;

/** Finds the best method of detaching that this engine has. */
function findMethod(): [DetachKind, Release] {
  const native = findNative();
  if (native) return ["native", native];

  const transfer: unknown = getOwnPropertyDescriptor(ArrayBuffer.prototype, "transfer")?.value;
  if (typeof transfer === "function") {
    const release: Release = (buffer) => apply(transfer, buffer, [0]);
    if (detaches(release)) return ["transfer", release];
  }

  if (typeof structuredClone === "function") {
    const clone = structuredClone;
    const release: Release = (buffer) => clone(buffer, { transfer: [buffer] });
    if (detaches(release)) return ["structuredClone", release];
  }
  return ["none", () => {}];
}

/** Returns whether a method detaches a buffer: a polyfill may only copy it. */
function detaches(release: Release): boolean {
  const probe = new ArrayBuffer(1);
  try {
    release(probe);
  } catch {
    // not covered: no method of Deno throws for a plain buffer
    return false;
  }
  return byteLength(probe) === 0;
}

/** Globals of Node.js, Deno and Bun that this module uses. */
interface NativesGlobals {
  Deno?: { version?: { v8?: string } };
  process?: {
    versions?: { v8?: string; bun?: string };
    getBuiltinModule?(name: "node:v8"): { setFlagsFromString(flag: string): void };
  };
}

/** Returns a function that calls `%ArrayBufferDetach`, or `undefined` where that is impossible. */
function findNative(): Release | undefined {
  const { Deno } = globalThis as NativesGlobals;
  // Deno is recognised without `process`, whose first use there loads much of Node.js, in 13 ms.
  // Neither Deno nor Bun can change the flag in a running process.
  if (typeof Deno?.version?.v8 === "string") return compileNative();

  const { process } = globalThis as NativesGlobals;
  const versions = process?.versions;
  // Pages end here, even those with elements called `process` and `versions`: they have no natives
  // syntax, and a policy that forbids evaluation would log the attempt.
  if (typeof versions?.v8 !== "string") return undefined;

  const native = compileNative();
  if (native || versions.bun) return native;
  try {
    const v8 = process!.getBuiltinModule!("node:v8");
    v8.setFlagsFromString("--allow-natives-syntax");
    try {
      return compileNative();
    } finally {
      v8.setFlagsFromString("--no-allow-natives-syntax");
    }
  } catch {
    return undefined; // an older Node.js without getBuiltinModule
  }
}

/**
 * Compiles `%ArrayBufferDetach` to a function; returns `undefined` where natives syntax or code
 * generation is forbidden.
 */
function compileNative(): Release | undefined {
  try {
    // V8 drops the bytecode of an idle function, and would parse the source again at the next call,
    // when natives syntax is off. A suspended generator keeps its bytecode. Its `catch` lets it
    // continue after a buffer that cannot be detached.
    const GeneratorFunction = getPrototypeOf(function* () {})!.constructor as GeneratorFunctionConstructor;
    const detacher = new GeneratorFunction("for (;;) try { %ArrayBufferDetach(yield) } catch {}")();
    const { next } = detacher;
    const release: Release = (buffer) => apply(next, detacher, [buffer]);
    detacher.next();
    return detaches(release) ? release : undefined; // not covered: needs natives that do nothing
  } catch {
    return undefined;
  }
}
