/** Bench of JSON servers under load by k6. */

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { formatDecimalBytes, formatRatio, formatTime } from "../measure/number_format.ts";
import { findK6, putUnderLoad, ServerProcess } from "./http/load.ts";
import { PIPELINES } from "./http/pipelines.ts";
import { type Bench, type BenchOptions, showProgress } from "./support/bench.ts";
import { generate } from "./support/documents.ts";
import type { Table } from "./support/page.ts";
import { otherRuntimes, type Runtime, THIS_RUNTIME, withFolder } from "./support/runtimes.ts";

const BODIES = [1_000, 1_000_000, 10_000_000];
/** Turns of each server, a second each. */
const ROUNDS = 2;

const NATIVE = "native";
/** Ways besides native; the page shows the memory of all but the last. */
const WAYS = ["parseBinary + detach", "parseStream", "readJson", "native in one call"];
const SHOWN_MEMORY = WAYS.slice(0, -1);

interface LoadRow {
  runtime: string;
  bytes: number;
  pipeline: string;
  /** Median time of a request. */
  milliseconds: number;
  requestsPerSecond: number;
  /** Requests per second over those of native. */
  ratio: number;
  /** Highest resident set; absent where there is no `/proc`. */
  peak?: number;
  /** Signal or exit code that ended the server, if it did not survive. */
  death?: string;
  failed: number;
}

/** Posts a body for a while, so that a server has compiled its code. */
async function warmUp(address: string, body: Uint8Array<ArrayBuffer>): Promise<void> {
  for (const end = performance.now() + 300; performance.now() < end;) {
    const headers = { "content-type": "application/json" };
    const response = await fetch(address, { method: "POST", headers, body }).catch(() => undefined);
    await response?.text().catch(() => undefined);
    if (!response?.ok) return;
  }
}

/** Measures one server per way, all under the same load. */
async function measure(
  k6: string,
  runtime: Runtime,
  bytes: number,
  options: BenchOptions,
): Promise<LoadRow[]> {
  const cap = options.number("cap", 300, 0) * 1e6;
  return await withFolder(async (folder) => {
    const path = join(folder, "body.json");
    const body = generate("records", bytes) as Uint8Array<ArrayBuffer>;
    writeFileSync(path, body);
    const servers = Object.keys(PIPELINES).map((pipeline) => {
      return { pipeline, program: new ServerProcess(runtime, pipeline, cap) };
    });
    try {
      const targets: Record<string, string> = {};
      for (const { pipeline, program } of servers) {
        targets[pipeline] = await program.address();
        await warmUp(targets[pipeline], body);
      }
      const rounds = options.isQuick ? 1 : Math.ceil(options.number("seconds", ROUNDS, 1));
      const clients = Math.ceil(options.number("clients", 1, 1));
      const figures = await putUnderLoad(k6, { targets, body: path, clients, rounds, turn: 1 });
      const rateOf = (pipeline: string): number => {
        const { requests, failed, seconds } = figures[pipeline];
        return (requests - failed) / seconds;
      };
      return servers.map(({ pipeline, program: { peak, death } }): LoadRow => ({
        runtime: runtime.name,
        bytes,
        pipeline,
        milliseconds: figures[pipeline].milliseconds.med,
        requestsPerSecond: rateOf(pipeline),
        ratio: rateOf(pipeline) / rateOf(NATIVE),
        ...peak !== undefined && { peak },
        ...death !== undefined && { death },
        failed: figures[pipeline].failed,
      }));
    } finally {
      for (const { program } of servers) await program.stop();
    }
  });
}

