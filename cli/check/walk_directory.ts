/** Walks a directory like ripgrep: without ignored and, outside of repositories, hidden entries. */

import { describeReadError, statOf, withSlashes } from "../input/read_error.ts";
import { yieldToEvents } from "../interrupt.ts";
import type { DirectoryEntry, FileInfo } from "../platform/interface.ts";
import { platform } from "../platform/platform.ts";
import type { FindOptions, InputList } from "./input_file.ts";
import type { GlobRules } from "./glob_rules.ts";
import { isJsoncName } from "./jsonc_names.ts";
import { AMBIGUOUS_NAME, isLossy } from "./lossy_names.ts";
import { gitFolder, rulesIn, userRules } from "./ignore_files.ts";

/** Names that are ignored unless a rule takes them back. */
const ALWAYS_IGNORED = new Set([".git", ".hg", ".jj", ".sl", ".svn", "node_modules"]);

/** Rules that apply in a directory and below. */
interface Scope {
  outer: Scope | undefined;
  /** Full path of the directory, with a trailing slash. */
  folder: string;
  /** Rules of `.ignore`, `.gitignore` and `.git/info/exclude`, and those of the user. */
  rules: readonly (GlobRules | undefined)[];
  isRepository: boolean;
  /** Whether it is in a repository. Outside of one, `.gitignore` has no effect. */
  isInRepository: boolean;
}

interface Folder {
  path: string;
  /** Absolute path, for rules. Links below the first directory stay in it. */
  fullPath: string;
  scope: Scope | undefined;
}

interface Link {
  /** The link itself, if it leads to a directory. */
  folder: Folder;
  info: FileInfo;
  /** List for the files behind it. */
  inputs: InputList;
}

function startAt(path: string): Folder {
  const realPath = realPathOf(path);
  const scope = realPath === undefined ? undefined : scopeAbove(realPath);
  const plain = path.replace(/\/+$/, "") || "/";
  return { path: plain, fullPath: realPath ?? path, scope };
}

/**
 * Returns a test for files that a walk through the current directory would leave out as hidden or
 * ignored. For a file elsewhere, the walk would begin next to it.
 */
export function skipperOfFiles(options: FindOptions): (path: string) => boolean {
  const walk = new DirectoryWalk(options);
  /** Directories by their paths; `undefined` if the walk would leave them out. */
  const folders = new Map<string, Folder | undefined>();

  const folderOf = (path: string): Folder | undefined => {
    if (folders.has(path)) return folders.get(path);
    const isStart = path === "." || /^(?:\.\.|\/|\w:)/.test(path);
    const outer = isStart ? undefined : folderOf(parentOf(path));
    const isEntered = outer !== undefined && !walk.isSkipped(outer, path, true);
    const folder = isStart ? startAt(path) : isEntered ? entryOf(outer, path) : undefined;
    if (folder !== undefined) folder.scope = scopeOf(folder, ruleNamesIn(folder.fullPath));
    folders.set(path, folder);
    return folder;
  };
  return (path) => {
    const plain = withSlashes(path).replace(/^(?:\.\/+)+/, "");
    const folder = folderOf(parentOf(plain));
    return folder === undefined || walk.isSkipped(folder, plain, false);
  };
}

/** Returns an entry of a folder, as a folder to enter. */
function entryOf({ fullPath, scope }: Folder, path: string): Folder {
  return { path, fullPath: join(fullPath, nameIn(path)), scope };
}

function parentOf(path: string): string {
  const slash = path.lastIndexOf("/");
  return slash < 0 ? "." : path.slice(0, slash) || "/";
}

/**
 * Walk through directories. It finds files in the order of their names.
 *
 * Links are followed last, so that a file gets a path without links if it has one. Each directory
 * is entered once, and each file that links lead to is found once.
 */
export class DirectoryWalk {
  readonly #options: FindOptions;
  /** Links to follow; more are added while they are followed. */
  readonly #links: Link[] = [];
  /** Identities of the directories entered and the files found, if links are followed. */
  readonly #seen = new Set<string>();
  #isFollowing = false;

  constructor(options: FindOptions) {
    this.#options = options;
  }

