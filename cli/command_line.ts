/** Chooses and runs the command that a command line names. */

import { type Arguments, parseArguments, unknownCommand, UsageError } from "./arguments.ts";
import {
  COLOUR_CHOICES,
  type Command,
  type CommandName,
  COMMANDS,
  DEFAULT_COMMAND,
  type Permission,
  PERMISSIONS,
} from "./commands.ts";
import { listenToSignals } from "./interrupt.ts";
import { platform } from "./platform/platform.ts";
import { kindOf } from "./platform/system_errors.ts";
import { EXIT, MEASURING_PROCESS, PROGRAM } from "./program.ts";
import { isColourWanted, isOn } from "./terminal/paint.ts";
import { columnsOf } from "./terminal/lines.ts";
import { writeProse, writeStderr, writeStdout } from "./terminal/streams.ts";

/** Loaders of the commands' modules, so that no command pays for another at start-up. */
const LOADERS: Record<CommandName, () => Promise<{ run(args: Arguments): Promise<number> }>> = {
  check: () => import("./check/check_command.ts"),
  bench: () => import("./bench/bench_command.ts"),
  select: () => import("./select/part_commands.ts").then(({ select }) => ({ run: select })),
  get: () => import("./select/part_commands.ts").then(({ get }) => ({ run: get })),
  each: () => import("./select/part_commands.ts").then(({ each }) => ({ run: each })),
  locate: () => import("./select/locate_command.ts"),
  completions: () => import("./shell/completions.ts"),
  man: () => import("./shell/man.ts"),
  help: () => import("./shell/help.ts"),
  version: () => Promise.resolve({ run: showVersion }),
};

/** Options of the program, which take the place of a command. */
const SWITCHES: Readonly<Record<string, CommandName>> = {
  "--help": "help",
  "-h": "help",
  "--version": "version",
  "-V": "version",
  "-v": "version",
};

/** Runs the command line of the process, and handles its signals. Resolves with the exit code. */
export async function runProgram(args: readonly string[]): Promise<number> {
  platform.silenceWarnings();
  return await runCommandLine(args, listenToSignals);
}

/**
 * Runs a command line. Resolves with the exit code.
 *
 * @param prepare Called first if the command may take long.
 */
export async function runCommandLine(args: readonly string[], prepare: () => void = () => {}): Promise<number> {
  const [first = "", ...rest] = args;
  const switched = Object.hasOwn(SWITCHES, first) ? SWITCHES[first] : undefined;
  const named = COMMANDS.find(({ name }) => name === (switched ?? first));
  let caller = PROGRAM;
  try {
    if (first === MEASURING_PROCESS) {
      prepare();
      return await (await import("./bench/measuring_child.ts")).runMeasuringChild(rest);
    }
    if (named === undefined) rejectMistypedCommand(first);
    const command = named ?? DEFAULT_COMMAND;
    if (switched === undefined) caller = `${PROGRAM} ${command.name}`;
    // A switch ignores what follows it; without a command, all arguments are for the default one.
    const commandArgs = switched !== undefined ? [] : named !== undefined ? rest : args;
    return await runCommand(command, commandArgs, prepare, named === undefined);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    // Without a command, the first word may be a mistyped option of the program.
    const more = error instanceof UsageError && error.unknown?.word === first ? ["--version"] : [];
    const hint = error instanceof UsageError ? `${await suggestionFor(error, more)}; try '${caller} --help'` : "";
    writeProse(`${caller}: ${message}${hint}`);
    if (error instanceof UsageError && error.position !== undefined) {
      const { caretLines } = await import("./terminal/caret.ts");
      for (const line of caretLines(error.position, columnsOf("stderr"))) writeStderr(`${line}\n`);
    }
    return EXIT.unusable;
  }
}

/** Runs a command; `isDefault` if the command line does not name it. */
async function runCommand(
  command: Command,
  args: readonly string[],
  prepare: () => void,
  isDefault: boolean,
): Promise<number> {
  const parsed = parseArguments(command, args);
  if (parsed.has("help")) {
    const { commandHelp } = await import("./shell/help.ts");
    writeStdout(commandHelp(command, columnsOf("stdout")));
    return EXIT.valid;
  }
  setColour(parsed.choice("color", COLOUR_CHOICES) ?? "auto");
  if (wantsInput(command, parsed) && platform.isStdinTerminal()) {
    if (args.length > 0 || !isDefault) {
      throw new UsageError("no input: name a file, pipe one in, or type a document with '-'");
    }
    const { overview } = await import("./shell/help.ts");
    writeStderr(overview(columnsOf("stderr")));
    return EXIT.unusable;
  }
  if (platform.hasPermissions) platform.giveUp(unusedPermissions(command));
  // Listening takes some milliseconds. Commands that read no files end at once.
  if (command.operandChoices === undefined) prepare();
  const { run } = await LOADERS[command.name]();
  return await run(parsed);
}

/**
 * Returns the permissions that a command does not use. An executable is built with those of all
 * commands, and drops these.
 */
export function unusedPermissions({ permissions }: Pick<Command, "permissions">): readonly Permission[] {
  return PERMISSIONS.filter((name) => !permissions.includes(name));
}

/** Turns colour on or off. `auto` follows NO_COLOR, then FORCE_COLOR, then the terminal. */
function setColour(choice: typeof COLOUR_CHOICES[number]): void {
  for (const target of ["stdout", "stderr"] as const) {
    isOn[target] = choice === "always" ||
      choice === "auto" && isColourWanted(platform.variable, () => platform[target].isTerminal());
  }
}

/** Returns whether a command would read standard input because the command line names no file. */
function wantsInput({ operandChoices, text }: Command, args: Arguments): boolean {
  return operandChoices === undefined && text === undefined && args.operands.length === 0 && !args.has("recursive") &&
    !args.has("files-from");
}

/** Runs the command `bytejson version`: too little for a separate module. */
async function showVersion(args: Arguments): Promise<number> {
  if (args.operands.length > 0) throw new UsageError(`unexpected operand '${args.operands[0]}'`);
  const { version } = (await import("../deno.json", { with: { type: "json" } })).default;
  writeStdout(`${PROGRAM} ${version}\n`);
  return EXIT.valid;
}

/** Throws if a word in the place of a command is neither a command nor a file. */
function rejectMistypedCommand(word: string): void {
  if (!/^[a-z]+$/i.test(word)) return;
  try {
    platform.statSync(word);
  } catch (error) {
    if (kindOf(error) !== "not found") return;
    throw unknownCommand(word);
  }
}

/**
 * Returns the word that a mistyped one is close to, as a question in parentheses, or all known words.
 *
 * @param more Known words beyond those of the error.
 */
async function suggestionFor({ unknown }: UsageError, more: readonly string[]): Promise<string> {
  if (unknown === undefined) return "";
  const { closestWord } = await import("../parser/streaming/validator_state.ts");
  const meant = unknown.meant ?? closestWord(unknown.word, [...unknown.known, ...more]);
  if (meant !== undefined) return ` (did you mean ${meant}?)`;
  return unknown.isListed ? `; there are ${unknown.known.join(", ")}` : "";
}
