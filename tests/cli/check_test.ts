/**
 * `bytejson check` as a process: screens, records and exit codes.
 *
 * @module
 */

import { assertEquals } from "@std/assert";
import { toText } from "@std/streams/to-text";
import { describe, it } from "@std/testing/bdd";
import { findInputs, type Input } from "../../cli/check/find_inputs.ts";
import { workersFor } from "../../cli/check/worker_pool.ts";
import {
  cliCommand,
  commandLine,
  copyCli,
  folderOf,
  FULL_DEVICE,
  isSkippedOutsideDeno,
  type Run,
  runCli,
  runCliUnprivileged,
  type RunOptions,
  startCli,
  withoutTime,
} from "../support/cli.ts";

const BAD = '{\n  "a": 1,\n  "b": 2,,\n}\n';
const BAD_SCREEN = `\
bad.json:3:10: error: Expected double-quoted property name (byte 21)
  2 |   "a": 1,
  3 |   "b": 2,,
    |          ^
`;

/** Runs `check` on files: all of them, unless `args` names others. */
async function check(files: Record<string, string | Uint8Array>, args = Object.keys(files), options?: RunOptions) {
  using folder = folderOf(files);
  const run = await runCli(folder.path, ["check", ...args], options);
  return { ...run, stdout: withoutTime(run.stdout), stderr: withoutTime(run.stderr) };
}

/** Returns the files of records. */
function namesIn(stdout: string): string[] {
  return stdout.split("\n").slice(0, -2).map((record) => JSON.parse(record).file);
}

describe("check: screens", () => {
  it("prints one line if all inputs are valid", async () => {
    const files = { "a.json": "{}", "b.json": "[1, 2]", "c.json": " 3\n" };
    assertEquals(await check(files), { code: 0, stdout: "", stderr: "ok  3 files, 11 B, T s\n" });
  });

  it("prints an invalid file and exits 1", async () => {
    const { code, stdout, stderr } = await check({ "a.json": "{}", "bad.json": BAD, "c.json": "[]" });
    assertEquals([code, stdout], [1, ""]);
    assertEquals(stderr, BAD_SCREEN + "1 of 3 files invalid\n");
  });

  it("exits 2 for an unreadable file, and checks the rest", async () => {
    const { code, stderr } = await check({ "bad.json": BAD }, ["missing.json", "bad.json"]);
    assertEquals(code, 2);
    assertEquals(
      stderr,
      "bytejson: missing.json: no such file\n" + BAD_SCREEN + "1 of 2 files invalid, 1 of 2 files could not be read\n",
    );
  });

  it("names a missing permission", async () => {
    if (isSkippedOutsideDeno("only Deno asks for permissions")) return;
    const { code, stderr } = await check({ "a.json": "{}" }, undefined, { allow: [] });
    assertEquals(code, 2);
    assertEquals(
      stderr,
      "bytejson: a.json: no permission to read it; run with --allow-read\n1 of 1 file could not be read\n",
    );
  });

  for (const args of [["-"], []]) {
    it(`reads standard input with [${args}], without permissions`, async () => {
      assertEquals(await check({}, args, { stdin: "[1,]\n", allow: [] }), {
        code: 1,
        stdout: "",
        stderr: "<stdin>:1:4: error: Unexpected token ']' (byte 3)\n  1 | [1,]\n    |    ^\n" +
          "hint: looks like a trailing comma; JSON has none\n1 of 1 file invalid\n",
      });
    });
  }

  it("prints no input content with --no-snippet", async () => {
    const { stderr } = await check({ "bad.json": BAD }, ["--no-snippet", "bad.json"]);
    assertEquals(stderr, BAD_SCREEN.split("\n")[0] + "\n1 of 1 file invalid\n");
  });

  it("prints I/O errors with --quiet", async () => {
    const { code, stderr } = await check({ "bad.json": BAD }, ["-q", "bad.json", "missing.json"]);
    assertEquals([code, stderr], [2, "bytejson: missing.json: no such file\n"]);
  });

  it("prints nothing of an invalid file with --quiet", async () => {
    assertEquals(await check({ "bad.json": BAD }, ["--quiet", "bad.json"]), { code: 1, stdout: "", stderr: "" });
  });

  it("shows control characters in file names as pictures", async () => {
    if (Deno.build.os === "windows") return console.log("skipped: Windows allows no such file names");
    const { stderr } = await check({ "\x1b[2J\n.json": "[" });
    assertEquals(stderr.split("\n")[0], "␛[2J␊.json:1:2: error: Unexpected end of JSON input (byte 1)");
  });
});

