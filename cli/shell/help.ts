/**
 * Help screens, at most 80 columns wide.
 *
 * @module
 */

import { type Command, COMMANDS, COMMON_FLAGS, DEFAULT_COMMAND, type Flag } from "../commands.ts";
import { EXIT_MEANINGS, PROGRAM } from "../program.ts";

/** Columns of a screen. */
const COLUMNS = 80;

/** Returns the help screen of the program. */
export function overview(): string {
  return [
    `${PROGRAM}: JSON straight from bytes`,
    "",
    "Usage:",
    ...table([
      ...COMMANDS.map((command): [string, string] => [usage(command), command.summary]),
      [`${PROGRAM} --help | --version`, `also: ${PROGRAM} ${DEFAULT_COMMAND.name} --help`],
    ]),
    "",
    ...wrap(
      `'${PROGRAM} FILE...' means '${PROGRAM} ${DEFAULT_COMMAND.name} FILE...'. ` +
        "Without a path, or for '-', it reads standard input.",
      COLUMNS,
    ),
    "",
    ...exitCodes(),
    "",
  ].join("\n");
}

/** Returns the help screen of a command. */
export function commandHelp(command: Command): string {
  const { name, summary, description, flags, examples } = command;
  return [
    `${PROGRAM} ${name}: ${summary}`,
    "",
    "Usage:",
    `  ${usage(command)}`,
    "",
    ...description.length > 0 ? [...wrap(description.join(" "), COLUMNS), ""] : [],
    "Options:",
    ...table([...flags, ...COMMON_FLAGS].map((flag) => [spelling(flag), flag.help])),
    "",
    "Examples:",
    ...table(examples),
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
  return ["Exit codes:", ...table(EXIT_MEANINGS.map(([code, meaning]) => [String(code), meaning]))];
}

/** Lays out rows of two columns, the second one wrapped. */
function table(rows: readonly (readonly [string, string])[]): string[] {
  const width = Math.max(...rows.map(([left]) => left.length));
  return rows.flatMap(([left, right]) =>
    wrap(right, COLUMNS - width - 4).map((line, i) => `  ${(i === 0 ? left : "").padEnd(width)}  ${line}`)
  );
}

/** Breaks a text into lines between words. */
function wrap(text: string, columns: number): string[] {
  const lines = [""];
  for (const word of text.split(" ")) {
    const line = lines.at(-1)!;
    if (line === "") lines[lines.length - 1] = word;
    else if (line.length + 1 + word.length <= columns) lines[lines.length - 1] += ` ${word}`;
    else lines.push(word);
  }
  return lines;
}
