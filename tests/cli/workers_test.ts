/** Checks in parallel: interrupts, workers that fail, and memory for waiting results. */

import { assert, assertEquals, assertMatch } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import type { CheckRun } from "../../cli/check/check_run.ts";
import { validateBy } from "../../cli/check/worker_pool.ts";
import type { WorkerThread } from "../../cli/platform/interface.ts";
import type { FileTask } from "../../cli/check/thread_tasks.ts";
import type { PoolTask } from "../../cli/lines/ordered_worker_pool.ts";
import { copyCli, isDeno, NO_TERMINAL, type Run, runCli, runInTerminal, startCli } from "../support/run_cli.ts";
import { folderOf } from "../support/files.ts";
import { itUnless, notOnWindows } from "../support/skip.ts";

/** Document that takes long enough for two workers to pay for two of it. */
const LARGE = `${" ".repeat(2 ** 25)}1`;

const BAD = "bad.json:1:2: error: Unexpected end of JSON input (byte 1)\n";

/** Paths of a check that lasts seconds, after a failure that is shown at once. */
const LONG_LIST = ["bad.json", ...Array<string>(150).fill("large.json")];

describe("check in workers: signals", () => {
  /** Runs a long check in workers, and sends signals once it has said something. */
  async function interrupted(
    args: string,
    [stream, text]: ["stdout" | "stderr", string],
    ...signals: readonly Deno.Signal[]
  ): Promise<Run> {
    using folder = folderOf({ "bad.json": "[", "large.json": LARGE });
    await using run = startCli(folder.path, ["check", "-j2", ...args.split(" "), ...LONG_LIST]);
    await run.said(stream, text);
    for (const signal of signals) run.interrupt(signal);
    return await run.ended;
  }

  const itSignals = itUnless(notOnWindows("signal to send"));
  itSignals("exits 143 after SIGTERM, with what was found", async () => {
    const { code, stdout, stderr } = await interrupted("--no-snippet", ["stderr", "error:"], "SIGTERM");
    assertEquals([code, stdout], [143, ""]);
    const [, checked, unchecked] =
      /^bytejson: large\.json: interrupted before its end\ninterrupted: 1 of (\d+) files? invalid, (\d+) not checked\n$/
        .exec(stderr.replace(BAD, "")) ?? [];
    assertEquals(Number(checked) + Number(unchecked), LONG_LIST.length, stderr);
  });

  itSignals("prints whole records until SIGINT, then the summary", async () => {
    const { code, stdout, stderr } = await interrupted("--json", ["stdout", "bad.json"], "SIGINT");
    assertEquals([code, stderr], [130, "bytejson: large.json: interrupted before its end\n"]);
    const records = stdout.trimEnd().split("\n").map((line) => JSON.parse(line));
    const { type, files, invalid, unchecked, exit } = records.pop();
    assertEquals([type, files, invalid, exit], ["summary", records.length, 1, 130]);
    assertEquals(files + unchecked, LONG_LIST.length);
  });

  itSignals("ends at once after a second SIGINT", async () => {
    const { code, stderr } = await interrupted("--no-snippet", ["stderr", "error:"], "SIGINT", "SIGINT");
    assertEquals([code, stderr.startsWith(BAD)], [130, true]);
  });

  itUnless(NO_TERMINAL)("clears its progress line after Ctrl+C in a terminal", async () => {
    using folder = folderOf({ "bad.json": "[", "large.json": LARGE });
    const typed = [/error:[^]*files/, "\x03"];
    const run = await runInTerminal(folder.path, ["check", "--no-snippet", "-j2", ...LONG_LIST], 80, typed);
    assertEquals(run.code, 130);
    // Each status line is cleared before another line, or the next state of it, is written.
    const lines = run.screen.split("\n").map((line) => line.slice(line.lastIndexOf("\x1b[K") + 1).replace(/^\[K/, ""));
    assertEquals(lines.length, 4, run.screen);
    assertEquals(lines[0], BAD.trimEnd());
    assertEquals(lines[1].replace("^C", ""), "bytejson: large.json: interrupted before its end");
    assertMatch(lines[2], /^interrupted: 1 of \d+ files? invalid, \d+ not checked$/);
  });
});

describe("check in workers: failures", () => {
  const FILES = { "0.json": LARGE, "1.json": "[", "2.json": LARGE, "3.json": "[", "4.json": "4" };
  const [ONE, THREE] = [1, 3].map((i) => `${i}.json:1:2: error: Unexpected end of JSON input (byte 1)\n`);

  /** Checks the files with the program changed in one place. */
  async function runChanged(path: string, from: string, to: string): Promise<{ code: number; stderr: string }> {
    using folder = folderOf(FILES);
    using copy = folderOf({});
    copyCli(copy.path);
    const text = Deno.readTextFileSync(`${copy.path}/${path}`);
    assert(text.includes(from), from);
    Deno.writeTextFileSync(`${copy.path}/${path}`, text.replace(from, to));
    const { code, stderr } = await runCli(folder.path, ["check", "-r", "--no-snippet", "-j2"], { source: copy.path });
    return { code, stderr };
  }

  itUnless(!isDeno && "bundles have the module of the workers")(
    "goes on alone if workers do not start or break",
    async () => {
      const broken = 'if (tasks.some(({ input }) => input.path === "2.json")) throw new Error("broken");';
      const changes: { path: string; from: string; to: string }[] = [
        { path: "cli/check/worker.ts", from: "import", to: 'import "./gone.ts";\nimport' },
        { path: "cli/check/thread_tasks.ts", from: "const results: FileResult[] = [];", to: `$& ${broken}` },
      ];
      for (const { path, from, to } of changes) {
        assertEquals(await runChanged(path, from, to), { code: 1, stderr: `${ONE}${THREE}2 of 5 files invalid\n` });
      }
    },
  );

  it("names a file that runs out of memory, and checks the rest", async () => {
    const exhausted = 'if (input.path === "2.json") throw new RangeError("Array buffer allocation failed");';
    const opening = "return { diagnostics, outcome: input.error };\n  try {";
    assertEquals(await runChanged("cli/check/thread_tasks.ts", opening, `${opening}${exhausted}`), {
      code: 2,
      stderr: `${ONE}bytejson: 2.json: Array buffer allocation failed\n${THREE}` +
        "2 of 5 files invalid, 1 of 5 files could not be read\n",
    });
  });

  it("names a file that vanishes before its turn, and checks the rest", async () => {
    using folder = folderOf({ "bad.json": "[", "large.json": LARGE, "gone.json": LARGE });
    const large = Array<string>(12).fill("large.json");
    const args = ["check", "--no-snippet", "-j2", "bad.json", ...large, "gone.json", "bad.json"];
    await using run = startCli(folder.path, args);
    await run.said("stderr", "error:"); // all files are found by now
    Deno.removeSync(`${folder.path}/gone.json`);
    const stderr =
      `${BAD}bytejson: gone.json: no such file\n${BAD}2 of 15 files invalid, 1 of 15 files could not be read\n`;
    assertEquals(await run.ended, { code: 2, stdout: "", stderr });
  });
});

describe("validateBy()", () => {
  /** Worker that keeps the files it is given until it is told to report them. */
  class FakeWorker {
    onmessage: (event: { data: unknown }) => void = () => {};
    tasks: readonly FileTask[] = [];
    #index = 0;

    postMessage({ index, task }: PoolTask<readonly FileTask[]>): void {
      this.tasks = task;
      this.#index = index;
    }

    finish(diagnosticsEach: number): void {
      const tasks = this.tasks;
      this.tasks = [];
      const diagnostics = Array(diagnosticsEach).fill({});
      const result = tasks.map(() => ({ diagnostics, outcome: { bytes: 1, invalidDocuments: 1 } }));
      this.onmessage({ data: { index: this.#index, result } });
    }

    terminate(): void {}
  }

  /** Lets results be reported, and files be handed out. */
  const settle = () => new Promise((resolve) => setTimeout(resolve));

  it("submits no file while thousands of diagnostics wait for those of earlier files", async () => {
    // 10,000 small files behind a large one.
    const names = Array.from({ length: 10_001 }, (_, i) => `${i}`);
    const inputs = names.map((name, i) => ({ path: name, name, size: i === 0 ? 2 ** 30 : 1 }));
    const reported: string[] = [];
    const report = { addDiagnostic: () => Promise.resolve(), addOutcome: (name: string) => void reported.push(name) };
    const check = { inputs, report, failFast: false, maxDiagnostics: 20, bytesRead: 0, optionsFor: () => ({}) };
    const [first, second] = [new FakeWorker(), new FakeWorker()];
    const ended = validateBy([first, second] as unknown as WorkerThread[], check as unknown as CheckRun);
    await settle();
    let files = 0;
    for (; second.tasks.length > 0; files += second.tasks.length) {
      files += second.tasks.length;
      second.finish(20);
      await settle();
      files -= second.tasks.length;
    }
    assert(files > 100 && files < 500, `${files} files wait`);
    assertEquals(reported, []);
    first.finish(20);
    await settle();
    assertEquals(reported.length, files + 1);
    for (; first.tasks.length + second.tasks.length > 0; await settle()) {
      for (const worker of [first, second]) if (worker.tasks.length > 0) worker.finish(20);
    }
    await ended;
    assertEquals(reported, names);
  });
});
