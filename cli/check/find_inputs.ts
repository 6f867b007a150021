/** Inputs that a command line names: files, standard input, and the files of directories. */

import { inputName, statOf } from "../input/read_error.ts";
import { yieldToEvents } from "../interrupt.ts";
import type { FindOptions, Input, InputList } from "./input_file.ts";
import type { DirectoryWalk } from "./walk_directory.ts";

/** Options for files and standard input alone. */
const FILES: FindOptions = { isRecursive: false, extensions: [] };

/**
 * Finds the inputs that paths name, in the order of the paths. For a directory, it takes the
 * regular files in it, sorted by name; by default, a directory is an error.
 */
export async function findInputs(paths: readonly string[], options: FindOptions = FILES): Promise<Input[]> {
  const inputs: InputList = [];
  // Loaded here, so that a check of files does not pay for it.
  let walk: DirectoryWalk | undefined;
  const startWalk = async (): Promise<DirectoryWalk> =>
    walk ??= new (await import("./walk_directory.ts")).DirectoryWalk(options);
  const isLossy = await lossyAmong(paths);
  const skips = options.ignoresNamed ? (await import("./walk_directory.ts")).skipperOfFiles(options) : undefined;
  for (const path of paths) {
    await yieldToEvents();
    if (options.interrupt?.isRaised) break;
    if (path === "-") {
      inputs.push({ path, name: inputName(path) });
    } else if (options.exclude?.matches(path, false)) {
      options.onSkip?.();
    } else if (isLossy(path)) {
      const error = (await import("./lossy_names.ts")).AMBIGUOUS_NAME;
      inputs.push({ path, name: path, error });
    } else {
      const info = statOf(path);
      if (typeof info === "string") inputs.push({ path, name: path, error: info });
      else if (!info.isDirectory && skips?.(path)) options.onSkip?.();
      else if (!info.isDirectory) {
        inputs.push({ path, name: path, ...info.isFile && { size: info.size } });
        if (options.followsLinks) (await startWalk()).note(info, path);
      } else if (options.isRecursive) await (await startWalk()).enter(info, path, inputs);
      else inputs.push({ path, name: path, error: "is a directory" });
    }
  }
  await walk?.followLinks();
  return options.followsLinks ? flatten(inputs) : inputs as Input[];
}

/** Returns the inputs of a list in order. Not recursive: lists can be too deep for the stack. */
function flatten(list: InputList): Input[] {
  const inputs: Input[] = [];
  const open = [list.values()];
  while (open.length > 0) {
    const { done, value } = open.at(-1)!.next();
    if (done) open.pop();
    else if (Array.isArray(value)) open.push(value.values());
    else inputs.push(value);
  }
  return inputs;
}

/** Returns a test for paths that may name another file, since names not in UTF-8 look the same. */
async function lossyAmong(paths: readonly string[]): Promise<(path: string) => boolean> {
  if (!paths.some((path) => path.includes("\ufffd"))) return () => false;
  const { ambiguityFinder, isLossy } = await import("./lossy_names.ts");
  const isAmbiguous = ambiguityFinder();
  const seen = new Set<string>();
  const again = new Set<string>();
  for (const path of paths) (seen.has(path) ? again : seen).add(path);
  return (path) => isLossy(path) && (again.has(path) || isAmbiguous(path));
}
