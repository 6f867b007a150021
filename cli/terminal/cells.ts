/**
 * Cells of text on a terminal: graphemes with the columns that they take.
 *
 * Not `unicodeWidth` of @std/cli: it adds up the code points of any grapheme, and its copy on npm
 * lacks its table. `tests/repository/std_packages_test.ts` fails when the copy has it.
 */

import { codePointName, printable } from "./printable.ts";

/** Grapheme as shown, with the columns that it takes. */
export interface Cell {
  text: string;
  width: number;
}

// Created on first use, because that takes half as long as the rest of a check.
let segmenter: Intl.Segmenter | undefined;

/** Text in which each character is a grapheme. A line feed after a carriage return would not be. */
// deno-lint-ignore no-control-regex
const ASCII = /^[\0-\x0c\x0e-\x7f]*$/;

/**
 * Returns the cells of a text, printable. Some terminals draw an emoji sequence in the two columns
 * of one emoji, others add up the columns of its code points. So the joiners, selectors and
 * modifiers of such a sequence are shown by their numbers, which leaves no doubt about its width.
 */
export function cellsOf(text: string): Cell[] {
  if (ASCII.test(text)) {
    return Array.from(text, (character) => character === "\t" ? TAB : { text: printable(character), width: 1 });
  }
  segmenter ??= new Intl.Segmenter("en", { granularity: "grapheme" });
  return Array.from(segmenter.segment(text)).flatMap(({ segment }) => {
    if (segment === "\t") return [TAB];
    if (AMBIGUOUS.test(segment)) {
      return Array.from(segment).flatMap((character) =>
        STANDS_ALONE.test(character) ? [{ text: character, width: columnsOf(character) }] : codePointCells(character)
      );
    }
    const shown = printable(segment);
    return [{ text: shown, width: columnsOf(shown) }];
  });
}

/** Returns the code points of a grapheme in letters, such as `<U+200B>`. */
export function codePointCells(grapheme: string): Cell[] {
  const codes = Array.from(grapheme, codePointName);
  return Array.from(codes.join(""), (letter) => ({ text: letter, width: 1 }));
}

export function widthOf(cells: readonly Cell[]): number {
  return cells.reduce((sum, cell) => sum + cell.width, 0);
}

/** Cell in place of those that are left out. */
export const ELLIPSIS: Cell = { text: "…", width: 1 };

/** Returns the cells that fit, and an ellipsis if some do not or the line is clipped already. */
export function clip(line: readonly Cell[], columns: number, isClipped: boolean): Cell[] {
  if (!isClipped && widthOf(line) <= columns) return [...line];
  let used = ELLIPSIS.width;
  const overflow = line.findIndex((cell) => (used += cell.width) > columns);
  return [...line.slice(0, overflow < 0 ? line.length : overflow), ELLIPSIS];
}

const TAB: Cell = { text: "    ", width: 4 };

/**
 * Graphemes whose width differs from terminal to terminal: emoji that are joined, have a skin tone,
 * or become emoji or text by a selector, and half a flag.
 */
const AMBIGUOUS = new RegExp(
  String.raw`\u200d\p{Extended_Pictographic}|\p{Emoji_Modifier}|(?!\p{Emoji_Presentation})\p{Emoji}\ufe0f` +
    String.raw`|\p{Emoji_Presentation}\ufe0e|^\p{RI}(?!\p{RI})`,
  "u",
);

/** Characters that are shown as they are within such a grapheme. */
const STANDS_ALONE = /^(?!\p{Emoji_Modifier}|\p{RI}|\u20e3)[\p{L}\p{N}\p{P}\p{S} ]/u;

/** Characters of two columns: emoji, and East Asian Wide and Fullwidth (UAX 11) by block. */
const WIDE = new RegExp(
  String.raw`^(?:\p{Emoji_Presentation}|[\u1100-\u115f\u2329\u232a\u2630-\u2637\u268a-\u268f\u2e80-\u303e` +
    String.raw`\u3041-\u3247\u3250-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe10-\ufe19\ufe30-\ufe6f` +
    String.raw`\uff01-\uff60\uffe0-\uffe6\u{16fe0}-\u{18dff}\u{1aff0}-\u{1b2ff}\u{1d300}-\u{1d376}` +
    String.raw`\u{1f200}-\u{1f2ff}\u{20000}-\u{3fffd}])`,
  "u",
);

/** Characters of no column: format characters, marks without a width, Hangul vowels and finals. */
const ZERO_WIDTH =
  /^(?![\u00ad\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2])[\p{Mn}\p{Me}\p{Cf}\u1160-\u11ff\ud7b0-\ud7ff]/u;

/** Returns the columns of a grapheme that is not ambiguous. A flag takes one for each half. */
function columnsOf(grapheme: string): number {
  let columns = 0;
  for (const character of grapheme) {
    if (ZERO_WIDTH.test(character)) continue;
    columns += WIDE.test(character) && !/\p{RI}/u.test(character) ? 2 : 1;
  }
  return columns;
}
