/**
 * The command line as a process: pipes and FIFOs, devices, signals, and files that
 * change meanwhile.
 */

import { assertEquals } from "@std/assert";
import { toText } from "@std/streams/to-text";
import { describe, it } from "@std/testing/bdd";
import { gzipSync } from "node:zlib";
import { utf8 } from "../support/bytes.ts";
import {
  assertRow,
  cliCommand,
  commandLine,
  isDeno,
  itRuns,
  type Run,
  runCliUnprivileged,
  spawnCli,
  startCli,
  withoutTime,
} from "../support/run_cli.ts";
import { folderOf } from "../support/files.ts";
import { execute } from "../support/environment.ts";
import { itUnless, notOnWindows, onlyLinux, withoutProgram } from "../support/skip.ts";

const INVALID = "1 of 1 file invalid\n";

/** Runs a shell's command line in a folder, in which `"$@"` is the command line. */
async function runInShell(folder: string, script: string, args: readonly string[]): Promise<Run> {
  const [program, programArgs] = commandLine(args);
  return await execute("bash", ["-c", script, "bash", program, ...programArgs], { cwd: folder });
}

function makeFifo(path: string): void {
  assertEquals(new Deno.Command("mkfifo", { args: [path] }).outputSync().success, true);
}

describe("standard input that arrives slowly", () => {
  it("is reported before it ends", async () => {
    await using run = startCli(".", ["check"]);
    await run.write("[1,}");
    const { code, stderr } = await run.ended;
    assertEquals([code, stderr.split("\n")[1]], [1, "  1 | [1,}…"]);
  });

  it("is reported line by line", async () => {
    await using run = startCli(".", ["check", "--jsonl"]);
    await run.write(`1\n[\n${"2\n".repeat(1000)}`);
    await run.said("stderr", "<stdin>:2:2: error:");
    await run.write("]\n");
    await run.close();
    assertEquals((await run.ended).stderr.split("\n").at(-3), "<stdin>: 2 of 1003 documents invalid");
  });

  it("is selected line by line", async () => {
    await using run = startCli(".", ["select", "{a}", "--jsonl"]);
    await run.write('{"a":1}\n{"a"');
    await run.said("stdout", '{"a":1}\n');
    await run.write(":2}\n{");
    await run.said("stdout", '{"a":2}\n');
    await run.close();
    const { code, stderr } = await run.ended;
    assertEquals([code, stderr.split("\n")[0]], [1, "<stdin>:3:2: error: Expected property name or '}' (byte 17)"]);
  });

  const firsts: { args: string; written: string[]; stdout: string }[] = [
    { args: "select {a} --first 2", written: ['{"a":1}\n{"a":2}\n{"a":'], stdout: '{"a":1}\n{"a":2}\n' },
    { args: "get /a --first 1", written: ['{"a":[1, 2], "b":'], stdout: "[1,2]\n" },
    { args: "each /d --first 3", written: ['{"d":[1,{"x": 2},', "3,"], stdout: '1\n{"x":2}\n3\n' },
  ];
  for (const { args, written, stdout } of firsts) {
    it(`is read no further than needed: ${args}`, async () => {
      await using run = startCli(".", args.split(" "));
      for (const [i, text] of written.entries()) {
        if (i > 0) await run.said("stdout", '{"x":2}\n'); // elements are printed as they come
        await run.write(text);
      }
      assertEquals(await run.ended, { code: 0, stdout, stderr: "" });
    });
  }
});

