/**
 * Checks the package as users get it: the documentation of every export, then a dry run of
 * publishing.
 *
 * The dry run works on a temporary copy with the imports of imports.npm.json, so that it resolves
 * no `jsr:` import and needs npm only.
 *
 * @module
 */

import { pathToFileURL } from "node:url";

const IMPORT_MAP = "imports.npm.json";

const root = new URL("../", import.meta.url);
const config = readJson("deno.json");

// deno-lint-ignore no-explicit-any
function readJson(path: string): any {
  return JSON.parse(Deno.readTextFileSync(new URL(path, root)));
}

/** Runs this Deno in a directory and shows its output. Returns whether it succeeded. */
function deno(cwd: URL, ...args: string[]): boolean {
  return new Deno.Command(Deno.execPath(), { args, cwd, stdout: "inherit", stderr: "inherit" }).outputSync().success;
}

function copy(from: URL, to: URL): void {
  if (Deno.statSync(from).isFile) return Deno.copyFileSync(from, to);
  Deno.mkdirSync(to);
  for (const { name } of Deno.readDirSync(from)) copy(new URL(`${from}/${name}`), new URL(`${to}/${name}`));
}

function checkDocumentation(): boolean {
  // Each entry point alone: it must export every type that it mentions.
  const files = Object.values<string>(config.exports);
  return files.every((file) => deno(root, "doc", "--lint", `--import-map=${IMPORT_MAP}`, file));
}

function checkPublishing(): boolean {
  const directory = Deno.makeTempDirSync();
  try {
    const to = pathToFileURL(`${directory}/`);
    const included = config.publish.include.map((pattern: string) => pattern.split("/")[0]);
    for (const name of new Set<string>(included)) copy(new URL(name, root), new URL(name, to));
    const { imports } = readJson(IMPORT_MAP);
    Deno.writeTextFileSync(new URL("deno.json", to), JSON.stringify({ ...config, imports }));
    return deno(to, "publish", "--dry-run");
  } finally {
    Deno.removeSync(directory, { recursive: true });
  }
}

if (!(checkDocumentation() && checkPublishing())) Deno.exit(1);
