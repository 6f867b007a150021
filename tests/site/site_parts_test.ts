/** Tests of the parts of `site/` that need no browser. */

import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import type { Format } from "../../site/messages.ts";
import { indentJson } from "../../site/page/indent_json.ts";
import { verdictOf } from "../../site/page/speed_verdict.ts";
import { type CheckResult, checkSource, type Concern } from "../../site/worker/check_source.ts";
import { findValues } from "../../site/worker/find_values.ts";
import { measureSource } from "../../site/worker/measure_source.ts";
import { projectRoot } from "../support/environment.ts";

const COLUMNS = 60;

const ignore = (): void => {};

function check(text: string, format: Format = "json", name = "", concern?: Concern): Promise<CheckResult> {
  const source = { blob: new Blob([text]), name, format };
  return checkSource({ source, columns: COLUMNS, ...concern && { concern } }, ignore);
}

/** Returns a blob of many equal parts, which takes the memory of one. */
function largeBlob(start: string, part: string, parts: number, end: string): Blob {
  const thousand = new Blob([part.repeat(1000)]);
  return new Blob([start, ...Array(parts / 1000).fill(thousand), end]);
}

describe("checkSource()", () => {
  it("finds documents of each format valid", async () => {
    const rows: { text: string; format: Format; documents?: number }[] = [
      { text: '{"a": 1}', format: "json" },
      { text: "1\n2\n\n3", format: "lines", documents: 3 },
      { text: "1 2 3", format: "concatenated", documents: 3 },
      { text: "[1, /* one */ 2,]", format: "comments" },
    ];
    for (const { text, format, documents } of rows) {
      const { invalidDocuments, findings, documents: counted, bytes } = await check(text, format);
      assertEquals([invalidDocuments, findings, counted, bytes], [0, [], documents, text.length], format);
    }
  });

  it("gives advice that the page has, not the command line", async () => {
    const rows: { text: string; name: string; advice: string; suggestion: Format }[] = [
      { text: "{}\n{}\n", name: "", advice: "read it as JSON Lines", suggestion: "lines" },
      { text: "{} {}", name: "", advice: "read it as several documents", suggestion: "concatenated" },
      { text: "[1,]", name: "deno.json", advice: "read it as JSON with comments", suggestion: "comments" },
    ];
    for (const { text, name, advice, suggestion } of rows) {
      const [finding] = (await check(text, "json", name)).findings;
      assert(finding.hint!.endsWith(advice), finding.hint);
      assertEquals(finding.suggestion, suggestion);
      assertEquals((await check(text, suggestion, name)).invalidDocuments, 0);
    }
  });

  it("counts all failures, and describes the first", async () => {
    const { documents, invalidDocuments, findings } = await check("1\n]\n".repeat(500), "lines");
    assertEquals([documents, invalidDocuments, findings.length], [1000, 500, 10]);
  });

  it("finds duplicate names and unsafe integers of valid documents, one concern at a time", async () => {
    for (const format of ["json", "comments"] as const) {
      const text = `{"a": 1,\n "a": ${format === "json" ? "" : "/**/"} 9007199254740993}`;
      assertEquals((await check(text, format)).invalidDocuments, 0);
      const [duplicate, ...others] = (await check(text, format, "", "duplicateNames")).findings;
      assertEquals([duplicate.line, duplicate.column, others], [2, 2, []]);
      assertEquals(duplicate.hint, "the first one is at byte 1; JSON.parse keeps the last value");
      const [integer] = (await check(text, format, "", "unsafeIntegers")).findings;
      assertEquals(integer.message, "Integer beyond the range of exact numbers");
    }
  });
});

describe("findValues()", () => {
  it("reads no more than is shown", async () => {
    const rows = [
      { blob: largeBlob("[", '{"name":"Ann"},', 1_000_000, "1]"), mask: "[{name}]", format: "json", results: 0 },
      { blob: largeBlob("", '{"name":"Ann"}\n', 1_000_000, ""), mask: "{name}", format: "lines", results: 1000 },
    ] as const;
    for (const { blob, mask, format, results } of rows) {
      let read = 0;
      const { slice } = blob;
      blob.slice = (start, end) => {
        read = Math.max(read, end!);
        return slice.call(blob, start, end);
      };
      const source = { blob, name: "", format };
      const result = await findValues({ source, by: "mask", text: mask, wheres: [], columns: COLUMNS }, ignore);
      assert(result.ok && result.isTruncated && result.results === results && result.text.length <= 2 ** 16, format);
      assert(read > 0 && read < blob.size / 2, `${read} bytes of ${format}`);
    }
  });
});

