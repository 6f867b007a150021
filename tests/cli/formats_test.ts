/**
 * `bytejson check --format`: reports for editors, programs and services.
 *
 * @module
 */

import { assert, assertEquals, assertMatch } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { gzipSync } from "node:zlib";
import Ajv from "ajv";
import schema from "sarif-schema" with { type: "json" };
import config from "../../deno.json" with { type: "json" };
import { cliCommand, folderOf, type Run, runCli, type RunOptions, startCli, withoutTime } from "../support/cli.ts";

const FILES = {
  "good.json": "[1]",
  "comma.json": "[1,]",
  "lines.jsonl": "1\n[\n2\n[\n[",
};
const INPUTS = ["comma.json", "missing.json", "good.json", "lines.jsonl"];

/** Formats of lines or of one document, without `json`, which has tests of its own. */
const MACHINE_FORMATS = ["compact", "github", "sarif", "gitlab", "junit"];

/** Runs `check --format` on files: all of them, unless `args` names others. */
async function check(
  format: string,
  files: Record<string, string | Uint8Array> = FILES,
  args: readonly string[] = INPUTS,
  options: RunOptions = {},
): Promise<Run> {
  using folder = folderOf(files);
  return await runCli(folder.path, ["check", "--format", format, "--max-errors=2", "--", ...args], options);
}

const ERRORS = `\
bytejson: missing.json: no such file
lines.jsonl: 3 of 5 documents invalid; 2 shown, --max-errors 0 shows all
2 of 4 files invalid, 1 of 4 files could not be read
`;

