/** `bytejson check`: is it JSON, and where not. */

import type { Arguments } from "./arguments.ts";
import { DEFAULT_MAX_ERRORS, EXIT } from "./command.ts";
import { reportVerdict } from "./diagnostics.ts";
import { isJsonLinesName, nameOf, readInput } from "./input.ts";
import { paint, writeRecord, writeReport } from "./output.ts";
import { count, formatBytes } from "./units.ts";
import { judge, type Verdict } from "./verdict.ts";

/** Validates what the command line names. */
export async function run(args: Arguments): Promise<number> {
  const started = performance.now();
  const quiet = args.has("quiet");
  const json = args.has("json");
  const maxErrors = (args.integer("max-errors", 0) ?? DEFAULT_MAX_ERRORS) || Infinity;
  const total = { files: 0, valid: 0, invalid: 0, errors: 0, bytes: 0 };

  for (const path of args.inputs) {
    const file = nameOf(path);
    total.files++;
    const bytes = await readInput(path, json);
    if (!bytes) {
      total.errors++;
      continue;
    }
    total.bytes += bytes.length;
    const verdict = judge(bytes, args.has("jsonl") || isJsonLinesName(path), maxErrors);
    if (verdict.invalidDocuments === 0) total.valid++;
    else total.invalid++;
    if (json) writeRecord(resultRecord(file, bytes, verdict));
    else if (!quiet) reportVerdict(file, bytes, verdict, !args.has("no-snippet"));
  }

  const exit = total.errors > 0 ? EXIT.unusable : total.invalid > 0 ? EXIT.invalid : EXIT.valid;
  const ms = performance.now() - started;
  if (json) writeRecord({ type: "summary", ...total, ms: Math.round(ms * 10) / 10, exit });
  else if (!quiet) writeReport(summary(total, ms));
  return exit;
}

function resultRecord(file: string, bytes: Uint8Array, verdict: Verdict): Record<string, unknown> {
  const { documents, invalidDocuments, findings } = verdict;
  return {
    type: "result",
    file,
    valid: invalidDocuments === 0,
    bytes: bytes.length,
    ...findings[0],
    ...documents !== undefined && { documents, invalidDocuments, failures: findings },
  };
}

function summary(total: { files: number; invalid: number; errors: number; bytes: number }, ms: number): string {
  const files = count(total.files, "file");
  if (total.invalid === 0 && total.errors === 0) {
    return `${paint("good", "ok")}  ${files}, ${formatBytes(total.bytes)}, ${(ms / 1e3).toFixed(2)} s\n`;
  }
  const parts = [];
  if (total.invalid > 0) parts.push(`${total.invalid} of ${files} invalid`);
  if (total.errors > 0) parts.push(`${total.errors} of ${files} could not be read`);
  return parts.join(", ") + "\n";
}
