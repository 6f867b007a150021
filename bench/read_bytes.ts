/**
 * Compares the memory of readBytes with that of other ways to read a stream into one buffer.
 * `--help` lists the options.
 *
 * @module
 */

import { spawnSync } from "node:child_process";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { formatDecimalBytes, formatRatio, formatTime } from "../measure/number_format.ts";
import { statusField } from "../measure/process_memory.ts";
import { runtimeName } from "../measure/runtime.ts";
import { median } from "../measure/statistics.ts";
import type { StreamReading } from "./processes/read_stream.ts";
import { type BrowserName, findBrowser, startBrowser } from "./support/browsers.ts";
import { readOptions, wholeNumber } from "./support/options.ts";
import { PageServer } from "./support/page_server.ts";
import { loadStreamReaders, STREAM_READERS } from "./support/stream_readers.ts";
import { renderTable } from "./support/table.ts";

const RUNS = 3;

const HELP = `deno task bench read [options]

Compares readBytes with the platform's and @std/streams' own ways, in Deno, Node.js and Bun: the peak
of the resident set, above the resident set before, while a stream of chunks of 64 KiB is read into
one buffer. In Chromium and Firefox it is the body of a fetch, and the set of the process that grows
most. Each run is a process or a browser of its own; figures are medians of ${RUNS} runs.

  --megabytes N  size of the stream, 200 by default
  --quick        take one run
  --json         print one JSON object on standard output`;

const IMPORT_MAP = fileURLToPath(new URL("../imports.npm.json", import.meta.url));
/** Commands that run a module, with access to /proc. */
const RUNTIMES = {
  Deno: [process.execPath, "run", "--no-config", `--import-map=${IMPORT_MAP}`, "--allow-all"],
  "Node.js": ["node"],
  Bun: ["bun"],
};
const MODULE = fileURLToPath(new URL("processes/read_stream.ts", import.meta.url));

/** Browsers, and their ways to read a body. */
const BROWSERS: Record<string, BrowserName> = { Chromium: "chromium", Firefox: "firefox" };
const PAGE = "bench/pages/read.ts";
const PAGE_READERS = ["readBytes, size known", "readBytes, size unknown", "arrayBuffer()"];

/** Medians of one reader in one runtime. */
interface Row {
  runtime: string;
  reader: string;
  peak: number;
  milliseconds: number;
}

/** Returns whether a runtime is installed and runs the module: Node.js does from 22.18 on. */
function canMeasure(command: string[]): boolean {
  const [program, ...args] = [...command, MODULE, Object.keys(STREAM_READERS)[0], "1"];
  return spawnSync(program, args, { stdio: "ignore" }).status === 0;
}

function measure(command: string[], reader: string, size: number): StreamReading {
  const [program, ...args] = [...command, MODULE, reader, String(size)];
  const { status, stdout, stderr } = spawnSync(program, args, { encoding: "utf8" });
  if (status !== 0) throw new Error(`Cannot measure ${reader}:\n${stderr}`);
  return JSON.parse(stdout);
}

/** Reads a body in a browser. */
async function measureInBrowser(
  name: BrowserName,
  program: string,
  reader: string,
  size: number,
): Promise<StreamReading> {
  const { promise, resolve } = Promise.withResolvers<{ milliseconds?: number; error?: string }>();
  const server = new PageServer({ page: PAGE, shared: new URL("../", import.meta.url), standIns: {} });
  const before = new Map<number, number>();
  server.onResult = async (id, result) => {
    if (id === "begin") {
      for (const pid of await browser.processes()) {
        before.set(pid, statusField("VmRSS", pid) ?? 0);
      }
    } else resolve(result as { milliseconds?: number; error?: string });
    return "";
  };
  const browser = await startBrowser(name, program, server.address("isolated", { reader, size: `${size}` }));
  browser.ended.then(() => resolve({ error: "the browser has ended" }));
  try {
    const { milliseconds, error } = await promise;
    if (milliseconds === undefined) throw new Error(`Cannot measure ${reader} in ${name}: ${error}`);
    const grown = (await browser.processes()).map((pid) =>
      (statusField("VmHWM", pid) ?? 0) - (before.get(pid) ?? Infinity)
    );
    return { peak: Math.max(...grown), milliseconds };
  } finally {
    await browser.stop();
    await server.stop();
  }
}

/** Returns the medians of several runs of a reader. */
async function readerRow(runtime: string, reader: string, runs: number, run: () => Promise<StreamReading>) {
  const readings: StreamReading[] = [];
  while (readings.length < runs) readings.push(await run());
  const medianOf = (name: keyof StreamReading): number => median(readings.map((reading) => reading[name]));
  return { runtime, reader, peak: medianOf("peak"), milliseconds: medianOf("milliseconds") };
}

async function main(): Promise<void> {
  const { megabytes = "200", quick, json } = readOptions(HELP, { switches: ["quick", "json"], values: ["megabytes"] });
  const size = wholeNumber("megabytes", megabytes, 1) * 1e6;
  const runs = quick ? 1 : RUNS;
  const rows: Row[] = [];
  for (const [runtime, command] of Object.entries(RUNTIMES)) {
    if (!canMeasure(command)) {
      console.error(`${runtime} is left out: it is not on the PATH, or does not run TypeScript`);
      continue;
    }
    const readers = runtime === "Deno" ? await loadStreamReaders() : STREAM_READERS;
    for (const reader of Object.keys(readers)) {
      rows.push(await readerRow(runtime, reader, runs, () => Promise.resolve(measure(command, reader, size))));
    }
  }
  for (const [runtime, name] of Object.entries(BROWSERS)) {
    const program = await findBrowser(name);
    if (program === undefined) {
      console.error(`${runtime} is left out: it is not installed`);
      continue;
    }
    for (const reader of PAGE_READERS) {
      rows.push(await readerRow(runtime, reader, runs, () => measureInBrowser(name, program, reader, size)));
    }
  }
  if (json) return console.log(JSON.stringify({ machine: runtimeName(), size, rows }, null, 2));
  const table = renderTable(
    [`a stream of ${formatDecimalBytes(size)}`, "peak", "× its size", "time"],
    rows.map(({ runtime, reader, peak, milliseconds }) => [
      `${runtime}: ${reader}`,
      formatDecimalBytes(peak),
      formatRatio(peak / size),
      formatTime(milliseconds),
    ]),
  );
  console.log(`${runtimeName()}\n\n${table}`);
}

try {
  await main();
} catch (error) {
  console.error((error as Error).message);
  process.exit(2);
}
