/**
 * `bytejson check --format`: reports for editors, programs and services.
 */

import { assert, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { gzipSync } from "node:zlib";
import { Ajv } from "ajv";
import schema from "sarif-schema" with { type: "json" };
import { FORMATS } from "../../cli/commands.ts";
import config from "../../deno.json" with { type: "json" };
import { itRuns, type Row, runCli, type RunOptions, withoutTime } from "../support/run_cli.ts";
import { type Files, folderOf } from "../support/files.ts";
import { describeUnless, isWindows, itUnless } from "../support/skip.ts";

const FILES = { "good.json": "[1]", "comma.json": "[1,]", "lines.jsonl": "1\n[\n2\n[\n[" };
const INPUTS = "comma.json missing.json good.json lines.jsonl";

const MISSING = "bytejson: missing.json: no such file\n";
const SUMMARY = "2 of 4 files invalid, 1 of 4 files could not be read\n";
const ERRORS = `${MISSING}lines.jsonl: 3 of 5 documents invalid; 2 shown, --max-errors 0 shows all\n${SUMMARY}`;
const END = "Unexpected end of JSON input";
const COMMA = "looks like a trailing comma; JSON has none";

/** Runs check with a format. Returns its standard output. */
async function output(format: string, files: Files, names: readonly string[], options?: RunOptions): Promise<string> {
  using folder = folderOf(files);
  const args = ["check", "--format", format, "--max-errors=2", "--", ...names];
  return (await runCli(folder.path, args, options)).stdout;
}

describe("check --format", () => {
  const check = (format: string): string => `check --format ${format} --max-errors=2 ${INPUTS}`;
  const text: Row = {
    args: `check --max-errors=2 --no-snippet ${INPUTS}`,
    code: 2,
    stderr: `comma.json:1:4: error: Unexpected token ']' (byte 3)\nhint: ${COMMA}\n${MISSING}` +
      `lines.jsonl:2:2: error: ${END} (byte 3)\nlines.jsonl:4:2: error: ${END} (byte 7)\n${
        ERRORS.replace(MISSING, "")
      }`,
  };
  itRuns(FILES, {
    "text": text,
    "text, by its name": { ...text, args: `${text.args} --format=text` },
    "compact": {
      args: check("compact"),
      code: 2,
      stdout: `\
comma.json:1:4: error: Unexpected token ']'
lines.jsonl:2:2: error: ${END}
lines.jsonl:4:2: error: ${END}
`,
      stderr: ERRORS,
    },
    "github": {
      args: check("github"),
      code: 2,
      stdout: `\
::error file=comma.json,line=1,col=4,title=bytejson::Unexpected token ']'%0Ahint: ${COMMA}
::error file=missing.json,title=bytejson::no such file
::error file=lines.jsonl,line=2,col=2,title=bytejson::${END}
::error file=lines.jsonl,line=4,col=2,title=bytejson::${END}
`,
      stderr: ERRORS,
    },
    "junit": {
      args: `${check("junit")} <a&"b">.json`,
      code: 2,
      stdout: `\
<?xml version="1.0" encoding="UTF-8"?>
<testsuites>
<testsuite name="bytejson check">
<testcase classname="bytejson" name="comma.json"><failure type="unexpected-token" message="Unexpected token ']' at 1:4">
comma.json:1:4: Unexpected token ']' (${COMMA})
</failure></testcase>
<testcase classname="bytejson" name="missing.json"><error message="no such file"/></testcase>
<testcase classname="bytejson" name="good.json"/>
<testcase classname="bytejson" name="lines.jsonl"><failure type="unexpected-end" message="${END} at 2:2">
lines.jsonl:2:2: ${END}
lines.jsonl:4:2: ${END}
</failure></testcase>
<testcase classname="bytejson" name="&#60;a&#38;&#34;b&#34;&#62;.json"/>
</testsuite>
</testsuites>
`,
      stderr: ERRORS.replaceAll("of 4 files", "of 5 files"),
      files: { '<a&"b">.json': "1" },
    },
  });

  it("json is --json", async () => {
    using folder = folderOf(FILES);
    const runs = ["--format=json", "--json", "--json --format=json"].map(async (flags) => {
      const run = await runCli(folder.path, ["check", ...flags.split(" "), ...INPUTS.split(" ")]);
      return { ...run, stdout: withoutTime(run.stdout) };
    });
    const [json, ...others] = await Promise.all(runs);
    assertEquals([json.code, json.stderr, others], [2, MISSING, [json, json]]);
  });

  it("gitlab has an array of issues, each with a fingerprint of its own", async () => {
    const issues: { fingerprint: string }[] = JSON.parse(await output("gitlab", FILES, INPUTS.split(" ")));
    assertEquals(new Set(issues.map(({ fingerprint }) => fingerprint)).size, 3);
    const issue = (description: string, check_name: string, path: string, begin: number) => ({
      description,
      check_name,
      severity: "major",
      location: { path, lines: { begin } },
    });
    assertEquals(issues.map(({ fingerprint: _, ...issue }) => issue), [
      issue(`Unexpected token ']' (${COMMA})`, "unexpected-token", "comma.json", 1),
      ...[2, 4].map((begin) => issue(END, "unexpected-end", "lines.jsonl", begin)),
    ]);
    const [moved] = JSON.parse(await output("gitlab", { "comma.json": "\n\n[1,]" }, ["./comma.json"]));
    assertEquals([moved.fingerprint, moved.location.path], [issues[0].fingerprint, "comma.json"]);
  });

  it("json ends the record of failures if the rest cannot be read", async () => {
    const data = new Uint8Array(gzipSync("[\n1\n".repeat(30) + "1\n".repeat(1_000))).slice(0, -4);
    using folder = folderOf({ "a.jsonl.gz": data, "b.json": "1" });
    const { code, stdout } = await runCli(folder.path, ["check", "--json", "--max-errors=0", "a.jsonl.gz", "b.json"]);
    const [{ failures, ...error }, { file }, { errors }] = stdout.trimEnd().split("\n").map((line) => JSON.parse(line));
    assertEquals(error, { file: "a.jsonl.gz", type: "error", message: "its gzip data ends too early" });
    assertEquals([failures.length, file, errors, code], [30, "b.json", 1, 2]);
  });

  /** Name of standard input in each format, and output if nothing was found. */
  const OUTPUTS: Record<string, [stdin: RegExp, nothing: string | RegExp]> = {
    compact: [/^<stdin>:1:4:/, ""],
    github: [/file=<stdin>,/, ""],
    sarif: [/"text":"standard input"/, /"exitCode":2/],
    gitlab: [/"path":"<stdin>"/, "[]\n"],
    junit: [/ name="&#60;stdin&#62;"/, /^<\?xml/],
  };
  const stats = /^ok {2}1 file, 3 B, T s\ntime +T s\nthroughput /;
  const none = "bytejson check: no files to check: none match *.yaml\n";
  for (const [format, [ofStdin, nothing]] of Object.entries(OUTPUTS)) {
    const words = `check --format ${format}`;
    itRuns(FILES, {
      [`${format} has a summary on standard error`]: {
        args: `${words} good.json`,
        stdout: null,
        stderr: "ok  1 file, 3 B, T s\n",
      },
      [`${format} has none with --quiet`]: { args: `${words} --quiet good.json`, stdout: null },
      [`${format} has statistics there`]: { args: `${words} --stats good.json`, stdout: null, stderr: stats },
      [`${format} names standard input`]: { args: words, code: 1, stdout: ofStdin, stderr: null, stdin: "[1,]" },
      [`${format} says that nothing was found`]: {
        args: `${words} -r --ext=yaml`,
        code: 2,
        stdout: nothing,
        stderr: none,
      },
    });
  }
});

describe("paths in reports for GitHub and GitLab", () => {
  /** Formats, and the path in the output of each. */
  const PATHS: Record<string, RegExp> = {
    github: /file=([^,]*),/,
    sarif: /"uri":"([^"]*)"/,
    gitlab: /"path":"([^"]*)"/,
  };
  const allow = ["--allow-read", "--allow-env=GITHUB_WORKSPACE,CI_PROJECT_DIR"];

  for (const [format, pattern] of Object.entries(PATHS)) {
    it(`begin at the root of the repository: ${format}`, async () => {
      using folder = folderOf({ "packages/a/b.json": "[", "c.json": "[" });
      const root = folder.path;
      const pathOf = async (variable: string, root: string, name: string): Promise<string | undefined> => {
        const options = { env: { [variable]: root }, allow };
        const { stdout } = await runCli(`${folder.path}/packages/a`, ["check", "--format", format, name], options);
        return pattern.exec(stdout)?.[1];
      };
      assertEquals(await pathOf("GITHUB_WORKSPACE", root, "./b.json"), "packages/a/b.json");
      if (format !== "github") return; // which has the same paths
      assertEquals(await pathOf("CI_PROJECT_DIR", `${root}/`, "b.json"), "packages/a/b.json");
      assertEquals(await pathOf("GITHUB_WORKSPACE", root, "../../c.json"), "c.json");
      assertEquals(await pathOf("GITHUB_WORKSPACE", `${root}/packages`, `${root}/packages/a/b.json`), "a/b.json");
      assertEquals(await pathOf("GITHUB_WORKSPACE", `${root}/pack`, "b.json"), "b.json");
      assertEquals(await pathOf("HOME", root, "b.json"), "b.json");
    });
  }
});

