/**
 * Compares the memory of parseBinary with native, each figure from a process of its own. `--help`
 * lists the options.
 *
 * @module
 */

import { spawnSync } from "node:child_process";
import { closeSync, existsSync, mkdtempSync, openSync, rmSync, writeFileSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { native, parser, response } from "../measure/contestants.ts";
import { formatDecimalBytes, formatRatio, formatTime } from "../measure/number_format.ts";
import { runtimeName } from "../measure/runtime.ts";
import { median } from "../measure/statistics.ts";
import { validateBinary } from "../validate_binary.ts";
import type { MemoryReading, MemoryTask } from "./processes/memory_child.ts";
import type { SoakReading } from "./processes/memory_soak.ts";
import type { SequenceReading, SequenceTask } from "./processes/sequence_child.ts";
import { corpusPaths } from "./support/corpus.ts";
import { generate, type Kind } from "./support/documents.ts";
import { capMemory } from "./support/memory_cap.ts";
import { classify, HOSTILE, loadInput, type MemoryInput } from "./support/memory_documents.ts";
import { type SequenceRow, sequenceTable } from "./support/sequences.ts";
import { writeBodies } from "./support/soak_bodies.ts";
import { renderTable } from "./support/table.ts";
import { fail, showProgress } from "./support/terminal.ts";

const RUNS = 5;
const SIZE = 135e6;
const QUICK_SIZE = 40e6;
const SOAK_CAP = 300e6;
const SEQUENCE_MB = 10;
const SEQUENCE_SIZE = SEQUENCE_MB * 1e6;
const SEQUENCE_COUNT = 48;

const HELP = `deno task bench memory [options] [FILE…]

Measures the memory that ${native.name}, ${response.name} and ${parser.name} take: each a
first call in a fresh process, medians of ${RUNS} runs. A peak is that of the resident set, above the
resident set with the input loaded. Without FILE it reads the shared corpus where present, and
generated documents, for five tables:

  peak     documents of ${SIZE / 1e6} MB, most of them copies of one document; some once more with an emoji,
           because V8 then stores the whole text with two bytes per character; parseBinary's peak is
           split into the pages of the young generation and the rest
  heap     heap that the value of each document holds, by a heap snapshot, which is exact: one run
  left     heap that is left of hostile documents once their value is dropped
  working  memory that parseBinary takes beyond input and value, as documents grow
  sequence documents of ${SEQUENCE_MB} MB, ${SEQUENCE_COUNT} of them in one process, each detached after
           its call: highest resident set, and times of the later half

  --only REGEX    measure rows whose "table/document" matches
  --size MB       use another size
  --runs N        take medians of N runs
  --pair          leave out ${response.name}
  --quick         use ${QUICK_SIZE / 1e6} MB and one run
  --soak MINUTES  instead of tables, handle mixed requests in a process capped at ${SOAK_CAP / 1e6} MB
  --json          print one JSON object on standard output`;

/** Contestants, by name. */
const NAMES = [native.name, response.name, parser.name];
const GENERATED: Kind[] = ["records", "sentences", "coordinate pairs", "floats of 17 digits"];
const ELEMENT_BYTES = 2e6;
/** Kinds also generated at full size, because copies of a document repeat all of its strings. */
const DISTINCT: Kind[] = ["records", "sentences"];
/** Sizes of the documents of a series, as shares of the size of a run. */
const SERIES = [0.25, 0.5, 1];
const SERIES_KIND: Kind = "records";
/** Upper bound of the heap left of a document: compiled code, full caches. */
const LEFT_GOAL = 1e6;
/** Ratios of parseBinary's peak to native's that are meant to be reached. */
const PEAK_GOALS = { text: 0.35, numeric: 0.6, emoji: 0.25 };

interface Options {
  only: RegExp;
  /** Contestants of the table `peak`, by name. */
  names: readonly string[];
  runs: number;
  size: number;
}

/** Result of a run: an object for `--json`, and the same as text. */
interface Report {
  data: Record<string, unknown>;
  text: string;
}

/** Medians of one contestant on one document; see {@linkcode MemoryReading}. */
type Medians = Pick<MemoryReading, (typeof MEDIANS)[number]>;

const MEDIANS = ["input", "peak", "young", "milliseconds", "retained", "left"] as const;

/** Number of processes of each contestant, and of those that kept the input. */
const processes = Object.fromEntries(NAMES.map((name) => [name, { all: 0, keptInput: 0 }]));

/** Measures contestants in alternating rounds. Returns their medians by name. */
function measure(
  names: readonly string[],
  input: MemoryInput,
  runs: number,
  exact: boolean = false,
): Record<string, Medians> {
  const readings = Object.fromEntries(names.map((name): [string, MemoryReading[]] => [name, []]));
  for (let run = 0; run < runs; run++) {
    for (const contestant of run % 2 === 0 ? names : names.toReversed()) {
      const reading = runProcess<MemoryReading>("memory_child.ts", [
        JSON.stringify({ contestant, input, exact } satisfies MemoryTask),
      ]);
      readings[contestant].push(reading);
      processes[contestant].all++;
      if (reading.inputKept) processes[contestant].keptInput++;
    }
  }
  const medians = (name: string): Medians =>
    Object.fromEntries(
      MEDIANS.map((field) => [field, median(readings[name].map((reading) => reading[field]))]),
    ) as Medians;
  return Object.fromEntries(names.map((name) => [name, medians(name)]));
}

/** Runs a program of `processes/`. Returns the object that it prints. */
function runProcess<T>(script: string, args: string[], prefix: string[] = []): T {
  // Deno allows access to /proc only with --allow-all.
  const options = "deno" in process.versions
    ? ["run", "--quiet", "--no-config", "--v8-flags=--expose-gc", "--allow-all"]
    : ["--expose-gc"];
  const program = fileURLToPath(new URL(`./processes/${script}`, import.meta.url));
  const [command, ...rest] = [...prefix, process.execPath, ...options, program, ...args];
  const { status, signal, stdout, stderr } = spawnSync(command, rest, { encoding: "utf8" });
  if (status !== 0) throw new Error(`Cannot measure: the process ended with ${signal ?? status}\n${stderr}`);
  return JSON.parse(stdout);
}

/** Document of the tables `peak` and `heap`. */
interface Source {
  name: string;
  path: string;
  numeric: boolean;
  narrow: boolean;
}

interface PeakRow {
  name: string;
  numeric: boolean;
  emoji: boolean;
  /** Medians by the name of the contestant. */
  medians: Record<string, Medians>;
  /** parseBinary's peak over native's. */
  ratio: number;
  goal: number;
  /** Heap that the value alone holds, over native's peak: a lower bound for every parser. */
  least: number;
  /** Native's time over parseBinary's. */
  speed: number;
}

/** Returns the name of a document with an emoji added. */
function withEmoji(name: string): string {
  return `${name} 😀`;
}

function measurePeaks(sources: Source[], { only, names, runs, size }: Options): PeakRow[] {
  const variants = sources.flatMap((source) => [
    { ...source, emoji: false },
    ...source.narrow ? [{ ...source, name: withEmoji(source.name), emoji: true }] : [],
  ]);
  return variants.filter(({ name }) => only.test(`peak/${name}`)).map(({ name, path, numeric, narrow, emoji }) => {
    showProgress(`peak/${name}`);
    const medians = measure(names, { path, size, emoji }, runs);
    const [theirs, ours] = [medians[native.name], medians[parser.name]];
    return {
      name,
      numeric,
      emoji,
      medians,
      ratio: ours.peak / theirs.peak,
      goal: emoji || !narrow && !numeric ? PEAK_GOALS.emoji : numeric ? PEAK_GOALS.numeric : PEAK_GOALS.text,
      least: ours.retained / theirs.peak,
      speed: theirs.milliseconds / ours.milliseconds,
    };
  });
}

function renderPeaks(rows: PeakRow[]): string {
  const names = Object.keys(rows[0]?.medians ?? {});
  return renderTable(
    [
      "peak over the input",
      "bytes",
      ...names,
      "× native",
      "goal",
      "value alone",
      "young",
      "rest",
      "native",
      "parseBinary",
      "speed",
    ],
    rows.map((row) => [
      row.name,
      formatDecimalBytes(row.medians[parser.name].input),
      ...names.map((name) => formatDecimalBytes(row.medians[name].peak)),
      formatRatio(row.ratio),
      `${row.ratio <= row.goal ? "≤" : "not"} ${row.goal}`,
      formatRatio(row.least),
      ...splitPeak(row.medians[parser.name]).map(formatDecimalBytes),
      ...[native, parser].map(({ name }) => formatTime(row.medians[name].milliseconds)),
      formatRatio(row.speed),
    ]),
  );
}

/** Splits a peak into the pages of the young generation and the rest, which is mostly the value. */
function splitPeak({ peak, young }: Medians): number[] {
  return [young, Math.max(0, peak - young)];
}

interface HeapRow {
  name: string;
  /** Medians of native and of parseBinary. */
  theirs: Medians;
  ours: Medians;
  /** Ratio of the heap that the values hold. */
  ratio: number;
}

function measureHeaps(
  inputs: { name: string; path: string }[],
  table: "heap" | "left",
  { only, runs }: Options,
): HeapRow[] {
  return inputs.filter(({ name }) => only.test(`${table}/${name}`)).map(({ name, path }) => {
    showProgress(`${table}/${name}`);
    const medians = measure([native.name, parser.name], { path }, runs, table === "heap");
    const [theirs, ours] = [medians[native.name], medians[parser.name]];
    return { name, theirs, ours, ratio: ours.retained / theirs.retained };
  });
}

function renderHeaps(rows: HeapRow[]): string {
  return renderTable(
    ["heap held by the value", "bytes", native.name, parser.name, "× native"],
    rows.map(({ name, theirs, ours, ratio }) => [
      name,
      formatDecimalBytes(ours.input),
      formatDecimalBytes(theirs.retained),
      formatDecimalBytes(ours.retained),
      formatRatio(ratio),
    ]),
  );
}

function renderLeft(rows: HeapRow[]): string {
  return renderTable(
    ["heap left after the value", "bytes", "value", native.name, parser.name, "goal"],
    rows.map(({ name, theirs, ours }) => [
      name,
      formatDecimalBytes(ours.input),
      formatDecimalBytes(ours.retained),
      formatDecimalBytes(Math.max(0, theirs.left)),
      formatDecimalBytes(Math.max(0, ours.left)),
      `${ours.left <= LEFT_GOAL ? "≤" : "not"} ${formatDecimalBytes(LEFT_GOAL)}`,
    ]),
  );
}

interface WorkingRow extends Medians {
  name: string;
}

/** Measures growing documents of one kind, and growing documents whose value stays small. */
function measureWorking(folder: string, { only, runs, size }: Options): WorkingRow[] {
  const members = join(folder, "members.json");
  const series = SERIES.map((share): { name: string; input: MemoryInput } => ({
    name: SERIES_KIND,
    input: { path: elementsOf(SERIES_KIND, folder), size: share * size },
  }));
  const rows = [...series, ...SERIES.map((share) => ({ name: "one name, repeated", share }))];
  return rows.filter(({ name }) => only.test(`working/${name}`)).map((row) => {
    showProgress(`working/${row.name}`);
    if ("share" in row) writeText(members, repeatedName(row.share * size));
    const input = "share" in row ? { path: members } : row.input;
    return { name: row.name, ...measure([parser.name], input, runs)[parser.name] };
  });
}

/** Yields an object that repeats one name: only the last member counts. */
function* repeatedName(size: number): Iterable<string> {
  const member = `"name":{"id":12345,"text":"${"a text of some length ".repeat(4)}"},`;
  yield "{";
  for (let length = 1; length < size; length += 1000 * member.length) yield member.repeat(1000);
  yield '"name":{}}';
}

function renderWorking(rows: WorkingRow[]): string {
  return renderTable(
    ["working memory of parseBinary", "bytes", "peak", "value", "beyond input and value"],
    rows.map(({ name, input, peak, retained }) => [
      name,
      ...[input, peak, Math.max(0, retained), peak - retained].map(formatDecimalBytes),
    ]),
  );
}

/** Documents that `sequence` parses: of numbers, of text, and records that do not repeat. */
const SEQUENCE_KINDS = /^(twitter.json|canada.json|citm_catalog.json|records|sentences|coordinate pairs)$/;

function measureSequences(sources: Source[], folder: string, { only, runs }: Options): SequenceRow[] {
  const chosen = sources.filter(({ name }) => SEQUENCE_KINDS.test(name) && only.test(`sequence/${name}`));
  return chosen.map(({ name, path }): SequenceRow => {
    showProgress(`sequence/${name}`);
    const kind = GENERATED.find((kind) => kind === name);
    const input = kind === undefined
      ? { path, size: SEQUENCE_SIZE }
      : { path: elementsOf(kind, folder, SEQUENCE_SIZE) };
    const readings: SequenceReading[][] = [[], []];
    for (let run = 0; run < runs; run++) {
      for (const [i, { name: contestant }] of [native, parser].entries()) {
        const task: SequenceTask = { contestant, input, count: SEQUENCE_COUNT };
        readings[i].push(runProcess("sequence_child.ts", [JSON.stringify(task)]));
      }
    }
    const [theirs, ours] = readings.map((ofOne): SequenceReading => ({
      bytes: ofOne[0].bytes,
      peak: median(ofOne.map(({ peak }) => peak)),
      milliseconds: median(ofOne.map(({ milliseconds }) => milliseconds)),
      processorMilliseconds: median(ofOne.map(({ processorMilliseconds }) => processorMilliseconds)),
    }));
    return { name, theirs, ours };
  });
}

function renderSequences(rows: SequenceRow[]): string {
  const { header, rows: cells } = sequenceTable(rows);
  return renderTable(header, cells);
}

function compareMemory(paths: string[], folder: string, options: Options): Report {
  const isDefault = paths.length === 0;
  const corpus = isDefault ? corpusPaths() : paths;
  if (corpus === undefined) console.error("No shared corpus (BYTEJSON_SHARED): generated documents only");
  const files = (corpus ?? []).map((path) => toSource(basename(path), path));
  const generated = isDefault ? GENERATED.map((kind) => toSource(kind, elementsOf(kind, folder))) : [];
  const hostile = isDefault
    ? HOSTILE.map(([name, make], i) => {
      const path = join(folder, `hostile ${i}.json`);
      if (options.only.test(`left/${name}`)) writeText(path, make());
      return { name, path };
    })
    : [];
  const distinct = !isDefault ? [] : DISTINCT.flatMap((kind) => {
    const name = `${kind}, no copies`;
    const isAsked = [name, withEmoji(name)].some((row) => options.only.test(`peak/${row}`));
    if (!isAsked) return [];
    return { ...generated[GENERATED.indexOf(kind)], name, path: elementsOf(kind, folder, options.size) };
  });
  const peak = measurePeaks([...files, ...generated, ...distinct], options);
  const heap = measureHeaps([...files, ...generated], "heap", { ...options, runs: 1 });
  const left = measureHeaps(hostile, "left", options);
  const working = isDefault ? measureWorking(folder, options) : [];
  const sequence = measureSequences([...files, ...generated], folder, options);
  const tables = [
    peak.length > 0 && renderPeaks(peak),
    heap.length > 0 && renderHeaps(heap),
    left.length > 0 && renderLeft(left),
    working.length > 0 && renderWorking(working),
    sequence.length > 0 && renderSequences(sequence),
  ].filter((table) => table !== false);
  if (tables.length === 0) fail(`Cannot compare: no document matches ${options.only}`);
  const { all, keptInput } = processes[parser.name];
  if (all > 0) tables.push(`parseBinary kept the input in ${keptInput} of ${all} processes`);
  return {
    data: { runs: options.runs, peak, heap, left, working, sequence, inputKept: processes },
    text: tables.join("\n\n"),
  };
}

function toSource(name: string, path: string): Source {
  let bytes: Uint8Array<ArrayBuffer>;
  try {
    bytes = loadInput({ path });
  } catch (error) {
    fail((error as Error).message);
  }
  const result = validateBinary(bytes);
  if (!result.ok) fail(`${path}: ${result.message}`);
  return { name, path, ...classify(bytes) };
}

/** Generates a file with elements of a kind, once. Returns its path. */
function elementsOf(kind: Kind, folder: string, size: number = ELEMENT_BYTES): string {
  const path = join(folder, `${kind} ${size}.json`);
  if (!existsSync(path)) writeFileSync(path, generate(kind, size));
  return path;
}

function writeText(path: string, pieces: Iterable<string>): void {
  const file = openSync(path, "w");
  try {
    for (const piece of pieces) writeSync(file, piece);
  } finally {
    closeSync(file);
  }
}

function soak(minutes: number, folder: string): Report {
  writeBodies(folder);
  const cap = capMemory(SOAK_CAP);
  console.error(`capped at ${formatDecimalBytes(SOAK_CAP)}: ${cap.means}`);
  try {
    const reading = runProcess<SoakReading>("memory_soak.ts", [String(minutes), folder], cap.prefix);
    const { requests, invalid, bytes, seconds, resident: { thirds, highest } } = reading;
    return {
      data: { soak: { ...reading, cap: cap.isSet ? SOAK_CAP : null, means: cap.means } },
      text: `${requests} requests (${formatDecimalBytes(bytes)}), ${invalid} of them invalid, in ${
        seconds.toFixed(0)
      } s, ${
        cap.isSet ? `capped at ${formatDecimalBytes(SOAK_CAP)} (${cap.means})` : cap.means
      }\nresident in the first, second and last third of the time: ${
        thirds.map(formatDecimalBytes).join(", ")
      }; at most ${formatDecimalBytes(highest)}`,
    };
  } finally {
    cap.remove();
  }
}

/** Parses the value of an option as a number above 0. */
function numberOf(option: string, text: string | undefined, fallback: number): number {
  if (text === undefined) return fallback;
  const value = Number(text);
  if (value > 0 && value < Infinity) return value;
  fail(`--${option} takes a number above 0, not '${text}'`);
}

const { values: flags, positionals: paths } = parseArgs({
  allowPositionals: true,
  options: {
    only: { type: "string" },
    size: { type: "string" },
    runs: { type: "string" },
    pair: { type: "boolean" },
    quick: { type: "boolean" },
    soak: { type: "string" },
    json: { type: "boolean" },
    help: { type: "boolean" },
  },
});
if (flags.help) {
  console.log(HELP);
} else {
  const folder = mkdtempSync(join(tmpdir(), "bytejson-"));
  try {
    const { data, text } = flags.soak === undefined
      ? compareMemory(paths, folder, {
        only: new RegExp(flags.only ?? ""),
        names: flags.pair ? [native.name, parser.name] : NAMES,
        runs: Math.ceil(numberOf("runs", flags.runs, flags.quick ? 1 : RUNS)),
        size: 1e6 * numberOf("size", flags.size, (flags.quick ? QUICK_SIZE : SIZE) / 1e6),
      })
      : soak(numberOf("soak", flags.soak, 10), folder);
    showProgress("");
    console.log(
      flags.json ? JSON.stringify({ runtime: runtimeName(), ...data }, null, 2) : `${runtimeName()}\n\n${text}`,
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
}
