/** Hints of the command line, with advice about options of the command that would help. */

import type { Arguments } from "../arguments.ts";
import { relativePath } from "../check/glob_rules.ts";
import { isJsoncName, isManifestName } from "../check/jsonc_names.ts";
import type { Diagnostic } from "./diagnostic.ts";
import { findHint } from "./hints.ts";

/** Run that hints are for. */
export interface HintedRun {
  readonly args: Pick<Arguments, "command" | "has" | "takes">;
  /** Whether the command line names several inputs, or a directory. */
  readonly hasSeveral: boolean;
}

/** Returns the hint about a failure in a named input, if there is one. */
export function hintFor(diagnostic: Diagnostic, name: string, run: HintedRun): string | undefined {
  const plainName = name.replace(/\.(?:gz|zst)$/i, "");
  const hint = findHint(diagnostic, plainName);
  if (hint === undefined) return undefined;
  const { sign, remedy } = hint;
  return remedy === undefined ? sign : `${sign}; ${adviceFor(remedy, plainName, run)}`;
}

/** Returns the advice about an option, or a text as it is. */
function adviceFor(remedy: string, name: string, { args, hasSeveral }: HintedRun): string {
  const alone = hasSeveral ? " with this file alone" : "";
  switch (remedy) {
    case "jsonl":
    case "concatenated":
      if (!args.takes(remedy)) return `${args.command.name} does not read that`;
      return `try --${remedy}${remedy === "concatenated" && args.has("jsonl") ? " instead of --jsonl" : ""}${alone}`;
    case "jsonc":
      return args.takes(remedy) ? `try --jsonc '${globOf(name)}'` : "JSON has none";
    case "strict":
      return args.has(remedy) && isJsoncName(name) ? "try without --strict" : "JSON has none";
    case "no-mark":
      return "try without --strict";
    case "no-decompress":
      return args.has(remedy) ? "try without --no-decompress" : "decompress it first";
    case "no-unique-keys":
      if (!isManifestName(name)) return KEEPS_LAST;
      return `${KEEPS_LAST}; try --no-unique-keys${args.has("unique-keys") ? " instead of --unique-keys" : ""}`;
    default:
      return remedy;
  }
}

const KEEPS_LAST = "JSON.parse keeps the last value";

/**
 * Returns a pattern for `--jsonc` that matches only this file of the current directory, and needs
 * no escapes in a shell.
 */
function globOf(name: string): string {
  if (name === "<stdin>") return "*";
  const path = relativePath(name).replace(/[^\w./-]/g, "?");
  return path.includes("/") ? path : `/${path}`;
}
