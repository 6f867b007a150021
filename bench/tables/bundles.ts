/**
 * Table of docs/install.md.
 *
 * @module
 */

import { formatDecimalBytes } from "../../measure/number_format.ts";
import type { BundleReport, BundleRow } from "../bundles.ts";
import type { MeasuredBlock } from "../support/page.ts";
import { runBench, type Settings } from "./context.ts";

/** Exports whose code is only a part of another one's. */
const PARTS = ["UNTRUSTED", "every", "selector", "parseOrThrow"];

/** Measures by bench bundles. */
export function measureBundles(settings: Settings): BundleReport {
  return runBench(settings, "bundles") as BundleReport;
}

/** Returns the row of an export. */
export function bundleOf({ rows }: BundleReport, name: string): BundleRow {
  return rows.find((row) => row.name === name)!;
}

/** Returns the tables of the page. */
export function bundleTables({ bundles: { rows } }: { bundles: BundleReport }): MeasuredBlock[] {
  const shown = rows.filter(({ name }) => !PARTS.includes(name)).toSorted((a, b) => a.alone - b.alone);
  return [{
    page: "docs/install.md",
    heading: "Bundle sizes",
    content: {
      header: ["export", "from", "min + gzip", "from `bytejson`"],
      rows: shown.map(({ name, entry, alone, fromRoot }) => [
        `\`${name}\``,
        `\`${entry}\``,
        formatDecimalBytes(alone),
        fromRoot === null ? "" : formatDecimalBytes(fromRoot),
      ]),
    },
  }];
}
