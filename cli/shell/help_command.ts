/**
 * The command `bytejson help`.
 *
 * @module
 */

import { type Arguments, UsageError } from "../arguments.ts";
import { COMMANDS } from "../commands.ts";
import { EXIT } from "../program.ts";
import { stdoutColumns } from "../terminal/columns.ts";
import { writeStdout } from "../terminal/streams.ts";
import { commandHelp, overview } from "./help.ts";

/** Prints the help screen of the program, or of the command that is named. */
export function run(args: Arguments): Promise<number> {
  const [name, ...more] = args.operands;
  if (more.length > 0) throw new UsageError(`unexpected operand '${more[0]}'`);
  const command = COMMANDS.find((command) => command.name === name);
  if (name !== undefined && command === undefined) {
    const known = COMMANDS.map(({ name }) => name);
    throw new UsageError(`no command is called '${name}'`, { word: name, known });
  }
  writeStdout(command ? commandHelp(command, stdoutColumns()) : overview(stdoutColumns()));
  return Promise.resolve(EXIT.valid);
}
