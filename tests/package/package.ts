/**
 * Builds the npm package, packs it, installs it into a folder as a user would, and uses it there:
 * in runtimes, by compilers of TypeScript, by bundlers, and as a program. `--help` lists the
 * options.
 */

import { delimiter, dirname } from "node:path";
import { parseArgs } from "@std/cli/parse-args";
import { libraryEntries } from "../../tools/build/manifest.ts";
import { type Outcome, projectRoot, run } from "../support/environment.ts";
import { bunOfNpm, findRuntime, NODE_VERSIONS, nodeOf, type RuntimeCommand } from "../support/runtime_commands.ts";
import { sideBySide } from "../support/side_by_side.ts";
import { CONSUMERS } from "./consumers.ts";

const HELP = `deno task test package [--only REGEX] [--keep FOLDER]

Uses the npm package as it would be published, from folders into which npm installs it, and prints
a row for each use. As many kinds of use run side by side as there are processors. npm fetches the runtimes, compilers and bundlers; what it cannot fetch is
skipped. The exit code is 1 if a check failed.

  --only REGEX   only checks whose names match
  --keep FOLDER  installs into folders of this folder, and leaves them there
`;

/** Tools by the names that they are installed under. */
const TOOLS = {
  esbuild: "esbuild@0.28.2",
  rollup: "rollup@4.68.7 @rollup/plugin-node-resolve@16.0.3",
  webpack: "webpack@5.112.2",
  vite: "vite@8.3.8",
  miniflare: "miniflare@4.20260730.0",
  publint: "publint@0.3.25",
  attw: "@arethetypeswrong/cli@0.18.5",
};

const BUNDLERS = ["esbuild", "rollup", "webpack", "vite"] as const;
const COMPILERS = ["5.7", "5.8", "5.9", "6.0"];

/** Text of every generated constructor: no bundle without a generator has it. */
const GENERATOR = '"use strict";return{';

/** Condition of bundlers that leaves the generator out. */
const NO_CODEGEN = "bytejson-no-codegen";

/** Milliseconds after which a step has failed. */
const TIMEOUT = 300_000;

const flags = parseArgs(Deno.args, { string: ["only", "keep"], boolean: ["help"], default: { only: "", keep: "" } });
if (flags.help) {
  console.log(HELP);
  Deno.exit(0);
}
const only = new RegExp(flags.only);
const root = flags.keep || await Deno.makeTempDir({ prefix: "bytejson-package-" });

/** Runs a command line in a folder. */
function runIn(folder: string, program: string, ...args: string[]): Promise<Outcome> {
  const env = { NO_COLOR: "1", npm_config_loglevel: "error", npm_config_update_notifier: "false" };
  return run(program, args, env, TIMEOUT, folder);
}

let passed = 0;
let failed = 0;
let skipped = 0;

/** Name of the packed file. */
let packed = "";

/** Makes a check, and prints its row. A check returns the problem, or an empty text. */
async function check(name: string, run: () => Promise<string>): Promise<void> {
  if (!only.test(name)) return;
  const wrong = await run().catch(String);
  console.log(`| ${name} | ${wrong === "" ? "ok" : "failed"} |${wrong === "" ? "" : `\n${wrong}`}`);
  if (wrong === "") passed++;
  else failed++;
}

function skip(what: string, output: string): void {
  skipped++;
  console.log(`skipped: npm cannot fetch ${what}: ${output.trim().split("\n")[0]}`);
}

/** Folder of a user, into which the package is installed. */
class User {
  readonly folder: string;

  private constructor(folder: string) {
    this.folder = folder;
  }

  /** Makes a folder, and installs the package, and others by their names, into it. */
  static async create(name: string): Promise<User> {
    const user = new User(`${root}/${name}`);
    await Deno.mkdir(user.folder, { recursive: true });
    for (const [file, text] of Object.entries(CONSUMERS)) Deno.writeTextFileSync(`${user.folder}/${file}`, text);
    const { success, output } = await user.npmInstall(`${root}/${packed}`);
    if (!success) throw new Error(output);
    return user;
  }

  /** Runs a command line in the folder. */
  run(program: string, ...args: string[]): Promise<Outcome> {
    return runIn(this.folder, program, ...args);
  }

