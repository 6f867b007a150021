/**
 * Ways to get the wanted part of a document, and their figures.
 *
 * @module
 */

import { type Contestant, native, parser, Rejection } from "../../measure/contestants.ts";
import { difference } from "./difference.ts";
import { geometricMean, median, spread } from "../../measure/statistics.ts";
import { validator } from "../../measure/validator_contestant.ts";
import { BinaryParser, BinaryValidator } from "../../mod.ts";
import { every, type Mask, selectBinary, selector } from "../../select.ts";
import type { Figure } from "./comparison.ts";
import { type Effort, Lane, measureAlternating } from "./lane.ts";
import { formatMask } from "./masks.ts";
import { pick } from "./picking.ts";
import { type Selection, titleOf } from "./selections.ts";
import { CHUNK_BYTES } from "./spaces.ts";

/** Name of the contestant that selects. */
export const SELECT = "selectBinary";

/** Names of all contestants, in the order of columns. */
export const CONTESTANT_NAMES: readonly string[] = [native.name, parser.name, validator.name, SELECT];

/** Figures of one selection. */
export interface SelectRow {
  group: Selection["group"];
  name: string;
  /** The mask, as the command line takes it. */
  mask: string;
  bytes: number;
  parts: number;
  /** Figures by the name of the contestant. */
  figures: Record<string, Figure>;
  /** Half the interquartile range of selectBinary's samples as a share of their median. */
  spread: number;
  /** Median time of native over selectBinary's. */
  ratio: number;
  /** Median time of the validator over selectBinary's. */
  validationRatio: number;
}

/** Mean of ratios, and the least of them. */
export interface RatioSummary {
  geometricMean: number;
  worst: { name: string; mask: string; ratio: number };
}

/** Ratios of a group of selections. */
export interface SelectSummary {
  group: string;
  selections: number;
  native: RatioSummary;
  validator: RatioSummary;
}

/**
 * Ways to get values from JSON Lines, each passed on, by the name of the contestant for documents.
 */
type LineReader = (bytes: Uint8Array, receive: (value: unknown) => void) => void;

const decoder = new TextDecoder();

function documentContestants(mask: Mask): Contestant[] {
  const wanted = selector(mask);
  const parse = (bytes: Uint8Array): unknown => {
    const result = selectBinary(bytes, wanted);
    return result.ok ? result.value : new Rejection(result.message);
  };
  return [native, parser, validator, { name: SELECT, isOurs: true, parse }];
}

/**
 * Creates the ways to read lines. Native reads the whole text, ours chunks as streams have them.
 */
function lineReaders(mask: Mask): Record<string, LineReader> {
  const wanted = selector(mask);
  const pushAll = (bytes: Uint8Array, parser: BinaryParser | BinaryValidator): boolean => {
    for (let start = 0; start < bytes.length; start += CHUNK_BYTES) {
      parser.push(bytes.subarray(start, start + CHUNK_BYTES));
    }
    return parser.end().ok;
  };
  return {
    [native.name](bytes, receive) {
      for (const line of decoder.decode(bytes).split("\n")) if (line !== "") receive(JSON.parse(line));
    },
    [parser.name](bytes, receive) {
      pushAll(bytes, new BinaryParser({ multiple: "lines", onValue: ({ value }) => receive(value) }));
    },
    [validator.name](bytes, receive) {
      receive(pushAll(bytes, new BinaryValidator({ multiple: "lines" })));
    },
    [SELECT](bytes, receive) {
      pushAll(bytes, new BinaryParser({ multiple: "lines", select: wanted, onValue: ({ value }) => receive(value) }));
    },
  };
}

/** Creates the contestants for a selection, in the order of columns. */
export function contestantsFor({ group, mask }: Pick<Selection, "group" | "mask">): Contestant[] {
  if (group !== "log lines") return documentContestants(mask);
  return Object.entries(lineReaders(mask)).map(([name, read]) => ({
    name,
    parse(bytes) {
      let last: unknown;
      read(bytes, (value) => last = value);
      return last;
    },
  }));
}

/** Returns all values that a contestant reads. */
function valuesOf({ group, mask }: Selection, name: string, bytes: Uint8Array): unknown[] {
  if (group !== "log lines") return [documentContestants(mask).find((other) => other.name === name)!.parse(bytes)];
  const values: unknown[] = [];
  lineReaders(mask)[name](bytes, (value) => values.push(value));
  return values;
}

/**
 * Measures a selection.
 *
 * @throws {Error} If `selectBinary` selects anything but what the mask wants.
 */
export function measureSelection(selection: Selection, parts: readonly Uint8Array[], effort: Effort): SelectRow {
  const { group, name, mask } = selection;
  for (const part of parts) {
    const expected = valuesOf(selection, native.name, part).map((value) => pick(value, mask, every));
    const problem = difference(valuesOf(selection, SELECT, part), expected);
    if (problem) throw new Error(`selectBinary differs from JSON.parse on ${titleOf(selection)}: ${problem}`);
  }
  const lanes = contestantsFor(selection).map((contestant) => new Lane(contestant, parts));
  measureAlternating(lanes, effort);
  const bytes = parts.reduce((sum, part) => sum + part.length, 0);
  const figures = Object.fromEntries(lanes.map(({ contestant, samples }): [string, Figure] => {
    const milliseconds = median(samples);
    return [contestant.name, { milliseconds, mbPerSecond: bytes / milliseconds / 1e3 }];
  }));
  const ratioTo = (contestant: string): number => figures[contestant].milliseconds / figures[SELECT].milliseconds;
  return {
    group,
    name,
    mask: formatMask(mask),
    bytes,
    parts: parts.length,
    figures,
    spread: spread(lanes.at(-1)!.samples),
    ratio: ratioTo(native.name),
    validationRatio: ratioTo(validator.name),
  };
}

function summaryOf(rows: SelectRow[], ratioOf: (row: SelectRow) => number): RatioSummary {
  const worst = rows.reduce((worst, row) => ratioOf(row) < ratioOf(worst) ? row : worst);
  return {
    geometricMean: geometricMean(rows.map(ratioOf)),
    worst: { name: worst.name, mask: worst.mask, ratio: ratioOf(worst) },
  };
}

/** Summarizes each group, in the order of the first selections. */
export function summarizeSelections(rows: SelectRow[]): SelectSummary[] {
  return [...Map.groupBy(rows, ({ group }) => group)].map(([group, members]) => ({
    group,
    selections: members.length,
    native: summaryOf(members, (row) => row.ratio),
    validator: summaryOf(members, (row) => row.validationRatio),
  }));
}