describe("check --format sarif", () => {
  const { $schema: _, id: _id, ...sarifSchema } = schema as typeof schema & { id?: string }; // of draft 4
  const isValid = new Ajv({ strict: false, validateFormats: false, unicodeRegExp: false }).compile(sarifSchema);

  /** Runs a check. Returns the run of its log, which the schema of SARIF 2.1.0 accepts. */
  // deno-lint-ignore no-explicit-any
  async function log(files: Files = FILES, names = INPUTS.split(" "), options?: RunOptions): Promise<any> {
    const parsed = JSON.parse(await output("sarif", files, names, options));
    assertEquals([isValid(parsed), isValid.errors], [true, null]);
    assertEquals([parsed.version, parsed.runs.length], ["2.1.0", 1]);
    return parsed.runs[0];
  }

  it("has a rule for each code, a result for each failure, and unreadable files as notifications", async () => {
    const { tool: { driver }, results, invocations: [invocation] } = await log();
    assertEquals([driver.name, driver.semanticVersion], ["bytejson", config.version]);
    assertEquals(driver.rules, [
      { id: "unexpected-token", shortDescription: { text: "Unexpected token" } },
      { id: "unexpected-end", shortDescription: { text: "Unexpected end" } },
    ]);
    assertEquals(results.map(({ ruleIndex }: { ruleIndex: number }) => ruleIndex), [0, 1, 1]);
    const artifactLocation = { uri: "comma.json" };
    assertEquals(results[0], {
      ruleId: "unexpected-token",
      ruleIndex: 0,
      level: "error",
      message: { text: `Unexpected token ']' (${COMMA})` },
      locations: [{ physicalLocation: { artifactLocation, region: { startLine: 1, startColumn: 4 } } }],
      properties: { byteOffset: 3 },
    });
    assertEquals([invocation.executionSuccessful, invocation.exitCode], [false, 2]);
    const notification = (level: string, text: string, uri: string) => {
      return { level, message: { text }, locations: [{ physicalLocation: { artifactLocation: { uri } } }] };
    };
    assertEquals(invocation.toolExecutionNotifications, [
      notification("error", "no such file", "missing.json"),
      notification("warning", "1 failure of this file left out; --max-errors 0 shows all", "lines.jsonl"),
    ]);
  });

  it("says of each file how many failures are left out", async () => {
    const { results, invocations } = await log({ "a.jsonl": "[\n".repeat(5), "b.jsonl": "[\n" }, [
      "a.jsonl",
      "b.jsonl",
    ]);
    assertEquals(results.length, 3);
    // deno-lint-ignore no-explicit-any
    const texts = invocations[0].toolExecutionNotifications.map(({ message: { text } }: any) => text);
    assertEquals(texts, ["3 failures of this file left out; --max-errors 0 shows all"]);
  });

  it("has no results if all is valid", async () => {
    const { results, invocations } = await log({ "a.json": "1" }, ["a.json"]);
    assertEquals([results, invocations[0].executionSuccessful], [[], true]);
  });

  itUnless(isWindows && "Windows allows no such file names")("has paths as URI references", async () => {
    const uris = {
      "a b/c:d#é%.json": "a%20b/c%3Ad%23%C3%A9%25.json",
      "::add-mask::e.json": "%3A%3Aadd-mask%3A%3Ae.json",
      "##[add-mask]e.json": "%23%23%5Badd-mask%5De.json",
      "\x1b[2J\n.json": "%1B%5B2J%0A.json",
      "/tmp/none/x.json": "file:///tmp/none/x.json",
    };
    const { results, invocations } = await log({ "a b/c:d#é%.json": "[" }, Object.keys(uris));
    // deno-lint-ignore no-explicit-any
    const locations: any[] = [...results, ...invocations[0].toolExecutionNotifications];
    assertEquals(
      locations.map(({ locations: [location] }) => location.physicalLocation.artifactLocation.uri),
      Object.values(uris),
    );
  });
});

