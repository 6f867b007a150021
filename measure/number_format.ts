/**
 * Times, ratios, shares and decimal sizes as text. Imports nothing: Node.js and Bun run benches
 * without an import map.
 *
 * Not @std/fmt/duration: it splits 502.9 µs into `502µs 900ns`, and has no decimals.
 * `tests/repository/std_packages_test.ts` fails when that changes.
 */

/** Units of time: name, amount per millisecond, decimals. */
const TIME_UNITS = [["s", 1e-3, 2], ["ms", 1, 1], ["µs", 1e3, 1], ["ns", 1e6, 1]] as const;

/** Creates a formatter of milliseconds, in the largest unit in which `smallest` is at least 1. */
export function timeFormatter(smallest: number): (milliseconds: number) => string {
  const [unit, perMillisecond, decimals] = TIME_UNITS.find(([, scale]) => smallest * scale >= 1) ?? TIME_UNITS[3];
  return (milliseconds) => `${(milliseconds * perMillisecond).toFixed(decimals)} ${unit}`;
}

/** Formats milliseconds in the best unit with three significant digits, such as `45.3 ns`. */
export function formatTime(milliseconds: number): string {
  if (milliseconds < 0.001) return `${toThreeDigits(milliseconds * 1e6)} ns`;
  if (milliseconds < 1) return `${toThreeDigits(milliseconds * 1e3)} µs`;
  return `${toThreeDigits(milliseconds)} ms`;
}

/** Formats a size in decimal units, such as `1.73 MB`, to go with speeds in MB/s. */
export function formatDecimalBytes(bytes: number): string {
  if (bytes < 1e3) return `${bytes} B`;
  if (bytes < 1e6) return `${toThreeDigits(bytes / 1e3)} KB`;
  return `${toThreeDigits(bytes / 1e6)} MB`;
}

/** Formats a ratio, such as `1.67×`. */
export function formatRatio(ratio: number): string {
  return `${ratio.toFixed(ratio < 100 ? 2 : 0)}×`;
}

/** Formats a share of 1, such as `2.5 %`. */
export function formatPercent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}

/** Formats a number with three significant digits, without decimals from 1,000 on. */
function toThreeDigits(value: number): string {
  return value < 1000 ? String(Number(value.toPrecision(3))) : value.toFixed(0);
}
