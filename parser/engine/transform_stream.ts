/** The transform streams of the runtime. */

/**
 * Makes a `TransformStream`. The global is looked at here, not at load: the first look makes
 * Node.js and Deno load their streams (import of any entry in Deno: 2 ms).
 *
 * @throws {TypeError} If the engine has no `TransformStream`.
 */
export function newTransform<I, O>(transformer: Transformer<I, O>): TransformStream<I, O> {
  if (typeof TransformStream !== "function") {
    throw new TypeError("Cannot make a stream: this engine has no TransformStream");
  }
  return new TransformStream<I, O>(transformer);
}
