/**
 * `deno task bench NAME` and `deno task test NAME`: starts the program of that name, with the
 * permissions and the flags that it needs. Without a name, `bench` lists its programs, and `test`
 * runs the tests.
 */

import { ROOT, updateBuild } from "./programs.ts";
import { report } from "./test_report.ts";

/** Program with a name. */
export interface Program {
  /** Line of the list: what the program does, and the options it takes. */
  summary: string;
  /** Arguments of Deno. The user's options follow them. */
  command: string[];
  env?: Record<string, string>;
}

const MAP = "--import-map=imports.npm.json";

/** Import map that resolves public modules to the build, since that is what users install. */
const BUILD_MAP = "--import-map=dist/imports.json";

/** Options of every `deno test`. */
export const TEST: readonly string[] = [
  "test",
  MAP,
  "--allow-read",
  "--allow-write",
  "--allow-run",
  "--allow-net=127.0.0.1",
  "--allow-env=BYTEJSON_*",
];

/** Folder of the profiles that `deno task bench profile` writes. */
const PROFILES = "dist/profiles";

/** Environment in which processes of benches use the build, too. */
const BUILD = { BYTEJSON_BUILD: "1" };

function bench(name: string, summary: string): Program {
  return {
    summary,
    command: ["run", BUILD_MAP, "--v8-flags=--expose-gc", "--allow-all", "bench/main.ts", name],
    env: BUILD,
  };
}

export const BENCHES: Record<string, Program> = {
  "compare": bench("compare", "parseBinary and native: [--mixed] [--engines] [FILE…]"),
  "select": bench("select", "selectBinary and parseAt, native, validateBinary and others: [--engines]"),
  "stream": bench("stream", "Streams, other parsers, and a body from the network: [--megabytes N]"),
  "validate": bench("validate", "validateBinary, native and parseBinary: [FILE…]"),
  "memory": bench("memory", "The memory of parseBinary and native, and of streams: [--gigabytes N] [FILE…]"),
  "first-calls": bench("first-calls", "The first calls of new processes: [FILE…]"),
  "guards": bench("guards", "parseBinary with and without guards, secure-json-parse, lossless-json: [FILE…]"),
  "http": bench("http", "Servers of Deno, Node.js and Bun under load by k6: [--seconds N] [--clients N]"),
  "parts": bench("parts", "check, select, get and other tools, as whole processes: [--megabytes N]"),
  "peers": bench("peers", "Other parsers, queues and pools in Deno, Node.js and Bun, and published claims"),
  "regress": bench("regress", "Fails if the build is slower than that of the last release: [--base COMMIT | --native]"),
  "bundles": bench("bundles", "Bytes that each export adds to a bundle, minified and compressed"),
  "profile": {
    summary: "A bench on the build, in a profile that Chromium's DevTools opens: NAME [OPTION…]",
    command: ["run", BUILD_MAP, "--v8-flags=--expose-gc", "--allow-all", "--cpu-prof", `--cpu-prof-dir=${PROFILES}`],
    env: BUILD,
  },
  "tables": {
    summary: "Measures, and writes the tables of docs/: [--render] [--resume] [--node PATH] [--bun PATH] [NAME…]",
    command: ["run", BUILD_MAP, "--allow-all", "bench/tables.ts"],
    env: BUILD,
  },
};

/** Environment in which groups of tests that take long run, too: see `describeLong`. */
const LONG = { BYTEJSON_LONG: "1" };

export const TESTS: Record<string, Program> = {
  long: {
    summary: "The tests that deno task test leaves out, because they take long: [FILE…]",
    command: [...TEST, "--parallel", "--no-check", "--filter=/ \\(long\\)$/"],
    env: { ...LONG, DENO_JOBS: "2" },
  },
  huge: {
    summary: "Documents of 2.5 and 4.5 GB: needs 13 GB of free memory and some minutes",
    command: ["test", MAP, "--allow-read", "--allow-run", "--allow-env=BYTEJSON_*", "tests/library/huge_test.ts"],
    env: { ...LONG, BYTEJSON_HUGE: "1" },
  },
  build: {
    summary: "Conformance, differential reading, retention and the table of entry points, on the build",
    command: [
      ...TEST.map((option) => option === MAP ? BUILD_MAP : option),
      "--no-check",
      ...["conformance", "differential", "retention", "entry_points"].map((name) => `tests/library/${name}_test.ts`),
    ],
  },
  runtimes: {
    summary:
      "The tests for any runtime, in Deno, Node.js 22, 24, 26 and Bun: [--node PATH|VERSION]… [--bun PATH] [--only REGEX]",
    command: ["run", MAP, "--allow-read", "--allow-run", "tests/runtimes/runtimes.ts"],
  },
  package: {
    summary: "The npm package, packed and installed, in runtimes, compilers, bundlers: [--only REGEX] [--keep FOLDER]",
    command: ["run", MAP, "--allow-all", "tests/package/package.ts"],
  },
  "cli-runtimes": {
    summary:
      "The tests of the command line, in Deno, Node.js 22, 24, 26 and Bun: [--node PATH|VERSION]… [--bun PATH] [--only REGEX] [FILE…]",
    command: [
      "run",
      MAP,
      "--allow-read",
      "--allow-write",
      "--allow-run",
      "--allow-env=BYTEJSON_*",
      "tests/runtimes/cli_runtimes.ts",
    ],
  },
  executables: {
    summary: "Executables that contain Node.js or Bun, built and run",
    command: [...TEST, "tests/runtimes/executables_test.ts"],
    env: LONG,
  },
  browsers: {
    summary: "The tests of browsers, in those that are installed: Chromium, Firefox, WebKitGTK",
    command: [...TEST, "tests/runtimes/browsers_test.ts"],
    env: { BYTEJSON_BROWSERS_DEFAULT: "all" },
  },
  site: {
    summary: "The page of site/ in Chromium and Firefox, those that are installed: [--filter NAME]",
    command: ["test", MAP, "--allow-all", "tests/site/site_test.ts"],
    env: { BYTEJSON_SITE: "1" },
  },
  fuzz: {
    summary: "Generated documents against JSON.parse: [--seconds N] [--seed S] [--documents N] [--json]",
    command: ["run", MAP, "--allow-read", "--allow-write=tests/regressions", "tests/fuzz/fuzz.ts"],
  },
  hostile: {
    summary:
      "Times of hostile documents of n and 2n bytes, relative to native: [--kilobytes N] [--rounds N] [--only REGEX] [--json]",
    command: ["run", MAP, "--allow-read", "tests/hostile/table.ts"],
  },
  coverage: {
    summary: "Lines and branches of the library that fast tests do not reach; fails if there are any: [--keep FOLDER]",
    command: ["run", MAP, "--allow-read", "--allow-write", "--allow-run", "tools/coverage.ts"],
  },
  planted: {
    summary: "Bugs planted in the source, and the test of public functions that finds each: [REGEX]",
    command: ["run", MAP, "--allow-read", "--allow-write", "--allow-env", "--allow-run", "tests/planted/plant.ts"],
  },
};

