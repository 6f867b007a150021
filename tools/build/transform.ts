/** Rewrites plain sources for V8: {@linkcode transform}. See "Engine idioms" in ARCHITECTURE.md. */

/** Functions that first calls run, by the files that declare them. */
export type StartUp = ReadonlyMap<string, ReadonlySet<string>>;

/** File with these functions, relative to the root: see `start_up.ts`. */
export const START_UP_FILE = "tools/build/start_up.txt";

/** Reads the text of {@linkcode START_UP_FILE}: a file and its functions on each line. */
export function readStartUp(text: string): StartUp {
  const lines = text.trim().split("\n").map((line) => line.split(": "));
  return new Map(lines.map(([file, names]) => [file, new Set(names.split(" "))]));
}

/** Transformed source, and the line of the source, from 0, that each of its lines comes from. */
export interface Transformed {
  code: string;
  lines: number[];
}

const IMPORT = /^import (?:type )?(?:\{([^}]*)\} from )?("[^"\n]*");\n/gm;

/**
 * Turns the functions that first calls run into constants in parentheses, which V8 compiles when
 * the module is loaded. They come before all other code, since that may call them at load.
 *
 * @param path Path of the source from the root, for messages and for `startUp`.
 * @throws {Error} With file and line, if the source has an unknown form.
 */
export function transform(source: string, path: string, startUp: StartUp): Transformed {
  const lineAt = (index: number): number => source.slice(0, index).split("\n").length - 1;
  const refuse = (index: number, problem: string): never => {
    throw new Error(`${path}:${lineAt(index) + 1}: ${problem}`);
  };
  let end = 0;
  for (const { 0: line, index } of source.matchAll(IMPORT)) end = index + line.length;
  for (const { 0: line, index } of source.matchAll(/^import .*/gm)) {
    if (index >= end || /^import (?:\* as|\w+ from|\w+,)/.test(line)) {
      refuse(index, "expected named imports at the top");
    }
  }

  const functions: { start: number; end: number; text: string }[] = [];
  for (const name of startUp.get(path) ?? []) {
    const declared = [...source.matchAll(new RegExp(`^(?:export )?(?:async )?function\\*? ${name}\\b`, "gm"))];
    if (declared.length !== 1) refuse(end, `expected one declaration of ${name}, found ${declared.length}`);
    // A doc comment is moved along. The body ends with the first brace that begins a line.
    const whole = new RegExp(`^((?:/\\*\\*(?:(?!\\*/)[^])*\\*/\\n)?)(export )?(function ${name}[(<][^]*?^\\})\\n`, "m");
    const match = whole.exec(source) ?? refuse(declared[0].index, `${name} is not a plain function`);
    const [text, comment, exported = "", code] = match;
    const constant = `const ${name} = (${code});\n`;
    functions.push({ start: match.index, end: match.index + text.length, text: comment + exported + constant });
  }
  functions.sort((a, b) => a.start - b.start);

  const parts: [text: string, line: number][] = [[source.slice(0, end), 0]];
  for (const { text, start } of functions) parts.push([text, lineAt(start)]);
  let rest = end;
  for (const { start, end } of [...functions, { start: source.length, end: source.length }]) {
    if (start > rest) parts.push([source.slice(rest, start), lineAt(rest)]);
    rest = end;
  }
  const lines = parts.flatMap(([text, line]) =>
    Array.from({ length: text.split("\n").length - 1 }, (_, i) => line + i)
  );
  return { code: parts.map(([text]) => text).join(""), lines };
}

/**
 * Turns imported values into constants, which V8 does not check at each use, without moving lines.
 * Leaves values that `code` exports again.
 *
 * @param head Imports at the top of the code.
 * @param isWanted Whether to convert a value, by its local name and the specifier of its module.
 */
export function constantImports(
  head: string,
  code: string,
  isWanted: (name: string, from: string) => boolean,
): string {
  const exported = new Set(
    Array.from(code.matchAll(/^export \{([^}]*)\}/gm), ([, list]) => list.split(",").map((item) => item.trim())).flat(),
  );
  let constants = "";
  const imports = head.replace(IMPORT, (line, list: string | undefined, from: string) => {
    if (list === undefined || line.startsWith("import type")) return line;
    const items = list.split(",").map((item) => {
      const [name, local = name] = item.trim().split(" as ");
      if (local === "" || name.startsWith("type ") || exported.has(local)) return item;
      if (!isWanted(local, from.slice(1, -1))) return item;
      constants += ` const ${local} = ${local}$;`;
      return item.replace(
        /(\w+)(\s*)$/,
        (_, last, space) => `${item.includes(" as ") ? "" : `${name} as `}${last}$${space}`,
      );
    });
    return line.replace(`{${list}}`, () => `{${items.join(",")}}`);
  });
  return constants === "" ? imports : imports.replace(/\n$/, `${constants}\n`);
}

const BASE64 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/** Writes a number of a source map in base64 (VLQ). */
function encodeVlq(number: number): string {
  let text = "";
  for (let rest = number < 0 ? -number << 1 | 1 : number << 1, isFirst = true; isFirst || rest > 0; rest >>= 5) {
    isFirst = false;
    text += BASE64[rest & 31 | (rest > 31 ? 32 : 0)];
  }
  return text;
}

/** Returns the mappings of a source map with lines only. */
export function mappingsOf(lines: readonly number[]): string {
  return lines.map((line, i) => `AA${encodeVlq(line - (i === 0 ? 0 : lines[i - 1]))}A`).join(";");
}
