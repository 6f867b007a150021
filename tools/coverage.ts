/** Finds lines and branches of the library that the tests do not reach. `--help` lists the options. */

import process from "node:process";
import { parseArgs } from "node:util";
import { filesBelow } from "../tests/support/files.ts";
import { ROOT, runProgram, withFolder } from "./programs.ts";

const HELP = `deno task test coverage [--keep FOLDER]

Runs the fast tests of the library, and prints the lines that they do not reach, and the branches
that they do not take. Fails if there are any, or if a test fails.

Code that these tests cannot reach has a comment that says why, "not covered: …". On a separate
line, the comment covers the block around it.

  --keep FOLDER  keeps the report of each file there, for an editor: lcov.info
`;

/** Slow tests of the library that cover nothing further, and those of servers. */
const LEFT_OUT = ["conformance", "huge", "retention", "stability", "read_json"]
  .map((name) => `tests/library/${name}_test.ts`);

const TESTS = [
  ...filesBelow("tests/parser/"),
  "tests/cli/select_test.ts", // ranges, which only the command line selects
  "tests/cli/content_test.ts", // depth limits of the validator, which only the command line sets
  ...filesBelow("tests/library/").filter((path) => !LEFT_OUT.includes(path)),
];

/** Tests whose processes are profiled, too: servers, clients that go away, and generated code. */
const TESTS_OF_PROCESSES = [
  "tests/library/read_json_test.ts",
  "tests/library/codegen_test.ts",
  ...filesBelow("tests/middleware/").filter((path) => path.endsWith("_test.ts")),
];

/** Programs that slower tests run in separate processes. */
const PROCESSES = [
  "check_tampered_load",
  "check_prototypes",
  "check_stack_end",
  "run_without_buffer",
  "check_read_json",
];

/**
 * Programs and modules that tests load with other options. Deno no longer has the code of their
 * profiles.
 */
const PROGRAMS = [...PROCESSES.map((name) => `tests/processes/${name}.ts`), "mod.ts", "polyfill.ts", "no_codegen.ts"];

/** Files of the library: the root folder, except for the command line, and two folders. */
const FILES = Array.from(Deno.readDirSync(ROOT), ({ name }) => name)
  .filter((name) => name.endsWith(".ts") && name !== "cli.ts");

/** Share of the rounds of random tests, since each covers the same code. */
const ROUNDS = "0.05";

/** Runs Deno, which writes profiles. Returns whether that succeeded; prints the errors if not. */
function runProfiled(args: readonly string[], env: Record<string, string>): boolean {
  try {
    runProgram(Deno.execPath(), args, { env });
    return true;
  } catch (error) {
    console.error((error as Error).message);
    return false;
  }
}

/**
 * Runs the tests. Writes the profiles of all their processes to a folder. Returns the number of
 * processes that failed: their profiles count, too.
 */
async function collectProfiles(folder: string): Promise<number> {
  const options = ["--no-check", "--import-map=imports.npm.json", "--allow-all", `--coverage=${folder}`];
  const env = { BYTEJSON_ROUNDS: ROUNDS, BYTEJSON_SHARED: "none", NO_COLOR: "1" };
  const runTests = ["test", ...options, "--coverage-raw-data-only"];
  const succeeded = [
    runProfiled([...runTests, ...TESTS], env),
    runProfiled([...runTests, ...TESTS_OF_PROCESSES], { ...env, DENO_COVERAGE_DIR: folder }),
    ...PROGRAMS.map((program) => runProfiled(["run", ...options, program], env)),
  ];
  // Tests load some modules several times, under different names: `slice.ts?copy=1`.
  for await (const { name } of Deno.readDir(folder)) {
    if (!name.endsWith(".json")) continue;
    const path = `${folder}/${name}`;
    const profile = JSON.parse(await Deno.readTextFile(path));
    const url = profile.url.replace(/\?.*$/, "");
    if (url !== profile.url) await Deno.writeTextFile(path, JSON.stringify({ ...profile, url }));
  }
  return succeeded.filter((hasSucceeded) => !hasSucceeded).length;
}

/** Comment that says why code is not covered. */
const MARK = /\/\/ not covered: ./;

/**
 * Returns the numbers of the lines that comments exempt: the line of a comment after code, and for
 * a comment on a separate line those of the block around it, by indentation.
 */
function exemptLines(source: string): Set<number> {
  const lines = source.split("\n");
  const exempt = new Set<number>();
  for (const [i, line] of lines.entries()) {
    if (!MARK.test(line)) continue;
    let [first, last] = [i, i];
    if (line.trimStart().startsWith("//")) {
      const indentation = line.search(/\S/);
      const isOutside = (other: string): boolean => other !== "" && other.search(/\S/) < indentation;
      while (!isOutside(lines[first])) first--;
      while (!isOutside(lines[last])) last++;
    }
    for (let number = first + 1; number <= last + 1; number++) exempt.add(number);
  }
  return exempt;
}

/**
 * Returns the numbers of the lines of each file that were not reached, or where a branch was not.
 * Those that comments exempt do not count.
 *
 * @param lcov Report in the format of LCOV.
 */
function missedLines(lcov: string): Map<string, Set<number>> {
  const files = new Map<string, Set<number>>();
  let exempt = new Set<number>();
  let missed = new Set<number>();
  for (const line of lcov.split("\n")) {
    const [field, value = ""] = line.split(/:(.*)/s);
    const numbers = value.split(",").map(Number);
    if (field === "SF") {
      exempt = exemptLines(Deno.readTextFileSync(value));
      files.set(value.replace(ROOT, ""), missed = new Set());
    } else if ((field === "DA" || field === "BRDA") && !(numbers.at(-1)! > 0) && !exempt.has(numbers[0])) {
      missed.add(numbers[0]);
    }
  }
  return files;
}

async function main(args: string[]): Promise<number> {
  const { values } = parseArgs({ args, options: { help: { type: "boolean" }, keep: { type: "string" } } });
  if (values.help) {
    console.log(HELP);
    return 0;
  }
  return await withFolder(async (folder) => {
    const failed = await collectProfiles(folder);
    const files = FILES.map((file) => file.replaceAll(".", "\\."));
    const include = `--include=^file://${ROOT}(${files.join("|")}|(parser|middleware)/)`;
    const lcov = runProgram(Deno.execPath(), ["coverage", "--lcov", include, folder]);
    if (values.keep) await Deno.writeTextFile(`${values.keep}/lcov.info`, lcov);
    const missed = missedLines(lcov);
    const worse = [...missed].filter(([, lines]) => lines.size > 0);
    for (const [file, lines] of worse) console.log(`${file}: ${[...lines].sort((a, b) => a - b).join(", ")}`);
    console.log(`${worse.length} of ${missed.size} files have lines or branches that tests do not reach`);
    if (failed > 0) console.log(`${failed} processes failed: see above`);
    return worse.length > 0 || failed > 0 ? 1 : 0;
  });
}

process.exitCode = await main(Deno.args);
