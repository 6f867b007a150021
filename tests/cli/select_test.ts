/**
 * Parts of documents, compared with the results of `JSON.parse` and the validator: masks, pointers,
 * conditions, rows, wrong and cut documents.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { parseCondition, parseTokens } from "../../cli/select/conditions.ts";
import { parseMask } from "../../cli/select/mask_text.ts";
import { DiagnosticValidator } from "../../cli/diagnostics/diagnostic_validator.ts";
import { utf8 } from "../support/bytes.ts";
import { expectedAt, expectedParts, type PartsRun, readParts, type Wanted } from "../support/parts.ts";
import { type Random, withSeeds } from "../support/random.ts";

const PIECES = [1, 2, 3, 5, 7, 16, 64, 1000, 1e6];

/** Reads a text in pieces of every size up to its length, and asserts that all give the same. */
function readCut(wanted: Wanted, text: string, isJsonLines: boolean | undefined): PartsRun {
  const bytes = utf8(text);
  const whole = readParts(wanted, bytes, isJsonLines);
  for (let size = 1; size < bytes.length; size++) {
    const cut = readParts(wanted, bytes, isJsonLines, size);
    for (const { excerpt } of [...cut.diagnostics, ...whole.diagnostics]) {
      // Bytes after the failure may not be there yet.
      excerpt.bytes = excerpt.bytes.slice(0, excerpt.at);
      excerpt.isEnd = false;
    }
    assertEquals(cut, whole, `pieces of ${size} bytes`);
  }
  return whole;
}

/** Asserts the output for one document, and that it is the same however the bytes are cut. */
function assertParts(mask: string, document: string, expected: string): void {
  const { output, diagnostics } = readCut({ mask }, document, false);
  assertEquals({ output, diagnostics }, { output: `${expected}\n`, diagnostics: [] });
  // The same on a line of its own, among others.
  if (document.includes("\n")) return;
  const lines = readCut({ mask }, `${document}\r\n\n${document}\n`, true);
  assertEquals(lines.output, `${expected}\n${expected}\n`);
}

