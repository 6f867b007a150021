/** Reads the files that contain ignore rules. */

import { GlobRules } from "./glob_rules.ts";
import { platform } from "../platform/platform.ts";
import { withSlashes } from "../input/read_error.ts";

export function rulesIn(path: string): GlobRules | undefined {
  const text = readText(path);
  return text === undefined ? undefined : new GlobRules(text.replace(/^\ufeff/, "").split("\n"));
}

/**
 * Returns the folder with `info/exclude`, given a `.git`: that of the main work tree if `.git` is a
 * file, in a linked one.
 */
export function gitFolder(path: string): string {
  const [, folder] = /^gitdir: (.+)/.exec(readText(path) ?? "") ?? [];
  if (folder === undefined) return path;
  const own = resolved(path.slice(0, path.lastIndexOf("/")), withSlashes(folder));
  const common = readText(`${own}/commondir`)?.trim();
  return common === undefined ? own : resolved(own, withSlashes(common));
}

/**
 * Reads the user's rules for all repositories, like ripgrep: from the file that git's
 * `core.excludesFile` names, or from its default. Returns `undefined` if there are no rules, or no
 * permission to read them.
 */
export function userRules(): GlobRules | undefined {
  const home = variable(platform.isWindows ? "USERPROFILE" : "HOME");
  const config = variable("XDG_CONFIG_HOME") ?? (home === undefined ? undefined : `${home}/.config`);
  for (const path of [home && `${home}/.gitconfig`, config && `${config}/git/config`]) {
    const [, file] = /^\s*excludesfile\s*=\s*"?\s*(\S+?)\s*"?\s*$/im.exec(path && readText(path) || "") ?? [];
    if (file !== undefined) return rulesIn(home === undefined ? file : file.replace(/^~(?=\/)/, home));
  }
  return config === undefined ? undefined : rulesIn(`${config}/git/ignore`);
}

/** Returns an environment variable; `undefined` if it is not set, or may not be read. */
function variable(name: string): string | undefined {
  const value = platform.variable(name);
  return value === undefined || value === "" ? undefined : withSlashes(value);
}

function resolved(folder: string, path: string): string {
  return /^(?:\/|\w:)/.test(path) ? path : `${folder}/${path}`;
}

/** Returns the text of a regular file; `undefined` if it is missing or may not be read. */
function readText(path: string): string | undefined {
  if (!platform.mayRead(path)) return undefined;
  try {
    // A FIFO or a device, perhaps behind a link, may never end.
    return platform.statSync(path).isFile ? new TextDecoder().decode(platform.readFileSync(path)) : undefined;
  } catch {
    return undefined;
  }
}
