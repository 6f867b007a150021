/** Tests of `bytejson bench`: its report, and its figures from the real process. */

import { assert, assertAlmostEquals, assertEquals, assertMatch } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { type BenchResult, meanOf } from "../../cli/bench/bench_result.ts";
import { type BenchContestant, contestants } from "../../cli/bench/contestants.ts";
import { renderBench, renderMean } from "../../cli/bench/screen_report.ts";
import { renderChart } from "../../cli/bench/svg_chart.ts";
import { timeContestants } from "../../cli/bench/timing.ts";
import { Rejection } from "../../measure/contestants.ts";
import {
  cliCommand,
  folderOf,
  FULL_DEVICE,
  isBun,
  isDeno,
  isSkippedOutsideDeno,
  type Run,
  runCli,
  type RunOptions,
  startCli,
} from "../support/cli.ts";
import { describeLong } from "../support/long.ts";

const DOCUMENT = JSON.stringify(Array.from({ length: 2000 }, (_, id) => ({ id, name: `name ${id}`, x: id / 7 })));
const QUICK = ["bench", "--runs", "2", "--warmup", "0"];
const NAMES = contestants.map(({ name }) => name);

/** Most characters of a V8 string: a longer document cannot be decoded. */
const LONGEST_STRING = 0x1fffffe8;

