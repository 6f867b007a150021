/**
 * The commands as data: names, flags, defaults and examples. The argument parser, the help screens,
 * the shell completions and the manual page are made from it. Imports nothing, so that every part
 * of the command line can import it.
 */

const NAMES = ["check", "select", "get", "each", "locate", "bench", "completions", "man", "help", "version"] as const;
export type CommandName = typeof NAMES[number];

export interface Flag {
  /** Long form, without dashes. */
  name: string;
  /** Short form: one letter, without a dash. */
  short?: string;
  /** Placeholder of the value; absent for a switch. */
  value?: string;
  /** Allowed values; with `isList`, the value is a comma-separated list of them. */
  choices?: readonly string[];
  isList?: boolean;
  /** Whether each use of the option adds a value, instead of the last one counting. */
  isRepeatable?: boolean;
  isFile?: boolean;
  help: string;
}

export const PERMISSIONS = ["read", "write", "run"] as const;
export type Permission = typeof PERMISSIONS[number];

export interface Command {
  name: CommandName;
  summary: string;
  /** Paragraphs for the help screen and the manual page. */
  description: readonly string[];
  operands: string;
  /** Allowed operands, empty if there is no operand; absent if operands are files. */
  operandChoices?: readonly string[];
  /** Name of the operand before the files, if there is one. */
  text?: string;
  /** Permissions that the command uses; a compiled executable drops the others. */
  permissions: readonly Permission[];
  flags: readonly Flag[];
  /** Command lines, each with a description. */
  examples: readonly (readonly [line: string, description: string])[];
}

export const COLOUR_CHOICES = ["auto", "always", "never"] as const;

const COMMON_FLAGS: readonly Flag[] = [
  {
    name: "color",
    value: "WHEN",
    choices: COLOUR_CHOICES,
    help: "auto, always or never; auto follows NO_COLOR, FORCE_COLOR and whether reports go to a terminal",
  },
  { name: "help", short: "h", help: "show this help" },
];

/** Returns all flags of a command. */
export function flagsOf({ flags }: Command): readonly Flag[] {
  return [...flags, ...COMMON_FLAGS];
}

/** Values of `--format`: the reports of `check`. */
export const FORMATS = ["text", "compact", "json", "sarif", "github", "gitlab", "junit"] as const;
export type Format = typeof FORMATS[number];

/**
 * Default of `--max-depth`. Real documents stay below a hundred levels, and other parsers allow
 * 10,000 at most. The stack takes 133 KB at a million.
 */
export const DEFAULT_MAX_DEPTH = 1_000_000;

/**
 * Default of `--max-content`: decompressed bytes. The largest dumps are smaller, such as
 * Wikidata's, 115 GiB as gzip in 2023. `check` reads 4 TiB in an hour.
 */
export const DEFAULT_MAX_CONTENT = "4T";

/**
 * Default of `--max-ratio`: decompressed bytes per compressed byte, beyond the first GiB. Deflate
 * reaches at most 1,032. Zstandard can reach 30,000, but JSON compresses to a tenth or a hundredth.
 */
export const DEFAULT_MAX_RATIO = 1_100;

/** Default of `--max-errors`: diagnostics printed per input. */
export const DEFAULT_MAX_ERRORS = 20;

/** Diagnostics that the text report prints in all, unless `--max-errors` is given. */
export const DEFAULT_MAX_SHOWN = 100;

/** Default of `--ext`: extensions of the files checked in a directory. */
export const DEFAULT_EXTENSIONS = "json,jsonl,ndjson,geojson,webmanifest";

/** Default of `--time`: milliseconds spent on measuring a document. */
export const DEFAULT_TIME = 3000;

/** Default of `--warmup`: rounds before the first measured one. */
export const DEFAULT_WARMUP = 3;

const CONCATENATED: Flag = { name: "concatenated", help: "documents one after another, on any number of lines" };
const JSONC: Flag = {
  name: "jsonc",
  value: "GLOB",
  isRepeatable: true,
  help: "accept comments and trailing commas in matching files; automatic for tsconfig.json, *.jsonc and others",
};
const JSONL: Flag = { name: "jsonl", help: "one document per line; automatic for .jsonl and .ndjson" };
const NO_SNIPPET: Flag = { name: "no-snippet", help: "never print input content" };

