/**
 * Rules in the syntax of `.gitignore`, and their globs.
 *
 * Own code rather than `ignore` of npm: loading that takes 30 ms of CPU time, more than a whole
 * check of a small tree, and it turns patterns into regular expressions, on which a hostile rule
 * such as `*a*a*a*a*a*b` takes practically forever. Here, matching takes time proportional at most
 * to the length of the path times that of the glob, for each folder of the path.
 */

import { withSlashes } from "../input/read_error.ts";
import { platform } from "../platform/platform.ts";

/** Part of a glob: a character, a set of characters, or one of the wildcards below. */
type Token = string | RegExp | typeof STAR | typeof FOLDERS;

/** `*`: any number of characters except `/`. */
const STAR = 0;
/** `**` and a slash: any number of whole folders, each with its slash. */
const FOLDERS = 1;
/** `?`: one character except `/`. */
const ANY = /[^/]/s;

interface Rule {
  tokens: readonly Token[];
  /** Characters that every match ends with. They rule out most other texts without a search. */
  ending: string;
  /** Whether it undoes the match of an earlier rule. */
  isNegated: boolean;
  isDirectoryOnly: boolean;
  /** Whether it is matched with the last name of a path instead of the whole path. */
  isName: boolean;
}

/** List of rules. The last rule that matches decides. */
export class GlobRules {
  readonly #rules: readonly Rule[];

  /** Parses the lines of a `.gitignore`. */
  constructor(lines: readonly string[]) {
    this.#rules = lines.map(parseRule).filter((rule) => rule !== undefined);
  }

  /**
   * Returns whether the last rule about a path matches it (`true`) or undoes a match (`false`);
   * `undefined` if no rule is about it. Folders above the path are not considered.
   *
   * @param path Path relative to the folder of the rules, with slashes.
   */
  decide(path: string, isDirectory: boolean): boolean | undefined {
    const name = path.slice(path.lastIndexOf("/") + 1);
    const rule = this.#rules.findLast(({ tokens, ending, isDirectoryOnly, isName }) =>
      path.endsWith(ending) && (isDirectory || !isDirectoryOnly) && matches(tokens, isName ? name : path)
    );
    return rule && !rule.isNegated;
  }

  /** Returns whether a file, or a folder that it is in, matches. */
  matchesFile(path: string): boolean {
    for (let slash = path.indexOf("/"); slash >= 0; slash = path.indexOf("/", slash + 1)) {
      if (slash > 0 && this.decide(path.slice(0, slash), true) === true) return true;
    }
    return this.decide(path, false) === true;
  }
}

