/**
 * Program of every page that tests run in a browser: imports the module that its address names, in
 * the window or in a worker, and posts the outcome to the server. The answer is the address of the
 * next page.
 */

import { runTests, type TestResults } from "./support/bdd.ts";
import { defineDeno } from "./support/deno.ts";

/** Outcome of a page, as it is posted. */
export interface PageResult {
  /** Lines that the module has printed. */
  log: string[];
  /** Results of the tests that the module has registered. */
  tests?: TestResults;
  /** Reasons why the module did not run to its end. */
  errors: string[];
}

/** Globals of a page that have no types in Deno, or other types. */
interface Page {
  document?: { createElement(name: string): { src: string }; body: { append(element: unknown): void } };
  location: { href: string; replace(address: string): void };
  postMessage(message: unknown): void;
}

const page = globalThis as unknown as Page;
const result: PageResult = { log: [], errors: [] };

globalThis.addEventListener("error", (event) => {
  result.errors.push(`${(event as ErrorEvent).message ?? "a script does not load"}`);
});
globalThis.addEventListener("unhandledrejection", (event) => {
  result.errors.push(`${(event as PromiseRejectionEvent).reason}`);
});
for (const name of ["log", "warn", "error"] as const) {
  const print = console[name];
  console[name] = (...values: unknown[]) => {
    result.log.push(values.join(" "));
    print.apply(console, values);
  };
}

/** Imports the module of an address, and runs the tests that it registers. */
async function runModule(fields: URLSearchParams): Promise<PageResult> {
  try {
    defineSettings(fields);
    const syntax = fields.get("syntax");
    if (syntax && !accepts(syntax)) {
      result.tests = { passed: null, failed: [], left: [`${fields.get("module")}: ${syntax}`] };
      return result;
    }
    await import(new URL(`../../../${fields.get("module")}`, import.meta.url).href);
    const leftOut = fields.get("leftOut");
    result.tests = await runTests(leftOut ? new RegExp(leftOut) : undefined);
  } catch (error) {
    result.errors.push(`${error}\n${(error as Error)?.stack ?? ""}`);
  }
  return result;
}

/** Returns whether the browser knows the syntax of a statement. */
function accepts(statement: string): boolean {
  try {
    return Boolean(new Function(statement));
  } catch {
    return false;
  }
}

/** Defines the stand-in for Deno, but only for tests: other modules find the browser as it is. */
function defineSettings(fields: URLSearchParams): void {
  const settings = fields.get("settings");
  if (!settings) return;
  defineDeno(JSON.parse(settings));
  // Tests make streams by this method, and not every browser has it.
  const Streams = ReadableStream as unknown as { from?: (items: Iterable<unknown>) => ReadableStream<unknown> };
  Streams.from ??= (items) => {
    const iterator = items[Symbol.iterator]();
    return new ReadableStream({
      pull(controller) {
        const { done, value } = iterator.next();
        if (done) controller.close();
        else controller.enqueue(value);
      },
    });
  };
}

/** Runs the module of an address in a worker. */
function runInWorker(fields: URLSearchParams): Promise<PageResult> {
  return new Promise((resolve) => {
    const worker = new Worker(`${import.meta.url}?${fields}`, { type: "module" });
    worker.onmessage = ({ data }) => resolve(data);
    worker.onerror = (event) => resolve({ log: [], errors: [`the worker failed: ${event.message}`] });
  });
}

if (page.document === undefined) {
  page.postMessage(await runModule(new URL(import.meta.url).searchParams));
} else {
  const fields = new URL(page.location.href).searchParams;
  const outcome = await (fields.get("realm") === "worker" ? runInWorker(fields) : runModule(fields));
  const answer = await fetch(`result?id=${fields.get("id")}`, { method: "POST", body: JSON.stringify(outcome) });
  const next = await answer.text();
  if (next) page.location.replace(next);
}
