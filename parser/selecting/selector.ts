/**
 * Selectors: compiled masks as programs hold them.
 *
 * @module
 */

import { compileMask } from "./compile_mask.ts";
import type { MaskNode } from "./mask_node.ts";

const { freeze } = Object;

type ReadNode = (selector: Selector) => MaskNode | null;

/** Reads a private field of selectors; set once, by the first of them. */
let readNode: ReadNode = readNoNode;

/** Stands in for the reader while there is no selector. */
function readNoNode(): never {
  throw new TypeError();
}

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

  /** Compiles a mask. */
  constructor(mask: unknown) {
    this.#node = compileMask(mask);
    // Not in a static block: a bundler would keep the class in any bundle.
    if (readNode === readNoNode) readNode = (selector) => selector.#node;
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
