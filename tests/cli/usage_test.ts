/**
 * The command line as a whole: help, version and usage errors.
 *
 * @module
 */

import { assertEquals, assertMatch } from "@std/assert";
import { toText } from "@std/streams/to-text";
import { describe, it } from "@std/testing/bdd";
import { COMMANDS } from "../../cli/commands.ts";
import { commandHelp } from "../../cli/shell/help.ts";
import config from "../../deno.json" with { type: "json" };
import { cliCommand, folderOf, FULL_DEVICE, type Run, runCli, withoutTime } from "../support/cli.ts";

const HELP = `\
bytejson: JSON straight from bytes

Usage:
  bytejson check [options] [FILE | DIR | -]...    validate JSON documents
  bytejson select [options] MASK [FILE | -]...    print wanted members of
                                                  documents
  bytejson get [options] POINTER [FILE | -]...    print the value at a pointer
  bytejson each [options] POINTER [FILE | -]...   print elements of an array as
                                                  JSON Lines
  bytejson locate [options] POINTER... [--] FILE  print where values are
  bytejson bench [options] [FILE | -]...          benchmark JSON parsing
  bytejson completions [options] SHELL            print shell completions
  bytejson man [options]                          print the manual page
  bytejson help [options] [COMMAND]               describe a command
  bytejson version [options]                      print the version
  bytejson --help | --version                     the same as help and version

'bytejson FILE...' means 'bytejson check FILE...'. Without a path, or for '-',
it reads standard input.

Exit codes:
  0    all valid
  1    at least one invalid document, or no value at a pointer
  2    usage error, unreadable input, no files, no permission; overrides 1
  130  interrupted
  143  terminated by SIGTERM
`;

/** End of a message that lists all commands. */
const COMMAND_LIST = `; there are ${COMMANDS.map(({ name }) => name).join(", ")}`;

const CHECK_HELP = `\
bytejson check: validate JSON documents

Usage:
  bytejson check [options] [FILE | DIR | -]...

Streams its input, so memory does not grow with input size. Reads standard input
without a path, or for '-'. Diagnostics go to standard error. Standard output
carries only what --format, --json or --pass print.

Options:
  -q, --quiet            print nothing but usage and I/O errors
      --format FORMAT    text; or on stdout: compact (a line per failure), json,
                         sarif, github, gitlab, junit
      --json             --format json: one JSON object per file, then a summary
  -p, --pass             copy the input to stdout up to its first bad byte
      --jsonl            one document per line; automatic for .jsonl and .ndjson
      --concatenated     documents one after another, on any number of lines
      --jsonc GLOB       accept comments and trailing commas in matching files
      --strict           do not accept them by the name of a file, such as
                         tsconfig.json or *.jsonc
      --no-decompress    do not decompress gzip and Zstandard
      --max-depth N      levels of nesting, 0 for no limit (default 1000000)
      --unique-keys      reject objects that have a name twice
      --safe-integers    reject integers that JSON.parse may round
      --no-proto         reject names that may poison prototypes
      --max-content N    decompressed bytes, 0 for no limit (default 4T)
      --max-ratio N      decompressed bytes per compressed byte, 0 for no limit
                         (default 1100)
      --max-errors N     errors shown per file, 0 for all (default 20)
      --fail-fast        stop at the first failure
  -r, --recursive        without a path, check the files in the current
                         directory
      --ext LIST         extensions of those files (default
                         json,jsonl,ndjson,geojson,webmanifest)
      --include GLOB     check only matching files in directories, even ignored
      --exclude GLOB     skip matching files and directories
      --no-ignore        do not skip node_modules, or files that .gitignore and
                         .ignore list
      --hidden           do not skip hidden files outside of Git repositories
      --force-ignore     skip hidden and ignored files even if they are named
  -L, --follow           follow symbolic links in directories
      --files-from FILE  read paths from a file, one per line; '-' is stdin
  -0, --null             paths of --files-from end with a null byte
      --allow-no-files   exit 0 if there are no files to check
      --no-snippet       never print input content
  -j, --jobs N           check N files in parallel (default: number of cores)
      --stats            print time, throughput and memory
      --color WHEN       auto, always or never; auto follows NO_COLOR,
                         FORCE_COLOR and whether reports go to a terminal
  -h, --help             show this help

Examples:
  bytejson check config.json data.json                   two files
  bytejson check .                                       all files of a project
  curl -s https://example.com/api | bytejson check       standard input
  bytejson check --jsonc 'config/*.json' .               some with comments
  git ls-files '*.json' | bytejson check --files-from -  the files of a list
  bytejson check --pass dump.json.gz | load              pass on valid bytes
  bytejson check --json export.ndjson                    bad lines, as JSON

Exit codes:
  0    all valid
  1    at least one invalid document, or no value at a pointer
  2    usage error, unreadable input, no files, no permission; overrides 1
  130  interrupted
  143  terminated by SIGTERM
`;

