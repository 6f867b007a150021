/**
 * Iterates over the values of a source while its bytes arrive.
 *
 * @module
 */

import { Queue } from "../base/queue.ts";
import { Batch, isBatched } from "./batch.ts";
import { BinaryParser } from "./binary_parser.ts";
import { type ByteSource, openBytes } from "./byte_source.ts";
import { streamedValueOptions } from "./parser_options.ts";
import { Pieces } from "./piece_cutter.ts";
import { PieceIterator, type PieceReader } from "./piece_iterator.ts";
import type { BatchOption, ParseValuesOptions, StreamedValue } from "./stream_options.ts";

/** Returns the iterator of `parseValues`, over values or batches of them. */
export function iterateValues<T>(
  source: ByteSource,
  options: ParseValuesOptions<T> & BatchOption<boolean>,
): PieceIterator<StreamedValue<T> | StreamedValue<T>[]> {
  const reader = new ValuesReader<T>(options);
  return new PieceIterator(new Pieces(options, () => openBytes(source)), reader, options.signal);
}

/** Reads the values of pieces. */
class ValuesReader<T> implements PieceReader<StreamedValue<T> | StreamedValue<T>[]> {
  readonly items = new Queue<StreamedValue<T> | StreamedValue<T>[]>();
  readonly #parser: BinaryParser<T>;
  /** Values of the current piece, if they are wanted in batches. */
  readonly #batch: Batch<StreamedValue<T>> | null;
  /** Whether reading continues after a failure. */
  readonly #skipsFailures: boolean;
  wake = (): void => {};

  constructor(options: ParseValuesOptions<T> & BatchOption<boolean>) {
    this.#batch = isBatched(options.batch) ? new Batch() : null;
    this.#parser = new BinaryParser<T>(streamedValueOptions(options, (value) => {
      if (this.#batch === null) this.items.add(value);
      else this.#batch.add(value);
    }));
    this.#skipsFailures = options.multiple !== "elements";
  }

  read(piece: Uint8Array): boolean {
    const isValid = this.#parser.push(piece);
    this.#passOn();
    return isValid || this.#skipsFailures;
  }

  end(): void {
    this.#parser.end();
    this.#passOn();
  }

  stop(): void {}

  #passOn(): void {
    const values = this.#batch?.take();
    if (values !== undefined) this.items.add(values);
  }
}
