/**
 * Measures the overhead of `bytejson check` around validation. `--help` lists the options.
 *
 * @module
 */

import { formatRatio } from "../measure/number_format.ts";
import { runtimeName } from "../measure/runtime.ts";
import { generate } from "./support/documents.ts";
import { readFlags } from "./support/flags.ts";
import { FULL } from "./support/lane.ts";
import { writeCopies } from "./support/large_file.ts";
import { renderTable } from "./support/table.ts";

const HELP = `deno task bench cli [options]

Measures bytejson check, run from source, next to something comparable. The two commands of a row
alternate, and the best of several rounds counts, because other load on the machine only makes a
command slower. --quick takes smaller files and fewer rounds.

start-up      milliseconds of the whole process on a file of 1 KB, and of \`deno run\` of an empty
              script
installed     the same, started as \`deno install\` has installed it
1 GB          MiB/s of check on a file, and of validateBinary on the same bytes in memory
two jobs      MiB/s of check on four such files with --jobs 2, and with --jobs 1: needs two idle
              cores
10,000 files  milliseconds for 10,000 files of 1 KB in a hundred directories with ignore rules,
              with -r, and with -r --no-ignore`;

const CHECK = [
  `--import-map=${new URL("../imports.npm.json", import.meta.url).href}`,
  "--allow-read",
  new URL("../cli.ts", import.meta.url).href,
  "check",
];
const VALIDATE_FILE = new URL("processes/validate_file.ts", import.meta.url).href;

/** Figures of two commands: the best of each, and the ratio of the first to the second. */
export interface OverheadRow {
  name: string;
  unit: "ms" | "MiB/s";
  first: string;
  second: string;
  best: [first: number, second: number];
  ratio: number;
}

/** Two commands to compare. */
interface Row {
  name: string;
  unit: "ms" | "MiB/s";
  rounds: number;
  first: [name: string, measure: () => number];
  second: [name: string, measure: () => number];
}

/** Runs Deno. Returns its standard output and the time it took. */
function run(args: readonly string[]): { stdout: string; milliseconds: number } {
  return runProgram(Deno.execPath(), ["run", "--quiet", "--no-prompt", ...args]);
}

function runProgram(program: string, args: string[]): { stdout: string; milliseconds: number } {
  const start = performance.now();
  const command = new Deno.Command(program, { args });
  const { success, stdout, stderr } = command.outputSync();
  const milliseconds = performance.now() - start;
  if (!success) throw new Error(`Cannot measure: the process failed\n${new TextDecoder().decode(stderr)}`);
  return { stdout: new TextDecoder().decode(stdout), milliseconds };
}

/** Runs `check`. Returns its summary with statistics. */
function check(...args: readonly string[]): { ms: number; stats: { mibPerSecond: number } } {
  const { stdout } = run([...CHECK, "--json", "--stats", ...args]);
  return JSON.parse(stdout.trimEnd().split("\n").at(-1)!);
}

/** Installs the program in a folder, as users do. Returns the command to start it by. */
function install(folder: string): string {
  const [, , program] = CHECK;
  const args = [
    "install",
    "--quiet",
    "--global",
    "--root",
    folder,
    "--name",
    "bytejson",
    "--allow-read",
    "--allow-run",
  ];
  const { success, stderr } = new Deno.Command(Deno.execPath(), { args: [...args, program] }).outputSync();
  if (!success) throw new Error(`Cannot install the program\n${new TextDecoder().decode(stderr)}`);
  return `${folder}/bin/bytejson${Deno.build.os === "windows" ? ".cmd" : ""}`;
}

/** Writes a repository of 10,000 files in a hundred directories with rules, which ignore none. */
function writeTree(folder: string, content: Uint8Array): void {
  const rules = ["*.log", "*.tmp", "/dist/", "build/", "!keep.log", "**/coverage/*.json", "out/**", "[._]*.sw?"];
  Deno.mkdirSync(`${folder}/.git`, { recursive: true });
  Deno.writeTextFileSync(`${folder}/.gitignore`, rules.join("\n"));
  for (let i = 0; i < 100; i++) {
    Deno.mkdirSync(`${folder}/${i}`);
    Deno.writeTextFileSync(`${folder}/${i}/.gitignore`, `/local-${i}.json\n*.bak\n`);
    for (let j = 0; j < 100; j++) Deno.writeFileSync(`${folder}/${i}/${j}.json`, content);
  }
}

const { only, effort, json } = readFlags(HELP);
const isFull = effort === FULL;
const folder = Deno.makeTempDirSync();
try {
  const small = `${folder}/small.json`;
  const large = `${folder}/large.json`;
  const empty = `${folder}/empty.ts`;
  const many = `${folder}/many`;
  const kilobyte = generate("records", 1000);
  Deno.writeFileSync(small, kilobyte);
  Deno.writeTextFileSync(empty, "");
  writeTree(many, kilobyte);
  const installed = install(folder);
  writeCopies(large, generate("records", 4_000_000), isFull ? 250 : 16);

  const ROWS: Row[] = [
    {
      name: "start-up",
      unit: "ms",
      rounds: isFull ? 31 : 7,
      first: ["check", () => run([...CHECK, small]).milliseconds],
      second: ["empty script", () => run([empty]).milliseconds],
    },
    {
      name: "installed",
      unit: "ms",
      rounds: isFull ? 31 : 7,
      first: ["check", () => runProgram(installed, ["check", small]).milliseconds],
      second: ["empty script", () => run([empty]).milliseconds],
    },
    {
      name: isFull ? "1 GB" : "64 MB",
      unit: "MiB/s",
      rounds: isFull ? 9 : 3,
      first: ["check", () => check(large).stats.mibPerSecond],
      second: ["validateBinary", () => Number(run(["--allow-read", VALIDATE_FILE, large]).stdout)],
    },
    {
      name: "two jobs",
      unit: "MiB/s",
      rounds: isFull ? 5 : 2,
      first: ["--jobs 2", () => check("--jobs", "2", large, large, large, large).stats.mibPerSecond],
      second: ["--jobs 1", () => check("--jobs", "1", large, large, large, large).stats.mibPerSecond],
    },
    {
      name: "10,000 files",
      unit: "ms",
      rounds: isFull ? 9 : 3,
      first: ["check -r", () => check("-r", many).ms],
      second: ["--no-ignore", () => check("-r", "--no-ignore", many).ms],
    },
  ];

  const figures = ROWS.filter(({ name }) => only.test(name)).map(
    ({ name, unit, rounds, first, second }): OverheadRow => {
      const samples: [number[], number[]] = [[], []];
      for (let i = 0; i < rounds; i++) {
        samples[0].push(first[1]());
        samples[1].push(second[1]());
      }
      const [a, b] = samples.map((figures) => unit === "ms" ? Math.min(...figures) : Math.max(...figures));
      const best: [number, number] = [a, b];
      return { name, unit, first: first[0], second: second[0], best, ratio: best[0] / best[1] };
    },
  );
  if (json) {
    console.log(JSON.stringify({ runtime: runtimeName(), rows: figures }));
  } else {
    const cells = figures.map(({ name, unit, first, second, best, ratio }) => [
      name,
      `${first} ${best[0].toFixed(0)} ${unit}`,
      `${second} ${best[1].toFixed(0)} ${unit}`,
      formatRatio(ratio),
    ]);
    console.log(`${runtimeName()}, ${navigator.hardwareConcurrency} cores\n`);
    console.log(renderTable(["check", "", "", "ratio"], cells));
  }
} finally {
  Deno.removeSync(folder, { recursive: true });
}
