/** The command line as a whole: help, version, and usage errors. */

import { assert, assertEquals, assertMatch } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { COMMANDS, flagsOf, FORMATS } from "../../cli/commands.ts";
import { EXIT_MEANINGS } from "../../cli/program.ts";
import config from "../../deno.json" with { type: "json" };
import { assertRow, itRuns, NO_SCREEN, runCli, screenOf } from "../support/run_cli.ts";
import { execute } from "../support/environment.ts";
import { itUnless } from "../support/skip.ts";

/** Files of peculiar names. */
const FILES = { "a.json": "[]", "1e3": "[]", "-x": "[", check: "[" };

const NAMES = COMMANDS.map(({ name }) => name);

/** Asserts that a screen has all of the texts, wherever its lines end. */
function assertHas(screen: string, texts: readonly string[]): void {
  const joined = (text: string): string => text.replace(/\s+/g, " ");
  for (const text of texts) assert(joined(screen).includes(joined(text)), `${text}\n\n${screen}`);
}

describe("help", () => {
  it("describes the program", async () => {
    const { stdout } = await runCli(".", ["--help"]);
    assertHas(stdout, [
      ...COMMANDS.map(({ name, operands, summary }) => `bytejson ${name} [options] ${operands} ${summary}`),
      ...EXIT_MEANINGS.map(([code, meaning]) => ` ${code} ${meaning}`),
    ]);
    for (const args of ["-h", "help"]) await assertRow({}, { args, stdout });
  });

  for (const command of COMMANDS) {
    const { name, summary, operandChoices, description, examples } = command;
    it(`describes ${name}: its options, examples and exit codes`, async () => {
      const { stdout } = await runCli(".", ["help", name]);
      assert(stdout.startsWith(`bytejson ${name}: ${summary}\n\nUsage:\n  bytejson ${name} [options]`), stdout);
      const options = flagsOf(command).map(({ name, short, value, help }) =>
        `\n ${short ? `-${short},` : ""} --${name} ${value ?? ""} ${help}`
      );
      assertHas(stdout, [...description, ...options, ...examples.map((example) => example.join(" "))]);
      assertEquals(stdout.includes("\nExit codes:\n"), operandChoices === undefined);
      for (const flag of ["--help", "-h"]) await assertRow({}, { args: `${name} ${flag}`, stdout });
    });
  }

  itRuns({}, {
    "has two columns": {
      args: "help man",
      stdout:
        /^ {6}--color WHEN {2}auto, .*\n {20}\S.*\n {2}-h, --help {8}show this help\n\nExamples:\n {2}bytejson man /m,
    },
  });

  for (const columns of [40, 57, 80, 123, 200]) {
    itUnless(NO_SCREEN)(`fits into ${columns} columns`, async () => {
      for (const args of [["--help"], ...NAMES.map((name) => ["help", name])]) {
        const shown = await screenOf(".", args, columns);
        // Lines without a place to break are those of one word.
        const lines = shown.screen.split("\n");
        assertEquals(lines.filter((line) => line.length > columns && line.trim().includes(" ")), []);
        const { stdout } = await runCli(".", args);
        if (columns === 80) assertEquals(shown.screen, stdout, "the same without a terminal");
        else if (args[1] === "check") assertEquals(lines.length > stdout.split("\n").length, columns < 80);
      }
    });
  }
});

describe("version", () => {
  for (const args of ["--version", "-V", "-v", "version"]) {
    itRuns({}, { [args]: { args, stdout: `bytejson ${config.version}\n` } });
  }

  it("says what it needs in a Node.js that is too old", async () => {
    // Such a Node.js has no navigator, and of all runtimes that run these tests only Deno can
    // be without.
    const program = `delete globalThis.navigator; await import("${new URL("../../cli/bin.ts", import.meta.url)}")`;
    const { code, stderr } = await execute(Deno.execPath(), ["eval", program]);
    assertEquals([code, stderr], [2, "bytejson needs Node.js 22 or later\n"]);
  });
});

