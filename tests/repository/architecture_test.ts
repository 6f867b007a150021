/** Checks of ARCHITECTURE.md against the code. */

import { assert, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { projectRoot } from "../support/environment.ts";

const PAGE = Deno.readTextFileSync(new URL("ARCHITECTURE.md", projectRoot));

/** Returns the code spans of Markdown that are paths of TypeScript files or of folders. */
function pathsIn(markdown: string): string[] {
  const spans = Array.from(markdown.matchAll(/`([^`\n]+)`/g), ([, span]) => span);
  return [...new Set(spans.filter((span) => /^[\w./-]+(?:\.ts|\/)$/.test(span)))];
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
  it("names no file or folder that does not exist", () => {
    const named = pathsIn(PAGE);
    assert(named.includes("parser/") && named.includes("cli.ts"), `found only ${named}`);
    assertEquals(named.filter((path) => !exists(path)), []);
  });
});