  npmInstall(...names: string[]): Promise<Outcome> {
    return this.run("npm", "install", "--no-audit", "--no-fund", "--prefer-offline", ...names);
  }

  /**
   * Installs packages; returns whether npm could, and prints that their checks are skipped if not.
   */
  async install(names: string): Promise<boolean> {
    const { success, output } = await this.npmInstall(...names.split(" "));
    if (!success) skip(names, output);
    return success;
  }

  /** Runs a command line whose last line of output must be `expected`. Returns what is wrong. */
  async expect(expected: string, program: string, ...args: string[]): Promise<string> {
    const { success, output } = await this.run(program, ...args);
    const isRight = success && output.trimEnd().split("\n").at(-1) === expected;
    return isRight ? "" : `${[program, ...args].join(" ")}:\n${output}`;
  }
}

/** Builds and packs the package. Returns the name of the packed file. */
async function packPackage(): Promise<string> {
  const options = ["--import-map=imports.npm.json", "--allow-all"];
  const args = ["run", ...options, "tools/build.ts", "--folder", `${root}/package`];
  const { success, output } = await run(Deno.execPath(), args);
  if (!success) throw new Error(output);
  const packing = await runIn(root, "npm", "pack", "--silent", "./package");
  if (!packing.success) throw new Error(packing.output);
  return packing.output.trim();
}

/** Uses the package in a runtime. */
async function checkRuntime({ kind, name, command }: RuntimeCommand): Promise<void> {
  const checks = ["import", "require", "without the generator", "each entry alone", "the program"];
  if (!checks.some((check) => only.test(`${name}, ${check}`))) return;
  const found = await findRuntime({ kind, name, command });
  if (found === undefined) return void skipped++;
  const { path } = found;
  const user = await User.create(name);
  await check(`${name}, import`, () => user.expect("ok", path, "use.mjs"));
  await check(`${name}, require`, () => user.expect("ok", path, "use.cjs"));
  if (kind === "Node.js") {
    await check(`${name}, without the generator`, () => user.expect("ok", path, "--conditions", NO_CODEGEN, "use.mjs"));
  }
  await checkEntries(user, name, path);
  await checkProgram(user, name, path, kind === "Bun" ? [path, "x", "--bun"] : ["npx"]);
}

/** Returns the names that programs import the entries by. */
function entries(): string[] {
  const config = JSON.parse(Deno.readTextFileSync(new URL("deno.json", projectRoot)));
  return [...libraryEntries(config).keys()].map((file) => file === "index" ? "bytejson" : `bytejson/${file}`);
}

/** Imports each entry in a process of its own: its order of loading is another one each time. */
async function checkEntries(user: User, name: string, runtime: string): Promise<void> {
  await check(`${name}, each entry alone`, async () => {
    const wrong: string[] = [];
    for (const entry of entries()) {
      Deno.writeTextFileSync(`${user.folder}/entry.mjs`, `await import("${entry}"); console.log("ok");\n`);
      wrong.push(await user.expect("ok", runtime, "entry.mjs"));
    }
    return wrong.join("");
  });
}

/** Runs the program of the package by a runtime. */
async function checkProgram(user: User, name: string, runtime: string, starter: string[]): Promise<void> {
  const path = `${dirname(runtime)}${delimiter}${Deno.env.get("PATH")}`;
  const program = (...args: string[]): Promise<Outcome> =>
    user.run("env", `PATH=${path}`, ...starter, "bytejson", ...args);
  await check(`${name}, the program`, async () => {
    const valid = await program("check", "valid.json");
    const invalid = await program("check", ".");
    const selected = await program("select", "{id}", "valid.json");
    const isRight = valid.success && !invalid.success && invalid.output.includes("invalid.json:1:4") &&
      selected.output === '{"id":7}\n';
    return isRight ? "" : valid.output + invalid.output + selected.output;
  });
}

/** Compiles uses of all entries by a version of TypeScript. */
async function checkCompiler(version: string): Promise<void> {
  const name = `TypeScript ${version}: nodenext, bundler; skipLibCheck, esnext.disposable or not`;
  if (!only.test(name)) return;
  const user = await User.create(`TypeScript ${version}`);
  if (!await user.install(`typescript@${version}`)) return;
  const imports = entries().map((entry, i) => `import * as entry${i} from "${entry}";\nexport { entry${i} };\n`);
  Deno.writeTextFileSync(`${user.folder}/entries.ts`, imports.join(""));
  await check(name, async () => {
    const { success, output } = await user.run("node", "types.mjs");
    return success && output.includes(": 8 programs, 0 with errors") ? "" : output;
  });
}

