/**
 * Measures JSON servers under load. `--help` lists the options.
 *
 * @module
 */

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { formatDecimalBytes } from "../../measure/number_format.ts";
import { runtimeName } from "../../measure/runtime.ts";
import { generate } from "../support/documents.ts";
import { capMemory, type MemoryCap } from "../support/memory_cap.ts";
import { readOptions, wholeNumber } from "../support/options.ts";
import { renderTable } from "../support/table.ts";
import { type Figures, findK6, putUnderLoad } from "./k6.ts";
import { PIPELINES, UNPARSED } from "./pipelines.ts";
import { loadTable } from "./report.ts";
import { type LoadRow, mergeRuns } from "./runs.ts";
import { type Runtime, RUNTIMES, ServerProcess, versionOf } from "./server_process.ts";

const BODIES = [1, 1_000, 100_000, 1_000_000, 10_000_000];
/** Number of turns of each server, the warm-up not counted. */
const ROUNDS = 5;
const WARM_UP = { rounds: 1, turn: 1 };

const HELP = `deno task bench http [options]

Posts a JSON document by k6 to servers of Deno.serve, node:http and Bun.serve, each a process of its
own with a cap on its memory. A server reads the whole body and parses it, by JSON.parse or by
parseBinary. It then frees the bytes by detach, or leaves them to the garbage collector. Two servers
read the body by readBytes, and one parses it while it arrives, by parseStream. Two read and parse it
by one call: the shortest native one, and readJson. The servers of a runtime take turns. Documents
of 1 KB, 100 KB, 1 MB and 10 MB are records such as an API sends. k6 is found on the PATH or in Go's
folder, or built there.

  --only REGEX    measure loads whose "runtime body" matches, such as "Deno 10 MB"
  --ways REGEX    measure ways whose name matches, and native
  --seconds N     measure each server for N seconds, in ${ROUNDS} turns after a second of warm-up;
                  default 6, at least ${ROUNDS}
  --runs N        do all of it N times with new servers, and report medians; default 1
  --clients N     keep N requests in flight; default 1
  --no-parsing    measure servers that only read, beside native
  --cap MB        cap the memory of each server; default 300, 0 for no cap
  --json          print one JSON object on standard output`;

function readFlags() {
  const { only = "", ways = "", seconds = "6", runs = "1", clients = "1", cap = "300", json, "no-parsing": noParsing } =
    readOptions(HELP, {
      switches: ["json", "no-parsing"],
      values: ["only", "ways", "seconds", "runs", "clients", "cap"],
    });
  return {
    only: new RegExp(only),
    seconds: wholeNumber("seconds", seconds, ROUNDS), // k6 has no turns of less than a second
    runs: wholeNumber("runs", runs, 1),
    clients: wholeNumber("clients", clients, 1),
    cap: wholeNumber("cap", cap, 0) * 1e6,
    pipelines: Object.keys(noParsing ? UNPARSED : PIPELINES).filter((name, i) =>
      i === 0 || new RegExp(ways).test(name)
    ),
    json,
  };
}

type Flags = ReturnType<typeof readFlags>;

const NO_CAP: MemoryCap = { means: "not capped", isSet: false, prefix: [], remove() {} };

/** Whether the user interrupted the run. k6 then ends too, and the servers are stopped. */
let interrupted = false;
process.on("SIGINT", () => interrupted = true);

/** Measures one server per pipeline, all under the same load. */
async function measure(k6: string, runtime: Runtime, bytes: number, flags: Flags): Promise<LoadRow[]> {
  const folder = mkdtempSync(join(tmpdir(), "bytejson-"));
  const body = join(folder, "body.json");
  writeFileSync(body, bytes === 1 ? "1" : generate("records", bytes));
  const servers = flags.pipelines.map((pipeline) => {
    const cap = flags.cap > 0 ? capMemory(flags.cap) : NO_CAP;
    return { pipeline, cap, program: new ServerProcess(runtime, pipeline, cap) };
  });
  try {
    const targets: Record<string, string> = {};
    for (const { pipeline, program } of servers) targets[pipeline] = await program.address();
    const { clients } = flags;
    await putUnderLoad(k6, { targets, body, clients, ...WARM_UP });
    if (interrupted) throw new Error("Interrupted");
    for (const { program } of servers) program.takeCollections();
    const figures = await putUnderLoad(k6, { targets, body, clients, rounds: ROUNDS, turn: flags.seconds / ROUNDS });
    if (interrupted) throw new Error("Interrupted");
    const rate = ({ requests, failed, seconds }: Figures): number => (requests - failed) / seconds;
    return servers.map(({ pipeline, program }): LoadRow => {
      const ratio = rate(figures[pipeline]) / rate(figures[flags.pipelines[0]]);
      return {
        runtime: runtime.name,
        bytes,
        pipeline,
        figures: figures[pipeline],
        requestsPerSecond: rate(figures[pipeline]),
        ratio,
        ratios: [ratio],
        peakResidentBytes: program.peak,
        collections: program.takeCollections(),
        deaths: program.death === undefined ? [] : [program.death],
      };
    });
  } finally {
    for (const { program, cap } of servers) {
      await program.stop();
      cap.remove();
    }
    rmSync(folder, { recursive: true });
  }
}

function render(rows: LoadRow[]): string {
  const nameOf = ({ runtime, bytes, pipeline }: LoadRow): string => `${loadName(runtime, bytes)} ${pipeline}`;
  const { header, rows: lines } = loadTable(rows, "load", nameOf);
  return renderTable(header, lines);
}

function loadName(runtime: string, bytes: number): string {
  return `${runtime} ${formatDecimalBytes(bytes)}`;
}

async function main(): Promise<void> {
  const flags = readFlags();
  const k6 = findK6();
  if (k6 === undefined) {
    throw new Error("Cannot send requests: neither k6 nor Go to build it is on the PATH: https://grafana.com/docs/k6");
  }
  const probe = flags.cap > 0 ? capMemory(flags.cap) : NO_CAP;
  probe.remove();
  const means = probe.isSet ? `${formatDecimalBytes(flags.cap)} by ${probe.means}` : probe.means;
  if (!probe.isSet) console.error(`The servers' memory is ${means}`);

  const rows: LoadRow[] = [];
  const versions: Record<string, string> = {};
  for (const runtime of RUNTIMES) {
    const loads = BODIES.filter((bytes) => flags.only.test(loadName(runtime.name, bytes)));
    if (loads.length === 0) continue;
    const version = versionOf(runtime);
    if (version === undefined) {
      console.error(`${runtime.name} is left out: it is not on the PATH`);
      continue;
    }
    versions[runtime.name] = version;
    for (const bytes of loads) {
      const runs: LoadRow[][] = [];
      while (runs.length < flags.runs) runs.push(await measure(k6, runtime, bytes, flags));
      rows.push(...mergeRuns(runs));
    }
  }
  const { seconds, runs, clients } = flags;
  if (flags.json) {
    console.log(
      JSON.stringify({ machine: runtimeName(), versions, memory: means, seconds, runs, clients, rows }, null, 2),
    );
  } else {
    console.log(
      `${runtimeName()}, servers' memory ${means}, ${clients} client(s), ${runs} run(s) of ${seconds} s each\n\n${
        render(rows)
      }`,
    );
  }
}

try {
  await main();
} catch (error) {
  console.error((error as Error).message);
  process.exit(2);
}
