/**
 * Runs the tests that any runtime can run in several of them: Deno, Node.js and Bun, each also as
 * its users configure it. Prints the number of checks of each run.
 *
 *     deno task test runtimes [--node PATH|VERSION]… [--bun PATH] [--only REGEX]
 *
 * Without paths, npx fetches Node.js 22, 24 and 26, and Bun; one that it cannot fetch is skipped.
 * The exit code is 1 if a check failed.
 */

import { run } from "../support/environment.ts";
import { findRuntimes, readRuntimeOptions } from "../support/runtime_commands.ts";
import { sideBySide } from "../support/side_by_side.ts";

/** Run of a program: a runtime with its flags, and the fewest checks that it must make. */
interface Run {
  name: string;
  command: string[];
  program: string[];
  checks: number;
}

const SMOKE = "tests/processes/smoke.ts";
const PROTOTYPES = "tests/processes/check_prototypes.ts";
const LOAD = "tests/processes/check_tampered_load.ts";

const NO_CODE = "--disallow-code-generation-from-strings";

function runsOf(name: string, command: string[], programs: [program: string[], checks: number][]): Run[] {
  return programs.map(([program, checks]) => ({ name, command, program, checks }));
}

const runs: Run[] = [];
const deno = [Deno.execPath(), "run", "--no-config", "--quiet"];
const denoName = `Deno ${Deno.version.deno}`;
const both: [string[], number][] = [[[SMOKE], 40], [[PROTOTYPES], 750]];
runs.push(
  ...runsOf(denoName, deno, both),
  ...runsOf(`${denoName}, --unstable-unsafe-proto`, [...deno, "--unstable-unsafe-proto"], both),
  ...runsOf(`${denoName}, ${NO_CODE}`, [...deno, `--v8-flags=${NO_CODE}`], both),
);
const { runtimes, only } = readRuntimeOptions(Deno.args);
for (const { kind, version, path } of await findRuntimes(runtimes)) {
  const name = `${kind} ${version}`;
  if (kind === "Bun") {
    runs.push(...runsOf(name, [path], both));
    continue;
  }
  const kinds = ["setters", "read-only names", "indexes", "other names"].map((
    kind,
  ): [string[], number] => [[LOAD, kind], 25]);
  runs.push(
    ...runsOf(name, [path], [...both, ...kinds]),
    ...runsOf(`${name}, ${NO_CODE}`, [path, NO_CODE], both),
  );
}

const chosen = runs.filter(({ name, program }) => only.test(`${name} ${program}`));
const outcomes = sideBySide(
  chosen.map(({ command, program }) => () => run(command[0], [...command.slice(1), ...program])),
  navigator.hardwareConcurrency,
);
let failures = 0;
let total = 0;
console.log("| runtime | program | checks | failed |\n| --- | --- | ---: | ---: |");
for (const [i, { name, program, checks: atLeast }] of chosen.entries()) {
  const { success, output } = await outcomes[i];
  const [, checks = "0", failed = "?"] = /^(\d+) checks, (\d+) failed$/m.exec(output) ?? [];
  console.log(`| ${name} | ${program.join(" ").replace("tests/processes/", "")} | ${checks} | ${failed} |`);
  total += Number(checks);
  if (success && failed === "0" && Number(checks) >= atLeast) continue;
  failures++;
  console.log(output);
}
console.log(`${total} checks in ${chosen.length} runs, ${failures} runs failed`);
if (failures > 0) Deno.exit(1);
