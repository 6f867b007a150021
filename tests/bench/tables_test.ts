/** Tests of `deno task bench tables`: tables in pages, and the text that results become. */

import { assert, assertAlmostEquals, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { fileURLToPath } from "node:url";
import { renderChart } from "../../bench/support/chart.ts";
import { findBlock, imageOf, missingQuotes, type Quote, type Table } from "../../bench/support/markdown_page.ts";
import { describeStamps, readResult, storeResult } from "../../bench/support/results.ts";
import { describeSelf, meanDifference } from "../../bench/support/self.ts";
import { publishedBenches, shownResults } from "../../bench/tables.ts";
import { withFolder } from "../../tools/programs.ts";
import { projectRoot, runDeno } from "../support/environment.ts";
import { copy } from "../support/files.ts";
import { assertRefusal } from "../support/outcomes.ts";

/** Reads the text of the first measured block under a heading. */
function readBlock(page: string, heading: string): string {
  const [begin, end] = findBlock(page, heading);
  return page.slice(begin, end).trim();
}

/** Returns the headings that have a measured block under them. */
function measuredHeadings(page: string): string[] {
  const titles = [...page.matchAll(/^#+ (.*)$/gm)];
  return [...page.matchAll(new RegExp("^<!-- measured:", "gm"))].map(({ index }) =>
    titles.findLast((title) => title.index < index)?.[1] ?? ""
  );
}

/** Reads the table of the first measured block under a heading. It is empty if there is none. */
function readTable(page: string, heading: string): Table {
  const [begin, end] = findBlock(page, heading);
  const lines = page.slice(begin, end).split("\n").filter((line) => line.startsWith("|"));
  const [header = [], , ...rows] = lines.map((line) =>
    line.split(/(?<!\\)\|/).slice(1, -1).map((cell) => cell.trim().replaceAll("\\|", "|"))
  );
  return { header, rows };
}

/** Ratios, times below a second, speeds and shares: sizes are mostly those of inputs. */
const FIGURE = /\d[\d.,]*(?: to \d[\d.,]*)?(?:\s?(?:×|%|[GM]B\/s|MiB\/s|ms|µs|ns)(?!\w)| times\b)/g;

/** Figures that are no measurements of a run, by what they say. */
const OTHERS = [
  /above 1×|below 1×/, // how to read a ratio
  /2 × 32 MiB/, // the two halves of V8's young generation
  /time slice of 8 ms/, // the default of an option
  /answers 1\.2 to 1\.4 times the/, // words of docs/background.md for what others have published
];

/** Returns the figures in the prose of a page that no quote holds, with the words around them. */
function unboundFigures(page: string, text: string, all: readonly Quote[]): string[] {
  const blocks = /<!-- measured[^]*?<!-- \/measured -->|^```[^]*?^```/gm;
  let prose = text.replace(blocks, "").replaceAll(/\s+/g, " ");
  for (const { words } of all.filter((quote) => quote.page === page)) prose = prose.replaceAll(words, "…");
  return [...prose.matchAll(FIGURE)].map(({ index, 0: { length } }) =>
    prose.slice(Math.max(0, index - 24), index + length + 14)
  )
    .filter((words) => !OTHERS.some((other) => other.test(words)));
}

const folder = fileURLToPath(projectRoot);
const { blocks, quotes } = await shownResults(folder);

describe("pages", () => {
  const read = (page: string): string => Deno.readTextFileSync(new URL(page, projectRoot));
  const ofDocs = [...Deno.readDirSync(new URL("docs/", projectRoot))].filter(({ isFile }) => isFile);
  const pages = ["README.md", ...ofDocs.map(({ name }) => `docs/${name}`)];

  for (const [page, ofPage] of Map.groupBy(blocks, ({ page }) => page)) {
    it(`${page} shows the stored results`, () => {
      for (const { heading, content } of ofPage) {
        const stale = `${page}, ${heading}: run deno task bench tables --render`;
        if (typeof content === "object" && "bars" in content) {
          assertEquals(readBlock(read(page), heading), imageOf(content), stale);
          assertEquals(read(`docs/charts/${content.name}.svg`), renderChart(content), stale);
          continue;
        }
        const shown = typeof content === "string" ? readBlock(read(page), heading) : readTable(read(page), heading);
        assertEquals(shown, content, stale);
      }
    });
  }

  it("quote the stored results in their sentences", () => {
    const missing = missingQuotes(quotes, read).map(({ page, words }) => `${page}: ${words}`);
    assertEquals(missing, [], "other figures are stored");
  });

  it("quote no figure in their prose that is not a stored result", () => {
    for (const page of pages) assertEquals(unboundFigures(page, read(page), quotes), [], page);
    const text = "It runs at 1.23× the speed,\nand takes 4.5 ms. Means above 1× are fine.\n\n```\n9 ms\n```\n";
    const found = unboundFigures("a.md", text, [{ page: "a.md", words: "takes 4.5 ms" }]);
    assertEquals(found, ["It runs at 1.23× the speed, an"]);
  });

  it("show no measured block without stored figures", () => {
    const shown = pages.flatMap((page) => measuredHeadings(read(page)).map((heading) => `${page}: ${heading}`));
    assertEquals(shown.toSorted(), blocks.map(({ page, heading }) => `${page}: ${heading}`).toSorted());
    const charts = [...Deno.readDirSync(new URL("docs/charts/", projectRoot))].map(({ name }) => name);
    const rendered = blocks.flatMap(({ content }) =>
      typeof content === "object" && "bars" in content ? `${content.name}.svg` : []
    );
    assertEquals(charts.toSorted(), rendered.toSorted());
  });
});

describe("results", () => {
  const stamps = publishedBenches().then((benches) =>
    benches.map(({ name }) => ({ name, stamp: readResult(folder, name)!.stamp }))
  );

  it("come from one set of runtimes", async () => {
    const values = new Set((await stamps).map(({ stamp }) => String(stamp.runtimes)));
    assertEquals(values.size, 1, `${[...values].join(" and ")}: run deno task bench tables whole`);
    for (const { stamp } of await stamps) assertMatch(stamp.date, /^\d{4}-\d\d-\d\d$/);
  });

  it("are shown with the machine of each bench, where there are several", async () => {
    const [first, second, ...others] = await stamps;
    const on = (one: typeof first, machine: string, date: string) => ({
      ...one,
      stamp: { ...one.stamp, machine, date },
    });
    const day = "2026-11-26";
    const alike = [on(first, "A", day), on(second, "A", day)];
    assertMatch(describeStamps(alike), /5: on 2026-11-26, on A\. The/);
    const differing = describeStamps([...alike, on(others[0], "B", "2026-11-27")]).replaceAll("\n", " ");
    const names = [first, second].map(({ name }) => `\`${name}\``).join(", ");
    assertStringIncludes(differing, `: ${names} on ${day}, on A; \`${others[0].name}\` on 2026-11-27, on B. The`);
  });
});

describe("the same code against itself", () => {
  it("differs by the mean of all differences, whatever their direction", () => {
    assertAlmostEquals(meanDifference([[1, 1.1], [1.1, 1], [2, 2.2]]), 0.1);
  });

  it("makes a run report a machine that is too busy, from 5 % on", () => {
    assertMatch(describeSelf(0.049), /by 4\.9 % in the mean$/);
    assertMatch(describeSelf(0.051), /too busy for true figures$/);
  });
});

describe("deno task bench tables", () => {
  const tables = (options: string[], env?: Record<string, string>) =>
    runDeno(["run", "--quiet", "--import-map=imports.npm.json", "--allow-all", "bench/tables.ts", ...options], env);

  /** Calls something with a folder that has copies of the pages and of the results. */
  function withCopy(use: (folder: string) => Promise<void>): Promise<void> {
    return withFolder(async (folder) => {
      for (const path of ["README.md", "docs", "bench/results"]) copy(new URL(path, projectRoot), `${folder}/${path}`);
      await use(folder);
    });
  }

  it("renders one stored figure into every page that shows it", async () => {
    await withCopy(async (folder) => {
      const result = readResult(folder, "select")!;
      const { groups } = result.report as { groups: { mean: number }[] };
      groups[0].mean = 7.654321987;
      storeResult(folder, "select", result);
      const { success, output } = await tables(["--render", "--folder", folder]);
      assert(success, output);
      const before = readTable(Deno.readTextFileSync(new URL("docs/select.md", projectRoot)), "Selecting");
      const page = Deno.readTextFileSync(`${folder}/docs/select.md`);
      before.rows[0][2] = "7.65×";
      assertEquals(readTable(page, "Selecting"), before);
      assertStringIncludes(page, "Well-known files run at 7.65×");
      assertStringIncludes(
        Deno.readTextFileSync(`${folder}/README.md`),
        "well-known files is 7.7 times as fast as native",
      );
      const pages = Array.from(Deno.readDirSync(`${folder}/docs`), ({ name }) => `docs/${name}`);
      for (const path of pages.filter((path) => /\.md$/.test(path) && path !== "docs/select.md")) {
        const text = Deno.readTextFileSync(`${folder}/${path}`);
        assertEquals(text, Deno.readTextFileSync(new URL(path, projectRoot)), "other pages stay as they are");
      }
    });
  });

  it("renders the rest if a bench fails, and keeps its results", async () => {
    await withCopy(async (folder) => {
      Deno.writeTextFileSync(`${folder}/docs/charts/speed-corpus.svg`, "");
      const before = Deno.readTextFileSync(`${folder}/bench/results/http.json`);
      const { success, output } = await tables(["--quick", "--folder", folder, "http"], { PATH: "" });
      assertEquals(success, false);
      assertStringIncludes(output, "http: Cannot measure: ");
      assertStringIncludes(output, "Not measured: http");
      assertEquals(Deno.readTextFileSync(`${folder}/bench/results/http.json`), before);
      assert(Deno.readTextFileSync(`${folder}/docs/charts/speed-corpus.svg`).startsWith("<svg"));
    });
  });

  it("reports in one line what it cannot do", async () => {
    assertRefusal(await tables(["nothing"]), "Cannot measure nothing: there are compare, ");
    assertRefusal(await tables(["--faster"]), "--faster");
  });
});
