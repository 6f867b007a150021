/** Runs the command line as users do: as a process in a folder with files. */

import { assertEquals, assertMatch } from "@std/assert";
import { bundleCli } from "../../tools/executables.ts";
import type { InProcessOptions, Run } from "./cli_in_process.ts";
import { projectRoot, setting } from "./environment.ts";
import { copy, type Files, folderOf } from "./files.ts";
import { itUnless, onlyLinux, type SkipReason, withoutProgram } from "./skip.ts";

export type { Run } from "./cli_in_process.ts";

/** Runtime of the command line: `deno`, or Node.js or Bun by name or path. */
const runtime = setting("BYTEJSON_CLI_RUNTIME") ?? "deno";

/** Whether the tests run the command line in Deno. */
export const isDeno: boolean = runtime === "deno";

/** Message of the error of a device without space. */
export const FULL_DEVICE: string = isDeno ? "No space left on device (os error 28)" : "no space left on device";

const IMPORT_MAP = new URL("imports.npm.json", projectRoot).href;

/** Options of a run. */
export interface RunOptions extends InProcessOptions {
  /** Permission flags; those of the `cli` task if absent. */
  allow?: readonly string[];
  /** Folder of the program; the project's if absent. */
  source?: string;
  /** Import map; the project's if absent. */
  importMap?: string;
  /** User and group to run as. */
  user?: number;
}

/** Reason to skip tests of permissions. */
export const NO_PERMISSIONS: SkipReason = !isDeno && "only Deno asks for permissions";

/** Reason to skip tests on a terminal. */
export const NO_TERMINAL: SkipReason = onlyLinux("script(1) of util-linux") || withoutProgram("script");

/** Reason to skip tests of terminal screens, which this process can show only for Deno. */
export const NO_SCREEN: SkipReason = !isDeno && NO_TERMINAL;

/** Registers a test of hundreds of runs, which other runtimes would need processes for. */
export function itInProcess(name: string, body: () => Promise<void>): void {
  itUnless(!isDeno && "it takes hundreds of processes")(name, body);
}

/** Returns the sizes of pieces to test. Between processes, the pipe decides. */
export function piecesOf(...sizes: readonly number[]): readonly number[] {
  return isDeno ? sizes : sizes.slice(-1);
}

/** Returns the program that runs a command line, and its arguments. */
export function commandLine(args: readonly string[], options: RunOptions = {}): [program: string, args: string[]] {
  const [program, ...before] = isDeno ? denoCommand(options) : bundledCommand(options);
  if (options.stdoutFile === undefined) return [program, [...before, ...args]];
  const script = 'file=$1; shift; exec "$@" > "$file"';
  return ["sh", ["-c", script, "sh", options.stdoutFile, program, ...before, ...args]];
}

function denoCommand({ allow, source = projectRoot.href, importMap = IMPORT_MAP }: RunOptions): string[] {
  const permissions = allow ?? ["--allow-read", `--allow-run=${Deno.execPath()}`];
  return [
    Deno.execPath(),
    "run",
    "--quiet",
    "--no-prompt",
    `--import-map=${importMap}`,
    ...permissions,
    `${source}/cli.ts`,
  ];
}

/** Command of the bundled command line: the runtime, then the program. */
let bundled: string[] | undefined;

function bundledCommand({ source }: RunOptions): string[] {
  if (source !== undefined) return [runtime, bundleCli(`${source}/bundle`, source)];
  const given = setting("BYTEJSON_CLI_PROGRAM");
  // An executable needs no program.
  if (given === "") return [runtime];
  return bundled ??= [runtime, given ?? bundleCli(Deno.makeTempDirSync())];
}

/** Creates the command of a command line, without colour unless `env` asks for it. */
export function cliCommand(folder: string, args: readonly string[], options: RunOptions = {}): Deno.Command {
  const { env, user } = options;
  const [program, programArgs] = commandLine(args, options);
  return new Deno.Command(program, {
    args: programArgs,
    cwd: folder,
    env: { NO_COLOR: "", FORCE_COLOR: "", ...env },
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
    ...user !== undefined && { uid: user, gid: user },
  });
}

/** Copies the program to a folder: the sources that it needs. */
export function copyCli(folder: string): void {
  const files = Array.from(Deno.readDirSync(projectRoot), ({ name }) => name).filter((name) => name.endsWith(".ts"));
  for (const name of [...files, "parser", "cli", "measure", "deno.json"]) {
    copy(new URL(name, projectRoot), `${folder}/${name}`);
  }
}

