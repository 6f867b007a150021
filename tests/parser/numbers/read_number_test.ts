/** Number tokens in `parser/numbers/read_number.ts`. */

import { assert, assertStrictEquals, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { numberValue, readNumber, readNumberSlow } from "../../../parser/numbers/read_number.ts";
import { randomNumber } from "../../support/documents.ts";
import { exactDecimal, randomNeighbours, spellings, truncated } from "../../support/doubles.ts";
import { loadFreshWith } from "../../support/modules.ts";
import { type Random, withSeeds } from "../../support/random.ts";

/** Zeros behind every token, as many as a reader may look at. */
const LOOKAHEAD = 64;

const bytes = new Uint8Array(4096);
const view = new DataView(bytes.buffer);

/** Writes text to `bytes` at 1, zeros behind it; returns where it ends. */
function write(text: string): number {
  const end = 1 + text.length;
  for (let i = 0; i < text.length; i++) bytes[1 + i] = text.charCodeAt(i);
  bytes.fill(0, end, end + LOOKAHEAD);
  return end;
}

/** Ways to read the number token at the start of a text: its value into `numberValue`. */
const READERS: Record<string, (text: string) => number> = {
  "readNumber()": (text) => {
    const end = write(text);
    return readNumber(bytes, view, 1, end, end + LOOKAHEAD);
  },
  "readNumber() near the end of the input": (text) => {
    const end = write(text);
    return readNumber(bytes, view, 1, end, end);
  },
  "readNumberSlow()": (text) => readNumberSlow(bytes, 1, write(text)),
};

/**
 * Fails unless each reader gives a number, bit for bit, and the position behind it, before any
 * bytes.
 */
function assertNumber(text: string, expected: number, after = ""): void {
  for (const [name, read] of Object.entries(READERS)) {
    const position = read(text + after);
    const actual = numberValue[0];
    if (position !== 1 + text.length || !Object.is(actual, expected)) {
      throw new Error(`${name}, ${text}${after}: ${actual} up to ${position - 1}, not ${expected}`);
    }
  }
}

/** Digits, the first of them not 0. */
function randomDigits(random: Random, length: number): string {
  return 1 + random.below(9) + random.repeat(length - 1, length - 1, () => String(random.below(10)));
}

const GRAMMAR = /^-?(?:0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?/;

/**
 * Number at the start of a text, as RFC 8259 has it; `undefined` if there is none and none can
 * arise.
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
      for (const [name, read] of Object.entries(READERS)) {
        const position = read(text);
        if (token === undefined ? position === -1 : position === 1 + token.length) {
          if (token === undefined || Object.is(numberValue[0], Number(token))) continue;
        }
        throw new Error(`${name}, ${text}: ${numberValue[0]} up to ${position - 1}, not ${token}`);
      }
      if (text.length < 6) { for (const character of alphabet) check(text + character); }
    };
    for (const first of "-0719") check(first);
  });

  it("agree with Number() on integers of every length", () => {
    withSeeds(200, (random) => {
      for (let length = 1; length <= 40; length++) {
        const text = (random.once(2) ? "-" : "") + randomDigits(random, length);
        assertNumber(text, Number(text), random.pick(["", ",", "]", " ", "}"]));
      }
    });
  });

  it("agree with Number() on every division of up to 24 digits by the point", () => {
    withSeeds(20, (random) => {
      for (let length = 2; length <= 24; length++) {
        for (let point = 1; point < length; point++) {
          const digits = randomDigits(random, length);
          for (const whole of [digits.slice(0, point), "0"]) {
            const text = `${whole}.${digits.slice(point)}`;
            assertNumber(text, Number(text), random.pick(["", ",", "]"]));
            assertNumber(`-${text}e${point}`, Number(`-${text}e${point}`));
          }
        }
      }
    });
  });

  it("agree with Number() on every power of ten that a double has, and beyond", () => {
    for (let exponent = -400; exponent <= 400; exponent++) {
      for (const digits of ["1", "9", "1.5", "123456789", "4.35", "9007199254740993", "0.000001", "0", "-0.0"]) {
        const text = `${digits}e${exponent}`;
        assertNumber(text, Number(text));
      }
    }
  });

  it("agree with Number() on exponents of many digits", () => {
    for (const digits of ["1", "0", "-0", "0.000", "-1.5"]) {
      for (const sign of ["", "+", "-"]) {
        for (const exponent of ["0".repeat(30), `${"0".repeat(30)}7`, "9".repeat(9), "9".repeat(30), "4294967297"]) {
          const text = `${digits}e${sign}${exponent}`;
          assertNumber(text, Number(text));
        }
      }
    }
  });

  it("agree with Number() on random tokens of every shape", () => {
    withSeeds(20_000, (random) => {
      const text = randomNumber(random);
      assertNumber(text, Number(text), random.pick(["", ",", " ", "]"]));
    });
  });

  it("give back each double from its shortest decimal, from 17 digits and from its decimal in full", () => {
    withSeeds(3_000, (random) => {
      const { lower } = randomNeighbours(random);
      const exact = exactDecimal(lower);
      assertNumber(String(lower), lower);
      assertNumber(lower.toExponential(), lower);
      assertNumber(lower.toExponential(16), lower);
      for (const text of spellings(exact, random)) assertNumber(text, lower);
    });
  });

  it("round the exact middle between two doubles to the even one, and what is next to it to the nearer one", () => {
    withSeeds(3_000, (random) => {
      const { lower, upper, middle: { digits, decimals }, even } = randomNeighbours(random);
      for (const text of spellings({ digits, decimals }, random)) assertNumber(text, even);
      for (const text of spellings({ digits: 10n * digits - 1n, decimals: decimals + 1 }, random)) {
        assertNumber(text, lower);
      }
      for (const text of spellings({ digits: 10n * digits + 1n, decimals: decimals + 1 }, random)) {
        assertNumber(text, upper);
      }
    });
  });

  it("round decimals of 17 to 20 digits on either side of the middle to the nearer double", () => {
    withSeeds(5_000, (random) => {
      const { lower, upper, middle } = randomNeighbours(random);
      for (let significant = 17; significant <= 20; significant++) {
        const { digits, decimals, isCut } = truncated(middle, significant);
        // 17 digits tell any two doubles apart. A middle not cut is tested above.
        if (!isCut) continue;
        for (const text of spellings({ digits, decimals }, random)) assertNumber(text, lower);
        for (const text of spellings({ digits: digits + 1n, decimals }, random)) assertNumber(text, upper);
      }
    });
  });

  it("round middles of up to 19 digits, which the fast path decides by itself", () => {
    withSeeds(5_000, (random) => {
      // An odd number of 54 bits in units of 2^-scale: the middle between two doubles.
      const odd = 2n ** 53n + 2n * (BigInt(random.below(2 ** 26)) << 26n | BigInt(random.below(2 ** 26))) + 1n;
      const scale = random.below(5);
      const even = (odd + 1n) / 2n % 2n === 0n ? odd + 1n : odd - 1n;
      const [digits, decimals] = [odd * 5n ** BigInt(scale), scale];
      for (const text of spellings({ digits, decimals }, random)) assertNumber(text, Number(even) / 2 ** scale);
      if (scale > 2) return;
      for (const side of [-1n, 1n]) {
        const near = { digits: 10n * digits + side, decimals: decimals + 1 };
        for (const text of spellings(near, random)) assertNumber(text, Number(odd + side) / 2 ** scale);
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
          const side = digits * numerator - odd * denominator;
          const even = (odd + 1n) / 2n % 2n === 0n ? odd + 1n : odd - 1n;
          const nearest = side < 0n ? odd - 1n : side > 0n ? odd + 1n : even;
          const text = `${digits}e${exponent}`;
          assertNumber(text, Number(nearest) * 2 ** scale);
          assertNumber(
            `-${String(digits)[0]}.${String(digits).slice(1)}0e${exponent + String(digits).length - 1}`,
            -Number(text),
          );
          count++;
        }
      }
    }
    assert(count > 1_000, `only ${count} decimals`);
  });

  it("read digits so far behind the point that the engine must convert them, or doubles cannot tell", () => {
    for (
      const text of [
        `0.${"0".repeat(22)}125`,
        `0.${"0".repeat(400)}1`,
        "0.000976649828178837256", // nearly in the middle between two doubles
        "0.000981895036919071631",
        "0.00000000000000000001",
      ]
    ) {
      for (const lookahead of [0, LOOKAHEAD]) {
        const end = write(text);
        const readable = end + lookahead;
        assertStrictEquals(readNumber(bytes, view, 1, end, readable), end, text);
        assertStrictEquals(numberValue[0], Number(text), text);
        assertStrictEquals(readNumberSlow(bytes, 1, end), end, text);
        assertStrictEquals(numberValue[0], Number(text), text);
      }
    }
  });

  it("leave the conversion of fewer than one number in a hundred to the engine", async () => {
    let conversions = 0;
    const numbers = await loadFreshWith<typeof import("../../../parser/numbers/read_number.ts")>(
      "parser/numbers/read_number.ts",
      {
        Number: function (value: unknown): number {
          conversions++;
          return +(value as string);
        },
      },
    );
    conversions = 0;
    let count = 0;
    withSeeds(2_000, (random) => {
      const texts = [String(random.below(2 ** 32) / 2 ** 32), String((random.below(2 ** 32) - 2 ** 31) / 1e6)];
      texts.push(
        randomDigits(random, 17),
        (random.below(2 ** 32) / 7).toExponential(),
        `1.${randomDigits(random, 15)}`,
      );
      texts.push(`1.${randomDigits(random, 14)}e${random.below(50) - 25}`, `${random.below(1e9)}e-${random.below(44)}`);
      for (const text of texts) {
        const end = write(text);
        numbers.readNumber(bytes, view, 1, end, end + LOOKAHEAD);
        assertStrictEquals(numbers.numberValue[0], Number(text));
        count++;
      }
    });
    assert(conversions < count / 100, `${conversions} of ${count}`);
  });
});

describe("an error of the engine while a number is read that is not too long", () => {
  it("is thrown, not taken for a failure", () => {
    const end = write("7".repeat(400));
    assertStrictEquals(readNumberSlow(bytes, 1, end), end);
    assertThrows(() => readNumberSlow(Array.from(bytes) as unknown as Uint8Array, 1, end));
  });
});

describe("readNumber() and readNumberSlow()", () => {
  const DIGITS = "31415926535897932384626433832795";
  /**
   * Tokens of every length up to 32 digits: integers, fractions, small ones, and with an exponent.
   */
  const TOKENS = ["0", "-0", "0.0", "7e-1", "1E+2", "-5e10", "0e7"];
  for (let length = 1; length <= 32; length++) {
    const digits = DIGITS.slice(0, length);
    TOKENS.push(digits, `-0.${digits}`, `0.${"0".repeat(length)}${digits}`, `${digits}e1`, `0.${digits}E-3`);
    if (length > 1) TOKENS.push(`-${digits[0]}.${digits.slice(1)}`, `${digits.slice(0, -1)}.${digits.at(-1)}e2`);
  }

  it("stop at each byte that is no part of a number, whatever follows it", () => {
    for (const token of TOKENS) {
      const expected = Number(token);
      for (let byte = 0; byte < 256; byte++) {
        const after = String.fromCharCode(byte);
        if (!/[-+.eE0-9]/.test(after)) assertNumber(token, expected, `${after},`);
      }
    }
  });

  it("stop where a token ends, though digits follow after some other bytes", () => {
    for (const token of TOKENS) {
      for (let length = 1; length <= 12; length++) {
        for (const fill of [",", " ", "a"]) assertNumber(token, Number(token), `${fill.repeat(length)}5.5e5`);
      }
    }
  });

  it("stop at the end, whatever bytes are left behind it", () => {
    for (const token of TOKENS) {
      for (const rest of ["5", "05", ".5", "e5", "E-5", "-5", ",5"]) {
        const end = write(token + rest) - rest.length;
        for (const read of [() => readNumber(bytes, view, 1, end, end), () => readNumberSlow(bytes, 1, end)]) {
          assertStrictEquals(read(), end, token + rest);
          assert(Object.is(numberValue[0], Number(token)), `${numberValue[0]}, not ${token}`);
        }
      }
    }
  });

  it("fail at each byte that is no digit where one is required, and at the end", () => {
    const prefixes = [
      ...["-", "1.", "-0.", "123456789.", "12345678901.", "-1234567890123456789012.", "1e", "0E+", "-1.5e-"],
      ...["1.23456789012e", "12345678901234e+", "1.2345678901234567890123e"],
    ];
    for (const prefix of prefixes) {
      for (let byte = 0; byte < 256; byte++) {
        const after = String.fromCharCode(byte);
        if (/[0-9]/.test(after) || /[-+]/.test(after) && /e$/i.test(prefix)) continue;
        for (const rest of ["5,", ".5,", "e5,", "123456789012,"]) {
          const text = `${prefix}${after}${rest}`;
          for (const [name, read] of Object.entries(READERS)) assertStrictEquals(read(text), -1, `${name}, ${text}`);
        }
      }
      const end = write(`${prefix}5,`) - 2; // the digit is left from before
      for (const read of [() => readNumber(bytes, view, 1, end, end), () => readNumberSlow(bytes, 1, end)]) {
        assertStrictEquals(read(), -1, prefix);
      }
    }
  });

  it("read a token anywhere in bytes that end with it", () => {
    for (const token of TOKENS) {
      for (let start = 0; start < 4; start++) {
        const exact = new Uint8Array(start + token.length);
        for (let i = 0; i < token.length; i++) exact[start + i] = token.charCodeAt(i);
        const exactView = new DataView(exact.buffer);
        assertStrictEquals(readNumber(exact, exactView, start, exact.length, exact.length), exact.length, token);
        assert(Object.is(numberValue[0], Number(token)), `${numberValue[0]}, not ${token}`);
      }
    }
  });

  it("agree with Number() next to the largest exact integer, wherever the point is", () => {
    for (let low = 88n; low <= 96n; low++) {
      const digits = String(9007199254740900n + low);
      for (let point = 0; point < digits.length; point++) {
        const text = point === 0 ? `0.${digits}` : `${digits.slice(0, point)}.${digits.slice(point)}`;
        assertNumber(text, Number(text), ",");
        for (let exponent = -30; exponent <= 30; exponent++) {
          assertNumber(`${text}e${exponent}`, Number(`${text}e${exponent}`));
        }
      }
    }
  });

  it("agree with Number() on as many decimals as a high word leaves room for, and one more", () => {
    withSeeds(60, (random) => {
      for (const whole of [0, 1, 5, 8, 9, 10, 11, 98, 99, 100, 101, 998, 999, 1000, 1001, 99999]) {
        for (let decimals = 8; decimals <= 20; decimals++) {
          // Digits that begin with nines make the largest words.
          const nines = "9".repeat(random.below(9));
          const text = `${whole}.${nines}${random.repeat(20, 20, () => String(random.below(10)))}`;
          const token = text.slice(0, String(whole).length + 1 + decimals);
          assertNumber(token, Number(token), ",");
          assertNumber(`${token}e7`, Number(`${token}e7`));
        }
      }
    });
  });

  it("agree with Number() on any number of zeros behind the point", () => {
    for (const zeros of [...Array.from({ length: 40 }, (_, i) => i), 100, 290, 300, 305, 310, 315, 320, 323]) {
      for (let length = 0; length <= 20; length++) {
        for (const sign of ["", "-"]) {
          const text = `${sign}0.${"0".repeat(zeros)}${DIGITS.slice(0, length)}`;
          if (/\d$/.test(text)) assertNumber(text, Number(text));
        }
      }
    }
    // They are nearly in the middle between two doubles without an exponent.
    const rows = [["51692633573118349", 331], ["1014579094519607", 331], ["18202289527980171", 326]] as const;
    for (const [digits, decimals] of [...rows, ["56566656632692798", 326], ["658637802015581120", 326]] as const) {
      const text = `0.${digits.padStart(decimals, "0")}`;
      assertNumber(text, Number(text));
    }
  });
});
