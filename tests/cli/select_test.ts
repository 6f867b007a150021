/**
 * The commands `select`, `get`, `each` and `locate`, compared with the results of `JSON.parse` and
 * of `check`, for inputs in whatever pieces they come.
 */

import { assert, assertEquals, assertMatch } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { looksLikeLines } from "../../cli/input/json_lines.ts";
import { type ObjectPicture, parseMask, type Picture } from "../../cli/select/mask_text.ts";
import { utf8 } from "../support/bytes.ts";
import { type Condition, every } from "../../select.ts";
import { isDeno, itFails, itInProcess, itPrints, itRuns, type Run, runCli, withoutTime } from "../support/run_cli.ts";
import { conditionText, fulfils, randomCondition, valuesAt } from "../support/random_conditions.ts";
import { nestedDocument } from "../support/random_documents.ts";
import { corrupt } from "../support/mutations.ts";
import { pointerOf } from "../support/pointing.ts";
import { type Random, withSeedsAsync } from "../support/random.ts";

const LINES =
  '{"t":1,"level":"info","http":{"status":200,"path":"/a"}}\n{"t":2,"level":"error","http":{"status":500}}\n';
const [INFO, ERROR] = LINES.split(/(?<=\n)/);
const PAGE = '{\n  "data": [\n    { "id": 7, "name": "Tea" },\n    { "id": 8 }\n  ],\n  "next": null\n}\n';
const FILES = {
  "log.jsonl": LINES,
  "log.txt": LINES,
  "bad.jsonl": `{"t":0}\n{"t":}\n${LINES}`,
  "page.json": PAGE,
  "bad.json": '{"t":1,\n"u":[1,]}',
  "-x.json": '{"a":1}',
  "mixed.txt": '{"t":1}\n{\r"t":2}\r\n{"t":3}\n',
};

const BAD_LINE = "bad.jsonl:2:6: error: Unexpected token '}' (byte 13)\n";
const BAD_LINES = `${BAD_LINE}  2 | {"t":}\n    |      ^\nbad.jsonl: 1 of 4 documents invalid\n`;
const BAD = "bad.json:2:8: error: Unexpected token ']' (byte 15)\n";
const COMMA = "hint: looks like a trailing comma; JSON has none\n";

describe("select", () => {
  const members = '{"t":1,"http":{"status":200}}\n{"t":2,"http":{"status":500}}\n';
  itRuns(FILES, {
    "prints a line for each line of a file": { args: "select {t,http:{status}} log.jsonl", stdout: members },
    "needs no permission for standard input": { args: "select {t} -", stdout: '{"t":1}\n', stdin: INFO, allow: [] },
    "goes on after a bad line": {
      args: "select {t} bad.jsonl",
      code: 1,
      stdout: '{"t":0}\n{"t":1}\n{"t":2}\n',
      stderr: BAD_LINES,
    },
    "goes on after a bad line that it need not buffer": {
      args: "select --where /t>1 bad.jsonl",
      code: 1,
      stdout: ERROR,
      stderr: BAD_LINES,
    },
    "counts bad lines beyond --max-errors": {
      args: "select {t} --jsonl --no-snippet",
      code: 1,
      stdout: '{"t":1}\n',
      stderr:
        /^(?:<stdin>:\d+:1: error: .*\n){20}<stdin>: 30 of 31 documents invalid; 20 shown, --max-errors 0 shows all\n$/,
      stdin: "]\n".repeat(30) + '{"t":1}\n',
    },
    "leaves out bad lines": {
      args: "select {t} --skip-invalid bad.jsonl log.jsonl",
      stdout: '{"t":0}\n{"t":1}\n{"t":2}\n{"t":1}\n{"t":2}\n',
      stderr: "bad.jsonl: 1 of 4 documents invalid, left out\n",
    },
    "leaves out bad lines silently": { args: "select --where /t>1 --skip-invalid -q bad.jsonl", stdout: ERROR },
    "leaves out no bad document": {
      args: "select {t} --skip-invalid --no-snippet bad.json",
      code: 1,
      stderr: BAD + COMMA,
    },
    "prints nothing of an invalid document": {
      args: "select {t} --no-snippet bad.json page.json",
      code: 1,
      stdout: "{}\n",
      stderr: BAD + COMMA,
    },
    "keeps lines with a value": { args: 'select --where /level="error" log.jsonl', stdout: ERROR },
    "keeps lines with a member": { args: ["select", "--where", "/http/path exists", "log.jsonl"], stdout: INFO },
    "keeps lines without a member": {
      args: ["select", "--where", "/http/path exists false", "log.jsonl"],
      stdout: ERROR,
    },
    "keeps lines with one of several values": {
      args: ["select", "--where", "/t in [2, 3]", "log.jsonl"],
      stdout: ERROR,
    },
    "may keep nothing": { args: "select --where /nope=1 log.jsonl" },
    "keeps lines of standard input": { args: "select --where /t=2", stdout: ERROR, stdin: LINES },
    "prints CSV": { args: "select --csv {t,http:{path}} log.jsonl", stdout: "t,http.path\n1,/a\n2,\n" },
    "prints rows that match": { args: "select --csv {t,level} --where /t=2 log.jsonl", stdout: "t,level\n2,error\n" },
    "goes on after files that cannot be read": {
      args: "select {t} gone.json . log.jsonl",
      code: 2,
      stdout: '{"t":1}\n{"t":2}\n',
      stderr: "bytejson: gone.json: no such file\nbytejson: .: is a directory\n",
    },
    "names a missing permission": {
      args: "select {t} log.jsonl",
      code: 2,
      stderr: "bytejson: log.jsonl: no permission to read it; run with --allow-read\n",
      allow: [],
      isDenied: true,
    },
  });
  itPrints(FILES, {
    "select {data:[{id}]} page.json log.txt": '{"data":[{"id":7},{"id":8}]}\n{}\n{}\n',
    "select --where=/http/status>=200 --where=/t<2 {t} log.jsonl": '{"t":1}\n',
  });
});

describe("get and each", () => {
  itRuns(FILES, {
    "get prints null": { args: "get /next page.json", stdout: "null\n" },
    "get --raw prints the text of a string": { args: "get --raw /data/0/name page.json", stdout: "Tea\n" },
    "get prints the whole document": {
      args: ["get", "", "page.json"],
      stdout: `${JSON.stringify(JSON.parse(PAGE))}\n`,
    },
    "get prints nothing of an invalid document": {
      args: "get /t --no-snippet bad.json",
      code: 1,
      stderr: `${BAD}${COMMA}`,
    },
    "each prints the elements of an array": {
      args: "each /data page.json",
      stdout: '{"id":7,"name":"Tea"}\n{"id":8}\n',
    },
    "each prints the first ones": { args: "each /data --first 1 page.json", stdout: '{"id":7,"name":"Tea"}\n' },
    "each --raw prints the text of strings": { args: ["each", "", "--raw"], stdout: "a\n1\n", stdin: '["a", 1]' },
  });
  itFails(FILES, 1, {
    "each /next page.json":
      'page.json:6:11: error: Expected an array at the JSON Pointer (byte 77)\n  5 |   ],\n  6 |   "next": null\n' +
      "    |           ^\n",
    "each /rows page.json": "page.json:1:1: error: There is no value at '/rows' (byte 0)\n  1 | {\n    | ^\n",
  });
});

