/** Builds the packages for JSR and npm. `--help` lists the options. */

import { parseArgs } from "node:util";
import { fileURLToPath } from "node:url";
import { build, type OutputOptions, type Plugin } from "rolldown";
import { dts } from "rolldown-plugin-dts";
import { asciiOnly, bundleCommandLine, COMMENTS } from "./build/bundle_command_line.ts";
import {
  commandLineEntry,
  type Config,
  CONSTRUCTORS,
  denoConfigOf,
  JSR_PACKAGE,
  JSR_TYPES,
  libraryEntries,
  manifestOf,
  PACKAGE,
} from "./build/manifest.ts";
import { constantImports, mappingsOf, readStartUp, START_UP_FILE, transform } from "./build/transform.ts";
import { ROOT } from "./programs.ts";

const HELP = `deno task build [--folder FOLDER] [--if-changed]

Builds the package in dist/package, or in another folder: modules, declarations, source maps,
package.json, deno.json, README, changelog and licence. npm publish and deno publish take it from
there. dist/imports.json next to it maps the public modules to it, for benches and tests. With
--if-changed, does nothing while the sources are those of the last build.`;

const config: Config = JSON.parse(Deno.readTextFileSync(`${ROOT}deno.json`));

const GENERATOR = `${ROOT}parser/objects/generated_constructors.ts`;

/**
 * Groups of modules that several entries share; the first that matches counts. A file takes Node.js
 * half a millisecond to load, so a few large ones are better than the twenty that the entries would
 * need. Bundlers drop files that are not used, but keep some side effects of those that are.
 */
const SHARED = ([
  ["input", /\/parser\/engine\/(?:argument_error|input|realm|recognition)\.ts$|\/streaming\/byte_source\.ts$/],
  ["base", /\/parser\/(?:base|engine)\//],
  [
    "validation", // of a program that only validates
    /\/parser\/(?:validation\/|options\/(?:options|input_guard|validate_guarded)|streaming\/binary_validator)|\/validate_binary\.ts$/,
  ],
  ["parsing", /\/parser\/(?:document|options|numbers|objects|strings)\/|\/parse_binary\.ts$/],
  ["streaming", /\/parser\/(?:streaming|selection)\/|\/(?:select|pointer|parse_stream)\.ts$/],
] as const).map(([name, test], i, { length }) => ({ name, test, priority: length - i }));

/** Files of the package that are made from a single module, by the path of the module. */
const files = new Map(
  [...libraryEntries(config)].map(([file, module]) => [ROOT + module, `./${file}.js`] as const)
    .filter(([path]) => !SHARED.some(({ test }) => test.test(path))),
);

/** Keeps imports of such modules as imports of their files. */
const importEntries: Plugin = {
  name: "import-entries",
  resolveId(source, importer) {
    if (importer === undefined || !source.startsWith(".")) return null;
    const path = fileURLToPath(new URL(source, `file://${importer}`));
    if (path === GENERATOR) return { id: CONSTRUCTORS, external: true };
    const id = files.get(path);
    return id === undefined ? null : { id, external: true };
  },
};

const OUTPUT: OutputOptions = {
  format: "esm",
  comments: COMMENTS, // others took a sixth of the time of an import
  sourcemap: true,
  // Users' bundlers can join statements.
  minify: { compress: { joinVars: false, sequences: false }, mangle: false, codegen: { removeWhitespace: false } },
};

const startUp = readStartUp(Deno.readTextFileSync(ROOT + START_UP_FILE));

/** Turns functions of first calls, and imports between files of the package, into constants. */
const constantBindings: Plugin = {
  name: "constant-bindings",
  transform(source, id) {
    const path = id.slice(ROOT.length);
    if (!startUp.has(path)) return null;
    const { code, lines } = transform(source, path, startUp);
    return { code, map: { version: 3, sources: [id], names: [], mappings: mappingsOf(lines) } };
  },
  renderChunk(code, { fileName }) {
    if (!fileName.startsWith("shared-")) return null;
    const end = /^(?:import .*\n)*/.exec(code)![0].length;
    // Only those that first calls use, because each adds to users' bundles.
    const hot = Array.from(code.matchAll(/^const \w+(?:\$\d+)? = \(function [^]*?^\}\);$/gm), ([text]) => text).join(
      "\n",
    );
    const imports = constantImports(
      code.slice(0, end),
      code,
      (name, from) => from.startsWith("./shared-") && new RegExp(`\\b${name.replace("$", "\\$")}(?![\\w$])`).test(hot),
    );
    return { code: imports + code.slice(end), map: null }; // no line moves
  },
};

/**
 * Makes each entry import all the files it needs in its first line, because Deno reads the source
 * map of a module that is the first to import another (import of parse-binary: 11 → 7 ms).
 */
const hoistImports: Plugin = {
  name: "hoist-imports",
  generateBundle(_, bundle) {
    for (const file of Object.values(bundle)) {
      if (file.type !== "chunk" || !isPublic(file.name)) continue;
      const needed = new Set<string>(file.imports);
      for (const name of needed) {
        const other = bundle[name];
        if (other?.type === "chunk") { for (const further of other.imports) needed.add(further); }
      }
      const imports = [...needed].filter((name) => !file.imports.includes(name)).map((name) => {
        return ` import "${name in bundle ? `./${name}` : name}";`;
      });
      file.code = file.code.replace("\n", () => `${imports.join("")}\n`);
    }
  },
};

/** Returns the comment by which JSR and Deno find the declarations of a file. */
function selfTypes(file: string): string {
  return `/* @ts-self-types="./${"../".repeat(file.split("/").length - 1)}${JSR_TYPES}${file}.d.ts" */`;
}

