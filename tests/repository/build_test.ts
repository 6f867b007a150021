/** Output of the build in `tools/build/`. */

import { SourceMap, type SourceMapping } from "node:module";
import { fileURLToPath } from "node:url";
import { assert, assertEquals, assertGreater, assertLess, assertMatch, assertThrows } from "@std/assert";
import { after, before, describe, it } from "@std/testing/bdd";
import { constantImports, readStartUp, START_UP_FILE, transform } from "../../tools/build/transform.ts";
import { findStartUp } from "../../tools/build/start_up.ts";
import { projectRoot, runDeno } from "../support/environment.ts";
import { folderOf } from "../support/files.ts";
import { describeLong } from "../support/long.ts";
import { builtPackage } from "../support/npm_project.ts";

const SOURCE = `/** Module. */

import { a, type B, c as d } from "./a.ts";
import type { E } from "./e.ts";

const x = first();

/** Returns a. */
export function second(b: B): E {
  return a(b, d);
}

function first() {
  return { x: [1] };
}
`;

const startUp = readStartUp("x.ts: first second");

describe("transform()", () => {
  it("makes constants of listed functions, above what runs at load", () => {
    const { code, lines } = transform(SOURCE, "x.ts", startUp);
    assertEquals(
      code,
      `/** Module. */

import { a, type B, c as d } from "./a.ts";
import type { E } from "./e.ts";
/** Returns a. */
export const second = (function second(b: B): E {
  return a(b, d);
});
const first = (function first() {
  return { x: [1] };
});

const x = first();


`,
    );
    assertEquals(lines.length, code.split("\n").length - 1);
    for (const [i, line] of code.split("\n").slice(4, 7).entries()) {
      assert(line.includes(SOURCE.split("\n")[lines[i + 4]].replace("function second", "").slice(-8)), line);
    }
  });

  it("refuses what it does not know, with file and line", () => {
    const wrong = [
      [SOURCE.replace("function first", "async function first"), "x.ts:13: first is not a plain function"],
      [SOURCE.replace("function first", "function other"), "x.ts:5: expected one declaration of first, found 0"],
      [`${SOURCE}function first() {\n}\n`, "x.ts:5: expected one declaration of first, found 2"],
      [SOURCE.replace("{ a, type B, c as d }", "* as a"), "x.ts:3: expected named imports at the top"],
      [`${SOURCE}import { z } from "./z.ts";`, "x.ts:16: expected named imports at the top"],
    ];
    for (const [source, message] of wrong) {
      assertThrows(() => transform(source, "x.ts", startUp), Error, message);
    }
  });
});

describe("constantImports()", () => {
  it("makes constants of wanted imports that are not exported again, in the same lines", () => {
    const head = `import { a, b, c as d, e } from "./a.js";\nimport { f } from "node:fs";\n`;
    assertEquals(
      constantImports(head, `${head}export { b };\n`, (name, from) => from.startsWith(".") && name !== "e"),
      `import { a as a$, b, c as d$, e } from "./a.js";\nimport { f } from "node:fs"; const a = a$; const d = d$;\n`,
    );
  });
});

describe("the functions compiled at load", () => {
  it("are those that first calls run", async () => {
    assertEquals(await findStartUp(), Deno.readTextFileSync(new URL(START_UP_FILE, projectRoot)));
  });
});

/** Runs a program that shows an effect on V8, with flags of V8. Resolves with what it prints. */
async function showEffect(effect: string, library: string, ...flags: string[]): Promise<string> {
  const options = ["--quiet", "--no-lock", "--no-check", `--config=${await builtPackage()}/deno.json`, "--allow-all"];
  const program = fileURLToPath(new URL("tests/processes/measure_engine_effects.ts", projectRoot));
  const v8Flags = flags.length === 0 ? [] : [`--v8-flags=${flags.join()}`];
  const { success, output } = await runDeno(["run", ...options, ...v8Flags, program, library, effect]);
  assert(success, output);
  return output;
}

