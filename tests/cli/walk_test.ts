/**
 * Choice of files by `bytejson check`: ignore rules, globs and lists.
 *
 * @module
 */

import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { GlobRules } from "../../cli/check/glob_rules.ts";
import { folderOfBytes, linkedFolders } from "../hostile/folders.ts";
import {
  commandLine,
  folderOf,
  isDeno,
  isSkippedOutsideDeno,
  itRuns,
  runCli,
  type RunOptions,
  withoutTime,
} from "../support/cli.ts";

/** Returns the files that `check` finds. */
async function found(folder: string, args: readonly string[], options?: RunOptions): Promise<string[]> {
  const { stdout } = await runCli(folder, ["check", "--json", ...args], options);
  return stdout.split("\n").slice(0, -2).map((record) => JSON.parse(record).file);
}

/** Makes a folder of files whose content is 1; those of `rules` have the content given. */
function treeOf(paths: string, rules: Record<string, string> = {}): ReturnType<typeof folderOf> {
  return folderOf({ ...Object.fromEntries(paths.split(" ").map((path) => [path, "1"])), ...rules });
}

/** Returns whether a program can be run. */
function has(program: string): boolean {
  try {
    return new Deno.Command(program, { args: ["--version"], stdout: "null", stderr: "null" }).outputSync().success;
  } catch {
    return false;
  }
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
    assertEquals([rules.matchesFile("a/x"), rules.matchesFile("c/a/d/x"), rules.matchesFile("c/a")], [
      true,
      true,
      false,
    ]);
  });

  it("takes no longer for a rule of many stars than for its length", () => {
    const rules = new GlobRules([`${"*a".repeat(100)}b`, `${"**/*a*/".repeat(50)}b`]);
    assertEquals(rules.decide("a".repeat(4000), false), undefined);
    assertEquals(rules.decide("a/".repeat(1000) + "a", false), undefined);
  });

  it("agrees with git", async () => {
    if (!has("git")) return console.log("skipped: there is no git");
    const lines = [
      "*.log",
      "!keep.log",
      "/build",
      "docs/**/*.tmp",
      "**/cache/",
      "x[0-9]?",
      "a/b/",
      "!/a/b",
      "*~",
      "sp\\ ",
    ];
    using folder = treeOf("unused", { ".gitignore": lines.join("\n") });
    const git = (...args: string[]) =>
      new Deno.Command("git", { args, cwd: folder.path, stdin: "piped", stdout: "piped" });
    assertEquals((await git("init", "-q").spawn().output()).success, true);
    const parts = ["a", "b", "build", "docs", "cache", "x1y", "x12z", "keep.log", "c.log", "d.tmp", "e~", "sp "];
    const paths = parts.flatMap((p) => [p, ...parts.flatMap((q) => [`${p}/${q}`, `${p}/${q}/d.tmp`, `${p}/m/${q}`])]);
    const child = git("check-ignore", "--no-index", "-z", "--stdin").spawn();
    const writer = child.stdin.getWriter();
    writer.write(new TextEncoder().encode(paths.join("\0"))).then(() => writer.close());
    const ignored = new TextDecoder().decode((await child.output()).stdout).split("\0").slice(0, -1);
    const rules = new GlobRules(lines);
    const isIgnored = (path: string): boolean => {
      const above = [...path.matchAll(/\//g)].map(({ index }) => path.slice(0, index));
      return above.some((folder) => rules.decide(folder, true) === true) || rules.decide(path, false) === true;
    };
    assertEquals(paths.filter(isIgnored), ignored);
  });
});

