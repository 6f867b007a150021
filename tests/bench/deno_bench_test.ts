/** Tests of `deno bench`: the files it finds, and what it prints of them. */

import { assert, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { projectRoot, runDeno } from "../support/environment.ts";
import { describeLong } from "../support/long.ts";

/** Names of files that `deno bench` takes for benches. */
const BENCH_NAME = /(?:^|[._])bench\.(?:ts|tsx|mts|js|mjs|jsx)$/;

/** Returns the paths of the files in a folder, relative to the project's root. */
function filesIn(folder: string): string[] {
  return [...Deno.readDirSync(new URL(folder, projectRoot))].flatMap(({ name, isDirectory }) => {
    if (name.startsWith(".") || name === "dist" || name === "node_modules") return [];
    return isDirectory ? filesIn(`${folder}${name}/`) : [folder + name];
  });
}

/** Result of a bench, as far as `--json` is read here. */
interface BenchOutput {
  group: string;
  name: string;
  baseline: boolean;
  results: { ok?: { n: number }; failed?: unknown }[];
}

/** Runs the benches with a name, and returns what `--json` prints. */
async function runBenches(name: string, ...options: string[]): Promise<BenchOutput[]> {
  const args = ["bench", "--quiet", "--no-prompt", "--json", "--import-map=imports.npm.json", `--filter=/^(${name})$/`];
  const { success, output } = await runDeno([...args, ...options]);
  assert(success, output);
  // The files name, before the report, the rows that they leave out.
  return JSON.parse(output.slice(output.indexOf("{\n"))).benches;
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
    const benches = await runBenches("detach|validateBinary");
    const measured = benches.filter(({ results }) => results[0].ok !== undefined).map(({ group }) => group);
    assertEquals(measured.toSorted(), [
      "1 B",
      "1000 × buffers of 1 KiB",
      "3 KB",
      "31 B",
      "512 B",
      "accented text",
      "floats of 17 digits",
      "records",
      "sentences",
    ]);
  });
});
