/**
 * `--jobs` on lines: output, reports and exit codes are those of one thread, whatever the input.
 */

import { assert, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { gzipSync } from "node:zlib";
import { cliCommand, type Run, runCli, type RunOptions, startCli } from "../support/run_cli.ts";
import { folderOf } from "../support/files.ts";
import { describeLong, describeRows } from "../support/long.ts";
import { Random } from "../support/random.ts";

/** A little more than the bytes from which threads are started. */
const SIZE = 34 * 2 ** 20;

const encoder = new TextEncoder();

/**
 * Returns lines of log records, most of them alike. Sizes are random, so that ranges end anywhere in
 * a line.
 */
function* logLines(random: Random): Generator<string> {
  for (let i = 0;; i++) {
    const level = random.below(50) === 0 ? "error" : "info";
    const text = "m".repeat(random.below(400)) + (random.below(9) === 0 ? "\\n\\u00e9 é" : "");
    yield `{"n":${i},"level":"${level}","tags":["a",${i}],"http":{"status":${
      200 + random.below(3)
    }},"text":"${text}"}\n`;
  }
}

/** Lines that may be anywhere among others. */
const UNUSUAL_LINES = [
  "\n",
  " \t\r\n",
  '{"n":1,"level":"error"}\r\n',
  '{"n":1,\r"level":"error"}\n',
  '{"n":}\n',
  '{"n":1e9,"http":7,"extra":{"text":1}}\n',
  '{"level":"error",\n"n":1}\n',
  '{"level":"error","n":"\xe9"}\n', // in Latin-1, so not UTF-8
  "[1] [2]\n",
  '{"level":"error"\n',
  `{"level":"error","n":"${"x".repeat(3 * 2 ** 20)}"}\n`,
];

/** Makes a file. Of `every` lines, the last is followed by one of `unusual`. */
function logFile(seed: number, every: number, unusual: readonly string[], end = "", size = SIZE): Uint8Array {
  const random = new Random(seed);
  const bytes = new Uint8Array(size + 2 ** 25);
  let length = 0;
  let lines = 0;
  for (const line of logLines(random)) {
    length += encoder.encodeInto(line, bytes.subarray(length)).written;
    if (++lines % every === 0 && unusual.length > 0) {
      const text = unusual[random.below(unusual.length)];
      for (let i = 0; i < text.length; i++) bytes[length++] = text.charCodeAt(i);
    }
    if (length >= size) break;
  }
  length += encoder.encodeInto(end, bytes.subarray(length)).written;
  return bytes.slice(0, length);
}

/** Lines of a log, numbered from 0. */
const plainLog = lazily(() => logFile(1, 1, [], "", 1.2 * SIZE));

function lazily<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => made ??= make();
}

const FILES: Record<string, () => Uint8Array> = {
  "plain.jsonl": plainLog,
  "unusual.jsonl": () => logFile(2, 3000, UNUSUAL_LINES, '{"level":"error","n":"no line end"}'),
  "broken.jsonl": () => logFile(3, 2, ['{"n":}\n', "]\n"], '{"cut'),
  "long.jsonl": () => logFile(4, 50_000, [`{"n":0,"level":"error","text":"${"y".repeat(9 * 2 ** 20)}"}\n`]),
};

const COMMANDS: readonly (readonly string[])[] = [
  ["select", "{n,http:{status}}"],
  ["select", "--where", '/level="error"'],
  ["select", "--csv", "{n,level,text}", "--where", "/http/status > 200", "--max-errors", "3"],
  ["select", "--where", '/n>1000 and (/text*="é" or /tags/*=7 or not /level^="inf")', "--where", '/level<"z"', "{n}"],
  ["select", "--tsv", "--where", "/n>70"],
  ["get", "--raw", "/text"],
  ["get", "/tags/1", "--first", "40000"],
  ["each", "/tags", "--json-array"],
];

