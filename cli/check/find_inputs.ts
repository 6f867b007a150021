/** Which files a command line means. */

import { describeReadError, nameOf } from "../input/read_error.ts";
import { breathe, type Interrupt } from "../interrupt.ts";

/** Something to read. */
export interface Input {
  path: string;
  /** What diagnostics call it. */
  name: string;
  /** Bytes of a regular file, when it was listed; absent for what has to be read as a stream. */
  size?: number;
  /** Why it cannot be read. */
  trouble?: string;
}

/** How to treat directories. */
export interface ListOptions {
  isRecursive: boolean;
  /** What names of files in them end in, without the point. */
  extensions: readonly string[];
  /** What ends the listing early. */
  interrupt?: Interrupt;
}

/** The inputs that paths name, in the order of the paths, those of a directory by name. Links to directories are not followed. */
export async function listInputs(paths: readonly string[], options: ListOptions): Promise<Input[]> {
  const inputs: Input[] = [];
  for (const path of paths) {
    await breathe();
    if (options.interrupt?.isRaised) return inputs;
    if (path === "-") {
      inputs.push({ path, name: nameOf(path) });
      continue;
    }
    const info = lookAt(path);
    if (typeof info === "string") inputs.push({ path, name: path, trouble: info });
    else if (!info.isDirectory) inputs.push(inputOf(path, info));
    else if (options.isRecursive) await listDirectory(path, options, inputs);
    else inputs.push({ path, name: path, trouble: "is a directory; -r checks the files in it" });
  }
  return inputs;
}

async function listDirectory(directory: string, options: ListOptions, inputs: Input[]): Promise<void> {
  let entries: Deno.DirEntry[];
  try {
    entries = [...Deno.readDirSync(directory)];
  } catch (error) {
    inputs.push({ path: directory, name: directory, trouble: describeReadError(error, directory) });
    return;
  }
  entries.sort((a, b) => a.name < b.name ? -1 : 1);
  for (const { name, isDirectory } of entries) {
    await breathe();
    if (options.interrupt?.isRaised) return;
    const path = directory === "." ? name : `${directory.replace(/\/+$/, "")}/${name}`;
    if (isDirectory) {
      await listDirectory(path, options, inputs);
    } else if (options.extensions.some((extension) => name.toLowerCase().endsWith(`.${extension}`))) {
      const info = lookAt(path);
      if (typeof info === "string") inputs.push({ path, name: path, trouble: info });
      // Nobody asked for a FIFO or a device by its name, and reading one may never end.
      else if (info.isFile) inputs.push(inputOf(path, info));
    }
  }
}

function inputOf(path: string, info: Deno.FileInfo): Input {
  return { path, name: path, ...info.isFile && { size: info.size } };
}

/** What there is at a path, or why that cannot be told. */
function lookAt(path: string): Deno.FileInfo | string {
  try {
    return Deno.statSync(path);
  } catch (error) {
    return describeReadError(error, path);
  }
}
