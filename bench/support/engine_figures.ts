/**
 * Figures of an engine, as a page or a process finds them.
 *
 * @module
 */

import { formatRatio } from "../../measure/number_format.ts";
import type { Row, Summary } from "./comparison.ts";
import type { Kind } from "./documents.ts";
import type { Table } from "./page.ts";

/** Kind and size of the document of which the first call is measured. */
export const FIRST_CALL_KIND: Kind = "records";
/** Bytes of that document. */
export const FIRST_CALL_BYTES = 20_000;

/** Figures of parseBinary against native in one engine. */
export interface PageFigures {
  /** Name and version of the engine, as it says. */
  name: string;
  rows: Row[];
  groups: Summary[];
  /** Native's first call in a new worker or process over parseBinary's. */
  firstCall: number;
}

/** Sizes of the bodies that have a column each. */
const BODIES = ["31 B", "512 B", "3 KB"];

/** Lays out one row an engine. */
export function enginesTable(engines: PageFigures[]): Table {
  const ratioOf = (rows: Row[], group: string, name: string): string => {
    const row = rows.find((row) => row.group === group && row.name === name);
    return row === undefined ? "" : formatRatio(row.ratio);
  };
  return {
    header: ["engine", "corpus", "worst", "of", "generated", ...BODIES, "bad first byte", "first call"],
    rows: engines.map(({ name, rows, groups, firstCall }) => {
      const corpus = groups.find(({ group }) => group === "corpus");
      const generated = groups.find(({ group }) => group === "generated");
      return [
        name.split(" ", 2).join(" "), // without the platform
        corpus ? formatRatio(corpus.geometricMean) : "",
        corpus ? formatRatio(corpus.worst.ratio) : "",
        corpus?.worst.name ?? "",
        generated ? formatRatio(generated.geometricMean) : "",
        ...BODIES.map((size) => ratioOf(rows, "payload", size)),
        ratioOf(rows, "failure", "first byte of 4 MB"),
        formatRatio(firstCall),
      ];
    }),
  };
}

/** Lays out the same in short: the means, the worst, and first calls. */
export function shortEnginesTable(engines: PageFigures[]): Table {
  const { header, rows } = enginesTable(engines);
  const columns = ["engine", "corpus", "worst", "31 B", "3 KB", "first call"].map((name) => header.indexOf(name));
  const pick = (cells: string[]): string[] => columns.map((column) => cells[column]);
  return { header: pick(header), rows: rows.map(pick) };
}
