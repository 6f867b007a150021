/**
 * Child process for Node.js with `--experimental-vm-modules`: loads the modules of the library in
 * a context that has no globals but those of ECMAScript. Prints failed checks, and the number of
 * checks.
 *
 *     load_bare.ts MODULE…
 *
 * @module
 */

import { readFileSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { createContext, SourceTextModule } from "node:vm";
import { check, reportChecks } from "../support/checks.ts";

const ROOT = new URL("../../", import.meta.url);

/** Program that parses once the modules are loaded. */
const PROGRAM = `
  import { parseBinary } from "./parse_binary.ts";
  import { validateBinary } from "./validate_binary.ts";
  import { Slice } from "./slice.ts";
  const text = JSON.stringify([{ id: 1, name: "plain ".repeat(100) }, { id: 2, name: "é\\u0001" }]);
  const bytes = Uint8Array.from(text.replace("é", "\\xc3\\xa9"), (character) => character.charCodeAt(0));
  const result = parseBinary(bytes);
  globalThis.outcome = result.ok && JSON.stringify(result.value) === text && validateBinary(bytes).ok &&
    new Slice(Uint8Array.of(0x61)).toString("latin1") === "a";
`;

const context = createContext({});
const modules = new Map<string, SourceTextModule>();

/** Returns the module of an address in the bare context; it is not linked yet. */
function moduleAt(url: URL, source = readFileSync(fileURLToPath(url), "utf8")): SourceTextModule {
  let made = modules.get(url.href);
  if (made === undefined) {
    made = new SourceTextModule(stripTypeScriptTypes(source), { context, identifier: url.href });
    modules.set(url.href, made);
  }
  return made;
}

for (const path of [...process.argv.slice(2), "program"]) {
  let problem: string | undefined;
  try {
    const made = moduleAt(new URL(path, ROOT), path === "program" ? PROGRAM : undefined);
    if (made.status === "unlinked") {
      await made.link((specifier: string, from: { identifier: string }) =>
        moduleAt(new URL(specifier, from.identifier))
      );
    }
    await made.evaluate();
  } catch (error) {
    problem = `${error}`;
  }
  check(path, problem);
}
check("outcome", context.outcome === true ? undefined : `${context.outcome}`);
reportChecks();
