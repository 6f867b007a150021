/** Streams that fail: standard output on a full device, and streams that nobody reads. */

import { describe } from "@std/testing/bdd";
import { gzipSync } from "node:zlib";
import { FULL_DEVICE, itRuns } from "../support/run_cli.ts";

const FILES = { "a.json": '{"a":[1]}', "bad.json": "[1,]", "a.gz": new Uint8Array(gzipSync("[1]")) };

const INVALID = "1 of 1 file invalid\n";

/** Command lines with something on standard output, with what they give if nobody reads it. */
const OUTPUTS: readonly (readonly [args: string, code: number, stderr: string])[] = [
  ["--help", 0, ""],
  ["--version", 0, ""],
  ["check --help", 0, ""],
  ["man", 0, ""],
  ["completions bash", 0, ""],
  ["check --json a.json", 0, ""],
  ["check --json bad.json", 1, ""],
  ["check --format compact bad.json", 1, INVALID],
  ["check --format github bad.json", 1, INVALID],
  ["check --format sarif bad.json", 1, INVALID],
  ["check --format gitlab bad.json", 1, INVALID],
  ["check --format junit bad.json", 1, INVALID],
  ["check --pass --no-snippet a.json", 0, "ok  1 file, 9 B, T s\n"],
  ["check --pass --quiet bad.json", 1, ""],
  ["check --pass a.gz", 0, "ok  1 file, 3 B, T s\n"],
  ["select {a} a.json", 0, ""],
  ["get /a a.json", 0, ""],
  ["each /a a.json", 0, ""],
  ["locate /a a.json", 0, ""],
  ["bench --runs=1 --warmup=0 --no-memory --only=native a.json", 0, ""],
];

describe("standard output that cannot be written: exit 2 with one line", () => {
  for (const [args] of OUTPUTS) {
    const caller = args.startsWith("-") ? "bytejson" : `bytejson ${args.split(" ")[0]}`;
    const message = `${caller}: cannot write to standard output: ${FULL_DEVICE}\n`;
    itRuns(FILES, { [args]: { args, code: 2, stderr: message, stdoutFile: "/dev/full" } });
  }
});

describe("standard output that nobody reads: the exit code of the work", () => {
  for (const [args, code, stderr] of OUTPUTS) {
    itRuns(FILES, { [args]: { args, code, stderr, isStdoutClosed: true } });
  }
});
