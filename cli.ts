/**
 * The command line: `bytejson check` validates documents, `bytejson bench` measures them against native. Run it with
 * `deno run --allow-read --allow-run jsr:@bytejson/bytejson/cli`; `--help` tells the rest.
 *
 * @module
 */

import { parseArguments, UsageError } from "./cli/arguments.ts";
import { COLOUR_CHOICES, COMMANDS, DEFAULT_COMMAND, EXIT, MEMORY_PROCESS, PROGRAM } from "./cli/command.ts";
import { interrupt } from "./cli/interrupt.ts";
import { chooseColour, writeData, writeReport } from "./cli/output.ts";

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
  if (first === "--help" || first === "-h") return show((await import("./cli/help.ts")).overview());
  if (first === MEMORY_PROCESS) return await (await import("./cli/bench/memory_child.ts")).runMemoryChild(rest);
  if (first === "--version" || first === "-V") return show(`${PROGRAM} ${await version()}\n`);
  const named = COMMANDS.find(({ name }) => name === first);
  const command = named ?? DEFAULT_COMMAND;
  try {
    const parsed = parseArguments(command, named ? rest : args);
    if (parsed.has("help")) return show((await import("./cli/help.ts")).help(command));
    chooseColour(parsed.choice("color", COLOUR_CHOICES) ?? "auto");
    if (!command.operandChoices && parsed.paths.length === 0 && !parsed.has("recursive") && Deno.stdin.isTerminal()) {
      const { help, overview } = await import("./cli/help.ts");
      writeReport(named ? help(command) : overview());
      return EXIT.unusable;
    }
    if (Deno.build.standalone) (await import("./cli/permissions.ts")).keepOnly(command.permissions);
    const run = await command.load();
    return await run(parsed);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const hint = error instanceof UsageError ? `; try '${PROGRAM} ${command.name} --help'` : "";
    writeReport(`${PROGRAM} ${command.name}: ${message}${hint}\n`);
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
  Deno.addSignalListener("SIGINT", interrupt);
  Deno.exit(await main(Deno.args));
}
