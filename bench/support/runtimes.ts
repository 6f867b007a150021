/** Programs of benches, run in processes of each runtime. Runs in any runtime. */

import { spawnSync, type SpawnSyncOptions } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";

/** Folder of the project. */
export const ROOT: string = fileURLToPath(new URL("../../", import.meta.url));

export interface Runtime {
  name: "Deno" | "Node.js" | "Bun";
  /** Command before the path of a program. */
  command: string[];
}

/** Whether public modules are those of the build. Set by the task, which makes the build. */
export const USES_BUILD = process.env.BYTEJSON_BUILD === "1";

const IMPORT_MAP = join(ROOT, USES_BUILD ? "dist/imports.json" : "imports.npm.json");
const PRELOADED = join(ROOT, "tools/build/use_build.ts");

const DENO = ["run", "--quiet", "--no-prompt", `--import-map=${IMPORT_MAP}`, "--allow-all"];
const NODE = ["--expose-gc", "--disable-warning=ExperimentalWarning", ...USES_BUILD ? ["--import", PRELOADED] : []];
const BUN = USES_BUILD ? ["--preload", PRELOADED] : [];

export const THIS_RUNTIME: Runtime = process.versions.deno
  ? { name: "Deno", command: [process.execPath, ...DENO, "--v8-flags=--expose-gc"] }
  : process.versions.bun
  ? { name: "Bun", command: [process.execPath, ...BUN] }
  : { name: "Node.js", command: [process.execPath, ...NODE] };

/** Returns Node.js and Bun, if they are installed and run TypeScript. */
export function otherRuntimes({ node, bun }: { node: string; bun: string }): Runtime[] {
  const all: Runtime[] = [{ name: "Node.js", command: [node, ...NODE] }, { name: "Bun", command: [bun, ...BUN] }];
  return all.filter(({ name, command: [program, ...options] }) => {
    const canRun = outputOf([program, ...options, join(ROOT, "mod.ts")]) !== undefined;
    if (!canRun) console.error(`${name} is left out: there is no ${program} that runs TypeScript`);
    return canRun;
  });
}

export function commandOf(program: string, { command }: Runtime = THIS_RUNTIME): string[] {
  return [...command, join(ROOT, program)];
}

/** Runs a command. Returns what it prints; throws if it fails. */
export function runCommand([program, ...args]: string[], options: SpawnSyncOptions = {}): string {
  const { status, signal, stdout, stderr, error } = spawnSync(program, args, {
    cwd: ROOT,
    maxBuffer: 2 ** 28,
    ...options,
    encoding: "utf8",
  });
  if (status === 0) return stdout;
  throw new Error(`Cannot measure: ${program} ended with ${error?.message ?? signal ?? status}\n${stderr ?? ""}`);
}

/** Runs a command. Returns what it prints, trimmed; `undefined` if it fails or is not installed. */
export function outputOf([program, ...args]: string[]): string | undefined {
  const { status, stdout } = spawnSync(program, args, { cwd: ROOT, encoding: "utf8" });
  return status === 0 ? stdout.trim() : undefined;
}

/** Options of a process: by default, this runtime in the folder of the project. */
type ProcessOptions = SpawnSyncOptions & { runtime?: Runtime };

/** Runs another bench in a separate process. Returns its report. */
export function runBench<Report>(
  name: string,
  args: string[],
  { isQuick }: { isQuick: boolean },
  { runtime, ...options }: ProcessOptions = {},
): Report {
  const command = [...commandOf("bench/main.ts", runtime), name, ...args, ...isQuick ? ["--quick"] : [], "--json"];
  return JSON.parse(runCommand(command, options));
}

/** Calls a function of a module in `bench/` in a separate process. Its result is sent as JSON. */
// deno-lint-ignore no-explicit-any
export function callInProcess<F extends (...args: any[]) => unknown>(
  module: string,
  name: string,
  args: Parameters<F>,
  { runtime, ...options }: ProcessOptions = {},
): Awaited<ReturnType<F>> {
  return JSON.parse(runCommand([...commandOf("bench/child.ts", runtime), module, name, JSON.stringify(args)], options));
}

/** Calls a function with a new folder, which is removed afterwards. */
export async function withFolder<T>(use: (folder: string) => T | Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), "bytejson-"));
  try {
    return await use(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