describe("bench: screen", () => {
  const [native, response, ours, validator] = contestants;
  // Of 20 samples, the 19th is the 95th percentile.
  const samples = (median: number, p95: number) => [...Array<number>(18).fill(median), p95, 2 * p95];
  const runtime = `Deno ${Deno.version.deno} ${Deno.build.arch}-${Deno.build.os}`;

  it("times, bars, ratio, memory, and rows that failed", () => {
    const screen = renderBench({
      file: "canada.json",
      bytes: 2251051,
      warmup: 3,
      timings: [
        { contestant: native, samples: samples(10.2, 11.9), batch: 1 },
        { contestant: response, samples: [], batch: 1, failed: "buffer exceeds maximum length" },
        { contestant: ours, samples: samples(6.1, 6.9), batch: 1 },
        { contestant: validator, samples: samples(2.04, 2.5), batch: 1 },
      ],
      firstCalls: [
        { contestant: native, milliseconds: 12.25 },
        { contestant: ours, milliseconds: 31.5 },
        { contestant: validator, failed: "its process was ended by SIGKILL" },
      ],
      memories: [
        { contestant: native, memory: { fixed: 2 ** 20, peak: 28.8 * 2 ** 20, retained: 17.1 * 2 ** 20 } },
        { contestant: response, failed: "its process was ended by SIGKILL" },
        { contestant: ours, memory: { fixed: 0, peak: 900, retained: null } },
      ],
    }, 80);
    assertEquals(
      screen,
      `\
canada.json  2.15 MiB   20 runs, 3 warm-up   ${runtime}

                     first call    median       p95     MiB/s
decode + JSON.parse     12.3 ms   10.2 ms   11.9 ms     210.5  ███▍
Response.json         failed: buffer exceeds maximum length
parseBinary             31.5 ms    6.1 ms    6.9 ms     351.9  █████▋
validateBinary                –    2.0 ms    2.5 ms    1052.3  █████████████████
parseBinary runs at 1.67× decode + JSON.parse, validateBinary at 5.00×
spread of half of the runs: decode + JSON.parse ±0.0 %, parseBinary ±0.0 %,
validateBinary ±0.0 %

memory               fixed cost  peak over input   retained
decode + JSON.parse     1.0 MiB         28.8 MiB   17.1 MiB
Response.json         failed: its process was ended by SIGKILL
parseBinary                 0 B            900 B          –
fixed cost: once per process, compiled code and a grown young generation

`,
    );
  });

  it("the geometric mean of the documents that every row can read", () => {
    const report = (file: string, nativeMs: number, oursMs: number, failed?: string): BenchResult => ({
      file,
      bytes: 2 ** 20,
      warmup: 0,
      timings: [
        { contestant: native, samples: failed ? [] : [nativeMs], batch: 1, ...failed && { failed } },
        { contestant: ours, samples: [oursMs], batch: 1 },
      ],
      firstCalls: [],
      memories: [],
    });
    const [a, b] = [report("a.json", 10, 2.5), report("b.json", 40, 40)];
    const huge = report("huge.json", NaN, 1, "buffer exceeds maximum length");
    assertEquals(
      renderMean(meanOf([a, huge, b]), 80),
      `\
geometric mean of the 2 of 3 documents that every row can read

                        MiB/s  × native
decode + JSON.parse      50.0     1.00×  ██████████▌
parseBinary             100.0     2.00×  █████████████████████

`,
    );
    assertEquals(renderMean(meanOf([a, b]), 80).split("\n")[0], "geometric mean of 2 documents");
    assertEquals(renderMean(meanOf([huge, huge]), 80), "no mean: none of 2 documents can be read by every row\n\n");
  });

  const only = (native: number, peak?: number): BenchResult => ({
    file: "a.json",
    bytes: 1000,
    warmup: 0,
    timings: [
      { contestant: contestants[0], samples: [native], batch: 1 },
      { contestant: ours, samples: [2], batch: 1 },
    ],
    firstCalls: [],
    memories: peak === undefined ? [] : [{ contestant: ours, memory: { fixed: 0, peak, retained: 0 } }],
  });
  /** The screen from the line about the earlier results on. */
  const changes = (result: BenchResult, rows: NonNullable<BenchResult["earlier"]>["rows"]): string => {
    const screen = renderBench({ ...result, earlier: { source: "b.json", rows } }, 80);
    return screen.slice(screen.indexOf("since b.json"));
  };
  const earlier = [{ name: "decode + JSON.parse", medianMs: 10 }, { name: "parseBinary", medianMs: 4 }];

  it("a tie where the middle halves of the runs overlap", () => {
    const told = (own: number[]) => {
      const timings = [{ contestant: native, samples: [9, 10, 11, 12, 13], batch: 1 }, {
        contestant: ours,
        samples: own,
        batch: 1,
      }];
      const screen = renderBench({ file: "a.json", bytes: 1000, warmup: 0, timings, firstCalls: [], memories: [] }, 80);
      return screen.trimEnd().split("\n").slice(-2);
    };
    assertEquals(told([8, 9, 10, 11, 12]), [
      "parseBinary and decode + JSON.parse are a tie (1.10×)",
      "spread of half of the runs: decode + JSON.parse ±9.1 %, parseBinary ±10.0 %",
    ]);
    assertEquals(told([5, 6, 7, 8, 9])[0], "parseBinary runs at 1.57× decode + JSON.parse");
  });

  it("the change since earlier results", () => {
    assertEquals(
      changes(only(10.1), earlier),
      `\
since b.json           before    median    change
decode + JSON.parse   10.0 ms   10.1 ms    +1.0 %
parseBinary            4.0 ms    2.0 ms   -50.0 %

`,
    );
  });

  it("the change of peaks, where both are known", () => {
    assertEquals(
      changes(only(10.1, 2048), [earlier[0], { ...earlier[1], peak: 1024 }]),
      `\
since b.json           before    median    change  peak before       peak
decode + JSON.parse   10.0 ms   10.1 ms    +1.0 %            –          –
parseBinary            4.0 ms    2.0 ms   -50.0 %      1.0 KiB    2.0 KiB

`,
    );
  });

  it("a warning where native itself has changed", () => {
    assertMatch(
      changes(only(20), earlier),
      /\ndecode \+ JSON\.parse itself changed by \+100\.0 %; relative to it, parseBinary by\n-75\.0 %\n/,
    );
  });

  it("that there are no earlier figures of the document", () => {
    assertEquals(changes(only(10), []), "since b.json: no figures of a.json there\n\n");
  });

  it("bars as wide as the terminal leaves room for, at most 21 columns", () => {
    const bar = (columns: number) => /█*$/m.exec(renderBench(only(1), columns).split("\n")[3])![0].length;
    assertEquals([40, 68, 70, 80, 200].map(bar), [0, 0, 7, 17, 21]);
  });

  it("figures below their names in a narrow terminal", () => {
    const result = only(10.1, 2048);
    const firstCalls = [{ contestant: ours, milliseconds: 36.1 }];
    const screen = renderBench({ ...result, firstCalls, earlier: { source: "b.json", rows: earlier } }, 40);
    assertEquals(
      screen.split("\n").toSpliced(2, 1).join("\n"),
      `\
a.json  1000 B
1 run, 0 warm-up

  first call   median      p95  MiB/s
decode + JSON.parse
           –  10.1 ms  10.1 ms    0.1
parseBinary
     36.1 ms   2.0 ms   2.0 ms    0.5
parseBinary runs at 5.05× decode +
JSON.parse
spread of half of the runs: decode +
JSON.parse ±0.0 %, parseBinary ±0.0 %

memory
  fixed cost  peak over input  retained
parseBinary
         0 B          2.0 KiB       0 B
fixed cost: once per process, compiled
code and a grown young generation

since b.json
   before   median   change
decode + JSON.parse
  10.0 ms  10.1 ms   +1.0 %
parseBinary
   4.0 ms   2.0 ms  -50.0 %

`,
    );
  });

  it("no line longer than the terminal is wide", () => {
    const result = { ...only(10.1, 2048), earlier: { source: "b.json", rows: earlier } };
    for (const columns of [40, 50, 60, 72, 80, 200]) {
      const longest = Math.max(...renderBench(result, columns).split("\n").map((line) => line.length));
      assertEquals(longest <= columns, true, `${longest} of ${columns} columns`);
    }
  });

  it("a figure a line where even a row of figures is too long", () => {
    const result: BenchResult = {
      ...only(10.1, 2048),
      bytes: 7,
      timings: [
        { contestant: ours, samples: samples(0.0003738, 0.000394), batch: 1 },
        { contestant: response, samples: samples(0.0062484, 0.0101896), batch: 1 },
      ],
      firstCalls: [{ contestant: ours, milliseconds: 0.1912 }, { contestant: response, milliseconds: 7.3352 }],
    };
    assertEquals(renderBench(result, 40).split("\n").slice(4, 14), [
      "parseBinary",
      "  first call    191.2 µs",
      "  median        373.8 ns",
      "  p95           394.0 ns",
      "  MiB/s             17.9",
      "Response.json",
      "  first call   7335.2 µs",
      "  median       6248.4 ns",
      "  p95         10189.6 ns",
      "  MiB/s              1.1",
    ]);
  });

  it("wrapped reasons of rows that failed", () => {
    const result = only(10.1, 2048);
    const timings = [...result.timings, {
      contestant: response,
      samples: [],
      batch: 1,
      failed: "the document is much too long for this row",
    }];
    const lines = (columns: number) => renderBench({ ...result, timings, memories: [] }, columns).split("\n");
    for (const columns of [40, 50]) {
      assertEquals(lines(columns).filter((line) => line.length > columns), []);
      assertMatch(lines(columns).join("\n"), /failed: [^\n]+\n +\w/);
    }
  });

  it("one unit for a column, whatever the size", () => {
    const times = (...medians: number[]) =>
      renderBench({
        file: "x.json",
        bytes: 1,
        warmup: 0,
        timings: medians.map((median, i) => ({ contestant: contestants[i], samples: [median], batch: 1 })),
        firstCalls: [],
        memories: [],
      }, 80).split("\n").slice(3, 3 + medians.length).map((line) => line.match(/\d+\.\d+ [mµn]?s/)![0]);
    assertEquals(times(1234, 5000), ["1.23 s", "5.00 s"]);
    assertEquals(times(0.0015, 2), ["1.5 µs", "2000.0 µs"]);
    assertEquals(times(0.0000315), ["31.5 ns"]);
  });
});

