/**
 * Lists of paths, as `--files-from` names them.
 *
 * @module
 */

import { describeReadError, inputName } from "../input/read_error.ts";

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
