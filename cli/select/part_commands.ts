/** The commands `bytejson select`, `get` and `each`. Each resolves with the exit code. */

import { type Arguments, UsageError } from "../arguments.ts";
import { EXIT, PROGRAM } from "../program.ts";
import { isStdoutClosed, writeProse } from "../terminal/streams.ts";
import { isMaskText } from "./mask_text.ts";
import { missingAt } from "./pointer_notations.ts";
import { runDocuments } from "./run_documents.ts";

export async function select(args: Arguments): Promise<number> {
  args.exclude("csv", "tsv", "json-array");
  const wheres = args.texts("where");
  const rows = args.has("csv") ? "csv" : args.has("tsv") ? "tsv" : undefined;
  const [first, ...rest] = args.operands;
  const needsMask = wheres === undefined && rows === undefined;
  const hasMask = needsMask || first !== undefined && isMaskText(first);
  if (hasMask && first === undefined) throw new UsageError("no mask: name the members, such as '{id,name}'");
  const text = {
    kind: "parts",
    selected: hasMask ? first : undefined,
    wheres,
    rows,
    isRaw: false,
    isArray: args.has("json-array"),
  } as const;
  return (await runDocuments(args, text, hasMask ? rest : args.operands)).exit;
}

export async function get(args: Arguments): Promise<number> {
  const { exit, results } = await runAtPointer(args, "value");
  if (exit !== EXIT.valid || results > 0 || isStdoutClosed()) return exit;
  writeProse(`${PROGRAM} get: ${missingAt(args.operands[0])}`);
  return EXIT.invalid;
}

export async function each(args: Arguments): Promise<number> {
  args.exclude("entries", "raw");
  return (await runAtPointer(args, "elements")).exit;
}

async function runAtPointer(args: Arguments, kind: "value" | "elements") {
  args.exclude("json-array", "raw");
  const [pointer, ...rest] = args.operands;
  if (pointer === undefined) throw new UsageError("no pointer: name one, such as '/data/0'");
  return await runDocuments(
    args,
    {
      kind,
      selected: pointer,
      isRaw: args.has("raw"),
      isArray: args.has("json-array"),
      isOfObject: args.has("entries"),
    },
    rest,
  );
}
