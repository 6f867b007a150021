/**
 * The command line on a terminal: widths of screens, and typed input.
 *
 * @module
 */

import { assert, assertEquals, assertMatch } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { COMMANDS } from "../../cli/commands.ts";
import { commandHelp, overview } from "../../cli/shell/help.ts";
import { cellsOf, widthOf } from "../../cli/terminal/cells.ts";
import { folderOf, runInTerminal, type TerminalRun } from "../support/cli.ts";
import { describeLong } from "../support/long.ts";

/** Files that the screens are of. */
const FILES = {
  "good.json": '{"a": 1}',
  "bad.json": '{\n  "a": 1,\n  "b": 2,,\n}\n',
  "wide.json": `{"名前": "${"東京都千代田区".repeat(20)}", "family": "👨\u200d👩\u200d👧", x}`,
  "line.json": `["${"a".repeat(3000)}", oops, "${"b".repeat(3000)}"]`,
  "key.json": `{"${"k".repeat(500)}": 1, "${"j".repeat(300)}" 2}`,
  "column.json": `[${"1,".repeat(100_000)}x]`,
  "lines.jsonl": '{"a":1}\n{"b":}\n[1,2\n',
  "tsconfig.json": "{\n  // comment\n}",
  "two.json": "{} {}",
  "list": "good.json\ngone.json\nbad.json\n",
  "d/a.json": "[1,]",
  "d/node_modules/b.json": "[",
};

