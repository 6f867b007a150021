/** Names of options, and the check of them in all functions with options. */

import { refusedOption, shown } from "../engine/argument_error.ts";
import { NO_OPTIONS } from "../engine/input.ts";
import { closestWord } from "./closest_word.ts";

/** Options that guard an input or change values. */
export const GUARD_NAMES: readonly string[] = [
  "maxDepth",
  "maxStringBytes",
  "maxMembers",
  "maxElements",
  "maxBytes",
  "duplicateKeys",
  "protoKeys",
  "integers",
  "numbers",
  "number",
];

/** Options of all functions that read chunks of a source. */
export const CHUNK_NAMES: readonly string[] = ["detachChunks"];

/** Options of all functions that parse such chunks while they arrive. */
export const STREAM_NAMES: readonly string[] = /* @__PURE__ */ GUARD_NAMES.concat(
  CHUNK_NAMES,
  "maxTokenBytes",
  "timeSlice",
);

/**
 * Checks that options are an object of known names. Options that are `undefined` count as left out.
 *
 * @param acceptsOthers Whether to ignore names that resemble no known one.
 * @throws {TypeError} If they are not. The message suggests a similar known name.
 */
export function checkOptions(
  options: unknown,
  names: readonly string[],
  caller: string,
  acceptsOthers: boolean = false,
): void {
  if (options === NO_OPTIONS) return;
  if (typeof options !== "object" || options === null) {
    throw new TypeError(`Cannot use ${shown(options)} as options of ${caller}: expected an object`);
  }
  const given = Reflect.ownKeys(options);
  for (let i = 0; i < given.length; i++) {
    const name = given[i];
    if (typeof name === "symbol" || isAmong(names, name)) continue;
    const value = options[name as keyof object];
    if (value === undefined) continue;
    const meant = closestWord(name, names);
    if (acceptsOthers && meant === undefined) continue;
    const advice = meant === undefined ? "" : `; did you mean ${meant}?`;
    throw refusedOption(name, value, `not an option of ${caller}${advice}`);
  }
}

export function isAmong(names: readonly string[], name: unknown): boolean {
  for (let i = 0; i < names.length; i++) if (names[i] === name) return true;
  return false;
}
