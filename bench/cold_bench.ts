/**
 * First calls by `deno bench`, cold. Each iteration is a process of its own, which has loaded the
 * modules and run none of their code. The process times its calls itself; the group "process start"
 * shows the time around the calls.
 *
 * @module
 */

import { format } from "@std/fmt/bytes";
import { toText } from "@std/streams/to-text";
import { fileURLToPath } from "node:url";
import { native, parser, response } from "../measure/contestants.ts";
import { validator } from "../measure/validator_contestant.ts";
import { sample } from "./sample.ts";
import { PEER_NAME } from "./support/peer.ts";

/** Processes per row. */
const PROCESSES = 10;
const CONTESTANTS = [native.name, response.name, PEER_NAME, parser.name, validator.name];
const CHILD = fileURLToPath(new URL("processes/cold_calls.ts", import.meta.url));
const LIBRARY = fileURLToPath(new URL("../mod.ts", import.meta.url));
const PARSER = fileURLToPath(new URL("../parse_binary.ts", import.meta.url));
const EMPTY_SCRIPT = "data:text/javascript,";

/** Runs a script in a process of its own; resolves with what it prints. */
async function runScript(args: string[], input: Uint8Array): Promise<string> {
  const command = new Deno.Command(Deno.execPath(), {
    args: ["run", "--quiet", "--no-prompt", ...args],
    stdin: "piped",
    stdout: "piped",
    stderr: "inherit",
  });
  const child = command.spawn();
  const writing = ReadableStream.from([input]).pipeTo(child.stdin);
  const [text, { success }] = await Promise.all([toText(child.stdout), child.status, writing]);
  if (!success) throw new Error(`Cannot run ${args.join(" ")}`);
  return text;
}

/** Spends as much time as another process has measured: the runner takes no figure from a bench. */
function replay(timer: Deno.BenchContext, milliseconds: number): void {
  timer.start();
  for (const start = performance.now(); performance.now() - start < milliseconds;);
  timer.end();
}

/** Registers the contestants on the first calls with a document. */
function benchFirstCalls(name: string, document: unknown, calls: number): void {
  const bytes = new TextEncoder().encode(JSON.stringify(document));
  for (const contestant of CONTESTANTS) {
    Deno.bench({
      name: contestant,
      group: `cold: first ${calls === 1 ? "call" : `${calls} calls`} in a new process, ${name}, ${
        format(bytes.length)
      }`,
      baseline: contestant === native.name,
      warmup: 1,
      n: PROCESSES,
      // Written as an async function, since the runner awaits no other.
      fn: async (timer) => replay(timer, Number(await runScript([CHILD, contestant, String(calls)], bytes))),
    });
  }
}

/** Registers what every process takes besides. */
function benchStart(name: string, script: string): void {
  Deno.bench({
    name,
    group: "cold: process start, not in the times above",
    baseline: script === EMPTY_SCRIPT,
    warmup: 1,
    n: PROCESSES,
    fn: async () => void await runScript([script], new Uint8Array(0)),
  });
}

// Users start `deno bench` without permissions, too.
if (Deno.permissions.querySync({ name: "run" }).state === "granted") {
  const page = JSON.parse(sample());
  const [order] = page.data;
  for (const calls of [1, 100]) benchFirstCalls("one order", order, calls);
  for (const calls of [1, 10]) benchFirstCalls("page of orders", page, calls);
  benchStart("an empty script", EMPTY_SCRIPT);
  benchStart("parse_binary.ts", PARSER);
  benchStart("mod.ts", LIBRARY);
} else {
  console.log("First calls are left out: their processes need --allow-run");
}
