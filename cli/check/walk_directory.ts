/**
 * Walk through a directory, as ripgrep does it: without what is hidden or ignored.
 *
 * @module
 */

import { describeReadError, statOf } from "../input/read_error.ts";
import { yieldToEvents } from "../interrupt.ts";
import type { FindOptions, Input } from "./input_file.ts";
import { type GlobRules, withSlashes } from "./glob_rules.ts";
import { exists, mayRead, repositoryRules, rulesIn, userRules } from "./ignore_files.ts";

/** Names that are ignored unless a rule takes them back. */
const ALWAYS_IGNORED = new Set([".git", "node_modules"]);

/** Rules that hold in a directory and below. */
interface Scope {
  /** Scope of the directory above. */
  outer: Scope | undefined;
  /** Full path of the directory, with a slash behind it. */
  folder: string;
  /** Rules of `.ignore`, `.gitignore` and `.git/info/exclude`, and those of the user. */
  ignore: GlobRules | undefined;
  gitignore: GlobRules | undefined;
  exclude: GlobRules | undefined;
  user: GlobRules | undefined;
  /** Whether the directory is the root of a repository. */
  isRepository: boolean;
  /** Whether it is in a repository. Without one, `.gitignore` means nothing. */
  isInRepository: boolean;
}

/** Directory on the way to the current entry. */
interface Folder {
  path: string;
  /**
   * Path from the root of the file system, for rules. Links below the first directory stay in it.
   */
  fullPath: string;
  /** Path without links, to notice circles. */
  realPath: string;
  scope: Scope | undefined;
  outer: Folder | undefined;
}

/** Finds the files in a directory, sorted by name, and adds them to the inputs. */
export async function walkDirectory(path: string, options: FindOptions, inputs: Input[]): Promise<void> {
  const walk = new Walk(options, inputs);
  const realPath = realPathOf(path);
  const scope = options.hasNoIgnore || realPath === undefined ? undefined : scopeAbove(realPath);
  const fullPath = realPath ?? path;
  const plain = path.replace(/\/+$/, "") || "/";
  await walk.enter({ path: plain, fullPath, realPath: fullPath, scope, outer: undefined });
}

class Walk {
  readonly #options: FindOptions;
  readonly #inputs: Input[];

  constructor(options: FindOptions, inputs: Input[]) {
    this.#options = options;
    this.#inputs = inputs;
  }

  async enter(folder: Folder): Promise<void> {
    const { path } = folder;
    let entries: Deno.DirEntry[];
    try {
      entries = [...Deno.readDirSync(path)];
    } catch (error) {
      this.#inputs.push({ path, name: path, error: describeReadError(error, path) });
      return;
    }
    if (!this.#options.hasNoIgnore) folder.scope = scopeOf(folder, entries.map(({ name }) => name));
    entries.sort((a, b) => a.name < b.name ? -1 : 1);
    for (const entry of entries) {
      await yieldToEvents();
      if (this.#options.interrupt?.isRaised) return;
      const inner = this.#visit(folder, entry);
      if (inner !== undefined) await this.enter(inner);
    }
  }

  /** Adds a file to the inputs. Returns a directory, for the walk to enter it. */
  #visit(folder: Folder, entry: Deno.DirEntry): Folder | undefined {
    const { followsLinks } = this.#options;
    const { name } = entry;
    if (entry.isSymlink && !followsLinks) return;
    // Most entries are files of other kinds; this tells without looking at the file.
    if (entry.isFile && !this.#mayWant(name)) return;
    const path = folder.path === "." ? name : join(folder.path, name);
    const info = entry.isSymlink ? statOf(path) : undefined;
    const isDirectory = entry.isDirectory || typeof info === "object" && info.isDirectory;
    if (!isDirectory && !this.#isWanted(path, name)) return;
    const fullPath = join(folder.fullPath, name);
    if (this.#isSkipped(path, fullPath, folder.scope, isDirectory)) {
      this.#options.onSkip?.();
      return;
    }
    if (isDirectory) {
      const realPath = entry.isSymlink ? realPathOf(path) : join(folder.realPath, name);
      if (realPath === undefined || entry.isSymlink && isWithin(folder, realPath)) return;
      return { path, fullPath, realPath, scope: folder.scope, outer: folder };
    }
    const found = info ?? statOf(path);
    if (typeof found === "string") this.#inputs.push({ path, name: path, error: found });
    // Reading a FIFO or a device may never end; only a path on the command line asks for that.
    else if (found.isFile) this.#inputs.push({ path, name: path, size: found.size });
  }

  /** Returns whether a file of this name may be one to check. */
  #mayWant(name: string): boolean {
    const { include, jsonc } = this.#options;
    return include !== undefined || jsonc !== undefined || this.#hasExtension(name);
  }

  /** Returns whether a file is one to check, unless it is hidden or ignored. */
  #isWanted(path: string, name: string): boolean {
    const { include, jsonc, hasOwnExtensions } = this.#options;
    if (include !== undefined) {
      return include.matchesFile(path) && (!hasOwnExtensions || this.#hasExtension(name));
    }
    return this.#hasExtension(name) || jsonc?.matchesFile(path) === true;
  }

  #hasExtension(name: string): boolean {
    const lower = name.toLowerCase();
    return this.#options.extensions.some((extension) => lower.endsWith(`.${extension}`));
  }

  /** Returns whether an entry is left out. Rules of the command line come before those of files. */
  #isSkipped(path: string, fullPath: string, scope: Scope | undefined, isDirectory: boolean): boolean {
    const { include, exclude, hasNoIgnore, hasHidden } = this.#options;
    if (exclude !== undefined && (isDirectory ? exclude.matchesFolder(path) : exclude.matchesFile(path))) return true;
    if (include !== undefined && (!isDirectory || include.matchesFolder(path))) return false;
    const name = fullPath.slice(fullPath.lastIndexOf("/") + 1);
    const isIgnored = hasNoIgnore ? undefined : decide(scope, fullPath, isDirectory);
    if (isIgnored !== undefined) return isIgnored;
    if (!hasNoIgnore && ALWAYS_IGNORED.has(name)) return true;
    return name.startsWith(".") && !hasHidden;
  }
}

