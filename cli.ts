/**
 * The command line: `bytejson check` validates documents, `bytejson bench` measures them against native. Run it with
 * `deno run --allow-read --allow-run jsr:@bytejson/bytejson/cli`; `--help` tells the rest.
 *
 * @module
 */

import { type Command, EXIT, help, parseArguments, UsageError } from "./cli/command.ts";
import { MEMORY_PROCESS } from "./cli/memory.ts";
import { writeData, writeReport } from "./cli/output.ts";

// Loaded when used, so that no command pays for another at start-up.
const COMMANDS: Record<string, () => Promise<Command>> = {
  check: async () => (await import("./cli/check.ts")).check,
  bench: async () => (await import("./cli/bench.ts")).bench,
};

const DEFAULT_COMMAND = "check";

const HELP = `bytejson: JSON straight from bytes

Usage:
  bytejson check [options] [FILE | -]...    validate; no path: standard input
  bytejson bench [options] [FILE | -]...    time and memory, against native
  bytejson --help | --version               also: bytejson check --help

bytejson FILE... means check.
Exit: 0 all valid, 1 an invalid document, 2 usage or unreadable input, 130 interrupted.
`;

/**
 * Runs a command line. Reports and diagnostics go to standard error, data that was asked for to standard output.
 *
 * @param args The arguments after the program's name.
 * @returns The exit code: 0 all valid, 1 an invalid document, 2 usage or unreadable input.
 *
 * @example
 * ```ts
 * import { main } from "@bytejson/bytejson/cli";
 * import { assertEquals } from "@std/assert";
 *
 * assertEquals(await main(["check", "--quiet", "deno.json"]), 0);
 * ```
 */
export async function main(args: readonly string[]): Promise<number> {
  const [first, ...rest] = args;
  if (first === "--help" || first === "-h") return show(HELP);
  if (first === MEMORY_PROCESS) return await (await import("./cli/memory_process.ts")).measureHere(rest);
  if (first === "--version" || first === "-V") return show(`bytejson ${await version()}\n`);
  const named = first !== undefined && Object.hasOwn(COMMANDS, first);
  const name = named ? first : DEFAULT_COMMAND;
  try {
    const command = await COMMANDS[name]();
    const parsed = parseArguments(command, named ? rest : args);
    if (parsed.has("help")) return show(help(command));
    if (parsed.paths.length === 0 && Deno.stdin.isTerminal()) {
      writeReport(named ? help(command) : HELP);
      return EXIT.unusable;
    }
    return await command.run(parsed);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const hint = error instanceof UsageError ? `; try 'bytejson ${name} --help'` : "";
    writeReport(`bytejson ${name}: ${message}${hint}\n`);
    return EXIT.unusable;
  }
}

function show(text: string): number {
  writeData(text);
  return EXIT.valid;
}

async function version(): Promise<string> {
  return (await import("./deno.json", { with: { type: "json" } })).default.version;
}

if (import.meta.main) {
  Deno.addSignalListener("SIGINT", () => Deno.exit(EXIT.interrupted));
  Deno.exit(await main(Deno.args));
}
