/**
 * Reading of a whole input into memory, as `bench` needs it.
 *
 * @module
 */

import { toBytes } from "@std/streams/to-bytes";
import { describeReadError, reportInputError } from "./read_error.ts";

/**
 * Reads a file, or standard input for `-`. Reports an error, as a record, too, if `isJson`, and
 * resolves with `undefined`.
 */
export async function readWhole(path: string, isJson: boolean): Promise<Uint8Array<ArrayBuffer> | undefined> {
  try {
    if (path !== "-") return await Deno.readFile(path);
    // The package's type leaves open whether the buffer is shared; it never is.
    return await toBytes(Deno.stdin.readable) as Uint8Array<ArrayBuffer>;
  } catch (error) {
    reportInputError(path, describeReadError(error, path), isJson);
    return undefined;
  }
}
