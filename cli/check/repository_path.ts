/** Paths for CI services: from the root of the repository. */

import { withSlashes } from "../input/read_error.ts";
import { platform } from "../platform/platform.ts";

/** Variables with the root of the repository, in GitHub Actions and GitLab CI. */
const ROOTS = ["GITHUB_WORKSPACE", "CI_PROJECT_DIR"];

/**
 * Returns a path from the root of the repository, with slashes. A path outside of it stays as it
 * is, as does every path if no variable names the root or the program may not read it.
 */
export function repositoryPath(path: string): string {
  const plain = withSlashes(path).replace(/^(?:\.\/+)+(?=.)/, "");
  const root = ROOTS.map((name) => platform.variable(name)).find((value) => value);
  if (root === undefined || path === "-") return plain;
  const base = normalized(withSlashes(root));
  const absolute = normalized(isAbsolute(plain) ? plain : `${withSlashes(platform.currentDirectory())}/${plain}`);
  return absolute.startsWith(`${base}/`) ? absolute.slice(base.length + 1) : plain;
}

function isAbsolute(path: string): boolean {
  return /^(?:\/|[a-z]:\/)/i.test(path);
}

/** Returns an absolute path without `.`, `..` and empty parts. */
function normalized(path: string): string {
  const parts: string[] = [];
  for (const part of path.split("/")) {
    if (part === "..") parts.pop();
    else if (part !== "" && part !== ".") parts.push(part);
  }
  return `${path.startsWith("/") ? "/" : ""}${parts.join("/")}`;
}
