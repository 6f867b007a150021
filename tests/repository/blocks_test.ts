/**
 * Tests of the code blocks of README.md and docs/: each runs as it stands there, in Deno and, with
 * the npm package, in Node.js, and prints what its comments say. Commands in consoles print what
 * follows them. The examples of doc comments run in the same process; `deno test --doc` would start
 * a worker for each.
 */

import { assert, assertEquals, assertMatch } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { blocksOf, docBlocksOf, importMap, userPages, writeBlocks } from "../../tools/blocks.ts";
import { runCli, wordsOf } from "../support/run_cli.ts";
import { filesBelow, folderOf } from "../support/files.ts";
import { findNode, NO_NODE, projectRoot, run, runDeno } from "../support/environment.ts";
import { npmProject } from "../support/npm_project.ts";
import { itUnless, type SkipReason } from "../support/skip.ts";

const PROGRAM = "tests/processes/run_blocks.ts";

const node = await findNode();
const noNode = await whyNoNode();

/** Resolves with the reason to skip tests of Node.js. */
async function whyNoNode(): Promise<SkipReason> {
  if (node === undefined) return NO_NODE;
  const { output } = await run(node, ["-p", "process.versions.v8"]);
  return parseFloat(output) < 13.6 && `V8 ${output.trim()} has right keys, and the README wrong ones`;
}

describe("code blocks", () => {
  it("print what their comments say in Deno, and those of doc comments do not throw", async () => {
    using folder = folderOf({ "imports.json": JSON.stringify(importMap()) });
    const top = Array.from(Deno.readDirSync(projectRoot), ({ name }) => name);
    const modules = [...top, ...filesBelow("middleware/"), ...filesBelow("parser/")];
    const examples = modules.filter((path) => path.endsWith(".ts")).flatMap(docBlocksOf);
    assert(examples.length > 40, `${examples.length} examples`);
    const length = writeBlocks(folder.path).length + writeBlocks(folder.path, examples).length;
    const args = ["run", "--quiet", "--no-check", "--allow-all", `--import-map=${folder.path}/imports.json`];
    const { output } = await runDeno([...args, PROGRAM, folder.path]);
    assertEquals(output, `${length} blocks\n`);
  });

  itUnless(noNode)("print the same in Node.js from the npm package", async () => {
    using project = await npmProject();
    if (project === undefined) return;
    const { length } = writeBlocks(project.path);
    const { output } = await run(node!, ["--no-warnings", PROGRAM, project.path]);
    assertEquals(output, `${length} blocks\n`);
  });

  it("can all run", () => {
    for (const page of userPages()) {
      for (const [, language] of Deno.readTextFileSync(new URL(page, projectRoot)).matchAll(/^```(.+)\n[^]*?^```$/gm)) {
        assert(["ts", "console", "sh", "py", "yaml"].includes(language), `${page}: ${language}`);
      }
    }
  });
});

describe("consoles", () => {
  for (const page of userPages()) {
    const consoles = blocksOf(page, "console");
    if (consoles.length === 0) continue;

    it(`of ${page} show what commands print`, async () => {
      using folder = folderOf({});
      for (const part of consoles.flatMap(({ code }) => code.split(/^\$ /m).slice(1))) {
        const end = part.indexOf("\n");
        const [line, output] = [part.slice(0, end), part.slice(end + 1)];
        const [program, ...args] = wordsOf(line);
        if (program === "cat") {
          Deno.writeTextFileSync(`${folder.path}/${args[0]}`, output);
          continue;
        }
        assertMatch(line.replaceAll(/'[^']*'/g, ""), /^bytejson [^|<>]+$/);
        const { stdout, stderr } = await runCli(folder.path, args);
        assertEquals({ line, output: stdout + stderr }, { line, output });
      }
    });
  }
});
