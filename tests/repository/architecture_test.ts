/** Checks of ARCHITECTURE.md against the code: its files, and the state between calls. */

import { assert, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { projectRoot } from "../support/environment.ts";
import { filesBelow } from "../support/files.ts";

const PAGE = Deno.readTextFileSync(new URL("ARCHITECTURE.md", projectRoot));

/** Names of the files in `parser/`. */
const PARSER_FILES = filesBelow("parser/");

/** Files whose state between calls the page lists. */
const STATEFUL_FILES = [...PARSER_FILES, "parse_binary.ts", "validate_binary.ts", "parse_stream.ts"];

/** Records that never change. */
const CONSTANT_RECORDS = new Set([
  "CHOICES",

  "FAILED",
  "MESSAGES",
  "MISSING",
  "NO_OPTIONS",
  "NO_SHAPE",
  "SUSPENDED",
  "NO_VALUE",
  "RANGE",
]);

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

/**
 * Returns `file: name` of the state that a module declares outside of functions: each variable by
 * `let`, and each record by `const`, made by a literal or by a function named `new…`.
 */
function declaredState(file: string, source: string): string[] {
  const variables = Array.from(source.matchAll(/^(?:export )?let (.*)$/gm), ([line, rest]) => {
    const [, name] = /^(\w+)(?:: [^=]+)? = [^,]+(?:\(.*\))?;$/.exec(rest) ?? [];
    assert(name, `${file}: cannot tell which variables this declares: ${line}`);
    return name;
  });
  const records = source.matchAll(
    /^(?:export )?const (\w+)(?:: [^=]+?)? = (?:\/\* @__PURE__ \*\/ )?(?:\{|new[A-Z]\w*\()/gm,
  );
  const names = [...variables, ...Array.from(records, ([, name]) => name)];
  return names.filter((name) => !CONSTANT_RECORDS.has(name)).map((name) => `${file}: ${name}`);
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

describe("functions compiled at load", () => {
  it("are marked as pure, so that bundlers can drop them", () => {
    const files = [...PARSER_FILES, ...STATEFUL_FILES];
    const unmarked = files.flatMap((file) => {
      const source = Deno.readTextFileSync(new URL(file, projectRoot));
      return Array.from(source.matchAll(/^(?:export )?const (\w+)(?:: [^=]+)? = \(function/gm), ([, name]) => {
        return `${file}: ${name}`;
      });
    });
    assertEquals(unmarked, []);
  });

  it("state their type once", () => {
    let count = 0;
    for (const file of PARSER_FILES) {
      const source = Deno.readTextFileSync(new URL(file, projectRoot));
      for (const { 0: call, index } of source.matchAll(/\.valueOf\(\)[^;]*;/g)) {
        const before = source.slice(0, index);
        const [, checked] = /satisfies ([\w<>| ]+)\)$/.exec(before) ?? [];
        assertEquals(call, `.valueOf() as ${checked};`, `${file}: ${before.split("\n").at(-1)}${call}`);
        count++;
      }
    }
    assert(count > 50, `found only ${count}`);
  });
});
