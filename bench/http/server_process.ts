/**
 * Server under load: a process with a cap on its memory.
 *
 * @module
 */

import { type ChildProcess, spawn } from "node:child_process";
import { statusField } from "../../measure/process_memory.ts";
import type { MemoryCap } from "../support/memory_cap.ts";
import { commandOf, type Runtime } from "../support/runtimes.ts";

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
  constructor(runtime: Runtime, pipeline: string, cap: MemoryCap) {
    const [program, ...args] = [...cap.prefix, ...commandOf("bench/http/server.ts", runtime), pipeline];
    this.#child = spawn(program, args, { stdio: ["ignore", "pipe", "pipe"] });
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

  /** Ends the process. */
  async stop(): Promise<void> {
    if (this.#death !== undefined) return;
    const closed = new Promise((resolve) => this.#child.on("close", resolve));
    this.#child.kill("SIGKILL");
    await closed;
  }
}
