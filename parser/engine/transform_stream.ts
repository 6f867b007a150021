/**
 * Base class of the transform streams.
 *
 * @module
 */

/** Stand-in for `TransformStream` in engines that have none. */
class NoTransformStream {
  constructor() {
    // not covered: Deno has TransformStream
    throw new TypeError("Cannot make a stream: this engine has no TransformStream");
  }
}

/**
 * `TransformStream`, or a class that cannot be instantiated, so that modules load in any engine.
 */
export const Transform: typeof TransformStream = typeof TransformStream === "function"
  ? TransformStream
  : NoTransformStream as unknown as typeof TransformStream;
