/**
 * Run of the commands `bytejson get` and `bytejson each`.
 *
 * @module
 */

import { type Arguments, UsageError } from "../arguments.ts";
import { ByteOutput } from "./byte_output.ts";
import { parseTokens } from "./conditions.ts";
import { compileTokens } from "./copy_node.ts";
import type { Job } from "./document_reader.ts";
import { inputPaths, type Outcome, readingOptions, runDocuments } from "./run_documents.ts";

/** Prints the value at the pointer of a command line, or the elements there. */
export async function runAtPointer(args: Arguments, kind: "value" | "elements"): Promise<Outcome> {
  const [pointer, ...rest] = args.operands;
  if (pointer === undefined) throw new UsageError("no pointer: name one, such as '/data/0'");
  const tokens = parseTokens(pointer);
  const { maxDepth, maxDiagnostics } = readingOptions(args);
  args.integer("first", 1);
  const paths = inputPaths(rest);
  const job: Job = {
    root: compileTokens(tokens, kind === "elements"),
    kind,
    conditions: undefined,
    rows: undefined,
    options: { isRaw: args.has("raw"), maxDepth },
    maxDiagnostics,
  };
  return await runDocuments(args, paths, job, new ByteOutput());
}