describe("check -r: ignore rules", () => {
  it("skips .git, node_modules, and hidden files and directories", async () => {
    using folder = treeOf("a.json node_modules/b.json c/node_modules/d/e.json .svn/f.json .g/h.json .i.json");
    assertEquals(await found(folder.path, ["-r"]), ["a.json"]);
    assertEquals(await found(folder.path, ["-r", "--hidden"]), [".g/h.json", ".i.json", "a.json"]);
    assertEquals(await found(folder.path, ["-r", "--no-ignore"]), [
      "a.json",
      "c/node_modules/d/e.json",
      "node_modules/b.json",
    ]);
    assertEquals(await found(folder.path, ["-r", "node_modules", ".g", ".i.json"]), [
      "node_modules/b.json",
      ".g/h.json",
      ".i.json",
    ]);
  });

  it("finds hidden files in a Git repository, which tracks settings in them", async () => {
    using folder = treeOf("a.json node_modules/b.json .git/f.json .hg/g.json .vscode/h.json .i.json .next/k.json", {
      ".gitignore": ".next/\n",
    });
    const files = [".i.json", ".vscode/h.json", "a.json"];
    assertEquals(await found(folder.path, ["-r"]), files);
    assertEquals(await found(folder.path, ["-r", "--exclude", ".?*"]), ["a.json"]);
    assertEquals(await found(folder.path, ["-r", ".vscode"]), [".vscode/h.json"]);
    assertEquals(await found(folder.path, ["-r", "--no-ignore"]), [
      ".i.json",
      ".next/k.json",
      ".vscode/h.json",
      "a.json",
      "node_modules/b.json",
    ]);
  });

  it("skips what nested .gitignore and .ignore files name", async () => {
    using folder = treeOf(".git/HEAD a.json b/a.json b/c.json b/d/e.json b/d/f.json g/h.json g/i.json", {
      ".gitignore": "/a.json\n**/d/*\n!**/d/f.json\ng\n",
      ".ignore": "!g\n",
      "b/.gitignore": "c.json\n",
      "g/.ignore": "h.json\n",
    });
    assertEquals(await found(folder.path, ["-r"]), ["b/a.json", "b/d/f.json", "g/i.json"]);
    assertEquals(await found(folder.path, ["-r", "b/d", "b"]), ["b/d/f.json", "b/a.json", "b/d/f.json"]);
  });

  it("reads no .gitignore outside a repository, nor those above its root", async () => {
    using folder = treeOf("a.json in/.git/HEAD in/a.json in/b.json in/c.json", {
      ".gitignore": "a.json\n",
      "in/.gitignore": "b.json\n",
      "in/.git/info/exclude": "c.json\n",
    });
    assertEquals(await found(folder.path, ["-r"]), ["a.json", "in/a.json"]);
    assertEquals(await found(`${folder.path}/in`, ["-r"]), ["a.json"]);
  });

  it("reads the rules of the directories above", async () => {
    using folder = treeOf(".git/HEAD a/b/c.json a/b/d.json a/b/e.json", {
      ".gitignore": "a/b/c.json\n",
      "a/.gitignore": "d.json\n",
    });
    assertEquals(await found(`${folder.path}/a/b`, ["-r"]), ["e.json"]);
  });

  it("reads the rules of a work tree from its repository", async () => {
    using folder = treeOf("main/.git/HEAD tree/a.json tree/b.json", {
      "main/.git/info/exclude": "a.json\n",
      "main/.git/worktrees/tree/commondir": "../..\n",
      "tree/.git": "gitdir: ../main/.git/worktrees/tree\n",
    });
    assertEquals(await found(folder.path, ["-r", "tree"]), ["tree/b.json"]);
  });

  describe("of a user for all repositories", () => {
    const ALLOW = ["--allow-read", "--allow-env=HOME,USERPROFILE,XDG_CONFIG_HOME,TERM"];
    const TREE = "in/.git/HEAD in/a.json in/b.json in/d/a.json out/a.json";
    const HOME = Deno.build.os === "windows" ? "USERPROFILE" : "HOME";
    const homes: Record<string, { files: Record<string, string>; variables: Record<string, string> }> = {
      "~/.gitconfig": {
        files: { "home/.gitconfig": "[core]\n\texcludesFile = ~/rules\n", "home/rules": "a.json\n" },
        variables: { [HOME]: "home", XDG_CONFIG_HOME: "" },
      },
      "$XDG_CONFIG_HOME/git/config": {
        files: { "xdg/git/config": "[user]\nname = x\n[core]\nexcludesfile=home/rules\n", "home/rules": "a.json\n" },
        variables: { [HOME]: "home", XDG_CONFIG_HOME: "xdg" },
      },
      "$XDG_CONFIG_HOME/git/ignore": {
        files: { "xdg/git/ignore": "a.json\n" },
        variables: { [HOME]: "home", XDG_CONFIG_HOME: "xdg" },
      },
      "~/.config/git/ignore": {
        files: { "home/.config/git/ignore": "a.json\n" },
        variables: { [HOME]: "home", XDG_CONFIG_HOME: "" },
      },
    };
    for (const [name, { files, variables }] of Object.entries(homes)) {
      it(`are read from ${name}, in repositories only`, async () => {
        using folder = treeOf(TREE, files);
        for (const [path, text] of Object.entries(files)) {
          Deno.writeTextFileSync(`${folder.path}/${path}`, text.replace("home/rules", `${folder.path}/home/rules`));
        }
        const env = Object.fromEntries(
          Object.entries(variables).map(([name, value]) => [name, value && `${folder.path}/${value}`]),
        );
        const options = { env, allow: ALLOW };
        assertEquals(await found(folder.path, ["-r", "in", "out"], options), ["in/b.json", "out/a.json"]);
        assertEquals((await found(folder.path, ["-r", "--no-ignore", "in"], options)).length, 3);
        if (isDeno) assertEquals((await found(folder.path, ["-r", "in"], { env, allow: ["--allow-read"] })).length, 3);
        if (!has("rg")) return console.log("not compared: there is no ripgrep");
        const rg = new Deno.Command("rg", { args: ["--files", "--sort=path", "in", "out"], cwd: folder.path, env });
        assertEquals(new TextDecoder().decode(rg.outputSync().stdout), "in/b.json\nout/a.json\n");
      });
    }

    it("are read from a quoted path", async () => {
      using folder = treeOf(TREE, { "rules": "a.json\n" });
      Deno.writeTextFileSync(`${folder.path}/.gitconfig`, `[core]\nexcludesFile = "${folder.path}/rules"\n`);
      const env = { [HOME]: folder.path, XDG_CONFIG_HOME: "" };
      assertEquals(await found(folder.path, ["-r", "in"], { env, allow: ALLOW }), ["in/b.json"]);
    });

    it("come after those of the repository", async () => {
      using folder = treeOf(TREE, { "xdg/git/ignore": "a.json\n", "in/.gitignore": "!/a.json\n" });
      const env = { XDG_CONFIG_HOME: `${folder.path}/xdg` };
      assertEquals(await found(folder.path, ["-r", "in"], { env, allow: ALLOW }), ["in/a.json", "in/b.json"]);
    });
  });

  it("asks for no permission above the directory", async () => {
    if (isSkippedOutsideDeno("only Deno asks for permissions")) return;
    using folder = treeOf(".git/HEAD a/x.json a/y.json", { ".gitignore": "x.json\n", "a/.ignore": "y.json\n" });
    const allow = [`--allow-read=${folder.path}/a`];
    assertEquals(await found(`${folder.path}/a`, ["-r", folder.path + "/a"], { allow }), [`${folder.path}/a/x.json`]);
  });

  it("reads the rules behind links by the way to them", async () => {
    if (Deno.build.os === "windows") return console.log("skipped: links need a privilege on Windows");
    using folder = treeOf("tree/.git/HEAD else/b/c.json else/d.json", {
      "tree/.gitignore": "/link/d.json\n/a/x.json\n",
      "else/.ignore": "/b/c.json\n",
      "else/a/x.json": "1",
    });
    Deno.symlinkSync("../else", `${folder.path}/tree/link`);
    assertEquals(await found(`${folder.path}/tree`, ["-rL"]), ["link/a/x.json"]);
  });

  it("does not read rules from FIFOs and devices", async () => {
    if (Deno.build.os === "windows") return console.log("skipped: Windows has neither");
    using folder = treeOf(".git/HEAD a.json b/c.json");
    Deno.symlinkSync("/dev/zero", `${folder.path}/.gitignore`);
    assertEquals(new Deno.Command("mkfifo", { args: [`${folder.path}/b/.ignore`] }).outputSync().success, true);
    assertEquals(await found(folder.path, ["-r"]), ["a.json", "b/c.json"]);
  });

  it("says so if all files are left out", async () => {
    using folder = treeOf("node_modules/a.json");
    const { code, stderr } = await runCli(folder.path, ["check", "-r", "--ext=json"]);
    assertEquals(code, 2);
    assertEquals(
      stderr,
      "bytejson check: no files to check: none match *.json without being excluded, ignored or hidden; " +
        "see --no-ignore and --hidden\n",
    );
  });

  it("finds what ripgrep finds", async () => {
    if (!has("rg")) return console.log("skipped: there is no ripgrep");
    using folder = treeOf(
      ".git/HEAD a.json .h.json .k/l.json b/a.json b/n.json c/d/e.json c/d/f.json c/g/.git/HEAD c/g/x.json c/g/a.json",
      {
        ".gitignore": "a.json\n!b/a.json\n/c/**/f.json\n",
        ".ignore": "!.k\nn.json\n",
        "b/.gitignore": "!n.json\n",
        "c/g/.gitignore": "x.json\n",
      },
    );
    for (const flags of [[], ["--hidden"], ["--no-ignore"], ["--hidden", "--no-ignore"]]) {
      // In a repository, hidden files are found, too.
      const args = [...new Set(["--hidden", ...flags]), "--no-ignore-global", "--files", "-g", "!.git"];
      const { stdout } = new Deno.Command("rg", { args, cwd: folder.path }).outputSync();
      const names = new TextDecoder().decode(stdout).split("\n").filter((name) => name.endsWith(".json"));
      assertEquals((await found(folder.path, ["-r", ...flags])).toSorted(), names.toSorted(), flags.join());
    }
  });
});

