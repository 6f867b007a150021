/**
 * Servers of the middleware in every runtime at hand, with the frameworks from npm.
 *
 * @module
 */

import { projectRoot, run } from "./environment.ts";

/** Ports of the servers of `tests/processes/serve_middleware.ts`. */
export interface Ports {
  express: number;
  fastify: number;
  http: number;
  hono: number;
}

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
  const runtimes = [{
    name: "Deno",
    command: Deno.execPath(),
    args: ["run", "--quiet", "--allow-all"],
  }];
  const others = [
    { name: "Node.js", command: "node", args: ["--no-warnings"], isNew: isNewNode },
    { name: "Bun", command: "bun", args: [], isNew: () => true },
  ];
  for (const { isNew, ...runtime } of others) {
    const version = await versionOf(runtime.command);
    if (version !== undefined && isNew(version)) runtimes.push(runtime);
    else console.log(`skipped: ${runtime.name} is needed on the PATH, found ${version ?? "none"}`);
  }
  return runtimes;
}

async function versionOf(command: string): Promise<string | undefined> {
  try {
    return (await run(command, ["--version"])).output.trim();
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
}

/** Returns whether a version of Node.js strips types. */
function isNewNode(version: string): boolean {
  const [major, minor] = version.slice(1).split(".").map(Number);
  return major > 22 || (major === 22 && minor >= 18);
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
  const command = new Deno.Command(Deno.execPath(), {
    args: ["install", "--quiet"],
    cwd: folder,
    stdout: "piped",
    stderr: "piped",
  });
  const { success, stderr } = await command.output();
  if (success) return path;
  console.log(`skipped: npm has no frameworks: ${new TextDecoder().decode(stderr).trim()}`);
  return undefined;
}

/** Starts the servers in a runtime. */
export async function startServers({ command, args }: RuntimeCommand, module: string): Promise<FrameworkServers> {
  const process = new Deno.Command(command, {
    args: [...args, module],
    cwd: new URL(".", `file://${module}`),
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  let errors = "";
  const reading = (async () => {
    for await (const chunk of process.stderr) errors += new TextDecoder().decode(chunk);
  })();
  let output = "";
  const reader = process.stdout.getReader();
  while (!output.includes("\n")) {
    const { done, value } = await reader.read();
    if (done) {
      await reading;
      throw new Error(`The servers did not start: ${output}${errors}`);
    }
    output += new TextDecoder().decode(value);
  }
  reader.releaseLock();
  return {
    ports: JSON.parse(output),
    errors: () => errors,
    peak() {
      if (Deno.build.os !== "linux") return undefined;
      // Deno itself reads files of /proc with all permissions alone.
      const { stdout } = new Deno.Command("grep", { args: ["VmHWM", `/proc/${process.pid}/status`] }).outputSync();
      return parseInt(new TextDecoder().decode(stdout).replace(/\D+/, "")) / 1024;
    },
    async [Symbol.asyncDispose]() {
      process.kill("SIGTERM");
      await process.stdout.cancel();
      await process.status;
      await reading;
    },
  };
}