describe("check: --format", () => {
  it("text is the default", async () => {
    const text = await check("text");
    using folder = folderOf(FILES);
    assertEquals(await runCli(folder.path, ["check", "--max-errors=2", ...INPUTS]), text);
    assertEquals(text.stdout, "");
  });

  it("json is --json", async () => {
    const json = await check("json");
    using folder = folderOf(FILES);
    for (const flags of [["--json"], ["--json", "--format=json"]]) {
      const { code, stdout, stderr } = await runCli(folder.path, ["check", ...flags, "--max-errors=2", ...INPUTS]);
      assertEquals([code, withoutTime(stdout), stderr], [json.code, withoutTime(json.stdout), json.stderr]);
    }
  });

  it("compact has one line for each failure, and nothing else on standard output", async () => {
    assertEquals(await check("compact"), {
      code: 2,
      stdout: `\
comma.json:1:4: error: Unexpected token ']'
lines.jsonl:2:2: error: Unexpected end of JSON input
lines.jsonl:4:2: error: Unexpected end of JSON input
`,
      stderr: ERRORS,
    });
  });

  it("github has one command for each failure and unreadable file", async () => {
    assertEquals(await check("github"), {
      code: 2,
      stdout: `\
::error file=comma.json,line=1,col=4,title=bytejson::Unexpected token ']'%0Ahint: looks like a trailing comma; JSON has none
::error file=missing.json,title=bytejson::no such file
::error file=lines.jsonl,line=2,col=2,title=bytejson::Unexpected end of JSON input
::error file=lines.jsonl,line=4,col=2,title=bytejson::Unexpected end of JSON input
`,
      stderr: ERRORS,
    });
  });

  it("gitlab has an array of issues, each with a fingerprint of its own", async () => {
    const { stdout, stderr } = await check("gitlab");
    assertEquals(stderr, ERRORS);
    const issues: { fingerprint: string }[] = JSON.parse(stdout);
    assertEquals(new Set(issues.map(({ fingerprint }) => fingerprint)).size, 3);
    assertEquals(issues.map(({ fingerprint: _, ...issue }) => issue), [
      {
        description: "Unexpected token ']' (looks like a trailing comma; JSON has none)",
        check_name: "unexpected-token",
        severity: "major",
        location: { path: "comma.json", lines: { begin: 1 } },
      },
      ...[2, 4].map((begin) => ({
        description: "Unexpected end of JSON input",
        check_name: "unexpected-end",
        severity: "major",
        location: { path: "lines.jsonl", lines: { begin } },
      })),
    ]);
    const moved = JSON.parse((await check("gitlab", { "comma.json": "\n\n[1,]" }, ["./comma.json"])).stdout);
    assertEquals([moved[0].fingerprint, moved[0].location.path], [issues[0].fingerprint, "comma.json"]);
  });

  it("junit has a test case for each input", async () => {
    const { stdout, stderr } = await check("junit", { ...FILES, '<a & "b">.json': "1" }, [...INPUTS, '<a & "b">.json']);
    assertEquals(stderr.split("\n").at(-2), "2 of 5 files invalid, 1 of 5 files could not be read");
    assertEquals(
      stdout,
      `\
<?xml version="1.0" encoding="UTF-8"?>
<testsuites>
<testsuite name="bytejson check">
<testcase classname="bytejson" name="comma.json"><failure type="unexpected-token" message="Unexpected token ']' at 1:4">
comma.json:1:4: Unexpected token ']' (looks like a trailing comma; JSON has none)
</failure></testcase>
<testcase classname="bytejson" name="missing.json"><error message="no such file"/></testcase>
<testcase classname="bytejson" name="good.json"/>
<testcase classname="bytejson" name="lines.jsonl"><failure type="unexpected-end" message="Unexpected end of JSON input at 2:2">
lines.jsonl:2:2: Unexpected end of JSON input
lines.jsonl:4:2: Unexpected end of JSON input
</failure></testcase>
<testcase classname="bytejson" name="&#60;a &#38; &#34;b&#34;&#62;.json"/>
</testsuite>
</testsuites>
`,
    );
  });

  for (const format of MACHINE_FORMATS) {
    it(`${format} has statistics on standard error`, async () => {
      const { stdout, stderr } = await check(format, { "a.json": "1" }, ["a.json"]);
      using folder = folderOf({ "a.json": "1" });
      const withStats = await runCli(folder.path, ["check", "--format", format, "--stats", "a.json"]);
      assertEquals([withStats.stdout, withoutTime(stderr)], [stdout, "ok  1 file, 1 B, T s\n"]);
      assertMatch(withStats.stderr, /^ok {2}1 file, .*\ntime +\d.*\nthroughput /);
      const quiet = await runCli(folder.path, ["check", "--format", format, "--quiet", "a.json"]);
      assertEquals(quiet, { code: 0, stdout, stderr: "" });
    });

    it(`${format} reads standard input`, async () => {
      const { code, stdout } = await check(format, {}, ["-"], { stdin: "[1,]" });
      assertEquals(code, 1);
      assertMatch(
        stdout,
        {
          compact: /^<stdin>:1:4:/,
          github: /file=<stdin>,/,
          sarif: /"text":"standard input"/,
          gitlab: /"path":"<stdin>"/,
          junit: / name="&#60;stdin&#62;"/,
        }[format]!,
      );
    });

    it(`${format} says that nothing was found: exit 2`, async () => {
      using folder = folderOf({});
      const { code, stdout, stderr } = await runCli(folder.path, ["check", "-r", "--ext=json", `--format=${format}`]);
      assertEquals([code, stderr], [2, "bytejson check: no files to check: none match *.json\n"]);
      if (format === "sarif") assertEquals(JSON.parse(stdout).runs[0].invocations[0].exitCode, 2);
      else if (format === "gitlab") assertEquals(stdout, "[]\n");
      else if (format !== "junit") assertEquals(stdout, "");
    });
  }
});

