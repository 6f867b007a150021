/**
 * Builds the npm package, packs it, installs it into a folder as a user would, and uses it there:
 * in runtimes, by compilers of TypeScript, by bundlers, and as a program. `--help` lists the
 * options.
 *
 * @module
 */

import { delimiter, dirname } from "node:path";
import { parseArgs } from "@std/cli/parse-args";
import { libraryEntries } from "../../tools/npm/manifest.ts";
import { projectRoot, run } from "../support/environment.ts";
import { CONSUMERS } from "./consumers.ts";

const HELP = `deno task test package [--only REGEX] [--keep FOLDER]

Uses the npm package as it would be published, from a folder into which npm installs it, and prints
a row for each use. npm fetches the runtimes, compilers and bundlers; what it cannot fetch is
skipped. The exit code is 1 if a check failed.

  --only REGEX   only checks whose names match
  --keep FOLDER  installs into this folder, and leaves it there
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

const BUNDLERS = ["esbuild", "rollup", "webpack", "vite"];
const COMPILERS = ["5.7", "5.8", "5.9", "6.0"];
const NODES = ["22", "24", "26"];
const BUN = "bun@1.4.5";

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
const folder = flags.keep || await Deno.makeTempDir({ prefix: "bytejson-package-" });

/** Result of a program: its output, and whether its exit code is 0. */
interface Result {
  success: boolean;
  output: string;
}

/** Runs a command line in the folder. */
async function inFolder(...command: string[]): Promise<Result> {
  const [program, ...args] = command;
  const child = new Deno.Command(program, {
    args,
    cwd: folder,
    env: { NO_COLOR: "1", npm_config_loglevel: "error", npm_config_update_notifier: "false" },
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const timer = setTimeout(() => child.kill("SIGKILL"), TIMEOUT);
  const { success, stdout, stderr } = await child.output();
  clearTimeout(timer);
  const decoder = new TextDecoder();
  return { success, output: decoder.decode(stdout) + decoder.decode(stderr) };
}

let passed = 0;
let failed = 0;
let skipped = 0;

/** Makes a check, and prints its row. A check returns the problem, or an empty text. */
async function check(name: string, run: () => Promise<string>): Promise<void> {
  if (!only.test(name)) return;
  const wrong = await run().catch(String);
  console.log(`| ${name} | ${wrong === "" ? "ok" : "failed"} |`);
  if (wrong === "") passed++;
  else {
    failed++;
    console.log(wrong);
  }
}

/** Runs a command line whose last line of output must be `expected`. Returns the problem. */
async function expectOutput(expected: string, ...command: string[]): Promise<string> {
  const { success, output } = await inFolder(...command);
  return success && output.trimEnd().split("\n").at(-1) === expected ? "" : `${command.join(" ")}:\n${output}`;
}

/**
 * Installs packages; returns whether npm could, and prints that their checks are skipped if not.
 */
async function install(names: string): Promise<boolean> {
  const { success, output } = await inFolder("npm", "install", "--no-audit", "--no-fund", ...names.split(" "));
  if (!success) skip(names, output);
  return success;
}

function skip(what: string, output: string): void {
  skipped++;
  console.log(`skipped: npm cannot fetch ${what}: ${output.trim().split("\n")[0]}`);
}

/** Builds and packs the package, and installs it. Returns the name of the packed file. */
async function installPackage(): Promise<string> {
  const built = `${folder}/package`;
  const options = ["--import-map=imports.npm.json", "--allow-all"];
  const { success, output } = await run(Deno.execPath(), ["run", ...options, "tools/npm.ts", "--folder", built]);
  if (!success) throw new Error(output);
  for (const [name, text] of Object.entries(CONSUMERS)) Deno.writeTextFileSync(`${folder}/${name}`, text);
  const packed = await inFolder("npm", "pack", "--silent", "./package");
  const file = packed.output.trim();
  const installed = await inFolder("npm", "install", "--no-audit", "--no-fund", `./${file}`);
  if (!packed.success || !installed.success) throw new Error(packed.output + installed.output);
  return file;
}

/** Returns the path of a runtime, or `undefined`, after printing that it is skipped. */
async function pathOf(runtime: string): Promise<string | undefined> {
  const { success, output } = await inFolder("npx", "-y", runtime, "-p", "process.execPath");
  const path = output.trim().split("\n").at(-1);
  if (success && path) return path;
  skip(runtime, output);
}

async function checkRuntimes(): Promise<void> {
  for (const version of NODES) {
    const path = await pathOf(`node@${version}`);
    if (path === undefined) continue;
    const node = [path];
    await check(`Node.js ${version}, import`, () => expectOutput("ok", ...node, "use.mjs"));
    await check(`Node.js ${version}, require`, () => expectOutput("ok", ...node, "use.cjs"));
    await check(`Node.js ${version}, without the generator`, () => {
      return expectOutput("ok", ...node, "--conditions", NO_CODEGEN, "use.mjs");
    });
    await checkEntries(`Node.js ${version}`, node);
    await checkProgram(`Node.js ${version}`, path, ["npx"]);
  }
  const path = await pathOf(BUN);
  if (path === undefined) return;
  const bun = [path];
  await check("Bun, import", () => expectOutput("ok", ...bun, "use.mjs"));
  await check("Bun, require", () => expectOutput("ok", ...bun, "use.cjs"));
  await checkEntries("Bun", bun);
  await checkProgram("Bun", path, [path, "x", "--bun"]);
}

/** Returns the names that programs import the entries by. */
function entries(): string[] {
  const config = JSON.parse(Deno.readTextFileSync(new URL("deno.json", projectRoot)));
  return [...libraryEntries(config).keys()].map((file) => file === "index" ? "bytejson" : `bytejson/${file}`);
}

/** Imports each entry in a process of its own: its order of loading is another one each time. */
async function checkEntries(name: string, command: string[]): Promise<void> {
  await check(`${name}, each entry alone`, async () => {
    const wrong: string[] = [];
    for (const entry of entries()) {
      Deno.writeTextFileSync(`${folder}/entry.mjs`, `await import("${entry}"); console.log("ok");\n`);
      wrong.push(await expectOutput("ok", ...command, "entry.mjs"));
    }
    return wrong.join("");
  });
}

async function checkCompilers(): Promise<void> {
  const imports = entries().map((entry, i) => `import * as entry${i} from "${entry}";\nexport { entry${i} };\n`);
  Deno.writeTextFileSync(`${folder}/entries.ts`, imports.join(""));
  for (const version of COMPILERS) {
    const name = `TypeScript ${version}`;
    if (!only.test(name) || !await install(`typescript@${version}`)) continue;
    await check(`${name}: nodenext, bundler; skipLibCheck, esnext.disposable or not`, async () => {
      const { success, output } = await inFolder("node", "types.mjs");
      return success && output.includes(": 8 programs, 0 with errors") ? "" : output;
    });
  }
}

async function checkBundlers(): Promise<void> {
  await Deno.mkdir(`${folder}/out`, { recursive: true });
  for (const bundler of BUNDLERS) {
    const bundle = (entry: string, file: string, ...conditions: string[]): Promise<Result> =>
      inFolder("node", `${bundler}.mjs`, `./${entry}`, `out/${file}`, ...conditions);
    const sizeOf = (file: string): number => Deno.statSync(`${folder}/out/${file}`).size;
    await check(`${bundler}: everything`, async () => {
      const { success, output } = await bundle("use.mjs", `${bundler}.js`);
      return success ? await expectOutput("ok", "node", `out/${bundler}.js`) : output;
    });
    await check(`${bundler}: detach from the root without the parser`, async () => {
      const { success, output } = await bundle("small.mjs", `${bundler}-small.js`);
      if (!success) return output;
      const size = sizeOf(`${bundler}-small.js`);
      return size < 6000 ? "" : `${size} bytes`;
    });
    await check(`${bundler}: ${NO_CODEGEN} leaves the generator out`, async () => {
      const file = `${bundler}-no-codegen.js`;
      const { success, output } = await bundle("use.mjs", file, NO_CODEGEN);
      const has = (file: string): boolean => Deno.readTextFileSync(`${folder}/out/${file}`).includes(GENERATOR);
      if (!success || has(file) || !has(`${bundler}.js`)) return `${output}\n${GENERATOR} is in the wrong bundle`;
      return await expectOutput("ok", "node", `out/${file}`);
    });
  }
}

async function checkWorkerd(): Promise<void> {
  if (!only.test("workerd") || !await install(TOOLS.miniflare)) return;
  await check("workerd, by esbuild and miniflare", async () => {
    const { success, output } = await inFolder("node", "esbuild.mjs", "worker.mjs", "out/worker.js");
    return success ? await expectOutput("ok[1,2.5]", "node", "miniflare.mjs") : output;
  });
}

async function checkPublishing(packed: string): Promise<void> {
  if (!await install(`${TOOLS.publint} ${TOOLS.attw}`)) return;
  await check("publint", async () => {
    const { success, output } = await inFolder("npx", "publint", "--strict", "./package");
    return success && output.includes("All good!") ? "" : output;
  });
  await check("attw", async () => {
    // CommonJS gets the modules by `require` of modules, which Node.js has from 22.12 on.
    const options = ["--ignore-rules", "cjs-resolves-to-esm"];
    const { success, output } = await inFolder("npx", "attw", `./${packed}`, ...options);
    return success ? "" : output;
  });
}

/** Runs the program of the package by a runtime. */
async function checkProgram(name: string, runtime: string, starter: string[]): Promise<void> {
  const path = `${dirname(runtime)}${delimiter}${Deno.env.get("PATH")}`;
  const program = (...args: string[]): Promise<Result> =>
    inFolder("env", `PATH=${path}`, ...starter, "bytejson", ...args);
  await check(`${name}, the program`, async () => {
    const valid = await program("check", "valid.json");
    const invalid = await program("check", ".");
    const selected = await program("select", "{id}", "valid.json");
    const isRight = valid.success && !invalid.success && invalid.output.includes("invalid.json:1:4") &&
      selected.output === '{"id":7}\n';
    return isRight ? "" : valid.output + invalid.output + selected.output;
  });
}

console.log("| use of the package | result |\n| --- | --- |");
try {
  const packed = await installPackage();
  await checkRuntimes();
  const { esbuild, rollup, webpack, vite } = TOOLS;
  if (/bundle|esbuild|rollup|webpack|vite|workerd/.test(flags.only) || flags.only === "") {
    if (await install([esbuild, rollup, webpack, vite].join(" "))) await checkBundlers();
    await checkWorkerd();
  }
  await checkCompilers();
  if (only.test("publint attw")) await checkPublishing(packed);
} finally {
  if (flags.keep === "") await Deno.remove(folder, { recursive: true });
}
console.log(`${passed} checks passed, ${failed} failed, ${skipped} skipped`);
if (failed > 0 || passed === 0) Deno.exit(1);
