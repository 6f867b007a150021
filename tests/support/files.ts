/** Files of the project, and folders of files that tests make. */

import { projectRoot } from "./environment.ts";

/** Copies a file, or a folder with its contents. */
export function copy(from: URL, to: string): void {
  if (Deno.statSync(from).isFile) return Deno.copyFileSync(from, to);
  Deno.mkdirSync(to, { recursive: true });
  for (const { name } of Deno.readDirSync(from)) copy(new URL(`${from}/${encodeURIComponent(name)}`), `${to}/${name}`);
}

/**
 * Returns the paths of the files below a folder of the project, in alphabetical order.
 *
 * @param folder Path with a trailing slash.
 */
export function filesBelow(folder: string): string[] {
  const paths = [...Deno.readDirSync(new URL(folder, projectRoot))].flatMap(({ name, isDirectory }) =>
    isDirectory ? filesBelow(`${folder}${name}/`) : [folder + name]
  );
  return paths.sort();
}

/** Content of files by path. */
export type Files = Record<string, string | Uint8Array>;

/** Creates a folder with these files; it is removed at the end of the scope. */
export function folderOf(files: Files): Disposable & { path: string } {
  const path = Deno.makeTempDirSync();
  for (const [name, content] of Object.entries(files)) {
    if (name.includes("/")) Deno.mkdirSync(`${path}/${name.replace(/\/[^/]*$/, "")}`, { recursive: true });
    Deno.writeFileSync(`${path}/${name}`, typeof content === "string" ? new TextEncoder().encode(content) : content);
  }
  return { path, [Symbol.dispose]: () => Deno.removeSync(path, { recursive: true }) };
}
