/** Reading of a whole input into memory, such as documents for `bench`, or lists of paths. */

import { platform } from "../platform/platform.ts";
import { describeReadError, inputName, reportInputError } from "./read_error.ts";
import { type ReadOptions, readPieces, type Source } from "./read_pieces.ts";

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

async function readBytes(path: string): Promise<Uint8Array<ArrayBuffer>> {
  if (path !== "-") return await platform.readFile(path);
  return (await readAllPieces({ path }, { contentLimits: undefined }))!; // nothing interrupts it
}

/** Reads all of an input. Resolves with `undefined` if an interrupt ends it. */
export async function readAllPieces(
  input: Source,
  options: Omit<ReadOptions, "onPiece">,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  const isAtEnd = await readPieces(input, {
    ...options,
    onPiece(piece) {
      pieces.push(piece.slice());
      return Promise.resolve(true);
    },
  });
  return isAtEnd ? new Uint8Array(await new Blob(pieces.splice(0)).arrayBuffer()) : undefined;
}
