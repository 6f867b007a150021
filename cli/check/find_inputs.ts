/**
 * Inputs that a command line names: files, standard input, and the files of directories.
 *
 * @module
 */

import { inputName, statOf } from "../input/read_error.ts";
import { yieldToEvents } from "../interrupt.ts";
import type { FindOptions, Input } from "./input_file.ts";

export type { FindOptions, Input };

/**
 * Finds the inputs that paths name, in the order of the paths; those of a directory are sorted by
 * name. Of a directory it takes regular files.
 */
export async function findInputs(paths: readonly string[], options: FindOptions): Promise<Input[]> {
  const inputs: Input[] = [];
  const skips = options.ignoresNamed ? (await import("./walk_directory.ts")).skipperOfFiles(options) : undefined;
  for (const path of paths) {
    await yieldToEvents();
    if (options.interrupt?.isRaised) return inputs;
    if (path === "-") {
      inputs.push({ path, name: inputName(path) });
    } else if (options.exclude?.matchesFile(path)) {
      options.onSkip?.();
    } else {
      const info = statOf(path);
      if (typeof info === "string") inputs.push({ path, name: path, error: info });
      else if (!info.isDirectory && skips?.(path)) options.onSkip?.();
      else if (!info.isDirectory) inputs.push({ path, name: path, ...info.isFile && { size: info.size } });
      else if (!options.isRecursive) {
        inputs.push({ path, name: path, error: "is a directory; -r checks the files in it" });
      } // Loaded here, so that a check of files does not pay for it.
      else await (await import("./walk_directory.ts")).walkDirectory(path, options, inputs);
    }
  }
  return inputs;
}
