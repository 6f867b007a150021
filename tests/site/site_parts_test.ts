/** Tests of the parts of `site/` that need no browser. */

import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import type { Format } from "../../site/messages.ts";
import { indentJson } from "../../site/page/indent_json.ts";
import { SAMPLES } from "../../site/page/samples.ts";
import { verdictOf } from "../../site/page/speed_verdict.ts";
import { type CheckResult, checkSource, type Concern } from "../../site/worker/check_source.ts";
import { type FindResult, findValues } from "../../site/worker/find_values.ts";
import { findKeys } from "../../site/worker/find_wrong_keys.ts";
import { measureSource } from "../../site/worker/measure_source.ts";
import { projectRoot, runDeno } from "../support/environment.ts";

const COLUMNS = 60;

const ignore = (): void => {};

function check(text: string, format: Format = "json", name = "", concern?: Concern): Promise<CheckResult> {
  const source = { blob: new Blob([text]), name, format };
  return checkSource({ source, columns: COLUMNS, ...concern && { concern } }, ignore);
}

/** Returns the result of a look-up, or throws the message of a wrong mask or pointer. */
async function found(...args: Parameters<typeof find>): Promise<FindResult & { ok: true }> {
  const result = await find(...args);
  if (!result.ok) throw new SyntaxError(result.message);
  return result;
}

function find(
  blob: Blob,
  by: "mask" | "pointer",
  text: string,
  format: Format = "json",
  wheres: string[] = [],
): Promise<FindResult> {
  return findValues({ source: { blob, name: "", format }, by, text, wheres, columns: COLUMNS }, ignore);
}

/** Returns a blob of many equal parts, which takes the memory of one. */
function largeBlob(start: string, part: string, parts: number, end: string): Blob {
  const thousand = new Blob([part.repeat(1000)]);
  return new Blob([start, ...Array(parts / 1000).fill(thousand), end]);
}

describe("checkSource()", () => {
  it("finds documents of each format valid", async () => {
    const rows: [text: string, format: Format, documents?: number][] = [
      ['{"a": 1}', "json"],
      ["1\n2\n\n3", "lines", 3],
      ["1 2 3", "concatenated", 3],
      ["[1, /* one */ 2,]", "comments"],
    ];
    for (const [text, format, documents] of rows) {
      const { invalidDocuments, findings, documents: counted, bytes } = await check(text, format);
      assertEquals([invalidDocuments, findings, counted, bytes], [0, [], documents, text.length], format);
    }
  });

  it("gives advice that the page has, not the command line", async () => {
    const rows: [text: string, name: string, advice: string, suggestion: Format][] = [
      ["{}\n{}\n", "", "read it as JSON Lines", "lines"],
      ["{} {}", "", "read it as several documents", "concatenated"],
      ["[1,]", "deno.json", "read it as JSON with comments", "comments"],
    ];
    for (const [text, name, advice, suggestion] of rows) {
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
    const text = '{"a": 1,\n "a": /**/ 9007199254740993}';
    for (const [document, format] of [[text.replace("/**/", ""), "json"], [text, "comments"]] as const) {
      assertEquals((await check(document, format)).invalidDocuments, 0);
      const [duplicate, ...others] = (await check(document, format, "", "duplicateNames")).findings;
      assertEquals([duplicate.line, duplicate.column, others], [2, 2, []]);
      assertMatch(duplicate.hint!, /^the first one is at byte 1; JSON\.parse keeps the last value$/);
      const [integer] = (await check(document, format, "", "unsafeIntegers")).findings;
      assertMatch(integer.message, /^Integer beyond the range of exact numbers$/);
    }
    const lines = await check("9007199254740993\n".repeat(20) + "1\n", "lines", "", "unsafeIntegers");
    assertEquals([lines.invalidDocuments, lines.findings.length], [20, 10]);
  });
});

describe("findValues()", () => {
  const order = new Blob(['{"id": 7, "items": [{"n": 1.50, "t": "a"}, {"n": 2}], "big": 12345678901234567890}']);

  it("selects by a mask, digit for digit", async () => {
    const result = await found(order, "mask", "{big,items:[{n}]}");
    assertEquals(result.text, '{"big":12345678901234567890,"items":[{"n":1.50},{"n":2}]}\n');
    assertEquals([result.results, result.isCut, result.invalidDocuments], [1, false, 0]);
  });

  it("looks up a pointer, and tells its place", async () => {
    const result = await found(order, "pointer", "/items/0/n");
    assertEquals([result.text, result.place], ["1.50\n", { line: 1, column: 27 }]);
    const missing = await found(order, "pointer", "/items/5/n");
    assertEquals([missing.text, missing.results, missing.place], ["", 0, { foundPart: "/items" }]);
  });

  it("selects from each line, and names the first that is wrong", async () => {
    const { text, mask, format } = SAMPLES.log;
    const result = await found(new Blob([text]), "mask", mask, format);
    assertEquals([result.results, result.documents, result.invalidDocuments, result.finding?.line], [3, 4, 1, 3]);
  });

  it("selects from the documents that fulfil all conditions, and points to what is wrong in one", async () => {
    const lines = new Blob(['{"n":1,"t":"a"}\n{"n":2,"t":"b"}\n{"n":3,"t":"a"}\n']);
    const rows: [mask: string, wheres: string[], text: string][] = [
      ["{n}", ["/n >= 2"], '{"n":2}\n{"n":3}\n'],
      ["{n}", ["/n >= 2", '/t in ["a"]'], '{"n":3}\n'],
      ["", ["/n=2"], '{"n":2,"t":"b"}\n'],
      ["{n}", ["/u exists"], ""],
    ];
    for (const [mask, wheres, text] of rows) {
      assertEquals((await found(lines, "mask", mask, "lines", wheres)).text, text, wheres.join());
    }
    const joined = await find(lines, "mask", "{n}", "lines", ["/n = 2 && /t exists"]);
    assertMatch(joined.ok ? "" : joined.message, /one condition on each line/);
    const wrong = await find(lines, "mask", "{n}", "lines", ["/n == 2"]);
    assertEquals(!wrong.ok && [wrong.message.slice(0, 15), wrong.lines], [
      "wrong condition",
      ["  /n == 2", "     ^"],
    ]);
  });

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
      const result = await found(blob, "mask", mask, format);
      assert(result.isCut && result.text.length <= 2 ** 16, format);
      assertEquals(result.results, results, format);
      assert(read > 0 && read < blob.size / 2, `${read} bytes of ${format}`);
    }
  });
});

