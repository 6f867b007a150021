/**
 * Running benches, for what stores their results.
 *
 * @module
 */

import { spawnSync } from "node:child_process";
import { delimiter, dirname, resolve } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";

/** Folder of the project. */
export const ROOT: string = fileURLToPath(new URL("../..", import.meta.url));

/** Settings of a run. */
export interface Settings {
  /** Programs of Node.js to measure; empty for the one on the `PATH`. */
  node: string[];
  /** Programs of Bun to measure; empty for the one on the `PATH`. */
  bun: string[];
  /** Whether to do less work, to try the command. */
  quick: boolean;
}

/** Runs a program of the project in a process of its own, and returns what it prints. */
export function runProgram({ node, bun }: Settings, program: string, options: string[], flags: string[] = []): string {
  const folders = [node[0], bun[0]].flatMap((path) => path?.includes("/") ? dirname(resolve(path)) : []);
  const importMap = `--import-map=${resolve(ROOT, "imports.npm.json")}`;
  const { status, stdout } = spawnSync(
    Deno.execPath(),
    ["run", "--quiet", importMap, "--allow-all", ...flags, program, ...options],
    {
      cwd: ROOT,
      env: { ...process.env, PATH: [...folders, process.env.PATH].join(delimiter), NO_COLOR: "1" },
      encoding: "utf8",
      stdio: ["ignore", "pipe", "inherit"],
      maxBuffer: 2 ** 28,
    },
  );
  if (status !== 0) throw new Error(`Cannot measure by ${program}`);
  return stdout;
}

/** Runs a bench in a process of its own, and returns what it prints with `--json`. */
export function runBench(settings: Settings, bench: string, options: string[] = [], flags: string[] = []): unknown {
  return JSON.parse(runProgram(settings, `bench/${bench}.ts`, ["--json", ...options], flags));
}

/** Returns the option of benches that do less work on demand. */
export function quickly({ quick }: Settings): string[] {
  return quick ? ["--quick"] : [];
}