/** Process with open standard input. */
export interface LiveRun extends AsyncDisposable {
  pid: number;
  /** Writes to standard input. Resolves with whether the process still reads. */
  write(content: string | Uint8Array): Promise<boolean>;
  close(): Promise<void>;
  /** Resolves once the output contains the text. */
  said(stream: "stdout" | "stderr", text: string): Promise<void>;
  /** Sends SIGINT, or another signal. */
  interrupt(signal?: Deno.Signal): void;
  /** Resolves once the process has ended. */
  ended: Promise<Run>;
}

/** Starts a command line in a folder, with open standard input. */
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
    pid: child.pid,
    write: (content) =>
      input.write(typeof content === "string" ? new TextEncoder().encode(content) : content).then(
        () => true,
        () => false,
      ),
    close: () => input.close(),
    async said(stream, text): Promise<void> {
      while (!output[stream].includes(text)) {
        await new Promise<void>((resolve) => listeners.add(resolve));
        listeners.clear();
      }
    },
    interrupt: (signal = "SIGINT") => child.kill(signal),
    ended: (async () => {
      const { code } = await child.status;
      await collected;
      return { code, ...output };
    })(),
    async [Symbol.asyncDispose](): Promise<void> {
      await input.abort().catch(() => {}); // the process may be gone
      await child.status;
    },
  };
}

/** Runs a command line: in this process, unless the runtime, permissions or threads forbid it. */
export async function runCli(folder: string, args: readonly string[], options: RunOptions = {}): Promise<Run> {
  const { allow, source, user } = options;
  const hasThreads = args.some((arg) => /^(?:-\w*j|--jobs)/.test(arg));
  if (!isDeno || hasThreads || (allow ?? source ?? user) !== undefined) return await spawnCli(folder, args, options);
  const { runInProcess } = await import("./cli_in_process.ts");
  return await runInProcess(folder, args, options);
}

/** Runs a command line in a folder, as a process. */
export async function spawnCli(folder: string, args: readonly string[], options: RunOptions = {}): Promise<Run> {
  const run = startCli(folder, args, options);
  await run.write(options.stdin ?? "");
  await run.close().catch(() => {}); // the program need not read all of it
  return await run.ended;
}

/** Output that a test expects: the text with `T` for its times, a pattern, or anything. */
export type Expected = string | RegExp | null;

/** Splits a command line into words. Text in single quotes is one word. */
export function wordsOf(line: string): string[] {
  return [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain);
}

/** Command line with the expected exit code and output. */
export interface Row extends RunOptions {
  /** Text that is split into words, or the words. */
  args: string | readonly string[];
  /** Files besides those of the whole table. */
  files?: Files;
  /** Exit code; 0 if absent. */
  code?: number;
  /** Standard output; none if absent. */
  stdout?: Expected;
  /** Standard error; none if absent. */
  stderr?: Expected;
  /** Whether a permission is missing, which only Deno asks for. */
  isDenied?: boolean;
}

/** Runs a command line in a folder with files, and asserts its exit code and output. */
export async function assertRow(files: Files, row: Row): Promise<void> {
  const { args, files: more, code = 0, stdout = "", stderr = "", isDenied: _, ...options } = row;
  using folder = folderOf({ ...files, ...more });
  const run = await runCli(folder.path, typeof args === "string" ? wordsOf(args) : args, options);
  const shown = { code: run.code, stdout: withoutTime(run.stdout), stderr: withoutTime(run.stderr) };
  const shownIf = (text: string, expected: Expected) => typeof expected === "string" ? expected : text;
  assertEquals(shown, { code, stdout: shownIf(shown.stdout, stdout), stderr: shownIf(shown.stderr, stderr) });
  for (const [text, expected] of [[shown.stdout, stdout], [shown.stderr, stderr]] as const) {
    if (expected instanceof RegExp) assertMatch(text, expected);
  }
}

/** Returns the reason to skip a row. */
function skipReasonOf({ stdoutFile, isDenied }: Row): SkipReason {
  return isDenied && NO_PERMISSIONS || !isDeno && stdoutFile === "/dev/full" && onlyLinux("/dev/full");
}

/** Registers a test for each row, by its name. */
export function itRuns(files: Files, rows: Record<string, Row>): void {
  for (const [name, row] of Object.entries(rows)) itUnless(skipReasonOf(row))(name, () => assertRow(files, row));
}

/** Registers a test for each command line that prints the given output and nothing else. */
export function itPrints(files: Files, outputs: Record<string, Expected>): void {
  for (const [args, stdout] of Object.entries(outputs)) itRuns(files, { [args]: { args, stdout } });
}

