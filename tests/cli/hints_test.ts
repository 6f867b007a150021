/** Hints: which failures have one, and that whoever follows it succeeds. */

import { assert, assertEquals, assertMatch } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { fromHex } from "../support/bytes.ts";
import { itInProcess, runCli } from "../support/run_cli.ts";
import { folderOf } from "../support/files.ts";

const TO_UTF8 = "convert it to UTF-8";
const COMMENT = "looks like a comment; try --jsonc '*'";
const CONFLICT = "looks like a merge conflict; resolve it first";
const COMMA = "looks like a trailing comma; JSON has none";
const QUOTES = 'looks like another quotation mark; JSON has only "';
const INFINITY = "looks like Infinity; JSON has no such number, and JSON.stringify writes null";
const NAN = "looks like NaN; JSON has no such number, and JSON.stringify writes null";
const LINES = "looks like JSON Lines; try --jsonl";
const RETURNS = "looks like lines that end in CR alone; try --concatenated";
const SEVERAL = "looks like several documents; try --concatenated";
const EARLY = "the input ends early";
const MISSING_COMMA = "looks like a missing comma; JSON requires one between entries";
const TEMPLATE = "looks like a template; render it first";
const TRIPLE =
  'looks like a text in three quotation marks; JSON has one, \\n for line breaks, and \\" for quotation marks in the text';
const INNER_QUOTE = 'looks like a quotation mark in a string; JSON has \\" for it';
const LINE_BREAK = "looks like a line break in a string; JSON has \\n for it; or a closing quotation mark is missing";
const LINE_COMMAS = "looks like JSON Lines with a comma after each line; remove the commas, and try --jsonl";

type Content = string | Uint8Array;

