/**
 * The command `bytejson version`.
 *
 * @module
 */

import { type Arguments, UsageError } from "../arguments.ts";
import { EXIT, PROGRAM } from "../program.ts";
import { writeStdout } from "../terminal/streams.ts";

/** Prints the version. */
export async function run(args: Arguments): Promise<number> {
  if (args.operands.length > 0) throw new UsageError(`unexpected operand '${args.operands[0]}'`);
  const { version } = (await import("../../deno.json", { with: { type: "json" } })).default;
  writeStdout(`${PROGRAM} ${version}\n`);
  return EXIT.valid;
}
