/** Printing of a diagnostic for people, on standard error. */

import { paint } from "../terminal/paint.ts";
import { printableName } from "../terminal/printable.ts";
import { columnsOf, proseLines, writeStderr } from "../terminal/streams.ts";
import type { Diagnostic } from "./diagnostic.ts";
import { hintFor } from "./hints.ts";
import { renderSnippet } from "./snippet.ts";

/** Prints position and message, a snippet if `hasSnippet`, and a hint if there is one. */
export function printDiagnostic(file: string, diagnostic: Diagnostic, hasSnippet: boolean): void {
  const { line, column, message, offset } = diagnostic;
  const position = paint("strong", `${printableName(file)}:${line}:${column}:`);
  let text = `${position} ${paint("bad", "error:")} ${message} (byte ${offset})\n`;
  if (hasSnippet) text += renderSnippet(diagnostic, columnsOf("stderr"));
  const hint = hintFor(diagnostic, file);
  if (hint !== undefined) {
    for (const line of proseLines(`hint: ${hint}`)) text += `${line.replace(/^hint:/, paint("hint", "hint:"))}\n`;
  }
  writeStderr(text);
}
