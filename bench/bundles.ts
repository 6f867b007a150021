/** Bench of the bytes that each export of the npm package adds to a bundle. */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { formatDecimalBytes } from "../measure/number_format.ts";
import { libraryEntries } from "../tools/build/manifest.ts";
import type { Bench } from "./support/bench.ts";
import { named } from "./support/rows.ts";
import { commandOf, ROOT, runCommand, withFolder } from "./support/runtimes.ts";

/** Sizes of the bundles with one export, in bytes. */
interface BundleRow {
  name: string;
  /** Entry that the export belongs to, such as `bytejson/detach`. */
  entry: string;
  alone: number;
  /** `null` if the root does not export it. */
  fromRoot: number | null;
  withoutGenerator: number;
}

/** Returns the names of the values that a module exports, by its path in the project. */
async function namesOf(module: string): Promise<string[]> {
  // Modules imported for their effect would change this process, and export nothing.
  if (!/^export /m.test(readFileSync(join(ROOT, module), "utf8"))) return [];
  return Object.keys(await import(new URL(`../${module}`, import.meta.url).href));
}

/** Exports whose code is only part of another's. */
const PARTS = ["UNTRUSTED", "every", "selector", "parseOrThrow"];

export const bench: Bench<{ rows: BundleRow[] }> = {
  help: `Builds the npm package, and measures bundles that import one of its exports each: minified by esbuild,
then compressed by gzip -9. An export is imported from the entry that it belongs to, from the root,
and from its entry with the condition bytejson-no-codegen.`,
  async measure({ only }) {
    const { build } = await import("esbuild");
    return await withFolder(async (folder) => {
      runCommand([...commandOf("tools/build.ts"), "--folder", folder]);
      const sizeOf = async (name: string, file: string, conditions: string[] = []): Promise<number> => {
        const { outputFiles } = await build({
          stdin: { contents: `export { ${name} } from "./${file}.js";`, resolveDir: folder },
          bundle: true,
          minify: true,
          format: "esm",
          target: "esnext",
          conditions,
          write: false,
          logLevel: "error", // outside of node_modules, esbuild warns about the imports that it drops
        });
        return gzipSync(outputFiles[0].contents, { level: 9 }).length;
      };
      const rows: BundleRow[] = [];
      const [[root, rootModule], ...entries] = libraryEntries(
        JSON.parse(readFileSync(join(ROOT, "deno.json"), "utf8")),
      );
      const atRoot = await namesOf(rootModule);
      for (const [file, module] of entries) {
        for (const name of (await namesOf(module)).filter((name) => only.test(name))) {
          rows.push({
            name,
            entry: `bytejson/${file}`,
            alone: await sizeOf(name, file),
            fromRoot: atRoot.includes(name) ? await sizeOf(name, root) : null,
            withoutGenerator: await sizeOf(name, file, ["bytejson-no-codegen"]),
          });
        }
      }
      return { rows };
    });
  },
  tables: ({ rows }) => [{
    header: ["export", "entry", "from its entry", "from the root", "no generator"],
    rows: rows.map(({ name, entry, alone, fromRoot, withoutGenerator }) => [
      name,
      entry,
      ...[alone, fromRoot, withoutGenerator].map((bytes) => bytes !== null ? formatDecimalBytes(bytes) : "–"),
    ]),
  }],
  blocks: ({ rows }) => [{
    page: "docs/install.md",
    heading: "Bundle sizes",
    content: {
      header: ["export", "from", "min + gzip", "from `bytejson`"],
      rows: rows.filter(({ name }) => !PARTS.includes(name)).toSorted((a, b) => a.alone - b.alone)
        .map(({ name, entry, alone, fromRoot }) => [
          `\`${name}\``,
          `\`${entry}\``,
          formatDecimalBytes(alone),
          fromRoot === null ? "" : formatDecimalBytes(fromRoot),
        ]),
    },
  }],
  quotes({ rows }) {
    const [detach, validate, parse] = ["detach", "validateBinary", "parseBinary"].map((name) => {
      return formatDecimalBytes(named(rows, name).alone);
    });
    return [
      { page: "README.md", words: `\`detach\` adds ${detach} to a bundle` },
      { page: "README.md", words: `\`validateBinary\` ${validate} and \`parseBinary\` ${parse}` },
    ];
  },
};
