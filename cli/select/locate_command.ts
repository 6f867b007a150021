/**
 * The command `bytejson locate`.
 *
 * @module
 */

import { locate } from "../../pointer.ts";
import { type Arguments, UsageError } from "../arguments.ts";
import { validateBytes } from "../diagnostics/diagnostic_validator.ts";
import { describeReadError, inputName, reportInputError } from "../input/read_error.ts";
import { readPieces } from "../input/read_pieces.ts";
import { EXIT, PROGRAM } from "../program.ts";
import { printableName } from "../terminal/printable.ts";
import { writeProse, writeStdout } from "../terminal/streams.ts";
import { parseTokens } from "./conditions.ts";
import { findInput, inputPaths, readingOptions } from "./run_documents.ts";

/** Prints the places of the values at pointers. Resolves with the exit code. */
export async function run(args: Arguments): Promise<number> {
  const pointers = args.operands.slice(0, -1);
  const path = args.operands.at(-1);
  if (path === undefined) throw new UsageError("no pointer: name one, such as '/data/0', and a file");
  if (pointers.length === 0) throw new UsageError("no file: name one after the pointers, or '-'");
  const tokens = pointers.map((pointer) => parseTokens(pointer));
  const { contentLimits, hasSnippets } = readingOptions(args);
  inputPaths([path]);
  const input = await findInput(path);
  if (input.error !== undefined) {
    reportInputError(path, input.error, false);
    return EXIT.unusable;
  }
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  try {
    await readPieces(input, {
      readsAhead: false,
      contentLimits,
      isDecided: () => false,
      onPiece(piece) {
        pieces.push(piece.slice());
        return Promise.resolve(true);
      },
    });
  } catch (error) {
    reportInputError(path, describeReadError(error, path), false);
    return EXIT.unusable;
  }
  const bytes = new Uint8Array(await new Blob(pieces.splice(0)).arrayBuffer());
  const name = inputName(path);
  let exit: number = EXIT.valid;
  for (const [i, place] of locate(bytes, tokens).entries()) {
    if (!place.ok) {
      const { printDiagnostic } = await import("../diagnostics/print_diagnostic.ts");
      for (const diagnostic of validateBytes(bytes, false, 1).diagnostics) {
        printDiagnostic(name, diagnostic, hasSnippets);
      }
      return EXIT.invalid;
    }
    if (place.found) {
      writeStdout(`${printableName(name)}:${place.line}:${place.column}\n`);
    } else {
      exit = EXIT.invalid;
      writeProse(`${PROGRAM} locate: ${printableName(name)} has no value at '${pointers[i]}'`);
    }
  }
  return exit;
}
