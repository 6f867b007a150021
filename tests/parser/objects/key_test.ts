/**
 * Keys of documents: predicted ones, those that collide in caches, and every spelling of a name.
 */

import { assert } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { keys } from "../../../parser/objects/key_cache.ts";
import { parseBinary } from "../../../parse_binary.ts";
import { collidingKeys, collidingShapes, keysOfOneSlot } from "../../fuzz/collisions.ts";
import { assertReadAlike } from "../../support/assertions.ts";
import { utf8 } from "../../support/bytes.ts";
import { withSeeds } from "../../support/random.ts";

describe("a predicted key", () => {
  const NAME = "abcdefghijklm".repeat(5);
  for (let length = 0; length <= 62; length += length < 24 ? 1 : 9) {
    const name = NAME.slice(0, length);
    it(`of ${length} characters is told from others that differ in a byte, and needs a colon`, () => {
      const read = (text: string): unknown => assertReadAlike(utf8(text), [[text.length >> 1]]);
      const others = Array.from(name, (_, i) => `${name.slice(0, i)}X${name.slice(i + 1)}`);
      others.push(`${name}y`, name.slice(0, -1), `${name}\\"`, `${name} `);
      for (const other of others) {
        read(`[{"${name}":1},{"${name}":1},{"${name}":1},{"${other}":2},{"${name}":3}]`);
      }
      for (const separator of ["", " ", "x", "::", ": :", ";", " :", ": ", ' "', "\n:\n    ", ":\t"]) {
        const rows = `[{"${name}":1},{"${name}":1},{"${name}`;
        for (const rest of [`"${separator}1},{"${name}":1}]`, `"${separator}`, separator]) read(rows + rest);
      }
    });
  }
});

describe("keys", () => {
  /** Reads rows of members twice, so that their keys are cached, and predicted. */
  function assertRows(rows: string[]): void {
    const text = `[${rows.join()}]`;
    for (let times = 0; times < 2; times++) assertReadAlike(utf8(text), [[text.length >> 1]]);
  }

  it("of one hash, or of one slot, are the names that they spell", () => {
    withSeeds(20, (random) => {
      for (const names of [collidingKeys(random, 8), keysOfOneSlot(random, 8)]) {
        const row = (): string => `{${names.map((_, i) => `"${random.pick(names)}":${i}`)}}`;
        assertRows([...names.map((name) => `{"${name}":1}`), ...Array.from({ length: 12 }, row)]);
      }
      const alike = (): string => random.repeat(0, 40, () => random.pick(["a", "b"]));
      assertRows(Array.from({ length: 60 }, () => `{"${alike()}":1,"${alike()}":2}`));
    });
  });

  it("of shapes that have one hash are told apart", () => {
    const names = Array.from({ length: 1_500 }, (_, i) => `shape ${i}`);
    const rows = utf8(JSON.stringify(names.map((name) => ({ [name]: 1 }))));
    for (let times = 0; times < 3; times++) parseBinary(rows);
    const namesById = new Map(keys.filter(({ id }) => id > 0).map(({ id, name }) => [id, name]));
    withSeeds(4, (random) => {
      const pairs = collidingShapes(random, [...namesById.keys()], 3);
      assert(pairs.length > 0);
      for (const [first, second] of pairs) {
        const [row, other] = [first, second].map((ids) => `{${ids.map((id, i) => `"${namesById.get(id)}":${i}`)}}`);
        assertRows([...Array(60).fill(row), other, row, other, ...Array(60).fill(other)]);
      }
    });
  });
});
