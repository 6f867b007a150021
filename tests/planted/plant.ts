/**
 * Tests of the tests: plants each bug of `bugs.ts` in a copy of the project, and fails unless some
 * test of public functions finds it. Prints the test.
 *
 *     deno task test planted [REGEX]
 *
 * With a regular expression, only bugs whose names match are planted.
 */

import { dirname } from "node:path";
import { planted, PLANTED_BUGS, type PlantedBug, PUBLIC_TESTS } from "./bugs.ts";
import { projectRoot } from "../support/environment.ts";

/** Copies of the project, in which tests run side by side. */
const LANES = 2;

/** Seconds after which the tests of a file are compared with the same tests without the bug. */
const PATIENCE = 120;

/** Tests hang if they take this many times the time that they take without the bug. */
const HANG_FACTOR = 5;

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

/** Outcome of the tests of a file. */
interface Run {
  /** First test that failed, "" if the process ended otherwise; `undefined` if none did. */
  failed?: string;
  /** Whether the tests were ended after a time. */
  isLate: boolean;
  seconds: number;
}

/** Runs the tests of a file in a copy of the project, until the first failure. */
async function run(test: string, cwd: URL, limit = Infinity): Promise<Run> {
  const process = new Deno.Command(Deno.execPath(), {
    args: ["test", "--no-check", "--fail-fast", "--import-map=imports.npm.json", "--allow-all", test],
    cwd,
    env: { BYTEJSON_ROUNDS: "0.05", BYTEJSON_SHARED: "none", NO_COLOR: "1" },
    stdout: "piped",
    stderr: "null",
  }).spawn();
  // Counted, so that time in which the machine stops both processes does not matter.
  let seconds = 0;
  const timer = setInterval(() => ++seconds === limit && process.kill("SIGKILL"), 1000);
  const { success, stdout } = await process.output();
  clearInterval(timer);
  if (success) return { isLate: false, seconds };
  const [, failed = ""] = /^(.+) => \S+:\d+:\d+$/m.exec(new TextDecoder().decode(stdout)) ?? [];
  return { failed, isLate: seconds >= limit, seconds };
}

/** Resolves with whether the library of a copy of the project loads. */
async function loads(cwd: URL): Promise<boolean> {
  const args = ["run", "--no-check", "--import-map=imports.npm.json", "mod.ts"];
  return (await new Deno.Command(Deno.execPath(), { args, cwd, stdout: "null", stderr: "inherit" }).output()).success;
}

/** Returns the tests, those of the folder of a bug first. */
function testsFor({ file }: PlantedBug): string[] {
  const isNear = (test: string): number => Number(test.startsWith(`tests/${dirname(file)}/`));
  return PUBLIC_TESTS.toSorted((one, other) => isNear(other) - isNear(one));
}

/** Tests that failed without a bug, too. They find nothing. */
const unreliable = new Set<string>();

/**
 * Plants a bug in a copy of the project. Returns the first test that fails, or hangs, because of
 * it: the same tests have to pass without the bug, however busy the machine is.
 */
async function findBug(bug: PlantedBug, root: URL): Promise<string | undefined> {
  const file = new URL(bug.file, root);
  const source = Deno.readTextFileSync(file);
  try {
    Deno.writeTextFileSync(file, planted(bug, source));
    if (!await loads(root)) return undefined;
    for (const test of testsFor(bug)) {
      for (let limit = PATIENCE;;) {
        Deno.writeTextFileSync(file, planted(bug, source));
        const { failed, isLate } = await run(test, root, limit);
        if (failed === undefined) break;
        Deno.writeTextFileSync(file, source);
        const without = await run(test, root);
        if (without.failed !== undefined) {
          unreliable.add(`${test}: ${without.failed}`);
          break;
        }
        if (!isLate) return `${test}: ${failed || "crashes"}`;
        if (limit >= HANG_FACTOR * without.seconds) return `${test}: hangs`;
        limit = HANG_FACTOR * without.seconds;
      }
    }
    return undefined;
  } finally {
    Deno.writeTextFileSync(file, source);
  }
}

const folder = new URL(`file://${Deno.makeTempDirSync()}/`);
const bugs = PLANTED_BUGS.filter(({ name }) => new RegExp(Deno.args[0] ?? "").test(name));
const missed: string[] = [];
try {
  const rest = bugs.values();
  await Promise.all(Array.from({ length: LANES }, async (_, lane) => {
    const root = new URL(`${lane}/`, folder);
    copy(projectRoot, root);
    for (const bug of rest) {
      const found = await findBug(bug, root);
      if (found === undefined) missed.push(bug.name);
      console.log(`${bug.name}: ${found ?? "not found"}`);
    }
  }));
} finally {
  Deno.removeSync(folder, { recursive: true });
}
console.log(`${bugs.length} bugs; missed: ${missed.join(", ") || "none"}`);
for (const test of unreliable) console.log(`Fails without a bug: ${test}`);
if (missed.length > 0 || unreliable.size > 0) Deno.exit(1);
