/** Threads and processes in Node.js and Bun. */

import process from "node:process";
import { MEASURING_PROCESS } from "../program.ts";
import type { ProcessResult, WorkerScope, WorkerThread } from "./interface.ts";
import { MEASURING_MODULE, moduleUrl, WORKER_MODULE } from "./module_url.ts";
import { embeddedWorker, load } from "./node_builtins.ts";

/** First message of a thread: its modules are loaded. */
const READY = "ready";

export function startWorker(): WorkerThread {
  const worker = new (load("node:worker_threads").Worker)(embeddedWorker() ?? moduleUrl(WORKER_MODULE));
  let setReady = (): void => {};
  const isReady = new Promise<void>((resolve) => setReady = resolve);
  const thread: WorkerThread = {
    onmessage: null,
    onerror: null,
    postMessage: (message, buffers) => worker.postMessage(message, buffers),
    async terminate(): Promise<void> {
      // Node.js 26 sometimes crashes if it ends a thread that is still loading modules.
      await isReady;
      await worker.terminate();
    },
  };
  worker.on("message", (data) => data === READY ? setReady() : thread.onmessage?.({ data }));
  worker.on("exit", setReady);
  worker.on("error", (error) => thread.onerror?.({ message: String(error), preventDefault() {} }));
  return thread;
}

export function workerScope(): WorkerScope | undefined {
  const { isMainThread, parentPort: port } = load("node:worker_threads");
  if (isMainThread || port === null) return undefined;
  return {
    postMessage: (message, buffers = []) => port.postMessage(message, buffers),
    listen(onMessage): void {
      port.on("message", onMessage);
      port.postMessage(READY);
    },
  };
}

export function runMeasuringProcess(args: readonly string[], input: Uint8Array): Promise<ProcessResult> {
  const own = embeddedWorker() === undefined
    ? ["--expose-gc", load("node:url").fileURLToPath(moduleUrl(MEASURING_MODULE))]
    : [MEASURING_PROCESS];
  const child = load("node:child_process").spawn(process.execPath, [...own, ...args], {
    stdio: ["pipe", "pipe", "ignore"],
  });
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
