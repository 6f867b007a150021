/**
 * Reading of a whole input into memory: documents for `bench`, lists of paths for `check`.
 *
 * @module
 */

import { describeReadError, inputName, reportInputError } from "./read_error.ts";

/**
 * Reads a file, or standard input for `-`. Reports an error, as a record, too, if `isJson`, and
 * resolves with `undefined`.
 */
export async function readWhole(path: string, isJson: boolean): Promise<Uint8Array<ArrayBuffer> | undefined> {
  try {
    if (path !== "-") return await Deno.readFile(path);
    return await new Response(Deno.stdin.readable).bytes();
  } catch (error) {
    reportInputError(path, describeReadError(error, path), isJson);
    return undefined;
  }
}

/**
 * Reads the paths in a file, or in standard input for `-`. Skips empty ones.
 *
 * @param end Character that ends a path. A carriage return before a line feed belongs to the end.
 * @throws {Error} If the list cannot be read.
 */
export async function readPathList(list: string, end: "\0" | "\n"): Promise<string[]> {
  let text: string;
  try {
    text = await (list === "-" ? new Response(Deno.stdin.readable).text() : Deno.readTextFile(list));
  } catch (error) {
    throw new Error(`cannot read the list of files ${inputName(list)}: ${describeReadError(error, list)}`);
  }
  return text.split(end === "\n" ? /\r?\n/ : end).filter((path) => path !== "");
}
