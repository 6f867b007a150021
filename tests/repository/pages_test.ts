/**
 * Checks of the documentation against the project. Its examples run with those of the doc comments.
 */

import { assert, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { parseBinary } from "../../mod.ts";
import { userPages } from "../../tools/blocks.ts";
import { PACKAGE } from "../../tools/build/manifest.ts";
import { BENCHES, TESTS } from "../../tools/tasks.ts";
import { projectRoot } from "../support/environment.ts";

function read(path: string): string {
  return Deno.readTextFileSync(new URL(path, projectRoot));
}

/** Programs of the tasks that take a name. */
const PROGRAMS = { bench: BENCHES, test: TESTS };

/** Markdown pages whose links and commands are checked. */
const PAGES = [
  ...userPages(),
  "ARCHITECTURE.md",
  "CONTRIBUTING.md",
  "SECURITY.md",
  "CHANGELOG.md",
  "bench/LEDGER.md",
  ...[...Deno.readDirSync(new URL("docs/decisions/", projectRoot))].map(({ name }) => `docs/decisions/${name}`),
];

/** Names of other programs and packages in code spans, and options of their command lines. */
const FOREIGN = new Set(
  "bodyParser exportConditions lazyParse moduleResolution onConstructorPoisoning packKeys skipLibCheck streamObject streamValues \
toBuffer zValidator --block --conditions --disallow-code-generation-from-strings --jitless --json-lines --keep-order \
--lite-mode --pipe-part --trace-deopt --trace-opt --watch".split(" "),
);

/** Returns all text of the modules in a folder and, except in the root, those below. */
function sourcesIn(folder: string): string {
  return [...Deno.readDirSync(new URL(folder, projectRoot))].map(({ name, isDirectory }) => {
    if (isDirectory) return folder === "./" ? "" : sourcesIn(`${folder}${name}/`);
    return name.endsWith(".ts") ? read(folder + name) : "";
  }).join("\n");
}

const SOURCES = ["./", ..."bench cli examples measure middleware parser site tests/support tools".split(" ")]
  .map((folder) => sourcesIn(folder.replace(/[^/]$/, "$&/"))).join("\n");
const NAMES = new Set(SOURCES.match(/(?<![\w$-])-{0,2}[a-z][\w-]*/g));
/** The command lines define options by their names alone. */
const OPTIONS = new Set(Array.from(SOURCES.matchAll(/(?:name: |\.\w+\()"([a-z][\w-]*)"/g), ([, name]) => `--${name}`));

/** Rows of the table whose first header cell this is, each split into cells. */
function tableRows(text: string, header: string): string[][] {
  const lines = text.split("\n");
  const start = lines.findIndex((line) => line.startsWith(`| ${header} `));
  assert(start >= 0, `no table of ${header}`);
  const length = lines.slice(start).findIndex((line) => !line.startsWith("|"));
  return lines.slice(start + 2, start + length).map((line) => line.split("|").slice(1, -1).map((cell) => cell.trim()));
}

/** Text in code spans of a table's first column. */
function firstCodes(text: string, header: string): string[] {
  return tableRows(text, header).map(([cell]) => /^`(.+?)`/.exec(cell)![1]);
}

/** Lines outside code blocks. */
function proseLines(text: string): string[] {
  return text.replaceAll(/^```.*\n[^]*?^```$/gm, "").split("\n");
}

/** Anchors of a page's headings, as forges make them. */
function anchors(text: string): Set<string> {
  const headings = proseLines(text).flatMap((line) => /^#+ (.*)$/.exec(line)?.[1] ?? []);
  return new Set(
    headings.map((heading) => heading.toLowerCase().replaceAll(/[^\p{L}\p{N} _-]/gu, "").replaceAll(" ", "-")),
  );
}

/** Targets of a page's links to this repository. */
function relativeLinks(text: string): string[] {
  const prose = proseLines(text).join("\n").replaceAll(/`[^`\n]*`/g, "");
  const targets = [...prose.matchAll(/\]\(([^)\s]+)\)|^\[[^\]]+\]: (\S+)$/gm)].map(([, inline, named]) =>
    inline ?? named
  );
  return targets.filter((target) => !/^[a-z]+:/.test(target));
}

function isFile(url: URL): boolean {
  try {
    return Deno.statSync(url).isFile;
  } catch {
    return false;
  }
}

describe("docs/install.md", () => {
  it("lists every entry point", () => {
    const { exports } = JSON.parse(read("deno.json"));
    const entries = Object.keys(exports).map((entry) => entry.replace(".", PACKAGE));
    assertEquals(firstCodes(read("docs/install.md"), "entry").sort(), entries.sort());
  });
});

describe("docs/failures.md", () => {
  const failures = read("docs/failures.md");

  it("lists every code of a failure", () => {
    const [, union] = /^export type FailureCode =([^;]*);/m.exec(read("parser/base/failure.ts"))!;
    const codes = [...union.matchAll(/"(.+)"/g)].map(([, code]) => code);
    assertEquals(firstCodes(failures, "code").sort(), codes.sort());
  });

  it("lists the codes that a document cut at any byte can have", () => {
    const documents = [
      '\ufeff{"a": [1, -2.5e+3, true, null, "é😀", "\\n\\u00e9"], "漢": {"c": -0.5, "d": []}}',
      '  [{"é\\ud83d\\ude00": -1E-5, "": false}, [[]], {}, "", 0]\n',
    ];
    const codes = new Set<string>();
    for (const document of documents) {
      const bytes = new TextEncoder().encode(document);
      const end = bytes.findLastIndex((byte) => byte > 0x20);
      for (let length = 0; length <= end; length++) {
        const result = parseBinary(bytes.slice(0, length));
        if (result.ok) throw new Error(`valid when cut after ${length} bytes: ${document}`);
        codes.add(result.code);
        const isWithinCharacter = result.code === "invalid-utf8" && result.offset > length - 4 ||
          result.code === "unexpected-token" && result.offset === 0 && length < 3;
        assert(result.offset === length || isWithinCharacter, `${result.code} at ${result.offset} of ${length}`);
      }
    }
    const marked = tableRows(failures, "code").filter(([, , cut]) => cut.startsWith("yes"));
    assertEquals(marked.map(([code]) => code.replaceAll("`", "")).sort(), [...codes].sort());
  });
});