/** Lays out native's median, the requests per second relative to native, and the memory. */
function summaryTable(rows: readonly LoadRow[]): Table {
  const isMeasured = (pipeline: string): boolean => rows.some((row) => row.pipeline === pipeline);
  const ways = WAYS.filter(isMeasured);
  const sets = [NATIVE, ...SHOWN_MEMORY].filter(isMeasured);
  const loads = Map.groupBy(rows, ({ runtime, bytes }) => `${runtime}, ${formatDecimalBytes(bytes)}`);
  return {
    header: ["runtime and body", `${NATIVE}, median`, ...ways, ...sets.map((pipeline) => `${pipeline} RSS`)],
    rows: [...loads].map(([load, servers]) => {
      const of = (pipeline: string): LoadRow | undefined => servers.find((server) => server.pipeline === pipeline);
      return [
        load,
        formatTime(of(NATIVE)!.milliseconds),
        ...ways.map((way) => {
          const server = of(way);
          return server === undefined ? "" : formatRatio(server.ratio) + (server.death === undefined ? "" : ", killed");
        }),
        ...sets.map((way) => formatDecimalBytes(of(way)?.peak ?? 0)),
      ];
    }),
  };
}

export const bench: Bench<{ rows: LoadRow[] }> = {
  help: `Posts a JSON document by k6 to servers of Deno.serve, node:http and Bun.serve, each a process of its own
with a cap on its memory. A server reads the whole body and parses it, by JSON.parse or by
parseBinary and detach; or parses it while it arrives, by parseStream; or does both by one call, the
shortest native one or readJson. The servers of a runtime take turns of a second. Names of rows are
"runtime body", such as "Deno 10 MB". k6 is found on the PATH or in Go's folder, or built there.`,
  options: {
    "seconds N": `measure each server for N seconds, ${ROUNDS} by default`,
    "clients N": "keep N requests in flight, 1 by default",
    "cap N": "cap the memory of each server at N MB, 300 by default; 0 for no cap",
  },
  async measure(options) {
    const k6 = findK6();
    let isInterrupted = false;
    process.on("SIGINT", () => isInterrupted = true); // k6 ends, and the servers are stopped
    const rows: LoadRow[] = [];
    for (const runtime of [THIS_RUNTIME, ...otherRuntimes(options)]) {
      for (const bytes of BODIES) {
        const load = `${runtime.name} ${formatDecimalBytes(bytes)}`;
        if (!options.only.test(load)) continue;
        showProgress(load);
        rows.push(...await measure(k6, runtime, bytes, options));
        if (isInterrupted) throw new Error("Interrupted");
      }
    }
    return { rows };
  },
  tables: ({ rows }) => [{
    header: ["load", "median", "requests/s", "× native", "peak RSS", "server"],
    rows: rows.map(({ runtime, bytes, pipeline, milliseconds, requestsPerSecond, ratio, peak, death, failed }) => [
      `${runtime} ${formatDecimalBytes(bytes)} ${pipeline}`,
      formatTime(milliseconds),
      requestsPerSecond.toFixed(requestsPerSecond < 100 ? 1 : 0),
      isFinite(ratio) ? formatRatio(ratio) : "",
      peak === undefined ? "" : formatDecimalBytes(peak),
      (death ?? "survived") + (failed > 0 ? `, ${failed} requests failed` : ""),
    ]),
  }],
  blocks: ({ rows }) => [{ page: "docs/servers.md", heading: "Under load", content: summaryTable(rows) }],
  quotes({ rows }) {
    const server = (runtime: string, bytes: number, pipeline: string): LoadRow =>
      rows.find((row) => row.runtime === runtime && row.bytes === bytes && row.pipeline === pipeline)!;
    const detached = (runtime: string): string => formatRatio(server(runtime, 1e6, "parseBinary + detach").ratio);
    const streamed = (runtime: string): string => formatRatio(server(runtime, 1e7, "parseStream").ratio);
    const memory = server("Deno", 1e7, "parseStream").peak! / server("Deno", 1e7, NATIVE).peak!;
    return [
      {
        page: "docs/servers.md",
        words: `${detached("Node.js")} as many requests in Node.js by \`parseBinary\` and \`detach\` as by native, ${
          detached("Deno")
        } in Deno and ${detached("Bun")} in Bun`,
      },
      {
        page: "docs/servers.md",
        words: `Deno answers ${streamed("Deno")} as many and takes ${memory.toFixed(2)}× the memory`,
      },
      {
        page: "docs/streaming.md",
        words: `answer ${streamed("Deno")} as many requests by \`parseStream\` as by native in Deno, and ${
          streamed("Node.js")
        } in Node.js`,
      },
    ];
  },
};
