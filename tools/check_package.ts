/**
 * Checks the package as users get it: the documentation of every export, in the sources and in the
 * build, a dry run of publishing it, and the types of the code blocks in the pages for users.
 */

import { importMap, writeBlocks } from "./blocks.ts";
import { commandLineEntry, type Config, JSR_TYPES, libraryEntries } from "./build/manifest.ts";
import { ROOT, withFolder } from "./programs.ts";

const IMPORT_MAP = "imports.npm.json";

/** Import map that replaces the types of Hono, which cannot be exported with documentation. */
const WITHOUT_HONO = `data:application/json,${JSON.stringify({ imports: { hono: "node:http" } })}`;

const config: Config = JSON.parse(Deno.readTextFileSync(`${ROOT}deno.json`));

/** Runs this Deno in a directory and shows its output. Returns whether it succeeded. */
function deno(cwd: string, ...args: string[]): boolean {
  return new Deno.Command(Deno.execPath(), { args, cwd, stdout: "inherit", stderr: "inherit" }).outputSync().success;
}

/** Checks each entry point alone: it must export every type that it mentions. */
function checkDocumentation(folder: string, files: readonly string[]): boolean {
  return files.every((file) => deno(folder, "doc", "--lint", `--import-map=${WITHOUT_HONO}`, file));
}

function checkPublishing(folder: string): boolean {
  const options = ["--quiet", `--import-map=${IMPORT_MAP}`, "--allow-all"];
  const files = [...libraryEntries(config).keys(), commandLineEntry(config)[0]];
  return deno(ROOT, "run", ...options, "tools/build.ts", "--folder", folder) &&
    checkDocumentation(folder, files.map((file) => `${JSR_TYPES}${file}.d.ts`)) &&
    deno(folder, "publish", "--dry-run");
}

/** Checks the types of the code blocks of pages, each a module named after its page and line. */
function checkBlocks(folder: string): boolean {
  const map = `${folder}/imports.json`;
  Deno.writeTextFileSync(map, JSON.stringify(importMap()));
  return deno(ROOT, "check", "--quiet", `--import-map=${map}`, ...writeBlocks(folder));
}

const isRight = checkDocumentation(ROOT, Object.values(config.exports)) && await withFolder(checkPublishing) &&
  await withFolder(checkBlocks);
if (!isRight) Deno.exit(1);
