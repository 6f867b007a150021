/** Bundles of the command line, and executables that contain Node.js or Bun. */

import { resolve } from "node:path";
import { ROOT, runProgram, runTool, withFolder } from "./programs.ts";

/** Module that bundles, run in a separate process, because callers need bundles synchronously. */
const BUNDLER = "tools/build/bundle_command_line.ts";

/**
 * Writes the command line of the npm package to a folder. Returns the path of the program.
 *
 * @param source Folder of the project.
 */
export function bundleCli(folder: string, source: string = ROOT): string {
  runTool(BUNDLER, [folder, source]);
  Deno.writeTextFileSync(`${folder}/package.json`, '{ "type": "module" }\n');
  return `${folder}/cli/bin.js`;
}

/** Bundles a module, named from the root, with all that it loads, into one file. */
export function bundleModule(module: string, output: string): void {
  runTool(BUNDLER, ["--module", module, output]);
}

/** Builds an executable with Bun, given its program: `bun build --compile`. */
export async function buildWithBun(bun: string, output: string): Promise<void> {
  const options = ["--compile", "--compile-exec-argv=--expose-gc", `--outfile=${resolve(output)}`];
  await withFolder((folder) => {
    bundleCli(folder);
    runProgram(bun, ["build", ...options, "./cli/bin.js", "./cli/check/worker.js"], { cwd: folder });
  });
}

/**
 * Builds a single executable application with Node.js 26 or later, given its program: `node
 * --build-sea`. Earlier versions do not accept ES modules.
 */
export async function buildWithNode(node: string, output: string): Promise<void> {
  const config = {
    main: "bytejson.mjs",
    mainFormat: "module",
    output: resolve(output),
    disableExperimentalSEAWarning: true,
    execArgv: ["--expose-gc"],
    execArgvExtension: "none",
    assets: { "worker.js": "worker.mjs" },
  };
  await withFolder((folder) => {
    bundleModule("cli/bin.ts", `${folder}/bytejson.mjs`);
    bundleModule("cli/check/worker.ts", `${folder}/worker.mjs`);
    Deno.writeTextFileSync(`${folder}/sea.json`, JSON.stringify(config));
    runProgram(node, ["--build-sea", "sea.json"], { cwd: folder });
  });
}
