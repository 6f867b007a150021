/** Resolves public modules to the build, in benches in Node.js and Bun, which preload this. */

import { readFileSync } from "node:fs";
import * as modules from "node:module";
import { fileURLToPath } from "node:url";

const dist = new URL("../../dist/", import.meta.url);
const { imports }: { imports: Record<string, string> } = JSON.parse(
  readFileSync(new URL("imports.json", dist), "utf8"),
);
const files = new Map(
  Object.entries(imports).filter(([from]) => from.startsWith("../"))
    .map(([from, to]) => [new URL(from, dist).href, new URL(to, dist).href]),
);

// deno-lint-ignore no-explicit-any
const { Bun } = globalThis as any;
if (Bun !== undefined) {
  Bun.plugin({
    name: "use-build",
    // deno-lint-ignore no-explicit-any
    setup(build: any) {
      build.onResolve({ filter: /^\.\.?\/.*\.ts$/ }, ({ path, importer }: { path: string; importer: string }) => {
        const file = files.get(new URL(path, `file://${importer}`).href);
        return file === undefined ? undefined : { path: fileURLToPath(file) };
      });
    },
  });
} else {
  // deno-lint-ignore no-explicit-any -- older types lack it
  (modules as any).registerHooks({
    resolve(specifier: string, context: unknown, next: (specifier: string, context: unknown) => { url: string }) {
      const resolved = next(specifier, context);
      const url = files.get(resolved.url);
      return url === undefined ? resolved : { ...resolved, url, format: "module" };
    },
  });
}
