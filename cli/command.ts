/** A command as data: its help, its flags and their parsing come from one description. */

import { parseArgs } from "@std/cli/parse-args";
import { chooseColour, COLOUR_CHOICES } from "./output.ts";

/** An option of a command. */
export interface Flag {
  name: string;
  short?: string;
  /** Placeholder of its value; absent for a switch. */
  value?: string;
  help: string;
}

/** A command of the program. */
export interface Command {
  name: string;
  summary: string;
  operands: string;
  flags: readonly Flag[];
  /** Command lines with what they do. */
  examples: readonly (readonly [line: string, does: string])[];
  /** Resolves with the exit code. */
  run(args: Arguments): Promise<number>;
}

/** The process's exit codes. */
export const EXIT = { valid: 0, invalid: 1, unusable: 2, interrupted: 130 } as const;

/** The command line cannot be understood: one line for the user, exit code 2. */
export class UsageError extends Error {}

/** Flags every command has. */
const COMMON_FLAGS: readonly Flag[] = [
  {
    name: "color",
    value: "WHEN",
    help: "colour: auto, always or never; auto heeds NO_COLOR, FORCE_COLOR and terminals",
  },
  { name: "help", short: "h", help: "show this help" },
];

/** Reads a command line. Throws {@linkcode UsageError}. */
export function parseArguments(command: Command, args: readonly string[]): Arguments {
  const flags = [...command.flags, ...COMMON_FLAGS];
  const operands: string[] = [];
  const { _: afterDashes, ...values } = parseArgs([...args], {
    boolean: flags.filter((flag) => !flag.value).map((flag) => flag.name),
    string: flags.filter((flag) => flag.value).map((flag) => flag.name),
    alias: Object.fromEntries(flags.flatMap((flag) => flag.short ? [[flag.name, flag.short]] : [])),
    // Operands are taken here, before parseArgs makes numbers of file names such as 1e3.
    unknown: (arg: string, key?: string) => {
      if (key !== undefined) throw new UsageError(`unknown option ${arg.replace(/=.*/s, "")}`);
      operands.push(arg);
      return false;
    },
  }) as Record<string, unknown> & { _: string[] };
  for (const { name, value } of flags) {
    if (value && values[name] === "") throw new UsageError(`--${name} needs a value: ${value}`);
  }
  const parsed = new Arguments(values as Record<string, string | boolean>, [...operands, ...afterDashes]);
  chooseColour(parsed.choice("color", COLOUR_CHOICES) ?? "auto");
  return parsed;
}

/** A command line that was understood. */
export class Arguments {
  /** Files as named, `-` for standard input. */
  readonly paths: readonly string[];
  readonly #values: Readonly<Record<string, string | boolean>>;

  constructor(values: Readonly<Record<string, string | boolean>>, operands: readonly string[]) {
    this.#values = values;
    this.paths = operands;
  }

  /** What to read: the files named, or else standard input. */
  get inputs(): readonly string[] {
    return this.paths.length > 0 ? this.paths : ["-"];
  }

  /** Whether a switch is on. */
  has(name: string): boolean {
    return this.#values[name] === true;
  }

  /** A flag's value as given. */
  text(name: string): string | undefined {
    return this.#values[name] as string | undefined;
  }

  /** A flag's value as a whole number of at least `least`. */
  integer(name: string, least: number): number | undefined {
    const text = this.text(name);
    if (text === undefined) return undefined;
    if (!/^\d{1,9}$/.test(text) || Number(text) < least) {
      throw new UsageError(`--${name} is a whole number from ${least} up, not '${text}'`);
    }
    return Number(text);
  }

  /** A flag's value as one of a set of words. */
  choice<T extends string>(name: string, choices: readonly T[]): T | undefined {
    const text = this.text(name);
    const chosen = choices.find((choice) => choice === text);
    if (text !== undefined && chosen === undefined) {
      throw new UsageError(`--${name} is one of ${choices.join(", ")}, not '${text}'`);
    }
    return chosen;
  }

  /** A flag's value as a duration, in milliseconds: `3s`, `500ms`, `2m`; a bare number is seconds. */
  duration(name: string): number | undefined {
    const text = this.text(name);
    if (text === undefined) return undefined;
    const [, amount, unit] = /^(\d+(?:\.\d+)?)(ms|s|m)?$/.exec(text) ?? [];
    if (!(Number(amount) > 0)) throw new UsageError(`--${name} is a duration such as 3s or 500ms, not '${text}'`);
    return Number(amount) * { ms: 1, s: 1e3, m: 6e4 }[(unit ?? "s") as "ms" | "s" | "m"];
  }
}

/** A command's help screen. */
export function help(command: Command): string {
  const flags = [...command.flags, ...COMMON_FLAGS].map((flag): [string, string] => [
    `${flag.short ? `-${flag.short}, ` : "    "}--${flag.name}${flag.value ? ` ${flag.value}` : ""}`,
    flag.help,
  ]);
  return [
    `bytejson ${command.name}: ${command.summary}`,
    "",
    "Usage:",
    `  bytejson ${command.name} [options] ${command.operands}`,
    "",
    "Options:",
    ...columns(flags),
    "",
    "Examples:",
    ...columns(command.examples),
    "",
  ].join("\n");
}

function columns(rows: readonly (readonly [string, string])[]): string[] {
  const width = Math.max(...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`);
}