describe("check: JSON Lines", () => {
  const LINES = '{"a":1}\r\n\n{"b":}\n   \n[1,2\r\n"ok"\n\x1fx';
  const SCREEN = `\
log.jsonl:3:6: error: Unexpected token '}' (byte 15)
  2 |
  3 | {"b":}
    |      ^
log.jsonl:5:5: error: Expected ',' or ']' after array element (byte 25)
  4 |
  5 | [1,2
    |     ^
log.jsonl:7:1: error: Unexpected byte 0x1F (byte 32)
  6 | "ok"
  7 | ␟x
    | ^
log.jsonl: 3 of 5 documents invalid
1 of 1 file invalid
`;

  it("goes on after a bad line, with positions in the file", async () => {
    assertEquals(await check({ "log.jsonl": LINES }), { code: 1, stdout: "", stderr: SCREEN });
  });

  it("reads JSON Lines of any name with --jsonl", async () => {
    const { stderr } = await check({ log: LINES }, ["--jsonl", "log"]);
    assertEquals(stderr, SCREEN.replaceAll("log.jsonl", "log"));
  });

  it("accepts valid and empty files", async () => {
    const files = { "a.ndjson": '{"a":1}\n{"b":2}\n', "b.jsonl": "" };
    assertEquals((await check(files)).stderr, "ok  2 files, 16 B, T s\n");
  });

  const files = { "a.jsonl": "[\n".repeat(25) };
  const errors = (stderr: string) => stderr.match(/ error: /g)!.length;

  it("shows twenty errors of a file", async () => {
    const byDefault = await check(files);
    assertEquals(errors(byDefault.stderr), 20);
    assertEquals(
      byDefault.stderr.split("\n").at(-3),
      "a.jsonl: 25 of 25 documents invalid; 20 shown, --max-errors 0 shows all",
    );
  });

  it("shows N errors of a file with --max-errors N, and all with 0", async () => {
    assertEquals(errors((await check(files, ["--max-errors", "3", "a.jsonl"])).stderr), 3);
    assertEquals(errors((await check(files, ["--max-errors=0", "a.jsonl"])).stderr), 25);
  });
});

describe("check: --json", () => {
  it("prints a record per file, then a summary", async () => {
    const files = { "a.json": "[]", "bad.json": BAD };
    const { code, stdout, stderr } = await check(files, ["--json", "a.json", "bad.json", "missing.json"]);
    assertEquals([code, stderr], [2, "bytejson: missing.json: no such file\n"]);
    assertEquals(
      stdout,
      `\
{"type":"result","file":"a.json","valid":true,"bytes":2}
{"type":"result","file":"bad.json","valid":false,"bytes":25,"offset":21,"line":3,"column":10,"code":"expected-property-name","message":"Expected double-quoted property name"}
{"type":"error","file":"missing.json","message":"no such file"}
{"type":"summary","files":3,"valid":1,"invalid":1,"errors":1,"bytes":27,"ms":T,"exit":2}
`,
    );
  });

  it("prints the failures of JSON Lines, the first one twice", async () => {
    const { code, stdout } = await check({ "a.jsonl": "1\n[\n2\n[\n[" }, ["--json", "--max-errors", "2", "a.jsonl"]);
    assertEquals(code, 1);
    const first = { offset: 3, line: 2, column: 2, code: "unexpected-end", message: "Unexpected end of JSON input" };
    assertEquals(JSON.parse(stdout.split("\n")[0]), {
      type: "result",
      file: "a.jsonl",
      valid: false,
      bytes: 9,
      ...first,
      documents: 5,
      invalidDocuments: 3,
      failures: [first, { ...first, offset: 7, line: 4 }],
    });
  });
});

