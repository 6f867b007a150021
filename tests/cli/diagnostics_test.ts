/** Diagnostics of `check`: snippets and carets, whatever the pieces in which the input comes. */

import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { fromHex } from "../support/bytes.ts";
import { itInProcess, piecesOf, runCli, type RunOptions } from "../support/run_cli.ts";

/** Returns the lines of the snippet of a document's first failure. */
async function snippet(content: string | Uint8Array, options: RunOptions = {}): Promise<string> {
  const { code, stderr } = await runCli(".", ["check", "-"], { ...options, stdin: content });
  assertEquals(code, 1);
  return stderr.split("\n").slice(1, -2).filter((line) => !line.startsWith("hint: ")).join("\n");
}

describe("snippets", () => {
  const cases: Record<string, [content: string | Uint8Array, drawn: string]> = {
    "the input ends after a line end": ['{"a": [1,\n', '  1 | {"a": [1,\n  2 |\n    | ^'],
    "nothing at all": ["", "  1 |\n    | ^"],
    "CRLF": ['{\r\n "a": 1\r\n "b": 2\r\n}', '  2 |  "a": 1\n  3 |  "b": 2\n    |  ^'],
    "line numbers of different lengths": ["[\n".repeat(9) + "  x", "   9 | [\n  10 |   x\n     |   ^"],
    "tabs": ['{\n\t"a": "x\ty"\n}', '  1 | {\n  2 |     "a": "x␉y"\n    |            ^'],
    "a line end in a string": ['[\n "first\nsecond", 3\n]', '  1 | [\n  2 |  "first␊second", 3\n    |        ^'],
    "CRLF in a string": ['["a\r\nb"]', '  1 | ["a␍␊b"]\n    |    ^'],
    "log commands": [
      '[\n  "##[add-mask]a", "##vso[task.complete]",\n  "##[group]", ##[x]\n',
      '  2 |   "♯#[add-mask]a", "♯#vso[task.complete]",\n  3 |   "♯#[group]", ♯#[x]\n    |                ^',
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
    "a trailing comma, at the comma": ['{\n  "a": [1,\r\n\r\n ]}', '  1 | {\n  2 |   "a": [1,\n    |          ^'],
    "a long line before": [`["${"x".repeat(500)}",\n 1 2]`, `  1 | ["${"x".repeat(71)}…\n  2 |  1 2]\n    |    ^`],
    "an endless line before": [`["${"x".repeat(5000)}",\n 1 2]`, "  2 |  1 2]\n    |    ^"],
  };
  for (const [name, [content, drawn]] of Object.entries(cases)) {
    it(`draws ${name}`, async () => assertEquals(await snippet(content), drawn));
  }
});

describe("carets", () => {
  /** Contents of an array before a failure. If they are shown otherwise, that, and the columns. */
  const contents: Record<string, [content: string, columns: number, shown?: string]> = {
    "control bytes": ["\x1b", 0, "␛"],
    "wide characters": ["名前値", 6],
    "combining characters": ["e\u0301\u0308\u0323o\u0308", 2],
    "characters wide since Unicode 16": ["☰䷀𝌀", 6],
    "conjoining Hangul": ["\u1112\u1161\u11ab", 2],
    "vowel signs and conjuncts of Devanagari": ["\u0915\u093e\u0915\u094d\u0937", 4],
    "emoji and flags": ["😀🇩🇪🏴", 6],
    "DEL": ["\x7f", 1, "␡"],
    "C1 controls and bidirectional overrides": ["\u009b31m \u202e", 18, "<U+9B>31m <U+202E>"],
    // Terminals disagree about the width of these: the sum of all characters, or that of one emoji.
    "a family": ["👨\u200d👩\u200d👧", 22, "👨<U+200D>👩<U+200D>👧"],
    "skin tones": ["👍🏽x🏽", 21, "👍<U+1F3FD>x<U+1F3FD>"],
    "variation selectors": ["\u2764\ufe0f⌚\ufe0e©\ufe0f", 28, "\u2764<U+FE0F>⌚<U+FE0E>©<U+FE0F>"],
    "a keycap": ["1\ufe0f\u20e3", 17, "1<U+FE0F><U+20E3>"],
    "a flag of joined emoji": ["🏳\ufe0f\u200d🌈", 19, "🏳<U+FE0F><U+200D>🌈"],
    "half a flag": ["🇩🇪🇩", 11, "🇩🇪<U+1F1E9>"],
    "a flag of tags": ["🏴\u{e0067}\u{e007f}", 20, "🏴<U+E0067><U+E007F>"],
    "zero-width characters": ["a\u200b\u200c\u2060\ufeffb", 34, "a<U+200B><U+200C><U+2060><U+FEFF>b"],
    "direction marks": ["\u061c1\u200e2\u200f3", 26, "<U+61C>1<U+200E>2<U+200F>3"],
    "overrides and isolates": ["\u202e1\u2066", 17, "<U+202E>1<U+2066>"],
    "line separators": ["a\u2028\u2029", 17, "a<U+2028><U+2029>"],
    "soft hyphens and fillers": ["a\u00ad\u3164\u034f", 22, "a<U+AD><U+3164><U+34F>"],
    "interlinear annotations": ["\ufff9a\ufffb", 17, "<U+FFF9>a<U+FFFB>"],
    "supplementary selectors": ["a\ufe0f\u{e0100}", 18, "a<U+FE0F><U+E0100>"],
    "joiners of letters": ["\u0646\u200c\u0647", 10, "\u0646<U+200C>\u0647"],
    "format characters that are drawn": ["\u06001\u06dd", 3],
  };
  for (const [name, [content, columns, shown = content]] of Object.entries(contents)) {
    it(`are right after ${name}`, async () => {
      const caret = `    | ${" ".repeat(columns + 2 + 3 * Number(columns > 0))}^`;
      assertEquals(await snippet(`["${content}", x`), `  1 | ["${shown}", x\n${caret}`);
    });
  }

  itInProcess("are right after ASCII, whatever follows it", async () => {
    for (let code = 0; code < 0x80; code++) {
      const [ascii, more] = await Promise.all(
        ["e", "é"].map((end) => snippet(`["${String.fromCharCode(code)}${end}", x`)),
      );
      assertEquals(more.replace("é", "e"), ascii);
    }
  });

  it("stand below malformed UTF-8", async () => {
    assertEquals(await snippet(fromHex("5b2261fffe225d")), '  1 | ["a��"]\n    |    ^');
  });

  it("stand below a zero-width character that is the failure, by its name", async () => {
    assertEquals(await snippet("[1, \u200b2]"), "  1 | [1, <U+200B>2]\n    |     ^");
    assertEquals(await snippet("[1 \ufeff]"), "  1 | [1 <U+FEFF>]\n    |    ^");
    assertEquals(await snippet("[1 \u0301]"), "  1 | [1 <U+301>]\n    |    ^");
  });
});

describe("pieces of any size", () => {
  const inputs: Record<string, [content: string | Uint8Array, ...args: string[]]> = {
    "a short document": ['{\n  "a": 1,\n  "b": 2,,\n}\n'],
    "one that ends too early": ["[1, 2,\n"],
    "one with long lines around": [`["${"a".repeat(3000)}",\n"${"é".repeat(1500)}", oops, "${"b".repeat(3000)}"]`],
    "a character that is none, far in": [fromHex(`22${"61".repeat(2100)}f09f98${"62".repeat(1100)}22`)],
    "JSON Lines": [`1\r\n[1,\r\n{"a":}\n${"x".repeat(2500)}\n\n"\u00e9\n[`, "--jsonl"],
    "JSON Lines, the first of them": ["1\n[\n2\n[\n3\n[", "--jsonl", "--max-errors=1"],
    "JSON Lines up to a failure": ["1\n[\n2\n[\n3\n[", "--jsonl", "--fail-fast"],
    "documents one after another": ["{} [1,] 2\n{}\n]\n3", "--concatenated"],
    "comments": ["// é\n[1, /* 2\n */ 3,, 4]", "--jsonc=*"],
  };
  for (const [name, [stdin, ...args]] of Object.entries(inputs)) {
    it(`give the same: ${name}`, async () => {
      for (const format of ["text", "json"]) {
        const run = async (pieceBytes: number) => {
          const run = await runCli(".", ["check", `--format=${format}`, ...args, "-"], { stdin, pieceBytes });
          // How much is read after a failure depends on the pieces.
          return { ...run, stdout: run.stdout.replace(/^\{"type":"summary".*\n|"bytes":\d+,/gm, "") };
        };
        const whole = await run(1e6);
        assertEquals(whole.code, 1);
        for (const size of piecesOf(1, 2, 3, 7, 100, 1000, 1024, 2048, 3000)) assertEquals(await run(size), whole);
      }
    });
  }
});