/** Bundles uses of the package by a bundler, and runs the bundles. */
async function checkBundler(bundler: typeof BUNDLERS[number]): Promise<void> {
  const everything = `${bundler}: everything`;
  const small = `${bundler}: detach from the root without the parser`;
  const withoutGenerator = `${bundler}: ${NO_CODEGEN} leaves the generator out`;
  if (![everything, small, withoutGenerator].some((name) => only.test(name))) return;
  const user = await User.create(bundler);
  if (!await user.install(TOOLS[bundler])) return;
  const out = `${user.folder}/out`;
  await Deno.mkdir(out, { recursive: true });
  const bundle = (entry: string, file: string, ...conditions: string[]): Promise<Outcome> =>
    user.run("node", `${bundler}.mjs`, `./${entry}`, `out/${file}`, ...conditions);
  await check(everything, async () => {
    const { success, output } = await bundle("use.mjs", "all.js");
    return success ? await user.expect("ok", "node", "out/all.js") : output;
  });
  await check(small, async () => {
    const { success, output } = await bundle("small.mjs", "small.js");
    if (!success) return output;
    const { size } = Deno.statSync(`${out}/small.js`);
    return size < 7500 ? "" : `${size} bytes`; // some bundlers keep comments
  });
  await check(withoutGenerator, async () => {
    const both = [await bundle("use.mjs", "with.js"), await bundle("use.mjs", "without.js", NO_CODEGEN)];
    const has = (file: string): boolean => Deno.readTextFileSync(`${out}/${file}`).includes(GENERATOR);
    if (!both.every(({ success }) => success) || has("without.js") || !has("with.js")) {
      return `${both.map(({ output }) => output).join("")}\n${GENERATOR} is in the wrong bundle`;
    }
    return await user.expect("ok", "node", "out/without.js");
  });
}

async function checkWorkerd(): Promise<void> {
  const name = "workerd, by esbuild and miniflare";
  if (!only.test(name)) return;
  const user = await User.create("workerd");
  if (!await user.install(`${TOOLS.esbuild} ${TOOLS.miniflare}`)) return;
  await Deno.mkdir(`${user.folder}/out`, { recursive: true });
  await check(name, async () => {
    const { success, output } = await user.run("node", "esbuild.mjs", "worker.mjs", "out/worker.js");
    return success ? await user.expect("ok[1,2.5]", "node", "miniflare.mjs") : output;
  });
}

async function checkPublishing(): Promise<void> {
  if (!only.test("publint") && !only.test("attw")) return;
  const user = await User.create("publishing");
  if (!await user.install(`${TOOLS.publint} ${TOOLS.attw}`)) return;
  await check("publint", async () => {
    const { success, output } = await user.run("npx", "publint", "--strict", "../package");
    return success && output.includes("All good!") ? "" : output;
  });
  await check("attw", async () => {
    // CommonJS gets the modules by `require` of modules, which Node.js has from 22.12 on.
    const options = ["--ignore-rules", "cjs-resolves-to-esm"];
    const { success, output } = await user.run("npx", "attw", `../${packed}`, ...options);
    return success ? "" : output;
  });
}

console.log("| use of the package | result |\n| --- | --- |");
try {
  packed = await packPackage();
  const uses = [
    ...NODE_VERSIONS.map(nodeOf).concat(bunOfNpm).map((runtime) => () => checkRuntime(runtime)),
    ...COMPILERS.map((version) => () => checkCompiler(version)),
    ...BUNDLERS.map((bundler) => () => checkBundler(bundler)),
    checkWorkerd,
    checkPublishing,
  ];
  await Promise.all(sideBySide(uses, navigator.hardwareConcurrency));
} finally {
  if (flags.keep === "") await Deno.remove(root, { recursive: true });
}
console.log(`${passed} checks passed, ${failed} failed, ${skipped} skipped`);
if (failed > 0 || passed === 0) Deno.exit(1);
