/**
 * Modules of Node.js and Bun that few command lines need, loaded on first use: together they take
 * as long as the rest of the start.
 */

import { createRequire } from "node:module";
import process from "node:process";
import { moduleUrl, WORKER_MODULE } from "./module_url.ts";
import { isTerminal as isTerminalBy } from "./start_platform.ts";

export const isBun: boolean = process.versions.bun !== undefined;

// Not the address of this module, which may be a `data:` URL in an executable.
export const load = createRequire(process.execPath) as unknown as typeof process.getBuiltinModule;

/** Returns the address of the worker in this executable; `undefined` in plain Node.js or Bun. */
export function embeddedWorker(): URL | undefined {
  if (isBun) return /\/(?:\$bunfs|~BUN)\//.test(import.meta.url) ? moduleUrl(WORKER_MODULE) : undefined;
  const sea = load("node:sea");
  if (!sea.isSea()) return undefined;
  return new URL(`data:text/javascript,${encodeURIComponent(sea.getAsset("worker.js", "utf8"))}`);
}

export function isTerminal(descriptor: number): boolean {
  return isTerminalBy(descriptor, load);
}
