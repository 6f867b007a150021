/**
 * Environment of the tests: root of the project, shared documents, settings, child processes.
 *
 * @module
 */

/** Root folder of the project. */
export const projectRoot = new URL("../../", import.meta.url);

/** Reads an environment variable; returns `undefined` if it is not set or may not be read. */
export function setting(variable: string): string | undefined {
  const { state } = Deno.permissions.querySync({ name: "env", variable });
  return state === "granted" ? Deno.env.get(variable) : undefined;
}

/** Whether groups of tests that take long run, and random tests in full. */
export const RUNS_LONG: boolean = setting("BYTEJSON_LONG") === "1";

const sharedRoot = new URL(`${setting("BYTEJSON_SHARED") ?? "../shared"}/`, projectRoot);

/**
 * Finds a folder of the shared documents (`BYTEJSON_SHARED`, else `../shared`).
 *
 * @returns Its URL. On a machine without the folder `undefined`, after printing that a test is
 * skipped.
 */
export function sharedFolder(name: string): URL | undefined {
  const folder = new URL(`${name}/`, sharedRoot);
  try {
    if (Deno.statSync(folder).isDirectory) return folder;
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
  console.log(`skipped: there is no ${name} in the shared documents; set BYTEJSON_SHARED to run it`);
  return undefined;
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
 * Runs a program in the project's root folder and collects its output.
 *
 * @param timeout Milliseconds after which the process is killed.
 */
export async function run(
  program: string,
  args: string[],
  env: Record<string, string> = {},
  timeout?: number,
): Promise<Outcome> {
  const command = new Deno.Command(program, { args, env, cwd: projectRoot, stdout: "piped", stderr: "piped" });
  const child = command.spawn();
  const timer = timeout === undefined ? undefined : setTimeout(() => child.kill("SIGKILL"), timeout);
  const { success, signal, stdout, stderr } = await child.output();
  clearTimeout(timer);
  const decoder = new TextDecoder();
  const output = decoder.decode(stdout) + decoder.decode(stderr);
  return { success, output: signal === "SIGKILL" ? `${output}killed after ${timeout} ms\n` : output };
}

/**
 * Finds a Node.js that strips types (22.18 and later).
 *
 * @returns The program's name, or `undefined` after printing that a test is skipped.
 */
export async function findNode(): Promise<string | undefined> {
  let version = "no node";
  try {
    version = (await run("node", ["--version"])).output.trim();
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
  const [major, minor] = version.slice(1).split(".").map(Number);
  if (major > 22 || (major === 22 && minor >= 18)) return "node";
  console.log(`skipped: Node 22.18 or later is needed on the PATH, found ${version}`);
  return undefined;
}

/** Finds Bun. Returns its name, or `undefined` after saying on the console that there is none. */
export async function findBun(): Promise<string | undefined> {
  try {
    if ((await run("bun", ["--version"])).success) return "bun";
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
  console.log("skipped: Bun is needed on the PATH");
  return undefined;
}
