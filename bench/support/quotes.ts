/**
 * Figures of stored results that sentences of the documentation quote.
 *
 * @module
 */

import type { Quote } from "./bench.ts";
import { wrapLongLines } from "./page.ts";

/** Figures within quoted words. */
const FIGURE = /\d(?:[\d,.]*\d)?/g;

/** Returns the quotes that their pages do not have. */
export function missingQuotes(quotes: readonly Quote[], read: (page: string) => string): Quote[] {
  return quotes.filter(({ page, words }) => !read(page).replaceAll(/\s+/g, " ").includes(words));
}

/** Returns a pattern of the words, with any figures, and any space between the words. */
function patternOf(words: string): RegExp {
  const pieces = words.split(FIGURE).map((piece) => piece.split(" ").map((word) => RegExp.escape(word)).join("\\s+"));
  return new RegExp(pieces.join("\\d(?:[\\d,.]*\\d)?"), "g");
}

/**
 * Puts the figures of quotes into the sentences that quote others. A sentence whose words or units
 * differ stays as it is.
 */
export function replaceQuotes(
  quotes: readonly Quote[],
  read: (page: string) => string,
  write: (page: string, text: string) => void,
): void {
  for (const { page, words } of missingQuotes(quotes, read)) {
    const figures = words.match(FIGURE) ?? [];
    const text = read(page);
    const found = text.match(patternOf(words)) ?? [];
    if (found.length !== 1) continue;
    let next = 0;
    const changed = text.replace(found[0], () => found[0].replace(FIGURE, () => figures[next++]));
    write(page, wrapLongLines(changed));
  }
}
