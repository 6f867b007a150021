/**
 * Figures of documents parsed one after the other, on screen and in the documentation.
 *
 * @module
 */

import { formatDecimalBytes, formatRatio, formatTime } from "../../measure/number_format.ts";
import type { SequenceReading } from "../processes/sequence_child.ts";
import type { Table } from "./page.ts";

/** Figures of one document. */
export interface SequenceRow {
  name: string;
  /** Medians of native and of parseBinary. */
  theirs: SequenceReading;
  ours: SequenceReading;
}

/** Lays out memory and times of native and of parseBinary. */
export function sequenceTable(rows: SequenceRow[]): Table {
  return {
    header: [
      "document",
      "size",
      "peak: native",
      "parseBinary",
      "× native",
      "time: native",
      "parseBinary",
      "speed × native",
      "processor time: native",
      "parseBinary",
    ],
    rows: rows.map(({ name, theirs, ours }) => [
      name,
      formatDecimalBytes(ours.bytes),
      formatDecimalBytes(theirs.peak),
      formatDecimalBytes(ours.peak),
      formatRatio(ours.peak / theirs.peak),
      formatTime(theirs.milliseconds),
      formatTime(ours.milliseconds),
      formatRatio(theirs.milliseconds / ours.milliseconds),
      formatTime(theirs.processorMilliseconds),
      formatTime(ours.processorMilliseconds),
    ]),
  };
}
