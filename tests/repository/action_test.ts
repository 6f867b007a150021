/**
 * The GitHub Action and the pre-commit hook: their command lines, run as they stand there. The
 * program of the npm package is this one, from source.
 */

import { assert, assertEquals, assertMatch } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { DEFAULT_EXTENSIONS } from "../../cli/commands.ts";
import { PACKAGE } from "../../tools/build/manifest.ts";
import { folderOf } from "../support/cli.ts";
import { projectRoot } from "../support/environment.ts";

function read(path: string): string {
  return Deno.readTextFileSync(new URL(path, projectRoot));
}

const root = decodeURIComponent(new URL(".", projectRoot).pathname).replace(/\/$/, "");
const decoder = new TextDecoder();
const { version } = JSON.parse(read("deno.json"));

/** Arguments of npx that stand for the program of the package. */
const PROGRAM = ["--yes", `${PACKAGE}@^${version}`];

/** Arguments of this Deno that run the program from source. */
const FROM_SOURCE = [
  ...["run", "--quiet", "--no-prompt", "--no-config", "--no-lock", "--allow-read"],
  ...["--allow-env=HOME,USERPROFILE,XDG_CONFIG_HOME,TERM", new URL("cli.ts", projectRoot).href],
];

/** Runs a script as GitHub does. */
async function bash(script: string, folder: string, env: Record<string, string>) {
  const npx = `npx() {
    if [ "$1 $2" != "${PROGRAM.join(" ")}" ]; then return 99; fi
    shift 2
    '${Deno.execPath()}' ${FROM_SOURCE.map((argument) => `'${argument}'`).join(" ")} "$@"
  }`;
  const command = new Deno.Command("bash", {
    args: ["--noprofile", "--norc", "-e", "-o", "pipefail", "-c", `${npx}\n${script}`],
    cwd: folder,
    env: { NO_COLOR: "1", ...env },
  });
  const { code, stdout, stderr } = await command.output();
  return { code, stdout: decoder.decode(stdout), stderr: decoder.decode(stderr) };
}

const FILES = { "a.json": "{}", "b c.json": "[1,]", "*.json": "[]" };

