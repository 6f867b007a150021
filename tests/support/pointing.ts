/**
 * Reference for JSON Pointers, which follows them in a text to the location of a value, and the readers
 * that follow them.
 */

import type { ParseOptions } from "../../parse_binary.ts";
import { parseStream, type ParseStreamAtOptions } from "../../parse_stream.ts";
import { locateDocument } from "../../parser/selection/locate_document.ts";
import { parseValuesAt } from "../../parser/selection/parse_values_at.ts";
import { compilePointers } from "../../parser/selection/pointers.ts";
import {
  locate,
  type NoPlace,
  parseAt,
  type ParseAtOptions,
  type ParseAtResult,
  type Place,
  type Pointer,
  type PointerList,
  type ValueAt,
} from "../../pointer.ts";
import { show, utf8 } from "./bytes.ts";
import { copiesAt, type Cut } from "./cuts.ts";
import { assertSame } from "./difference.ts";
import { checksOf } from "./random_options.ts";
import { failureOf, placeAt, referenceParse, referenceRead, referenceTree, type Tree } from "./reference.ts";

/** Text that pointers are followed in. */
export class PointedText {
  readonly bytes: Uint8Array;
  readonly #tree: Tree;

  /**
   * Reads a text.
   *
   * @param text A valid JSON text of few levels.
   */
  constructor(text: string | Uint8Array) {
    this.bytes = typeof text === "string" ? utf8(text) : text;
    this.#tree = referenceTree(this.bytes);
  }

  /** Returns the tokens of all values that the value of `JSON.parse` has. */
  paths(): string[][] {
    const paths: string[][] = [];
    const visit = ({ entries }: Tree, tokens: string[]): void => {
      paths.push(tokens);
      for (const [name, value] of new Map(entries)) visit(value, [...tokens, name]);
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
      const next = tree.entries?.[takesFirst ? "find" : "findLast"](([name]) => name === token);
      if (next === undefined) return { ok: true, found: false, depth };
      tree = next[1];
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
function placeOf(result: ParseAtResult): Exclude<ParseAtResult, ValueAt> | Place {
  if (!result.ok || !result.found) return result;
  const { ok, found, start, end, line, column } = result;
  return { ok, found, start, end, line, column };
}

/** Options of the readers that follow pointers. */
export interface PointerReading {
  options?: ParseOptions;
  stopWhenFound?: boolean;
}

/**
 * Returns the expected results at pointers. With `stopWhenFound`, they are known only if it is known
 * where reading stops.
 */
function expectedAt(
  bytes: Uint8Array,
  list: readonly (readonly string[])[],
  { options = {}, stopWhenFound = false }: PointerReading,
): ParseAtResult[] | undefined {
  const grammar = referenceParse(bytes);
  if (!grammar.ok && stopWhenFound) return undefined;
  const { refusal } = referenceRead(bytes, options);
  const failed = (): ParseAtResult[] => list.map(() => failureOf(bytes, refusal!));
  if (!grammar.ok || refusal !== null && (!stopWhenFound || refusal.code === "too-many-bytes")) return failed();
  const text = new PointedText(bytes);
  const followed = list.map((tokens) => text.follow(tokens, stopWhenFound));
  if (refusal !== null) {
    const ends = followed.map((result) => result.found ? result.end : Infinity);
    if (ends.includes(Infinity)) return undefined;
    if (refusal.certainAt <= Math.max(...ends)) return failed();
  }
  const { integers, numbers, number } = options;
  return followed.map((result) => {
    if (!result.found) return result;
    const { start, end } = result;
    const shifted = number && ((text: string, at: number) => number(text, at + start));
    const value = referenceParse(bytes.subarray(start, end), { integers, numbers, number: shifted });
    return { ...result, value: value.ok ? value.value : undefined };
  });
}

/** Writes tokens in one of the forms of a pointer: as a text, a path, or a path of keys. */
function written(tokens: readonly string[], form: number): Pointer {
  if (form % 3 === 0) return pointerOf(tokens);
  const path = tokens.map((token) => /^(?:0|[1-9]\d{0,8})$/.test(token) ? Number(token) : token);
  return form % 3 === 1 ? path : path.map((key) => ({ key }));
}

let forms = 0;

/**
 * Asserts what readers find at pointers: all at once, whole and in windows, and each by a stream
 * that is cut.
 */
export async function assertPointed(
  bytes: Uint8Array,
  list: readonly (readonly string[])[],
  reading: PointerReading = {},
  cuts: Iterable<Cut> = [],
): Promise<void> {
  const { options, stopWhenFound = false } = reading;
  const given = { ...options, stopWhenFound } as ParseAtOptions;
  const how = (what: string) => () => `${show(bytes)}, ${what} ${JSON.stringify({ ...given, pointers: list })}`;
  const pointers = list.map((tokens) => written(tokens, forms++));
  const results = parseAt(bytes, pointers as PointerList, given);
  const expected = expectedAt(bytes, list, reading) ?? results;
  assertSame(results, expected, how("parseAt"));
  const places = expected.map(placeOf);
  if (checksOf(options ?? {})) assertSame(locate(bytes, pointers as PointerList, given), places, how("locate"));
  if (options === undefined) {
    const tree = compilePointers(list);
    const windowSize = 8 + forms % 32;
    const [whole, wholePlaces] = expected[0].ok ? [expected, places] : [expected[0], places[0]];
    assertSame(parseValuesAt(bytes, tree, stopWhenFound, null, windowSize), whole, how(`windows of ${windowSize}`));
    assertSame(locateDocument(bytes, tree, stopWhenFound, null, windowSize), wholePlaces, how("located in windows"));
  }
  for (const cut of options?.maxBytes === undefined ? cuts : []) { // of a stream, it limits what is read
    for (const [i, tokens] of list.entries()) {
      const [at] = expectedAt(bytes, [tokens], reading) ?? parseAt(bytes, [pointers[i]] as PointerList, given);
      const streamed = await parseStream(copiesAt(bytes, cut), { ...given, at: pointers[i] } as ParseStreamAtOptions);
      assertSame(streamed, at, how(`cut at ${cut}`));
    }
  }
}
