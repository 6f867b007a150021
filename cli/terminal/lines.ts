/** Lines as wide as the terminals of the output streams, and text that is wrapped to fit them. */

import { platform } from "../platform/platform.ts";
import type { Target } from "./paint.ts";

const DEFAULT_COLUMNS = 80;

/** Minimum number of columns that screens are laid out for; a narrower terminal wraps them. */
const MIN_COLUMNS = 40;

/** Maximum number of columns that screens use: longer lines are hard to read. */
const MAX_COLUMNS = 200;

/** Columns that a status line leaves free: for the cursor, and for the `^C` of an interrupt. */
const STATUS_MARGIN = 3;

/** Returns the columns for a status line, which must not be wrapped. */
export function statusColumns(): number {
  return Math.max(0, terminalColumns() - STATUS_MARGIN);
}

/** Returns the columns for text on a stream. */
export function columnsOf(target: Target): number {
  if (!platform[target].isTerminal()) return DEFAULT_COLUMNS;
  return Math.min(MAX_COLUMNS, Math.max(MIN_COLUMNS, terminalColumns()));
}

function terminalColumns(): number {
  // A terminal of unknown size says that it has no columns.
  return platform.columns() || DEFAULT_COLUMNS;
}

/**
 * Breaks prose for standard error into lines, if that is a terminal. Lines of other kinds stay
 * whole, so that they can be copied, searched for, and clicked on.
 */
export function proseLines(text: string): string[] {
  if (!platform.stderr.isTerminal()) return [text];
  const columns = columnsOf("stderr");
  return text.length > columns ? wrap(text, columns) : [text];
}

/** Breaks a text into lines between words, and after the commas of a word that is too long. */
export function wrap(text: string, columns: number): string[] {
  const lines = [""];
  const add = (part: string, gap: string): void => {
    const line = lines.at(-1)!;
    if (line === "") lines[lines.length - 1] = part;
    else if (line.length + gap.length + part.length <= columns) lines[lines.length - 1] += gap + part;
    else lines.push(part);
  };
  for (const word of text.split(/ +(?=\S)/)) {
    const [first, ...rest] = word.length > columns ? word.split(/(?<=,)/) : [word];
    add(first, " ");
    for (const part of rest) add(part, "");
  }
  return lines;
}
