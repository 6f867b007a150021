/**
 * The npm package, built for a bench.
 *
 * @module
 */

import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../", import.meta.url));

/** Entry of the package, the command line aside. */
export interface PackageEntry {
  /** Name that programs import, such as `bytejson/detach`. */
  specifier: string;
  /** Name of its file in the package, without extension. */
  file: string;
  /** Path of its module, from the folder of the project. */
  module: string;
}

/** Returns the entries, the root first. */
export function packageEntries(): PackageEntry[] {
  const { exports }: { exports: Record<string, string> } = JSON.parse(Deno.readTextFileSync(`${root}deno.json`));
  return Object.entries(exports).filter(([entry]) => entry !== "./cli").map(([entry, module]) => ({
    specifier: entry.replace(".", "bytejson"),
    file: entry === "." ? "index" : entry.slice(2),
    module,
  }));
}

/** Builds the package in a folder, whose contents it replaces. */
export function buildPackage(folder: string): void {
  const options = ["run", "--quiet", "--import-map=imports.npm.json", "--allow-all", "tools/build.ts"];
  const { status, stderr } = spawnSync(Deno.execPath(), [...options, "--folder", folder], { cwd: root });
  if (status !== 0) throw new Error(`Cannot build the npm package: ${stderr}`);
}
