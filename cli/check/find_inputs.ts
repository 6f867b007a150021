/**
 * Inputs that a command line names: files, standard input, and the files of directories.
 *
 * @module
 */

import { describeReadError, inputName } from "../input/read_error.ts";
import { type Interrupt, yieldToEvents } from "../interrupt.ts";

/** Input to validate. */
export interface Input {
  path: string;
  /** Name in diagnostics and records. */
  name: string;
  /** Size in bytes of a regular file when it was found; absent for streams. */
  size?: number;
  /** Reason why it cannot be read. */
  error?: string;
}

/** Options of {@linkcode findInputs}. */
export interface FindOptions {
  /** Whether to look into directories. */
  isRecursive: boolean;
  /** Extensions of the files to find in directories, in lower case and without the point. */
  extensions: readonly string[];
  /** Interrupt that ends the search early. */
  interrupt?: Interrupt;
}

/**
 * Finds the inputs that paths name, in the order of the paths; those of a directory are sorted by
 * name. Of a directory it takes regular files, and follows links to files, not to directories.
 */
export async function findInputs(paths: readonly string[], options: FindOptions): Promise<Input[]> {
  const inputs: Input[] = [];
  for (const path of paths) {
    await yieldToEvents();
    if (options.interrupt?.isRaised) return inputs;
    if (path === "-") {
      inputs.push({ path, name: inputName(path) });
      continue;
    }
    const info = statOf(path);
    if (typeof info === "string") inputs.push({ path, name: path, error: info });
    else if (!info.isDirectory) inputs.push(inputOf(path, info));
    else if (options.isRecursive) await findInDirectory(path, options, inputs);
    else inputs.push({ path, name: path, error: "is a directory; -r checks the files in it" });
  }
  return inputs;
}

async function findInDirectory(directory: string, options: FindOptions, inputs: Input[]): Promise<void> {
  let entries: Deno.DirEntry[];
  try {
    entries = [...Deno.readDirSync(directory)];
  } catch (error) {
    inputs.push({ path: directory, name: directory, error: describeReadError(error, directory) });
    return;
  }
  entries.sort((a, b) => a.name < b.name ? -1 : 1);
  for (const { name, isDirectory } of entries) {
    await yieldToEvents();
    if (options.interrupt?.isRaised) return;
    const path = directory === "." ? name : `${directory.replace(/\/+$/, "")}/${name}`;
    if (isDirectory) {
      await findInDirectory(path, options, inputs);
    } else if (options.extensions.some((extension) => name.toLowerCase().endsWith(`.${extension}`))) {
      const info = statOf(path);
      if (typeof info === "string") inputs.push({ path, name: path, error: info });
      // Reading a FIFO or a device may never end; only a path on the command line asks for that.
      else if (info.isFile) inputs.push(inputOf(path, info));
    }
  }
}

function inputOf(path: string, info: Deno.FileInfo): Input {
  return { path, name: path, ...info.isFile && { size: info.size } };
}

/** Returns the metadata of a path, or the reason why there is none. */
function statOf(path: string): Deno.FileInfo | string {
  try {
    return Deno.statSync(path);
  } catch (error) {
    return describeReadError(error, path);
  }
}