const READING: readonly Flag[] = [
  { name: "no-decompress", help: "do not decompress gzip and Zstandard" },
  { name: "max-content", value: "N", help: `decompressed bytes, 0 for no limit (default ${DEFAULT_MAX_CONTENT})` },
  {
    name: "max-ratio",
    value: "N",
    help: `decompressed bytes per compressed byte, 0 for no limit (default ${DEFAULT_MAX_RATIO})`,
  },
  { name: "max-errors", value: "N", help: `errors shown per file, 0 for all (default ${DEFAULT_MAX_ERRORS})` },
  NO_SNIPPET,
];

const check: Command = {
  name: "check",
  summary: "validate JSON documents",
  description: [
    "Streams its input, so memory does not grow with input size. Reads standard input without a path, or for '-'.",
    "Diagnostics go to standard error. Standard output carries only what --format, --json or --pass print.",
  ],
  operands: "[FILE | DIR | -]...",
  permissions: ["read"],
  flags: [
    { name: "quiet", short: "q", help: "print nothing but usage and I/O errors" },
    {
      name: "format",
      value: "FORMAT",
      choices: FORMATS,
      help: "text; or on stdout: compact (a line per failure), json, sarif, github, gitlab, junit",
    },
    { name: "json", help: "--format json: one JSON object per file, then a summary" },
    { name: "pass", short: "p", help: "copy the input to stdout up to its first bad byte" },
    JSONL,
    CONCATENATED,
    JSONC,
    { name: "strict", help: "do not accept them because of a file's name, nor a byte-order mark" },
    { name: "max-depth", value: "N", help: `levels of nesting, 0 for no limit (default ${DEFAULT_MAX_DEPTH})` },
    ...READING,
    { name: "unique-keys", help: "reject duplicate names in an object; automatic for package.json" },
    { name: "no-unique-keys", help: "accept them there, too" },
    { name: "safe-integers", help: "reject integers that JSON.parse may round" },
    { name: "no-proto", help: "reject names that may poison prototypes" },
    { name: "fail-fast", help: "stop at the first failure" },
    { name: "recursive", short: "r", help: "without a path, check the files in the current directory" },
    { name: "ext", value: "LIST", help: `extensions of those files (default ${DEFAULT_EXTENSIONS})` },
    {
      name: "include",
      value: "GLOB",
      isRepeatable: true,
      help: "check only matching files in directories, even ignored",
    },
    { name: "exclude", value: "GLOB", isRepeatable: true, help: "skip matching files and directories" },
    { name: "no-ignore", help: "do not skip node_modules, or files that .gitignore and .ignore list" },
    { name: "hidden", help: "do not skip hidden files outside of Git repositories" },
    { name: "force-ignore", help: "skip hidden and ignored files even if they are named" },
    { name: "follow", short: "L", help: "follow symbolic links in directories" },
    { name: "files-from", value: "FILE", isFile: true, help: "read paths from a file, one per line; '-' is stdin" },
    { name: "null", short: "0", help: "paths of --files-from end with a null byte" },
    { name: "allow-no-files", help: "exit 0 if there are no files to check" },
    { name: "jobs", short: "j", value: "N", help: "check N files in parallel (default: number of cores)" },
    { name: "stats", help: "print time, throughput and memory" },
  ],
  examples: [
    ["bytejson check config.json data.json", "two files"],
    ["bytejson check .", "all files of a project"],
    ["curl -s https://example.com/api | bytejson check", "standard input"],
    ["bytejson check --jsonc 'config/*.json' .", "some with comments"],
    ["git ls-files -z '*.json' | bytejson check -0 --files-from -", "a list of files"],
    ["bytejson check --pass dump.json.gz | load", "pass on valid bytes"],
    ["bytejson check --json export.ndjson", "bad lines, as JSON"],
  ],
};

