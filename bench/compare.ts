/**
 * Compares the speed of parseBinary with `JSON.parse(decoder.decode(bytes))` and with
 * uint8array-json-parser. `--help` lists the options.
 *
 * @module
 */

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { type Contestant, native, parser, Rejection } from "../measure/contestants.ts";
import { difference } from "./support/difference.ts";
import { formatDecimalBytes, formatPercent, formatRatio, formatTime } from "../measure/number_format.ts";
import { Random } from "./support/random.ts";
import { runtimeName } from "../measure/runtime.ts";
import { geometricMean } from "../measure/statistics.ts";
import { isJavaScriptCore } from "../parser/engine/recognition.ts";
import { type CallCurve, MARKS, measureCurve } from "./support/call_curve.ts";
import { formatSpeed, renderSummaries, type Row, summarize, toRow } from "./support/comparison.ts";
import { readDocument, sharedCorpus } from "./support/corpus.ts";
import { type BenchDocument, generate, generatedDocuments, type Kind } from "./support/documents.ts";
import {
  type Effort,
  FULL,
  JAVASCRIPTCORE_WARM_UP,
  Lane,
  measureAlternating,
  measureInterleaved,
  QUICK,
} from "./support/lane.ts";
import { loadPeer, PEER_NAME } from "./support/peer.ts";
import { renderTable } from "./support/table.ts";
import { fail, showProgress } from "./support/terminal.ts";

const HELP = `deno task bench compare [options] [FILE…]

Compares parseBinary with JSON.parse(decoder.decode(bytes)) and with ${PEER_NAME}:
in one process, in batches of ${FULL.batch} ms or more in alternating order, garbage collection included.
Times are medians of ${FULL.rounds} samples. A ratio above 1 means that parseBinary is faster. Without FILE it
reads the shared corpus where present, and generated documents.

  --mixed       measure documents in turns as well as one by one
  --fresh       measure the first 500 calls in fresh processes, on documents of 200 KB: their
                total time, and the call from which on parseBinary is ahead
  --sizes       measure one kind of document from 1 KB to 256 MB
  --only REGEX  measure documents whose "group/name" matches
  --pair        leave ${PEER_NAME} out
  --quick       take a third of the samples
  --json        print one JSON object on standard output`;

const FRESH_BYTES = 200_000;
const FRESH_KINDS: Kind[] = ["records", "many small objects", "floats of 6 decimals", "sentences", "CJK text"];
const FRESH_ROUNDS = 5;
const QUICK_FRESH_ROUNDS = 1;
const SIZES_KIND: Kind = "records";
const SIZES = [1e3, 4e3, 16e3, 64e3, 256e3, 1e6, 4e6, 16e6, 64e6, 256e6];
/** Size from which on throughput is compared with the best. */
const STEADY_BYTES = 64e3;
/** Size from which on {@linkcode HUGE} applies: single runs take long. */
const HUGE_BYTES = 16e6;
const HUGE: Effort = { rounds: 4, batch: 5, warmUp: 1, patience: 0 };

interface Options {
  effort: Effort;
  only: RegExp;
  pair: boolean;
  paths: string[];
}

/** Result of a run: an object for `--json`, and the same as text. */
interface Report {
  data: Record<string, unknown>;
  text: string;
}

async function compareAlternating(options: Options): Promise<Report> {
  const peer = options.pair ? undefined : await loadPeer();
  const contestants = peer ? [native, parser, peer] : [native, parser];
  if (!peer && !options.pair) console.error(`${PEER_NAME} cannot be imported here: its column stays empty`);
  const rows = selectDocuments(options).map((document) => compareDocument(document, contestants, options.effort));
  const summaries = summarize(rows);
  const table = renderTable(
    ["document", "bytes", "native", "parseBinary", PEER_NAME, "±", "× native", "× peer"],
    rows.map((row) => [
      `${row.group}/${row.name}`,
      formatDecimalBytes(Math.round(row.bytes / row.parts)),
      ...[native.name, parser.name, PEER_NAME].map((name) => formatSpeed(row, name)),
      formatPercent(row.spread),
      formatRatio(row.ratio),
      row.peerRatio === undefined ? "" : formatRatio(row.peerRatio),
    ]),
  );
  return { data: { documents: rows, groups: summaries }, text: `${table}\n\n${renderSummaries(summaries)}` };
}