/** Inputs of `check`, the hint about each, and the input after the hint has been followed. */
const CASES: [input: Content, hint: string | undefined, mended?: Content][] = [
  ["", "the input is empty"],
  ["\ufeff", "the input has only whitespace"],
  [fromHex("fffe7b00"), EARLY, "{}"],
  [fromHex("7b0022006100"), `looks like UTF-16; ${TO_UTF8}`, "{}"],
  [fromHex("fffe00007b000000"), `looks like UTF-32; ${TO_UTF8}`, "{}"],
  ["BZh91AY", "looks like bzip2; decompress it first", "{}"],
  [fromHex("fd377a585a00"), "looks like xz; decompress it first", "{}"],
  ["PK\x03\x04", "looks like a ZIP archive; extract it first", "{}"],
  ["\n<!DOCTYPE html>", "looks like HTML or XML, not JSON"],
  ["{}\n{}\n", LINES],
  ["{}\r\n {}\r\n", LINES],
  ['{"a":1}\n\n[1]', LINES],
  // The second of them ends on another line.
  ['{"a":1}\n\n[\n1]', SEVERAL],
  ['{\n"a":1}\n{}', SEVERAL],
  ["{}\r{}\r", RETURNS],
  ["{} {}", SEVERAL],
  ["1 -2", SEVERAL],
  // Its first line is out of sight.
  [`\n["${"x".repeat(3000)}"]\n{}`, SEVERAL],
  ["2024-11-27 panic: no space", undefined],
  ["2024-11-27", undefined],
  ["{} {", undefined],
  ["{} end", undefined],
  ["[1]]", undefined],
  ['{"a":1},\n{"a":2},\n', LINE_COMMAS, '{"a":1}\n{"a":2}\n'],
  ["1, 2", "looks like elements without the brackets of an array; JSON requires them", "[1, 2]"],
  ["[1\ufeff]", "looks like a byte-order mark; it may only stand at the very beginning", "[1]"],
  ["[1 // one\n]", COMMENT],
  ["{/* none */}", COMMENT],
  ["# none\n{}", "looks like a comment; JSON has none", "{}"],
  ["# none\n{}\n{}\n", "looks like a comment; JSON has none", "{}"],
  ["// none\n{}", COMMENT],
  ["# none\n{\n}", "looks like a comment; JSON has none", "{\n}"],
  ['["a/b" / 2]', undefined],
  ["[1,]", COMMA, "[1]"],
  ['{"a": 1,\n}', COMMA, '{"a": 1\n}'],
  ['{"a": 1,, "b": 2}', undefined],
  ["['a']", QUOTES, '["a"]'],
  ["{'a': 1}", QUOTES, '{"a": 1}'],
  ["{“a”: 1}", QUOTES, '{"a": 1}'],
  ['["\\\'"]', undefined],
  ["[NaN]", NAN, "[null]"],
  ["[Infinity]", INFINITY, "[null]"],
  ["[undefined]", "looks like undefined; JSON has null", "[null]"],
  ["[None]", "looks like None; JSON has null", "[null]"],
  ["[True]", "looks like True or False; JSON has true and false", "[true]"],
  ["{a: 1}", "looks like a property name without quotation marks; JSON requires them", '{"a": 1}'],
  ["[0x1F]", "looks like a hexadecimal, octal or binary number; JSON has only decimal ones", "[31]"],
  ["[007]", "looks like leading zeros; JSON has none", "[7]"],
  ["[.5]", "looks like a number that begins with a point; JSON requires a digit before it", "[0.5]"],
  ["[+1]", "looks like a plus sign before a number; JSON has none", "[1]"],
  ['["C:\\data"]', "looks like a literal backslash; JSON has \\\\ for it", '["C:\\\\data"]'],
  [fromHex("22eda080eda08022"), "looks like a surrogate in UTF-8 (CESU-8), which is malformed"],
  [fromHex("22636166e92022"), `looks like Latin-1 or Windows-1252; ${TO_UTF8}`, '"café "'],
  ["[1", EARLY, "[1]"],
  [fromHex("5b22c3"), EARLY, '["é"]'],
  ["[", undefined], // the message says so
  ["hello", undefined],
  ['{\n<<<<<<< HEAD\n"a": 1\n=======\n"a": 2\n>>>>>>> b\n}', CONFLICT, '{"a": 1}'],
  ['{\n"a": 1\n=======\n"b": 2}', CONFLICT, '{"a": 1}'],
  ['{"a": 1\n>>>>>>> b\n}', CONFLICT, '{"a": 1}'],
  ["[1, <<<<<<< HEAD]", undefined],
  ['["a" "b"]', MISSING_COMMA, '["a", "b"]'],
  ['{"a": {}\n "b": 2}', MISSING_COMMA, '{"a": {},\n "b": 2}'],
  ["[{}{}]", MISSING_COMMA, "[{},{}]"],
  ['{"a" "b"}', undefined],
  ['{"port": {{ port }}}', TEMPLATE, '{"port": 80}'],
  ['{"port": {{ "port" | int }}}', TEMPLATE, '{"port": 80}'],
  ["{{ values | to_json }}", TEMPLATE, "{}"],
  ["[{% for a in b %}1{% endfor %}]", TEMPLATE, "[1]"],
  ["{% if a %}{}{% endif %}", TEMPLATE, "{}"],
  ["[<%= port %>]", TEMPLATE, "[80]"],
  ["[${PORT}]", TEMPLATE, "[80]"],
  ['{{"a": 1}}', undefined],
  ['["""a\n"b"\n"""]', TRIPLE, '["a\\n\\"b\\"\\n"]'],
  ['["say "hi" now"]', INNER_QUOTE, '["say \\"hi\\" now"]'],
  ['{"a": "one\ntwo"}', LINE_BREAK, '{"a": "one\\ntwo"}'],
  ['{"a": "one,\r\n "b": 2}', LINE_BREAK, '{"a": "one",\r\n "b": 2}'],
  ['["\t"]', "looks like a tab in a string; JSON has \\t for it", '["\\t"]'],
  ['["\x01"]', undefined],
];

