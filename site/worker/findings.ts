/** Diagnostics as the page shows them: those of the command line, with advice for the page. */

import type { Diagnostic } from "../../cli/diagnostics/diagnostic.ts";
import { hintFor } from "../../cli/diagnostics/hints.ts";
import { renderSnippet } from "../../cli/diagnostics/snippet.ts";
import type { Finding, Format } from "../messages.ts";

/** Options of the command line that a hint advises, and the format of the page for each. */
const ADVICE: readonly (readonly [option: RegExp, format: Format, advice: string])[] = [
  [/try --jsonl$/, "lines", "read it as JSON Lines"],
  [/try check --concatenated$/, "concatenated", "read it as several documents"],
  [/try check --jsonc '.*'$/, "comments", "read it as JSON with comments"],
  [/check without --strict accepts it here$/, "comments", "read it as JSON with comments"],
];

/** Hints about what JSON with comments has. */
const COMMENT_HINT = /^looks like a (?:comment|trailing comma); JSON has none$/;

/** Returns what to show of a diagnostic. */
export function findingOf(diagnostic: Diagnostic, name: string, columns: number): Finding {
  const { message, line, column, offset } = diagnostic;
  const finding: Finding = { message, line, column, offset, snippet: renderSnippet(diagnostic, columns) };
  const hint = hintFor(diagnostic, name);
  if (hint === undefined) return finding;
  const [option, format, advice] = ADVICE.find(([option]) => option.test(hint)) ?? [];
  if (option === undefined) {
    const hasComments = COMMENT_HINT.test(hint) && !hint.includes("#");
    return { ...finding, hint, ...hasComments && { suggestion: "comments" } };
  }
  return { ...finding, hint: hint.replace(option, advice!), suggestion: format! };
}
