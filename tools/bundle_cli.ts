/**
 * Bundles of the command line, made by a process of its own: tests and executables need them at
 * once.
 */

import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../", import.meta.url));

/**
 * Writes the command line of the npm package to a folder. Returns the path of the program.
 *
 * @param source Folder of the project.
 */
export function bundleCli(folder: string, source: string = root): string {
  bundle([folder, source]);
  Deno.writeTextFileSync(`${folder}/package.json`, '{ "type": "module" }\n');
  return `${folder}/cli/bin.js`;
}

/**
 * Bundles a module, named from the root, with all that it loads, into one file.
 */
export function bundleModule(module: string, output: string): void {
  bundle(["--module", module, output]);
}

function bundle(args: readonly string[]): void {
  const options = ["--quiet", "--no-lock", "--import-map=imports.npm.json", "--allow-all"];
  const { code, stderr } = new Deno.Command(Deno.execPath(), {
    args: ["run", ...options, "tools/build/command_line.ts", ...args],
    cwd: root,
  }).outputSync();
  if (code !== 0) throw new Error(`Cannot bundle the command line: ${new TextDecoder().decode(stderr)}`);
}
