/**
 * Bundles the command line for Node.js and Bun: for the npm package, for executables, and
 * for tests.
 *
 * As a program, it takes a folder and, optionally, the folder of the sources, or `--module
 * MODULE FILE`.
 */

import { build, type Plugin } from "rolldown";
import { ROOT } from "../programs.ts";

/** The program, and the module that it loads for all but short runs of `check`. */
const PROGRAM = "bin";
const REST = "command_line";

/** Entry modules of threads and processes. They keep their paths, relative to `cli/`. */
const WORKERS = ["check/worker", "bench/measuring_child"];

/** Keeps only comments that tell bundlers which code has no effect. */
export const COMMENTS = { legal: false, annotation: true, jsdoc: false } as const;

/**
 * Escapes characters beyond ASCII, which only literals have: V8 would keep and scan the file in two
 * bytes a character (import of parse-binary: 6.6 → 5.8 ms).
 */
export const asciiOnly: Plugin = {
  name: "ascii-only",
  generateBundle(_, bundle) {
    for (const file of Object.values(bundle)) {
      if (file.type === "chunk") file.code = file.code.replace(/[^\0-\x7f]/g, escapeUnit);
    }
  },
};

function escapeUnit(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

/**
 * Replaces `import.meta.main`, which Node.js 22 lacks: true for programs. Executables load these in
 * processes that begin elsewhere.
 */
function replaceImportMetaMain(programs: readonly string[]): Plugin {
  return {
    name: "replace-import-meta-main",
    transform(code, id) {
      if (!code.includes("import.meta.main")) return null;
      const isProgram = programs.some((name) => id.endsWith(`/cli/${name}.ts`));
      return code.replaceAll("import.meta.main", isProgram ? "(import.meta.main !== false)" : "false");
    },
  };
}

/** Keeps the rest out of the program's file. */
const loadRest: Plugin = {
  name: "load-rest",
  resolveId(source) {
    return source === `./${REST}.ts` ? { id: `./${REST}.js`, external: true } : null;
  },
};

const OPTIONS = {
  tsconfig: false,
  platform: "node",
  transform: { target: "node22" }, // which has no `using`
} as const;

/**
 * Writes the command line to `cli/` in a folder: the program `bin.js` as a single file, so that it
 * starts fast, and the rest.
 *
 * @param entries Further modules to write, by their files without extension.
 * @param cwd Folder of the project.
 */
export async function bundleCommandLine(
  dir: string,
  entries: Record<string, string> = {},
  cwd: string = ROOT,
): Promise<void> {
  const output = { format: "esm", comments: COMMENTS, dir, chunkFileNames: "cli/[name].js" } as const;
  await build({
    ...OPTIONS,
    cwd,
    input: { [`cli/${PROGRAM}`]: `cli/${PROGRAM}.ts` },
    plugins: [loadRest, asciiOnly],
    output: { ...output, codeSplitting: false, banner: "#!/usr/bin/env node" },
  });
  const begun = [REST, ...WORKERS].map((name) => [`cli/${name}`, `cli/${name}.ts`]);
  await build({
    ...OPTIONS,
    cwd,
    input: { ...entries, ...Object.fromEntries(begun) },
    plugins: [replaceImportMetaMain(WORKERS), asciiOnly],
    output,
  });
}

/** Writes a module, named from the root, with all that it loads to one file. */
async function bundleModule(module: string, file: string): Promise<void> {
  await build({
    ...OPTIONS,
    cwd: ROOT,
    input: module,
    plugins: [replaceImportMetaMain([]), asciiOnly],
    output: { format: "esm", comments: COMMENTS, file, codeSplitting: false },
  });
}

if (import.meta.main) {
  const [first, ...rest] = Deno.args;
  if (first === "--module") await bundleModule(rest[0], rest[1]);
  else await bundleCommandLine(first, {}, rest[0]);
}
