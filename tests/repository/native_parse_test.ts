/** Places that may name `JSON.parse`: the library has one parser, whose keys are right. */

import { assertEquals } from "@std/assert";
import { it } from "@std/testing/bdd";
import { projectRoot } from "../support/environment.ts";
import { filesBelow } from "../support/files.ts";

/** Lines of code that do, with what they parse. */
const ALLOWED: Record<string, string> = {
  "cli/bench/process_runner.ts": "output of the command line's own processes",
  "cli/check/quick_check.ts": "small files, whose values are dropped",
  "cli/diagnostics/hints.ts": "a hint that names it",
};

/** Returns a source without comments and strings. */
function codeOf(source: string): string {
  return source.replace(/\/\*[^]*?\*\/|(?<!:)\/\/.*|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`/g, "");
}

it("the library and the command line parse by the engine in the listed places only", () => {
  const publicFiles = Array.from(Deno.readDirSync(projectRoot), ({ name }) => name).filter((name) =>
    /\.ts$/.test(name)
  );
  const files = ["parser/", "middleware/", "cli/"].flatMap((folder) => filesBelow(folder)).concat(publicFiles);
  const naming = files.filter((file) => {
    const code = codeOf(Deno.readTextFileSync(new URL(file, projectRoot)));
    return /\bJSON\s*\.\s*parse\b|\bJSON\s*\[|\bparse\b[^;\n]*\}\s*=\s*JSON|\.json\(\)/.test(code);
  });
  assertEquals(naming.sort(), Object.keys(ALLOWED).sort());
});
