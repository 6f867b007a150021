/** Builds executables of the command line that have Node.js or Bun in them. */

import { dirname, resolve } from "node:path";
import { bundleCli, bundleModule } from "./bundle_cli.ts";

/** Name of the module of threads among the assets of an executable of Node.js. */
const WORKER_ASSET = "worker.js";

function run(program: string, args: readonly string[], cwd: string): void {
  const { code, stdout, stderr } = new Deno.Command(program, { args: [...args], cwd, stdin: "null" }).outputSync();
  if (code === 0) return;
  const decoder = new TextDecoder();
  throw new Error(`Cannot build the executable: ${program}: ${decoder.decode(stderr) || decoder.decode(stdout)}`);
}

/** Returns the full path of an executable, whose folder is made. */
function pathOf(output: string): string {
  const path = resolve(output);
  Deno.mkdirSync(dirname(path), { recursive: true });
  return path;
}

function withFolder(build: (folder: string) => void): void {
  const folder = Deno.makeTempDirSync();
  try {
    build(folder);
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
}

/** Builds an executable with Bun, whose program is named: `bun build --compile`. */
export function buildWithBun(bun: string, output: string): void {
  withFolder((folder) => {
    bundleCli(folder);
    run(bun, [
      "build",
      "--compile",
      "--compile-exec-argv=--expose-gc",
      `--outfile=${pathOf(output)}`,
      "./cli/bin.js",
      "./cli/check/worker.js",
    ], folder);
  });
}

/**
 * Builds a single executable application with Node.js 26 or later, whose program is named: `node
 * --build-sea`. Earlier ones take no ES modules.
 */
export function buildWithNode(node: string, output: string): void {
  withFolder((folder) => {
    bundleModule("cli/bin.ts", `${folder}/bytejson.mjs`);
    bundleModule("cli/check/worker.ts", `${folder}/worker.mjs`);
    const config = {
      main: "bytejson.mjs",
      mainFormat: "module",
      output: pathOf(output),
      disableExperimentalSEAWarning: true,
      execArgv: ["--expose-gc"],
      execArgvExtension: "none",
      assets: { [WORKER_ASSET]: "worker.mjs" },
    };
    Deno.writeTextFileSync(`${folder}/sea.json`, JSON.stringify(config));
    run(node, ["--build-sea", "sea.json"], folder);
  });
}