const PARTS: readonly Flag[] = [
  { name: "json-array", help: "print one JSON array, with a line for each result" },
  { name: "quiet", short: "q", help: "do not report invalid documents; the exit code does" },
  { name: "jsonl", help: "one document per line; by default detected by name or content" },
  { ...CONCATENATED, help: `${CONCATENATED.help}; detected, too` },
  JSONC,
  { name: "skip-invalid", help: "skip invalid lines, and report only their number" },
  { name: "jobs", short: "j", value: "N", help: "read large files of lines in N threads (default: number of cores)" },
  ...READING,
];

const select: Command = {
  name: "select",
  summary: "print selected members of documents",
  description: [
    "Prints a line for each document: the members that MASK names, in its order, with numbers and strings as they are in the input.",
    "MASK is an outline of the document: {timestamp,http:{status}}, {data:[{id}]}, {*:{version}} for members of any name, or [0,3] for elements.",
    "Unusual names go in quotes.",
    "All of the input is checked. An invalid line does not stop the rest.",
  ],
  operands: "MASK [FILE | -]...",
  text: "MASK",
  permissions: ["read"],
  flags: [
    {
      name: "where",
      value: "'POINTER=JSON'",
      isRepeatable: true,
      help:
        "only documents that have this value; also with != < <= > >= ^= $= *=, 'in [...]' and 'exists', joined by 'or', 'and' and 'not'; without MASK, they are printed whole",
    },
    {
      name: "csv",
      help:
        "rows of CSV below a header, one for each document or element, strings decoded; without MASK, with the columns of the first row",
    },
    { name: "tsv", help: "the same with tabs; tab, line feed and backslash are escaped" },
    { name: "first", value: "N", help: "stop after N results" },
    ...PARTS,
  ],
  examples: [
    ["bytejson select '{timestamp,message,http:{status}}' app.log", "members of each line"],
    ["bytejson select '{data:[{id,total}]}' page.json", "members of elements"],
    ["bytejson select --where '/level=\"error\" or /http/status>=500' app.log.gz", "grep for JSON"],
    ["bytejson select --csv items.jsonl", "a table"],
  ],
};

const get: Command = {
  name: "get",
  summary: "print the value at a pointer",
  description: [
    "Prints the value at a JSON Pointer (RFC 6901) on a line, with numbers and strings as they are in the input. Exits 1 if there is none.",
    "Of members with the same name, the last one counts; with --first 1, the first.",
  ],
  operands: "POINTER [FILE | -]...",
  text: "POINTER",
  permissions: ["read"],
  flags: [
    { name: "raw", help: "print strings as text instead of JSON" },
    { name: "first", value: "N", help: "stop after N results, and read no further than the last" },
    ...PARTS,
  ],
  examples: [
    ["bytejson get /version package.json", "a value"],
    ["bytejson get --raw /user/name app.log", "the text of strings"],
    ["curl -s https://example.com/api | bytejson get --first 1 /next", "reads no further"],
  ],
};

const each: Command = {
  name: "each",
  summary: "print elements of an array as JSON Lines",
  description: [
    "Prints a line for each element of the array at a JSON Pointer (RFC 6901), as the input arrives. The pointer '' means the whole document.",
  ],
  operands: "POINTER [FILE | -]...",
  text: "POINTER",
  permissions: ["read"],
  flags: [
    { name: "entries", help: 'print the members of an object: {"key":…,"value":…}' },
    { name: "raw", help: "print strings as text instead of JSON" },
    { name: "first", value: "N", help: "stop after N elements" },
    ...PARTS,
  ],
  examples: [
    ["bytejson each /features map.geojson", "an array as JSON Lines"],
    ["bytejson each /data page.json | bytejson select '{id}' --csv", "a table of its elements"],
    ["bytejson each '' huge.json.zst --first 3", "the first three"],
  ],
};

const locate: Command = {
  name: "locate",
  summary: "print the locations of values",
  description: [
    "Prints FILE:LINE:COLUMN of the value at each JSON Pointer (RFC 6901). Exits 1 if a pointer leads to no value.",
  ],
  operands: "POINTER... [--] FILE",
  text: "POINTER",
  permissions: ["read"],
  flags: [JSONL, CONCATENATED, JSONC, ...READING],
  examples: [
    ["bytejson locate /items/3/price order.json", "a location to click on"],
    ["bytejson locate /a /b -- -odd-name.json", "two pointers"],
  ],
};

