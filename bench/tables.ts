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
  measureSample,
  measureTools,
  measureValidation,
  measureWithoutCodegen,
} from "./tables/performance.ts";
import { missingQuotes } from "./tables/quotes.ts";
import { readResults, type Results, storeResults } from "./tables/results.ts";
import { measureSelecting } from "./tables/selecting.ts";
import { measureLoads } from "./tables/servers.ts";
import { measureLatency, measureStreams } from "./tables/streaming.ts";

/** Measures, and returns the results that replace those stored under a name. */
type Job = (settings: Settings) => Partial<Results>;

/** Creates a job for each measurement of bench background. */
function publishedJobs(results: Results): Record<string, Job> {
  return Object.fromEntries(MEASUREMENTS.map(({ name }): [string, Job] => [name, (settings) => {
    results.background = measurePublished(settings, name, results.background);
    return { background: results.background };
  }]));
}

const JOBS: Record<string, Job> = {
  "compare": (settings) => ({ compare: measureComparison(settings) }),
  "engines": (settings) => ({ engines: measureEngines(settings) }),
  "first-calls": (settings) => ({ "first-calls": measureFirstCalls(settings) }),
  "no-codegen": (settings) => ({ "no-codegen": measureWithoutCodegen(settings) }),
  "validate": (settings) => ({ validate: measureValidation(settings) }),
  "tools": (settings) => ({ tools: measureTools(settings) }),
  "memory": (settings) => ({ memory: measureMemory(settings) }),
  "http": (settings) => ({ http: measureLoads(settings) }),
  "stream": (settings) => ({ stream: measureStreams(settings) }),
  "latency": (settings) => ({ latency: measureLatency(settings) }),
  "select": (settings) => ({ select: measureSelecting(settings) }),
  "read": (settings) => ({ read: measureReaders(settings) }),
  "queue": (settings) => ({ queue: measureOperations(settings, "queue") }),
  "bundles": (settings) => ({ bundles: measureBundles(settings) }),
  "peers": (settings) => ({ peers: measurePeers(settings) }),
  "pool": (settings) => ({ pool: measureOperations(settings, "pool") }),
  "cli": (settings) => ({ cli: measureOverhead(settings) }),
  "sample": (settings) => ({ sample: measureSample(settings) }),
};

const HELP = `deno task bench tables [options] [NAME…]

Measures, stores the results in bench/results/, and renders the tables and charts of docs/ from
them. Without a NAME, everything is measured, one after the other.

  compare    as compare does, for performance.md and runtimes.md
  engines    as bench engines does, for runtimes.md; every --node is measured
  first-calls
             as compare --fresh does, for performance.md
  no-codegen as compare --pair does without generated code, for generated-code.md
  validate, tools
             as bench validate does, without and with --tools, for performance.md
  memory     as memory does, for memory.md
  http       as bench http does, for servers.md and background/measurements.md
  stream, latency
             as bench stream does, without and with --latency, for streaming.md
  select     as bench select does, also without generated code, in Node.js and in Bun, for select.md
  read, queue, pool
             as bench read, bench queue and bench pool do, for allocation.md
  bundles    as bench bundles does, for install.md
  peers      as bench peers does, for comparison.md
  cli        as bench cli does, for command-line.md
  sample     as the first command of README.md does, for command-line.md
  ${MEASUREMENTS.map(({ name }) => name).join(", ")}
             as bench background does, for background/measurements.md

  --render       measure nothing: render the tables from the stored results
  --node PATH    measure this Node.js instead of the one on the PATH; bench background and engines take
                 several, the others the first
  --bun PATH     measure this Bun instead of the one on the PATH
  --quick        do less work, to try the command
  --folder PATH  write to the README.md, docs/ and bench/results/ in this folder, copies that try the
                 command`;

function main(): void {
  const { operands, node, bun, quick, render, folder = ROOT } = readOptions(HELP, {
    switches: ["quick", "render"],
    values: ["folder"],
    lists: ["node", "bun"],
    takesOperands: true,
  });
  setColorEnabled(Deno.stderr.isTerminal() && !Deno.noColor);
  const results = readResults(folder);
  const jobs = { ...JOBS, ...publishedJobs(results) };
  const unknown = operands.filter((name) => !Object.hasOwn(jobs, name));
  if (unknown.length > 0) {
    throw new Error(`Cannot measure ${unknown.join(", ")}: there are ${Object.keys(jobs).join(", ")}`);
  }
  const names = render ? [] : operands.length > 0 ? operands : Object.keys(jobs);
  for (const name of names) {
    const start = performance.now();
    const measured = jobs[name]({ node, bun, quick });
    storeResults(folder, measured);
    Object.assign(results, measured);
    const seconds = Math.round((performance.now() - start) / 1e3);
    console.error(`${bold(name)}: ${formatDuration(seconds * 1e3, { ignoreZero: true }) || "0s"}`);
  }
  const stored = readResults(folder);
  writePages(folder, stored);
  for (const { page, words } of missingQuotes(stored, (page) => Deno.readTextFileSync(resolve(folder, page)))) {
    console.error(`${page} does not say '${words}': change the sentence`);
  }
}

try {
  main();
} catch (error) {
  console.error((error as Error).message);
  process.exit(2);
}
