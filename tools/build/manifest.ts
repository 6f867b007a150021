/** `package.json` of the npm package, made from deno.json. */

/** Members of the project's configuration that are used here. */
export interface Config {
  version: string;
  license: string;
  /** Paths of the modules, by the names of the package's entries. */
  exports: Record<string, string>;
}

export const PACKAGE = "bytejson";

/** Name of the package on JSR, which the documentation imports. */
export const JSR_PACKAGE = "@bytejson/bytejson";

/** Entry with the command line, which is also the program of the package. */
const COMMAND_LINE = "./cli";

/**
 * Condition for bundlers and Node.js that leaves out the generator of constructors. The name of a
 * module whose file depends on it starts with `#`.
 */
const NO_CODEGEN = "bytejson-no-codegen";
export const CONSTRUCTORS = "#constructors";

/** Modules that are imported for their effect: bundlers must not drop them. */
const WITH_EFFECT = ["polyfill", "codegen", "no-codegen"];

/** Packages whose types an entry uses. Programs that import the entry have them. */
const TYPES = { hono: "npm:hono@^4.13.0" };

/** Returns the file of an entry, without its extension, relative to the package. */
function fileOf(entry: string): string {
  if (entry === ".") return "index";
  // In a separate folder, since it has many files, which nothing else imports.
  return entry === COMMAND_LINE ? "cli/index" : entry.slice(2);
}

/** Returns the modules of the library by their files in the package, without extension. */
export function libraryEntries({ exports }: Config): Map<string, string> {
  const entries = Object.entries(exports).filter(([entry]) => entry !== COMMAND_LINE);
  return new Map(entries.map(([entry, module]) => [fileOf(entry), module.slice(2)]));
}

/** Returns the module of the command line by its file in the package, without extension. */
export function commandLineEntry({ exports }: Config): [file: string, module: string] {
  return [fileOf(COMMAND_LINE), exports[COMMAND_LINE].slice(2)];
}

/** Folder of the declarations for JSR: see `build.ts`. */
export const JSR_TYPES = "jsr/";

/** Returns the contents of `deno.json` in the package for JSR. */
export function denoConfigOf({ version, license, exports }: Config): Record<string, unknown> {
  const files = Object.keys(exports).map((entry) => [entry, `./${fileOf(entry)}.js`]);
  return {
    name: JSR_PACKAGE,
    version,
    license,
    exports: Object.fromEntries(files),
    imports: { [CONSTRUCTORS]: "./constructors.js", ...TYPES },
    nodeModulesDir: "none", // despite package.json
    publish: { exclude: ["package.json", "*.d.ts", "cli/*.d.ts", "types/", `!${JSR_TYPES}`] },
  };
}

export function manifestOf(config: Config): Record<string, unknown> {
  const entries = Object.keys(config.exports).map((entry) => {
    const file = fileOf(entry);
    return [entry, { types: `./${file}.d.ts`, default: `./${file}.js` }];
  });
  const repository = `https://github.com/${PACKAGE}/${PACKAGE}`;
  return {
    name: PACKAGE,
    version: config.version,
    description: "JSON from bytes: parse, select, stream and validate UTF-8, and free the bytes at once",
    keywords: ["json", "parser", "binary", "utf-8", "streaming", "validator", "jsonl", "ndjson", "arraybuffer"],
    license: config.license,
    repository: { type: "git", url: `git+${repository}.git` },
    homepage: `${repository}#readme`,
    bugs: { url: `${repository}/issues` },
    type: "module",
    files: ["*.js", "*.js.map", "*.d.ts", "types/", "cli/", "CHANGELOG.md"],
    engines: { node: ">=22" },
    sideEffects: [...WITH_EFFECT.map((name) => `./${name}.js`), "./cli/**/*.js"],
    bin: { [PACKAGE]: "cli/bin.js" },
    peerDependencies: { hono: "^4.13.0" },
    peerDependenciesMeta: { hono: { optional: true } },
    main: "./index.js",
    types: "./index.d.ts",
    exports: { ...Object.fromEntries(entries), "./package.json": "./package.json" },
    imports: { [CONSTRUCTORS]: { [NO_CODEGEN]: "./no-constructors.js", default: "./constructors.js" } },
  };
}
