/** Conditions of `--where`: those of the library, written as text. */

import {
  every,
  existsRule,
  type ExpectedValue,
  expectedValueOf,
  isTooDeep,
  MAX_NESTING,
  neededOperand,
  newTest,
  type Operator,
  parsePointer,
  type Path,
  type Rule,
  skipValue,
} from "../../parser/streaming/cli_internals.ts";
import { UsageError } from "../arguments.ts";
import { hintOf } from "./pointer_notations.ts";

/** Operators between a path and a value, the longer ones first. */
const SIGNS: readonly (readonly [sign: string, operator: Operator])[] = [
  ["!=", "!="],
  ["<=", "<="],
  [">=", ">="],
  ["^=", "startsWith"],
  ["$=", "endsWith"],
  ["*=", "contains"],
  ["=", "="],
  ["<", "<"],
  [">", ">"],
];

/** Operators of other languages, with their counterparts here. */
const FOREIGN_OPERATORS: Readonly<Record<string, string>> = {
  "==": "'='",
  "===": "'='",
  "!==": "'!='",
  "=>": "'>='",
  "=<": "'<='",
  "<>": "'!='",
  "=^": "'^='",
  "=$": "'$='",
  "=*": "'*='",
  "=~": "'*=', '^=' or '$='",
  "~=": "'*='",
  "!~": "'not', and '*='",
};

/** Words for operators in other languages, with the signs that are used here. */
const OPERATOR_WORDS: Readonly<Record<string, string>> = {
  startswith: "^=",
  "starts with": "^=",
  endswith: "$=",
  "ends with": "$=",
  contains: "*=",
  includes: "*=",
  like: "*=",
  matches: "*=",
  is: "=",
  equals: "=",
};
/** Such a word between a path and a value. */
const OPERATOR_WORD = new RegExp(`\\s(${Object.keys(OPERATOR_WORDS).join("|")})\\s+["\\d]`, "i");

