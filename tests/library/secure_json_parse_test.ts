/** The tests of secure-json-parse, run against `protoKeys`. */

import { Buffer } from "node:buffer";
import { assert, assertEquals, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import secureJsonParse from "secure-json-parse";
import { parseBinary, parseOrThrow } from "../../parse_binary.ts";
import { utf8 } from "../support/bytes.ts";

type Action = "error" | "remove" | "ignore";
type Reviver = (key: string, value: unknown) => unknown;

interface Options {
  protoAction?: Action;
  constructorAction?: Action;
  safe?: boolean;
}

const PROTO_KEYS = { error: "reject", remove: "drop", ignore: "keep" } as const;

/** A case that has no counterpart. */
class Skipped extends Error {}

/** Returns whether a value has a key anywhere. */
function hasKey(value: unknown, key: string): boolean {
  if (typeof value !== "object" || value === null) return false;
  return Object.hasOwn(value, key) || Object.values(value).some((child) => hasKey(child, key));
}

/** Returns the one action for the names of a text: `protoKeys` is one option for all of them. */
function actionFor(text: string, { protoAction = "error", constructorAction = "error" }: Options): Action {
  const value = JSON.parse(text);
  if (!hasKey(value, "constructor")) return protoAction;
  if (!hasKey(value, "__proto__")) return constructorAction;
  if (protoAction === constructorAction) return protoAction;
  throw new Skipped(`protoKeys is one option, not ${protoAction} and ${constructorAction}`);
}

/** The functions of secure-json-parse, made from those of this library. */
const adapter = {
  parse(input: string | Uint8Array, reviver?: Reviver | Options | null, given?: Options | null): unknown {
    const options = given ?? (typeof reviver === "object" ? reviver : null) ?? {};
    const bytes = typeof input === "string" ? utf8(input) : input;
    const text = new TextDecoder().decode(bytes);
    const protoKeys = PROTO_KEYS[actionFor(text, options)];
    if (options.safe && protoKeys !== "keep") {
      const result = parseBinary(bytes, { protoKeys: "reject" });
      if (!result.ok && result.code === "forbidden-key") return null;
    }
    const value = parseOrThrow(bytes, { protoKeys });
    return typeof reviver === "function" ? JSON.parse(JSON.stringify(value), reviver) : value;
  },
  safeParse(input: string | Uint8Array): unknown {
    const result = parseBinary(typeof input === "string" ? utf8(input) : input, { protoKeys: "reject" });
    if (result.ok) return result.value;
    return result.code === "forbidden-key" ? null : undefined;
  },
  scan: (value: unknown, options?: Options): unknown => adapter.parse(JSON.stringify(value), options),
};

/** Returns the source of the package's tests, whose folder the stack of an error names. */
function sourceOfTests(): string {
  const probe = {
    get stack(): string {
      return new Error("probe").stack!;
    },
  };
  let path = "";
  const value = Object.defineProperty({}, "key", {
    enumerable: true,
    get: () => void (path = /file:\S+?secure-json-parse\/[\d.]+\//.exec(probe.stack)![0]),
  });
  secureJsonParse.scan(value);
  return Deno.readTextFileSync(new URL("test/index.test.js", path));
}

/** Counterpart of tape's assertions. */
const assertions = {
  deepEqual: (actual: unknown, expected: unknown) => assertEquals(actual, expected),
  same: (actual: unknown, expected: unknown) => assertEquals(actual, expected),
  strictEqual: (actual: unknown, expected: unknown) => assertEquals(actual, expected),
  throws: (body: () => unknown) => {
    const error = assertThrows(body);
    if (error instanceof Skipped) throw error;
    assert(error instanceof SyntaxError);
  },
  doesNotThrow: (body: () => unknown) => void body(),
  end: () => {},
};

type Body = (t: typeof assertions & { test: typeof test }) => void;
const cases: [name: string, body: () => void][] = [];

function test(name: string, body: Body, outer = ""): void {
  const title = outer === "" ? name : `${outer}: ${name}`;
  const nested: [string, Body][] = [];
  let error: unknown;
  const { stackTraceLimit } = Error;
  try {
    body({ ...assertions, test: (inner, innerBody) => void nested.push([inner, innerBody]) });
  } catch (thrown) {
    error = thrown;
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
  if (nested.length === 0) {
    cases.push([title, () => {
      if (error !== undefined) throw error;
    }]);
  }
  for (const [inner, innerBody] of nested) test(inner, innerBody, title);
}

const modules: Record<string, unknown> = { tape: { test }, "..": adapter };
new Function("require", "Buffer", sourceOfTests())((name: string) => modules[name], Buffer);

describe("the tests of secure-json-parse", () => {
  it("are all there", () => assertEquals(cases.length, 78));

  const skipped: string[] = [];
  for (const [name, run] of cases) {
    it(name, () => {
      try {
        run();
      } catch (error) {
        if (!(error instanceof Skipped)) throw error;
        skipped.push(name);
        console.log(`${name}: skipped, since ${error.message}`);
      }
    });
  }

  it("are run but for those that give the two names different treatment", () => assertEquals(skipped.length, 4));
});
