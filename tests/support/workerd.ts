/** Runs a program of the tests in workerd, the runtime of Cloudflare's workers. */

import { stripTypeScriptTypes } from "node:module";
import { type Outcome, projectRoot, run } from "./environment.ts";

/** Date up to which workerd applies incompatible changes. */
const COMPATIBILITY_DATE = "2026-01-01";

/** Returns the paths of a module and of everything that it imports. */
function modulesOf(path: string, known = new Set<string>()): Set<string> {
  known.add(path);
  const source = Deno.readTextFileSync(new URL(path, projectRoot));
  for (
    const [, specifier] of stripTypeScriptTypes(source).matchAll(/^(?:import|export|\}) .*?"(\.{1,2}\/[^"]+)";$/gm)
  ) {
    const imported = new URL(specifier, new URL(path, projectRoot)).href.slice(projectRoot.href.length);
    if (!known.has(imported)) modulesOf(imported, known);
  }
  return known;
}

/** Runs a program, whose console output becomes that of the process. */
export async function runWorkerd(program: string, path: string): Promise<Outcome> {
  const main = `export default {
    async test() {
      await import("./${path}");
    },
  };`;
  const modules = [...modulesOf(path)].map((name) => {
    return [name, stripTypeScriptTypes(Deno.readTextFileSync(new URL(name, projectRoot)))];
  });
  const embedded = [["main.js", main], ...modules].map(([name, source]) => {
    return `(name = ${JSON.stringify(name)}, esModule = ${JSON.stringify(source)})`;
  });
  const config = `using Workerd = import "/workerd/workerd.capnp";
    const config :Workerd.Config = (
      services = [(name = "main", worker = (
        modules = [${embedded.join(", ")}],
        compatibilityDate = "${COMPATIBILITY_DATE}",
      ))],
    );`;
  const file = await Deno.makeTempFile({ suffix: ".capnp" });
  try {
    await Deno.writeTextFile(file, config);
    return await run(program, ["test", "--verbose", file]);
  } finally {
    await Deno.remove(file);
  }
}
