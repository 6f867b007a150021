/** What a comparison says about documents and groups of them. */
import type { BenchDocument } from "../documents.ts";
import { native, ours, PEER_NAME } from "./contestants.ts";
import type { Lane } from "./lane.ts";
import { formatRatio, formatTime, renderTable } from "./report.ts";
import { geometricMean, median, spread } from "./statistics.ts";

/** One contestant on one document. */
export interface Figure {
  /** For every part of the document once. */
  milliseconds: number;
  mbPerSecond: number;
  /** Half the interquartile range as a share of the median. */
  spread: number;
}

/** One document. `ratio` is native's median time over parseBinary's, `peerRatio` the peer's. */
export interface Row {
  group: string;
  name: string;
  bytes: number;
  parts: number;
  figures: Record<string, Figure>;
  ratio: number;
  peerRatio?: number;
}

export interface Summary {
  group: string;
  documents: number;
  geometricMean: number;
  worst: { name: string; ratio: number };
  peerGeometricMean?: number;
}

/** The medians of the lanes of one document. */
export function toRow({ group, name, parts }: BenchDocument, lanes: Lane[]): Row {
  const bytes = parts.reduce((sum, part) => sum + part.length, 0);
  const figures = Object.fromEntries(lanes.map(({ contestant, samples }): [string, Figure] => {
    const milliseconds = median(samples);
    return [contestant.name, { milliseconds, mbPerSecond: bytes / milliseconds / 1e3, spread: spread(samples) }];
  }));
  const ratioTo = (contestant: string): number => figures[contestant].milliseconds / figures[ours.name].milliseconds;
  return {
    group,
    name,
    bytes,
    parts: parts.length,
    figures,
    ratio: ratioTo(native.name),
    ...(PEER_NAME in figures && { peerRatio: ratioTo(PEER_NAME) }),
  };
}

/** Time where throughput says nothing, because not every byte is read; MB/s otherwise. */
export function formatSpeed(row: Row, contestant: string): string {
  const figure = row.figures[contestant];
  if (figure === undefined) return "";
  return row.group === "failure"
    ? formatTime(figure.milliseconds / row.parts)
    : `${figure.mbPerSecond.toFixed(figure.mbPerSecond < 100 ? 1 : 0)} MB/s`;
}

/** The groups in the order of their first documents. */
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

export function renderSummaries(summaries: Summary[]): string {
  return renderTable(
    ["group", "documents", "geometric mean", "worst", "of", "× the other"],
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
