/**
 * The program as data: its commands, their flags and examples, its exit codes. The parsing of arguments, `--help`, shell completions
 * and the man page all come from here.
 */

import type { Arguments } from "./arguments.ts";

/** What the program is called. */
export const PROGRAM = "bytejson";

/** The first argument that makes the program the process a row of `bench` is measured in; nothing for users. */
export const MEMORY_PROCESS = "--memory-process";

/** The process's exit codes. */
export const EXIT = { valid: 0, invalid: 1, unusable: 2, interrupted: 130 } as const;

/** What each exit code means. */
export const EXIT_MEANINGS: readonly (readonly [code: number, meaning: string])[] = [
  [EXIT.valid, "all valid"],
  [EXIT.invalid, "at least one invalid document"],
  [EXIT.unusable, "usage, unreadable input, nothing to check, missing permission; wins over 1"],
  [EXIT.interrupted, "interrupted"],
];

/** An option of a command. */
export interface Flag {
  /** Its long form, without dashes. */
  name: string;
  /** Its letter, without a dash. */
  short?: string;
  /** Placeholder of its value; absent for a switch. */
  value?: string;
  /** The words its value may be, or be a comma-separated list of if `isList`. */
  choices?: readonly string[];
  isList?: boolean;
  /** Whether its value names a file. */
  isFile?: boolean;
  /** What it does, in a line. */
  help: string;
}

/** The permissions the program can make use of. */
export const PERMISSIONS = ["read", "write", "run"] as const;
export type Permission = typeof PERMISSIONS[number];

/** Runs a command. Resolves with the exit code. */
export type Run = (args: Arguments) => Promise<number>;

/** A command of the program. */
export interface Command {
  name: string;
  /** What it does, in a few words. */
  summary: string;
  /** What else there is to know: paragraphs, for its help and the man page. */
  description: readonly string[];
  /** Its operands, as a usage line has them. */
  operands: string;
  /** The words its operand may be, none where it takes no operand; absent where operands are files. */
  operandChoices?: readonly string[];
  /** What it needs of Deno; an executable of its own gives up the rest. */
  permissions: readonly Permission[];
  flags: readonly Flag[];
  /** Command lines with what they do. */
  examples: readonly (readonly [line: string, does: string])[];
  /** Loaded when used, so that no command pays for another at start-up. */
  load(): Promise<Run>;
}

/** When to colour, the values of `--color`. */
export const COLOUR_CHOICES = ["auto", "always", "never"] as const;

/** Flags every command has. */
export const COMMON_FLAGS: readonly Flag[] = [
  {
    name: "color",
    value: "WHEN",
    choices: COLOUR_CHOICES,
    help: "colour: auto, always or never; auto heeds NO_COLOR, FORCE_COLOR and terminals",
  },
  { name: "help", short: "h", help: "show this help" },
];

/** Failures shown per file unless `--max-errors` says otherwise. */
export const DEFAULT_MAX_ERRORS = 20;

/** What names of files in a directory end in, unless `--ext` says otherwise. */
export const DEFAULT_EXTENSIONS = "json,jsonl,ndjson,geojson,webmanifest";

/** Milliseconds of measuring a document, unless `--runs` or `--time` says otherwise. */
export const DEFAULT_TIME = 3000;

/** Rounds that do not count, unless `--warmup` says otherwise. */
export const DEFAULT_WARMUP = 3;

const JSONL: Flag = { name: "jsonl", help: "one document per line; automatic for .jsonl and .ndjson" };
const NO_SNIPPET: Flag = { name: "no-snippet", help: "never print input content" };