/** Returns whether a file of the package, without extension, is one of its entries. */
function isPublic(file: string): boolean {
  return libraryEntries(config).has(file);
}

async function buildLibrary(dir: string): Promise<void> {
  const input = {
    ...Object.fromEntries(libraryEntries(config)),
    "constructors": GENERATOR,
    "no-constructors": "tools/build/no_constructors.ts",
  };
  await build({
    cwd: ROOT,
    input,
    tsconfig: false,
    platform: "neutral",
    plugins: [constantBindings, importEntries, hoistImports, asciiOnly],
    optimization: { inlineConst: { mode: "all" } },
    output: {
      ...OUTPUT,
      dir,
      chunkFileNames: "shared-[name].js",
      codeSplitting: { groups: SHARED },
      banner: ({ isEntry, name }) => isEntry && isPublic(name) ? selfTypes(name) : "",
    },
  });
}

/** Declarations with this need a TypeScript library that few programs include. JSR includes it. */
const DISPOSE = "Symbol.dispose";
const DISPOSE_LIBRARY = '/// <reference lib="esnext.disposable" />\n';

async function buildDeclarations(dir: string): Promise<void> {
  await build({
    cwd: ROOT,
    input: { ...Object.fromEntries([...libraryEntries(config), commandLineEntry(config)]) },
    tsconfig: false,
    plugins: [dts({ oxc: true, emitDtsOnly: true, tsconfig: false })],
    output: { dir, format: "esm", chunkFileNames: "types/[name].js" },
  });
}

function* filesOf(folder: string): Generator<string> {
  for (const { name, isDirectory } of Deno.readDirSync(folder)) {
    if (isDirectory) yield* filesOf(`${folder}/${name}`);
    else yield `${folder}/${name}`;
  }
}

async function main(folder: string): Promise<void> {
  await Deno.remove(folder, { recursive: true }).catch(() => {});
  await buildLibrary(folder);
  await bundleCommandLine(folder, Object.fromEntries([commandLineEntry(config)]));
  await buildDeclarations(folder);
  // npm and JSR need different declarations: TypeScript does not accept an import of a declaration
  // file, Deno only accepts that, and JSR does not accept a directive.
  for (const path of [...filesOf(folder)]) {
    if (!path.endsWith(".d.ts")) continue;
    const text = Deno.readTextFileSync(path);
    const renamed = text.replace(new RegExp(`(["\`])${JSR_PACKAGE}`, "g"), `$1${PACKAGE}`); // its name on npm
    Deno.writeTextFileSync(path, (text.includes(DISPOSE) ? DISPOSE_LIBRARY : "") + renamed);
    const jsrPath = `${folder}/${JSR_TYPES}${path.slice(folder.length + 1)}`;
    Deno.mkdirSync(jsrPath.replace(/[^/]*$/, ""), { recursive: true });
    Deno.writeTextFileSync(jsrPath, text.replace(/(from "\.[^"]*)\.js"/g, '$1.d.ts"'));
  }
  const [commandLine] = commandLineEntry(config);
  const program = `${folder}/${commandLine}.js`;
  Deno.writeTextFileSync(program, `${selfTypes(commandLine)}\n${Deno.readTextFileSync(program)}`);
  for (const name of ["README.md", "LICENSE", "CHANGELOG.md"]) Deno.copyFileSync(ROOT + name, `${folder}/${name}`);
  const write = (name: string, content: unknown): void =>
    Deno.writeTextFileSync(`${folder}/${name}`, JSON.stringify(content, null, 2) + "\n");
  write("package.json", manifestOf(config));
  write("deno.json", denoConfigOf(config));
}

/** Writes the import map for programs that use the build instead of the sources. */
function writeImports(): void {
  const { imports, scopes } = JSON.parse(Deno.readTextFileSync(`${ROOT}imports.npm.json`));
  const outer = (path: string): string => path.replace(/^\.\//, "../");
  const modules = [...libraryEntries(config)].map(([file, module]) => [`../${module}`, `./package/${file}.js`]);
  const map = {
    imports: { ...imports, ...Object.fromEntries(modules), [CONSTRUCTORS]: "./package/constructors.js" },
    scopes: Object.fromEntries(Object.entries(scopes ?? {}).map(([scope, map]) => [outer(scope), map])),
  };
  Deno.writeTextFileSync(`${ROOT}dist/imports.json`, JSON.stringify(map, null, 2) + "\n");
}

/** Returns a text that changes whenever a source, or a file of the build itself, changes. */
function stampOfSources(): string {
  const inRoot = Array.from(Deno.readDirSync(ROOT), ({ name }) => ROOT + name);
  const below = ["parser", "cli", "measure", "middleware", "tools"].flatMap((name) => [...filesOf(ROOT + name)]);
  const paths = [...inRoot.filter((path) => /\.(?:ts|json)$/.test(path)), ...below];
  return paths.sort().map((path) => {
    const { size, mtime } = Deno.statSync(path);
    return `${path} ${size} ${mtime?.getTime()}`;
  }).join("\n");
}

const { values: { folder, help, "if-changed": isLazy } } = parseArgs({
  options: {
    folder: { type: "string", default: `${ROOT}dist/package` },
    "if-changed": { type: "boolean", default: false },
    help: { type: "boolean" },
  },
});
const stampFile = `${ROOT}dist/package.stamp`;
const stamp = stampOfSources();
if (help) console.log(HELP);
else if (!isLazy || await Deno.readTextFile(stampFile).catch(() => "") !== stamp) {
  await main(folder);
  if (folder === `${ROOT}dist/package`) {
    writeImports();
    Deno.writeTextFileSync(stampFile, stamp);
  }
  if (!isLazy) console.log(folder);
}
