/**
 * The commands `bytejson select`, `get`, `each` and `locate` as processes: inputs, exit codes,
 * messages, and memory.
 *
 * @module
 */

import { assertEquals, assertMatch } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { folderOf, isSkippedOutsideDeno, type Run, runCli, type RunOptions, startCli } from "../support/cli.ts";

const LINES =
  '{"t":1,"level":"info","http":{"status":200,"path":"/a"}}\n{"t":2,"level":"error","http":{"status":500}}\n';
const BAD_LINES = `{"t":0}\n{"t":}\n${LINES}`;
const PAGE = '{\n  "data": [\n    { "id": 7, "name": "Tea" },\n    { "id": 8 }\n  ],\n  "next": null\n}\n';
const FILES = {
  "log.jsonl": LINES,
  "bad.jsonl": BAD_LINES,
  "log.txt": LINES,
  "page.json": PAGE,
  "bad.json": '{"t":1,\n"u":[1,]}',
};

async function run(
  args: readonly string[],
  options: RunOptions = {},
  files: Record<string, string | Uint8Array> = {},
): Promise<Run> {
  using folder = folderOf({ ...FILES, ...files });
  return await runCli(folder.path, args, options);
}

/** Asserts output and exit code of a run without messages. */
async function assertOutput(
  args: readonly string[],
  stdout: string,
  options: RunOptions = {},
  code = 0,
): Promise<void> {
  assertEquals(await run(args, options), { code, stdout, stderr: "" });
}

