/** Builds executables of the command line. `--help` lists the options. */

import process from "node:process";
import { parseArgs } from "node:util";
import { manual } from "../cli/shell/man.ts";
import { buildWithBun, buildWithNode } from "./executables.ts";
import { digestOf, ROOT, runProgram, updateBuild } from "./programs.ts";

const HELP = `deno task compile [--folder FOLDER] [--node PATH] [--bun PATH] [--all | TARGET…]

Builds dist/bytejson for this machine. With targets, or --all of them, builds the files of a
release: dist/bytejson-TARGET, the manual page dist/bytejson.1, with --all the npm package
dist/bytejson-VERSION.tgz, and dist/SHA256SUMS. --folder names a folder in place of dist. The npm
package needs npm on the PATH.

--node PATH and --bun PATH build dist/bytejson-node and dist/bytejson-bun for this machine, which
contain the runtime at that path: Node.js 26 or later, and Bun. In a release, these names end with
-${Deno.build.target}.

The environment variable DENORT_BIN names the base runtime if it cannot be downloaded.

Targets:`;

const TARGETS = [
  "x86_64-unknown-linux-gnu",
  "aarch64-unknown-linux-gnu",
  "x86_64-apple-darwin",
  "aarch64-apple-darwin",
  "x86_64-pc-windows-msvc",
  "aarch64-pc-windows-msvc",
];

// Relative paths start at the root of the project.
Deno.chdir(ROOT);

/** Folder of the command line in the build, whose modules are packed: plain sources are slower. */
const MODULES = "dist/package/cli/";

/**
 * Permissions and flags of all commands together; each command drops those it does not need. To
 * measure memory, `bench` runs the program itself: by its name if it is on the PATH, on Linux also
 * by `/proc/self/exe`.
 */
const OPTIONS = [
  "--quiet",
  "--no-config",
  // Needed to measure the memory that values retain.
  "--v8-flags=--expose-gc",
  "--no-prompt",
  "--allow-read",
  "--allow-write",
  "--allow-run=bytejson,/proc/self/exe",
  // Variables that locate git's configuration, for ignore rules.
  "--allow-env=HOME,USERPROFILE,XDG_CONFIG_HOME,TERM,GITHUB_WORKSPACE,CI_PROJECT_DIR",
  // Entry module of workers.
  `--include=${MODULES}check/worker.js`,
  "--no-check",
];

/** Builds an executable. Rejects if the compiler fails, whose output is shown. */
async function compile(output: string, options: readonly string[] = []): Promise<void> {
  const command = new Deno.Command(Deno.execPath(), {
    args: ["compile", ...OPTIONS, ...options, `--output=${output}`, `${MODULES}bin.js`],
  });
  if (!await updateBuild() || !(await command.spawn().status).success) {
    throw new Error(`Cannot build ${output}: the compiler failed`);
  }
}

/** Paths of the runtimes to build with, if there are any. */
type Runtimes = Record<"node" | "bun", string | undefined>;

/** Builds executables with Node.js and Bun for this machine. Resolves with their names. */
async function buildWithRuntimes(folder: string, { node, bun }: Runtimes, ending: string): Promise<string[]> {
  const files: string[] = [];
  Deno.mkdirSync(folder, { recursive: true });
  for (const [name, path, build] of [["node", node, buildWithNode], ["bun", bun, buildWithBun]] as const) {
    if (path === undefined) continue;
    files.push(`bytejson-${name}${ending}`);
    await build(path, `${folder}/${files.at(-1)}`);
  }
  return files;
}

function endingOf(target: string): string {
  return target.includes("windows") ? ".exe" : "";
}

async function release(
  folder: string,
  targets: readonly string[],
  runtimes: Runtimes,
  hasPackage: boolean,
): Promise<void> {
  const { version } = JSON.parse(await Deno.readTextFile("deno.json"));
  const files: string[] = [];
  for (const target of targets) {
    const file = `bytejson-${target}${endingOf(target)}`;
    await compile(`${folder}/${file}`, [`--target=${target}`]);
    files.push(file);
  }
  const own = Deno.build.target;
  files.push(...await buildWithRuntimes(folder, runtimes, `-${own}${endingOf(own)}`));
  await Deno.writeTextFile(`${folder}/bytejson.1`, manual(version));
  files.push("bytejson.1");
  if (hasPackage) files.push(runProgram("npm", ["pack", "--silent", "--pack-destination", folder, "./dist/package"]));
  const sums = files.map((file) => `${digestOf([`${folder}/${file}`])}  ${file}\n`);
  await Deno.writeTextFile(`${folder}/SHA256SUMS`, sums.join(""));
  console.log([...files, "SHA256SUMS"].map((file) => `${folder}/${file}`).join("\n"));
}

try {
  const { values: { folder, all, node, bun, help }, positionals: targets } = parseArgs({
    allowPositionals: true,
    options: {
      folder: { type: "string", default: "dist" },
      all: { type: "boolean" },
      node: { type: "string" },
      bun: { type: "string" },
      help: { type: "boolean" },
    },
  });
  const unknown = targets.filter((target) => !TARGETS.includes(target));
  if (help) {
    console.log([HELP, ...TARGETS.map((target) => `  ${target}`)].join("\n"));
  } else if (unknown.length > 0) {
    throw new Error(`Cannot build for ${unknown.join(", ")}: there are ${TARGETS.join(", ")}`);
  } else if (all || targets.length > 0) {
    await release(folder, all ? TARGETS : targets, { node, bun }, all === true);
  } else if (node !== undefined || bun !== undefined) {
    await buildWithRuntimes(folder, { node, bun }, endingOf(Deno.build.target));
  } else {
    await compile(`${folder}/bytejson`);
  }
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}
