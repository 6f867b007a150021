/**
 * Names of files that hold JSON with comments by convention: those that GitHub's linguist knows,
 * and those of editors' settings, of Deno and of build tools.
 *
 * @module
 */

const EXTENSIONS =
  /\.(?:jsonc|code-snippets|code-workspace|hujson|sublime[-_](?:build|color-scheme|commands|completions|keymap|macro|menu|metrics|mousemap|project|session|settings|theme|workspace))$/i;

const NAMES =
  /(?:^|\/)(?:\.(?:babelrc|devcontainer\.json|eslintrc(?:\.json)?|jscsrc|jshintrc|jslintrc|oxlintrc\.json|swcrc)|(?:api-extractor|biome|deno|devcontainer|jsconfig|language-configuration|nx|tslint|turbo|typedoc|wrangler)\.json|(?:[^/]*\.)?tsconfig[^/]*\.json|\.vscode\/[^/]+\.json)$/i;

/** Returns whether the file of a path holds JSON with comments by its name. */
export function isJsoncName(path: string): boolean {
  const slashed = path.replaceAll("\\", "/");
  return EXTENSIONS.test(slashed) || NAMES.test(slashed);
}
