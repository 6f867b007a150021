/**
 * Tables of other parsers, in docs/comparison.md and docs/background/parsers.md.
 *
 * @module
 */

import { formatRatio } from "../../measure/number_format.ts";
import { geometricMean } from "../../measure/statistics.ts";
import { behavioursTable, type PeerReport, peersTable, type RuntimePeers } from "../peers.ts";
import type { MeasuredBlock, Table } from "../support/page.ts";
import { quickly, runBench, type Settings } from "./context.ts";

const PAGE = "docs/comparison.md";
const DETAILS = "docs/background/parsers.md";

/** Runtimes in the order of the columns, with their names for readers. */
const RUNTIMES: Record<string, string> = { Deno: "Deno", Node: "Node.js", Bun: "Bun" };

/** Measures by bench peers. */
export function measurePeers(settings: Settings): PeerReport {
  const [node = "node"] = settings.node;
  const [bun = "bun"] = settings.bun;
  return runBench(settings, "peers", ["--node", node, "--bun", bun, ...quickly(settings)]) as PeerReport;
}

function keyOf({ runtime }: RuntimePeers): string {
  return runtime.split(" ")[0];
}

/** Lays out the mean over all documents, and the first call, relative to native in each runtime. */
export function meansTable(runtimes: RuntimePeers[]): Table {
  const columns = Object.keys(RUNTIMES).flatMap((key) => runtimes.find((figures) => keyOf(figures) === key) ?? []);
  const names = [...new Set(columns.flatMap(({ rows }) => rows.map(({ name }) => name)))];
  const cell = ({ rows }: RuntimePeers, name: string, isFirstCall: boolean): string => {
    const row = rows.find((row) => row.name === name);
    if (row === undefined) return "";
    return formatRatio(isFirstCall ? rows[0].firstCall / row.firstCall : geometricMean(Object.values(row.ratios)));
  };
  const titles = columns.map((figures) => RUNTIMES[keyOf(figures)]);
  return {
    header: ["× native", ...titles, ...titles.map((title) => `first call, ${title}`)],
    rows: names.slice(1).map((name) => [
      name,
      ...[false, true].flatMap((isFirstCall) => columns.map((figures) => cell(figures, name, isFirstCall))),
    ]),
  };
}

/** Returns the tables of the pages. */
export function peerTables({ peers: { runtimes, behaviours } }: { peers: PeerReport }): MeasuredBlock[] {
  return [
    { page: PAGE, heading: "Figures", content: meansTable(runtimes) },
    { page: PAGE, heading: "Behaviour", content: behavioursTable(behaviours) },
    ...runtimes.map((figures): MeasuredBlock => ({
      page: DETAILS,
      heading: `In ${RUNTIMES[keyOf(figures)]}`,
      content: peersTable(figures),
    })),
  ];
}
