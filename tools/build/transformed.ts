/**
 * Stores the transformed sources for measurements in a clone: {@linkcode
 * transformedSources}. Nothing is installed, and nothing is done while the sources are unchanged.
 */

import { readStartUp, START_UP_FILE, transform } from "./transform.ts";

const root = new URL("../../", import.meta.url);
const FOLDER = "dist/transformed/";

/** Folders of the sources that the command line in a clone needs. */
const FOLDERS = ["parser", "cli", "measure"];

/** Returns the paths of the TypeScript files in the root and in folders, in order. */
function pathsIn(folders: readonly string[]): string[] {
  const paths: string[] = [];
  const visit = (folder: string, isDeep: boolean): void => {
    for (const { name, isFile, isDirectory } of Deno.readDirSync(new URL(`./${folder}`, root))) {
      if (isFile && name.endsWith(".ts")) paths.push(folder + name);
      else if (isDirectory && isDeep) visit(`${folder}${name}/`, true);
    }
  };
  visit("", false);
  for (const folder of folders) visit(`${folder}/`, true);
  return paths.sort();
}

/**
 * Returns a text that differs once a source in the root or in folders, or a file that makes the
 * build, has changed.
 */
export function stampOf(folders: readonly string[]): string {
  return [...pathsIn([...folders, "tools"]), START_UP_FILE, "deno.json", "imports.npm.json"].map((path) => {
    const { size, mtime } = Deno.statSync(new URL(path, root));
    return `${path} ${size} ${mtime?.getTime()}`;
  }).join("\n");
}

/** Returns the text of a file; `undefined` if there is none. */
export function readText(url: URL): string | undefined {
  try {
    return Deno.readTextFileSync(url);
  } catch {
    return undefined;
  }
}

/** Returns the folder of the transformed sources, which are made anew if a source has changed. */
export function transformedSources(): URL {
  const folder = new URL(FOLDER, root);
  const stamp = stampOf(FOLDERS);
  if (readText(new URL("stamp.txt", folder)) === stamp) return folder;
  const startUp = readStartUp(Deno.readTextFileSync(new URL(START_UP_FILE, root)));
  try {
    Deno.removeSync(folder, { recursive: true });
  } catch {
    // not written yet
  }
  for (const path of pathsIn(FOLDERS)) {
    const source = Deno.readTextFileSync(new URL(path, root));
    const isLibrary = path.startsWith("parser/") || !path.includes("/");
    Deno.mkdirSync(new URL("./", new URL(path, folder)), { recursive: true });
    Deno.writeTextFileSync(new URL(path, folder), isLibrary ? transform(source, path, startUp, "source").code : source);
  }
  Deno.copyFileSync(new URL("deno.json", root), new URL("deno.json", folder)); // has the version
  Deno.writeTextFileSync(new URL("stamp.txt", folder), stamp);
  return folder;
}
