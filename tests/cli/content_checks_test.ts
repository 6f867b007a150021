/** Flags of `check` for the content of documents. */

import { assertEquals, assertMatch } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { guardsOfChecks } from "../../cli/diagnostics/guarded_validator.ts";
import { JsoncValidator } from "../../cli/diagnostics/jsonc_validator.ts";
import { utf8 } from "../support/bytes.ts";
import { everyCut, piecesAt } from "../support/cuts.ts";
import { folderOf, type Run, runCli, withoutTime } from "../support/cli.ts";

/** Runs check on files. */
async function check(files: Record<string, string>, args: readonly string[]): Promise<Run> {
  using folder = folderOf(files);
  const { code, stdout, stderr } = await runCli(folder.path, ["check", ...args]);
  return { code, stdout: withoutTime(stdout), stderr: withoutTime(stderr) };
}

const ALL = ["--unique-keys", "--safe-integers", "--no-proto"];

describe("check: flags for content", () => {
  const cases = [
    {
      flag: "--unique-keys",
      text: '{"a": 1,\n "\\u0061": 2}',
      report: `a.json:2:2: error: Duplicate property name (byte 10)
  1 | {"a": 1,
  2 |  "\\u0061": 2}
    |  ^
hint: the first one is at byte 1; JSON.parse keeps the last value
1 of 1 file invalid
`,
    },
    {
      flag: "--safe-integers",
      text: "[9007199254740991, -9007199254740992]",
      report: `a.json:1:20: error: Integer beyond the range of exact numbers (byte 19)
  1 | [9007199254740991, -9007199254740992]
    |                    ^
hint: JSON.parse may round it; write it as a string
1 of 1 file invalid
`,
    },
    {
      flag: "--no-proto",
      text: '{"constructor": {"prototype": 1}}',
      report: `a.json:1:18: error: Forbidden property name (byte 17)
  1 | {"constructor": {"prototype": 1}}
    |                  ^
hint: a copy of the object, by assignment or merging, may change a prototype
1 of 1 file invalid
`,
    },
  ];
  for (const { flag, text, report } of cases) {
    it(`${flag} shows the place, and why`, async () => {
      assertEquals(await check({ "a.json": text }, [flag, "a.json"]), { code: 1, stdout: "", stderr: report });
      const others = ALL.filter((other) => other !== flag);
      assertEquals((await check({ "a.json": text }, [...others, "a.json"])).code, 0);
      assertEquals((await check({ "a.json": text }, ["a.json"])).code, 0);
    });
  }

  it("go on with the next line, and count", async () => {
    const text = '{"a":1}\n{"a":1,"a":2}\n[1\n[9007199254740993]\n{"__proto__":1}\n[2]\n';
    const { code, stderr } = await check({ "a.jsonl": text }, [...ALL, "--no-snippet", "a.jsonl"]);
    assertEquals(code, 1);
    assertEquals(
      stderr.replace(/^hint.*\n/gm, ""),
      `a.jsonl:2:8: error: Duplicate property name (byte 15)
a.jsonl:3:3: error: Expected ',' or ']' after array element (byte 24)
a.jsonl:4:2: error: Integer beyond the range of exact numbers (byte 26)
a.jsonl:5:2: error: Forbidden property name (byte 45)
a.jsonl: 4 of 6 documents invalid
1 of 1 file invalid
`,
    );
  });

  it("are checked together with nesting, whatever comes first", async () => {
    const args = [...ALL, "--max-depth=2", "--no-snippet", "a.json"];
    const { stderr } = await check({ "a.json": '[{"a": [], "a": 1}]' }, args);
    assertMatch(stderr, /^a\.json:1:8: error: Nesting deeper than --max-depth 2 \(byte 7\)\n/);
  });

  it("put the place of the first name into JSON records", async () => {
    const { stdout } = await check({ "a.json": '{"a": 1, "a": 2}' }, ["--unique-keys", "--json", "a.json"]);
    const { code, offset, firstOffset, hint } = JSON.parse(stdout.split("\n")[0]);
    assertEquals([code, offset, firstOffset], ["duplicate-key", 9, 1]);
    assertEquals(hint, "the first one is at byte 1; JSON.parse keeps the last value");
  });

  it("describe only as many failures as are shown", async () => {
    const args = ["--no-proto", "--max-errors=2", "--no-snippet", "a.jsonl"];
    const { stderr } = await check({ "a.jsonl": '{"__proto__":1}\n'.repeat(5) }, args);
    assertEquals(stderr.match(/error:/g)?.length, 2);
    assertMatch(stderr, /a\.jsonl: 5 of 5 documents invalid; 2 shown, --max-errors 0 shows all\n/);
  });

  it("are made of JSON with comments, too, and in pieces", () => {
    const documents: [text: string, place: string | null][] = [
      ['{"a":1, // é "a"\r\n "b":2,}', null],
      ['{"a":1, // é "a"\r\n "a":2,}', "duplicate-key at 20, 2:2"],
      ['{/* "a":\r{ */"a":[1,2,], /* é */ "\\u0061":2}', "duplicate-key at 34, 2:25"],
      ["[9007199254740992// é\n]", "unsafe-integer at 1, 1:2"],
      ["// é\n9007199254740992", "unsafe-integer at 6, 2:1"],
      ["/* é */9007199254740992/**/", "unsafe-integer at 8, 1:8"],
      ['{"constructor":/**/{"x":1,\r\n/*\r\n*/"prototype":1}}', "forbidden-key at 34, 3:3"],
      ['{"a":1,"a":2 ! }', "duplicate-key at 7, 1:8"],
      ['{"a":1, ! "a":2}', "expected-property-name at 8, 1:9"],
      ['{"a":{"a":1}, "b":{"a":1}, /* "a" */}', null],
    ];
    const guards = guardsOfChecks({ uniqueKeys: true, safeIntegers: true, noProto: true });
    for (const [text, place] of documents) {
      const bytes = utf8(text);
      for (const cut of everyCut(bytes.length)) {
        const places: string[] = [];
        const validator = new JsoncValidator(
          ({ code, offset, line, column }) => {
            places.push(`${code} at ${offset}, ${line}:${column}`);
          },
          Infinity,
          guards,
        );
        for (const piece of piecesAt(bytes, cut)) validator.push(piece as Uint8Array<ArrayBuffer>);
        validator.end();
        assertEquals(places, place === null ? [] : [place], `${text}, cut at ${cut}`);
      }
    }
  });

  it("are made of JSON Lines in a file that may have comments", async () => {
    const files = { "a.jsonl": '{"a":1}\n{"a":1,"a":2}\n', "b.jsonc": '// b\n{"b":1,"b":2,}' };
    const { code, stderr } = await check(files, [...ALL, "--jsonc=*.json*", "--no-snippet", "a.jsonl", "b.jsonc"]);
    assertEquals(code, 1);
    assertMatch(stderr, /^a\.jsonl:2:8: error: Duplicate property name/m);
    assertMatch(stderr, /^b\.jsonc:2:8: error: Duplicate property name/m);
  });
});
