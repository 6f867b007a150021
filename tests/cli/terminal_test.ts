/** The command line on a terminal: widths of screens, progress, and typed input. */

import { assert, assertEquals, assertMatch } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { progressLine } from "../../cli/check/progress_line.ts";
import { cellsOf, widthOf } from "../../cli/terminal/cells.ts";
import {
  isDeno,
  NO_SCREEN,
  NO_TERMINAL,
  runCli,
  runInTerminal,
  type RunOptions,
  screenOf,
  type TerminalRun,
  wordsOf,
} from "../support/run_cli.ts";
import { folderOf } from "../support/files.ts";
import { describeRows } from "../support/long.ts";
import { itUnless } from "../support/skip.ts";

/** Files that the screens are of. */
const FILES = {
  "good.json": '{"a": 1}',
  "bad.json": '{\n  "a": 1,\n  "b": 2,,\n}\n',
  "wide.json": `{"名前": "${"東京都千代田区".repeat(20)}", "family": "👨\u200d👩\u200d👧", x}`,
  "line.json": `["${"a".repeat(3000)}", oops, "${"b".repeat(3000)}"]`,
  "key.json": `{"${"k".repeat(500)}": 1, "${"j".repeat(300)}" 2}`,
  "column.json": `[${"1,".repeat(100_000)}x]`,
  "lines.jsonl": '{"a":1}\n{"b":}\n[1,2\n',
  "two.json": "{} {}",
  "list": "good.json\ngone.json\nbad.json\n",
  "d/a.json": "[1,]",
  "d/node_modules/b.json": "[",
};

/** Command lines whose screens are looked at; those of help are by `usage_test.ts`. */
const SCREENS = [
  "",
  "check good.json",
  "check bad.json good.json",
  "check wide.json line.json key.json column.json lines.jsonl",
  "check -r --stats d",
  "check --files-from list",
  "check -r --ext xyz d",
  "check --pass bad.json",
  "check",
  "check --format compact bad.json",
  "check --format github bad.json gone.json",
  "check --quite good.json",
  "check gone.json",
  "chekc good.json",
  "select {a} lines.jsonl wide.json key.json",
  "select {a,b",
  "select --where /some/long/pointer/to/a/value/of/a/document=unquoted-text-that-is-no-json good.json",
  "each /a good.json",
  "locate /a /b good.json",
  "bench",
  "bench --runs 1 --compare list good.json",
];

/** Screens of measurements, which take a second and more. */
const MEASURING_SCREENS = [
  "bench --runs 1 --warmup 0 good.json lines.jsonl",
  "bench --runs 1 --warmup 0 --no-memory --svg - good.json two.json",
  "bench --runs 1 --warmup 0 --no-memory --json good.json",
];

/**
 * Lines that stay whole on any terminal, as charts do: position and message of a failure, an
 * error of an input, records, and the commands of a workflow.
 */
