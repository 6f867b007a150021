/**
 * Parsing of command lines by the rules of getopt.
 *
 * Not `parseArgs` of @std/cli: it takes a file called `true` as the value of the switch before it,
 * does not take `-` as a value (`--svg -`), accepts a value for a switch (`--quiet=no`), and reads
 * `-qj4` as `--quiet=j4`. `tests/repository/std_packages_test.ts` fails when that changes.
 */

import { type Command, type CommandName, COMMANDS, type Flag, flagsOf } from "./commands.ts";

/** Error in a command line. It becomes one line for the user, and exit code 2. */
export class UsageError extends Error {
  /** Unknown word; the user may have meant a known one. */
  readonly unknown: UnknownWord | undefined;
  readonly position: ArgumentPosition | undefined;

  constructor(message: string, unknown?: UnknownWord, position?: ArgumentPosition) {
    super(message);
    this.unknown = unknown;
    this.position = position;
  }
}

/** Position in an argument, in UTF-16 code units. */
export interface ArgumentPosition {
  readonly text: string;
  readonly at: number;
}

export interface UnknownWord {
  readonly word: string;
  readonly known: readonly string[];
  /** Known word for the same thing, if there is one. */
  readonly meant?: string | undefined;
  /** Whether to list the known words if none is close. */
  readonly isListed?: boolean;
}

/** Names that other programs use for some of the commands. */
const OTHER_NAMES: Readonly<Record<string, CommandName>> = {
  validate: "check",
  verify: "check",
  lint: "check",
  test: "check",
  parse: "check",
  query: "select",
  filter: "select",
  pick: "select",
  pointer: "get",
  benchmark: "bench",
};

export function unknownCommand(word: string): UsageError {
  const known = COMMANDS.map(({ name }) => name);
  const lower = word.toLowerCase();
  const meant = Object.hasOwn(OTHER_NAMES, lower) ? OTHER_NAMES[lower] : undefined;
  return new UsageError(`unknown command '${word}'`, { word, known, meant, isListed: true });
}

export class Arguments {
  /** Operands as given; `-` is standard input. */
  readonly operands: readonly string[];
  readonly command: Command;
  readonly #values: ReadonlyMap<string, string | true | readonly string[]>;

  constructor(
    command: Command,
    values: ReadonlyMap<string, string | true | readonly string[]>,
    operands: readonly string[],
  ) {
    this.command = command;
    this.#values = values;
    this.operands = operands;
  }

  /** Paths to read: the operands, or standard input if there are none. */
  get inputs(): readonly string[] {
    return this.operands.length > 0 ? this.operands : ["-"];
  }

  has(name: string): boolean {
    return this.#values.has(name);
  }

  /** Returns whether the command has a flag. */
  takes(name: string): boolean {
    return flagsOf(this.command).some((flag) => flag.name === name);
  }

  text(name: string): string | undefined {
    return this.#values.get(name) as string | undefined;
  }

  /** Returns the values of a repeatable flag; `undefined` if it is not given. */
  texts(name: string): readonly string[] | undefined {
    return this.#values.get(name) as readonly string[] | undefined;
  }

  /** Returns the value of a flag as a whole number of at least `minimum`. */
  integer(name: string, minimum: number): number | undefined {
    const text = this.text(name);
    if (text === undefined) return undefined;
    if (!/^\d{1,9}$/.test(text) || Number(text) < minimum) {
      throw new UsageError(`--${name} must be a whole number of at least ${minimum}, not '${text}'`);
    }
    return Number(text);
  }

  /** Returns the value of a flag as a number of bytes, such as `500`, `100M` or `1.5GiB`. */
  size(name: string, byDefault: string): number {
    const text = this.text(name) ?? byDefault;
    const [, amount, unit = ""] = /^(\d{1,9}(?:\.\d{1,9})?)(?:([kmgt])i?)?b?$/i.exec(text) ?? [];
    if (amount === undefined) throw new UsageError(`--${name} must be a size such as 500K, 100M or 2G, not '${text}'`);
    return Math.floor(Number(amount) * 1024 ** (1 + "kmgt".indexOf(unit.toLowerCase() || "-")));
  }

  choice<T extends string>(name: string, choices: readonly T[]): T | undefined {
    const text = this.text(name);
    const chosen = choices.find((choice) => choice === text);
    if (text !== undefined && chosen === undefined) {
      const message = `--${name} must be one of ${choices.join(", ")}, not '${text}'`;
      throw new UsageError(message, { word: text, known: choices });
    }
    return chosen;
  }

  /** Returns a duration such as `3s`, `500ms`, `2m` or `3` (seconds) in milliseconds. */
  duration(name: string): number | undefined {
    const text = this.text(name);
    if (text === undefined) return undefined;
    const [, amount, unit] = /^(\d+(?:\.\d+)?)(ms|s|m)?$/.exec(text) ?? [];
    if (!(Number(amount) > 0)) throw new UsageError(`--${name} must be a duration such as 3s or 500ms, not '${text}'`);
    return Number(amount) * { ms: 1, s: 1e3, m: 6e4 }[(unit ?? "s") as "ms" | "s" | "m"];
  }

  exclude(...names: readonly string[]): void {
    const given = names.filter((name) => this.has(name)).map((name) => `--${name}`);
    if (given.length > 1) throw new UsageError(`${given[0]} and ${given[1]} cannot be combined`);
  }
}

/**
 * Parses the arguments of a command. Flags may be anywhere before `--`, as `--name=value`,
 * `--name value` or letters in one word. If a flag is repeated, the last one counts, unless it
 * is repeatable.
 *
 * @throws {UsageError} If a flag is unknown, lacks its value, or has a value it does not take.
 */
export function parseArguments(command: Command, args: readonly string[]): Arguments {
  const flags = flagsOf(command);
  const values = new Map<string, string | true | readonly string[]>();
  const operands: string[] = [];
  const rest = args.values();

  const take = (flag: Flag | undefined, given: string, attached: string | undefined): void => {
    if (!flag) {
      const known = flags.map(({ name }) => `--${name}`);
      throw new UsageError(`unknown option ${given}`, { word: given, known });
    }
    if (!flag.value) {
      if (attached !== undefined) throw new UsageError(`--${flag.name} takes no value`);
      values.set(flag.name, true);
      return;
    }
    const value = attached ?? rest.next().value;
    if (!value) throw new UsageError(`--${flag.name} needs a value: ${flag.value}`);
    const earlier = values.get(flag.name) as readonly string[] | undefined;
    values.set(flag.name, flag.isRepeatable ? [...earlier ?? [], value] : value);
  };

  for (const arg of rest) {
    if (arg === "--") {
      operands.push(...rest);
    } else if (arg.startsWith("--")) {
      const [, name, attached] = /^--([^=]*)(?:=(.*))?$/s.exec(arg)!;
      take(flags.find((flag) => flag.name === name), `--${name}`, attached);
    } else if (arg.startsWith("-") && arg !== "-") {
      for (let at = 1; at < arg.length; at++) {
        const flag = flags.find((flag) => flag.short === arg[at]);
        const attached = flag?.value && at + 1 < arg.length ? arg.slice(at + 1).replace(/^=/, "") : undefined;
        take(flag, `-${arg[at]}`, attached);
        if (attached !== undefined) break;
      }
    } else {
      operands.push(arg);
    }
  }
  // An empty pointer means the whole document, but an empty path an unset variable.
  if (command.text === undefined && command.operandChoices === undefined && operands.includes("")) {
    throw new UsageError("a path is empty");
  }
  return new Arguments(command, values, operands);
}
