/** `bytejson check` as a process: whole screens, records, exit codes. */

import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { cliCommand, folderOf, runCli, type RunOptions, withoutTime } from "./support/cli.ts";

const BAD = '{\n  "a": 1,\n  "b": 2,,\n}\n';
const BAD_SCREEN = `\
bad.json:3:10: error: Expected double-quoted property name (byte 21)
  2 |   "a": 1,
  3 |   "b": 2,,
    |          ^
`;

/** Runs `check` over files, all that are given unless `args` names others. */
async function check(files: Record<string, string | Uint8Array>, args = Object.keys(files), options?: RunOptions) {
  using folder = folderOf(files);
  const run = await runCli(folder.path, ["check", ...args], options);
  return { ...run, stdout: withoutTime(run.stdout), stderr: withoutTime(run.stderr) };
}

/** The lines drawn under the headline of a document's first failure. */
async function snippet(content: string | Uint8Array): Promise<string> {
  const { code, stderr } = await check({ "x.json": content });
  assertEquals(code, 1);
  return stderr.split("\n").slice(1, -2).filter((line) => !line.startsWith("hint: ")).join("\n");
}

describe("check: screens", () => {
  it("all valid", async () => {
    const files = { "a.json": "{}", "b.json": "[1, 2]", "c.json": " 3\n" };
    assertEquals(await check(files), { code: 0, stdout: "", stderr: "ok  3 files, 11 B, T s\n" });
  });

  it("one invalid among valid ones", async () => {
    const { code, stdout, stderr } = await check({ "a.json": "{}", "bad.json": BAD, "c.json": "[]" });
    assertEquals([code, stdout], [1, ""]);
    assertEquals(stderr, BAD_SCREEN + "1 of 3 files invalid\n");
  });

  it("an unreadable file wins over an invalid one, and the rest is checked", async () => {
    const { code, stderr } = await check({ "bad.json": BAD }, ["missing.json", ".", "bad.json"]);
    assertEquals(code, 2);
    assertEquals(
      stderr,
      "bytejson: missing.json: no such file\nbytejson: .: is a directory; -r checks the files in it\n" + BAD_SCREEN +
        "1 of 3 files invalid, 2 of 3 files could not be read\n",
    );
  });

  it("a missing permission is named", async () => {
    const { code, stderr } = await check({ "a.json": "{}" }, undefined, { allow: [] });
    assertEquals(code, 2);
    assertEquals(
      stderr,
      "bytejson: a.json: no permission to read it; run with --allow-read\n1 of 1 file could not be read\n",
    );
  });

  it("standard input, by name, by default and without permissions", async () => {
    const expected = {
      code: 1,
      stdout: "",
      stderr: "<stdin>:1:4: error: Unexpected token ']' (byte 3)\n  1 | [1,]\n    |    ^\n" +
        "hint: looks like a trailing comma; JSON has none\n1 of 1 file invalid\n",
    };
    for (const args of [["-"], []]) assertEquals(await check({}, args, { stdin: "[1,]\n", allow: [] }), expected);
  });

  it("no input content with --no-snippet", async () => {
    const { stderr } = await check({ "bad.json": BAD }, ["--no-snippet", "bad.json"]);
    assertEquals(stderr, BAD_SCREEN.split("\n")[0] + "\n1 of 1 file invalid\n");
  });

  it("--quiet leaves usage and I/O errors", async () => {
    const { code, stderr } = await check({ "bad.json": BAD }, ["-q", "bad.json", "missing.json"]);
    assertEquals([code, stderr], [2, "bytejson: missing.json: no such file\n"]);
    assertEquals(await check({ "bad.json": BAD }, ["--quiet", "bad.json"]), { code: 1, stdout: "", stderr: "" });
  });

  it("a file name cannot write to the terminal", async () => {
    if (Deno.build.os === "windows") return console.log("skipped: Windows allows no such file names");
    const { stderr } = await check({ "\x1b[2J\n.json": "[" });
    assertEquals(stderr.split("\n")[0], "␛[2J␊.json:1:2: error: Unexpected end of JSON input (byte 1)");
  });
});