describe("ARCHITECTURE.md", () => {
  it("names places that define what they are said to define", () => {
    const rows = tableRows(read("ARCHITECTURE.md"), "where …");
    const places = rows.flatMap(([, cell]) => [...cell.matchAll(/`(\w+)`(?: and `(\w+)`)? in `([^`]+)`/g)]);
    assert(places.length >= rows.length);
    for (const [, first, second, path] of places) {
      const source = read(path);
      for (const name of [first, second ?? first]) {
        assert(
          new RegExp(`^(?:export )?(?:function|const|class|interface) ${name}\\b`, "m").test(source),
          `${path} does not define ${name}`,
        );
      }
    }
  });
});

describe("ARCHITECTURE.md on incomplete bytes", () => {
  it("lists the files of the parser that know them", () => {
    const known = /\b(?:isLast|isInputEnd|INCOMPLETE|INCOMPLETE_POSITION|ENDS_INCOMPLETE|isIncomplete)\b/;
    const parser = new URL("parser/", projectRoot);
    const paths = [...Deno.readDirSync(parser)].flatMap(({ name: folder }) =>
      [...Deno.readDirSync(new URL(folder, parser))].map(({ name }) => `${folder}/${name}`)
    );
    const withoutImports = (source: string): string =>
      source.replace(/\/\*[^]*?\*\/|\/\/.*/g, "").replace(/^(?:import|export)\s[^;]*?\sfrom ".*";/gm, "");
    assertEquals(
      firstCodes(read("ARCHITECTURE.md"), "file in `parser/`").sort(),
      paths.filter((path) => !/validator/.test(path) && known.test(withoutImports(read(`parser/${path}`)))).sort(),
    );
  });
});

describe("docs/memory.md", () => {
  it("lists every kind of detach", () => {
    const [, union] = /^export type DetachKind = (.*);$/m.exec(read("detach.ts"))!;
    assertEquals(firstCodes(read("docs/memory.md"), "`detach.kind`").join(" | "), union);
  });
});

describe("docs/runtimes.md", () => {
  it("gives the declarations that the polyfill's documentation gives", () => {
    const [declarations] = /^declare global [^]*?^\}\n/m.exec(read("polyfill.ts").replaceAll(/^ \* ?/gm, ""))!;
    assert(read("docs/runtimes.md").includes(declarations), declarations);
  });
});

for (const page of PAGES) {
  const text = read(page);

  describe(page, () => {
    it("has links that lead somewhere", () => {
      for (const link of relativeLinks(text)) {
        const target = new URL(link, new URL(page, projectRoot));
        const anchor = target.hash.slice(1);
        target.hash = "";
        assert(isFile(target), `${link}: no such file`);
        assert(anchor === "" || anchors(Deno.readTextFileSync(target)).has(anchor), `${link}: no such heading`);
      }
    });

    it("names tasks that exist", () => {
      const { tasks } = JSON.parse(read("deno.json"));
      for (
        const [words, task, name] of text.matchAll(/\bdeno(?:@[\d.]+)? task\s+([\w:]+)(?:\s+(\w[\w-]*)\b(?!\/))?/g)
      ) {
        assert(task in tasks, words);
        const isName = (task === "bench" || task === "test") && name !== undefined && name !== "NAME";
        if (isName) assert(name in PROGRAMS[task], words);
      }
    });

    if (page === "CHANGELOG.md" || page === "bench/LEDGER.md") return; // they tell of what is gone, too

    const spans = Array.from(proseLines(text).join("\n").matchAll(/`([^`\n]+)`/g), ([, span]) => span);

    it("names options and functions that exist", () => {
      const words = spans.flatMap((span) => /^(?:\{ )?([a-z]+[A-Z]\w*)/.exec(span)?.[1] ?? []);
      for (const name of [...words, ...text.match(/(?<![\w-])--[a-z][\w-]*/g) ?? []]) {
        assert(NAMES.has(name) || OPTIONS.has(name) || FOREIGN.has(name), name);
      }
    });

    it("names files and folders that exist", () => {
      const isOurs = /^(?:bench|cli|docs|examples|measure|middleware|parser|site|tests|tools)\/[\w./-]*(?:\.ts|\/)$/;
      for (const path of spans.filter((span) => isOurs.test(span))) {
        const { isDirectory } = Deno.statSync(new URL(path, projectRoot));
        assertEquals(isDirectory, path.endsWith("/"), path);
      }
    });
  });
}
