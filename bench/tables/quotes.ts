/**
 * Figures of the stored results that sentences of the documentation quote.
 *
 * @module
 */

import { formatDecimalBytes, formatRatio, formatTime } from "../../measure/number_format.ts";
import { geometricMean } from "../../measure/statistics.ts";
import { native } from "../../measure/contestants.ts";
import { SELECT as SELECTED } from "../support/selecting.ts";
import { wrapLongLines } from "../support/page.ts";
import type { LoadRow } from "../http/runs.ts";
import { ownTime } from "./allocation.ts";
import { bundleOf } from "./bundles.ts";
import { formatRange } from "./memory.ts";
import type { Results } from "./results.ts";

/** Words of a page with figures in them. */
export interface Quote {
  /** Path of the page, from the folder of the project. */
  page: string;
  words: string;
}

const README = "README.md";
const PERFORMANCE = "docs/performance.md";
const MEMORY = "docs/memory.md";
const SERVERS = "docs/servers.md";
const STREAMING = "docs/streaming.md";
const SELECT = "docs/select.md";
const ALLOCATION = "docs/allocation.md";

/** Formats the lowest and the highest of ratios, such as `0.12 to 0.90 times`. */
function formatTimesRange(ratios: number[]): string {
  return formatRange(ratios).replace("×", " times");
}

/** Returns the element with a name. Throws if there is none. */
function named<T extends { name: string }>(rows: T[], name: string): T {
  const row = rows.find((row) => row.name === name);
  if (row === undefined) throw new Error(`Cannot quote: there is no '${name}' among the results`);
  return row;
}

/** Returns the words that pages quote from the results. */
export function quotes(results: Results): Quote[] {
  return [
    ...serverQuotes(results),
    ...speedQuotes(results),
    ...memoryQuotes(results),
    ...streamingQuotes(results),
    ...selectQuotes(results),
    ...allocationQuotes(results),
    ...bundleQuotes(results),
  ];
}

function bundleQuotes({ bundles }: Results): Quote[] {
  const sizeOf = (name: string): string => formatDecimalBytes(bundleOf(bundles, name).alone);
  const [detach, validate, parse] = ["detach", "validateBinary", "parseBinary"].map(sizeOf);
  return [
    { page: README, words: `\`detach\` adds ${detach} to a bundle` },
    { page: README, words: `\`validateBinary\` ${validate} and \`parseBinary\` ${parse}` },
  ];
}

function serverQuotes({ http: { rows } }: Results): Quote[] {
  const server = (runtime: string, bytes: number, pipeline: string): LoadRow =>
    rows.find((row) => row.runtime === runtime && row.bytes === bytes && row.pipeline === pipeline)!;
  const detached = (runtime: string): string => formatRatio(server(runtime, 1e6, "parseBinary + detach").ratio);
  const streamed = (runtime: string): string => formatRatio(server(runtime, 1e7, "parseStream").ratio);
  const memory = server("Deno", 1e7, "parseStream").peakResidentBytes! /
    server("Deno", 1e7, "native").peakResidentBytes!;
  return [
    {
      page: SERVERS,
      words: `${detached("Node.js")} as many requests in Node.js by \`parseBinary\` and \`detach\` as by native, ${
        detached("Deno")
      } in Deno and ${detached("Bun")} in Bun`,
    },
    { page: SERVERS, words: `Deno answers ${streamed("Deno")} as many and takes ${memory.toFixed(2)}× the memory` },
    {
      page: STREAMING,
      words: `answer ${streamed("Deno")} as many requests by \`parseStream\` as by native in Deno, and ${
        streamed("Node.js")
      } in Node.js`,
    },
  ];
}

function speedQuotes(results: Results): Quote[] {
  const { compare: { documents, groups }, validate, memory: { peaks }, "first-calls": { marks, curves } } = results;
  const ratioOf = (name: string): number => named(documents, name).ratio;
  const ratio = (name: string): string => formatRatio(ratioOf(name));
  const corpus = groups.find(({ group }) => group === "corpus")!;
  const validation = validate.groups.find(({ group }) => group === "corpus")!.ratios["× native"].toFixed(1);
  const slowdown = (calls: number): string =>
    (1 / geometricMean(curves.map(({ ratios }) => ratios[marks.indexOf(calls)]))).toFixed(1);
  const withoutCodegen = results["no-codegen"].groups.find(({ group }) => group === "payload")!.worst;
  return [
    {
      page: README,
      words: `the mean runs at ${formatRatio(corpus.geometricMean)} and the worst at ${
        formatRatio(corpus.worst.ratio)
      }`,
    },
    { page: README, words: `\`validateBinary\` is ${validation} times as fast` },
    { page: PERFORMANCE, words: `It is ${validation} times as fast as native on the corpus` },
    {
      page: README,
      words: `Sentences run at ${ratio("sentences")}, CJK text at ${ratio("CJK text")}, accented text at ${
        ratio("accented text")
      }, and objects with numbers for names at ${ratio("integer-like keys")}`,
    },
    { page: README, words: `first call takes ${slowdown(1)} times as long as native's` },
    { page: PERFORMANCE, words: `the first call of a process takes ${slowdown(1)} times as long` },
    { page: PERFORMANCE, words: `[${formatRange(peaks.map(({ speed }) => speed))}](memory.md#first-calls-on-135-mb)` },
    {
      page: "docs/generated-code.md",
      words: `those of ${withoutCodegen.name} run at ${formatRatio(withoutCodegen.ratio)} native's speed, instead of ${
        ratio(withoutCodegen.name)
      }`,
    },
  ];
}

