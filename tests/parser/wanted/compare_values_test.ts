/** Comparison of values by their bytes, in `parser/wanted/compare_values.ts`. */

import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { compareNumber, isEqualTo, wantedValueOf } from "../../../parser/wanted/compare_values.ts";
import { parseBinary } from "../../../parse_binary.ts";
import { utf8 } from "../../support/bytes.ts";
import { guardedDocument, shortDocument } from "../../support/guarded_documents.ts";
import { Random, withSeeds } from "../../support/random.ts";

/** Returns a number's text as digits without zeros at either end, and a power of ten. */
function normalized(text: string): string {
  const [, sign, whole, fraction = "", exponent = "0"] = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([-+]?\d+))?$/.exec(text)!;
  const digits = (whole + fraction).replace(/^0+/, "");
  const significant = digits.replace(/0+$/, "");
  if (significant === "") return "0";
  return `${sign}${significant}e${
    BigInt(exponent) - BigInt(fraction.length) + BigInt(digits.length - significant.length)
  }`;
}

/** Returns a text that equal values, and no others, have in common. */
function canonical(text: string): string {
  const result = parseBinary(utf8(text), { numbers: "source", number: (text) => ({ number: normalized(text) }) });
  const write = (value: unknown): string => {
    if (Array.isArray(value)) return `[${value.map(write)}]`;
    if (typeof value !== "object" || value === null) return JSON.stringify(value);
    const members = value as Record<string, unknown>;
    return `{${Object.keys(members).sort().map((key) => `${JSON.stringify(key)}:${write(members[key])}`)}}`;
  };
  return write(result.ok && result.value);
}

/** Returns another spelling of the values of a document: its order, escapes and digits. */
function respelled(text: string, random: Random): string {
  const result = parseBinary(utf8(text), { numbers: "source", number: (text) => ({ number: text }) });
  const string = (value: string): string =>
    `"${
      Array.from({ length: value.length }, (_, i) =>
        random.once(3) || value[i] === '"' || value[i] === "\\" || value[i] < " " || /[\ud800-\udfff]/.test(value[i])
          ? `\\u${value.charCodeAt(i).toString(16).padStart(4, "0")}`
          : value[i]).join("")
    }"`;
  const number = (text: string): string => {
    if (/[eE]/.test(text)) return text;
    return random.pick([text, text.includes(".") ? `${text}00` : `${text}.0`, `${text}e0`, `${text}E-00`]);
  };
  const write = (value: unknown): string => {
    if (typeof value === "string") return string(value);
    if (Array.isArray(value)) return `[${value.map(write).join(" , ")}]`;
    if (typeof value !== "object" || value === null) return String(value);
    const { number: text } = value as { number?: unknown };
    if (typeof text === "string" && Object.keys(value).length === 1) return number(text);
    const members = Object.entries(value).map(([key, member]) => `${string(key)}: ${write(member)}`);
    return `{${random.once(2) ? members.toReversed() : members}\n}`;
  };
  return write(result.ok && result.value);
}

function isEqual(a: string, b: string): boolean {
  const bytes = utf8(`?${b}?`);
  return isEqualTo(wantedValueOf(utf8(a))!, bytes, 1, bytes.length - 1);
}

describe("isEqualTo()", () => {
  it("finds documents equal whatever their order, escapes, digits and duplicates", () => {
    withSeeds(1_500, (random) => {
      const make = random.once(2) ? shortDocument : guardedDocument;
      const text = make(random).replace("\ufeff", "").trim();
      const other = random.once(2) ? respelled(text, random) : make(random).replace("\ufeff", "").trim();
      for (const [a, b] of [[text, other], [other, text], [text, text]]) {
        assertEquals(isEqual(a, b), canonical(a) === canonical(b), `${a} and ${b}`);
      }
    });
  });

  it("compares numbers exactly, within arrays and objects too", () => {
    for (const form of ["?", "[?]", '{"a":[?]}']) {
      const equal = (a: string, b: string): boolean => isEqual(form.replace("?", a), form.replace("?", b));
      assertEquals(equal("9007199254740993", "9007199254740992"), false);
      assertEquals(equal("9007199254740993", "9007199254740993.000"), true);
      assertEquals(equal("1e400", "2e400"), false);
      assertEquals(equal("1e400", "10E399"), true);
      assertEquals(equal("-0", "0.0e9"), true);
      assertEquals(equal("0.1", "1e-1"), true);
    }
  });
});

describe("compareNumber()", () => {
  it("orders numbers by their exact values", () => {
    const random = new Random(1);
    const digits = (most: number): string => random.repeat(1, most, () => String(random.below(3)));
    const make = (): string =>
      `${random.once(2) ? "-" : ""}${digits(4).replace(/^0+(?=.)/, "")}${random.once(2) ? `.${digits(4)}` : ""}${
        random.once(3) ? `e${random.below(7) - 3}` : ""
      }`;
    const scaled = (text: string): bigint => {
      const [digits, power] = normalized(text).split("e");
      return BigInt(digits) * 10n ** (BigInt(power ?? 0) + 20n);
    };
    for (let i = 0; i < 20_000; i++) {
      const [a, b] = [make(), make()];
      const difference = scaled(a) - scaled(b);
      const order = compareNumber(wantedValueOf(utf8(b))!, utf8(a), 0, a.length);
      assertEquals(Math.sign(order), difference < 0n ? -1 : difference > 0n ? 1 : 0, `${a} and ${b}`);
    }
  });
});

describe("wantedValueOf()", () => {
  it("refuses a value that is nested too deep", () => {
    assertEquals(wantedValueOf(utf8("[".repeat(257) + "]".repeat(257))), null);
    assertEquals(isEqual("[".repeat(256) + "]".repeat(256), "[".repeat(256) + "]".repeat(256)), true);
    assertEquals(isEqual("[[]]", "[".repeat(100_000) + "]".repeat(100_000)), false);
  });
});
