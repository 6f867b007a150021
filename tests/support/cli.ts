/**
 * Runs of the command line as users start it: a process in a folder with files.
 *
 * @module
 */

import { projectRoot } from "./environment.ts";

const IMPORT_MAP = new URL("imports.npm.json", projectRoot).href;

/** Output and exit code of a run. */
export interface Run {
  code: number;
  stdout: string;
  stderr: string;
}

/** Options of a run. */
export interface RunOptions {
  /** Standard input; empty by default. */
  stdin?: string | Uint8Array;
  env?: Record<string, string>;
  /** Permissions; by default those of the `cli` task. */
  allow?: readonly string[];
  /** Folder of the program; by default that of the project. */
  source?: string;
  /** File for standard output, opened by a POSIX shell. */
  stdoutFile?: string;
  /** Whether the reader of standard output is gone. */
  isStdoutClosed?: boolean;
}

/** Creates the command of a command line. Colour is off unless `env` asks for it. */
export function cliCommand(folder: string, args: readonly string[], options: RunOptions = {}): Deno.Command {
  const { env, allow, source = projectRoot.href, stdoutFile } = options;
  const permissions = allow ?? ["--allow-read", `--allow-run=${Deno.execPath()}`];
  const deno = [
    "run",
    "--quiet",
    "--no-prompt",
    `--import-map=${IMPORT_MAP}`,
    ...permissions,
    `${source}/cli.ts`,
    ...args,
  ];
  const shell = ["-c", 'file=$1; shift; exec "$@" > "$file"', "sh", stdoutFile!, Deno.execPath(), ...deno];
  return new Deno.Command(stdoutFile === undefined ? Deno.execPath() : "sh", {
    args: stdoutFile === undefined ? deno : shell,
    cwd: folder,
    env: { NO_COLOR: "", FORCE_COLOR: "", ...env },
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
  });
}

/** Copies the files of the program to a folder. */
export async function copyCli(folder: string): Promise<void> {
  await copyModules("", folder);
  for (const directory of ["cli", "measure", "parser"]) await copyTree(`${directory}/`, folder);
}

/** Copies a directory of the project with those below it. */
async function copyTree(directory: string, folder: string): Promise<void> {
  await copyModules(directory, folder);
  for await (const { name, isDirectory } of Deno.readDir(new URL(directory, projectRoot))) {
    if (isDirectory) await copyTree(`${directory}${name}/`, folder);
  }
}

/** Copies the modules of one directory, and `deno.json`. */
async function copyModules(directory: string, folder: string): Promise<void> {
  await Deno.mkdir(`${folder}/${directory}`, { recursive: true });
  for await (const { name } of Deno.readDir(new URL(directory, projectRoot))) {
    if (!/\.ts$|^deno\.json$/.test(name)) continue;
    await Deno.copyFile(new URL(directory + name, projectRoot), `${folder}/${directory}${name}`);
  }
}

/** Process whose standard input stays open, with its output so far. */
export interface LiveRun extends AsyncDisposable {
  /** Writes to standard input. Resolves with whether the process still reads. */
  write(text: string): Promise<boolean>;
  /** Closes standard input. */
  close(): Promise<void>;
  /** Resolves once a text has been printed. */
  said(stream: "stdout" | "stderr", text: string): Promise<void>;
  /** Sends SIGINT. */
  interrupt(): void;
  /** Output and exit code, once the process has ended. */
  ended: Promise<Run>;
}

/** Starts a command line in a folder with its standard input open. */
export function startCli(folder: string, args: readonly string[], options: RunOptions = {}): LiveRun {
  const child = cliCommand(folder, args, options).spawn();
  const input = child.stdin.getWriter();
  const output = { stdout: "", stderr: "" };
  const listeners = new Set<() => void>();
  const collect = async (name: "stdout" | "stderr"): Promise<void> => {
    if (name === "stdout" && options.isStdoutClosed) return await child.stdout.cancel();
    for await (const text of child[name].pipeThrough(new TextDecoderStream())) {
      output[name] += text;
      for (const listen of listeners) listen();
    }
  };
  const collected = Promise.all([collect("stdout"), collect("stderr")]);
  return {
    write: (text) => input.write(new TextEncoder().encode(text)).then(() => true, () => false),
    close: () => input.close(),
    async said(stream, text): Promise<void> {
      while (!output[stream].includes(text)) {
        await new Promise<void>((resolve) => listeners.add(resolve));
        listeners.clear();
      }
    },
    interrupt: () => child.kill("SIGINT"),
    ended: (async () => {
      const { code } = await child.status;
      await collected;
      return { code, ...output };
    })(),
    async [Symbol.asyncDispose](): Promise<void> {
      await input.abort().catch(() => {}); // fails if the process has ended
      await child.status;
    },
  };
}

/** Runs a command line in a folder to its end. */
export async function runCli(folder: string, args: readonly string[], options: RunOptions = {}): Promise<Run> {
  const child = cliCommand(folder, args, options).spawn();
  const { stdin = "" } = options;
  const input = new Response(stdin as BodyInit).body!.pipeTo(child.stdin).catch((error) => {
    // A program may end before it has read everything.
    if (!(error instanceof Deno.errors.BrokenPipe)) throw error;
  });
  const [{ code, stdout, stderr }] = await Promise.all([child.output(), input]);
  const decoder = new TextDecoder();
  return { code, stdout: decoder.decode(stdout), stderr: decoder.decode(stderr) };
}

/** Creates a folder with files, removed at the end of the scope. A name may contain slashes. */
export function folderOf(files: Record<string, string | Uint8Array>): Disposable & { path: string } {
  const path = Deno.makeTempDirSync();
  for (const [name, content] of Object.entries(files)) {
    if (name.includes("/")) Deno.mkdirSync(`${path}/${name.replace(/\/[^/]*$/, "")}`, { recursive: true });
    Deno.writeFileSync(`${path}/${name}`, typeof content === "string" ? new TextEncoder().encode(content) : content);
  }
  return { path, [Symbol.dispose]: () => Deno.removeSync(path, { recursive: true }) };
}

/** Replaces the times in summaries by `T`. */
export function withoutTime(text: string): string {
  return text.replace(/\d+\.\d\d s$/gm, "T s").replace(/"ms":\d+(?:\.\d+)?,/g, '"ms":T,');
}
