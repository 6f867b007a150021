/** Pointers as tokens and as a tree, in `parser/selecting/pointer_node.ts`. */

import { assertEquals, assertStrictEquals, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { compilePointers, parsePointer, pointersOf } from "../../../parser/selecting/pointer_node.ts";
import { pointerOf } from "../../support/pointing.ts";
import { withSeeds } from "../../support/random.ts";

describe("parsePointer()", () => {
  it("returns the tokens of the examples of RFC 6901", () => {
    const examples: Record<string, string[]> = {
      "": [],
      "/foo": ["foo"],
      "/foo/0": ["foo", "0"],
      "/": [""],
      "/a~1b": ["a/b"],
      "/c%d": ["c%d"],
      "/e^f": ["e^f"],
      "/g|h": ["g|h"],
      "/i\\j": ["i\\j"],
      '/k"l': ['k"l'],
      "/ ": [" "],
      "/m~0n": ["m~n"],
      "//": ["", ""],
      "/~01": ["~1"],
      "/~10/~00": ["/0", "~0"],
    };
    for (const [pointer, tokens] of Object.entries(examples)) assertEquals(parsePointer(pointer), tokens, pointer);
  });

  it("returns the tokens that a pointer was written of", () => {
    withSeeds(300, (random) => {
      const token = (): string =>
        random.repeat(0, 6, () => random.pick(["a", "~", "/", "0", "1", "é", "😀", "\ud800"]));
      const tokens = Array.from({ length: random.below(6) }, token);
      assertEquals(parsePointer(pointerOf(tokens)), tokens);
    });
  });

  it("refuses what is no pointer", () => {
    for (const wrong of ["a", "a/", " /a", "/~", "/a~", "/~2", "/~/", "/a/~b/c", "#/a"]) {
      assertThrows(() => parsePointer(wrong), TypeError, "Cannot follow this JSON Pointer");
    }
  });
});

describe("pointersOf()", () => {
  it("takes texts, paths and lists of both", () => {
    assertEquals(pointersOf("/a/0"), { tokens: [["a", "0"]], isList: false });
    assertEquals(pointersOf(["a", 0, { key: "b" }, { key: 1 }]), { tokens: [["a", "0", "b", "1"]], isList: false });
    assertEquals(pointersOf([]), { tokens: [[]], isList: false });
    assertEquals(pointersOf(["/a", ""]), { tokens: [["a"], []], isList: true });
    assertEquals(pointersOf([["/a", 1], "/b/c"]), { tokens: [["/a", "1"], ["b", "c"]], isList: true });
  });
});

describe("compilePointers()", () => {
  it("makes one tree, whose nodes know the pointers that end there or below", () => {
    const { root, nodeCount, count } = compilePointers([["a", "b"], ["a"], [], ["c", "d"], ["a", "b"]]);
    assertEquals([nodeCount, count], [5, 5]);
    assertEquals(root.names, ["a", "c"]);
    assertEquals([root.ends, root.below], [[2], [0, 1, 2, 3, 4]]);
    const [a, c] = root.children;
    assertEquals([a.depth, a.ends, a.below, a.names], [1, [1], [0, 1, 4], ["b"]]);
    assertEquals([a.children[0].depth, a.children[0].ends], [2, [0, 4]]);
    assertEquals([c.ends, c.below], [[], [3]]);
    assertEquals(root.indexes, []);
  });

  it("sorts the indexes of elements, and takes no other names for indexes", () => {
    const tokens = ["10", "2", "a", "0", "00", "-1", "1e3", "9007199254740991", "9007199254740992", "300", "2"];
    const { root } = compilePointers(tokens.map((token) => [token]));
    assertEquals(root.indexes, [0, 2, 10, 300, 9007199254740991]);
    assertEquals(root.elements.map(({ ends }) => ends), [[3], [1, 10], [0], [9], [7]]);
    assertEquals(root.names, tokens.slice(0, -1));
  });

  it("numbers its nodes", () => {
    withSeeds(50, (random) => {
      const pointers = Array.from({ length: 1 + random.below(20) }, () => {
        return Array.from({ length: random.below(5) }, () => random.pick(["a", "b", "0", "1", "__proto__"]));
      });
      const { root, nodeCount } = compilePointers(pointers);
      const ids: number[] = [];
      const visit = (node: typeof root): void => {
        ids.push(node.id);
        node.children.forEach(visit);
      };
      visit(root);
      assertEquals(ids.sort((a, b) => a - b), Array.from({ length: nodeCount }, (_, i) => i));
      assertStrictEquals(root.below.length, pointers.length);
    });
  });
});