describe("select: parts", () => {
  const cases: [mask: string, document: string, expected: string][] = [
    ["{a}", '{"a":1,"b":2}', '{"a":1}'],
    ["{a}", '{ "b" : 2 , "a" : 1 }', '{"a":1}'],
    ["{b,a}", '{"a":1,"b":2}', '{"b":2,"a":1}'],
    ["{a,b,c}", '{"c":3,"a":1}', '{"a":1,"c":3}'],
    ["{a}", "{}", "{}"],
    ["{a}", "{ }", "{}"],
    ["{}", '{"a":1}', "{}"],
    // Bytes of values.
    ["{a}", '{"a":1.50e+2}', '{"a":1.50e+2}'],
    ["{a}", '{"a":"\\u0041\\/é"}', '{"a":"\\u0041\\/é"}'],
    ["{a}", '{"a": {"c" : [1, " 2 \\" ", { }] } }', '{"a":{"c":[1," 2 \\" ",{}]}}'],
    ["{a}", '{"a":12345678901234567890}', '{"a":12345678901234567890}'],
    // Other kinds.
    ["{a}", "5", "5"],
    ["{a}", "null", "null"],
    ["{a}", "[1]", "null"],
    ["[{a}]", '{"a":1}', "null"],
    ["{a:{b}}", '{"a":[1]}', "{}"],
    ["{a:{b}}", '{"a":"x"}', '{"a":"x"}'],
    ["{a:[{b}]}", '{"a":[{"b":1},[2],3,{}]}', '{"a":[{"b":1},null,3,{}]}'],
    ["[{a}]", '[{"a":1},{"b":2}]', '[{"a":1},{}]'],
    ["[[{a}]]", '[[{"a":1}],[]]', '[[{"a":1}],[]]'],
    // The last of several members counts, also over one of another kind.
    ["{a}", '{"a":1,"a":2}', '{"a":2}'],
    ["{a,b}", '{"a":1,"b":3,"a":2}', '{"a":2,"b":3}'],
    ["{a:{b},c}", '{"a":{"b":1},"c":0,"a":{"x":1}}', '{"a":{},"c":0}'],
    ["{a:{b}}", '{"a":{"b":1},"a":[1]}', "{}"],
    ["{a:{b}}", '{"a":[1],"a":{"b":1}}', '{"a":{"b":1}}'],
    ["{a:{b,c}}", '{"a":{"c":1,"b":1,"c":2}}', '{"a":{"b":1,"c":2}}'],
    // All members.
    ["{*}", '{"b":1,"1":2,"a":[3, 4]}', '{"b":1,"1":2,"a":[3,4]}'],
    ["{b,*}", '{"c":1,"b":2,"a":3}', '{"b":2,"c":1,"a":3}'],
    ["{*:{v}}", '{"x":{"v":1,"w":2},"y":{},"z":[1]}', '{"x":{"v":1},"y":{}}'],
    ["{*}", '{"a":1,"b":2,"a":3}', '{"a":3,"b":2}'],
    ["{*:{v}}", '{"a":{"v":1},"a":[1]}', "{}"],
    ["{*}", '{"\\u0061":1}', '{"\\u0061":1}'],
    ["{d:[{*:{v}}]}", '{"d":[{"a":{"v":1}},5]}', '{"d":[{"a":{"v":1}},5]}'],
    // Names.
    ['{"a b",é,$x}', '{"$x":1,"é":2,"a b":3}', '{"a b":3,"é":2,"$x":1}'],
    ["{a}", '{"\\u0061":1}', '{"a":1}'],
    ['{"__proto__":{a}}', '{"__proto__":{"a":1,"b":2}}', '{"__proto__":{"a":1}}'],
    ['{b,"1","0"}', '{"0":1,"1":2,"b":3}', '{"b":3,"1":2,"0":1}'],
    ['{"\\"":{a}}', '{"\\"":{"a":1}}', '{"\\"":{"a":1}}'],
    ['{"\\ud800"}', '{"\\ud800":1}', '{"\\ud800":1}'],
    [`{${Array.from({ length: 40 }, (_, i) => `n${i}`)}}`, '{"n39":1,"n0":{"a": 2}}', '{"n0":{"a":2},"n39":1}'],
    ["{a,a1,a12,a123}", '{"a123":4,"a12":3,"a1":2,"a":1}', '{"a":1,"a1":2,"a12":3,"a123":4}'],
    // Indented, and with all kinds of line ends.
    ["{a:{b}}", '{\n  "a": {\r\n    "b": [\r      1,\n      2\n    ]\n  }\n}\n', '{"a":{"b":[1,2]}}'],
    ["{a}", '\ufeff{"a":1}', '{"a":1}'],
  ];
  for (const [mask, document, expected] of cases) {
    it(`copies ${mask.slice(0, 40)} of ${JSON.stringify(document)}`, () => {
      // A byte-order mark stands at the beginning only.
      if (document.startsWith("\ufeff")) assertEquals(readCut({ mask }, document, true).output, `${expected}\n`);
      else assertParts(mask, document, expected);
    });
  }

  it("drops what later members replace while it reads", () => {
    const text = "x".repeat(2 ** 19);
    const members = Array.from({ length: 20 }, (_, i) => `"a":"${i}${text}","b":${i}`);
    const { output } = readParts({ mask: "{b,a}" }, utf8(`{${members}}`), false, 2 ** 16);
    assertEquals(output, `{"b":19,"a":"19${text}"}\n`);
  });
});

