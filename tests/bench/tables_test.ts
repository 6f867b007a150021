/** Tests of `deno task bench tables`: tables in pages, and the text that results become. */

import { assert, assertEquals, assertMatch, assertStringIncludes, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { fileURLToPath } from "node:url";
import { PIPELINES } from "../../bench/http/pipelines.ts";
import type { Row } from "../../bench/support/comparison.ts";
import { enginesTable, type PageFigures, toEngineFigures } from "../../bench/support/engine_figures.ts";
import { bodyTable, publishedTable, runtimeTable, summaryTable } from "../../bench/http/report.ts";
import { formatRatios, type LoadRow, mergeRuns } from "../../bench/http/runs.ts";
import type { Measurement } from "../../bench/background/measurement.ts";
import { MEASUREMENTS } from "../../bench/background/measurements.ts";
import { claimRows, type Result, tableOf } from "../../bench/background/report.ts";
import { renderChart } from "../../bench/support/chart.ts";
import {
  imageOf,
  measuredHeadings,
  readBlock,
  readTable,
  replaceTable,
  wrapLongLines,
} from "../../bench/support/page.ts";
import { PEAK_OPTIONS, SEQUENCE_OPTIONS } from "../../bench/tables/memory.ts";
import { measuredBlocks } from "../../bench/tables/pages.ts";
import { meansTable } from "../../bench/tables/peers.ts";
import { overheadTable } from "../../bench/tables/performance.ts";
import { missingQuotes, quotes, replaceQuotes } from "../../bench/tables/quotes.ts";
import { MEASURED_NAMES, readResults, storeResults } from "../../bench/tables/results.ts";
import { describeStamps, isOfThisRun, type Stamp, stampOf } from "../../bench/tables/stamps.ts";
import { projectRoot, runDeno } from "../support/environment.ts";

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

describe("replaceTable()", () => {
  it("replaces the table under a heading, and nothing else", () => {
    const page = replaceTable(PAGE, "One more", { header: ["c", "d"], rows: [["y", "2|3"]] });
    const [before, after] = PAGE.split("another command -->\n\n");
    assertEquals(page, `${before}another command -->\n\n| c | d |\n| --- | ---: |\n| y | 2\\|3 |\n\n${after}`);
    assertEquals(readTable(page, "One"), { header: ["a", "b"], rows: [["x", "1"]] });
  });

  it("writes the same table twice as once", () => {
    const table = { header: ["c"], rows: [["y"]] };
    const page = replaceTable(PAGE, "One", table);
    assertEquals(replaceTable(page, "One", table), page);
  });

  it("throws where there is no heading, or no table under it", () => {
    for (const [heading, words] of [["Two", "no heading 'Two'"], ["None", "none is under 'None'"]]) {
      assertThrows(() => replaceTable(PAGE, heading, { header: [], rows: [] }), Error, words);
    }
  });
});

describe("meansTable()", () => {
  it("has means and first calls relative to the first parser of each runtime", () => {
    const native = { name: "native", ratios: { a: 1, b: 1 }, firstCall: 2 };
    const rows = [native, { name: "other", ratios: { a: 4, b: 1 }, firstCall: 8 }];
    const only = [native, { name: "Bun's", ratios: { a: 3, b: 3 }, firstCall: 1 }];
    assertEquals(meansTable([{ runtime: "Bun 1 x64", rows: only }, { runtime: "Deno 2 x64", rows }]), {
      header: ["× native", "Deno", "Bun", "first call, Deno", "first call, Bun"],
      rows: [["other", "2.00×", "", "0.25×", ""], ["Bun's", "", "3.00×", "", "2.00×"]],
    });
  });
});

describe("wrapLongLines()", () => {
  it("wraps paragraphs and items of lists with long lines, and nothing else", () => {
    const words = Array(30).fill("word").join(" ");
    const long = `${words.slice(0, 99)}\n${words.slice(100)}`;
    const item = `- ${words.slice(0, 94)}\n  ${words.slice(95)}`;
    const kept =
      `# ${words}\n\n| ${words} |\n\n![${words}](a.svg)\n\nA short\nparagraph.\n\n\`\`\`\n${words}\n\n${words}\n\`\`\`\n`;
    assertEquals(
      wrapLongLines(`${kept}\n${words}\n\n- short\n- ${words}\n- short\n`),
      [
        `${kept}\n${long}\n\n- short\n${item}\n- short\n`,
      ].join(),
    );
    assertEquals(wrapLongLines(kept), kept);
    const link = "([a link](b.md)),";
    assertEquals(wrapLongLines(`${words.slice(0, 94)} ${link} word\n`), `${words.slice(0, 94)}\n${link} word\n`);
  });
});

const MEASUREMENT: Measurement = {
  name: "work",
  title: "Work",
  section: "Work",
  figures: { time: "time", memory: "bytes" },
  lanes: { slow: { published: { time: 10 } }, fast: { base: "slow", published: { time: 4 } } },
  claims: [{ claim: "fast is fast", lane: "fast" }, { claim: "it takes memory", lane: "slow", figure: "memory" }],
  isolated: false,
  measure: () => ({}),
};
const RESULT: Result = {
  name: "work",
  title: "Work",
  lanes: [
    { lane: "slow", published: { time: 10 }, runtimes: { Deno: { time: 8, memory: 2e6 }, Bun: "killed" } },
    {
      lane: "fast",
      base: "slow",
      published: { time: 4 },
      runtimes: { Deno: { time: 2, memory: 1e6 }, Bun: { time: 1 } },
    },
  ],
};
const RUNTIMES = ["Deno", "Bun"];

describe("tableOf()", () => {
  it("has a row for each lane and figure, ours beside what is published", () => {
    assertEquals(tableOf(MEASUREMENT, RESULT, RUNTIMES), {
      header: ["Work", "published", "Deno", "Bun"],
      rows: [
        ["slow: time", "10 ms", "8 ms", "killed"],
        ["slow: memory", "", "2 MB", "killed"],
        ["fast: time", "4 ms, 0.40×", "2 ms, 0.25×", "1 ms"],
        ["fast: memory", "", "1 MB", ""],
      ],
    });
  });

  it("has ratios of speed, where something is gained", () => {
    const { rows } = tableOf({ ...MEASUREMENT, ratio: "speed" }, RESULT, RUNTIMES);
    assertEquals(rows[2], ["fast: time", "4 ms, 2.50×", "2 ms, 4.00×", "1 ms"]);
    assertEquals(rows[3], ["fast: memory", "", "1 MB", ""]);
  });

  it("has the figures of a lane in one row, if they are short", () => {
    const { header, rows } = tableOf({ ...MEASUREMENT, isCompact: true }, RESULT, RUNTIMES);
    assertEquals(header[0], "Work: time; memory");
    assertEquals(rows, [
      ["slow", "10 ms", "8 ms; 2 MB", "killed"],
      ["fast", "4 ms, 0.40×", "2 ms, 0.25×; 1 MB", "1 ms"],
    ]);
  });
});

describe("claimRows()", () => {
  it("has ratios to a base, and other figures as they are", () => {
    assertEquals(claimRows(MEASUREMENT, RESULT, RUNTIMES), [
      ["fast is fast", "0.40×", "0.25×", "1 ms"],
      ["it takes memory", "", "2 MB", "killed"],
    ]);
  });
});

describe("overheadTable()", () => {
  it("says of each ratio whether it is one of times or of speeds", () => {
    const commands = { first: "check", second: "empty script" };
    const { rows } = overheadTable([
      { name: "start-up", unit: "ms", ...commands, best: [18.2, 14], ratio: 1.3 },
      { name: "1 GB", unit: "MiB/s", ...commands, best: [1140.6, 811], ratio: 1.406 },
    ]);
    assertEquals(rows.map((row) => row.slice(1)), [
      ["check", "18 ms", "empty script", "14 ms", "1.30× the time"],
      ["check", "1,141 MiB/s", "empty script", "811 MiB/s", "1.41× the speed"],
    ]);
  });
});

describe("tables of engines", () => {
  const row = (group: string, name: string, ratio: number): Row => ({ group, name, ratio }) as Row;
  const engine: PageFigures = {
    name: "Engine 1",
    rows: [row("payload", "31 B", 2), row("payload", "3 KB", 1.5), row("failure", "first byte of 4 MB", 1000)],
    groups: [{ group: "corpus", documents: 2, geometricMean: 1.2, worst: { name: "a.json", ratio: 0.5 } }],
    firstCall: 0.1,
  };

  it("have a row for each engine, with blanks for what was not measured", () => {
    assertEquals(enginesTable([toEngineFigures(engine)]).rows, [
      ["Engine 1", "1.20×", "0.50×", "a.json", "", "2.00×", "", "1.50×", "1000×", "0.10×"],
    ]);
  });
});

/** Returns the servers of one load. The fourth one was killed. */
const serversOf = (bytes: number): LoadRow[] =>
  Object.keys(PIPELINES).map((pipeline, i) => ({
    runtime: "Deno",
    bytes,
    pipeline,
    figures: {
      milliseconds: { "avg": 5, "min": 4, "med": 4.5, "max": 9, "p(90)": 6, "p(95)": 7 },
      requests: 2000,
      failed: 0,
      seconds: 10,
    },
    requestsPerSecond: 200,
    ratio: 1 + i / 10,
    ratios: [1 + i / 10],
    peakResidentBytes: 1e8,
    collections: { events: 3, milliseconds: 2 },
    deaths: i === 3 ? ["SIGKILL"] : [],
  }));
const LOADS = serversOf(1e6);

describe("tables of servers under load", () => {
  it("have a row for each load, and tell who was killed", () => {
    const { rows } = summaryTable(LOADS);
    assertEquals(rows, [[
      "Deno, 1 MB",
      "4.5 ms",
      "1.30×, killed",
      "1.60×",
      "1.80×",
      "1.70×",
      "100 MB",
      "100 MB",
      "100 MB",
      "100 MB",
    ]]);
    const ends = runtimeTable(LOADS).rows.map((row) => row.at(-1));
    assertEquals(ends, LOADS.map((_, i) => i === 3 ? "SIGKILL" : "survived"));
  });

  it("name the runtimes of one body", () => {
    const { header, rows } = bodyTable(LOADS);
    assertEquals([header[0], ...rows.slice(0, 2).map(([name]) => name)], [
      "runtime and way",
      "Deno, native",
      "Deno, native + detach",
    ]);
  });

  it("have medians of several runs", () => {
    const run = (ratio: number, peakResidentBytes: number, deaths: string[], failed: number): LoadRow[] => [{
      ...LOADS[0],
      figures: { ...LOADS[0].figures, failed },
      ratio,
      ratios: [ratio],
      peakResidentBytes,
      deaths,
    }];
    const [merged] = mergeRuns([run(1.3, 3e8, ["SIGKILL"], 2), run(1.1, 1e8, [], 0), run(1.2, 2e8, ["SIGKILL"], 1)]);
    const [row] = runtimeTable([merged]).rows;
    assertEquals(row, [
      "1 MB, native",
      ...["5 ms", "4 ms", "4.5 ms", "9 ms", "6 ms", "7 ms"],
      "200",
      "1.20× (1.10–1.30)",
      "200 MB",
      "2 ms",
      "3",
      "SIGKILL in 2 of 3, 3 requests failed",
    ]);
    assertEquals(mergeRuns([LOADS]), LOADS);
    assertEquals(formatRatios([Infinity, 1]), "", "native was killed");
  });

  it("have a row of what is published before each of ours", () => {
    const { rows } = publishedTable([...serversOf(1e5), ...LOADS]); // nothing is published of 100 KB
    assertEquals(rows.map(([name, , , median, , , , rate, gain]) => [name, median, rate, gain]), [
      ["1 MB, native: published", "649 µs", "1066", "1.00×"],
      ["1 MB, native: here", "4.5 ms", "200", "1.00×"],
      ["1 MB, native + detach: published", "632 µs", "1276", "1.20×"],
      ["1 MB, native + detach: here", "4.5 ms", "200", "1.10×"],
      ["1 MB, parseBinary + detach: here", "4.5 ms", "200", "1.30×"],
    ]);
  });
});

describe("pages", () => {
  const results = readResults(fileURLToPath(projectRoot));
  const blocks = measuredBlocks(results);
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
    const missing = missingQuotes(results, read).map(({ page, words }) => `${page}: ${words}`);
    assertEquals(missing, [], "other figures are stored");
  });

  it("have no measured block whose figures are not stored", () => {
    const folders = ["docs/", "docs/background/"];
    const pages = folders.flatMap((folder) =>
      [...Deno.readDirSync(new URL(folder, projectRoot))].filter(({ isFile }) => isFile).map(({ name }) =>
        folder + name
      )
    );
    const shown = ["README.md", ...pages].flatMap((page) =>
      measuredHeadings(read(page)).map((heading) => `${page}: ${heading}`)
    );
    const rendered = blocks.map(({ page, heading }) => `${page}: ${heading}`);
    assertEquals(shown.toSorted(), rendered.toSorted());
  });
});

