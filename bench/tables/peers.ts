/**
 * Tables of docs/comparison.md.
 *
 * @module
 */

import { behavioursTable, type PeerReport, peersTable } from "../peers.ts";
import type { MeasuredBlock } from "../support/page.ts";
import { quickly, runBench, type Settings } from "./context.ts";

const PAGE = "docs/comparison.md";

/** Measures by bench peers. */
export function measurePeers(settings: Settings): PeerReport {
  const [node = "node"] = settings.node;
  const [bun = "bun"] = settings.bun;
  return runBench(settings, "peers", ["--node", node, "--bun", bun, ...quickly(settings)]) as PeerReport;
}

/** Returns the tables of the page. */
export function peerTables({ peers: { runtimes, behaviours } }: { peers: PeerReport }): MeasuredBlock[] {
  return [
    ...runtimes.map((figures): MeasuredBlock => ({
      page: PAGE,
      heading: `In ${{ Deno: "Deno", Node: "Node.js", Bun: "Bun" }[figures.runtime.split(" ")[0]]}`,
      content: peersTable(figures),
    })),
    { page: PAGE, heading: "Behaviour", content: behavioursTable(behaviours) },
  ];
}
