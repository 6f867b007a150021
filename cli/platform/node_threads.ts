/**
 * Threads and processes in Node.js and Bun.
 *
 * @module
 */

import process from "node:process";
import { MEASURING_PROCESS } from "../program.ts";
import type { ProcessResult, WorkerScope, WorkerThread } from "./interface.ts";
import { MEASURING_MODULE, moduleUrl, WORKER_MODULE } from "./module_url.ts";
import { childProcess, embedded, threads, url } from "./node_builtins.ts";

/** Starts a thread of `check`. */
export function startWorker(): WorkerThread {
  const worker = new (threads().Worker)(embedded()?.workerUrl() ?? moduleUrl(WORKER_MODULE));
  const thread: WorkerThread = {
    onmessage: null,
    onerror: null,
    postMessage: (message) => worker.postMessage(message),
    terminate: async () => void await worker.terminate(),
  };
  worker.on("message", (data) => thread.onmessage?.({ data }));
  worker.on("error", (error) => thread.onerror?.({ message: String(error), preventDefault() {} }));
  return thread;
}

/** Returns the other side, in such a thread. */
export function workerScope(): WorkerScope | undefined {
  const { isMainThread, parentPort: port } = threads();
  if (isMainThread || port === null) return undefined;
  return {
    postMessage: (message) => port.postMessage(message),
    listen: (onMessage) => void port.on("message", onMessage),
  };
}

/** Runs the measuring process of `bench` with bytes on its standard input. */
export function runMeasuringProcess(args: readonly string[], input: Uint8Array): Promise<ProcessResult> {
  const own = embedded() === undefined
    ? ["--expose-gc", url().fileURLToPath(moduleUrl(MEASURING_MODULE))]
    : [MEASURING_PROCESS];
  const child = childProcess().spawn(process.execPath, [...own, ...args], { stdio: ["pipe", "pipe", "ignore"] });
  const kill = (): void => void child.kill("SIGKILL");
  process.on("exit", kill);
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  child.stdout.on("data", (piece: Uint8Array<ArrayBuffer>) => pieces.push(piece));
  // A child that ends before it has read them reports the reason by its exit code.
  child.stdin.on("error", () => {});
  child.stdin.end(input);
  return new Promise<ProcessResult>((resolve, reject) => {
    child.on("error", reject);
    child.on("close", async (code, signal) => {
      resolve({ code, signal, stdout: new Uint8Array(await new Blob(pieces).arrayBuffer()) });
    });
  }).finally(() => process.off("exit", kill));
}
