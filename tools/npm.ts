/**
 * Builds the npm package. `--help` lists the options.
 *
 * @module
 */

import { parseArgs } from "node:util";
import { fileURLToPath } from "node:url";
import { build, type OutputOptions, type Plugin } from "rolldown";
import { dts } from "rolldown-plugin-dts";
import { bundleCommandLine, COMMENTS } from "./npm/command_line.ts";
import {
  commandLineEntry,
  type Config,
  CONSTRUCTORS,
  JSR_PACKAGE,
  libraryEntries,
  manifestOf,
  PACKAGE,
} from "./npm/manifest.ts";

const HELP = `deno task npm [--folder FOLDER]

Builds the package for npm in dist/npm, or in another folder: modules, declarations, package.json,
README, changelog and licence. npm pack and npm publish take it from there.`;

const root = fileURLToPath(new URL("../", import.meta.url));
const config: Config = JSON.parse(Deno.readTextFileSync(`${root}deno.json`));

const GENERATOR = `${root}parser/objects/generated_constructors.ts`;

/**
 * Groups of modules that several entries share. A file takes Node.js half a millisecond to load, so
 * a few large ones are better than the twenty that the entries would need. Bundlers drop a file if
 * nothing of it is used, but they keep some of what other files do at load.
 */
const SHARED = [
  {
    name: "input",
    test: /\/parser\/engine\/(?:argument_error|input|realm|recognition)\.ts$|\/streaming\/byte_source\.ts$/,
    priority: 5,
  },
  { name: "base", test: /\/parser\/(?:base|engine)\/|\/slice_owners\.ts$/, priority: 4 },
  { name: "validation", test: /\/parser\/(?:guards|validation)\/|\/validate_binary\.ts$/, priority: 3 },
  { name: "parsing", test: /\/parser\/(?:document|numbers|objects|strings)\/|\/parse_binary\.ts$/, priority: 2 },
  {
    name: "streaming",
    test: /\/parser\/(?:selecting|streaming)\/|\/(?:select|pointer|parse_stream)\.ts$/,
    priority: 1,
  },
];

/** Files of the package with a module for themselves, by the path of the module. */
const files = new Map(
  [...libraryEntries(config)].map(([file, module]) => [root + module, `./${file}.js`] as const)
    .filter(([path]) => !SHARED.some(({ test }) => test.test(path))),
);

/** Leaves imports of modules that have files for themselves to these files. */
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
  chunkFileNames: "shared/[name].js",
  comments: COMMENTS,
  minify: { compress: true, mangle: false, codegen: { removeWhitespace: false } },
};

async function buildLibrary(dir: string): Promise<void> {
  const input = {
    ...Object.fromEntries(libraryEntries(config)),
    "constructors": GENERATOR,
    "no-constructors": "tools/npm/no_constructors.ts",
  };
  await build({
    cwd: root,
    input,
    tsconfig: false,
    platform: "neutral",
    plugins: [importEntries],
    optimization: { inlineConst: { mode: "all" } },
    output: { ...OUTPUT, dir, chunkFileNames: "shared-[name].js", codeSplitting: { groups: SHARED } },
  });
}

/** Declarations with this need a library of TypeScript that few programs name. */
const DISPOSE = "Symbol.dispose";
const DISPOSE_LIBRARY = '/// <reference lib="esnext.disposable" />\n';

async function buildDeclarations(dir: string): Promise<void> {
  await build({
    cwd: root,
    input: { ...Object.fromEntries([...libraryEntries(config), commandLineEntry(config)]) },
    tsconfig: false,
    plugins: [dts({ oxc: true, emitDtsOnly: true, tsconfig: false })],
    output: { dir, format: "esm", chunkFileNames: "types/[name].js" },
  });
}

/** Names the package as npm does in a text that was written for JSR. */
function renamed(text: string): string {
  return text.replace(new RegExp(`(["\`])${JSR_PACKAGE}`, "g"), `$1${PACKAGE}`);
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
  for (const path of filesOf(folder)) {
    if (!path.endsWith(".d.ts")) continue;
    const text = renamed(Deno.readTextFileSync(path));
    Deno.writeTextFileSync(path, text.includes(DISPOSE) ? DISPOSE_LIBRARY + text : text);
  }
  Deno.writeTextFileSync(`${folder}/README.md`, renamed(Deno.readTextFileSync(`${root}README.md`)));
  for (const name of ["LICENSE", "CHANGELOG.md"]) Deno.copyFileSync(root + name, `${folder}/${name}`);
  Deno.writeTextFileSync(`${folder}/package.json`, JSON.stringify(manifestOf(config), null, 2) + "\n");
}

const { values: { folder, help } } = parseArgs({
  options: { folder: { type: "string", default: `${root}dist/npm` }, help: { type: "boolean" } },
});
if (help) console.log(HELP);
else {
  await main(folder);
  console.log(folder);
}
