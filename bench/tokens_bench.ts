/** What each element of JSON costs: the map of where a parser's time goes. `--help` says how. */
import { ALPHANUMERIC, CJK } from "./documents.ts";
import { native, ours } from "./support/contestants.ts";
import { readFlags } from "./support/flags.ts";
import { FULL, Lane, measureAlternating } from "./support/lane.ts";
import { Random } from "./support/random.ts";
import { formatPercent, formatRatio, renderTable } from "./support/report.ts";
import { runtimeName } from "./support/runtime.ts";
import { median, spread } from "./support/statistics.ts";

const HELP = `deno task bench [options]

Nanoseconds per element in arrays of nothing but that element, in one process, batches in alternating order, medians of
${FULL.rounds}. "reach" is the ratio to reach: native's time over parseBinary's.`;

/** Elements in a document: enough to hide the call, few enough for the result to die young. */
const COUNT = 4_000;
const KEYS = ["id", "count", "width", "height", "offset", "total", "index", "weight", "x", "parent"];

interface Element {
  name: string;
  /** The ratio to reach. */
  reach: number;
  text(random: Random, index: number): string;
}

interface Row {
  name: string;
  nativeNanoseconds: number;
  nanoseconds: number;
  /** Half the interquartile range of parseBinary's samples as a share of their median. */
  spread: number;
  ratio: number;
  reach: number;
}

const WORDS_OF_8 = Array.from({ length: 20 }, (_, seed) => new Random(seed).characters(8, ALPHANUMERIC));

const ELEMENTS: Element[] = [
  { name: "integer, 1 digit", reach: 0.9, text: (random) => String(random.integer(0, 9)) },
  { name: "integer, 6 digits", reach: 0.9, text: (random) => String(random.digits(6)) },
  { name: "float, 6 decimals", reach: 1.4, text: (random) => (random.next() * 360 - 180).toFixed(6) },
  { name: "float, 17 digits", reach: 1.1, text: (random) => (random.next() * 2 - 1).toPrecision(17) },
  { name: "literal", reach: 0.9, text: (_, index) => ["true", "false", "null"][index % 3] },
  { name: "[]", reach: 2, text: () => "[]" },
  { name: "{}", reach: 4, text: () => "{}" },
  { name: "[1,2]", reach: 1.1, text: () => "[1,2]" },
  { name: "string, 1 character", reach: 0.9, text: (random) => `"${random.characters(1, ALPHANUMERIC)}"` },
  { name: "string, 8 repeated", reach: 1.2, text: (random) => `"${random.pick(WORDS_OF_8)}"` },
  { name: "string, 8 distinct", reach: 2, text: (random) => `"${random.characters(8, ALPHANUMERIC)}"` },
  { name: "string, 16 distinct", reach: 0.6, text: (random) => `"${random.characters(16, ALPHANUMERIC)}"` },
  { name: "string, 32 distinct", reach: 0.6, text: (random) => `"${random.characters(32, ALPHANUMERIC)}"` },
  { name: "string, 100 distinct", reach: 0.75, text: (random) => `"${random.characters(100, ALPHANUMERIC)}"` },
  { name: "string, 20 CJK", reach: 0.5, text: (random) => `"${random.characters(20, CJK)}"` },
  { name: "string, 50, two escapes", reach: 0.65, text: escaped },
  { name: "object of 1 integer", reach: 1.5, text: (random) => integers(random, 1) },
  { name: "object of 3 integers", reach: 1.5, text: (random) => integers(random, 3) },
  { name: "object of 10 integers", reach: 1.5, text: (random) => integers(random, 10) },
  { name: "object of 4, pretty", reach: 1.1, text: (random) => `\n  ${integers(random, 4, "\n    ", " ", "\n  ")}` },
];

/** 50 characters, the second and third of four pieces set off by an escape. */
function escaped(random: Random): string {
  const first = random.integer(1, 24);
  const second = random.integer(1, 24);
  const piece = (length: number): string => random.characters(length, ALPHANUMERIC);
  return `"${piece(first)}\\n${piece(second)}\\"${piece(48 - first - second)}"`;
}

/** An object of the first `count` keys, always the same shape. */
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
  const lanes = [native, ours].map((contestant) => new Lane(contestant, [documentOf(element)]));
  measureAlternating(lanes, effort);
  const [nativeNanoseconds, nanoseconds] = lanes.map(({ samples }) => median(samples) * 1e6 / COUNT);
  return {
    name: element.name,
    nativeNanoseconds,
    nanoseconds,
    spread: spread(lanes[1].samples),
    ratio: nativeNanoseconds / nanoseconds,
    reach: element.reach,
  };
});
if (json) {
  console.log(JSON.stringify({ runtime: runtimeName(), elements: rows }, null, 2));
} else {
  const table = renderTable(
    ["element", "native ns", "parseBinary ns", "±", "ratio", "reach", ""],
    rows.map((row) => [
      row.name,
      row.nativeNanoseconds.toFixed(1),
      row.nanoseconds.toFixed(1),
      formatPercent(row.spread),
      formatRatio(row.ratio),
      formatRatio(row.reach),
      row.ratio >= row.reach ? "reached" : "",
    ]),
  );
  console.log(`${runtimeName()}\n\n${table}`);
}