describe("locate", () => {
  itRuns(FILES, {
    "prints the location of a value": { args: "locate /data/1/id page.json", stdout: "page.json:4:13\n" },
    "reads standard input": { args: "locate /next -", stdout: "<stdin>:6:11\n", stdin: PAGE },
    "takes file names that look like options after --": { args: "locate /a -- -x.json", stdout: "./-x.json:1:6\n" },
    "prints the other locations if a pointer leads nowhere": {
      args: "locate /nope /next page.json",
      code: 1,
      stdout: "page.json:6:11\n",
      stderr: "bytejson locate: page.json has no value at '/nope'\n",
    },
    "prints the locations in each line": {
      args: "locate /t /http/path --no-snippet bad.jsonl",
      code: 1,
      stdout: "bad.jsonl:1:6\nbad.jsonl:3:6\nbad.jsonl:3:51\nbad.jsonl:4:6\n",
      stderr: BAD_LINE,
    },
    "counts lines by all line ends": {
      args: "locate /t mixed.txt",
      stdout: "mixed.txt:1:6\nmixed.txt:3:5\nmixed.txt:4:6\n",
    },
    "exits 1 for a bad document": { args: "locate /t --no-snippet bad.json", code: 1, stderr: `${BAD}${COMMA}` },
    "exits 2 for none": { args: "locate /t gone.json", code: 2, stderr: "bytejson: gone.json: no such file\n" },
  });
  itPrints(FILES, { "locate /next /data page.json": "page.json:6:11\npage.json:2:11\n" });
});

/** Runs a command on an input that comes in pieces of some bytes. */
async function run(args: readonly string[], stdin: string | Uint8Array, pieceBytes?: number): Promise<Run> {
  const options = { stdin, ...pieceBytes !== undefined && { pieceBytes } };
  const found = await runCli(".", [...args, "--no-snippet"], options);
  return { ...found, stderr: withoutTime(found.stderr) };
}

/** Runs a command on an input, and asserts the same output for pieces of many sizes. */
async function runCut(args: readonly string[], text: string): Promise<Run> {
  const whole = await run(args, text);
  for (const size of isDeno ? [1, 2, 3, 5, 7, 16, 40] : []) {
    assertEquals(await run(args, text, size), whole, `pieces of ${size} bytes`);
  }
  return whole;
}

/** Asserts the standard output of a command without failures, however the input is cut. */
async function assertOutput(args: readonly string[], text: string, stdout: string): Promise<void> {
  assertEquals(await runCut(args, text), { code: 0, stdout, stderr: "" });
}

/**
 * Asserts the standard output of a command, and the places of failures, however the input is cut.
 */
async function assertFailures(args: readonly string[], text: string, stdout: string, places: string): Promise<void> {
  const { code, stdout: output, stderr } = await runCut(args, text);
  assertEquals([code, output], [1, stdout]);
  assertEquals([...stderr.matchAll(/^<stdin>:(\d+:\d+): error: /gm)].map(([, place]) => place).join(" "), places);
}

describe("masks", () => {
  const cases: { mask: string; document: string; expected: string }[] = [
    { mask: "{b,a}", document: '{ "a" : 1 , "b" : 2 }', expected: '{"b":2,"a":1}' },
    // Bytes of values.
    { mask: "{a}", document: '{"a":1.50e+2}', expected: '{"a":1.50e+2}' },
    { mask: "{a}", document: '{"a":"\\u0041\\/é"}', expected: '{"a":"\\u0041\\/é"}' },
    { mask: "{a}", document: '{"a": {"c" : [1, " 2 \\" ", { }] } }', expected: '{"a":{"c":[1," 2 \\" ",{}]}}' },
    // Other kinds.
    { mask: "{a}", document: "5", expected: "5" },
    { mask: "[[{a}]]", document: '[[{"a":1},[2]],[]]', expected: '[[{"a":1},null],[]]' },
    // Elements at indexes, in the order of the mask.
    { mask: "[2,0]", document: '["a",{"b": 1},[2]]', expected: '[[2],"a"]' },
    { mask: "[ 10 , 1]", document: "[5,6]", expected: "[null,6]" },
    {
      mask: "{a:[0,1],b:[{c:[1]}]}",
      document: '{"a":[],"b":[{"c":[1,2]},{"c":{}},{"c":7}]}',
      expected: '{"a":[null,null],"b":[{"c":[2]},{},{"c":7}]}',
    },
    { mask: "[[1,0]]", document: '[[1,2],[3],{"0":1},4]', expected: "[[2,1],[null,3],null,4]" },
    // The last of several members counts, also over one of another kind.
    { mask: "{a,b}", document: '{"a":1,"b":3,"a":2}', expected: '{"a":2,"b":3}' },
    { mask: "{a:{b},c}", document: '{"a":{"b":1},"c":0,"a":{"x":1}}', expected: '{"a":{},"c":0}' },
    { mask: "{a:{b,c}}", document: '{"a":{"c":1,"b":1,"c":2}}', expected: '{"a":{"b":1,"c":2}}' },
    // All members.
    { mask: "{b,*}", document: '{"c":1,"b":2,"a":3}', expected: '{"b":2,"c":1,"a":3}' },
    { mask: "{*:{v}}", document: '{"x":{"v":1,"w":2},"y":{},"z":[1]}', expected: '{"x":{"v":1},"y":{}}' },
    { mask: "{*}", document: '{"\\u0061":1}', expected: '{"\\u0061":1}' },
    // Names.
    { mask: '{"a b",é,$x}', document: '{"$x":1,"é":2,"a b":3}', expected: '{"a b":3,"é":2,"$x":1}' },
    { mask: '{"__proto__":{a}}', document: '{"__proto__":{"a":1,"b":2}}', expected: '{"__proto__":{"a":1}}' },
    { mask: '{"\\ud800"}', document: '{"\\ud800":1}', expected: '{"\\ud800":1}' },
    {
      mask: `{${Array.from({ length: 40 }, (_, i) => `n${i}`)}}`,
      document: '{"n39":1,"n0":{"a": 2}}',
      expected: '{"n0":{"a":2},"n39":1}',
    },
    // Indented, and with all kinds of line ends.
    {
      mask: "{a:{b}}",
      document: '{\n  "a": {\r\n    "b": [\r      1,\n      2\n    ]\n  }\n}\n',
      expected: '{"a":{"b":[1,2]}}',
    },
    { mask: "{a}", document: '\ufeff{"a":1}', expected: '{"a":1}' },
  ];
  for (const { mask, document, expected } of cases) {
    it(`${mask.slice(0, 40)} of ${JSON.stringify(document)}`, async () => {
      await assertOutput(["select", mask], document, `${expected}\n`);
      // The same on a line of its own, among others; a byte-order mark stands at the
      // beginning only.
      if (document.includes("\n") || document.startsWith("\ufeff")) return;
      await assertOutput(["select", mask, "--jsonl"], `${document}\r\n\n${document}\n`, `${expected}\n${expected}\n`);
    });
  }

  it("drop members that later ones of the same name replace", async () => {
    const text = "x".repeat(2 ** 19);
    const members = Array.from({ length: 20 }, (_, i) => `"a":"${i}${text}","b":${i}`);
    const { stdout } = await run(["select", "{b,a}"], `{${members}}`);
    assert(stdout === `{"b":19,"a":"19${text}"}\n`);
  });
});