describe("standard output whose reader is gone", () => {
  // More than a pipe holds.
  const LONG = `[${'"é",'.repeat(200_000)}`;
  const lines = `${'"é"\n'.repeat(200_000)}[\n]\n`;
  const bad = "a:200001:2: error: Unexpected end of JSON input (byte 1000001)\n" +
    "hint: looks like a document on several lines; try --concatenated instead of --jsonl\na: 1 of 200001 documents invalid\n";
  const gates: { content: string; args: string[]; code: number; stderr: string }[] = [
    {
      content: `${LONG}x, 1]`,
      args: [],
      code: 1,
      stderr: `a:1:800002: error: Unexpected token 'x' (byte 1000001)\n${INVALID}`,
    },
    { content: `${LONG}1]`, args: [], code: 0, stderr: "ok  1 file, 977 KiB, T s\n" },
    { content: lines, args: ["--jsonl"], code: 1, stderr: bad + INVALID },
  ];
  for (const { content, args, code, stderr } of gates) {
    it(`leaves check --pass its exit code and report: ${stderr.slice(0, 20)}`, async () => {
      using folder = folderOf({ a: content });
      const child = cliCommand(folder.path, ["check", "--pass", "--no-snippet", ...args, "a"]).spawn();
      const reader = child.stdout.getReader();
      await reader.read();
      await Promise.all([child.stdin.close(), reader.cancel()]);
      const [{ code: exit }, text] = await Promise.all([child.status, toText(child.stderr)]);
      assertEquals([exit, withoutTime(text)], [code, stderr]);
    });
  }

  it("lets check --pass read standard input to its end", async () => {
    for (const [last, code] of [['"last"\n', 0], ["]\n", 1]] as const) {
      await using run = startCli(".", ["check", "--pass", "--jsonl", "--quiet"], { isStdoutClosed: true });
      for (let i = 0; i < 20; i++) assertEquals(await run.write('"more"\n'.repeat(10_000)), true);
      await run.write(last);
      await run.close();
      assertEquals(await run.ended, { code, stdout: "", stderr: "" });
    }
  });

  it("ends select", async () => {
    await using run = startCli(".", ["select", "{a}"], { isStdoutClosed: true });
    let isRead = true;
    while (isRead) isRead = await run.write('{"a":1}\n'.repeat(100_000));
    assertEquals(await run.ended, { code: 0, stdout: "", stderr: "" });
  });

  itUnless(notOnWindows("sockets for programs") || withoutProgram("python3"))("may be a socket", async () => {
    using folder = folderOf({ "bad.json": `${LONG}x` });
    // With unread data in a socket, closing it resets the connection.
    const script = `
import socket, subprocess, sys
ours, theirs = socket.socketpair()
process = subprocess.Popen(sys.argv[1:], stdout=theirs)
theirs.close()
ours.recv(10)
ours.close()
sys.exit(process.wait())`;
    const run = await runInShell(folder.path, `python3 -c '${script}' "$@"`, ["check", "--pass", "-q", "bad.json"]);
    assertEquals(run, { code: 1, stdout: "", stderr: "" });
  });

  for (const format of ["json", "sarif"]) {
    itUnless(notOnWindows("signal to send"))(`is told by SIGPIPE, too: --format ${format}`, async () => {
      await using run = startCli(".", ["check", "--jsonl", "--format", format, "missing.json", "-"]);
      await run.said("stderr", "missing.json"); // it runs
      run.interrupt("SIGPIPE");
      await run.write("[\n");
      await run.close();
      const { code, stdout } = await run.ended;
      assertEquals([code, stdout.includes("Unexpected end")], [2, true]);
    });
  }
});

describe("standard error that fails", () => {
  itUnless(notOnWindows("POSIX shell"))("keeps the exit code if nobody reads it", async () => {
    using folder = folderOf({ "bad.json": "[", "list": "bad.json\n".repeat(2000) });
    const script = '{ "$@" 2>&1 >&3 | true; exit "${PIPESTATUS[0]}"; } 3>&1';
    const { code, stdout } = await runInShell(folder.path, script, ["check", "--json", "--files-from=list"]);
    assertEquals([code, JSON.parse(stdout.split("\n").at(-2)!).invalid], [1, 2000]);
  });

  itUnless(onlyLinux("/dev/full"))("keeps the exit code if it is full", async () => {
    using folder = folderOf({ "bad.json": "[" });
    const run = await runInShell(folder.path, '"$@" 2>/dev/full', ["check", "bad.json"]);
    assertEquals([run.code, run.stdout], [1, ""]);
  });
});

describe("FIFOs and devices", () => {
  if (Deno.build.os !== "windows") {
    const stderr = "/dev/null:1:1: error: Unexpected end of JSON input (byte 0)\nhint: the input is empty\n" +
      "/dev/zero:1:1: error: Unexpected byte 0x00 (byte 0)\n2 of 2 files invalid\n";
    itRuns({}, { "are read as streams": { args: "check --no-snippet /dev/null /dev/zero", code: 1, stderr } });
  }

  itUnless(notOnWindows("FIFOs"))("are skipped with -r, and so are links to them", async () => {
    using folder = folderOf({ "a.json": "1", "b/c.json": "2", "d/e": "" });
    makeFifo(`${folder.path}/b/fifo.json`);
    makeFifo(`${folder.path}/d/fifo.json`);
    Deno.symlinkSync("fifo.json", `${folder.path}/b/link.json`);
    Deno.symlinkSync("/dev/zero", `${folder.path}/b/zero.json`);
    assertEquals(await spawnCli(folder.path, ["check", "-rqL", "."]), { code: 0, stdout: "", stderr: "" });
    const none = "bytejson check: no files to check: none match *.json\n";
    assertEquals(await spawnCli(`${folder.path}/d`, ["-r", "--ext", "json"]), { code: 2, stdout: "", stderr: none });
  });

  itUnless(notOnWindows("such substitution"))("are made by process substitution", async () => {
    const run = await runInShell(".", '"$@" <(echo "[1]") && ! "$@" <(echo "[1,]")', ["check", "-q"]);
    assertEquals(run, { code: 0, stdout: "", stderr: "" });
  });
});