describe("bench: measuring", () => {
  it("alternates the contestants, and leaves out one that throws or rejects", async () => {
    const calls: string[] = [];
    const contestant = (id: string): BenchContestant => ({
      id,
      name: id,
      parse() {
        calls.push(id);
        for (const end = performance.now() + 6; performance.now() < end;);
      },
    });
    const broken: BenchContestant = {
      id: "broken",
      name: "broken",
      parse: () => Promise.reject(new RangeError("too long")),
    };
    const plan = { runs: 3, time: 0, warmup: 1 };
    const timings = await timeContestants(
      [contestant("a"), broken, contestant("b")],
      [new Uint8Array(1)],
      plan,
    );
    // Calibration, warm-up, calibration, then rounds that start with each row in turn.
    assertEquals(calls.join(""), "ab" + "ab" + "ab" + "ab" + "ba" + "ba");
    assertEquals(timings.map(({ samples, failed }) => [samples.length, failed]), [
      [3, undefined],
      [0, "too long"],
      [3, undefined],
    ]);
  });

  it("leaves out a contestant that rejects a document", async () => {
    const strict: BenchContestant = { id: "strict", name: "strict", parse: () => new Rejection("not JSON") };
    const [{ samples, failed }] = await timeContestants([strict], [new Uint8Array(1)], { runs: 1, time: 0, warmup: 0 });
    assertEquals([samples, failed], [[], "not JSON"]);
  });

  it("a fast row is measured in batches of at least five milliseconds", async () => {
    let calls = 0;
    const fast: BenchContestant = { id: "fast", name: "fast", parse: () => ++calls };
    const [{ batch, samples }] = await timeContestants([fast], [new Uint8Array(1)], { runs: 5, time: 0, warmup: 1 });
    assert(batch > 1000, `${batch} calls of next to nothing do not take 5 ms`);
    assert(calls > 5 * batch, `${calls} calls for 5 samples of ${batch}`);
    assert(samples.every((sample) => sample > 0));
  });
});

