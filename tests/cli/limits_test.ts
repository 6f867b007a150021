/** Limits of the command line: nesting, the content of compressed inputs, and memory. */

import { assert, assertEquals, assertMatch } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { constants, gzipSync, zstdCompressSync } from "node:zlib";
import { FORMATS } from "../../cli/commands.ts";
import { HOSTILE_FILES, zstdOfOneByte } from "../hostile/compressed.ts";
import { concat, utf8 } from "../support/bytes.ts";
import { assertRow, commandLine, itFails, itRuns, type Run, runCli, startCli } from "../support/run_cli.ts";
import { folderOf } from "../support/files.ts";
import { execute } from "../support/environment.ts";
import { describeLong, describeRows } from "../support/long.ts";
import { describeUnless, isWindows, itUnless, notOnWindows, onlyLinux } from "../support/skip.ts";

describe("--max-depth", () => {
  const FAILURE = "error: Nesting deeper than --max-depth 3";
  const DEEP = '[[1],\n {"a": [{"b": 1}]}]';
  const invalid = "1 of 1 file invalid\n";
  const rows: Record<string, [args: string, content: string, stderr: string]> = {
    "names the bracket that is too deep": ["a", DEEP, `a:2:9: ${FAILURE} (byte 14)\n${invalid}`],
    "applies to arrays": ["a", "[[[[]]]]", `a:1:4: ${FAILURE} (byte 3)\n${invalid}`],
    "applies to JSON with comments": ["--jsonc=* a", "// one\n[[[{}]],]", `a:2:4: ${FAILURE} (byte 10)\n${invalid}`],
    "applies to lines": [
      "--jsonl a",
      "[[[]]]\n[[[[1]]]]\n1\n[[[[\n{}\n",
      `a:2:4: ${FAILURE} (byte 10)\na:4:4: ${FAILURE} (byte 22)\na: 2 of 5 documents invalid\n${invalid}`,
    ],
    "applies to documents one after another": [
      "--concatenated a",
      "[[[]]] 1\n[ [[{\n[1]",
      `a:2:5: ${FAILURE} (byte 13)\na: 1 of 4 documents invalid\n${invalid}`,
    ],
  };
  for (const [name, [args, content, stderr]] of Object.entries(rows)) {
    const words = `check --no-snippet --max-depth=3 ${args}`;
    itRuns({ a: content }, { [name]: { args: words, code: 1, stderr } });
    itRuns({ a: new Uint8Array(gzipSync(content)) }, { [`${name}, compressed`]: { args: words, code: 1, stderr } });
  }

  const million = "[".repeat(1_000_000) + "]".repeat(1_000_000);
  const files = { "a": million, "b": `[${million}]`, "c": DEEP };
  itRuns(files, {
    "accepts documents up to the limit": { args: "check -q --max-depth=4 c" },
    "applies to what --pass copies": {
      args: "check --pass --no-snippet --max-depth=3",
      code: 1,
      stdout: "[[1], [[",
      stderr: `<stdin>:1:9: ${FAILURE} (byte 8)\n${invalid}`,
      stdin: "[[1], [[[2]]]]",
    },
    "is none with 0": { args: "check -q --max-depth=0 b" },
  });
  itFails(files, 1, {
    "check --no-snippet a b":
      "b:1:1000001: error: Nesting deeper than --max-depth 1000000 (byte 1000000)\n1 of 2 files invalid\n",
  });

  it("is in every format, with the code too-deep", async () => {
    using folder = folderOf({ "a.json": "[[[[]]]]" });
    for (const format of FORMATS) {
      const args = `check --format=${format} --max-depth=3 a.json`.split(" ");
      const { code, stdout, stderr } = await runCli(folder.path, args);
      assertEquals([code, (stdout + stderr).includes("Nesting deeper than --max-depth 3")], [1, true]);
      assertEquals(stdout.includes('"too-deep"'), ["json", "sarif", "gitlab", "junit"].includes(format), format);
    }
  });

  it("applies to files that workers check", async () => {
    const large = `[[[${" ".repeat(2 ** 25)}]]]`;
    const files = { "a.json": large, "b.json": "[[[[]]]]", "c.json": large, "d.json": `[${large}]` };
    const stderr = `b.json:1:4: ${FAILURE} (byte 3)\nd.json:1:4: ${FAILURE} (byte 3)\n2 of 4 files invalid\n`;
    await assertRow(files, {
      args: "check --no-snippet --max-depth=3 -j2 a.json b.json c.json d.json",
      code: 1,
      stderr,
    });
  });
});

