/** Figures as people read them. */

import { format } from "@std/fmt/bytes";

/** `1 file`, `3 files`. */
export function count(amount: number, noun: string): string {
  return `${amount} ${noun}${amount === 1 ? "" : "s"}`;
}

/** `41.2 MiB`: three significant digits or, for columns, one decimal. */
export function formatBytes(bytes: number, aligned = false): string {
  const decimals = aligned && bytes >= 1024 ? 1 : undefined;
  const options = {
    binary: true,
    ...decimals && { minimumFractionDigits: decimals, maximumFractionDigits: decimals, locale: "en" },
  };
  return format(bytes, options).replace("k", "K");
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