describe("check: --format sarif", () => {
  const ajv = new Ajv({ schemaId: "id", meta: false, validateSchema: false });
  const { $schema: _, ...sarifSchema } = schema;
  const isValid = ajv.compile(sarifSchema);

  /** Runs a check. Returns its log, which the schema of SARIF 2.1.0 accepts. */
  // deno-lint-ignore no-explicit-any
  async function log(files?: Record<string, string>, args?: readonly string[], options?: RunOptions): Promise<any> {
    const { stdout } = await check("sarif", files, args, options);
    const parsed = JSON.parse(stdout);
    assert(isValid(parsed), JSON.stringify(isValid.errors));
    return parsed;
  }

  it("has a rule for each code, and a result for each failure", async () => {
    const { version, runs: [run] } = await log();
    assertEquals(version, "2.1.0");
    assertEquals([run.tool.driver.name, run.tool.driver.semanticVersion], ["bytejson", config.version]);
    assertEquals(run.tool.driver.rules, [
      { id: "unexpected-token", shortDescription: { text: "Unexpected token" } },
      { id: "unexpected-end", shortDescription: { text: "Unexpected end" } },
    ]);
    assertEquals(run.results.length, 3);
    assertEquals(run.results[0], {
      ruleId: "unexpected-token",
      ruleIndex: 0,
      level: "error",
      message: { text: "Unexpected token ']' (looks like a trailing comma; JSON has none)" },
      locations: [{
        physicalLocation: { artifactLocation: { uri: "comma.json" }, region: { startLine: 1, startColumn: 4 } },
      }],
      properties: { byteOffset: 3 },
    });
    assertEquals(run.results[2].ruleIndex, 1);
  });

  it("has unreadable files as notifications of a run that failed", async () => {
    const { runs: [{ invocations: [invocation] }] } = await log();
    assertEquals([invocation.executionSuccessful, invocation.exitCode], [false, 2]);
    assertEquals(invocation.toolExecutionNotifications, [{
      level: "error",
      message: { text: "no such file" },
      locations: [{ physicalLocation: { artifactLocation: { uri: "missing.json" } } }],
    }]);
  });

  it("is a log without results if all is valid", async () => {
    const { runs: [run] } = await log({ "a.json": "1" }, ["a.json"]);
    assertEquals([run.results, run.invocations[0].executionSuccessful], [[], true]);
  });

  it("has paths as URI references", async () => {
    if (Deno.build.os === "windows") return console.log("skipped: Windows allows no such file names");
    using folder = folderOf({});
    const names = [
      "a b/c:d#é%.json",
      "::add-mask::e.json",
      "##[add-mask]e.json",
      "\x1b[2J\n.json",
      `${folder.path}/x.json`,
    ];
    const { runs: [run] } = await log({ "a b/c:d#é%.json": "[" }, names);
    const locations = [...run.results, ...run.invocations[0].toolExecutionNotifications];
    const uris: string[] = locations.map(({ locations: [location] }) => location.physicalLocation.artifactLocation.uri);
    assertEquals(uris.slice(0, 4), [
      "a%20b/c%3Ad%23%C3%A9%25.json",
      "%3A%3Aadd-mask%3A%3Ae.json",
      "%23%23%5Badd-mask%5De.json",
      "%1B%5B2J%0A.json",
    ]);
    assertEquals(new URL(uris[4]).pathname, `${folder.path}/x.json`);
  });

  it("is complete after an interrupt", async () => {
    if (Deno.build.os === "windows") return console.log("skipped: Windows has no signal to send");
    using folder = folderOf({});
    await using run = startCli(folder.path, ["check", "--jsonl", "--format", "sarif", "missing.json", "-"]);
    await run.said("stderr", "missing.json");
    await run.write("[\n");
    await run.write("1\n".repeat(10_000));
    await run.said("stdout", '"ruleId"');
    run.interrupt();
    const { code, stdout } = await run.ended;
    const log = JSON.parse(stdout);
    assert(isValid(log), JSON.stringify(isValid.errors));
    const [{ results, invocations: [invocation] }] = log.runs;
    assertEquals([code, results.length], [130, 1]);
    assertEquals([invocation.executionSuccessful, invocation.exitCode], [false, 130]);
  });

  it("of standard input has no URI", async () => {
    const { runs: [{ results: [result] }] } = await log({}, ["-"], { stdin: "[" });
    assertEquals(result.locations[0].physicalLocation.artifactLocation, { description: { text: "standard input" } });
  });
});

