/**
 * Masks as nodes in `parser/selecting/compile_mask.ts`, and ranges that they may want instead of
 * values.
 */

import { assertEquals, assertStrictEquals, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { parseBinary } from "../../../parse_binary.ts";
import { compileMask, every } from "../../../parser/selecting/compile_mask.ts";
import { ARRAY_MASK, type MaskNode, OBJECT_MASK, type ValueRange } from "../../../parser/selecting/mask_node.ts";
import { MISSING } from "../../../parser/selecting/selected_object.ts";
import { selectDocument } from "../../../parser/selecting/select_document.ts";
import type { Mask } from "../../../select.ts";
import { utf8 } from "../../support/bytes.ts";
import { own } from "../../support/difference.ts";

/** Compiles a mask that is not `true`. */
function compiled(mask: unknown): MaskNode {
  const node = compileMask(mask);
  if (node === null) throw new Error("the mask is true");
  return node;
}

describe("compileMask()", () => {
  it("makes a node for each array and object, and none for true", () => {
    assertStrictEquals(compileMask(true), null);
    const node = compiled({ a: true, b: [{ c: true }] });
    assertEquals([node.kind, node.names, node.rest, node.element], [OBJECT_MASK, ["a", "b"], undefined, null]);
    assertStrictEquals(node.children[0], null);
    const list = node.children[1]!;
    assertEquals([list.kind, list.names, list.element?.names], [ARRAY_MASK, [], ["c"]]);
    assertStrictEquals(compiled([true]).element, null);
  });

  it("tells a mask for all others from none", () => {
    assertStrictEquals(compiled({}).rest, undefined);
    assertStrictEquals(compiled({ [every]: true }).rest, null);
    assertEquals(compiled({ a: true, [every]: { b: true } }).rest?.names, ["b"]);
    assertEquals(compiled({ [every]: true }).names, []);
  });

  it("finds members by name, own ones only", () => {
    const { members } = compiled(own(["__proto__", true], ["b", true], ["toString", true]));
    assertEquals([members["__proto__"], members.b, members.toString, members.constructor], [0, 1, 2, undefined]);
    assertStrictEquals(compiled({ b: true }).members["__proto__"], undefined);
  });

  it("reads each member of the mask once, and sees members that are not enumerable", () => {
    let reads = 0;
    const mask = Object.defineProperty({}, "a", { get: () => ++reads && true, enumerable: false });
    assertEquals(compiled(mask).names, ["a"]);
    assertStrictEquals(reads, 1);
    const failing = {
      get a(): true {
        throw new RangeError("of the program");
      },
    };
    assertThrows(() => compileMask(failing), RangeError, "of the program");
  });
});

describe("masks that want ranges", () => {
  const text = ' {"a":"é\\n", "b":[ {"c":1.5} ,{"c":[2, 3]}, 4, []],"d":null,"e":[]} ';
  const bytes = utf8(text);
  const textOf = ({ start, end }: ValueRange): string => new TextDecoder().decode(bytes.subarray(start, end));

  /** Replaces ranges by their bytes, and lists of members' values by objects. */
  function describeParts(part: unknown, mask: Mask): unknown {
    if (typeof part !== "object" || part === null) return part;
    if ("start" in part) return textOf(part as ValueRange);
    if (Array.isArray(mask)) return (part as unknown[]).map((element) => describeParts(element, mask[0]));
    const members = Object.entries(mask).flatMap(([name, mask], i) => {
      const value = (part as unknown[])[i];
      return value === null || value === MISSING ? [] : [[name, describeParts(value, mask)]];
    });
    return Object.fromEntries(members);
  }

  function textsBy(mask: Mask): unknown {
    const result = selectDocument(bytes, compileMask(mask, true));
    if (!result.ok) throw new SyntaxError(result.message);
    return describeParts(result.value, mask);
  }

  it("get those of values that are not taken apart", () => {
    assertEquals(textsBy(true), text.trim());
    assertEquals(textsBy({ a: true, e: true, x: true }), { a: '"é\\n"', e: "[]" });
    assertEquals(textsBy({ b: [{ c: true }] }), { b: [{ c: "1.5" }, { c: "[2, 3]" }, "4", null] });
    assertEquals(textsBy({ b: [true], d: { x: true } }), { b: ['{"c":1.5}', '{"c":[2, 3]}', "4", "[]"], d: "null" });
    assertEquals(textsBy({ e: { x: true }, b: { x: true }, a: [true] }), { a: '"é\\n"' });
    assertEquals(textsBy([true]), undefined);
  });

  it("are not there for values that are invalid", () => {
    for (const text of ['{"a":1.}', '{"a":[1,]}', '{"a":"x}', '{"a":']) {
      const result = selectDocument(utf8(text), compileMask({ a: true }, true));
      assertEquals(result, parseBinary(utf8(text)));
    }
  });
});