function compareDocument(document: BenchDocument, contestants: Contestant[], effort: Effort): Row {
  return measure(document, contestants.filter((contestant) => isCorrect(contestant, document)), effort);
}

function measure(document: BenchDocument, contestants: Contestant[], effort: Effort): Row {
  showProgress(`${document.group}/${document.name}`);
  const lanes = contestants.map((contestant) => new Lane(contestant, document.parts));
  measureAlternating(lanes, effort);
  return toRow(document, lanes);
}

/**
 * Returns whether a contestant gives the values that native gives. A wrong value of parseBinary
 * ends the run; one of the peer leaves its cell empty.
 */
function isCorrect(contestant: Contestant, { group, name, parts }: BenchDocument): boolean {
  if (contestant === native) return true;
  for (const part of parts) {
    const [actual, expected] = [contestant.parse(part), native.parse(part)];
    if (actual instanceof Rejection && expected instanceof Rejection) continue;
    const problem = difference(actual, expected);
    if (problem === undefined) continue;
    if (contestant === parser) fail(`parseBinary differs from JSON.parse on ${group}/${name}: ${problem}`);
    return false;
  }
  return true;
}

function compareMixed(options: Options): Report {
  const documents = selectDocuments(options);
  const alone = documents.map((document) => compareDocument(document, [native, parser], options.effort));
  showProgress("mixed");
  const lanes = documents.map(({ parts }) => [native, parser].map((contestant) => new Lane(contestant, parts)));
  measureInterleaved(lanes.flat(), options.effort, new Random(1));
  const mixed = documents.map((document, i) => toRow(document, lanes[i]));
  const [aloneGroups, mixedGroups] = [summarize(alone), summarize(mixed)];
  const change = (before: number, after: number): string => formatPercent(after / before - 1);
  const table = renderTable(
    ["document", "native", "native mixed", "parseBinary", "parseBinary mixed", "× native", "mixed", "change"],
    alone.map((row, i) => [
      `${row.group}/${row.name}`,
      ...[native.name, parser.name].flatMap((name) => [formatSpeed(row, name), formatSpeed(mixed[i], name)]),
      formatRatio(row.ratio),
      formatRatio(mixed[i].ratio),
      change(row.ratio, mixed[i].ratio),
    ]),
  );
  const groupTable = renderTable(
    ["group", "geometric mean", "mixed", "change", "worst", "mixed"],
    aloneGroups.map((group, i) => [
      group.group,
      formatRatio(group.geometricMean),
      formatRatio(mixedGroups[i].geometricMean),
      change(group.geometricMean, mixedGroups[i].geometricMean),
      formatRatio(group.worst.ratio),
      formatRatio(mixedGroups[i].worst.ratio),
    ]),
  );
  return {
    data: { documents: alone, groups: aloneGroups, mixed: { documents: mixed, groups: mixedGroups } },
    text: `${table}\n\n${groupTable}`,
  };
}

