/**
 * Bench of parseBinary beside native and a peer, on each document, and in each engine.
 *
 * @module
 */

import { type Contestant, native, parser, Rejection } from "../measure/contestants.ts";
import { formatRatio } from "../measure/number_format.ts";
import { type Bench, type BenchOptions, showProgress } from "./support/bench.ts";
import { selectDocuments } from "./support/corpus.ts";
import { type BenchDocument, generate, type Kind } from "./support/documents.ts";
import { type Effort, type Lane, laneOf, takeTurns } from "./support/lane.ts";
import type { Table } from "./support/page.ts";
import { Random } from "./support/random.ts";
import {
  findDifference,
  formatSpeed,
  groupsOf,
  measureRow,
  named,
  type Ratio,
  ratioOf,
  type Row,
  rowsTable,
  sizeOf,
  speedChart,
  summarize,
  type Summary,
} from "./support/rows.ts";
import { otherRuntimes, runProgram } from "./support/runtimes.ts";

/** Name of the package that parses bytes, too, and of its contestant. */
const PEER = "uint8array-json-parser";

/** Kind of the documents of `--sizes`, and their bytes. */
const SIZES_KIND: Kind = "records";
const SIZES = [1e3, 4e3, 16e3, 64e3, 256e3, 1e6, 4e6, 16e6, 64e6, 256e6];
/** Size from which on {@linkcode HUGE} applies: single runs take long. */
const HUGE_BYTES = 16e6;
const HUGE: Effort = { rounds: 4, batch: 5, warmUp: 1, patience: 0 };
/** Effort of `--mixed`: short batches, so that each document comes between others. */
const MIXED: Pick<Effort, "batch"> = { batch: 1 };

const VERSUS_NATIVE: Ratio = { title: "× native", ours: parser.name, other: native.name };
const VERSUS_PEER: Ratio = { title: "× peer", ours: parser.name, other: PEER };

/** Figures of one engine: mean and worst of the corpus. */
interface Engine {
  name: string;
  mean: number;
  worst: Summary["worst"];
}

/** Figures of documents, and of the corpus in other engines. */
interface CompareReport {
  documents: Row[];
  /** Groups without generated code. */
  withoutCode: Summary[];
  engines: Engine[];
}

/** Loads the peer. Resolves with none where an import map is ignored: in Node.js and Bun. */
async function loadPeer(): Promise<Contestant[]> {
  try {
    const { JSON_parse } = await import("uint8array-json-parser");
    const parse = (bytes: Uint8Array): unknown => {
      try {
        return JSON_parse(bytes);
      } catch (error) {
        return new Rejection((error as Error).message);
      }
    };
    return [{ name: PEER, parse }];
  } catch {
    console.error(`${PEER} cannot be imported here: its column stays empty`);
    return [];
  }
}

/**
 * Returns the contestants that give the values of native. A wrong value of parseBinary ends the
 * run; one of the peer leaves its cell empty.
 */
function correctContestants(contestants: readonly Contestant[], document: BenchDocument): Contestant[] {
  const problem = findDifference(parser, native, document);
  if (problem !== undefined) throw new Error(problem);
  return contestants.filter(({ name }, i) => {
    return name !== PEER || findDifference(contestants[i], native, document) === undefined;
  });
}

/** Measures documents of all kinds in turn, as a server meets them. */
async function measureMixed(documents: readonly BenchDocument[], effort: Effort): Promise<Row[]> {
  const mixed = { ...effort, ...MIXED };
  const lanes = documents.map(({ parts }) => [native, parser].map((contestant) => laneOf(contestant, parts)));
  for (const lane of lanes.flat()) await lane.warmUp(mixed);
  const shuffled: Lane[] = new Random(1).shuffle(lanes.flat());
  await takeTurns(shuffled, effort.rounds, (lane) => lane.sample(mixed));
  return documents.map(({ group, name, parts }, i) => ({
    group,
    name,
    bytes: sizeOf(parts),
    parts: parts.length,
    milliseconds: Object.fromEntries(lanes[i].map(({ name, milliseconds }) => [name, milliseconds])),
    spread: 0,
  }));
}

async function measureDocuments(options: BenchOptions): Promise<Row[]> {
  const { effort, has } = options;
  if (has("mixed")) return await measureMixed(selectDocuments(options), effort);
  const documents = has("sizes")
    ? SIZES.map((size): BenchDocument => ({ group: "sizes", name: `${size}`, parts: [generate(SIZES_KIND, size)] }))
    : selectDocuments(options);
  const contestants = [native, parser, ...has("pair") || has("sizes") ? [] : await loadPeer()];
  const rows: Row[] = [];
  for (const document of documents) {
    showProgress(`${document.group}/${document.name}`);
    const isHuge = sizeOf(document.parts) >= HUGE_BYTES;
    rows.push(await measureRow(document, correctContestants(contestants, document), isHuge ? HUGE : effort));
  }
  return rows;
}

function toEngine(name: string, documents: readonly Row[]): Engine[] {
  const corpus = summarize(documents.filter(({ group }) => group === "corpus"), VERSUS_NATIVE);
  return corpus.map(({ mean, worst }) => ({ name, mean, worst }));
}

/** Measures the corpus in Node.js and Bun. */
function measureEngines(options: BenchOptions): Engine[] {
  const engines: Engine[] = [];
  const quickly = options.isQuick ? ["--quick"] : [];
  for (const runtime of otherRuntimes(options)) {
    showProgress(runtime.name);
    const args = ["compare", "--json", "--pair", "--only", "^corpus/", ...quickly];
    const { runtime: name, documents } = runProgram<{ runtime: string; documents: Row[] }>("bench/main.ts", args, {
      runtime,
    });
    engines.push(...toEngine(name.split(" ").slice(0, 2).join(" "), documents));
  }
  return engines;
}

