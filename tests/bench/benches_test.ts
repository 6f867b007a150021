/** Tests of each bench: that it measures what its name says, and refuses what it cannot do. */

import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { BENCHES, helpOf, openBench, readOptions } from "../../bench/support/bench.ts";
import { execute, type Outcome, projectRoot, runDeno } from "../support/environment.ts";
import { describeLong } from "../support/long.ts";
import { assertRefusal } from "../support/outcomes.ts";
import { itUnless, notOnWindows } from "../support/skip.ts";

const MAIN = ["run", "--quiet", "--import-map=imports.npm.json", "--v8-flags=--expose-gc", "--allow-all"];

function bench(args: string[], env?: Record<string, string>): Promise<Outcome> {
  return runDeno([...MAIN, "bench/main.ts", ...args], env);
}

// deno-lint-ignore no-explicit-any
type Report = any;

/** Runs a bench with little work. Returns its report. */
async function report(...args: string[]): Promise<Report> {
  const command = [...MAIN, "bench/main.ts", ...args, "--quick", "--json"];
  const { code, stdout, stderr } = await execute(Deno.execPath(), command, { cwd: projectRoot });
  assertEquals(code, 0, stderr);
  return JSON.parse(stdout);
}

/** Asserts that there are rows, and that each figure of them is above 0. */
function assertPositive(rows: Report[], name: string): void {
  assert(rows.length > 0, name);
  JSON.stringify(rows, (key, value) => {
    if (typeof value === "number" && !/spread|failed|bytes|peak|overValue/.test(key)) {
      assert(value > 0, `${name}, ${key}`);
    }
    return value;
  });
}

const NO_RUNTIMES = "--node no-such-node --bun no-such-bun";

/** Command lines of benches, and the parts of their reports that must have figures. */
const RUNS: { args: string; parts: string; check?: (report: Report) => void }[] = [
  { args: "compare --only payload/(31|512).B", parts: "documents" },
  { args: "compare --mixed --no-codegen --only payload/(31|512).B", parts: "documents" },
  { args: "select --only messages/0.2|parseAt/message|filters/1.%", parts: "selections groups lookUps filters" },
  { args: "select --pair --only messages/0.2", parts: "selections" },
  {
    args: "stream --megabytes 0.1",
    parts: "rows partial",
    check: ({ latency }) => assert(latency.afterLastByte[0] > 0 && latency.value[0] > 5e6),
  },
  { args: "validate --only payload/31.B", parts: "documents" },
  {
    args: `memory --size 1 --only ^(peak/records|sequence/records|stream/constant) ${NO_RUNTIMES}`,
    parts: "rows",
    check: ({ rows }) => {
      // The memory of these two does not grow with the 50 MB that they read.
      const constant = Object.values<Report>(rows.at(-1).readings).map(({ bytes, peak }) => [bytes, peak < 80e6]);
      assertEquals(constant, [[5e7, true], [5e7, true]]);
    },
  },
  { args: "first-calls --only ^message", parts: "curves" },
  { args: "guards --only payload/3.KB", parts: "documents" },
  { args: "parts --megabytes 1 --only parts", parts: "tasks" },
  {
    args: `peers --only operations ${NO_RUNTIMES}`,
    parts: "runtimes",
    check: ({ runtimes }) => assertEquals(runtimes.map(({ runtime }: Report) => runtime), ["Deno"]),
  },
  { args: "regress --base dist/package --only mixed|detach|first|check", parts: "rows" },
  { args: "regress --native --only select|lines", parts: "rows" },
  { args: "bundles --only ^detach$", parts: "rows", check: ({ rows }) => assert(rows[0].alone < 2000) },
];