/** Command lines of `check`, without its summary, which has a time. */
const CHECKS: readonly (readonly string[])[] = [
  ["check", "--format", "compact", "--quiet"],
  ["check", "--quiet", "--max-errors", "7"],
  ["check", "--quiet", "--max-depth", "1"],
];

/** Returns what a command line prints, with any number of threads. */
async function runJobs(folder: string, args: readonly string[], jobs: number, options?: RunOptions): Promise<Run> {
  return await runCli(folder, [...args, "--jobs", `${jobs}`], options);
}

/** Asserts the same as with one thread. Large outputs are not shown. */
async function assertSame(folder: string, args: readonly string[], jobs: number, options?: RunOptions): Promise<void> {
  const expected = await runJobs(folder, args, 1, options);
  const actual = await runJobs(folder, args, jobs, options);
  assertEquals([actual.code, actual.stderr], [expected.code, expected.stderr], args.join(" "));
  assert(actual.stdout === expected.stdout, `${args.join(" ")} in ${jobs} threads`);
  assert(expected.stdout.length > 0 || args[0] === "check", args.join(" "));
}

function lineCountOf(bytes: Uint8Array): number {
  let count = 0;
  for (let end = bytes.indexOf(10); end >= 0; end = bytes.indexOf(10, end + 1)) count++;
  return count;
}

function folderWith(names: readonly string[]): ReturnType<typeof folderOf> {
  return folderOf(Object.fromEntries(names.map((name) => [name, FILES[name]()])));
}

describe("--jobs", () => {
  it("changes nothing about the output, reports and exit code", async () => {
    using folder = folderWith(["unusual.jsonl"]);
    await assertSame(folder.path, [...COMMANDS[1], "unusual.jsonl"], 2);
  });

  it("ends once the reader of the output is gone", async () => {
    using folder = folderWith(["plain.jsonl"]);
    await using live = startCli(folder.path, ["select", "{n}", "plain.jsonl", "-j2"], { isStdoutClosed: true });
    const { stderr } = await live.ended;
    assertEquals(stderr, "");
  });
});

/** Ways in which a file changes while it is read. */
const CHANGES: Record<string, (path: string, size: number) => void> = {
  "grows": (path) => Deno.writeTextFileSync(path, '{"n":"added"}\n{"n":"cut"', { append: true }),
  "shrinks": (path, size) => Deno.truncateSync(path, size - SIZE / 8),
  "is replaced": (path, size) => {
    Deno.removeSync(path);
    Deno.writeFileSync(path, encoder.encode('{"n":"new"}\n'.repeat(size / 12)));
  },
  "is removed": (path) => Deno.removeSync(path),
};

/** Runs a command line in two threads on a file, and changes the file while the output waits. */
async function runChanging(folder: string, args: readonly string[], change: keyof typeof CHANGES): Promise<Run> {
  const path = `${folder}/log.jsonl`;
  const { size } = Deno.statSync(path);
  const child = cliCommand(folder, [...args, "log.jsonl", "--jobs=2"]).spawn();
  await child.stdin.close();
  const reader = child.stdout.pipeThrough(new TextDecoderStream()).getReader();
  let stdout = (await reader.read()).value!;
  await new Promise((resolve) => setTimeout(resolve, 500)); // until the pipe is full
  CHANGES[change](path, size);
  for (let part = await reader.read(); !part.done; part = await reader.read()) stdout += part.value;
  const stderr = await new Response(child.stderr).text();
  return { code: (await child.status).code, stdout, stderr };
}

