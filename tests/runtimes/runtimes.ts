/**
 * Runs the tests that any runtime can run in several of them: Deno, Node.js and Bun, each also as
 * its users configure it. Prints the number of checks of each run.
 *
 *     deno task test runtimes [--node PATH]… [--bun PATH] [--only REGEX]
 *
 * Without paths, npx fetches Node.js 22, 24 and 26, and Bun; one that it cannot fetch is skipped.
 * The exit code is 1 if a check failed.
 *
 * @module
 */

import { parseArgs } from "@std/cli/parse-args";
import { run } from "../support/environment.ts";

/** Run of a program: a runtime with its flags, and the fewest checks that it must make. */
interface Run {
  name: string;
  command: string[];
  program: string[];
  checks: number;
}

const SMOKE = "tests/processes/smoke.ts";
const PROTOTYPES = "tests/processes/check_prototypes.ts";
const FAULTS = "tests/processes/check_faults.ts";
const LOAD = "tests/processes/check_tampered_load.ts";

const NO_CODE = "--disallow-code-generation-from-strings";

/** Milliseconds after which npm has failed to fetch a runtime. */
const FETCH_TIMEOUT = 300_000;

const flags = parseArgs(Deno.args, {
  string: ["node", "bun", "only"],
  collect: ["node"],
  default: { bun: "", only: "" },
});
const nodes = flags.node.length > 0
  ? flags.node.map((path: string) => [path])
  : [22, 24, 26].map((n) => ["npx", "-y", `node@${n}`]);
const bun = flags.bun === "" ? ["npx", "-y", "bun@1.4.5"] : [flags.bun];

/**
 * Returns a runtime's version; `undefined`, after printing that it is skipped, if npm cannot fetch
 * it or it cannot run TypeScript.
 */
async function versionOf(command: string[]): Promise<string | undefined> {
  const { output } = await run(command[0], [...command.slice(1), "--version"], {}, FETCH_TIMEOUT);
  const version = /^v?(\d+\.\d+\.\d+)$/m.exec(output)?.[1];
  if (version === undefined) {
    console.log(`skipped: ${command.join(" ")} does not run: ${output.trim().split("\n").at(-1)}`);
  }
  return version;
}

function runsOf(name: string, command: string[], programs: [program: string[], checks: number][]): Run[] {
  return programs.map(([program, checks]) => ({ name, command, program, checks }));
}

const runs: Run[] = [];
const deno = [Deno.execPath(), "run", "--no-config", "--quiet"];
const denoName = `Deno ${Deno.version.deno}`;
const both: [string[], number][] = [[[SMOKE], 40], [[PROTOTYPES], 750]];
runs.push(
  ...runsOf(denoName, deno, [...both, [[FAULTS, "throw"], 900], [[FAULTS, "lie"], 400]]),
  ...runsOf(`${denoName}, --unstable-unsafe-proto`, [...deno, "--unstable-unsafe-proto"], both),
  ...runsOf(`${denoName}, ${NO_CODE}`, [...deno, `--v8-flags=${NO_CODE}`], both),
);
for (const node of nodes) {
  const version = await versionOf(node);
  if (version === undefined) continue;
  const name = `Node.js ${version}`;
  const kinds = ["setters", "read-only names", "indexes"].map((kind): [string[], number] => [[LOAD, kind], 25]);
  runs.push(
    ...runsOf(name, node, [...both, ...kinds, [[FAULTS, "throw"], 900], [[FAULTS, "lie"], 400]]),
    ...runsOf(`${name}, ${NO_CODE}`, [...node, NO_CODE], both),
  );
}
const bunVersion = await versionOf(bun);
if (bunVersion !== undefined) runs.push(...runsOf(`Bun ${bunVersion}`, bun, both));

const only = new RegExp(flags.only);
let failures = 0;
let total = 0;
console.log("| runtime | program | checks | failed |\n| --- | --- | ---: | ---: |");
for (const { name, command, program, checks: atLeast } of runs) {
  if (!only.test(`${name} ${program}`)) continue;
  const { success, output } = await run(command[0], [...command.slice(1), ...program]);
  const [, checks = "0", failed = "?"] = /^(\d+) checks, (\d+) failed$/m.exec(output) ?? [];
  const isRight = success && failed === "0" && Number(checks) >= atLeast;
  console.log(`| ${name} | ${program.join(" ").replace("tests/processes/", "")} | ${checks} | ${failed} |`);
  total += Number(checks);
  if (isRight) continue;
  failures++;
  console.log(output);
}
console.log(`${total} checks in ${runs.length} runs, ${failures} runs failed`);
if (failures > 0) Deno.exit(1);