describe("--max-content and --max-ratio", () => {
  const CONTENT = `[${" ".repeat(3_000)}1]`;
  const LENGTH = CONTENT.length;
  const halves = [CONTENT.slice(0, 2_000), CONTENT.slice(2_000)].map((half) => utf8(half));
  const FILES = {
    "plain": CONTENT,
    "gzip": new Uint8Array(gzipSync(CONTENT)),
    "members": concat(halves.map((half) => gzipSync(half))),
    "zstd": new Uint8Array(zstdCompressSync(CONTENT)),
    "frames": concat(halves.map((half) => zstdCompressSync(half))),
    "bad": new Uint8Array(gzipSync(`[1,\n}${" ".repeat(3_000)}`)),
  };
  const tooLong = (bytes: number) => `its content is longer than ${bytes} bytes (--max-content)`;
  for (const name of ["gzip", "members", "zstd", "frames"]) {
    itRuns(FILES, {
      [`allow this many bytes of content: ${name}`]: { args: `check -q --max-content=${LENGTH} ${name}` },
    });
    itFails(FILES, 2, {
      [`check --max-content=${LENGTH - 1} ${name}`]: `bytejson: ${name}: ${
        tooLong(LENGTH - 1)
      }\n1 of 1 file could not be read\n`,
    });
  }
  itRuns(FILES, {
    "copy what is valid": {
      args: "check -q --pass --max-content=1K gzip",
      code: 2,
      stdout: CONTENT.slice(0, 1024),
      stderr: null,
    },
    "apply to standard input, and are in records": {
      args: "check --json --max-content=1K",
      code: 2,
      stdout: new RegExp(
        `^{"type":"error","file":"<stdin>","message":"${tooLong(1024).replaceAll(/[()]/g, "\\$&")}"}\n`,
      ),
      stderr: null,
      stdin: FILES.zstd,
    },
    "apply to select": {
      args: "select [{a}] gzip --max-content 4",
      code: 2,
      stderr: `bytejson: gzip: ${tooLong(4)}\n`,
    },
    "do not apply to files that are not compressed": { args: "check -q --max-content=1K plain" },
    "do not apply to data that is not decompressed": {
      args: "check -q --max-content=1K --no-decompress gzip",
      code: 1,
    },
    "refuse a large window for little data": {
      args: "check zst",
      code: 2,
      stderr:
        "bytejson: zst: its Zstandard window takes more than 64 MiB of memory for little data; --max-ratio 0 reads it\n" +
        "1 of 1 file could not be read\n",
      files: { zst: zstdOfOneByte(" ", 70, 27) },
    },
  });
  itFails(FILES, 1, {
    "check --max-content=2K --no-snippet bad":
      /^bad:2:1: error: Unexpected token '}' \(byte 4\)\nhint: .*\n1 of 1 file invalid\n$/,
  });
  for (
    const [size, code] of Object.entries({ "2k": 2, "2.93K": 2, "2.94KiB": 0, "1MB": 0, "1g": 0, "3004B": 0, "0": 0 })
  ) {
    itRuns(FILES, { [`take ${size}`]: { args: `check -q --max-content=${size} gzip`, code, stderr: null } });
  }
});

describeLong("--max-ratio", () => {
  it("allows a large window for more data, and for --max-ratio 0", async () => {
    const noise = () => crypto.getRandomValues(new Uint8Array(2 ** 16)).toBase64();
    const text = `["${Array.from({ length: 40 }, noise).join("")}",${" ".repeat(66 * 2 ** 20)}1]`;
    const params = { [constants.ZSTD_c_windowLog]: 27, [constants.ZSTD_c_compressionLevel]: 1 };
    await assertRow({}, { args: "check -q", stdin: new Uint8Array(zstdCompressSync(text, { params })) });
    await assertRow({}, { args: "check -q --max-ratio=0", code: 1, stdin: zstdOfOneByte(" ", 70, 27) });
  });

  const files = { "a.zst": zstdOfOneByte(" ", 1100) };
  itRuns(files, {
    "counts all data": { args: "check -q --max-ratio=40000 a.zst", code: 1 },
    "is no limit with 0": {
      args: "check --max-ratio=0 a.zst",
      code: 1,
      stderr: /^a\.zst:1:\d+: error: Unexpected end of JSON input/,
    },
  });
  itFails(files, 2, {
    "check a.zst": "bytejson: a.zst: its content is more than 1100 times as long as its data (--max-ratio)\n" +
      "1 of 1 file could not be read\n",
  });
});

/** Megabytes of memory that no hostile file of 1 MB may make a check take. */
const LIMIT = 150;

/**
 * Runs check in a folder. Resolves with its output, and with the peak of its resident set in MB.
 *
 * A shell starts it: a process begins with the peak of the one that it is forked from.
 */
async function measure(folder: string, args: readonly string[]): Promise<{ run: Run; peak: number }> {
  const [program, programArgs] = commandLine(["check", "--stats", ...args]);
  const shell = ["-c", '"$@"; exit $?', "sh", program, ...programArgs];
  const run = await execute("sh", shell, { cwd: folder, env: { NO_COLOR: "1" } });
  const [, record] = /"peakRss":(\d+)/.exec(run.stdout.slice(-400)) ?? [];
  const [, text] = /peak RSS +([\d.]+) MiB/.exec(run.stderr.slice(-400)) ?? [];
  return { run, peak: (record === undefined ? Number(text) * 2 ** 20 : Number(record)) / 1e6 };
}

