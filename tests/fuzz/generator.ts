/**
 * Generator of sequences of documents. The documents of a round share keys, shapes, strings and
 * style, and differ from each other in little: state that one call leaves behind must not deceive
 * the next.
 *
 * @module
 */

import type { Random } from "../../bench/support/random.ts";
import { keys as cachedKeys } from "../../parser/objects/key_cache.ts";
import { concat, FORMS, utf8 } from "../support/bytes.ts";
import { randomDocument, randomNumber, randomString } from "../support/documents.ts";
import { randomNeighbours, spellings } from "../support/doubles.ts";
import { collidingKeys, collidingLongStrings, collidingShapes, collidingStrings, keysOfOneSlot } from "./collisions.ts";
import { mutate } from "./mutators.ts";
import type { Step } from "./steps.ts";
import type { Threshold } from "./thresholds.ts";

/** Documents of a round. */
const ROUND_LENGTH = 64;

/** Sets of options of a session. Each is used again and again, since frozen options learn. */
const OPTION_SETS = 24;

/** Keys that engines and parsers treat in ways of their own, as they are spelled in JSON. */
const TRICKY_KEYS = [
  ...["__proto__", "__proto_\\u005f", "\\u005f_proto__", "constructor", "toString", "length", "hasOwnProperty", ""],
  ...["0", "1", "2", "10", "-1", "01", "4294967294", "4294967295", "4294967296", "9007199254740993", "1e3", "-0"],
  ...["a\\u0062", "\\u0061b", "\\\\", '\\"', "\\/", "\\n", "\\u0022", "\\u005c", "\\ud800", "\\u0000", "a\\\\", "é"],
  ...["中", "😀", "\\ud83d\\ude00", "\u2028", "\ufeff", "${x}", "*/", "'];", "\x7f"],
];

/** Integers that are safe and unsafe as doubles. */
const INTEGERS = [
  ...["0", "1", "-2", "9007199254740991", "-9007199254740991", "9007199254740992", "9007199254740993"],
  ...["-9007199254740993", "12345678901234567890", "-1234567890123456789012345678901234567890"],
];

/** Keys with an escape at their ends, after which V8's `JSON.parse` confuses keys. */
const ESCAPED_ENDS = ["\\\\", '\\"', "\\/", "\\n", "\\u0041", "\\u005c", "\\u00e9", "\\u4e2d"];

const PLAIN = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 _-.,:;!?/'{}[]";
const WIDER = [..."éüßñ\xa0ÿ", ..."ĀЖא߿", ..."ࠀ中あ\u2028\ufeff\uffff", "😀", "𐀀", "\u{10ffff}"];
const ESCAPES = ["\\n", '\\"', "\\\\", "\\/", "\\t", "\\u0000", "\\u00e9", "\\u4e2d", "\\ud83d\\ude00", "\\ud800"];

/** Whitespace of a document: between tokens, and after a line feed for each level. */
interface Style {
  afterComma: string;
  beforeColon: string;
  afterColon: string;
  open: string;
  indent: string | null;
}

const STYLES: Style[] = [
  { afterComma: "", beforeColon: "", afterColon: "", open: "", indent: null },
  { afterComma: "", beforeColon: "", afterColon: "", open: "", indent: null },
  { afterComma: " ", beforeColon: "", afterColon: " ", open: "", indent: null },
  { afterComma: "\n", beforeColon: "", afterColon: "", open: "", indent: null },
  { afterComma: "", beforeColon: "", afterColon: " ", open: "", indent: "  " },
  { afterComma: "", beforeColon: "", afterColon: " ", open: "", indent: "    " },
  { afterComma: "", beforeColon: "", afterColon: "  ", open: "", indent: "\t" },
  { afterComma: " ", beforeColon: " ", afterColon: "\t", open: " ", indent: null },
  { afterComma: "\r\n  ", beforeColon: "", afterColon: "\n", open: "\r\n", indent: null },
  { afterComma: "         ", beforeColon: "   ", afterColon: "     ", open: "       ", indent: null },
];

/** Kind of document, and how often it is made. */
type Maker = [weight: number, make: (this: Generator) => string];

