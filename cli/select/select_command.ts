/**
 * The command `bytejson select`.
 *
 * @module
 */

import { compileTests } from "../../parser/selecting/conditions.ts";
import { type Arguments, UsageError } from "../arguments.ts";
import { ByteOutput } from "./byte_output.ts";
import { parseCondition } from "./conditions.ts";
import { compilePicture } from "./copy_node.ts";
import { isMaskText, parseMask } from "./mask_text.ts";
import { RowWriter } from "./rows.ts";
import { inputPaths, readingOptions, runDocuments } from "./run_documents.ts";

/** Prints wanted members of the documents. Resolves with the exit code. */
export async function run(args: Arguments): Promise<number> {
  args.exclude("csv", "tsv");
  const wheres = args.texts("where");
  const [first, ...rest] = args.operands;
  const hasMask = wheres === undefined || first !== undefined && isMaskText(first);
  if (hasMask && first === undefined) throw new UsageError("no mask: name the members, such as '{id,name}'");
  const picture = hasMask ? parseMask(first) : undefined;
  const conditions = wheres && compileTests(wheres.map(parseCondition));
  const format = args.has("csv") ? "csv" : args.has("tsv") ? "tsv" : undefined;
  if (format !== undefined && picture === undefined) throw new UsageError(`--${format} needs a mask`);
  const { maxDepth, maxDiagnostics } = readingOptions(args);
  args.integer("first", 1);
  const paths = inputPaths(hasMask ? rest : args.operands);
  const root = picture === undefined ? null : compilePicture(picture);
  const output = new ByteOutput();
  const rows = format && new RowWriter(format, picture!, root!.mask, output, first);
  const options = { isRaw: false, maxDepth };
  const job = { root, kind: "parts" as const, conditions, rows, options, maxDiagnostics };
  return (await runDocuments(args, paths, job, output)).exit;
}
