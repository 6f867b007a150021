/**
 * `bytejson completions` and `bytejson man`: as processes, and in the programs that read them.
 */

import { assert, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { COMMANDS, flagsOf, FORMATS, SHELLS } from "../../cli/commands.ts";
import { SCRIPTS } from "../../cli/shell/completions.ts";
import { manual } from "../../cli/shell/man.ts";
import config from "../../deno.json" with { type: "json" };
import { itRuns } from "../support/run_cli.ts";
import { folderOf } from "../support/files.ts";
import { execute } from "../support/environment.ts";
import { isWindows, itUnless, type SkipReason, withoutProgram } from "../support/skip.ts";

/** Returns the reason to skip tests of a program. */
function without(program: string): SkipReason {
  return isWindows ? `${program} of Windows has folders of its own` : withoutProgram(program);
}

async function outputOf(program: string, args: string[], cwd: string): Promise<string> {
  const { stdout, stderr } = await execute(program, args, { cwd, stdin: "null" });
  return stdout + stderr;
}

/** Registers tests of what a program offers for the last word after `bytejson`. */
function itOffers(
  shell: typeof SHELLS[number],
  [program, ...options]: readonly string[],
  cases: Record<string, readonly string[]>,
  wordsOf: (typed: string) => string[],
  read: (output: string) => string[],
): void {
  const extension = shell === "powershell" ? "ps1" : shell;
  const itCompletes = itUnless(without(program));
  for (const [typed, offered] of Object.entries(cases)) {
    itCompletes(`completes ${typed}<Tab>`, async () => {
      using folder = folderOf({ [`bytejson.${extension}`]: SCRIPTS[shell](), "document.json": "[]" });
      const output = await outputOf(program, [...options, ...wordsOf(typed)], folder.path);
      assertEquals(read(output), offered);
    });
  }
}

const NAMES = COMMANDS.map(({ name }) => name);
const LIMITS = ["--max-content", "--max-depth", "--max-errors", "--max-ratio"];

describe("completions: bash", () => {
  const probe = `
      source bytejson.bash
      COMP_WORDS=("$@") COMP_CWORD=$(( $# - 1 ))
      _bytejson
      printf '%s\\n' "\${COMPREPLY[@]}"`;
  const cases = {
    "com": ["completions"],
    "": NAMES,
    "--ver": ["--version"],
    "check --max": ["--max-depth", "--max-content", "--max-ratio", "--max-errors"],
    "bench a.json --no-": ["--no-memory", "--no-snippet"],
    "check --color a": ["auto", "always"],
    "check --color = n": ["never"],
    "check --color =": ["auto", "always", "never"],
    "bench --only native,val": ["native,validateBinary"],
    "completions ": SHELLS,
    "check --format ": FORMATS,
    "check some": [""],
    "bench --svg some": [""],
  };
  // The words are split as readline splits them.
  const wordsOf = (typed: string): string[] => typed.split(" ");
  const program = ["bash", "--norc", "-c", probe, "bash", "bytejson"];
  itOffers("bash", program, cases, wordsOf, (output) => output.trimEnd().split("\n"));
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
  const cases = {
    "com": ["completions"],
    "--fail": ["--fail-fast"],
    "bench --only val": ["bench --only validateBinary"],
    "bench --color=nev": ["bench --color=never"],
    "bench docum": ["bench document.json"],
  };
  itOffers("zsh", ["zsh", "-f", "-c", probe, "zsh"], cases, (typed) => [typed], (output) => [output.trim()]);
});

describe("completions: fish", () => {
  const probe = 'source bytejson.fish; complete -C "bytejson $argv[1]"';
  const cases = {
    "com": ["completions"],
    "check --max-": LIMITS,
    "--fail": ["--fail-fast"],
    "bench --only native,val": ["native,validateBinary"],
    "check --color=n": ["--color=never"],
    "completions ": [...SHELLS].sort(),
    "check --format sa": ["sarif"],
    "help ": [...NAMES].sort(),
    "bench docum": ["document.json"],
    "man docum": [],
  };
  const read = (output: string): string[] =>
    output.split("\n").filter(Boolean).map((line) => line.split("\t")[0]).sort();
  itOffers("fish", ["fish", "--no-config", "-c", probe, "--"], cases, (typed) => [typed], read);
});

describe("completions: powershell", () => {
  const probeOf = (typed: string): string[] => {
    const line = `bytejson ${typed}`;
    return [`. ./bytejson.ps1; (TabExpansion2 '${line}' ${line.length}).CompletionMatches.CompletionText`];
  };
  const cases = {
    "com": ["completions"],
    "check --max-": LIMITS,
    "check --color n": ["never"],
    "help ben": ["bench"],
    "check docum": [".\\document.json"],
  };
  const read = (output: string): string[] => output.trim().split(/\r?\n/).map((text) => text.replace("/", "\\"));
  itOffers("powershell", ["pwsh", "-NoProfile", "-NonInteractive", "-Command"], cases, probeOf, read);
});

describe("completions", () => {
  for (const shell of SHELLS) {
    itRuns({}, { [`are printed for ${shell}`]: { args: `completions ${shell}`, stdout: SCRIPTS[shell](), allow: [] } });
  }

  it("have every flag and its help", () => {
    for (const { name, help } of COMMANDS.flatMap(flagsOf)) {
      for (const shell of SHELLS) {
        assert(SCRIPTS[shell]().includes(shell === "fish" ? `-l ${name} ` : `--${name}`), name);
        if (shell === "powershell") assert(SCRIPTS[shell]().includes(help.replaceAll("'", "''")), name);
        if (shell === "fish") assert(SCRIPTS[shell]().includes(help.replaceAll("'", "\\'")), name);
      }
    }
  });
});

describe("man", () => {
  itRuns({}, { "prints the page of this version": { args: "man", stdout: manual(config.version), allow: [] } });

  const itFormats = itUnless(without("mandoc"));

  itFormats("says what the help screens say", async () => {
    using folder = folderOf({ "bytejson.1": manual("1.2.3") });
    const page = await outputOf("mandoc", ["-T", "utf8", "-O", "width=1000", "bytejson.1"], folder.path);
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

  itFormats("passes mandoc's linter, style and date aside", async () => {
    using folder = folderOf({ "bytejson.1": manual("1.2.3") });
    const complaints = await outputOf("mandoc", ["-T", "lint", "-W", "warning", "bytejson.1"], folder.path);
    assertEquals(complaints.split("\n").filter((line) => line !== "" && !line.includes("missing date")), []);
  });
});
