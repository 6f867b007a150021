/**
 * Limits of `bytejson check`: nesting, the content of compressed files, and memory.
 *
 * @module
 */

import { assert, assertEquals, assertMatch, assertRejects } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { gzipSync, zstdCompressSync } from "node:zlib";
import { FORMATS } from "../../cli/commands.ts";
import { LimitedContent } from "../../cli/input/content_limits.ts";
import { CompressionError } from "../../cli/input/zlib_stream.ts";
import { HOSTILE_FILES, zstdOfOneByte } from "../hostile/compressed.ts";
import { concat, utf8 } from "../support/bytes.ts";
import { commandLine, folderOf, type Run, runCli, type RunOptions, withoutTime } from "../support/cli.ts";
import { describeLong } from "../support/long.ts";

type Files = Record<string, string | Uint8Array>;

/** Runs check on files. */
async function check(files: Files, args: readonly string[], options?: RunOptions): Promise<Run> {
  using folder = folderOf(files);
  const { code, stdout, stderr } = await runCli(folder.path, ["check", "--no-snippet", ...args], options);
  return { code, stdout: withoutTime(stdout), stderr: withoutTime(stderr) };
}

/** Returns nested arrays. */
function nested(depth: number): string {
  return "[".repeat(depth) + "]".repeat(depth);
}

describe("check: --max-depth", () => {
  const FAILURE = "error: Nesting deeper than --max-depth 3";

  it("names the limit and the place of the bracket that is too deep", async () => {
    const { code, stderr } = await check({ "a.json": '[[1],\n {"a": [{"b": 1}]}]' }, ["--max-depth=3", "a.json"]);
    assertEquals([code, stderr], [1, `a.json:2:9: ${FAILURE} (byte 14)\n1 of 1 file invalid\n`]);
    assertEquals((await check({ "a.json": '[[1],\n {"a": [{"b": 1}]}]' }, ["--max-depth=4", "a.json"])).code, 0);
  });

  for (
    const { name, content, args, stderr } of [
      {
        name: "a.json",
        content: "[[[[]]]]",
        args: [],
        stderr: `a.json:1:4: ${FAILURE} (byte 3)\n1 of 1 file invalid\n`,
      },
      {
        name: "a.json",
        content: "// one\n[[[{}]],]",
        args: ["--jsonc=*"],
        stderr: `a.json:2:4: ${FAILURE} (byte 10)\n1 of 1 file invalid\n`,
      },
      {
        name: "a.jsonl",
        content: "[[[]]]\n[[[[1]]]]\n1\n[[[[\n{}\n",
        args: [],
        stderr: `a.jsonl:2:4: ${FAILURE} (byte 10)\na.jsonl:4:4: ${FAILURE} (byte 22)\n` +
          "a.jsonl: 2 of 5 documents invalid\n1 of 1 file invalid\n",
      },
      {
        name: "a.json",
        content: "[[[]]] 1\n[ [[{\n[1]",
        args: ["--concatenated"],
        stderr: `a.json:2:5: ${FAILURE} (byte 13)\na.json: 1 of 4 documents invalid\n1 of 1 file invalid\n`,
      },
    ] as const
  ) {
    it(`applies to ${JSON.stringify(content)} with ${args.join() || name}`, async () => {
      const files = { [name]: content, [`${name}.gz`]: new Uint8Array(gzipSync(content)) };
      assertEquals(await check(files, [...args, "--max-depth=3", name]), { code: 1, stdout: "", stderr });
      const ofGzip = stderr.replaceAll(name, `${name}.gz`);
      assertEquals(await check(files, [...args, "--max-depth=3", `${name}.gz`]), {
        code: 1,
        stdout: "",
        stderr: ofGzip,
      });
    });
  }

  it("applies to standard input, and to what --pass copies", async () => {
    const { code, stdout, stderr } = await check({}, ["--pass", "--max-depth=3", "-"], { stdin: "[[1], [[[2]]]]" });
    assertEquals([code, stdout, stderr.split("\n")[0]], [1, "[[1], [[", `<stdin>:1:9: ${FAILURE} (byte 8)`]);
  });

  it("is in every format, with the code too-deep", async () => {
    const outputs: Record<string, string> = {};
    for (const format of FORMATS) {
      const run = await check({ "a.json": "[[[[]]]]" }, [`--format=${format}`, "--max-depth=3", "a.json"]);
      assertEquals(run.code, 1);
      outputs[format] = run.stdout + run.stderr;
      assertMatch(outputs[format], /Nesting deeper than --max-depth 3/);
    }
    assertEquals(JSON.parse(outputs.json.split("\n")[0]).code, "too-deep");
    assertEquals(JSON.parse(outputs.sarif.replace(/\n[^\n]+\n$/, "")).runs[0].tool.driver.rules[0].id, "too-deep");
  });

  it("applies to files that workers check", async () => {
    const large = `[[[${" ".repeat(2 ** 25)}]]]`;
    const files = { "a.json": large, "b.json": "[[[[]]]]", "c.json": large, "d.json": `[${large}]` };
    const args = ["--max-depth=3", ...Object.keys(files)];
    const run = await check(files, ["--jobs=2", ...args]);
    assertEquals(run.stderr.match(/^.*error.*$/gm), [
      `b.json:1:4: ${FAILURE} (byte 3)`,
      `d.json:1:4: ${FAILURE} (byte 3)`,
    ]);
    assertEquals(run, await check(files, ["--jobs=1", ...args]));
  });

  it("is a million by default, and 0 stands for no limit", async () => {
    const files = { "a": nested(1_000_000), "b": nested(1_000_001) };
    const { code, stderr } = await check(files, ["a", "b"]);
    assertEquals([code, stderr.split("\n")[0]], [
      1,
      "b:1:1000001: error: Nesting deeper than --max-depth 1000000 (byte 1000000)",
    ]);
    assertEquals((await check(files, ["--max-depth=0", "b"])).code, 0);
  });
});

