/** Measures which lines and branches of the library the tests reach. `--help` lists the options. */

import process from "node:process";
import { parseArgs } from "node:util";
import { filesBelow } from "../tests/support/files.ts";
import { GAPS } from "./coverage_gaps.ts";

const HELP = `deno task test coverage [--keep FOLDER]

Runs the fast tests of the library, and prints the part of its lines and branches that they reach,
file by file, with the places that they do not. Fails if a file has more of these than
tools/coverage_gaps.ts lists.

Code that these tests cannot reach has a comment that says why, "not covered: …". On a line of its
own, the comment stands for the block around it.

  --keep FOLDER  keeps the report of each file there, for an editor: lcov.info
`;

const root = new URL("../", import.meta.url);

/**
 * Tests of the library that take long, and reach nothing that the others do not; and those of
 * servers.
 */
const LEFT_OUT = ["conformance", "huge", "retention", "stability", "read_json"]
  .map((name) => `tests/library/${name}_test.ts`);

/** Tests of the library. */
const TESTS = [
  ...filesBelow("tests/parser/"),
  "tests/cli/select_test.ts", // ranges, which the command line alone selects
  "tests/cli/content_test.ts", // depths, which the command line alone has the validator limit
  ...filesBelow("tests/library/").filter((path) => !LEFT_OUT.includes(path)),
];

/** Tests whose processes are profiled, too: servers, clients that go away, and generated code. */
const TESTS_OF_PROCESSES = [
  "tests/library/read_json_test.ts",
  "tests/library/codegen_test.ts",
  ...filesBelow("tests/middleware/").filter((path) => path.endsWith("_test.ts")),
];

/**
 * Programs that slower tests run in processes of their own; and modules that the tests have loaded
 * with other options, after which Deno no longer has the code that the profiles are of.
 */
const PROGRAMS = [
  ...["check_tampered_load", "check_prototypes", "check_stack_end", "run_without_buffer", "check_read_json"].map((
    name,
  ) => `tests/processes/${name}.ts`),
  ...["mod.ts", "polyfill.ts", "no_codegen.ts"],
];

/** Files of the library: all of the root folder, but for the command line, and two folders. */
const FILES = Array.from(Deno.readDirSync(root), ({ name }) => name)
  .filter((name) => name.endsWith(".ts") && name !== "cli.ts");

/** Part of the rounds of random tests: they reach the same places in each. */
const ROUNDS = "0.05";

/** Runs Deno in the root folder; returns its standard output. Shows everything if it fails. */
async function deno(args: string[], env: Record<string, string> = {}): Promise<string> {
  const command = new Deno.Command(Deno.execPath(), { args, env, cwd: root, stdout: "piped", stderr: "piped" });
  const { success, stdout, stderr } = await command.output();
  const decoder = new TextDecoder();
  if (!success) {
    console.error(decoder.decode(stdout) + decoder.decode(stderr));
    throw new Error(`deno ${args[0]} has failed`);
  }
  return decoder.decode(stdout);
}

/** Runs the tests. Profiles of their processes and of those that they start go to a folder. */
async function collectProfiles(folder: string): Promise<void> {
  const options = ["--no-check", "--import-map=imports.npm.json", "--allow-all", `--coverage=${folder}`];
  const env = { BYTEJSON_ROUNDS: ROUNDS, BYTEJSON_SHARED: "none", NO_COLOR: "1" };
  await deno(["test", ...options, "--coverage-raw-data-only", ...TESTS], env);
  const profiled = { ...env, DENO_COVERAGE_DIR: folder };
  await deno(["test", ...options, "--coverage-raw-data-only", ...TESTS_OF_PROCESSES], profiled);
  for (const program of PROGRAMS) await deno(["run", ...options, program], env);
  // Tests load some modules several times, under names of their own: `slice.ts?copy=1`.
  for await (const { name } of Deno.readDir(folder)) {
    if (!name.endsWith(".json")) continue;
    const path = `${folder}/${name}`;
    const profile = JSON.parse(await Deno.readTextFile(path));
    const url = profile.url.replace(/\?.*$/, "");
    if (url !== profile.url) await Deno.writeTextFile(path, JSON.stringify({ ...profile, url }));
  }
}

