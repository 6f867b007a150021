/**
 * Measures the time of importing entries of the npm package, and of starting `bytejson check`, in
 * processes of each runtime. `--help` lists the options.
 *
 * @module
 */

import { spawnSync } from "node:child_process";
import { symlinkSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { formatRatio, formatTime } from "../measure/number_format.ts";
import { median, quantile } from "../measure/statistics.ts";
import { generate } from "./support/documents.ts";
import { readFlags } from "./support/flags.ts";
import { FULL } from "./support/lane.ts";
import { buildPackage, packageEntries } from "./support/npm_package.ts";
import { renderTable } from "./support/table.ts";

const root = fileURLToPath(new URL("../", import.meta.url));

const HELP = `deno task bench load-package [options]

Builds the npm package, and measures whole processes next to those of an empty script: imports of
each entry, and bytejson check on a file of 1 KB. In Node.js and Bun where they are on the PATH, and
in this Deno, which also runs the command line from its sources. The processes take turns, after two
of each. Times are medians of ${FULL.rounds} processes.`;

/** Command lines before the script, by the name of the runtime. */
const RUNTIMES: Record<string, string[]> = {
  "Node.js": ["node"],
  "Bun": ["bun"],
  "Deno": [Deno.execPath(), "run", "--quiet", "--no-lock", "--node-modules-dir=manual", "--allow-read"],
};

/** Command line from its sources. */
const SOURCES = ["--no-config", `--import-map=${root}imports.npm.json`, `${root}cli.ts`];

/** Processes of each script before the first that counts. */
const WARM_UP = 2;

/** Script to measure. */
interface Script {
  name: string;
  /** Arguments of the runtime. */
  args: string[];
}

/** Makes a folder with the package among its modules, a script for each entry, and a document. */
function newFolder(): string {
  const folder = Deno.makeTempDirSync();
  buildPackage(`${folder}/built`);
  Deno.mkdirSync(`${folder}/node_modules`);
  symlinkSync(`${folder}/built`, `${folder}/node_modules/bytejson`);
  Deno.writeTextFileSync(`${folder}/package.json`, '{ "type": "module", "dependencies": { "bytejson": "*" } }');
  Deno.writeTextFileSync(`${folder}/empty.js`, "");
  Deno.writeFileSync(`${folder}/small.json`, generate("records", 1000));
  for (const { file, specifier } of packageEntries()) {
    Deno.writeTextFileSync(`${folder}/${file}.js`, `import "${specifier}";\n`);
  }
  return folder;
}

/** Returns the milliseconds that a process takes. */
function timeProcess([program, ...args]: string[], folder: string): number {
  const start = performance.now();
  const { status, stderr } = spawnSync(program, args, { cwd: folder, encoding: "utf8" });
  const milliseconds = performance.now() - start;
  if (status !== 0) throw new Error(`Cannot run ${program} ${args.join(" ")}: ${stderr}`);
  return milliseconds;
}

/** Returns the scripts to measure in a runtime, an empty one first. */
function scriptsOf(runtime: string): Script[] {
  const entries = packageEntries().map(({ specifier, file }) => ({ name: specifier, args: [`${file}.js`] }));
  const check = ["check", "small.json"];
  const programs = [{ name: CHECK, args: ["node_modules/bytejson/cli/bin.js", ...check] }];
  if (runtime === "Deno") programs.push({ name: `${CHECK}, sources`, args: [...SOURCES, ...check] });
  return [{ name: "empty", args: ["empty.js"] }, ...[...entries, ...programs].filter(({ name }) => only.test(name))];
}

/** Returns the milliseconds of the processes of each script, which take turns. */
function timeScripts(command: string[], scripts: Script[], folder: string): number[][] {
  const samples = scripts.map((): number[] => []);
  for (let round = -WARM_UP; round < effort.rounds; round++) {
    for (const i of round % 2 === 0 ? scripts.keys() : [...scripts.keys()].reverse()) {
      const milliseconds = timeProcess([...command, ...scripts[i].args], folder);
      if (round >= 0) samples[i].push(milliseconds);
    }
  }
  return samples;
}

/** Name of the rows of the command line. */
const CHECK = "bytejson check";

const { only, effort, json } = readFlags(HELP);
const rows: { runtime: string; entry: string; added: number; fastest: number }[] = [];
const startUp: { runtime: string; name: string; check: number; empty: number; ratio: number; fastest: number }[] = [];
const folder = newFolder();
try {
  for (const [name, command] of Object.entries(RUNTIMES)) {
    const { status, stdout } = spawnSync(command[0], ["--version"], { encoding: "utf8" });
    if (status !== 0) {
      console.error(`skipped: ${name} is not on the PATH`);
      continue;
    }
    const runtime = `${name} ${/\d+\.\d+\.\d+/.exec(stdout)?.[0]}`;
    const scripts = scriptsOf(name);
    const samples = timeScripts(command, scripts, folder);
    const empty = median(samples[0]);
    for (const [i, { name }] of scripts.entries()) {
      const time = median(samples[i]);
      const [least, leastEmpty] = [quantile(samples[i], 0), quantile(samples[0], 0)];
      if (name.startsWith(CHECK)) {
        startUp.push({ runtime, name, check: time, empty, ratio: time / empty, fastest: least / leastEmpty });
      } else if (i > 0) rows.push({ runtime, entry: name, added: time - empty, fastest: least - leastEmpty });
    }
  }
} finally {
  Deno.removeSync(folder, { recursive: true });
}
if (json) console.log(JSON.stringify({ rows, startUp }, null, 2));
else {
  const entries = rows.map(({ runtime, entry, added, fastest }) => [
    entry,
    runtime,
    formatTime(Math.max(added, 0)),
    formatTime(Math.max(fastest, 0)),
  ]);
  const checks = startUp.map(({ runtime, name, check, empty, ratio, fastest }) => [
    name,
    runtime,
    formatTime(check),
    formatTime(empty),
    formatRatio(ratio),
    formatRatio(fastest),
  ]);
  if (entries.length > 0) {
    console.log(renderTable(["entry", "runtime", "above an empty script", "fastest to fastest"], entries));
  }
  if (checks.length > 0) {
    console.log(renderTable(["process", "runtime", "time", "empty script", "ratio", "fastest to fastest"], checks));
  }
}