describe("select", () => {
  it("prints a line for each document", async () => {
    const expected = '{"t":1,"http":{"status":200}}\n{"t":2,"http":{"status":500}}\n';
    for (const file of ["log.jsonl", "log.txt"]) await assertOutput(["select", "{t,http:{status}}", file], expected);
    await assertOutput(["select", "{t,http:{status}}"], expected, { stdin: LINES, allow: [] });
    await assertOutput(["select", "{t,http:{status}}", "-"], expected, { stdin: LINES });
    await assertOutput(["select", "{data:[{id}]}", "page.json", "log.txt"], '{"data":[{"id":7},{"id":8}]}\n{}\n{}\n');
  });

  it("goes on after a bad line: exit 1", async () => {
    const stderr = `\
bad.jsonl:2:6: error: Unexpected token '}' (byte 13)
  1 | {"t":0}
  2 | {"t":}
    |      ^
bad.jsonl: 1 of 4 documents invalid
`;
    assertEquals(await run(["select", "{t}", "bad.jsonl"]), { code: 1, stdout: '{"t":0}\n{"t":1}\n{"t":2}\n', stderr });
    const kept = { code: 1, stdout: LINES.split("\n")[1] + "\n", stderr };
    assertEquals(await run(["select", "--where", "/t>1", "bad.jsonl"]), kept);
  });

  it("counts bad lines beyond --max-errors, and hides content with --no-snippet", async () => {
    const lines = "]\n".repeat(30) + '{"t":1}\n';
    const { code, stdout, stderr } = await run(["select", "{t}", "--jsonl", "--no-snippet"], { stdin: lines });
    assertEquals([code, stdout], [1, '{"t":1}\n']);
    assertEquals(stderr.match(/^<stdin>:\d+:1: error: Unexpected token '\]' \(byte \d+\)$/gm)!.length, 20);
    assertMatch(stderr, /^<stdin>: 30 of 31 documents invalid; 20 shown, --max-errors 0 shows all\n$/m);
  });

  it("prints nothing of a bad document: exit 1", async () => {
    assertEquals(await run(["select", "{t}", "bad.json", "page.json"]), {
      code: 1,
      stdout: "{}\n",
      stderr: `\
bad.json:2:8: error: Unexpected token ']' (byte 15)
  1 | {"t":1,
  2 | "u":[1,]}
    |        ^
hint: looks like a trailing comma; JSON has none
`,
    });
  });

  it("filters by conditions", async () => {
    const [, error] = LINES.split("\n");
    await assertOutput(["select", "--where", '/level="error"', "log.jsonl"], `${error}\n`);
    await assertOutput(["select", "--where", '/level!="info"', "{t}", "log.jsonl"], '{"t":2}\n');
    await assertOutput(["select", "{t}", "--where=/http/status>=200", "--where=/t<2", "log.jsonl"], '{"t":1}\n');
    await assertOutput(["select", "--where", "/nope=1", "log.jsonl"], "");
    await assertOutput(["select", "--where", "/t=2"], `${error}\n`, { stdin: LINES });
  });

  it("prints rows", async () => {
    await assertOutput(["select", "--csv", "{t,http:{path}}", "log.jsonl"], "t,http.path\n1,/a\n2,\n");
    await assertOutput(["select", "--tsv", "{level,t}", "log.jsonl"], "level\tt\ninfo\t1\nerror\t2\n");
    await assertOutput(["select", "--csv", "{t,level}", "--where", "/t=2", "log.jsonl"], "t,level\n2,error\n");
  });

  it("exits 2 if a file cannot be read, after the others", async () => {
    assertEquals(await run(["select", "{t}", "gone.json", ".", "log.jsonl"]), {
      code: 2,
      stdout: '{"t":1}\n{"t":2}\n',
      stderr: "bytejson: gone.json: no such file\nbytejson: .: is a directory\n",
    });
    if (isSkippedOutsideDeno("only Deno asks for permissions")) return;
    assertEquals(await run(["select", "{t}", "log.jsonl"], { allow: [] }), {
      code: 2,
      stdout: "",
      stderr: "bytejson: log.jsonl: no permission to read it; run with --allow-read\n",
    });
  });

  it("prints a result as soon as its line is there", async () => {
    await using live = startCli(".", ["select", "{a}", "--jsonl"]);
    await live.write('{"a":1}\n{"a"');
    await live.said("stdout", '{"a":1}\n');
    await live.write(":2}\n{");
    await live.said("stdout", '{"a":2}\n');
    await live.close();
    const { code, stderr } = await live.ended;
    assertEquals([code, stderr.split("\n")[0]], [1, "<stdin>:3:2: error: Expected property name or '}' (byte 17)"]);
  });

  it("stops reading after --first results", async () => {
    await using live = startCli(".", ["select", "{a}", "--first", "2"]);
    await live.write('{"a":1}\n{"a":2}\n{"a":');
    assertEquals(await live.ended, { code: 0, stdout: '{"a":1}\n{"a":2}\n', stderr: "" });
  });

  it("ends silently if nobody reads on", async () => {
    await using live = startCli(".", ["select", "{a}"], { isStdoutClosed: true });
    let isRead = true;
    while (isRead) isRead = await live.write('{"a":1}\n'.repeat(100_000));
    assertEquals(await live.ended, { code: 0, stdout: "", stderr: "" });
  });

  it("ends with 130 after an interrupt, and what is complete is printed", async () => {
    await using live = startCli(".", ["select", "{a}", "--jsonl"]);
    await live.write('{"a":1}\n');
    await live.said("stdout", '{"a":1}\n');
    live.interrupt();
    assertEquals(await live.ended, { code: 130, stdout: '{"a":1}\n', stderr: "" });
  });
});

describe("get", () => {
  it("prints the value at a pointer", async () => {
    await assertOutput(["get", "/data/0", "page.json"], '{"id":7,"name":"Tea"}\n');
    await assertOutput(["get", "/next", "page.json"], "null\n");
    await assertOutput(["get", "--raw", "/data/0/name", "page.json"], "Tea\n");
    await assertOutput(["get", "/level", "log.jsonl"], '"info"\n"error"\n');
    await assertOutput(["get", "", "page.json"], `${JSON.stringify(JSON.parse(PAGE))}\n`);
    await assertOutput(["get", "/t", "log.jsonl", "page.json"], "1\n2\n");
  });

  it("exits 1 if there is none", async () => {
    assertEquals(await run(["get", "/data/2", "page.json"]), {
      code: 1,
      stdout: "",
      stderr: "bytejson get: there is no value at '/data/2'\n",
    });
  });

  it("exits 1 for a bad document, and prints nothing of it", async () => {
    const { code, stdout, stderr } = await run(["get", "/t", "--no-snippet", "bad.json"]);
    assertEquals([code, stdout, stderr.split("\n")[0]], [1, "", "bad.json:2:8: error: Unexpected token ']' (byte 15)"]);
  });

  it("reads no further than the first value with --first 1", async () => {
    await using live = startCli(".", ["get", "/a", "--first", "1"]);
    await live.write('{"a":[1, 2], "b":');
    assertEquals(await live.ended, { code: 0, stdout: "[1,2]\n", stderr: "" });
  });
});

