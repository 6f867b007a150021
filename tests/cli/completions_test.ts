/**
 * `bytejson completions` and `bytejson man`: as processes, and in the programs that read them.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { COMMANDS, COMMON_FLAGS, FORMATS, SHELLS } from "../../cli/commands.ts";
import { script } from "../../cli/shell/completions.ts";
import { manual } from "../../cli/shell/man.ts";
import { folderOf, runCli } from "../support/cli.ts";

const decoder = new TextDecoder();

/** Returns the output of a program, or `undefined`, with a message, if it is not installed. */
async function outputOf(program: string, args: string[], cwd?: string): Promise<string | undefined> {
  if (Deno.build.os === "windows") {
    console.log(`skipped: ${program} of Windows has folders of its own`);
    return undefined;
  }
  try {
    const command = new Deno.Command(program, { args, ...cwd !== undefined && { cwd }, stdin: "null" });
    const { stdout, stderr } = await command.output();
    return decoder.decode(stdout) + decoder.decode(stderr);
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
    console.log(`skipped: ${program} is not installed`);
    return undefined;
  }
}

describe("completions: bash", () => {
  /** Returns what bash offers for the last of these words, split as readline splits them. */
  async function complete(...words: string[]): Promise<string[] | undefined> {
    const probe = `
      source bytejson.bash
      COMP_WORDS=("$@") COMP_CWORD=$(( $# - 1 ))
      _bytejson
      printf '%s\\n' "\${COMPREPLY[@]}"`;
    using folder = folderOf({ "bytejson.bash": script("bash") });
    const output = await outputOf("bash", ["--norc", "-c", probe, "bash", "bytejson", ...words], folder.path);
    return output?.trimEnd().split("\n");
  }

  const cases: [words: string[], offered: string[]][] = [
    [["com"], ["completions"]],
    [[""], COMMANDS.map(({ name }) => name)],
    [["--ver"], ["--version"]],
    [["check", "--max"], ["--max-depth", "--max-content", "--max-ratio", "--max-errors"]],
    [["--max-e"], ["--max-errors"]],
    [["bench", "--ru"], ["--runs"]],
    [["bench", "a.json", "--no-"], ["--no-memory", "--no-snippet"]],
    [["check", "--color", "a"], ["auto", "always"]],
    [["check", "--color", "=", "n"], ["never"]],
    [["check", "--color", "="], ["auto", "always", "never"]],
    [["bench", "--only", "native,val"], ["native,validateBinary"]],
    [["completions", ""], [...SHELLS]],
    [["help", "ben"], ["bench"]],
    [["check", "--format", ""], [...FORMATS]],
    [["check", "some"], [""]],
    [["bench", "--svg", "some"], [""]],
  ];
  for (const [words, offered] of cases) {
    it(`completes ${words.join(" ")}<Tab>`, async () => {
      const found = await complete(...words);
      if (found) assertEquals(found, offered);
    });
  }
});

describe("completions: zsh", () => {
  // Types into a terminal; the program prints its arguments.
  const probe = `
    zmodload zsh/zpty
    zpty shell zsh -f -i
    zpty -w shell 'PS1= TERM=dumb; autoload -Uz compinit; compinit -D -u; bytejson() { print -r -- "GIV""EN:$*" }'
    zpty -w shell 'source ./bytejson.zsh; setopt no_list_ambiguous; print READ""Y'
    zpty -r -m shell seen '*READY*'
    zpty -n -w shell "bytejson $1"$'\\t\\n'
    zpty -r -m shell seen '*GIVEN:*'$'\\n'
    print -r -- \${seen#*GIVEN:}
    zpty -d shell`;

  const cases: [typed: string, given: string][] = [
    ["com", "completions"],
    ["check --max-e", "check --max-errors"],
    ["--fail", "--fail-fast"],
    ["bench --only val", "bench --only validateBinary"],
    ["bench --color=nev", "bench --color=never"],
    ["bench docum", "bench document.json"],
  ];
  for (const [typed, given] of cases) {
    it(`completes ${typed}<Tab>`, async () => {
      using folder = folderOf({ "bytejson.zsh": script("zsh"), "document.json": "[]" });
      const found = await outputOf("zsh", ["-f", "-c", probe, "zsh", typed], folder.path);
      if (found !== undefined) assertEquals(found.trim(), given);
    });
  }
});

