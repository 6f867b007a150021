/**
 * Names of files that hold JSON with comments by convention: those that GitHub's linguist knows,
 * and those of editors' settings, of Deno, Bun and build tools. Also the names of files in which
 * duplicate names are a mistake.
 */

export const JSONC_EXTENSIONS: RegExp =
  /\.(?:jsonc|code-snippets|code-workspace|hujson|sublime[-_](?:build|color-scheme|commands|completions|keymap|macro|menu|metrics|mousemap|project|session|settings|theme|workspace))$/i;

export const JSONC_NAMES: RegExp =
  /(?:^|\/)(?:\.(?:(?:babel|eslint|hint|jsfmt|oxlint|swc)rc|jscsrc|jshintrc|jslintrc)(?:\.json)?|\.(?:devcontainer|luarc|markdownlint|mocharc|oxfmtrc)\.json|\.ember-cli|bun\.lock|(?:angular|api-extractor|babel\.config|biome|cspell|deno|devcontainer|dprint|language-configuration|nx|rush|tslint|turbo|typedoc|wrangler)\.json|(?:[^/]*\.)?[jt]sconfig[^/]*\.json|\.vscode\/[^/]+\.json)$/i;

/** Returns whether the name of a file implies JSON with comments. */
export function isJsoncName(path: string): boolean {
  const slashed = path.replaceAll("\\", "/");
  return JSONC_EXTENSIONS.test(slashed) || JSONC_NAMES.test(slashed);
}

/** Returns whether a path names a manifest. npm silently drops duplicate members of it. */
export function isManifestName(path: string): boolean {
  return /(?:^|\/)package\.json$/i.test(path.replaceAll("\\", "/"));
}
