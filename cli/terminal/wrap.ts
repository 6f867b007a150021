/**
 * Wrapping of lines.
 *
 * @module
 */

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
