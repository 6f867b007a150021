/** Number tokens in `parser/numbers/read_number.ts`. */

import { assert, assertEquals, assertStrictEquals, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { numberValue, readNumber, readNumberSlow } from "../../../parser/numbers/read_number.ts";
import { randomMiddle, spellings } from "../../support/doubles.ts";
import { type Random, withSeeds } from "../../support/random.ts";

/** Zeros behind every token, as many as a reader may look at. */
const LOOKAHEAD = 64;

const bytes = new Uint8Array(4096);
const view = new DataView(bytes.buffer);

/**
 * Writes text to `bytes` at 1, and what is left from before, or zeros, behind it; returns where
 * it ends.
 */
function write(text: string, left = ""): number {
  const end = 1 + text.length;
  bytes.fill(0, end, end + LOOKAHEAD);
  const all = text + left;
  for (let i = 0; i < all.length; i++) bytes[1 + i] = all.charCodeAt(i);
  return end;
}

/**
 * Ways to read the number token at the start of bytes that end somewhere: its value
 * into `numberValue`.
 */
const READERS: Record<string, (end: number) => number> = {
  "readNumber()": (end) => readNumber(bytes, view, 1, end, end + LOOKAHEAD),
  "readNumber() near the end of the input": (end) => readNumber(bytes, view, 1, end, end),
  "readNumberSlow()": (end) => readNumberSlow(bytes, 1, end),
};

/**
 * Fails unless each reader gives a number, bit for bit, and the position behind it, before any
 * bytes. The first one looks beyond the end, where nothing may be left.
 */
function assertNumber(text: string, expected: number, after = "", left = ""): void {
  const end = write(text + after, left);
  for (const [name, read] of Object.entries(READERS)) {
    if (left !== "" && name === "readNumber()") continue;
    const position = read(end);
    const actual = numberValue[0];
    if (position !== 1 + text.length || !Object.is(actual, expected)) {
      throw new Error(`${name}, ${text}${after}: ${actual} up to ${position - 1}, not ${expected}`);
    }
  }
}

const DIGITS = "31415926535897932384626433832795";

/** Texts of numbers without a sign, and the rounds of those that are random. */
const TEXTS: Record<string, [rounds: number, texts: (random: Random) => Iterable<string>]> = {
  "every division of up to 24 digits by the point": [20, function* (random) {
    for (let length = 1; length <= 24; length++) {
      for (let point = 1; point <= length; point++) {
        const digits = 1 + random.below(9) + random.repeat(length - 1, length - 1, () => String(random.below(10)));
        for (const whole of [digits.slice(0, point), "0"]) {
          const fraction = point < length ? `.${digits.slice(point)}` : "";
          yield whole + fraction;
          yield `${whole}${fraction}e${point}`;
        }
      }
    }
  }],
  "what is next to the largest exact integer, wherever the point is": [1, function* () {
    for (let low = 88n; low <= 96n; low++) {
      const digits = String(9007199254740900n + low);
      for (let point = 0; point < digits.length; point++) {
        const text = point === 0 ? `0.${digits}` : `${digits.slice(0, point)}.${digits.slice(point)}`;
        yield text;
        for (let exponent = -30; exponent <= 30; exponent++) yield `${text}e${exponent}`;
      }
    }
  }],
  "as many decimals as a high word leaves room for, and one more": [60, function* (random) {
    for (const whole of [0, 1, 5, 8, 9, 10, 11, 98, 99, 100, 101, 998, 999, 1000, 1001, 99999]) {
      for (let decimals = 8; decimals <= 20; decimals++) {
        // Digits that begin with nines make the largest words.
        const rest = "9".repeat(random.below(9)) + random.repeat(20, 20, () => String(random.below(10)));
        yield `${whole}.${rest.slice(0, decimals)}`;
        yield `${whole}.${rest.slice(0, decimals)}e7`;
      }
    }
  }],
  "any number of zeros behind the point": [1, function* () {
    for (const zeros of [...Array(41).keys(), 100, 290, 300, 305, 310, 315, 320, 323, 400]) {
      for (let length = zeros > 0 ? 0 : 1; length <= 20; length++) {
        yield `0.${"0".repeat(zeros)}${DIGITS.slice(0, length)}`;
      }
    }
    // They are nearly in the middle between two doubles.
    const rows = [["51692633573118349", 331], ["1014579094519607", 331], ["18202289527980171", 326]] as const;
    for (const [digits, decimals] of [...rows, ["56566656632692798", 326], ["658637802015581120", 326]] as const) {
      yield `0.${digits.padStart(decimals, "0")}`;
    }
    for (const digits of ["000976649828178837256", "000981895036919071631"]) yield `0.${digits}`;
  }],
};

const GRAMMAR = /^-?(?:0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?/;

/**
 * Number at the start of a text, as RFC 8259 has it; `undefined` if there is none and none
 * can arise.
 */
function expectedToken(text: string): string | undefined {
  const [token, fraction, exponent] = GRAMMAR.exec(text) ?? [];
  if (token === undefined) return undefined;
  const next = text.charAt(token.length);
  if (!exponent && "eE".includes(next) && next !== "") return undefined;
  if (!exponent && !fraction && (next === "." || next >= "0" && next <= "9")) return undefined;
  return token;
}

/** Returns the convergents of a fraction that are within limits: its best approximations. */
function convergents(
  numerator: bigint,
  denominator: bigint,
  maxNumerator: bigint,
  maxDenominator: bigint,
): [bigint, bigint][] {
  const found: [bigint, bigint][] = [];
  let [p, q, pBefore, qBefore] = [1n, 0n, 0n, 1n];
  while (denominator !== 0n) {
    const quotient = numerator / denominator;
    [numerator, denominator] = [denominator, numerator % denominator];
    [p, q, pBefore, qBefore] = [quotient * p + pBefore, quotient * q + qBefore, p, q];
    if (p >= maxNumerator || q >= maxDenominator) break;
    found.push([p, q]);
  }
  return found;
}

describe("readNumber() and readNumberSlow()", () => {
  it("agree with the grammar and Number() on every text of up to six characters", () => {
    const alphabet = "0719.-+eE";
    const check = (text: string): void => {
      const token = expectedToken(text);
      const end = write(text);
      for (const [name, read] of Object.entries(READERS)) {
        const position = read(end);
        if (token === undefined ? position === -1 : position === 1 + token.length) {
          if (token === undefined || Object.is(numberValue[0], Number(token))) continue;
        }
        throw new Error(`${name}, ${text}: ${numberValue[0]} up to ${position - 1}, not ${token}`);
      }
      if (text.length < 6) { for (const character of alphabet) check(text + character); }
    };
    for (const first of "-0719") check(first);
  });

  for (const [what, [rounds, texts]] of Object.entries(TEXTS)) {
    it(`agree with Number() on ${what}`, () => {
      withSeeds(rounds, (random) => {
        for (const text of texts(random)) {
          for (const signed of [text, `-${text}`]) {
            assertNumber(signed, Number(signed), random.pick(["", ",", "]", " ", "}"]));
          }
        }
      });
    });
  }

  it("round the exact middle between two doubles, and its neighbours, as Number() does", () => {
    withSeeds(3_000, (random) => {
      const { digits, decimals } = randomMiddle(random);
      const check = (digits: bigint, decimals: number): void => {
        for (const text of spellings({ digits, decimals }, random)) assertNumber(text, Number(text));
      };
      check(digits, decimals);
      for (const side of [-1n, 1n]) check(10n * digits + side, decimals + 1);
      for (let significant = 17; significant <= 20; significant++) { // 17 digits tell any two doubles apart
        const excess = String(digits).length - significant;
        if (excess <= 0) continue;
        const cut = digits / 10n ** BigInt(excess);
        for (const rounded of [cut, cut + 1n]) check(rounded, decimals - excess);
      }
    });
  });

  it("round the decimals of 19 digits that are nearest to a middle, found by continued fractions", () => {
    let count = 0;
    for (let exponent = -44; exponent <= 44; exponent++) {
      const power = 10n ** BigInt(Math.abs(exponent));
      for (let scale = -220; scale <= 220; scale++) {
        // digits · 10^exponent is near odd · 2^scale, the middle between two doubles, if
        // odd / digits is near 10^exponent / 2^scale.
        const unit = 1n << BigInt(Math.abs(scale));
        const numerator = (exponent < 0 ? 1n : power) * (scale < 0 ? unit : 1n);
        const denominator = (exponent < 0 ? power : 1n) * (scale < 0 ? 1n : unit);
        for (const [odd, digits] of convergents(numerator, denominator, 2n ** 54n, 10n ** 19n)) {
          if (odd < 2n ** 53n || odd % 2n === 0n) continue;
          const [first, ...rest] = String(digits);
          for (const text of [`${digits}e${exponent}`, `-${first}.${rest.join("")}0e${exponent + rest.length}`]) {
            assertNumber(text, Number(text));
          }
          count++;
        }
      }
    }
    assert(count > 1_000, `only ${count} decimals`);
  });

  it("stop where a token ends, whatever follows it", () => {
    /** Tokens of every length: integers, fractions, small ones, and with an exponent. */
    const tokens = ["0", "-0", "0.0", "7e-1", "1E+2", "-5e10", "0e7"];
    for (let length = 1; length <= 32; length++) {
      const digits = DIGITS.slice(0, length);
      tokens.push(digits, `-0.${digits}`, `0.${"0".repeat(length)}${digits}`, `${digits}e1`, `0.${digits}E-3`);
      if (length > 1) tokens.push(`-${digits[0]}.${digits.slice(1)}`, `${digits.slice(0, -1)}.${digits.at(-1)}e2`);
    }
    for (const token of tokens) {
      const expected = Number(token);
      for (let byte = 0; byte < 256; byte++) {
        const after = String.fromCharCode(byte);
        if (!/[-+.eE0-9]/.test(after)) assertNumber(token, expected, `${after},`);
      }
      for (let length = 1; length <= 12; length++) {
        for (const fill of [",", " ", "a"]) assertNumber(token, expected, `${fill.repeat(length)}5.5e5`);
      }
      for (const left of ["5", "05", ".5", "e5", "E-5", "-5", ",5"]) assertNumber(token, expected, "", left);
      for (let start = 0; start < 4; start++) {
        const exact = new TextEncoder().encode("x".repeat(start) + token);
        const end = readNumber(exact, new DataView(exact.buffer), start, exact.length, exact.length);
        assertEquals([end, numberValue[0]], [exact.length, expected], token);
      }
    }
  });

  it("fail at each byte that is not a digit where one is required, and at the end", () => {
    const prefixes = [
      ...["-", "1.", "-0.", "123456789.", "12345678901.", "-1234567890123456789012.", "1e", "0E+", "-1.5e-"],
      ...["1.23456789012e", "12345678901234e+", "1.2345678901234567890123e"],
    ];
    for (const prefix of prefixes) {
      for (let byte = -1; byte < 256; byte++) {
        const after = byte < 0 ? "" : String.fromCharCode(byte);
        if (/[0-9]/.test(after) || /[-+]/.test(after) && /e$/i.test(prefix)) continue;
        for (const rest of ["5,", ".5,", "e5,", "123456789012,"]) {
          const end = after === "" ? write(prefix, rest) : write(`${prefix}${after}${rest}`);
          for (const [name, read] of Object.entries(READERS).slice(after === "" ? 1 : 0)) {
            assertStrictEquals(read(end), -1, `${name}, ${prefix}${after}${rest}`);
          }
        }
      }
    }
  });

  it("throw the engine's error for a number that is not too long", () => {
    const end = write("7".repeat(400));
    assertStrictEquals(readNumberSlow(bytes, 1, end), end);
    assertThrows(() => readNumberSlow(Array.from(bytes) as unknown as Uint8Array, 1, end));
  });
});