describe("replaceQuotes()", () => {
  const results = readResults(fileURLToPath(projectRoot));
  const right = new Map([...Map.groupBy(quotes(results), ({ page }) => page)].map(([page, quotes]) => [
    page,
    quotes.filter(({ words }, i) => quotes.findIndex((other) => other.words.includes(words)) === i)
      .map(({ words }) => `${words}.`).join("\n\n"),
  ]));
  const replace = (pages: Map<string, string>): Map<string, string> => {
    const copy = new Map(pages);
    replaceQuotes(results, (page) => copy.get(page)!, (page, text) => copy.set(page, text));
    return copy;
  };
  const change = (edit: (text: string) => string): Map<string, string> =>
    new Map([...right].map(([page, text]) => [page, edit(text)]));

  it("puts stored figures in the place of others, across the ends of lines", () => {
    const stale = change((text) => text.replaceAll(/\d(?=[\d.]*×)/g, "9").replaceAll(" at ", "\nat "));
    const joined = [...replace(stale)].map((
      [page, text],
    ): [string, string] => [page, text.replaceAll(/(?<!\n)\n(?!\n)/g, " ")]);
    assertEquals(stale.get("README.md")!.includes(right.get("README.md")!.slice(0, 60)), false);
    assertEquals(new Map(joined), right);
  });

  it("leaves other words alone", () => {
    for (const pages of [right, change((text) => text.replaceAll(/[A-Za-z]+/g, "words"))]) {
      assertEquals(replace(pages), pages);
    }
  });
});

