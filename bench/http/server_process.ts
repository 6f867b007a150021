/**
 * Servers under load: processes of each runtime, with a cap on their memory.
 *
 * @module
 */

import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { statusField } from "../../measure/process_memory.ts";
import type { MemoryCap } from "../support/memory_cap.ts";
import { type Collections, collectionsIn } from "./gc_trace.ts";

const SERVER = fileURLToPath(new URL("server.ts", import.meta.url));

/** Runtime with the command that runs the server and traces garbage collections. */
export interface Runtime {
  name: string;
  command: string[];
  environment?: Record<string, string>;
}

/** Runtimes to measure. */
export const RUNTIMES: Runtime[] = [
  { name: "Deno", command: [process.execPath, "run", "--no-config", "--allow-net", "--v8-flags=--trace-gc", SERVER] },
  { name: "Node.js", command: ["node", "--trace-gc", SERVER] },
  { name: "Bun", command: ["bun", SERVER], environment: { BUN_JSC_logGC: "1" } },
];

/** Returns the version of a runtime; `undefined` if it is not installed. */
export function versionOf({ command: [program] }: Runtime): string | undefined {
  const { stdout } = spawnSync(program, ["--version"], { encoding: "utf8" });
  return /\d+\.\d+\.\d+/.exec(stdout ?? "")?.[0];
}

function runs(program: string): boolean {
  return spawnSync(program, ["--version"], { stdio: "ignore" }).status === 0;
}

/** Command that makes V8 write its trace line by line: the buffer of a killed process is lost. */
const BY_LINES = runs("stdbuf") ? ["stdbuf", "--output=L"] : [];

/** Interval of samples of the peak, since the peak is lost with a process that is killed. */
const SAMPLING_MS = 20;

/** Server that runs in a process of its own. */
export class ServerProcess {
  readonly #child: ChildProcess;
  readonly #sampling: ReturnType<typeof setInterval>;
  #output = "";
  #peak: number | undefined = undefined;
  #death: string | undefined = undefined;

  /** Starts a server that handles bodies by a pipeline. */
  constructor({ command, environment }: Runtime, pipeline: string, cap: MemoryCap) {
    const [program, ...args] = [...cap.prefix, ...BY_LINES, ...command, pipeline];
    const env = { ...process.env, ...environment };
    this.#child = spawn(program, args, { env, stdio: ["ignore", "pipe", "pipe"] });
    for (const stream of [this.#child.stdout!, this.#child.stderr!]) {
      stream.setEncoding("utf8").on("data", (text: string) => this.#output += text);
    }
    this.#sampling = setInterval(
      () => this.#peak = statusField("VmHWM", this.#child.pid ?? 0) ?? this.#peak,
      SAMPLING_MS,
    );
    this.#child.on("close", (code, signal) => {
      clearInterval(this.#sampling);
      this.#death = signal ?? `exit code ${code}`;
    });
  }

  /** Signal or exit code that the process ended with; `undefined` while it runs. */
  get death(): string | undefined {
    return this.#death;
  }

  /** Peak resident set in bytes; `undefined` where there is no `/proc`. */
  get peak(): number | undefined {
    return this.#peak;
  }

  /** Resolves with the address that the server listens at. */
  async address(): Promise<string> {
    for (;;) {
      const [address] = /http:\/\/127\.0\.0\.1:\d+\//.exec(this.#output) ?? [];
      if (address !== undefined) return address;
      if (this.#death !== undefined) throw new Error(`Cannot start the server:\n${this.#output}`);
      await new Promise((resolve) => setTimeout(resolve, SAMPLING_MS));
    }
  }

  /** Returns the garbage collections since the last call. */
  takeCollections(): Collections {
    const collections = collectionsIn(this.#output);
    this.#output = "";
    return collections;
  }

  /** Ends the process. */
  async stop(): Promise<void> {
    if (this.#death !== undefined) return;
    const closed = new Promise((resolve) => this.#child.on("close", resolve));
    this.#child.kill("SIGKILL");
    await closed;
  }
}