describe("select: lines", () => {
  const cases: [name: string, text: string, isLines: boolean][] = [
    ["two lines", '{"a":1}\n{"a":2}', true],
    ["blank lines between", '\n {"a":1}\r\n\r\n{"a":2}\n', true],
    ["scalars", "1\n2\n", true],
    ["a byte-order mark", '\ufeff{"a":1}\n{"a":2}\n', true],
    ["nothing", "", true],
    ["white space", " \r\n\t", true],
    ["one line", '{"a":1}\n', false],
    ["one line and white space", '{"a":1}\n \n', false],
    ["a document of several lines", '{"a":\n1}\n', false],
    ["an array of lines", "[\n1,\n2]", false],
  ];
  for (const [name, text, isLines] of cases) {
    it(`are found by looking: ${name}`, () => {
      const { output, documents } = readCut({ mask: "{a}" }, text, undefined);
      const expected = isLines
        ? readParts({ mask: "{a}" }, utf8(text), true)
        : readParts({ mask: "{a}" }, utf8(text), false);
      assertEquals({ output, documents }, { output: expected.output, documents: expected.documents });
      if (!isLines) assertEquals(documents, 1);
    });
  }

  it("may be longer than any piece", () => {
    const long = "y".repeat(3 * 2 ** 20);
    const lines = [
      `{"skipped":"${long}","a":1}`,
      '{"a":2}',
      `{"a":"${long}","b":[${"1, ".repeat(2 ** 20)}1]}`,
      `{"${long}":1,"a":3}`,
      '{"a":4}',
    ];
    const bytes = utf8(lines.join("\n"));
    for (const piece of [2 ** 14, 2 ** 18, bytes.length]) {
      const { output, diagnostics } = readParts({ mask: "{a}" }, bytes, true, piece);
      assertEquals(diagnostics, []);
      assert(output === `{"a":1}\n{"a":2}\n{"a":"${long}"}\n{"a":3}\n{"a":4}\n`, `pieces of ${piece} bytes`);
      const kept = readParts({ where: ["/a>=1"] }, bytes, true, piece).output;
      assert(kept === [lines[0], lines[1], lines[3], lines[4], ""].join("\n"), `where: pieces of ${piece} bytes`);
    }
  });

  it("that each open an array are read in linear time", () => {
    const text = '[\n{"a":1}\n'.repeat(100_000);
    const started = performance.now();
    const { output, invalid } = readParts({ mask: "{a}" }, utf8(text), true, 2 ** 18);
    assertEquals({ output: output.length, invalid }, { output: 800_000, invalid: 100_000 });
    assert(performance.now() - started < 20_000);
  });

  it("end where a line ends, and nowhere else", () => {
    const { output, diagnostics, documents } = readCut(
      { mask: "{a}" },
      '{"a":1\n}\n{"a":2} {"a":3}\n{"a":4}\r\n{"a":5}',
      true,
    );
    assertEquals(output, '{"a":4}\n{"a":5}\n');
    assertEquals(documents, 5);
    assertEquals(diagnostics.map(({ line, column, code }) => `${line}:${column} ${code}`), [
      "1:7 expected-comma-or-brace",
      "2:1 unexpected-token",
      "3:9 trailing-content",
    ]);
  });

  it("stop after the first results", () => {
    const text = '{"a":1}\n{"a":2}\n{"a":wrong}\n';
    assertEquals(readParts({ mask: "{a}", first: 2 }, utf8(text), true), {
      output: '{"a":1}\n{"a":2}\n',
      diagnostics: [],
      documents: 2,
      invalid: 0,
      results: 2,
    });
    assertEquals(readParts({ where: ["/a>1"], first: 1 }, utf8(text), true).output, '{"a":2}\n');
  });
});