  /** Finds the files in a directory, except those behind links. */
  async enter(info: FileInfo, path: string, inputs: InputList): Promise<void> {
    if (this.note(info, path)) await this.#enter(startAt(path), inputs);
  }

  /**
   * Finds the files behind the links found so far, except those noted before: directories that link
   * to each other have more paths than can be walked.
   */
  async followLinks(): Promise<void> {
    this.#isFollowing = true;
    for (const { folder, info, inputs } of this.#links) {
      if (this.#options.interrupt?.isRaised) return;
      const { path } = folder;
      if (!this.note(info, path)) continue;
      if (info.isDirectory) await this.#enter(folder, inputs);
      else if (info.isFile) inputs.push({ path, name: path, size: info.size });
    }
  }

  async #enter(folder: Folder, inputs: InputList): Promise<void> {
    const { path } = folder;
    let entries: DirectoryEntry[];
    try {
      entries = platform.readDirectorySync(path);
    } catch (error) {
      inputs.push({ path, name: path, error: describeReadError(error, path) });
      return;
    }
    folder.scope = scopeOf(folder, entries.map(({ name }) => name));
    entries.sort((a, b) => a.name < b.name ? -1 : 1);
    for (const entry of entries) {
      await yieldToEvents();
      if (this.#options.interrupt?.isRaised) return;
      const inner = this.#visit(folder, entry, inputs);
      if (inner !== undefined) await this.#enter(inner, inputs);
    }
  }

  /** Adds a file to the inputs, or a link to the links. Returns a directory to enter. */
  #visit(folder: Folder, entry: DirectoryEntry, inputs: InputList): Folder | undefined {
    const { followsLinks } = this.#options;
    const { name } = entry;
    if (entry.isSymlink && !followsLinks) return;
    // Most entries are files of other kinds, which this rules out without looking at the file.
    if (entry.isFile && !this.#mayWant(name)) return;
    const path = folder.path === "." ? name : join(folder.path, name);
    const link = entry.isSymlink ? statOf(path) : undefined;
    const isDirectory = entry.isDirectory || typeof link === "object" && link.isDirectory;
    if (!isDirectory && !this.#isWanted(path, name)) return;
    if (this.isSkipped(folder, path, isDirectory)) {
      this.#options.onSkip?.();
      return;
    }
    const inner = entryOf(folder, path);
    if (entry.isDirectory && !followsLinks && !isLossy(name)) return inner;
    const info = link ?? statOf(path);
    if (typeof info === "string" || isLossy(name)) {
      inputs.push({ path, name: path, error: typeof info === "string" ? info : AMBIGUOUS_NAME });
    } else if (entry.isSymlink) {
      const behind: InputList = [];
      inputs.push(behind);
      this.#links.push({ folder: inner, info, inputs: behind });
    } else {
      const isNew = this.note(info, path);
      if (info.isDirectory) return isNew ? inner : undefined;
      // Reading a FIFO or a device may never end; only a path on the command line asks for that.
      // Several hard links to a file are found if links are not followed.
      if (info.isFile && (isNew || !this.#isFollowing)) inputs.push({ path, name: path, size: info.size });
    }
  }

  /** Notes a file or a directory if links are followed. Returns whether it is new. */
  note({ dev, ino }: FileInfo, path: string): boolean {
    if (!this.#options.followsLinks) return true;
    // Several files could have the same number if a double cannot represent it exactly.
    const isExact = ino !== null && ino > 0 && Number.isSafeInteger(ino) && Number.isSafeInteger(dev);
    const identity = isExact ? `${dev}:${ino}` : realPathOf(path) ?? path;
    return this.#seen.size < this.#seen.add(identity).size;
  }

  /** Returns whether a file of this name may be one to check. */
  #mayWant(name: string): boolean {
    const { include, jsonc } = this.#options;
    return include !== undefined || jsonc !== undefined || this.#hasExtension(name);
  }

  /** Returns whether a file is one to check, unless it is hidden or ignored. */
  #isWanted(path: string, name: string): boolean {
    const { include, jsonc, hasOwnExtensions } = this.#options;
    if (include !== undefined) return include.matches(path, false) && (!hasOwnExtensions || this.#hasExtension(name));
    return this.#hasExtension(name) || jsonc?.matches(path, false) === true;
  }

  #hasExtension(name: string): boolean {
    const { extensions, hasOwnExtensions, isStrict } = this.#options;
    const lower = name.toLowerCase();
    return extensions.some((extension) => lower.endsWith(`.${extension}`)) ||
      !hasOwnExtensions && !isStrict && isJsoncName(name);
  }

  /** Returns whether an entry is left out. Rules of the command line come before those of files. */
  isSkipped(folder: Folder, path: string, isDirectory: boolean): boolean {
    const { include, exclude, hasNoIgnore, hasHidden } = this.#options;
    if (exclude?.matches(path, isDirectory)) return true;
    if (include?.matches(path, isDirectory)) return false;
    const { fullPath, scope } = entryOf(folder, path);
    const name = nameIn(path);
    const isIgnored = hasNoIgnore ? undefined : decide(scope, fullPath, isDirectory);
    if (isIgnored !== undefined) return isIgnored;
    if (!hasNoIgnore && ALWAYS_IGNORED.has(name)) return true;
    // In a repository, hidden files may be tracked; elsewhere they are settings of programs.
    return name.startsWith(".") && !hasHidden && (scope?.isInRepository !== true || ALWAYS_IGNORED.has(name));
  }
}

/**
 * Returns whether rules ignore a path; `undefined` if no rule is about it. Inner rules come before
 * outer ones, and `.ignore` before all others.
 */
function decide(scope: Scope | undefined, fullPath: string, isDirectory: boolean): boolean | undefined {
  const decided: (boolean | undefined)[] = [];
  let isInside = scope?.isInRepository === true;
  for (let s = scope; s !== undefined; s = s.outer) {
    const path = fullPath.slice(s.folder.length);
    for (const [kind, rules] of s.rules.entries()) {
      if (kind === 0 || isInside) decided[kind] ??= rules?.decide(path, isDirectory);
    }
    if (s.isRepository) isInside = false;
  }
  return decided.find((isIgnored) => isIgnored !== undefined);
}

/** Returns the scope of a directory, which is that of its parent if it adds nothing. */
function scopeOf(
  { fullPath, scope }: Pick<Folder, "fullPath" | "scope">,
  names: readonly string[],
): Scope | undefined {
  const isRepository = names.includes(".git");
  const hasIgnore = names.includes(".ignore");
  const hasGitignore = names.includes(".gitignore");
  if (!isRepository && !hasIgnore && !hasGitignore) return scope;
  const folder = join(fullPath, "");
  return {
    outer: scope,
    folder,
    rules: [
      hasIgnore ? rulesIn(`${folder}.ignore`) : undefined,
      hasGitignore ? rulesIn(`${folder}.gitignore`) : undefined,
      ...isRepository ? [rulesIn(`${gitFolder(`${folder}.git`)}/info/exclude`), userRules()] : [],
    ],
    isRepository,
    isInRepository: isRepository || scope?.isInRepository === true,
  };
}

/** Returns the scope of the directories above one, from the root of the file system. */
function scopeAbove(fullPath: string): Scope | undefined {
  const slash = fullPath.lastIndexOf("/");
  if (slash < 0 || fullPath === "/") return undefined;
  const above = fullPath.slice(0, slash);
  return scopeOf({ fullPath: above, scope: scopeAbove(above) }, ruleNamesIn(above));
}

/** Returns the names in a directory that matter to rules. */
function ruleNamesIn(folder: string): string[] {
  return [".git", ".gitignore", ".ignore"].filter((name) => {
    const path = join(folder, name);
    return platform.mayRead(path) && typeof statOf(path) === "object";
  });
}

function nameIn(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

function join(folder: string, name: string): string {
  return folder.endsWith("/") ? folder + name : `${folder}/${name}`;
}

function realPathOf(path: string): string | undefined {
  if (!platform.mayRead(path)) return undefined;
  try {
    return withSlashes(platform.realPathSync(path)); // throws if it is not UTF-8
  } catch {
    return undefined;
  }
}
