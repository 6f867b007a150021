/**
 * Inputs that are not one document of JSON in UTF-8: all commands read the same of JSON with
 * comments, concatenated documents, sequences and UTF-16.
 */

import { assert, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { gzipSync } from "node:zlib";
import { concat, utf8 } from "../support/bytes.ts";
import { piecesOf, runCli } from "../support/run_cli.ts";
import { folderOf } from "../support/files.ts";

/** Commands, and what they print of documents `{"a": N}`. */
const COMMANDS: [command: string[], printed: (values: number[]) => string][] = [
  [["select", "{a}"], (values) => values.map((value) => `{"a":${value}}\n`).join("")],
  [["select", "--where", "/a exists", "{a}"], (values) => values.map((value) => `{"a":${value}}\n`).join("")],
  [["get", "/a"], (values) => values.map((value) => `${value}\n`).join("")],
];

function utf16(text: string, isLittle: boolean): Uint8Array {
  const bytes = new Uint8Array(2 * text.length);
  const view = new DataView(bytes.buffer);
  for (let i = 0; i < text.length; i++) view.setUint16(2 * i, text.charCodeAt(i), isLittle);
  return bytes;
}

/** Inputs of documents `{"a": N}`, read without options or with some. */
const INPUTS: Record<string, [content: string | Uint8Array, values: number[], ...args: string[]]> = {
  "pretty-printed documents, detected": ['{\n  "a": 1\n}\n{\n  "a": 2\n}\n', [1, 2]],
  "documents on one line": ['{"a":1}{"a":2} {"a":3}', [1, 2, 3], "--concatenated"],
  "documents on any number of lines": ['{"a":1}\n{"a":\n2} {"a":3}', [1, 2, 3], "--concatenated"],
  "a sequence": ['\x1e{"a":1}\n\x1e{\n"a":2}\n\x1e\x1e{"a":3}', [1, 2, 3]],
  "comments": ['// one\n{"a": /* é */ 1,} // two', [1], "--jsonc", "*"],
  "UTF-16, little-endian": [utf16('\ufeff{"é":"😀","a":1}', true), [1]],
  "UTF-16, big-endian": [utf16('\ufeff{"é":"😀","a":1}', false), [1]],
  "UTF-16 after an empty member of gzip data": [
    concat([gzipSync(""), gzipSync(utf16('\ufeff{"a":1}', true))]),
    [1],
  ],
  "lines in UTF-16": [utf16('\ufeff{"a":1}\r\n{"a":2}\r\n', true), [1, 2], "--jsonl"],
};

describe("inputs of other kinds", () => {
  for (const [name, [stdin, values, ...args]] of Object.entries(INPUTS)) {
    it(`are read by all commands, in pieces of any size: ${name}`, async () => {
      const note = typeof stdin === "string" ? "" : "<stdin>: UTF-16LE, read as UTF-8; JSON is exchanged in UTF-8\n";
      for (const pieceBytes of piecesOf(1, 2, 3, 7, 1e6)) {
        for (const [command, printed] of COMMANDS) {
          const { code, stdout, stderr } = await runCli(".", [...command, ...args, "-"], { stdin, pieceBytes });
          const context = `${command.join(" ")} in pieces of ${pieceBytes}`;
          assertEquals([code, stdout, stderr.replace("16BE", "16LE")], [0, printed(values), note], context);
        }
      }
      const located = await runCli(".", ["locate", "/a", ...args, "-"], { stdin });
      assertEquals([located.code, located.stdout.split("\n").length], [0, values.length + 1]);
      const isDetected = name.endsWith("detected");
      const check = await runCli(".", ["check", ...args, ...isDetected ? ["--concatenated"] : [], "-"], { stdin });
      assertEquals(check.code, 0, check.stderr);
    });
  }

  it("are printed byte for byte by --where without a mask", async () => {
    const documents = ['{\n  "a": 1\n}', '{"a":\t2}', '{"b": 3}', '{"a": 4, "é": [\n]}'];
    for (const stdin of [documents.join("\n"), documents.join(""), `\x1e${documents.join("\n\x1e")}\n`]) {
      for (const pieceBytes of piecesOf(1, 5, 1e6)) {
        const run = await runCli(".", ["select", "--where", "/a exists", "-"], { stdin, pieceBytes });
        assertEquals(run.stdout, documents.filter((text) => text.includes("a")).map((text) => `${text}\n`).join(""));
      }
    }
  });

  it("go on after a bad document, at the next line or the next byte 0x1E", async () => {
    const rows: [stdin: string, stdout: string, places: string[], ...args: string[]][] = [
      ['{"a":1}\n{"a":}\n{"a":3}\n', "1\n3\n", ["2:6"], "--concatenated"],
      ['\x1e{"a":1}\n\x1e{"a":2\x1e{"a":3}\n', "1\n3\n", ["2:8"]],
      ['\x1e{"a":"\x1e{"a":3}\n\x1e{"a":4}', "3\n4\n", ["1:8"]],
    ];
    for (const [stdin, stdout, places, ...args] of rows) {
      for (const pieceBytes of piecesOf(1, 4, 1e6)) {
        const run = await runCli(".", ["get", "/a", ...args, "-"], { stdin, pieceBytes });
        const found = Array.from(run.stderr.matchAll(/^<stdin>:(\d+:\d+): error/gm), ([, place]) => place);
        assertEquals([run.code, run.stdout, found], [1, stdout, places]);
        const { stderr } = await runCli(".", ["check", ...args, "-"], { stdin, pieceBytes });
        assertEquals(Array.from(stderr.matchAll(/^<stdin>:(\d+:\d+): error/gm), ([, place]) => place), places);
        assertEquals((await runCli(".", ["locate", "/a", ...args, "-"], { stdin, pieceBytes })).code, 1);
      }
    }
  });

  it("leave one document with something behind it invalid", async () => {
    for (const stdin of ['{"a":1}]', '{"a":1} x', '{"a":1} 2', '1 {"a":1}', '{"a":1} {"a":2}', '{"a":1},{"a":2}']) {
      const { code, stdout } = await runCli(".", ["get", "/a", "-"], { stdin });
      assertEquals([code, stdout], [1, ""], stdin);
    }
  });

  it("have the locations of their text", async () => {
    const rows: [stdin: string | Uint8Array, place: string, ...args: string[]][] = [
      ['{"x": /* é */ 1, "b": 2}', "1:23", "--jsonc=*"],
      ['// é\r\n/*\n💶 */ {"b": 2}', "3:13", "--jsonc=*"],
      ['{"é":1} {"b":\n 2}\n[] {"b": 3}', "2:2\n<stdin>:3:10", "--concatenated"],
      ['\ufeff{"b":1} {"é":1,"b":2}', "1:6\n<stdin>:1:20", "--concatenated"],
      [' {"b":1}\r\n\n{"é":1,"b":2}', "1:7\n<stdin>:3:12"],
      [utf16('\ufeff{"é":"😀",\n"b":1}', true), "2:5"],
    ];
    for (const [stdin, place, ...args] of rows) {
      const { stdout } = await runCli(".", ["locate", "/b", ...args, "-"], { stdin });
      assertEquals(stdout, `<stdin>:${place}\n`);
    }
  });

  it("show failures with their comments, at the location that check reports", async () => {
    using folder = folderOf({
      "x.jsonc": '{\n "a": 1, // é\n /* é */ "b": [1,,],\n}\n',
      "open.jsonc": "[1] /* one",
      "cut.jsonc": "// é\n[1, /* é */",
      "late.jsonc": `[${"1, // one\n".repeat(500)} /* é */ x]`,
    });
    for (const name of ["x.jsonc", "cut.jsonc", "late.jsonc"]) {
      const screens = [["check"], ["get", "/a"], ["locate", "/a"]].map(async (command) => {
        const { code, stderr } = await runCli(folder.path, [...command, name]);
        assertEquals(code, 1);
        return stderr.replace("1 of 1 file invalid\n", "");
      });
      const [expected, ...others] = await Promise.all(screens);
      for (const screen of others) assertEquals(screen, expected);
    }
    const { code, stderr } = await runCli(folder.path, ["get", "/a", "open.jsonc"]);
    assertEquals(code, 1);
    assert(stderr.startsWith("open.jsonc:1:5: error: Unexpected non-whitespace character after JSON (byte 4)"), stderr);
  });

  it("are refused by check --strict: any byte-order mark, in any reading", async () => {
    using folder = folderOf({
      "a.json": "\ufeff{}",
      "b.jsonl": "\ufeff{}\n{}\n",
      "c.json": utf16("\ufeff{}", true),
      "d.json": utf16("\ufeff{}", false),
      "e.json": '{"a":"\ufeff"}',
    });
    const { code, stdout } = await runCli(folder.path, ["check", "--strict", "--format=compact", "."]);
    const names = ["a.json", "b.jsonl", "c.json", "d.json"];
    assertEquals([code, stdout.split("\n").map((line) => line.split(":")[0])], [1, [...names, ""]]);
    assertEquals((await runCli(folder.path, ["check", "."])).code, 0);
    assertEquals((await runCli(folder.path, ["check", "--strict", "e.json"])).code, 0);
  });

  it("are malformed if UTF-16 ends within a character, or has half a pair", async () => {
    for (
      const bytes of [
        utf16("\ufeff[1]", true).slice(0, -1),
        utf16('\ufeff["\ud83d"]', true),
        utf16('\ufeff"\ud83d', true),
      ]
    ) {
      for (const command of [["check"], ["get", ""], ["locate", ""]]) {
        const { code, stderr } = await runCli(".", [...command, "-"], { stdin: bytes });
        assertEquals(code, 2);
        assert(stderr.includes("bytejson: <stdin>: malformed UTF-16\n"), stderr);
      }
    }
    const { code, stderr } = await runCli(".", ["check", "-"], { stdin: utf8("\xff") });
    assertEquals([code, /UTF-16/.test(stderr)], [1, false]);
  });
});