describe("check: --format with hostile names", () => {
  const NAME = "\x1b]0;t\x07a,b:c%\r\n\u009b2J\u202e##[add-mask].json";

  /** Returns whether a terminal or a log acts on nothing in a text. */
  function isHarmless(text: string): boolean {
    // deno-lint-ignore no-control-regex
    return !/[\0-\x09\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]|#\p{DI}*#[\w\p{DI}]*\[/u.test(text);
  }

  for (const format of MACHINE_FORMATS) {
    for (const content of ["[", undefined]) {
      it(`prints ${content ? "an invalid" : "a missing"} file harmlessly: ${format}`, async () => {
        if (Deno.build.os === "windows") return console.log("skipped: Windows allows no such file names");
        const { code, stdout, stderr } = await check(format, content ? { [NAME]: content } : {}, [NAME]);
        assertEquals(code, content ? 1 : 2);
        assert(isHarmless(stdout), JSON.stringify(stdout));
        assert(isHarmless(stderr), JSON.stringify(stderr));
        if (["compact", "github"].includes(format)) {
          assertEquals(stdout.split("\n").length, content || format === "github" ? 2 : 1);
        }
      });
    }

    it(`prints content harmlessly: ${format}`, async () => {
      const { stdout } = await check(format, { "a.json": '["\x1b[2J##[add-mask]x\n::add-mask::y"' }, ["a.json"]);
      assert(isHarmless(stdout) && !stdout.includes("add-mask"), JSON.stringify(stdout));
    });
  }

  it("github escapes what delimits properties and lines, and percent signs", async () => {
    if (Deno.build.os === "windows") return console.log("skipped: Windows allows no such file names");
    const { stdout } = await check("github", { "a,b:c%\r\nd.json": "[" }, ["a,b:c%\r\nd.json"]);
    assertEquals(
      stdout,
      "::error file=a%2Cb%3Ac%25%0D%0Ad.json,line=1,col=2,title=bytejson::Unexpected end of JSON input\n",
    );
  });

  it("compact does not begin a line with a log command", async () => {
    if (Deno.build.os === "windows") return console.log("skipped: Windows allows no such file names");
    const { stdout } = await check("compact", { "::add-mask::e.json": "[" }, ["::add-mask::e.json"]);
    assertEquals(stdout, "./::add-mask::e.json:1:2: error: Unexpected end of JSON input\n");
  });
});

describe("check: --format json of many failures", () => {
  const LINES = "[\n1\n".repeat(30);

  it("has all of them in one record", async () => {
    using folder = folderOf({ "a.jsonl": LINES, "b.json": "[" });
    const args = ["check", "--json", "--max-errors=0", "--jobs=1", "a.jsonl", "b.json"];
    const { code, stdout } = await runCli(folder.path, args);
    const [many, one, summary, ...rest] = stdout.split("\n").slice(0, -1).map((line) => JSON.parse(line));
    assertEquals(rest, []);
    const { failures, ...fields } = many;
    assertEquals(failures.length, 30);
    assertEquals(failures[29], { offset: 117, line: 59, column: 2, code: "unexpected-end", message: MESSAGE });
    const first = { offset: 1, line: 1, column: 2, code: "unexpected-end", message: MESSAGE };
    const counts = { documents: 60, invalidDocuments: 30 };
    assertEquals(fields, { type: "result", file: "a.jsonl", valid: false, bytes: 120, ...first, ...counts });
    assertEquals([one.file, one.offset, summary.type, summary.invalid, code], ["b.json", 1, "summary", 2, 1]);
  });

  it("keeps its members in order up to 20 of them", async () => {
    using folder = folderOf({ "a.jsonl": LINES });
    const { stdout } = await runCli(folder.path, ["check", "--json", "a.jsonl"]);
    assertMatch(
      stdout,
      /^\{"type":"result","file":"a\.jsonl","valid":false,"bytes":120,"offset":1,.*"failures":\[.*\]\}\n/,
    );
  });

  it("ends the record if the rest cannot be read", async () => {
    const data = new Uint8Array(gzipSync(LINES + "1\n".repeat(1_000))).slice(0, -4);
    using folder = folderOf({ "a.jsonl.gz": data, "b.json": "1" });
    const { code, stdout, stderr } = await runCli(folder.path, [
      "check",
      "--json",
      "--max-errors=0",
      "a.jsonl.gz",
      "b.json",
    ]);
    const [{ failures, ...error }, { file }, { errors }] = stdout.split("\n").slice(0, -1).map((line) =>
      JSON.parse(line)
    );
    assertEquals(error, { file: "a.jsonl.gz", type: "error", message: "its gzip data ends too early" });
    assertEquals([failures.length, file, errors, code], [30, "b.json", 1, 2]);
    assertEquals(stderr, "bytejson: a.jsonl.gz: its gzip data ends too early\n");
  });

  const MESSAGE = "Unexpected end of JSON input";
});

