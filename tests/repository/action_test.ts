/**
 * The GitHub Action and the pre-commit hook: their command lines, run as they stand there. The
 * program of the npm package is this one, from source.
 */

import { assert, assertEquals, assertMatch } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { JSONC_EXTENSIONS, JSONC_NAMES } from "../../cli/check/jsonc_names.ts";
import { DEFAULT_EXTENSIONS } from "../../cli/commands.ts";
import { PACKAGE } from "../../tools/build/manifest.ts";
import { folderOf } from "../support/files.ts";
import { execute, type Execution, projectRoot } from "../support/environment.ts";
import { isWindows, itUnless } from "../support/skip.ts";

function read(path: string): string {
  return Deno.readTextFileSync(new URL(path, projectRoot));
}

const root = decodeURIComponent(new URL(".", projectRoot).pathname).replace(/\/$/, "");
const { version } = JSON.parse(read("deno.json"));

/** Arguments of npx that stand for the program of the package. */
const PROGRAM = ["--yes", `${PACKAGE}@${version}`];

/** Arguments of this Deno that run the program from source. */
const FROM_SOURCE = [
  ...["run", "--quiet", "--no-prompt", "--no-config", "--no-lock", "--allow-read"],
  ...[
    "--allow-env=HOME,USERPROFILE,XDG_CONFIG_HOME,TERM,GITHUB_WORKSPACE,CI_PROJECT_DIR",
    new URL("cli.ts", projectRoot).href,
  ],
];

/** Runs a script as GitHub does. */
function bash(script: string, folder: string, env: Record<string, string>): Promise<Execution> {
  const npx = `npx() {
    if [ "$1 $2" != "${PROGRAM.join(" ")}" ]; then return 99; fi
    shift 2
    '${Deno.execPath()}' ${FROM_SOURCE.map((argument) => `'${argument}'`).join(" ")} "$@"
  }`;
  const args = ["--noprofile", "--norc", "-e", "-o", "pipefail", "-c", `${npx}\n${script}`];
  return execute("bash", args, { cwd: folder, env: { NO_COLOR: "1", ...env } });
}

const FILES = { "a.json": "{}", "b c.json": "[1,]", "*.json": "[]" };

/** Pattern by which GitHub finds errors in text. */
const { regexp } = JSON.parse(read(".github/problem-matcher.json")).problemMatcher[0].pattern[0];

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

  const MATCHER = `::add-matcher::${root}/.github/problem-matcher.json\n`;

  /** Inputs of the action, and what it prints of the files. */
  const RUNS: Record<
    string,
    [inputs: Record<string, string>, code: number, stdout: string, stderr: RegExp]
  > = {
    "annotates the lines of errors in the repository without inputs": [
      {},
      1,
      "::error file=b c.json,line=1,col=4,title=bytejson::Unexpected token ']'" +
      "%0Ahint: looks like a trailing comma; JSON has none\n",
      /^1 of 3 files invalid\n$/,
    ],
    "writes text with a matcher for its errors": [
      { FORMAT: "text", ARGS: "--recursive --no-snippet" },
      1,
      MATCHER,
      new RegExp(regexp, "m"),
    ],
    "takes paths by spaces and lines, and leaves patterns alone": [
      { PATHS: "a.json\n*.json\n", FORMAT: "text", ARGS: "" },
      0,
      MATCHER,
      /^ok {2}2 files, /,
    ],
  };
  for (const [what, [inputs, code, stdout, stderr]] of Object.entries(RUNS)) {
    itUnless(isWindows && "a path of Windows is none to this bash")(what, async () => {
      using folder = folderOf(FILES);
      const run = await bash(script, folder.path, { ...DEFAULTS, XDG_CONFIG_HOME: folder.path, ...inputs });
      assertEquals([run.code, run.stdout], [code, stdout], run.stderr);
      assertMatch(run.stderr, stderr);
    });
  }
});

describe(".pre-commit-hooks.yaml", () => {
  const hook = read(".pre-commit-hooks.yaml");

  /** Runs the hook on files, with the `args` of a configuration. */
  async function runHook(folder: string, ...args: string[]): Promise<number> {
    const [, entry] = /^ {2}entry: npx (.*)$/m.exec(hook)!;
    const words = entry.split(" ");
    assertEquals(words.slice(0, PROGRAM.length), PROGRAM);
    const command = [...FROM_SOURCE, ...words.slice(PROGRAM.length), ...args];
    return (await execute(Deno.execPath(), command, { cwd: folder })).code;
  }

  it("runs this version's check on the files it is given, but for excluded ones", async () => {
    using folder = folderOf(FILES);
    assertEquals(await runHook(folder.path, "a.json", "b c.json"), 1);
    assertEquals(await runHook(folder.path, "--exclude=b*", "b c.json"), 0);
  });

  it("skips files that check skips in directories", async () => {
    const skipped = ["node_modules/a.json", "out/a.json"];
    using folder = folderOf({
      ".git/HEAD": "",
      ".gitignore": "out/\n",
      "a.json": "1",
      ...Object.fromEntries(skipped.map((path) => [path, "["])),
    });
    assertEquals(await runHook(folder.path, "a.json", ...skipped), 0);
    assertEquals(await runHook(folder.path, "--no-ignore", "a.json", ...skipped), 1);
  });

  it("takes the files that check takes from directories", () => {
    const extensions = `\\.(?:${DEFAULT_EXTENSIONS.replaceAll(",", "|")})$`;
    const pattern = [extensions, JSONC_EXTENSIONS.source, JSONC_NAMES.source].join("|").replaceAll("\\/", "/");
    const [, flags, source] = /^ {2}files: '\(\?(i)\)(.*)'$/m.exec(hook)!;
    assertEquals(source, pattern);
    const files = new RegExp(source, flags);
    for (const path of ["a.JSON", "a/.eslintrc", ".babelrc", "bun.lock", "a.code-workspace"]) assert(files.test(path));
    assertEquals(["a.json5", "json", "a.json.gz", "xbun.lock"].filter((file) => files.test(file)), []);
  });
});
