/** Bench of parseBinary and native, on each document, and in each engine. */

import { native, parser } from "../measure/contestants.ts";
import { formatRatio } from "../measure/number_format.ts";
import { type Bench, type BenchOptions, showProgress } from "./support/bench.ts";
import { selectDocuments } from "./support/corpus.ts";
import type { BenchDocument } from "./support/documents.ts";
import { type Effort, laneOf, measureMixed } from "./support/bench_lanes.ts";
import type { Table } from "./support/markdown_page.ts";
import {
  compareValues,
  formatSpeed,
  groupsOf,
  measureDocuments,
  named,
  type Ratio,
  ratioOf,
  type Row,
  rowOf,
  rowsTable,
  speedChart,
  subjectOf,
  summarize,
  type Summary,
} from "./support/rows.ts";
import { otherRuntimes, runBench } from "./support/runtimes.ts";

const VERSUS_NATIVE: Ratio = { title: "× native", ours: parser.name, other: native.name };

/** Figures of documents, and of the corpus in other engines, which stand for groups. */
interface CompareReport {
  documents: Row[];
  withoutCode: Summary[];
  engines: Summary[];
}

/** Measures documents of all kinds in turn, as a server would get them. */
async function measureInTurn(documents: readonly BenchDocument[], effort: Effort): Promise<Row[]> {
  const lanes = documents.map(({ parts }) => [native, parser].map((contestant) => laneOf(contestant, parts)));
  await measureMixed(lanes.flat(), { ...effort, batch: 1 });
  return documents.map((document, i) => rowOf(subjectOf(document), lanes[i]));
}

function toEngine(name: string, documents: readonly Row[]): Summary[] {
  const corpus = documents.filter(({ group }) => group === "corpus");
  return summarize(corpus.map((row) => ({ ...row, group: name })), VERSUS_NATIVE);
}

function measureEngines(options: BenchOptions): Summary[] {
  return otherRuntimes(options).flatMap((runtime) => {
    showProgress(runtime.name);
    const { documents } = runBench<CompareReport>("compare", ["--only", "^corpus/"], options, { runtime });
    return toEngine(runtime.name, documents);
  });
}

function measureWithoutCode(options: BenchOptions): Summary[] {
  showProgress("without generated code");
  const args = ["--no-codegen", "--only", "^(corpus|payload)/"];
  return summarize(runBench<CompareReport>("compare", args, options).documents, VERSUS_NATIVE);
}

/** Headings and descriptions of the groups, by name. */
const GROUPS: Record<string, [heading: string, words: string]> = {
  corpus: ["Well-known files", "well-known JSON files"],
  generated: ["One kind of value each", "one kind of value each"],
  payload: ["Bodies of a few bytes", "bodies of 1 B to 3 KB"],
  failure: ["Documents that are not JSON", "documents that are not valid JSON"],
};

/** Maximum number of documents that a table shows; a chart shows more. */
const MAX_ROWS = 12;

function summaryTable(summaries: readonly Summary[]): Table {
  return {
    header: ["group", "documents", "mean", "worst", "worst document"],
    rows: summaries.map(({ group, documents, mean, worst }) => [
      Object.hasOwn(GROUPS, group) ? `${group}: ${GROUPS[group][1]}` : group,
      String(documents),
      formatRatio(mean),
      formatRatio(worst.ratio),
      worst.name,
    ]),
  };
}

function documentsTable(rows: readonly Row[]): Table {
  return {
    header: ["document", native.name, parser.name, VERSUS_NATIVE.title],
    rows: rows.map((row) => [
      row.name,
      ...[native.name, parser.name].map((name) => formatSpeed(row, name)),
      formatRatio(ratioOf(row, VERSUS_NATIVE)!),
    ]),
  };
}

const PAGE = "docs/performance.md";

export const bench: Bench<CompareReport> = {
  help: `Compares parseBinary with JSON.parse(decoder.decode(bytes)). They take turns in one process, in
batches of some milliseconds, garbage collection included; times are medians. A ratio above 1 means
that parseBinary is faster. Without FILE it reads the shared corpus, where present, and generated
documents.`,
  options: {
    "mixed": "measure documents of all kinds in turn, as a server would get them",
    "no-codegen": "measure without generated code",
    "engines": "measure in Node.js and Bun, too, and without generated code",
  },
  takesFiles: true,
  published: ["--engines"],
  async measure(options) {
    if (options.has("no-codegen")) await import("../no_codegen.ts");
    const all = selectDocuments(options);
    const documents = options.has("mixed")
      ? await measureInTurn(all, options.effort)
      : await measureDocuments(all, [native, parser], options.effort, (one) => compareValues(native, parser, one));
    if (!options.has("engines")) return { documents, withoutCode: [], engines: [] };
    return { documents, withoutCode: measureWithoutCode(options), engines: measureEngines(options) };
  },
  tables({ documents, withoutCode, engines }) {
    return [
      rowsTable("document", documents, [VERSUS_NATIVE]),
      summaryTable(summarize(documents, VERSUS_NATIVE)),
      ...[withoutCode, engines].filter(({ length }) => length > 0).map(summaryTable),
    ];
  },
  blocks({ documents, withoutCode, engines }) {
    const deno = toEngine("Deno", documents);
    const bars = [...deno, ...engines].map(({ group, mean }) => ({ label: group, ratio: mean }));
    return [
      { page: PAGE, heading: "parseBinary", content: summaryTable(summarize(documents, VERSUS_NATIVE)) },
      ...groupsOf(documents).map(([group, rows]) => {
        const [heading, words] = GROUPS[group];
        const bars = rows.map((row) => ({ label: row.name, ratio: ratioOf(row, VERSUS_NATIVE)! }));
        const chart = speedChart(`speed-${group}`, `Speed of parseBinary relative to native: ${words}`, bars);
        return { page: PAGE, heading, content: rows.length > MAX_ROWS ? chart : documentsTable(rows) };
      }),
      { page: "docs/generated-code.md", heading: "Speed without it", content: summaryTable(withoutCode) },
      {
        page: "docs/runtimes.md",
        heading: "Speed in each engine",
        content: speedChart("speed-engines", "Speed of parseBinary relative to native in each engine", bars),
      },
    ];
  },
  quotes({ documents, withoutCode }) {
    const ratio = (name: string): string => formatRatio(ratioOf(named(documents, name), VERSUS_NATIVE)!);
    const corpus = summarize(documents, VERSUS_NATIVE).find(({ group }) => group === "corpus")!;
    const { worst } = withoutCode.find(({ group }) => group === "payload")!;
    return [
      {
        page: "README.md",
        words: `averages ${formatRatio(corpus.mean)} the speed of native in Deno, and ${
          formatRatio(corpus.worst.ratio)
        } on the slowest`,
      },
      {
        page: "README.md",
        words: `Prose parses at ${ratio("sentences")}, CJK text at ${ratio("CJK text")}, accented text at ${
          ratio("accented text")
        }, and objects with numeric keys at ${ratio("integer-like keys")}`,
      },
      {
        page: "docs/generated-code.md",
        words: `those of ${worst.name} run at ${formatRatio(worst.ratio)} native's speed, instead of ${
          ratio(worst.name)
        }`,
      },
    ];
  },
};