/** Values of `--only`: the rows of `bench`, in the order of its reports. */
export const ROW_IDS = ["native", "response", "parseBinary", "validateBinary"] as const;

const bench: Command = {
  name: "bench",
  summary: "benchmark JSON parsing",
  description: [
    "Every row parses the same bytes. Rounds of the rows alternate, so that other load on the machine affects all rows alike.",
    "The first call of each row, and its memory, are measured in separate processes.",
    "The fixed cost of memory is paid once per process: compiled code and an enlarged young generation. The peak does not include it, or the input.",
    "The report goes to standard output.",
    "A row that cannot run, such as native beyond 512 MiB, reports the reason; the exit code stays 0.",
  ],
  operands: "[FILE | -]...",
  permissions: ["read", "write", "run"],
  flags: [
    { name: "runs", value: "N", help: "measure N rounds of all rows" },
    { name: "time", value: "TIME", help: `or measure for TIME, all rows together (default ${DEFAULT_TIME / 1e3}s)` },
    { name: "warmup", value: "N", help: `rounds before the first measured one (default ${DEFAULT_WARMUP})` },
    { name: "only", value: "LIST", choices: ROW_IDS, isList: true, help: `rows to measure: ${ROW_IDS.join(",")}` },
    { name: "json", help: "print one JSON object per document, and one for the mean of several" },
    { name: "compare", value: "FILE", isFile: true, help: "show the change since FILE, printed by --json" },
    { name: "svg", value: "FILE", isFile: true, help: "also write a chart; '-' is standard output" },
    JSONL,
    { name: "no-memory", help: "measure time only" },
    NO_SNIPPET,
  ],
  examples: [
    ["bytejson bench data.json", "compare with native"],
    ["bytejson bench --runs 50 --no-memory data.json", "fifty rounds, time only"],
    ["curl -s https://example.com/api | bytejson bench", "standard input"],
    ["bytejson bench --json a.json b.json > before.json", "results as JSON"],
    ["bytejson bench --compare before.json a.json", "what has changed since"],
    ["bytejson bench --svg chart.svg *.json", "several, their mean, a chart"],
  ],
};

export const SHELLS = ["bash", "zsh", "fish", "powershell"] as const;

/** Members shared by the commands that read no input. */
const SHORT = { description: [], permissions: [], flags: [] } as const;

const completions: Command = {
  ...SHORT,
  name: "completions",
  summary: "print shell completions",
  description: [`SHELL is one of ${SHELLS.join(", ")}.`],
  operands: "SHELL",
  operandChoices: SHELLS,
  examples: [
    ["source <(bytejson completions bash)", "a line for ~/.bashrc"],
    ["source <(bytejson completions zsh)", "a line for ~/.zshrc, after compinit"],
    ["bytejson completions fish | source", "a line for ~/.config/fish/config.fish"],
    ["bytejson completions powershell | Out-String | Invoke-Expression", "a line for $PROFILE"],
  ],
};

const man: Command = {
  ...SHORT,
  name: "man",
  summary: "print the manual page",
  operands: "",
  operandChoices: [],
  examples: [
    ["bytejson man | man -l -", "read it"],
    ["bytejson man > ~/.local/share/man/man1/bytejson.1", "install it"],
  ],
};

const help: Command = {
  ...SHORT,
  name: "help",
  summary: "describe a command",
  operands: "[COMMAND]",
  operandChoices: NAMES,
  examples: [["bytejson help check", "every option of check"]],
};

const version: Command = {
  ...SHORT,
  name: "version",
  summary: "print the version",
  operands: "",
  operandChoices: [],
  examples: [["bytejson version", "the version"]],
};

/** Commands in the order of help screens. */
export const COMMANDS: readonly Command[] = [check, select, get, each, locate, bench, completions, man, help, version];

export const DEFAULT_COMMAND = check;
