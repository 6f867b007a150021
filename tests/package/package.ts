/**
 * Builds the npm package, packs it, installs it into a folder as a user would, and uses it
 * there: in runtimes, by compilers of TypeScript, by bundlers, and as a program. `--help` lists
 * the options.
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

function runIn(folder: string, program: string, ...args: string[]): Promise<Outcome> {
  const env = { NO_COLOR: "1", npm_config_loglevel: "error", npm_config_update_notifier: "false" };
  return run(program, args, env, TIMEOUT, folder);
}

let passed = 0;
let failed = 0;
let skipped = 0;

/** Name of the packed file. */
let packed = "";

/** Folder of a user, into which the package is installed. */
class User {
  readonly folder: string;
  /** Program of the runtime that the user has. */
  readonly runtime: string;

  constructor(name: string, runtime: string) {
    this.folder = `${root}/${name}`;
    this.runtime = runtime;
    Deno.mkdirSync(`${this.folder}/out`, { recursive: true });
    for (const [file, text] of Object.entries(CONSUMERS)) Deno.writeTextFileSync(`${this.folder}/${file}`, text);
  }

  /** Runs a command line in the folder. */
  run(program: string, ...args: string[]): Promise<Outcome> {
    return runIn(this.folder, program, ...args);
  }

  install(...names: string[]): Promise<Outcome> {
    return this.run("npm", "install", "--no-audit", "--no-fund", "--prefer-offline", ...names);
  }

  /** Runs a command line whose last line of output must match. Returns what is wrong. */
  async expect(last: RegExp, program: string, ...args: string[]): Promise<string> {
    const { success, output } = await this.run(program, ...args);
    const isRight = success && last.test(output.trimEnd().split("\n").at(-1)!);
    return isRight ? "" : `${[program, ...args].join(" ")}:\n${output}`;
  }
}

/** Checks by their names: each returns what is wrong, or an empty text. */
type Checks = Record<string, (user: User) => Promise<string>>;

/** Use of the package: checks of a user with a runtime and other packages of npm. */
interface Use {
  name: string;
  runtime?: RuntimeCommand;
  packages?: string;
  checks: Checks;
}

