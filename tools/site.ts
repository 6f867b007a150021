/** Builds the page of `site/`, and serves it on this machine. `--help` lists the options. */

import { resolve } from "node:path";
import process from "node:process";
import { parseArgs } from "node:util";
import { digestOf, ROOT, runProgram } from "./programs.ts";

const HELP = `deno task site [--build] [--folder FOLDER] [--port N]

Builds dist/site and serves it on http://localhost:8080. --build only builds, --folder names another
folder than dist/site, and --port another port, 0 for any that is free.`;

/** Files of `site/` that are served as they are. */
const STATIC_FILES = ["index.html", "style.css", "icon.svg"];

/** Modules that are bundled, each into one script. */
const PROGRAMS = ["page", "worker", "service_worker"];

const TYPES: Record<string, string> = {
  html: "text/html; charset=utf-8",
  css: "text/css; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  svg: "image/svg+xml",
};

/** Headers of each response. The content policy is in the page itself, as on any static host. */
const HEADERS = {
  "cache-control": "no-store",
  "cross-origin-embedder-policy": "require-corp",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "x-content-type-options": "nosniff",
};

/** Bundles a module of `site/` into a script without imports. */
function bundle(program: string, folder: string): void {
  const options = ["--quiet", "--no-config", "--platform=browser", "--format=iife", "--minify"];
  runProgram(Deno.execPath(), ["bundle", ...options, `--output=${folder}/${program}.js`, `site/${program}.ts`]);
}

/** Builds the page. Resolves with the absolute path of its folder. */
export async function buildSite(folder: string): Promise<string> {
  const target = resolve(ROOT, folder);
  await Deno.mkdir(target, { recursive: true });
  await Promise.all(STATIC_FILES.map((name) => Deno.copyFile(`${ROOT}site/${name}`, `${target}/${name}`)));
  for (const program of PROGRAMS) bundle(program, target);
  const names = [...STATIC_FILES, ...PROGRAMS.map((program) => `${program}.js`)];
  const digest = digestOf(names.map((name) => `${target}/${name}`)).slice(0, 16);
  const keeper = `${target}/service_worker.js`;
  const source = await Deno.readTextFile(keeper);
  if (!source.includes("bytejson-site-DIGEST")) {
    throw new Error("Cannot name the cache: no DIGEST in service_worker.ts");
  }
  await Deno.writeTextFile(keeper, source.replace("bytejson-site-DIGEST", `bytejson-site-${digest}`));
  return target;
}

/** Serves the files of a folder on this machine alone. */
export function serveSite(
  folder: string,
  port: number,
  headers: Record<string, string> = HEADERS,
): Deno.HttpServer<Deno.NetAddr> {
  return Deno.serve({ hostname: "127.0.0.1", port, onListen: () => {} }, async ({ url }) => {
    const name = new URL(url).pathname.slice(1) || "index.html";
    const type = TYPES[/^\w+\.(\w+)$/.exec(name)?.[1] ?? ""];
    try {
      if (type === undefined) throw new Deno.errors.NotFound();
      return new Response(await Deno.readFile(`${folder}/${name}`), { headers: { ...headers, "content-type": type } });
    } catch (error) {
      if (!(error instanceof Deno.errors.NotFound)) throw error;
      return new Response("There is no such file.", { status: 404, headers });
    }
  });
}

async function main(args: string[]): Promise<number> {
  const { values } = parseArgs({
    args,
    options: {
      build: { type: "boolean" },
      folder: { type: "string", default: "dist/site" },
      port: { type: "string", default: "8080" },
      help: { type: "boolean" },
    },
  });
  if (values.help) {
    console.log(HELP);
    return 0;
  }
  const folder = await buildSite(values.folder);
  console.log(`Built ${values.folder}`);
  if (values.build) return 0;
  const server = serveSite(folder, Number(values.port));
  console.log(`http://localhost:${server.addr.port}`);
  await server.finished;
  return 0;
}

if (import.meta.main) process.exitCode = await main(process.argv.slice(2));
