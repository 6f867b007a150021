/**
 * Runs the tests of the command line with the command line in several runtimes: Deno, and its
 * bundle in Node.js and Bun. Prints the failures, and a table with the numbers of tests.
 *
 *     deno task test cli-runtimes [--node PATH|VERSION]… [--bun PATH] [--only REGEX] [FILE…]
 *
 * Without paths, npx fetches Node.js 22, 24 and 26, and Bun; one that it cannot fetch is skipped.
 * The exit code is 1 if a test failed.
 */

import { bundleCli } from "../../tools/executables.ts";
import { TEST } from "../../tools/tasks.ts";
import { run } from "../support/environment.ts";
import { findRuntimes, readRuntimeOptions } from "../support/runtime_commands.ts";

const { runtimes, only, rest } = readRuntimeOptions(Deno.args);
// A pattern for another kind of runtime need not wait for this one.
const found = await findRuntimes(runtimes.filter(({ kind, name }) => only.test(kind) || only.test(name)));
const programs = [
  { name: `Deno ${Deno.version.deno}`, program: "deno" },
  ...found.map(({ kind, version, path }) => ({ name: `${kind} ${version}`, program: path })),
];

const files = rest.length > 0 ? rest : ["tests/cli"];
const folder = Deno.makeTempDirSync();
let failures = 0;
const table = ["| command line in | passed | failed | skipped |", "| --- | ---: | ---: | ---: |"];
try {
  const bundled = bundleCli(folder);
  Deno.chmodSync(folder, 0o755); // other users run it, too
  for (const { name, program } of programs) {
    if (!only.test(name)) continue;
    const env = { BYTEJSON_CLI_RUNTIME: program, BYTEJSON_CLI_PROGRAM: bundled, NO_COLOR: "1" };
    const { success, output } = await run(Deno.execPath(), [...TEST, "--parallel", "--no-check", ...files], env);
    const [, passed = "0", steps = "0", failed = "?"] =
      /^(?:ok|FAILED) \| (\d+) passed(?: \((\d+) steps?\))? \| (\d+) failed/m.exec(output) ?? [];
    const skipped = output.match(/(?<=\()skipped: .*(?=\) \.\.\. ignored)|^skipped: .*/gm) ?? [];
    table.push(`| ${name} | ${Number(passed) + Number(steps)} | ${failed} | ${skipped.length} |`);
    for (const reason of new Set(skipped)) console.log(`${name}: ${reason}`);
    if (success) continue;
    failures++;
    console.log(`${name}:\n${output.slice(Math.max(0, output.indexOf("\n ERRORS")))}`);
  }
} finally {
  Deno.removeSync(folder, { recursive: true });
}
console.log(table.join("\n"));
if (failures > 0) Deno.exit(1);
