/**
 * Figures of documents and of groups of documents, native against parseBinary.
 *
 * @module
 */

import { native, parser } from "../../measure/contestants.ts";
import { formatRatio, formatTime } from "../../measure/number_format.ts";
import { geometricMean, median, spread } from "../../measure/statistics.ts";
import type { BenchDocument } from "./documents.ts";
import type { Lane } from "./lane.ts";
import { PEER_NAME } from "./peer.ts";
import { renderTable } from "./table.ts";

/** Figures of one contestant on one document. */
export interface Figure {
  /** Milliseconds for every part of the document once. */
  milliseconds: number;
  mbPerSecond: number;
}

/** Figures of one document. */
export interface Row {
  group: string;
  name: string;
  bytes: number;
  parts: number;
  /** Figures by the name of the contestant. */
  figures: Record<string, Figure>;
  /** Half the interquartile range of parseBinary's times, as a share of their median. */
  spread: number;
  /** Native's median time over parseBinary's. */
  ratio: number;
  /** The peer's median time over parseBinary's. */
  peerRatio?: number;
}

/** Ratios of a group of documents. */
export interface Summary {
  group: string;
  documents: number;
  geometricMean: number;
  worst: { name: string; ratio: number };
  peerGeometricMean?: number;
}

/** Takes the medians of the lanes of one document. */
export function toRow({ group, name, parts }: BenchDocument, lanes: Lane[]): Row {
  const bytes = parts.reduce((sum, part) => sum + part.length, 0);
  const figures = Object.fromEntries(lanes.map(({ contestant, samples }): [string, Figure] => {
    const milliseconds = median(samples);
    return [contestant.name, { milliseconds, mbPerSecond: bytes / milliseconds / 1e3 }];
  }));
  const ratioTo = (contestant: string): number => figures[contestant].milliseconds / figures[parser.name].milliseconds;
  return {
    group,
    name,
    bytes,
    parts: parts.length,
    figures,
    spread: spread(lanes.find(({ contestant }) => contestant.name === parser.name)!.samples),
    ratio: ratioTo(native.name),
    ...(PEER_NAME in figures && { peerRatio: ratioTo(PEER_NAME) }),
  };
}

/**
 * Formats a contestant's throughput or, for documents that are not read to their end, its time per
 * part.
 */
export function formatSpeed(row: Row, contestant: string): string {
  const figure = row.figures[contestant];
  if (figure === undefined) return "";
  return row.group === "failure"
    ? formatTime(figure.milliseconds / row.parts)
    : `${figure.mbPerSecond.toFixed(figure.mbPerSecond < 100 ? 1 : 0)} MB/s`;
}

/** Summarizes the groups, in the order of their first documents. */
export function summarize(rows: Row[]): Summary[] {
  return [...Map.groupBy(rows, (row) => row.group)].map(([group, members]) => {
    const worst = members.reduce((worst, row) => row.ratio < worst.ratio ? row : worst);
    const peerRatios = members.flatMap((row) => row.peerRatio ?? []);
    return {
      group,
      documents: members.length,
      geometricMean: geometricMean(members.map((row) => row.ratio)),
      worst: { name: worst.name, ratio: worst.ratio },
      ...(peerRatios.length > 0 && { peerGeometricMean: geometricMean(peerRatios) }),
    };
  });
}

/** Renders summaries as a table. */
export function renderSummaries(summaries: Summary[]): string {
  return renderTable(
    ["group", "documents", "geometric mean", "worst", "of", "× peer"],
    summaries.map((summary) => [
      summary.group,
      String(summary.documents),
      formatRatio(summary.geometricMean),
      formatRatio(summary.worst.ratio),
      summary.worst.name,
      summary.peerGeometricMean === undefined ? "" : formatRatio(summary.peerGeometricMean),
    ]),
  );
}
