/**
 * Reference for JSON Pointers: finds the place of each value of a text, and follows pointers in it.
 *
 * @module
 */

import type { Random } from "../../bench/support/random.ts";
import type { NoPlace, Place, ValueAt } from "../../pointer.ts";
import { utf8 } from "./bytes.ts";
import { referenceParse } from "./reference.ts";

/** Value of a text, and the values in it. Offsets are those of the text, in code units. */
interface Tree {
  start: number;
  end: number;
  /** First and last member of each name, if it is an object. */
  members: Map<string, { first: Tree; last: Tree }> | null;
  /** Elements, if it is an array. */
  elements: Tree[] | null;
}

const TOKEN = /[ \t\n\r]*("(?:[^"\\]|\\.)*"|[{}[\],:]|[^ \t\n\r{}[\],:"]+)/y;

/** Text that pointers are followed in. */
export class PointedText {
  readonly text: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly #tree: Tree;

  /**
   * Reads a text.
   *
   * @param text A valid JSON text, without a byte-order mark, of few levels.
   */
  constructor(text: string) {
    this.text = text;
    this.bytes = utf8(text);
    TOKEN.lastIndex = 0;
    this.#tree = readTree(text, nextToken(text));
  }

  /** Returns the tokens of all values that the value of `JSON.parse` has. */
  paths(): string[][] {
    const paths: string[][] = [];
    const visit = ({ members, elements }: Tree, tokens: string[]): void => {
      paths.push(tokens);
      for (const [name, { last }] of members ?? []) visit(last, [...tokens, name]);
      elements?.forEach((element, i) => visit(element, [...tokens, String(i)]));
    };
    visit(this.#tree, []);
    return paths;
  }

  /**
   * Follows a pointer, and returns the expected result of `parseAt`.
   *
   * @param takesFirst Whether the first of members with the same name counts.
   */
  follow(tokens: readonly string[], takesFirst = false): ValueAt | NoPlace {
    let tree = this.#tree;
    for (const [depth, token] of tokens.entries()) {
      const next = tree.elements !== null
        ? /^(?:0|[1-9]\d*)$/.test(token) ? tree.elements[Number(token)] : undefined
        : tree.members?.get(token)?.[takesFirst ? "first" : "last"];
      if (next === undefined) return { ok: true, found: false, depth };
      tree = next;
    }
    return this.#describe(tree);
  }

  /** Describes a value. Its place is that of a failure, if a control character stood there. */
  #describe({ start, end }: Tree): ValueAt {
    const before = this.text.slice(0, start);
    const failure = referenceParse(utf8(before, 1));
    if (failure.ok) throw new Error("Cannot locate a value: a control character was accepted");
    const { offset, line, column } = failure;
    const text = this.text.slice(start, end);
    const parsed = referenceParse(utf8(text)); // JSON.parse of V8 may take keys for others
    if (!parsed.ok) throw new Error(`Cannot parse a value: ${parsed.message}`);
    const { value } = parsed;
    return { ok: true, found: true, value, start: offset, end: offset + utf8(text).length, line, column };
  }
}

function nextToken(text: string): { token: string; end: number } {
  const match = TOKEN.exec(text);
  if (match === null) throw new Error(`Cannot follow pointers in ${text}`);
  return { token: match[1], end: TOKEN.lastIndex };
}

function readTree(text: string, { token, end }: { token: string; end: number }): Tree {
  const tree: Tree = { start: end - token.length, end, members: null, elements: null };
  if (token === "[") {
    tree.elements = [];
    for (let next = nextToken(text); next.token !== "]"; next = nextToken(text)) {
      tree.elements.push(readTree(text, next.token === "," ? nextToken(text) : next));
    }
  } else if (token === "{") {
    tree.members = new Map();
    for (let next = nextToken(text); next.token !== "}"; next = nextToken(text)) {
      const name = JSON.parse(next.token === "," ? nextToken(text).token : next.token);
      nextToken(text); // the colon
      const last = readTree(text, nextToken(text));
      tree.members.set(name, { first: tree.members.get(name)?.first ?? last, last });
    }
  }
  tree.end = TOKEN.lastIndex;
  return tree;
}

/** Writes tokens as a JSON Pointer. */
export function pointerOf(tokens: readonly (string | number)[]): string {
  return tokens.map((token) => `/${String(token).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
}

/** Returns the expected result of `locate`: one without its value. */
export function placeOf(result: ValueAt | NoPlace): Place | NoPlace {
  if (!result.found) return result;
  const { ok, found, start, end, line, column } = result;
  return { ok, found, start, end, line, column };
}

/** Changes tokens so that they seldom lead to a value. */
export function randomMiss(random: Random, tokens: readonly string[]): string[] {
  const missed = [...tokens];
  const token = random.pick([
    "absent",
    "",
    "0",
    "00",
    "-",
    "-1",
    "1e0",
    "99",
    "9007199254740993",
    "length",
    "__proto__",
  ]);
  if (missed.length === 0 || random.once(3)) missed.push(token);
  else missed[random.below(missed.length)] = token;
  return missed;
}