/** Hostile files of each kind: nesting, padding, windows, and many parts. */
const KINDS = ["brackets.json.gz", "spaces.json.zst", "window of 64 MiB.json.zst", "members.json.gz"];

/**
 * Registers tests of the memory that a check of a share of the content of hostile files takes: 0 for
 * the least.
 */
function registerContent(share: number, names: readonly string[]): void {
  for (const name of names) {
    it(`stays below ${LIMIT} MB: ${name}`, async () => {
      const data = HOSTILE_FILES[name](share);
      assert(data.length <= 1_050_000);
      using folder = folderOf({ [name]: data });
      const { run, peak } = await measure(folder.path, ["--json", name]);
      assertEquals(run.code, JSON.parse(run.stdout.trimEnd().split("\n").at(-1)!).exit, run.stderr);
      assert(peak < LIMIT, `${peak} MB`);
    });
  }
}

/** Registers tests of the memory that many failures take in some formats. */
function registerFailures(formats: readonly string[]): void {
  for (const format of formats) {
    it(`does not grow with the number of failures: ${format}`, async () => {
      using folder = folderOf({ "a.jsonl": "]\n".repeat(150_000) });
      const { run, peak } = await measure(folder.path, [`--format=${format}`, "--max-errors=0", "a.jsonl"]);
      const isTold = ["json", "junit", "sarif"].includes(format); // once more, as the first one or in a rule
      assertEquals(run.code, 1);
      assertEquals((run.stdout + run.stderr).match(/Unexpected token/g)!.length, 150_000 + Number(isTold));
      assert(peak < LIMIT, `${peak} MB`);
    });
  }
}

describeUnless(notOnWindows("sh"))("memory of check, with a part of the content", () => {
  registerContent(0, KINDS);
  registerFailures(["compact"]);
});
if (!isWindows) {
  describeLong("memory of check", () => {
    registerContent(1, Object.keys(HOSTILE_FILES));

    it("grows by one bit for each open bracket if nesting has no limit", async () => {
      const mebibytes = 496;
      using folder = folderOf({ "a.zst": zstdOfOneByte("[", mebibytes) });
      const { run, peak } = await measure(folder.path, ["--json", "--max-depth=0", "a.zst"]);
      assertMatch(run.stdout, new RegExp(`"offset":${mebibytes * 2 ** 20},`));
      assert(peak < LIMIT, `${peak} MB`);
    });

    registerFailures(FORMATS.filter((format) => format !== "compact"));
  });
}

const MEGABYTE = "x".repeat(2 ** 20);
const LINES = '{"a":{"b":1,"c":"some text"}}\n'.repeat(10_000);

/**
 * Inputs that are written to a process in parts, and the megabytes that it may take: 100, most of
 * them Deno's, if nothing else is said.
 */
const WRITTEN: { name: string; args: string[]; begin: string; part: string; most?: number; takesLong?: boolean }[] = [
  { name: "strings", args: ["check", "--json"], begin: "[", part: `"${MEGABYTE}",\n` },
  { name: "a line that is not selected", args: ["select", "{a}", "--jsonl"], begin: '{"b":"', part: MEGABYTE },
  ...[
    { name: "elements", args: ["each", "/d"], begin: '{"d":[', part: '{"k":"v", "l":[]},'.repeat(10_000) },
    { name: "a string that is not selected", args: ["select", "{a}"], begin: '{"b":"', part: MEGABYTE },
    { name: "an array that is not selected", args: ["get", "/a"], begin: '{"b":[', part: "[1, 2, {}],".repeat(10_000) },
    { name: "lines", args: ["select", "{a:{b}}", "-j1"], begin: "", part: LINES },
    { name: "lines in two threads", args: ["select", "{a:{b}}", "-j2"], begin: "", part: LINES, most: 160 },
    { name: "bad lines", args: ["select", "{a}", "--jsonl", "-j1"], begin: "", part: '{"a":1}\n]\n'.repeat(10_000) },
    // The earlier ones stay in the output for a while.
    { name: "replaced members", args: ["select", "{a}"], begin: "{", part: `"a":"${MEGABYTE}",`, most: 120 },
    { name: "white space", args: ["get", "/a"], begin: "", part: " \n".repeat(2 ** 19) },
  ].map((row) => ({ ...row, takesLong: true })),
];

describeRows(
  "memory of an input that is written",
  WRITTEN,
  ({ takesLong = false }) => takesLong,
  ({ name, args, begin, part, most = 100 }) => {
    itUnless(onlyLinux("/proc"))(`does not grow with ${name}`, async () => {
      await using live = startCli(".", args);
      await live.write(begin);
      const parts = Math.min(150, 64 * 2 ** 20 / part.length);
      for (let i = 0; i < parts; i++) await live.write(part);
      // Deno reads such a file with all permissions only.
      const { stdout } = await execute("grep", ["VmHWM", `/proc/${live.pid}/status`]);
      await live.close();
      await live.ended;
      const peak = Number(/VmHWM:\s+(\d+)/.exec(stdout)![1]) / 1e3;
      assert(peak < most, `${peak} MB`);
    });
  },
);
