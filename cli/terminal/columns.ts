/**
 * Width of the terminal.
 *
 * @module
 */

/** Columns where there is no terminal. */
export const DEFAULT_COLUMNS = 80;

/** Fewest columns that screens are laid out for; a narrower terminal wraps them. */
const MIN_COLUMNS = 40;

/** Most columns that screens use: longer lines are hard to read. */
const MAX_COLUMNS = 200;

/** Returns the columns for text on standard output. */
export function stdoutColumns(): number {
  return columnsOf(Deno.stdout);
}

/** Returns the columns for text on standard error. */
export function stderrColumns(): number {
  return columnsOf(Deno.stderr);
}

function columnsOf(stream: typeof Deno.stdout | typeof Deno.stderr): number {
  if (!stream.isTerminal()) return DEFAULT_COLUMNS;
  // A terminal of unknown size says that it has no columns.
  const columns = Deno.consoleSize().columns || DEFAULT_COLUMNS;
  return Math.min(MAX_COLUMNS, Math.max(MIN_COLUMNS, columns));
}
