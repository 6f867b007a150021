/** `bytejson man`: the manual page, from what the help screens are made of. */

import { type Arguments, UsageError } from "../arguments.ts";
import {
  type Command,
  COMMANDS,
  COMMON_FLAGS,
  DEFAULT_COMMAND,
  EXIT,
  EXIT_MEANINGS,
  type Flag,
  PROGRAM,
} from "../commands.ts";
import { writeData } from "../terminal/streams.ts";

/** What the environment changes. */
const ENVIRONMENT = [
  ["NO_COLOR", "If not empty: no colour, unless --color says otherwise."],
  ["FORCE_COLOR", "If neither empty nor 0: colour, though reports do not go to a terminal."],
] as const;

/** Prints the page. */
export async function run(args: Arguments): Promise<number> {
  if (args.paths.length > 0) throw new UsageError(`takes no operand: ${args.paths[0]}`);
  const { version } = (await import("../../deno.json", { with: { type: "json" } })).default;
  writeData(manual(version));
  return EXIT.valid;
}

/** The page of a version, in the macros of man(7). */
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
    roff(`Files without a command are for ${DEFAULT_COMMAND.name}. Without a path, or for '-', it is standard input.`),
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
    ...[...command.flags, ...COMMON_FLAGS].flatMap((flag) => tagged(option(flag), roff(flag.help))),
    ".PP",
    "Examples:",
    ...command.examples.flatMap(([line, does]) => tagged(`.B "${roff(line).replaceAll('"', '""')}"`, roff(does))),
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

/** Text as roff has it: nothing of it is an escape or a request, and dashes can be copied. */
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
