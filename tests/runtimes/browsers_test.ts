/**
 * The library in browsers: the same tests as elsewhere, and tests of pages alone, such as
 * of policies.
 *
 * `BYTEJSON_BROWSERS` names the browsers, separated by commas, or is `all`. Without it, only the
 * browsers of `BYTEJSON_BROWSERS_DEFAULT` are started, which `deno task test browsers` sets.
 */

import { assert, assertEquals } from "@std/assert";
import { after, before, it } from "@std/testing/bdd";
import {
  BROWSER_NAMES,
  type BrowserName,
  findBrowser,
  type RunningBrowser,
  startBrowser,
} from "../support/browsers.ts";
import { PageServer, type Policy } from "../support/page_server.ts";
import type { PageResult } from "./pages/page_program.ts";
import { projectRoot, setting } from "../support/environment.ts";
import { describeUnless } from "../support/skip.ts";

const PAGES = "tests/runtimes/pages/support";

/** Milliseconds that a page may take. */
const PATIENCE = 600_000;

/** Page to open, and the check of its result. */
interface PageTest {
  name: string;
  policy: Policy;
  fields: Record<string, string>;
  check(result: PageResult, reports: string[]): void;
}

/**
 * Returns the settings of this process that tests read. Groups of tests that take long run, too.
 */
function settings(): string {
  const names = ["BYTEJSON_SEED", "BYTEJSON_ROUNDS"];
  return JSON.stringify({ ...Object.fromEntries(names.map((name) => [name, setting(name)])), BYTEJSON_LONG: "1" });
}

/**
 * Test files that run in a page as they are, and the names of their tests that do not: those that
 * start processes, and those that only Node.js or Deno can run. `syntax` is a statement that not
 * every browser knows.
 */
const TEST_FILES: { path: string; leftOut: string; least: number; syntax?: string }[] = [
  { path: "library/parse_binary_test.ts", leftOut: "", least: 12 },
  { path: "library/failure_test.ts", leftOut: "", least: 200 },
  { path: "library/conformance_test.ts", leftOut: "", least: 3 },
  { path: "library/differential_test.ts", leftOut: "", least: 50 },
  { path: "library/validate_binary_test.ts", leftOut: "one bit of memory", least: 5 },
  { path: "library/chunk_queue_test.ts", leftOut: "", least: 5, syntax: "{ using queue = null; }" },
  { path: "library/slice_test.ts", leftOut: "Buffer|undoes toString", least: 10, syntax: "{ using slice = null; }" },
  {
    path: "library/pool_allocator_test.ts",
    leftOut: "memory of the caller",
    least: 10,
    syntax: "{ using slice = null; }",
  },
  {
    path: "library/sources_test.ts",
    leftOut:
      "Node|Readable|of any size|other sources|Buffers of a shared pool|hardly any memory|keeps nothing alive|in a browser, whatever",
    least: 60,
  },
  // A decoder reads long tokens there, and needs other memory.
  { path: "parser/strings/read_string_test.ts", leftOut: "no memory|are too long|end the call", least: 8 },
  { path: "parser/numbers/read_number_test.ts", leftOut: "", least: 5 },
];

/** Fails unless the tests of a file ran, and went well. */
function checkTests({ log, tests, errors }: PageResult, least: number): void {
  assertEquals(errors, []);
  assertEquals(tests?.failed, []);
  assert((tests!.passed ?? Infinity) >= least, `only ${tests!.passed} tests ran`);
  for (const line of log) if (line.startsWith("skipped")) console.log(line);
  for (const name of tests!.left) console.log(`skipped: "${name}" needs more than a page has`);
}

/** Fails unless all checks of a program went well, and none was left out. */
function checkProgram({ log, errors }: PageResult, least: number): void {
  assertEquals(errors, []);
  const [, checks, failures] = /^(\d+) checks, (\d+) failed$/m.exec(log.join("\n")) ?? [];
  assert(failures === "0" && Number(checks) >= least, log.join("\n"));
}

/** Returns the tests of a program in a window, in a worker, and isolated from other origins. */
function programTests(name: string, module: string, least: number): PageTest[] {
  return (["window", "worker", "isolated window"] as const).map((realm) => ({
    name: `${name}, in a ${realm}`,
    policy: realm === "isolated window" ? "isolated" : "plain",
    fields: { module, realm },
    check: (result) => checkProgram(result, least),
  }));
}

/** Outcome of `policy.ts`. */
interface PolicyOutcome {
  isRight: boolean;
  generated: number;
  violations: string[];
}

/**
 * Returns the test of hot shapes under a policy. Nothing is ever reported unless the page asks for
 * generated code, and then nothing of the input.
 */