/** Registers the tests of effects that V8 must show of the library in a folder. */
function itShowsEffects(library: () => string): void {
  it("has the young generation collected before large inputs, and their values kept young", async () => {
    const measure = async () => JSON.parse(await showEffect("collections", library()));
    let { count, left, aged } = await measure();
    // While other processes run, V8 may collect later: a library without the effect never shows it.
    for (let i = 0; i < 2 && left >= 1e6; i++) ({ count, left, aged } = await measure());
    assertGreater(count, 4);
    // Values of one document take 9 MB.
    assertLess(left, 1e6);
    assertLess(aged, 20e6);
  });

  it("deoptimises nothing by copied literals", async () => {
    const output = await showEffect("deoptimisations", library(), "--trace-deopt");
    const reasons = Array.from(output.matchAll(/bailout \(.*?reason: ([^)]*)/g), ([, reason]) => reason);
    assertGreater(reasons.length, 0, "as V8 learns");
    // "Copied literals" in ARCHITECTURE.md.
    assert(!reasons.includes("wrong map"), reasons.join());
  });
}

describe("the package", () => {
  let folder = "";

  before(async () => {
    folder = await builtPackage();
  });

  it("has source maps that lead to the sources of functions compiled at load", () => {
    for (const { name: file } of Deno.readDirSync(folder)) {
      if (!/^shared-.*\.js$/.test(file)) continue;
      const map = JSON.parse(Deno.readTextFileSync(`${folder}/${file}.map`));
      const places = new SourceMap(map);
      for (const [i, line] of Deno.readTextFileSync(`${folder}/${file}`).split("\n").entries()) {
        const name = /\b(\w+)(?:\$\d+)? = \(function\b/.exec(line)?.[1];
        if (name === undefined) continue;
        const { originalSource, originalLine } = places.findEntry(i, line.indexOf("function")) as SourceMapping;
        const path = originalSource.slice(originalSource.lastIndexOf("/parser/") + 1);
        const source = map.sourcesContent[map.sources.indexOf(originalSource)].split("\n");
        assertMatch(
          source[originalLine],
          new RegExp(`^(?:export )?function ${name}\\b`),
          `${path}:${originalLine + 1}`,
        );
      }
    }
  });

  itShowsEffects(() => folder);

  it("has compiled all functions of first calls at load, and run rare paths", async () => {
    using logs = folderOf({});
    await showEffect("first", folder, "--log-function-events", `--logfile=${logs.path}/v8.log`);
    const events = [...Deno.readDirSync(logs.path)]
      .flatMap(({ name }) => Deno.readTextFileSync(`${logs.path}/${name}`).split("\n"))
      .map((line) => line.split(",")).filter(([type]) => type === "function");
    const begin = events.findIndex(([, event, ...rest]) => event === "full-parse" && rest.at(-1) === "beginFirstCalls");
    assertGreater(begin, 0);
    const names = (from: number, to: number, event: string): Set<string> =>
      new Set(events.slice(from, to).filter(([, type]) => type.startsWith(event)).map((fields) => fields.at(-1)!));
    const inFirstCalls = names(begin, events.length, "full-parse");
    const listed = [...readStartUp(Deno.readTextFileSync(new URL(START_UP_FILE, projectRoot))).values()];
    const late = listed.flatMap((functions) => [...functions]).filter((name) => inFirstCalls.has(name));
    assertEquals(late, []);
    // "Warm-up of rare paths" in ARCHITECTURE.md.
    const atLoad = names(0, begin, "first-execution");
    assertEquals(["flushArray", "pushRun"].filter((name) => !atLoad.has(name)), []);
  });
});

describeLong("the package in a minified bundle", () => {
  let bundle: ReturnType<typeof folderOf>;

  before(async () => {
    bundle = folderOf({});
    const folder = await builtPackage();
    // As a user's bundler does: whatever looks useless is gone.
    const options = [`--config=${folder}/deno.json`, "--minify", `--output=${bundle.path}/index.js`];
    const { success, output } = await runDeno(["bundle", "--quiet", ...options, `${folder}/index.js`]);
    assert(success, output);
  });

  after(() => bundle[Symbol.dispose]());

  itShowsEffects(() => bundle.path);
});
