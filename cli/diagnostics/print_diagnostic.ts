/** Printing of a diagnostic for people, on standard error. */

import { paint } from "../terminal/paint.ts";
import { printableName } from "../terminal/printable.ts";
import { columnsOf, proseLines } from "../terminal/lines.ts";
import { writeStderr } from "../terminal/streams.ts";
import { type HintedRun, hintFor } from "./advice.ts";
import type { Diagnostic } from "./diagnostic.ts";
import { renderSnippet } from "./snippet.ts";

/** Prints location and message. */
export function printFailure(file: string, { line, column, message, offset }: Diagnostic): void {
  const position = paint("strong", `${printableName(file)}:${line}:${column}:`);
  writeStderr(`${position} ${paint("bad", "error:")} ${message} (byte ${offset})\n`);
}

/** Prints location and message, a snippet if `hasSnippet`, and a hint if there is one. */
export function printDiagnostic(file: string, diagnostic: Diagnostic, hasSnippet: boolean, run: HintedRun): void {
  printFailure(file, diagnostic);
  let text = "";
  if (hasSnippet) text += renderSnippet(diagnostic, columnsOf("stderr"));
  const hint = hintFor(diagnostic, file, run);
  if (hint !== undefined) {
    for (const line of proseLines(`hint: ${hint}`)) text += `${line.replace(/^hint:/, paint("hint", "hint:"))}\n`;
  }
  writeStderr(text);
}
