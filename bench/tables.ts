/**
 * Measures what is in tables of the documentation, and writes the tables. `--help` lists the
 * options.
 *
 * @module
 */

import { bold, setColorEnabled } from "@std/fmt/colors";
import { format as formatDuration } from "@std/fmt/duration";
import { resolve } from "node:path";
import process from "node:process";
import { MEASUREMENTS } from "./seeds/measurements.ts";
import { readOptions } from "./support/options.ts";
import { writePool, writeQueue, writeReaders } from "./tables/allocation.ts";
import { ROOT, type Settings } from "./tables/context.ts";
import { writeEngines } from "./tables/engines.ts";
import { writeMeasurement } from "./tables/measurements.ts";
import { writeMemory } from "./tables/memory.ts";
import { writeComparison, writeOverhead, writeSample, writeTools, writeValidation } from "./tables/performance.ts";
import { writeLoads } from "./tables/servers.ts";

/** Writers that measure first, by name. */
const JOBS: Record<string, (settings: Settings) => Promise<void>> = {
  ...Object.fromEntries(
    MEASUREMENTS.map(({ name }) => [name, (settings: Settings) => writeMeasurement(settings, name)]),
  ),
  http: writeLoads,
  read: writeReaders,
  queue: writeQueue,
  pool: writePool,
  compare: writeComparison,
  engines: writeEngines,
  validate: writeValidation,
  tools: writeTools,
  memory: writeMemory,
  cli: writeOverhead,
  sample: writeSample,
};

const HELP = `deno task bench tables [options] [NAME…]

Measures, and writes the figures into tables of docs/ and README.md. Without a NAME, everything is
measured, one after the other.

  ${MEASUREMENTS.map(({ name }) => name).join(", ")}
             as bench seeds does, for measurements.md
  http       as bench http does, for servers.md and measurements.md
  read, queue, pool
             as bench read, bench queue and bench pool do, for allocation.md
  compare    as compare does, for performance.md and README.md
  engines    as bench engines does, for runtimes.md and README.md; every --node is measured
  validate, tools
             as bench validate does, without and with --tools, for performance.md
  memory     as memory does, for memory.md
  cli        as bench cli does, for command-line.md
  sample     as the first command of README.md does, for README.md and command-line.md

  --node PATH    measure this Node.js instead of the one on the PATH; bench seeds and engines take
                 several, the others the first
  --bun PATH     measure this Bun instead of the one on the PATH
  --quick        do less work, to try the command
  --folder PATH  write to pages in this folder instead of docs, and to README.md beside it`;

async function main(): Promise<void> {
  const { operands, node, bun, quick, folder = resolve(ROOT, "docs") } = readOptions(HELP, {
    switches: ["quick"],
    values: ["folder"],
    lists: ["node", "bun"],
    takesOperands: true,
  });
  setColorEnabled(Deno.stderr.isTerminal() && !Deno.noColor);
  const unknown = operands.filter((name) => !Object.hasOwn(JOBS, name));
  if (unknown.length > 0) {
    throw new Error(`Cannot measure ${unknown.join(", ")}: there are ${Object.keys(JOBS).join(", ")}`);
  }
  for (const name of operands.length > 0 ? operands : Object.keys(JOBS)) {
    const start = performance.now();
    await JOBS[name]({ node, bun, quick, folder });
    const seconds = Math.round((performance.now() - start) / 1e3);
    console.error(`${bold(name)}: ${formatDuration(seconds * 1e3, { ignoreZero: true }) || "0s"}`);
  }
}

try {
  await main();
} catch (error) {
  console.error((error as Error).message);
  process.exit(2);
}