/** Inputs of lines, likewise. */
const LINE_CASES: typeof CASES = [
  ["\x1e{}\n", "looks like a JSON text sequence (RFC 7464); try --concatenated"],
  ["{}\r{}\r", RETURNS],
  ["{} {}\n", SEVERAL],
  ["[\n1,\n2\n]\n", "looks like a document on several lines; try --concatenated"],
  ['{\n  "a": 1\n}\n{\n  "a": 2\n}\n', "looks like a document on several lines; try --concatenated"],
  ['{"a":1\n{"a":2}\n', undefined],
  ['{"a":[\n', undefined],
  ['{"a":1},\n', "looks like JSON Lines with a comma after each line; remove the commas", '{"a":1}\n'],
  ["[1, // one\n2]\n", "looks like a comment; JSON has none", "[1]\n"],
  ["[1,]\n", COMMA, "[1]\n"],
  // The comma before a bracket on the next line is one of another document.
  ["1,\n]\n", "looks like JSON Lines with a comma after each line; remove the commas", "1\n"],
  ["2024-11-27 panic: no space\n", undefined],
];

/** Returns the hint about the first failure of a run. */
function hintIn(stderr: string): string | undefined {
  return /^hint: (.*)$/m.exec(stderr)?.[1];
}

/**
 * Returns a command line that follows a hint about an option; `undefined` if the hint names none.
 *
 * @param command The command with its first operand, if it has one.
 */
function followed(command: readonly string[], args: readonly string[], hint: string): string[] | undefined {
  const [, option, glob, other] = /; try (--[\w-]+)(?: '([^']*)')?(?: instead of (--[\w-]+))?/.exec(hint) ?? [];
  if (option !== undefined) {
    return [...command, option, ...glob === undefined ? [] : [glob], ...args.filter((arg) => arg !== other)];
  }
  const [, dropped] = /; try without (--[\w-]+)/.exec(hint) ?? [];
  return dropped === undefined ? undefined : [...command, ...args.filter((arg) => arg !== dropped)];
}

const shownOf = (input: Content): string =>
  typeof input === "string" ? JSON.stringify(input.slice(0, 60)) : input.toHex();

/** Inputs, and the arguments that read them: as one document, and as lines by name or by option. */
const WAYS: [cases: typeof CASES, args: string[]][] = [
  [CASES, ["-"]],
  [LINE_CASES, ["x.jsonl"]],
  [LINE_CASES, ["--jsonl", "-"]],
];

