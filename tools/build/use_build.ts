/**
 * Preloaded by benches in Node.js and Bun: public modules are those of the build, as by
 * `dist/imports.json` in Deno.
 */

import { readFileSync } from "node:fs";
import * as modules from "node:module";
import { fileURLToPath } from "node:url";

/** Part of Bun in use. */
interface BunPlugins {
  plugin(options: {
    name: string;
    setup(build: {
      onResolve(
        options: { filter: RegExp },
        resolve: (asked: { path: string; importer: string }) => { path: string } | undefined,
      ): void;
    }): void;
  }): void;
}

/** Part of `node:module` in use. Older types lack it. */
interface Hooks {
  registerHooks?(hooks: {
    resolve(
      specifier: string,
      context: unknown,
      next: (specifier: string, context: unknown) => { url: string; format?: string | null },
    ): { url: string; format?: string | null };
  }): void;
}

const dist = new URL("../../dist/", import.meta.url);
const { imports }: { imports: Record<string, string> } = JSON.parse(
  readFileSync(new URL("imports.json", dist), "utf8"),
);
const files = new Map(
  Object.entries(imports).filter(([from]) => from.startsWith("../"))
    .map(([from, to]) => [new URL(from, dist).href, new URL(to, dist).href]),
);

const { Bun } = globalThis as { Bun?: BunPlugins };
if (Bun !== undefined) {
  Bun.plugin({
    name: "use-build",
    setup(build) {
      build.onResolve({ filter: /^\.\.?\/.*\.ts$/ }, ({ path, importer }) => {
        const file = files.get(new URL(path, `file://${importer}`).href);
        return file === undefined ? undefined : { path: fileURLToPath(file) };
      });
    },
  });
} else {
  (modules as Hooks).registerHooks!({
    resolve(specifier, context, next) {
      const resolved = next(specifier, context);
      const url = files.get(resolved.url);
      return url === undefined ? resolved : { ...resolved, url, format: "module" };
    },
  });
}
