/**
 * Bundles the command line for Node.js and Bun.
 *
 * @module
 */

import { fileURLToPath } from "node:url";

const root = new URL("../", import.meta.url);

/** The program, as small as it can be: most runs of `check` need no more. */
const PROGRAM = "cli/bin.ts";

/** Module with the rest, which the program loads. */
const REST = "command_line";

/** Modules that the rest, threads and processes begin with. They keep their places in `cli/`. */
const ENTRIES = [`cli/${REST}.ts`, "cli/check/worker.ts", "cli/bench/measuring_child.ts"];

/**
 * Writes the command line to a folder as modules of JavaScript that import each other and nothing
 * else. Returns the path of the program.
 *
 * @param source Folder of the project.
 */
export function bundleCli(folder: string, source: string = fileURLToPath(root)): string {
  bundle(source, ["--code-splitting", `--outdir=${folder}`, ...ENTRIES]);
  const program = `${folder}/bytejson.js`;
  bundle(source, [`--external=./${REST}.ts`, `--output=${program}`, PROGRAM]);
  const text = Deno.readTextFileSync(program).replace(/^#!.*\n/, "").replaceAll(`"./${REST}.ts"`, `"./${REST}.js"`);
  Deno.writeTextFileSync(program, `#!/usr/bin/env node\n${text}`);
  Deno.writeTextFileSync(`${folder}/package.json`, '{ "type": "module" }\n');
  return program;
}

/** Bundles a module of the command line, named from the root, with all that it loads, into one file. */
export function bundleModule(module: string, output: string): void {
  bundle(fileURLToPath(root), [`--output=${output}`, module]);
}

function bundle(source: string, args: readonly string[]): void {
  const map = fileURLToPath(new URL("imports.npm.json", root));
  const { code, stderr } = new Deno.Command(Deno.execPath(), {
    args: ["bundle", "--quiet", "--no-config", "--no-lock", `--import-map=${map}`, ...args],
    cwd: source,
  }).outputSync();
  if (code !== 0) throw new Error(`Cannot bundle the command line: ${new TextDecoder().decode(stderr)}`);
}
