/**
 * Measures the time of each kind of JSON element. `--help` lists the options.
 *
 * @module
 */

import { native, parser } from "../measure/contestants.ts";
import { formatPercent, formatRatio } from "../measure/number_format.ts";
import { Random } from "./support/random.ts";
import { runtimeName } from "../measure/runtime.ts";
import { median, spread } from "../measure/statistics.ts";
import { ALPHANUMERIC, CJK } from "./support/documents.ts";
import { readFlags } from "./support/flags.ts";
import { FULL, Lane, measureAlternating } from "./support/lane.ts";
import { renderTable } from "./support/table.ts";

const HELP = `deno task bench tokens [options]

Measures nanoseconds per element in arrays of one kind of element, in one process, in batches of
alternating order. Times are medians of ${FULL.rounds} samples. "ratio" is native's time over parseBinary's,
"goal" the ratio that is meant to be reached.`;

/** Elements per document: enough to hide the call, few enough for the value to die young. */
const COUNT = 4_000;
const KEYS = ["id", "count", "width", "height", "offset", "total", "index", "weight", "x", "parent"];

/** Kind of element. */
interface Element {
  name: string;
  /** Ratio that is meant to be reached. */
  goal: number;
  /** Generates the text of an element. */
  text(random: Random, index: number): string;
}

/** Times of one kind of element. */
interface Row {
  name: string;
  nativeNanoseconds: number;
  nanoseconds: number;
  /** Half the interquartile range of parseBinary's samples as a share of their median. */
  spread: number;
  ratio: number;
  goal: number;
}

const WORDS_OF_8 = Array.from({ length: 20 }, (_, seed) => new Random(seed).characters(8, ALPHANUMERIC));

const ELEMENTS: Element[] = [
  { name: "integer, 1 digit", goal: 0.9, text: (random) => String(random.integer(0, 9)) },
  { name: "integer, 6 digits", goal: 0.9, text: (random) => String(random.digits(6)) },
  { name: "float, 6 decimals", goal: 1.4, text: (random) => (random.next() * 360 - 180).toFixed(6) },
  { name: "float, 17 digits", goal: 1.1, text: (random) => (random.next() * 2 - 1).toPrecision(17) },
  { name: "literal", goal: 0.9, text: (_, index) => ["true", "false", "null"][index % 3] },
  { name: "[]", goal: 2, text: () => "[]" },
  { name: "{}", goal: 4, text: () => "{}" },
  { name: "[1,2]", goal: 1.1, text: () => "[1,2]" },
  { name: "string, 1 character", goal: 0.9, text: (random) => `"${random.characters(1, ALPHANUMERIC)}"` },
  { name: "string, 8 repeated", goal: 1.2, text: (random) => `"${random.pick(WORDS_OF_8)}"` },
  { name: "string, 8 distinct", goal: 2, text: (random) => `"${random.characters(8, ALPHANUMERIC)}"` },
  { name: "string, 16 distinct", goal: 0.6, text: (random) => `"${random.characters(16, ALPHANUMERIC)}"` },
  { name: "string, 32 distinct", goal: 0.6, text: (random) => `"${random.characters(32, ALPHANUMERIC)}"` },
  { name: "string, 100 distinct", goal: 0.75, text: (random) => `"${random.characters(100, ALPHANUMERIC)}"` },
  { name: "string, 20 CJK", goal: 0.5, text: (random) => `"${random.characters(20, CJK)}"` },
  { name: "string, 50, two escapes", goal: 0.65, text: escaped },
  { name: "object of 1 integer", goal: 1.5, text: (random) => integers(random, 1) },
  { name: "object of 3 integers", goal: 1.5, text: (random) => integers(random, 3) },
  { name: "object of 10 integers", goal: 1.5, text: (random) => integers(random, 10) },
  { name: "object of 4, pretty", goal: 1.1, text: (random) => `\n  ${integers(random, 4, "\n    ", " ", "\n  ")}` },
];

/** Generates a string of 50 characters with two escapes. */
function escaped(random: Random): string {
  const first = random.integer(1, 24);
  const second = random.integer(1, 24);
  const piece = (length: number): string => random.characters(length, ALPHANUMERIC);
  return `"${piece(first)}\\n${piece(second)}\\"${piece(48 - first - second)}"`;
}

/** Generates an object with the first `count` keys. */
function integers(random: Random, count: number, before = "", between = "", after = ""): string {
  const members = KEYS.slice(0, count).map((key) => `${before}"${key}":${between}${random.digits(3)}`);
  return `{${members.join(",")}${after}}`;
}

function documentOf(element: Element): Uint8Array {
  const random = new Random(1);
  const elements = Array.from({ length: COUNT }, (_, index) => element.text(random, index));
  return new TextEncoder().encode(`[${elements.join(",")}]`);
}

const { only, effort, json } = readFlags(HELP);

const rows = ELEMENTS.filter(({ name }) => only.test(name)).map((element): Row => {
  const lanes = [native, parser].map((contestant) => new Lane(contestant, [documentOf(element)]));
  measureAlternating(lanes, effort);
  const [nativeNanoseconds, nanoseconds] = lanes.map(({ samples }) => median(samples) * 1e6 / COUNT);
  return {
    name: element.name,
    nativeNanoseconds,
    nanoseconds,
    spread: spread(lanes[1].samples),
    ratio: nativeNanoseconds / nanoseconds,
    goal: element.goal,
  };
});
if (json) {
  console.log(JSON.stringify({ runtime: runtimeName(), elements: rows }, null, 2));
} else {
  const table = renderTable(
    ["element", "native ns", "parseBinary ns", "±", "ratio", "goal", ""],
    rows.map((row) => [
      row.name,
      row.nativeNanoseconds.toFixed(1),
      row.nanoseconds.toFixed(1),
      formatPercent(row.spread),
      formatRatio(row.ratio),
      formatRatio(row.goal),
      row.ratio >= row.goal ? "reached" : "",
    ]),
  );
  console.log(`${runtimeName()}\n\n${table}`);
}