const FILES = {
  "a.json": DOCUMENT,
  "lines.ndjson": '{"a":1}\n\n[true]\n"x"\n',
  "bad.json": "[1,]",
  "empty.jsonl": "\n",
};

/** Runs a command line among these files. */
async function run(args: string[], options?: RunOptions): Promise<Run> {
  using folder = folderOf(FILES);
  return await runCli(folder.path, args, options);
}

describe("bench: process", () => {
  it("the screen", async () => {
    const { code, stdout, stderr } = await run([...QUICK, "a.json"]);
    assertEquals([code, stderr], [0, ""]);
    const pattern = [
      /^a\.json {2}\d.* KiB {3}2 runs, 0 warm-up {3}(?:Deno|Node|Bun) /,
      /^$/,
      /^ {21}first call +median +p95 +MiB\/s$/,
      ...NAMES.map((name) =>
        new RegExp(`^${name.replace("+", "\\+").padEnd(19)}( +\\d+\\.\\d [mµn]?s){3} +\\d+\\.\\d  █*.?$`)
      ),
      /^COMPARED$/,
      /^$/,
      /^memory {15}fixed cost {2}peak over input {3}retained$/,
      ...NAMES.map((name) => new RegExp(`^${name.replace("+", "\\+").padEnd(19)}( +(0|\\d+\\.\\d|\\d+) [KM]?i?B){3}$`)),
      /^fixed cost: once per process, /,
      /^$/,
      /^$/,
    ];
    const compared =
      /^parseBinary (?:runs at|and decode) [^]*\nspread of half of the runs: [^]*, validateBinary ±\d+\.\d %$/m;
    const lines = stdout.replace(compared, "COMPARED").split("\n");
    assertEquals(lines.length, pattern.length, stdout);
    for (const [i, line] of lines.entries()) assertMatch(line, pattern[i]);
  });

  it("--only and --no-memory", async () => {
    const { stdout } = await run([...QUICK, "--json", "--no-memory", "--only", "parsebinary", "a.json"]);
    const { rows } = JSON.parse(stdout);
    assertEquals(rows.length, 1);
    assertEquals([rows[0].name, rows[0].memory, rows[0].ratio], ["parseBinary", undefined, undefined]);
    const screen = (await run([...QUICK, "--no-memory", "--only=native,response", "a.json"])).stdout;
    assertEquals(screen.includes("parseBinary") || screen.includes("memory"), false);
    assert(screen.includes("Response.json"));
  });

  it("--compare: the change since an earlier --json", async () => {
    using folder = folderOf(FILES);
    const args = [...QUICK, "--only=native"];
    const before = await runCli(folder.path, [...args, "--json", "a.json"]);
    Deno.writeTextFileSync(`${folder.path}/before.json`, before.stdout);
    const { code, stdout } = await runCli(folder.path, [...args, "--compare", "before.json", "a.json"]);
    assertEquals(code, 0);
    assertMatch(
      stdout,
      /\nsince before\.json +before +median +change +peak before +peak\ndecode .* %( +\d+(\.\d)? [KM]?i?B){2}\n/,
    );
  });

  const unusable: { name: string; content: string | undefined; reason: string }[] = [
    { name: "missing.json", content: undefined, reason: "no such file" },
    { name: "empty.json", content: "", reason: "it has no results of 'bytejson bench --json'" },
    { name: "other.json", content: '{"rows": 1}\n[]\nnull\n', reason: "it has no results of 'bytejson bench --json'" },
    { name: "broken.json", content: '{"type":"bench"', reason: "it has no results of 'bytejson bench --json'" },
    { name: "\x1b[2J.json", content: "", reason: "it has no results of 'bytejson bench --json'" },
  ];
  for (const { name, content, reason } of unusable) {
    it(`--compare with ${JSON.stringify(name)} fails before anything is measured: exit 2`, async () => {
      if (Deno.build.os === "windows" && name.includes("\x1b")) return console.log("skipped: no such names");
      using folder = folderOf({ ...FILES, ...content !== undefined && { [name]: content } });
      assertEquals(await runCli(folder.path, ["bench", "--compare", name, "a.json"]), {
        code: 2,
        stdout: "",
        stderr: `bytejson bench: cannot compare with ${name.replace("\x1b", "␛")}: ${reason}\n`,
      });
    });
  }

  it("colour on the stream of the report", async () => {
    const args = [...QUICK, "--no-memory", "--only=native", "a.json"];
    const { stdout } = await run([...args, "--color=always"]);
    assertEquals(stdout.split("  ")[0], "\x1b[1ma.json\x1b[0m");
  });

  it("memory that cannot be measured says why", async () => {
    if (isSkippedOutsideDeno("only Deno asks for permissions")) return;
    const { code, stdout } = await run([...QUICK, "--only=parseBinary", "a.json"], {
      allow: ["--allow-read"],
    });
    assertEquals(code, 0);
    assertMatch(stdout, /\nparseBinary {3}failed: needs to run a process of its own; run with --allow-run\n\n$/);
  });

  it("a first call that cannot be timed says why without memory, too", async () => {
    if (isSkippedOutsideDeno("only Deno asks for permissions")) return;
    const { code, stdout } = await run([...QUICK, "--no-memory", "--only=parseBinary", "a.json"], {
      allow: ["--allow-read"],
    });
    assertEquals(code, 0);
    assertMatch(
      stdout,
      /\nparseBinary +– .*\nspread .*\nno first call: needs to run a process of its own; run with --allow-run\n\n$/,
    );
  });

  it("a compiled program measures in itself", async () => {
    const { code, stdout, stderr } = await run(["--memory-process", "parseBinary", "3", "document"], {
      stdin: "[1]",
      allow: [],
    });
    assertEquals([code, stderr], [0, ""]);
    const { fixed, peak, retained } = JSON.parse(stdout);
    assert(fixed >= 0 && peak >= 0);
    assertEquals(retained, null, "without gc there is no such figure");
  });

  it("a compiled program times a first call in itself", async () => {
    const { code, stdout } = await run(["--memory-process", "parseBinary", "3", "document", "first"], {
      stdin: "[1]",
      allow: [],
    });
    assertEquals(code, 0);
    assert(JSON.parse(stdout).milliseconds > 0);
  });

  it("an invalid document is not measured: exit 1, and the next one is", async () => {
    const { code, stdout, stderr } = await run([...QUICK, "--no-memory", "bad.json", "a.json"]);
    assertEquals(code, 1);
    assertMatch(
      stderr,
      /^bad\.json:1:4: error: Unexpected token '\]' \(byte 3\)\n {2}1 \| \[1,\]\n {4}\| {4}\^\nhint: .*\n$/,
    );
    assertMatch(stdout, /^a\.json {2}/);
    assertEquals(JSON.parse((await run([...QUICK, "--json", "bad.json"])).stdout), {
      type: "error",
      file: "bad.json",
      offset: 3,
      line: 1,
      column: 4,
      code: "unexpected-token",
      message: "Unexpected token ']'",
      truncated: false,
    });
  });

  it("nothing to measure: exit 2", async () => {
    const { code, stderr } = await run(["bench", "missing.json", "empty.jsonl", "bad.json"]);
    assertEquals(code, 2);
    assertMatch(
      stderr,
      /^bytejson: missing\.json: no such file\nbytejson: empty\.jsonl: it has no document to measure\nbad/,
    );
  });

  it("an interrupt ends it with 130", async () => {
    if (Deno.build.os === "windows") return console.log("skipped: Windows has no signal to send");
    using folder = folderOf(FILES);
    const child = cliCommand(folder.path, ["bench", "--json", "--time=9m", "--no-memory", "missing.json", "a.json"])
      .spawn();
    const reader = child.stderr.getReader();
    await reader.read(); // missing.json: it runs
    child.kill("SIGINT");
    const { code, signal } = await child.status;
    assertEquals([code, signal], [130, null]);
    await Promise.all([reader.cancel(), child.stdin.abort(), child.stdout.cancel()]);
  });
});

