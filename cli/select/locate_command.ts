/** The command `bytejson locate`. */

import { blankComments } from "../../blank_comments.ts";
import {
  countLinesTo,
  countPendingReturn,
  describeFailure as failureAt,
  newLineLocation,
  skipByteOrderMark,
} from "../../parser/streaming/cli_internals.ts";
import { locate } from "../../pointer.ts";
import { BinaryValidator } from "../../validate_binary.ts";
import { type Arguments, UsageError } from "../arguments.ts";
import { printEncoding } from "../check/report.ts";
import type { Reading } from "../diagnostics/diagnostic.ts";
import { validateBytes } from "../diagnostics/diagnostic_validator.ts";
import { describeReadError, reportInputError } from "../input/read_error.ts";
import type { Encoding } from "../input/utf16.ts";
import { EXIT, PROGRAM } from "../program.ts";
import { findInputs } from "../check/find_inputs.ts";
import { readAllPieces } from "../input/read_whole.ts";
import { readingOptions } from "../input/reading_options.ts";
import { printableName } from "../terminal/printable.ts";
import { writeProse, writeStdout } from "../terminal/streams.ts";
import { ByteOutput } from "./byte_output.ts";
import { parseTokens } from "./condition_text.ts";
import { DocumentReader } from "./document_reader.ts";
import { compileJob } from "./job.ts";
import { hintOf, quoted } from "./pointer_notations.ts";

/** Prints the locations of the values at pointers. Resolves with the exit code. */
export async function run(args: Arguments): Promise<number> {
  const pointers = args.operands.slice(0, -1);
  const path = args.operands.at(-1);
  if (path === undefined) throw new UsageError("no pointer: name one, such as '/data/0', and a file");
  if (pointers.length === 0) throw new UsageError("no file: name one after the pointers, or '-'");
  const tokens = pointers.map((pointer) => parseTokens(pointer));
  const { contentLimits, hasSnippets, maxDiagnostics, readingOf } = await readingOptions(args);
  const [input] = await findInputs([path]);
  const { name } = input;
  const onEncoding = (encoding: Encoding): void => printEncoding(name, encoding);
  let error = input.error;
  const bytes = error !== undefined ? undefined : await readAllPieces(input, { contentLimits, onEncoding })
    .catch((cause) => void (error = describeReadError(cause, path)));
  if (bytes === undefined) {
    reportInputError(path, error!, false);
    return EXIT.unusable;
  }
  const reading = readingOf(path) ?? detectedReading(bytes, pointers[0]);
  const { result, diagnostics } = validateBytes(bytes, reading, maxDiagnostics);
  let exit: number = result.invalidDocuments > 0 ? EXIT.invalid : EXIT.valid;
  const found = new Set<number>();
  readDocuments(bytes, reading, (document, locationOf) => {
    for (const [i, value] of locate(document, tokens).entries()) {
      if (!value.ok || !value.found) continue;
      found.add(i);
      const { line, column } = locationOf(value);
      writeStdout(`${printableName(name)}:${line}:${column}\n`);
    }
  });
  if (diagnostics.length > 0) {
    const { printDiagnostic } = await import("../diagnostics/print_diagnostic.ts");
    for (const diagnostic of diagnostics) printDiagnostic(name, diagnostic, hasSnippets, { args, hasSeveral: false });
    if (result.documents === undefined) return exit;
  }
  for (const [i, pointer] of pointers.entries()) {
    if (found.has(i)) continue;
    exit = EXIT.invalid;
    writeProse(`${PROGRAM} locate: ${printableName(name)} has no value at ${quoted(pointer)}${hintOf(pointer)}`);
  }
  return exit;
}

/** Returns the way in which `get` reads an input whose name does not say one. */
function detectedReading(bytes: Uint8Array, pointer: string): Reading {
  const output = new ByteOutput();
  const job = compileJob({ kind: "value", selected: pointer, isRaw: false, maxDiagnostics: 1 }, output);
  const reader = new DocumentReader(job, undefined, output, Infinity, () => {});
  reader.push(bytes);
  reader.end();
  return reader.reading;
}

interface Location {
  readonly start: number;
  readonly line: number;
  readonly column: number;
}

/**
 * Reads the valid documents of an input.
 *
 * @param onDocument Receives a document, and a function that turns a location in it into one in
 * the input.
 */
function readDocuments(
  bytes: Uint8Array<ArrayBuffer>,
  reading: Reading,
  onDocument: (document: Uint8Array, locationOf: (location: Location) => Omit<Location, "start">) => void,
): void {
  if (reading === "document") return onDocument(bytes, (location) => location);
  if (reading === "comments") {
    return onDocument(blankComments(bytes), ({ start }) => failureAt(bytes, "unexpected-token", start));
  }
  const mark = skipByteOrderMark(bytes, bytes.length);
  const before = newLineLocation();
  before.excessBytes = mark;
  let counted = mark;
  const validator = new BinaryValidator({
    multiple: reading,
    onDocument({ failure, start, end }) {
      if (failure !== null) return;
      const first = Math.max(start, mark);
      countLinesTo(before, bytes, counted, first);
      countPendingReturn(before, first, bytes[first]);
      counted = first;
      const columnBefore = first - before.lineStart - before.excessBytes;
      onDocument(bytes.subarray(start, end), ({ line, column }) => ({
        line: before.lines + line,
        column: line === 1 ? columnBefore + column : column,
      }));
    },
  });
  validator.push(bytes);
  validator.end();
}