/** Registers a test for each command line that fails, and prints only this to standard error. */
export function itFails(files: Files, code: number, errors: Record<string, Expected>): void {
  for (const [args, stderr] of Object.entries(errors)) itRuns(files, { [args]: { args, code, stderr } });
}

/** User and group called nobody. */
const NOBODY = 65_534;

/**
 * Runs a command line in a folder as a user without access to every file: the current one, or
 * `nobody` if that is root. Resolves with `undefined`, and prints a message, if `nobody` may not
 * run the program.
 */
export async function runCliUnprivileged(folder: string, args: readonly string[]): Promise<Run | undefined> {
  using own = folderOf({ "secret": "" });
  Deno.chmodSync(`${own.path}/secret`, 0);
  try {
    Deno.openSync(`${own.path}/secret`).close();
  } catch (error) {
    if (!(error instanceof Deno.errors.PermissionDenied)) throw error;
    return await runCli(folder, args);
  }
  // Copies of the files that the program needs: the user `nobody` may not enter the
  // original folders.
  copyCli(own.path);
  copy(new URL("imports.npm.json", projectRoot), `${own.path}/imports.npm.json`);
  Deno.mkdirSync(`${own.path}/cache`);
  for (const path of [folder, own.path]) Deno.chmodSync(path, 0o755);
  Deno.chmodSync(`${own.path}/cache`, 0o777);
  const options = {
    source: own.path,
    importMap: `${own.path}/imports.npm.json`,
    env: { DENO_DIR: `${own.path}/cache` },
  };
  try {
    return await runCli(folder, args, { ...options, user: NOBODY });
  } catch (error) {
    if (!(error instanceof Deno.errors.PermissionDenied)) throw error;
    console.log(`skipped: root may read every file, and nobody may not run ${Deno.execPath()}`);
    return undefined;
  }
}

/** Output of a run on a terminal: both streams, and the typed text, as the terminal gets them. */
export interface TerminalRun {
  code: number;
  screen: string;
}

/**
 * Runs a command line on a terminal with `columns` columns, without colour. See
 * {@linkcode NO_TERMINAL}.
 *
 * @param typed Text to type, and the wait before it: milliseconds, or a text that the screen shows.
 * @param options Environment and permissions.
 */
export async function runInTerminal(
  folder: string,
  args: readonly string[],
  columns: number,
  typed: readonly (string | number | RegExp)[] = [],
  options: RunOptions = {},
): Promise<TerminalRun> {
  const quoted = commandLine(args, options).flat().map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(" ");
  const child = new Deno.Command("script", {
    args: ["-qefc", `stty cols ${columns} rows 24; exec ${quoted}`, "/dev/null"],
    cwd: folder,
    env: { NO_COLOR: "1", FORCE_COLOR: "", ...options.env },
    stdin: "piped",
    stdout: "piped",
  }).spawn();
  let screen = "";
  const output = (async () => {
    for await (const text of child.stdout.pipeThrough(new TextDecoderStream())) screen += text;
  })();
  const wait = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));
  let hasEnded = false;
  output.finally(() => hasEnded = true);
  const keyboard = child.stdin.getWriter();
  for (const step of typed) {
    if (typeof step === "string") await keyboard.write(new TextEncoder().encode(step));
    else if (typeof step === "number") await wait(step);
    else while (!hasEnded && !step.test(screen)) await wait(20);
  }
  const { code } = await child.status;
  await keyboard.abort().catch(() => {}); // the terminal may be gone
  await output;
  return { code, screen: screen.replaceAll("\r\n", "\n") };
}

/**
 * Returns the screen of a terminal with `columns` columns after a command line, which runs in this
 * process if possible. Otherwise, standard input ends at once.
 */
export async function screenOf(
  folder: string,
  args: readonly string[],
  columns: number,
  { stdin = "" }: RunOptions = {},
): Promise<TerminalRun> {
  if (!isDeno) return await runInTerminal(folder, args, columns, ["\x04"]);
  const { runInProcess } = await import("./cli_in_process.ts");
  const { code, screen = "" } = await runInProcess(folder, args, { columns, stdin, env: { NO_COLOR: "1" } });
  return { code, screen };
}

/** Replaces the times of a summary with T. */
export function withoutTime(text: string): string {
  return text.replace(/\d+\.\d\d s$/gm, "T s").replace(/"ms":\d+(?:\.\d+)?,/g, '"ms":T,');
}
