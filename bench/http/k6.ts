/**
 * Requests, made by Grafana's k6.
 *
 * @module
 */

import { spawn, spawnSync } from "node:child_process";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";

const MODULE = "go.k6.io/k6@latest";
const SCENARIO = fileURLToPath(new URL("scenario.js", import.meta.url));

/** Load that k6 puts on servers. */
export interface Load {
  /** Addresses of the servers, by pipeline. */
  targets: Record<string, string>;
  /** Path of the file with the body of every request. */
  body: string;
  clients: number;
  /** Number of turns of each server. */
  rounds: number;
  /** Seconds of one turn. */
  turn: number;
}

/** Figures of one server. */
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
 * Returns the name of the program, building it with Go where it is missing, which takes minutes.
 * Returns `undefined` where it cannot be built.
 */
export function findK6(): string | undefined {
  if (runs("k6", ["version"])) return "k6";
  const { status, stdout } = spawnSync("go", ["env", "GOPATH"], { encoding: "utf8" });
  if (status !== 0) return undefined;
  const built = join(process.env.GOBIN || join(stdout.trim(), "bin"), "k6");
  if (runs(built, ["version"])) return built;
  console.error(`Building k6: go install ${MODULE}`);
  return runs("go", ["install", MODULE]) && runs(built, ["version"]) ? built : undefined;
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
