/**
 * Prints how long hostile documents take: `parseBinary` and `validateBinary` for n bytes and for
 * 2n, beside native decoding and `JSON.parse`. Documents for guards are parsed with their options.
 *
 *     deno task test hostile [--kilobytes N] [--rounds N] [--only REGEX] [--json]
 *
 * The exit code is 1 if a document takes ten times as long as native, or its time more than
 * quadruples with twice the bytes, both from n to 2n and from 2n to 4n.
 */

import { parseArgs } from "@std/cli/parse-args";
import { parseBinary } from "../../parse_binary.ts";
import { validateBinary } from "../../validate_binary.ts";
import { checksOf } from "../support/guarded_documents.ts";
import { bytesOf, GUARDED, type HostileDocument, PLAIN } from "./documents.ts";
import { callNative, shortestTimes } from "./timing.ts";

const [MAX_RATIO, MAX_GROWTH] = [10, 4];
/** Further measurements of a row that is over a bound. */
const MORE_MEASUREMENTS = 4;

const flags = parseArgs(Deno.args, {
  string: ["kilobytes", "rounds", "only"],
  boolean: ["json"],
  default: { kilobytes: "1000", rounds: "7", only: "" },
});

/** Measures a document. Times are in nanoseconds per byte, growth is that with twice the bytes. */
function measure(document: HostileDocument, size: number) {
  const [name, , options = {}] = document;
  const checks = checksOf(options);
  const bytes = bytesOf(document, size);
  const twice = bytesOf(document, 2 * size);
  const [parse, native, parseTwice, validate, validateTwice] = shortestTimes([
    [(bytes) => parseBinary(bytes, options), bytes],
    [callNative, bytes],
    [(bytes) => parseBinary(bytes, options), twice],
    [(bytes) => validateBinary(bytes, checks), bytes],
    [(bytes) => validateBinary(bytes, checks), twice],
  ], Number(flags.rounds));
  const perByte = (milliseconds: number): number => milliseconds * 1e6 / bytes.length;
  return {
    name,
    parse: perByte(parse),
    native: perByte(native),
    ratio: parse / native,
    growth: parseTwice / parse,
    validate: perByte(validate),
    validateGrowth: validateTwice / validate,
  };
}

function isOver({ ratio, growth, validateGrowth }: ReturnType<typeof measure>): boolean {
  return ratio > MAX_RATIO || Math.max(growth, validateGrowth) > MAX_GROWTH;
}

if (!flags.json) {
  console.log("| document | ns/B | native ns/B | time ÷ native's | 2n ÷ n | validate ns/B | 2n ÷ n |");
  console.log("| --- | ---: | ---: | ---: | ---: | ---: | ---: |");
}
const rows = [...PLAIN, ...GUARDED].filter(([name]) => new RegExp(flags.only).test(name)).map((document) => {
  const size = 1000 * Number(flags.kilobytes);
  let row = measure(document, size);
  // A busy machine can spoil a measurement, but not the same one again and again. A collection that
  // only the larger of two documents causes falls between other sizes the next time, whereas work
  // that grows with the square is as far above the bound at every size.
  for (let more = 1; more <= MORE_MEASUREMENTS && isOver(row); more++) {
    row = measure(document, more % 2 === 0 ? size : 2 * size);
  }
  const { name, ...cells } = row;
  if (!flags.json) console.log(`| ${name} | ${Object.values(cells).map((cell) => cell.toFixed(2)).join(" | ")} |`);
  return row;
});
const bad = rows.filter(isOver).map(({ name }) => name);
if (flags.json) console.log(JSON.stringify(rows));
else console.log(`${rows.length} documents, ${bad.length} over a bound${bad.length > 0 ? `: ${bad.join("; ")}` : ""}`);
if (bad.length > 0) Deno.exit(1);