const BLANK = /\s*/y;
const STRING = /"(?:[^"\\]|\\.)*"/sy;
const EXISTS = /\s*exists(?:\s+(true|false)(?!\w))?(?!\w)/y;
const IN = /\s*in\s*(?=\[)/y;
/** End of a condition: that of the text, a closing parenthesis, or a word that joins it to the next. */
const CONDITION_END = /\s*(?:$|\))|\s+(?:or|and)(?![^\s(])/y;
/** Text between two conditions in other languages, perhaps empty. */
const FOREIGN_JOINT = /\s*(?:(&&|\|\|)|([,;&|]|\b(?:and|or)\b)\s*(?=[/(]|not\b)|(?=\/))/iy;
/** Text between two conditions if the first one lacks an operator, as in `/a and /b=1`. */
const JOINT_IN_PATH = /\s(?:&&|\|\||and|or)\s+(?=[/(])/i;
/** Segment of a path, with its slash. */
const SEGMENT = /\/(?:"(?:[^"\\]|\\.)*"(?=\/|$)|[^/]*)/gs;

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/**
 * Parses a condition, such as `/level="error"`, or several that are joined: `/a=1 or not (/b=2 and
 * /c exists)`.
 *
 * @throws {UsageError} If it is wrong; the error points to the mistake.
 */
export function parseCondition(text: string): Rule {
  let at = 0;

  const match = (pattern: RegExp, from = at): RegExpExecArray | null => {
    pattern.lastIndex = from;
    return pattern.exec(text);
  };

  const skipBlanks = (): void => {
    at += match(BLANK)![0].length;
  };

  /** Takes a word that joins conditions. Returns whether it was there. */
  const takeWord = (word: string): boolean => {
    skipBlanks();
    if (!text.startsWith(word, at) || !/^(?:[\s(]|$)/.test(text.slice(at + word.length))) return false;
    at += word.length;
    return true;
  };

  const parseOr = (depth: number): Rule =>
    parseJoined("any", "or", () => parseJoined("all", "and", () => parseUnary(depth)));

  const parseJoined = (joint: "any" | "all", word: string, read: () => Rule): Rule => {
    const rules = [read()];
    while (takeWord(word)) rules.push(read());
    return rules.length === 1 ? rules[0] : { joint, rules };
  };

  const parseUnary = (depth: number): Rule => {
    skipBlanks();
    const start = at;
    if (takeWord("not")) {
      if (depth === MAX_NESTING) fail(text, start, `it has more than ${MAX_NESTING} levels`);
      return { joint: "not", rules: [parseUnary(depth + 1)] };
    }
    if (text[at] === "!" && text[at + 1] !== "=") fail(text, at, "'!' is not an operator; expected 'not'");
    if (text[at] !== "(") return parseTest();
    if (depth === MAX_NESTING) fail(text, start, `it has more than ${MAX_NESTING} levels`);
    at++;
    const rule = parseOr(depth + 1);
    skipBlanks();
    if (text[at] !== ")") fail(text, at < text.length ? at : start, "this parenthesis is not closed");
    at++;
    return rule;
  };

  /**
   * Returns whether a condition can end at a position: in `/a="b" or /c=1` after `"b"`, but in
   * `/a=1x=2` not after `1`, since the path is `/a=1x`.
   *
   * @throws {UsageError} If another condition follows without `and` or `or`.
   */
  const endsAt = (end: number): boolean => {
    if (match(CONDITION_END, end) !== null) return true;
    const joint = match(FOREIGN_JOINT, end);
    if (joint === null) return false;
    const foundAt = end + joint[0].search(/\S|$/);
    const found = joint[1] ?? joint[2];
    const meant = found === "&&" ? "and" : found === "||" ? "or" : found?.toLowerCase();
    if (meant === "and" || meant === "or") fail(text, foundAt, `'${found}' is not an operator; expected '${meant}'`);
    fail(text, foundAt, "expected 'and' or 'or' between two conditions");
  };

  /**
   * Parses a path, an operator and a value, or `exists`. Nothing marks the end of a path, so it
   * ends at the first operator after which there are a JSON value and the end of a condition: the
   * path of `/a=b=1` is `/a=b`.
   */
  const parseTest = (): Rule => {
    const start = at;
    /** First operator that no such value follows, and the first place for a list after `in`. */
    let first: { at: number; sign: string } | undefined;
    let listAt = -1;
    /** Parses the path that ends at a position. Refuses foreign operators before `until`. */
    const pathTo = (end: number, until = end): Path => {
      refuseForeign(text, start, until);
      return parsePath(text, start, text.slice(start, end).trimEnd());
    };
    for (let p = start; p < text.length; p++) {
      // In `/"a=1"=2` the name is skipped whole; in `/*="a"` the star is no part of an operator.
      if (text[p - 1] === "/" && p > start && (text[p] === '"' || text[p] === "*")) {
        p += Math.max(0, (match(STRING, p)?.[0].length ?? 0) - 1);
        continue;
      }
      const isWord = p === start || /\s/.test(text[p]);
      const exists = isWord ? match(EXISTS, p) : null;
      if (exists !== null && endsAt(p + exists[0].length)) {
        at = p + exists[0].length;
        return existsRule(pathTo(p), exists[1] !== "false");
      }
      const word = isWord ? match(IN, p) : null;
      const list = word === null ? undefined : parseOperand(text, p + word[0].length);
      if (list !== undefined && endsAt(list.end)) {
        at = list.end;
        return newTest(pathTo(p), "in", list.value);
      }
      if (word !== null && list === undefined) listAt = p + word[0].length;
      const found = SIGNS.find(([sign]) => text.startsWith(sign, p));
      if (found === undefined) continue;
      const [sign, operator] = found;
      first ??= { at: p, sign };
      const operand = parseOperand(text, p + sign.length);
      if (operand !== undefined && endsAt(operand.end)) {
        const path = pathTo(p, p + sign.length);
        const needed = neededOperand(operator, operand.value);
        if (needed !== null) fail(text, p + sign.length, `'${sign}' compares ${needed}`);
        at = operand.end;
        return newTest(path, operator, operand.value);
      }
      p += sign.length - 1;
    }
    refuseForeign(text, start, text.length);
    if (listAt >= 0) fail(text, listAt, "expected an array of JSON values");
    const word = /\s(?:exists|in)(?=[\s[]|$)/i.exec(text.slice(start));
    if (word !== null) fail(text, start + word.index + 1, "expected 'exists', 'exists false' or 'in [VALUE,…]'");
    if (first === undefined) {
      const signs = SIGNS.map(([sign]) => sign).join(", ");
      fail(text, text.length, `expected an operator (${signs}, in, exists) and a JSON value`);
    }
    const operand = first.at + first.sign.length;
    const hint = /^[\p{L}\p{N}_. /:-]+$/u.test(text.slice(operand))
      ? `; a string needs quotes: '/name${first.sign}"text"'`
      : "";
    fail(text, operand, `expected a JSON value${hint}`);
  };

  const rule = parseOr(0);
  skipBlanks();
  if (at < text.length) fail(text, at, text[at] === ")" ? "no parenthesis is open here" : "expected 'and' or 'or'");
  return rule;
}

/** Refuses operators of other languages in the path from `start` on, and before `end`. */
function refuseForeign(text: string, start: number, end: number): void {
  const path = text.slice(start, end).replaceAll(/(?<=\/)"(?:[^"\\]|\\.)*"/gs, (name) => "_".repeat(name.length));
  const joint = JOINT_IN_PATH.exec(path);
  if (joint !== null) {
    fail(text, start + joint.index + 1, "the condition before has no operator; 'exists' holds for any value");
  }
  const not = /\snot\s*$/i.exec(path);
  if (not !== null) fail(text, start + not.index + 1, "'not' stands before a condition: 'not /name in [VALUE,…]'");
  const sign = /[=!<>~^$*]{2,}/.exec(path);
  const meant = sign === null ? undefined : FOREIGN_OPERATORS[sign[0]];
  if (meant !== undefined) fail(text, start + sign!.index, `'${sign![0]}' is not an operator; expected ${meant}`);
  const word = OPERATOR_WORD.exec(path);
  if (word !== null) {
    const expected = OPERATOR_WORDS[word[1].toLowerCase()];
    fail(text, start + word.index + 1, `'${word[1]}' is not an operator; expected '${expected}'`);
  }
}

/** Reads the JSON value that begins at a position; `undefined` if there is none. */
function parseOperand(text: string, at: number): { value: ExpectedValue; end: number } | undefined {
  const bytes = encoder.encode(text.slice(at));
  const size = skipValue(bytes, new DataView(bytes.buffer), 0);
  if (size < 0) return undefined;
  const token = bytes.subarray(0, size);
  const value = expectedValueOf(token);
  if (value === null) fail(text, at, "its value is nested too deep");
  return { value, end: at + decoder.decode(token).length };
}

/** Parses a path: a pointer with `*` for every member or element, and perhaps quoted names. */
function parsePath(text: string, start: number, pointer: string): Path {
  const segments = pointer.match(SEGMENT) ?? [];
  // A path without a slash at its beginning is refused like a pointer.
  const path = segments.join("") !== pointer ? parseTokens(pointer, text, start) : segments.map((segment, i) => {
    if (segment === "/*") return every;
    const at = start + segments.slice(0, i).join("").length;
    return /^\/".*"$/s.test(segment) ? nameAt(text, at + 1, segment) : parseTokens(segment, text, at)[0];
  });
  if (isTooDeep(path)) fail(text, start, "its pointer has too many tokens");
  return path;
}

/** Returns the name that a segment with quotes has. */
function nameAt(text: string, at: number, segment: string): string {
  const name = parseOperand(segment, 1);
  return name?.value.text ?? fail(text, at, "this name is not a JSON string");
}

/**
 * Parses a pointer of the command line.
 *
 * @param text Text that it is a part of, from `start` on.
 * @throws {UsageError} If it is wrong; the error points to the mistake.
 */
export function parseTokens(pointer: string, text: string = pointer, start = 0): string[] {
  try {
    return parsePointer(pointer);
  } catch {
    const at = pointer.startsWith("/") ? pointer.search(/~(?![01])/) : 0;
    const hint = at === 0 ? hintOf(pointer.trim()) : "";
    const problem = at === 0
      ? `a pointer begins with '/'${hint}`
      : "'~' is written '~0' in a pointer, and '/' in a name '~1'";
    throw new UsageError(`wrong pointer: ${problem}`, undefined, { text, at: start + at });
  }
}

function fail(text: string, at: number, problem: string): never {
  throw new UsageError(`wrong condition: ${problem}`, undefined, { text, at });
}