describe("stamps", () => {
  const here = { machine: "2 × CPU", runtimes: ["Deno 2.9.6", "Bun 1.4.5"] };
  const now = new Date("2026-11-23T10:00:00Z");
  const stamp = stampOf(here, 60, now);

  it("tell one machine and one set of runtimes for all figures that users see", () => {
    const { stamps } = readResults(fileURLToPath(projectRoot));
    const shown = MEASURED_NAMES.map((name) => stamps[name]);
    for (const member of ["machine", "runtimes"] as const) {
      const values = new Set(shown.flatMap((stamp) => stamp[member] === undefined ? [] : [String(stamp[member])]));
      assert(values.size <= 1, `${[...values].join(" and ")}: run deno task bench tables whole`);
    }
    for (const [i, name] of MEASURED_NAMES.entries()) assertMatch(shown[i].date, /^\d{4}-\d\d-\d\d$/, name);
  });

  it("are of the run that goes on for half a day, with the same runtimes", () => {
    const after = (hours: number): Date => new Date(now.getTime() + hours * 3_600_000);
    assertEquals(isOfThisRun(stamp, here, after(11)), true);
    assertEquals(isOfThisRun(stamp, here, after(13)), false);
    assertEquals(isOfThisRun({ ...stamp, runtimes: ["Deno 1.0.0"] }, here, now), false);
    assertEquals(isOfThisRun({ date: "2026-11-23" }, here, now), false);
    assertEquals(isOfThisRun(undefined, here, now), false);
  });

  it("are told in a sentence", () => {
    const other: Stamp = { date: "2026-11-22" };
    const known: Stamp = { date: "2026-11-23", ...here };
    assertEquals(describeStamps([known, known]), "Measured on 2026-11-23 with Deno 2.9.6, Bun 1.4.5, on 2 × CPU.");
    assertEquals(describeStamps([known, other]).split(" with")[0], "Measured from 2026-11-22 to 2026-11-23");
    assertEquals(describeStamps([other]), "Measured on 2026-11-22.");
  });
});

