/** Servers of the middleware in every runtime at hand, with the frameworks from npm. */

import type { Framework } from "./callbacks.ts";
import { findBun, findNode, projectRoot } from "./environment.ts";
import { Server } from "./server.ts";

/** Ports of the servers of `tests/processes/serve_middleware.ts`. */
export type Ports = Record<Framework, number>;

/** Servers in a process of their own. */
export interface FrameworkServers extends AsyncDisposable {
  ports: Ports;
  /** Returns what the process has written to standard error. */
  errors(): string;
  /** Returns the most memory that the process has had so far, in MB; `undefined` outside Linux. */
  peak(): number | undefined;
}

/** Runtime by its name, and the command that runs a module. */
export interface RuntimeCommand {
  name: string;
  command: string;
  args: string[];
}

const PROGRAM = new URL("tests/processes/serve_middleware.ts", projectRoot);

/** Finds the runtimes on the `PATH`, and prints which are missing. */
export async function findRuntimes(): Promise<RuntimeCommand[]> {
  const [node, bun] = [await findNode(), await findBun()];
  return [
    { name: "Deno", command: Deno.execPath(), args: ["run", "--quiet", "--allow-all"] },
    ...node === undefined ? [] : [{ name: "Node.js", command: node, args: ["--no-warnings"] }],
    ...bun === undefined ? [] : [{ name: "Bun", command: bun, args: [] }],
  ];
}

/**
 * Installs the frameworks into a folder, from the cache of Deno.
 *
 * @returns The path of a module that starts the servers, or `undefined` after printing that tests
 * are skipped.
 */
export async function installFrameworks(folder: string): Promise<string | undefined> {
  const { scopes } = JSON.parse(Deno.readTextFileSync(new URL("imports.npm.json", projectRoot)));
  const names = ["express", "fastify", "hono"];
  const dependencies = Object.fromEntries(names.map((name) => {
    return [name, scopes["./tests/"][name].replace(`npm:${name}@`, "")];
  }));
  Deno.writeTextFileSync(`${folder}/package.json`, JSON.stringify({ type: "module", dependencies }));
  const path = `${folder}/serve.mjs`;
  Deno.writeTextFileSync(
    path,
    `import express from "express";
import { fastify } from "fastify";
import { Hono } from "hono";
import { serve } from ${JSON.stringify(PROGRAM.href)};
await serve({ express, fastify, Hono });
`,
  );
  const options: Deno.CommandOptions = { args: ["install", "--quiet"], cwd: folder, stdout: "piped", stderr: "piped" };
  const { success, stderr } = await new Deno.Command(Deno.execPath(), options).output();
  if (success) return path;
  console.log(`skipped: npm has no frameworks: ${new TextDecoder().decode(stderr).trim()}`);
  return undefined;
}

/** Starts the servers in a runtime. */
export async function startServers({ command, args }: RuntimeCommand, module: string): Promise<FrameworkServers> {
  const server = await Server.start(command, [...args, module], {
    cwd: new URL(".", `file://${module}`),
    said: /^{.*/,
  });
  return {
    ports: JSON.parse(server.said[0]),
    errors: () => server.errors,
    peak: () => server.peak(),
    [Symbol.asyncDispose]: () => server.stop(),
  };
}
