/** The memory of parseBinary against native, each figure from a process of its own. `--help` says how. */
import { spawnSync } from "node:child_process";
import { closeSync, existsSync, mkdtempSync, openSync, rmSync, writeFileSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { validateBinary } from "../validate_binary.ts";
import { generate, type Kind } from "./documents.ts";
import { corpusPaths } from "./support/corpus.ts";
import { capMemory } from "./support/memory_cap.ts";
import { classify, HOSTILE, loadInput, type MemoryInput } from "./support/memory_input.ts";
import { type MemoryReading, type MemoryTask, WAY_NAMES, type WayName } from "./support/memory_process.ts";
import { type SoakReading, writeBodies } from "./support/memory_soak.ts";
import { formatBytes, formatRatio, formatTime, renderTable } from "./support/report.ts";
import { runtimeName } from "./support/runtime.ts";
import { median } from "./support/statistics.ts";
import { fail, showProgress } from "./support/terminal.ts";

const RUNS = 5;
const SIZE = 135e6;
const QUICK_SIZE = 40e6;
const SOAK_CAP = 300e6;

const HELP = `deno task memory [options] [FILE…]

The memory that parsing takes: decode + JSON.parse, Response.json and parseBinary, a first call in a fresh process each,
medians of ${RUNS}. Peaks are of the resident set, above what is resident with the input loaded. Without FILE: documents of
the shared corpus where present, and generated ones; four tables.

  peak     documents of ${SIZE / 1e6} MB, made of copies of one, or where it says so without; also with an emoji, which
           takes a string to two bytes a character; of parseBinary's, what pages of the young generation take, and the rest
  heap     what the value of each document holds, by a snapshot of the heap, which is exact: one run
  left     what is left of hostile documents once their value is dropped
  working  what parseBinary takes beyond input and value, as documents grow

  --only REGEX    rows whose "table/document" matches
  --size MB       another size
  --runs N        medians of so many
  --quick         ${QUICK_SIZE / 1e6} MB, one run
  --soak MINUTES  mixed requests for so long instead, in a process capped at ${SOAK_CAP / 1e6} MB
  --json          one JSON object on standard output`;

const [NATIVE, , OURS] = WAY_NAMES;
const GENERATED: Kind[] = ["records", "sentences", "coordinate pairs", "floats of 17 digits"];
const ELEMENT_BYTES = 2e6;
/** Made at full size also, as nothing recurs in them that would in copies. */
const DISTINCT: Kind[] = ["records", "sentences"];
/** Of the size of a run: how large the documents of a series are. */
const SERIES = [0.25, 0.5, 1];
const SERIES_KIND: Kind = "records";
/** What may be left of a document: code compiled, tables filled. */
const LEFT_GOAL = 1e6;
const PEAK_GOALS = { text: 0.35, numeric: 0.6, emoji: 0.25 };

interface Options {
  only: RegExp;
  runs: number;
  size: number;
}

/** What a run has to say: an object for `--json` and the same as text. */
interface Report {
  data: Record<string, unknown>;
  text: string;
}

/** Medians of one way on one document; see {@linkcode MemoryReading}. */
type Medians = Pick<MemoryReading, (typeof MEDIANS)[number]>;

const MEDIANS = ["input", "peak", "young", "milliseconds", "retained", "left"] as const;

/** Processes that were asked whether they kept the input, and how many did. */
const kept: Record<WayName, { asked: number; yes: number }> = {
  "decode + JSON.parse": { asked: 0, yes: 0 },
  "Response.json": { asked: 0, yes: 0 },
  "parseBinary": { asked: 0, yes: 0 },
};

/** Rounds in which the ways take turns. */
function measure<W extends WayName>(
  ways: readonly W[],
  input: MemoryInput,
  runs: number,
  exact: boolean = false,
): Record<W, Medians> {
  const readings = Object.fromEntries(ways.map((way): [string, MemoryReading[]] => [way, []]));
  for (let run = 0; run < runs; run++) {
    for (const way of run % 2 === 0 ? ways : ways.toReversed()) {
      const reading = runProcess<MemoryReading>("memory_process.ts", [
        JSON.stringify({ way, input, exact } satisfies MemoryTask),
      ]);
      readings[way].push(reading);
      kept[way].asked++;
      if (reading.inputKept) kept[way].yes++;
    }
  }
  const medians = (way: W): Medians =>
    Object.fromEntries(
      MEDIANS.map((field) => [field, median(readings[way].map((reading) => reading[field]))]),
    ) as Medians;
  return Object.fromEntries(ways.map((way) => [way, medians(way)])) as Record<W, Medians>;
}

/** What a program of `support` prints, run in a process of its own. */
function runProcess<T>(script: string, args: string[], prefix: string[] = []): T {
  // Deno lets nobody into /proc who may not do everything.
  const options = "deno" in process.versions
    ? ["run", "--quiet", "--no-config", "--v8-flags=--expose-gc", "--allow-all"]
    : ["--expose-gc"];
  const program = fileURLToPath(new URL(`./support/${script}`, import.meta.url));
  const [command, ...rest] = [...prefix, process.execPath, ...options, program, ...args];
  const { status, signal, stdout, stderr } = spawnSync(command, rest, { encoding: "utf8" });
  if (status !== 0) throw new Error(`Cannot measure: the process ended with ${signal ?? status}\n${stderr}`);
  return JSON.parse(stdout);
}

/** A document of the tables `peak` and `heap`. */
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
  ways: Record<WayName, Medians>;
  /** parseBinary's peak over native's. */
  ratio: number;
  goal: number;
  /** What the value alone holds, over native's peak: no parser that makes a value takes less. */
  least: number;
  /** Native's time over parseBinary's. */
  speed: number;
}

