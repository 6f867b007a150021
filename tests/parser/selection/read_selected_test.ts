/** Names, gaps and numbers of `parser/selection/`, at the functions that select. */

import { assertEquals, assertStrictEquals, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { matches, selectBinary, selector } from "../../../select.ts";
import { utf8 } from "../../support/bytes.ts";
import { own, resultDifference } from "../../support/difference.ts";
import { withSeeds } from "../../support/random.ts";
import { assertRead } from "../../support/readers.ts";

describe("names of masks", () => {
  it("of every code point are found by their UTF-8, and lone surrogates in escapes alone", () => {
    for (let first = 0; first < 0x110000; first += 0x800) {
      const points = Array.from({ length: 40 }, (_, i) => first + 51 * i);
      const names = points.map((point) => `a${String.fromCodePoint(point)}b`);
      const wanted = own(...names.map((name, i): [string, unknown] => [name, i]));
      const select = selector(Object.fromEntries(names.map((name) => [name, true])));
      const result = selectBinary(utf8(JSON.stringify({ x: 1, ...wanted, y: 2 })), select);
      assertStrictEquals(resultDifference(result, { ok: true, value: wanted }), undefined);
    }
    const select = selector({ "\ud800": true, "\udc00x": true });
    for (const text of ["\ufffd", "\ufffdx", "😀", "\ud7ff", "\ue000"]) {
      assertEquals(selectBinary(utf8(JSON.stringify({ [text]: 1 })), select), { ok: true, value: {} });
    }
  });

  it("are read once, also if not enumerable, and errors of accessors reach the caller", () => {
    let reads = 0;
    const mask = Object.defineProperty({}, "a", { get: () => ++reads && true, enumerable: false });
    assertEquals(selectBinary(utf8('{"a":1,"b":2}'), selector(mask as { a: true })), { ok: true, value: { a: 1 } });
    assertStrictEquals(reads, 1);
    const failing = {
      get a(): true {
        throw new RangeError("of user code");
      },
    };
    assertThrows(() => selector(failing), RangeError, "of user code");
  });
});

describe("gaps between values", () => {
  it("of every length are distinguished from those that differ in a byte", () => {
    const mask = [{ a: true, b: true }] as const;
    const GAPS = [4, 5, 6, 7, 8, 9, 75, 76, 77, 78, 200].map((length) => {
      const spaces = " ".repeat(length - 4);
      return [
        `,"b":${spaces}`.slice(0, length),
        `,${spaces}"b":`,
        `,"b"${spaces}:`,
        `,${spaces.replaceAll("  ", "\n ")}"b":`,
      ];
    }).flat();
    for (const gap of GAPS) {
      const rows = [`{"a":1${gap}2}`, `{"a":1${gap}2}`];
      for (let place = 0; place < Math.min(gap.length, 12); place++) {
        for (const byte of ' ,:"bB\\\n') {
          const changed = gap.slice(0, place) + byte + gap.slice(place + 1);
          const bytes = utf8(`[${rows},{"a":3${changed}4},${rows}]`);
          assertRead(bytes, { mask }, [[bytes.length >> 1]]);
        }
      }
    }
  });
});

describe("conditions", () => {
  it("order numbers by their exact values, whatever their signs, digits and exponents", () => {
    withSeeds(20_000, (random) => {
      const digits = (most: number): string => random.repeat(1, most, () => String(random.below(3)));
      const make = (): string => {
        const fraction = random.once(2) ? `.${digits(4)}` : "";
        const exponent = random.once(3) ? `e${random.below(7) - 3}` : "";
        return `${random.once(2) ? "-" : ""}${digits(4).replace(/^0+(?=.)/, "")}${fraction}${exponent}`;
      };
      const scaled = (text: string): bigint => {
        const [, sign, whole, fraction = "", exponent = "0"] = /^(-?)(\d+)(?:\.(\d+))?(?:e(.+))?$/.exec(text)!;
        return BigInt(sign + whole + fraction) * 10n ** BigInt(Number(exponent) - fraction.length + 20);
      };
      const [a, b] = [make(), make()];
      const [left, right] = [scaled(a), scaled(b)];
      for (const [operator, value] of [["<", left < right], ["=", left === right], [">", left > right]] as const) {
        assertEquals(matches(utf8(a), [["", operator, Number(b)]]), { ok: true, value }, `${a} ${operator} ${b}`);
      }
    });
  });
});
