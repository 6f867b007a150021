/**
 * Measures what the tables of the documentation show, stores the results, and renders the tables
 * from them. `--help` lists the options.
 *
 * @module
 */

import { bold, setColorEnabled } from "@std/fmt/colors";
import { format as formatDuration } from "@std/fmt/duration";
import { resolve } from "node:path";
import process from "node:process";
import { MEASUREMENTS } from "./background/measurements.ts";
import { readOptions } from "./support/options.ts";
import { measureOperations, measureReaders } from "./tables/allocation.ts";
import { measurePublished } from "./tables/background.ts";
import { measureBundles } from "./tables/bundles.ts";
import { measurePeers } from "./tables/peers.ts";
import { ROOT, type Settings } from "./tables/context.ts";
import { measureEngines } from "./tables/engines.ts";
import { measureMemory } from "./tables/memory.ts";
import { writePages } from "./tables/pages.ts";
import {
  measureComparison,
  measureFirstCalls,
  measureOverhead,
  measureParts,
  measureSample,
  measureTools,
  measureValidation,
  measureWithoutCodegen,
} from "./tables/performance.ts";
import { missingQuotes, replaceQuotes } from "./tables/quotes.ts";
import { type MeasuredName, readResults, type Results, storeResults } from "./tables/results.ts";
import { measureSelecting } from "./tables/selecting.ts";
import { measureLoads, measureServers } from "./tables/servers.ts";
import { type Circumstances, circumstancesOf, isOfThisRun, stampOf } from "./tables/stamps.ts";
import { measureLatency, measureStreams } from "./tables/streaming.ts";

/** Measures, and returns the results that replace those stored under a name. */
type Job = (settings: Settings) => Partial<Results>;

/** Creates a job for each measurement of docs/background/. */
function backgroundJobs(results: Results): Record<string, Job> {
  const published = MEASUREMENTS.map(({ name }): [string, Job] => [name, (settings) => {
    results.background = measurePublished(settings, name, results.background);
    return { background: results.background };
  }]);
  return { loads: (settings) => ({ loads: measureLoads(settings) }), ...Object.fromEntries(published) };
}

/** Jobs that measure the figures for users. One run of all takes about 40 minutes of two cores. */
const JOBS: Record<MeasuredName, Job> = {
  "sample": (settings) => ({ sample: measureSample(settings) }),
  "compare": (settings) => ({ compare: measureComparison(settings) }),
  "validate": (settings) => ({ validate: measureValidation(settings) }),
  "first-calls": (settings) => ({ "first-calls": measureFirstCalls(settings) }),
  "no-codegen": (settings) => ({ "no-codegen": measureWithoutCodegen(settings) }),
  "select": (settings) => ({ select: measureSelecting(settings) }),
  "stream": (settings) => ({ stream: measureStreams(settings) }),
  "latency": (settings) => ({ latency: measureLatency(settings) }),
  "queue": (settings) => ({ queue: measureOperations(settings, "queue") }),
  "pool": (settings) => ({ pool: measureOperations(settings, "pool") }),
  "read": (settings) => ({ read: measureReaders(settings) }),
  "memory": (settings) => ({ memory: measureMemory(settings) }),
  "engines": (settings) => ({ engines: measureEngines(settings) }),
  "http": (settings) => ({ http: measureServers(settings) }),
  "peers": (settings) => ({ peers: measurePeers(settings) }),
  "tools": (settings) => ({ tools: measureTools(settings) }),
  "parts": (settings) => ({ parts: measureParts(settings) }),
  "cli": (settings) => ({ cli: measureOverhead(settings) }),
  "bundles": (settings) => ({ bundles: measureBundles(settings) }),
};

/** Name of all measurements of docs/background/. */
const BACKGROUND = "background";

