/**
 * Limits of the engine. An input that exceeds one is a failure although it is JSON, so only the
 * code that met the limit can tell.
 *
 * @module
 */

/** Limit met last that was not reported yet; `null` if there is none. */
export const limitFailure: { code: "string-too-long" | "value-too-large" | null; offset: number } = {
  code: null,
  offset: 0,
};

/** Records that a limit was met at a position. The caller then returns its sentinel. */
export function failAtLimit(code: "string-too-long" | "value-too-large", position: number): void {
  limitFailure.code = code;
  limitFailure.offset = position;
}
