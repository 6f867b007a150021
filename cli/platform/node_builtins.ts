/**
 * Modules of Node.js and Bun that few command lines need, loaded on first use: together they take
 * as long as the rest of the start.
 *
 * @module
 */

import { fstatSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import process from "node:process";

/** Whether this is Bun. */
export const isBun: boolean = process.versions.bun !== undefined;

const require = createRequire(import.meta.url);

export function net(): typeof import("node:net") {
  return require("node:net");
}

export function childProcess(): typeof import("node:child_process") {
  return require("node:child_process");
}

export function threads(): typeof import("node:worker_threads") {
  return require("node:worker_threads");
}

export function tty(): typeof import("node:tty") {
  return require("node:tty");
}

/** Returns whether a descriptor is that of a terminal. */
export function isTerminal(descriptor: number): boolean {
  try {
    const info = fstatSync(descriptor);
    return info.isCharacterDevice() && info.rdev !== nullDevice() && tty().isatty(descriptor);
  } catch {
    return false; // it is closed
  }
}

/** Returns the number of the null device, which many programs get in place of a terminal. */
function nullDevice(): number | undefined {
  return statSync("/dev/null", { throwIfNoEntry: false })?.rdev;
}
