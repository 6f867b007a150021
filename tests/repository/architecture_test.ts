/** Checks of ARCHITECTURE.md against the code: its files, and the state between calls. */

import { assert, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { projectRoot } from "../support/environment.ts";
import { filesBelow } from "../support/files.ts";

const PAGE = Deno.readTextFileSync(new URL("ARCHITECTURE.md", projectRoot));

/** Names of the files in `parser/`. */
const PARSER_FILES = filesBelow("parser/");

/** Files whose state between calls the page lists. */
const STATEFUL_FILES = [...PARSER_FILES, "parse_binary.ts"];

/** Returns the code spans of Markdown that are paths of TypeScript files or of folders. */
function pathsIn(markdown: string): string[] {
  const spans = Array.from(markdown.matchAll(/`([^`\n]+)`/g), ([, span]) => span);
  return [...new Set(spans.filter((span) => /^[\w./-]+(?:\.ts|\/)$/.test(span)))];
}

/** Returns the text under a heading, up to the next one of its level. */
function sectionOf(markdown: string, heading: string): string {
  const [, section] = markdown.split(`\n## ${heading}\n`);
  assert(section !== undefined, `there is no section "${heading}"`);
  return section.split("\n## ")[0];
}

/** Returns `file: name` of each row of the table of state. */
function listedState(section: string): string[] {
  return Array.from(section.matchAll(/^\| `(\w+)` +\| `([\w./]+)` +\|/gm), ([, name, file]) => `${file}: ${name}`);
}

/** Returns `file: name` of each variable that a module declares by `let`, outside of functions. */
function declaredState(file: string, source: string): string[] {
  return Array.from(source.matchAll(/^(?:export )?let (.*)$/gm), ([line, rest]) => {
    const [, name] = /^(\w+)(?:: [^=]+)? = [^,]+(?:\(.*\))?;$/.exec(rest) ?? [];
    assert(name, `${file}: cannot tell which variables this declares: ${line}`);
    return `${file}: ${name}`;
  });
}

function exists(path: string): boolean {
  try {
    const { isDirectory } = Deno.statSync(new URL(path, projectRoot));
    return isDirectory === path.endsWith("/");
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}

describe("ARCHITECTURE.md", () => {
  it("names each file of parser/", () => {
    const named = pathsIn(PAGE);
    assertEquals(PARSER_FILES.filter((file) => !named.includes(file)), []);
  });

  it("names no file or folder that does not exist", () => {
    const named = pathsIn(PAGE);
    assert(named.includes("parser/") && named.includes("mod.ts"), `found only ${named}`);
    assertEquals(named.filter((path) => !exists(path)), []);
  });

  it("lists the state between calls as the modules declare it", () => {
    const declared = STATEFUL_FILES.flatMap((file) => {
      return declaredState(file, Deno.readTextFileSync(new URL(file, projectRoot)));
    });
    assert(declared.length > 0);
    assertEquals(listedState(sectionOf(PAGE, "State between calls")).sort(), declared.sort());
  });
});