describe("check: colour", () => {
  const coloured = async (args: string[], env: Record<string, string>) =>
    (await check({ "bad.json": BAD }, [...args, "bad.json"], { env })).stderr.includes("\x1b[");

  const cases: { args: string[]; env: Record<string, string>; expected: boolean }[] = [
    { args: [], env: {}, expected: false },
    { args: [], env: { FORCE_COLOR: "1" }, expected: true },
    { args: [], env: { FORCE_COLOR: "0" }, expected: false },
    { args: [], env: { FORCE_COLOR: "1", NO_COLOR: "1" }, expected: false },
    { args: ["--color=always"], env: { NO_COLOR: "1" }, expected: true },
    { args: ["--color=never"], env: { FORCE_COLOR: "1" }, expected: false },
    { args: ["--color=auto"], env: { FORCE_COLOR: "1" }, expected: true },
  ];
  for (const { args, env, expected } of cases) {
    it(`is ${expected ? "on" : "off"} with [${args}] and ${JSON.stringify(env)}`, async () =>
      assertEquals(await coloured(args, env), expected));
  }

  it("can be read on light and on dark backgrounds", async () => {
    const files = { "bad.json": BAD, "two.json": "{} {}", "good.json": "1" };
    const options = { env: { FORCE_COLOR: "1" } };
    const screens = [
      await check(files, undefined, options),
      await check(files, ["-r", "--stats", "gone.json", "good.json"], options),
      await check(files, ["good.json"], options),
    ];
    // deno-lint-ignore no-control-regex
    const codes = screens.flatMap(({ stderr }) => [...stderr.matchAll(/\x1b\[([^m]*)m/g)].map(([, code]) => code));
    // Bold, red, green and magenta: neither yellow, white and blue, nor faint text.
    assertEquals([...new Set(codes)].sort(), ["0", "1", "31", "32", "35"]);
  });

  it("changes nothing but the colour", async () => {
    const { stderr } = await check({ "bad.json": BAD }, ["--color", "always", "bad.json"]);
    // deno-lint-ignore no-control-regex
    assertEquals(stderr.replace(/\x1b\[\d+m/g, ""), BAD_SCREEN + "1 of 1 file invalid\n");
  });
});

describe("check: directories", () => {
  const FILES = {
    "a.json": "{}",
    "b/c.NDJSON": "1\n2\n",
    "b/d.geojson": "[",
    "b/e/f.webmanifest": "{}",
    "b/notes.txt": "no JSON",
  };

  it("checks the files with known extensions in order with -r", async () => {
    const { code, stdout } = await check(FILES, ["-r", "--json", "."]);
    assertEquals([code, namesIn(stdout)], [1, ["a.json", "b/c.NDJSON", "b/d.geojson", "b/e/f.webmanifest"]]);
  });

  it("checks the current directory with --recursive and no path", async () => {
    const { stdout } = await check(FILES, ["-r", "--json", "."]);
    assertEquals(namesIn((await check(FILES, ["--recursive", "--json"])).stdout), namesIn(stdout));
  });

  it("checks files with other extensions with --ext, and any file that is named", async () => {
    const { stdout } = await check(FILES, ["-r", "--json", "--ext=.txt,json", "b/", "b/d.geojson"]);
    assertEquals(namesIn(stdout), ["b/notes.txt", "b/d.geojson"]);
  });

  it("checks the files in a directory without -r, too", async () => {
    assertEquals(await check(FILES, ["--json", "b"]), await check(FILES, ["--json", "-r", "b"]));
    assertEquals(namesIn((await check(FILES, ["--json", "b"])).stdout).length > 0, true);
  });

  it("exits 2 for a directory with --pass", async () => {
    const { code, stderr } = await check(FILES, ["--pass", "b"]);
    assertEquals([code, stderr], [2, "bytejson: b: is a directory\n1 of 1 file could not be read\n"]);
  });

  it("counts what it does not show of a hundred failures and more", async () => {
    const files = Object.fromEntries(Array.from({ length: 120 }, (_, i) => [`${i}.json`, "["]));
    files["z.jsonl"] = "[\n".repeat(30);
    const { stderr } = await check(files, ["--no-snippet", "."]);
    const lines = stderr.trimEnd().split("\n");
    assertEquals(lines.length, 101);
    assertEquals(lines[100], "121 of 121 files invalid, 50 errors not shown; --max-errors 0 shows all");
    const all = await check(files, ["--no-snippet", "--max-errors=0", "."]);
    assertEquals(all.stderr.trimEnd().split("\n").length, 120 + 30 + 2);
  });

  it("exits 2 if there is nothing to check", async () => {
    assertEquals(await check(FILES, ["-r", "--ext", "yaml,yml", "."]), {
      code: 2,
      stdout: "",
      stderr: "bytejson check: no files to check: none match *.yaml, *.yml\n",
    });
  });

  it("exits 0 if there is nothing to check with --allow-no-files", async () => {
    const allowed = await check(FILES, ["-r", "--ext", "yaml", "--allow-no-files", "."]);
    assertEquals(allowed, { code: 0, stdout: "", stderr: "ok  0 files, 0 B, T s\n" });
  });

  it("prints a summary with --json if there is nothing to check", async () => {
    assertEquals(
      JSON.parse((await check(FILES, ["-r", "--ext", "yaml", "--json", "."])).stdout.replace('"ms":T,', "")),
      {
        type: "summary",
        files: 0,
        valid: 0,
        invalid: 0,
        errors: 0,
        bytes: 0,
        exit: 2,
      },
    );
  });

  it("follows no links", async () => {
    if (Deno.build.os === "windows") return console.log("skipped: links need a privilege on Windows");
    using folder = folderOf({ "a/x.json": "1" });
    Deno.symlinkSync("..", `${folder.path}/a/up`);
    Deno.symlinkSync("x.json", `${folder.path}/a/y.json`);
    const { stdout } = await runCli(folder.path, ["check", "-r", "--json"]);
    assertEquals(namesIn(stdout), ["a/x.json"]);
  });

  it("follows links with --follow, but checks nothing twice", async () => {
    if (Deno.build.os === "windows") return console.log("skipped: links need a privilege on Windows");
    using folder = folderOf({ "top/a/x.json": "1", "top/b/z.json": "2", "else/v.json": "3" });
    Deno.symlinkSync("..", `${folder.path}/top/a/up`);
    Deno.symlinkSync("../b", `${folder.path}/top/a/b`);
    Deno.symlinkSync("x.json", `${folder.path}/top/a/y.json`);
    Deno.symlinkSync("../../else", `${folder.path}/top/a/else`);
    const { stdout } = await runCli(`${folder.path}/top`, ["check", "-r", "--json", "-L"]);
    assertEquals(namesIn(stdout), ["a/else/v.json", "a/x.json", "b/z.json"]);
  });
});

describe("check: log commands in names and content", () => {
  const MESSAGE = "Unexpected end of JSON input (byte 1)";
  const names: [name: string, shown: string][] = [
    ["::add-mask::e.json", "./::add-mask::e.json"],
    ["::error file=a::b.json", "./::error file=a::b.json"],
    [" \u2003::add-mask::e.json", "./ \u2003::add-mask::e.json"],
    ["\u200b::add-mask::e.json", "<U+200B>::add-mask::e.json"],
    ["\n::add-mask::e.json", "␊::add-mask::e.json"],
    ["a\n::add-mask::e.json", "a␊::add-mask::e.json"],
    ["##[add-mask]e.json", "♯#[add-mask]e.json"],
    ["a ##[add-mask]e.json", "a ♯#[add-mask]e.json"],
    ["a###[add-mask]e.json", "a#♯#[add-mask]e.json"],
    ["a#\u200b#[add-mask]e.json", "a♯<U+200B>#[add-mask]e.json"],
    ["##vso[task.complete]e.json", "♯#vso[task.complete]e.json"],
    ["--- e.json", "./--- e.json"],
    ["#1.json", "./#1.json"],
    ["[id].json", "[id].json"],
    ["a::b##c.json", "a::b##c.json"],
  ];
  it("shows names harmlessly", async () => {
    if (Deno.build.os === "windows") return console.log("skipped: Windows allows no such file names");
    const files = Object.fromEntries(names.map(([name]) => [name, "["]));
    const options = ["--no-snippet", "--", ...Object.keys(files)];
    const linesOf = async (run: Promise<Run>) => (await run).stderr.split("\n").slice(0, -2);
    assertEquals(await linesOf(check(files, options)), names.map(([, shown]) => `${shown}:1:2: error: ${MESSAGE}`));
    assertEquals(
      (await linesOf(check(files, ["--jsonl", ...options]))).filter((_, i) => i % 2 === 1),
      names.map(([, shown]) => `${shown}: 1 of 1 document invalid`),
    );
    assertEquals(
      await linesOf(check({}, options)),
      names.map(([, shown]) => `bytejson: ${shown.replace(/^\.\//, "")}: no such file`),
    );
  });

  it("escapes names in records, which parse to the exact name", async () => {
    if (Deno.build.os === "windows") return console.log("skipped: Windows allows no such file names");
    const all = names.map(([name]) => name);
    const { stdout } = await check(Object.fromEntries(all.map((name) => [name, "1"])), ["--json", "--", ...all]);
    assertEquals(namesIn(stdout), all);
    assertEquals(stdout.split("\n").filter((line) => !line.startsWith("{")), [""]);
    assertEquals(/##[a-z]*\[/.test(stdout.replace(/\p{DI}/gu, "")), false);
    const hostile = "\u009b2J\u202e\x7f.json";
    const shown = (await check({ [hostile]: "1" }, ["--json", "--", hostile])).stdout;
    assertEquals([namesIn(shown), /^[\n -~]*$/.test(shown)], [[hostile], true]);
  });
});

describe("check: FIFOs and devices", () => {
  /** Makes a FIFO. Returns whether the machine has FIFOs, and prints that it has none. */
  function makeFifo(path: string): boolean {
    if (Deno.build.os === "windows") {
      console.log("skipped: Windows has no FIFOs");
      return false;
    }
    const { success } = new Deno.Command("mkfifo", { args: [path] }).outputSync();
    assertEquals(success, true);
    return true;
  }

  it("skips FIFOs, and links to FIFOs and devices, with -r", async () => {
    using folder = folderOf({ "a.json": "1", "b/c.json": "2" });
    if (!makeFifo(`${folder.path}/b/fifo.json`)) return;
    Deno.symlinkSync("fifo.json", `${folder.path}/b/link.json`);
    Deno.symlinkSync("/dev/zero", `${folder.path}/b/zero.json`);
    const { code, stdout } = await runCli(folder.path, ["check", "-rL", "--json", "."]);
    assertEquals([code, namesIn(stdout)], [0, ["a.json", "b/c.json"]]);
  });

  it("finds nothing to check with -r if there are only FIFOs", async () => {
    using folder = folderOf({});
    if (!makeFifo(`${folder.path}/fifo.json`)) return;
    assertEquals(await runCli(folder.path, ["-r", "--ext", "json"]), {
      code: 2,
      stdout: "",
      stderr: "bytejson check: no files to check: none match *.json\n",
    });
  });

  it("reads a FIFO that is named, after a directory", async () => {
    using folder = folderOf({ "a/b.json": "1" });
    if (!makeFifo(`${folder.path}/fifo.json`)) return;
    const run = runCli(folder.path, ["check", "-r", "--json", "a", "fifo.json"]);
    await Deno.writeTextFile(`${folder.path}/fifo.json`, "[1,]");
    const { code, stdout } = await run;
    assertEquals([code, namesIn(stdout)], [1, ["a/b.json", "fifo.json"]]);
  });

  it("reads a process substitution", async () => {
    if (Deno.build.os === "windows") return console.log("skipped: Windows has no such substitution");
    using folder = folderOf({});
    const [program, args] = commandLine(["check", "-q"]);
    const command = new Deno.Command("bash", {
      args: ["-c", '"$@" <(echo "[1]") && ! "$@" <(echo "[1,]")', "bash", program, ...args],
      cwd: folder.path,
    });
    const { code, stderr } = await command.output();
    assertEquals([code, new TextDecoder().decode(stderr)], [0, ""]);
  });
});

describe("check: --pass", () => {
  it("copies valid standard input", async () => {
    const text = `${JSON.stringify(Array.from({ length: 50_000 }, (_, i) => ({ i })))}\n`;
    const { code, stdout, stderr } = await check({}, ["--pass"], { stdin: text });
    assertEquals([code, stderr], [0, "ok  1 file, 575 KiB, T s\n"]);
    assertEquals(stdout === text, true);
  });

  it("copies a file", async () => {
    assertEquals((await check({ "a.json": "[1]" }, ["-p", "a.json"])).stdout, "[1]");
  });

  it("ends at the first bad byte", async () => {
    const valid = `[${'"é",'.repeat(200_000)}`;
    const { code, stdout, stderr } = await check({}, ["-p"], { stdin: `${valid}x, 1]` });
    assertEquals(code, 1);
    assertEquals(stdout === valid, true);
    assertEquals(stderr.startsWith("<stdin>:1:800002: error: Unexpected token 'x' (byte 1000001)\n"), true);
  });

  it("ends at the first bad byte of JSON Lines", async () => {
    const lines = await check({}, ["--pass", "--jsonl", "--quiet"], { stdin: "1\n2\n[}\n3\n" });
    assertEquals(lines, { code: 1, stdout: "1\n2\n[", stderr: "" });
  });

  it("exits 1 after copying an input that ends too early", async () => {
    const { code, stdout } = await check({}, ["-pq"], { stdin: "[1, 2" });
    assertEquals([code, stdout], [1, "[1, 2"]);
  });

  /**
   * Runs `check --pass` while nobody reads its standard output, from the start or after the first
   * bytes.
   */
  async function passToNobody(path: string, content: string, args: string[] = []): Promise<Omit<Run, "stdout">> {
    using folder = folderOf({ [path]: content });
    const child = cliCommand(folder.path, ["check", "--pass", ...args, path]).spawn();
    const reader = child.stdout.getReader();
    if (!args.includes("--quiet")) await reader.read();
    await Promise.all([child.stdin.close(), reader.cancel()]);
    const [{ code }, stderr] = await Promise.all([child.status, toText(child.stderr)]);
    return { code, stderr: withoutTime(stderr) };
  }

  // More than a pipe holds.
  const LONG = `[${'"é",'.repeat(200_000)}`;

  it("exits 1 for an invalid file if nobody reads on", async () => {
    const { code, stderr } = await passToNobody("a.json", `${LONG}x, 1]`, ["--no-snippet"]);
    assertEquals(
      [code, stderr],
      [1, "a.json:1:800002: error: Unexpected token 'x' (byte 1000001)\n1 of 1 file invalid\n"],
    );
    assertEquals(await passToNobody("a.json", `${LONG}x, 1]`, ["--quiet"]), { code: 1, stderr: "" });
  });

  it("exits 0 for a valid file if nobody reads on", async () => {
    assertEquals(await passToNobody("a.json", `${LONG}1]`), { code: 0, stderr: "ok  1 file, 977 KiB, T s\n" });
  });

  it("ends at the first failure of JSON Lines if nobody reads on", async () => {
    const lines = `${'"é"\n'.repeat(200_000)}[\n]\n`;
    const { code, stderr } = await passToNobody("a.jsonl", lines, ["--no-snippet"]);
    assertEquals(code, 1);
    assertEquals(
      stderr,
      "a.jsonl:200001:2: error: Unexpected end of JSON input (byte 1000001)\n" +
        "a.jsonl: 1 of 200001 documents invalid\n1 of 1 file invalid\n",
    );
  });

  it("reads standard input to its end silently if nobody reads on", async () => {
    for (const [last, code] of [['"last"\n', 0], ["]\n", 1]] as const) {
      await using run = startCli(".", ["check", "--pass", "--jsonl", "--quiet"], { isStdoutClosed: true });
      for (let i = 0; i < 20; i++) assertEquals(await run.write('"more"\n'.repeat(10_000)), true);
      await run.write(last);
      await run.close();
      assertEquals(await run.ended, { code, stdout: "", stderr: "" });
    }
  });

  it("treats a closed socket as a closed pipe", async () => {
    if (Deno.build.os === "windows") return console.log("skipped: Windows hands no sockets to programs");
    using folder = folderOf({ "bad.json": `${LONG}x` });
    const [program, args] = commandLine(["check", "--pass", "--quiet", "bad.json"]);
    // With unread data in a socket, closing it resets the connection.
    const script = `
import socket, subprocess, sys
ours, theirs = socket.socketpair()
process = subprocess.Popen(sys.argv[1:], stdout=theirs)
theirs.close()
ours.recv(10)
ours.close()
sys.exit(process.wait())`;
    try {
      const command = new Deno.Command("python3", { args: ["-c", script, program, ...args], cwd: folder.path });
      const { code, stderr } = await command.output();
      assertEquals([code, new TextDecoder().decode(stderr)], [1, ""]);
    } catch (error) {
      if (!(error instanceof Deno.errors.NotFound)) throw error;
      console.log("skipped: python3 is not installed");
    }
  });
});

describe("check: --fail-fast", () => {
  const FILES = { "a.json": "1", "b.jsonl": "1\n2\n}\n4\n]\n", "c.json": "[", "d.json": "4" };

  it("stops at the first failure", async () => {
    assertEquals(await check(FILES, ["--fail-fast", ...Object.keys(FILES)]), {
      code: 1,
      stdout: "",
      stderr: `\
b.jsonl:3:1: error: Unexpected token '}' (byte 4)
  2 | 2
  3 | }
    | ^
b.jsonl: 1 of 3 documents invalid
1 of 2 files invalid, 2 not checked
`,
    });
  });

  it("stops at the first file that cannot be read", async () => {
    const { code, stdout } = await check(FILES, ["--fail-fast", "--json", "a.json", "missing.json", "b.jsonl"]);
    assertEquals(code, 2);
    assertEquals(stdout.split("\n").slice(1, -1), [
      '{"type":"error","file":"missing.json","message":"no such file"}',
      '{"type":"summary","files":2,"valid":1,"invalid":0,"errors":1,"bytes":1,"unchecked":1,"ms":T,"exit":2}',
    ]);
  });
});

// Two of these are enough bytes for two workers to pay.
const LARGE = "[" + " ".repeat(2 ** 25);

/** Options that list the JSON files of a directory. */
const ANY = { isRecursive: true, extensions: ["json"] };

describe("check: --jobs", () => {
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
    assertEquals(workersFor(await findInputs([folder.path], ANY), 8), 2);
    const run = async (...args: string[]): Promise<Run> => {
      const { code, stdout, stderr } = await runCli(folder.path, ["check", "-r", ".", "missing.json", ...args]);
      return { code, stdout: withoutTime(stdout), stderr };
    };
    for (const args of [[], ["--json"], ["--fail-fast"]]) {
      const alone = await run("-j1", ...args);
      assertEquals(await run("--jobs", "2", ...args), alone);
      assertEquals(alone.code, args[0] === "--fail-fast" ? 1 : 2);
    }
  });

  it("validates on the main thread if no worker starts", async () => {
    if (isSkippedOutsideDeno("bundles have the module of the workers")) return;
    using folder = folderOf(FILES);
    using copy = folderOf({});
    copyCli(copy.path);
    Deno.removeSync(`${copy.path}/cli/check/worker.ts`);
    const { code, stderr } = await runCli(folder.path, ["check", "-r", "--no-snippet", "-j2"], { source: copy.path });
    assertEquals(code, 1);
    assertEquals(stderr.split("\n").at(-2), "4 of 6 files invalid");
  });

  it("starts workers only for large regular files", () => {
    const file = (size: number): Input => ({ path: "a", name: "a", size });
    assertEquals(workersFor([file(1000), file(1000)], 8), 0);
    assertEquals(workersFor(Array<Input>(100_000).fill(file(1000)), 8), 0);
    assertEquals(workersFor([file(1e9), file(1e9), file(1e9)], 2), 2);
    assertEquals(workersFor([file(1e9), file(1e9)], 8), 2);
    assertEquals(workersFor([file(1e9), { path: "-", name: "<stdin>" }], 8), 1);
  });
});

describe("check: --stats", () => {
  it("prints time, throughput and memory", async () => {
    const { stderr } = await check({ "a.json": "[1]" }, ["--stats", "a.json"]);
    const text = stderr.replaceAll(/\d+\.\d+|\d+ (?=[KM]iB$)/gm, (figure) => figure.endsWith(" ") ? "N " : "N");
    assertEquals(
      // The tests before it may have needed as much; external memory is about 1 MiB.
      text.replace("peak RSS    N GiB", "peak RSS    N MiB").replace("external    N MiB", "external    N KiB"),
      `\
ok  1 file, 3 B, T s
time        T s
throughput  N MiB/s
heap used   N MiB
external    N KiB
RSS         N MiB
peak RSS    N MiB
`,
    );
  });

  it("adds figures to the summary of --json", async () => {
    const { stdout } = await check({ "a.json": "[1]" }, ["--stats", "--json", "a.json"]);
    const { stats } = JSON.parse(stdout.split("\n")[1].replace('"ms":T,', ""));
    assertEquals(Object.keys(stats), ["mibPerSecond", "heapUsed", "external", "rss", "peakRss"]);
    for (const figure of Object.values(stats)) assertEquals(Number(figure) > 0, true);
    assertEquals(String(stats.mibPerSecond).replace(/^[0.]+|\.|e.*/g, "").length <= 3, true, stats.mibPerSecond);
  });
});

describe("check: special files and errors", () => {
  it("reads devices as streams", async () => {
    if (Deno.build.os === "windows") return console.log("skipped: Windows has neither");
    const { code, stderr } = await check({}, ["--no-snippet", "/dev/null", "/dev/zero"]);
    assertEquals(code, 1);
    assertEquals(
      stderr,
      `\
/dev/null:1:1: error: Unexpected end of JSON input (byte 0)
hint: the input is empty
/dev/zero:1:1: error: Unexpected byte 0x00 (byte 0)
2 of 2 files invalid
`,
    );
  });

  it("reads a FIFO", async () => {
    if (Deno.build.os === "windows") return console.log("skipped: Windows has no FIFOs");
    using folder = folderOf({});
    const { code: made } = await new Deno.Command("mkfifo", { args: [`${folder.path}/pipe`] }).output();
    assertEquals(made, 0);
    const run = runCli(folder.path, ["check", "-q", "pipe"]);
    await Deno.writeTextFile(`${folder.path}/pipe`, "[1, 2]");
    assertEquals((await run).code, 0);
  });

  it("exits 2 for a dangling link and for a name that is not UTF-8", async () => {
    if (Deno.build.os !== "linux") return console.log("skipped: made for Linux");
    using folder = folderOf({ "a.json": "1" });
    Deno.symlinkSync("gone.json", `${folder.path}/b.json`);
    const { code: made } = await new Deno.Command("sh", {
      args: ["-c", "printf 1 > \"$(printf 'c\\377.json')\""],
      cwd: folder.path,
    }).output();
    assertEquals(made, 0);
    const { code, stderr } = await runCli(folder.path, ["check", "-r", "--follow"]);
    assertEquals(code, 2);
    assertEquals(
      stderr,
      `\
bytejson: b.json: no such file
bytejson: c\ufffd.json: its name is not UTF-8; pass its content on standard input
2 of 3 files could not be read
`,
    );
  });

  it("exits 2 for a file without read permission", async () => {
    using folder = folderOf({ "a.json": "1", "b.json": "[" });
    if (Deno.build.os !== "windows") Deno.chmodSync(`${folder.path}/a.json`, 0);
    const denied = await runCliUnprivileged(folder.path, ["check", "--no-snippet", "a.json", "b.json"]);
    if (denied === undefined) return;
    assertEquals(denied.code, 2);
    assertEquals(
      denied.stderr,
      `\
bytejson: a.json: permission denied
b.json:1:2: error: Unexpected end of JSON input (byte 1)
1 of 2 files invalid, 1 of 2 files could not be read
`,
    );
  });

  it("reads a growing file to its current end", async () => {
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

  it("checks thousands of files", async () => {
    using folder = folderOf(Object.fromEntries(Array.from({ length: 3_000 }, (_, i) => [`${i}.json`, `{"i": ${i}}`])));
    const { code, stderr } = await runCli(folder.path, ["check", "-r"]);
    assertEquals([code, withoutTime(stderr)], [0, "ok  3000 files, 31.1 KiB, T s\n"]);
  });

  it("clips a long bad line without a line end", async () => {
    const { code, stderr } = await check({ "a.jsonl": `1\n[1,]${"x".repeat(3_000_000)}` });
    assertEquals(code, 1);
    assertEquals(
      stderr,
      `\
a.jsonl:2:4: error: Unexpected token ']' (byte 5)
  1 | 1
  2 | [1,]${"x".repeat(69)}…
    |    ^
hint: looks like a trailing comma; JSON has none
a.jsonl: 1 of 2 documents invalid
1 of 1 file invalid
`,
    );
  });

  it("exits 2 with one line if parallel jobs cannot write records", async () => {
    if (Deno.build.os !== "linux") return console.log("skipped: only Linux has /dev/full");
    using folder = folderOf({ "a.json": LARGE, "b.json": LARGE });
    assertEquals(workersFor(await findInputs(["a.json", "b.json"].map((name) => `${folder.path}/${name}`), ANY), 2), 2);
    assertEquals(
      await runCli(folder.path, ["check", "-j2", "--json", "a.json", "b.json"], { stdoutFile: "/dev/full" }),
      {
        code: 2,
        stdout: "",
        stderr: `bytejson check: cannot write to standard output: ${FULL_DEVICE}\n`,
      },
    );
  });
});

describe("check: pipes and interrupts", () => {
  it("keeps the exit code silently if the reader has gone", async () => {
    using folder = folderOf({ "bad.json": BAD });
    // More than a pipe holds.
    const args = ["check", "--json", ...Array<string>(2000).fill("bad.json")];
    const child = cliCommand(folder.path, args).spawn();
    await Promise.all([child.stdin.close(), child.stdout.cancel()]);
    const [{ code }, stderr] = await Promise.all([child.status, toText(child.stderr)]);
    assertEquals([code, stderr], [1, ""]);
  });

  it("prints a failure before the input ends", async () => {
    await using run = startCli(".", ["check"]);
    await run.write("[1,}");
    const { code, stderr } = await run.ended;
    assertEquals([code, stderr.split("\n")[1]], [1, "  1 | [1,}…"]);
  });

  it("prints the failures of JSON Lines as they come", async () => {
    await using run = startCli(".", ["check", "--jsonl"]);
    await run.write(`1\n[\n${"2\n".repeat(1000)}`);
    await run.said("stderr", "<stdin>:2:2: error:");
    await run.write("]\n");
    await run.close();
    assertEquals((await run.ended).stderr.split("\n").at(-3), "<stdin>: 2 of 1003 documents invalid");
  });

  it("exits 130 after an interrupt, with a summary", async () => {
    if (Deno.build.os === "windows") return console.log("skipped: Windows has no signal to send");
    using folder = folderOf({ "a.json": "[]" });
    const args = ["check", "--jsonl", "a.json", "-", "a.json"];
    await using screen = startCli(folder.path, args);
    await screen.write(`1\n[\n${"2\n".repeat(1000)}`);
    await screen.said("stderr", "error:");
    screen.interrupt();
    const { code, stderr } = await screen.ended;
    assertEquals(code, 130);
    assertEquals(
      stderr,
      `\
<stdin>:2:2: error: Unexpected end of JSON input (byte 3)
  1 | 1
  2 | [
    |  ^
<stdin>: 1 of 1002 documents invalid
bytejson: <stdin>: interrupted before its end
interrupted: 1 of 2 files invalid, 1 not checked
`,
    );
  });

  it("exits 130 after an interrupt, with a summary of --json", async () => {
    if (Deno.build.os === "windows") return console.log("skipped: Windows has no signal to send");
    using folder = folderOf({ "a.json": "[]" });
    await using records = startCli(folder.path, ["check", "--json", "a.json", "-"]);
    await records.said("stdout", "a.json");
    records.interrupt();
    const ended = await records.ended;
    assertEquals([ended.code, ended.stderr], [130, "bytejson: <stdin>: interrupted before its end\n"]);
    assertEquals(
      withoutTime(ended.stdout),
      `\
{"type":"result","file":"a.json","valid":true,"bytes":2}
{"type":"summary","files":1,"valid":1,"invalid":0,"errors":0,"bytes":2,"unchecked":1,"ms":T,"exit":130}
`,
    );
  });

  it("ends an endless input at an interrupt", async () => {
    if (Deno.build.os === "windows") return console.log("skipped: Windows has no signal to send");
    await using run = startCli(".", ["check", "--jsonl", "--no-snippet", "/dev/zero"]);
    await run.said("stderr", "error:");
    run.interrupt();
    const { code, stderr } = await run.ended;
    assertEquals([code, stderr.split("\n").slice(1)], [130, [
      "/dev/zero: 1 of 1 document invalid",
      "bytejson: /dev/zero: interrupted before its end",
      "interrupted: 1 of 1 file invalid",
      "",
    ]]);
  });
});
