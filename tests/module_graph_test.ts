/** Tests of the direction of imports, type imports and dynamic ones included. */

import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { projectRoot } from "./support/environment.ts";

/** Relative imports, exports and dynamic imports of a module. */
const SPECIFIER = /\b(?:from|import)\s*\(?\s*"(\.[^"]+)"/g;

/** Paths of the modules that each module imports, by path. */
const graph = new Map<string, string[]>();

function readModules(folder: string): void {
  for (const { name, isDirectory } of Deno.readDirSync(new URL(folder || ".", projectRoot))) {
    const path = folder + name;
    if (isDirectory && !/^(\.|node_modules$|dist$|coverage$)/.test(name)) readModules(`${path}/`);
    if (!name.endsWith(".ts")) continue;
    const url = new URL(path, projectRoot);
    const specifiers = Array.from(Deno.readTextFileSync(url).matchAll(SPECIFIER), ([, specifier]) => specifier);
    graph.set(path, specifiers.map((specifier) => new URL(specifier, url).href.slice(projectRoot.href.length)));
  }
}
readModules("");

/** Lists imports, as `from → to`, from modules of some folders to modules of others. */
function importsBetween(from: RegExp, to: RegExp): string[] {
  return [...graph].filter(([path]) => from.test(path)).flatMap(([path, imported]) =>
    imported.filter((path) => to.test(path)).map((target) => `${path} → ${target}`)
  );
}

/** Finds a circle of imports among modules; returns its paths. */
function findCircle(modules: RegExp): string[] {
  const finished = new Set<string>();
  const visit = (path: string, trail: string[]): string[] => {
    if (trail.includes(path)) return [...trail.slice(trail.indexOf(path)), path];
    if (finished.has(path) || !modules.test(path)) return [];
    for (const imported of graph.get(path) ?? []) {
      const circle = visit(imported, [...trail, path]);
      if (circle.length > 0) return circle;
    }
    finished.add(path);
    return [];
  };
  return [...graph.keys()].map((path) => visit(path, [])).find((circle) => circle.length > 0) ?? [];
}

describe("imports", () => {
  it("the library imports neither the kit nor its users", () => {
    assertEquals(importsBetween(/^(?!cli\.ts)(parser\/)?\w+\.ts$/, /^(cli|measure|bench|tests|tools)\b/), []);
  });

  it("measure/ imports no user of the kit", () => {
    assertEquals(importsBetween(/^measure\//, /^(cli|bench|tests|tools)\b/), []);
  });

  it("bench/ imports neither cli/ nor tests/", () => {
    assertEquals(importsBetween(/^bench\//, /^(cli|tests|tools)\b/), []);
  });

  it("cli/ imports neither bench/ nor tests/", () => {
    assertEquals(importsBetween(/^cli\b/, /^(bench|tests|tools)\//), []);
  });

  it("commands other than bench load byte_format.ts of the kit, which imports nothing", () => {
    const imports = importsBetween(/^cli\/(?!bench\/)/, /^measure\//);
    assertEquals(imports.filter((line) => !line.endsWith(" → measure/byte_format.ts")), []);
    assertEquals(graph.get("measure/byte_format.ts"), []);
  });

  it("helpers of tests and benches import no program that runs as a process, but for its types", () => {
    const programs = /^(tests|bench)\/processes\//;
    for (const line of importsBetween(/^(tests|bench)\//, programs)) {
      const [path, target] = line.split(" → ");
      const name = target.replace(/.*\//, "");
      const statement = new RegExp(`^import type [^;]*/${name}";$`, "m");
      assertEquals(statement.test(Deno.readTextFileSync(new URL(path, projectRoot))), true, line);
    }
  });

  for (const folder of ["measure", "bench", "tests"]) {
    it(`${folder}/ has no circle`, () => assertEquals(findCircle(new RegExp(`^${folder}/`)), []));
  }
});