/** Usage errors: what follows `bytejson` in the message, which ends with the help to look at. */
type Errors = readonly (readonly [args: string | readonly string[], message: string, caret?: string])[];

/** Registers a test for each usage error. */
function itRefuses(errors: Errors, stdin = ""): void {
  for (const [args, message, caret = ""] of errors) {
    const words = typeof args === "string" ? args : JSON.stringify(args);
    const help = `bytejson${/^ \w+/.exec(message) ?? ""} --help`;
    const stderr = `bytejson${message}; try '${help}'\n${caret && `  ${caret.replace("\n", "\n  ")}\n`}`;
    itRuns(FILES, { [`bytejson ${words}`]: { args, code: 2, stderr, stdin } });
  }
}

describe("usage errors: suggestions", () => {
  const list = `; there are ${NAMES.join(", ")}`;
  const rows = "; there are native, response, parseBinary, validateBinary";
  itRefuses([
    ["chekc a.json", ": unknown command 'chekc' (did you mean check?)"],
    ["comp bash", ": unknown command 'comp' (did you mean completions?)"],
    ["HELP", ": unknown command 'HELP' (did you mean help?)"],
    ["fmt a.json", `: unknown command 'fmt'${list}`],
    ["query a.json", ": unknown command 'query' (did you mean select?)"],
    ["help bench2", " help: unknown command 'bench2' (did you mean bench?)"],
    ["--verison", " check: unknown option --verison (did you mean --version?)"],
    ["-q --version", " check: unknown option --version"],
    ["--quite", " check: unknown option --quite (did you mean --quiet?)"],
    ["select {t} --frist 1", " select: unknown option --frist (did you mean --first?)"],
    ["bench --only=natvie", ` bench: --only: no row is called 'natvie'${rows} (did you mean native?)`],
    ["completions bsh", " completions: name one shell: bash, zsh, fish, powershell (did you mean bash?)"],
    [
      "check --format sarrif",
      ` check: --format must be one of ${FORMATS.join(", ")}, not 'sarrif' (did you mean sarif?)`,
    ],
  ]);
});

describe("usage errors: options and operands", () => {
  const once = "standard input can be read only once";
  itRefuses([
    [["check", "-r", ""], " check: a path is empty"],
    ["help check man", " help: unexpected operand 'man'"],
    ["completions", " completions: name one shell: bash, zsh, fish, powershell"],
    ["check -qx", " check: unknown option -x"],
    ["check --max-errors", " check: --max-errors needs a value: N"],
    ["check -j", " check: --jobs needs a value: N"],
    ["check --quiet=yes", " check: --quiet takes no value"],
    ["check --max-errors=-1", " check: --max-errors must be a whole number of at least 0, not '-1'"],
    ["check -qj0", " check: --jobs must be a whole number of at least 1, not '0'"],
    ["bench --runs 0", " bench: --runs must be a whole number of at least 1, not '0'"],
    ["check --max-depth 1.5", " check: --max-depth must be a whole number of at least 0, not '1.5'"],
    ["check --max-content 1X", " check: --max-content must be a size such as 500K, 100M or 2G, not '1X'"],
    ["check --color=blue", " check: --color must be one of auto, always, never, not 'blue'"],
    ["bench --time soon", " bench: --time must be a duration such as 3s or 500ms, not 'soon'"],
    ["check --pass --json", " check: --pass and --json cannot be combined"],
    ["check --pass --format sarif", " check: --pass and --format cannot be combined"],
    ["check --format compact --json", " check: --format and --json cannot be combined"],
    ["check --jsonl --concatenated a", " check: --jsonl and --concatenated cannot be combined"],
    ["check -p --files-from=-", " check: --pass and --files-from cannot be combined"],
    ["check -p a.json 1e3", " check: --pass takes one input"],
    ["check -pr", " check: --pass takes one input"],
    ["check -0", " check: --null needs --files-from"],
    ["check - -", ` check: ${once}`],
    ["check --files-from=- -", ` check: ${once}`],
    ["select {t} - -", ` select: ${once}`],
    ["bench --runs=1 --time=1s", " bench: --runs and --time cannot be combined"],
    ["bench --svg - --json a.json", " bench: --svg - and --json both go to standard output"],
    ["select", " select: no mask: name the members, such as '{id,name}'"],
    ["select {t} --csv --tsv", " select: --csv and --tsv cannot be combined"],
    ["get /t --raw --json-array", " get: --json-array and --raw cannot be combined"],
    ["get", " get: no pointer: name one, such as '/data/0'"],
    ["locate /t", " locate: no file: name one after the pointers, or '-'"],
  ]);
  itRefuses([["check --files-from=-", ` check: ${once}`]], "-\n");
});