/** Makes the steps of a session. */
export class Generator {
  readonly #random: Random;
  readonly #thresholds: number[];
  /** Keys of the session and of the round, as spelled in JSON without quotes. */
  #sessionKeys: string[] = [];
  #keys: string[] = [];
  /** Lists of keys. */
  #shapes: string[][] = [];
  /** Pairs of shapes whose hashes are equal. */
  #shapePairs: [string[], string[]][] = [];
  /** String tokens without quotes. */
  #strings: string[] = [];
  #style: Style = STYLES[0];
  /** Documents of the session that later ones are made from. */
  readonly #pool: Uint8Array[] = [utf8("[1]")];
  readonly #makers: ((this: Generator) => string)[] = [];
  readonly #optionSeeds: number[];

  /** Creates a generator. It looks at the caches of the parser, to collide with what they hold. */
  constructor(random: Random, thresholds: Threshold[]) {
    this.#random = random;
    this.#thresholds = [...new Set(thresholds.map(({ value }) => value))];
    this.#optionSeeds = Array.from({ length: OPTION_SETS }, () => random.below(2 ** 31));
    const makers: Maker[] = [
      [3, this.#scalar],
      [10, this.#object],
      [12, this.#rows],
      [8, this.#nested],
      [5, this.#numbers],
      [4, this.#exactNumbers],
      [5, this.#stringList],
      [3, this.#mixedList],
      [4, () => randomDocument(random)],
      [1, this.#deep],
      [3, this.#sized],
    ];
    for (const [weight, make] of makers) this.#makers.push(...Array(weight).fill(make));
  }

  /** Makes the steps of a round. */
  round(): Step[] {
    const random = this.#random;
    this.#beginRound();
    const steps: Step[] = [];
    while (steps.length < ROUND_LENGTH) {
      const bytes = this.#document();
      if (bytes.length < 2_000 && !random.once(4)) {
        if (this.#pool.length < 400) this.#pool.push(bytes);
        else this.#pool[random.below(400)] = bytes;
      }
      steps.push(this.#step(bytes));
      // Its beginning, whose end is where the other went on, and the same with another end.
      if (random.once(9) && bytes.length > 0) steps.push(this.#step(bytes.slice(0, -1 - random.below(9))));
      if (random.once(20)) steps.push(this.#step(mutate(random, bytes, random.pick(this.#pool))));
    }
    for (let i = random.below(3); i >= 0; i--) steps.push(this.#severalDocuments(steps));
    return steps;
  }

  #beginRound(): void {
    const random = this.#random;
    this.#style = random.pick(STYLES);
    if (this.#sessionKeys.length === 0 || random.once(40)) {
      this.#sessionKeys = Array.from({ length: 60 }, () => this.#newKey());
    }
    this.#keys = Array.from({ length: random.pick([1, 2, 4, 8, 20, 40]) }, () => {
      return random.once(3) ? this.#newKey() : this.#perturbKey(random.pick(this.#sessionKeys));
    });
    if (random.once(6)) this.#keys.push(...collidingKeys(random, random.pick([2, 5, 9])));
    if (random.once(12)) this.#keys.push(...keysOfOneSlot(random, random.pick([4, 6, 12])));
    this.#shapes = Array.from({ length: random.pick([1, 2, 3, 6]) }, () => {
      return Array.from({ length: random.pick([1, 2, 3, 3, 5, 8, 14]) }, () => random.pick(this.#keys));
    });
    for (const shape of this.#shapes.slice()) {
      if (random.once(2)) this.#shapes.push(this.#perturbShape(shape));
    }
    this.#shapePairs = [];
    if (random.once(15)) this.#findCollidingShapes();
    this.#strings = Array.from({ length: random.pick([2, 5, 12, 40]) }, () => this.#newString());
    for (let i = random.below(6); i > 0; i--) this.#strings.push(this.#perturb(random.pick(this.#strings)));
    if (random.once(4)) this.#strings.push(...collidingStrings(random, random.pick([2, 4, 10])));
    if (random.once(10)) this.#strings.push(...collidingLongStrings(random, 4));
  }

  #findCollidingShapes(): void {
    const cached = cachedKeys.filter(({ id, name, size }) => {
      return id > 0 && size === name.length + 2 && /^[\w .-]+$/.test(name);
    });
    const names = new Map(cached.map(({ id, name }) => [id, name]));
    this.#shapePairs = collidingShapes(this.#random, [...names.keys()], 3).map((pair) => {
      return pair.map((ids) => ids.map((id) => names.get(id)!)) as [string[], string[]];
    });
    if (this.#shapePairs.length > 0) this.#style = STYLES[0];
  }

  #newKey(): string {
    const random = this.#random;
    if (random.once(5)) return random.pick(TRICKY_KEYS);
    if (random.once(12)) {
      return random.characters(random.below(5), PLAIN).replaceAll('"', "") + random.pick(ESCAPED_ENDS);
    }
    if (random.once(12)) return this.#newString();
    const around = random.once(8) ? this.#nearLength(140) : random.below(20);
    return random.characters(Math.max(0, around - random.pick([0, 0, 1, 2, 3])), PLAIN);
  }

  #newString(): string {
    const random = this.#random;
    const length = random.once(25)
      ? this.#nearLength(40)
      : random.pick([0, 1, 2, 3, 4, 7, 8, 9, 10, 11, 12, 15, 16, 17, 23, 24, 25, 26, 31, 32, 33, 60]);
    const kind = random.below(8);
    if (kind < 5) return random.characters(length, PLAIN);
    if (kind === 5) return randomString(random).slice(1, -1);
    const odd = random.pick(kind === 6 ? WIDER : ESCAPES);
    if (random.once(3)) return odd.repeat(length >> 1);
    const place = random.below(length + 1);
    return random.characters(place, PLAIN) + odd + random.characters(length - place, PLAIN);
  }

  /**
   * Changes a character of a token without quotes, or its length. The token may become malformed.
   */
  #perturb(text: string): string {
    const random = this.#random;
    const place = random.below(text.length);
    const code = text.charCodeAt(place);
    const escaped = Number.isNaN(code) || text.includes("\\")
      ? text[place] ?? ""
      : `\\u${code.toString(16).padStart(4, "0")}`;
    return random.pick([
      () => text.slice(0, place) + random.pick(PLAIN) + text.slice(place + 1),
      () => text + random.pick(PLAIN),
      () => text.slice(0, -1),
      () => text.slice(0, -1) + random.pick(PLAIN),
      () => random.pick(WIDER) + text,
      () => text.slice(0, place) + escaped + text.slice(place + 1),
    ])();
  }

  #perturbKey(key: string): string {
    return this.#random.once(3) ? this.#perturb(key) : key;
  }

  #perturbShape(shape: string[]): string[] {
    const random = this.#random;
    if (shape.length === 0) return [random.pick(this.#keys)];
    const place = random.below(shape.length);
    return random.pick([
      () => shape.with(place, random.pick(this.#keys)),
      () => shape.with(place, this.#perturbKey(shape[place])),
      () => shape.slice(0, -1),
      () => [...shape, random.pick(this.#keys)],
      () => shape.toReversed(),
    ])();
  }

  /** Returns a size next to a threshold. */
  #near(threshold: number): number {
    return threshold + this.#random.pick([-1, 0, 1, 0, -2, 2]);
  }

  /** Returns the length of a token next to a threshold, seldom above `most`. */
  #nearLength(most: number): number {
    const limit = this.#random.once(60) ? 9_000 : most;
    return this.#near(this.#random.pick(this.#thresholds.filter((t) => t <= limit)));
  }

  /** Returns a threshold up to `most`; large ones are rare, since they cost time. */
  #threshold(most: number): number {
    const random = this.#random;
    const limit = random.once(2_000) ? most : random.once(500) ? 20_000 : random.once(15) ? 1_100 : 140;
    return random.pick(this.#thresholds.filter((t) => t <= limit && t <= most));
  }

  #document(): Uint8Array {
    const random = this.#random;
    if (random.once(14)) return mutate(random, random.pick(this.#pool), random.pick(this.#pool));
    if (random.once(30)) return random.pick(this.#pool);
    let bytes: Uint8Array = utf8(random.once(200_000) ? this.#large() : random.pick(this.#makers).call(this));
    if (random.once(60)) bytes = concat([utf8("\ufeff"), bytes]);
    if (random.once(3)) bytes = mutate(random, bytes, random.pick(this.#pool));
    if (random.once(8)) bytes = this.#pad(bytes);
    return bytes;
  }

  /** Makes a document as long as a threshold, or nearly, by bytes around its value. */
  #pad(bytes: Uint8Array): Uint8Array {
    const random = this.#random;
    const most = random.once(30_000) ? 1 << 22 : random.once(500) ? 1 << 17 : random.once(4) ? 4_200 : 600;
    const sizes = this.#thresholds.filter((t) => t >= bytes.length && t <= most);
    if (sizes.length === 0) return bytes;
    const missing = this.#near(random.pick(sizes)) - bytes.length;
    if (missing <= 0) return bytes;
    const space = utf8(random.pick([" ", "\n"]).repeat(missing));
    if (missing < 5 || random.once(2)) return concat(random.once(2) ? [bytes, space] : [space, bytes]);
    const text = `"${"x".repeat(missing - 5)}"`;
    return concat(random.once(2) ? [utf8(`[${text},`), bytes, utf8("]")] : [utf8("["), bytes, utf8(`,${text}]`)]);
  }

  #step(bytes: Uint8Array): Step {
    const random = this.#random;
    const form = random.once(8) ? random.below(FORMS.length) : random.pick([0, 2, 3, 6, 8]);
    const cuts = random.once(4) ? this.#cuts(bytes.length) : null;
    // Seldom with options, since the reference takes long.
    const seed = random.once(5) ? random.pick(this.#optionSeeds) : undefined;
    return { bytes, form, alignment: random.below(16), cuts, ...seed !== undefined && { seed } };
  }

  #cuts(length: number): number[] {
    const random = this.#random;
    if (length < 200 && random.once(6)) return Array.from({ length }, (_, i) => i);
    const places = Array.from({ length: 1 + random.below(6) }, () => random.below(length + 1));
    return places.sort((a, b) => a - b);
  }

  /** Joins documents of a round, as JSON Lines or one after the other. */
  #severalDocuments(steps: Step[]): Step {
    const random = this.#random;
    const isLines = random.once(2);
    const documents = Array.from({ length: 1 + random.below(8) }, () => random.pick(steps).bytes);
    const small = documents.filter(({ length }) => length < 5_000);
    const separators = isLines ? ["\n", "\n", "\r\n", "\n\n", "\n \n"] : ["\n", " ", "", "\n\n"];
    const joined = concat(small.flatMap((document) => [document, utf8(random.pick(separators))]));
    const bytes = random.once(3) ? mutate(random, joined, random.pick(this.#pool)) : joined;
    const multiple = isLines ? "lines" : "concatenated";
    const seed = random.pick(this.#optionSeeds);
    return { bytes, form: 0, alignment: random.below(16), cuts: this.#cuts(bytes.length), multiple, seed };
  }

  // ---- Values.

  #scalar(): string {
    const random = this.#random;
    const space = random.once(3) ? random.pick([" ", "\n", "\t\r\n ", "          "]) : "";
    return space + this.#leaf() + (random.once(3) ? space : "");
  }

  #number(): string {
    const random = this.#random;
    const digits = (): string => this.#digits(this.#near(random.pick(this.#thresholds.filter((t) => t <= 48))));
    const kind = random.below(12);
    if (kind < 4) {
      return String(random.below(random.pick([10, 100, 1_000, 100_000, 2 ** 31])) - (random.once(5) ? 50 : 0));
    }
    if (kind < 6) {
      const whole = random.below(random.pick([10, 1_000, 1e7]));
      return `${random.once(4) ? "-" : ""}${whole}.${random.digits(random.pick([1, 2, 3, 6, 12]))}`;
    }
    if (kind === 6) return digits();
    if (kind === 7) return `0.${digits()}`;
    if (kind === 8) {
      if (random.once(2)) return `0.${"0".repeat(random.below(26))}${this.#digits(random.integer(1, 20))}`;
      return String((random.next() - 0.5) * 10 ** random.integer(-300, 300));
    }
    if (kind === 9) {
      if (random.once(10)) { // zeros that the exponent takes back, or nearly
        const zeros = random.below(random.pick([30, 200, 1_200]));
        return `0.${"0".repeat(zeros)}${this.#digits(random.integer(1, 18))}e${zeros + random.below(20)}`;
      }
      if (random.once(20)) return random.pick(spellings(randomNeighbours(random).middle, random));
      return String(random.next());
    }
    if (kind === 10) {
      if (random.once(50)) return this.#digits(this.#threshold(20_000)) + random.pick(["", ".5", "e-1000", "e-5000"]);
      const exponent = random.below(random.pick([30, 330, 1e9]));
      return `${this.#digits(random.integer(1, 25))}e${random.pick(["", "-", "+"])}${exponent}`;
    }
    return randomNumber(random);
  }

  #digits(count: number): string {
    const random = this.#random;
    const digit = random.pick(["0", "9", "5", ""]);
    const rest = digit !== "" && random.once(3) ? digit.repeat(count) : random.characters(count, "0123456789");
    return random.pick("123456789") + rest.slice(1);
  }

  #string(): string {
    return `"${this.#random.once(6) ? this.#newString() : this.#random.pick(this.#strings)}"`;
  }

  #leaf(): string {
    const random = this.#random;
    const kind = random.below(10);
    if (kind < 4) return this.#number();
    if (kind < 8) return this.#string();
    return random.pick(["true", "false", "null", "[]", "{}"]);
  }

  #value(depth: number, level: number): string {
    const random = this.#random;
    if (depth <= 0 || random.once(2)) return this.#leaf();
    const count = random.below(5);
    if (random.once(2)) {
      return this.#join("[", "]", level, Array.from({ length: count }, () => this.#value(depth - 1, level + 1)));
    }
    return this.#members(random.pick(this.#shapes), level, () => this.#value(depth - 1, level + 1));
  }

  #members(keys: string[], level: number, value: () => string): string {
    const { beforeColon, afterColon } = this.#style;
    return this.#join("{", "}", level, keys.map((key) => `"${key}"${beforeColon}:${afterColon}${value()}`));
  }

  #join(open: string, close: string, level: number, items: string[]): string {
    const style = this.#style;
    if (items.length === 0) return open + close;
    if (style.indent === null) return open + style.open + items.join(`,${style.afterComma}`) + style.open + close;
    const lineFeed = `\n${style.indent.repeat(level + 1)}`;
    return `${open}${lineFeed}${items.join(`,${lineFeed}`)}\n${style.indent.repeat(level)}${close}`;
  }

  // ---- Documents.

  #object(): string {
    return this.#members(this.#random.pick(this.#shapes), 0, () => this.#value(1, 1));
  }

  /** Makes many rows of one shape, so that it gets a constructor, then rows of another. */
  #rowsOfPair(): string {
    const random = this.#random;
    const [first, second] = random.pick(this.#shapePairs);
    const rows = [...Array(random.pick([1, 30, 60])).fill(first), ...Array(random.below(4)).fill(second)];
    return this.#join("[", "]", 0, rows.map((shape) => this.#members(shape, 1, () => String(random.below(9)))));
  }

  /** Makes a document so large that the parser saves memory: rows that recur with small changes. */
  #large(): string {
    const random = this.#random;
    const rows = Array.from({ length: 300 }, () => this.#nested());
    const recent = [...rows];
    for (let length = 0; length < (1 << 22) + random.below(100_000); length += rows[rows.length - 1].length) {
      if (random.once(9)) rows.push(`"${this.#perturb(random.pick(this.#strings)).replaceAll('"', "")}"`);
      rows.push(random.once(20) ? this.#nested() : random.pick(recent));
      if (random.once(3)) recent[random.below(300)] = rows[rows.length - 1];
    }
    return this.#join("[", "]", 0, rows);
  }

  #rows(): string {
    const random = this.#random;
    if (this.#shapePairs.length > 0 && random.once(2)) return this.#rowsOfPair();
    const count = random.once(20) ? random.integer(20, 90) : random.below(8);
    const main = random.pick(this.#shapes);
    const isSimple = random.once(2);
    const rows = Array.from({ length: count }, () => {
      const shape = random.once(6) ? random.pick(this.#shapes) : random.once(12) ? this.#perturbShape(main) : main;
      return this.#members(shape, 1, () => isSimple ? String(random.below(9)) : this.#value(random.once(9) ? 1 : 0, 2));
    });
    return this.#join("[", "]", 0, rows);
  }

  #nested(): string {
    return this.#value(this.#random.pick([2, 3, 4, 6]), 0);
  }

  #numbers(): string {
    const random = this.#random;
    const count = random.once(12) ? this.#near(this.#threshold(140_000)) : random.below(24);
    const isPlain = count > 2_000 || random.once(3);
    const items = Array.from({ length: count }, () => isPlain ? String(random.below(1_000)) : this.#number());
    if (random.once(5)) items.splice(random.below(items.length + 1), 0, this.#leaf());
    return this.#join("[", "]", 0, items);
  }

  /** Makes few integers around the largest safe one. Some are malformed: two numbers as one. */
  #exactNumbers(): string {
    const random = this.#random;
    const integer = (): string => random.pick(INTEGERS);
    const number = (): string =>
      integer() + (random.once(6) ? random.pick(["-", "+", ".", "e", ".5-"]) + integer() : "");
    const items = Array.from({ length: random.below(5) }, number);
    if (random.once(3)) return number();
    return random.once(2) ? this.#join("[", "]", 0, items) : this.#members(random.pick(this.#shapes), 0, number);
  }

  #stringList(): string {
    const random = this.#random;
    const count = random.once(15) ? this.#near(this.#threshold(3_000)) : random.below(24);
    return this.#join("[", "]", 0, Array.from({ length: count }, () => this.#string()));
  }

  #mixedList(): string {
    const random = this.#random;
    const count = random.once(10) ? this.#near(this.#threshold(140_000)) : random.below(20);
    const few = Array.from({ length: 8 }, () => count > 5_000 ? random.pick(["1", "null", "[]"]) : this.#value(1, 1));
    return this.#join("[", "]", 0, Array.from({ length: count }, () => random.pick(few)));
  }

  /** Makes a document of many levels, often next to a threshold. */
  #deep(): string {
    const random = this.#random;
    const depth = random.once(2) ? Math.min(3_000, this.#near(this.#threshold(2_100))) : random.below(70);
    const key = random.pick(this.#keys).slice(0, 80);
    const [open, close] = random.pick([["[", "]"], [`{"${key}":`, "}"], [`[{"${key}":`, "}]"], ["[1,", ",2]"]]);
    return open.repeat(depth) + this.#leaf() + close.repeat(depth);
  }

  /** Makes a document with one part next to a threshold: members, a string, a key or digits. */
  #sized(): string {
    const random = this.#random;
    const size = Math.max(0, this.#near(this.#threshold(140_000)));
    const few = Math.min(size, 20_000);
    const place = random.below(Math.min(size, 4_000) + 1);
    return random.pick([
      () => {
        const prefix = random.pick(["k", "a longer prefix ", ""]);
        const keys = Array.from({ length: Math.min(size, 2_200) }, (_, i) => prefix + (random.once(50) ? 0 : i));
        return this.#members(keys, 0, () => String(random.below(9)));
      },
      () => `["${random.characters(Math.min(3, size), PLAIN)}${"x".repeat(Math.max(0, size - 3))}"]`,
      () => `["${"x".repeat(place)}${random.pick([...WIDER, ...ESCAPES])}${"y".repeat(Math.max(0, few - place))}",1]`,
      () => `{"${"k".repeat(few)}":1,"${"k".repeat(few)}":{}}`,
    ])();
  }
}
