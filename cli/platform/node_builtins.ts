/**
 * Modules of Node.js and Bun that few command lines need, loaded on first use: together they take
 * as long as the rest of the start.
 *
 * @module
 */

import { createRequire } from "node:module";
import process from "node:process";
import { moduleUrl, WORKER_MODULE } from "./module_url.ts";
import { isTerminal as isTerminalBy } from "./start_platform.ts";

/** Whether this is Bun. */
export const isBun: boolean = process.versions.bun !== undefined;

// The address of this module would not do: in an executable it may be that of a text.
const require = createRequire(process.execPath);

export function net(): typeof import("node:net") {
  return require("node:net");
}

export function childProcess(): typeof import("node:child_process") {
  return require("node:child_process");
}

export function threads(): typeof import("node:worker_threads") {
  return require("node:worker_threads");
}

export function url(): typeof import("node:url") {
  return require("node:url");
}

export function tty(): typeof import("node:tty") {
  return require("node:tty");
}

/**
 * Returns what is built into this executable; `undefined` if it is the program of Node.js or Bun.
 */
export function embedded(): { workerUrl(): URL } | undefined {
  if (isBun) return /\/(?:\$bunfs|~BUN)\//.test(import.meta.url) ? { workerUrl } : undefined;
  const sea: typeof import("node:sea") = require("node:sea");
  if (!sea.isSea()) return undefined;
  const code = (): string => encodeURIComponent(sea.getAsset("worker.js", "utf8"));
  return { workerUrl: () => new URL(`data:text/javascript,${code()}`) };
}

function workerUrl(): URL {
  return moduleUrl(WORKER_MODULE);
}

/** Returns whether a descriptor is that of a terminal. */
export function isTerminal(descriptor: number): boolean {
  return isTerminalBy(descriptor, require as typeof process.getBuiltinModule);
}