/** Command lines whose screens are looked at. */
const SCREENS = [
  "",
  "help",
  ...COMMANDS.map(({ name }) => `help ${name}`),
  "version",
  "check good.json",
  "check bad.json good.json",
  "check wide.json line.json key.json column.json lines.jsonl",
  "check tsconfig.json two.json",
  "check -r --stats d",
  "check --files-from list",
  "check --max-errors 1 lines.jsonl",
  "check -r --ext xyz d",
  "check --pass bad.json",
  "check -",
  "check",
  "check --format compact bad.json",
  "check --format github bad.json gone.json",
  "check --quite good.json",
  "check --format sarf good.json",
  "check gone.json",
  "chekc good.json",
  "help chek",
  "completions bsh",
  "select {a} lines.jsonl wide.json key.json",
  "select {a,b",
  "select --where /some/long/pointer/to/a/value/of/a/document=unquoted-text-that-is-no-json good.json",
  "get /b good.json",
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

for (
  const [group, screens, widths] of [
    [describe, SCREENS, [40]],
    [describeLong, SCREENS, [80, 200]],
    [describeLong, MEASURING_SCREENS, [40, 80, 200]],
  ] as const
) {
  group("every screen", () => {
    for (const columns of widths) {
      for (const screen of screens) {
        it(`fits into ${columns} columns: bytejson ${screen}`.trim(), async () => {
          using folder = folderOf(FILES);
          const typed = screen === "check -" ? ["[1,\n", 300, "\x04"] : [];
          const run = await runInTerminal(folder.path, screen.split(" ").filter((word) => word !== ""), columns, typed);
          if (run === undefined) return;
          // Each state of a status line is followed by the codes that clear the line.
          const lines = run.screen.replace(/<svg .*<\/svg>/s, "").split("\n").flatMap((line) => line.split("\r\x1b[K"));
          const long = lines.filter((line) => widthOf(cellsOf(line)) > columns && !WHOLE.test(line));
          assertEquals(long, []);
        });
      }
    }
  });
}

describe("on a terminal", () => {
  it("a snippet is as wide as the terminal", async () => {
    using folder = folderOf({ "a.json": `["${"a".repeat(500)}", x]` });
    for (const [columns, width] of [[20, 40], [40, 40], [200, 200], [300, 200]]) {
      const run = await runInTerminal(folder.path, ["check", "a.json"], columns);
      if (run === undefined) return;
      assertEquals(run.code, 1);
      assertEquals(run.screen.split("\n")[1].length, width, `${columns} columns`);
    }
  });

  it("help is as wide as the terminal", async () => {
    for (const columns of [40, 120]) {
      const run = await runInTerminal(".", ["help", "check"], columns);
      if (run) assertEquals(run, { code: 0, screen: commandHelp(COMMANDS[0], columns) });
    }
  });

  it("the program without arguments shows its help: exit 2", async () => {
    const run = await runInTerminal(".", [], 80);
    if (run) assertEquals(run, { code: 2, screen: overview(80) });
  });

  for (const args of [["check"], ["bench"], ["check", "--json"], ["--quiet"]]) {
    it(`${args.join(" ")} says that input is missing: exit 2`, async () => {
      const command = args[0] === "bench" ? "bench" : "check";
      const run = await runInTerminal(".", args, 200);
      if (!run) return;
      assertEquals(run, {
        code: 2,
        screen: `bytejson ${command}: no input: name a file, pipe one in, or type a document with '-'; ` +
          `try 'bytejson ${command} --help'\n`,
      });
    });
  }

  it("check - draws nothing into the line that is being typed", async () => {
    // This is longer than progress waits before it appears.
    const run = await runInTerminal(".", ["check", "-"], 80, ["[1,", 1200, " 2]\n", 300, "\x04"]);
    if (!run) return;
    assertEquals(run.code, 0);
    assertMatch(run.screen.replace("^D\b\b", ""), /^\[1, 2\]\nok {2}1 file, 7 B, \d+\.\d\d s\n$/);
  });

  it("a report begins a line after what is typed without a line end", async () => {
    const run = await runInTerminal(".", ["check", "-"], 80, ["[1", 1000, "\x04", 300, "\x04"]);
    if (!run) return;
    assertEquals(run.code, 1);
    assertMatch(run.screen.replaceAll("^D\b\b", ""), /^\[1\n<stdin>:1:3: error: /);
  });

  it("a report begins a line after Ctrl+C", async () => {
    const run = await runInTerminal(".", ["check", "-"], 80, [1000, "[1", 300, "\x03"]);
    if (!run) return;
    assertEquals(run.code, 130);
    assertEquals(run.screen.split("\n").slice(0, 2), ["[1^C", "bytejson: <stdin>: interrupted before its end"]);
  });

  /** Runs a command line on a terminal while a FIFO delivers `[1,`, and much later `2]`. */
  async function runWithFifo(...args: string[]): Promise<TerminalRun | undefined> {
    using folder = folderOf({ "bad.json": "[" });
    await new Deno.Command("mkfifo", { args: [`${folder.path}/fifo`] }).output();
    const script = "(printf '[1,'; sleep 1.5; printf '2]') > fifo";
    const writer = new Deno.Command("sh", { args: ["-c", script], cwd: folder.path }).spawn();
    const run = await runInTerminal(folder.path, args, 80);
    if (run) await writer.status;
    else writer.kill();
    return run;
  }

  it("check --pass draws nothing into the line that it copies", async () => {
    const run = await runWithFifo("check", "--pass", "fifo");
    if (!run) return;
    assertEquals(run.code, 0);
    assertMatch(run.screen, /^\[1,2\]\nok {2}1 file, 5 B, \d+\.\d\d s\n$/);
  });

  it("check --format sarif draws nothing into its log", async () => {
    const run = await runWithFifo("check", "--format", "sarif", "bad.json", "fifo");
    if (!run) return;
    const [, log, summary] = /^([^]*\n)(.*)\n$/.exec(run.screen)!;
    assertEquals([run.code, JSON.parse(log).runs[0].results.length, summary], [1, 1, "1 of 2 files invalid"]);
  });

  it("an error of an input begins a line within a log", async () => {
    const run = await runInTerminal(".", ["check", "--format", "sarif", "gone.json"], 80);
    if (!run) return;
    assertEquals([run.code, run.screen.split("\n")[1]], [2, "bytejson: gone.json: no such file"]);
  });

  it("that is dumb gets no colour and no progress", async () => {
    using folder = folderOf({ "bad.json": "[" });
    const allow = ["--allow-read", "--allow-env=TERM"];
    const runOn = (TERM: string) =>
      runInTerminal(folder.path, ["check", "bad.json"], 80, [], undefined, { env: { NO_COLOR: "", TERM }, allow });
    const run = await runOn("dumb");
    if (!run) return;
    assertEquals([run.code, run.screen.includes("\x1b")], [1, false]);
    assertEquals((await runOn("xterm"))?.screen.includes("\x1b"), true);
  });

  it("bench names the document that Ctrl+C interrupts, and clears its status line", async () => {
    const name = `${"漢".repeat(30)}.json`;
    using folder = folderOf({ [name]: "[1]" });
    const run = await runInTerminal(folder.path, ["bench", "--time=9m", "--no-memory", name], 40, [1500, "\x03"]);
    if (!run) return;
    assertEquals(run.code, 130);
    const lines = run.screen.replace("^C", "").trimEnd().split("\r\x1b[K");
    assertEquals(lines.pop(), `bytejson: ${name}: interrupted before it was measured`);
    assertEquals(new Set(lines), new Set([`${"漢".repeat(18)}…`]));
  });
  it("the report of bench beside a chart on standard output is as wide as the terminal", async () => {
    using folder = folderOf({ "a.json": "[1]" });
    const args = ["bench", "--runs=1", "--no-memory", "--svg=-", "a.json"];
    const run = await runInTerminal(folder.path, args, 40, [], "chart.svg");
    if (!run) return;
    assertEquals([run.code, Deno.readTextFileSync(`${folder.path}/chart.svg`).startsWith("<svg")], [0, true]);
    const lines = run.screen.split("\n").flatMap((line) => line.split("\r\x1b[K"));
    assertEquals(lines.filter((line) => line.length > 40), []);
    assert(lines.includes("validateBinary"));
  });
});
