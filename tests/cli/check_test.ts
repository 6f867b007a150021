/**
 * `bytejson check`: screens, records and exit codes, by its options.
 */

import { assert, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { findInputs } from "../../cli/check/find_inputs.ts";
import { workersFor } from "../../cli/check/worker_pool.ts";
import {
  assertRow,
  type Expected,
  FULL_DEVICE,
  itFails,
  itPrints,
  itRuns,
  runCli,
  spawnCli,
  withoutTime,
} from "../support/run_cli.ts";
import { type Files, folderOf } from "../support/files.ts";

const BAD = '{\n  "a": 1,\n  "b": 2,,\n}\n';
const BAD_LINE = "bad.json:3:10: error: Expected double-quoted property name (byte 21)\n";
const BAD_SCREEN = `${BAD_LINE}  2 |   "a": 1,\n  3 |   "b": 2,,\n    |          ^\n`;
const INVALID = "1 of 1 file invalid\n";
const COMMA = "hint: looks like a trailing comma; JSON has none\n";

// deno-lint-ignore no-explicit-any
function recordsOf(stdout: string): any[] {
  return stdout.trimEnd().split("\n").map((line) => JSON.parse(line));
}

describe("check", () => {
  const files = { "a.json": "{}", "b.json": "[1, 2]", "c.json": " 3\n", "bad.json": BAD };
  itRuns(files, {
    "prints one line if all inputs are valid": {
      args: "check a.json b.json c.json",
      stderr: "ok  3 files, 11 B, T s\n",
    },
    "prints an invalid file": {
      args: "check a.json bad.json c.json",
      code: 1,
      stderr: `${BAD_SCREEN}1 of 3 files invalid\n`,
    },
    "reads standard input without operands": { args: "check", stderr: "ok  1 file, 4 B, T s\n", stdin: "[1]\n" },
    "reads standard input for -, without permissions": {
      args: "check -",
      code: 1,
      stderr: `<stdin>:1:4: error: Unexpected token ']' (byte 3)\n  1 | [1,]\n    |   ^\n${COMMA}${INVALID}`,
      stdin: "[1,]\n",
      allow: [],
    },
    "prints no input content with --no-snippet": {
      args: "check --no-snippet bad.json",
      code: 1,
      stderr: BAD_LINE + INVALID,
    },
    "names a missing permission": {
      args: "check a.json",
      code: 2,
      stderr: "bytejson: a.json: no permission to read it; run with --allow-read\n1 of 1 file could not be read\n",
      allow: [],
      isDenied: true,
    },
    "clips a long bad line without a line end": {
      args: "check a.jsonl",
      code: 1,
      stderr: `a.jsonl:2:4: error: Unexpected token ']' (byte 5)\n  2 | [1,]${"x".repeat(69)}…\n    |   ^\n${COMMA}` +
        `a.jsonl: 1 of 2 documents invalid\n${INVALID}`,
      files: { "a.jsonl": `1\n[1,]${"x".repeat(3_000_000)}` },
    },
  });
  itFails(files, 2, {
    "check missing.json bad.json":
      `bytejson: missing.json: no such file\n${BAD_SCREEN}1 of 2 files invalid, 1 of 2 files could not be read\n`,
    "check -q bad.json missing.json": "bytejson: missing.json: no such file\n",
  });

  it("takes thousands of files", async () => {
    const many = Object.fromEntries(Array.from({ length: 3_000 }, (_, i) => [`${i}.json`, `{"i": ${i}}`]));
    await assertRow(many, { args: "check -r", stderr: "ok  3000 files, 31.1 KiB, T s\n" });
  });

  it("counts what it does not show of a hundred failures and more", async () => {
    const many: Files = Object.fromEntries(Array.from({ length: 120 }, (_, i) => [`${i}.json`, "["]));
    many["z.jsonl"] = "[\n".repeat(30);
    const rest = "121 of 121 files invalid, 50 errors not shown; --max-errors 0 shows all";
    await assertRow(many, { args: "check --no-snippet .", code: 1, stderr: new RegExp(`^(?:.*\n){100}${rest}\n$`) });
    await assertRow(many, { args: "check --no-snippet --max-errors=0 .", code: 1, stderr: /^(?:.*\n){152}$/ });
  });
});

describe("check of lines", () => {
  const LINES = '{"a":1}\r\n\n{"b":}\n   \n[1,2\r\n"ok"\n\x1fx';
  const SCREEN = `\
log.jsonl:3:6: error: Unexpected token '}' (byte 15)
  3 | {"b":}
    |      ^
log.jsonl:5:5: error: Expected ',' or ']' after array element (byte 25)
  5 | [1,2
    |     ^
log.jsonl:7:1: error: Unexpected byte 0x1F (byte 32)
  7 | ␟x
    | ^
log.jsonl: 3 of 5 documents invalid
${INVALID}`;
  const many = (count: number, rest: string): RegExp =>
    new RegExp(`^(?:a.*: error: .*\n){${count}}a.jsonl: 25 of 25 documents invalid${rest}\n${INVALID}$`);
  const files = {
    "log.jsonl": LINES,
    log: LINES,
    "a.ndjson": '{"a":1}\n{"b":2}\n',
    "b.jsonl": "",
    "a.jsonl": "[\n".repeat(25),
  };
  itRuns(files, {
    "goes on after a bad one": { args: "check log.jsonl", code: 1, stderr: SCREEN },
    "takes any name with --jsonl": {
      args: "check --jsonl log",
      code: 1,
      stderr: SCREEN.replaceAll("log.jsonl", "log"),
    },
    "accepts valid and empty files": { args: "check a.ndjson b.jsonl", stderr: "ok  2 files, 16 B, T s\n" },
    "shows all errors with --max-errors 0": {
      args: "check --no-snippet --max-errors=0 a.jsonl",
      code: 1,
      stderr: many(25, ""),
    },
  });
  itFails(files, 1, {
    "check --no-snippet a.jsonl": many(20, "; 20 shown, --max-errors 0 shows all"),
    "check --no-snippet --max-errors 3 a.jsonl": many(3, "; 3 shown, .* shows all"),
  });
});

describe("check --concatenated", () => {
  const files = { "a.json": '{} {}\n[\n1]"a"', "bad.json": "{} [1,] 2\n{}\n]\n3" };
  itPrints(files, {
    "check --json --concatenated a.json": /^\{.*"valid":true,.*"documents":4,"invalidDocuments":0,"failures":\[\]\}\n/,
  });
  itFails(files, 1, {
    "check --no-snippet --concatenated bad.json": `bad.json:1:7: error: Unexpected token ']' (byte 6)\n${COMMA}` +
      `bad.json:3:1: error: Unexpected token ']' (byte 13)\nbad.json: 2 of 5 documents invalid\n${INVALID}`,
  });
});

describe("check --json", () => {
  const MESSAGE = "Unexpected end of JSON input";
  const first = { offset: 3, line: 2, column: 2, code: "unexpected-end", message: MESSAGE };
  itRuns({ "a.json": "[]", "bad.json": BAD }, {
    "prints a record per file, then a summary": {
      args: "check --json a.json bad.json missing.json",
      code: 2,
      stdout: `\
{"type":"result","file":"a.json","valid":true,"bytes":2}
{"type":"result","file":"bad.json","valid":false,"bytes":25,"offset":21,"line":3,"column":10,"code":"expected-property-name","message":"Expected double-quoted property name"}
{"type":"error","file":"missing.json","message":"no such file"}
{"type":"summary","files":3,"valid":1,"invalid":1,"errors":1,"bytes":27,"ms":T,"exit":2}
`,
      stderr: "bytejson: missing.json: no such file\n",
    },
    "prints a summary if there is nothing to check": {
      args: "check --json --ext yaml .",
      code: 2,
      stdout: '{"type":"summary","files":0,"valid":0,"invalid":0,"errors":0,"bytes":0,"ms":T,"exit":2}\n',
      stderr: "bytejson check: no files to check: none match *.yaml\n",
    },
  });

  it("prints the failures of lines, the first one twice", async () => {
    using folder = folderOf({ "a.jsonl": "1\n[\n2\n[\n[", "b.jsonl": "[\n1\n".repeat(30), "c.json": "[" });
    const recordsOfRun = async (args: string) =>
      recordsOf((await runCli(folder.path, ["check", "--json", ...args.split(" ")])).stdout);
    const [few] = await recordsOfRun("--max-errors 2 a.jsonl");
    const result = { type: "result", file: "a.jsonl", valid: false, bytes: 9, ...first };
    const failures = [first, { ...first, offset: 7, line: 4 }];
    assertEquals(few, { ...result, documents: 5, invalidDocuments: 3, failures });

    // A record of more than 20 failures is printed while they come.
    const [many, one, summary, ...more] = await recordsOfRun("--max-errors=0 b.jsonl c.json");
    assertEquals([many.failures.length, many.failures[29]], [30, { ...first, offset: 117, line: 59 }]);
    const begin = { ...result, file: "b.jsonl", bytes: 120, offset: 1, line: 1 };
    assertEquals({ ...many, failures: [] }, { ...begin, documents: 60, invalidDocuments: 30, failures: [] });
    assertEquals([one.file, one.offset, summary.type, summary.invalid, more], ["c.json", 1, "summary", 2, []]);
    assertEquals(Object.keys((await recordsOfRun("b.jsonl"))[0]).at(-1), "failures");
  });
});

describe("check --color", () => {
  const cases: { args: string; env: Record<string, string>; isOn: boolean }[] = [
    { args: "", env: {}, isOn: false },
    { args: "", env: { FORCE_COLOR: "1" }, isOn: true },
    { args: "", env: { FORCE_COLOR: "0" }, isOn: false },
    { args: "", env: { FORCE_COLOR: "1", NO_COLOR: "1" }, isOn: false },
    { args: "--color=always", env: { NO_COLOR: "1" }, isOn: true },
    { args: "--color=never", env: { FORCE_COLOR: "1" }, isOn: false },
    { args: "--color=auto", env: { FORCE_COLOR: "1" }, isOn: true },
  ];
  for (const { args, env, isOn } of cases) {
    // deno-lint-ignore no-control-regex
    const stderr: Expected = isOn ? /\x1b\[/ : BAD_SCREEN + INVALID;
    itRuns({ "bad.json": BAD }, {
      [`${isOn ? "on" : "off"}: ${args} ${JSON.stringify(env)}`]: {
        args: `check ${args} bad.json`,
        code: 1,
        stderr,
        env,
      },
    });
  }

  it("can be read on light and on dark backgrounds, and changes nothing else", async () => {
    using folder = folderOf({ "bad.json": BAD, "two.json": "{} {}", "good.json": "1" });
    const codes = new Set<string>();
    for (const args of ["bad.json two.json good.json", "-r --stats gone.json good.json", "good.json"]) {
      const run = async (color: string) =>
        withoutTime((await runCli(folder.path, ["check", ...args.split(" "), `--color=${color}`])).stderr);
      const coloured = await run("always");
      // deno-lint-ignore no-control-regex
      for (const [, code] of coloured.matchAll(/\x1b\[([^m]*)m/g)) codes.add(code);
      // deno-lint-ignore no-control-regex
      if (!args.includes("stats")) assertEquals(coloured.replace(/\x1b\[\d+m/g, ""), await run("never"));
    }
    // Bold, red, green and magenta: neither yellow, white and blue, nor faint text.
    assertEquals([...codes].sort(), ["0", "1", "31", "32", "35"]);
  });
});

describe("check --pass", () => {
  const long = `${JSON.stringify(Array.from({ length: 50_000 }, (_, i) => ({ i })))}\n`;
  const valid = `[${'"é",'.repeat(200_000)}`;
  itRuns({ "a.json": "[1]" }, {
    "copies valid standard input": {
      args: "check --pass",
      stdout: long,
      stderr: "ok  1 file, 575 KiB, T s\n",
      stdin: long,
    },
    "copies a file": { args: "check -p -q a.json", stdout: "[1]" },
    "ends at the first bad byte": {
      args: "check -p",
      code: 1,
      stdout: valid,
      stderr: /^<stdin>:1:800002: error: Unexpected token 'x' \(byte 1000001\)\n/,
      stdin: `${valid}x, 1]`,
    },
    "ends at the first bad byte of lines": {
      args: "check --pass --jsonl -q",
      code: 1,
      stdout: "1\n2\n[",
      stdin: "1\n2\n[}\n3\n",
    },
    "copies all of an input that ends too early": { args: "check -pq", code: 1, stdout: "[1, 2", stdin: "[1, 2" },
    "reads no directory": {
      args: "check --pass .",
      code: 2,
      stderr: "bytejson: .: is a directory\n1 of 1 file could not be read\n",
    },
  });
});

describe("check --fail-fast", () => {
  const FILES = { "a.json": "1", "b.jsonl": "1\n2\n}\n4\n]\n", "c.json": "[", "d.json": "4" };
  itRuns(FILES, {
    "stops at the first file that cannot be read": {
      args: "check --fail-fast --json a.json missing.json b.jsonl",
      code: 2,
      stdout:
        /^.*\n\{"type":"error","file":"missing.json","message":"no such file"\}\n.*"bytes":1,"unchecked":1,"ms":T,"exit":2\}\n$/,
      stderr: "bytejson: missing.json: no such file\n",
    },
  });
  itFails(FILES, 1, {
    "check --fail-fast a.json b.jsonl c.json d.json":
      `b.jsonl:3:1: error: Unexpected token '}' (byte 4)\n  3 | }\n    | ^\n` +
      "b.jsonl: 1 of 3 documents invalid\n1 of 2 files invalid, 2 not checked\n",
  });
});

describe("check --jobs", () => {
  // Two of these are enough bytes for two workers to pay.
  const LARGE = "[" + " ".repeat(2 ** 25);
  // Failures of all kinds, behind the files that take longest.
  const FILES = {
    "0.json": `${LARGE}1]`,
    "1.json": "[1,]",
    "2.jsonl": "1\n[\n2\n]\n",
    "3.json": `${LARGE}2,]`,
    "4.json": "[4]",
    "5.json": "[NaN]",
  };

  it("changes nothing in the output", async () => {
    using folder = folderOf(FILES);
    assertEquals(workersFor(await findInputs([folder.path], { isRecursive: true, extensions: ["json"] }), 8), 2);
    for (const args of [["--json"], ["--fail-fast"]]) {
      const [alone, both] = await Promise.all(["-j1", "-j2"].map(async (jobs) => {
        const run = await spawnCli(folder.path, ["check", "-r", ".", "missing.json", jobs, ...args]);
        return { ...run, stdout: withoutTime(run.stdout) };
      }));
      assertEquals(both, alone);
      assertEquals(alone.code, args[0] === "--fail-fast" ? 1 : 2);
    }
    const args = ["check", "-j2", "--json", "0.json", "3.json"];
    const stderr = `bytejson check: cannot write to standard output: ${FULL_DEVICE}\n`;
    assertEquals(await spawnCli(folder.path, args, { stdoutFile: "/dev/full" }), { code: 2, stdout: "", stderr });
  });
});

describe("check --stats", () => {
  const figure = String.raw` +\d+(?:\.\d+)? `;
  itRuns({ "a.json": "[1]" }, {
    "prints time, throughput and memory": {
      args: "check --stats a.json",
      stderr: new RegExp(
        `^ok  1 file, 3 B, T s\ntime {8}T s\nthroughput${figure}MiB/s\n` +
          `heap used${figure}MiB\nexternal${figure}[KM]iB\nRSS${figure}[MG]iB\npeak RSS${figure}[MG]iB\n$`,
      ),
    },
  });

  it("adds figures to the summary of --json", async () => {
    using folder = folderOf({ "a.json": "[1]" });
    const [, { stats }] = recordsOf((await runCli(folder.path, ["check", "--stats", "--json", "a.json"])).stdout);
    assertEquals(Object.keys(stats), ["mibPerSecond", "heapUsed", "external", "rss", "peakRss"]);
    for (const figure of Object.values(stats)) assert(Number(figure) > 0);
    assert(String(stats.mibPerSecond).replace(/^[0.]+|\.|e.*/g, "").length <= 3, stats.mibPerSecond);
  });
});

describe("check of JSON with comments", () => {
  const NAMES = [
    ..."tsconfig.json tsconfig.build.json jsconfig.json a/.vscode/x.json .devcontainer/devcontainer.json".split(" "),
    ..."biome.json nx.json p/turbo.json typedoc.json wrangler.json a.jsonc .eslintrc.json a.code-workspace".split(" "),
    ..."a.sublime-keymap deno.json api-extractor.json a.tsconfig.json".split(" "),
  ];
  const OTHERS = ["package.json", "tsconfig.txt", "vscode/x.json"];
  const COMMENTED = '{\n  // one\n  "a": [1,],\n}';
  const files = Object.fromEntries([...NAMES, ...OTHERS].map((name) => [name, COMMENTED]));
  const bytes = COMMENTED.length * NAMES.length;
  const invalid = (count: number): RegExp => new RegExp(`^(?:.*"valid":false.*\n){${count}}.*\n$`);
  itRuns(files, {
    "accepts it by the name": { args: ["check", ...NAMES], stderr: `ok  ${NAMES.length} files, ${bytes} B, T s\n` },
    "does not with --strict": {
      args: ["check", "--strict", "--json", ...NAMES],
      code: 1,
      stdout: invalid(NAMES.length),
    },
    "does not by other names": { args: ["check", "--json", ...OTHERS], code: 1, stdout: invalid(OTHERS.length) },
    "accepts it in directories": {
      args: ["check", "--hidden", "--exclude", "package.json", "--exclude", "vscode/", "."],
      stderr: `ok  ${NAMES.length} files, ${bytes} B, T s\n`,
    },
  });

  const FILES = { "a.conf": COMMENTED, "x.json": "[1,]", "b/x.json": "/**/1", "a.jsonc": "// one\n[1,, 2]" };
  itRuns(FILES, {
    "finds files of --jsonc in directories": {
      args: "check -r --ext txt --jsonc *.conf",
      stderr: "ok  1 file, 25 B, T s\n",
    },
  });
  itFails(FILES, 1, {
    "check --no-snippet --jsonc=*.conf a.conf x.json b/x.json":
      `x.json:1:4: error: Unexpected token ']' (byte 3)\n${COMMA}b/x.json:1:1: error: Unexpected token '/' (byte 0)\n` +
      "hint: looks like a comment; try --jsonc 'b/x.json'\n2 of 3 files invalid\n",
    "check --jsonc=* a.jsonc":
      `a.jsonc:2:4: error: Unexpected token ',' (byte 10)\n  1 | // one\n  2 | [1,, 2]\n    |    ^\n${INVALID}`,
  });
  itPrints(FILES, {
    "check -q --jsonc *.conf --jsonc=/x.json --jsonc **/b/*.json a.conf x.json b/x.json": "",
  });
});