describe("files that change or cannot be read", () => {
  const BROKEN = "1:2: error: Unexpected end of JSON input (byte 1)\n";

  /**
   * Runs check on a FIFO and what follows it, and makes a change while it waits for the FIFO, when
   * all files are found.
   */
  async function runWhile(
    files: Record<string, string>,
    args: string,
    change: (folder: string) => void,
  ): Promise<Run> {
    using folder = folderOf(files);
    makeFifo(`${folder.path}/pipe`);
    await using run = startCli(folder.path, ["check", "--no-snippet", "pipe", ...args.split(" ")]);
    const pipe = await Deno.open(`${folder.path}/pipe`, { write: true });
    change(folder.path);
    await pipe.write(utf8("2"));
    pipe.close();
    return await run.ended;
  }

  itUnless(notOnWindows("FIFOs"))("vanish: exit 2, and the rest is checked", async () => {
    const files = { "gone.json": "1", "z.json": "[" };
    const run = await runWhile(files, "-r .", (folder) => Deno.removeSync(`${folder}/gone.json`));
    const stderr =
      `bytejson: gone.json: no such file\nz.json:${BROKEN}1 of 3 files invalid, 1 of 3 files could not be read\n`;
    assertEquals(run, { code: 2, stdout: "", stderr });
  });

  itUnless(notOnWindows("FIFOs"))("shrink: what is left is checked", async () => {
    const files = { "a.json": "[1, 2, 3]" };
    const run = await runWhile(files, "a.json", (folder) => Deno.truncateSync(`${folder}/a.json`, 5));
    const message = "a.json:1:6: error: Expected ',' or ']' after array element (byte 5)";
    assertEquals([run.code, run.stderr.split("\n")[0]], [1, message]);
  });

  it("grow: they are read to their current ends", async () => {
    const START = 1_000_000;
    using folder = folderOf({ "a.jsonl": `x\n${"1\n".repeat(START - 1)}` });
    await using run = startCli(folder.path, ["check", "--json", "a.jsonl"]);
    let isOver = false;
    run.ended.then(() => isOver = true);
    let lines = START;
    for (; !isOver; lines += 1000) {
      await Deno.writeTextFile(`${folder.path}/a.jsonl`, "2\n".repeat(1000), { append: true });
      await new Promise((resolve) => setTimeout(resolve, 5)); // the end has to come in sight
    }
    const { code, stdout } = await run.ended;
    const { documents, invalidDocuments } = JSON.parse(stdout.split("\n")[0]);
    assertEquals([code, invalidDocuments, documents >= START && documents <= lines], [1, 1, true]);
  });

  itUnless(onlyLinux("/proc"))("fail while they are read: exit 2, and the rest is checked", async () => {
    const reason = isDeno ? "Input/output error (os error 5)" : "i/o error";
    const stderr = `bytejson: /proc/self/mem: ${reason}\na.json:${BROKEN}` +
      "1 of 2 files invalid, 1 of 2 files could not be read\n";
    const args = "check --no-snippet /proc/self/mem a.json";
    await assertRow({ "a.json": "[" }, { args, code: 2, stderr, allow: ["--allow-all"] });
  });

  itUnless(notOnWindows("such links"))("are dangling links", async () => {
    using folder = folderOf({ "a.json": "1" });
    Deno.symlinkSync("gone.json", `${folder.path}/b.json`);
    const stderr = "bytejson: b.json: no such file\n1 of 2 files could not be read\n";
    assertEquals(await spawnCli(folder.path, ["check", "-r", "--follow"]), { code: 2, stdout: "", stderr });
  });

  const denied: { files: Record<string, string>; locked: string; args: string; stderr: string }[] = [
    {
      files: { "a.json": "1", "b.json": "[" },
      locked: "a.json",
      args: "a.json b.json",
      stderr:
        `bytejson: a.json: permission denied\nb.json:${BROKEN}1 of 2 files invalid, 1 of 2 files could not be read\n`,
    },
    {
      files: { "a/b.json": "1", "c.json": "1" },
      locked: "a",
      args: "-r",
      stderr: "bytejson: a: permission denied\n1 of 2 files could not be read\n",
    },
  ];
  for (const { files, locked, args, stderr } of denied) {
    itUnless(notOnWindows("such permissions"))(`are locked: check ${args}`, async () => {
      using folder = folderOf(files);
      Deno.chmodSync(`${folder.path}/${locked}`, 0);
      try {
        const run = await runCliUnprivileged(folder.path, ["check", "--no-snippet", ...args.split(" ")]);
        if (run) assertEquals(run, { code: 2, stdout: "", stderr });
      } finally {
        Deno.chmodSync(`${folder.path}/${locked}`, 0o700);
      }
    });
  }
});

