/** What the build makes of the sources: `tools/build/`. */

import { SourceMap, type SourceMapping } from "node:module";
import { assert, assertEquals, assertMatch, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { readStartUp, START_UP_FILE, transform } from "../../tools/build/transform.ts";
import { findStartUp } from "../../tools/build/start_up.ts";
import { projectRoot, runDeno } from "../support/environment.ts";

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
  it("makes constants of listed functions and of imports, above what runs at load", () => {
    const { code, lines } = transform(SOURCE, "x.ts", startUp, "source");
    assertEquals(
      code,
      `/** Module. */

import { a as a$, type B, c as d$ } from "./a.ts";
import type { E } from "./e.ts"; const a = a$; const d = d$;
/** Returns a. */
export const second = (function second(b: B): E {
  return a(b, d);
}).valueOf();
const first = (function first() {
  return { x: [1] };
}).valueOf();

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
      [SOURCE.replace("function first", "async function first"), "x.ts:13: first is no plain function"],
      [SOURCE.replace("function first", "function other"), "x.ts:5: expected one declaration of first, found 0"],
      [`${SOURCE}function first() {\n}\n`, "x.ts:5: expected one declaration of first, found 2"],
      [SOURCE.replace("{ a, type B, c as d }", "* as a"), "x.ts:3: expected named imports at the top"],
      [`${SOURCE}import { z } from "./z.ts";`, "x.ts:16: expected named imports at the top"],
    ];
    for (const [source, message] of wrong) {
      assertThrows(() => transform(source, "x.ts", startUp, "source"), Error, message);
    }
  });
});

describe("the functions compiled at load", () => {
  it("are those that first calls run", async () => {
    assertEquals(await findStartUp(), Deno.readTextFileSync(new URL(START_UP_FILE, projectRoot)));
  });

  it("are in parentheses in the package, whose source maps lead to the sources", async () => {
    const folder = await Deno.makeTempDir();
    try {
      const args = ["--quiet", "--import-map=imports.npm.json", "--allow-all", "tools/build.ts", "--folder", folder];
      const { success, output } = await runDeno(["run", ...args]);
      assert(success, output);
      const list = readStartUp(Deno.readTextFileSync(new URL(START_UP_FILE, projectRoot)));
      const missing = new Set([...list].flatMap(([path, names]) => [...names].map((name) => `${path}: ${name}`)));
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
          missing.delete(`${path}: ${name}`);
        }
      }
      assertEquals([...missing], []);
    } finally {
      await Deno.remove(folder, { recursive: true });
    }
  });
});