/** Makes the checks of a use that are wanted, and prints their rows. */
async function checkUse({ name, runtime, packages, checks }: Use): Promise<void> {
  const wanted = Object.entries(checks).filter(([name]) => only.test(name));
  if (wanted.length === 0) return;
  const program = runtime === undefined ? "node" : (await findRuntime(runtime))?.path;
  if (program === undefined) return void skipped++;
  const user = new User(name, program);
  const { success, output } = await user.install(`${root}/${packed}`);
  if (!success) throw new Error(output);
  if (packages !== undefined) {
    const { success, output } = await user.install(...packages.split(" "));
    if (!success) {
      skipped++;
      return console.log(`skipped: npm cannot fetch ${packages}: ${output.trim().split("\n")[0]}`);
    }
  }
  for (const [name, check] of wanted) {
    const wrong = await check(user).catch(String);
    console.log(`| ${name} | ${wrong === "" ? "ok" : "failed"} |${wrong === "" ? "" : `\n${wrong}`}`);
    if (wrong === "") passed++;
    else failed++;
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

/** Returns the names that programs import the entries by. */
function entries(): string[] {
  const config = JSON.parse(Deno.readTextFileSync(new URL("deno.json", projectRoot)));
  return [...libraryEntries(config).keys()].map((file) => file === "index" ? "bytejson" : `bytejson/${file}`);
}

function useInRuntime(runtime: RuntimeCommand): Use {
  const { kind, name } = runtime;
  const checks: Checks = {
    "import": (user) => user.expect(/^ok$/, user.runtime, "use.mjs"),
    "require": (user) => user.expect(/^ok$/, user.runtime, "use.cjs"),
    ...kind === "Node.js" && {
      "without the generator": (user) => user.expect(/^ok$/, user.runtime, "--conditions", NO_CODEGEN, "use.mjs"),
    },
    // In processes of their own, the order of loading is another one each time.
    async "each entry alone"(user) {
      const wrong: string[] = [];
      for (const entry of entries()) {
        Deno.writeTextFileSync(`${user.folder}/entry.mjs`, `await import("${entry}"); console.log("ok");\n`);
        wrong.push(await user.expect(/^ok$/, user.runtime, "entry.mjs"));
      }
      return wrong.join("");
    },
    async "the program"(user) {
      const path = `${dirname(user.runtime)}${delimiter}${Deno.env.get("PATH")}`;
      const starter = kind === "Bun" ? [user.runtime, "x", "--bun"] : ["npx"];
      const program = (...args: string[]): Promise<Outcome> =>
        user.run("env", `PATH=${path}`, ...starter, "bytejson", ...args);
      const valid = await program("check", "valid.json");
      const invalid = await program("check", ".");
      const selected = await program("select", "{id}", "valid.json");
      const isRight = valid.success && !invalid.success && invalid.output.includes("invalid.json:1:4") &&
        selected.output === '{"id":7}\n';
      return isRight ? "" : valid.output + invalid.output + selected.output;
    },
  };
  const named = Object.entries(checks).map(([check, run]) => [`${name}, ${check}`, run]);
  return { name, runtime, checks: Object.fromEntries(named) };
}

/**
 * Compiles uses of all entries by a version of TypeScript, with Hono for the types of its entry.
 */
function useByCompiler(version: string): Use {
  const check = `TypeScript ${version}: nodenext, bundler; skipLibCheck, esnext.disposable or not`;
  const checks: Checks = {
    [check](user) {
      const imports = entries().map((entry, i) => `import * as entry${i} from "${entry}";\nexport { entry${i} };\n`);
      Deno.writeTextFileSync(`${user.folder}/entries.ts`, imports.join(""));
      return user.expect(/: 8 programs, 0 with errors$/, "node", "types.mjs");
    },
  };
  return { name: `TypeScript ${version}`, packages: `typescript@${version} hono@4`, checks };
}

/** Bundles uses of the package by a bundler, and runs the bundles. */
function useByBundler(bundler: typeof BUNDLERS[number]): Use {
  const bundle = (user: User, entry: string, file: string, ...conditions: string[]): Promise<Outcome> =>
    user.run("node", `${bundler}.mjs`, `./${entry}`, `out/${file}`, ...conditions);
  const checks: Checks = {
    async [`${bundler}: everything`](user) {
      const { success, output } = await bundle(user, "use.mjs", "all.js");
      return success ? await user.expect(/^ok$/, "node", "out/all.js") : output;
    },
    async [`${bundler}: detach from the root without the parser`](user) {
      const { success, output } = await bundle(user, "small.mjs", "small.js");
      if (!success) return output;
      const { size } = Deno.statSync(`${user.folder}/out/small.js`);
      return size < 7500 ? "" : `${size} bytes`; // some bundlers keep comments
    },
    async [`${bundler}: ${NO_CODEGEN} leaves the generator out`](user) {
      const both = [await bundle(user, "use.mjs", "with.js"), await bundle(user, "use.mjs", "without.js", NO_CODEGEN)];
      const has = (file: string): boolean => Deno.readTextFileSync(`${user.folder}/out/${file}`).includes(GENERATOR);
      if (!both.every(({ success }) => success) || has("without.js") || !has("with.js")) {
        return `${both.map(({ output }) => output).join("")}\n${GENERATOR} is in the wrong bundle`;
      }
      return await user.expect(/^ok$/, "node", "out/without.js");
    },
  };
  return { name: bundler, packages: TOOLS[bundler], checks };
}

const IN_WORKERD: Use = {
  name: "workerd",
  packages: `${TOOLS.esbuild} ${TOOLS.miniflare}`,
  checks: {
    async "workerd, by esbuild and miniflare"(user) {
      const { success, output } = await user.run("node", "esbuild.mjs", "worker.mjs", "out/worker.js");
      return success ? await user.expect(/^ok\[1,2\.5\]$/, "node", "miniflare.mjs") : output;
    },
  },
};

const PUBLISHING: Use = {
  name: "publishing",
  packages: `${TOOLS.publint} ${TOOLS.attw}`,
  checks: {
    "publint": (user) => user.expect(/All good!/, "npx", "publint", "--strict", "../package"),
    // CommonJS gets the modules by `require` of modules, which Node.js has from 22.12 on.
    "attw": (user) => user.expect(/(?:)/, "npx", "attw", `../${packed}`, "--ignore-rules", "cjs-resolves-to-esm"),
  },
};

const USES = [
  ...[...NODE_VERSIONS.map(nodeOf), bunOfNpm].map(useInRuntime),
  ...COMPILERS.map(useByCompiler),
  ...BUNDLERS.map(useByBundler),
  IN_WORKERD,
  PUBLISHING,
];

console.log("| use of the package | result |\n| --- | --- |");
try {
  packed = await packPackage();
  await Promise.all(sideBySide(USES.map((use) => () => checkUse(use)), navigator.hardwareConcurrency));
} finally {
  if (flags.keep === "") await Deno.remove(root, { recursive: true });
}
console.log(`${passed} checks passed, ${failed} failed, ${skipped} skipped`);
if (failed > 0 || passed === 0) Deno.exit(1);
