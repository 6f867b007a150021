/**
 * Callbacks of a program that fail, or do what nobody expects, and the answers of the middleware.
 */

import { parseBinary } from "../../parse_binary.ts";
import { utf8 } from "./bytes.ts";
import { price } from "./price_schema.ts";

// deno-lint-ignore no-explicit-any
type Any = any;

type Callback = (this: unknown, ...given: Any[]) => unknown;

/** Framework with a middleware. */
export type Framework = "express" | "fastify" | "http" | "hono";

/** Option of the middleware by which a program calls back. */
interface CallbackOption {
  frameworks: readonly Framework[];
  body: string;
  /** Makes the options of the middleware. */
  options(deed: Callback): Any;
  /** Status of the answers, by what the callback does. */
  statuses: Partial<Record<keyof typeof DEEDS, number>>;
  /** Status of all other answers. */
  status: number;
}

/** Status by which the server of `node:http` here tells that nobody has answered. */
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

/** Returns a status for each of some deeds. */
function each(deeds: readonly (keyof typeof DEEDS)[], status: number): CallbackOption["statuses"] {
  return Object.fromEntries(deeds.map((deed) => [deed, status]));
}

function schemaOf(validate: Callback): Any {
  return { "~standard": { version: 1, vendor: "tests", validate } };
}

/** Options by which a program calls back. */
export const CALLBACKS: Record<string, CallbackOption> = {
  schema: {
    frameworks: ALL,
    body: GOOD,
    options: (deed) => ({ schema: schemaOf(deed) }),
    statuses: { "calls back in": 200 },
    status: 500,
  },
  number: {
    frameworks: ALL,
    body: GOOD,
    options: (deed) => ({ numbers: "source", number: deed }),
    statuses: each([...FAILURES, ...REJECTIONS], 500),
    status: 200,
  },
  "number before a schema": {
    frameworks: ALL,
    body: '{"items":[{"price":1}]}',
    options: (deed) => ({ numbers: "source", number: deed, schema: price }),
    statuses: { ...each([...FAILURES, ...REJECTIONS], 500), "nests what it is called on": 200 },
    status: 422,
  },
  onFailure: {
    frameworks: ["hono"],
    body: "{",
    options: (onFailure) => ({ onFailure }),
    statuses: each([...FAILURES, ...REJECTIONS], 500),
    status: 400,
  },
  "onFailure of node:http": {
    frameworks: ["http"],
    body: "{",
    options: (onFailure) => ({ onFailure }),
    statuses: each([...FAILURES, ...REJECTIONS], 500),
    status: NOT_ANSWERED,
  },
  onError: {
    frameworks: ["http"],
    body: GOOD,
    options: (onError) => ({ onError, schema: schemaOf(DEEDS.throws) }),
    statuses: each([...FAILURES, ...REJECTIONS], 500),
    status: NOT_ANSWERED,
  },
  reviver: {
    frameworks: ["express"],
    body: GOOD,
    options: (reviver) => ({ reviver }),
    statuses: { ...each(FAILURES, 400), ...each(REJECTIONS, 500), "nests what it is called on": 400 },
    status: 200,
  },
  verify: {
    frameworks: ["express"],
    body: GOOD,
    options: (verify) => ({ verify }),
    statuses: each([...FAILURES, ...REJECTIONS], 403),
    status: 200,
  },
  type: {
    frameworks: ["express"],
    body: GOOD,
    options: (type) => ({ type }),
    statuses: each([...FAILURES, ...REJECTIONS], 500),
    status: 200,
  },
};

/** Returns the paths of the callbacks of a framework, with the options of the middleware. */
export function callbackPaths(framework: Framework): [path: string, options: Any][] {
  return Object.entries(CALLBACKS).filter(([, { frameworks }]) => frameworks.includes(framework)).flatMap((
    [name, { options }],
  ) => Object.entries(DEEDS).map(([deed, callback]): [string, Any] => [callbackPath(name, deed), options(callback)]));
}

/** Returns the path of a callback that does something. */
export function callbackPath(name: string, deed: string): string {
  return `/callbacks/${name}/${deed}`.replaceAll(/[ :]/g, "-");
}