describe("lines", () => {
  const cases: Record<string, [text: string, stdout: string]> = {
    "two lines": ['{"a":1}\n{"a":2}', '{"a":1}\n{"a":2}\n'],
    "blank lines between": ['\n {"a":1}\r\n\r\n{"a":2}\n', '{"a":1}\n{"a":2}\n'],
    "scalars": ["1\n2\n", "1\n2\n"],
    "a byte-order mark": ['\ufeff{"a":1}\n{"a":2}\n', '{"a":1}\n{"a":2}\n'],
    "one line and white space": ['{"a":1}\n \n', '{"a":1}\n'],
    "a document of several lines": ['{"a":\n1}\n', '{"a":1}\n'],
  };
  for (const [name, [text, stdout]] of Object.entries(cases)) {
    it(`are recognised by their content: ${name}`, () => assertOutput(["select", "{a}"], text, stdout));
  }

  it("may be longer than any piece", async () => {
    const long = "y".repeat(2 ** 20);
    const lines = [
      `{"skipped":"${long}","a":1}`,
      '{"a":2}',
      `{"a":"${long}","b":[${"1, ".repeat(2 ** 18)}1]}`,
      `{"${long}":1,"a":3}`,
      '{"a":4}',
    ];
    for (const piece of [2 ** 14, 2 ** 18]) {
      const { stdout, stderr } = await run(["select", "{a}", "--jsonl"], lines.join("\n"), piece);
      assert(
        stderr === "" && stdout === `{"a":1}\n{"a":2}\n{"a":"${long}"}\n{"a":3}\n{"a":4}\n`,
        `pieces of ${piece} bytes`,
      );
      const { stdout: kept } = await run(["select", "--where", "/a>=1", "--jsonl"], lines.join("\n"), piece);
      assert(kept === [lines[0], lines[1], lines[3], lines[4], ""].join("\n"), `where: pieces of ${piece} bytes`);
    }
  });

  it("may be nested to any depth, however they arrive", async () => {
    const levels = 300_000;
    const nest = "[".repeat(levels) + "]".repeat(levels);
    const lines = `{"a":${nest},"b":1}\n{"b":2}\n`;
    for (const piece of [2 ** 16, 2 ** 24]) {
      const expect = async (args: string[], stdin: string, expected: string) => {
        const { code, stdout } = await run([...args, "--jsonl"], stdin, piece);
        assert(code === 0 && stdout === expected, `${args} in pieces of ${piece} bytes`);
      };
      await expect(["select", "{b}"], lines, '{"b":1}\n{"b":2}\n');
      await expect(["select", "{a}"], lines, `{"a":${nest}}\n{}\n`);
      await expect(["select", "--where", "/b<3"], lines, lines);
      await expect(["get", "/a"], lines, `${nest}\n`);
      await expect(["each", ""], `[1,${nest}]\n`, `1\n${nest}\n`);
    }
  });

  it("show their whole end after a failure, however they arrive", async () => {
    const text = ["[1,]", ..."xyz", `{"a":x${"b".repeat(40)}é}`, `{"a":x${"b".repeat(3000)}}`, "{}", "{x}"].join("\n");
    for (const args of [["select", "{a}"], ["get", "/a"], ["each", ""], ["select", "--where", "/a=1"]]) {
      const command = [...args, "--jsonl"];
      const { stderr } = await runCli(".", command, { stdin: text });
      for (const pieceBytes of isDeno ? [1, 7, 16, 40, 1000] : []) {
        assertEquals((await runCli(".", command, { stdin: text, pieceBytes })).stderr, stderr, `${pieceBytes} bytes`);
      }
    }
  });

  const ROW = '{"a":2}';
  const firstLines: { first: string; rest: string; isLines: boolean }[] = [
    { first: 'vel":"info","a":1}', rest: `\n${ROW}\n${ROW}\n`, isLines: true },
    { first: "POST _bulk", rest: `\r\n${ROW}\r\n`, isLines: true },
    { first: '{"a":}', rest: `\n\n ${ROW}`, isLines: true },
    { first: '{"a":"cut', rest: `\n${ROW}\n{"b":3}\n`, isLines: true },
    { first: "\ufeffbanner", rest: `\n${ROW}`, isLines: true },
    { first: "\n \nbanner", rest: `\n${ROW}`, isLines: true },
    { first: '{"a":1} {"a":1}', rest: `\n${ROW}\n`, isLines: true },
    { first: "banner", rest: "\n5\n", isLines: true },
    { first: "banner", rest: '\n"long":1}\n', isLines: false },
    { first: "banner", rest: `\n${ROW},\n`, isLines: false },
    { first: "[1,,", rest: "\n2\n]", isLines: false },
    { first: '{"a":1,', rest: `\n${ROW}\n`, isLines: false },
    { first: "banner", rest: "\n", isLines: false },
    { first: "banner", rest: "", isLines: false },
  ];
  for (const { first, rest, isLines } of firstLines) {
    it(`are found after a failure in the first one: ${JSON.stringify(first + rest)}`, async () => {
      const text = first + rest;
      for (const args of [["select", "{a}"], ["select", "{a}", "--where", "/a>1"], ["get", "/a"], ["get", ""]]) {
        if (!isLines) {
          const { stdout, stderr } = await runCut(args, text);
          assertEquals([stdout, stderr.match(/error/g)?.length], ["", 1]);
        } else {
          const expected = await run([...args, "--jsonl"], text);
          const stderr = expected.stderr.replace(" instead of --jsonl", ""); // of the hint
          assertEquals(await runCut(args, text), { ...expected, stderr });
        }
      }
      const { code, stdout } = await runCut(["locate", "/a", "-"], text);
      assertEquals([code, stdout !== ""], [1, isLines && rest.includes("{")]);
    });
  }

  it("that each open an array are read in linear time", async () => {
    const { stdout, stderr } = await run(["select", "{a}", "--jsonl"], '[\n{"a":1}\n'.repeat(100_000));
    assertEquals(stdout.length, 800_000);
    assertMatch(stderr, /: 100000 of 200000 documents invalid;/);
  });

  it("end where a line ends, and nowhere else", async () => {
    const text = '{"a":1\n}\n{"a":2} {"a":3}\n{"a":4}\r\n{"a":5}';
    await assertFailures(["select", "{a}", "--jsonl"], text, '{"a":4}\n{"a":5}\n', "1:7 2:1 3:9");
  });

  it("are reported as invalid even if they do not match", async () => {
    const text = '{"a":1}\n{"a":1} x\n{"a":2,}\n';
    await assertFailures(["select", "--where", "/a=1", "--jsonl"], text, '{"a":1}\n', "2:9 3:8");
  });

  it("are read no further than the last wanted result", async () => {
    const text = '{"a":1}\n{"a":2}\n{"a":wrong}\n';
    await assertOutput(["select", "{a}", "--first", "2", "--jsonl"], text, '{"a":1}\n{"a":2}\n');
    await assertOutput(["select", "--where", "/a>1", "--first", "1"], text, '{"a":2}\n');
    await assertOutput(["get", "/a", "--first", "1"], '{"a":1,"a":2} wrong', "1\n");
    await assertFailures(["get", "/a", "--first", "2", "--jsonl"], '{"a":1}\n{"a":\n2}\n{"a":3}', "1\n3\n", "2:6 3:2");
    const three = '{"a":1,"a":2}\n{"b":0}\n{"a":3}\n{"a":4} wrong';
    for (const [first, values] of ["1\n", "2\n3\n", "2\n3\n4\n"].entries()) {
      await assertOutput(["get", "/a", "--first", `${first + 1}`], three, values);
    }
    const documents = '{\n"a":1}\n{"b":0, "a":2}{"b":[],"a":3}\n{\n"a":4} {';
    for (const [first, values] of ["1", "1\n2", "1\n2\n3", "1\n2\n3\n4"].entries()) {
      await assertOutput(["get", "/a", "--first", `${first + 1}`], documents, `${values}\n`);
      const rows = ["select", "--tsv", "{a}", "--where", "/a>0", "--first", `${first + 1}`, "--concatenated"];
      await assertOutput(rows, documents, `a\n${values}\n`);
    }
    const values = '{"a":1,"a":2}\n{}\n{"a":3} wrong\n{"a":4}';
    assertEquals((await run(["get", "/a", "--first", "2", "--jsonl"], values)).stdout, "2\n3\n");
    const lines = [1, 2, 3, 4].map((value) => `{"a":${value}}\n`);
    for (let count = 1; count <= 5; count++) {
      const first = String(count);
      const wanted = lines.slice(0, count).join("");
      await assertOutput(["select", "{a}", "--first", first], lines.join(""), wanted);
      await assertOutput(["select", "--where", "/a>0", "--first", first], lines.join(""), wanted);
      await assertOutput(["get", "/a", "--first", first], lines.join(""), wanted.replaceAll(/\{"a":|\}/g, ""));
      await assertOutput(
        ["each", "/a", "--first", first],
        `{"a":[${[1, 2, 3, 4]}]}`,
        wanted.replaceAll(/\{"a":|\}/g, ""),
      );
    }
  });

  it("are not assumed for an empty input, unless its name or an option says so", async () => {
    for (const args of [["select", "{a}"], ["select", "--where", "/a=1"], ["get", "/a"], ["each", "/a"]]) {
      for (const text of ["", " \n"]) {
        await assertFailures(args, text, "", text === "" ? "1:1" : "2:1");
        const { code, stdout, stderr } = await run([...args, "--jsonl"], text);
        const isFound = args[0] !== "get";
        assertEquals([code, stdout, stderr], [
          isFound ? 0 : 1,
          "",
          isFound ? "" : "bytejson get: there is no value at '/a'\n",
        ]);
      }
    }
  });
});

