/** Figures as text. */

/** Columns aligned: the first to the left, the others to the right. */
export function renderTable(header: string[], rows: string[][]): string {
  const widths = header.map((_, column) => Math.max(...[header, ...rows].map((row) => row[column].length)));
  const line = (row: string[]): string =>
    row.map((cell, column) => column === 0 ? cell.padEnd(widths[column]) : cell.padStart(widths[column])).join("  ")
      .trimEnd();
  return [line(header), widths.map((width) => "─".repeat(width)).join("  "), ...rows.map(line)].join("\n");
}

export function formatRatio(ratio: number): string {
  return `${ratio.toFixed(ratio < 100 ? 2 : 0)}×`;
}

/** In units of 1,000, as MB/s are. */
export function formatBytes(bytes: number): string {
  if (bytes < 1e3) return `${bytes} B`;
  if (bytes < 1e6) return `${roundTo3(bytes / 1e3)} KB`;
  return `${roundTo3(bytes / 1e6)} MB`;
}

export function formatTime(milliseconds: number): string {
  if (milliseconds < 0.001) return `${roundTo3(milliseconds * 1e6)} ns`;
  if (milliseconds < 1) return `${roundTo3(milliseconds * 1e3)} µs`;
  return `${roundTo3(milliseconds)} ms`;
}

export function formatPercent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}

function roundTo3(value: number): string {
  return value < 1000 ? String(Number(value.toPrecision(3))) : value.toFixed(0);
}