describeRows(
  "--jobs on a file that changes",
  Object.keys(CHANGES),
  (change) => change === "shrinks" || change === "is removed",
  (change) => {
    const isWhole = change.startsWith("is ");
    it(`selects from what is there if it ${change}`, async () => {
      using folder = folderOf({ "log.jsonl": plainLog() });
      const { code, stdout, stderr } = await runChanging(folder.path, ["select", "{n}"], change);
      const numbers = stdout.split("\n");
      const count = isWhole ? lineCountOf(plainLog()) : numbers.length - (change === "grows" ? 2 : 1);
      assertEquals(numbers.findIndex((line, i) => i < count && line !== `{"n":${i}}`), -1);
      assertEquals(numbers.slice(count), change === "grows" ? ['{"n":"added"}', ""] : [""]);
      assertEquals([code, stderr.includes("the input ends early")], isWhole ? [0, false] : [1, true]);
    });
    if (!isWhole) return;

    it(`checks the file that was opened if it ${change}`, async () => {
      using folder = folderOf({ "log.jsonl": logFile(7, 5, ["]\n"], "", 1.2 * SIZE) });
      const args = ["check", "--format=compact", "--max-errors=4096"];
      const expected = await runCli(folder.path, [...args, "log.jsonl", "--jobs=1"]);
      const { code, stdout, stderr } = await runChanging(folder.path, args, change);
      assertEquals([code, stderr, stdout === expected.stdout], [expected.code, expected.stderr, true]);
    });
  },
);

describe("lines that arrive slowly", () => {
  it("are printed as they come, by threads too", async () => {
    await using live = startCli(".", ["select", "{n}", "--jsonl", "-j2"]);
    const lines = '{"n":1,"text":"some text of some length"}\n'.repeat(2 ** 14);
    for (let size = 0; size < 1.1 * SIZE; size += lines.length) await live.write(lines);
    for (const late of ["late1", "late2", "late3"]) {
      await live.write(`{"n":"${late}"}\n`);
      await live.said("stdout", late);
    }
    await live.close();
    assertEquals((await live.ended).code, 0);
  });
});

describeLong("--jobs with any number of threads", () => {
  it("changes nothing for standard input", async () => {
    const stdin = logFile(5, 5000, UNUSUAL_LINES, '{"cut', 1.1 * SIZE); // threads start when most of it is there
    await assertSame(".", ["select", "{n}", "--jsonl"], 2, { stdin });
  });

  it("changes nothing for several files that are large together", async () => {
    const names = ["1.jsonl", "2.jsonl", "3.jsonl", "4.jsonl"];
    using folder = folderOf(Object.fromEntries(names.map((name, i) => {
      return [name, logFile(i + 10, 4000, UNUSUAL_LINES.slice(0, 9), i === 1 ? '{"cut' : "", SIZE / 4)];
    })));
    await assertSame(folder.path, [...COMMANDS[0], ...names], 2);
  });

  for (const name of Object.keys(FILES)) {
    it(`changes nothing for ${name}`, async () => {
      using folder = folderWith([name]);
      for (const args of [...COMMANDS, ...CHECKS]) await assertSame(folder.path, [...args, name], 3);
      for (const jobs of [2, 4, 5]) await assertSame(folder.path, [...COMMANDS[1], name], jobs);
    });
  }

  it("changes nothing for the first results of standard input", async () => {
    const stdin = logFile(5, 5000, UNUSUAL_LINES, '{"cut', 1.5 * SIZE); // 130,000 are there after threads have started
    await assertSame(".", ["get", "/n", "--first", "130000", "--jsonl"], 2, { stdin });
  });

  it("changes nothing for compressed content, several files and a damaged one", async () => {
    using folder = folderWith(["unusual.jsonl", "plain.jsonl"]);
    const zipped = gzipSync(logFile(6, 5000, UNUSUAL_LINES, "", 2 * SIZE), { level: 1 });
    Deno.writeFileSync(`${folder.path}/unusual.jsonl.gz`, zipped);
    Deno.writeFileSync(`${folder.path}/damaged.jsonl.gz`, zipped.subarray(0, zipped.length - 2 ** 16));
    for (const args of COMMANDS.slice(0, 2)) {
      await assertSame(folder.path, [...args, "unusual.jsonl.gz"], 2);
      await assertSame(folder.path, [...args, "damaged.jsonl.gz", "plain.jsonl", "none.jsonl", "unusual.jsonl"], 3);
    }
  });
});