describe("findKeys()", () => {
  it("finds no wrong key of parseBinary", () => {
    const { pairs, native, parseBinary, example } = findKeys();
    console.log(`JSON.parse has ${native} wrong keys in ${pairs} pairs`);
    assertEquals([pairs, parseBinary], [88, 0]);
    assertEquals(example.actual === example.lastKey, native === 0);
  });
});

describe("measureSource()", () => {
  it("times all ways in as many rounds", async () => {
    const source = { blob: new Blob([SAMPLES.order.text]), name: "", format: "json" } as const;
    const result = await measureSource({ source }, ignore);
    if (!result.ok) throw new Error(result.reason);
    for (const { median, ratio } of result.timings) {
      assert(0 < median && 0 < ratio.lower && ratio.lower <= ratio.median && ratio.median <= ratio.upper);
    }
    assertEquals([result.isValid, result.documents, result.timings.length], [true, 1, 3]);
    assert(result.rounds >= 5);
  });

  it("gives a reason for what it does not measure", async () => {
    const rows: [blob: Blob, format: Format, reason: RegExp][] = [
      [new Blob([" \n \n"]), "lines", /^The document is empty\.$/],
      [largeBlob("[", "1".repeat(300) + ",", 700_000, "1]"), "json", /200 MB/],
    ];
    for (const [blob, format, reason] of rows) {
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

describe("tools/site.ts", () => {
  it("builds scripts that import nothing, and names the cache after the files", async () => {
    const folder = await Deno.makeTempDir();
    try {
      const args = ["run", "--import-map=imports.npm.json", "--allow-read", "--allow-write", "--allow-run"];
      const { success, output } = await runDeno([...args, "tools/site.ts", "--build", "--folder", folder]);
      if (/Failed (?:to )?(?:download|fetch)|error sending request|dns error/i.test(output)) {
        return console.log("skipped: the bundler of Deno cannot be downloaded");
      }
      assert(success, output);
      for (const name of ["page.js", "worker.js", "service_worker.js"]) {
        const script = Deno.readTextFileSync(`${folder}/${name}`);
        assert(!/^import\b|\brequire\(|\bimport\(/m.test(script), name);
      }
      assertMatch(Deno.readTextFileSync(`${folder}/service_worker.js`), /bytejson-site-[0-9a-f]{16}\b/);
    } finally {
      await Deno.remove(folder, { recursive: true });
    }
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

  it("has the service worker keep each file that it names", () => {
    const keeper = Deno.readTextFileSync(new URL("site/service_worker.ts", projectRoot));
    const kept = JSON.parse(/FILES = (\[.*\]);/.exec(keeper)![1]);
    const named = Array.from(page.matchAll(/<(?:link|script)[^>]*(?:href|src)="([^"]+)"/g), ([, path]) => path);
    assertEquals(named.filter((path) => !kept.includes(path)), []);
  });
});