/** Maximum number of tests run at a time: some need a gigabyte of memory, and start processes. */
const MAX_JOBS = 4;

/** Files that take longest. They are tested first, so that none is left alone at the end. */
const SLOWEST = [
  ...["middleware/middleware", "hostile/hostile", "runtimes/runtimes", "library/matrix", "examples/examples"],
  ...["library/differential", "library/entry_points", "cli/terminal"],
].map((name) => `tests/${name}_test.ts`);

/**
 * The tests, which include the examples of the documentation. Tests wait for processes and timers,
 * so the number of files at a time exceeds that of processors by one. Types are left to
 * `deno task check`.
 */
const SUITE: Program = {
  summary: "The tests, and the examples of the documentation",
  command: [TEST[0], "--parallel", "--no-check", ...TEST.slice(1), ...SLOWEST, "."],
  env: { DENO_JOBS: String(Math.min(navigator.hardwareConcurrency + 1, MAX_JOBS)) },
};

/** All tests of files, one after the other. Paths and options of `deno test` follow. */
const FILES: Program = {
  summary: "The tests of files",
  command: [TEST[0], "--doc", ...TEST.slice(1)],
  env: LONG,
};

export function listOf(task: string, programs: Record<string, Program>): string {
  const width = Math.max(...Object.keys(programs).map((name) => name.length));
  const lines = Object.entries(programs).map(([name, { summary }]) => `  ${name.padEnd(width)}  ${summary}`);
  return `deno task ${task} NAME [OPTION…]\n\n${lines.join("\n")}\n`;
}

/** Runs a program, and passes signals on to it. Resolves with its exit code. */
async function run({ command, env = {} }: Program, args: string[]): Promise<number> {
  if (command.includes(BUILD_MAP) && !await updateBuild()) return 1;
  const options = { args: [...command, ...args], env, cwd: ROOT };
  // Only whole runs of tests are parallel, and print too much.
  const isReported = command.includes("--parallel");
  const stdout = isReported ? "piped" : "inherit";
  const child = new Deno.Command(Deno.execPath(), { ...options, stdout }).spawn();
  // A terminal sends SIGINT to both processes. This one must outlive the other.
  Deno.addSignalListener("SIGINT", () => {});
  if (Deno.build.os !== "windows") Deno.addSignalListener("SIGTERM", () => child.kill("SIGTERM"));
  if (isReported) await report(child.stdout, console.log);
  return (await child.status).code;
}

/** Profiles a bench on the build. Resolves with its exit code. */
async function profile([name = "", ...options]: string[]): Promise<number> {
  if (!Object.hasOwn(BENCHES, name) || !BENCHES[name].command.includes("bench/main.ts")) {
    console.error(`Cannot profile ${name || "nothing"}: name one of the benches that deno task bench lists`);
    return 2;
  }
  const { command, ...rest } = BENCHES.profile;
  const file = `${name}.cpuprofile`;
  const code = await run({ ...rest, command: [...command, `--cpu-prof-name=${file}`, "bench/main.ts", name] }, options);
  if (code === 0) console.error(`${PROFILES}/${file}: open it in the Performance tab of Chromium's DevTools`);
  return code;
}

async function main([task, ...args]: string[]): Promise<number> {
  const programs = task === "bench" ? BENCHES : TESTS;
  const [name = ""] = args;
  if (task === "bench" && name === "profile") return await profile(args.slice(1));
  if (Object.hasOwn(programs, name)) return await run(programs[name], args.slice(1));
  if (task === "test" && name === "") {
    // Number and time are rounded.
    console.log(
      "About 500 tests, in about two minutes on two cores. Those that take long are left out: deno task test long",
    );
    return await run(SUITE, []);
  }
  if (task === "test" && name !== "--help" && /^-|[./]/.test(name)) return await run(FILES, args);
  if (name === "" || name === "--help") console.log(listOf(task, programs));
  else console.error(`Cannot run ${name}: deno task ${task} has no such name\n\n${listOf(task, programs)}`);
  return name === "" || name === "--help" ? 0 : 2;
}

if (import.meta.main) Deno.exit(await main(Deno.args));
