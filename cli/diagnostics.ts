/** What is wrong with a file, on the report stream. */

import { paint, printable, writeReport } from "./output.ts";
import { renderSnippet } from "./snippet.ts";
import { count } from "./units.ts";
import type { Verdict } from "./verdict.ts";

/** Says what is wrong with a file: place, message and, if wanted, a snippet of each failure. */
export function reportVerdict(file: string, bytes: Uint8Array, verdict: Verdict, snippets: boolean): void {
  const name = printable(file);
  for (const finding of verdict.findings) {
    const { line, column, message, offset } = finding;
    const place = paint("strong", `${name}:${line}:${column}:`);
    writeReport(`${place} ${paint("bad", "error:")} ${message} (byte ${offset})\n`);
    if (snippets) writeReport(renderSnippet(bytes, finding));
  }
  const hidden = verdict.invalidDocuments - verdict.findings.length;
  if (hidden > 0) writeReport(`${name}: ${count(hidden, "more error")}; --max-errors 0 shows all\n`);
  if (verdict.hint) writeReport(`${paint("hint", "hint:")} ${verdict.hint}\n`);
}