describe("check: --max-content and --max-ratio", () => {
  const CONTENT = `[${" ".repeat(3_000)}1]`;
  const COMPRESSIONS: [name: string, data: Uint8Array<ArrayBuffer>][] = [
    ["gzip", new Uint8Array(gzipSync(CONTENT))],
    ["two members", concat([gzipSync(CONTENT.slice(0, 2_000)), gzipSync(CONTENT.slice(2_000))])],
    ["Zstandard", new Uint8Array(zstdCompressSync(utf8(CONTENT)))],
    ["two frames", concat([CONTENT.slice(0, 2_000), CONTENT.slice(2_000)].map((part) => zstdCompressSync(utf8(part))))],
  ];
  for (const [name, data] of COMPRESSIONS) {
    it(`limits the bytes of content: ${name}`, async () => {
      assertEquals((await check({ "a": data }, [`--max-content=${CONTENT.length}`, "a"])).code, 0);
      const { code, stderr } = await check({ "a": data }, [`--max-content=${CONTENT.length - 1}`, "a"]);
      const message = `its content is longer than ${CONTENT.length - 1} bytes (--max-content)`;
      assertEquals([code, stderr], [2, `bytejson: a: ${message}\n1 of 1 file could not be read\n`]);
    });
  }

  it("finds what is invalid before the limit, and copies what is valid", async () => {
    const data = new Uint8Array(gzipSync(`[1,\n}${" ".repeat(3_000)}`));
    const { code, stderr } = await check({ "a": data }, ["--max-content=2K", "a"]);
    assertEquals([code, stderr.split("\n")[0]], [1, "a:2:1: error: Unexpected token '}' (byte 4)"]);
    const run = await check({ "a": COMPRESSIONS[0][1] }, ["--pass", "--max-content=1K", "a"]);
    assertEquals([run.code, run.stdout], [2, CONTENT.slice(0, 1024)]);
  });

  it("applies to standard input, to records, and to files that workers check", async () => {
    const stdin = COMPRESSIONS[2][1];
    const { code, stdout } = await check({}, ["--json", "--max-content=1K"], { stdin });
    assertEquals([code, JSON.parse(stdout.split("\n")[0])], [2, {
      type: "error",
      file: "<stdin>",
      message: "its content is longer than 1024 bytes (--max-content)",
    }]);
    const files = { "a": stdin, "b": " ".repeat(2 ** 25) + "1", "c": " ".repeat(2 ** 25) + "1" };
    const runs = await Promise.all(
      [1, 2].map((jobs) => check(files, [`--jobs=${jobs}`, "--max-content=1K", ...Object.keys(files)])),
    );
    assertEquals(runs[0], runs[1]);
    assertMatch(runs[0].stderr, /^bytejson: a: its content is longer than 1024 bytes/);
  });

  it("reads sizes with units, and 0 as no limit", async () => {
    for (
      const [size, code] of [["2k", 2], ["2.93K", 2], ["2.94KiB", 0], ["1MB", 0], ["1g", 0], ["3004B", 0], ["0", 0]]
    ) {
      assertEquals(
        (await check({ "a": COMPRESSIONS[0][1] }, [`--max-content=${size}`, "a"])).code,
        code,
        `${size}`,
      );
    }
  });

  it("is not about files that are not compressed", async () => {
    assertEquals((await check({ "a": CONTENT }, ["--max-content=1K", "a"])).code, 0);
    const data = new Uint8Array(gzipSync(CONTENT));
    assertEquals((await check({ "a": data }, ["--max-content=1K", "--no-decompress", "a"])).code, 1);
  });

  it("counts the ratio from the data that has been read", async () => {
    const passed: number[] = [];
    const content = new LimitedContent({ maxBytes: Infinity, maxRatio: 100 }, (piece) => {
      passed.push(piece.length);
      return Promise.resolve(true);
    });
    const piece = new Uint8Array(2 ** 28);
    content.dataBytes = 12e6;
    for (let i = 0; i < 4; i++) assert(await content.pass(piece));
    await assertRejects(() => content.pass(piece), CompressionError, "100 times");
    assertEquals(passed, [...new Array(4).fill(2 ** 28), 12e8 - 2 ** 30]);
    content.dataBytes = 24e6;
    assert(await content.pass(piece));
  });

  it("reports no limit to those who want no more", async () => {
    const content = new LimitedContent({ maxBytes: 3, maxRatio: 100 }, () => Promise.resolve(false));
    assertEquals(await content.pass(new Uint8Array(4)), false);
  });

  it("limits windows of Zstandard only if there is little data", () => {
    const content = new LimitedContent({ maxBytes: Infinity, maxRatio: 100 }, () => Promise.resolve(true));
    content.dataBytes = 1e6;
    content.checkWindow(2 ** 26);
    const message = assertThrowsMessage(() => content.checkWindow(2 ** 26 + 1));
    assertEquals(
      message,
      "its Zstandard window takes more than 64 MiB of memory for little data; --max-ratio 0 reads it",
    );
    content.dataBytes = 2 ** 21;
    content.checkWindow(2 ** 27);
    new LimitedContent({ maxBytes: 1, maxRatio: Infinity }, () => Promise.resolve(true)).checkWindow(2 ** 27);
  });
});

