/** Files of the project. */

import { projectRoot } from "./environment.ts";

/** Copies a file, or a folder with all that is in it. */
export function copy(from: URL, to: string): void {
  if (Deno.statSync(from).isFile) return Deno.copyFileSync(from, to);
  Deno.mkdirSync(to, { recursive: true });
  for (const { name } of Deno.readDirSync(from)) copy(new URL(`${from}/${encodeURIComponent(name)}`), `${to}/${name}`);
}

/**
 * Returns the paths of the files below a folder of the project, in alphabetical order.
 *
 * @param folder Path with a slash at its end.
 */
export function filesBelow(folder: string): string[] {
  const paths = [...Deno.readDirSync(new URL(folder, projectRoot))].flatMap(({ name, isDirectory }) =>
    isDirectory ? filesBelow(`${folder}${name}/`) : [folder + name]
  );
  return paths.sort();
}
