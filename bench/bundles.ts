/**
 * Measures how many bytes each export of the npm package adds to a bundle. `--help` lists the
 * options.
 *
 * @module
 */

import { build } from "esbuild";
import { gzipSync } from "node:zlib";
import { formatDecimalBytes } from "../measure/number_format.ts";
import { readOptions } from "./support/options.ts";
import { buildPackage, packageEntries, type PackageEntry } from "./support/npm_package.ts";
import { renderTable } from "./support/table.ts";

const HELP = `deno task bench bundles [--only REGEX] [--json]

Builds the npm package, and measures bundles that import one of its exports each: minified by
esbuild, then compressed by gzip -9.

  from its entry  imported from the entry that it belongs to, such as bytejson/detach
  from the root   imported from bytejson
  no generator    from its entry, with the condition bytejson-no-codegen

  --only REGEX  measure exports whose name matches
  --json        print one JSON object on standard output`;

/** Sizes of the bundles with one export, in bytes. */
export interface BundleRow {
  name: string;
  /** Entry that the export belongs to, such as `bytejson/detach`. */
  entry: string;
  alone: number;
  /** `null` if the root does not export it. */
  fromRoot: number | null;
  withoutGenerator: number;
}

/** Report of the bench. */
export interface BundleReport {
  rows: BundleRow[];
}

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

/** Returns the names of the values that an entry exports. */
async function namesOf({ module }: PackageEntry): Promise<string[]> {
  const url = new URL(module, new URL("../", import.meta.url));
  // Modules for effect would change this process, and export nothing.
  return /^export /m.test(Deno.readTextFileSync(url)) ? Object.keys(await import(url.href)) : [];
}

async function measure(folder: string, only: RegExp): Promise<BundleReport> {
  const rows: BundleRow[] = [];
  const [root, ...entries] = packageEntries();
  const atRoot = await namesOf(root);
  for (const entry of entries) {
    for (const name of (await namesOf(entry)).filter((name) => only.test(name))) {
      rows.push({
        name,
        entry: entry.specifier,
        alone: await sizeOf(folder, name, entry.file),
        fromRoot: atRoot.includes(name) ? await sizeOf(folder, name, root.file) : null,
        withoutGenerator: await sizeOf(folder, name, entry.file, ["bytejson-no-codegen"]),
      });
    }
  }
  return { rows };
}

if (import.meta.main) {
  const { only = "", json } = readOptions(HELP, { switches: ["json"], values: ["only"] });
  const folder = Deno.makeTempDirSync();
  try {
    buildPackage(folder);
    const report = await measure(folder, new RegExp(only));
    if (json) console.log(JSON.stringify(report, null, 2));
    else {
      const cells = report.rows.map(({ name, entry, alone, fromRoot, withoutGenerator }) => [
        name,
        entry,
        ...[alone, fromRoot, withoutGenerator].map((bytes) => bytes !== null ? formatDecimalBytes(bytes) : "–"),
      ]);
      console.log(renderTable(["export", "entry", "from its entry", "from the root", "no generator"], cells));
    }
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
}
