/** Reading of a whole input into memory: documents for `bench`, lists of paths for `check`. */

import { platform } from "../platform/platform.ts";
import { describeReadError, inputName, reportInputError } from "./read_error.ts";

/**
 * Reads a file, or standard input for `-`. Reports an error, with `isJson` also as a record, and
 * resolves with `undefined`.
 */
export async function readWhole(path: string, isJson: boolean): Promise<Uint8Array<ArrayBuffer> | undefined> {
  try {
    return await readBytes(path);
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
    text = new TextDecoder().decode(await readBytes(list));
  } catch (error) {
    throw new Error(`cannot read the list of files ${inputName(list)}: ${describeReadError(error, list)}`);
  }
  return text.split(end === "\n" ? /\r?\n/ : end).filter((path) => path !== "");
}

const PIECE_BYTES = 2 ** 16;

async function readBytes(path: string): Promise<Uint8Array<ArrayBuffer>> {
  if (path !== "-") return await platform.readFile(path);
  const source = await platform.openSource(path);
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  for (;;) {
    const piece = new Uint8Array(PIECE_BYTES);
    const length = await source.read(piece);
    if (length === null) break;
    pieces.push(piece.subarray(0, length));
  }
  return new Uint8Array(await new Blob(pieces).arrayBuffer());
}
