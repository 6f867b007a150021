import { arch, platform } from "node:os";
import process from "node:process";

/** The runtime, its version and its machine, as in `Deno 2.9.6 x64-linux`. */
export function runtimeName(): string {
  const { deno, bun, node } = process.versions;
  const name = deno ? `Deno ${deno}` : bun ? `Bun ${bun}` : `Node ${node}`;
  return `${name} ${arch()}-${platform()}`;
}
