/** Entry modules of threads and processes. */

export const WORKER_MODULE = "check/worker";

export const MEASURING_MODULE = "bench/measuring_child";

/**
 * Returns the address of a module of the command line, by its path from `cli/` without extension.
 * Bundles have these modules in the same folders, and all others in one folder.
 */
export function moduleUrl(path: string): URL {
  const own = import.meta.url;
  const [, extension] = /\/platform\/module_url(\.[jt]s)$/.exec(own) ?? [];
  return new URL(extension === undefined ? `./${path}.js` : `../${path}${extension}`, own);
}
