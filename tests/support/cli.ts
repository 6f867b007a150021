/**
 * The command line as users get it: a process of its own, in a folder with files.
 *
 * @module
 */

import { projectRoot } from "./environment.ts";

const CLI = new URL("cli.ts", projectRoot).href;
const IMPORT_MAP = new URL("imports.npm.json", projectRoot).href;

/** What a run said, and how it ended. */
export interface Run {
  code: number;
  stdout: string;
  stderr: string;
}

/** How to run it. */
export interface RunOptions {
  /** Standard input; empty when absent. */
  stdin?: string | Uint8Array;
  env?: Record<string, string>;
  /** Permissions; those of the `cli` task when absent. */
  allow?: readonly string[];
}

/** The command for a command line; colour only where the test asks for it. */
export function cliCommand(folder: string, args: readonly string[], { env, allow }: RunOptions = {}): Deno.Command {
  const permissions = allow ?? ["--allow-read", `--allow-run=${Deno.execPath()}`];
  return new Deno.Command(Deno.execPath(), {
    args: ["run", "--quiet", "--no-prompt", `--import-map=${IMPORT_MAP}`, ...permissions, CLI, ...args],
    cwd: folder,
    env: { NO_COLOR: "", FORCE_COLOR: "", ...env },
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
  });
}

/** Runs a command line in a folder. */
export async function runCli(folder: string, args: readonly string[], options: RunOptions = {}): Promise<Run> {
  const child = cliCommand(folder, args, options).spawn();
  const { stdin = "" } = options;
  const input = new Response(stdin as BodyInit).body!.pipeTo(child.stdin).catch((error) => {
    // The program need not read all of it.
    if (!(error instanceof Deno.errors.BrokenPipe)) throw error;
  });
  const [{ code, stdout, stderr }] = await Promise.all([child.output(), input]);
  const decoder = new TextDecoder();
  return { code, stdout: decoder.decode(stdout), stderr: decoder.decode(stderr) };
}

/** A folder with these files, removed at the end of the scope. */
export function folderOf(files: Record<string, string | Uint8Array>): Disposable & { path: string } {
  const path = Deno.makeTempDirSync();
  for (const [name, content] of Object.entries(files)) {
    Deno.writeFileSync(`${path}/${name}`, typeof content === "string" ? new TextEncoder().encode(content) : content);
  }
  return { path, [Symbol.dispose]: () => Deno.removeSync(path, { recursive: true }) };
}

/** The text with the seconds of a summary line replaced. */
export function withoutTime(text: string): string {
  return text.replace(/\d+\.\d\d s$/gm, "T s").replace(/"ms":\d+(?:\.\d)?,/g, '"ms":T,');
}