/** Runs a command line among files of peculiar names. */
async function run(...args: string[]): Promise<Run> {
  using folder = folderOf({ "a.json": "[]", "1e3": "[]", "-x": "[", check: "[" });
  return await runCli(folder.path, args);
}

describe("command line", () => {
  it("says what it needs in a Node.js that is too old", async () => {
    // Such a Node.js has no navigator, and of all runtimes that run these tests only Deno can be without.
    const program = `delete globalThis.navigator; await import("${new URL("../../cli/bin.ts", import.meta.url)}")`;
    const { code, stderr } = await new Deno.Command(Deno.execPath(), { args: ["eval", program] }).output();
    assertEquals([code, new TextDecoder().decode(stderr)], [2, "bytejson needs Node.js 22 or later\n"]);
  });

  for (const flag of ["--help", "-h"]) {
    it(`prints the help of the program: ${flag}`, async () => {
      assertEquals(await run(flag), { code: 0, stdout: HELP, stderr: "" });
    });

    it(`prints the help of a command: check ${flag}`, async () => {
      assertEquals(await run("check", flag), { code: 0, stdout: CHECK_HELP, stderr: "" });
    });
  }

  it("prints the help of the program: help", async () => {
    assertEquals(await run("help"), { code: 0, stdout: HELP, stderr: "" });
  });

  it("prints the help of a command: help check", async () => {
    assertEquals(await run("help", "check"), { code: 0, stdout: CHECK_HELP, stderr: "" });
  });

  for (const { name } of COMMANDS) {
    it(`prints the same help with help ${name} and ${name} --help`, async () => {
      assertEquals(await run("help", name), await run(name, "--help"));
    });
  }

  it("lists the exit codes only for commands that read documents", () => {
    const withCodes = COMMANDS.filter((command) => commandHelp(command, 80).includes("Exit codes:"));
    assertEquals(withCodes.map(({ name }) => name), ["check", "select", "get", "each", "locate", "bench"]);
  });

  it("prints the help of a command: bench --help", async () => {
    assertMatch((await run("bench", "--help")).stdout, /^bytejson bench: .*\n\nUsage:\n {2}bytejson bench /);
  });

  it("prints the version", async () => {
    for (const args of [["--version"], ["-V"], ["-v"], ["version"]]) {
      assertEquals(await run(...args), { code: 0, stdout: `bytejson ${config.version}\n`, stderr: "" });
    }
  });

  for (const args of [[], ...COMMANDS.map(({ name }) => [name])]) {
    it(`fits its help into 80 columns: ${[...args, "--help"].join(" ")}`, async () => {
      const { stdout } = await run(...args, "--help");
      assertEquals(stdout.split("\n").filter((line) => line.length > 80), []);
    });
  }

  for (const args of [["--help"], ["-h"], ["--version"], ["-V"]]) {
    it(`exits 2 with one line if ${args[0]} cannot be written`, async () => {
      if (Deno.build.os !== "linux") return console.log("skipped: only Linux has /dev/full");
      using folder = folderOf({});
      assertEquals(await runCli(folder.path, args, { stdoutFile: "/dev/full" }), {
        code: 2,
        stdout: "",
        stderr: `bytejson: cannot write to standard output: ${FULL_DEVICE}\n`,
      });
    });
  }

  for (
    const args of [["check", "--help"], ["bench", "--help"], ["man"], ["completions", "bash"], ["help"], ["version"]]
  ) {
    it(`exits 2 with one line if ${args.join(" ")} cannot be written`, async () => {
      if (Deno.build.os !== "linux") return console.log("skipped: only Linux has /dev/full");
      using folder = folderOf({});
      assertEquals(await runCli(folder.path, args, { stdoutFile: "/dev/full" }), {
        code: 2,
        stdout: "",
        stderr: `bytejson ${args[0]}: cannot write to standard output: ${FULL_DEVICE}\n`,
      });
    });
  }

  for (
    const args of [["--help"], ["--version"], ["check", "--help"], ["man"], ["completions", "zsh"], ["help"], [
      "version",
    ]]
  ) {
    it(`exits 0 silently if nobody reads ${args.join(" ")}`, async () => {
      const child = cliCommand(".", args).spawn();
      await Promise.all([child.stdin.close(), child.stdout.cancel()]);
      const [{ code }, stderr] = await Promise.all([child.status, toText(child.stderr)]);
      assertEquals([code, stderr], [0, ""]);
    });
  }

  const mistyped: [args: string[], message: string][] = [
    [
      ["chekc", "a.json"],
      "bytejson: unknown command 'chekc' (did you mean check?); try 'bytejson --help'",
    ],
    [["bnech"], "bytejson: unknown command 'bnech' (did you mean bench?); try 'bytejson --help'"],
    [
      ["comp", "bash"],
      "bytejson: unknown command 'comp' (did you mean completions?); try 'bytejson --help'",
    ],
    [["HELP"], "bytejson: unknown command 'HELP' (did you mean help?); try 'bytejson --help'"],
    [
      ["help", "bench2"],
      "bytejson help: unknown command 'bench2' (did you mean bench?); try 'bytejson help --help'",
    ],
    [["help", "everything"], `bytejson help: unknown command 'everything'${COMMAND_LIST}; try 'bytejson help --help'`],
    [["fmt", "a.json"], `bytejson: unknown command 'fmt'${COMMAND_LIST}; try 'bytejson --help'`],
    [["validate", "a.json"], "bytejson: unknown command 'validate' (did you mean check?); try 'bytejson --help'"],
    [["LINT", "a.json"], "bytejson: unknown command 'LINT' (did you mean check?); try 'bytejson --help'"],
    [["query", "a.json"], "bytejson: unknown command 'query' (did you mean select?); try 'bytejson --help'"],
    [["check", "-r", ""], "bytejson check: a path is empty; try 'bytejson check --help'"],
    [
      ["bench", "--only=NATVIE"],
      "bytejson bench: --only: no row is called 'NATVIE'; there are native, response, " +
      "parseBinary, validateBinary (did you mean native?); try 'bytejson bench --help'",
    ],
    [["help", "check", "man"], "bytejson help: unexpected operand 'man'; try 'bytejson help --help'"],
    [["version", "2"], "bytejson version: unexpected operand '2'; try 'bytejson version --help'"],
    [
      ["--verison"],
      "bytejson check: unknown option --verison (did you mean --version?); try 'bytejson check --help'",
    ],
    [["-q", "--version"], "bytejson check: unknown option --version; try 'bytejson check --help'"],
    [["--quite"], "bytejson check: unknown option --quite (did you mean --quiet?); try 'bytejson check --help'"],
    [
      ["check", "--fail"],
      "bytejson check: unknown option --fail (did you mean --fail-fast?); try 'bytejson check --help'",
    ],
    [
      ["bench", "--no-mem"],
      "bytejson bench: unknown option --no-mem (did you mean --no-memory?); try 'bytejson bench --help'",
    ],
    [
      ["bench", "--only=natvie"],
      "bytejson bench: --only: no row is called 'natvie'; there are native, response, " +
      "parseBinary, validateBinary (did you mean native?); try 'bytejson bench --help'",
    ],
    [
      ["completions", "bsh"],
      "bytejson completions: name one shell: bash, zsh, fish, powershell (did you mean bash?); " +
      "try 'bytejson completions --help'",
    ],
  ];
  for (const [args, message] of mistyped) {
    it(`suggests what is meant, or nothing: ${args.join(" ")}`, async () => {
      assertEquals(await run(...args), { code: 2, stdout: "", stderr: `${message}\n` });
    });
  }

  it("checks a file with a name that is close to a command", async () => {
    using folder = folderOf({ chekc: "[]" });
    assertEquals((await runCli(folder.path, ["chekc"])).code, 0);
  });

  it("says of a path that is no file that there is no such file", async () => {
    assertEquals((await run("-q", "elsewhere")).stderr, "bytejson: elsewhere: no such file\n");
    assertEquals((await run("else.where")).stderr.split("\n")[0], "bytejson: else.where: no such file");
    assertEquals((await run("check", "elsewhere")).stderr.split("\n")[0], "bytejson: elsewhere: no such file");
  });

  it("checks a file if no command is named", async () => {
    const { code, stdout, stderr } = await run("a.json");
    assertEquals([code, stdout, withoutTime(stderr)], [0, "", "ok  1 file, 2 B, T s\n"]);
    assertEquals((await run("--quiet", "a.json")).code, 0);
  });

  it("accepts flags in all their spellings", async () => {
    for (
      const flags of [["-qj2"], ["-q", "-j", "2"], ["-j=2", "--quiet"], ["--jobs", "2", "-q"], ["--jobs=1", "-qj2"]]
    ) {
      for (const args of [[...flags, "a.json"], ["a.json", ...flags]]) {
        assertEquals(await run("check", ...args), { code: 0, stdout: "", stderr: "" });
      }
    }
  });

  it("takes arguments after -- for file names", async () => {
    const { code, stderr } = await run("-q", "a.json", "--", "-x", "missing");
    assertEquals([code, stderr], [2, "bytejson: missing: no such file\n"]);
  });

  it("takes a number for a file name", async () => {
    assertEquals((await run("check", "1e3")).code, 0);
  });

  it("takes a path to a file named like a command for a file", async () => {
    assertEquals((await run("./check")).code, 1);
  });

  // A title for the terminal, a colour, a line of its own, a C1 control, a bidirectional override,
  // DEL.
  const HOSTILE = "\x1b]0;title\x07\x1b[31m\r\nbytejson: ok \u009b2J \u202e \x7f";
  const SHOWN = "␛]0;title␇␛[31m␍␊bytejson: ok <U+9B>2J <U+202E> ␡";
  const hostile: [args: string[], message: string][] = [
    [[`--${HOSTILE}`], `bytejson check: unknown option --${SHOWN}; try 'bytejson check --help'`],
    [["check", "-\x1b"], "bytejson check: unknown option -␛; try 'bytejson check --help'"],
    [
      ["check", `--jobs=${HOSTILE}`],
      `bytejson check: --jobs must be a whole number of at least 1, not '${SHOWN}'; try 'bytejson check --help'`,
    ],
    [
      ["check", "--color", HOSTILE],
      `bytejson check: --color must be one of auto, always, never, not '${SHOWN}'; try 'bytejson check --help'`,
    ],
    [
      ["bench", "--time", HOSTILE],
      `bytejson bench: --time must be a duration such as 3s or 500ms, not '${SHOWN}'; try 'bytejson bench --help'`,
    ],
    [
      ["bench", "--only", HOSTILE],
      `bytejson bench: --only: no row is called '${SHOWN}'; there are native, response, parseBinary, ` +
      "validateBinary; try 'bytejson bench --help'",
    ],
    [["man", HOSTILE], `bytejson man: unexpected operand '${SHOWN}'; try 'bytejson man --help'`],
    [
      ["check", "-r", "--ext", HOSTILE, "."],
      `bytejson check: no files to check: none match *.${SHOWN.replace("2J", "2j")}`,
    ],
    [["check", "-q", HOSTILE], `bytejson: ${SHOWN}: no such file`],
    [["bench", HOSTILE], `bytejson: ${SHOWN}: no such file`],
  ];
  for (const [args, message] of hostile) {
    it(`shows control characters harmlessly: ${args.join(" ").replace(/\P{ASCII}|[^ -~]/gu, "?")}`, async () => {
      assertEquals(await run(...args), { code: 2, stdout: "", stderr: `${message}\n` });
    });
  }

  const misuses: [args: string[], message: string][] = [
    [["--quick"], "bytejson check: unknown option --quick"],
    [["check", "-qx"], "bytejson check: unknown option -x"],
    [["check", "--depth=3"], "bytejson check: unknown option --depth"],
    [["check", "--max-errors"], "bytejson check: --max-errors needs a value: N"],
    [["check", "--max-errors=-1"], "bytejson check: --max-errors must be a whole number of at least 0, not '-1'"],
    [["check", "--quiet=yes"], "bytejson check: --quiet takes no value"],
    [["check", "-j"], "bytejson check: --jobs needs a value: N"],
    [["check", "-qj0"], "bytejson check: --jobs must be a whole number of at least 1, not '0'"],
    [["check", "--pass", "--json"], "bytejson check: --pass and --json exclude each other"],
    [["check", "-p", "a.json", "1e3"], "bytejson check: --pass takes one input"],
    [["check", "-pr"], "bytejson check: --pass takes one input"],
    [["check", "-", "-"], "bytejson check: standard input can be read only once"],
    [["--color=blue"], "bytejson check: --color must be one of auto, always, never, not 'blue'"],
    [["bench", "--runs", "0"], "bytejson bench: --runs must be a whole number of at least 1, not '0'"],
    [["bench", "--time", "soon"], "bytejson bench: --time must be a duration such as 3s or 500ms, not 'soon'"],
    [["bench", "--runs=1", "--time=1s"], "bytejson bench: --runs and --time exclude each other"],
    [
      ["bench", "--only=jq"],
      "bytejson bench: --only: no row is called 'jq'; there are native, response, parseBinary, validateBinary",
    ],
  ];
  for (const [args, message] of misuses) {
    it(`exits 2 and names the help: ${args.join(" ")}`, async () => {
      const command = args[0] === "bench" ? "bench" : "check";
      const stderr = `${message}; try 'bytejson ${command} --help'\n`;
      assertEquals(await run(...args), { code: 2, stdout: "", stderr });
    });
  }
});
