/** Runtimes for whole suites: at given paths, or fetched by `npx`. */

import { parseArgs } from "@std/cli/parse-args";
import { run } from "./environment.ts";

/** Versions of Node.js that the package supports. */
export const NODE_VERSIONS = ["22", "24", "26"];

/** Package of npm with Bun. */
export const BUN = "bun@1.4.5";

/** Milliseconds after which fetching a runtime counts as failed. */
const FETCH_TIMEOUT = 300_000;

/** Expression of the path of a runtime, and its version. */
const SELF = "console.log(process.execPath + '\\n' + (process.versions.bun ?? process.versions.node))";

export interface RuntimeCommand {
  kind: "Node.js" | "Bun";
  /** Kind, and the requested version, unless a path decides it. */
  name: string;
  command: string[];
}

export interface FoundRuntime extends RuntimeCommand {
  path: string;
  version: string;
}

/** Options of a task that runs in several runtimes. */
export interface RuntimeOptions {
  runtimes: RuntimeCommand[];
  /** Pattern of what to run. */
  only: RegExp;
  /** Arguments that are not options. */
  rest: string[];
}

/**
 * Reads the options `--node PATH` or `--node VERSION`, several times, `--bun PATH` and
 * `--only REGEX`.
 */
export function readRuntimeOptions(args: string[]): RuntimeOptions {
  const flags = parseArgs(args, {
    string: ["node", "bun", "only"],
    collect: ["node"],
    default: { bun: "", only: "" },
  });
  const paths = flags.node as string[];
  const nodes = paths.length > 0
    ? paths.map((path): RuntimeCommand => {
      return /^\d+$/.test(path) ? nodeOf(path) : { kind: "Node.js", name: "Node.js", command: [path] };
    })
    : NODE_VERSIONS.map(nodeOf);
  const bun = flags.bun === "" ? bunOfNpm : { ...bunOfNpm, command: [flags.bun] };
  return { runtimes: [...nodes, bun], only: new RegExp(flags.only), rest: flags._.map(String) };
}

/** Returns the command of a version of Node.js from npm. */
export function nodeOf(version: string): RuntimeCommand {
  return { kind: "Node.js", name: `Node.js ${version}`, command: ["npx", "-y", `node@${version}`] };
}

export const bunOfNpm: RuntimeCommand = { kind: "Bun", name: "Bun", command: ["npx", "-y", BUN] };

/**
 * Finds the path and the version of a runtime; `undefined`, after printing that it is skipped, if
 * it does not run or npm cannot fetch it.
 */
export async function findRuntime(runtime: RuntimeCommand): Promise<FoundRuntime | undefined> {
  const [program, ...args] = runtime.command;
  const { output } = await run(program, [...args, "-e", SELF], {}, FETCH_TIMEOUT);
  // npm may print something, too.
  const [, path, version] = /^((?:\/|\w:\\).*)\n(\d+\.\d+\.\d+)$/m.exec(output) ?? [];
  if (path !== undefined) return { ...runtime, path, version };
  console.log(`skipped: ${runtime.command.join(" ")} does not run: ${output.trim().split("\n").at(-1)}`);
}

/** Finds runtimes in parallel. Leaves out those that are skipped. */
export async function findRuntimes(runtimes: RuntimeCommand[]): Promise<FoundRuntime[]> {
  return (await Promise.all(runtimes.map(findRuntime))).filter((runtime) => runtime !== undefined);
}