describe("hints", () => {
  for (const [cases, args] of WAYS) {
    for (const [input, expected, mended] of cases) {
      const hint = args.includes("--jsonl") ? expected?.replace(/--conc.*/, "$& instead of --jsonl") : expected;
      it(`${hint === undefined ? "no hint" : "a hint"}: ${shownOf(input)} with ${args.join(" ")}`, async () => {
        using folder = folderOf({ "x.jsonl": input });
        const run = (args: readonly string[], stdin: Content) => runCli(folder.path, args, { stdin });
        const { code, stderr } = await run(["check", ...args], input);
        assertEquals([code, hintIn(stderr)], [1, hint]);
        if (hint === undefined) return;
        const mendedArgs = followed(["check"], args, hint);
        if (mendedArgs !== undefined && mended === undefined) {
          assertEquals((await run(mendedArgs, input)).code, 0, mendedArgs.join(" "));
        } else if (mended !== undefined) {
          Deno.writeFileSync(`${folder.path}/x.jsonl`, new TextEncoder().encode(String(mended)));
          const options = /--(?:jsonl|concatenated)/.exec(hint) ?? [];
          assertEquals((await run(["check", ...options, ...args], mended)).code, 0);
        } else assert(!hint.includes("try"), hint);
      });
    }
  }

  const COMMANDS = [["check"], ["get", ""], ["each", ""], ["select", "{a}"], ["locate", ""], ["bench", "--no-memory"]];
  itInProcess("name no option that a command does not take, or that does not help there", async () => {
    for (const command of COMMANDS) {
      for (
        const [cases, args] of [[CASES, ["-"]], [LINE_CASES, ["x.jsonl"]], [LINE_CASES, ["--jsonl", "-"]]] as const
      ) {
        for (const [input, , mended] of cases) {
          using folder = folderOf({ "x.jsonl": input });
          const { stderr } = await runCli(folder.path, [...command, ...args], { stdin: input });
          const hint = hintIn(stderr);
          const mendedArgs = hint && mended === undefined ? followed(command, args, hint) : undefined;
          if (mendedArgs === undefined || command[0] === "bench") {
            assert(command[0] !== "bench" || !/try --(?:conc|jsonc)/.test(hint ?? ""), hint);
            continue;
          }
          const after = await runCli(folder.path, mendedArgs, { stdin: input });
          const errors = after.stderr.split("\n").filter((line) =>
            / error: (?!There is no array|Expected an array)|^bytejson/.test(line)
          );
          assertEquals(errors, [], `${mendedArgs.join(" ")}: ${shownOf(input)}`);
        }
      }
    }
  });

  it("name the file where there are several", async () => {
    using folder = folderOf({ "a/lines.json": "{}\n{}\n", "a/one.json": "{\n}\n" });
    const { stderr } = await runCli(folder.path, ["check", "a"]);
    assertEquals(hintIn(stderr), `${LINES} with this file alone`);
    assertEquals((await runCli(folder.path, ["check", "--jsonl", "a/lines.json"])).code, 0);
  });

  it("say what to do with compressed data", async () => {
    const gzip = new Uint8Array(
      await new Response(new Blob(["{}"]).stream().pipeThrough(new CompressionStream("gzip"))).arrayBuffer(),
    );
    const twice = new Uint8Array(
      await new Response(new Blob([gzip]).stream().pipeThrough(new CompressionStream("gzip"))).arrayBuffer(),
    );
    for (const command of [["check"], ["get", ""]]) {
      const { stderr } = await runCli(".", [...command, "--no-decompress", "-"], { stdin: gzip });
      assertEquals(hintIn(stderr), "looks like gzip; try without --no-decompress");
      assertEquals((await runCli(".", [...command, "-"], { stdin: gzip })).code, 0);
      const nested = await runCli(".", [...command, "-"], { stdin: twice });
      assertEquals(hintIn(nested.stderr), "looks like gzip; decompress it first");
    }
  });

  it("say that --strict refuses files whose names stand for JSON with comments", async () => {
    const files = ("a/x.jsonc tsconfig.build.json jsconfig.x.json a/.vscode/settings.json deno.json .swcrc nx.json " +
      "turbo.json biome.json wrangler.json typedoc.json angular.json babel.config.json cspell.json dprint.json bun.lock " +
      "rush.json .babelrc.json .eslintrc.json .markdownlint.json .oxlintrc.json").split(" ");
    for (const [text, sign] of [["[1, // one\n2]", "looks like a comment"], ["[1,]", "looks like a trailing comma"]]) {
      using folder = folderOf(Object.fromEntries(files.map((name) => [name, text])));
      const { stdout } = await runCli(folder.path, ["check", "--strict", "--json", ...files]);
      const hints = stdout.split("\n").slice(0, -2).map((record) => JSON.parse(record).hint);
      assertEquals(hints, files.map(() => `${sign}; try without --strict`));
      assertEquals((await runCli(folder.path, ["check", ...files])).code, 0);
    }
  });

  it("name a pattern that matches the file, and no other of its name", async () => {
    const names = ["a/b-c.json", "it's.json", "b-c.json", ".changeset/config.json"];
    using folder = folderOf({
      ...Object.fromEntries(names.map((name) => [name, "[/**/]"])),
      "x/a/b-c.json": "{}",
      "tsconfig.json": "# one\n1",
    });
    const globs = ["a/b-c.json", "/it?s.json", "/b-c.json", ".changeset/config.json"];
    for (const [i, name] of names.entries()) {
      for (const path of [name, `./${name}`, `${folder.path}/${name}`]) {
        const { stderr } = await runCli(folder.path, ["check", path, "tsconfig.json"]);
        const [, glob] = /hint: looks like a comment; try --jsonc '(.*)'/.exec(stderr)!;
        if (path[0] !== "/") assertEquals(glob, globs[i]);
        const after = await runCli(folder.path, ["check", "--jsonc", glob, path]);
        assertEquals(after.code, 0, `${path}: ${glob}`);
        const { stdout } = await runCli(folder.path, ["check", "--format=compact", "--jsonc", glob, ...names]);
        assertEquals(stdout.split("\n").length, names.length, glob);
      }
    }
    const { stderr } = await runCli(folder.path, ["check", "tsconfig.json"]);
    assertEquals(hintIn(stderr), "looks like a comment; JSON has none");
  });

  it("say what accepts a name that occurs twice", async () => {
    using folder = folderOf({ "package.json": '{"a":1,"a":2}', "x.json": '{"a":1,"a":2}' });
    const rows: [args: string[], hint: string][] = [
      [["package.json"], "the first one is at byte 1; JSON.parse keeps the last value; try --no-unique-keys"],
      [["--unique-keys", "package.json"], "try --no-unique-keys instead of --unique-keys"],
      [["--unique-keys", "x.json"], "the first one is at byte 1; JSON.parse keeps the last value"],
    ];
    for (const [args, hint] of rows) {
      const found = hintIn((await runCli(folder.path, ["check", ...args])).stderr)!;
      assert(found.endsWith(hint), found);
      const after = followed(["check"], args, found);
      if (after !== undefined) assertEquals((await runCli(folder.path, after)).code, 0);
    }
  });
});

