/** Servers under load: processes with a cap on their memory, and requests made by Grafana's k6. */

import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { statusField } from "../../measure/process_memory.ts";
import { commandOf, outputOf, type Runtime } from "../support/runtimes.ts";

const MODULE = "go.k6.io/k6@latest";
const SCENARIO = fileURLToPath(new URL("scenario.js", import.meta.url));

export interface Load {
  targets: Record<string, string>;
  /** Path of the file with the body of every request. */
  body: string;
  clients: number;
  rounds: number;
  /** Seconds of one turn. */
  turn: number;
}

export interface Figures {
  /** Median of the durations of requests. */
  milliseconds: { med: number };
  requests: number;
  /** Number of requests without an answer, or with an answer that is not a success. */
  failed: number;
  /** Seconds during which clients sent requests. */
  seconds: number;
}

/**
 * Returns the name of the program, building it with Go if it is missing, which takes minutes.
 * Throws if it cannot be built.
 */
export function findK6(): string {
  if (runs("k6", ["version"])) return "k6";
  const goPath = outputOf(["go", "env", "GOPATH"]);
  const built = goPath === undefined ? "k6" : join(process.env.GOBIN || join(goPath, "bin"), "k6");
  if (goPath !== undefined && !runs(built, ["version"])) {
    console.error(`Building k6: go install ${MODULE}`);
    runs("go", ["install", MODULE]);
  }
  if (runs(built, ["version"])) return built;
  throw new Error("Cannot send requests: neither k6 nor Go to build it is on the PATH: https://grafana.com/docs/k6");
}

function runs(program: string, args: string[]): boolean {
  return spawnSync(program, args, { stdio: ["ignore", "ignore", "inherit"] }).status === 0;
}

/** Sends requests. Resolves with the figures by pipeline. */
export async function putUnderLoad(
  k6: string,
  { targets, body, clients, rounds, turn }: Load,
): Promise<Record<string, Figures>> {
  const settings = { TARGETS: JSON.stringify(targets), BODY: body, VUS: clients, ROUNDS: rounds, TURN: turn };
  const flags = Object.entries(settings).flatMap(([name, value]) => ["--env", `${name}=${value}`]);
  const child = spawn(k6, ["run", "--quiet", "--no-usage-report", ...flags, SCENARIO], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  let errors = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => output += text);
  child.stderr.setEncoding("utf8").on("data", (text: string) => errors += text);
  await new Promise((resolve) => child.on("close", resolve));
  if (output === "") throw new Error(`Cannot send requests: k6 failed\n${errors}`);
  return JSON.parse(output) as Record<string, Figures>;
}

/** Versions of control groups: root folder, file of the cap, and line of this process's group. */
const GROUPS = [
  ["/sys/fs/cgroup/memory", "memory.limit_in_bytes", /^\d+:(?:.*,)?memory(?:,.*)?:(.+)$/m],
  ["/sys/fs/cgroup", "memory.max", /^0::(.+)$/m],
] as const;
/** Shell script that enters the control group `$0`, then becomes the program. */
const ENTER = 'echo $$ > "$0/cgroup.procs" && exec "$@"';

let groups = 0;

/**
 * Creates a control group with a cap on memory inside that of this process. Returns its folder;
 * `undefined` if that fails.
 */
function capMemory(bytes: number): string | undefined {
  for (const [root, file, own] of GROUPS) {
    try {
      const folder = join(
        root,
        own.exec(readFileSync("/proc/self/cgroup", "latin1"))![1],
        `bytejson-${process.pid}-${groups++}`,
      );
      mkdirSync(folder);
      if (existsSync(join(folder, file))) { // in any other file system the new folder stays empty
        writeFileSync(join(folder, file), String(bytes));
        return folder;
      }
      rmdirSync(folder);
    } catch {
      // no control group of this version that this process may change
    }
  }
  console.error("The memory of servers is not capped: this process may not change any control group");
  return undefined;
}

/** Interval of samples of the peak, since the peak is lost with a process that is killed. */
const SAMPLING_MS = 20;

export class ServerProcess {
  readonly #child: ChildProcess;
  readonly #sampling: ReturnType<typeof setInterval>;
  readonly #group: string | undefined;
  #output = "";
  /** Signal or exit code that the process ended with; `undefined` while it runs. */
  death: string | undefined = undefined;
  /** Peak resident set in bytes; `undefined` if there is no `/proc`. */
  peak: number | undefined = undefined;

  /** Starts a server that handles bodies by a pipeline, with a cap on its memory unless that is 0. */
  constructor(runtime: Runtime, pipeline: string, cap: number) {
    this.#group = cap > 0 ? capMemory(cap) : undefined;
    const prefix = this.#group === undefined ? [] : ["sh", "-c", ENTER, this.#group];
    const [program, ...args] = [...prefix, ...commandOf("bench/http/server.ts", runtime), pipeline];
    this.#child = spawn(program, args, { stdio: ["ignore", "pipe", "pipe"] });
    for (const stream of [this.#child.stdout!, this.#child.stderr!]) {
      stream.setEncoding("utf8").on("data", (text: string) => this.#output += text);
    }
    this.#sampling = setInterval(
      () => this.peak = statusField("VmHWM", this.#child.pid ?? 0) ?? this.peak,
      SAMPLING_MS,
    );
    this.#child.on("close", (code, signal) => {
      clearInterval(this.#sampling);
      this.death = signal ?? `exit code ${code}`;
    });
  }

  async address(): Promise<string> {
    for (;;) {
      const [address] = /http:\/\/127\.0\.0\.1:\d+\//.exec(this.#output) ?? [];
      if (address !== undefined) return address;
      if (this.death !== undefined) throw new Error(`Cannot start the server:\n${this.#output}`);
      await new Promise((resolve) => setTimeout(resolve, SAMPLING_MS));
    }
  }

  async stop(): Promise<void> {
    if (this.death === undefined) {
      const closed = new Promise((resolve) => this.#child.on("close", resolve));
      this.#child.kill("SIGKILL");
      await closed;
    }
    if (this.#group !== undefined) rmdirSync(this.#group);
  }
}