describe("action.yml", () => {
  const [, block] = /^ {6}run: \|\n((?: {8}.*\n)+)/m.exec(read("action.yml"))!;
  const script = block.replaceAll(/^ {8}/gm, "");

  const inputs = Object.fromEntries(
    Array.from(
      read("action.yml").matchAll(/^ {2}([\w-]+):\n {4}description: .*\n {4}default: (.*)$/gm),
      ([, name, value]) => [name, value],
    ),
  );
  /** Variables of the script if a workflow gives no inputs. */
  const DEFAULTS = {
    VERSION: inputs.version,
    PATHS: inputs.paths,
    FORMAT: inputs.format,
    ARGS: inputs.args,
    GITHUB_ACTION_PATH: root,
  };

  it("annotates the lines of errors in the repository without inputs, and fails", async () => {
    if (Deno.build.os === "windows") return console.log("skipped: a path of Windows is none to this bash");
    using folder = folderOf(FILES);
    assertEquals(await bash(script, folder.path, DEFAULTS), {
      code: 1,
      stdout: "::error file=b c.json,line=1,col=4,title=bytejson::Unexpected token ']'" +
        "%0Ahint: looks like a trailing comma; JSON has none\n",
      stderr: "1 of 3 files invalid\n",
    });
  });

  it("annotates files that cannot be read, and fails", async () => {
    if (Deno.build.os === "windows") return console.log("skipped: a path of Windows is none to this bash");
    using folder = folderOf(FILES);
    assertEquals(await bash(script, folder.path, { ...DEFAULTS, PATHS: "a.json gone.json" }), {
      code: 2,
      stdout: "::error file=gone.json,title=bytejson::no such file\n",
      stderr: "bytejson: gone.json: no such file\n1 of 2 files could not be read\n",
    });
  });

  it("writes SARIF", async () => {
    if (Deno.build.os === "windows") return console.log("skipped: a path of Windows is none to this bash");
    using folder = folderOf(FILES);
    const { code, stdout } = await bash(script, folder.path, { ...DEFAULTS, FORMAT: "sarif" });
    assertEquals([code, JSON.parse(stdout).runs[0].results.length], [1, 1]);
  });

  it("writes text with a matcher for its errors", async () => {
    if (Deno.build.os === "windows") return console.log("skipped: a path of Windows is none to this bash");
    using folder = folderOf(FILES);
    const { code, stdout, stderr } = await bash(script, folder.path, {
      ...DEFAULTS,
      FORMAT: "text",
      ARGS: "--recursive --no-snippet",
    });
    assertEquals([code, stdout], [1, `::add-matcher::${root}/.github/problem-matcher.json\n`]);
    const [first] = stderr.split("\n");

    const [{ pattern: [matcher] }] = JSON.parse(read(".github/problem-matcher.json")).problemMatcher;
    const match = new RegExp(matcher.regexp).exec(first)!;
    assertEquals([match[matcher.file], match[matcher.line], match[matcher.column], match[matcher.message]], [
      "b c.json",
      "1",
      "4",
      "Unexpected token ']' (byte 3)",
    ]);
  });

  it("skips what is ignored, hidden or excluded", async () => {
    if (Deno.build.os === "windows") return console.log("skipped: a path of Windows is none to this bash");
    using folder = folderOf({
      ".git/HEAD": "",
      ".gitignore": "out/\n",
      "a.json": "1",
      "out/b.json": "[",
      "node_modules/c.json": "[",
      ".d/e.json": "[",
      "f.json": "[",
    });
    const env = { ...DEFAULTS, FORMAT: "text", ARGS: "--recursive --exclude f.json" };
    const { code, stderr } = await bash(script, folder.path, env);
    assertEquals(code, 0);
    assertMatch(stderr, /^ok {2}1 file, /);
  });

  it("skips what the user ignores in all repositories", async () => {
    if (Deno.build.os === "windows") return console.log("skipped: a path of Windows is none to this bash");
    using folder = folderOf({ "r/.git/HEAD": "", "r/a.json": "1", "r/b.json": "[", "git/ignore": "b.json\n" });
    const env = { ...DEFAULTS, XDG_CONFIG_HOME: folder.path };
    const { code, stdout, stderr } = await bash(script, `${folder.path}/r`, env);
    assertEquals([code, stdout], [0, ""]);
    assertMatch(stderr, /^ok {2}1 file, /);
  });

  it("takes paths by spaces and lines, and leaves patterns alone", async () => {
    if (Deno.build.os === "windows") return console.log("skipped: a path of Windows is none to this bash");
    using folder = folderOf(FILES);
    const env = { ...DEFAULTS, PATHS: "a.json\n*.json\n", FORMAT: "text", ARGS: "" };
    const { code, stderr } = await bash(script, folder.path, env);
    assertEquals(code, 0);
    assertMatch(stderr, /^ok {2}2 files, /);
  });
});

describe(".pre-commit-hooks.yaml", () => {
  const hook = read(".pre-commit-hooks.yaml");

  /** Runs the hook on files, with the `args` of a configuration. */
  async function runHook(folder: string, ...args: string[]): Promise<number> {
    const [, entry] = /^ {2}entry: npx (.*)$/m.exec(hook)!;
    const words = entry.split(" ");
    assertEquals(words.slice(0, PROGRAM.length), PROGRAM);
    const command = new Deno.Command(Deno.execPath(), {
      args: [...FROM_SOURCE, ...words.slice(PROGRAM.length), ...args],
      cwd: folder,
    });
    return (await command.output()).code;
  }

  it("runs this version's check on the files it is given", async () => {
    using folder = folderOf(FILES);
    assertEquals(await runHook(folder.path, "a.json", "b c.json"), 1);
  });

  it("skips excluded files, also if no other is left", async () => {
    using folder = folderOf(FILES);
    assertEquals(await runHook(folder.path, "--exclude=b*", "b c.json"), 0);
  });

  it("skips files that check skips in directories", async () => {
    const skipped = ["node_modules/a.json", "out/a.json", ".vscode/a.json"];
    using folder = folderOf({
      ".git/HEAD": "",
      ".gitignore": "out/\n",
      "a.json": "1",
      ...Object.fromEntries(skipped.map((path) => [path, "["])),
    });
    assertEquals(await runHook(folder.path, "a.json", ...skipped), 0);
    assertEquals(await runHook(folder.path, "--hidden", "a.json", ...skipped), 1);
  });

  it("takes the files that check takes from directories", () => {
    const files = new RegExp(/^ {2}files: (.*)$/m.exec(hook)![1]);
    for (const extension of [...DEFAULT_EXTENSIONS.split(","), "jsonc"]) assert(files.test(`a.${extension}`));
    assertEquals(["a.json5", "json", "a.json.gz"].filter((file) => files.test(file)), []);
  });
});
