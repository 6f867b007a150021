/**
 * State of the main loop in terms of the validator's automaton.
 *
 * @module
 */

import { AFTER_ELEMENT, AFTER_MEMBER, FIRST_KEY, FIRST_VALUE, KEY, VALUE } from "../validation/token_dfa.ts";
import { DICTIONARY, OBJECT } from "./value_stack.ts";

/**
 * Returns the automaton's state for a state of the main loop: the kind of the innermost container,
 * the base of its entries, and the top of the stack. `isAfterValue` if a comma or a closing bracket
 * comes next.
 */
export function grammarState(kind: number, base: number, top: number, isAfterValue: boolean): number {
  if (kind < OBJECT) return isAfterValue ? AFTER_ELEMENT : top === base ? FIRST_VALUE : VALUE;
  if (isAfterValue) return AFTER_MEMBER;
  const isNamed = kind === DICTIONARY ? top === base + 2 : (top - base & 1) === 1;
  return isNamed ? VALUE : top === base ? FIRST_KEY : KEY;
}