describe("check: invisible characters", () => {
  const INVISIBLE = "\u061c\u200e\u200f\u200b\u200d\u2060\ufeff\u00ad\u034f\u3164\ufe0f\u{e0041}\u{e0100}";
  const NAMED =
    "<U+61C><U+200E><U+200F><U+200B><U+200D><U+2060><U+FEFF><U+AD><U+34F><U+3164><U+FE0F><U+E0041><U+E0100>";
  const FILE = `a${INVISIBLE}.json`;

  for (const format of ["text", "compact"]) {
    it(`are named in names: ${format}`, async () => {
      const { code, stdout, stderr } = await check(format, { [FILE]: "[" }, [FILE]);
      assertEquals(code, 1);
      assert((stdout + stderr).startsWith(`a${NAMED}.json:1:2: error: `), stdout + stderr);
      assertEquals(/\p{DI}/u.test(stdout + stderr), false);
      const { stderr: missing } = await check(format, {}, [FILE]);
      assert(missing.startsWith(`bytejson: a${NAMED}.json: no such file`), missing);
    });
  }

  it("are escaped in records and logs, which parse to the exact name", async () => {
    const { stdout } = await check("json", { [FILE]: "1" }, [FILE]);
    assertEquals(JSON.parse(stdout.split("\n")[0]).file, FILE);
    assertEquals(/\p{DI}/u.test(stdout), false);
    const log = await check("sarif", { [FILE]: "[" }, [FILE]);
    assertEquals(/\p{DI}/u.test(log.stdout), false);
    const { uri } = JSON.parse(log.stdout).runs[0].results[0].locations[0].physicalLocation.artifactLocation;
    assertEquals(decodeURIComponent(uri), FILE);
  });

  it("stay in the property by which GitHub finds the file", async () => {
    const { stdout } = await check("github", { [FILE]: "[" }, [FILE]);
    assert(stdout.startsWith(`::error file=${FILE},line=1,`), stdout);
  });
});

describe("check: --format on streams that fail", () => {
  for (const format of [...MACHINE_FORMATS, "json"]) {
    it(`ends with the result after SIGPIPE: ${format}`, async () => {
      if (Deno.build.os === "windows") return console.log("skipped: Windows has no signal to send");
      using folder = folderOf({});
      const child = cliCommand(folder.path, ["check", "--jsonl", "--format", format, "missing.json", "-"]).spawn();
      const errors = child.stderr.getReader();
      await errors.read(); // missing.json: it runs
      child.kill("SIGPIPE");
      const input = child.stdin.getWriter();
      await input.write(new TextEncoder().encode("[\n"));
      await input.close();
      const output = new Response(child.stdout).text();
      const { code, signal } = await child.status;
      assertEquals([code, signal], [2, null]);
      assert((await output).includes("Unexpected end"));
      await errors.cancel();
    });
  }
});
