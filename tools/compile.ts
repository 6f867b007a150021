/**
 * Builds executables of the command line. `--help` says how.
 *
 * @module
 */

import { manual } from "../cli/man.ts";

const HELP = `deno task compile [--all | TARGET…]

Without a target dist/bytejson, for this machine. With targets, or --all of them, dist/bytejson-TARGET, the manual page
dist/bytejson.1 and dist/SHA256SUMS.

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

const FOLDER = "dist";
const root = new URL("../", import.meta.url);

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
  "--include=cli/check_worker.ts",
];

/** Builds an executable. Rejects, with what the compiler said on the screen, if that fails. */
async function compile(output: string, options: readonly string[] = []): Promise<void> {
  const command = new Deno.Command(Deno.execPath(), {
    args: ["compile", ...OPTIONS, ...options, `--output=${output}`, "cli.ts"],
    cwd: root,
  });
  const { success } = await command.spawn().status;
  if (!success) throw new Error(`Cannot build ${output}: the compiler failed`);
}

async function sha256(path: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", await Deno.readFile(new URL(path, root)));
  return new Uint8Array(digest).toHex();
}

async function release(targets: readonly string[]): Promise<void> {
  const { version } = JSON.parse(await Deno.readTextFile(new URL("deno.json", root)));
  const files: string[] = [];
  for (const target of targets) {
    const file = `bytejson-${target}${target.includes("windows") ? ".exe" : ""}`;
    await compile(`${FOLDER}/${file}`, [`--target=${target}`]);
    files.push(file);
  }
  await Deno.writeTextFile(new URL(`${FOLDER}/bytejson.1`, root), manual(version));
  files.push("bytejson.1");
  const sums = await Promise.all(files.map(async (file) => `${await sha256(`${FOLDER}/${file}`)}  ${file}\n`));
  await Deno.writeTextFile(new URL(`${FOLDER}/SHA256SUMS`, root), sums.join(""));
  console.log([...files, "SHA256SUMS"].map((file) => `${FOLDER}/${file}`).join("\n"));
}

const { args } = Deno;
const unknown = args.filter((arg) => arg !== "--all" && !TARGETS.includes(arg));
try {
  if (args.includes("--help")) {
    console.log([HELP, ...TARGETS.map((target) => `  ${target}`)].join("\n"));
  } else if (unknown.length > 0) {
    throw new Error(`Cannot build for ${unknown.join(", ")}: there are ${TARGETS.join(", ")}`);
  } else if (args.length === 0) {
    await compile(`${FOLDER}/bytejson`);
  } else {
    await release(args.includes("--all") ? TARGETS : args);
  }
} catch (error) {
  console.error((error as Error).message);
  Deno.exit(1);
}