/** Comment that says why code is not covered. */
const MARK = /\/\/ not covered: ./;

/**
 * Returns the numbers of the lines that comments exempt: the line of a comment behind code, and for
 * a comment on a line of its own those of the block around it, by indentation.
 */
export function exemptLines(source: string): Set<number> {
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

/** Lines and branches of a file. */
interface Report {
  file: string;
  lines: number;
  linesReached: number;
  branches: number;
  branchesReached: number;
  /** Numbers of lines that were not reached, or where a branch was not. */
  missed: Set<number>;
}

/** Reads a report in the format of LCOV. Lines and branches that comments exempt do not count. */
export function readReports(lcov: string, folder: string): Report[] {
  const reports: Report[] = [];
  let exempt = new Set<number>();
  for (const line of lcov.split("\n")) {
    const [field, value = ""] = line.split(/:(.*)/s);
    if (field === "SF") {
      const file = value.replace(folder, "");
      exempt = exemptLines(Deno.readTextFileSync(value));
      reports.push({ file, lines: 0, linesReached: 0, branches: 0, branchesReached: 0, missed: new Set() });
    }
    const report = reports.at(-1)!;
    if (field === "DA") {
      const [number, count] = value.split(",").map(Number);
      if (count === 0 && exempt.has(number)) continue;
      report.lines++;
      if (count > 0) report.linesReached++;
      else report.missed.add(number);
    } else if (field === "BRDA") {
      const [number, , , taken] = value.split(",");
      if (Number(taken) === 0 && exempt.has(Number(number))) continue;
      report.branches++;
      if (Number(taken) > 0) report.branchesReached++;
      else report.missed.add(Number(number));
    }
  }
  return reports;
}

/** Writes rising numbers in short: `3-5, 9`. */
export function ranges(numbers: number[]): string {
  const found: [first: number, last: number][] = [];
  for (const number of numbers) {
    const range = found.at(-1);
    if (range !== undefined && range[1] === number - 1) range[1] = number;
    else found.push([number, number]);
  }
  return found.map(([first, last]) => first === last ? `${first}` : `${first}-${last}`).join(", ");
}

function row(name: string, lines: string, branches: string, missed: string): string {
  return `${name.padEnd(28)} ${lines.padStart(11)} ${branches.padStart(11)}  ${missed}`.trimEnd();
}

async function main(args: string[]): Promise<number> {
  const { values } = parseArgs({ args, options: { help: { type: "boolean" }, keep: { type: "string" } } });
  if (values.help) {
    console.log(HELP);
    return 0;
  }
  const folder = await Deno.makeTempDir();
  try {
    await collectProfiles(folder);
    const include = FILES.map((file) => new URL(file, root).href.replaceAll(".", "\\."));
    const lcov = await deno([
      "coverage",
      "--lcov",
      `--include=^(${include.join("|")}|${root}(parser|middleware)/)`,
      folder,
    ]);
    if (values.keep) await Deno.writeTextFile(`${values.keep}/lcov.info`, lcov);
    const reports = readReports(lcov, root.pathname);
    console.log(row("file", "lines", "branches", "not reached"));
    const total = {
      file: "all",
      lines: 0,
      linesReached: 0,
      branches: 0,
      branchesReached: 0,
      missed: new Set<number>(),
    };
    for (const report of [...reports, total]) {
      if (report !== total) {
        for (const key of ["lines", "linesReached", "branches", "branchesReached"] as const) total[key] += report[key];
      }
      const lines = `${report.linesReached}/${report.lines}`;
      const branches = `${report.branchesReached}/${report.branches}`;
      console.log(row(report.file, lines, branches, ranges([...report.missed].sort((a, b) => a - b))));
    }
    const worse = reports.filter(({ file, lines, linesReached, branches, branchesReached }) => {
      const [missedLines, missedBranches] = GAPS[file] ?? [0, 0];
      return lines - linesReached > missedLines || branches - branchesReached > missedBranches;
    });
    for (const { file } of worse) console.log(`${file} has more lines or branches that tests do not reach than before`);
    return worse.length > 0 ? 1 : 0;
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

if (import.meta.main) process.exitCode = await main(Deno.args);
