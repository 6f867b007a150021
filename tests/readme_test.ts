/** What the README says of the project, against the project. Its examples run with those of the documentation. */

import { assert, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { sample } from "../bench/sample.ts";
import { projectRoot } from "./support/environment.ts";

function read(path: string): string {
  return Deno.readTextFileSync(new URL(path, projectRoot));
}

const readme = read("README.md");

/** The last code block that has these words in it. */
function block(text: string, words: string): string | undefined {
  const blocks = text.matchAll(/^```.*\n([^]*?)^```$/gm);
  return [...blocks].map(([, content]) => content).findLast((content) => content.includes(words));
}

describe("README", () => {
  it("begins with its two commands, each alone on a line, on a document of the repository", () => {
    const commands = readme.match(/^npx .*$/gm)!.slice(0, 2);
    assertEquals(commands, [
      "npx -y deno@2.9.6 task cli bench bench/sample.json",
      "npx -y deno@2.9.6 task test",
    ]);
    for (const command of commands) assertEquals(block(readme, command), `${command}\n`);
  });

  it("has that document as the task writes it", () => {
    assert(read("bench/sample.json") === sample(), "bench/sample.json is not what `deno task sample` writes");
  });

  it("lists every code of a failure", () => {
    const [, union] = /^export type FailureCode =([^;]*);/m.exec(read("parser/failure.ts"))!;
    const codes = [...union.matchAll(/"(.+)"/g)].map(([, code]) => code);
    const [, table] = /^\| code .*\n\|.*\n((?:\|.*\n)+)/m.exec(readme)!;
    assertEquals([...table.matchAll(/^\| `(.+?)`/gm)].map(([, code]) => code).sort(), codes.sort());
  });

  it("lists every entry point", () => {
    const { name, exports } = JSON.parse(read("deno.json"));
    const [, table] = /^\| import .*\n\|.*\n((?:\|.*\n)+)/m.exec(readme)!;
    assertEquals(
      [...table.matchAll(/^\| `(.+?)`/gm)].map(([, specifier]) => specifier.replace(name, ".")).sort(),
      Object.keys(exports).sort(),
    );
  });

  it("lists every kind of detach", () => {
    const [, union] = /^export type DetachKind = (.*);$/m.exec(read("detach.ts"))!;
    const [, table] = /^\| `detach.kind` .*\n\|.*\n((?:\|.*\n)+)/m.exec(readme)!;
    assertEquals([...table.matchAll(/^\| `(".+?")`/gm)].map(([, kind]) => kind).join(" | "), union);
  });

  it("gives the declarations that the polyfill's documentation gives", () => {
    const documentation = read("polyfill.ts").replaceAll(/^ \* ?/gm, "");
    const declarations = block(documentation, "declare global");
    assert(declarations);
    assertEquals(block(readme, "declare global"), declarations);
  });

  it("names tasks that exist", () => {
    const { tasks } = JSON.parse(read("deno.json"));
    for (const [, task] of readme.matchAll(/deno(?:@[\d.]+)? task (\w+)/g)) assert(task in tasks, task);
  });
});
