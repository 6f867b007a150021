/**
 * Selectors: compiled masks as programs hold them.
 *
 * @module
 */

import { compileMask } from "./compile_mask.ts";
import type { MaskNode } from "./mask_node.ts";

const { freeze } = Object;

type ReadNode = (selector: Selector) => MaskNode | null;

/** Reads a private field of selectors; set once. */
let readNode: ReadNode = () => null;

/**
 * Compiled mask: what is wanted of a document. Made by `selector(mask)`.
 *
 * It is frozen, and does not change with the mask that it was made from. It learns what the
 * documents that it selects from have between their values, member names among them, and keeps up
 * to 12 KB of that for each object of the mask.
 *
 * @typeParam T Type of the selected value.
 */
export class Selector<T = unknown> {
  /** Type of the selected value, for type checkers. No selector has this property. */
  declare readonly selected?: T;

  readonly #node: MaskNode | null;

  static {
    readNode = (selector) => selector.#node;
  }

  /** Compiles a mask. */
  constructor(mask: unknown) {
    this.#node = compileMask(mask);
    freeze(this);
  }
}

/**
 * Returns the compiled mask of a selector.
 *
 * @throws {TypeError} If it is none.
 */
export function nodeOf(selector: unknown): MaskNode | null {
  try {
    return readNode(selector as Selector);
  } catch {
    throw new TypeError("Cannot select by this argument: expected a selector, as selector(…) makes of a mask");
  }
}
