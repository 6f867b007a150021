/** Files of the project. */

import { projectRoot } from "./environment.ts";

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
