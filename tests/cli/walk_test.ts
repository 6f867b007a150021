/** Choice of files by `bytejson check`: directories, ignore rules, globs, links and lists. */

import { assert, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { GlobRules } from "../../cli/check/glob_rules.ts";
import { COMMANDS } from "../../cli/commands.ts";
import { folderOfBytes, linkedFolders, NO_NAMES_OF_BYTES } from "../hostile/folders.ts";
import {
  commandLine,
  isDeno,
  itFails,
  itPrints,
  itRuns,
  NO_PERMISSIONS,
  runCli,
  type RunOptions,
  withoutTime,
} from "../support/run_cli.ts";
import { folderOf } from "../support/files.ts";
import { execute, projectRoot } from "../support/environment.ts";
import { isWindows, itUnless, withoutProgram } from "../support/skip.ts";

/** Returns the files that `check` finds, in order, separated by spaces. */
async function found(folder: string, args: string, options?: RunOptions): Promise<string> {
  const { stdout } = await runCli(folder, ["check", "--json", ...args.split(" ")], options);
  const records = stdout.trimEnd().split("\n").map((record) => JSON.parse(record));
  return records.slice(0, -1).map(({ file }) => file).join(" ");
}

/** Folder whose files have the content 1, but for those of `rules`, and with links. */
interface Tree {
  paths?: string;
  rules?: Record<string, string>;
  /** Targets by paths. */
  links?: Record<string, string>;
}

function treeOf({ paths = "", rules = {}, links = {} }: Tree): ReturnType<typeof folderOf> {
  const files = paths.split(" ").filter((path) => path !== "").map((path) => [path, "1"]);
  const folder = folderOf({ ...Object.fromEntries(files), ...rules });
  for (const [path, target] of Object.entries(links)) Deno.symlinkSync(target, `${folder.path}/${path}`);
  return folder;
}

/**
 * Registers a test of the files that command lines of check find in a tree, from the folder before
 * a colon, if there is one.
 */
function itFinds(name: string, tree: Tree, cases: Record<string, string>): void {
  itUnless(tree.links && isWindows && "links need a privilege on Windows")(name, async () => {
    using folder = treeOf(tree);
    for (const [line, files] of Object.entries(cases)) {
      const [, inner = "", args] = /^(?:(\S+): )?(.*)$/.exec(line)!;
      const path = inner === "" ? folder.path : `${folder.path}/${inner}`;
      assertEquals(await found(path, args.replaceAll("$PWD", path)), files.replaceAll("$PWD", path), line);
    }
  });
}

const NO_GIT = withoutProgram("git");

/** Runs git in a folder, without the settings of this machine. Returns its standard output. */
function git(folder: string, ...args: string[]): Uint8Array {
  const env = { HOME: folder, XDG_CONFIG_HOME: folder, GIT_CONFIG_NOSYSTEM: "1" };
  return new Deno.Command("git", { args, cwd: folder, env }).outputSync().stdout;
}

describe("GlobRules", () => {
  const cases: { lines: string; matching: string; others: string }[] = [
    { lines: "a", matching: "a b/a b/c/a", others: "ab b/ab a.json" },
    { lines: "*.json", matching: "a.json b/.json b/x.y.json", others: "a.jsonl json" },
    { lines: "/a", matching: "a", others: "b/a" },
    { lines: "a/b", matching: "a/b", others: "c/a/b a/b.c" },
    { lines: "a/*", matching: "a/b a/.c", others: "a/b/c b/a" },
    { lines: "**/a", matching: "a b/a b/c/a", others: "ba" },
    { lines: "a/**", matching: "a/b a/b/c", others: "a b/a/c" },
    { lines: "a/**/b", matching: "a/b a/c/b a/c/d/b", others: "a/bb b" },
    { lines: "a**b", matching: "ab acb c/axb", others: "a/b" },
    { lines: "a?c", matching: "abc", others: "ac a/c" },
    { lines: "[ab][!c]", matching: "ad bb", others: "ac ca a/" },
    { lines: "[]-a]x", matching: "]x ^x ax", others: "-x" },
    { lines: "[[:digit:]].json", matching: "1.json", others: "d.json" },
    { lines: "\\*\\?", matching: "*?", others: "ab" },
    { lines: "\\#a\n\\!b", matching: "#a !b", others: "a b" },
    { lines: "# a\n\n  \na  ", matching: "a", others: "# \\#" },
    { lines: "a\r\nb\r", matching: "a b", others: "" },
    { lines: "*\n!a\n!b/*\nb/c", matching: "x b/c", others: "a b/d" },
    { lines: "[a\n[z-a]\na\\", matching: "", others: "[a z a" },
    { lines: "*a*b*c", matching: "abc xaxbxc", others: "acb abcd" },
  ];
  for (const { lines, matching, others } of cases) {
    it(`matches by ${JSON.stringify(lines)}`, () => {
      const rules = new GlobRules(lines.split("\n"));
      const paths = `${matching} ${others}`.split(" ").filter((path) => path !== "");
      assertEquals(paths.filter((path) => rules.decide(path, false) === true).join(" "), matching);
    });
  }

  it("matches only directories by a slash at the end", () => {
    const rules = new GlobRules(["a/", "b", "!b/"]);
    assertEquals([rules.decide("a", false), rules.decide("a", true)], [undefined, true]);
    assertEquals([rules.decide("b", false), rules.decide("c/b", true)], [true, false]);
    assertEquals(["a/x", "c/a/d/x", "c/a"].map((path) => rules.matchesFile(path)), [true, true, false]);
  });

  it("takes no longer for a rule of many stars than for its length", () => {
    const rules = new GlobRules([`${"*a".repeat(100)}b`, `${"**/*a*/".repeat(50)}b`]);
    assertEquals(rules.decide("a".repeat(4000), false), undefined);
    assertEquals(rules.decide("a/".repeat(1000) + "a", false), undefined);
  });
});

describe("check of directories", () => {
  const TREE = {
    paths: "a.json b/c.NDJSON b/e/f.webmanifest b/notes.txt",
    rules: { "b/d.geojson": "[", "node_modules/a.json": "1" },
  };
  itFinds("takes files with known extensions, those of --ext, and any that are named", TREE, {
    "-r .": "a.json b/c.NDJSON b/d.geojson b/e/f.webmanifest",
    "b": "b/c.NDJSON b/d.geojson b/e/f.webmanifest",
    "-r b": "b/c.NDJSON b/d.geojson b/e/f.webmanifest",
    "-r --ext=.txt,json b/ b/d.geojson": "b/notes.txt b/d.geojson",
  });

  const left = " without being excluded, ignored or hidden; see --no-ignore and --hidden";
  const files = { "a.json": "1", "node_modules/a.geojson": "1", "b/c.json": "1" };
  itRuns(files, {
    "exits 0 with --allow-no-files": {
      args: "check -r --ext yaml --allow-no-files .",
      stderr: "ok  0 files, 0 B, T s\n",
    },
  });
  itFails(files, 2, {
    "check -r --ext yaml,yml b": "bytejson check: no files to check: none match *.yaml, *.yml\n",
    "check -r --ext=geojson": `bytejson check: no files to check: none match *.geojson${left}\n`,
  });
});

describe("check: ignore rules", () => {
  itFinds("skip .git, node_modules, and hidden files and directories", {
    paths: "a.json node_modules/b.json c/node_modules/d/e.json .svn/f.json .g/h.json .i.json",
  }, {
    "-r": "a.json",
    "-r --hidden": ".g/h.json .i.json a.json",
    "-r --no-ignore": "a.json c/node_modules/d/e.json node_modules/b.json",
    "-r node_modules .g .i.json": "node_modules/b.json .g/h.json .i.json",
  });

  itFinds("keep hidden files in a Git repository, which tracks settings in them", {
    paths: "a.json node_modules/b.json .git/f.json .hg/g.json .vscode/h.json .i.json .next/k.json",
    rules: { ".gitignore": ".next/\n" },
  }, {
    "-r": ".i.json .vscode/h.json a.json",
    "-r --exclude .?*": "a.json",
    "-r .vscode": ".vscode/h.json",
    "-r --no-ignore": ".i.json .next/k.json .vscode/h.json a.json node_modules/b.json",
  });

  itFinds("come from nested .gitignore and .ignore files", {
    paths: ".git/HEAD a.json b/a.json b/c.json b/d/e.json b/d/f.json g/h.json g/i.json",
    rules: {
      ".gitignore": "/a.json\n**/d/*\n!**/d/f.json\ng\n",
      ".ignore": "!g\n",
      "b/.gitignore": "c.json\n",
      "g/.ignore": "h.json\n",
    },
  }, { "-r": "b/a.json b/d/f.json g/i.json", "-r b/d b": "b/d/f.json b/a.json b/d/f.json" });

  itFinds("of .gitignore count in a repository, up to its root", {
    paths: "a.json in/.git/HEAD in/a.json in/b.json in/c.json",
    rules: { ".gitignore": "a.json\n", "in/.gitignore": "b.json\n", "in/.git/info/exclude": "c.json\n" },
  }, { "-r": "a.json in/a.json", "in: -r": "a.json" });

  itFinds("come from the directories above", {
    paths: ".git/HEAD a/b/c.json a/b/d.json a/b/e.json",
    rules: { ".gitignore": "a/b/c.json\n", "a/.gitignore": "d.json\n" },
  }, { "a/b: -r": "e.json" });

  itFinds("of a work tree come from its repository", {
    paths: "main/.git/HEAD tree/a.json tree/b.json",
    rules: {
      "main/.git/info/exclude": "a.json\n",
      "main/.git/worktrees/tree/commondir": "../..\n",
      "tree/.git": "gitdir: ../main/.git/worktrees/tree\n",
    },
  }, { "-r tree": "tree/b.json" });

  itFinds("behind links are those of the way to them", {
    paths: "tree/.git/HEAD else/b/c.json else/d.json else/a/x.json",
    rules: { "tree/.gitignore": "/link/d.json\n/a/x.json\n", "else/.ignore": "/b/c.json\n" },
    links: { "tree/link": "../else" },
  }, { "tree: -rL": "link/a/x.json" });

  itUnless(isWindows && "Windows has neither")("do not come from FIFOs and devices", async () => {
    using folder = treeOf({ paths: ".git/HEAD a.json b/c.json", links: { ".gitignore": "/dev/zero" } });
    assertEquals(new Deno.Command("mkfifo", { args: [`${folder.path}/b/.ignore`] }).outputSync().success, true);
    assertEquals(await found(folder.path, "-r"), "a.json b/c.json");
  });

  itUnless(NO_PERMISSIONS)("take no permission above the directory", async () => {
    const rules = { ".gitignore": "x.json\n", "a/.ignore": "y.json\n" };
    using folder = treeOf({ paths: ".git/HEAD a/x.json a/y.json", rules });
    const path = `${folder.path}/a`;
    assertEquals(await found(path, `-r ${path}`, { allow: [`--allow-read=${path}`] }), `${path}/x.json`);
  });

  itUnless(NO_GIT)("of .gitignore find what git finds", async () => {
    const names = "n keep.log c.log d.tmp x1y x12 x12z e~".split(" ").map((name) => `${name}.json`);
    const folders = ["", ..."a b build docs cache".split(" ")].map((name) => name && `${name}/`);
    const paths = folders.flatMap((above) => folders.flatMap((below) => names.map((name) => above + below + name)));
    using folder = treeOf({
      paths: paths.join(" "),
      rules: {
        ".gitignore": "*.log.json\n!keep.log.json\n/build\ndocs/**/*.tmp.json\n**/cache/\nx[0-9]?.json\na/b/\n!/a/b\n" +
          "*~.json\n",
        "b/.gitignore": "!x12.json\n/docs\n!cache/\n",
      },
    });
    git(folder.path, "init", "-q");
    const listed = new TextDecoder().decode(git(folder.path, "ls-files", "-o", "--exclude-standard", "*.json"));
    assertEquals((await found(folder.path, "-r")).split(" ").sort(), listed.trimEnd().split("\n").sort());
  });
});

describe("check: ignore rules of a user for all repositories", () => {
  const ALLOW = ["--allow-read", "--allow-env=HOME,USERPROFILE,XDG_CONFIG_HOME,TERM,GITHUB_WORKSPACE,CI_PROJECT_DIR"];
  const paths = "in/.git/HEAD in/a.json in/b.json in/d/a.json out/a.json";
  const HOME = Deno.build.os === "windows" ? "USERPROFILE" : "HOME";
  const homes: Record<string, [files: Record<string, string>, config: string, files?: string]> = {
    "~/.gitconfig": [{ "home/.gitconfig": "[core]\n\texcludesFile = ~/rules\n", "home/rules": "a.json\n" }, ""],
    "a quoted path": [{ "home/.gitconfig": '[core]\nexcludesFile = "$PWD/rules"\n', "rules": "a.json\n" }, ""],
    "$XDG_CONFIG_HOME/git/config": [
      { "xdg/git/config": "[user]\nname = x\n[core]\nexcludesfile=$PWD/rules\n", "rules": "a.json\n" },
      "xdg",
    ],
    "$XDG_CONFIG_HOME/git/ignore": [{ "xdg/git/ignore": "a.json\n" }, "xdg"],
    "~/.config/git/ignore": [{ "home/.config/git/ignore": "a.json\n" }, ""],
    "a pattern before those of the repository": [
      { "xdg/git/ignore": "a.json\n", "in/.gitignore": "!/a.json\n" },
      "xdg",
      "in/a.json in/b.json out/a.json",
    ],
  };
  for (const [name, [rules, config, files = "in/b.json out/a.json"]] of Object.entries(homes)) {
    it(`come from ${name}, in repositories only`, async () => {
      using folder = treeOf({ paths, rules });
      for (const [path, text] of Object.entries(rules)) {
        Deno.writeTextFileSync(`${folder.path}/${path}`, text.replace("$PWD", folder.path));
      }
      const env = { [HOME]: `${folder.path}/home`, XDG_CONFIG_HOME: config && `${folder.path}/${config}` };
      assertEquals(await found(folder.path, "-r in out", { env }), files);
      if (name === "~/.gitconfig") {
        assertEquals(await found(folder.path, "-r in out", { env, allow: ALLOW }), files);
        assertEquals((await found(folder.path, "-r --no-ignore in", { env })).split(" ").length, 3);
        if (isDeno) {
          assertEquals((await found(folder.path, "-r in", { env, allow: ["--allow-read"] })).split(" ").length, 3);
        }
      }
    });
  }
});

describe("check: --include, --exclude and --force-ignore", () => {
  const TREE = { paths: "a.json b/a.json b/c.txt b/d.json node_modules/e.json node_modules/f/g.json" };
  itFinds("skip and add what matches", TREE, {
    "-r --exclude a.json": "b/d.json",
    "-r --exclude=/a.json --exclude d.*": "b/a.json",
    "-r --exclude=b/ .": "a.json",
    // Even files that are named are skipped.
    "--exclude b/ a.json ./b/a.json $PWD/b/d.json": "a.json",
    // What matches has any extension, and may be ignored.
    "-r --include b/* --exclude a.json": "b/c.txt b/d.json",
    "-r --include b/ --ext txt": "b/c.txt",
    "-r --include /node_modules/ --include /a.json": "a.json node_modules/e.json node_modules/f/g.json",
  });

  const PATHS = "a/b.json a/i.json a/.h/c.json a/out/d.json node_modules/e.json .f.json g.json";
  itFinds("leave out named files that -r leaves out, with --force-ignore", {
    paths: PATHS,
    rules: { ".ignore": "out/\n", "a/.ignore": "i.json\n" },
  }, {
    "-r": "a/b.json g.json",
    [`--force-ignore ${PATHS}`]: "a/b.json g.json",
    [`--force-ignore --hidden ${PATHS}`]: "a/b.json a/.h/c.json .f.json g.json",
    [`--force-ignore --no-ignore ${PATHS}`]: "a/b.json a/i.json a/out/d.json node_modules/e.json g.json",
    [`--force-ignore --include=i.json ${PATHS}`]: "a/b.json a/i.json g.json",
    // What is above a named file counts as far as a walk would see it.
    "a: --force-ignore b.json i.json ./.h/c.json out/d.json ../g.json ../.f.json $PWD/b.json $PWD/i.json":
      "b.json ../g.json $PWD/b.json",
  });

  itFails({ "a.json": "1" }, 2, {
    "check -q --force-ignore .gone.json a.json": "bytejson: .gone.json: no such file\n",
  });
});

describe("check: --files-from", () => {
  const NOT_UTF8 = new Uint8Array([0x63, 0xff, ...new TextEncoder().encode(".json\na.json\n")]);
  const list = { list: "a.json\r\n\n./c.json", nulls: "a.json\0b\nc.json\0" };
  const files = { "a.json": "1", "c.json": "1", "b/d.json": "1", "b/node_modules/e.json": "1", ...list };
  itRuns(files, {
    "takes the files of directories with -r": {
      args: "check -r --files-from=-",
      stderr: "ok  1 file, 1 B, T s\n",
      stdin: "b\n",
    },
  });
  const lists: [list: string | Uint8Array, stderr: string][] = [
    [
      NOT_UTF8,
      "bytejson: c\ufffd.json: its name is not UTF-8; pass its content on standard input\n1 of 2 files could not be read\n",
    ],
    ["x\na.json\n", "bytejson: x: no such file\n1 of 2 files could not be read\n"],
    ["\n", "bytejson check: no files to check: the list is empty\n"],
  ];
  for (const [stdin, stderr] of lists) {
    itRuns(files, {
      [`exits 2, and checks the rest: ${stderr}`]: { args: "check --files-from=-", code: 2, stderr, stdin },
    });
  }
  itPrints(files, {
    "check --json --files-from list c.json": /^\{.*"c.json".*\n\{.*"a.json".*\n\{.*".\/c.json".*\n/,
  });
  itFails(files, 2, {
    "check --files-from=none": "bytejson check: cannot read the list of files none: no such file\n",
  });
  itUnless(NO_GIT)("takes what the example of git prints, names beyond ASCII included", async () => {
    const [example] = COMMANDS[0].examples.find(([line]) => line.startsWith("git "))!;
    const page = Deno.readTextFileSync(new URL("docs/cli-check.md", projectRoot));
    assert(page.includes(`\`${example.replace("|", "\\|")}\``));
    const [list, check] = example.split(" | bytejson ").map((part) => part.replaceAll("'", "").split(" "));
    using folder = treeOf({ paths: ".vscode/é.json b.json" });
    for (const args of ["init -q", "add ."]) git(folder.path, ...args.split(" "));
    assertEquals(
      await found(folder.path, `${check.slice(1).join(" ")}`, { stdin: git(folder.path, ...list.slice(1)) }),
      ".vscode/é.json b.json",
    );
  });

  if (Deno.build.os !== "windows") {
    itFails({ "a.json": "1", "b\nc.json": "[", ...list }, 1, {
      "check -0 --no-snippet --files-from=nulls":
        "b␊c.json:1:2: error: Unexpected end of JSON input (byte 1)\n1 of 2 files invalid\n",
    });
  }
});

describe("check: links of --follow", () => {
  itUnless(isWindows && "links need a privilege on Windows")(
    "check each file once, whatever the number of paths to it",
    async () => {
      using folder = linkedFolders(30);
      const names = Array.from({ length: 30 }, (_, i) => `f${i}`);
      assertEquals(await found(folder.path, "-rL"), names.map((name) => `${name}/x.json`).sort().join(" "));
      const behind = names.filter((name) => name !== "f7").map((name) => `f7/${name}/x.json`);
      assertEquals(await found(folder.path, "-rL f7"), ["f7/x.json", ...behind].sort().join(" "));
    },
  );

  itFinds("are needed", {
    paths: "top/a/x.json top/b/z.json else/v.json",
    links: { "top/a/up": "..", "top/a/b": "../b", "top/a/y.json": "x.json", "top/a/else": "../../else" },
  }, { "top: -r": "a/x.json b/z.json", "top: -r -L": "a/else/v.json a/x.json b/z.json" });

  itFinds("give way to the path without links, even if a link comes first", {
    paths: "tree/z/x.json tree/y/y.json",
    links: { "tree/a": "z", "tree/b.json": "z/x.json", "tree/y/up": "../..", "tree/y/w": "../z/x.json" },
  }, { "-rL tree": "tree/y/y.json tree/z/x.json" });

  itFinds("are named by the first in the order of names if there are links only", {
    paths: "tree/a.json tree/c/d.json else/x.json else/y.json",
    links: { "tree/d": "../else", "tree/c/e": "../../else", "tree/b.json": "../else/x.json" },
  }, { "-rL tree": "tree/a.json tree/b.json tree/c/d.json tree/c/e/y.json" });

  itFinds("give way to the path on the command line", {
    paths: "a/a.json b/x.json b/y.json",
    links: { "a/link": "../b", "a/file.json": "../b/x.json" },
  }, {
    "-rL a b": "a/a.json b/x.json b/y.json",
    "-rL a b/x.json": "a/a.json a/link/y.json b/x.json",
    "-rL a/file.json b": "a/file.json b/x.json b/y.json",
  });

  // Linux follows 40 links of a path.
  const chain = Array.from({ length: 30 }, (_, i) => `else/${i}/x.json`);
  const links = Object.fromEntries(chain.slice(1).map((_, i) => [`else/${i}/next`, `../${i + 1}`]));
  const behind = chain.map((_, i) => `tree/start/${"next/".repeat(i)}x.json`).reverse();
  itFinds("may be chains", {
    paths: `${chain.join(" ")} tree/a.json`,
    links: { ...links, "tree/start": "../else/0" },
  }, { "-rL tree": `tree/a.json ${behind.join(" ")}` });

  itFinds("lead to ignored and hidden files", {
    paths: "tree/.hidden.json tree/.folder/c.json tree/d.json",
    links: { "tree/a.json": ".hidden.json", "tree/b": ".folder" },
  }, { "-rL tree": "tree/a.json tree/b/c.json tree/d.json" });

  it("are not hard links", async () => {
    using folder = treeOf({ paths: "a.json" });
    Deno.linkSync(`${folder.path}/a.json`, `${folder.path}/b.json`);
    assertEquals(await found(folder.path, "-rL"), "a.json b.json");
  });
});

describe("check: names that are not UTF-8", () => {
  const AMBIGUOUS = "not checked: names that are not UTF-8 look the same; pass its content on standard input";
  const NOT_UTF8 = "its name is not UTF-8; pass its content on standard input";

  /**
   * Runs check with the words of a shell's command line, which may match names by globs, in a
   * folder within the folder of these files, in whose names `?` stands for the byte FF.
   */
  async function check(
    files: Record<string, string>,
    words: string,
    inner = ".",
  ): Promise<[code: number, stderr: string]> {
    using folder = folderOfBytes(files);
    const [program, args] = commandLine(["check", "--no-snippet"]);
    const shell = ["-c", `cd "$(printf '${inner}')"; exec "$@" ${words}`, "sh", program, ...args];
    const { code, stderr } = await execute("sh", shell, { cwd: folder.path, env: { NO_COLOR: "1" } });
    return [code, withoutTime(stderr).replaceAll(Deno.realPathSync(folder.path), "$PWD")];
  }

  // The file that is invalid has the name that Deno cannot tell from the other.
  const DECOY = { "x?.json": "[", "x\ufffd.json": "1", "y.json": "1" };
  const FOLDERS = { "d?/x.json": "[", "d\ufffd/x.json": "1", "e/y.json": "1" };
  const ambiguous = (name: string): string => `bytejson: ${name}: ${AMBIGUOUS}\n`;
  const x = ambiguous("x\ufffd.json");
  const of = (some: number, all: number): string => `${some} of ${all} file${all > 1 ? "s" : ""} could not be read\n`;
  const cases: { name: string; files: Record<string, string>; words: string; stderr: string; code?: number }[] = [
    { name: "of others", files: DECOY, words: "x*.json", stderr: x + x + of(2, 2) },
    {
      name: "of others by a path",
      files: DECOY,
      words: '"$PWD/x\ufffd.json"',
      stderr: ambiguous("$PWD/x\ufffd.json") + of(1, 1),
    },
    { name: "of others in a directory", files: DECOY, words: "-r", stderr: x + x + of(2, 3) },
    { name: "of others in lists", files: DECOY, words: "--files-from=- <<EOF\n$(ls)\nEOF", stderr: x + x + of(2, 3) },
    {
      name: "of lists",
      files: { "l?": "a.json", "l\ufffd": "b.json", "a.json": "[" },
      words: `--files-from="$(printf 'l\\377')"`,
      stderr: "bytejson check: cannot read the list of files l\ufffd: names that are not UTF-8 look the same\n",
    },
    {
      name: "of a file's directory",
      files: FOLDERS,
      words: "d\ufffd/x.json",
      stderr: ambiguous("d\ufffd/x.json") + of(1, 1),
    },
    {
      name: "of one file only",
      files: { "x?.json": "1" },
      words: "x*",
      stderr: `bytejson: x\ufffd.json: ${NOT_UTF8}\n${of(1, 1)}`,
    },
    { name: "of excluded files", files: DECOY, words: "-r --exclude 'x*'", stderr: "ok  1 file, 1 B, T s\n", code: 0 },
    {
      name: "with U+FFFD, if nothing looks the same",
      files: { "x\ufffd.json": "1", "d\ufffd/y.json": "1" },
      words: "x\ufffd.json d\ufffd/y.json -r d\ufffd",
      stderr: "ok  3 files, 3 B, T s\n",
      code: 0,
    },
  ];
  for (const { name, files, words, stderr, code = 2 } of cases) {
    itUnless(NO_NAMES_OF_BYTES)(`are those ${name}`, async () => {
      assertEquals(await check(files, words), [code, stderr]);
    });
  }

  for (const inner of ["d\\377", "d\\377/e"]) {
    itUnless(NO_NAMES_OF_BYTES)(`are those of a directory whose rules are not read: ${inner}`, async () => {
      const files = { "d?/.git/HEAD": "", "d?/.gitignore": "# none", "d?/e/x.json": "[" };
      const others = { "d\ufffd/.git/HEAD": "", "d\ufffd/.gitignore": "*.json" };
      const [code, stderr] = await check({ ...files, ...others }, "-r", inner);
      assert(code === 1 && stderr.includes("x.json:1:2: error: Unexpected end of JSON input"), stderr);
    });
  }
});