describe("check: --include and --exclude", () => {
  const TREE = "a.json b/a.json b/c.txt b/d.json node_modules/e.json node_modules/f/g.json";

  it("skips matching files and directories", async () => {
    using folder = treeOf(TREE);
    assertEquals(await found(folder.path, ["-r", "--exclude", "a.json"]), ["b/d.json"]);
    assertEquals(await found(folder.path, ["-r", "--exclude=/a.json", "--exclude", "d.*"]), ["b/a.json"]);
    assertEquals(await found(folder.path, ["-r", "--exclude=b/", "."]), ["a.json"]);
  });

  it("skips matching files that are named", async () => {
    using folder = treeOf(TREE);
    assertEquals(await found(folder.path, ["--exclude", "b/", "a.json", "./b/a.json", `${folder.path}/b/d.json`]), [
      "a.json",
    ]);
  });

  it("checks only matching files, of any extension", async () => {
    using folder = treeOf(TREE);
    assertEquals(await found(folder.path, ["-r", "--include", "b/*", "--exclude", "a.json"]), ["b/c.txt", "b/d.json"]);
    assertEquals(await found(folder.path, ["-r", "--include", "b/", "--ext", "txt"]), ["b/c.txt"]);
  });

  it("checks matching files that are ignored", async () => {
    using folder = treeOf(TREE);
    assertEquals(await found(folder.path, ["-r", "--include", "/node_modules/", "--include", "/a.json"]), [
      "a.json",
      "node_modules/e.json",
      "node_modules/f/g.json",
    ]);
  });
});