function assertThrowsMessage(body: () => void): string {
  try {
    body();
  } catch (error) {
    if (error instanceof CompressionError) return error.message;
  }
  throw new Error("nothing was thrown");
}

describeLong("check: --max-ratio", () => {
  it("limits the ratio beyond 1 GiB", async () => {
    const files = { "a.zst": zstdOfOneByte(" ", 1100) };
    const { code, stderr } = await check(files, ["a.zst"]);
    assertEquals([code, stderr], [
      2,
      "bytejson: a.zst: its content is more than 1100 times as long as its data (--max-ratio)\n1 of 1 file could not be read\n",
    ]);
    const { stderr: unlimited } = await check(files, ["--max-ratio=0", "a.zst"]);
    assertMatch(unlimited, /^a\.zst:1:\d+: error: Unexpected end of JSON input/);
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
  const command = new Deno.Command("sh", {
    args: ["-c", '"$@"; exit $?', "sh", program, ...programArgs],
    cwd: folder,
    env: { NO_COLOR: "1" },
  });
  const { code, stdout, stderr } = await command.output();
  const run = { code, stdout: new TextDecoder().decode(stdout), stderr: new TextDecoder().decode(stderr) };
  const [, record] = /"peakRss":(\d+)/.exec(run.stdout.slice(-400)) ?? [];
  const [, text] = /peak RSS +([\d.]+) MiB/.exec(run.stderr.slice(-400)) ?? [];
  return { run, peak: (record === undefined ? Number(text) * 2 ** 20 : Number(record)) / 1e6 };
}

/**
 * Registers tests of the memory that a check of a share of each hostile file's content takes: 0 for
 * the least.
 */
function registerContent(share: number): void {
  for (const [name, make] of Object.entries(HOSTILE_FILES)) {
    it(`stays below ${LIMIT} MB: ${name}`, async () => {
      const data = make(share);
      assert(data.length <= 1_050_000);
      using folder = folderOf({ [name]: data });
      const { run, peak } = await measure(folder.path, ["--json", name]);
      assertEquals(run.code, JSON.parse(run.stdout.trimEnd().split("\n").at(-1)!).exit, run.stderr);
      assert(peak < LIMIT, `${peak} MB`);
    });
  }

  it("grows by one bit for each open bracket if nesting has no limit", async () => {
    const mebibytes = Math.max(62, 496 * share);
    using folder = folderOf({ "a.zst": zstdOfOneByte("[", mebibytes) });
    const { run, peak } = await measure(folder.path, ["--json", "--max-depth=0", "a.zst"]);
    assertMatch(run.stdout, new RegExp(`"offset":${mebibytes * 2 ** 20},`));
    assert(peak < LIMIT, `${peak} MB`);
  });
}

/** Registers tests of the memory that many failures take in some formats. */
function registerFailures(formats: readonly string[]): void {
  for (const format of formats) {
    it(`does not grow with the number of failures: ${format}`, async () => {
      using folder = folderOf({ "a.jsonl": "]\n".repeat(150_000) });
      const { run, peak } = await measure(folder.path, [`--format=${format}`, "--max-errors=0", "a.jsonl"]);
      assertEquals(run.code, 1);
      assertEquals(
        (run.stdout + run.stderr).match(/Unexpected token/g)!.length,
        ["json", "junit", "sarif"].includes(format) ? 150_001 : 150_000,
      );
      assert(peak < LIMIT, `${peak} MB`);
    });
  }
}

if (Deno.build.os === "windows") {
  console.log("skipped: Windows has no sh");
} else {
  describe("check: memory, with a part of the content", () => {
    registerContent(0);
    registerFailures(["compact"]);
  });
  describeLong("check: memory", () => {
    registerContent(1);
    registerFailures(FORMATS.filter((format) => format !== "compact"));
  });
}
