/**
 * The command line of the process.
 *
 * @module
 */

import { checkQuickly } from "./check/quick_check.ts";
import { platform } from "./platform/platform.ts";

/** Runs the command line of the process, and ends it. */
export async function runProcess(): Promise<never> {
  const { args, exit } = platform;
  platform.silenceWarnings();
  return exit(checkQuickly(args) ?? await (await import("./command_line.ts")).runProgram(args));
}
