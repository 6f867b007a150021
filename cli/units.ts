/** Figures as people read them. */

/** `1 file`, `3 files`. */
export function count(amount: number, noun: string): string {
  return `${amount} ${noun}${amount === 1 ? "" : "s"}`;
}

const BYTE_UNITS = ["B", "KiB", "MiB", "GiB", "TiB", "PiB"] as const;

/** `41.2 MiB`: three significant digits or, for columns, one decimal. */
export function formatBytes(bytes: number, aligned = false): string {
  let unit = 0;
  let amount = bytes;
  for (; amount >= 1024; amount /= 1024) unit++;
  const figure = unit === 0 ? bytes : aligned ? amount.toFixed(1) : Number(amount.toPrecision(3));
  return `${figure} ${BYTE_UNITS[unit]}`;
}

const TIME_UNITS = [["s", 1e-3, 2], ["ms", 1, 1], ["µs", 1e3, 1], ["ns", 1e6, 1]] as const;

/** A formatter of milliseconds in the largest unit of which `smallest` is at least one, so that a column lines up. */
export function timeFormat(smallest: number): (milliseconds: number) => string {
  const [unit, perMillisecond, decimals] = TIME_UNITS.find(([, scale]) => smallest * scale >= 1) ?? TIME_UNITS[3];
  return (milliseconds) => `${(milliseconds * perMillisecond).toFixed(decimals)} ${unit}`;
}

/** MiB a second for so many bytes in so many milliseconds. */
export function mebibytesPerSecond(bytes: number, milliseconds: number): number {
  return bytes / 2 ** 20 / (milliseconds / 1e3);
}
