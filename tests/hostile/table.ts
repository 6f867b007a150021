/**
 * Prints how long hostile documents take: `parseBinary` and `validateBinary` for n bytes and for
 * 2n, beside native decoding and `JSON.parse`. Documents for guards are parsed with their options.
 *
 *     deno task test hostile [--kilobytes N] [--rounds N] [--only REGEX] [--json]
 *
 * The exit code is 1 if a document takes ten times as long as native, or its time more than
 * quadruples with twice the bytes, both from n to 2n and from 2n to 4n.
 *
 * @module
 */

import { parseArgs } from "@std/cli/parse-args";
import { parseBinary } from "../../parse_binary.ts";
import { type GuardOptions, validateBinary } from "../../validate_binary.ts";
import { bytesOf, GUARDED, type GuardedDocument, type HostileDocument, INVALID, VALID } from "./documents.ts";
import { type Call, callNative, shortestTimes } from "./timing.ts";

/** Times of a document: nanoseconds for a byte, and by how much they grow from n to 2n bytes. */
interface Row {
  name: string;
  parse: number;
  native: number;
  /** Time of `parseBinary` divided by that of native. */
  ratio: number;
  growth: number;
  validate: number;
  validateGrowth: number;
}

const MAX_RATIO = 10;
const MAX_GROWTH = 4;

const flags = parseArgs(Deno.args, {
  string: ["kilobytes", "rounds", "only"],
  boolean: ["json"],
  default: { kilobytes: "1000", rounds: "7", only: "" },
});

/** Returns the functions that parse and validate a document, with its options if it has any. */
function callsFor(document: HostileDocument | GuardedDocument): [parse: Call, validate: Call] {
  if (!("options" in document)) return [parseBinary, validateBinary];
  const { options } = document;
  const { duplicateKeys, protoKeys, integers, numbers } = options;
  const mayValidate = duplicateKeys !== "first" && protoKeys !== "drop" && integers !== "bigint" &&
    numbers === undefined;
  return [
    (bytes) => parseBinary(bytes, options),
    mayValidate ? (bytes) => validateBinary(bytes, options as GuardOptions) : validateBinary,
  ];
}

function measure(document: HostileDocument | GuardedDocument, size: number, rounds: number): Row {
  const [parser, validator] = callsFor(document);
  const bytes = bytesOf(document, size);
  const twice = bytesOf(document, 2 * size);
  const [parse, native, parseTwice, validate, validateTwice] = shortestTimes([
    [parser, bytes],
    [callNative, bytes],
    [parser, twice],
    [validator, bytes],
    [validator, twice],
  ], rounds);
  const perByte = (milliseconds: number): number => milliseconds * 1e6 / bytes.length;
  return {
    name: document.name,
    parse: perByte(parse),
    native: perByte(native),
    ratio: parse / native,
    growth: parseTwice / parse,
    validate: perByte(validate),
    validateGrowth: validateTwice / validate,
  };
}

/** Further measurements of a row that is over a bound. */
const MORE_MEASUREMENTS = 4;

function isOver({ ratio, growth, validateGrowth }: Row): boolean {
  return ratio > MAX_RATIO || Math.max(growth, validateGrowth) > MAX_GROWTH;
}

const only = new RegExp(flags.only);
const rows: Row[] = [];
const bad: string[] = [];
if (!flags.json) {
  console.log("| document | ns/B | native ns/B | time ÷ native's | 2n ÷ n | validate ns/B | 2n ÷ n |");
  console.log("| --- | ---: | ---: | ---: | ---: | ---: | ---: |");
}
for (const document of [...VALID, ...INVALID, ...GUARDED]) {
  if (!only.test(document.name)) continue;
  const size = 1000 * Number(flags.kilobytes);
  let row = measure(document, size, Number(flags.rounds));
  // A busy machine can spoil a measurement, but not the same one again and again. A collection that
  // only the larger of two documents causes falls between other sizes the next time, whereas work
  // that grows with the square is as far above the bound at every size.
  for (let more = 1; more <= MORE_MEASUREMENTS && isOver(row); more++) {
    row = measure(document, more % 2 === 0 ? size : 2 * size, Number(flags.rounds));
  }
  rows.push(row);
  if (isOver(row)) bad.push(row.name);
  if (flags.json) continue;
  const cells = [row.parse, row.native, row.ratio, row.growth, row.validate, row.validateGrowth];
  console.log(`| ${row.name} | ${cells.map((cell) => cell.toFixed(2)).join(" | ")} |`);
}
if (flags.json) console.log(JSON.stringify(rows));
else console.log(`${rows.length} documents, ${bad.length} over a bound${bad.length > 0 ? `: ${bad.join("; ")}` : ""}`);
if (bad.length > 0) Deno.exit(1);
