/**
 * The command line: `bytejson check` validates documents, `bytejson select`, `get`, `each` and
 * `locate` print parts of them, `bytejson bench` measures parsing against native. Run it with `deno
 * run --allow-read --allow-run jsr:@bytejson/bytejson/cli`; `--help` describes the commands and
 * their options.
 *
 * @module
 */

import { runProcess } from "./cli/run_process.ts";

/**
 * Runs a command line. Reports and diagnostics go to standard error, requested data to
 * standard output.
 *
 * @param args Arguments after the program's name.
 * @returns The exit code: 0 all valid, 1 an invalid document, 2 usage error or unreadable input.
 *
 * @example
 * ```ts
 * import { main } from "@bytejson/bytejson/cli";
 * import { assertEquals } from "@std/assert";
 *
 * assertEquals(await main(["check", "--quiet", "deno.json"]), 0);
 * ```
 */
export async function main(args: readonly string[]): Promise<number> {
  return await (await import("./cli/command_line.ts")).runCommandLine(args);
}

if (import.meta.main) {
  await runProcess();
}
