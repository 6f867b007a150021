/**
 * Imports between the modules of the repository: static, type-only and dynamic ones, and workers.
 */

import { assert, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { blocksOf, userPages } from "../../tools/blocks.ts";
import { projectRoot } from "../support/environment.ts";

/** Modules that a module imports. */
interface Imports {
  /** By `import` and `export … from`. */
  static: Set<string>;
  /** By `import type`. */
  type: Set<string>;
  /** By `import()`, or as a worker. */
  dynamic: Set<string>;
}

/** Imports of each module of a folder, by path relative to the folder. */
type Graph = Map<string, Imports>;

/** Folders without modules of the repository. */
const FOREIGN = new Set(["dist", "node_modules"]);

/**
 * Statements that import, and modules that are loaded later, in benches by a `load` of their own.
 */
const STATEMENT = /^(?:import|export) (type )?(?:[^;"]* from )?"([^"]+)"(?: with \{.*\})?;$/gm;
const LATER = /\b(?:import|load)\("([^"]+)"\)|new Worker\(\s*new URL\("(\.{1,2}\/[^"]+)", import\.meta\.url\)/g;

/** Returns the paths of the modules in a folder, relative to it. */
function modulesIn(folder: URL, path = ""): string[] {
  return [...Deno.readDirSync(new URL(path, folder))].flatMap(({ name, isDirectory }) => {
    if (name.startsWith(".") || FOREIGN.has(name)) return [];
    if (isDirectory) return modulesIn(folder, `${path}${name}/`);
    return name.endsWith(".ts") ? [path + name] : [];
  });
}

/** Reads the imports of all modules in a folder. */
function readGraph(folder: URL): Graph {
  return new Map(
    modulesIn(folder).map((path) => {
      const source = Deno.readTextFileSync(new URL(path, folder));
      const pathOf = (specifier: string): string =>
        specifier.startsWith(".") ? new URL(specifier, new URL(path, folder)).href.replace(folder.href, "") : specifier;
      const imports: Imports = { static: new Set(), type: new Set(), dynamic: new Set() };
      for (const [, type, specifier] of source.matchAll(STATEMENT)) {
        imports[type ? "type" : "static"].add(pathOf(specifier));
      }
      for (const [, module, worker] of source.matchAll(LATER)) imports.dynamic.add(pathOf(module ?? worker));
      return [path, imports];
    }),
  );
}

function importsOf(graph: Graph, path: string, ...kinds: (keyof Imports)[]): string[] {
  const imports = graph.get(path);
  return imports === undefined ? [] : kinds.flatMap((kind) => [...imports[kind]]);
}

/** Returns the modules that loading some modules loads, by imports of these kinds. */
function reachable(graph: Graph, from: readonly string[], ...kinds: (keyof Imports)[]): Set<string> {
  const seen = new Set(from);
  for (const path of seen) for (const next of importsOf(graph, path, ...kinds)) seen.add(next);
  return seen;
}

/** Finds circles of imports, one for each way in, such as `a.ts → b.ts → a.ts`. */
function findCircles(graph: Graph): string[] {
  const circles: string[] = [];
  const done = new Set<string>();
  const visit = (path: string, above: readonly string[]): void => {
    const start = above.indexOf(path);
    if (start >= 0) circles.push([...above.slice(start), path].join(" → "));
    if (start >= 0 || done.has(path)) return;
    for (const next of importsOf(graph, path, "static", "type", "dynamic")) visit(next, [...above, path]);
    done.add(path);
  };
  for (const path of [...graph.keys()].sort()) visit(path, []);
  return circles;
}

const graph = readGraph(projectRoot);

const config = JSON.parse(Deno.readTextFileSync(new URL("deno.json", projectRoot)));

/** Returns the modules that the package exports. */
function entryPoints(): string[] {
  return Object.values<string>(config.exports).map((path) => path.slice(2));
}

/** Returns the modules that the TypeScript blocks of the pages for users import. */
function blockImports(): string[] {
  const blocks = userPages().flatMap((page) => blocksOf(page, "ts"));
  return blocks.flatMap(({ code }) => Array.from(code.matchAll(/ from "([^"]+)"/g), ([, specifier]) => specifier));
}

describe("names of deno.json", () => {
  const importedIn = (folder: string): Set<string> => {
    const paths = [...graph.keys()].filter((path) => path.startsWith(folder));
    return new Set(paths.flatMap((path) => importsOf(graph, path, "static", "type", "dynamic")));
  };

  it("are imported, each by a module", () => {
    const all = importedIn("");
    assertEquals(Object.keys(config.imports).filter((name) => !all.has(name)), []);
  });

  it("of a folder are imported in it, or by a block of a page, which has those of the tests", () => {
    for (const [folder, names] of Object.entries<Record<string, string>>(config.scopes)) {
      const all = importedIn(folder.slice(2));
      if (folder === "./tests/") { for (const name of blockImports()) all.add(name); }
      // Types of a package stand for it: `@types/express` for `express`.
      const isImported = (name: string): boolean => all.has(name.replace("@types/", ""));
      assertEquals(Object.keys(names).filter((name) => !isImported(name)), [], folder);
    }
  });
});

describe("imports", () => {
  it("of the repository have no cycle", () => {
    assertEquals(findCircles(graph), []);
  });

  it("of the library stay within it, and are static or type-only", () => {
    const entries = entryPoints().filter((path) => path !== "cli.ts");
    assert(entries.includes("mod.ts"));
    const all = reachable(graph, entries, "static", "type", "dynamic");
    // Types of Hono's own let it infer what handlers get.
    assertEquals(importsOf(graph, "middleware/hono.ts", "type").includes("hono"), all.delete("hono"));
    assertEquals(
      [...all].filter((path) => !/^(?:parser\/\w+\/|middleware\/)?\w+\.ts$/.test(path) || path === "cli.ts"),
      [],
    );
    assertEquals([...all].filter((path) => graph.get(path)!.dynamic.size > 0), []);
  });

  it("of `check` load neither benchmarks nor what measures", () => {
    const check = reachable(graph, ["cli/check/check_command.ts", "cli/check/worker.ts"], "static", "dynamic");
    const start = reachable(graph, ["cli.ts", "cli/command_line.ts"], "static");
    assert(check.has("cli/diagnostics/diagnostic_validator.ts") && start.has("cli/arguments.ts"));
    // Sizes are formatted by the measuring kit, in a module that imports nothing.
    const measuring = /^(?:bench|tests|cli\/bench|measure\/(?!byte_format\.ts$))/;
    assertEquals([...check, ...start].filter((path) => measuring.test(path)), []);
  });

  it("of the parser go from upper layers to lower ones", () => {
    const rooms = Array.from(
      Deno.readTextFileSync(new URL("ARCHITECTURE.md", projectRoot)).matchAll(/^(?:####|\|) `parser\/(\w+)\/`/gm),
      ([, room]) => room,
    );
    const roomOf = (path: string): string | undefined => /^parser\/(\w+)\//.exec(path)?.[1];
    const inRooms = [...graph.keys()].filter((path) => path.startsWith("parser/"));
    assertEquals([...new Set(inRooms.map(roomOf))].sort(), rooms.toSorted());
    const upwards = inRooms.flatMap((path) =>
      importsOf(graph, path, "static", "type", "dynamic")
        .filter((next) => roomOf(next) !== undefined && rooms.indexOf(roomOf(next)!) < rooms.indexOf(roomOf(path)!))
        .map((next) => `${path} → ${next}`)
    );
    assertEquals(upwards, []);
    // Public files that rooms import are leaves.
    const publicOf = (...kinds: (keyof Imports)[]): string[] =>
      [...new Set(inRooms.flatMap((path) => importsOf(graph, path, ...kinds)))].filter((path) => !roomOf(path)).sort();
    assertEquals(publicOf("static", "dynamic"), ["detach.ts"]);
    assertEquals(publicOf("type"), ["slice.ts"]);
    assertEquals(importsOf(graph, "detach.ts", "static", "type", "dynamic"), []);
    assertEquals([...new Set(importsOf(graph, "slice.ts", "static", "type", "dynamic").map(roomOf))], [rooms.at(-1)]);
  });

  it("of the command line from the parser are two entry points", () => {
    const own = [...graph.keys()].filter((path) => /^cli\b/.test(path));
    const internals = own.flatMap((path) => importsOf(graph, path, "static", "type", "dynamic"))
      .filter((path) => path.startsWith("parser/"));
    assertEquals(
      [...new Set(internals)].sort(),
      ["parser/streaming/cli_internals.ts", "parser/streaming/validator_state.ts"],
    );
  });

  it("of the command line are its own", () => {
    const all = reachable(graph, ["cli.ts"], "static", "dynamic");
    assertEquals([...all].filter((path) => !path.endsWith(".ts") && !/^(?:node:\w+|deno\.json)$/.test(path)), []);
  });

  it("go one way: from tests to benches to the measuring kit, and from the command line to the kit", () => {
    const between = (from: RegExp, to: RegExp): string[] =>
      [...graph.keys()].filter((path) => from.test(path)).flatMap((path) =>
        importsOf(graph, path, "static", "type", "dynamic").filter((next) => to.test(next))
          .map((next) => `${path} → ${next}`)
      );
    assertEquals(between(/^measure\//, /^(?:cli|bench|tests|tools)\b/), []);
    assertEquals(between(/^bench\//, /^(?:cli|tests)\b/), []);
    assertEquals(between(/^tools\//, /^bench\//), []);
    assertEquals(between(/^cli\b/, /^(?:bench|tests|tools)\//), []);
    assertEquals(between(/^site\//, /^(?:bench|tests|tools)\//), []);
    assertEquals(between(/^(?!site\/|tests\/)/, /^site\//), []);
  });
});
