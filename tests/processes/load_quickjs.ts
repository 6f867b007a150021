/**
 * Child process that loads modules of the library in QuickJS, which has no globals but those of
 * ECMAScript, and then runs the smoke program with a console. Prints failed checks, and the number
 * of checks.
 *
 *     load_quickjs.ts MODULE…
 */

import { stripTypeScriptTypes } from "node:module";
import { newQuickJSWASMModule } from "quickjs-emscripten";

const ROOT = new URL("../../", import.meta.url);

/** Global that the smoke program uses to make its input. */
const GLOBALS = `
  globalThis.TextEncoder = class {
    encode(text) {
      const codes = unescape(encodeURIComponent(text.toWellFormed?.() ?? text));
      return Uint8Array.from(codes, (character) => character.charCodeAt(0));
    }
  };
`;

const quickJs = await newQuickJSWASMModule();
const runtime = quickJs.newRuntime();
runtime.setMaxStackSize(1 << 20);
runtime.setModuleLoader(
  (name) => stripTypeScriptTypes(Deno.readTextFileSync(new URL(name))),
  (from, specifier) => new URL(specifier, from.startsWith("file:") ? from : ROOT).href,
);

/**
 * Runs a script, and loads modules, in a realm of its own. Throws what they throw. Returns what
 * is logged.
 */
function runInRealm(script: string, modules: string[]): string {
  const context = runtime.newContext();
  const lines: string[] = [];
  const log = context.newFunction("log", (...values) => void lines.push(values.map(context.dump).join(" ")));
  const console_ = context.newObject();
  context.setProp(console_, "log", log);
  context.setProp(context.global, "console", console_);
  for (const source of [script, ...modules.map((path) => `import ${JSON.stringify(path)};`)]) {
    const type = source === script ? "global" : "module";
    const result = context.evalCode(source, `${ROOT}program.js`, { type });
    if (result.error) throw new Error(JSON.stringify(context.dump(result.error)));
    runtime.executePendingJobs();
    const state = type === "module" ? context.getPromiseState(result.value) : undefined;
    if (state?.type === "rejected") throw new Error(JSON.stringify(context.dump(state.error)));
  }
  return lines.join("\n");
}

runInRealm("", Deno.args);
console.log(runInRealm(GLOBALS, ["./mod.ts", "./validate_binary.ts", "./tests/processes/smoke.ts"]));
