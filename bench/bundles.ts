/**
 * Measures how many bytes each export of the npm package adds to a bundle. `--help` lists the
 * options.
 *
 * @module
 */

import { build } from "esbuild";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { formatDecimalBytes } from "../measure/number_format.ts";
import { type Config, libraryEntries, NO_CODEGEN } from "../tools/npm/manifest.ts";
import { readOptions } from "./support/options.ts";
import { renderTable } from "./support/table.ts";

const HELP = `deno task bench bundles [--only REGEX] [--json]

Builds the npm package, and measures bundles that import one of its exports each: minified by
esbuild, then compressed by gzip -9.

  from its entry  imported from the entry that it belongs to, such as bytejson/detach
  from the root   imported from bytejson
  no generator    from its entry, with the condition ${NO_CODEGEN}

  --only REGEX  measure exports whose name matches
  --json        print one JSON object on standard output`;

/** Sizes of the bundles with one export, in bytes. */
export interface BundleRow {
  name: string;
  /** Entry that the export belongs to, such as `bytejson/detach`. */
  entry: string;
  alone: number;
  fromRoot: number;
  withoutGenerator: number;
}

/** Report of the bench. */
export interface BundleReport {
  rows: BundleRow[];
}

const root = new URL("../", import.meta.url);
const config: Config = JSON.parse(Deno.readTextFileSync(new URL("deno.json", root)));

/** Returns the bytes of a minified, compressed bundle with an export of a file of the package. */
async function sizeOf(folder: string, name: string, file: string, conditions: string[] = []): Promise<number> {
  const { outputFiles } = await build({
    stdin: { contents: `export { ${name} } from "./${file}.js";`, resolveDir: folder },
    bundle: true,
    minify: true,
    format: "esm",
    target: "esnext",
    conditions,
    write: false,
  });
  return gzipSync(outputFiles[0].contents, { level: 9 }).length;
}

async function measure(folder: string, only: RegExp): Promise<BundleReport> {
  const rows: BundleRow[] = [];
  for (const [file, module] of libraryEntries(config)) {
    const url = new URL(module, root);
    // Modules for effect would change this process, and export nothing.
    if (file === "index" || !/^export /m.test(Deno.readTextFileSync(url))) continue;
    for (const name of Object.keys(await import(url.href))) {
      if (!only.test(name)) continue;
      rows.push({
        name,
        entry: `bytejson/${file}`,
        alone: await sizeOf(folder, name, file),
        fromRoot: await sizeOf(folder, name, "index").catch(() => NaN),
        withoutGenerator: await sizeOf(folder, name, file, [NO_CODEGEN]),
      });
    }
  }
  return { rows };
}

if (import.meta.main) {
  const { only = "", json } = readOptions(HELP, { switches: ["json"], values: ["only"] });
  const folder = Deno.makeTempDirSync();
  try {
    const { success } = new Deno.Command(Deno.execPath(), {
      args: ["run", "--quiet", "--import-map=imports.npm.json", "--allow-all", "tools/npm.ts", "--folder", folder],
      cwd: fileURLToPath(root),
      stdout: "null",
      stderr: "inherit",
    }).outputSync();
    if (!success) throw new Error("Cannot build the package");
    const report = await measure(folder, new RegExp(only));
    if (json) console.log(JSON.stringify(report, null, 2));
    else {
      const cells = report.rows.map(({ name, entry, alone, fromRoot, withoutGenerator }) => [
        name,
        entry,
        ...[alone, fromRoot, withoutGenerator].map((bytes) => bytes > 0 ? formatDecimalBytes(bytes) : "–"),
      ]);
      console.log(renderTable(["export", "entry", "from its entry", "from the root", "no generator"], cells));
    }
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
}