function policyTest(policy: Policy, realm: string, asksForCode: boolean): PageTest {
  const module = `tests/runtimes/pages/policy.ts${asksForCode ? "?codegen" : ""}`;
  const demand = asksForCode ? ", with generated code asked for" : "";
  return {
    name: `policy: ${policy}, in a ${realm}${demand}`,
    policy,
    fields: { module, realm },
    check({ log, errors }, reports) {
      assertEquals(errors, []);
      const { isRight, generated, violations }: PolicyOutcome = JSON.parse(log.at(-1)!);
      assert(isRight);
      if (!asksForCode) assertEquals([violations, reports], [[], []]);
      assertEquals([...violations, ...reports].filter((report) => /visitor/.test(report)), []);
      if (!asksForCode) assertEquals(generated, 0);
      else if (policy !== "plain") assert(generated === 0 || reports.length === 0, `${reports}`);
      else if (realm === "window") assert(generated > 0, "nothing was generated");
    },
  };
}

const POLICIES: Policy[] = ["plain", "strict", "trusted", "monitored", "monitoredTypes"];

const PAGE_TESTS: PageTest[] = [
  ...programTests("the first things that users do", "tests/processes/smoke.ts", 40),
  ...programTests("detach and streams", "tests/runtimes/pages/detach_and_streams.ts", 30),
  ...[false, true].flatMap((asksForCode) =>
    POLICIES.flatMap((policy) => [
      policyTest(policy, "window", asksForCode),
      // Under Trusted Types, the script address of a worker is a violation itself.
      .../^trusted$|Types$/.test(policy) ? [] : [policyTest(policy, "worker", asksForCode)],
    ])
  ),
  ...TEST_FILES.map(({ path, leftOut, least, syntax = "" }): PageTest => ({
    name: path,
    policy: "isolated",
    fields: { module: `tests/${path}`, settings: settings(), leftOut, syntax },
    check: (result) => checkTests(result, least),
  })),
];

/** Runs pages one after the other in one browser. */
class PageRun {
  readonly #server = new PageServer({
    page: "tests/runtimes/pages/page_program.ts",
    shared: new URL(`${setting("BYTEJSON_SHARED") ?? "../shared"}/`, projectRoot),
    standIns: {
      "@std/assert": `${PAGES}/std.ts`,
      "@std/streams/to-bytes": `${PAGES}/std.ts`,
      "@std/testing/bdd": `${PAGES}/bdd.ts`,
      "node:buffer": `${PAGES}/buffer.ts`,
      "node:stream": `${PAGES}/streams.ts`,
    },
    bundled: `${PAGES}/std.ts`,
  });
  readonly #outcomes: PromiseWithResolvers<{ result: PageResult; reports: string[] }>[];
  readonly #pages: PageTest[];
  #browser: RunningBrowser | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(pages: PageTest[]) {
    this.#pages = pages;
    this.#outcomes = pages.map(() => Promise.withResolvers());
    for (const { promise } of this.#outcomes) promise.catch(() => {});
    this.#server.onResult = (id, result) => {
      const reports = this.#server.reports.splice(0);
      this.#outcomes[Number(id)].resolve({ result: result as PageResult, reports });
      return this.#expect(Number(id) + 1);
    };
  }

  /** Starts the browser on the first page. */
  async start(name: BrowserName, program: string): Promise<void> {
    this.#browser = await startBrowser(name, program, this.#expect(0));
    this.#browser.ended.then(() => this.#giveUp("the browser has ended"));
  }

  async stop(): Promise<void> {
    clearTimeout(this.#timer);
    await this.#browser?.stop();
    await this.#server.stop();
  }

  /** Resolves once a page has posted its result. */
  outcome(page: number): Promise<{ result: PageResult; reports: string[] }> {
    return this.#outcomes[page].promise;
  }

  /** Returns the address of a page, and limits the time until its result; `""` if there is none. */
  #expect(page: number): string {
    clearTimeout(this.#timer);
    if (page === this.#pages.length) return "";
    const { policy, fields, name } = this.#pages[page];
    this.#timer = setTimeout(() => this.#giveUp(`nothing came from "${name}" within ${PATIENCE} ms`), PATIENCE);
    return this.#server.address(policy, { ...fields, id: `${page}` });
  }

  #giveUp(reason: string): void {
    for (const { reject } of this.#outcomes) reject(new Error(reason));
  }
}

const wanted = (setting("BYTEJSON_BROWSERS") || setting("BYTEJSON_BROWSERS_DEFAULT") || "").split(",");
if (wanted[0] === "") {
  describeUnless("set BYTEJSON_BROWSERS to chromium, firefox, webkit or all")("tests in browsers", () => {});
}
for (const name of wanted) {
  assert(["", "all", ...BROWSER_NAMES].includes(name), `BYTEJSON_BROWSERS names no browser: ${name}`);
}
const only = new RegExp(setting("BYTEJSON_PAGES") ?? "");

for (const name of BROWSER_NAMES) {
  if (!wanted.includes("all") && !wanted.includes(name)) continue;
  const program = await findBrowser(name);
  describeUnless(!program && `there is no ${name} on this machine`)(name, () => {
    const pages = PAGE_TESTS.filter((page) => only.test(page.name));
    const run = new PageRun(pages);
    before(() => run.start(name, program!));
    after(() => run.stop());
    pages.forEach((page, i) => {
      it(page.name, async () => {
        const { result, reports } = await run.outcome(i);
        page.check(result, reports);
      });
    });
  });
}
