/**
 * Tests that measured figures in the prose of README.md and of the pages for users are quoted from
 * stored results.
 */

import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import type { Quote } from "../../bench/support/page.ts";
import { shownResults } from "../../bench/tables.ts";
import { projectRoot } from "../support/environment.ts";

/** Ratios, times below a second, speeds and shares: sizes are mostly those of inputs. */
const FIGURE = /\d[\d.,]*(?: to \d[\d.,]*)?(?:\s?(?:×|%|[GM]B\/s|MiB\/s|ms|µs|ns)(?!\w)| times\b)/g;

/** Figures that are no measurements of a run, by what they say. */
const OTHERS = [
  /above 1×|below 1×/, // how to read a ratio
  /2 × 32 MiB/, // the two halves of V8's young generation
  /time slice of 8 ms/, // the default of an option
  /answers 1\.2 to 1\.4 times the/, // words of docs/background.md for what others have published
];

/** Returns the figures of a page that no quote holds, with the words around them. */
function unboundFigures(page: string, text: string, all: readonly Quote[]): string[] {
  const blocks = /<!-- measured[^]*?<!-- \/measured -->|^```[^]*?^```/gm;
  let prose = text.replace(blocks, "").replaceAll(/\s+/g, " ");
  for (const { words } of all.filter((quote) => quote.page === page)) prose = prose.replaceAll(words, "…");
  return [...prose.matchAll(FIGURE)].map(({ index, 0: { length } }) =>
    prose.slice(Math.max(0, index - 24), index + length + 14)
  )
    .filter((words) => !OTHERS.some((other) => other.test(words)));
}

const { quotes: all } = await shownResults(fileURLToPath(projectRoot));

describe("prose", () => {
  const folder = [...Deno.readDirSync(new URL("docs/", projectRoot))].filter(({ isFile }) => isFile);

  for (const page of ["README.md", ...folder.map(({ name }) => `docs/${name}`)]) {
    it(`of ${page} has no measured figure but those of stored results`, () => {
      assertEquals(unboundFigures(page, Deno.readTextFileSync(new URL(page, projectRoot)), all), []);
    });
  }

  it("with other figures is found", () => {
    const text = "It runs at 1.23× the speed,\nand takes 4.5 ms. Means above 1× are fine.\n\n```\n9 ms\n```\n";
    assertEquals(unboundFigures("a.md", text, [{ page: "a.md", words: "takes 4.5 ms" }]), [
      "It runs at 1.23× the speed, an",
    ]);
    assertEquals(unboundFigures("b.md", "It takes 4.5 ms.", []), ["It takes 4.5 ms."]);
  });
});
