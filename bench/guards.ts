/**
 * Compares parseBinary with guards with itself without, and with other guarded parsers. `--help`
 * lists the options.
 *
 * @module
 */

import { Buffer } from "node:buffer";
import process from "node:process";
import { parseArgs } from "node:util";
import * as lossless from "lossless-json";
import secure from "secure-json-parse";
import type { Contestant } from "../measure/contestants.ts";
import { formatDecimalBytes, formatRatio } from "../measure/number_format.ts";
import { runtimeName } from "../measure/runtime.ts";
import { geometricMean, median } from "../measure/statistics.ts";
import { parseBinary, type ParseOptions, UNTRUSTED } from "../parse_binary.ts";
import { validDocuments } from "./support/corpus.ts";
import type { BenchDocument } from "./support/documents.ts";
import { FULL, Lane, measureAlternating, QUICK } from "./support/lane.ts";
import { renderTable } from "./support/table.ts";
import { showProgress } from "./support/terminal.ts";

const HELP = `deno task bench guards [options] [FILE…]

Compares parseBinary with each of its guards, and with all of them, with parseBinary without any;
and those with all, and with numbers as text, with secure-json-parse and lossless-json behind a
decoder. Without FILE it reads the shared corpus where present, and generated documents.

  --only REGEX  measure documents whose "group/name" matches
  --quick       take a third of the samples
  --json        print one JSON object on standard output`;

const decoder = new TextDecoder();

const { duplicateKeys: _names, protoKeys: _protos, maxBytes: _bytes, ...limits } = UNTRUSTED;

/** Makes a contestant of parseBinary with options. They are frozen, and so checked once. */
function guarded(name: string, options: ParseOptions): Contestant {
  Object.freeze(options);
  return {
    name,
    isOurs: true,
    parse(bytes) {
      const result = parseBinary(bytes, options);
      if (!result.ok && result.code !== "duplicate-key" && result.code !== "forbidden-key") {
        throw new Error(`Cannot compare ${name}: ${result.message}`);
      }
      return result;
    },
  };
}

const BARE: Contestant = { name: "parseBinary", isOurs: true, parse: (bytes) => parseBinary(bytes) };
const GUARDS: Contestant[] = [
  guarded("limits", { ...limits, maxElements: Infinity, maxMembers: 1e7, maxDepth: 10_000 }),
  guarded("protoKeys", { protoKeys: "reject" }),
  guarded("duplicateKeys", { duplicateKeys: "reject" }),
  guarded("bigint", { integers: "bigint" }),
];
const ALL = guarded("all", {
  ...limits,
  maxElements: Infinity,
  maxMembers: 1e7,
  maxDepth: 10_000,
  protoKeys: "reject",
  duplicateKeys: "reject",
});
const SOURCE = guarded("source", { numbers: "source" });
const SECURE: Contestant = {
  name: "secure-json-parse",
  parse: (bytes) => secure.safeParse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)),
};
const LOSSLESS: Contestant = {
  name: "lossless-json",
  parse: (bytes) => lossless.parse(decoder.decode(bytes), null, { parseNumber: (text) => text }),
};

const CONTESTANTS = [BARE, ...GUARDS, ALL, SOURCE, SECURE, LOSSLESS];
/** Ratios of speeds: title, dividend, divisor. */
const RATIOS: [title: string, fast: Contestant, slow: Contestant][] = [
  ...[...GUARDS, ALL].map((guard): [string, Contestant, Contestant] => [guard.name, guard, BARE]),
  ["all × secure-json-parse", ALL, SECURE],
  ["source × lossless-json", SOURCE, LOSSLESS],
];

/** Medians on one document, in MB/s. */
interface Row {
  group: string;
  name: string;
  bytes: number;
  mbPerSecond: Record<string, number>;
}

function measure({ group, name, parts }: BenchDocument, quick: boolean): Row {
  showProgress(`${group}/${name}`);
  const lanes = CONTESTANTS.map((contestant) => new Lane(contestant, parts));
  measureAlternating(lanes, quick ? QUICK : FULL);
  const bytes = parts.reduce((sum, part) => sum + part.length, 0);
  const speeds = lanes.map(({ contestant, samples }) => [contestant.name, bytes / median(samples) / 1e3]);
  return { group, name, bytes, mbPerSecond: Object.fromEntries(speeds) };
}

function compare(documents: BenchDocument[], quick: boolean): { data: Record<string, unknown>; text: string } {
  const rows = documents.map((document) => measure(document, quick));
  const ratioOf = ({ mbPerSecond }: Row, [, fast, slow]: typeof RATIOS[number]): number =>
    mbPerSecond[fast.name] / mbPerSecond[slow.name];
  const groups = [...Map.groupBy(rows, ({ group }) => group)].map(([group, members]) => ({
    group,
    ratios: Object.fromEntries(
      RATIOS.map((ratio) => [ratio[0], geometricMean(members.map((row) => ratioOf(row, ratio)))]),
    ),
  }));
  const text = renderTable(
    ["× without guards", "bytes", ...RATIOS.map(([title]) => title)],
    [
      ...rows.map((row) => [
        `${row.group}/${row.name}`,
        formatDecimalBytes(row.bytes),
        ...RATIOS.map((ratio) => formatRatio(ratioOf(row, ratio))),
      ]),
      ...groups.map(({ group, ratios }) => [
        `geometric mean of ${group}`,
        "",
        ...Object.values(ratios).map(formatRatio),
      ]),
    ],
  );
  return { data: { documents: rows, groups }, text };
}

/** Runs the command line. */
function run(): void {
  const { values: flags, positionals: paths } = parseArgs({
    allowPositionals: true,
    options: {
      only: { type: "string" },
      quick: { type: "boolean" },
      json: { type: "boolean" },
      help: { type: "boolean" },
    },
  });
  if (flags.help) return console.log(HELP);
  const { data, text } = compare(validDocuments(paths, new RegExp(flags.only ?? "")), flags.quick ?? false);
  showProgress("");
  console.log(
    flags.json ? JSON.stringify({ runtime: runtimeName(), ...data }, null, 2) : `${runtimeName()}\n\n${text}`,
  );
}

try {
  run();
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 2;
}
