/** Helpers of several tools: running programs, temporary folders, and checksums. */

import { createHash } from "node:crypto";
import { fileURLToPath } from "node:url";

/** Folder of the project, with a trailing slash. */
export const ROOT: string = fileURLToPath(new URL("../", import.meta.url));

/**
 * Runs a program, in the folder of the project by default. Returns what it prints.
 *
 * @throws {Error} If it fails, with its errors or, if there are none, its output.
 */
export function runProgram(program: string, args: readonly string[], options: Deno.CommandOptions = {}): string {
  const { success, stdout, stderr } = new Deno.Command(program, {
    cwd: ROOT,
    stdin: "null",
    ...options,
    args: [...args],
  }).outputSync();
  const [output, errors] = [stdout, stderr].map((bytes) => new TextDecoder().decode(bytes));
  if (!success) throw new Error(`${program} ${args[0]} has failed: ${errors}${output.slice(-5_000)}`);
  return output.trim();
}

/** Options of a module of `tools/`, which may load packages. */
const TOOL_OPTIONS = ["--quiet", "--no-lock", "--import-map=imports.npm.json", "--allow-all"];

/** Runs a module of `tools/`. Returns what it prints, as `runProgram`. */
export function runTool(module: string, args: readonly string[]): string {
  return runProgram(Deno.execPath(), ["run", ...TOOL_OPTIONS, module, ...args]);
}

/** Brings the build in `dist/package` up to date. Resolves with whether that succeeded. */
export async function updateBuild(): Promise<boolean> {
  const args = ["run", ...TOOL_OPTIONS, "tools/build.ts", "--if-changed"];
  return (await new Deno.Command(Deno.execPath(), { args, cwd: ROOT }).spawn().status).success;
}

/** Calls a function with a new folder, which is removed afterwards. */
export async function withFolder<T>(use: (folder: string) => T | Promise<T>): Promise<T> {
  const folder = Deno.makeTempDirSync();
  try {
    return await use(folder);
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
}

/** Returns the SHA-256 checksum of files together, in hexadecimal digits. */
export function digestOf(paths: readonly string[]): string {
  const hash = createHash("sha256");
  for (const path of paths) hash.update(Deno.readFileSync(path));
  return hash.digest("hex");
}
