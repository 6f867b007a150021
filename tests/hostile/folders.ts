/** Folders whose names or links are made to mislead `bytejson check -r`. */

import { assertEquals } from "@std/assert";
import { folderOf } from "../support/files.ts";
import { onlyLinux, type SkipReason } from "../support/skip.ts";

/**
 * Makes a folder of `count` folders with a file each, which all link to each other. There are more
 * than `count`! paths through them.
 */
export function linkedFolders(count: number): ReturnType<typeof folderOf> {
  const names = Array.from({ length: count }, (_, i) => `f${i}`);
  const folder = folderOf(Object.fromEntries(names.map((name) => [`${name}/x.json`, "1"])));
  for (const from of names) {
    for (const to of names) if (to !== from) Deno.symlinkSync(`../${to}`, `${folder.path}/${from}/${to}`);
  }
  return folder;
}

/** Reason to skip tests of {@linkcode folderOfBytes}. */
export const NO_NAMES_OF_BYTES: SkipReason = onlyLinux("names of any bytes");

/** Makes a folder of files, in whose names `?` stands for the byte FF. */
export function folderOfBytes(files: Record<string, string>): ReturnType<typeof folderOf> {
  const folder = folderOf({});
  // Deno cannot write such names.
  const script = 'name=$(printf "$1"); case $name in */*) mkdir -p "${name%/*}";; esac; printf %s "$2" > "$name"';
  for (const [name, content] of Object.entries(files)) {
    const args = ["-c", script, "sh", name.replaceAll("?", "\\377"), content];
    assertEquals(new Deno.Command("sh", { args, cwd: folder.path }).outputSync().success, true);
  }
  return folder;
}
