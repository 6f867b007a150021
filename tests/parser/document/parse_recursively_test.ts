/** The parser of a process that is not warm yet, in `parser/document/parse_recursively.ts`. */

import { assertEquals, assertStrictEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { parseDocument } from "../../../parser/document/parse_document.ts";
import { fillingDocuments, storesThroughAccessors } from "../../support/array_accessors.ts";
import { utf8 } from "../../support/bytes.ts";
import { corrupt, randomDocument } from "../../support/documents.ts";
import { withoutMemory } from "../../support/memory_limit.ts";
import { withSeeds } from "../../support/random.ts";
import { parseByRecursion, recursionProblem } from "../../support/recursion.ts";
import { referenceParse } from "../../support/reference.ts";

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
    for (const length of [511, 512, 513, 1023, 1024, 2000, 4095, 4096, 4097]) {
      assertParsed(JSON.stringify(Array(length).fill("a")));
      assertParsed(JSON.stringify(Array(length).fill(7)));
      assertParsed(JSON.stringify([...Array(length).fill(7), "a", 1.5, ...Array(length).fill(8)]));
      assertParsed(JSON.stringify(Array.from({ length }, (_, i) => i % 9 ? i : "b")));
      const lists = Array.from(
        { length },
        (_, i) => ({ i, list: Array(i % 40 ? i % 7 : i % 700).fill(i % 2 ? i : "c") }),
      );
      assertParsed(JSON.stringify(lists));
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
        ...["[+1]", "[-]", "[1,-]", "[1,02]", "[/]", "[x]", '{"a":-}'].flatMap((inner) => {
          return [`[[1,2,3],${inner}]`, `[[1,2,"3"],${inner},4]`];
        }),
        // The next are read by words: enough bytes follow.
        ...[
          ...[
            "01",
            "1:",
            "+1",
            "-",
            "--1",
            "1.",
            "1e",
            ":",
            "/",
            "00",
            "trux",
            "nulx",
            "falsx",
            "xalse",
            "fxlse",
            "xrue",
          ],
          ...["xull", "tree", "x", "]", "}", ",", ""],
        ].flatMap((token) => {
          return [`["a",${token},"more bytes"]`, `{"a":${token},"b":"more bytes"}`, `[[],${token}]        `];
        }),
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

  it("stores nothing beyond its stack, where a program has defined accessors", () => {
    // The stack is larger during the first parse than at the beginning of those that follow.
    assertParsed(JSON.stringify(Array.from({ length: 600 }, () => "a")));
    const documents = fillingDocuments([25, 30, 35, 40, 50, 60, 70, 80, 100, 600]);
    const parsed: unknown[] = [];
    const found = storesThroughAccessors(() => {
      for (const document of documents) {
        parsed[parsed.length] = parseByRecursion(utf8(JSON.stringify(document)))?.value;
      }
    });
    assertEquals(found, []);
    assertEquals(parsed, documents);
  });

  it("looks anew at what a program has made of Object.prototype", () => {
    const members = (name: string) => Array.from({ length: 40 }, (_, i) => [`${name} ${i}`, i]);
    assertParsed(JSON.stringify(Object.fromEntries(members("before"))));
    const after = JSON.stringify(Object.fromEntries([...members("after"), ["added", 1]]));
    Object.defineProperty(Object.prototype, "added", { value: "inherited", configurable: true });
    try {
      assertParsed(after);
    } finally {
      Reflect.deleteProperty(Object.prototype, "added");
    }
  });

  it("agrees with the reference parser on random documents, whole and corrupted", () => {
    withSeeds(300, (random) => {
      const document = utf8(randomDocument(random));
      for (const bytes of [document, corrupt(random, document), corrupt(random, document)]) {
        assertStrictEquals(recursionProblem(bytes, referenceParse(bytes)), undefined);
      }
    });
  });
});

describe("parseRecursively() of objects", () => {
  it("gives up at what is no key, or no member", () => {
    const members = [
      ...['b":2', '"b\\x":2', '"\\x":2', '"b', '"b"', '"b":', '"b" 2', '"b"2', '"b"::2', ":2", "2", '"b"=2', "", ","],
      ...['"\x01":2', '"b":2 "c":3', '"b":2;"c":3', '"b":2]', "'b':2", '["b":2]', '"b":2:3'],
    ];
    for (const text of ['{"a":1]', '{"a":[]]', "[1}", '["a"}', '[{"a":1]]', '{"a":[1}}', '{"a":{"b":1]}', '{"a":1)']) {
      assertStrictEquals(parseByRecursion(utf8(text)), undefined, text);
    }
    for (const member of members) {
      for (const text of [`{"a":1,${member},"more bytes":3}`, `{${member},"more bytes":3}`, `[{"a":1,${member}}]`]) {
        assertStrictEquals(parseByRecursion(utf8(text)), undefined, text);
      }
    }
  });

  it("takes whitespace where a key was predicted, and where none was", () => {
    for (const gap of ["", " ", "\n", "\n    ", "\t", "  \r\n"]) {
      const text = ['{"one":1,"two":[2],"three":{"four":"5"}}', '{"one":-6,"two":[],"three":{}}'].join(",");
      const spaced = `[${text}]`.replaceAll(/[[\]{}:,]/g, `${gap}$&${gap}`);
      for (let times = 0; times < 3; times++) assertParsed(spaced.trim());
    }
  });

  it("does not take the keys of an earlier input for its own", () => {
    const rows = Array.from({ length: 1000 }, (_, i) => ({ a: i, b: i }));
    // The loop parses small inputs, and shares the constructors that it generates.
    for (const row of rows.slice(0, 100)) {
      assertEquals(parseDocument(utf8(JSON.stringify(row))), { ok: true, value: row });
    }
    assertParsed(JSON.stringify([rows, { c: 1, b: 2 }, { a: 1, c: 2, b: 3 }, { b: 4 }, rows.slice(0, 9)]));
    // Both objects are at the same place of the stack, and have the same last key.
    for (let times = 0; times < 100; times++) {
      assertParsed('{"first":{"a":1,"b":2}}');
      assertParsed('{"second":{"c":1,"b":2}}');
    }
  });
});

describe("parseRecursively() of many containers", () => {
  it("counts only those that are open for its depth", () => {
    for (const item of ["[]", "{}", "[1]", '["a"]', '{"a":1}', '{"a":[]}', "[[],{}]"]) {
      assertParsed(`[${Array.from({ length: 300 }, () => item).join()}]`);
    }
  });

  it("gives up where there is no memory for a larger stack", () => {
    const opening = `[${'"a",'.repeat(500)}`.repeat(2);
    for (const inner of [`[${'"b",'.repeat(100)}"c"]`, `[${"1,".repeat(100)}"c"]`, `{${'"a":1,'.repeat(100)}"b":2}`]) {
      const bytes = utf8(`${opening}${inner}]]`);
      const parse = (): unknown => parseByRecursion(bytes);
      assertStrictEquals(withoutMemory("Int32Array", (size) => typeof size === "number", parse), undefined);
      assertParsed(`${opening}${inner}]]`);
    }
  });
});
