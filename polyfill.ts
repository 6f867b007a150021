/**
 * Defines `JSON.parseBinary` and `ArrayBuffer.prototype.detach`, each only if the engine does not
 * have it. Import the module for this effect; it exports nothing. An object that user code has
 * frozen stays as it is.
 *
 * `JSON.parseBinary(input)` is `parseBinary` of this package. `buffer.detach()` is
 * `detach(buffer)`, and throws a `TypeError` if it is called on anything but an
 * `ArrayBuffer`. Both have the attributes of built-in methods: writable, configurable, not
 * enumerable, not constructors.
 *
 * ```ts ignore
 * import "@bytejson/bytejson/polyfill";
 *
 * const result = JSON.parseBinary(bytes);
 * bytes.buffer.detach();
 * ```
 *
 * A package on JSR may not change global types. To declare the two methods for TypeScript, copy
 * this into a declaration file of your project, such as `bytejson.d.ts`:
 *
 * ```ts ignore
 * import type { ParseResult, Slice } from "@bytejson/bytejson";
 *
 * declare global {
 *   interface JSON {
 *     parseBinary<T = unknown>(input: Uint8Array | ArrayBuffer | SharedArrayBuffer | Slice): ParseResult<T>;
 *   }
 *   interface ArrayBuffer {
 *     detach(): boolean;
 *   }
 * }
 * ```
 *
 * @module
 */

import { detach } from "./detach.ts";
import { parseBinary } from "./parse_binary.ts";

const byteLength = Object.getOwnPropertyDescriptor(ArrayBuffer.prototype, "byteLength")!.get!;
const { apply } = Reflect;

/** Adds missing methods to a built-in. Like its own, shorthand methods are not constructors. */
function defineMissing(target: object, methods: object): void {
  for (const [name, { value }] of Object.entries(Object.getOwnPropertyDescriptors(methods))) {
    if (!Object.hasOwn(target, name)) {
      // Unlike `Object.defineProperty`, it does not throw if the object is frozen.
      Reflect.defineProperty(target, name, { value, writable: true, enumerable: false, configurable: true });
    }
  }
}

defineMissing(JSON, {
  parseBinary(input: Parameters<typeof parseBinary>[0]) {
    return parseBinary(input);
  },
});

defineMissing(ArrayBuffer.prototype, {
  detach(this: ArrayBuffer) {
    apply(byteLength, this, []); // throws the engine's TypeError if `this` is not an ArrayBuffer
    return detach(this);
  },
});
