/**
 * Wrapping of lines.
 *
 * @module
 */

import { stderrColumns } from "./streams.ts";

/**
 * Breaks prose for standard error into lines, if that is a terminal. Lines of other kinds stay
 * whole, so that they can be copied, searched for, and clicked on.
 */
export function proseLines(text: string): string[] {
  return Deno.stderr.isTerminal() ? wrap(text, stderrColumns()) : [text];
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
