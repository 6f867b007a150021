/** The transform streams of the runtime. */

/**
 * Makes a `TransformStream`. The global is accessed here, not at load: the first access makes
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

/**
 * Readable side that fails once all parts before have been read: an error of a transform stream
 * drops the parts that wait.
 */
export class LimitedStream<O> {
  #error: { reason: unknown } | null = null;
  #end: () => void = () => {};

  /** Fails after the queued parts. Resolves once they were read. */
  async fail(output: TransformStreamDefaultController<O>, reason: unknown): Promise<void> {
    this.#error = { reason };
    await new Promise<void>((resolve) => {
      this.#end = resolve;
      output.enqueue(undefined as O); // for a reader that waits
    });
  }

  /** Returns a stream of the parts of another one. */
  open(parts: ReadableStream<O>): ReadableStream<O> {
    const reader = parts.getReader();
    const source = {
      __proto__: null, // streams would read inherited members
      pull: async (controller): Promise<void> => {
        const { done, value } = await reader.read();
        if (done) controller.close();
        else if (value !== undefined) controller.enqueue(value);
        else {
          controller.error(this.#error!.reason);
          this.#end();
        }
      },
      cancel: (reason): Promise<void> => reader.cancel(reason),
    } as UnderlyingDefaultSource<O>;
    return new ReadableStream(source, { highWaterMark: 0 });
  }
}
