/**
 * Tables of the benches' reports.
 *
 * @module
 */

/** Lays out rows in columns: the first aligned to the left, the others to the right. */
export function renderTable(header: string[], rows: string[][]): string {
  const widths = header.map((_, column) => Math.max(...[header, ...rows].map((row) => row[column].length)));
  const line = (row: string[]): string =>
    row.map((cell, column) => column === 0 ? cell.padEnd(widths[column]) : cell.padStart(widths[column])).join("  ")
      .trimEnd();
  return [line(header), widths.map((width) => "─".repeat(width)).join("  "), ...rows.map(line)].join("\n");
}
