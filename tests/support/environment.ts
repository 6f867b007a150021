/** Environment of the tests: root of the project, shared documents, settings, child processes. */

import type { SkipReason } from "./skip.ts";

/** Root folder of the project. */
export const projectRoot = new URL("../../", import.meta.url);

/** Reads an environment variable; returns `undefined` if it is not set or may not be read. */
export function setting(variable: string): string | undefined {
  const { state } = Deno.permissions.querySync({ name: "env", variable });
  return state === "granted" ? Deno.env.get(variable) : undefined;
}

/** Whether to run long tests, and random tests in full. */
export const RUNS_LONG: boolean = setting("BYTEJSON_LONG") === "1";

const sharedRoot = new URL(`${setting("BYTEJSON_SHARED") ?? "../shared"}/`, projectRoot);

/** Finds a folder of the shared documents (`BYTEJSON_SHARED`, by default `../shared`). */
export function sharedFolder(name: string): URL | undefined {
  const folder = new URL(`${name}/`, sharedRoot);
  try {
    return Deno.statSync(folder).isDirectory ? folder : undefined;
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
    return undefined;
  }
}

/** Returns the reason to skip tests of a folder of the shared documents. */
export function withoutShared(name: string): SkipReason {
  return sharedFolder(name) === undefined && `there is no ${name} in the shared documents; set BYTEJSON_SHARED`;
}

/** Returns whether this process may generate code: some pages and servers forbid it. */
export function mayGenerateCode(): boolean {
  try {
    new Function("");
    return true;
  } catch {
    return false;
  }
}

/** Exit code and output of a program. */
export interface Execution {
  code: number;
  stdout: string;
  stderr: string;
}

/** Runs a program to its end, by default in this process's folder. */
export async function execute(
  program: string,
  args: readonly string[],
  options: Deno.CommandOptions = {},
): Promise<Execution> {
  const command = new Deno.Command(program, { ...options, args: [...args], stdout: "piped", stderr: "piped" });
  const { code, stdout, stderr } = await command.output();
  const [out, error] = [stdout, stderr].map((bytes) => new TextDecoder().decode(bytes));
  return { code, stdout: out, stderr: error };
}

/** Output of a child process, and whether its exit code is 0. */
export interface Outcome {
  success: boolean;
  output: string;
}

/**
 * Runs this Deno as a child process in the project's root folder.
 *
 * @param timeout Milliseconds after which the process is killed.
 */
export function runDeno(args: string[], env: Record<string, string> = {}, timeout?: number): Promise<Outcome> {
  return run(Deno.execPath(), args, env, timeout);
}

/**
 * Runs a program in a folder, the project's root if absent, and collects its output.
 *
 * @param timeout Milliseconds after which the process is killed.
 */
export async function run(
  program: string,
  args: string[],
  env: Record<string, string> = {},
  timeout?: number,
  cwd: string | URL = projectRoot,
): Promise<Outcome> {
  const signal = timeout === undefined ? undefined : AbortSignal.timeout(timeout);
  const { code, stdout, stderr } = await execute(program, args, { env, cwd, ...signal && { signal } });
  const output = stdout + stderr;
  return { success: code === 0, output: signal?.aborted ? `${output}ended after ${timeout} ms\n` : output };
}

/** Finds a program. Returns its name, or `undefined` if it is missing or too old. */
async function findProgram(name: string, isEnough: (version: string) => boolean): Promise<string | undefined> {
  const { output } = await run(name, ["--version"]).catch((error) => {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
    return { output: "none" };
  });
  return isEnough(output) ? name : undefined;
}

/** Finds a Node.js that strips types. */
export function findNode(): Promise<string | undefined> {
  return findProgram("node", (version) => {
    const [major, minor] = version.slice(1).split(".").map(Number);
    return major > 22 || (major === 22 && minor >= 18);
  });
}

export function findBun(): Promise<string | undefined> {
  return findProgram("bun", (version) => version !== "none");
}

/** Reasons to skip tests of runtimes that {@linkcode findNode} and {@linkcode findBun} do not find. */
export const NO_NODE = "there is no Node.js 22.18 or later on the PATH";
export const NO_BUN = "there is no Bun on the PATH";
