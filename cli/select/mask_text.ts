/** Masks as the command line has them: `{timestamp,message,http:{status}}`. */

import { parseBinary } from "../../parse_binary.ts";
import { UsageError } from "../arguments.ts";

/** Wanted part of a value: `true` for all of it, a part of each element, or members. */
export type Picture = true | ElementPicture | ObjectPicture;

interface ElementPicture {
  readonly element: Picture;
  readonly members?: never;
  readonly rest?: never;
}

export interface ObjectPicture {
  /** Wanted members in the order of the text. */
  readonly members: ReadonlyMap<string, Picture>;
  /** Wanted part of all other members, if any. */
  readonly rest: Picture | undefined;
  readonly element?: never;
}

const MAX_DEPTH = 200;

const IDENTIFIER = /[\p{ID_Start}$_][\p{ID_Continue}$\u200c\u200d]*/uy;
const STRING = /"(?:[^"\\]|\\.)*"/sy;
const BLANK = /[ \t\r\n]*/y;

/** Returns whether an operand is a mask, and no file. */
export function isMaskText(text: string): boolean {
  return /^[ \t\r\n]*[[{]/.test(text);
}

/**
 * Parses a mask.
 *
 * @throws {UsageError} If it is wrong; the error points to the place.
 */
export function parseMask(text: string): Picture {
  return new MaskParser(text).parse();
}

class MaskParser {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  parse(): Picture {
    this.#skipBlanks();
    if (!"{[".includes(this.#next || " ")) this.#fail("expected '{' or '['");
    const picture = this.#picture(0);
    if (this.#at < this.#text.length) this.#fail("expected the end of the mask");
    return picture;
  }

  get #next(): string {
    return this.#text.slice(this.#at, this.#at + 1);
  }

  #picture(depth: number): Picture {
    if (depth > MAX_DEPTH) this.#fail(`it has more than ${MAX_DEPTH} levels`);
    if (this.#take("{")) return this.#object(depth);
    if (this.#take("[")) {
      if (this.#next === "]") this.#fail("expected a mask for the elements, such as '[{id}]'");
      const element = this.#picture(depth + 1);
      if (!this.#take("]")) this.#fail("expected ']'");
      return { element };
    }
    this.#fail("expected '{' or '['");
  }

  #object(depth: number): ObjectPicture {
    const members = new Map<string, Picture>();
    let rest: Picture | undefined;
    for (;;) {
      if (this.#take("}")) return { members, rest };
      const start = this.#at;
      if (this.#take("*")) {
        if (rest !== undefined) this.#fail("'*' stands here twice", start);
        rest = this.#member(depth);
      } else {
        const name = this.#name();
        if (members.has(name)) this.#fail("this name occurs twice", start);
        members.set(name, this.#member(depth));
      }
      if (this.#take(",")) continue;
      if (this.#next !== "}") this.#fail("expected ',' or '}'");
    }
  }

  /** Returns what is wanted of a member whose name was read. */
  #member(depth: number): Picture {
    return this.#take(":") ? this.#picture(depth + 1) : true;
  }

  #name(): string {
    const quoted = this.#match(STRING);
    if (quoted !== undefined) {
      const start = this.#at - quoted.length;
      this.#skipBlanks();
      const name = parseBinary<string>(new TextEncoder().encode(quoted));
      if (!name.ok) this.#fail("this name is not a JSON string", start);
      return name.value;
    }
    const name = this.#match(IDENTIFIER);
    if (name === undefined) {
      this.#fail(this.#next === '"' ? "this name has no closing quote" : "expected a name, in quotes if it is unusual");
    }
    if (/[^\s,:{}[\]]/.test(this.#next)) this.#fail("this name needs quotes", this.#at - name.length);
    this.#skipBlanks();
    return name;
  }

  /** Takes a character and the blanks after it. Returns whether it was there. */
  #take(character: string): boolean {
    if (this.#next !== character) return false;
    this.#at++;
    this.#skipBlanks();
    return true;
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text)?.[0];
    if (found === undefined) return undefined;
    this.#at += found.length;
    return found;
  }

  #skipBlanks(): void {
    this.#match(BLANK);
  }

  #fail(problem: string, at = this.#at): never {
    throw new UsageError(`wrong mask: ${problem}`, undefined, { text: this.#text, at });
  }
}