describe("conditions", () => {
  /** Conditions by values that meet them, and by others. */
  const cases: Record<string, [kept: string[], dropped: string[]]> = {
    '/v="x"': [['"x"', '"\\u0078"'], ['"xy"', "120"]],
    '/v="é\\n"': [['"\\u00e9\\u000a"'], []],
    '/v!="x"': [['"y"', "null"], ['"\\u0078"']],
    "/v=5": [["5.0", "50e-1"], ['"5"']],
    "/v=9007199254740993": [["9007199254740993"], ["9007199254740992"]],
    "/v<9007199254740993": [["9007199254740992"], []],
    "/v>-9007199254740993": [["-9007199254740992"], []],
    "/v<100000000000000000000": [["99999999999999999999"], []],
    "/v>=-1": [["123456789012345678901234567890"], []],
    "/v>5": [[], ['"6"', "null"]],
    // Exactly, not as doubles.
    "/v=0.1": [["0.1", "1.00e-1"], ["0.10000000000000000555"]],
    "/v>0.1": [["0.10000000000000000555"], ["0.1"]],
    // Texts by their code points.
    '/v>="2026-11-27T11:05"': [['"2026-11-27T11:05:59Z"', '"2026-11-27T11:\\u00305"'], ['"2026-11-27T11:04"', "3000"]],
    '/v<"\ue000"': [['"\ud7ff"', '"\\ud800"'], ['"😀"', '"\\ud83d\\ude00"', '"\ue000"']],
    '/v^="/api/"': [['"/api/"', '"\\/api/x"', '"/ap\\u0069/x"'], ['"/api"', '"/apx/"', '["/api/"]']],
    '/v$="é😀"': [['"é😀"', '"x\\u00e9\\ud83d\\ude00"'], ['"é😀 "', '"\\ude00"']],
    '/v*=""': [['""', '"x"'], ["0"]],
    '/v*="n\\n"': [['"n\\n"', '"an\\u000ab"'], ['"\\n\\n"', '"nn"', '{"n":"n\\n"}']],
    // Any element or member, and names in quotes.
    '/v/*="db"': [['["x","db"]', '{"a":"db"}'], ["[]", '"db"', '[["db"]]']],
    "/v/*/w>1": [['[{"w":1},{"w":2}]', '{"a":{"w":2}}'], ['{"w":2}', '[{"w":1}]']],
    '/v/"*"=1': [['{"*":1}'], ['{"a":1}', "[1]"]],
    '/v/"a/b=1"="x" and /v/"or"=2': [['{"a/b=1":"x","or":2}'], ['{"a/b=1":"x"}']],
    // Joined, "and" before "or".
    "/v=1 or /v=2 and /a=2": [["1"], ["2", "3"]],
    "(/v=1 or /v=2) and /a=1": [["1", "2"], ["3"]],
    "/a=1 and not /v=1 and not (/v=2 or /v/x exists)": [["3", "{}"], ["1", "2", '{"x":1}']],
    "not not /v exists": [["null"], []],
    "/v/0/w=1": [['[{"w":1}]'], []],
    '="x"': [[], ['"x"']],
    '/v/b=c<d="x=y"': [['{"b=c<d":"x=y"}'], ['{"b":"c<d"}']],
    '/v/1=2c="x"': [['{"1=2c":"x"}'], ["[0,2]"]],
    "/v/not in/b or c=1": [['{"not in":{"b or c":1}}'], []],
    "/v/b, c exists": [['{"b, c":1}'], ['{"b":1,"c":1}']],
  };
  for (const [condition, [kept, dropped]] of Object.entries(cases)) {
    it(`${condition} keeps ${kept.join(" ") || "nothing"}, and drops ${dropped.join(" ") || "nothing"}`, async () => {
      const lines = [...kept, ...dropped].map((value) => `  {"a" : 1, "v":${value}} \r\n`);
      const select = ["select", "--jsonl", "--where", condition];
      const { stdout } = await runCut(select, lines.map((line) => `{}\n${line}\n"x"\n{"v":[]}\n`).join(""));
      assertEquals(stdout.match(/^ {2}[^\n]*\n/gm) ?? [], lines.slice(0, kept.length));
      const parts = await runCut([...select, "{a}"], lines.map((line) => `{"b":1}\n${line}`).join(""));
      assertEquals(parts, { code: 0, stdout: '{"a":1}\n'.repeat(kept.length), stderr: "" });
      const members = await runCut([...select, "{*}"], lines.join(""));
      assertEquals(members.stdout.split("\n").length - 1, kept.length);
    });
  }

  it("must all hold, with values both whole and in parts", async () => {
    const text = '{"a":{"b":1}}\n{"a":{"b":1,"c":2}}\n';
    const both = (one: string, other: string) => ["select", "--where", one, "--where", other];
    await assertOutput(both("/a/b=1", '/a={"b":1}'), text, '{"a":{"b":1}}\n');
    await assertOutput(both("/a/b=1", "/a/c>1"), text, '{"a":{"b":1,"c":2}}\n');
  });

  it("pass one document byte for byte", async () => {
    const text = '{\n  "a": 1\n}\n';
    await assertOutput(["select", "--where", "/a=1"], text, text);
    await assertOutput(["select", "--where", "/a=2"], text, "");
    await assertOutput(["select", "--where", "/a=1", "{a}"], text, '{"a":1}\n');
  });
});

