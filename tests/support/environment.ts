/**
 * Where the tests run: the project's root, the shared documents, the settings a person may give.
 *
 * @module
 */

export const projectRoot = new URL("../../", import.meta.url);

/** An environment variable, or `undefined` where it is not set or may not be read. */
export function setting(variable: string): string | undefined {
  const { state } = Deno.permissions.querySync({ name: "env", variable });
  return state === "granted" ? Deno.env.get(variable) : undefined;
}

const sharedRoot = new URL(`${setting("BYTEJSON_SHARED") ?? "../shared"}/`, projectRoot);

/**
 * A folder of the shared documents (`BYTEJSON_SHARED`, else `../shared`).
 *
 * @returns Its address, or `undefined`, said on the console, on a machine that does not have it.
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

/** Whether this process may make functions from text; some pages and servers forbid it. */
export function mayGenerateCode(): boolean {
  try {
    new Function("");
    return true;
  } catch {
    return false;
  }
}

/** What a child process said, and whether it ended well. */
export interface Outcome {
  success: boolean;
  output: string;
}

/** Runs this Deno as a child process in the project's root. It is killed when it takes longer than `patience` milliseconds. */
export function runDeno(args: string[], env: Record<string, string> = {}, patience?: number): Promise<Outcome> {
  return run(Deno.execPath(), args, env, patience);
}

/** Runs a program in the project's root and collects what it says. It is killed when it takes longer than `patience` milliseconds. */
export async function run(
  program: string,
  args: string[],
  env: Record<string, string> = {},
  patience?: number,
): Promise<Outcome> {
  const command = new Deno.Command(program, { args, env, cwd: projectRoot, stdout: "piped", stderr: "piped" });
  const child = command.spawn();
  const timer = patience === undefined ? undefined : setTimeout(() => child.kill("SIGKILL"), patience);
  const { success, signal, stdout, stderr } = await child.output();
  clearTimeout(timer);
  const decoder = new TextDecoder();
  const output = decoder.decode(stdout) + decoder.decode(stderr);
  return { success, output: signal === "SIGKILL" ? `${output}killed after ${patience} ms\n` : output };
}

/**
 * A Node that runs TypeScript as it is (22.18 and later).
 *
 * @returns The program's name, or `undefined`, said on the console, where there is none.
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
