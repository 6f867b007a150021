/** Filters: conditions with the functions that test them. */

import { type Conditions, conditionsOf, selectMatch } from "./conditions.ts";

/** Filter of values. Other folders call no others of its functions: see `CompiledMask`. */
export interface Filter {
  readonly conditions: Conditions;
  readonly selectMatch: typeof selectMatch;
}

/** Makes a filter of compiled conditions. */
export function filterBy(conditions: Conditions): Filter {
  return { conditions, selectMatch };
}

/**
 * Makes a filter of conditions, as programs write them.
 *
 * @throws {TypeError} If one is wrong.
 */
export function filterOf(conditions: unknown): Filter {
  return filterBy(conditionsOf(conditions));
}