describe("docs/memory.md", () => {
  it("tells the command that writes its table", () => {
    const page = Deno.readTextFileSync(new URL("docs/memory.md", projectRoot));
    for (const option of [...PEAK_OPTIONS, ...SEQUENCE_OPTIONS]) assertStringIncludes(page, option);
  });
});

/** Copies a file or folder of the project. */
function copy(path: string, folder: string): void {
  const from = new URL(path, projectRoot);
  if (Deno.statSync(from).isFile) return Deno.copyFileSync(from, `${folder}/${path}`);
  Deno.mkdirSync(`${folder}/${path}`, { recursive: true });
  for (const { name } of Deno.readDirSync(from)) copy(`${path}/${name}`, folder);
}

describe("bench:tables", () => {
  const tables = (...options: string[]) =>
    runDeno(["run", "--quiet", "--import-map=imports.npm.json", "--allow-all", "bench/tables.ts", ...options]);

  it("names what it can measure", async () => {
    const { success, output } = await tables("--help");
    assert(success, output);
    for (const { name } of MEASUREMENTS) assertStringIncludes(output, name);
  });

  it("renders one stored figure into every page that shows it", async () => {
    const folder = Deno.makeTempDirSync();
    try {
      for (const path of ["README.md", "docs", "bench/results"]) copy(path, folder);
      const results = readResults(folder);
      results.compare.groups[0].geometricMean = 7.654321987;
      storeResults(folder, { compare: results.compare });
      assertEquals(readResults(folder).compare.groups[0].geometricMean, 7.65432); // rounded

      const { success, output } = await tables("--render", "--folder", folder);
      assert(success, output);
      for (
        const { page, heading, column } of [
          { page: "docs/performance.md", heading: "parseBinary", column: 2 },
          { page: "docs/background/profiles.md", heading: "Speed in each engine", column: 1 },
        ] as const
      ) {
        const before = readTable(Deno.readTextFileSync(new URL(page, projectRoot)), heading);
        const after = readTable(Deno.readTextFileSync(`${folder}/${page}`), heading);
        before.rows[0][column] = "7.65×";
        assertEquals(after, before, page);
      }
    } finally {
      Deno.removeSync(folder, { recursive: true });
    }
  });

  it("measures and renders the rest if a bench fails", async () => {
    const folder = Deno.makeTempDirSync();
    try {
      for (const path of ["README.md", "docs", "bench/results"]) copy(path, folder);
      Deno.writeTextFileSync(`${folder}/docs/charts/speed-corpus.svg`, "");
      const program = ["run", "--quiet", "--import-map=imports.npm.json", "--allow-all", "bench/tables.ts"];
      const { success, output } = await runDeno([...program, "--folder", folder, "http"], { PATH: "" });
      assertEquals(success, false);
      assertStringIncludes(output, "http: Cannot measure by bench/http/load.ts");
      assertStringIncludes(output, "Not measured: http");
      assert(Deno.readTextFileSync(`${folder}/docs/charts/speed-corpus.svg`).startsWith("<svg"));
    } finally {
      Deno.removeSync(folder, { recursive: true });
    }
  });

  it("says in a line what it cannot do", async () => {
    for (
      const [options, words] of [
        [["nothing"], "Cannot measure nothing: there are sample, "],
        [["--faster"], "Unexpected argument '--faster'"],
        [["errors", "--folder"], "--folder takes a value"],
        [["--quick=no", "nothing"], "Cannot measure nothing"],
      ] as const
    ) {
      const { success, output } = await tables(...options);
      assertEquals(success, false);
      assertStringIncludes(output, words);
      assertMatch(output, /^.+\n$/);
    }
  });
});

