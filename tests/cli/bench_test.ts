/** Tests of `bytejson bench`: its report, and its figures from the real process. */

import { assert, assertAlmostEquals, assertEquals, assertMatch } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import {
  type BenchResult,
  type EarlierRow,
  meanOf,
  type Measurement,
  resultOf as resultOfRows,
} from "../../cli/bench/bench_result.ts";
import { type BenchContestant, contestants } from "../../cli/bench/bench_contestants.ts";
import { renderBench, renderMean } from "../../cli/bench/screen_report.ts";
import { renderChart } from "../../cli/bench/svg_chart.ts";
import { timeContestants } from "../../cli/bench/timing.ts";
import { Rejection } from "../../measure/contestants.ts";
import { FULL_DEVICE, itFails, itPrints, itRuns, runCli, startCli } from "../support/run_cli.ts";
import { folderOf } from "../support/files.ts";
import { describeLong } from "../support/long.ts";
import { itUnless, withoutProgram } from "../support/skip.ts";

const DOCUMENT = JSON.stringify(Array.from({ length: 2000 }, (_, id) => ({ id, name: `name ${id}`, x: id / 7 })));
const FILES = {
  "a.json": DOCUMENT,
  "lines.ndjson": '{"a":1}\n\n[true]\n"x"\n',
  "bad.json": "[1,]",
  "empty.jsonl": "\n",
};

/** Command line of two runs of native, without memory. */
const QUICK = "bench --runs=1 --warmup=0 --no-memory --only=native";
const NAMES = contestants.map(({ name }) => name);

const [native, response, ours, validator] = contestants;

/** Samples of a row, or why it failed, and what was measured of it in processes. */
type Row = [contestant: BenchContestant, samples: readonly number[] | string, more?: Partial<Measurement>];

function resultOf(
  rows: readonly Row[],
  more: { file?: string; bytes?: number; warmup?: number } = {},
  earlier?: BenchResult["earlier"],
): BenchResult {
  const measurements = rows.map(([contestant, samples, more]): Measurement =>
    typeof samples === "string"
      ? { contestant, samples: [], batch: 1, failed: samples }
      : { contestant, samples: [...samples], batch: 1, ...more }
  );
  return resultOfRows({ file: "a.json", bytes: 1000, warmup: 0, ...more }, measurements, earlier);
}

/** Returns 20 samples: the 19th is the 95th percentile. */
function samplesOf(median: number, p95: number): number[] {
  return [...Array<number>(18).fill(median), p95, 2 * p95];
}