describe("check: --force-ignore", () => {
  const PATHS = "a/b.json a/i.json a/.h/c.json a/out/d.json node_modules/e.json .f.json g.json";
  const RULES = { ".ignore": "out/\n", "a/.ignore": "i.json\n" };

  it("leaves out named files that -r leaves out", async () => {
    using folder = treeOf(PATHS, RULES);
    const walked = await found(folder.path, ["-r"]);
    assertEquals(walked, ["a/b.json", "g.json"]);
    assertEquals(await found(folder.path, ["--force-ignore", ...PATHS.split(" ")]), walked);
  });

  it("counts what is above a named file as far as a walk would", async () => {
    using folder = treeOf(PATHS, RULES);
    const paths = ["b.json", "i.json", "./.h/c.json", "out/d.json", "../g.json", "../.f.json"];
    const options = ["--force-ignore", ...paths, `${folder.path}/a/b.json`, `${folder.path}/a/i.json`];
    assertEquals(await found(`${folder.path}/a`, options), ["b.json", "../g.json", `${folder.path}/a/b.json`]);
  });

  it("leaves out less with --hidden, --no-ignore and --include", async () => {
    using folder = treeOf(PATHS, RULES);
    const named = ["--force-ignore", ...PATHS.split(" ")];
    assertEquals(await found(folder.path, ["--hidden", ...named]), [
      "a/b.json",
      "a/.h/c.json",
      ".f.json",
      "g.json",
    ]);
    assertEquals(await found(folder.path, ["--no-ignore", ...named]), [
      "a/b.json",
      "a/i.json",
      "a/out/d.json",
      "node_modules/e.json",
      "g.json",
    ]);
    assertEquals(await found(folder.path, ["--include=i.json", ...named]), ["a/b.json", "a/i.json", "g.json"]);
  });

  it("reports a named file that there is not", async () => {
    using folder = treeOf("a.json");
    const { code, stderr } = await runCli(folder.path, ["check", "-q", "--force-ignore", ".gone.json", "a.json"]);
    assertEquals([code, stderr], [2, "bytejson: .gone.json: no such file\n"]);
  });
});

