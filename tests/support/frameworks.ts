/** Servers of the middleware in every installed runtime, with the frameworks from npm. */

import type { Framework } from "./callbacks.ts";
import { findBun, findNode, NO_BUN, NO_NODE, projectRoot } from "./environment.ts";
import { Server } from "./server.ts";
import type { SkipReason } from "./skip.ts";

/** Ports of the servers of `tests/processes/serve_middleware.ts`. */
export type Ports = Record<Framework, number>;

/** Runtime by its name, and the command that runs a module. */
export interface RuntimeCommand {
  name: string;
  command: string;
  args: string[];
  /** Reason to skip its tests. */
  missing?: SkipReason;
}

const PROGRAM = new URL("tests/processes/serve_middleware.ts", projectRoot);

/** Finds the runtimes on the `PATH`. */
export async function findRuntimes(): Promise<RuntimeCommand[]> {
  const [node, bun] = [await findNode(), await findBun()];
  return [
    { name: "Deno", command: Deno.execPath(), args: ["run", "--quiet", "--allow-all"] },
    { name: "Node.js", command: node ?? "node", args: ["--no-warnings"], missing: node === undefined && NO_NODE },
    { name: "Bun", command: bun ?? "bun", args: [], missing: bun === undefined && NO_BUN },
  ];
}

/** Starts the servers in a runtime, by a module in a folder of {@linkcode npmProject}. */
export async function startServers(
  { command, args }: RuntimeCommand,
  folder: string,
): Promise<{ server: Server; ports: Ports }> {
  Deno.writeTextFileSync(
    `${folder}/serve.mjs`,
    `import express from "express";
import { fastify } from "fastify";
import { Hono } from "hono";
import { cloneRawRequest } from "hono/request";
import { serve } from ${JSON.stringify(PROGRAM.href)};
await serve({ express, fastify, Hono, cloneRawRequest });
`,
  );
  const server = await Server.start(command, [...args, "serve.mjs"], { cwd: folder, said: /^{.*/ });
  return { server, ports: JSON.parse(server.said[0]) };
}
