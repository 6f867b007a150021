/** Diagnostics of the command line, with advice for the page. */

import type { Diagnostic } from "../../cli/diagnostics/diagnostic.ts";
import { findHint } from "../../cli/diagnostics/hints.ts";
import { renderSnippet } from "../../cli/diagnostics/snippet.ts";
import type { Finding, Format } from "../messages.ts";

/** The page's format and advice for each option of the command line that a hint recommends. */
const ADVICE: Readonly<Record<string, readonly [format: Format | undefined, advice: string]>> = {
  jsonl: ["lines", "read it as JSON Lines"],
  concatenated: ["concatenated", "read it as several documents"],
  jsonc: ["comments", "read it as JSON with comments"],
  strict: ["comments", "read it as JSON with comments"],
  "no-decompress": [undefined, "decompress it first"],
  "no-unique-keys": [undefined, "JSON.parse keeps the last value"],
};

/** Converts a diagnostic for the page. */
export function findingOf(diagnostic: Diagnostic, name: string, columns: number): Finding {
  const { message, line, column, offset } = diagnostic;
  const finding: Finding = { message, line, column, offset, snippet: renderSnippet(diagnostic, columns) };
  const hint = findHint(diagnostic, name);
  if (hint === undefined) return finding;
  const { sign, remedy } = hint;
  if (remedy === undefined) return { ...finding, hint: sign };
  const [suggestion, advice] = Object.hasOwn(ADVICE, remedy) ? ADVICE[remedy] : [undefined, remedy];
  return { ...finding, hint: `${sign}; ${advice}`, ...suggestion && { suggestion } };
}