/** Reads a line as in gitignore(5); `undefined` if it is blank, a comment or malformed. */
function parseRule(line: string): Rule | undefined {
  let glob = line.replace(/\r$/, "");
  while (glob.endsWith(" ") && !glob.endsWith("\\ ")) glob = glob.slice(0, -1);
  if (glob.startsWith("#")) return undefined;
  const isNegated = glob.startsWith("!");
  if (isNegated) glob = glob.slice(1);
  const isDirectoryOnly = glob.endsWith("/");
  if (isDirectoryOnly) glob = glob.slice(0, -1);
  const isName = !glob.includes("/");
  const tokens = tokensOf(glob.replace(/^\//, ""));
  if (tokens === undefined || tokens.length === 0) return undefined;
  const ending = tokens.slice(tokens.findLastIndex((token) => typeof token !== "string") + 1).join("");
  return { tokens, ending, isNegated, isDirectoryOnly, isName };
}

/** Reads a glob; `undefined` if it is malformed, and therefore matches nothing. */
function tokensOf(glob: string): Token[] | undefined {
  const tokens: Token[] = [];
  for (let i = 0; i < glob.length;) {
    const c = glob[i];
    if (c === "*") {
      const start = i;
      while (glob[i] === "*") i++;
      const isWhole = i - start >= 2 && (start === 0 || glob[start - 1] === "/") && (glob[i] ?? "/") === "/";
      if (isWhole) tokens.push(FOLDERS);
      if (!isWhole || i === glob.length) tokens.push(STAR);
      else i++; // the slash
    } else if (c === "[") {
      const set = setAt(glob, i);
      if (set === undefined) return undefined;
      tokens.push(set[0]);
      i = set[1];
    } else if (c === "\\") {
      if (i + 1 === glob.length) return undefined;
      tokens.push(glob[i + 1]);
      i += 2;
    } else {
      tokens.push(c === "?" ? ANY : c);
      i++;
    }
  }
  return tokens;
}

/** Classes of characters in a set, as in `[[:digit:]]`. */
const CLASSES: Record<string, string> = {
  alnum: "A-Za-z0-9",
  alpha: "A-Za-z",
  blank: " \\t",
  cntrl: "\\x00-\\x1f\\x7f",
  digit: "0-9",
  graph: "!-~",
  lower: "a-z",
  print: " -~",
  punct: "!-\\/:-@[-`{-~",
  space: "\\s",
  upper: "A-Z",
  xdigit: "0-9A-Fa-f",
};

/** Reads a set such as `[a-z]`. Returns it with the position after it. */
function setAt(glob: string, start: number): [set: RegExp, end: number] | undefined {
  let i = start + 1;
  const isNegated = glob[i] === "!" || glob[i] === "^";
  if (isNegated) i++;
  let source = "";
  for (const first = i; glob[i] !== "]" || i === first; i++) {
    const [named, name] = /^\[:(\w+):\]/.exec(glob.slice(i)) ?? [];
    if (named !== undefined) {
      if (!Object.hasOwn(CLASSES, name)) return undefined;
      source += CLASSES[name];
      i += named.length - 1;
    } else if (glob[i] === "-" && i > first && glob[i + 1] !== "]") {
      source += "-";
    } else {
      if (glob[i] === "\\") i++;
      if (i >= glob.length) return undefined;
      source += `\\u${glob.charCodeAt(i).toString(16).padStart(4, "0")}`;
    }
  }
  try {
    return [new RegExp(isNegated ? `[^/${source}]` : `(?!/)[${source}]`), i + 1];
  } catch { // a range from a later to an earlier character
    return undefined;
  }
}

/**
 * Returns whether a glob matches a whole text.
 *
 * It backtracks to the last `*` and the last `**` only. That suffices: if the rest does not match,
 * neither would it if an earlier `*` took more of the text.
 */
function matches(glob: readonly Token[], text: string): boolean {
  let at = 0;
  let token = 0;
  let starAt = -1;
  let starToken = 0;
  let folderAt = -1;
  let folderToken = 0;
  while (at < text.length) {
    const wanted = token < glob.length ? glob[token] : undefined;
    if (wanted === STAR) {
      starAt = at;
      starToken = ++token;
    } else if (wanted === FOLDERS) {
      folderAt = at;
      folderToken = ++token;
      starAt = -1;
    } else if (wanted === text[at] || wanted instanceof RegExp && wanted.test(text[at])) {
      at++;
      token++;
    } else if (starAt >= 0 && text[starAt] !== "/") {
      at = ++starAt;
      token = starToken;
    } else {
      const slash = folderAt >= 0 ? text.indexOf("/", folderAt) : -1;
      if (slash < 0) return false;
      at = folderAt = slash + 1;
      token = folderToken;
      starAt = -1;
    }
  }
  while (glob[token] === STAR) token++;
  return token === glob.length;
}

/** Globs of a command line, relative to the current directory. */
export class PathGlobs {
  readonly #rules: GlobRules;
  readonly #folder = currentFolder();

  constructor(globs: readonly string[]) {
    this.#rules = new GlobRules(globs);
  }

  matches(path: string, isDirectory: boolean): boolean {
    const relative = relativePath(path, this.#folder);
    return isDirectory ? this.#rules.decide(relative, true) === true : this.#rules.matchesFile(relative);
  }
}

/** Returns the current directory with a trailing slash; `""` if it is unknown. */
function currentFolder(): string {
  if (!platform.mayRead(".")) return "";
  try {
    return `${withSlashes(platform.currentDirectory())}/`;
  } catch {
    return "";
  }
}

/** Returns a path relative to the current directory, for the globs of a command line. */
export function relativePath(path: string, folder: string = currentFolder()): string {
  const plain = withSlashes(path).replaceAll(/\/{2,}/g, "/").replaceAll(/(?<=^|\/)\.\//g, "");
  return folder !== "" && plain.startsWith(folder) ? plain.slice(folder.length) : plain.replace(/^\//, "");
}
