/**
 * The command `bytejson select`.
 *
 * @module
 */

import { type Arguments, UsageError } from "../arguments.ts";
import { isMaskText } from "./mask_text.ts";
import { runDocuments } from "./run_documents.ts";

/** Prints wanted members of the documents. Resolves with the exit code. */
export async function run(args: Arguments): Promise<number> {
  args.exclude("csv", "tsv");
  const wheres = args.texts("where");
  const [first, ...rest] = args.operands;
  const hasMask = wheres === undefined || first !== undefined && isMaskText(first);
  if (hasMask && first === undefined) throw new UsageError("no mask: name the members, such as '{id,name}'");
  const rows = args.has("csv") ? "csv" : args.has("tsv") ? "tsv" : undefined;
  const text = { kind: "parts", wanted: hasMask ? first : undefined, wheres, rows, isRaw: false } as const;
  return (await runDocuments(args, text, hasMask ? rest : args.operands)).exit;
}
