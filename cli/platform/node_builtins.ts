/**
 * Modules of Node.js and Bun that few command lines need, loaded on first use: together they take
 * as long as the rest of the start.
 */

import { createRequire } from "node:module";
import process from "node:process";
import { moduleUrl, WORKER_MODULE } from "./module_url.ts";
import { isTerminal as isTerminalBy } from "./start_platform.ts";

export const isBun: boolean = process.versions.bun !== undefined;

// The address of this module would not do: in an executable it may be that of a text.
const require = createRequire(process.execPath);

interface Modules {
  "node:net": typeof import("node:net");
  "node:child_process": typeof import("node:child_process");
  "node:worker_threads": typeof import("node:worker_threads");
  "node:url": typeof import("node:url");
  "node:tty": typeof import("node:tty");
}

export function load<N extends keyof Modules>(name: N): Modules[N] {
  return require(name);
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

export function isTerminal(descriptor: number): boolean {
  return isTerminalBy(descriptor, require as typeof process.getBuiltinModule);
}