describe("usage errors: a caret below the place", () => {
  /** Texts by the command before them, two spaces apart; ▲ marks the place, and is left out. */
  const places: Record<string, string> = {
    "select":
      '▲  ▲a  ▲log.jsonl  {a▲  {a ▲b}  {a:▲}  {a:▲b}  {a}▲}  {▲,}  {a,▲,b}  {a,b,▲a}  {a,▲"\\u0061"}  {*,▲*}  ' +
      '{▲a-b}  {▲1}  {▲"a}  {▲"\\x"}  [▲]  [{a}▲  [{a}▲,{b}]  [0▲  [0,▲]  [▲01]  [2,▲2]  [0▲:{a}]  [0,▲{a}]  [{a}▲,0]  ' +
      `${"[".repeat(201)}▲[${"]".repeat(202)}`,
    "select --csv": "▲[[{a}]]  {c,a:▲[{b}]}  {▲*}  ▲{}  {a:▲{}}",
    "select --where": '/a▲  /a=▲  /a=▲b  /a=▲"b  /a<▲true  /a>=▲null  /a^=▲1  ▲a=1  /a▲~2=1  /名前=▲x  /a in ▲[b]  ' +
      "/a ▲in 1  /a ▲IN [1]  /a ▲EXISTS  /a exist▲  /a ▲not in [1]  /a ▲not exists  /a▲=>1  /a ▲=< 1  /a▲<>1  " +
      "/a=1 ▲&& /b exists  /a=1 ▲&& b=1  /a=1▲&&/b=1  /a=1 ▲|| /b=1  /a=1 ▲OR /b in [1]  /a=1▲,/b=1  /a=1 ▲/b=1  " +
      "/a exists▲, /b=1  /a in [1] ▲AND /b=1  /a ▲or /b=1  /a=1 or▲  ▲(/a=1  (/a=1 ▲/b=1)  /a=1▲)  (▲a=1)  " +
      `▲!(/a=1)  /a=1 or ▲b=1  not ▲b=1  /a/▲"\\x"=1  /a ▲contains "b"  /a ▲startsWith "b"  /a▲=~"b"  ` +
      `${"(".repeat(32)}▲(/a=1  /${"a".repeat(300)}=▲x${"b".repeat(300)}`,
    "get": "▲a  ▲#/a  /a▲~  /a/▲~3",
  };
  for (const [command, texts] of Object.entries(places)) {
    for (const marked of texts.split("  ")) {
      const [text, at] = [marked.replace("▲", ""), marked.indexOf("▲")];
      it(`bytejson ${command} ${text.slice(0, 40)}`, async () => {
        const { code, stdout, stderr } = await runCli(".", [...command.split(" "), text]);
        const [message, line, caret] = stderr.split("\n");
        assertEquals([code, stdout], [2, ""]);
        assertMatch(message, /^bytejson \w+: (?:wrong (?:mask|condition|pointer): |--csv takes a mask of members)/);
        // Each of these wide characters takes two columns.
        const wide = [...line].filter((character) => /[名前]/.test(character)).length;
        assertEquals(line[caret.length - 1 - wide] ?? "", text[at] ?? "");
        assert(line.length <= 80 && caret.endsWith("^"));
        if (text.length < 80) assertEquals(line, `  ${text}`.trimEnd());
        else assertMatch(line, /^ {2}….*…$/);
      });
    }
  }
  itRefuses([
    [
      ["select", "{t}", "--where", "/a=b"],
      " select: wrong condition: expected a JSON value; a string needs quotes: '/name=\"text\"'",
      "/a=b\n   ^",
    ],
    [
      ["select", "{t}", "--where", "/a == 1"],
      " select: wrong condition: '==' is not an operator; expected '='",
      "/a == 1\n   ^",
    ],
    [
      ["select", "{t}", "--where", "/a=1 && /b=2"],
      " select: wrong condition: '&&' is not an operator; expected 'and'",
      "/a=1 && /b=2\n     ^",
    ],
    ["get /a~b", " get: wrong pointer: '~' is written '~0' in a pointer, and '/' in a name '~1'", "/a~b\n  ^"],
  ]);
});

