/** Callbacks of a caller that fail or misbehave, and the answers of the middleware. */

import { parseBinary } from "../../parse_binary.ts";
import { utf8 } from "./bytes.ts";
import { price, schemaOf } from "./price_schema.ts";

// deno-lint-ignore no-explicit-any
type Any = any;

type Callback = (this: unknown, ...given: Any[]) => unknown;

export type Framework = "express" | "fastify" | "http" | "hono";

/** Option of the middleware that takes a callback. */
interface CallbackOption {
  frameworks: readonly Framework[];
  body: string;
  /** Makes the options of the middleware. */
  options(deed: Callback): Any;
  /** Statuses of the responses, by the callback's action. */
  statuses: Partial<Record<keyof typeof DEEDS, number>>;
  /** Status of all other responses. */
  status: number;
}

/** Status of the `node:http` server of the tests if no handler has answered. */
export const NOT_ANSWERED = 418;

/** Actions of a callback. */
export const DEEDS = {
  "throws": () => {
    throw new Error("of a callback");
  },
  "throws undefined": () => {
    throw undefined;
  },
  "throws the word of Express for another route": () => {
    throw "route";
  },
  "rejects": () => Promise.reject(new Error("of a callback")),
  "rejects with undefined": () => Promise.reject(undefined),
  "returns nothing": () => undefined,
  "returns null": () => null,
  "returns an empty object": () => ({}),
  "returns nonsense": () => ({ issues: 7, value: 1, ok: "?", then: 1 }),
  "names issues that are none": () => ({ issues: [null, { path: 5 }, { path: [null, {}] }, "text"] }),
  "calls back in": () => {
    const result = parseBinary(utf8("[1,{}]"));
    return { value: result.ok && result.value };
  },
  "nests what it is called on": function () {
    if (typeof this === "object" && this !== null && "b" in this) this.b = this;
    return 1;
  },
} as const satisfies Record<string, Callback>;

const FAILURES = ["throws", "throws undefined", "throws the word of Express for another route"] as const;
const REJECTIONS = ["rejects", "rejects with undefined"] as const;
const ALL: readonly Framework[] = ["express", "fastify", "http", "hono"];
const GOOD = '{"a":1,"b":{"c":[2]}}';

/** Returns a status for each of the actions. */
function each(deeds: readonly (keyof typeof DEEDS)[], status: number): CallbackOption["statuses"] {
  return Object.fromEntries(deeds.map((deed) => [deed, status]));
}

/** Makes an option of frameworks, with the status if a callback fails, and otherwise. */
function option(
  frameworks: readonly Framework[],
  options: CallbackOption["options"],
  failed: number,
  status: number,
  more: Partial<CallbackOption> = {},
): CallbackOption {
  return { frameworks, body: GOOD, options, statuses: each([...FAILURES, ...REJECTIONS], failed), status, ...more };
}

const bySchema: CallbackOption["options"] = (deed) => ({ schema: schemaOf(deed) });
const byNumber: CallbackOption["options"] = (number) => ({ numbers: "source", number });
const onFailure: CallbackOption["options"] = (onFailure) => ({ onFailure });

/** Options that take callbacks. */
export const CALLBACKS: Record<string, CallbackOption> = {
  schema: option(ALL, bySchema, 500, 500, { statuses: { "calls back in": 200 } }),
  number: option(ALL, byNumber, 500, 200),
  "number before a schema": option(ALL, (deed) => ({ ...byNumber(deed), schema: price }), 500, 422, {
    body: '{"items":[{"price":1}]}',
    statuses: { ...each([...FAILURES, ...REJECTIONS], 500), "nests what it is called on": 200 },
  }),
  onFailure: option(["hono"], onFailure, 500, 400, { body: "{" }),
  "onFailure of node:http": option(["http"], onFailure, 500, NOT_ANSWERED, { body: "{" }),
  onError: option(["http"], (onError) => ({ onError, ...bySchema(DEEDS.throws) }), 500, NOT_ANSWERED),
  reviver: option(["express"], (reviver) => ({ reviver }), 400, 200, {
    statuses: { ...each(FAILURES, 400), ...each(REJECTIONS, 500), "nests what it is called on": 400 },
  }),
  verify: option(["express"], (verify) => ({ verify }), 403, 200),
  type: option(["express"], (type) => ({ type }), 500, 200),
};

/** Returns the paths of the callbacks of a framework, with the options of the middleware. */
export function callbackPaths(framework: Framework): [path: string, options: Any][] {
  const own = Object.entries(CALLBACKS).filter(([, { frameworks }]) => frameworks.includes(framework));
  const deeds = Object.entries<Callback>(DEEDS);
  return own.flatMap(([name, { options }]) =>
    deeds.map(([deed, callback]): [string, Any] => [callbackPath(name, deed), options(callback)])
  );
}

/** Returns the path of a callback that does something. */
export function callbackPath(name: string, deed: string): string {
  return `/callbacks/${name}/${deed}`.replaceAll(/[ :]/g, "-");
}