describe("completions: fish", () => {
  const cases: [typed: string, offered: string[]][] = [
    ["com", ["completions"]],
    ["check --max-", ["--max-content", "--max-depth", "--max-errors", "--max-ratio"]],
    ["--fail", ["--fail-fast"]],
    ["bench --fail", []],
    ["bench --only nat", ["native"]],
    ["bench --only native,val", ["native,validateBinary"]],
    ["check --color=n", ["--color=never"]],
    ["completions ", [...SHELLS].sort()],
    ["check --format sa", ["sarif"]],
    ["help ", COMMANDS.map(({ name }) => name).sort()],
    ["bench docum", ["document.json"]],
    ["man docum", []],
  ];
  for (const [typed, offered] of cases) {
    it(`completes ${typed}<Tab>`, async () => {
      using folder = folderOf({ "bytejson.fish": script("fish"), "document.json": "[]" });
      const probe = 'source bytejson.fish; complete -C "bytejson $argv[1]"';
      const output = await outputOf("fish", ["--no-config", "-c", probe, "--", typed], folder.path);
      if (output === undefined) return;
      assertEquals(output.split("\n").filter(Boolean).map((line) => line.split("\t")[0]).sort(), offered);
    });
  }
});

describe("completions: powershell", () => {
  const cases: [typed: string, offered: string[]][] = [
    ["com", ["completions"]],
    ["check --max-", ["--max-content", "--max-depth", "--max-errors", "--max-ratio"]],
    ["check --color n", ["never"]],
    ["help ben", ["bench"]],
    ["check docum", [".\\document.json"]],
  ];
  for (const [typed, offered] of cases) {
    it(`completes ${typed}<Tab>`, async () => {
      using folder = folderOf({ "bytejson.ps1": script("powershell"), "document.json": "[]" });
      const line = `bytejson ${typed}`;
      const probe = `. ./bytejson.ps1; (TabExpansion2 '${line}' ${line.length}).CompletionMatches.CompletionText`;
      const output = await outputOf("pwsh", ["-NoProfile", "-NonInteractive", "-Command", probe], folder.path);
      if (output !== undefined) {
        assertEquals(output.trim().split(/\r?\n/).map((text) => text.replace("/", "\\")), offered);
      }
    });
  }

  it("has brackets in pairs, and quotes text", () => {
    const code = script("powershell").replaceAll(/'(?:[^']|'')*'|#.*/g, "");
    for (const [open, close] of ["{}", "()", "[]"]) {
      assertEquals(code.split(open).length, code.split(close).length, open + close);
    }
    assertEquals(code.includes("'"), false);
  });
});

describe("completions: process", () => {
  for (const shell of SHELLS) {
    it(`prints the script of ${shell}`, async () => {
      using folder = folderOf({});
      assertEquals(await runCli(folder.path, ["completions", shell], { allow: [] }), {
        code: 0,
        stdout: script(shell),
        stderr: "",
      });
    });

    it(`has every flag and its help for ${shell}`, () => {
      for (const { flags } of COMMANDS) {
        for (const { name, help } of [...flags, ...COMMON_FLAGS]) {
          assert(script(shell).includes(shell === "fish" ? `-l ${name} ` : `--${name}`), name);
          if (shell === "powershell") assert(script(shell).includes(help.replaceAll("'", "''")), name);
          if (shell === "fish") assert(script(shell).includes(help.replaceAll("'", "\\'")), name);
        }
      }
    });
  }
});

describe("man", () => {
  it("prints the page of this version", async () => {
    using folder = folderOf({});
    const { version } = JSON.parse(Deno.readTextFileSync(new URL("../../deno.json", import.meta.url)));
    const { code, stdout, stderr } = await runCli(folder.path, ["man"], { allow: [] });
    assertEquals([code, stderr, stdout], [0, "", manual(version)]);
    assertEquals((await runCli(folder.path, ["man", "check"])).code, 2);
  });

  it("says what the help screens say", async () => {
    using folder = folderOf({ "bytejson.1": manual("1.2.3") });
    const page = await outputOf("mandoc", ["-T", "utf8", "-O", "width=1000", `${folder.path}/bytejson.1`]);
    if (page === undefined) return;
    // Bold is a letter printed over itself, italics a line under it.
    // deno-lint-ignore no-control-regex
    const plain = page.replace(/.\x08/g, "").replace(/\s+/g, " ");
    for (const { name, summary, description, flags, examples } of COMMANDS) {
      for (const text of [`bytejson ${name}`, summary, ...description, ...examples.flat()]) {
        assert(plain.includes(text.replace(/\s+/g, " ")), text);
      }
      for (const { name, short, value, help } of flags) {
        const spelled = `${short ? `-${short}, ` : ""}--${name}${value ? ` ${value}` : ""}`;
        assert(plain.includes(`${spelled} ${help}`), spelled);
      }
    }
  });

  it("passes mandoc's linter, style and date aside", async () => {
    using folder = folderOf({ "bytejson.1": manual("1.2.3") });
    const complaints = await outputOf("mandoc", ["-T", "lint", "-W", "warning", "bytejson.1"], folder.path);
    if (complaints === undefined) return;
    assertEquals(complaints.split("\n").filter((line) => line !== "" && !line.includes("missing date")), []);
  });
});
