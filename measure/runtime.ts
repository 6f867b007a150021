/** Name of the runtime that measures. */

import process from "node:process";

/** Returns the runtime, its version and its machine, such as `Deno 2.9.6 x86_64-linux`. */
export function runtimeName(): string {
  const { deno, bun, node } = process.versions;
  if (deno) return `Deno ${deno} ${Deno.build.arch}-${Deno.build.os}`;
  return `${bun ? `Bun ${bun}` : `Node ${node}`} ${process.arch}-${process.platform}`;
}
