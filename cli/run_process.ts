/** The command line of the process. */

import { checkQuickly } from "./check/quick_check.ts";
import { startPlatform } from "./platform/start_platform.ts";
import { EXIT, PROGRAM } from "./program.ts";

/** Runs the command line of the process, and ends it. */
export async function runProcess(): Promise<never> {
  const { args, exit } = startPlatform;
  if (globalThis.navigator === undefined) {
    console.error(`${PROGRAM} needs Node.js 22 or later`);
    return exit(EXIT.unusable);
  }
  return exit(await checkQuickly(args) ?? await (await import("./command_line.ts")).runProgram(args));
}