const check: Command = {
  name: "check",
  summary: "validate JSON documents",
  description: [
    "Reads its inputs as streams: memory does not grow with them. Without a path, or for '-', it reads standard input.",
    "Diagnostics go to standard error; standard output carries only what --json or --pass put there.",
  ],
  operands: "[FILE | DIR | -]...",
  permissions: ["read"],
  flags: [
    { name: "quiet", short: "q", help: "print nothing but usage and I/O errors" },
    { name: "json", help: "one JSON object per file on standard output, then a summary" },
    { name: "pass", short: "p", help: "copy the one input to standard output up to its first bad byte" },
    JSONL,
    { name: "max-errors", value: "N", help: `failures shown per file, 0 for all (default ${DEFAULT_MAX_ERRORS})` },
    { name: "fail-fast", help: "stop at the first failure" },
    { name: "recursive", short: "r", help: "check the files in directories" },
    { name: "ext", value: "LIST", help: `with these endings (default ${DEFAULT_EXTENSIONS})` },
    { name: "allow-no-files", help: "no files to check is fine" },
    NO_SNIPPET,
    { name: "jobs", short: "j", value: "N", help: "check so many files at a time (default: the number of cores)" },
    { name: "stats", help: "tell time, throughput and memory" },
  ],
  examples: [
    ["bytejson check config.json data.json", "two files"],
    ["bytejson check -r .", "the JSON files of a project"],
    ["curl -s https://example.com/api | bytejson check", "standard input"],
    ["zcat dump.json.gz | bytejson check --pass | load", "nothing after the first bad byte gets through"],
    ["bytejson check --json export.ndjson", "every bad line, for a program to read"],
  ],
  load: async () => (await import("./check.ts")).run,
};

/** The rows of `bench`, by the words of `--only`, in the order they are shown. */
export const ROW_IDS = ["native", "response", "parseBinary", "validateBinary"] as const;

const bench: Command = {
  name: "bench",
  summary: "measure the parsing of JSON documents",
  description: [
    "Every row takes the same bytes. Rounds of the rows alternate, so that what disturbs the machine disturbs all; the memory of each is",
    "measured in a process of its own. A row that cannot run, such as native beyond 512 MiB, says why, and is no error.",
  ],
  operands: "[FILE | -]...",
  permissions: ["read", "write", "run"],
  flags: [
    { name: "runs", value: "N", help: "measure N rounds of all rows" },
    { name: "time", value: "TIME", help: `or measure for so long, all rows together (default ${DEFAULT_TIME / 1e3}s)` },
    { name: "warmup", value: "N", help: `rounds that do not count (default ${DEFAULT_WARMUP})` },
    { name: "only", value: "LIST", choices: ROW_IDS, isList: true, help: `these rows: ${ROW_IDS.join(",")}` },
    { name: "json", help: "one JSON object per document on standard output; of several also the mean" },
    { name: "svg", value: "FILE", isFile: true, help: "write a chart, too; to standard output for '-'" },
    JSONL,
    { name: "no-memory", help: "measure time only" },
    NO_SNIPPET,
  ],
  examples: [
    ["bytejson bench data.json", "time and memory, against native"],
    ["bytejson bench --runs 50 --no-memory data.json", "fifty rounds, time only"],
    ["curl -s https://example.com/api | bytejson bench", "standard input"],
    ["bytejson bench --json a.json b.json", "for a program to read"],
    ["bytejson bench --svg chart.svg *.json", "several documents, their geometric mean, and a chart"],
  ],
  load: async () => (await import("./bench/bench_command.ts")).run,
};

/** The shells there are completions for. */
export const SHELLS = ["bash", "zsh", "fish"] as const;

const completions: Command = {
  name: "completions",
  summary: "print the completions of a shell",
  description: [],
  operands: SHELLS.join(" | "),
  operandChoices: SHELLS,
  permissions: [],
  flags: [],
  examples: [
    ["source <(bytejson completions bash)", "a line for ~/.bashrc"],
    ["source <(bytejson completions zsh)", "a line for ~/.zshrc, after compinit"],
    ["bytejson completions fish | source", "a line for ~/.config/fish/config.fish"],
  ],
  load: async () => (await import("./completions.ts")).run,
};

const man: Command = {
  name: "man",
  summary: "print the manual page",
  description: [],
  operands: "",
  operandChoices: [],
  permissions: [],
  flags: [],
  examples: [
    ["bytejson man | man -l -", "read it"],
    ["bytejson man > ~/.local/share/man/man1/bytejson.1", "install it"],
  ],
  load: async () => (await import("./man.ts")).run,
};

/** The commands, in the order they are listed. */
export const COMMANDS: readonly Command[] = [check, bench, completions, man];

/** What a command line that names no command means. */
export const DEFAULT_COMMAND = check;
