/** Tests of `deno bench`: the files it finds, and what it prints of them. */

import { assert } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { projectRoot, runDeno } from "../support/environment.ts";
import { describeLong } from "../support/long.ts";

/** Result of a bench, as far as `--json` is read here. */
interface Bench {
  group: string;
  results: { ok?: unknown }[];
}

/** Names of files that `deno bench` takes for benches. */
const BENCH_NAME = /(?:^|[._])bench\.(?:ts|tsx|mts|js|mjs|jsx)$/;

/** Returns the paths of the files in a folder, relative to the project's root. */
function filesIn(folder: string): string[] {
  return [...Deno.readDirSync(new URL(folder, projectRoot))].flatMap(({ name, isDirectory }) => {
    if (name.startsWith(".") || name === "dist" || name === "node_modules") return [];
    return isDirectory ? filesIn(`${folder}${name}/`) : [folder + name];
  });
}

describe("deno bench", () => {
  it("finds benches only", async () => {
    const found = filesIn("./").filter((path) => BENCH_NAME.test(path));
    assert(found.includes("./bench/parse_bench.ts"));
    for (const path of found) {
      assert(/^\.\/bench\/\w+_bench\.ts$/.test(path), path);
      assert((await Deno.readTextFile(new URL(path, projectRoot))).match(/Deno\.bench\(/), path);
    }
  });
});

describeLong("deno bench", () => {
  it("needs no permissions", async () => {
    const args = ["bench", "--quiet", "--no-prompt", "--json", "--import-map=imports.npm.json"];
    const { success, output } = await runDeno([...args, "--filter=/^(detach|validateBinary)$/"]);
    assert(success, output);
    // The files name, before the report, the rows that they leave out.
    const { benches } = JSON.parse(output.slice(output.indexOf("{\n")));
    const groups = new Set(benches.filter(({ results: [{ ok }] }: Bench) => ok).map(({ group }: Bench) => group));
    for (const group of ["1000 × buffers of 1 KiB", "31 B", "records"]) assert(groups.has(group), group);
  });
});
