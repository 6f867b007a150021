/** The command `bytejson man`: the manual page, made from the same data as the help screens. */

import { type Arguments, UsageError } from "../arguments.ts";
import { type Command, COMMANDS, DEFAULT_COMMAND, type Flag, flagsOf } from "../commands.ts";
import { EXIT, EXIT_MEANINGS, PROGRAM } from "../program.ts";
import { writeStdout } from "../terminal/streams.ts";

const ENVIRONMENT = [
  ["NO_COLOR", "If set and not empty, turns colour off, unless --color turns it on."],
  ["FORCE_COLOR", "If set and neither empty nor 0, turns colour on even without a terminal."],
] as const;

export async function run(args: Arguments): Promise<number> {
  if (args.operands.length > 0) throw new UsageError(`unexpected operand '${args.operands[0]}'`);
  const { version } = (await import("../../deno.json", { with: { type: "json" } })).default;
  writeStdout(manual(version));
  return EXIT.valid;
}

/** Returns the manual page of a version, in the macros of man(7). */
export function manual(version: string): string {
  return [
    `.TH ${PROGRAM.toUpperCase()} 1 "" "${PROGRAM} ${version}" "User Commands"`,
    ".SH NAME",
    `${PROGRAM} \\- JSON straight from bytes`,
    ".SH SYNOPSIS",
    ...COMMANDS.flatMap((command) => [...synopsis(command), ".br"]),
    `.B ${PROGRAM}`,
    roff("--help | --version"),
    ".SH DESCRIPTION",
    ...COMMANDS.flatMap(({ name, summary }) => tagged(`.B ${PROGRAM} ${name}`, roff(summary))),
    ".PP",
    roff(
      `Without a command, files are for ${DEFAULT_COMMAND.name}. Without a path, or for '-', it reads standard input.`,
    ),
    ...COMMANDS.flatMap(section),
    ".SH EXIT STATUS",
    ...EXIT_MEANINGS.flatMap(([code, meaning]) => tagged(`.B ${code}`, roff(meaning))),
    ".SH ENVIRONMENT",
    ...ENVIRONMENT.flatMap(([name, meaning]) => tagged(`.B ${name}`, roff(meaning))),
    ".SH SEE ALSO",
    ".BR jq (1)",
    "",
  ].join("\n");
}

function section(command: Command): string[] {
  return [
    `.SH ${PROGRAM.toUpperCase()} ${command.name.toUpperCase()}`,
    ...synopsis(command),
    ...command.description.length > 0 ? [".PP", ...command.description.map(roff)] : [],
    ...flagsOf(command).flatMap((flag) => tagged(option(flag), roff(flag.help))),
    ".PP",
    "Examples:",
    ...command.examples.flatMap(([line, description]) =>
      tagged(`.B "${roff(line).replaceAll('"', '""')}"`, roff(description))
    ),
  ];
}

function synopsis({ name, operands }: Command): string[] {
  return [`.B ${PROGRAM} ${name}`, roff(`[options] ${operands}`.trimEnd())];
}

function option({ name, short, value }: Flag): string {
  const spelled = short === undefined ? `\\-\\-${roff(name)}` : `\\-${short}\\fR, \\fB\\-\\-${roff(name)}`;
  return `\\fB${spelled}\\fR${value ? ` \\fI${value}\\fR` : ""}`;
}

function tagged(tag: string, text: string): string[] {
  return [".TP", tag, text];
}

/** Escapes a text for roff, so that it has no escapes or requests, and dashes can be copied. */
function roff(text: string): string {
  return text
    .replaceAll("\\", "\\e")
    .replaceAll("-", "\\-")
    .replace(/^[.']/, "\\&$&")
    .replaceAll("'", "\\(aq")
    .replaceAll("~", "\\(ti")
    .replaceAll("^", "\\(ha")
    .replaceAll("`", "\\(ga");
}