describeLong("bench: process", () => {
  it("--compare and --json: a record with the earlier figures", async () => {
    using folder = folderOf(FILES);
    const args = [...QUICK, "--only=native", "--json"];
    const before = (await runCli(folder.path, [...args, "a.json"])).stdout;
    Deno.writeTextFileSync(`${folder.path}/before.json`, before);
    const record = JSON.parse((await runCli(folder.path, [...args, "--compare=before.json", "a.json"])).stdout);
    const [{ medianMs, memory: { peak } }] = JSON.parse(before).rows;
    assertEquals(record.rows[0].before, { medianMs, peak });
  });

  it("--json: a record per document, from files and standard input", async () => {
    const { code, stdout, stderr } = await run([...QUICK, "--json", "a.json", "-"], { stdin: "[1, 2, 3]" });
    assertEquals([code, stderr], [0, ""]);
    const records = stdout.trim().split("\n").map((line) => JSON.parse(line));
    const mean = records.pop();
    assertEquals(records.map(({ type, file, bytes, runs, warmup }) => ({ type, file, bytes, runs, warmup })), [
      { type: "bench", file: "a.json", bytes: DOCUMENT.length, runs: 2, warmup: 0 },
      { type: "bench", file: "<stdin>", bytes: 9, runs: 2, warmup: 0 },
    ]);
    for (const { rows, bytes } of records) {
      assertEquals(rows.map((row: { name: string }) => row.name), NAMES);
      for (const { batch, medianMs, p95Ms, firstMs, mibPerSecond, ratio, memory } of rows) {
        assert(firstMs > 0 && memory.fixed >= 0);
        assert(batch >= 1 && medianMs > 0 && p95Ms >= medianMs);
        assertEquals(mibPerSecond, bytes / 2 ** 20 / (medianMs / 1e3));
        assertEquals(ratio, rows[0].medianMs / medianMs);
        assert(memory.peak >= 0);
      }
    }
    const { rows, ...counts } = mean;
    assertEquals(counts, { type: "mean", documents: 2, compared: 2 });
    for (const [i, row] of rows.entries()) {
      assertEquals(row.name, NAMES[i]);
      assertAlmostEquals(row.ratio, Math.sqrt(records[0].rows[i].ratio * records[1].rows[i].ratio), 1e-9);
    }
    // 2,000 objects of three members take more memory than their text. All parsers make the same
    // values, and validation none.
    const retained: number[] = records[0].rows.map((row: { memory: { retained: number } }) => row.memory.retained);
    const ofValidation = retained.pop()!;
    assert(ofValidation < DOCUMENT.length / 10, `retained by validateBinary: ${ofValidation}`);
    assert(Math.min(...retained) > DOCUMENT.length / 2, `retained: ${retained}`);
    assert(Math.max(...retained) < 2 * Math.min(...retained), `retained: ${retained}`);
  });

  it("JSON Lines, a document a line", async () => {
    const { code, stdout } = await run([...QUICK, "--json", "lines.ndjson"]);
    const { bytes, rows } = JSON.parse(stdout);
    assertEquals([code, bytes], [0, 20]);
    for (const row of rows) assert(row.medianMs > 0 && row.memory.retained !== null);
  });

  it("a row that cannot run says why, and the exit code is 0", async () => {
    if (isBun) return console.log("skipped: strings of JavaScriptCore are long enough");
    using folder = folderOf({});
    using file = Deno.openSync(`${folder.path}/huge.json`, { create: true, write: true });
    const spaces = new Uint8Array(2 ** 20).fill(0x20);
    for (let at = 0; at < LONGEST_STRING; at += spaces.length) file.writeSync(spaces);
    file.writeSync(new TextEncoder().encode("[1]"));
    const { code, stdout, stderr } = await runCli(folder.path, [...QUICK, "--no-memory", "--runs=1", "huge.json"]);
    assertEquals([code, stderr], [0, ""]);
    const [native, response, ours, validator] = stdout.split("\n").slice(3);
    assertMatch(native, /^decode \+ JSON\.parse {3}failed: \S/);
    assertMatch(response, /^Response\.json {9}failed: \S/);
    assertMatch(ours, /^parseBinary .* \d/);
    assertMatch(validator, /^validateBinary .* \d/);
    assertEquals(stdout.includes("runs at"), false);
  });
});