describe("documents of another kind", () => {
  const ROWS = '[ {"id": 1, "n": 2}, {"id": 3} ]';
  const OBJECT = "error: Expected an object, as the";
  const each = "bytejson each '' FILE | bytejson select";
  const refused: { args: string[]; text: string; message: string }[] = [
    {
      args: ["select", "{id,n}"],
      text: ROWS,
      message: `${OBJECT} mask has: try '[{id,n}]', or ${each} '{id,n}' (byte 0)`,
    },
    {
      args: ["select", "--where", "/id=1", "{id}"],
      text: ROWS,
      message: `${OBJECT} conditions need one: try ${each} --where … (byte 0)`,
    },
    {
      args: ["select", "--where", "/id=1 or /n=2"],
      text: "[]",
      message: `${OBJECT} conditions need one: try ${each} --where … (byte 0)`,
    },
    {
      args: ["select", "{id}"],
      text: "\n []",
      message: `${OBJECT} mask has: try '[{id}]', or ${each} '{id}' (byte 2)`,
    },
    { args: ["select", "[0]"], text: '{"0":1}', message: "error: Expected an array, as the mask has (byte 0)" },
    {
      args: ["select", "[ {id} ]"],
      text: '{"id":1}',
      message: "error: Expected an array, as the mask has: try '{id}' (byte 0)",
    },
    {
      args: ["each", "/rows"],
      text: '\n{"row":[1]}\n\n',
      message: "<stdin>:2:1: error: There is no value at '/rows' (byte 1)",
    },
    {
      args: ["each", "/items[0]"],
      text: "{}",
      message: "error: There is no value at '/items[0]' (did you mean '/items/0'?) (byte 0)",
    },
  ];
  for (const { args, text, message } of refused) {
    it(`are refused by ${args.join(" ")}: ${JSON.stringify(text)}`, async () => {
      const { code, stdout, stderr } = await runCut(args, text);
      assertEquals([code, stdout, stderr.includes(`${message}\n`)], [1, "", true], stderr);
    });
  }

  it("are refused line by line, and others printed", async () => {
    await assertFailures(
      ["select", "{a}", "--jsonl"],
      '{"a":1}\n[]\n [{"a":2}]\n{"a":3}',
      '{"a":1}\n{"a":3}\n',
      "2:1 3:2",
    );
    await assertFailures(["each", "/d", "--jsonl"], '{"d":[1]}\n {}\n{"d":[2]}', "1\n2\n", "2:2");
  });

  it("are accepted if conditions can hold for arrays", async () => {
    for (const where of ["/0/id=1", "not /id=5", "/id exists false", "/id=7 or /0 exists"]) {
      await assertOutput(["select", "--where", where], ROWS, `${ROWS}\n`);
    }
    await assertOutput(["select", "--where", "/id=1", "--jsonl"], `${ROWS}\n{"id":1}\n`, '{"id":1}\n');
    await assertOutput(["select", "--where", "/1/id=1"], ROWS, "");
  });
});

describe("inputs without a document", () => {
  for (const text of ["", " \r\n\t", "\ufeff", "\n"]) {
    it(`are invalid unless they are lines: ${JSON.stringify(text)}`, async () => {
      const commands = [["check"], ["select", "{a}"], ["select", "--where", "/a=1"], ["get", "/a"], ["each", "/a"]];
      for (const args of commands) {
        const { code, stdout, stderr } = await runCut(args, text);
        assertEquals([code, stdout], [1, ""]);
        assertMatch(stderr, /: error: Unexpected end of JSON input /);
        if (text === "\ufeff") continue;
        const lines = await runCut([...args, "--jsonl"], text);
        assertEquals([lines.code, lines.stdout], [args[0] === "get" ? 1 : 0, ""], args[0]);
      }
      assertEquals((await runCut(["locate", "/a", "-"], text)).code, 1);
    });
  }
});

describe("--json-array", () => {
  const commands: (readonly string[])[] = [
    ["select", "{a}"],
    ["select", "{a,*}"],
    ["select", "--where", "/a>1"],
    ["select", "--where", "/a>1", "{a}", "--first", "1"],
    ["get", "/b"],
    ["each", "/b"],
    ["each", "/c", "--entries"],
  ];
  const inputs: Record<string, string> = {
    "lines":
      '\ufeff {"a":1,"b":["x,\\n"],"c":{"d":[1, 2]}} \r\n\n{"a":2,"b":[],"c":{"e":"\\u00e9"}}\n{"a":3,"b":[{}],"c":{}}',
    "one document": '\n {\n "a":2,\r\n "b":[[ ],2],"c":{}}\n\n',
    "documents": '{\n "a":2}\n{"a":1, "b":[1]}{"b":[],"c":{"f":1},"a":5}',
    "lines, one of them bad": '{"a":2,"b":[1]}\n{"a":9,"b":[5],"c":}\n{"a":3,"b":[]}\n',
    "no document": " \n",
  };
  for (const [name, text] of Object.entries(inputs)) {
    it(`has the results of ${name}`, async () => {
      for (const args of commands) {
        const lines = await run(args, text);
        const array = await runCut([...args, "--json-array"], text);
        const expected = lines.stdout.trim().split(/\n(?=\S)/).join(",\n");
        assertEquals(array, { ...lines, stdout: lines.stdout === "" ? "[]\n" : `[\n${expected}\n]\n` }, args.join(" "));
        JSON.parse(array.stdout);
      }
    });
  }

  it("ends after an input that cannot be read, and is empty without lines", async () => {
    const { code, stdout } = await runCli(".", ["get", "/a", "--json-array", "-", "gone.json"], { stdin: '{"a":1}' });
    assertEquals([code, stdout], [2, "[\n1\n]\n"]);
    await assertOutput(["select", "{a}", "--jsonl", "--json-array"], "", "[]\n");
  });
});

describe("rows", () => {
  const TEXT = '{"a":"x,y","b":{"c":1.50}}\n{"b":{"c":"say \\"hi\\"\\n"},"a":null}\n{"a":"","b":[]}\n' +
    '{"a":{"k": [1,2]},"b":7}\n{}\n{"a":"tab\\t\\\\\\u00e9"}\n';
  const cases: Record<string, [args: string[], text: string, stdout: string]> = {
    "are CSV below a header": [
      ["--csv", '{a,b:{c,"d,e"}}'],
      TEXT,
      'a,b.c,"b.d,e"\n"x,y",1.50,\n,"say ""hi""\n",\n"",,\n"{""k"":[1,2]}",7,\n,,\ntab\t\\é,,\n',
    ],
    "are TSV below a header": [
      ["--tsv", "{a,b:{c}}"],
      TEXT,
      'a\tb.c\nx,y\t1.50\n\tsay "hi"\\n\n\t\n{"k":[1,2]}\t7\n\t\ntab\\t\\\\é\t\n',
    ],
    "are never blank lines of CSV": [["--csv", "{a}"], '{}\n{"a":""}\n', 'a\n""\n""\n'],
    "are the elements of an array": [
      ["--csv", "[{a,b:{c,d}}]"],
      '[{"a":1,"b":{"c":2}}, {"b":{"d":"x"}}]\n[]\n[3,null,[4],{"b":5}]\n',
      "a,b.c,b.d\n1,2,\n,,x\n3,,\n,,\n,,\n,5,\n",
    ],
    "have columns of elements at indexes": [
      ["--csv", "{a:[2,0],b}"],
      '{"a":["x",1,"y"]}\n{"a":[5]}\n{"a":7,"b":[8,9]}\n{"a":{}}',
      'a.2,a.0,b\ny,x,\n,5,\n7,,"[8,9]"\n,,\n',
    ],
    "are the arrays of an array": [["--tsv", "[[0,2]]"], '[[1,2,3],["a"]]\n[[4]]', "0\t2\n1\t3\na\t\n4\t\n"],
    "are the elements of an array below": [
      "--tsv {d:{e:[{a}]}}".split(" "),
      '{"d":{"e":[{"a":1},{}]},"x":0}',
      "a\n1\n\n",
    ],
    "are as many as --first says": [
      "--csv [{a}] --first 3".split(" "),
      '[{"a":1},{"a":2}]\n[{"a":3},{"a":4}]',
      "a\n1\n2\n3\n",
    ],
    "keep scalars in the first column": [
      "--csv {x,a:{b:{d},c}}".split(" "),
      '{"a":5}\n"top"',
      "x,a.b.d,a.c\n,5,\ntop,,\n",
    ],
    "decode all escapes": [
      ["--tsv", "{a}"],
      '{"a":"\\"\\\\\\/\\b\\f\\r\\u0000\\u00df\\u20ac\\ud83d\\ude00\\ud83dx\\udC00"}',
      'a\n"\\\\/\b\f\\r\0ß€😀\ufffdx\ufffd\n',
    ],
  };
  for (const [name, [args, text, stdout]] of Object.entries(cases)) {
    it(name, () => assertOutput(["select", ...args, "--jsonl"], text, stdout));
  }
});

