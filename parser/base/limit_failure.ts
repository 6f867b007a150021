/**
 * Failures at limits of the engine. The validator cannot find them, since the input is valid JSON:
 * the code that meets a limit records it.
 *
 * @module
 */

/** Limit that was met and is not reported yet; `null` if there is none. */
export const limitFailure: { code: "string-too-long" | "value-too-large" | null; offset: number } = {
  code: null,
  offset: 0,
};

/** Records that a limit was met at a position. The caller then returns its sentinel. */
export function failAtLimit(code: "string-too-long" | "value-too-large", position: number): void {
  limitFailure.code = code;
  limitFailure.offset = position;
}