describe("each", () => {
  it("prints the elements of an array", async () => {
    await assertOutput(["each", "/data", "page.json"], '{"id":7,"name":"Tea"}\n{"id":8}\n');
    await assertOutput(["each", "", "--raw"], "a\n1\n", { stdin: '["a", 1]' });
    await assertOutput(["each", "/data", "--first", "1", "page.json"], '{"id":7,"name":"Tea"}\n');
  });

  it("prints them as they arrive", async () => {
    await using live = startCli(".", ["each", "/d", "--first", "3"]);
    await live.write('{"d":[1,{"x": 2},');
    await live.said("stdout", '1\n{"x":2}\n');
    await live.write("3,");
    assertEquals(await live.ended, { code: 0, stdout: '1\n{"x":2}\n3\n', stderr: "" });
  });

  it("exits 1 if there is no array", async () => {
    assertEquals(await run(["each", "/next", "page.json"]), {
      code: 1,
      stdout: "",
      stderr: `\
page.json:6:11: error: Expected an array at the JSON Pointer (byte 77)
  5 |   ],
  6 |   "next": null
    |           ^
`,
    });
  });
});

describe("locate", () => {
  it("prints the places of values", async () => {
    await assertOutput(["locate", "/data/1/id", "page.json"], "page.json:4:13\n");
    await assertOutput(["locate", "/next", "/data", "page.json"], "page.json:6:11\npage.json:2:11\n");
    await assertOutput(["locate", "/next", "-"], "<stdin>:6:11\n", { stdin: PAGE });
  });

  it("takes file names that look like options after --", async () => {
    assertEquals(await run(["locate", "/a", "--", "-x.json"], {}, { "-x.json": '{"a":1}' }), {
      code: 0,
      stdout: "./-x.json:1:6\n",
      stderr: "",
    });
  });

  it("exits 1 for a pointer without a value, and prints the others", async () => {
    assertEquals(await run(["locate", "/nope", "/next", "page.json"]), {
      code: 1,
      stdout: "page.json:6:11\n",
      stderr: "bytejson locate: page.json has no value at '/nope'\n",
    });
  });

  it("prints the places in each line", async () => {
    assertEquals(await run(["locate", "/t", "/http/path", "--no-snippet", "bad.jsonl"]), {
      code: 1,
      stdout: "bad.jsonl:1:6\nbad.jsonl:3:6\nbad.jsonl:3:51\nbad.jsonl:4:6\n",
      stderr: "bad.jsonl:2:6: error: Unexpected token '}' (byte 13)\n",
    });
    const mixed = '{"t":1}\n{\r"t":2}\r\n{"t":3}\n';
    assertEquals(await run(["locate", "/t", "mixed.txt"], {}, { "mixed.txt": mixed }), {
      code: 0,
      stdout: "mixed.txt:1:6\nmixed.txt:3:5\nmixed.txt:4:6\n",
      stderr: "",
    });
    assertEquals(await run(["locate", "/nope", "--jsonl", "log.txt"]), {
      code: 1,
      stdout: "",
      stderr: "bytejson locate: log.txt has no value at '/nope'\n",
    });
  });

  it("exits 1 for a bad document, 2 for none", async () => {
    const { code, stderr } = await run(["locate", "/t", "--no-snippet", "bad.json"]);
    assertEquals([code, stderr.split("\n")[0]], [1, "bad.json:2:8: error: Unexpected token ']' (byte 15)"]);
    assertEquals(await run(["locate", "/t", "gone.json"]), {
      code: 2,
      stdout: "",
      stderr: "bytejson: gone.json: no such file\n",
    });
  });
});
