/** The memory that it takes to have a stream in one buffer. `--help` says how. */
import { spawnSync } from "node:child_process";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { formatBytes, formatRatio, formatTime, renderTable } from "./support/report.ts";
import { runtimeName } from "./support/runtime.ts";
import { type Reading, WAY_NAMES } from "./support/reading_process.ts";
import { median } from "./support/statistics.ts";

const RUNS = 5;

const HELP = `deno task bench:read [options]

The most that is resident above what was before, while a stream of chunks of 64 KiB is read into one buffer: by readBytes and by
what the platform offers, each in a process of its own, in Deno, Node.js and Bun. Medians of ${RUNS}.

  --megabytes N  size of the stream, 200 by default
  --json         one JSON object on standard output`;

/** What runs a module, and may look into /proc. */
const RUNTIMES = { Deno: [process.execPath, "run", "--no-config", "--allow-all"], Node: ["node"], Bun: ["bun"] };
const MODULE = fileURLToPath(new URL("support/reading_process.ts", import.meta.url));

interface Row {
  runtime: string;
  way: string;
  peak: number;
  milliseconds: number;
}

function measure(command: string[], way: string, size: number): Reading {
  const [program, ...args] = [...command, MODULE, way, String(size)];
  const { status, stdout, stderr } = spawnSync(program, args, { encoding: "utf8" });
  if (status !== 0) throw new Error(`${way} failed:\n${stderr}`);
  return JSON.parse(stdout);
}

function main(): void {
  const { values: flags } = parseArgs({
    options: {
      megabytes: { type: "string", default: "200" },
      json: { type: "boolean", default: false },
      help: { type: "boolean", default: false },
    },
  });
  if (flags.help) return console.log(HELP);
  const size = Number(flags.megabytes) * 1e6;
  if (!Number.isInteger(size) || size <= 0) throw new RangeError("--megabytes is no number from 1 up");
  const rows: Row[] = [];
  for (const [runtime, command] of Object.entries(RUNTIMES)) {
    if (spawnSync(command[0], ["--version"]).status !== 0) {
      console.error(`${runtime} is left out: it is not on the PATH`);
      continue;
    }
    for (const way of WAY_NAMES) {
      const readings = Array.from({ length: RUNS }, () => measure(command, way, size));
      const of = (name: keyof Reading): number => median(readings.map((reading) => reading[name]));
      rows.push({ runtime, way, peak: of("peak"), milliseconds: of("milliseconds") });
    }
  }
  if (flags.json) return console.log(JSON.stringify({ machine: runtimeName(), size, rows }, null, 2));
  const table = renderTable(
    [`a stream of ${formatBytes(size)}`, "peak", "× its size", "time"],
    rows.map(({ runtime, way, peak, milliseconds }) => [
      `${runtime}: ${way}`,
      formatBytes(peak),
      formatRatio(peak / size),
      formatTime(milliseconds),
    ]),
  );
  console.log(`${runtimeName()}\n\n${table}`);
}

try {
  main();
} catch (error) {
  console.error((error as Error).message);
  process.exit(2);
}
