/**
 * `describe` and `it` for a page: @std/testing and `node:test` need a runtime with a runner.
 */

type Body = () => unknown;

/** Test as it was registered: its name within the groups around it, and its body. */
interface Registered {
  name: string;
  body: Body;
}

/** Result of {@linkcode runTests}. */
export interface TestResults {
  /** Number of tests that passed; `null` if the module could not be loaded for want of syntax. */
  passed: number | null;
  /** Name and error of each test that failed. */
  failed: [name: string, error: string][];
  /** Names of the tests that were left out. */
  left: string[];
}

/** Error of WebKit for a feature that it knows by name only. */
const NOT_IMPLEMENTED = /^TypeError: \w+ is not implemented$/;

const registered: Registered[] = [];
const groups: string[] = [];

/** Registers the tests of a group. */
export function describe(name: string, body: Body): void {
  groups.push(name);
  body();
  groups.pop();
}

export function it(name: string, body: Body): void {
  registered.push({ name: [...groups, name].join(" > "), body });
}

/** Leaves a test out: its name says why. */
it.skip = (name: string, _body: Body): void => console.log(`skipped: ${name}`);

/** Runs the registered tests one after the other, but for those whose name matches. */
export async function runTests(leftOut: RegExp | undefined): Promise<TestResults> {
  const results = { passed: 0, failed: [], left: [] } as TestResults & { passed: number };
  for (const { name, body } of registered) {
    if (leftOut?.test(name)) {
      results.left.push(name);
      continue;
    }
    try {
      await body();
      results.passed++;
    } catch (error) {
      if (NOT_IMPLEMENTED.test(`${error}`)) results.left.push(`${name}: ${error}`);
      else results.failed.push([name, `${error}`]);
    }
  }
  return results;
}
