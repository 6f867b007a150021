/** The cache of keys after calls that were ended, and objects that the engine has no room for. */

import { assert, assertEquals, assertStrictEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { FULL_RESISTANCE, KEY_SLOTS, KEY_WAYS } from "../../../parser/objects/key.ts";
import { keys } from "../../../parser/objects/key_cache.ts";
import { addMember } from "../../../parser/objects/make_object.ts";
import { parseBinary } from "../../../parse_binary.ts";
import { keyHash } from "../../fuzz/collisions.ts";
import { utf8 } from "../../support/bytes.ts";
import { loadFresh, withGlobals } from "../../support/modules.ts";

describe("a call that is ended at any read of a word", () => {
  const SLOT = 7;
  // Names that take each other's slot, and differ in two words that the cache keeps apart.
  const all = Array.from({ length: 40_000 }, (_, i) => `a long name ${10_000_000 + i * 7_919 % 9_999_991}xx`);
  const names = all.filter((name) => (keyHash(name) & KEY_SLOTS - 1) === SLOT).slice(0, KEY_WAYS + 1);

  /** Parses some objects of a member. Returns its name. */
  function parse(name: string, count: number): string | undefined {
    const result = parseBinary(utf8(JSON.stringify(Array(count).fill({ [name]: 1 }))));
    return result.ok ? Object.keys((result.value as object[])[0])[0] : undefined;
  }

  it("leaves no half-made entry in the cache of keys", () => {
    const { getInt32 } = DataView.prototype;
    let ended = 0;
    for (let calls = 1; calls < 200; calls++) {
      for (const name of names) parse(name, 3);
      const [first, ...others] = keys.slice(SLOT, SLOT + KEY_WAYS).map((key) => key.name);
      const second = names.find((name) => name !== first && !others.includes(name))!;
      for (const name of [...others, first]) parse(name, 3); // the first one is predicted for the next input
      parse(second, FULL_RESISTANCE - 2); // after which it takes the place of the first
      let left = calls >> 1;
      DataView.prototype.getInt32 = function (position: number, isLittleEndian?: boolean): number {
        if (left-- === 0) throw new RangeError("Maximum call stack size exceeded");
        return getInt32.call(this, position, isLittleEndian);
      };
      try {
        parse(second, 6);
      } catch {
        ended++;
      } finally {
        DataView.prototype.getInt32 = getInt32;
      }
      const mixed = first.slice(0, 12) + second.slice(12, 16) + first.slice(16);
      for (const name of [mixed, first, second]) assertStrictEquals(parse(name, 1), name);
    }
    assert(ended > 80, `${ended} calls`);
  });
});

describe("compileConstructor()", () => {
  it("gives up where code is forbidden, but not for an overflow of the stack", async () => {
    for (const error of [new EvalError(), new TypeError(), new RangeError()]) {
      const makeFunction = function (): never {
        throw error;
      };
      type Module = typeof import("../../../parser/objects/generated_constructors.ts");
      const { compileConstructor, generation } = await loadFresh<Module>("parser/objects/generated_constructors.ts");
      await withGlobals({ Function: makeFunction }, () => Promise.resolve(assertEquals(compileConstructor(""), null)));
      assertEquals(generation.isAllowed, error instanceof RangeError);
    }
  });
});

describe("addMember()", () => {
  it("returns false where the engine has no room for a member", () => {
    const object: Record<string, unknown> = {};
    assertEquals([addMember(object, "a", 1), object], [true, { a: 1 }]);
    assertEquals(addMember(Object.freeze({}), "a", 1), false);
  });
});
