/**
 * Prints how long hostile documents take: `parseBinary` compared with native decoding and
 * `JSON.parse`, and how much longer each kind of reader takes for twice the bytes. Documents for
 * guards are read with their options.
 *
 *     deno task test hostile [--kilobytes N] [--rounds N] [--only REGEX] [--json]
 *
 * The exit code is 1 if a document takes ten times as long as native, or a reader's time more than
 * quadruples with twice the bytes, both from n to 2n and from 2n to 4n.
 */

import { parseArgs } from "@std/cli/parse-args";
import { parseBinary, type ParseOptions } from "../../parse_binary.ts";
import { BinaryParser } from "../../parse_stream.ts";
import { every, selectBinary, selector } from "../../select.ts";
import { validateBinary } from "../../validate_binary.ts";
import { checksOf } from "../support/random_options.ts";
import { bytesOf, GUARDED, type HostileDocument, PLAIN } from "./hostile_documents.ts";
import { type Call, callNative, inChunks, shortestTimes } from "./processor_time.ts";

const [MAX_RATIO, MAX_GROWTH] = [10, 4];
/** Further measurements of a row that is over a bound. */
const MORE_MEASUREMENTS = 4;

const flags = parseArgs(Deno.args, {
  string: ["kilobytes", "rounds", "only"],
  boolean: ["json"],
  default: { kilobytes: "1000", rounds: "7", only: "" },
});

const part = selector({ [every]: true });

/** Makes the readers of a document with options. */
const READERS: Record<string, (options: ParseOptions) => Call> = {
  parseBinary: (options) => (bytes) => parseBinary(bytes, options),
  validateBinary: (options) => (bytes) => validateBinary(bytes, checksOf(options)),
  selectBinary: (options) => (bytes) => selectBinary(bytes, part, options),
  BinaryParser: (options) => inChunks(new BinaryParser(options)),
  "its elements": (options) => inChunks(new BinaryParser({ ...options, multiple: "elements", onValue() {} })),
};

/** Measures a document. Times are in nanoseconds per byte, growth is that with twice the bytes. */
function measure([name, make, options = {}]: HostileDocument, size: number) {
  const [bytes, twice] = [size, 2 * size].map((size) => bytesOf([name, make], size));
  const calls = Object.values(READERS).map((makeCall) => makeCall(options));
  const pairs = calls.flatMap((call): [Call, Uint8Array][] => [[call, bytes], [call, twice]]);
  const [native, ...times] = shortestTimes([[callNative, bytes], ...pairs], Number(flags.rounds));
  const growths = calls.map((_, i) => times[2 * i + 1] / times[2 * i]);
  const perByte = (milliseconds: number): number => milliseconds * 1e6 / bytes.length;
  return { name, parse: perByte(times[0]), native: perByte(native), ratio: times[0] / native, growths };
}

function isOver({ ratio, growths }: ReturnType<typeof measure>): boolean {
  return ratio > MAX_RATIO || Math.max(...growths) > MAX_GROWTH;
}

if (!flags.json) {
  const growths = Object.keys(READERS).map((name) => `2n ÷ n, ${name}`);
  console.log(`| document | ns/B | native ns/B | time ÷ native's | ${growths.join(" | ")} |`);
  console.log(`| --- |${" ---: |".repeat(3 + growths.length)}`);
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
  const { name, parse, native, ratio, growths } = row;
  const cells = [parse, native, ratio, ...growths].map((cell) => cell.toFixed(2));
  if (!flags.json) console.log(`| ${name} | ${cells.join(" | ")} |`);
  return row;
});
const bad = rows.filter(isOver).map(({ name }) => name);
if (flags.json) console.log(JSON.stringify(rows));
else console.log(`${rows.length} documents, ${bad.length} over a bound${bad.length > 0 ? `: ${bad.join("; ")}` : ""}`);
if (bad.length > 0) Deno.exit(1);