describe("bench: screen", () => {
  const KILLED = "its process was ended by SIGKILL";
  const runtime = `Deno ${Deno.version.deno} ${Deno.build.arch}-${Deno.build.os}`;

  it("shows times, bars, the ratio, memory, and rows that failed", () => {
    const MiB = 2 ** 20;
    const times: Row[] = [
      [native, samplesOf(10.2, 11.9), { first: 12.25, memory: { fixed: MiB, peak: 28.8 * MiB, retained: 17.1 * MiB } }],
      [response, "buffer exceeds maximum length"],
      [ours, samplesOf(6.1, 6.9), { first: 31.5, memory: { fixed: 0, peak: 900, retained: null } }],
      [validator, samplesOf(2.04, 2.5), { first: { failed: KILLED }, memory: { failed: KILLED } }],
    ];
    const screen = renderBench(resultOf(times, { file: "canada.json", bytes: 2251051, warmup: 3 }), 80);
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
parseBinary                 0 B            900 B          –
validateBinary        failed: its process was ended by SIGKILL
fixed cost: once per process, compiled code and an enlarged young generation

`,
    );
  });

  it("shows the geometric mean of the documents that every row can read", () => {
    const report = (nativeMs: number, oursMs: number): BenchResult =>
      resultOf([[native, nativeMs > 0 ? [nativeMs] : "too long"], [ours, [oursMs]]], { bytes: 2 ** 20 });
    const [a, b, huge] = [report(10, 2.5), report(40, 40), report(0, 1)];
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

  it("calls it a tie where the middle halves of the runs overlap", () => {
    const told = (own: number[]) =>
      renderBench(resultOf([[native, [9, 10, 11, 12, 13]], [ours, own]]), 80).trimEnd().split("\n").slice(-2);
    const spread = "spread of half of the runs: decode + JSON.parse ±9.1 %, parseBinary ±10.0 %";
    assertEquals(told([8, 9, 10, 11, 12]), ["parseBinary and decode + JSON.parse are a tie (1.10×)", spread]);
    assertEquals(told([5, 6, 7, 8, 9])[0], "parseBinary runs at 1.57× decode + JSON.parse");
  });

  const earlier = [{ name: "decode + JSON.parse", medianMs: 10 }, { name: "parseBinary", medianMs: 4 }];
  /** Returns results with a time of native, and, if given, the peak of parseBinary. */
  const only = (nativeMs: number, peak?: number, earlier?: BenchResult["earlier"], first?: number): BenchResult => {
    const memory = peak === undefined ? {} : { memory: { fixed: 0, peak, retained: 0 } };
    return resultOf([[native, [nativeMs]], [ours, [2], { ...first && { first }, ...memory }]], {}, earlier);
  };

  it("shows the change since earlier results, with a warning where native itself has changed", () => {
    const changes = (nativeMs: number, peak: number | undefined, rows: EarlierRow[]): string => {
      const screen = renderBench(only(nativeMs, peak, { source: "b.json", rows }), 80);
      return screen.slice(screen.indexOf("since b.json"));
    };
    assertEquals(
      changes(10.1, 2048, [earlier[0], { ...earlier[1], peak: 1024 }]),
      `\
since b.json           before    median    change  peak before       peak
decode + JSON.parse   10.0 ms   10.1 ms    +1.0 %            –          –
parseBinary            4.0 ms    2.0 ms   -50.0 %      1.0 KiB    2.0 KiB

`,
    );
    const warning = "\ndecode + JSON.parse itself changed by +100.0 %; relative to it, parseBinary by\n-75.0 %\n";
    assert(changes(20, undefined, earlier).includes(warning));
    assertEquals(changes(10, undefined, []), "since b.json: no figures of a.json there\n\n");
  });

  it("puts each figure on a line of its own in a narrow terminal", () => {
    const screen = renderBench(only(10.1, 2048, { source: "b.json", rows: earlier }, 36.1), 40);
    const [, heading, ...lines] = screen.split("\n");
    assertEquals(heading, "1 run, 0 warm-up");
    const tables = [
      ["first call  36.1 ms", "median       2.0 ms", "p95          2.0 ms", "MiB/s           0.5"],
      ["fixed cost           0 B", "peak over input  2.0 KiB", "retained             0 B"],
      ["before   4.0 ms", "median   2.0 ms", "change  -50.0 %"],
    ];
    for (const figures of tables) assert(screen.includes(["\nparseBinary", ...figures].join("\n  ") + "\n"), screen);
    assertEquals(lines.filter((line) => line.length > 40), []);
  });
});

describe("bench: chart", () => {
  const PLACE = { file: '<a> & "b"\u001b.json', bytes: 2 ** 20 };
  const report = resultOf([[native, [10]], [ours, [5]]], PLACE);
  /** The widths of the bars, from the top. */
  const widths = (svg: string) =>
    [...svg.matchAll(/<rect class="(?:ours|native)".*? width="(.*?)"/g)].map(([, width]) => Number(width));

  it("has bars as long as the speeds, and names that cannot break out of their text", () => {
    const svg = renderChart([report]);
    assertEquals(widths(svg), [110, 220]);
    for (const text of [">100.0  1.00×<", ">200.0  2.00×<", ">&#60;a&#62; &#38; &#34;b&#34;␛.json, 1 MiB<"]) {
      assert(svg.includes(text), svg);
    }
    assertEquals(svg.includes("memory"), false);
  });

  it("begins with the mean of several, and draws memory where it was measured", () => {
    const memory = { fixed: 0, peak: 300, retained: 1 };
    const measured = resultOf([[native, [10], { memory }], [ours, [5], { memory: { failed: "no" } }]], PLACE);
    const svg = renderChart([measured, report]);
    assertEquals(widths(svg), [110, 220, 110, 220, 220, 0, 110, 220]);
    assertMatch(svg, /geometric mean of 2 documents[^]*&#60;a&#62;[^]*>300 B<[^]*>no</);
  });

  it("is written to a file, in the place of what was there, or to standard output", async () => {
    using folder = folderOf({ ...FILES, "chart.svg": "before".repeat(10_000) });
    const run = (path: string) =>
      runCli(folder.path, [...QUICK.split(" "), "a.json", "--svg", path], {
        allow: ["--allow-read", "--allow-write=chart.svg"],
      });
    assertEquals((await run("chart.svg")).code, 0);
    assertMatch(Deno.readTextFileSync(`${folder.path}/chart.svg`), /^<svg [^]*>a\.json, [^]*<\/svg>\n$/);
    const { stdout, stderr } = await run("-");
    assertMatch(stdout, /^<svg [^]*<\/svg>\n$/);
    assertMatch(stderr, /^a\.json {2}[^]*\ndecode/);
  });

  const failure = (path: string, reason: string): RegExp =>
    new RegExp(`^bytejson bench: cannot write ${path}: ${reason}\n$`);
  const allow = ["--allow-read", "--allow-write"];
  itRuns(FILES, {
    "is not written without permission": {
      args: `${QUICK} --svg chart.svg a.json`,
      code: 2,
      stderr: failure("chart.svg", "no permission.*; run with --allow-write, .*"),
      allow: ["--allow-read"],
      isDenied: true,
    },
    "is not written to a folder that is missing": {
      args: `${QUICK} --svg no/chart.svg a.json`,
      code: 2,
      stderr: failure("no/chart.svg", "no such directory"),
      allow,
    },
  });
  if (Deno.build.os === "linux") {
    // Deno lets programs write to devices only with all permissions. Only a full device is noticed
    // after the measurement.
    const stderr = failure("/dev/full", RegExp.escape(FULL_DEVICE));
    itRuns(FILES, {
      "is not written to a full device": {
        args: `${QUICK} --svg /dev/full a.json`,
        code: 2,
        stdout: /./,
        stderr,
        allow: ["--allow-all"],
      },
    });
  }
});

describe("bench: measuring", () => {
  const plan = { runs: 3, time: 0, warmup: 1 };

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
    const broken = {
      id: "broken",
      name: "broken",
      isAsync: true,
      parse: () => Promise.reject(new RangeError("too long")),
    };
    const strict = { id: "strict", name: "strict", parse: () => new Rejection("not JSON") };
    const all = [contestant("a"), broken, strict, contestant("b")];
    const timings = await timeContestants(all, [new Uint8Array(1)], plan);
    // Calibration, a warm-up, and rounds that start with each row in turn.
    assertEquals(calls.join(""), "ab" + "ba" + "ab" + "ba" + "ba");
    assertEquals(timings.map(({ samples, failed }) => [samples.length, failed]), [
      [3, undefined],
      [0, "too long"],
      [0, "not JSON"],
      [3, undefined],
    ]);
  });

  it("measures a fast row in batches of at least five milliseconds", async () => {
    let calls = 0;
    const fast: BenchContestant = { id: "fast", name: "fast", parse: () => ++calls };
    const [{ batch, samples }] = await timeContestants([fast], [new Uint8Array(1)], { ...plan, runs: 5 });
    assert(batch > 1000, `${batch} calls of next to nothing do not take 5 ms`);
    assert(calls > 5 * batch, `${calls} calls for 5 samples of ${batch}`);
    assert(samples.every((sample) => sample > 0));
  });
});

describe("bench: process", () => {
  it("prints the screen", async () => {
    using folder = folderOf(FILES);
    const args = ["bench", "--runs=2", "--warmup=0", "--only=native", "a.json"];
    const { code, stdout, stderr } = await runCli(folder.path, args);
    assertEquals([code, stderr], [0, ""]);
    assertMatch(stdout, /^a\.json {2}\d.* KiB {3}2 runs, 0 warm-up {3}(?:Deno|Node|Bun) .*\n\n {21}first call +median/);
    assertMatch(stdout, /^decode \+ JSON\.parse( +\d+\.\d [mµn]?s){3} +\d+\.\d {2}[█-▏]*$/m);
    assertMatch(stdout, /^decode \+ JSON\.parse( +(0|\d+\.\d|\d+) [KM]?i?B){3}$/m);
  });

  const comma = "bad.json:1:4: error: Unexpected token ']' (byte 3)\n";
  const badRecord = '{"type":"error","file":"bad.json","offset":3,"line":1,"column":4,"code":"unexpected-token",' +
    '"message":"Unexpected token \']\'","truncated":false}\n';
  itRuns(FILES, {
    "colour on the stream of the report": { args: `${QUICK} --color=always a.json`, stdout: /^.\[1ma\.json.\[0m {2}/ },
    "an invalid document is not measured, and the next one is": {
      args: `${QUICK} --no-snippet bad.json a.json`,
      code: 1,
      stdout: /^a\.json {2}/,
      stderr: `${comma}hint: looks like a trailing comma; JSON has none\n`,
    },
    "an invalid document has a record": { args: `${QUICK} --json bad.json`, code: 1, stdout: badRecord, stderr: null },
  });
  itPrints(FILES, {
    "bench --runs=1 --warmup=0 --no-memory --only=native,response a.json":
      /^(?!.*(?:parseBinary|memory))(?=.*Response\.json)/s,
    "bench --runs=1 --warmup=0 --no-memory --json --only parsebinary a.json":
      /^\{(?!.*"(?:memory|ratio)":).*"rows":\[\{"name":"parseBinary",[^{]*\}\]\}\n$/,
  });
  itFails(FILES, 2, {
    "bench missing.json empty.jsonl bad.json":
      /^bytejson: missing\.json: no such file\nbytejson: empty\.jsonl: it has no document to measure\nbad/,
  });

  itRuns(FILES, {
    "memory that cannot be measured says why": {
      args: "bench --runs=1 --warmup=0 --only=parseBinary a.json",
      stdout: /\nparseBinary {3}failed: needs to run a separate process; run with --allow-run\n\n$/,
      allow: ["--allow-read"],
      isDenied: true,
    },
    "a first call that cannot be timed says why without memory, too": {
      args: "bench --runs=1 --warmup=0 --no-memory --only=parseBinary a.json",
      stdout:
        /\nparseBinary +– .*\nspread .*\nno first call: needs to run a separate process; run with --allow-run\n\n$/,
      allow: ["--allow-read"],
      isDenied: true,
    },
  });

  const measuring = "--memory-process parseBinary 3 document";
  const memory = /^\{(?=.*"fixed":\d)(?=.*"peak":\d)(?=.*"retained":null).*\}\n?$/; // without gc, nothing is retained
  const options = { stdin: "[1]", allow: [] };
  itRuns({}, {
    "a compiled program measures in itself": { args: measuring, stdout: memory, ...options },
    "a compiled program times a first call": {
      args: `${measuring} first`,
      stdout: /^\{"milliseconds":\d*\.?\d+\}\n?$/,
      ...options,
    },
  });

  const NO_PS = Deno.build.os !== "linux" ? "made for ps of Linux" : withoutProgram("ps");
  for (const [signal, exit] of [["SIGINT", 130], ["SIGTERM", 143]] as const) {
    itUnless(NO_PS)(`has no processes after ${signal}: exit ${exit}`, async () => {
      const ps = new Deno.Command("ps", { args: ["-eo", "pid,args"] });
      const bytes = 123_456 + exit;
      /** Returns the number of the process that measures the document. */
      const measuringChild = async (): Promise<number | undefined> => {
        const { stdout } = await ps.output();
        const line = new RegExp(String.raw`^ *(\d+) .*measuring_child\.[jt]s \w+ ${bytes} document`, "m");
        const [, pid] = line.exec(new TextDecoder().decode(stdout)) ?? [];
        return pid === undefined ? undefined : Number(pid);
      };
      using folder = folderOf({ "a.json": `"${"x".repeat(bytes - 2)}"` });
      await using bench = startCli(folder.path, ["bench", "--runs=1", "a.json"]);
      let child: number | undefined;
      while (child === undefined) child = await measuringChild();
      Deno.kill(child, "SIGSTOP"); // it would end by itself
      bench.interrupt(signal);
      const stderr = "bytejson: a.json: interrupted before it was measured\n";
      assertEquals(await bench.ended, { code: exit, stdout: "", stderr });
      for (let i = 0; i < 500 && await measuringChild() === child; i++) {
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
      const left = await measuringChild();
      if (left !== undefined) Deno.kill(left, "SIGKILL");
      assertEquals(left, undefined);
    });
  }
});

describe("bench --compare", () => {
  const earlier = {
    type: "bench",
    file: "a.json",
    rows: [{ name: native.name, medianMs: 10, memory: { peak: 1024 } }],
  };
  const before = '"before":{"medianMs":10,"peak":1024}';
  itRuns({ ...FILES, "before.json": JSON.stringify(earlier) }, {
    "adds what was measured before to records": {
      args: `${QUICK} --json --compare before.json a.json`,
      stdout: new RegExp(before),
    },
  });

  const NONE = "it has no results of 'bytejson bench --json'";
  const files = {
    ...FILES,
    "empty.json": "",
    "other.json": '{"rows": 1}\n[]\nnull\n',
    "broken.json": '{"type":"bench"',
  };
  const unusable = {
    "missing\x1b[2J.json": "no such file",
    "empty.json": NONE,
    "other.json": NONE,
    "broken.json": NONE,
  };
  for (const [name, reason] of Object.entries(unusable)) {
    const stderr = `bytejson bench: cannot compare with ${name.replace("\x1b", "␛")}: ${reason}\n`;
    itFails(files, 2, {
      [`bench --compare ${name} a.json`]: stderr,
    });
  }
});

describeLong("bench: process", () => {
  it("shows the change since an earlier --json, on the screen and in records", async () => {
    using folder = folderOf(FILES);
    const args = ["bench", "--runs=1", "--warmup=0", "--only=native", "a.json"];
    const before = await runCli(folder.path, [...args, "--json"]);
    Deno.writeTextFileSync(`${folder.path}/before.json`, before.stdout);
    const { code, stdout } = await runCli(folder.path, [...args, "--compare", "before.json"]);
    assertEquals(code, 0);
    assertMatch(stdout, /^since before\.json +before +median +change +peak before +peak$/m);
    assertMatch(stdout, /^decode \+ JSON\.parse( +\d.*s){2} .* %( +\d+(\.\d)? [KM]?i?B){2}$/m);
    const quick = [...args, "--no-memory", "--json", "--compare=before.json"];
    const [{ medianMs, memory: { peak } }] = JSON.parse(before.stdout).rows;
    assertEquals(JSON.parse((await runCli(folder.path, quick)).stdout).rows[0].before, { medianMs, peak });
  });

  it("prints a record per document with --json, from files and standard input", async () => {
    using folder = folderOf(FILES);
    const args = ["bench", "--runs=2", "--warmup=0", "--json", "a.json", "-", "lines.ndjson"];
    const { code, stdout, stderr } = await runCli(folder.path, args, { stdin: "[1, 2, 3]" });
    assertEquals([code, stderr], [0, ""]);
    const records = stdout.trim().split("\n").map((line) => JSON.parse(line));
    const mean = records.pop();
    assertEquals(records.map(({ type, file, bytes, runs, warmup }) => [type, file, bytes, runs, warmup]), [
      ["bench", "a.json", DOCUMENT.length, 2, 0],
      ["bench", "<stdin>", 9, 2, 0],
      ["bench", "lines.ndjson", 20, 2, 0],
    ]);
    for (const { rows, bytes } of records) {
      assertEquals(rows.map((row: { name: string }) => row.name), NAMES);
      for (const { batch, medianMs, p95Ms, firstMs, mibPerSecond, ratio, memory } of rows) {
        assert(firstMs > 0 && memory.fixed >= 0 && memory.peak >= 0);
        assert(batch >= 1 && medianMs > 0 && p95Ms >= medianMs);
        assertEquals([mibPerSecond, ratio], [bytes / 2 ** 20 / (medianMs / 1e3), rows[0].medianMs / medianMs]);
      }
    }
    const { rows, ...counts } = mean;
    assertEquals(counts, { type: "mean", documents: 3, compared: 3 });
    for (const [i, row] of rows.entries()) {
      assertEquals(row.name, NAMES[i]);
      const product = records.reduce((product, { rows }) => product * rows[i].ratio, 1);
      assertAlmostEquals(row.ratio, Math.cbrt(product), 1e-9);
    }
    // 2,000 objects of three members take more memory than their text. All parsers make the same
    // values, and validation none.
    const retained: number[] = records[0].rows.map((row: { memory: { retained: number } }) => row.memory.retained);
    const ofValidation = retained.pop()!;
    assert(ofValidation < DOCUMENT.length / 10, `retained by validateBinary: ${ofValidation}`);
    assert(Math.min(...retained) > DOCUMENT.length / 2, `retained: ${retained}`);
    assert(Math.max(...retained) < 2 * Math.min(...retained), `retained: ${retained}`);
  });
});
