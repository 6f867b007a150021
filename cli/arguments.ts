/** A command line, understood. Written out rather than taken from @std/cli, which would double what loading this program takes. */

import { type Command, COMMON_FLAGS, type Flag } from "./commands.ts";

/** The command line cannot be understood: one line for the user, exit code 2. */
export class UsageError extends Error {}

/** A command line that was understood. */
export class Arguments {
  /** Operands as given; `-` is standard input. */
  readonly paths: readonly string[];
  readonly #values: ReadonlyMap<string, string | true>;

  constructor(values: ReadonlyMap<string, string | true>, operands: readonly string[]) {
    this.#values = values;
    this.paths = operands;
  }

  /** What to read: the files named, or else standard input. */
  get inputs(): readonly string[] {
    return this.paths.length > 0 ? this.paths : ["-"];
  }

  /** Whether a flag is there. */
  has(name: string): boolean {
    return this.#values.has(name);
  }

  /** A flag's value as given. */
  text(name: string): string | undefined {
    return this.#values.get(name) as string | undefined;
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

  /** Refuses flags that exclude each other. */
  exclude(...names: readonly string[]): void {
    const given = names.filter((name) => this.has(name)).map((name) => `--${name}`);
    if (given.length > 1) throw new UsageError(`${given[0]} and ${given[1]} exclude each other`);
  }
}

/**
 * Reads a command line the way getopt does: flags anywhere, `--name=value` or `--name value`, letters in one word, `--` before operands
 * that look like flags. Of a flag given twice the last counts. Throws {@linkcode UsageError}.
 */
export function parseArguments(command: Command, args: readonly string[]): Arguments {
  const flags = [...command.flags, ...COMMON_FLAGS];
  const values = new Map<string, string | true>();
  const operands: string[] = [];
  const rest = args.values();

  const take = (flag: Flag | undefined, given: string, attached: string | undefined): void => {
    if (!flag) throw new UsageError(`unknown option ${given}`);
    if (!flag.value) {
      if (attached !== undefined) throw new UsageError(`--${flag.name} takes no value`);
      values.set(flag.name, true);
      return;
    }
    const value = attached ?? rest.next().value;
    if (!value) throw new UsageError(`--${flag.name} needs a value: ${flag.value}`);
    values.set(flag.name, value);
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
  return new Arguments(values, operands);
}
