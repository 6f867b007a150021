/** The parser of a process that is not warm yet, in `parser/parse_recursively.ts`. */

import { assertEquals, assertStrictEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { utf8 } from "../support/bytes.ts";
import { randomDocument, spoil } from "../support/documents.ts";
import { withSeeds } from "../support/random.ts";
import { parseByRecursion, recursionProblem } from "../support/recursion.ts";
import { referenceParse } from "../support/reference.ts";

/** Asserts that a text is parsed by recursion, as `JSON.parse` parses it. */
function assertParsed(text: string): void {
  assertEquals(parseByRecursion(utf8(text))?.value, JSON.parse(text));
}

describe("parseRecursively()", () => {
  it("parses every kind of value", () => {
    assertParsed('{"a":[1,-2.5,1e3,"b","",{},[],true,false,null],"c":{"d":"\\n\\u00e9é日😀"}}');
    assertParsed('\n{ "a" : [ 1 , "b" , 2 ] ,\n  "c" : { } , "d" : [ ] }\n');
  });

  it("defines __proto__ and repeated keys as JSON.parse does", () => {
    assertParsed('[{"__proto__":1,"a":2,"a":3},{"valueOf":1},{"1":1,"0":2}]');
  });

  it("parses arrays longer than the stack", () => {
    for (const length of [511, 512, 513, 1023, 1024, 2000]) {
      assertParsed(JSON.stringify(Array(length).fill("a")));
      assertParsed(JSON.stringify(Array(length).fill(7)));
      assertParsed(JSON.stringify(Array.from({ length }, (_, i) => i % 9 ? i : "b")));
      assertParsed(
        JSON.stringify(Array.from({ length }, (_, i) => ({ i, list: Array(i % 700).fill(i % 2 ? i : "c") }))),
      );
    }
  });

  it("parses objects of more members than the stack holds", () => {
    for (const length of [127, 128, 129, 255, 256, 257, 3000]) {
      assertParsed(JSON.stringify(Object.fromEntries(Array.from({ length }, (_, i) => [`key ${i}`, [i]]))));
    }
  });

  it("gives up at failures", () => {
    for (
      const text of ["[", "{", '{"a', '{"a"', '{"a":', '{"a":1', "[1", '["a', "[1,", "[1,]", '{"a":1,}', "[}", "{]"]
    ) {
      assertStrictEquals(parseByRecursion(utf8(text)), undefined, text);
    }
    for (
      const text of [
        "[01]",
        "[+1]",
        "[/]",
        "[tru]",
        "[nul]",
        "[fals]",
        '["\\x"]',
        '["\t"]',
        "[1 2]",
        "{1:2}",
        "[]]",
        "[] x",
      ]
    ) {
      assertStrictEquals(parseByRecursion(utf8(text)), undefined, text);
    }
  });

  it("gives up at every place where an input may be cut", () => {
    const bytes = utf8(
      '{"a":[1,-2.5e3,"b\\n",{},[],true,false,null,"é"],"key":{"d":"long enough to be read by words"}}',
    );
    for (let end = 0; end < bytes.length; end++) {
      assertStrictEquals(parseByRecursion(bytes.subarray(0, end)), undefined, String(end));
    }
  });

  it("gives up at deep nesting", () => {
    for (const [open, close] of [["[", "]"], ['{"a":', "}"]]) {
      assertParsed(open.repeat(100) + "1" + close.repeat(100));
      assertStrictEquals(parseByRecursion(utf8(open.repeat(101) + "1" + close.repeat(101))), undefined);
    }
  });

  it("agrees with the reference parser on random documents, whole and spoilt", () => {
    withSeeds(300, (random) => {
      const document = utf8(randomDocument(random));
      for (const bytes of [document, spoil(random, document), spoil(random, document)]) {
        assertStrictEquals(recursionProblem(bytes, referenceParse(bytes)), undefined);
      }
    });
  });
});
