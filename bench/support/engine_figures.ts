/**
 * Figures of an engine, as a page or a process measures them.
 *
 * @module
 */

import { formatRatio } from "../../measure/number_format.ts";
import type { Row, Summary } from "./comparison.ts";
import type { Kind } from "./documents.ts";
import type { Table } from "./page.ts";

/** Kind and size of the document that the measured first call parses. */
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

/** Figures of an engine that tables show. */
export interface EngineFigures {
  /** Name and version of the engine, without its platform. */
  name: string;
  corpus?: { geometricMean: number; worst: { name: string; ratio: number } };
  generated?: { geometricMean: number };
  /** Ratios of bodies, by their size. */
  bodies: Record<string, number>;
  /** Ratio of a large document that is bad at its first byte. */
  badFirstByte?: number;
  firstCall: number;
}

/** Sizes of the bodies that have a column each. */
const BODIES = ["31 B", "512 B", "3 KB"];

/** Selects the figures that tables show. */
export function toEngineFigures({ name, rows, groups, firstCall }: PageFigures): EngineFigures {
  const [corpus, generated] = ["corpus", "generated"].map((name) => groups.find(({ group }) => group === name));
  const badFirstByte = rows.find(({ group, name }) => group === "failure" && name === "first byte of 4 MB")?.ratio;
  const bodies = rows.filter(({ group, name }) => group === "payload" && BODIES.includes(name));
  return {
    name: name.split(" ", 2).join(" "),
    ...(corpus && { corpus: { geometricMean: corpus.geometricMean, worst: corpus.worst } }),
    ...(generated && { generated: { geometricMean: generated.geometricMean } }),
    bodies: Object.fromEntries(bodies.map(({ name, ratio }) => [name, ratio])),
    ...(badFirstByte !== undefined && { badFirstByte }),
    firstCall,
  };
}

/** Lays out one row an engine. */
export function enginesTable(engines: EngineFigures[]): Table {
  const cell = (ratio: number | undefined): string => ratio === undefined ? "" : formatRatio(ratio);
  return {
    header: ["engine", "corpus", "worst", "of", "generated", ...BODIES, "bad first byte", "first call"],
    rows: engines.map(({ name, corpus, generated, bodies, badFirstByte, firstCall }) => [
      name,
      cell(corpus?.geometricMean),
      cell(corpus?.worst.ratio),
      corpus?.worst.name ?? "",
      cell(generated?.geometricMean),
      ...BODIES.map((size) => cell(bodies[size])),
      cell(badFirstByte),
      cell(firstCall),
    ]),
  };
}
