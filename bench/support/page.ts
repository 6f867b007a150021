/** Tables on screen, and tables, charts and figures within Markdown pages. */

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

/** Sentence of a page that contains figures. */
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
  if (title === undefined) throw new Error(`Cannot write a table: there is no heading '${heading}'`);
  const at = page.search(new RegExp(`^${RegExp.escape(title)}$`, "m")) + title.length;
  const next = /^#/m.exec(page.slice(at))?.index ?? page.length;
  const mark = page.indexOf(BEGIN, at);
  const end = page.indexOf(END, mark);
  if (mark < 0 || end < 0 || mark > at + next) throw new Error(`Cannot write a table: none is under '${heading}'`);
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

export function wrapWords(text: string): string {
  const [first, ...words] = text.split(" ");
  let column = first.length;
  return words.reduce((lines, word) => {
    const fits = column + 1 + word.length <= COLUMNS;
    column = fits ? column + 1 + word.length : word.length;
    return `${lines}${fits ? " " : "\n"}${word}`;
  }, first);
}

/** Figures within quoted words. */
const FIGURE = /\d(?:[\d,.]*\d)?/g;

/** Returns the quotes that are missing from their pages. */
export function missingQuotes(quotes: readonly Quote[], read: (page: string) => string): Quote[] {
  return quotes.filter(({ page, words }) => !read(page).replaceAll(/\s+/g, " ").includes(words));
}

/** Returns a pattern of the words, with any figures, and any space between the words. */
function patternOf(words: string): RegExp {
  const pieces = words.split(FIGURE).map((piece) => piece.split(" ").map((word) => RegExp.escape(word)).join("\\s+"));
  return new RegExp(pieces.join("\\d(?:[\\d,.]*\\d)?"), "g");
}

/**
 * Updates the figures in quoted sentences. A sentence whose words or units differ stays as it is.
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
    write(page, text.replace(found[0], () => found[0].replace(FIGURE, () => figures[next++])));
  }
}