function memoryQuotes({ memory: { peaks, sequences } }: Results): Quote[] {
  const all = formatTimesRange(peaks.map(({ ratio }) => ratio));
  const speeds = sequences.map(({ theirs, ours }) => theirs.milliseconds / ours.milliseconds);
  return [
    { page: README, words: `peak at ${all} native's memory` },
    { page: MEMORY, words: `takes ${all} the memory of native` },
    {
      page: MEMORY,
      words: `peak at ${
        formatTimesRange(sequences.map(({ theirs, ours }) => ours.peak / theirs.peak))
      } native's memory`,
    },
    { page: MEMORY, words: `run at ${formatTimesRange(speeds)} native's speed` },
  ];
}

function streamingQuotes({ stream: { rows }, latency: { times, memory } }: Results): Quote[] {
  const speed = (group: string, name: string): number =>
    rows.find((row) => row.group === group && row.name === name)!.mbPerSecond;
  const lead = (name: string): string =>
    (speed("elements of an array", "BinaryParser, elements") / speed("elements of an array", name)).toFixed(0);
  const lines = rows.find(({ name }) => name === "BinaryParser, lines")!.ratio.toFixed(1);
  const chunks = (size: string): string => formatRatio(named(rows, `BinaryParser, ${size} chunks`).ratio);
  return [
    { page: STREAMING, words: `${lead("@streamparser/json")} times as fast as @streamparser/json` },
    { page: STREAMING, words: `and ${lead("stream-json")} times as fast as stream-json` },
    { page: STREAMING, words: `JSON Lines parse ${lines} times as fast as by a split` },
    {
      page: STREAMING,
      words: `in chunks of 64 KiB runs at ${chunks("64 KiB")} the speed of \`parseBinary\`, and in chunks of 1 KiB at ${
        chunks("1 KiB")
      }`,
    },
    { page: STREAMING, words: `${formatTime(times["value ready after the last byte"][1])} after its last byte` },
    { page: STREAMING, words: `at most ${formatTime(times["longest turn of the event loop"][2])} in five runs` },
    { page: STREAMING, words: `at most ${formatDecimalBytes(memory["peak over the value"][2])} over the value` },
  ];
}

function selectQuotes({ select: { groups, elements, firstCalls } }: Results): Quote[] {
  const mean = (name: string): string => {
    return formatRatio(groups.find(({ group }) => group === name)!.native.geometricMean);
  };
  const element = (name: string): string => formatRatio(named(elements, name).ratio);
  const first = (name: string): string => {
    const { milliseconds } = named(firstCalls, name);
    return formatRatio(milliseconds[native.name][0] / milliseconds[SELECTED][0]);
  };
  return [
    { page: README, words: `Well-known files run at ${mean("corpus")}, and log lines at ${mean("log lines")}` },
    { page: SELECT, words: `Well-known files run at ${mean("corpus")}` },
    { page: SELECT, words: `Log lines run at ${mean("log lines")}` },
    { page: SELECT, words: `two members of each run at ${element("BinaryParser, elements, select")}` },
    {
      page: SELECT,
      words: `@streamparser/json at ${element("@streamparser/json, paths")} and stream-json at ${
        element("stream-json, pick and filter")
      }`,
    },
    {
      page: SELECT,
      words: `runs at ${first("2 KB")} native's speed on a message of 2 KB, and at ${
        first("records of 2 MB")
      } on records of 2 MB`,
    },
  ];
}

function allocationQuotes({ pool, queue }: Results): Quote[] {
  const { nanoseconds } = named(pool.rows, "allocate 64 B and free");
  const chunk = ownTime(named(queue.rows, "flowing, 1000").nanoseconds);
  return [
    { page: ALLOCATION, words: `takes about ${ownTime(nanoseconds).toFixed(0)} ns, a fifth of` },
    { page: ALLOCATION, words: `takes about ${chunk.toFixed(0)} ns in a queue of any length` },
  ];
}

/** Returns the quotes that their pages do not have. */
export function missingQuotes(results: Results, read: (page: string) => string): Quote[] {
  return quotes(results).filter(({ page, words }) => !read(page).replaceAll(/\s+/g, " ").includes(words));
}

/** Figures within quoted words. */
const FIGURE = /\d(?:[\d,.]*\d)?/g;

/** Returns a pattern of the words, with any figures, and any space between the words. */
function patternOf(words: string): RegExp {
  const pieces = words.split(FIGURE).map((piece) => piece.split(" ").map((word) => RegExp.escape(word)).join("\\s+"));
  return new RegExp(pieces.join("\\d(?:[\\d,.]*\\d)?"), "g");
}

/**
 * Puts the figures of the stored results into the sentences that quote others. A sentence whose
 * words or units differ stays as it is.
 */
export function replaceQuotes(
  results: Results,
  read: (page: string) => string,
  write: (page: string, text: string) => void,
): void {
  for (const { page, words } of missingQuotes(results, read)) {
    const figures = words.match(FIGURE) ?? [];
    const text = read(page);
    const found = text.match(patternOf(words)) ?? [];
    if (found.length !== 1) continue;
    let next = 0;
    const changed = text.replace(found[0], () => found[0].replace(FIGURE, () => figures[next++]));
    write(page, wrapLongLines(changed));
  }
}