describe("check: --files-from", () => {
  it("checks the files of a list, after those named", async () => {
    using folder = treeOf("a.json b.json c.json", { list: "b.json\r\n\n./c.json" });
    assertEquals(await found(folder.path, ["--files-from", "list", "a.json"]), ["a.json", "b.json", "./c.json"]);
  });

  it("reads paths that end with null bytes from standard input", async () => {
    if (Deno.build.os === "windows") return console.log("skipped: Windows allows no such file names");
    using folder = treeOf("a.json", { "b\nc.json": "1" });
    assertEquals(await found(folder.path, ["-0", "--files-from=-"], { stdin: "a.json\0b\nc.json\0" }), [
      "a.json",
      "b\nc.json",
    ]);
  });

  it("checks the files of its directories with -r", async () => {
    using folder = treeOf("a/b.json a/node_modules/c.json");
    assertEquals(await found(folder.path, ["-r", "--files-from=-"], { stdin: "a\n" }), ["a/b.json"]);
  });

  it("names a path of the list that is not UTF-8, and checks the rest", async () => {
    using folder = folderOf({ "a.json": "[" });
    const stdin = new Uint8Array([0x63, 0xff, ...new TextEncoder().encode(".json\na.json\n")]);
    const { code, stderr } = await runCli(folder.path, ["check", "--no-snippet", "--files-from=-"], { stdin });
    assertEquals([code, stderr], [
      2,
      "bytejson: c\ufffd.json: its name is not UTF-8; pass its content on standard input\n" +
      "a.json:1:2: error: Unexpected end of JSON input (byte 1)\n" +
      "1 of 2 files invalid, 1 of 2 files could not be read\n",
    ]);
  });

  it("reports a file of the list that there is not, and checks the rest", async () => {
    using folder = treeOf("a.json");
    const { code, stderr } = await runCli(folder.path, ["check", "-q", "--files-from=-"], { stdin: "x\na.json\n" });
    assertEquals([code, stderr], [2, "bytejson: x: no such file\n"]);
  });

  itRuns({}, {
    "exits 2 if there is no list": [
      "check --files-from=list",
      2,
      "",
      "bytejson check: cannot read the list of files list: no such file\n",
    ],
    "exits 2 for an empty list": [
      "check --files-from=-",
      2,
      "",
      "bytejson check: no files to check: the list is empty\n",
      { stdin: "\n" },
    ],
  });
});

