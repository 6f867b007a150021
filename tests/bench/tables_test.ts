/** Tests of `deno task bench tables`: tables in pages, and the text that results become. */

import { assert, assertAlmostEquals, assertEquals, assertMatch, assertStringIncludes, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { fileURLToPath } from "node:url";
import { renderChart } from "../../bench/support/chart.ts";
import { CLAIMS, OPERATIONS } from "../../bench/support/operations.ts";
import {
  findBlock,
  imageOf,
  missingQuotes,
  replaceBlock,
  replaceQuotes,
  type Table,
  wrapLongLines,
} from "../../bench/support/page.ts";
import { describeStamps, readResult, type Stamp, storeResult } from "../../bench/support/results.ts";
import { describeSelf, meanDifference } from "../../bench/support/self.ts";
import { publishedBenches, shownResults } from "../../bench/tables.ts";
import { projectRoot, runDeno } from "../support/environment.ts";
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

const PAGE = `# Page

## One

<!-- measured: the command above -->

| a |  b |
| - | -: |
| x |  1 |

<!-- /measured -->

## One more

<!-- measured: another command -->

<!-- /measured -->

## None
`;

describe("replaceBlock()", () => {
  it("replaces the table under a heading, and nothing else", () => {
    const page = replaceBlock(PAGE, "One more", { header: ["c", "d"], rows: [["y", "2|3"]] });
    const [before, after] = PAGE.split("another command -->\n\n");
    assertEquals(page, `${before}another command -->\n\n| c | d |\n| --- | ---: |\n| y | 2\\|3 |\n\n${after}`);
    assertEquals(readTable(page, "One"), { header: ["a", "b"], rows: [["x", "1"]] });
  });

  it("throws where there is no heading, or no table under it", () => {
    for (const [heading, words] of [["Two", "no heading 'Two'"], ["None", "none is under 'None'"]]) {
      assertThrows(() => replaceBlock(PAGE, heading, { header: [], rows: [] }), Error, words);
    }
  });
});

describe("wrapLongLines()", () => {
  it("wraps paragraphs and items of lists with long lines, and nothing else", () => {
    const words = Array(30).fill("word").join(" ");
    const kept =
      `# ${words}\n\n| ${words} |\n\n![${words}](a.svg)\n\nA short\nparagraph.\n\n\`\`\`\n${words}\n\`\`\`\n`;
    const wrapped = `${words.slice(0, 99)}\n${words.slice(100)}\n\n- short\n- ${words.slice(0, 94)}\n  ${
      words.slice(95)
    }\n`;
    assertEquals(wrapLongLines(`${kept}\n${words}\n\n- short\n- ${words}\n`), `${kept}\n${wrapped}`);
    const link = "([a link](b.md)),";
    assertEquals(wrapLongLines(`${words.slice(0, 94)} ${link} word\n`), `${words.slice(0, 94)}\n${link} word\n`);
  });
});

describe("claims", () => {
  it("are of ways that operations have", () => {
    for (const [claim, name, way, base] of CLAIMS) {
      const operation = OPERATIONS.find((operation) => operation.name === name);
      // Text of 4 MB, and buffers of 100 MiB, are made when they are asked for.
      const ways = Object.keys(operation?.ways() ?? {});
      assert(ways.includes(way) && ways.includes(base), claim);
    }
  });
});

const folder = fileURLToPath(projectRoot);
const { blocks, quotes } = await shownResults(folder);

describe("pages", () => {
  const read = (page: string): string => Deno.readTextFileSync(new URL(page, projectRoot));

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

  it("have no measured block whose figures are not stored", () => {
    const pages = [...Deno.readDirSync(new URL("docs/", projectRoot))].filter(({ isFile }) => isFile);
    const shown = ["README.md", ...pages.map(({ name }) => `docs/${name}`)].flatMap((page) =>
      measuredHeadings(read(page)).map((heading) => `${page}: ${heading}`)
    );
    assertEquals(shown.toSorted(), blocks.map(({ page, heading }) => `${page}: ${heading}`).toSorted());
    const charts = [...Deno.readDirSync(new URL("docs/charts/", projectRoot))].map(({ name }) => name);
    const rendered = blocks.flatMap(({ content }) =>
      typeof content === "object" && "bars" in content ? `${content.name}.svg` : []
    );
    assertEquals(charts.toSorted(), rendered.toSorted());
  });
});

describe("replaceQuotes()", () => {
  it("puts stored figures in the place of others, across the ends of lines, and leaves other words alone", () => {
    const { page, words } = quotes.find(({ words }) => /\d×/.test(words))!;
    const text = `Some words. ${words}. 9.99× more.\n`;
    const replaced = (text: string): string => {
      const pages = new Map([[page, text]]);
      replaceQuotes([{ page, words }], (page) => pages.get(page)!, (page, text) => pages.set(page, text));
      return pages.get(page)!;
    };
    const stale = text.replace(words, words.replace(/[\d.]+×/, "99×").replace(" ", "\n"));
    assertEquals([stale === text, replaced(stale).replaceAll(/\n(?=.)/g, " ")], [false, text]);
    assertEquals(replaced(text), text);
  });
});

describe("results", () => {
  const stamp: Stamp = { date: "2026-11-23", machine: "2 × CPU", runtimes: ["Deno 2.9.6"], seconds: 60, self: 0.012 };

  it("are stored with six digits", async () => {
    const folder = await Deno.makeTempDir();
    try {
      Deno.mkdirSync(`${folder}/bench/results`, { recursive: true });
      storeResult(folder, "a", { stamp, report: { rows: [{ x: 1.23456789 }] } });
      assertEquals(readResult(folder, "a"), { stamp, report: { rows: [{ x: 1.23457 }] } });
      assertEquals(readResult(folder, "b"), undefined);
    } finally {
      await Deno.remove(folder, { recursive: true });
    }
  });

  it("are of one machine and one set of runtimes", async () => {
    const stamps = (await publishedBenches()).map(({ name }) => readResult(folder, name)!.stamp);
    for (const member of ["machine", "runtimes"] as const) {
      const values = new Set(stamps.map((stamp) => String(stamp[member])));
      assertEquals(values.size, 1, `${[...values].join(" and ")}: run deno task bench tables whole`);
    }
    for (const { date } of stamps) assertMatch(date, /^\d{4}-\d\d-\d\d$/);
  });

  it("have their circumstances told in a sentence", () => {
    const other = { ...stamp, date: "2026-11-22", self: 0.03 };
    assertEquals(
      describeStamps([stamp, other]).replaceAll("\n", " "),
      "Measured from 2026-11-22 to 2026-11-23 with Deno 2.9.6, on 2 × CPU. " +
        "The same code differed from itself by at most 3.0 % in the mean.",
    );
  });
});

describe("the same code against itself", () => {
  it("differs by the mean of all differences, in whatever direction", () => {
    assertAlmostEquals(meanDifference([[1, 1.1], [1.1, 1], [2, 2.2]]), 0.1);
  });

  it("makes a run say that the machine is too busy, from 5 % on", () => {
    assertMatch(describeSelf(0.049), /by 4\.9 % in the mean$/);
    assertMatch(describeSelf(0.051), /too busy for true figures$/);
  });
});

/** Copies a file or folder of the project. */
function copy(path: string, folder: string): void {
  const from = new URL(path, projectRoot);
  if (Deno.statSync(from).isFile) return Deno.copyFileSync(from, `${folder}/${path}`);
  Deno.mkdirSync(`${folder}/${path}`, { recursive: true });
  for (const { name } of Deno.readDirSync(from)) copy(`${path}/${name}`, folder);
}

describe("deno task bench tables", () => {
  const tables = (options: string[], env?: Record<string, string>) =>
    runDeno(["run", "--quiet", "--import-map=imports.npm.json", "--allow-all", "bench/tables.ts", ...options], env);

  /** Calls something with a folder that has copies of the pages and of the results. */
  async function withCopy(use: (folder: string) => Promise<void>): Promise<void> {
    const folder = Deno.makeTempDirSync();
    try {
      for (const path of ["README.md", "docs", "bench/results"]) copy(path, folder);
      await use(folder);
    } finally {
      Deno.removeSync(folder, { recursive: true });
    }
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
      assertStringIncludes(Deno.readTextFileSync(`${folder}/README.md`), "well-known files is 7.7 times as fast");
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

  it("says in a line what it cannot do", async () => {
    assertRefusal(await tables(["nothing"]), "Cannot measure nothing: there are compare, ");
    assertRefusal(await tables(["--faster"]), "--faster");
  });
});

describe("renderChart()", () => {
  const chart = { name: "a", title: "Speed <of> a", sides: ["slower", "faster than native"], better: "above" } as const;
  const svgOf = (...ratios: number[]): string =>
    renderChart({ ...chart, sides: [...chart.sides], bars: ratios.map((ratio) => ({ label: "x & y", ratio })) });

  it("draws bars from 1 on: to the right above it, to the left below, on a logarithmic scale", () => {
    const bars = svgOf(4, 0.5).matchAll(/<rect class="(better|worse)" x="([\d.]+)" y="\d+" width="([\d.]+)"/g);
    const [[, first, start, long], [, second, left, short]] = [...bars];
    assertEquals([first, second], ["better", "worse"]);
    assertAlmostEquals(Number(long) / Number(short), 2, 0.01);
    assertAlmostEquals(Number(left) + Number(short), Number(start), 0.2);
  });

  it("escapes words, says them to those who do not see it, and knows both colour schemes", () => {
    for (
      const words of ["<title>Speed &#60;of&#62; a</title>", "x &#38; y", 'role="img"', "prefers-color-scheme: dark"]
    ) {
      assertStringIncludes(svgOf(4), words);
    }
  });

  it("has room for its words beside a line far to the right", () => {
    const [, start] = /<text x="([\d.]+)" y="\d+" class="note">faster/.exec(svgOf(0.01))!;
    assert(Number(start) + 20 * 6.5 <= 760, start);
  });
});