describe("select: conditions", () => {
  const kept: [condition: string, value: string, isKept: boolean][] = [
    ['/v="x"', '"x"', true],
    ['/v="x"', '"\\u0078"', true],
    ['/v="x"', '"xy"', false],
    ['/v="x"', "120", false],
    ['/v="é\\n"', '"\\u00e9\\u000a"', true],
    ['/v="\\u0041"', '"A"', true],
    ['/v!="x"', '"y"', true],
    ['/v!="x"', "null", true],
    ['/v!="x"', '"\\u0078"', false],
    ["/v=5", "5.0", true],
    ["/v=5", "50e-1", true],
    ["/v=5", '"5"', false],
    ["/v=0", "-0", true],
    ["/v=9007199254740993", "9007199254740993", true],
    ["/v=9007199254740993", "9007199254740992", false],
    ["/v<9007199254740993", "9007199254740992", true],
    ["/v>-9007199254740993", "-9007199254740992", true],
    ["/v<100000000000000000000", "99999999999999999999", true],
    ["/v>=-1", "123456789012345678901234567890", true],
    ["/v<=5", "5", true],
    ["/v<5", "5", false],
    ["/v>1e3", "1001", true],
    ["/v>5", '"6"', false],
    ["/v>5", "null", false],
    ["/v=true", "true", true],
    ["/v=true", "false", false],
    ["/v=null", "null", true],
    ['/v={"a":[1]}', '{ "a" : [1.0] }', true],
    ['/v={"a":1,"b":2}', '{"b":2,"a":1}', true],
    ["/v=[]", "{}", false],
    ["/v/w=1", '{"w":1}', true],
    ["/v/w=1", '[{"w":1}]', false],
    ["/v/0/w=1", '[{"w":1}]', true],
    ["/v/0=1", '{"0":1}', true],
    ["/v/00=1", "[1]", false],
    ['="x"', '"x"', false],
  ];
  for (const [condition, value, isKept] of kept) {
    it(`${condition} ${isKept ? "keeps" : "drops"} ${value}`, () => {
      const line = `  {"a" : 1, "v":${value}} \r`;
      const { output } = readCut({ where: [condition] }, `{}\n${line}\n"x"\n{"v":[]}`, true);
      assertEquals(output.includes(line), isKept);
      assertEquals(
        readCut({ where: [condition], mask: "{a}" }, `{"b":1}\n${line}\n`, true).output,
        isKept ? '{"a":1}\n' : "",
      );
      assertEquals(readCut({ where: [condition], mask: "{*}" }, `${line}\n`, true).results, Number(isKept));
    });
  }

  it("must all hold, with values both whole and in parts", () => {
    const text = '{"a":{"b":1}}\n{"a":{"b":1,"c":2}}\n';
    assertEquals(readCut({ where: ["/a/b=1", '/a={"b":1}'] }, text, true).output, '{"a":{"b":1}}\n');
    assertEquals(readCut({ where: ["/a/b=1", "/a/c>1"] }, text, true).output, '{"a":{"b":1,"c":2}}\n');
  });

  it("pass one document byte for byte", () => {
    const text = '{\n  "a": 1\n}\n';
    assertEquals(readCut({ where: ["/a=1"] }, text, undefined).output, text);
    assertEquals(readCut({ where: ["/a=2"] }, text, undefined).output, "");
    assertEquals(readCut({ where: ["/a=1"], mask: "{a}" }, text, undefined).output, '{"a":1}\n');
  });

  it("find wrong lines that do not match", () => {
    const { output, diagnostics } = readCut({ where: ["/a=1"] }, '{"a":1}\n{"a":1} x\n{"a":2,}\n', true);
    assertEquals(output, '{"a":1}\n');
    assertEquals(diagnostics.map(({ line, column }) => [line, column]), [[2, 9], [3, 8]]);
  });

  it("may have operators in the pointer", () => {
    assertEquals(parseCondition('/a=b<c="x=y"'), { ...parseCondition('/a="x=y"'), tokens: ["a=b<c"] });
  });
});

describe("select: rows", () => {
  const TEXT = '{"a":"x,y","b":{"c":1.50}}\n{"b":{"c":"say \\"hi\\"\\n"},"a":null}\n{"a":"","b":[]}\n' +
    '{"a":{"k": [1,2]},"b":7}\n[]\n{"a":"tab\\t\\\\\\u00e9"}\n';

  it("are CSV below a header", () => {
    assertEquals(
      readCut({ mask: '{a,b:{c,"d,e"}}', format: "csv" }, TEXT, true).output,
      'a,b.c,"b.d,e"\n"x,y",1.50,\n,"say ""hi""\n",\n"",,\n"{""k"":[1,2]}",,\n,,\ntab\t\\é,,\n',
    );
  });

  it("are TSV below a header", () => {
    assertEquals(
      readCut({ mask: "{a,b:{c}}", format: "tsv" }, TEXT, true).output,
      'a\tb.c\nx,y\t1.50\n\tsay "hi"\\n\n\t\n{"k":[1,2]}\t\n\t\ntab\\t\\\\é\t\n',
    );
  });

  it("are never blank lines of CSV", () => {
    assertEquals(readCut({ mask: "{a}", format: "csv" }, '{}\n{"a":""}\n', true).output, 'a\n""\n""\n');
  });

  it("decode all escapes", () => {
    const text = '{"a":"\\"\\\\\\/\\b\\f\\r\\u0000\\u00df\\u20ac\\ud83d\\ude00\\ud83dx\\udC00"}';
    const { output } = readCut({ mask: "{a}", format: "tsv" }, text, false);
    assertEquals(output, 'a\n"\\\\/\b\f\\r\0ß€😀\ufffdx\ufffd\n');
  });
});

