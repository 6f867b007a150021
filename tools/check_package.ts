/**
 * Checks the package as users get it: the documentation of every export, in the sources and in the
 * build, a dry run of publishing it, and the types of the code blocks in the pages for users.
 */

import { importMap, writeBlocks } from "./blocks.ts";
import { commandLineEntry, JSR_TYPES, libraryEntries } from "./build/manifest.ts";

const IMPORT_MAP = "imports.npm.json";

const root = new URL("../", import.meta.url);
const config = readJson("deno.json");

// deno-lint-ignore no-explicit-any
function readJson(path: string): any {
  return JSON.parse(Deno.readTextFileSync(new URL(path, root)));
}

/** Runs this Deno in a directory and shows its output. Returns whether it succeeded. */
function deno(cwd: URL | string, ...args: string[]): boolean {
  return new Deno.Command(Deno.execPath(), { args, cwd, stdout: "inherit", stderr: "inherit" }).outputSync().success;
}

/** Checks each entry point alone: it must export every type that it mentions. */
function checkDocumentation(folder: URL | string, files: readonly string[]): boolean {
  const map = new URL(IMPORT_MAP, root).pathname;
  return files.every((file) => deno(folder, "doc", "--lint", `--import-map=${map}`, file));
}

/** Returns the declarations that JSR shows, of each entry, from the folder of the package. */
function declarationFiles(): string[] {
  const files = [...libraryEntries(config).keys(), commandLineEntry(config)[0]];
  return files.map((file) => `${JSR_TYPES}${file}.d.ts`);
}

/** Runs a check with a new folder. */
function withFolder(check: (folder: string) => boolean): boolean {
  const folder = Deno.makeTempDirSync();
  try {
    return check(folder);
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
}

function checkPublishing(folder: string): boolean {
  const options = ["--quiet", `--import-map=${IMPORT_MAP}`, "--allow-all"];
  return deno(root, "run", ...options, "tools/build.ts", "--folder", folder) &&
    checkDocumentation(folder, declarationFiles()) &&
    deno(folder, "publish", "--dry-run");
}

/**
 * Checks the types of the code blocks of pages, each a module that is named after its page and
 * line.
 */
function checkBlocks(folder: string): boolean {
  const map = `${folder}/imports.json`;
  Deno.writeTextFileSync(map, JSON.stringify(importMap()));
  return deno(root, "check", "--quiet", `--import-map=${map}`, ...writeBlocks(folder));
}

const isRight = checkDocumentation(root, Object.values(config.exports)) && withFolder(checkPublishing) &&
  withFolder(checkBlocks);
if (!isRight) Deno.exit(1);
