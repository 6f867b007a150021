/** Measures the figures of the documentation, stores the results, and renders the tables. */

import { spawnSync } from "node:child_process";
import { resolve } from "node:path";
import process from "node:process";
import { parseArgs } from "node:util";
import { format as formatDuration } from "@std/fmt/duration";
import { formatPercent } from "../measure/number_format.ts";
import { type Bench, BENCHES, fail, openBench } from "./support/bench.ts";
import { renderChart } from "./support/chart.ts";
import { type MeasuredBlock, missingQuotes, type Quote, replaceBlock, replaceQuotes } from "./support/markdown_page.ts";
import { buildId, describeStamps, readResult, type Stamp, stampNow, storeResult } from "./support/results.ts";
import { ROOT, runBench } from "./support/runtimes.ts";
import { MAX_NOISE, measureSelf } from "./support/self.ts";

/** Attempts to find the machine quiet, and the seconds between two. */
const TRIES = 6;
const PAUSE_S = 20;

const HELP = `deno task bench tables [options] [NAME…]

Measures, stores the results in bench/results/ with the date, the machine and the runtimes, and
renders the tables, charts and figures of README.md and docs/ from them: without a NAME, all
published benches, one after the other, in at most 12 minutes of two quiet cores. Before each, the
same code is measured against itself. If it differs by more than ${MAX_NOISE * 100} % in the mean, the machine is
too busy, and the attempt is repeated, ${TRIES} times in all. If it stays busy, the bench is not measured,
and nothing is stored.

  --resume       continue a run that failed or was ended: leave out benches that this build was
                 already measured by
  --render       measure nothing: render the pages from the stored results
  --node PATH    measure this Node.js instead of the one on the PATH
  --bun PATH     measure this Bun instead of the one on the PATH
  --quick        do less work, to try the command
  --folder PATH  write to the README.md, docs/ and bench/results/ in this folder, which are copies
                 to try the command`;

/** Bench whose report pages show. */
interface Published {
  name: string;
  bench: Bench;
}

/** Loads the benches that pages show. */
export async function publishedBenches(): Promise<Published[]> {
  const all = await Promise.all(BENCHES.map(async (name) => ({ name, bench: await openBench(name) })));
  return all.filter(({ bench }) => !bench.isUnpublished);
}

/** Blocks and quotes of every page. */
export interface Shown {
  blocks: MeasuredBlock[];
  quotes: Quote[];
}

/** Returns the blocks and quotes of the stored results. Throws if a result is missing. */
export async function shownResults(folder: string): Promise<Shown> {
  const shown: Shown = { blocks: [], quotes: [] };
  const stamps: { name: string; stamp: Stamp }[] = [];
  for (const { name, bench } of await publishedBenches()) {
    const result = readResult(folder, name);
    if (result === undefined) throw new Error(`Cannot render: there are no results of ${name}`);
    stamps.push({ name, stamp: result.stamp });
    shown.blocks.push(...bench.blocks?.(result.report) ?? []);
    shown.quotes.push(...bench.quotes?.(result.report) ?? []);
  }
  shown.blocks.push({ page: "docs/performance.md", heading: "Reading the tables", content: describeStamps(stamps) });
  return shown;
}

/** Writes blocks and quotes into the pages of a copy of the project, and writes their charts. */
function writePages(folder: string, { blocks, quotes }: Shown): void {
  const pathOf = (page: string): string => resolve(folder, page);
  const read = (page: string): string => Deno.readTextFileSync(pathOf(page));
  const write = (page: string, text: string): void => Deno.writeTextFileSync(pathOf(page), text);
  for (const { page, heading, content } of blocks) {
    write(page, replaceBlock(read(page), heading, content));
    if (typeof content === "object" && "bars" in content) {
      write(`docs/charts/${content.name}.svg`, renderChart(content));
    }
  }
  replaceQuotes(quotes, read, write);
  const pages = new Set([...blocks, ...quotes].map(({ page }) => pathOf(page)));
  const args = ["fmt", "--quiet", "--config", resolve(ROOT, "deno.json"), pathOf("bench/results"), ...pages];
  if (spawnSync(Deno.execPath(), args, { stdio: "inherit" }).status !== 0) throw new Error("Cannot format the pages");
  for (const { page, words } of missingQuotes(quotes, read)) {
    console.error(`${page} does not say '${words}': change the sentence`);
  }
}

/** Programs of other runtimes, effort, and the folder of results and pages. */
type Settings = Record<"node" | "bun" | "folder", string> & { quick: boolean };

/** Waits until two runs of the same code differ little. Throws if the machine stays busy. */
function waitForQuiet(name: string, quick: boolean): number {
  for (let tries = 1;; tries++) {
    const self = measureSelf(quick);
    if (self <= MAX_NOISE || quick) return self;
    const busy = `the same code differs from itself by ${formatPercent(self)}`;
    if (tries === TRIES) throw new Error(`${busy}; nothing is stored`);
    console.error(`${name}: ${busy}; once more in ${PAUSE_S} s`);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1000 * PAUSE_S);
  }
}

/** Measures a bench unless the machine is too busy, and stores its result. */
function measure({ name, bench }: Published, { node, bun, quick, folder }: Settings): void {
  const start = performance.now();
  const self = waitForQuiet(name, quick);
  const options = [...bench.published ?? [], "--node", node, "--bun", bun];
  const { runtime: _, ...report } = runBench<Record<string, unknown>>(name, options, { isQuick: quick }, {
    env: { ...process.env, NO_COLOR: "1" },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const seconds = Math.round((performance.now() - start) / 1e3);
  storeResult(folder, name, { stamp: stampNow({ node, bun }, seconds, self), report });
  const time = formatDuration(1000 * seconds, { ignoreZero: true });
  console.error(`${name}: ${time}; the same code differed from itself by ${formatPercent(self)}`);
}

async function main(): Promise<void> {
  const { positionals: operands, values: { help, render, resume, ...settings } } = parseArgs({
    args: Deno.args,
    allowPositionals: true,
    options: {
      help: { type: "boolean", default: false },
      quick: { type: "boolean", default: false },
      render: { type: "boolean", default: false },
      resume: { type: "boolean", default: false },
      node: { type: "string", default: "node" },
      bun: { type: "string", default: "bun" },
      folder: { type: "string", default: ROOT },
    },
  });
  if (help) return console.log(HELP);
  const published = await publishedBenches();
  const names = published.map(({ name }) => name);
  const unknown = operands.filter((name) => !names.includes(name));
  if (unknown.length > 0) fail(`Cannot measure ${unknown.join(", ")}: there are ${names.join(", ")}`);
  const isWanted = ({ name }: Published): boolean =>
    (operands.length === 0 || operands.includes(name)) &&
    !(resume && readResult(settings.folder, name)?.stamp.build === buildId());
  const failed: string[] = [];
  for (const one of render ? [] : published.filter(isWanted)) {
    try {
      measure(one, settings);
    } catch (error) {
      failed.push(one.name);
      console.error(`${one.name}: ${(error as Error).message.trim()}`);
    }
  }
  writePages(settings.folder, await shownResults(settings.folder));
  if (failed.length > 0) fail(`Not measured: ${failed.join(", ")}: run this again with --resume`);
}

if (import.meta.main) {
  try {
    await main();
  } catch (error) {
    fail((error as Error).message);
  }
}
