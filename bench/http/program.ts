/** The server under load: a process of one of the runtimes, with a cap on its memory. */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import process from "node:process";
import { fileURLToPath } from "node:url";
import type { MemoryCap } from "../support/memory_cap.ts";
import { type Collections, collectionsIn } from "./garbage.ts";

const SERVER = fileURLToPath(new URL("server.ts", import.meta.url));

/** How a runtime runs the server, and is made to tell of its garbage collections. */
interface Runtime {
  name: string;
  command: string[];
  environment?: Record<string, string>;
}

export const RUNTIMES: Runtime[] = [
  { name: "Deno", command: [process.execPath, "run", "--no-config", "--allow-net", "--v8-flags=--trace-gc", SERVER] },
  { name: "Node", command: ["node", "--trace-gc", SERVER] },
  { name: "Bun", command: ["bun", SERVER], environment: { BUN_JSC_logGC: "1" } },
];

/** Whether a runtime is installed. */
export function isPresent({ command: [program] }: Runtime): boolean {
  return runs(program);
}

function runs(program: string): boolean {
  return spawnSync(program, ["--version"], { stdio: "ignore" }).status === 0;
}

/** V8 would keep what it has to tell until it fills a block, and a process that is killed never tells. */
const BY_LINES = runs("stdbuf") ? ["stdbuf", "--output=L"] : [];

/** How often the memory is looked at: its peak is lost with a process that is killed. */
const SAMPLING_MILLISECONDS = 20;

/** A running server. */
export class Program {
  readonly #child: ChildProcess;
  readonly #sampling: ReturnType<typeof setInterval>;
  #said = "";
  #peak: number | undefined = undefined;
  #death: string | undefined = undefined;

  constructor({ command, environment }: Runtime, pipeline: string, cap: MemoryCap) {
    const [program, ...args] = [...cap.prefix, ...BY_LINES, ...command, pipeline];
    const env = { ...process.env, ...environment };
    this.#child = spawn(program, args, { env, stdio: ["ignore", "pipe", "pipe"] });
    for (const stream of [this.#child.stdout!, this.#child.stderr!]) {
      stream.setEncoding("utf8").on("data", (text: string) => this.#said += text);
    }
    this.#sampling = setInterval(() => this.#peak = peakOf(this.#child.pid) ?? this.#peak, SAMPLING_MILLISECONDS);
    this.#child.on("close", (code, signal) => {
      clearInterval(this.#sampling);
      this.#death = signal ?? `exit code ${code}`;
    });
  }

  /** Of what the process ended; `undefined` as long as it lives. */
  get death(): string | undefined {
    return this.#death;
  }

  /** The most bytes that were resident; `undefined` where there is no `/proc`. */
  get peak(): number | undefined {
    return this.#peak;
  }

  /** Where it listens. */
  async address(): Promise<string> {
    for (;;) {
      const [address] = /http:\/\/127\.0\.0\.1:\d+\//.exec(this.#said) ?? [];
      if (address !== undefined) return address;
      if (this.#death !== undefined) throw new Error(`The server did not start:\n${this.#said}`);
      await new Promise((resolve) => setTimeout(resolve, SAMPLING_MILLISECONDS));
    }
  }

  /** The garbage collections since the last time. */
  takeCollections(): Collections {
    const collections = collectionsIn(this.#said);
    this.#said = "";
    return collections;
  }

  async stop(): Promise<void> {
    if (this.#death !== undefined) return;
    const closed = new Promise((resolve) => this.#child.on("close", resolve));
    this.#child.kill("SIGKILL");
    await closed;
  }
}

function peakOf(pid: number | undefined): number | undefined {
  try {
    const [, kibibytes] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "latin1")) ?? [];
    return kibibytes === undefined ? undefined : Number(kibibytes) * 1024;
  } catch {
    return undefined;
  }
}
