/** Grafana's k6, which makes the requests. */
import { spawn, spawnSync } from "node:child_process";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";

const MODULE = "go.k6.io/k6@latest";
const SCENARIO = fileURLToPath(new URL("scenario.js", import.meta.url));

/** What {@linkcode attack} is told. */
export interface Attack {
  /** The servers' addresses by pipeline. */
  targets: Record<string, string>;
  /** The file with the body of every request. */
  body: string;
  clients: number;
  /** How often each server has its turn. */
  rounds: number;
  /** Seconds of a turn. */
  turn: number;
}

/** How the durations of requests, in milliseconds, are summed up. */
export const TRENDS = ["avg", "min", "med", "max", "p(90)", "p(95)"] as const;

/** What k6 found of one server. */
export interface Figures {
  milliseconds: Record<typeof TRENDS[number], number>;
  requests: number;
  /** How many of them had no answer, or one that is no success. */
  failed: number;
  /** How long clients were at it. */
  seconds: number;
}

/** The program's name; where it is not at hand it is built, which takes minutes. `undefined` where it cannot be. */
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

/** Has k6 send requests; the figures by pipeline. */
export async function attack(
  k6: string,
  { targets, body, clients, rounds, turn }: Attack,
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
  if (output === "") throw new Error(`k6 failed:\n${errors}`);
  return JSON.parse(output) as Record<string, Figures>;
}