describe("check: links of --follow", () => {
  /** Runs the body in a folder with links: their paths, and the paths that they lead to. */
  async function withLinks(
    paths: string,
    links: Record<string, string>,
    body: (folder: string) => Promise<void>,
  ): Promise<void> {
    if (Deno.build.os === "windows") return console.log("skipped: links need a privilege on Windows");
    using folder = treeOf(paths);
    for (const [path, target] of Object.entries(links)) Deno.symlinkSync(target, `${folder.path}/${path}`);
    await body(folder.path);
  }

  it("checks each file once, whatever the number of paths to it", async () => {
    if (Deno.build.os === "windows") return console.log("skipped: links need a privilege on Windows");
    using folder = linkedFolders(30);
    const names = Array.from({ length: 30 }, (_, i) => `f${i}`);
    assertEquals(await found(folder.path, ["-rL"]), names.map((name) => `${name}/x.json`).sort());
    const behind = names.filter((name) => name !== "f7").map((name) => `f7/${name}/x.json`);
    assertEquals(await found(folder.path, ["-rL", "f7"]), ["f7/x.json", ...behind].sort());
  });

  it("names the path without links, even if a link comes first", async () => {
    const links = { "tree/a": "z", "tree/b.json": "z/x.json", "tree/y/up": "../..", "tree/y/w": "../z/x.json" };
    await withLinks("tree/z/x.json tree/y/y.json", links, async (folder) => {
      assertEquals(await found(folder, ["-rL", "tree"]), ["tree/y/y.json", "tree/z/x.json"]);
    });
  });

  it("names the first link in the order of names if there are links only", async () => {
    const links = { "tree/d": "../else", "tree/c/e": "../../else", "tree/b.json": "../else/x.json" };
    await withLinks("tree/a.json tree/c/d.json else/x.json else/y.json", links, async (folder) => {
      assertEquals(
        await found(folder, ["-rL", "tree"]),
        ["tree/a.json", "tree/b.json", "tree/c/d.json", "tree/c/e/y.json"]
          .sort(),
      );
    });
  });

  it("checks what is on the command line by the path there", async () => {
    const links = { "a/link": "../b", "a/file.json": "../b/x.json" };
    await withLinks("a/a.json b/x.json b/y.json", links, async (folder) => {
      assertEquals(await found(folder, ["-rL", "a", "b"]), ["a/a.json", "b/x.json", "b/y.json"]);
      assertEquals(await found(folder, ["-rL", "a", "b/x.json"]), ["a/a.json", "a/link/y.json", "b/x.json"]);
      assertEquals(await found(folder, ["-rL", "a/file.json", "b"]), ["a/file.json", "b/x.json", "b/y.json"]);
    });
  });

  it("follows chains of links", async () => {
    // Linux follows 40 links of a path.
    const paths = Array.from({ length: 30 }, (_, i) => `else/${i}/x.json`);
    const links = Object.fromEntries(paths.slice(1).map((_, i) => [`else/${i}/next`, `../${i + 1}`]));
    await withLinks(`${paths.join(" ")} tree/a.json`, { ...links, "tree/start": "../else/0" }, async (folder) => {
      const behind = paths.map((_, i) => `tree/start/${"next/".repeat(i)}x.json`);
      assertEquals(await found(folder, ["-rL", "tree"]), ["tree/a.json", ...behind.reverse()]);
    });
  });

  it("finds hard links as without --follow", async () => {
    await withLinks("a.json", {}, async (folder) => {
      Deno.linkSync(`${folder}/a.json`, `${folder}/b.json`);
      assertEquals(await found(folder, ["-rL"]), ["a.json", "b.json"]);
    });
  });

  it("finds ignored and hidden files that links lead to", async () => {
    const links = { "tree/a.json": ".hidden.json", "tree/b": ".folder" };
    await withLinks("tree/.hidden.json tree/.folder/c.json tree/d.json", links, async (folder) => {
      assertEquals(await found(folder, ["-rL", "tree"]), ["tree/a.json", "tree/b/c.json", "tree/d.json"]);
    });
  });
});

