/** Masks of the command line: `{timestamp,message,http:{status}}`. */

import { parseBinary } from "../../parse_binary.ts";
import { UsageError } from "../arguments.ts";

/** Wanted part of a value: `true` for all, a part of each element, some elements, or members. */
export type Picture = true | ElementPicture | IndexPicture | ObjectPicture;

interface ElementPicture {
  readonly element: Picture;
  readonly indexes?: never;
  readonly members?: never;
  readonly rest?: never;
}

interface IndexPicture {
  /** Selected elements in the order of the text. */
  readonly indexes: readonly number[];
  readonly element?: never;
  readonly members?: never;
  readonly rest?: never;
}

export interface ObjectPicture {
  /** Selected members in the order of the text. */
  readonly members: ReadonlyMap<string, Picture>;
  /** Selected part of all other members, if any. */
  readonly rest: Picture | undefined;
  readonly element?: never;
  readonly indexes?: never;
}

const MAX_DEPTH = 200;

const IDENTIFIER = /[\p{ID_Start}$_][\p{ID_Continue}$\u200c\u200d]*/uy;
const STRING = /"(?:[^"\\]|\\.)*"/sy;
const INDEX = /(?:0|[1-9]\d{0,8})(?!\w)/y;
const BLANK = /[ \t\r\n]*/y;

/** Returns whether an operand is a mask, and not a file. */
export function isMaskText(text: string): boolean {
  return /^[ \t\r\n]*[[{]/.test(text);
}

/**
 * Parses a mask.
 *
 * @throws {UsageError} If it is wrong; the error points to the mistake.
 */
export function parseMask(text: string): Picture {
  let at = 0;

  function fail(problem: string, position = at): never {
    throw new UsageError(`wrong mask: ${problem}`, undefined, { text, at: position });
  }

  const next = (): string => text.slice(at, at + 1);

  const match = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at;
    const found = pattern.exec(text)?.[0];
    at += found?.length ?? 0;
    return found;
  };

  /** Takes a character and the blanks after it. Returns whether it was there. */
  const take = (character: string): boolean => {
    if (next() !== character) return false;
    at++;
    match(BLANK);
    return true;
  };

  const readName = (): string => {
    const start = at;
    const quoted = match(STRING);
    if (quoted !== undefined) {
      match(BLANK);
      const name = parseBinary<string>(new TextEncoder().encode(quoted));
      return name.ok ? name.value : fail("this name is not a JSON string", start);
    }
    const name = match(IDENTIFIER);
    if (name === undefined) {
      fail(next() === '"' ? "this name has no closing quote" : "expected a name, in quotes if it is unusual");
    }
    if (/[^\s,:{}[\]]/.test(next())) fail("this name needs quotes", start);
    match(BLANK);
    return name;
  };

  const readObject = (depth: number): ObjectPicture => {
    const members = new Map<string, Picture>();
    let rest: Picture | undefined;
    const readMember = (): Picture => take(":") ? readPicture(depth + 1) : true;
    for (;;) {
      if (take("}")) return { members, rest };
      const start = at;
      if (take("*")) {
        if (rest !== undefined) fail("'*' stands here twice", start);
        rest = readMember();
      } else {
        const name = readName();
        if (members.has(name)) fail("this name occurs twice", start);
        members.set(name, readMember());
      }
      if (take(",")) continue;
      if (next() !== "}") fail("expected ',' or '}'");
    }
  };

  const readIndexes = (): number[] => {
    const indexes: number[] = [];
    for (;;) {
      const start = at;
      const index = Number(match(INDEX) ?? fail("expected the index of an element, such as 0"));
      if (indexes.includes(index)) fail("this index occurs twice", start);
      indexes.push(index);
      match(BLANK);
      if (take("]")) return indexes;
      if (!take(",")) fail("expected ',' or ']'");
    }
  };

  const readPicture = (depth: number): Picture => {
    if (depth > MAX_DEPTH) fail(`it has more than ${MAX_DEPTH} levels`);
    if (take("{")) return readObject(depth);
    if (!take("[")) fail("expected '{' or '['");
    if (next() === "]") fail("expected a mask for the elements, such as '[{id}]'");
    if (/\d/.test(next())) return { indexes: readIndexes() };
    const element = readPicture(depth + 1);
    return take("]") ? { element } : fail("expected ']'");
  };

  match(BLANK);
  const picture = readPicture(0);
  if (at < text.length) fail("expected the end of the mask");
  return picture;
}
