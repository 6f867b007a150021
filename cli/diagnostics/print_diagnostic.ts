/** What is wrong with an input, on the report stream. */

import { hintFor } from "./hints.ts";
import type { Finding } from "./diagnostic_validator.ts";
import { paint, printableName, writeReport } from "../terminal/streams.ts";
import { renderSnippet } from "./snippet.ts";

/** Says what is wrong: place, message, if wanted a snippet, and what may have been meant. */
export function reportFinding(file: string, finding: Finding, hasSnippet: boolean): void {
  const { line, column, message, offset } = finding;
  const place = paint("strong", `${printableName(file)}:${line}:${column}:`);
  writeReport(`${place} ${paint("bad", "error:")} ${message} (byte ${offset})\n`);
  if (hasSnippet) writeReport(renderSnippet(finding));
  const hint = hintFor(finding);
  if (hint !== undefined) writeReport(`${paint("hint", "hint:")} ${hint}\n`);
}