function compareFresh(options: Options): Report {
  const folder = mkdtempSync(join(tmpdir(), "bytejson-"));
  try {
    const generated = (): string[] =>
      FRESH_KINDS.filter((kind) => options.only.test(`generated/${kind}`)).map((kind) => {
        const path = join(folder, `${kind}.json`);
        writeFileSync(path, generate(kind, FRESH_BYTES));
        return path;
      });
    const paths = options.paths.length > 0 ? options.paths : generated();
    const rounds = options.effort.rounds === QUICK.rounds ? QUICK_FRESH_ROUNDS : FRESH_ROUNDS;
    const curves = paths.map((path) => {
      const document = readDocument(path, "fresh process");
      showProgress(document.name);
      return measureCurve(document, path, rounds);
    });
    return { data: { marks: MARKS, curves }, text: renderCurves(curves) };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/**
 * Renders curves as a table: ratios of cumulative times, and their mean over all that reach so far.
 */
function renderCurves(curves: CallCurve[]): string {
  const marks = MARKS.filter((mark) => curves.some(({ calls }) => calls >= mark));
  const means = marks.map((_, i) => formatRatio(geometricMean(curves.flatMap(({ ratios }) => ratios[i] ?? []))));
  return renderTable(
    ["× native after so many calls", "bytes", ...marks.map(String), "break-even"],
    [
      ...curves.map(({ name, bytes, ratios, calls, breakEven }) => [
        name,
        formatDecimalBytes(bytes),
        ...marks.map((_, i) => ratios[i] === undefined ? "" : formatRatio(ratios[i])),
        breakEven === undefined
          ? `beyond ${calls} calls`
          : `${breakEven.calls} calls, ${formatTime(breakEven.milliseconds)}, ${formatDecimalBytes(breakEven.bytes)}`,
      ]),
      ["geometric mean", "", ...means, ""],
    ],
  );
}

function compareSizes(options: Options): Report {
  const rows = SIZES.map((size) => {
    const document: BenchDocument = { group: "generated", name: SIZES_KIND, parts: [generate(SIZES_KIND, size)] };
    return measure(document, [native, parser], size < HUGE_BYTES ? options.effort : HUGE);
  });
  const steady = rows.filter((row) => row.bytes >= STEADY_BYTES);
  const speed = (row: Row): number => row.figures[parser.name].mbPerSecond;
  const best = Math.max(...steady.map(speed));
  const bestOverWorst = best / Math.min(...steady.map(speed));
  const table = renderTable(
    [SIZES_KIND, "native", "parseBinary", "±", "× native", "best over this"],
    rows.map((row) => [
      formatDecimalBytes(row.bytes),
      ...[native.name, parser.name].map((name) => formatSpeed(row, name)),
      formatPercent(row.spread),
      formatRatio(row.ratio),
      steady.includes(row) ? formatRatio(best / speed(row)) : "",
    ]),
  );
  return {
    data: { documents: rows, bestOverWorst },
    text: `${table}\n\nfrom ${formatDecimalBytes(STEADY_BYTES)} up, best over worst: ${formatRatio(bestOverWorst)}`,
  };
}

function selectDocuments({ paths, only }: Options): BenchDocument[] {
  const documents = paths.length > 0
    ? paths.map((path) => readDocument(path))
    : [...sharedCorpus() ?? noCorpus(), ...generatedDocuments()];
  const selected = documents.filter(({ group, name }) => only.test(`${group}/${name}`));
  if (selected.length === 0) fail(`Cannot compare: no document matches ${only}`);
  return selected;
}

function noCorpus(): BenchDocument[] {
  console.error("No shared corpus (BYTEJSON_SHARED): generated documents only");
  return [];
}

const { values: flags, positionals: paths } = parseArgs({
  allowPositionals: true,
  options: {
    mixed: { type: "boolean" },
    fresh: { type: "boolean" },
    sizes: { type: "boolean" },
    only: { type: "string" },
    pair: { type: "boolean" },
    quick: { type: "boolean" },
    json: { type: "boolean" },
    help: { type: "boolean" },
  },
});
if (flags.help) {
  console.log(HELP);
} else {
  const effort = flags.quick ? QUICK : FULL;
  const options: Options = {
    effort: isJavaScriptCore() ? { ...effort, warmUp: JAVASCRIPTCORE_WARM_UP } : effort,
    only: new RegExp(flags.only ?? ""),
    pair: flags.pair ?? false,
    paths,
  };
  const mode = flags.mixed
    ? compareMixed
    : flags.fresh
    ? compareFresh
    : flags.sizes
    ? compareSizes
    : compareAlternating;
  const { data, text } = await mode(options);
  showProgress("");
  console.log(
    flags.json ? JSON.stringify({ runtime: runtimeName(), ...data }, null, 2) : `${runtimeName()}\n\n${text}`,
  );
}