/** The name of a document that got an emoji. */
function withEmoji(name: string): string {
  return `${name} 😀`;
}

function measurePeaks(sources: Source[], { only, runs, size }: Options): PeakRow[] {
  const variants = sources.flatMap((source) => [
    { ...source, emoji: false },
    ...source.narrow ? [{ ...source, name: withEmoji(source.name), emoji: true }] : [],
  ]);
  return variants.filter(({ name }) => only.test(`peak/${name}`)).map(({ name, path, numeric, narrow, emoji }) => {
    showProgress(`peak/${name}`);
    const ways = measure(WAY_NAMES, { path, size, emoji }, runs);
    return {
      name,
      numeric,
      emoji,
      ways,
      ratio: ways[OURS].peak / ways[NATIVE].peak,
      goal: emoji || !narrow && !numeric ? PEAK_GOALS.emoji : numeric ? PEAK_GOALS.numeric : PEAK_GOALS.text,
      least: ways[OURS].retained / ways[NATIVE].peak,
      speed: ways[NATIVE].milliseconds / ways[OURS].milliseconds,
    };
  });
}

function renderPeaks(rows: PeakRow[]): string {
  return renderTable(
    [
      "peak over the input",
      "bytes",
      ...WAY_NAMES,
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
      formatBytes(row.ways[OURS].input),
      ...WAY_NAMES.map((way) => formatBytes(row.ways[way].peak)),
      formatRatio(row.ratio),
      `${row.ratio <= row.goal ? "≤" : "not"} ${row.goal}`,
      formatRatio(row.least),
      ...heapProfile(row.ways[OURS]).map(formatBytes),
      ...[NATIVE, OURS].map((way) => formatTime(row.ways[way].milliseconds)),
      formatRatio(row.speed),
    ]),
  );
}

/** What a peak consists of: pages of the young generation, and the rest, the value above all. */
function heapProfile({ peak, young }: Medians): number[] {
  return [young, Math.max(0, peak - young)];
}

interface HeapRow {
  name: string;
  ways: Record<typeof NATIVE | typeof OURS, Medians>;
  /** Of what the values hold. */
  ratio: number;
}

function measureHeaps(
  inputs: { name: string; path: string }[],
  table: "heap" | "left",
  { only, runs }: Options,
): HeapRow[] {
  return inputs.filter(({ name }) => only.test(`${table}/${name}`)).map(({ name, path }) => {
    showProgress(`${table}/${name}`);
    const ways = measure([NATIVE, OURS], { path }, runs, table === "heap");
    return { name, ways, ratio: ways[OURS].retained / ways[NATIVE].retained };
  });
}

function renderHeaps(rows: HeapRow[]): string {
  return renderTable(
    ["heap held by the value", "bytes", NATIVE, OURS, "× native"],
    rows.map(({ name, ways, ratio }) => [
      name,
      formatBytes(ways[OURS].input),
      formatBytes(ways[NATIVE].retained),
      formatBytes(ways[OURS].retained),
      formatRatio(ratio),
    ]),
  );
}