describe("pointers of other notations", () => {
  const rows: [text: string, meant: string | undefined][] = [
    ["$.items[0].p", "/items/0/p"],
    [".items[0].p", "/items/0/p"],
    ["items[0].p", "/items/0/p"],
    ["#/items/0/p", "/items/0/p"],
    ["items/0/p", "/items/0/p"],
    ["$['items'][0][\"p\"]", "/items/0/p"],
    [".items[0].a/b", undefined],
    ['.items[0]."a/b~"', "/items/0/a~1b~0"],
    ["#/items/1/%C3%A9", "/items/1/é"],
    ["#/%", undefined],
    ["$", ""],
    [".items[].p", undefined],
    ["$.items[*].p", undefined],
    ["$..p", undefined],
    ["d.json", undefined],
  ];
  for (const [text, meant] of rows) {
    it(`${text} ${meant === undefined ? "is not understood" : `means '${meant}'`}`, async () => {
      using folder = folderOf({ "d.json": '{"items":[{"p":1,"a/b~":1},{"é":1}]}' });
      for (
        const command of [["get", text], ["locate", text], ["each", text], ["select", "--where", `${text} = 1`]]
      ) {
        const { code, stderr } = await runCli(folder.path, [...command, "d.json"]);
        const [, found] = /\(did you mean '(.*)'\?\)/.exec(stderr) ?? [];
        assertEquals([code, found], [2, meant], stderr);
        if (meant === undefined || command[0] === "each") continue;
        const after = command.map((word) => word.replace(text, () => meant));
        assertEquals((await runCli(folder.path, [...after, "d.json"])).code, 0);
      }
    });
  }

  it("are recognised where there is no value, too", async () => {
    const { code, stderr } = await runCli(".", ["get", "/a[0]"], { stdin: '{"a":[1]}' });
    assertEquals([code, stderr], [1, "bytejson get: there is no value at '/a[0]' (did you mean '/a/0'?)\n"]);
    const located = await runCli(".", ["locate", "/a[0]", "-"], { stdin: '{"a":[1]}' });
    assertEquals(located.stderr, "bytejson locate: <stdin> has no value at '/a[0]' (did you mean '/a/0'?)\n");
  });
});

describe("reports of bad lines", () => {
  const stdin = '{"a":1}\n{"a":}\n{"a":3}\n{"a":4,}\n\n{"a":5}}\n';

  it("take one line each from the second on, without the line before", async () => {
    const { code, stderr } = await runCli(".", ["select", "{a}"], { stdin });
    assertEquals(code, 1);
    assertEquals(
      stderr,
      `<stdin>:2:6: error: Unexpected token '}' (byte 13)
  2 | {"a":}
    |      ^
<stdin>:4:8: error: Expected double-quoted property name (byte 30)
<stdin>:6:8: error: Unexpected non-whitespace character after JSON (byte 40)
<stdin>: 3 of 5 documents invalid
`,
    );
  });

  it("are left out with --quiet", async () => {
    for (const command of [["select", "{a}"], ["get", "/a"], ["each", ""]]) {
      const { code, stderr } = await runCli(".", [...command, "-q", "-"], { stdin });
      assertEquals([code, stderr], [1, ""]);
      assertMatch((await runCli(".", [...command, "-q", "none"])).stderr, /none: no such file/);
    }
  });
});
