/**
 * Inputs by commands: none ends with exit code 0 and has printed less than it was asked for.
 */

import { assert, assertEquals } from "@std/assert";
import { describe } from "@std/testing/bdd";
import { gzipSync, zstdCompressSync } from "node:zlib";
import { concat, utf8 } from "../support/bytes.ts";
import { itInProcess, runCli } from "../support/run_cli.ts";

/** Values of the member `a` in every input. */
const VALUES = [1001, 1002, 1003];
const [X, Y, Z] = VALUES.map((a) => `{"a":${a}}`);
const LINES = `${X}\n${Y}\n${Z}\n`;

function utf16(text: string): Uint8Array {
  const bytes = [...text].flatMap((c) => [c.charCodeAt(0), 0]);
  return Uint8Array.of(0xff, 0xfe, ...bytes);
}

const INPUTS: Record<string, string | Uint8Array> = {
  "lines": LINES,
  "lines without a last end": `${X}\n${Y}\n${Z}`,
  "lines that end in CRLF": LINES.replaceAll("\n", "\r\n"),
  "lines that end in CR": LINES.replaceAll("\n", "\r"),
  "lines with blank ones": `\n${X}\n\n${Y}\n \n${Z}\n`,
  "lines after a mark": `\ufeff${LINES}`,
  "lines after a cut one": `evel":"info"}\n${LINES}`,
  "lines after a banner": `POST _bulk\n${LINES}`,
  "lines after a broken one": `{"a":}\n${LINES}`,
  "lines after a cut string": `{"b":"x\n${LINES}`,
  "lines, one of them broken": `${X}\n${Y}\n{"b":1,}\n${Z}\n`,
  "lines, the last one cut": `${X}\n${Y}\n{"a":1003`,
  "lines with commas": `${X},\n${Y},\n${Z},\n`,
  "lines, one of them an array": `${X}\n[${Y}]\n${Z}\n`,
  "an array": `[${X},${Y},${Z}]\n`,
  "an array on several lines": `[\n${X},\n${Y},\n${Z}\n]\n`,
  "arrays on lines": `[${X}]\n[${Y},${Z}]\n`,
  "an array in an array": `[[${X},${Y},${Z}]]`,
  "an array, cut": `[${X},${Y},${Z}`,
  "an array with a trailing comma": `[${X},${Y},${Z},]`,
  "documents without space": `${X}${Y}${Z}`,
  "documents on several lines": LINES.replaceAll("{", "{\n"),
  "a sequence of RFC 7464": LINES.replaceAll("{", "\x1e{"),
  "lines in UTF-16": utf16(LINES),
  "lines with comments": `// one\n${X}\n${Y} // two\n${Z}`,
  "gzip": new Uint8Array(gzipSync(LINES)),
  "gzip, cut": new Uint8Array(gzipSync(LINES)).slice(0, -12),
  "gzip before something": concat([new Uint8Array(gzipSync(LINES)), utf8("# end\n")]),
  "gzip of an array": new Uint8Array(gzipSync(`[${X},${Y},${Z}]`)),
  "gzip in gzip": new Uint8Array(gzipSync(gzipSync(LINES))),
  "Zstandard": new Uint8Array(zstdCompressSync(utf8(LINES))),
  "Zstandard, cut": new Uint8Array(zstdCompressSync(utf8(LINES))).slice(0, -3),
  "Zstandard before something": concat([new Uint8Array(zstdCompressSync(utf8(LINES))), utf8("# end\n")]),
  "nothing": "",
  "white space": " \n\n",
  "a mark": "\ufeff",
  "HTML": "<html>\n<body>\n",
};

/** Command lines that are asked for the values of all documents or elements. */
const COMMANDS: readonly (readonly string[])[] = [
  ["select", "{a}"],
  ["select", "[{a}]"],
  ["select", "--csv", "{a}"],
  ["select", "--csv"],
  ["select", "--tsv", "[{a}]"],
  ["select", "--where", "/a>0"],
  ["select", "--where", "/a>0", "{a}"],
  ["select", "--where", "/a>0 or /a<0"],
  ["get", "/a"],
  ["get", "/a", "--first", "3"],
  ["get", ""],
  ["each", ""],
  ["each", "/a"],
];

/**
 * Returns whether a command leaves a case out by its meaning: lines that do not match or lack a
 * value, elements of another kind.
 */
function isLeftOut(name: string, args: readonly string[]): boolean {
  if (name === "an array in an array") return args.includes("[{a}]");
  return name === "lines, one of them an array" && (args[0] === "get" || args.includes("--where"));
}

/** Message about documents that are arrays, where conditions ask for members. */
const ELEMENTS = "nothing matches, and the first document is an array: try bytejson each ''";

describe("inputs", () => {
  for (const [name, input] of Object.entries(INPUTS)) {
    itInProcess(`are printed whole, or there is a message: ${name}`, async () => {
      for (const args of COMMANDS) {
        for (const flags of [[], ["--jsonl"], ["--quiet"]]) {
          for (const pieceBytes of flags.length === 0 ? [7, 1e6] : [7]) {
            const { code, stdout, stderr } = await runCli(".", [...args, ...flags], { stdin: input, pieceBytes });
            const isWhole = VALUES.every((value) => stdout.includes(String(value)));
            const hasNone = typeof input === "string" && !input.includes("100") && flags[0] === "--jsonl";
            const isSaid = args.includes("--where") && stdout === "" && stderr.includes(ELEMENTS);
            assert(
              code > 0 || isWhole || hasNone || isSaid || isLeftOut(name, args),
              `${args.join(" ")} ${flags}: ${stdout}`,
            );
            const isQuiet = flags[0] === "--quiet";
            assertEquals(
              code > 0 && stderr === "",
              isQuiet && code === 1 && stderr === "",
              `${args.join(" ")} ${flags}`,
            );
          }
        }
      }
      const { code, stdout } = await runCli(".", ["locate", "/a", "-"], { stdin: input });
      const isWhole = stdout.split("\n").length === VALUES.length + 1;
      assert(code > 0 || isWhole || isLeftOut(name, ["get"]), stdout);
    });
  }
});
