/** Runs the command line in this process, with the files of a folder and streams in memory. */

import { main } from "../../cli.ts";
import { checkQuickly } from "../../cli/check/quick_check.ts";
import type { OutputStream, Platform } from "../../cli/platform/interface.ts";
import { platform } from "../../cli/platform/platform.ts";
import { type StartPlatform, startPlatform } from "../../cli/platform/start_platform.ts";

/** Output and exit code of a run. */
export interface Run {
  code: number;
  stdout: string;
  stderr: string;
  /** Both streams, as a terminal shows them. */
  screen?: string;
}

export interface InProcessOptions {
  /** Standard input; empty if absent. */
  stdin?: string | Uint8Array;
  env?: Record<string, string>;
  /** Device for standard output: `/dev/full`, or in a process any file. */
  stdoutFile?: string;
  /** Whether standard output has no reader. */
  isStdoutClosed?: boolean;
  /** Maximum bytes per read of standard input; in a process, the pipe decides. */
  pieceBytes?: number;
  /** Milliseconds that a write to standard output takes, in this process. */
  writeDelay?: number;
  /** Columns of the terminal; there is no terminal if absent. */
  columns?: number;
}

/** Bytes that a pipe holds. */
const PIPE_BYTES = 2 ** 16;

/** Resolves once the previous run has ended, since all runs share the platform. */
let before: Promise<unknown> = Promise.resolve();

/** Runs a command line in a folder, after those before it. */
export function runInProcess(folder: string, args: readonly string[], options: InProcessOptions): Promise<Run> {
  const run = before.then(() => runNow(folder, args, options));
  before = run.catch(() => {});
  return run;
}

async function runNow(folder: string, args: readonly string[], options: InProcessOptions): Promise<Run> {
  const { stdin = "", env = {}, stdoutFile, isStdoutClosed = false, columns } = options;
  const { pieceBytes = PIPE_BYTES, writeDelay = 0 } = options;
  const written: Record<"stdout" | "stderr" | "screen", Uint8Array[]> = { stdout: [], stderr: [], screen: [] };
  const streamOf = (name: "stdout" | "stderr"): OutputStream => {
    const writeSync = (bytes: Uint8Array): number => {
      if (name === "stdout" && isStdoutClosed) throw new Deno.errors.BrokenPipe();
      // Deno opens this device only with all permissions.
      if (name === "stdout" && stdoutFile === "/dev/full") throw new Error("No space left on device (os error 28)");
      written[name].push(bytes.slice());
      if (isTerminal()) written.screen.push(bytes.slice());
      return bytes.length;
    };
    const isTerminal = (): boolean => columns !== undefined && (name === "stderr" || stdoutFile === undefined);
    return {
      isTerminal,
      writeSync,
      async write(bytes): Promise<number> {
        if (writeDelay > 0) await new Promise((resolve) => setTimeout(resolve, writeDelay));
        return await Promise.resolve(writeSync(bytes));
      },
    };
  };
  const [stdout, stderr] = [streamOf("stdout"), streamOf("stderr")];
  const input = typeof stdin === "string" ? new TextEncoder().encode(stdin) : stdin;
  let at = 0;
  const readStdinSync = (buffer: Uint8Array): number | null => {
    const piece = input.subarray(at, at + Math.min(buffer.length, pieceBytes));
    buffer.set(piece);
    at += piece.length;
    return piece.length || null;
  };
  const variable = (name: string): string | undefined => ({ NO_COLOR: "", FORCE_COLOR: "", ...env })[name];
  const pathOf = (path: string): string => path.startsWith("/") ? path : `${folder}/${path}`;
  const original = { ...platform };
  const ofFolder: Partial<Platform> = {
    variable,
    stdout,
    stderr,
    isStdinTerminal: () => columns !== undefined,
    readStdinSync,
    columns: () => columns ?? 0,
    openSource: async (path) =>
      path === "-"
        ? { read: (buffer) => Promise.resolve(readStdinSync(buffer)), close() {} }
        : await original.openSource(pathOf(path)),
    openSync: (path) => original.openSync(pathOf(path)),
    openToReplace: (path) => original.openToReplace(pathOf(path)),
    statSync: (path) => original.statSync(pathOf(path)),
    readFileSync: (path) => original.readFileSync(pathOf(path)),
    readFile: (path) => original.readFile(pathOf(path)),
    readDirectorySync: (path) => original.readDirectorySync(pathOf(path)),
    realPathSync: (path) => original.realPathSync(pathOf(path)),
    currentDirectory: () => original.realPathSync(folder),
    mayRead: (path) => original.mayRead(pathOf(path)),
  };
  const { readSmallFile } = startPlatform;
  const start: Partial<StartPlatform> = {
    variable,
    readSmallFile: (path, most) => readSmallFile(pathOf(path), most),
    isErrorTerminal: stderr.isTerminal,
    writeError: (text) => void stderr.writeSync(new TextEncoder().encode(text)),
  };
  const restore = [replace(platform, ofFolder), replace(startPlatform, start)];
  try {
    const code = await checkQuickly(args) ?? await main(args);
    const [out, error, screen] = [written.stdout, written.stderr, written.screen].map(textOf);
    return { code, stdout: out, stderr: error, ...columns !== undefined && { screen } };
  } finally {
    for (const undo of restore) undo();
  }
}

/** Replaces members of an object. Returns a function that restores them. */
function replace<T extends object>(target: T, members: Partial<T>): () => void {
  const own = Object.getOwnPropertyDescriptors(target);
  for (const [name, value] of Object.entries(members)) {
    Object.defineProperty(target, name, { value, configurable: true, enumerable: true });
  }
  return () => void Object.defineProperties(target, own);
}

function textOf(pieces: readonly Uint8Array[]): string {
  const decoder = new TextDecoder();
  return pieces.map((piece) => decoder.decode(piece, { stream: true })).join("") + decoder.decode();
}
