/**
 * Tests of the tests: plants each bug of `bugs.ts` in a copy of the project, and fails unless some
 * test of public functions finds it.
 *
 *     deno task test planted [REGEX]
 *
 * With a regular expression, only bugs whose names match are planted.
 */

import { planted, PLANTED_BUGS, type PlantedBug, PUBLIC_TESTS } from "./bugs.ts";
import { projectRoot } from "../support/environment.ts";

/** Copies of the project, in which tests run side by side. */
const LANES = 2;

/** Milliseconds for the tests of a file, after which a bug has made them hang. */
const PATIENCE = 120_000;

/** Folders that a copy of the project leaves out. */
const NOT_COPIED = new Set([".git", "dist", "docs", "node_modules", "site"]);

function copy(from: URL, to: URL): void {
  Deno.mkdirSync(to, { recursive: true });
  for (const { name, isDirectory } of Deno.readDirSync(from)) {
    if (NOT_COPIED.has(name)) continue;
    const path = encodeURIComponent(name);
    if (isDirectory) copy(new URL(`${path}/`, from), new URL(`${path}/`, to));
    else Deno.copyFileSync(new URL(path, from), new URL(path, to));
  }
}

/** Returns the first file of tests that fails in a copy of the project, or does not end. */
async function failingTest(cwd: URL): Promise<string | undefined> {
  for (const test of PUBLIC_TESTS) {
    const process = new Deno.Command(Deno.execPath(), {
      args: ["test", "--no-check", "--fail-fast", "--import-map=imports.npm.json", "--allow-all", test],
      cwd,
      env: { BYTEJSON_ROUNDS: "0.05", BYTEJSON_SHARED: "none" },
      stdout: "null",
      stderr: "null",
    }).spawn();
    const timer = setTimeout(() => process.kill("SIGKILL"), PATIENCE);
    const { success } = await process.status;
    clearTimeout(timer);
    if (!success) return test;
  }
  return undefined;
}

const folder = new URL(`file://${Deno.makeTempDirSync()}/`);
const bugs = PLANTED_BUGS.filter(({ name }) => new RegExp(Deno.args[0] ?? "").test(name));
const wrong: string[] = [];
try {
  const rest: Iterable<PlantedBug | null> = [null, ...bugs].values(); // no bug first: nothing may fail then
  await Promise.all(Array.from({ length: LANES }, async (_, lane) => {
    const root = new URL(`${lane}/`, folder);
    copy(projectRoot, root);
    for (const bug of rest) {
      const file = new URL(bug?.file ?? "mod.ts", root);
      const source = Deno.readTextFileSync(file);
      if (bug) Deno.writeTextFileSync(file, planted(bug, source));
      const test = await failingTest(root);
      Deno.writeTextFileSync(file, source);
      const name = bug?.name ?? "no bug";
      if ((bug === null) !== (test === undefined)) wrong.push(name);
      console.log(`${name}: ${test ?? "not found"}`);
    }
  }));
} finally {
  Deno.removeSync(folder, { recursive: true });
}
console.log(`${bugs.length} bugs; wrong: ${wrong.join(", ") || "none"}`);
if (wrong.length > 0) Deno.exit(1);