const WHOLE = /^(?:\S+:\d+:\d+: error: |bytejson: \S+: |\{"type":|::error )/;

/**
 * Returns the lines of a screen. Each state of a status line is followed by codes that clear it.
 */
function linesOf(screen: string): string[] {
  return screen.split("\n").flatMap((line) => line.split("\r\x1b[K"));
}

describeRows(
  "every screen",
  [...SCREENS, ...MEASURING_SCREENS],
  (args) => MEASURING_SCREENS.includes(args),
  (args) => {
    itUnless(NO_SCREEN)(`fits into its terminal: bytejson ${args}`.trim(), async () => {
      using folder = folderOf(FILES);
      for (const columns of [40, 80, 200]) {
        const run = await screenOf(folder.path, wordsOf(args), columns, { stdin: "[1,\n" });
        const lines = linesOf(run.screen.replace(/<svg .*<\/svg>/s, ""));
        assertEquals(lines.filter((line) => widthOf(cellsOf(line)) > columns && !WHOLE.test(line)), []);
      }
    });
  },
);

describe("a terminal", () => {
  itUnless(NO_TERMINAL)("gets the same as the tests that run in this process", async () => {
    using folder = folderOf(FILES);
    for (const [args, columns] of [["", 80], ["help check", 123], ["check line.json", 57], ["check", 200]] as const) {
      const run = await runInTerminal(folder.path, wordsOf(args), columns);
      assertEquals(run, await screenOf(folder.path, wordsOf(args), columns));
    }
  });

  itUnless(NO_SCREEN)("gives a snippet 40 to 200 columns", async () => {
    using folder = folderOf({ "a.json": `["${"漢a".repeat(500)}", x, "${"b".repeat(500)}"]` });
    for (const [columns, width] of [[20, 40], [40, 40], [57, 57], [200, 200], [300, 200]]) {
      const run = await screenOf(folder.path, ["check", "a.json"], columns);
      const [, line, caret] = run.screen.split("\n");
      const cells = widthOf(cellsOf(line));
      assert(cells === width || cells === width - 1, `${columns} columns: ${cells}`); // half of a wide character is left out
      assertEquals(caret.length, 1 + widthOf(cellsOf(line.slice(0, line.indexOf("x,")))));
    }
  });

  itUnless(NO_SCREEN)("gets the help of the program without arguments: exit 2", async () => {
    const run = await screenOf(".", [], 80);
    assertEquals(run, { ...await screenOf(".", ["help"], 80), code: 2 });
  });

  for (const args of ["check", "bench", "check --json", "--quiet", "select {a}", "select --where /a=1", "get /a"]) {
    itUnless(NO_SCREEN)(`is not waited for by ${args}: exit 2`, async () => {
      const [command] = /^\w+/.exec(args) ?? ["check"];
      const run = await screenOf(".", wordsOf(args), 200);
      const screen = `bytejson ${command}: no input: name a file, pipe one in, or type a document with '-'; ` +
        `try 'bytejson ${command} --help'\n`;
      assertEquals(run, { code: 2, screen });
    });
  }

  it("that is dumb gets no colour", async () => {
    using folder = folderOf({ "bad.json": "[" });
    const isColoured = async (TERM: string) => {
      const options = { env: { NO_COLOR: "", TERM }, allow: ["--allow-read", "--allow-env=TERM"] };
      return (await runInTerminal(folder.path, ["check", "bad.json"], 80, [], options)).screen.includes("\x1b");
    };
    assertEquals([await isColoured("dumb"), await isColoured("xterm")], [false, true]);
  });

  itUnless(!isDeno && "other processes have no terminal for one stream")(
    "sets the width of the report of bench next to a chart on standard output",
    async () => {
      using folder = folderOf({ "a.json": "[1]" });
      const args = "bench --runs=1 --warmup=0 --no-memory --only=native,validateBinary --svg=- a.json".split(" ");
      const { code, stdout, screen } = await runCli(folder.path, args, { columns: 40, stdoutFile: "chart.svg" });
      assertEquals([code, stdout.startsWith("<svg")], [0, true]);
      const lines = linesOf(screen!);
      assertEquals(lines.filter((line) => line.length > 40), []);
      assert(lines.includes("validateBinary"));
    },
  );
});

describe("what is typed", () => {
  // This is longer than progress waits before it appears.
  const LONG = 800;
  const CHECKS: Record<string, [typed: (string | number)[], code: number, screen: RegExp]> = {
    "has no progress within it": [
      ["[1,", LONG, " 2]\n", 300, "\x04"],
      0,
      /^\[1, 2\]\nok {2}1 file, 7 B, \d\.\d\d s\n$/,
    ],
    "is a line before a report, even without a line end": [
      ["[1", LONG, "\x04", 300, "\x04"],
      1,
      /^\[1\n<stdin>:1:3: error: /,
    ],
    "is a line before a report, even with Ctrl+C": [
      [LONG, "[1", 300, "\x03"],
      130,
      /^\[1\^C\nbytejson: <stdin>: interrupted before its end\n/,
    ],
  };
  for (const [name, [typed, code, screen]] of Object.entries(CHECKS)) {
    itUnless(NO_TERMINAL)(name, async () => {
      const run = await runInTerminal(".", ["check", "-"], 80, typed);
      assertEquals(run.code, code);
      assertMatch(run.screen.replaceAll("^D\b\b", ""), screen);
    });
  }

  itUnless(NO_TERMINAL)("is answered line by line by select", async () => {
    const typed = ['{"a":1}\n', /\{"a":1\}\r\n\{"a":1\}/, "\x04"];
    const run = await runInTerminal(".", ["select", "{a}", "--jsonl", "-"], 80, typed);
    assertEquals(run.screen.replace("^D\b\b", ""), '{"a":1}\n{"a":1}\n');
  });
});

describe("progress", () => {
  const file = { size: 3 * 2 ** 30 };
  type Inputs = { size?: number; error?: string }[];
  const others = [file, { size: 2 ** 30 }, { error: "" }];
  const cases: { line: string; bytesRead: number; ms: number; inputs: Inputs; columns?: number }[] = [
    { line: "1.0 GiB of 3.0 GiB  1024.0 MiB/s  ETA 0:02", bytesRead: 2 ** 30, ms: 1000, inputs: [file] },
    { line: "1.0 MiB of 3.0 GiB  0.1 MiB/s  ETA 8:31:50", bytesRead: 2 ** 20, ms: 10_000, inputs: [file] },
    { line: "512.0 MiB  512.0 MiB/s", bytesRead: 2 ** 29, ms: 1000, inputs: [{}] },
    { line: "0 of 3 files  1.0 GiB of 4.0 GiB  1024.0 MiB/s  ETA 0:03", bytesRead: 2 ** 30, ms: 1000, inputs: others },
    { line: "0 of 2 files  1.0 GiB of 6.0 GiB", bytesRead: 2 ** 30, ms: 1000, inputs: [file, file], columns: 37 },
    {
      line: "0 of 2 files  1.0 GiB of 6.0 GiB  1024.0 MiB/s",
      bytesRead: 2 ** 30,
      ms: 1000,
      inputs: [file, file],
      columns: 48,
    },
    { line: "0 of 2 fil", bytesRead: 2 ** 30, ms: 1000, inputs: [file, file], columns: 10 },
  ];
  for (const { line, bytesRead, ms, inputs, columns = 80 } of cases) {
    it(`is ${line}`, () => {
      assertEquals(progressLine({ bytesRead, inputs, report: { tally: { files: 0 } } }, ms, columns), line);
    });
  }

  itUnless(!isDeno && "other processes cannot be slowed down")(
    "is shown by select while the output goes elsewhere",
    async () => {
      using folder = folderOf({ "log.jsonl": '{"a":1,"b":[1,2,3,"some text"]}\n'.repeat(100_000) });
      const options: RunOptions = { columns: 80, stdoutFile: "out", writeDelay: 150 };
      const { code, stdout, screen } = await runCli(folder.path, ["select", "{*:{c}}", "log.jsonl"], options);
      const states = screen!.split("\r\x1b[K");
      assertEquals([code, stdout.length, states.pop()], [0, 800_000, ""]);
      assert(states.length > 0);
      for (const state of states) assertMatch(state, /^\d+\.\d [KM]iB of 3\.1 MiB {2}\d+\.\d MiB\/s {2}ETA \d+:\d\d$/);
    },
  );

  itUnless(NO_TERMINAL)("of bench names the document that Ctrl+C interrupts, and is cleared", async () => {
    const name = `${"漢".repeat(30)}.json`;
    using folder = folderOf({ [name]: "[1]" });
    const run = await runInTerminal(folder.path, ["bench", "--time=9m", "--no-memory", name], 40, [/漢/, "\x03"]);
    assertEquals(run.code, 130);
    const lines = run.screen.replace("^C", "").trimEnd().split("\r\x1b[K");
    assertEquals(lines.pop(), `bytejson: ${name}: interrupted before it was measured`);
    assertEquals(new Set(lines), new Set([`${"漢".repeat(18)}…`]));
  });

  /** Runs a command line on a terminal while a FIFO delivers `[1,`, and much later `2]`. */
  async function runWithFifo(...args: string[]): Promise<TerminalRun> {
    using folder = folderOf({ "bad.json": "[" });
    await new Deno.Command("mkfifo", { args: [`${folder.path}/fifo`] }).output();
    const script = "(printf '[1,'; sleep 1; printf '2]') > fifo";
    const writer = new Deno.Command("sh", { args: ["-c", script], cwd: folder.path }).spawn();
    const run = await runInTerminal(folder.path, args, 80);
    await writer.status;
    return run;
  }

  itUnless(NO_TERMINAL)("is not drawn into the line that check --pass copies", async () => {
    const run = await runWithFifo("check", "--pass", "fifo");
    assertEquals(run.code, 0);
    assertMatch(run.screen, /^\[1,2\]\nok {2}1 file, 5 B, \d\.\d\d s\n$/);
  });

  itUnless(NO_TERMINAL)("is not drawn into a log, in which an error begins a line", async () => {
    const run = await runWithFifo("check", "--format", "sarif", "gone.json", "bad.json", "fifo");
    const [, error] = /\nbytejson: (.*)\n/.exec(run.screen) ?? [];
    const [, log, summary] = /^([^]*\n)(.*)\n$/.exec(run.screen.replace(/bytejson: gone.*\n/, ""))!;
    assertEquals([run.code, JSON.parse(log).runs[0].results.length], [2, 1]);
    assertEquals([error, summary], ["gone.json: no such file", "1 of 3 files invalid, 1 of 3 files could not be read"]);
  });
});