/** Returns whether a real path is that of a folder on the way: entering it would go in circles. */
function isWithin(folder: Folder, realPath: string): boolean {
  for (let f: Folder | undefined = folder; f !== undefined; f = f.outer) if (f.realPath === realPath) return true;
  return false;
}

/**
 * Returns whether rules ignore a path; `undefined` if none is about it. Inner rules come before
 * outer ones, and `.ignore` before all others.
 */
function decide(scope: Scope | undefined, fullPath: string, isDirectory: boolean): boolean | undefined {
  let gitignore: boolean | undefined;
  let exclude: boolean | undefined;
  let user: boolean | undefined;
  let isInside = scope?.isInRepository === true;
  for (let s = scope; s !== undefined; s = s.outer) {
    const path = fullPath.slice(s.folder.length);
    const ignore = s.ignore?.decide(path, isDirectory);
    if (ignore !== undefined) return ignore;
    if (isInside) {
      gitignore ??= s.gitignore?.decide(path, isDirectory);
      exclude ??= s.exclude?.decide(path, isDirectory);
      user ??= s.user?.decide(path, isDirectory);
    }
    if (s.isRepository) isInside = false;
  }
  return gitignore ?? exclude ?? user;
}

/** Returns the scope of a directory: that of the one above if it adds nothing. */
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
    ignore: hasIgnore ? rulesIn(`${folder}.ignore`) : undefined,
    gitignore: hasGitignore ? rulesIn(`${folder}.gitignore`) : undefined,
    exclude: isRepository ? repositoryRules(`${folder}.git`) : undefined,
    user: isRepository ? userRules() : undefined,
    isRepository,
    isInRepository: isRepository || scope?.isInRepository === true,
  };
}

/** Returns the scope of the directories above one, from the root of the file system. */
function scopeAbove(fullPath: string): Scope | undefined {
  const slash = fullPath.lastIndexOf("/");
  if (slash < 0 || fullPath === "/") return undefined;
  const above = fullPath.slice(0, slash);
  const names = [".git", ".gitignore", ".ignore"].filter((name) => exists(`${above}/${name}`));
  return scopeOf({ fullPath: above, scope: scopeAbove(above) }, names);
}

function join(folder: string, name: string): string {
  return folder.endsWith("/") ? folder + name : `${folder}/${name}`;
}

function realPathOf(path: string): string | undefined {
  if (!mayRead(path)) return undefined;
  try {
    return withSlashes(Deno.realPathSync(path));
  } catch {
    return undefined;
  }
}