describe("get and each", () => {
  const DOCUMENT = '{ "a" : [ {"b" : "x\\ty"}, [1, 2], "\\ud83d\\ude00" ], "0": {"a~/b": null}, "a2": {} }';
  const values: [tokens: string, value: string][] = [
    ["", DOCUMENT.replaceAll(/ (?=[^"]*(?:"[^"]*"[^"]*)*$)/g, "")],
    ["/a/0/b", '"x\\ty"'],
    ["/a/1", "[1,2]"],
    ["/a/1/1", "2"],
    ["/0/a~0~1b", "null"],
  ];
  for (const [pointer, value] of values) {
    it(`get "${pointer}"`, () => {
      assertEquals(readCut({ get: parseTokens(pointer) }, DOCUMENT, false).output, `${value}\n`);
    });
  }

  for (const pointer of ["/b", "/a/3", "/a/01", "/a/-", "/a/b", "/a/0/b/0", "/a2/x", "/a/0/b/length"]) {
    it(`get "${pointer}" finds nothing`, () => {
      assertEquals(readCut({ get: parseTokens(pointer) }, DOCUMENT, false), {
        output: "",
        diagnostics: [],
        documents: 1,
        invalid: 0,
        results: 0,
      });
    });
  }

  it("get the last of several members", () => {
    assertEquals(readCut({ get: ["a", "b"] }, '{"a":{"b":1},"a":{"b":2},"c":0}', false).output, "2\n");
    assertEquals(readCut({ get: ["a", "b"] }, '{"a":{"b":1},"a":{}}', false).output, "");
    assertEquals(readCut({ get: ["a", "b"] }, '{"a":{"b":1},"a":5}', false).output, "");
    assertEquals(readCut({ get: ["a"] }, '{"a":{"b":1},"a":5}', false).output, "5\n");
  });

  it("get the first one, and read no further, if only one result is wanted", () => {
    assertEquals(readParts({ get: ["a"], first: 1 }, utf8('{"a":1,"a":2} wrong'), false).output, "1\n");
    assertEquals(
      readParts({ get: ["a"], first: 2 }, utf8('{"a":1,"a":2}\n{}\n{"a":3} wrong\n{"a":4}'), true).output,
      "2\n3\n",
    );
  });

  it("get the text of strings", () => {
    assertEquals(readCut({ get: ["a", "2"], isRaw: true }, DOCUMENT, false).output, "😀\n");
    assertEquals(readCut({ get: ["a", "0", "b"], isRaw: true }, DOCUMENT, false).output, "x\ty\n");
    assertEquals(readCut({ get: ["a", "1"], isRaw: true }, DOCUMENT, false).output, "[1,2]\n");
  });

  it("take each element as it arrives", () => {
    assertEquals(readCut({ each: ["a"] }, DOCUMENT, false).output, '{"b":"x\\ty"}\n[1,2]\n"\\ud83d\\ude00"\n');
    assertEquals(readCut({ each: [], isRaw: true }, ' [ "a" , { "b" : 1 } ] ', false).output, 'a\n{"b":1}\n');
    assertEquals(readCut({ each: ["a"], first: 2 }, DOCUMENT, false).output, '{"b":"x\\ty"}\n[1,2]\n');
    assertEquals(readCut({ each: ["d"] }, '{"d":[1,2]}\n{"d":[]}\n{"d":[3]}', true).output, "1\n2\n3\n");
    assertEquals(readCut({ each: [] }, "[]", false), {
      output: "",
      diagnostics: [],
      documents: 1,
      invalid: 0,
      results: 0,
    });
  });

  it("take the elements before a failure, and those of the first array", () => {
    const { output, diagnostics } = readCut({ each: ["d"] }, '{"d":[1,{"a":2},tru]}', false);
    assertEquals([output, diagnostics[0].offset], ['1\n{"a":2}\n', 19]);
    assertEquals(readCut({ each: ["d"] }, '{"d":[1],"d":[2],"d":3}', false).output, "1\n");
  });

  it("report that there is no array", () => {
    for (const [text, offset] of [['{"d":{"a":1}}', 5], ['{"e":[1]}', 9], ["[]", 2]] as const) {
      const { output, diagnostics } = readCut({ each: ["d"] }, text, false);
      assertEquals([output, diagnostics.map(({ code, offset }) => [code, offset])], ["", [["expected-array", offset]]]);
    }
  });

  it("write many elements in parts", () => {
    const elements = Array.from({ length: 300_000 }, (_, i) => `{"i":${i}}`);
    const { output, results } = readParts({ each: ["d"] }, utf8(`{"d":[${elements.join(", ")}]}`), false);
    assertEquals(results, elements.length);
    assert(output === elements.join("\n") + "\n");
  });
});

const NAMES = [
  "a",
  "b",
  "c",
  "id",
  "data",
  "1",
  "10",
  "__proto__",
  "é",
  "a name that is longer than words",
  'q"\\',
  "",
];
const STRINGS = ["", "x", "hello world", "é\u2028", "😀", 'say "hi"\\', "line\nfeed\ttab", "a,b", "\ud800", "{}[]:,"];
const NUMBERS = [0, -1, 1.5, 1e300, 12345678, -0.001, 9007199254740991, 7];

function randomValue(random: Random, depth: number): unknown {
  const kind = random.below(depth > 0 ? 10 : 5);
  if (kind === 0) return random.pick([null, true, false]);
  if (kind === 1) return random.pick(NUMBERS);
  if (kind <= 4) return random.once(20) ? "x".repeat(700) : random.pick(STRINGS);
  if (kind <= 6) return Array.from({ length: random.below(5) }, () => randomValue(random, depth - 1));
  const members = Array.from({ length: random.below(6) }, () => [random.pick(NAMES), randomValue(random, depth - 1)]);
  return Object.fromEntries(members);
}

function randomMask(random: Random, depth: number): string {
  if (random.once(4)) return `[${randomMask(random, depth)}]`;
  const part = (): string => depth > 0 && random.once(2) ? `:${randomMask(random, depth - 1)}` : "";
  const names = new Set(Array.from({ length: random.below(5) }, () => random.pick(NAMES)));
  const members = Array.from(names, (name) => (/^[a-z]+$/.test(name) ? name : JSON.stringify(name)) + part());
  if (random.once(6)) members.push(`*${part()}`);
  return `{${members.join(random.pick([",", " , "]))}}`;
}

/** Returns JSON that is equal for equal values. */
function canonical(value: unknown): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(canonical)}]`;
  return `{${Object.entries(value).map(([name, member]) => JSON.stringify(name) + canonical(member)).sort()}}`;
}

describe("random documents", () => {
  it("give the parts that JSON.parse has", () => {
    withSeeds(400, (random) => {
      const mask = randomMask(random, 3);
      const picture = parseMask(mask);
      const partsOf = (value: unknown): string => `${expectedParts(picture, value) ?? "null"}\n`;
      const piece = random.pick(PIECES);
      const documents = Array.from({ length: random.below(6) }, () => randomValue(random, 4));
      const text = documents.map((value) => JSON.stringify(value)).join(random.pick(["\n", "\r\n", "\n\n", " \n"]));
      assertEquals(readParts({ mask }, utf8(text), true, piece).output, documents.map(partsOf).join(""));

      const path = Array.from({ length: random.below(4) }, () => random.pick([...NAMES, "0", "2"]));
      const valuesAt = documents.flatMap((value) => expectedAt(path, value));
      assertEquals(
        readParts({ get: path }, utf8(text), true, piece).output,
        valuesAt.map((value) => `${JSON.stringify(value)}\n`).join(""),
      );

      const document = randomValue(random, 5);
      const indented = utf8(JSON.stringify(document, null, random.pick(["", "  ", "\t"])));
      assertEquals(readParts({ mask }, indented, false, piece).output, partsOf(document));

      const tokens = Array.from({ length: random.below(4) }, () => random.pick([...NAMES, "0", "2"]));
      const found = expectedAt(tokens, document);
      const linesOf = (values: readonly unknown[]): string =>
        values.map((value) => `${JSON.stringify(value)}\n`).join("");
      assertEquals(readParts({ get: tokens }, indented, false, piece).output, linesOf(found));
      const each = readParts({ each: tokens }, indented, false, piece);
      if (Array.isArray(found[0])) assertEquals([each.output, each.invalid], [linesOf(found[0]), 0]);
      else assertEquals([each.output, each.diagnostics[0].code], ["", "expected-array"]);
    });
  });

  it("are kept where conditions hold", () => {
    withSeeds(400, (random) => {
      const documents = Array.from({ length: random.below(6) }, () => randomValue(random, 3));
      const tokens = Array.from({ length: random.integer(1, 2) }, () => random.pick([...NAMES, "0"]));
      const likely = documents.flatMap((value) => expectedAt(tokens, value));
      const wanted = likely.length > 0 && random.once(2) ? random.pick(likely) : randomValue(random, 1);
      const operator = random.pick(["=", "!="]);
      const where = [`${tokens.map((token) => `/${token}`).join("")}${operator}${JSON.stringify(wanted)}`];
      const kept = documents.filter((value) =>
        expectedAt(tokens, value).some((found) => (canonical(found) === canonical(wanted)) === (operator === "="))
      );
      const text = documents.map((value) => JSON.stringify(value)).join("\n");
      const { output } = readParts({ where }, utf8(text), true, random.pick(PIECES));
      assertEquals(output, kept.map((value) => `${JSON.stringify(value)}\n`).join(""));
    });
  });

  it("are rejected where the validator rejects them, at the same places", () => {
    withSeeds(1500, (random) => {
      const isJsonLines = random.once(2);
      const values = Array.from({ length: isJsonLines ? random.below(5) : 1 }, () => randomValue(random, 4));
      const text = values.map((value) => JSON.stringify(value, null, isJsonLines ? "" : random.pick(["", "  "])));
      const bytes = utf8(text.join(random.pick(["\n", "\r\n"])));
      for (let changes = random.integer(1, 3); changes > 0 && bytes.length > 0; changes--) {
        bytes[random.below(bytes.length)] = random.pick([
          10,
          13,
          34,
          92,
          123,
          125,
          44,
          128,
          255,
          195,
          49,
          0,
          random.below(256),
        ]);
      }
      const input = random.once(5) ? bytes.slice(0, random.below(bytes.length + 1)) : bytes;
      const validator = new DiagnosticValidator({ isJsonLines, maxDiagnostics: Infinity, failFast: false });
      validator.push(input);
      const { invalidDocuments } = validator.end();
      const expected = validator.take();
      const tokens = Array.from({ length: random.integer(1, 3) }, () => random.pick(NAMES));
      const readings: Wanted[] = [
        { mask: randomMask(random, 3) },
        { get: tokens },
        { where: [`${tokens.map((token) => `/${token}`).join("")}="x"`] },
        { where: ["/0=1"] },
      ];
      for (const wanted of readings) {
        const { diagnostics, invalid } = readParts(wanted, input, isJsonLines, random.pick(PIECES));
        assertEquals(invalid, invalidDocuments);
        for (const { excerpt } of [...diagnostics, ...expected]) {
          excerpt.bytes = excerpt.bytes.slice(0, excerpt.at);
          excerpt.isEnd = false;
        }
        assertEquals(diagnostics, expected);
      }
    });
  });
});
