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
  it("makes one tree, whose nodes count the pointers that end there or below", () => {
    const { root, ends } = compilePointers([["a", "b"], ["a"], [], ["c", "d"], ["a", "b"]]);
    const [a, c] = root.children;
    assertEquals([root.names, root.pointerCount, a.pointerCount, a.names, c.pointerCount], [
      ["a", "c"],
      5,
      3,
      ["b"],
      1,
    ]);
    assertEquals(ends.map(({ depth }) => depth), [2, 1, 0, 2, 2]);
    for (const [i, node] of [a.children[0], a, root, c.children[0], a.children[0]].entries()) {
      assertStrictEquals(ends[i], node);
    }
  });

  it("sorts the elements by their indexes, and takes no other names for indexes", () => {
    const tokens = ["10", "2", "a", "0", "00", "-1", "1e3", "9007199254740991", "9007199254740992", "300", "2"];
    const { root } = compilePointers(tokens.map((token) => [token]));
    assertEquals(root.elements.map(({ index }) => index), [0, 2, 10, 300, 9007199254740991]);
    assertEquals(root.names, tokens.slice(0, -1));
  });
});
