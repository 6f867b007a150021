/** Selectors: compiled masks, as callers hold them. */

import type { ValueReader } from "../document/value_reader.ts";
import type { buildText } from "../options/parse_guarded.ts";
import { buildSelected } from "./build_selected.ts";
import { compileMask } from "./compile_mask.ts";
import { newSelectedReader, type PartReader } from "./read_selected.ts";
import { selectInput } from "./select_input.ts";
import type { SelectionNode } from "./selection_node.ts";
import { valueMaker } from "./value_maker.ts";

/**
 * Compiled mask, with the functions that select by it. Other folders call them only through these
 * fields, so that bundles of programs without selectors have none (`parseStream`, compressed: 5 KB
 * less).
 */
export interface CompiledMask extends PartSource {
  readonly node: SelectionNode;
  readonly selectInput: typeof selectInput;
}

/** Functions of a mask that readers of chunks call. */
export interface PartSource {
  readonly newReader: (reader: ValueReader, maxTokenBytes: number) => PartReader;
  /** Like `buildText`, but returns the selected part. */
  readonly buildText: typeof buildText;
}

/** Reads a private field of selectors; set once, by the first of them. */
let readMask: ((selector: Selector) => CompiledMask | null) | null = null;

/**
 * Compiled mask, which selects parts of documents. Made by `selector(mask)`.
 *
 * It is frozen, and does not change with the mask that it was made from. It learns which bytes are
 * between the values of its documents, including member names, and keeps up to 12 KB of them for
 * each object of the mask.
 *
 * @typeParam T Type of the selected value.
 */
export class Selector<T = unknown> {
  /** Type of the selected value, for type checkers. No selector has this property. */
  declare readonly selected?: T;

  readonly #mask: CompiledMask | null;

  /** Compiles a mask. */
  constructor(mask: unknown) {
    const node = compileMask(mask);
    this.#mask = node === null ? null : compiledMask(node);
    // Not in a static block: a bundler would keep the class in any bundle.
    readMask ??= (selector) => selector.#mask;
    Object.freeze(this);
  }
}

function compiledMask(node: SelectionNode): CompiledMask {
  return {
    node,
    selectInput,
    buildText: (bytes, total, origin, guards) => buildSelected(bytes, total, origin, guards, node),
    newReader: (reader, maxTokenBytes) => newSelectedReader(reader, node, valueMaker, maxTokenBytes),
  };
}

/**
 * Returns the compiled mask of a selector; `null` if it wants all.
 *
 * @throws {TypeError} If it is not one.
 */
export function maskOf(selector: unknown): CompiledMask | null {
  try {
    return readMask!(selector as Selector); // null before the first selector
  } catch {
    throw new TypeError("Cannot select by this argument: expected a selector, as selector(…) makes of a mask");
  }
}
