/**
 * Trials: tests that run against a copy of the project with one change of its source.
 *
 * @module
 */

import { projectRoot } from "../support/environment.ts";

/** Change of a file, and tests one of which should fail for it. */
export interface Trial {
  name: string;
  file: string;
  /** Offsets in the file of the text that is replaced. */
  start: number;
  end: number;
  replacement: string;
  /** Files of tests, in the order in which they run until one fails. */
  tests: string[];
}

/** Result of a trial: the file whose tests have failed, `null` if none has. */
export interface Verdict {
  trial: Trial;
  killer: string | null;
}

/** What a copy of the project leaves out. */
const NOT_COPIED = new Set([".git", "dist", "docs", "node_modules", "site"]);

/** Part of the rounds of random tests that trials run. */
const ROUNDS = "0.05";

async function copy(from: URL, to: URL): Promise<void> {
  await Deno.mkdir(to, { recursive: true });
  for await (const { name, isDirectory } of Deno.readDir(from)) {
    if (NOT_COPIED.has(name)) continue;
    const path = encodeURIComponent(name);
    if (isDirectory) await copy(new URL(`${path}/`, from), new URL(`${path}/`, to));
    else await Deno.copyFile(new URL(path, from), new URL(path, to));
  }
}

/** Returns whether the tests of a file pass in a folder. Those that do not end in time fail. */
async function pass(folder: URL, test: string, seconds: number): Promise<boolean> {
  const process = new Deno.Command(Deno.execPath(), {
    args: ["test", "--no-check", "--fail-fast", "--import-map=imports.npm.json", "--allow-all", test],
    cwd: folder,
    env: { BYTEJSON_ROUNDS: ROUNDS, BYTEJSON_SHARED: "none" },
    stdout: "null",
    stderr: "null",
  }).spawn();
  const timer = setTimeout(() => process.kill("SIGKILL"), 1000 * seconds);
  const { success } = await process.status;
  clearTimeout(timer);
  return success;
}

/**
 * Runs trials, in as many copies of the project side by side as asked for. Yields each verdict as
 * soon as it is there.
 *
 * @param seconds Time for the tests of a file, after which a change has made them hang.
 */
export async function* runTrials(trials: Trial[], lanes = 2, seconds = 120): AsyncGenerator<Verdict> {
  const folder = await Deno.makeTempDir();
  try {
    const rest = trials.values();
    const run = async function* (lane: number): AsyncGenerator<Verdict> {
      const root = new URL(`file://${folder}/${lane}/`);
      await copy(projectRoot, root);
      for (const trial of rest) {
        const file = new URL(trial.file, root);
        const source = await Deno.readTextFile(file);
        const { start, end, replacement } = trial;
        await Deno.writeTextFile(file, source.slice(0, start) + replacement + source.slice(end));
        let killer: string | null = null;
        for (const test of trial.tests) {
          if (await pass(root, test, seconds)) continue;
          killer = test;
          break;
        }
        await Deno.writeTextFile(file, source);
        yield { trial, killer };
      }
    };
    const running = new Map(Array.from({ length: lanes }, (_, lane) => {
      const verdicts = run(lane);
      return [lane, { verdicts, next: verdicts.next().then((step) => ({ lane, step })) }];
    }));
    while (running.size > 0) {
      const { lane, step } = await Promise.race(Array.from(running.values(), ({ next }) => next));
      if (step.done) running.delete(lane);
      else {
        const { verdicts } = running.get(lane)!;
        running.set(lane, { verdicts, next: verdicts.next().then((step) => ({ lane, step })) });
        yield step.value;
      }
    }
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}