describe("findValues() of lines", () => {
  const find = async (text: string, mask: string, format: Format = "lines") => {
    const source = { blob: new Blob([text]), name: "", format };
    const result = await findValues({ source, by: "mask", text: mask, wheres: [], columns: COLUMNS }, ignore);
    if (!result.ok) throw new Error(result.message);
    return result;
  };

  it("has rows for a mask of names, whose cells are the values", async () => {
    const result = await find('{"a":"1\\t2\\\\n","b":{"c":[1, 2]}}\n{"a":null}\n', "{a,b:{c}}");
    assertEquals(result.table, { header: ["a", "b.c"], rows: [["1\t2\\n", "[1,2]"], ["", ""]] });
    assertEquals(result.text, "a\tb.c\n1\\t2\\\\n\t[1,2]\n\t\n");
    assertEquals([result.bytes, result.documents], [44, 2]);
  });

  it("has JSON for other masks and formats", async () => {
    for (const [mask, format] of [["{*:[{b}]}", "lines"], ["{a:[{b}]}", "json"]] as const) {
      const result = await find('{"a":[{"b":1}]}', mask, format);
      assertEquals([result.table, result.text], [undefined, '{"a":[{"b":1}]}\n']);
    }
  });

  it("has no row that is cut", async () => {
    const result = await find(`{"a":"${"x".repeat(50_000)}"}\n`.repeat(3), "{a}");
    assertEquals([result.isTruncated, result.table!.rows.length], [true, 1]);
  });

  it("has as many rows as are shown", async () => {
    const result = await find('{"a":1}\n'.repeat(2000), "{a}");
    assertEquals([result.isTruncated, result.results, result.table!.rows.length], [true, 1000, 1000]);
    assertEquals(result.text.split("\n").length, 1001);
  });
});

describe("measureSource()", () => {
  it("gives a reason for what it does not measure", async () => {
    const rows: { blob: Blob; format: Format; reason: RegExp }[] = [
      { blob: new Blob([" \n \n"]), format: "lines", reason: /^The document is empty\.$/ },
      { blob: largeBlob("[", "1".repeat(300) + ",", 700_000, "1]"), format: "json", reason: /200 MB/ },
    ];
    for (const { blob, format, reason } of rows) {
      const result = await measureSource({ source: { blob, name: "", format } }, ignore);
      assertMatch(result.ok ? "" : result.reason, reason);
    }
  });
});

describe("verdictOf()", () => {
  it("calls a difference within the spread, or of three percent, a tie", () => {
    assertMatch(verdictOf({ name: "x", ratio: { lower: 0.9, median: 1.2, upper: 1.5 } }), /a tie/);
    assertMatch(verdictOf({ name: "x", ratio: { lower: 1.01, median: 1.02, upper: 1.03 } }), /a tie/);
    assertMatch(verdictOf({ name: "x", ratio: { lower: 1.1, median: 1.2, upper: 1.3 } }), /1\.20× .* faster/);
    assertMatch(verdictOf({ name: "x", ratio: { lower: 0.5, median: 0.6, upper: 0.7 } }), /0\.60× .* slower/);
  });
});

describe("indentJson()", () => {
  it("keeps the tokens, and indents what is long or nested, whatever whitespace there is", () => {
    const json = '{"a":1.50,"b":[1,2,"x, [y]: \\""],"c":{"d":{}},"e":"' + "x".repeat(70) + '"}';
    const indented = indentJson(json);
    assertEquals(JSON.stringify(JSON.parse(indented)), JSON.stringify(JSON.parse(json)));
    assertStringIncludes(indented, '{\n  "a": 1.50,\n  "b": [1, 2, "x, [y]: \\""],\n  "c": {\n    "d": {}\n  },\n');
    assertEquals(indentJson(JSON.stringify(JSON.parse(json), null, "\t").replace(": 1.5,", ":  1.50,")), indented);
    assertEquals(indentJson(`\n${indented}\n`), indented);
  });

  it("leaves values of many levels as they are", () => {
    const deep = "[".repeat(20_000) + "]".repeat(20_000);
    assertEquals(indentJson(deep), deep);
  });
});

describe("site/index.html", () => {
  const page = Deno.readTextFileSync(new URL("site/index.html", projectRoot));

  it("allows no connection, and no script or style but those of its files", () => {
    const [, policy] = /http-equiv="content-security-policy"\s+content="([^"]+)"/.exec(page)!;
    assertEquals(
      policy,
      "default-src 'none'; script-src 'self'; worker-src 'self' blob:; style-src 'self'; img-src 'self' data:; " +
        "connect-src 'none'; base-uri 'none'; form-action 'none'",
    );
    assert(!/<style|<script(?![^>]*\bsrc=)|\sstyle=|\son\w+=/.test(page));
  });
});
