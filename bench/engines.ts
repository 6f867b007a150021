/**
 * Compares parseBinary with native in every engine of this machine: Deno, Node.js and Bun, as
 * bench/compare.ts does, and browsers. Prints one row an engine.
 *
 * @module
 */

import { parseArgs } from "node:util";
import { native, parser } from "../measure/contestants.ts";
import { median } from "../measure/statistics.ts";
import { BROWSER_NAMES, type BrowserName, findBrowser, startBrowser } from "./support/browsers.ts";
import { generate } from "./support/documents.ts";
import {
  enginesTable,
  FIRST_CALL_BYTES,
  FIRST_CALL_KIND,
  type PageFigures,
  toEngineFigures,
} from "./support/engine_figures.ts";
import { PageServer } from "./support/page_server.ts";
import { renderTable } from "./support/table.ts";
import { showProgress } from "./support/terminal.ts";

const HELP = `deno task bench engines [options] [ENGINE…]

Compares parseBinary with JSON.parse(decoder.decode(bytes)) in each engine of this machine, on the
documents of "deno task bench compare". ENGINE is deno, node, bun, chromium, firefox or webkit; all
by default. A ratio above 1 means that parseBinary is faster. "first call" is of 20 KB, in a new
worker of a browser, or in a new process.

  --node PATH   program of Node.js (default: node)
  --bun PATH    program of Bun (default: bun)
  --only REGEX  measure documents whose "group/name" matches
  --quick       take a third of the samples
  --json        print one JSON object on standard output`;

const RUNTIME_NAMES = ["deno", "node", "bun"] as const;
type RuntimeName = typeof RUNTIME_NAMES[number];

/** Processes whose first call is measured, for each contestant. */
const PROCESSES = 9;

const ROOT = new URL("../", import.meta.url);

const { values: flags, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    node: { type: "string", default: "node" },
    bun: { type: "string", default: "bun" },
    only: { type: "string", default: "" },
    quick: { type: "boolean", default: false },
    json: { type: "boolean", default: false },
    help: { type: "boolean", default: false },
  },
});

/** Returns the program of a runtime, and its arguments before those of a script. */
function runtimeCommand(name: RuntimeName): [program: string, args: string[]] {
  if (name === "deno") {
    return [Deno.execPath(), ["run", "--quiet", "-A", "--import-map=imports.npm.json", "--v8-flags=--expose-gc"]];
  }
  return name === "node" ? [flags.node, ["--expose-gc", "--disable-warning=ExperimentalWarning"]] : [flags.bun, []];
}

/** Runs a script in a runtime; resolves with its output. */
async function runScript(name: RuntimeName, args: string[], input?: Uint8Array): Promise<string> {
  const [program, options] = runtimeCommand(name);
  const command = new Deno.Command(program, {
    args: [...options, ...args],
    cwd: ROOT,
    stdin: input ? "piped" : "null",
    stdout: "piped",
    stderr: "inherit",
  });
  const child = command.spawn();
  if (input) await ReadableStream.from([input]).pipeTo(child.stdin);
  const { success, stdout } = await child.output();
  if (!success) throw new Error(`Cannot run ${program} ${args.join(" ")}`);
  return new TextDecoder().decode(stdout);
}

async function firstCallOf(name: RuntimeName): Promise<number> {
  const document = generate(FIRST_CALL_KIND, FIRST_CALL_BYTES);
  const samples = { native: [] as number[], parser: [] as number[] };
  const time = async (contestant: string): Promise<number> => {
    return Number(await runScript(name, ["bench/processes/cold_calls.ts", contestant, "1"], document));
  };
  for (let round = 0; round < PROCESSES; round++) {
    samples.native.push(await time(native.name));
    samples.parser.push(await time(parser.name));
  }
  return median(samples.native) / median(samples.parser);
}

/** Measures in a runtime; resolves with `undefined` where there is none. */
async function measureRuntime(name: RuntimeName): Promise<PageFigures | undefined> {
  const options = ["--json", "--pair", "--only", flags.only, ...flags.quick ? ["--quick"] : []];
  try {
    const { runtime, documents, groups } = JSON.parse(await runScript(name, ["bench/compare.ts", ...options]));
    return { name: runtime, rows: documents, groups, firstCall: await firstCallOf(name) };
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
    return undefined;
  }
}

/** Measures in a browser; resolves with `undefined` where there is none. */
async function measureBrowser(name: BrowserName): Promise<PageFigures | undefined> {
  const program = await findBrowser(name);
  if (program === undefined) return undefined;
  const shared = new URL(`${Deno.env.get("BYTEJSON_SHARED") ?? "../shared"}/`, ROOT);
  const server = new PageServer({ page: "bench/pages/compare.ts", shared, standIns: {} });
  const { promise, resolve } = Promise.withResolvers<{ figures?: PageFigures; error?: string }>();
  server.onResult = (_id, result) => {
    resolve(result as { figures?: PageFigures; error?: string });
    return "";
  };
  // Isolated pages have the finest clock.
  const address = server.address("isolated", { only: flags.only, ...flags.quick && { quick: "" } });
  const browser = await startBrowser(name, program, address);
  browser.ended.then(() => resolve({ error: "the browser has ended" }));
  try {
    const { figures, error } = await promise;
    if (figures === undefined) throw new Error(`${name}: ${error}`);
    return { ...figures, name: engineName(figures.name) };
  } finally {
    await browser.stop();
    await server.stop();
  }
}

/** Returns the name and version of a browser from its user agent. */
function engineName(userAgent: string): string {
  const [, chromium] = /Chrome\/(\d+)/.exec(userAgent) ?? [];
  if (chromium) return `Chromium ${chromium}`;
  const [, firefox] = /Firefox\/(\d+)/.exec(userAgent) ?? [];
  return firefox ? `Firefox ${firefox}` : "WebKitGTK"; // its user agent names a version of Safari
}

function render(engines: PageFigures[]): string {
  const { header, rows } = enginesTable(engines.map(toEngineFigures));
  return renderTable(header, rows);
}

if (flags.help) {
  console.log(HELP);
} else {
  const wanted = (name: string): boolean => positionals.length === 0 || positionals.includes(name);
  const all: PageFigures[] = [];
  for (const name of [...RUNTIME_NAMES, ...BROWSER_NAMES].filter(wanted)) {
    showProgress(name);
    const figures = BROWSER_NAMES.includes(name as BrowserName)
      ? await measureBrowser(name as BrowserName)
      : await measureRuntime(name as RuntimeName);
    if (figures === undefined) console.error(`Left out: there is no ${name} on this machine`);
    else all.push(figures);
  }
  showProgress("");
  console.log(flags.json ? JSON.stringify({ engines: all }, null, 2) : render(all));
}
