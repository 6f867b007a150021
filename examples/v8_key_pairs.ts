/**
 * Pairs of documents after which `JSON.parse` of V8 may give an object a wrong key, for
 * `v8_wrong_keys.ts` and for pages. Runs in any runtime.
 */

/** Two documents to parse one after the other. */
export interface Sequence {
  /** Document whose last key has an escaped backslash. */
  first: string;
  /** Document with the same keys, except for another escape in the last one. */
  second: string;
  /** Last key of the second document. */
  lastKey: string;
}

/** Sequence after which a parser's last key is wrong. */
export interface WrongKey extends Sequence {
  actual: string;
}

/** Characters with an escape of two characters. */
const ESCAPES = { '"': '\\"', "/": "\\/", "\b": "\\b", "\f": "\\f", "\n": "\\n", "\r": "\\r", "\t": "\\t" };
/** Characters to escape by their code. */
const CODES = ["A", "\\", "é", "中"];
const BACKSLASH = "\\\\";

/** Documents: `#` is a number that makes them new to the engine, `@` a value, `?` the escape. */
const TEMPLATES = [
  '{"user#":@,"?":0}',
  '{"user#":@,"on":true,"?":0}',
  '{"user#":@,"a?":0}',
  '{"user#":@,"?bc":0}',
  '{"usér#":@,"?":0}',
  '[{"user#":@,"?":0}]',
  '{"body#":{"user#":@,"?":0}}',
  '{"?":0}',
];

/** Generates the sequences: each template with each escape, after itself with a backslash. */
export function makeSequences(): Sequence[] {
  const code = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
  const escapes = [...Object.entries(ESCAPES), ...CODES.map((character) => [character, code(character)])];
  return TEMPLATES.flatMap((template, row) => {
    const [, before, after] = /"(\w*)\?(\w*)"/.exec(template)!;
    return escapes.map(([character, escape], column): Sequence => {
      const fill = (value: string, escape: string): string =>
        template.replaceAll("#", String(row * escapes.length + column)).replace("@", value).replace("?", () => escape);
      return { first: fill("[]", BACKSLASH), second: fill("1", escape), lastKey: before + character + after };
    });
  });
}

/** Returns the last key of the innermost object. */
function lastKeyOf(value: unknown): string {
  let key = "";
  for (let object = value; typeof object === "object" && object !== null;) {
    key = Object.keys(object).at(-1)!;
    object = (object as Record<string, unknown>)[key];
  }
  return key;
}

/** Parses sequences. Returns those after which the last key is wrong. */
export function findWrongKeys(sequences: Sequence[], parse: (text: string) => unknown): WrongKey[] {
  return sequences.flatMap((sequence) => {
    parse(sequence.first);
    const actual = lastKeyOf(parse(sequence.second));
    return actual === sequence.lastKey ? [] : [{ ...sequence, actual }];
  });
}
