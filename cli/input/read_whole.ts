/**
 * Reading of a whole input into memory, as `bench` needs it.
 *
 * @module
 */

import { describeReadError, reportInputError } from "./read_error.ts";

/**
 * Reads a file, or standard input for `-`. Reports an error, as a record, too, if `isJson`, and
 * resolves with `undefined`.
 */
export async function readWhole(path: string, isJson: boolean): Promise<Uint8Array<ArrayBuffer> | undefined> {
  try {
    return await (path === "-" ? new Response(Deno.stdin.readable).bytes() : Deno.readFile(path));
  } catch (error) {
    reportInputError(path, describeReadError(error, path), isJson);
    return undefined;
  }
}
