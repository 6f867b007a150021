/**
 * The command line: `bytejson check` validates documents, `bytejson bench` measures parsing against
 * native. Run it with `deno run --allow-read --allow-run jsr:@bytejson/bytejson/cli`; `--help`
 * describes the commands and their options.
 *
 * @module
 */

import { type Arguments, parseArguments, UsageError } from "./cli/arguments.ts";
import { COLOUR_CHOICES, type Command, type CommandName, COMMANDS, DEFAULT_COMMAND } from "./cli/commands.ts";
import { listenToSignals } from "./cli/interrupt.ts";
import { EXIT, MEASURING_PROCESS, PROGRAM } from "./cli/program.ts";
import { setColour } from "./cli/terminal/colour.ts";
import { stderrColumns, stdoutColumns, writeError, writeStderr, writeStdout } from "./cli/terminal/streams.ts";

/** Loaders of the commands' modules, so that no command pays for another at start-up. */
const LOADERS: Record<CommandName, () => Promise<{ run(args: Arguments): Promise<number> }>> = {
  check: () => import("./cli/check/check_command.ts"),
  bench: () => import("./cli/bench/bench_command.ts"),
  completions: () => import("./cli/shell/completions.ts"),
  man: () => import("./cli/shell/man.ts"),
  help: () => import("./cli/shell/help.ts"),
  version: () => Promise.resolve({ run: showVersion }),
};

/**
 * Runs a command line. Reports and diagnostics go to standard error, requested data to standard
 * output.
 *
 * @param args Arguments after the program's name.
 * @returns The exit code: 0 all valid, 1 an invalid document, 2 usage error or unreadable input.
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
  const named = COMMANDS.find(({ name }) => name === first);
  let caller = PROGRAM;
  try {
    if (first === "--help" || first === "-h") return await runCommand(commandOf("help"), []);
    if (first === "--version" || first === "-V") return await runCommand(commandOf("version"), []);
    if (first === MEASURING_PROCESS) {
      return await (await import("./cli/bench/measuring_child.ts")).runMeasuringChild(rest);
    }
    if (named === undefined) await rejectMistypedCommand(first);
    const command = named ?? DEFAULT_COMMAND;
    caller = `${PROGRAM} ${command.name}`;
    return await runCommand(command, named ? rest : args, named === undefined);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const hint = error instanceof UsageError ? `${await suggestionFor(error)}; try '${caller} --help'` : "";
    writeError(`${caller}: ${message}${hint}`);
    return EXIT.unusable;
  }
}

/** Runs a command; `isDefault` if the command line does not name it. */
async function runCommand(command: Command, args: readonly string[], isDefault = false): Promise<number> {
  const parsed = parseArguments(command, args);
  if (parsed.has("help")) {
    const { commandHelp } = await import("./cli/shell/help.ts");
    writeStdout(commandHelp(command, stdoutColumns()));
    return EXIT.valid;
  }
  setColour(parsed.choice("color", COLOUR_CHOICES) ?? "auto");
  if (wantsInput(command, parsed) && Deno.stdin.isTerminal()) {
    if (args.length > 0 || !isDefault) {
      throw new UsageError("no input; name a file, pipe one in, or type a document with '-'");
    }
    const { overview } = await import("./cli/shell/help.ts");
    writeStderr(overview(stderrColumns()));
    return EXIT.unusable;
  }
  if (Deno.build.standalone) (await import("./cli/permissions.ts")).keepOnly(command.permissions);
  const { run } = await LOADERS[command.name]();
  return await run(parsed);
}

/** Returns whether a command would read standard input because the command line names no file. */
function wantsInput({ operandChoices }: Command, args: Arguments): boolean {
  return operandChoices === undefined && args.operands.length === 0 && !args.has("recursive") &&
    !args.has("files-from");
}

/** Runs the command `bytejson version`: too little for a module of its own. */
async function showVersion(args: Arguments): Promise<number> {
  if (args.operands.length > 0) throw new UsageError(`unexpected operand '${args.operands[0]}'`);
  const { version } = (await import("./deno.json", { with: { type: "json" } })).default;
  writeStdout(`${PROGRAM} ${version}\n`);
  return EXIT.valid;
}

function commandOf(name: CommandName): Command {
  return COMMANDS.find((command) => command.name === name)!;
}

/** Throws if a word that stands where a command may is no file, but close to a command. */
async function rejectMistypedCommand(word: string | undefined): Promise<void> {
  if (word === undefined || !/^[a-z]+$/i.test(word)) return;
  try {
    Deno.statSync(word);
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) return;
    const known = COMMANDS.map(({ name }) => name);
    const unknown = new UsageError(`no file or command is called '${word}'`, { word, known });
    if (await suggestionFor(unknown) !== "") throw unknown;
  }
}

/** Returns the word that a mistyped one is close to, as a question in brackets. */
async function suggestionFor({ unknown }: UsageError): Promise<string> {
  if (unknown === undefined) return "";
  const { closestWord } = await import("./cli/closest_word.ts");
  const meant = closestWord(unknown.word, unknown.known);
  return meant === undefined ? "" : ` (did you mean ${meant}?)`;
}

if (import.meta.main) {
  listenToSignals();
  Deno.exit(await main(Deno.args));
}
