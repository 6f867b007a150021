/**
 * Checks the package as users get it: the documentation of every export, the build, and a dry run of
 * publishing it.
 *
 * @module
 */

const IMPORT_MAP = "imports.npm.json";

const root = new URL("../", import.meta.url);
const config = readJson("deno.json");

// deno-lint-ignore no-explicit-any
function readJson(path: string): any {
  return JSON.parse(Deno.readTextFileSync(new URL(path, root)));
}

/** Runs this Deno in a directory and shows its output. Returns whether it succeeded. */
function deno(cwd: URL | string, ...args: string[]): boolean {
  return new Deno.Command(Deno.execPath(), { args, cwd, stdout: "inherit", stderr: "inherit" }).outputSync().success;
}

function checkDocumentation(): boolean {
  // Each entry point alone: it must export every type that it mentions.
  const files = Object.values<string>(config.exports);
  return files.every((file) => deno(root, "doc", "--lint", `--import-map=${IMPORT_MAP}`, file));
}

function checkPublishing(): boolean {
  const folder = Deno.makeTempDirSync();
  try {
    return deno(
      root,
      "run",
      "--quiet",
      `--import-map=${IMPORT_MAP}`,
      "--allow-all",
      "tools/build.ts",
      "--folder",
      folder,
    ) &&
      deno(folder, "publish", "--dry-run");
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
}

if (!(checkDocumentation() && checkPublishing())) Deno.exit(1);