describe("rows without a mask", () => {
  const cases: Record<string, [text: string, stdout: string, leftOut?: string]> = {
    "have the columns of the first one": [
      '{"a":1,"b":{"c":[2],"d":{}}}\n{"b":{"d":3}}\n',
      "a,b.c,b.d\n1,[2],{}\n,,3\n",
    ],
    "name the columns that these lack": [
      '{"a":1,"b":{"c":2}}\n{"x":{"y":1},"b":5,"a":{}}\n{"b":{"e":1}}\n',
      "a,b.c\n1,2\n{},\n,\n",
      "x, b, b.e",
    ],
    "are the elements of an array": [' [{"id":1}, {"id":2,"n":3}]', "id\n1\n2\n", "n"],
    "are arrays": ['["a",1]\n[null,{"b":2},3]\n[]\n', '0,1\na,1\n,"{""b"":2}"\n', "2"],
    "are arrays in an array": ['[["a"],["b"]]', "0\na\nb\n"],
    "take the last of equal names": [
      '{"a":{"b":1,"c":2},"d":0,"a":{"c":3,"e":4}}\n{"\\u0061":{"e":1,"c":2},"a":{"c":5}}\n{"a":{"c":5},"a":null}\n',
      "a.c,a.e,d\n3,4,0\n5,,\n,,\n",
    ],
    "are none without documents": ["[]\n[]", ""],
  };
  for (const [name, [text, stdout, leftOut]] of Object.entries(cases)) {
    it(name, async () => {
      const run = await runCut(["select", "--csv", "--jsonl"], text);
      const stderr = `<stdin>: not columns of the first row, so left out: ${leftOut}; a mask can name them\n`;
      assertEquals(run, { code: leftOut ? 1 : 0, stdout, stderr: leftOut ? stderr : "" });
    });
  }

  it("take the columns of a valid document that matches", async () => {
    const text =
      '{"x":1} y\n{"w":1}\n{}\n7\n[{"y":1},2]\n{"a.b":1,"a":{"b":2}}\n{"a":1}\n{"a":2,"b":3}\n{"c":3,"a":}\n';
    await assertFailures(["select", "--tsv", "--jsonl", "--where", "not /w=1", "-q"], text, "a\n1\n2\n", "");
    const { stderr } = await run(["select", "--tsv", "--jsonl", "--where", "not /w=1", "--no-snippet"], text);
    assertEquals(stderr.match(/(?<=error: )[^(]+(?= )/g), [
      "Unexpected non-whitespace character after JSON",
      "The first row has no columns",
      "Expected an object or an array, as a row",
      "Expected an object or an array, as a row",
      "The first row has two columns of the name 'a.b': a mask can select one",
      "Unexpected token '}'",
    ]);
  });

  it("name as many columns as --max-errors says", async () => {
    const text = '{"a":1}\n{"b":1,"c":1}\n{"d":1,"b":1}';
    const args = ["select", "--csv", "--jsonl", "--max-errors"];
    assertMatch((await runCut([...args, "2"], text)).stderr, /left out: b, c, and others; /);
    assertMatch((await runCut([...args, "0"], text)).stderr, /left out: b, c, d; /);
  });

  it("are those of the values of JSON.parse", async () => {
    const names = ["a", "b", "é", "a b", 'q"', "7", ""];
    const randomRow = (random: Random, depth: number): object => {
      const entries = Array.from({ length: random.below(5) }, () => {
        const scalar = random.pick([1, "x", 'y,"z"\n', "", null, [], [1, "a"], {}]);
        return [random.pick(names), depth < 3 && random.once(3) ? randomRow(random, depth + 1) : scalar];
      });
      return Object.fromEntries(entries);
    };
    const fieldsOf = (row: object): [string, unknown][] =>
      Object.entries(row).flatMap(([name, value]): [string, unknown][] => {
        const isFilled = value !== null && !Array.isArray(value) && Object.keys(value).length > 0 &&
          value !== String(value);
        return isFilled ? fieldsOf(value).map(([inner, field]) => [`${name}.${inner}`, field]) : [[name, value]];
      });
    const fieldText = (value: unknown): string => {
      if (value === null || value === undefined) return "";
      const text = typeof value === "string" ? value : JSON.stringify(value);
      return text === "" || /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
    };
    await withSeedsAsync(100, async (random) => {
      const first = randomRow(random, 0);
      const columns = fieldsOf(first).map(([name]) => name);
      if (columns.length === 0) return;
      const rows = [first, ...Array.from({ length: 5 }, () => randomRow(random, 0))];
      const lines = rows.map((row) => {
        const fields = columns.map((column) => {
          const value = column.split(".").reduce(
            (value: unknown, name) => (value as Record<string, unknown>)?.[name],
            row,
          );
          return fieldText(value);
        });
        return `${fields.join() || '""'}\n`;
      });
      const header = columns.map((name) => name && fieldText(name)).join() || '""';
      const left = new Set(
        rows.flatMap((row) => fieldsOf(row)).flatMap(([name, value]) => {
          const isColumn = columns.some((column) => name === column || name.startsWith(`${column}.`));
          const isEmpty = columns.some((column) => column.startsWith(`${name}.`)) &&
            (value === null || `${JSON.stringify(value)}` === "{}");
          return isColumn || isEmpty ? [] : [name];
        }),
      );
      for (const isArray of [false, true]) {
        const text = isArray ? JSON.stringify(rows, null, 1) : rows.map((row) => JSON.stringify(row)).join("\n");
        const run = await runCut(["select", "--csv", ...isArray ? [] : ["--jsonl"]], text);
        assertEquals([run.code, run.stdout], [left.size > 0 ? 1 : 0, `${header}\n${lines.join("")}`]);
      }
    });
  });
});

describe("rows that cannot be", () => {
  itFails(FILES, 2, {
    'select --csv {a:{"b.c"},"a.b":{c}}': /--csv would have two columns of the name 'a\.b\.c'/,
    "select --csv {a,data:[{id}]}": /--csv takes a mask of members with names/,
    "select --csv [[{id}]]": /--csv takes a mask of members with names/,
  });

  it("are said to lack their array, and are not printed of a bad line", async () => {
    const text = '{"d":[{"a":1}]}\n{"e":1}\n{"d":[{"a":2}]} x\n{"d":{}}\n';
    await assertFailures(["select", "--csv", "{d:[{a}]}", "--jsonl"], text, "a\n1\n", "2:1 3:17 4:1");
  });
});

describe("pointers", () => {
  const DOCUMENT = '{ "a" : [ {"b" : "x\\ty"}, [1, 2], "\\ud83d\\ude00" ], "0": {"a~/b": null}, "a2": {} }';
  const OBJECTS = '{"d":[1,2]}\n{"d":[]}\n{"d":[3]}';
  const cases: { args: string[]; text: string; stdout: string }[] = [
    { args: ["get", ""], text: DOCUMENT, stdout: `${DOCUMENT.replaceAll(/ (?=[^"]*(?:"[^"]*"[^"]*)*$)/g, "")}\n` },
    { args: ["get", "/0/a~0~1b"], text: DOCUMENT, stdout: "null\n" },
    { args: ["get", "/a/2", "--raw"], text: DOCUMENT, stdout: "😀\n" },
    { args: ["get", "/a/0/b", "--raw"], text: DOCUMENT, stdout: "x\ty\n" },
    // The last of several members counts, but the first array.
    { args: ["get", "/a/b"], text: '{"a":{"b":1},"a":{"b":2},"c":0}', stdout: "2\n" },
    { args: ["each", "/d"], text: '{"d":[1],"d":[2],"d":3}', stdout: "1\n" },
    { args: ["each", "/a"], text: DOCUMENT, stdout: '{"b":"x\\ty"}\n[1,2]\n"\\ud83d\\ude00"\n' },
    { args: ["each", "/a", "--first", "2"], text: DOCUMENT, stdout: '{"b":"x\\ty"}\n[1,2]\n' },
    { args: ["each", "/d", "--jsonl"], text: OBJECTS, stdout: "1\n2\n3\n" },
    {
      args: ["each", "/v", "--entries"],
      text: '{"v":{ "1.0" : {"a": [1, 2]}, "\\u0061":"x", "1.0":null },"w":{"b":1}}',
      stdout: '{"key":"1.0","value":{"a":[1,2]}}\n{"key":"\\u0061","value":"x"}\n{"key":"1.0","value":null}\n',
    },
    { args: ["each", "", "--entries", "--first", "1"], text: '{"a":1,"b":2}', stdout: '{"key":"a","value":1}\n' },
    { args: ["each", "", "--entries"], text: "{}", stdout: "" },
  ];
  for (const { args, text, stdout } of cases) {
    it(`${args.join(" ")} of ${text.slice(0, 30)}`, () => assertOutput(args, text, stdout));
  }

  const nothing = "/b /a/3 /a/01 /a/- /a/b /a/0/b/0 /a/0/b/length".split(" ");
  for (
    const [pointer, text] of [
      ...nothing.map((pointer) => [pointer, DOCUMENT]),
      ["/a/b", '{"a":{"b":1},"a":{}}'],
      ["/a/b", '{"a":{"b":1},"a":5}'],
    ]
  ) {
    it(`get ${pointer} finds nothing in ${text.slice(0, 30)}`, async () => {
      const stderr = `bytejson get: there is no value at '${pointer}'\n`;
      assertEquals(await runCut(["get", pointer], text), { code: 1, stdout: "", stderr });
    });
  }

  it("of each give the elements before a failure, and there must be an array", async () => {
    await assertFailures(["each", "/d"], '{"d":[1,{"a":2},tru]}', '1\n{"a":2}\n', "1:20");
    await assertFailures(["each", "/d", "--entries"], '{"d":{"a":1,"b":tru}}', '{"key":"a","value":1}\n', "1:20");
    await assertFailures(["each", "/d", "--entries"], '{"d":[1]}', "", "1:6");
    for (const [text, place] of [['{"d":{"a":1}}', "1:6"], ['{"e":[1]}', "1:1"], ["[]", "1:1"]]) {
      await assertFailures(["each", "/d"], text, "", place);
    }
  });

  it("may have thousands of tokens", async () => {
    const depth = 5_000;
    const text = `${'{"a":'.repeat(depth)}[7]${"}".repeat(depth)}`;
    const pointer = "/a".repeat(depth);
    for (const piece of [2 ** 14, 2 ** 20]) {
      assertEquals(await run(["get", `${pointer}/0`], text, piece), { code: 0, stdout: "7\n", stderr: "" });
      assertEquals(await run(["each", pointer], text, piece), { code: 0, stdout: "7\n", stderr: "" });
    }
    assertEquals((await run(["locate", pointer, "-"], text)).stdout, `<stdin>:1:${5 * depth + 1}\n`);
    const shown = `'${"/a".repeat(50)}…${"/a".repeat(49)}/b'`;
    for (const command of ["get", "each", "locate"]) {
      const { code, stderr } = await run([command, `${pointer}/b`, "-"], text);
      assertEquals([code, stderr.match(/value at (.*?)(?: \(byte 0\))?\n/)?.[1]], [1, shown]);
    }
  });

  it("of each give many elements", async () => {
    const elements = Array.from({ length: 100_000 }, (_, i) => `{"i":${i}}`);
    const { stdout } = await run(["each", "/d"], `{"d":[${elements.join(", ")}]}`);
    assert(stdout === elements.join("\n") + "\n");
  });
});

/** Returns the JSON of the part of a value that a mask selects; `undefined` if there is none. */
function expectedParts(picture: Picture, value: unknown): string | undefined {
  if (picture === true || typeof value !== "object" || value === null) return JSON.stringify(value);
  if (picture.element !== undefined) {
    if (!Array.isArray(value)) return undefined;
    return `[${value.map((element) => expectedParts(picture.element, element) ?? "null").join(",")}]`;
  }
  if (Array.isArray(value)) return undefined;
  const { members, rest } = picture as ObjectPicture;
  const names = [...members.keys()].filter((name) => Object.hasOwn(value, name));
  if (rest !== undefined) names.push(...Object.keys(value).filter((name) => !members.has(name)));
  const parts = names.flatMap((name) => {
    const part = expectedParts(members.get(name) ?? rest!, (value as Record<string, unknown>)[name]);
    return part === undefined ? [] : [`${JSON.stringify(name)}:${part}`];
  });
  return `{${parts.join(",")}}`;
}

const PIECES = [1, 2, 3, 5, 7, 16, 64, 1000, 1e6];
const NAMES = ["a", "b", "c", "id", "data", "1", "10", "__proto__", "é", "a name longer than words", 'q"\\', ""];
const STRINGS = ["", "x", "x".repeat(700), "é\u2028", "😀", 'say "hi"\\', "line\nfeed\ttab", "a,b", "\ud800", "{}[]:,"];
const SCALARS = [...STRINGS, 0, -1, 1.5, 1e300, 12345678, -0.001, 9007199254740991, null, true, false];
const [QUOTED_NAMES, SCALAR_TEXTS] = [
  NAMES.map((name) => JSON.stringify(name).slice(1, -1)),
  SCALARS.map((scalar) => JSON.stringify(scalar)),
];

function randomValue(random: Random, depth: number): unknown {
  return JSON.parse(nestedDocument(random, QUOTED_NAMES, depth, SCALAR_TEXTS));
}

function randomMask(random: Random, depth: number): string {
  if (random.once(4)) return `[${randomMask(random, depth)}]`;
  const part = (): string => depth > 0 && random.once(2) ? `:${randomMask(random, depth - 1)}` : "";
  const names = new Set(Array.from({ length: random.below(5) }, () => random.pick(NAMES)));
  const members = Array.from(names, (name) => (/^[a-z]+$/.test(name) ? name : JSON.stringify(name)) + part());
  if (random.once(6)) members.push(`*${part()}`);
  return `{${members.join(random.pick([",", " , "]))}}`;
}

function randomTokens(random: Random, least: number): string[] {
  return Array.from({ length: random.integer(least, 3) }, () => random.pick([...NAMES, "0", "2"]));
}

function linesOf(values: readonly unknown[]): string {
  return values.map((value) => `${JSON.stringify(value)}\n`).join("");
}

describe("random documents", () => {
  itInProcess("give the parts that JSON.parse has", async () => {
    await withSeedsAsync(400, async (random) => {
      const mask = randomMask(random, 3);
      const isRefused = (value: unknown): boolean =>
        typeof value === "object" && value !== null && Array.isArray(value) !== mask.startsWith("[");
      const partsOf = (value: unknown): string => isRefused(value) ? "" : `${expectedParts(parseMask(mask), value)}\n`;
      const piece = random.pick(PIECES);
      const values = Array.from({ length: random.below(6) }, () => randomValue(random, 4));
      const lines = values.map((value) => JSON.stringify(value)).join(random.pick(["\n", "\r\n", "\n\n", " \n"]));
      assertEquals((await run(["select", mask, "--jsonl"], lines, piece)).stdout, values.map(partsOf).join(""));
      const path = randomTokens(random, 0);
      const found = values.flatMap((value) => valuesAt(path, value));
      assertEquals((await run(["get", pointerOf(path), "--jsonl"], lines, piece)).stdout, linesOf(found));

      const document = randomValue(random, 5);
      const indented = JSON.stringify(document, null, random.pick(["", "  ", "\t"]));
      assertEquals((await run(["select", mask], indented, piece)).stdout, partsOf(document));
      const tokens = randomTokens(random, 0);
      const at = valuesAt(tokens, document);
      assertEquals((await run(["get", pointerOf(tokens)], indented, piece)).stdout, linesOf(at));
      const { code, stdout, stderr } = await run(["each", pointerOf(tokens)], indented, piece);
      if (Array.isArray(at[0])) assertEquals([code, stdout], [0, linesOf(at[0])]);
      else assertEquals([code, stdout, /: (?:Expected an array|There is no value) at /.test(stderr)], [1, "", true]);
    });
  });

  const namesIn = (value: unknown) => typeof value === "object" && value !== null ? Object.keys(value) : [];

  /** Generates a tree of conditions, half of them about what is in the documents. */
  function randomTree(random: Random, documents: readonly unknown[], depth = 0): Condition {
    const inner = () => Array.from({ length: random.integer(1, 3) }, () => randomTree(random, documents, depth + 1));
    if (depth < 3 && random.once(2)) return random.pick([{ any: inner() }, { all: inner() }, { not: inner()[0] }]);
    if (documents.length === 0 || random.once(3)) return randomCondition(random, depth);
    const tokens: (string | typeof every)[] = [];
    let wanted = random.pick(documents);
    for (let names = namesIn(wanted); names.length > 0 && !random.once(3); names = namesIn(wanted)) {
      const name = random.pick(names);
      tokens.push(random.once(4) ? every : name);
      wanted = (wanted as Record<string, unknown>)[name];
    }
    const operators = ["=", "!=", "in", "exists"];
    if (typeof wanted === "number" || typeof wanted === "string") operators.push("<", ">=");
    if (typeof wanted === "string") operators.push("startsWith", "endsWith", "contains");
    const operator = random.pick(operators);
    if (operator === "in") return [tokens, operator, [wanted, 7]] as Condition;
    if (operator === "exists") return [tokens, operator, random.once(2)];
    const isPart = operator === "contains" || operator.endsWith("With");
    const points = isPart ? Array.from(wanted as string) : [];
    const from = operator === "startsWith" ? 0 : random.below(points.length + 1);
    const to = operator === "endsWith" ? points.length : random.integer(from, points.length);
    return [tokens, operator, isPart ? points.slice(from, to).join("") : wanted] as Condition;
  }

  itInProcess("are kept where conditions hold, with every other option", async () => {
    await withSeedsAsync(400, async (random) => {
      const rows = random.pick([[], [], ["--csv"], ["--tsv"]]);
      const mask = random.once(2) ? [] : [rows.length > 0 ? "{a,b:{c},id}" : random.pick(["{a,b:{c}}", "{b:[{a}],*}"])];
      const isOfLines = random.once(2);
      const options = [
        ...rows,
        isOfLines ? "--jsonl" : "--concatenated",
        ...isOfLines && random.once(3) ? ["--skip-invalid"] : [],
        ...rows.length === 0 && random.once(3) ? ["--json-array"] : [],
        ...random.once(3) ? ["--first", `${random.integer(1, 3)}`] : [],
      ];
      const values = Array.from({ length: random.below(8) }, () => randomValue(random, 3));
      const documents = values.filter((value) => isOfLines && mask.length === 0 || !Array.isArray(value));
      const where = Array.from({ length: random.integer(1, 2) }, () => randomTree(random, documents));
      const lines: [text: string, isKept: boolean][] = documents.map((value) => {
        return [JSON.stringify(value), where.every((condition) => fulfils(value, condition))];
      });
      if (isOfLines && random.once(3)) lines.splice(random.integer(0, lines.length), 0, ['{"a":}', true]);
      const textOf = (lines: readonly [text: string, isKept: boolean][]) => lines.map(([text]) => `${text}\n`).join("");
      const conditions = where.flatMap((condition) => ["--where", conditionText(condition)]);
      const all = [...rows, ...mask].length > 0 ? [] : ["--where", " exists"];
      const piece = random.pick(PIECES);
      const found = await run(["select", ...options, ...conditions, ...mask], textOf(lines), piece);
      const expected = await run(["select", ...options, ...all, ...mask], textOf(lines.filter(([, isKept]) => isKept)));
      const how = `${textOf(lines)} by ${[...options, ...conditions, ...mask].join(" ")}, in pieces of ${piece}`;
      assertEquals([found.code, found.stdout], [expected.code, expected.stdout], how);
    });
  });

  itInProcess("are rejected where check rejects them", async () => {
    await withSeedsAsync(1500, async (random) => {
      const isLines = random.once(2);
      const values = Array.from({ length: isLines ? random.below(5) : 1 }, () => randomValue(random, 4));
      const text = values.map((value) => JSON.stringify(value, null, isLines ? "" : random.pick(["\n", "  "])));
      const input = corrupt(random, utf8(text.join(random.pick(["\n", "\r\n"]))));
      const flags = ["--max-errors=0", ...isLines ? ["--jsonl"] : []];
      const hasLines = isLines || looksLikeLines(input, 0, true) === true;
      let { stderr } = await run(["check", ...flags, ...hasLines ? ["--jsonl"] : []], input);
      const [, second] = /after JSON \(byte (\d+)\)/.exec(stderr) ?? [];
      // An array or object after another one is a document, too.
      const shown = new TextDecoder("latin1").decode(input);
      const isConcatenated = !isLines && !hasLines && second !== undefined &&
        /^[[{]/.test(shown.slice(Number(second))) &&
        /\S\s*[\r\n]\s*[^]*[\]}]\s*$/.test(shown.slice(0, Number(second)));
      if (isConcatenated) stderr = (await run(["check", ...flags, "--concatenated"], input)).stderr;
      const failures = (text: string): string[] => text.match(/^<stdin>:\d+:\d+: error: .*$/gm) ?? [];
      const pointer = pointerOf(randomTokens(random, 1));
      const readings = [
        ["select", randomMask(random, 3)],
        ["get", pointer],
        ["select", "--where", `${pointer}="x"`],
        ["select", "--where", "/0=1"],
      ];
      for (const args of readings) {
        const reading = await run([...args, ...flags], input, random.pick(PIECES));
        // Of documents of another kind than the mask, the rest is not read: a lone CR in it
        // would count.
        const refused = failures(reading.stderr).flatMap((text) =>
          /:(\d+):\d+: error: Expected an .* try /.exec(text)?.[1] ?? []
        );
        if ((!hasLines || input.includes(0x0d)) && refused.length > 0) continue;
        const rest = (text: string) => failures(text).filter((text) => !refused.includes(text.split(":")[1]));
        assertEquals(rest(reading.stderr), rest(stderr), args.join(" "));
      }
    });
  });
});