describe("check: snippets", () => {
  const cases: Record<string, [content: string | Uint8Array, drawn: string]> = {
    "the input ends after a line end": ['{"a": [1,\n', '  1 | {"a": [1,\n  2 |\n    | ^'],
    "nothing at all": ["", "  1 |\n    | ^"],
    "CRLF": ['{\r\n "a": 1\r\n "b": 2\r\n}', '  2 |  "a": 1\n  3 |  "b": 2\n    |  ^'],
    "line numbers of different lengths": ["[\n".repeat(9) + "  x", "   9 | [\n  10 |   x\n     |   ^"],
    "tabs": ['{\n\t"a": "x\ty"\n}', '  1 | {\n  2 |     "a": "x␉y"\n    |            ^'],
    "a line end in a string": ['[\n "first\nsecond", 3\n]', '  1 | [\n  2 |  "first␊second", 3\n    |        ^'],
    "CRLF in a string": ['["a\r\nb"]', '  1 | ["a␍␊b"]\n    |    ^'],
    "other control bytes": ['["\x1b[31m\x00 \x7f", x]', '  1 | ["␛[31m␀ ␡", x]\n    |   ^'],
    "C1 controls and bidirectional overrides": ['["\u009b31m \u202e", x]', '  1 | ["�31m �", x]\n    |            ^'],
    "wide characters": ['{"名前": "値 한", x', '  1 | {"名前": "値 한", x\n    |                   ^'],
    "combining characters": ['["e\u0301o\u0308", x', '  1 | ["e\u0301o\u0308", x\n    |        ^'],
    "emoji": ['["👩‍👩‍👧🇩🇪👍🏽", x', '  1 | ["👩‍👩‍👧🇩🇪👍🏽", x\n    |            ^'],
    "malformed UTF-8": [
      new Uint8Array([0x5b, 0x22, 0x61, 0xff, 0xfe, 0x22, 0x5d]),
      '  1 | ["a��"]\n    |    ^',
    ],
    "a long line, clipped at both ends": [
      `["${"a".repeat(5000)}", oops, "${"b".repeat(5000)}"]`,
      `  1 | …${"a".repeat(33)}", oops, "${"b".repeat(29)}…\n    | ${" ".repeat(37)}^`,
    ],
    "a long line, clipped at the end": [
      `[oops, "${"b".repeat(5000)}"]`,
      `  1 | [oops, "${"b".repeat(65)}…\n    |  ^`,
    ],
    "a long line, clipped at the start": [
      `["${"a".repeat(5000)}", oops`,
      `  1 | …${"a".repeat(66)}", oops\n    | ${" ".repeat(70)}^`,
    ],
    "a long line of wide characters, cut between bytes of one": [
      `["${"漢".repeat(1000)}", oops]`,
      `  1 | …${"漢".repeat(32)}", oops]\n    | ${" ".repeat(68)}^`,
    ],
    "a long line before": [
      `["${"x".repeat(500)}",\n 1 2]`,
      `  1 | ["${"x".repeat(71)}…\n  2 |  1 2]\n    |    ^`,
    ],
    "an endless line before": [`["${"x".repeat(5000)}",\n 1 2]`, "  2 |  1 2]\n    |    ^"],
  };
  for (const [name, [content, drawn]] of Object.entries(cases)) {
    it(name, async () => assertEquals(await snippet(content), drawn));
  }
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

  it("goes on after a bad line; positions are the file's", async () => {
    assertEquals(await check({ "log.jsonl": LINES }), { code: 1, stdout: "", stderr: SCREEN });
  });

  it("by flag for any name", async () => {
    const { stderr } = await check({ log: LINES }, ["--jsonl", "log"]);
    assertEquals(stderr, SCREEN.replaceAll("log.jsonl", "log"));
  });

  it("valid, and empty", async () => {
    const files = { "a.ndjson": '{"a":1}\n{"b":2}\n', "b.jsonl": "" };
    assertEquals((await check(files)).stderr, "ok  2 files, 16 B, T s\n");
  });

  it("shows twenty errors of a file, or as many as --max-errors says", async () => {
    const files = { "a.jsonl": "[\n".repeat(25) };
    const errors = (stderr: string) => stderr.match(/ error: /g)!.length;
    const byDefault = await check(files);
    assertEquals(errors(byDefault.stderr), 20);
    assertEquals(
      byDefault.stderr.split("\n").at(-3),
      "a.jsonl: 25 of 25 documents invalid; 20 shown, --max-errors 0 shows all",
    );
    assertEquals(errors((await check(files, ["--max-errors", "3", "a.jsonl"])).stderr), 3);
    assertEquals(errors((await check(files, ["--max-errors=0", "a.jsonl"])).stderr), 25);
  });

  it("is hinted at where a second line is a second document", async () => {
    const { code, stderr } = await check({ "x.json": '{"a":1}\n{"b":2}\n' });
    assertEquals(code, 1);
    assertEquals(
      stderr,
      `\
x.json:2:1: error: Unexpected non-whitespace character after JSON (byte 8)
  1 | {"a":1}
  2 | {"b":2}
    | ^
hint: looks like JSON Lines; try --jsonl
1 of 1 file invalid
`,
    );
  });

  it("is not hinted at where --jsonl would not help", async () => {
    for (const content of ["{} {}", '{\n "a": 1\n}\n{}', "[1]]"]) {
      const { stderr } = await check({ "x.json": content });
      assertEquals(stderr.includes("hint:"), false, content);
    }
  });
});

