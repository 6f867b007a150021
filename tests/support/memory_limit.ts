/** Engine that runs out of memory in chosen calls. */

/**
 * Calls `body` while the constructor of a kind of typed array throws the engine's error for every
 * call whose arguments `isDenied` accepts.
 */
export function withoutMemory<T>(
  type: "Int32Array" | "Uint8Array" | "Uint16Array",
  isDenied: (...args: unknown[]) => boolean,
  body: () => T,
): T {
  const original = globalThis[type];
  const construct: ProxyHandler<typeof original>["construct"] = (target, args, newTarget) => {
    if (isDenied(...args)) throw new RangeError("Array buffer allocation failed");
    return Reflect.construct(target, args, newTarget);
  };
  Object.defineProperty(globalThis, type, { value: new Proxy(original, { construct }) });
  try {
    return body();
  } finally {
    Object.defineProperty(globalThis, type, { value: original });
  }
}
