/** Recipes of docs/beyond-one-machine.md, with the tools that are installed. */

import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { commandLine, runCli } from "../support/cli.ts";
import { projectRoot } from "../support/environment.ts";
import { folderOf } from "../support/files.ts";

const PAGE = Deno.readTextFileSync(new URL("docs/beyond-one-machine.md", projectRoot));
const [PARALLEL, XARGS] = Array.from(PAGE.matchAll(/```sh\n([^]*?)```/g), ([, recipe]) => recipe);

/** Lines of a log, one of them bad. */
const lines = Array.from({ length: 5000 }, (_, i) => `{"level":"${i % 5 ? "info" : "error"}","n":${i}}\n`);
lines[776] = '{"n":\n';

/** Runs a recipe in a folder; `undefined`, and prints the reason, if its tool is not installed. */
async function runRecipe(folder: string, recipe: string, tool: string) {
  const found = await new Deno.Command("sh", { args: ["-c", `command -v ${tool}`], stdout: "null" }).output();
  if (!found.success) return console.log(`skipped: ${tool} is not installed`);
  const [program, args] = commandLine([]);
  const quoted = [program, ...args].map((word) => `'${word}'`).join(" ");
  Deno.mkdirSync(`${folder}/bin`);
  Deno.writeTextFileSync(`${folder}/bin/bytejson`, `#!/bin/sh\nexec ${quoted} "$@"\n`, { mode: 0o755 });
  const script = `export PATH="$PWD/bin:$PATH" HOME="$PWD" NO_COLOR=1\n${recipe}`;
  const command = new Deno.Command("sh", { args: ["-c", script], cwd: folder, stderr: "null" });
  const { code, stdout } = await command.output();
  return { code, stdout: new TextDecoder().decode(stdout) };
}

describe("recipes for several processes", () => {
  it("give with GNU parallel what one process gives, and fail if a line is bad", async () => {
    using folder = folderOf({ "app.jsonl": lines.join("") });
    const run = await runRecipe(folder.path, PARALLEL.replace("100M", "30k"), "parallel");
    if (run === undefined) return;
    const one = await runCli(folder.path, ["select", "--where", '/level="error"', "{n}", "app.jsonl"]);
    assertEquals([run.code, run.stdout], [1, one.stdout]);
  });

  it("give with xargs what one process gives of each file", async () => {
    using folder = folderOf({
      "logs/a.jsonl": lines.slice(0, 2000).join(""),
      "logs/b c.jsonl": lines.slice(2000).join(""),
    });
    const run = await runRecipe(folder.path, XARGS, "xargs");
    if (run === undefined) return;
    assertEquals(run.code, 123);
    for (const name of ["logs/a.jsonl", "logs/b c.jsonl"]) {
      const one = await runCli(folder.path, ["select", "{n}", name]);
      assertEquals(Deno.readTextFileSync(`${folder.path}/${name}.out`), one.stdout);
    }
  });
});