describe("check: --json", () => {
  it("a record per file, then a summary", async () => {
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

  it("JSON Lines: the first failure, and all that are shown", async () => {
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

  const cases: [args: string[], env: Record<string, string>, expected: boolean][] = [
    [[], {}, false],
    [[], { FORCE_COLOR: "1" }, true],
    [[], { FORCE_COLOR: "0" }, false],
    [[], { FORCE_COLOR: "1", NO_COLOR: "1" }, false],
    [["--color=always"], { NO_COLOR: "1" }, true],
    [["--color=never"], { FORCE_COLOR: "1" }, false],
    [["--color=auto"], { FORCE_COLOR: "1" }, true],
  ];
  for (const [args, env, expected] of cases) {
    it(`${args.join(" ")} ${JSON.stringify(env)}`, async () => assertEquals(await coloured(args, env), expected));
  }

  it("does nothing but colour", async () => {
    const { stderr } = await check({ "bad.json": BAD }, ["--color", "always", "bad.json"]);
    // deno-lint-ignore no-control-regex
    assertEquals(stderr.replace(/\x1b\[\d+m/g, ""), BAD_SCREEN + "1 of 1 file invalid\n");
  });
});

describe("check: pipes and interrupts", () => {
  it("a reader that has gone changes no verdict and prints no trace", async () => {
    using folder = folderOf({ "bad.json": BAD });
    // More than a pipe holds.
    const args = ["check", "--json", ...Array<string>(2000).fill("bad.json")];
    const child = cliCommand(folder.path, args).spawn();
    await Promise.all([child.stdin.close(), child.stdout.cancel()]);
    const [{ code }, stderr] = await Promise.all([child.status, new Response(child.stderr).text()]);
    assertEquals([code, stderr], [1, ""]);
  });

  it("an interrupt ends it with 130; what was found stays", async () => {
    if (Deno.build.os === "windows") return console.log("skipped: Windows has no signal to send");
    using folder = folderOf({ "a.json": "[]" });
    const child = cliCommand(folder.path, ["check", "--json", "a.json", "-"]).spawn();
    const reader = child.stdout.getReader();
    const { value } = await reader.read();
    child.kill("SIGINT");
    const { code, signal } = await child.status;
    assertEquals([code, signal], [130, null]);
    assertEquals(new TextDecoder().decode(value), '{"type":"result","file":"a.json","valid":true,"bytes":2}\n');
    await Promise.all([reader.cancel(), child.stdin.abort(), child.stderr.cancel()]);
  });
});
