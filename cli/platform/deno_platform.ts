/**
 * The command line in Deno.
 *
 * It avoids the `node:` modules of Deno: loading the first of them takes longer than everything
 * else at start-up (an empty script: 21 → 50 ms).
 */

import { MEASURING_PROCESS, PROGRAM } from "../program.ts";
import type { OutputStream, Platform, ProcessResult, WorkerScope, WorkerThread } from "./interface.ts";
import { MEASURING_MODULE, moduleUrl, WORKER_MODULE } from "./module_url.ts";
import { isGranted, startPlatform } from "./start_platform.ts";

/** Bytes per write to a process's standard input. */
const CHUNK_BYTES = 2 ** 20;

function openToReplace(path: string): (bytes: Uint8Array) => void {
  const file = Deno.openSync(path, { write: true, create: true });
  return (bytes) => {
    // Devices and pipes have no length.
    if (file.statSync().isFile) file.truncateSync();
    for (let written = 0; written < bytes.length;) written += file.writeSync(bytes.subarray(written));
    file.close();
  };
}

function catchGlobalErrors(listener: (error: unknown) => boolean): () => void {
  const onError = (event: ErrorEvent): void => {
    if (listener(event.error)) event.preventDefault();
  };
  addEventListener("error", onError);
  return () => removeEventListener("error", onError);
}

function workerScope(): WorkerScope | undefined {
  if (!("DedicatedWorkerGlobalScope" in globalThis)) return undefined;
  const scope = self as unknown as {
    onmessage: (event: MessageEvent) => void;
    postMessage(message: unknown, buffers: ArrayBuffer[]): void;
  };
  return {
    postMessage: (message, buffers = []) => scope.postMessage(message, buffers),
    listen: (onMessage) => scope.onmessage = ({ data }) => onMessage(data),
  };
}

/** Returns a name by which this program may run itself: not always its path, if compiled. */
function ownProgram(): string {
  const allowed = [Deno.execPath(), "/proc/self/exe"].find((command) => isGranted({ name: "run", command }));
  if (allowed === undefined) {
    const remedy = Deno.build.standalone ? `put it on the PATH as ${PROGRAM}` : "run with --allow-run";
    throw new Error(`needs to run a separate process; ${remedy}`);
  }
  return allowed;
}

async function runMeasuringProcess(args: readonly string[], input: Uint8Array): Promise<ProcessResult> {
  const module = moduleUrl(MEASURING_MODULE).href;
  const own = Deno.build.standalone
    ? [MEASURING_PROCESS]
    : ["run", "--quiet", "--no-prompt", "--no-config", "--no-lock", "--v8-flags=--expose-gc", module];
  const child = new Deno.Command(ownProgram(), {
    args: [...own, ...args],
    stdin: "piped",
    stdout: "piped",
    stderr: "null",
  }).spawn();
  const kill = (): void => child.kill("SIGKILL");
  addEventListener("unload", kill);
  const [, { code, signal, stdout }] = await Promise.all([writeAll(child.stdin, input), child.output()])
    .finally(() => removeEventListener("unload", kill));
  return { code, signal, stdout };
}

/** Writes the bytes. A child that ends before reading them all reports the reason itself. */
async function writeAll(stdin: WritableStream<Uint8Array>, bytes: Uint8Array): Promise<void> {
  const writer = stdin.getWriter();
  try {
    for (let at = 0; at < bytes.length; at += CHUNK_BYTES) await writer.write(bytes.subarray(at, at + CHUNK_BYTES));
    await writer.close();
  } catch (error) {
    if (!(error instanceof Deno.errors.BrokenPipe)) throw error;
  }
}

const { args, variable, exit } = startPlatform;

/** Platform of Deno. In other runtimes its members cannot be used. */
export const denoPlatform: Platform = {
  args,
  variable,
  exit,
  get isWindows(): boolean {
    return Deno.build.os === "windows";
  },
  // Programs that are not compiled have the permissions that the user gave them.
  get hasPermissions(): boolean {
    return Deno.build.standalone;
  },
  giveUp(names): void {
    for (const name of names) Deno.permissions.revokeSync({ name });
  },
  silenceWarnings() {},
  onSignal: (signal, listener) => Deno.addSignalListener(signal, listener),
  // 0.4 ms at first, then 0.03: a timer takes 13 and 2. Fails if nobody reads from a socket.
  yieldToEventLoop: () => Deno.stdout.write(new Uint8Array(0)).catch(() => {}),

  get stdout(): OutputStream {
    return Deno.stdout;
  },
  get stderr(): OutputStream {
    return Deno.stderr;
  },
  isStdinTerminal: () => Deno.stdin.isTerminal(),
  readStdinSync: (buffer) => Deno.stdin.readSync(buffer),
  columns: () => Deno.consoleSize().columns,

  openSource: async (path) =>
    path === "-" ? { read: (buffer) => Deno.stdin.read(buffer), close() {} } : await Deno.open(path),
  openSync(path) {
    const file = Deno.openSync(path);
    return {
      readSync(buffer, position): number | null {
        file.seekSync(position, Deno.SeekMode.Start);
        return file.readSync(buffer);
      },
      statSync: () => file.statSync(),
      close: () => file.close(),
    };
  },
  openToReplace,
  statSync: (path) => Deno.statSync(path),
  readFileSync: (path) => Deno.readFileSync(path),
  readFile: (path) => Deno.readFile(path),
  readDirectorySync: (path) => [...Deno.readDirSync(path)],
  realPathSync: (path) => Deno.realPathSync(path),
  currentDirectory: () => Deno.cwd(),
  mayRead: (path) => isGranted({ name: "read", path }),

  catchGlobalErrors,

  startWorker: (): WorkerThread => new Worker(moduleUrl(WORKER_MODULE), { type: "module" }) as unknown as WorkerThread,
  workerScope,
  runMeasuringProcess,
};
