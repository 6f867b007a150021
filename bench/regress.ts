/** Speed regression check: compares this build with that of an earlier commit, or with native. */

import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import process from "node:process";
import { pathToFileURL } from "node:url";
import { formatPercent, formatRatio } from "../measure/number_format.ts";
import { geometricMean, median, spread } from "../measure/statistics.ts";
import { firstDocuments, type measureWarm, NATIVE, WARM } from "./support/regress_rows.ts";
import { type Bench, type BenchOptions, showProgress } from "./support/bench.ts";
import { takeTurns } from "./support/bench_lanes.ts";
import {
  callInProcess,
  commandOf,
  outputOf,
  ROOT,
  runCommand,
  type Runtime,
  THIS_RUNTIME,
  withFolder,
} from "./support/runtimes.ts";
import { logLines } from "./support/select_documents.ts";

/** Minimum ratio of the speed of this tree to that of the base. */
const MIN_RATIO = 0.97;

/** Rows by the minimum ratio of our speed to native's, far below what a quiet machine measures. */
const MIN_RATIO_OF_NATIVE: Record<string, number> = {
  "corpus": 0.65,
  "mixed bodies": 1,
  "10 MB bodies": 0.7,
  "10 MB bodies, detach": 0.6,
  "chunks": 0.4,
  "lines": 1.5,
  "lines, filter": 1.5,
  "select": 1.8,
  "validate": 1.8,
  "import and first call": 0.02,
  "first call": 0.05,
  "ten calls": 0.1,
};

/** Rows of first calls in a process. */
const FIRST = ["import and first call", "first call", "ten calls"];

/** Processes for each row. A row below its limit is measured again by twice as many. */
const PROCESSES = { warm: 4, first: 9, program: 7 };
const AT_NATIVE = { warm: 2, first: 3, program: 0 };

/** Command lines, with the megabytes of their files, and how often a shell runs them. */
const PROGRAMS: [name: string, args: string[], megabytes: number, runs: number][] = [
  ["check", ["check", "--quiet"], 50, 1],
  ["check of 1 KB", ["check", "--quiet"], 0.001, 10],
  ["select", ["select", "{timestamp,message,http:{status}}"], 20, 1],
  ["select --where", ["select", "--where", '/level="error"'], 20, 1],
  ["get", ["get", "/http/status"], 20, 1],
];

interface RegressRow {
  name: string;
  /** Speed of this tree over that of the base or native, for each process. */
  ratios: number[];
  minimum: number;
}

/**
 * Returns the commit of the last release: that of its tag, or, while the current version has no
 * tag, the commit that set the version before it.
 */
function lastRelease(): string {
  const tag = outputOf(["git", "describe", "--tags", "--abbrev=0", "--match=v*"]);
  if (tag !== undefined) return tag;
  const commits = runCommand(["git", "log", "-2", "--format=%H", '-G"version": ', "--", "deno.json"]).trim();
  return commits.split("\n").at(-1)!;
}

/** Returns the folder of the package of a commit, and builds it if it does not exist. */
function packageOf(base: string): string {
  if (existsSync(join(base, "index.js"))) return resolve(base);
  const commit = outputOf(["git", "rev-parse", "--short=12", `${base}^{commit}`]);
  if (commit === undefined) throw new Error(`Cannot compare: ${base} is neither a commit nor the folder of a package`);
  const folder = join(ROOT, "dist/bases", commit);
  if (existsSync(join(folder, "index.js"))) return folder;
  showProgress(`build of ${commit}`);
  const tree = join(ROOT, "dist/bases", `${commit}.tree`);
  rmSync(tree, { recursive: true, force: true });
  mkdirSync(tree, { recursive: true });
  runCommand(["sh", "-c", `git archive ${commit} | tar -x -C '${tree}'`]);
  // Before 0.3.0, another program built the package, for npm only.
  const program = existsSync(join(tree, "tools/build.ts")) ? "tools/build.ts" : "tools/npm.ts";
  const options = ["--quiet", "--no-lock", "--import-map=imports.npm.json", "--allow-all"];
  runCommand([process.execPath, "run", ...options, program, "--folder", folder], { cwd: tree });
  rmSync(tree, { recursive: true });
  return folder;
}

/** Returns the runtime in which each package has its own `#constructors`. */
function runtimeFor(sides: readonly string[], folder: string): Runtime {
  const urls = sides.filter((side) => side !== NATIVE).map((side) => pathToFileURL(`${side}/`).href);
  const scopes = Object.fromEntries(urls.map((url) => [url, { "#constructors": `${url}constructors.js` }]));
  const map = join(folder, "imports.json");
  writeFileSync(map, JSON.stringify({ scopes }));
  const options = ["--quiet", "--no-config", "--no-lock", "--no-check", "--allow-all", `--import-map=${map}`];
  return { name: "Deno", command: [THIS_RUNTIME.command[0], "run", ...options] };
}

/** Runs the command line some times. Returns its CPU time in ms, with a resolution of 10 ms. */
function timeProgram(side: string, args: readonly string[], file: string, runs: number): number {
  const program = [process.execPath, "run", "--quiet", "--no-config", "--allow-all", join(side, "cli/bin.js")];
  const script = `${'"$@" > /dev/null 2>&1; '.repeat(runs)} times`;
  const times = runCommand(["sh", "-c", script, "sh", ...program, ...args, file]);
  // `times` prints the user and system time of the shell, and on a second line of its children.
  const ofChildren = times.trim().split("\n").at(-1)!;
  return Array.from(ofChildren.matchAll(/(\d+)m([\d.]+)s/g), ([, minutes, seconds]) => 6e4 * +minutes + 1e3 * +seconds)
    .reduce((sum, time) => sum + time);
}

