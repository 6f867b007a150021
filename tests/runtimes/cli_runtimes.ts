/**
 * Runs the tests of the command line with the command line in several runtimes: Deno, and its
 * bundle in Node.js and Bun. Prints the failures, and a table with the numbers of tests.
 *
 *     deno task test cli-runtimes [--node PATH]… [--bun PATH] [--only REGEX] [FILE…]
 *
 * Without paths, npx fetches Node.js 22, 24 and 26, and Bun; one that it cannot fetch is skipped.
 * The exit code is 1 if a test failed.
 *
 * @module
 */

import { parseArgs } from "@std/cli/parse-args";
import { bundleCli } from "../../tools/bundle_cli.ts";
import { run } from "../support/environment.ts";

/** Runtime of the command line. */
interface Runtime {
  name: string;
  program: string;
}

/** Milliseconds after which npm has failed to fetch a runtime. */
const FETCH_TIMEOUT = 300_000;

/** Expression of the path of a runtime, and its version. */
const SELF = "console.log(process.execPath + '\\n' + (process.versions.bun ?? process.versions.node))";

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
 * Finds the program of a command; `undefined`, after printing that it is skipped, if it does not
 * run.
 */
async function find(kind: string, command: string[]): Promise<Runtime | undefined> {
  const { output } = await run(command[0], [...command.slice(1), "-e", SELF], {}, FETCH_TIMEOUT);
  // npm may print messages of its own, too.
  const [, program, version] = /^((?:\/|\w:\\).*)\n(\d+\.\d+\.\d+)$/m.exec(output) ?? [];
  if (program !== undefined) return { name: `${kind} ${version}`, program };
  console.log(`skipped: ${command.join(" ")} does not run: ${output.trim().split("\n").at(-1)}`);
}

const only = new RegExp(flags.only);
const runtimes: Runtime[] = [{ name: `Deno ${Deno.version.deno}`, program: "deno" }];
for (const [kind, command] of [...nodes.map((node: string[]) => ["Node.js", node] as const), ["Bun", bun] as const]) {
  // A pattern for another kind of runtime need not wait for this one.
  if (!only.test(kind) && !only.test(command.at(-1)!.replace(/^node@/, "Node.js "))) continue;
  const found = await find(kind, command);
  if (found !== undefined) runtimes.push(found);
}

const files = flags._.length > 0 ? flags._.map(String) : ["tests/cli"];
const folder = Deno.makeTempDirSync();
let failures = 0;
const table = ["| command line in | passed | failed | skipped |", "| --- | ---: | ---: | ---: |"];
try {
  const bundled = bundleCli(folder);
  Deno.chmodSync(folder, 0o755); // other users run it, too
  for (const { name, program } of runtimes) {
    if (!only.test(name)) continue;
    const { success, output } = await run(Deno.execPath(), [
      "test",
      "--import-map=imports.npm.json",
      "--parallel",
      "--no-check",
      "--allow-read",
      "--allow-write",
      "--allow-run",
      "--allow-net=127.0.0.1",
      "--allow-env=BYTEJSON_*",
      ...files,
    ], { BYTEJSON_CLI_RUNTIME: program, BYTEJSON_CLI_PROGRAM: bundled, NO_COLOR: "1" });
    const [, passed = "0", steps = "0", failed = "?"] =
      /^(?:ok|FAILED) \| (\d+) passed(?: \((\d+) steps\))? \| (\d+) failed/m.exec(output) ?? [];
    const skipped = output.match(/^skipped: .*/gm) ?? [];
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