describe("renderChart()", () => {
  const chart = { name: "a", title: "Speed <of> a", sides: ["slower", "faster"], better: "above" } as const;
  const bars = [{ label: "x & y", ratio: 4 }, { label: "z", ratio: 0.5 }];
  const svg = renderChart({ ...chart, sides: ["slower", "faster"], bars });
  const rectangles = [...svg.matchAll(/<rect class="(better|worse)" x="([\d.]+)" y="\d+" width="([\d.]+)"/g)];
  const [[, first, start, long], [, second, left, short]] = rectangles;

  it("draws bars from 1 on: to the right above it, to the left below, on a logarithmic scale", () => {
    assertEquals([first, second], ["better", "worse"]);
    assertEquals(Math.abs(Number(long) / Number(short) - 2) < 0.01, true);
    assertEquals(Math.abs(Number(left) + Number(short) - Number(start)) < 0.2, true);
  });

  it("colours by what is better", () => {
    const less = renderChart({ ...chart, sides: ["less", "more"], better: "below", bars });
    assertEquals(less.indexOf('class="worse"') < less.indexOf('class="better"'), true);
  });

  it("escapes words, says them to those who do not see it, and knows both colour schemes", () => {
    for (
      const words of ["<title>Speed &#60;of&#62; a</title>", "x &#38; y", 'role="img"', "prefers-color-scheme: dark"]
    ) {
      assertStringIncludes(svg, words);
    }
  });

  it("has room for its words beside a line far to the right", () => {
    const far = renderChart({ ...chart, sides: ["slower", "faster than native"], bars: [{ label: "z", ratio: 0.01 }] });
    const [, start] = /<text x="([\d.]+)" y="\d+" class="note">faster/.exec(far)!;
    assert(Number(start) + 20 * 6.5 <= 760, start);
  });

  it("has room for bars on one side only", () => {
    assertStringIncludes(renderChart({ ...chart, sides: ["slower", "faster"], bars: [bars[0]] }), "faster →");
  });
});
