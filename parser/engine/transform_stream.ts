/** Streams of the runtime: a `TransformStream`, and a readable side that can fail late. */

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
 * Readable side that fails once all chunks before have been read. Erroring a transform stream would
 * discard the queued chunks.
 */
export class LateErrorStream<O> {
  #error: { reason: unknown } | null = null;
  #end: () => void = () => {};

  /** Fails after the queued chunks. Resolves once they have been read. */
  async fail(output: TransformStreamDefaultController<O>, reason: unknown): Promise<void> {
    this.#error = { reason };
    await new Promise<void>((resolve) => {
      this.#end = resolve;
      output.enqueue(undefined as O); // for a reader that waits
    });
  }

  /** Returns a stream of the chunks of another one. */
  open(chunks: ReadableStream<O>): ReadableStream<O> {
    const reader = chunks.getReader();
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
