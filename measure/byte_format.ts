/**
 * Counts, sizes and throughput as text. It is the only file of this folder that `bytejson check`
 * loads, and imports nothing.
 *
 * Not @std/fmt/bytes: it writes kiB, rounds 1,023 B to 1020 B, and fixes the number of
 * decimals only with the separators of a locale. `tests/repository/std_packages_test.ts` fails
 * when that changes.
 */

/** Returns an amount with its noun: `1 file`, `3 files`. */
export function count(amount: number, noun: string): string {
  return `${amount} ${noun}${amount === 1 ? "" : "s"}`;
}

const BINARY_UNITS = ["B", "KiB", "MiB", "GiB", "TiB", "PiB"] as const;

/**
 * Formats a size in binary units with three significant digits, such as `41.2 MiB`.
 *
 * @param aligned Whether to use one decimal instead, so that a column lines up.
 */
export function formatBytes(bytes: number, aligned = false): string {
  let unit = 0;
  let amount = bytes;
  for (; amount >= 1024; amount /= 1024) unit++;
  const digits = unit === 0 ? bytes : aligned ? amount.toFixed(1) : Number(amount.toPrecision(3));
  return `${digits} ${BINARY_UNITS[unit]}`;
}

/** Returns the throughput in MiB/s of `bytes` handled in `milliseconds`. */
export function mebibytesPerSecond(bytes: number, milliseconds: number): number {
  return bytes / 2 ** 20 / (milliseconds / 1e3);
}
