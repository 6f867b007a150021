/** Reference for JSON Pointers: follows them in a text, to the place of a value. */

import type { Random } from "../../bench/support/random.ts";
import type { NoPlace, Place, ValueAt } from "../../pointer.ts";
import { utf8 } from "./bytes.ts";
import { placeAt, referenceTree, type Tree } from "./reference.ts";

/** Text that pointers are followed in. */
export class PointedText {
  readonly text: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly #tree: Tree;

  /**
   * Reads a text.
   *
   * @param text A valid JSON text of few levels.
   */
  constructor(text: string) {
    this.text = text;
    this.bytes = utf8(text);
    this.#tree = referenceTree(this.bytes);
  }

  /** Returns the tokens of all values that the value of `JSON.parse` has. */
  paths(): string[][] {
    const paths: string[][] = [];
    const visit = ({ children }: Tree, tokens: string[]): void => {
      paths.push(tokens);
      for (const [name, { last }] of children ?? []) visit(last, [...tokens, name]);
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
      const next = tree.children?.get(token)?.[takesFirst ? "first" : "last"];
      if (next === undefined) return { ok: true, found: false, depth };
      tree = next;
    }
    const { value, start, end } = tree;
    return { ok: true, found: true, value, start, end, ...placeAt(this.bytes, start) };
  }
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

/** Tokens that lead nowhere in most documents. */
const MISSES = ["absent", "", "0", "00", "-", "-1", "1e0", "99", "9007199254740993", "length", "__proto__"];

/** Changes tokens so that they seldom lead to a value. */
export function randomMiss(random: Random, tokens: readonly string[]): string[] {
  const missed = [...tokens];
  const token = random.pick(MISSES);
  if (missed.length === 0 || random.once(3)) missed.push(token);
  else missed[random.below(missed.length)] = token;
  return missed;
}
