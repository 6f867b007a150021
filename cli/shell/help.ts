/** Help screens. */

import {
  type Command,
  COMMANDS,
  COMMON_FLAGS,
  DEFAULT_COMMAND,
  EXIT_MEANINGS,
  type Flag,
  PROGRAM,
} from "../commands.ts";

/** The program's help screen. */
export function overview(): string {
  return [
    `${PROGRAM}: JSON straight from bytes`,
    "",
    "Usage:",
    ...columns([
      ...COMMANDS.map((command): [string, string] => [usage(command), command.summary]),
      [`${PROGRAM} --help | --version`, `also: ${PROGRAM} ${DEFAULT_COMMAND.name} --help`],
    ]),
    "",
    `${PROGRAM} FILE... means ${DEFAULT_COMMAND.name}. Without a path, or for '-', it is standard input.`,
    "",
    ...exitCodes(),
    "",
  ].join("\n");
}

/** A command's help screen. */
export function help(command: Command): string {
  return [
    `${PROGRAM} ${command.name}: ${command.summary}`,
    "",
    "Usage:",
    `  ${usage(command)}`,
    "",
    ...command.description.length > 0 ? [...command.description, ""] : [],
    "Options:",
    ...columns([...command.flags, ...COMMON_FLAGS].map((flag) => [spelling(flag), flag.help])),
    "",
    "Examples:",
    ...columns(command.examples),
    "",
    ...exitCodes(),
    "",
  ].join("\n");
}

function usage({ name, operands }: Command): string {
  return `${PROGRAM} ${name} [options] ${operands}`.trimEnd();
}

function spelling({ name, short, value }: Flag): string {
  return `${short ? `-${short}, ` : "    "}--${name}${value ? ` ${value}` : ""}`;
}

function exitCodes(): string[] {
  return ["Exit codes:", ...columns(EXIT_MEANINGS.map(([code, meaning]) => [String(code), meaning]))];
}

function columns(rows: readonly (readonly [string, string])[]): string[] {
  const width = Math.max(...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`);
}
