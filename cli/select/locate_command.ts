/** The command `bytejson locate`. */

import { CARRIAGE_RETURN, LINE_FEED } from "../../parser/base/ascii.ts";
import { skipByteOrderMark } from "../../parser/engine/input_view.ts";
import { locate } from "../../pointer.ts";
import { type Arguments, UsageError } from "../arguments.ts";
import { validateBytes } from "../diagnostics/diagnostic_validator.ts";
import { looksLikeLines } from "../input/json_lines.ts";
import { describeReadError, inputName, reportInputError } from "../input/read_error.ts";
import { readPieces } from "../input/read_pieces.ts";
import { EXIT, PROGRAM } from "../program.ts";
import { readingOptions } from "../reading_options.ts";
import { printableName } from "../terminal/printable.ts";
import { writeProse, writeStdout } from "../terminal/streams.ts";
import { parseTokens } from "./conditions.ts";
import { findInput, hasLines, inputPaths } from "./run_documents.ts";

/** Prints the places of the values at pointers. Resolves with the exit code. */
export async function run(args: Arguments): Promise<number> {
  const pointers = args.operands.slice(0, -1);
  const path = args.operands.at(-1);
  if (path === undefined) throw new UsageError("no pointer: name one, such as '/data/0', and a file");
  if (pointers.length === 0) throw new UsageError("no file: name one after the pointers, or '-'");
  const tokens = pointers.map((pointer) => parseTokens(pointer));
  const { contentLimits, hasSnippets, maxDiagnostics } = readingOptions(args);
  inputPaths([path]);
  const input = await findInput(path);
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  const error = input.error ?? await readPieces(input, {
    contentLimits,
    onPiece(piece) {
      pieces.push(piece.slice());
      return Promise.resolve(true);
    },
  }).then(() => undefined, (error) => describeReadError(error, path));
  if (error !== undefined) {
    reportInputError(path, error, false);
    return EXIT.unusable;
  }
  const bytes = new Uint8Array(await new Blob(pieces.splice(0)).arrayBuffer());
  const start = skipByteOrderMark(bytes, bytes.length);
  const isJsonLines = hasLines(args, path) || looksLikeLines(bytes, start, true) === true;
  const { result, diagnostics } = validateBytes(bytes, isJsonLines, maxDiagnostics);
  let exit: number = result.invalidDocuments > 0 ? EXIT.invalid : EXIT.valid;
  const name = inputName(path);
  const found = new Set<number>();
  for (const { document, line } of isJsonLines ? linesOf(bytes) : [{ document: bytes, line: 0 }]) {
    for (const [i, place] of locate(document, tokens).entries()) {
      if (!place.ok || !place.found) continue;
      found.add(i);
      writeStdout(`${printableName(name)}:${line + place.line}:${place.column}\n`);
    }
  }
  if (diagnostics.length > 0) {
    const { printDiagnostic } = await import("../diagnostics/print_diagnostic.ts");
    for (const diagnostic of diagnostics) printDiagnostic(name, diagnostic, hasSnippets, { args, hasSeveral: false });
    if (!isJsonLines) return exit;
  }
  for (const [i, pointer] of pointers.entries()) {
    if (found.has(i)) continue;
    exit = EXIT.invalid;
    writeProse(`${PROGRAM} locate: ${printableName(name)} has no value at '${pointer}'`);
  }
  return exit;
}

/**
 * Iterates over the documents of JSON Lines, with the number of lines before each. A lone CR within
 * a document ends a line, too.
 */
function* linesOf(bytes: Uint8Array<ArrayBuffer>): Generator<{ document: Uint8Array<ArrayBuffer>; line: number }> {
  let carriageReturn = bytes.indexOf(CARRIAGE_RETURN);
  for (let start = 0, line = 0; start < bytes.length; line++) {
    const found = bytes.indexOf(LINE_FEED, start);
    const end = found < 0 ? bytes.length : found;
    yield { document: bytes.subarray(start, end), line };
    for (
      ;
      carriageReturn >= 0 && carriageReturn < end;
      carriageReturn = bytes.indexOf(CARRIAGE_RETURN, carriageReturn + 1)
    ) {
      if (bytes[carriageReturn + 1] !== LINE_FEED) line++;
    }
    start = end + 1;
  }
}