/** Rows that are measured together, in the same processes. */
interface Group {
  names: string[];
  processes: keyof typeof PROCESSES;
  /** Resolves with the ratios of each row. */
  measure(times: number): Promise<number[][]>;
}

/** Returns the groups of rows. Their files are in `folder`. */
function groupsOf(sides: [string, string], folder: string, isQuick: boolean): Group[] {
  const runtime = runtimeFor(sides, folder);
  /** Measures both sides in turn. Resolves with the ratios of each number of `measure`. */
  const inTurn = async (times: number, measure: (side: string) => number[]): Promise<number[][]> => {
    const [base, ours]: number[][][] = [[], []];
    await takeTurns([0, 1], times, (i) => void (i === 0 ? base : ours).push(measure(sides[i])));
    return base[0].map((_, i) => base.map((numbers, round) => numbers[i] / ours[round][i]));
  };
  const writeOnce = (name: string, make: () => Uint8Array): string => {
    const path = join(folder, name);
    if (!existsSync(path)) writeFileSync(path, make());
    return path;
  };
  const warm = Object.keys(WARM).map((row): Group => ({
    names: [row],
    processes: "warm",
    measure: (times) => {
      const ratios = Array.from({ length: times }, (_, i) => {
        // Either side is loaded first equally often.
        const order: [string, string] = i % 2 === 0 ? sides : [sides[1], sides[0]];
        const measure = callInProcess<typeof measureWarm>;
        const ratio = measure("support/regress_rows.ts", "measureWarm", [row, order, isQuick], { runtime });
        return i % 2 === 0 ? ratio : 1 / ratio;
      });
      return Promise.resolve([ratios]);
    },
  }));
  const first: Group = {
    names: FIRST,
    processes: "first",
    async measure(times) {
      const byDocument: number[][][] = [];
      for (const [i, bytes] of firstDocuments().slice(0, isQuick ? 1 : Infinity).entries()) {
        const path = writeOnce(`first ${i}.json`, () => bytes);
        const command = commandOf("bench/processes/time_package_start.ts", runtime);
        byDocument.push(await inTurn(times, (side) => JSON.parse(runCommand([...command, side, path]))));
      }
      return byDocument[0].map((ratios, row) =>
        ratios.map((_, round) => geometricMean(byDocument.map((rows) => rows[row][round])))
      );
    },
  };
  const programs = (sides.includes(NATIVE) ? [] : PROGRAMS).map(([name, args, megabytes, runs]): Group => ({
    names: [`command line, ${name}`],
    processes: "program",
    measure(times) {
      const bytes = 1e6 * (isQuick ? 0.001 : megabytes);
      const file = writeOnce(`${bytes}.jsonl`, () => logLines(bytes));
      return inTurn(times, (side) => [timeProgram(side, args, file, runs)]);
    },
  }));
  return [...warm, first, ...programs];
}

async function measureRows(
  sides: [string, string],
  { only, isQuick }: BenchOptions,
  processes: typeof PROCESSES,
): Promise<RegressRow[]> {
  return await withFolder(async (folder) => {
    const rows: RegressRow[] = [];
    for (const { names, processes: kind, measure } of groupsOf(sides, folder, isQuick)) {
      if (!names.some((name) => only.test(name))) continue;
      showProgress(names.join(", "));
      const times = isQuick ? 1 : processes[kind];
      let ratios = await measure(times);
      const group = (): RegressRow[] =>
        names.map((name, i) => ({
          name,
          ratios: ratios[i],
          minimum: sides[0] === NATIVE ? MIN_RATIO_OF_NATIVE[name] : MIN_RATIO,
        }));
      if (!isQuick && group().some(isBelow)) {
        // Re-measure, so that noise alone does not fail the run.
        const more = await measure(2 * times);
        ratios = ratios.map((list, i) => [...list, ...more[i]]);
      }
      rows.push(...group());
    }
    return rows;
  });
}

function isBelow({ ratios, minimum }: RegressRow): boolean {
  return median(ratios) < minimum;
}

export const bench: Bench<{ base: string; rows: RegressRow[] }> = {
  help: `Compares the speed of this tree with that of an earlier commit, by their builds. Both take turns in one
process, several times, or in processes that take turns: wall time is measured for first calls, CPU time
for the command line. Fails if a row is below its limit, 0.97 of the base. Rows below their limit are
measured again before failing. With --native, native is the base, and limits are wide.`,
  options: {
    "base COMMIT": "commit, or folder of a package; by default the last release",
    "native": "compare with native, in at most 3 minutes",
  },
  isUnpublished: true,
  async measure(options) {
    const isNative = options.has("native");
    const base = isNative ? NATIVE : packageOf(options.text("base") ?? lastRelease());
    const sides: [string, string] = [base, join(ROOT, "dist/package")];
    const rows = await measureRows(sides, options, isNative ? AT_NATIVE : PROCESSES);
    if (!options.isQuick && rows.some(isBelow)) process.exitCode = 1;
    return { base, rows };
  },
  tables: ({ base, rows }) => [{
    header: ["row", `× ${base}`, "±", "limit", ""],
    rows: rows.map((row) => [
      row.name,
      formatRatio(median(row.ratios)),
      formatPercent(spread(row.ratios)),
      formatRatio(row.minimum),
      isBelow(row) ? "slower" : "",
    ]),
  }],
};