describe("bench: children", () => {
  /** Returns the number of the process that measures a document of some bytes. */
  async function measuringChild(bytes: number): Promise<number | undefined> {
    const { stdout } = await new Deno.Command("ps", { args: ["-eo", "pid,args"] }).output();
    const line = new RegExp(String.raw`^ *(\d+) .*measuring_child\.[jt]s \w+ ${bytes} document`, "m");
    const [, pid] = line.exec(new TextDecoder().decode(stdout)) ?? [];
    return pid === undefined ? undefined : Number(pid);
  }

  for (const [signal, exit] of [["SIGINT", 130], ["SIGTERM", 143]] as const) {
    it(`are gone after ${signal}: exit ${exit}`, async () => {
      if (Deno.build.os !== "linux") return console.log("skipped: made for ps of Linux");
      if (!(await new Deno.Command("sh", { args: ["-c", "command -v ps"] }).output()).success) {
        return console.log("skipped: ps is not installed");
      }
      const bytes = 123_456 + exit;
      using folder = folderOf({ "a.json": `"${"x".repeat(bytes - 2)}"` });
      await using bench = startCli(folder.path, ["bench", "--runs=1", "a.json"]);
      let child: number | undefined;
      while (child === undefined) child = await measuringChild(bytes);
      Deno.kill(child, "SIGSTOP"); // it would end by itself
      bench.interrupt(signal);
      const stderr = "bytejson: a.json: interrupted before it was measured\n";
      assertEquals(await bench.ended, { code: exit, stdout: "", stderr });
      for (let i = 0; i < 500 && await measuringChild(bytes) === child; i++) {
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
      const left = await measuringChild(bytes);
      if (left !== undefined) Deno.kill(left, "SIGKILL");
      assertEquals(left, undefined);
    });
  }
});

describe("bench: chart", () => {
  const { native, parseBinary } = Object.fromEntries(contestants.map((contestant) => [contestant.id, contestant]));
  const report: BenchResult = {
    file: '<a> & "b"\u001b.json',
    bytes: 2 ** 20,
    warmup: 0,
    timings: [{ contestant: native, samples: [10], batch: 1 }, { contestant: parseBinary, samples: [5], batch: 1 }],
    firstCalls: [],
    memories: [],
  };

  /** The widths of the bars, from the top. */
  const widths = (svg: string) =>
    [...svg.matchAll(/<rect class="(?:ours|native)".*? width="(.*?)"/g)].map(([, width]) => Number(width));

  it("has bars as long as the speeds, and names that cannot break out of their text", () => {
    const svg = renderChart([report]);
    assertEquals(widths(svg), [110, 220]);
    assert(svg.includes(">100.0  1.00×<") && svg.includes(">200.0  2.00×<"), svg);
    assert(svg.includes(">&#60;a&#62; &#38; &#34;b&#34;␛.json, 1 MiB<"), svg);
    assertEquals(svg.includes("memory"), false);
  });

  it("begins with the mean of several, and draws memory where it was measured", () => {
    const memories = [{ contestant: native, memory: { fixed: 0, peak: 300, retained: 1 } }, {
      contestant: parseBinary,
      failed: "no",
    }];
    const svg = renderChart([{ ...report, memories }, report]);
    assert(svg.indexOf("geometric mean of 2 documents") < svg.indexOf("&#60;a&#62;"), svg);
    assertEquals(widths(svg), [110, 220, 110, 220, 220, 0, 110, 220]);
    assert(svg.includes(">300 B<") && svg.includes(">no<"), svg);
  });

  it("is written to a file, in the place of what was there, or to standard output", async () => {
    using folder = folderOf({ ...FILES, "chart.svg": "before".repeat(10_000) });
    const args = [...QUICK, "--no-memory", "--only=native", "a.json"];
    const write = ["--allow-read", "--allow-write=chart.svg"];
    assertEquals((await runCli(folder.path, [...args, "--svg", "chart.svg"], { allow: write })).code, 0);
    assertMatch(Deno.readTextFileSync(`${folder.path}/chart.svg`), /^<svg [^]*>a\.json, [^]*<\/svg>\n$/);
    const { stdout, stderr } = await runCli(folder.path, [...args, "--svg=-"]);
    assertMatch(stdout, /^<svg [^]*<\/svg>\n$/);
    assertMatch(stderr, /^a\.json {2}[^]*\ndecode/);
  });

  it("that cannot be written is told before anything is measured: exit 2", async () => {
    const told = async (path: string, allow: string[]) => {
      const { code, stdout, stderr } = await run([...QUICK, "--svg", path, "a.json"], { allow });
      return [code, stdout, stderr];
    };
    if (isDeno) {
      assertEquals(await told("chart.svg", ["--allow-read"]), [
        2,
        "",
        "bytejson bench: cannot write chart.svg: no permission; run with --allow-write, or use --svg - > FILE\n",
      ]);
    }
    assertEquals(await told("no/chart.svg", ["--allow-read", "--allow-write"]), [
      2,
      "",
      "bytejson bench: cannot write no/chart.svg: no such directory\n",
    ]);
  });
  it("on a full device is an error that names it: exit 2", async () => {
    if (Deno.build.os !== "linux") return console.log("skipped: only Linux has /dev/full");
    // Deno lets programs write to devices only with all permissions.
    const { code, stderr } = await run([...QUICK, "--no-memory", "--only=native", "--svg=/dev/full", "a.json"], {
      allow: ["--allow-all"],
    });
    assertEquals([code, stderr], [
      2,
      `bytejson bench: cannot write /dev/full: ${FULL_DEVICE}\n`,
    ]);
  });
});