const HELP = `deno task bench tables [options] [NAME…]

Measures, stores the results in bench/results/ with the date, the machine and the runtimes, and
renders the tables, charts and figures of README.md and docs/ from them. Without a NAME, it measures
what they show to users, one after the other, in about 40 minutes of two quiet cores.

  sample     as the first command of README.md does, for command-line.md
  compare    as compare does, for README.md, performance.md and runtimes.md
  validate, tools
             as bench validate does, without and with --tools, for performance.md
  first-calls
             as compare --fresh does, for performance.md
  no-codegen as compare --pair does without generated code, for generated-code.md
  select     as bench select does, in Deno, Node.js and Bun, for select.md
  stream, latency
             as bench stream does, without and with --latency, for streaming.md
  queue, pool, read
             as bench queue, bench pool and bench read do, for allocation.md
  memory     as memory does, for memory.md
  engines    as bench engines does, for runtimes.md; every --node is measured
  http       as bench http does, for servers.md
  peers      as bench peers does, for comparison.md and background/parsers.md
  parts, cli as bench parts and bench cli do, for command-line.md
  bundles    as bench bundles does, for install.md

  ${BACKGROUND} all of the following, which take hours and are measured apart:
  loads      as bench http does by more ways, for background/loads.md and background/measurements.md
  ${MEASUREMENTS.map(({ name }) => name).join(", ")}
             as bench background does, for background/measurements.md

  --resume       leave out what was measured in the last 12 hours by the same runtimes, such as before
                 a run was interrupted
  --render       measure nothing: render the pages from the stored results
  --node PATH    measure this Node.js instead of the one on the PATH; bench background and engines take
                 several, the others the first
  --bun PATH     measure this Bun instead of the one on the PATH
  --quick        do less work, to try the command
  --folder PATH  write to the README.md, docs/ and bench/results/ in this folder, copies that try the
                 command`;

/** Measures under a name, stores the results, and says how long it took. */
function run(name: string, job: Job, settings: Settings, circumstances: Circumstances, folder: string): void {
  const start = performance.now();
  const measured = job(settings);
  const seconds = Math.round((performance.now() - start) / 1e3);
  const { stamps } = readResults(folder);
  const stamp = stampOf(circumstances, seconds);
  if (settings.quick) delete stamp.time; // --resume measures again
  storeResults(folder, { ...measured, stamps: { ...stamps, [name]: stamp } });
  console.error(`${bold(name)}: ${formatDuration(seconds * 1e3, { ignoreZero: true }) || "0s"}`);
}

function main(): void {
  const { operands, node, bun, quick, render, resume, folder = ROOT } = readOptions(HELP, {
    switches: ["quick", "render", "resume"],
    values: ["folder"],
    lists: ["node", "bun"],
    takesOperands: true,
  });
  setColorEnabled(Deno.stderr.isTerminal() && !Deno.noColor);
  const results = readResults(folder);
  const background = backgroundJobs(results);
  const jobs: Record<string, Job> = { ...JOBS, ...background };
  const wanted = operands.flatMap((name) => name === BACKGROUND ? Object.keys(background) : name);
  const unknown = wanted.filter((name) => !Object.hasOwn(jobs, name));
  if (unknown.length > 0) {
    throw new Error(`Cannot measure ${unknown.join(", ")}: there are ${Object.keys(jobs).join(", ")}`);
  }
  const settings = { node, bun, quick };
  const names = render ? [] : wanted.length > 0 ? wanted : Object.keys(JOBS);
  const circumstances = circumstancesOf(settings);
  const failed: string[] = [];
  for (const name of names) {
    if (resume && isOfThisRun(results.stamps[name], circumstances)) {
      console.error(`${bold(name)}: measured before`);
      continue;
    }
    try {
      run(name, jobs[name], settings, circumstances, folder);
    } catch (error) {
      failed.push(name);
      console.error(`${bold(name)}: ${(error as Error).message}`);
    }
  }
  const stored = readResults(folder);
  writePages(folder, stored);
  const pathOf = (page: string): string => resolve(folder, page);
  replaceQuotes(
    stored,
    (page) => Deno.readTextFileSync(pathOf(page)),
    (page, text) => Deno.writeTextFileSync(pathOf(page), text),
  );
  for (const { page, words } of missingQuotes(stored, (page) => Deno.readTextFileSync(pathOf(page)))) {
    console.error(`${page} does not say '${words}': change the sentence`);
  }
  if (failed.length > 0) throw new Error(`Not measured: ${failed.join(", ")}`);
}

try {
  main();
} catch (error) {
  console.error((error as Error).message);
  process.exit(2);
}