function measureWithoutCode({ isQuick }: BenchOptions): Summary[] {
  showProgress("without generated code");
  const args = ["compare", "--no-codegen", "--pair", "--json", "--only", "^(corpus|payload)/"];
  const { documents } = runProgram<CompareReport>("bench/main.ts", [...args, ...isQuick ? ["--quick"] : []]);
  return summarize(documents, VERSUS_NATIVE);
}

/** Words of README.md for the groups, by their names. */
const GROUPS: Record<string, [heading: string, words: string]> = {
  corpus: ["Well-known files", "well-known JSON files"],
  generated: ["One kind of value each", "one kind of value each"],
  payload: ["Bodies of a few bytes", "bodies of 1 B to 3 KB"],
  failure: ["Documents that are not JSON", "documents that are not valid JSON"],
};

/** Most documents that a table shows; a chart shows more. */
const MOST_ROWS = 12;

function summaryTable(summaries: readonly Summary[], nameOf = (group: string): string => group): Table {
  return {
    header: ["group", "documents", "mean", "worst", "worst document"],
    rows: summaries.map(({ group, documents, mean, worst }) => [
      nameOf(group),
      String(documents),
      formatRatio(mean),
      formatRatio(worst.ratio),
      worst.name,
    ]),
  };
}

/** Lays out the groups, with means relative to the peer, too. */
function groupsTable(documents: readonly Row[]): Table {
  const isComparable = (row: Row): boolean => ratioOf(row, VERSUS_PEER) !== undefined;
  const peers = new Map(summarize(documents.filter(isComparable), VERSUS_PEER).map(({ group, mean }) => [group, mean]));
  const { header, rows } = summaryTable(summarize(documents, VERSUS_NATIVE));
  return {
    header: [...header, `mean × ${PEER}`],
    rows: rows.map(([group, ...cells]) => {
      const mean = peers.get(group);
      const words = Object.hasOwn(GROUPS, group) ? `${group}: ${GROUPS[group][1]}` : group;
      return [words, ...cells, mean === undefined ? "" : formatRatio(mean)];
    }),
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

function enginesTable(engines: readonly Engine[]): Table {
  return {
    header: ["engine", "mean of the corpus", "worst", "worst document"],
    rows: engines.map(({ name, mean, worst }) => [name, formatRatio(mean), formatRatio(worst.ratio), worst.name]),
  };
}

const PAGE = "docs/performance.md";

/** `deno task bench compare`. */
export const bench: Bench<CompareReport> = {
  help: `Compares parseBinary with JSON.parse(decoder.decode(bytes)) and with ${PEER}. They take
turns in one process, in batches of some milliseconds, garbage collection included; times are
medians. A ratio above 1 means that parseBinary is faster. Without FILE it reads the shared corpus,
where present, and generated documents.`,
  switches: {
    "mixed": "measure documents of all kinds in turn, as a server meets them",
    "sizes": `measure ${SIZES_KIND} of 1 KB to 256 MB`,
    "pair": `leave ${PEER} out`,
    "no-codegen": "measure without generated code",
    "engines": "measure in Node.js and Bun, too, and without generated code",
  },
  takesFiles: true,
  published: ["--engines"],
  async measure(options) {
    if (options.has("no-codegen")) await import("../no_codegen.ts");
    const documents = await measureDocuments(options);
    if (!options.has("engines")) return { documents, withoutCode: [], engines: [] };
    return { documents, withoutCode: measureWithoutCode(options), engines: measureEngines(options) };
  },
  tables({ documents, withoutCode, engines }) {
    return [
      rowsTable("document", documents, [VERSUS_NATIVE, VERSUS_PEER]),
      groupsTable(documents),
      ...withoutCode.length > 0 ? [summaryTable(withoutCode, (group) => `${group}, without code`)] : [],
      ...engines.length > 0 ? [enginesTable(engines)] : [],
    ];
  },
  blocks({ documents, withoutCode, engines }) {
    const deno = toEngine("Deno", documents);
    const bars = [...deno, ...engines].map(({ name, mean }) => ({ label: name, ratio: mean }));
    return [
      { page: PAGE, heading: "parseBinary", content: groupsTable(documents) },
      ...groupsOf(documents).map(([group, rows]) => {
        const [heading, words] = GROUPS[group];
        const bars = rows.map((row) => ({ label: row.name, ratio: ratioOf(row, VERSUS_NATIVE)! }));
        const chart = speedChart(`speed-${group}`, `Speed of parseBinary over native's: ${words}`, bars);
        return { page: PAGE, heading, content: rows.length > MOST_ROWS ? chart : documentsTable(rows) };
      }),
      { page: "docs/generated-code.md", heading: "Speed without it", content: summaryTable(withoutCode) },
      {
        page: "docs/runtimes.md",
        heading: "Speed in each engine",
        content: speedChart("speed-engines", "Speed of parseBinary over native's in each engine", bars),
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
        words: `the mean runs at ${formatRatio(corpus.mean)} and the worst at ${formatRatio(corpus.worst.ratio)}`,
      },
      {
        page: "README.md",
        words: `Sentences run at ${ratio("sentences")}, CJK text at ${ratio("CJK text")}, accented text at ${
          ratio("accented text")
        }, and objects with numbers for names at ${ratio("integer-like keys")}`,
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
