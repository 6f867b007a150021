/**
 * Checks of the output of the commands in docs/migration.md. Its programs run with other examples.
 */

import { assert, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { runCli } from "../support/cli.ts";
import { projectRoot } from "../support/environment.ts";

/** A command of a page, and its output there. */
interface Command {
  line: string;
  output: string;
}

/** Reads the commands of a page's consoles: each begins with `$ `. */
function commandsOf(page: string): Command[] {
  const consoles = [...page.matchAll(/^```console\n([^]*?)^```$/gm)].map(([, text]) => text);
  return consoles.flatMap((text) =>
    text.split(/^\$ /m).slice(1).map((part) => {
      const end = part.indexOf("\n");
      return { line: part.slice(0, end), output: part.slice(end + 1) };
    })
  );
}

/** Splits a command into words. Those in single quotes are one word. */
function wordsOf(line: string): string[] {
  return [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain);
}

describe("docs/migration.md", () => {
  it("shows what commands print", async () => {
    const commands = commandsOf(Deno.readTextFileSync(new URL("docs/migration.md", projectRoot)));
    const folder = await Deno.makeTempDir();
    try {
      let ran = 0;
      for (const { line, output } of commands) {
        const [program, ...args] = wordsOf(line);
        if (program === "cat") {
          await Deno.writeTextFile(`${folder}/${args[0]}`, output);
          continue;
        }
        assertEquals(program, "bytejson");
        const { code, stdout, stderr } = await runCli(folder, args);
        assertEquals({ line, code, stdout, stderr }, { line, code: 0, stdout: output, stderr: "" });
        ran++;
      }
      assert(ran >= 4, `only ${ran} commands`);
    } finally {
      await Deno.remove(folder, { recursive: true });
    }
  });
});