describe("signals", () => {
  /** Runs a command line on some input, and sends a signal once it has said something. */
  async function interrupted(
    args: string,
    input: string | Uint8Array,
    said: ["stdout" | "stderr", string],
    signal: Deno.Signal = "SIGINT",
  ): Promise<Run> {
    using folder = folderOf({ "a.json": "[]", "bad.json": "[" });
    if (args.includes("pipe")) makeFifo(`${folder.path}/pipe`);
    await using run = startCli(folder.path, args.split(" "));
    if (input.length > 0) await run.write(input);
    await run.said(...said);
    run.interrupt(signal);
    const { code, stdout, stderr } = await run.ended;
    return { code, stdout: withoutTime(stdout), stderr: stderr.replace(/of \d{3,} documents/, "of N documents") };
  }

  const lines = `1\n[\n${"2\n".repeat(1000)}`;
  const cut = gzipSync(utf8(`[\n${Array.from({ length: 1e5 }, (_, i) => i * 7919).join("\n")}`)).slice(0, -20);
  const END = "bytejson: <stdin>: interrupted before its end\n";
  const BROKEN = "1:2: error: Unexpected end of JSON input (byte 1)\n";
  /** Runs that are interrupted, by SIGTERM where nothing else is said. */
  interface Interrupted {
    args: string;
    input?: string | Uint8Array;
    said: ["stdout" | "stderr", string];
    stdout?: string;
    stderr?: string;
    signal?: "SIGINT";
  }
  const cases: Record<string, Interrupted> = {
    "end a check with a summary": {
      args: "check --no-snippet --jsonl a.json - a.json",
      input: lines,
      said: ["stderr", "error:"],
      stderr: "<stdin>:2:2: error: Unexpected end of JSON input (byte 3)\n<stdin>: 1 of N documents invalid\n" +
        `${END}interrupted: 1 of 2 files invalid, 1 not checked\n`,
      signal: "SIGINT",
    },
    "end a check while a FIFO has no writer": {
      args: "check --no-snippet bad.json pipe",
      said: ["stderr", "error:"],
      stderr: `bad.json:${BROKEN}bytejson: pipe: interrupted before its end\n` +
        "interrupted: 1 of 1 file invalid, 1 not checked\n",
    },
    "end a check within gzip data": {
      args: "check --no-snippet --jsonl",
      input: cut,
      said: ["stderr", "error:"],
      stderr: `<stdin>:${BROKEN}<stdin>: 1 of N documents invalid\n${END}interrupted: ${INVALID}`,
    },
    "end an endless check": {
      args: "check --jsonl --no-snippet /dev/zero",
      said: ["stderr", "error:"],
      stderr: "/dev/zero:1:1: error: Unexpected byte 0x00 (byte 0)\n/dev/zero: 1 of 1 document invalid\n" +
        `bytejson: /dev/zero: interrupted before its end\ninterrupted: ${INVALID}`,
      signal: "SIGINT",
    },
    "end records with a summary": {
      args: "check --json a.json -",
      said: ["stdout", "a.json"],
      stdout: '{"type":"result","file":"a.json","valid":true,"bytes":2}\n' +
        '{"type":"summary","files":1,"valid":1,"invalid":0,"errors":0,"bytes":2,"unchecked":1,"ms":T,"exit":143}\n',
      stderr: END,
    },
    "end select after the complete lines": {
      args: "select {a} --jsonl",
      input: '{"a":1}\n',
      said: ["stdout", '{"a":1}\n'],
      stdout: '{"a":1}\n',
      signal: "SIGINT",
    },
  };
  for (
    const [name, { args, input = "", said, stdout = "", stderr = "", signal = "SIGTERM" }] of Object.entries(cases)
  ) {
    const code = signal === "SIGINT" ? 130 : 143;
    itUnless(notOnWindows("signal to send"))(`${name}: exit ${code} after ${signal}`, async () => {
      assertEquals(await interrupted(args, input, said, signal), { code, stdout, stderr });
    });
  }

  itUnless(notOnWindows("signal to send"))("end a SARIF log that is complete", async () => {
    const input = `[\n${"1\n".repeat(10_000)}`;
    const { code, stdout } = await interrupted("check --jsonl --format sarif", input, ["stdout", '"ruleId"']);
    const [{ results, invocations: [invocation] }] = JSON.parse(stdout).runs;
    assertEquals([code, results.length, invocation.executionSuccessful, invocation.exitCode], [130, 1, false, 130]);
  });
});