function renderLeft(rows: HeapRow[]): string {
  return renderTable(
    ["heap left after the value", "bytes", "value", NATIVE, OURS, "goal"],
    rows.map(({ name, ways }) => [
      name,
      formatBytes(ways[OURS].input),
      formatBytes(ways[OURS].retained),
      formatBytes(Math.max(0, ways[NATIVE].left)),
      formatBytes(Math.max(0, ways[OURS].left)),
      `${ways[OURS].left <= LEFT_GOAL ? "≤" : "not"} ${formatBytes(LEFT_GOAL)}`,
    ]),
  );
}

interface WorkingRow extends Medians {
  name: string;
}

/** Documents of one kind, larger and larger, and one whose value is next to nothing. */
function measureWorking(folder: string, { only, runs, size }: Options): WorkingRow[] {
  const members = join(folder, "members.json");
  const series = SERIES.map((share): { name: string; input: MemoryInput } => ({
    name: SERIES_KIND,
    input: { path: elementsOf(SERIES_KIND, folder), size: share * size },
  }));
  const rows = [...series, ...SERIES.map((share) => ({ name: "one name, again and again", share }))];
  return rows.filter(({ name }) => only.test(`working/${name}`)).map((row) => {
    showProgress(`working/${row.name}`);
    if ("share" in row) writeText(members, repeatedName(row.share * size));
    const input = "share" in row ? { path: members } : row.input;
    return { name: row.name, ...measure([OURS], input, runs)[OURS] };
  });
}

/** An object of one name, whose last value counts. */
function* repeatedName(size: number): Iterable<string> {
  const member = `"name":{"id":12345,"text":"${"a text of some length ".repeat(4)}"},`;
  yield "{";
  for (let length = 1; length < size; length += 1000 * member.length) yield member.repeat(1000);
  yield '"name":{}}';
}

function renderWorking(rows: WorkingRow[]): string {
  return renderTable(
    ["parseBinary's own", "bytes", "peak", "value", "beyond input and value"],
    rows.map(({ name, input, peak, retained }) => [
      name,
      ...[input, peak, Math.max(0, retained), peak - retained].map(formatBytes),
    ]),
  );
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
  const tables = [
    peak.length > 0 && renderPeaks(peak),
    heap.length > 0 && renderHeaps(heap),
    left.length > 0 && renderLeft(left),
    working.length > 0 && renderWorking(working),
  ].filter((table) => table !== false);
  if (tables.length === 0) fail(`Cannot compare: no document matches ${options.only}`);
  const { asked, yes } = kept[OURS];
  const input = `parseBinary kept the input in ${yes} of ${asked} processes`;
  return {
    data: { runs: options.runs, peak, heap, left, working, inputKept: kept },
    text: [...tables, input].join("\n\n"),
  };
}

function toSource(name: string, path: string): Source {
  let bytes: Uint8Array<ArrayBuffer>;
  try {
    bytes = loadInput({ path });
  } catch (error) {
    fail((error as Error).message);
  }
  const verdict = validateBinary(bytes);
  if (!verdict.ok) fail(`${path}: ${verdict.message}`);
  return { name, path, ...classify(bytes) };
}

/** A file with elements of a kind, made once. */
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
  console.error(`capped at ${formatBytes(SOAK_CAP)}: ${cap.means}`);
  try {
    const reading = runProcess<SoakReading>("memory_soak.ts", [String(minutes), folder], cap.prefix);
    const { requests, invalid, bytes, seconds, resident: { thirds, highest } } = reading;
    return {
      data: { soak: { ...reading, cap: cap.isSet ? SOAK_CAP : null, means: cap.means } },
      text: `${requests} requests (${formatBytes(bytes)}), ${invalid} of them invalid, in ${seconds.toFixed(0)} s, ${
        cap.isSet ? `capped at ${formatBytes(SOAK_CAP)} (${cap.means})` : cap.means
      }\nresident in the first, second and last third of the time: ${thirds.map(formatBytes).join(", ")}; at most ${
        formatBytes(highest)
      }`,
    };
  } finally {
    cap.remove();
  }
}

/** A number above 0 as an option gives it. */
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
