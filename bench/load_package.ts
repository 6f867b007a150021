/**
 * Measures what importing entries of the npm package takes, in processes of each runtime. `--help`
 * lists the options.
 *
 * @module
 */

import { spawnSync } from "node:child_process";
import { symlinkSync } from "node:fs";
import { formatTime } from "../measure/number_format.ts";
import { median, quantile } from "../measure/statistics.ts";
import { readFlags } from "./support/flags.ts";
import { FULL } from "./support/lane.ts";
import { buildPackage, packageEntries } from "./support/npm_package.ts";
import { renderTable } from "./support/table.ts";

const HELP = `deno task bench load-package [options]

Builds the npm package, and measures whole processes that import one of its entries and end, above
an empty script: in Node.js and Bun where they are on the PATH, and in this Deno. The scripts take
turns, after two processes of each. Times are medians of ${FULL.rounds} processes.`;

/** Command lines before the script, by the name of the runtime. */
const RUNTIMES: Record<string, string[]> = {
  "Node.js": ["node"],
  "Bun": ["bun"],
  "Deno": [Deno.execPath(), "run", "--quiet", "--no-lock", "--node-modules-dir=manual"],
};

/** Processes of each script before the first that counts. */
const WARM_UP = 2;

/** Makes a folder with the package among its modules, and a script for each entry. */
function newFolder(): string {
  const folder = Deno.makeTempDirSync();
  buildPackage(`${folder}/built`);
  Deno.mkdirSync(`${folder}/node_modules`);
  symlinkSync(`${folder}/built`, `${folder}/node_modules/bytejson`);
  Deno.writeTextFileSync(`${folder}/package.json`, '{ "type": "module", "dependencies": { "bytejson": "*" } }');
  Deno.writeTextFileSync(`${folder}/empty.js`, "");
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

const { only, effort, json } = readFlags(HELP);
const entries = packageEntries().filter(({ specifier }) => only.test(specifier));
const files = ["empty", ...entries.map(({ file }) => file)];
const rows: { runtime: string; entry: string; added: number; fastest: number }[] = [];
const folder = newFolder();
try {
  for (const [name, command] of Object.entries(RUNTIMES)) {
    const { status, stdout } = spawnSync(command[0], ["--version"], { encoding: "utf8" });
    if (status !== 0) {
      console.error(`skipped: ${name} is not on the PATH`);
      continue;
    }
    const runtime = `${name} ${/\d+\.\d+\.\d+/.exec(stdout)?.[0]}`;
    const samples = files.map((): number[] => []);
    for (let round = -WARM_UP; round < effort.rounds; round++) {
      for (const i of round % 2 === 0 ? files.keys() : [...files.keys()].reverse()) {
        const milliseconds = timeProcess([...command, `${files[i]}.js`], folder);
        if (round >= 0) samples[i].push(milliseconds);
      }
    }
    rows.push(
      ...files.slice(1).map((file, i) => ({
        runtime,
        entry: file === "index" ? "bytejson" : `bytejson/${file}`,
        added: median(samples[i + 1]) - median(samples[0]),
        fastest: quantile(samples[i + 1], 0) - quantile(samples[0], 0),
      })),
    );
  }
} finally {
  Deno.removeSync(folder, { recursive: true });
}
if (json) console.log(JSON.stringify({ rows }, null, 2));
else {
  const cells = rows.map(({ runtime, entry, added, fastest }) => [
    entry,
    runtime,
    formatTime(Math.max(added, 0)),
    formatTime(Math.max(fastest, 0)),
  ]);
  console.log(renderTable(["entry", "runtime", "above an empty script", "fastest to fastest"], cells));
}
