/**
 * Run of the commands `bytejson get` and `bytejson each`.
 *
 * @module
 */

import { type Arguments, UsageError } from "../arguments.ts";
import { type Outcome, runDocuments } from "./run_documents.ts";

/** Prints the value at the pointer of a command line, or the elements there. */
export async function runAtPointer(args: Arguments, kind: "value" | "elements"): Promise<Outcome> {
  const [pointer, ...rest] = args.operands;
  if (pointer === undefined) throw new UsageError("no pointer: name one, such as '/data/0'");
  return await runDocuments(args, { kind, wanted: pointer, isRaw: args.has("raw") }, rest);
}
