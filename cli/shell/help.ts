/** The command `bytejson help`, and help screens as wide as the terminal. */

import { type Arguments, unknownCommand, UsageError } from "../arguments.ts";
import { type Command, COMMANDS, DEFAULT_COMMAND, type Flag, flagsOf } from "../commands.ts";
import { EXIT, EXIT_MEANINGS, PROGRAM } from "../program.ts";
import { columnsOf, wrap } from "../terminal/lines.ts";
import { writeStdout } from "../terminal/streams.ts";

/** Minimum width of the second column of a table; with less, it goes below the first. */
const MIN_RIGHT = 24;

/** Prints the help screen of the program, or of the command that is named. */
export function run(args: Arguments): Promise<number> {
  const [name, ...more] = args.operands;
  if (more.length > 0) throw new UsageError(`unexpected operand '${more[0]}'`);
  const command = COMMANDS.find((command) => command.name === name);
  if (name !== undefined && command === undefined) throw unknownCommand(name);
  writeStdout(command ? commandHelp(command, columnsOf("stdout")) : overview(columnsOf("stdout")));
  return Promise.resolve(EXIT.valid);
}

/** Returns the help screen of the program, for a terminal of `columns` columns. */
export function overview(columns: number): string {
  return screen([
    `${PROGRAM}: JSON straight from bytes`,
    "",
    "Usage:",
    ...table(columns, [
      ...COMMANDS.map((command): [string, string] => [usage(command), command.summary]),
      [`${PROGRAM} --help | --version`, "the same as help and version"],
    ]),
    "",
    ...wrap(
      `'${PROGRAM} FILE...' means '${PROGRAM} ${DEFAULT_COMMAND.name} FILE...'. ` +
        "Without a path, or for '-', it reads standard input.",
      columns,
    ),
    "",
    ...exitCodes(columns),
    "",
  ]);
}

export function commandHelp(command: Command, columns: number): string {
  const { name, summary, description, examples } = command;
  return screen([
    ...wrap(`${PROGRAM} ${name}: ${summary}`, columns),
    "",
    "Usage:",
    ...wrap(usage(command), columns - 2).map((line, i) => `${i === 0 ? "" : "  "}  ${line}`),
    "",
    ...description.length > 0 ? [...wrap(description.join(" "), columns), ""] : [],
    "Options:",
    ...table(columns, flagsOf(command).map((flag) => [spelling(flag), flag.help])),
    "",
    "Examples:",
    ...table(columns, examples),
    "",
    ...command.operandChoices === undefined ? [...exitCodes(columns), ""] : [],
  ]);
}

/** Usage line. No-break spaces keep the operands together, until they are printed. */
function usage({ name, operands }: Command): string {
  return `${PROGRAM} ${name} [options] ${operands.replaceAll(" ", "\u00a0")}`.trimEnd();
}

function screen(lines: readonly string[]): string {
  return lines.join("\n").replaceAll("\u00a0", " ");
}

function spelling({ name, short, value }: Flag): string {
  return `${short ? `-${short}, ` : "    "}--${name}${value ? ` ${value}` : ""}`;
}

function exitCodes(columns: number): string[] {
  return ["Exit codes:", ...table(columns, EXIT_MEANINGS.map(([code, meaning]) => [String(code), meaning]))];
}

/** Lays out rows of two columns, the second one wrapped, or below the first if it is too narrow. */
function table(columns: number, rows: readonly (readonly [string, string])[]): string[] {
  const width = Math.max(...rows.map(([left]) => left.length));
  const room = columns - width - 4;
  if (room < MIN_RIGHT && rows.some(([, right]) => right.length > room)) {
    return rows.flatMap(([left, right]) => [
      ...wrap(left, columns - 4).map((line, i) => `${i === 0 ? "" : "  "}  ${line}`),
      ...wrap(right, columns - 8).map((line) => `        ${line}`),
    ]);
  }
  return rows.flatMap(([left, right]) =>
    wrap(right, room).map((line, i) => `  ${(i === 0 ? left : "").padEnd(width)}  ${line}`)
  );
}