describeLong("benches", () => {
  for (const { args, parts, check } of RUNS) {
    itUnless(args.startsWith("parts") && notOnWindows("POSIX shell"))(`${args} has figures of each row`, async () => {
      const measured = await report(...args.split(" "));
      for (const part of parts.split(" ")) assertPositive(measured[part], part);
      check?.(measured);
    });
  }

  it("can be profiled on the build", async () => {
    const args = ["task", "--quiet", "bench", "profile", "validate", "--quick", "--only", "payload/31.B"];
    const { code, stderr } = await execute(Deno.execPath(), args, { cwd: projectRoot });
    assertEquals(code, 0, stderr);
    const [path] = /^dist\/profiles\/validate\.cpuprofile/m.exec(stderr)!;
    const { nodes, samples } = JSON.parse(await Deno.readTextFile(new URL(path, projectRoot)));
    const urls = new Set<string>(nodes.map(({ callFrame }: Report) => callFrame.url));
    assert(samples.length > 100 && [...urls].some((url) => url.includes("/dist/package/")), [...urls].join("\n"));
  });

  it("refuse to be profiled under an unknown name", async () => {
    for (const args of [[], ["tables"], ["no-such-bench"]]) {
      const { success, output } = await runDeno(["task", "--quiet", "bench", "profile", ...args]);
      assertRefusal({ success, output }, "Cannot profile ");
    }
  });

  it("of deno bench need no permissions", async () => {
    const args = ["bench", "--quiet", "--no-prompt", "--json", "--import-map=imports.npm.json"];
    const { success, output } = await runDeno([...args, "--filter=/^(detach|validateBinary)$/"]);
    assert(success, output);
    // The files name, before the report, the rows that they leave out.
    const { benches } = JSON.parse(output.slice(output.indexOf("{\n")));
    const groups = new Set(benches.filter(({ results: [{ ok }] }: Report) => ok).map(({ group }: Report) => group));
    for (const group of ["1000 × buffers of 1 KiB", "31 B", "records"]) assert(groups.has(group), group);
  });
});

describe("deno task bench", () => {
  it("prints tables, what it left out, and how much the same code differs from itself", async () => {
    const env = { BYTEJSON_SHARED: "/no/such/folder" };
    const { success, output } = await bench(["compare", "--quick", "--only", "canada|payload/31 B"], env);
    assertEquals(success, true, output);
    for (const text of ["Files of the corpus are left out", "payload/31 B", "The same code differed from itself by "]) {
      assertStringIncludes(output, text);
    }
    assert(!output.includes("canada"), output);
  });

  it("has a help for each bench", async () => {
    for (const name of BENCHES) {
      const measured = await openBench(name);
      assert(measured.help.split("\n").every((line) => line.length <= 110), name);
      const help = helpOf(name, measured);
      assert(help.startsWith(`deno task bench ${name} [options]`), help);
      for (const option of ["--only REGEX", "--quick"]) assertStringIncludes(help, option);
    }
  });

  it("reports in one line what it cannot do", async () => {
    for (
      const [args, words] of [
        [["nothing"], "Cannot measure nothing: there are compare, select, "],
        [["select", "--only", "nothing at all"], "no row matches"],
        [["memory", "--size", "much"], "--size takes a number from "],
        [["regress", "--base", "no-such-commit"], "no-such-commit is neither a commit nor "],
      ] as const
    ) {
      assertRefusal(await bench([args[0], "--json", ...args.slice(1)]), words);
    }
  });

  const refused: { name: string; args: string[]; words: string }[] = [
    { name: "compare", args: ["--only", "nothing at all"], words: "no document matches" },
    { name: "select", args: ["--only", "("], words: "Invalid regular expression" },
    { name: "stream", args: ["--megabytes", "0"], words: "--megabytes takes a number from " },
    { name: "guards", args: ["--faster"], words: "--faster" },
    { name: "validate", args: ["no-such-file.json"], words: "no-such-file.json" },
    { name: "bundles", args: ["a-file.json"], words: "a-file.json" },
  ];
  for (const { name, args, words } of refused) {
    it(`refuses ${name} ${args.join(" ")}`, async () => {
      const measured = await openBench(name);
      await assertRejects(async () => await measured.measure(readOptions(measured, args)), Error, words);
    });
  }
});