describe("operands", () => {
  const missing = "bytejson: elsewhere: no such file\n";
  itRuns(FILES, {
    "are files of check if no command is named": { args: "a.json", stderr: "ok  1 file, 2 B, T s\n" },
    "may be close to a command": { args: "chekc", stderr: "ok  1 file, 2 B, T s\n", files: { chekc: "[]" } },
    "may be named like a command, in a path": { args: "-q ./check", code: 1 },
    "may be numbers": { args: "check -q 1e3" },
    "are all after --": { args: "-q a.json -- -x missing", code: 2, stderr: "bytejson: missing: no such file\n" },
    "are no commands after an option": { args: "-q elsewhere", code: 2, stderr: missing },
    "are no commands after one": { args: "check elsewhere -q", code: 2, stderr: missing },
    "are no commands with a dot": { args: "else.where -q", code: 2, stderr: "bytejson: else.where: no such file\n" },
  });
  for (const flags of ["-qj2", "-q -j 2", "-j=2 --quiet", "--jobs 2 -q", "--jobs=1 -qj2"]) {
    itRuns(FILES, {
      [`come after ${flags}`]: { args: `check ${flags} a.json` },
      [`come before ${flags}`]: { args: `check a.json ${flags}` },
    });
  }
});

describe("control characters of arguments", () => {
  // A title for the terminal, a colour, a line of its own, a C1 control, a bidirectional
  // override, DEL.
  const HOSTILE = "\x1b]0;title\x07\x1b[31m\r\nbytejson: ok \u009b2J \u202e \x7f";
  const SHOWN = "␛]0;title␇␛[31m␍␊bytejson: ok <U+9B>2J <U+202E> ␡";
  const rows = "; there are native, response, parseBinary, validateBinary";
  itRefuses([
    [[`--${HOSTILE}`], ` check: unknown option --${SHOWN}`],
    [["check", `--jobs=${HOSTILE}`], ` check: --jobs must be a whole number of at least 1, not '${SHOWN}'`],
    [["bench", "--time", HOSTILE], ` bench: --time must be a duration such as 3s or 500ms, not '${SHOWN}'`],
    [["bench", "--only", HOSTILE], ` bench: --only: no row is called '${SHOWN}'${rows}`],
    [["man", HOSTILE], ` man: unexpected operand '${SHOWN}'`],
  ]);
  itRuns({}, {
    "are shown of a file": { args: ["check", "-q", HOSTILE], code: 2, stderr: `bytejson: ${SHOWN}: no such file\n` },
    "are shown of an extension": {
      args: ["check", "-r", "--ext", HOSTILE, "."],
      code: 2,
      stderr: `bytejson check: no files to check: none match *.${SHOWN.replace("2J", "2j")}\n`,
    },
  });
});
