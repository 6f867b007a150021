/** Bench of validateBinary, compared with native, parseBinary, and itself in pieces. */

import { type Contestant, native, parser, Rejection } from "../measure/contestants.ts";
import { formatRatio } from "../measure/number_format.ts";
import { geometricMean } from "../measure/statistics.ts";
import { validator } from "../measure/validator_contestant.ts";
import { BinaryValidator } from "../validate_binary.ts";
import type { Bench } from "./support/bench.ts";
import { selectDocuments } from "./support/corpus.ts";
import { type BenchDocument, pushAll } from "./support/documents.ts";
import {
  groupsOf,
  meanOf,
  measureDocuments,
  type Ratio,
  ratioOf,
  type Row,
  rowsTable,
  speedChart,
  speedOf,
} from "./support/rows.ts";
import type { Table } from "./support/markdown_page.ts";

const pieceValidator = new BinaryValidator();

/** The validator as a stream feeds it. */
export const inPieces: Contestant = {
  name: "64 KiB pieces",
  parse(bytes) {
    pieceValidator.reset();
    const result = pushAll(bytes, pieceValidator);
    return result.ok || new Rejection(result.message);
  },
};

const CONTESTANTS = [native, parser, validator, inPieces];
const VERSUS_NATIVE: Ratio = { title: "× native", ours: validator.name, other: native.name };
const RATIOS: Ratio[] = [
  VERSUS_NATIVE,
  { title: "× parseBinary", ours: validator.name, other: parser.name },
  { title: "pieces × whole", ours: inPieces.name, other: validator.name },
];

/** Throws if the validator and native do not agree whether a document is valid. */
function compareResults({ group, name, parts }: BenchDocument): void {
  const [ours, theirs] = [validator, native].map(({ parse }) => parts.map((part) => parse(part) instanceof Rejection));
  if (String(ours) !== String(theirs)) throw new Error(`validateBinary and JSON.parse disagree on ${group}/${name}`);
}

function groupsTable(documents: readonly Row[]): Table {
  const names = CONTESTANTS.map(({ name }) => name);
  return {
    header: ["group", ...names, ...RATIOS.map(({ title }) => title)],
    rows: groupsOf(documents).map(([group, rows]) => [
      group,
      ...names.map((name) => geometricMean(rows.map((row) => speedOf(row, name))).toFixed(0)),
      ...RATIOS.map((ratio) => formatRatio(meanOf(rows, ratio))),
    ]),
  };
}

export const bench: Bench<{ documents: Row[] }> = {
  help: `Compares validateBinary with JSON.parse(decoder.decode(bytes)), with parseBinary, and with itself in
pieces of 64 KiB. They take turns in one process; times are medians. Without FILE it reads the
shared corpus, where present, and generated documents.`,
  takesFiles: true,
  async measure(options) {
    const all = selectDocuments(options).filter(({ group }) => group !== "failure");
    return { documents: await measureDocuments(all, CONTESTANTS, options.effort, compareResults) };
  },
  tables: ({ documents }) => [rowsTable("document", documents, RATIOS), groupsTable(documents)],
  blocks({ documents }) {
    const bars = documents.filter(({ group }) => group === "corpus").map((row) => {
      return { label: row.name, ratio: ratioOf(row, VERSUS_NATIVE)! };
    });
    const title = "Speed of validateBinary relative to native: well-known JSON files";
    const page = "docs/performance.md";
    return [
      { page, heading: "validateBinary", content: groupsTable(documents) },
      { page, heading: "Validation of well-known files", content: speedChart("speed-validation", title, bars) },
    ];
  },
  quotes({ documents }) {
    const mean = meanOf(documents.filter(({ group }) => group === "corpus"), VERSUS_NATIVE).toFixed(1);
    return [
      { page: "README.md", words: `\`validateBinary\` is ${mean} times as fast` },
      { page: "docs/performance.md", words: `It is ${mean} times as fast as native on the corpus` },
    ];
  },
};
