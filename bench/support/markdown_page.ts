/** Tables on screen, and tables, charts and measured numbers within Markdown pages. */

import type { Chart } from "./chart.ts";

/** Comments that enclose measured blocks. */
const BEGIN = "<!-- measured:";
const END = "<!-- /measured -->";

/** Maximum number of columns of a line of prose. */
const COLUMNS = 100;

export interface Table {
  header: string[];
  rows: string[][];
}

/** Content of the first measured block under a heading of a page. */
export interface MeasuredBlock {
  /** Path of the page, from the folder of the project. */
  page: string;
  heading: string;
  /** Table, chart, or lines of text. */
  content: Table | Chart | string;
}

/** Sentence that contains measured numbers. */
export interface Quote {
  /** Path of the page, from the folder of the project. */
  page: string;
  words: string;
}

/** Lays out a table for the screen: the first column to the left, the others to the right. */
export function renderText({ header, rows }: Table): string {
  const widths = header.map((_, column) => Math.max(...[header, ...rows].map((row) => row[column].length)));
  const line = (row: string[]): string =>
    row.map((cell, column) => column === 0 ? cell.padEnd(widths[column]) : cell.padStart(widths[column])).join("  ")
      .trimEnd();
  return [line(header), widths.map((width) => "─".repeat(width)).join("  "), ...rows.map(line)].join("\n");
}

/** Renders a table in Markdown: the first column to the left, the others to the right. */
function renderMarkdown({ header, rows }: Table): string {
  const line = (cells: string[]): string => `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
  return [line(header), line(header.map((_, i) => i === 0 ? "---" : "---:")), ...rows.map(line)].join("\n");
}

/** Finds the first measured block under a heading. Returns the range of its content. */
export function findBlock(page: string, heading: string): [begin: number, end: number] {
  const [title] = new RegExp(`^#+ ${RegExp.escape(heading)}$`, "m").exec(page) ?? [];
  if (title === undefined) throw new Error(`Cannot write a table: no heading '${heading}'`);
  const at = page.search(new RegExp(`^${RegExp.escape(title)}$`, "m")) + title.length;
  const next = /^#/m.exec(page.slice(at))?.index ?? page.length;
  const mark = page.indexOf(BEGIN, at);
  const end = page.indexOf(END, mark);
  if (mark < 0 || end < 0 || mark > at + next) {
    throw new Error(`Cannot write a table: no measured block under heading '${heading}'`);
  }
  return [page.indexOf("-->", mark) + 3, end];
}

/**
 * Returns the page with the first measured block under a heading showing a table, a chart of
 * docs/charts/, or lines of text.
 */
export function replaceBlock(page: string, heading: string, content: MeasuredBlock["content"]): string {
  const [begin, end] = findBlock(page, heading);
  const text = typeof content === "string" ? content : "bars" in content ? imageOf(content) : renderMarkdown(content);
  return `${page.slice(0, begin)}\n\n${text}\n\n${page.slice(end)}`;
}

/** Returns the image of a chart, for pages in docs/. */
export function imageOf({ name, title }: Chart): string {
  return `![${title}](charts/${name}.svg)`;
}

/** Breaks a paragraph into lines of at most {@linkcode COLUMNS} columns. */
export function wrapWords(text: string): string {
  const [first, ...words] = text.split(" ");
  let column = first.length;
  return words.reduce((lines, word) => {
    const fits = column + 1 + word.length <= COLUMNS;
    column = fits ? column + 1 + word.length : word.length;
    return `${lines}${fits ? " " : "\n"}${word}`;
  }, first);
}

/** Numbers within quoted words. */
const NUMBER = /\d(?:[\d,.]*\d)?/g;

/** Returns the quotes missing from their page. */
export function missingQuotes(quotes: readonly Quote[], read: (page: string) => string): Quote[] {
  return quotes.filter(({ page, words }) => !read(page).replaceAll(/\s+/g, " ").includes(words));
}

/** Returns a pattern for the words with any numbers, and any whitespace between the words. */
function patternOf(words: string): RegExp {
  const pieces = words.split(NUMBER).map((piece) => piece.split(" ").map((word) => RegExp.escape(word)).join("\\s+"));
  return new RegExp(pieces.join("\\d(?:[\\d,.]*\\d)?"), "g");
}

/**
 * Updates the numbers in sentences whose wording matches a quote. Sentences with other words or
 * units are kept unchanged.
 */
export function replaceQuotes(
  quotes: readonly Quote[],
  read: (page: string) => string,
  write: (page: string, text: string) => void,
): void {
  for (const { page, words } of missingQuotes(quotes, read)) {
    const numbers = words.match(NUMBER) ?? [];
    const text = read(page);
    const found = text.match(patternOf(words)) ?? [];
    if (found.length !== 1) continue;
    let next = 0;
    write(page, text.replace(found[0], () => found[0].replace(NUMBER, () => numbers[next++])));
  }
}