describe("check: names that are not UTF-8", () => {
  const AMBIGUOUS = "not checked: names that are not UTF-8 look the same; pass its content on standard input";
  const NOT_UTF8 = "its name is not UTF-8; pass its content on standard input";

  /**
   * Runs check with the words of a shell's command line, which may match names by globs.
   *
   * @param before Command to run first.
   */
  async function check(folder: string, words: string, before = ":"): Promise<[code: number, stderr: string]> {
    const [program, args] = commandLine(["check", "--no-snippet"]);
    const command = new Deno.Command("sh", {
      args: ["-c", `${before}; exec "$@" ${words}`, "sh", program, ...args],
      cwd: folder,
      env: { NO_COLOR: "1" },
    });
    const { code, stderr } = await command.output();
    return [code, withoutTime(new TextDecoder().decode(stderr))];
  }

  // The file that is invalid has the name that Deno cannot tell from the other.
  const DECOY = { "x?.json": "[", "x\ufffd.json": "1", "y.json": "1" };
  const ONE = `bytejson: x\ufffd.json: ${AMBIGUOUS}\n`;
  for (
    const [words, stderr] of [
      ["x*.json", `${ONE}${ONE}2 of 2 files could not be read\n`],
      ["-q x*.json", ONE + ONE],
      ["\"$(printf 'x\\377.json')\"", `${ONE}1 of 1 file could not be read\n`],
      ["y.json x\ufffd.json", `${ONE}1 of 2 files could not be read\n`],
      ['"$PWD/x\ufffd.json"', `bytejson: $PWD/x\ufffd.json: ${AMBIGUOUS}\n1 of 1 file could not be read\n`],
      ["-r", `${ONE}${ONE}2 of 3 files could not be read\n`],
      ["-rL", `${ONE}${ONE}2 of 3 files could not be read\n`],
      ["-r .", `${ONE}${ONE}2 of 3 files could not be read\n`],
      ["--force-ignore x*.json", `${ONE}${ONE}2 of 2 files could not be read\n`],
    ] as const
  ) {
    it(`are not taken for others: ${words.replaceAll("\ufffd", "U+FFFD")}`, async () => {
      using folder = folderOfBytes(DECOY);
      if (folder === undefined) return;
      assertEquals(await check(folder.path, words), [2, stderr.replace("$PWD", Deno.realPathSync(folder.path))]);
    });
  }

  it("are not taken for others in lists", async () => {
    using folder = folderOfBytes(DECOY);
    if (folder === undefined) return;
    const expected = `${ONE}${ONE}2 of 3 files could not be read\n`;
    assertEquals(await check(folder.path, "--files-from=- <<EOF\n$(ls)\nEOF"), [2, expected]);
    assertEquals(await check(folder.path, "-0 --files-from=<(true)").then(([code]) => code), 2);
    const stdin = new Uint8Array([
      ...new TextEncoder().encode("x"),
      0xff,
      ...new TextEncoder().encode(".json\0y.json\0"),
    ]);
    const { code, stderr } = await runCli(folder.path, ["check", "-0", "--files-from=-"], { stdin });
    assertEquals([code, stderr], [2, `${ONE}1 of 2 files could not be read\n`]);
  });

  it("are not taken for others if they are those of lists", async () => {
    using folder = folderOfBytes({ "l?": "a.json", "l\ufffd": "b.json", "a.json": "[", "b.json": "1" });
    if (folder === undefined) return;
    assertEquals(await check(folder.path, `--files-from="$(printf 'l\\377')"`), [
      2,
      "bytejson check: cannot read the list of files l\ufffd: names that are not UTF-8 look the same\n",
    ]);
  });

  it("are not taken for others if they are those of directories", async () => {
    using folder = folderOfBytes({ "d?/x.json": "[", "d\ufffd/x.json": "1", "e/y.json": "1" });
    if (folder === undefined) return;
    const one = `bytejson: d\ufffd: ${AMBIGUOUS}\n`;
    assertEquals(await check(folder.path, "-r"), [2, `${one}${one}2 of 3 files could not be read\n`]);
    assertEquals(await check(folder.path, "-r d*"), [2, `${one}${one}2 of 2 files could not be read\n`]);
    const inner = `bytejson: d\ufffd/x.json: ${AMBIGUOUS}\n1 of 1 file could not be read\n`;
    assertEquals(await check(folder.path, "d\ufffd/x.json"), [2, inner]);
  });

  it("are not those of directories whose rules are read", async () => {
    using folder = folderOfBytes({
      "d?/.git/HEAD": "",
      "d?/.gitignore": "# none",
      "d?/e/x.json": "[",
      "d\ufffd/.git/HEAD": "",
      "d\ufffd/.gitignore": "*.json",
    });
    if (folder === undefined) return;
    for (const name of ["d\\377", "d\\377/e"]) {
      const [code, stderr] = await check(folder.path, "-r", `cd "$(printf '${name}')"`);
      assertEquals([code, stderr.includes("x.json:1:2: error: Unexpected end of JSON input")], [1, true], stderr);
    }
  });

  it("with U+FFFD are checked if they are named, and nothing looks the same", async () => {
    using folder = folderOf({ "x\ufffd.json": "1", "d\ufffd/y.json": "1" });
    assertEquals((await runCli(folder.path, ["check", "x\ufffd.json", "d\ufffd/y.json"])).code, 0);
    assertEquals((await runCli(folder.path, ["check", "-r", "d\ufffd"])).code, 0);
    const { code, stderr } = await runCli(folder.path, ["check", "x\ufffd.json", "x\ufffd.json"]);
    assertEquals([code, stderr], [2, `${ONE}${ONE}2 of 2 files could not be read\n`]);
  });

  it("are named if nothing else looks the same", async () => {
    using folder = folderOfBytes({ "x?.json": "1" });
    if (folder === undefined) return;
    const expected = `bytejson: x\ufffd.json: ${NOT_UTF8}\n1 of 1 file could not be read\n`;
    for (const words of ["x*", "-r", "-rL ."]) assertEquals(await check(folder.path, words), [2, expected]);
  });

  it("are skipped if they match --exclude", async () => {
    using folder = folderOfBytes(DECOY);
    if (folder === undefined) return;
    assertEquals(await check(folder.path, "-r --exclude 'x*'"), [0, "ok  1 file, 1 B, T s\n"]);
  });
});