describeUnless(isWindows && "Windows allows no such file names")("names that are hostile", () => {
  const INVISIBLE = "\u061c\u200e\u200f\u200b\u200d\u2060\ufeff\u00ad\u034f\u3164\ufe0f\u{e0041}\u{e0100}";
  const NAMED =
    "<U+61C><U+200E><U+200F><U+200B><U+200D><U+2060><U+FEFF><U+AD><U+34F><U+3164><U+FE0F><U+E0041><U+E0100>";
  /** Names with log commands, control characters and invisible ones, by how text shows them. */
  const names: Record<string, string> = {
    "::add-mask::e.json": "./::add-mask::e.json",
    "::error file=a::b.json": "./::error file=a::b.json",
    " \u2003::add-mask::e.json": "./ \u2003::add-mask::e.json",
    "\u200b::add-mask::e.json": "<U+200B>::add-mask::e.json",
    "\n::add-mask::e.json": "␊::add-mask::e.json",
    "a\n::add-mask::e.json": "a␊::add-mask::e.json",
    "##[add-mask]e.json": "♯#[add-mask]e.json",
    "a###[add-mask]e.json": "a#♯#[add-mask]e.json",
    "a#\u200b#[add-mask]e.json": "a♯<U+200B>#[add-mask]e.json",
    "##vso[task.complete]e.json": "♯#vso[task.complete]e.json",
    "--- e.json": "./--- e.json",
    "#1.json": "./#1.json",
    "a::b##c.json": "a::b##c.json",
    "\x1b[2J\n.json": "␛[2J␊.json",
    "\u009b2J\u202e\x7f.json": "<U+9B>2J<U+202E>␡.json",
    "\x1b]0;t\x07a,b:c%\r\n\u009b2J\u202e##[add-mask].json": "␛]0;t␇a,b:c%␍␊<U+9B>2J<U+202E>♯#[add-mask].json",
    [`a${INVISIBLE}.json`]: `a${NAMED}.json`,
  };
  const all = Object.keys(names);
  const files = (content: string): Files => Object.fromEntries(all.map((name) => [name, content]));
  const shown = Object.values(names);
  const lines = (line: (shown: string) => string): string => shown.map((name) => `${line(name)}\n`).join("");
  const count = `of ${all.length} files`;
  itRuns(files("["), {
    "are shown in text": {
      args: ["check", "--no-snippet", "--jsonl", "--", ...all],
      code: 1,
      stderr: lines((name) => `${name}:1:2: error: ${END} (byte 1)\n${name}: 1 of 1 document invalid`) +
        `${all.length} ${count} invalid\n`,
    },
    "are shown in lines": {
      args: ["check", "--format=compact", "--", ...all],
      code: 1,
      stdout: lines((name) => `${name}:1:2: error: ${END}`),
      stderr: `${all.length} ${count} invalid\n`,
    },
  });
  itRuns({}, {
    "are shown of missing files": {
      args: ["check", "--", ...all],
      code: 2,
      stderr: lines((name) => `bytejson: ${name.replace(/^\.\//, "")}: no such file`) +
        `${all.length} ${count} could not be read\n`,
    },
  });

  it("are exact in records and URIs, which have no such characters", async () => {
    const records = await output("json", files("1"), all);
    assertEquals(records.split("\n").slice(0, -2).map((record) => JSON.parse(record).file), all);
    assert(!/[^\P{C}\n]|\p{DI}/u.test(records) && !/##[a-z]*\[/.test(records));
    const log = await output("sarif", files("["), all);
    const { results } = JSON.parse(log).runs[0];
    // deno-lint-ignore no-explicit-any
    const uris = results.map(({ locations: [{ physicalLocation }] }: any) => physicalLocation.artifactLocation.uri);
    assertEquals(uris.map(decodeURIComponent), all);
    assertEquals(/\p{DI}/u.test(log), false);
  });

  it("github escapes what delimits properties and lines, and percent signs, and keeps invisible characters", async () => {
    for (const [name, file] of [["a,b:c%\r\nd.json", "a%2Cb%3Ac%25%0D%0Ad.json"], [`a${INVISIBLE}.json`]]) {
      const line = `::error file=${file ?? name},line=1,col=2,title=bytejson::${END}\n`;
      assertEquals(await output("github", { [name]: "[" }, [name]), line);
    }
  });

  for (const format of FORMATS) {
    it(`have no effect on terminals and logs, nor has content: ${format}`, async () => {
      using folder = folderOf(files('["\x1b[2J##[add-mask]x\n::add-mask::y"'));
      const args = ["check", `--format=${format}`, "--", ...all, "missing\x1b[2J##[add-mask].json"];
      const { code, stdout, stderr } = await runCli(folder.path, args);
      assertEquals(code, 2);
      for (const text of [stdout, stderr]) {
        const effects =
          // deno-lint-ignore no-control-regex
          /[\0-\x09\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]|#\p{DI}*#[\w\p{DI}]*\[|^\s*::(?!error file=)/mu;
        assertEquals(effects.exec(text)?.[0], undefined, format);
      }
    });
  }
});
