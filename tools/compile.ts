/**
 * Builds executables of the command line. `--help` says how.
 *
 * @module
 */

import process from "node:process";
import { parseArgs } from "node:util";
import { manual } from "../cli/shell/man.ts";

const HELP = `deno task compile [--folder FOLDER] [--all | TARGET…]

Without a target dist/bytejson, for this machine. With targets, or --all of them, dist/bytejson-TARGET, the manual page
dist/bytejson.1 and dist/SHA256SUMS. --folder names another folder than dist.

DENORT_BIN names the base runtime where it cannot be downloaded.

Targets:`;

const TARGETS = [
  "x86_64-unknown-linux-gnu",
  "aarch64-unknown-linux-gnu",
  "x86_64-apple-darwin",
  "aarch64-apple-darwin",
  "x86_64-pc-windows-msvc",
  "aarch64-pc-windows-msvc",
];

// Relative paths are the project's.
Deno.chdir(new URL("../", import.meta.url));

/**
 * What the commands need together; each gives up what it does not need itself. The program runs itself for the memory of `bench`:
 * by its name if it is on the PATH and, on Linux, as what it is.
 */
const OPTIONS = [
  "--quiet",
  "--import-map=imports.npm.json",
  // For the memory that values retain.
  "--v8-flags=--expose-gc",
  "--no-prompt",
  "--allow-read",
  "--allow-write",
  "--allow-run=bytejson,/proc/self/exe",
  // Not found by the compiler, as it is no import.
  "--include=cli/check/worker.ts",
];

/** Builds an executable. Rejects, with what the compiler said on the screen, if that fails. */
async function compile(output: string, options: readonly string[] = []): Promise<void> {
  const command = new Deno.Command(Deno.execPath(), {
    args: ["compile", ...OPTIONS, ...options, `--output=${output}`, "cli.ts"],
  });
  const { success } = await command.spawn().status;
  if (!success) throw new Error(`Cannot build ${output}: the compiler failed`);
}

async function sha256(path: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", await Deno.readFile(path));
  return new Uint8Array(digest).toHex();
}

async function release(folder: string, targets: readonly string[]): Promise<void> {
  const { version } = JSON.parse(await Deno.readTextFile("deno.json"));
  const files: string[] = [];
  for (const target of targets) {
    const file = `bytejson-${target}${target.includes("windows") ? ".exe" : ""}`;
    await compile(`${folder}/${file}`, [`--target=${target}`]);
    files.push(file);
  }
  await Deno.writeTextFile(`${folder}/bytejson.1`, manual(version));
  files.push("bytejson.1");
  const sums = await Promise.all(files.map(async (file) => `${await sha256(`${folder}/${file}`)}  ${file}\n`));
  await Deno.writeTextFile(`${folder}/SHA256SUMS`, sums.join(""));
  console.log([...files, "SHA256SUMS"].map((file) => `${folder}/${file}`).join("\n"));
}

try {
  const { values: { folder, all, help }, positionals: targets } = parseArgs({
    allowPositionals: true,
    options: { folder: { type: "string", default: "dist" }, all: { type: "boolean" }, help: { type: "boolean" } },
  });
  const unknown = targets.filter((target) => !TARGETS.includes(target));
  if (help) {
    console.log([HELP, ...TARGETS.map((target) => `  ${target}`)].join("\n"));
  } else if (unknown.length > 0) {
    throw new Error(`Cannot build for ${unknown.join(", ")}: there are ${TARGETS.join(", ")}`);
  } else if (all || targets.length > 0) {
    await release(folder, all ? TARGETS : targets);
  } else {
    await compile(`${folder}/bytejson`);
  }
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}
