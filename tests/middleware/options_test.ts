/** Options of the middleware: wrong ones are refused before the first request. */

import { assertEquals, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { json } from "../../middleware/express.ts";
import { jsonBody } from "../../middleware/hono.ts";
import { jsonHandler } from "../../middleware/http.ts";
import { selector } from "../../mod.ts";
import { parserOf } from "../support/fake_request.ts";
import { price } from "../support/price_schema.ts";

// deno-lint-ignore no-explicit-any
type Any = any;

const MAKERS: Record<string, (options: Any) => unknown> = {
  jsonBody,
  jsonHandler: (options) => jsonHandler(() => {}, options),
  json,
  jsonParser: (options) => parserOf({}, options),
};

/** Options that every middleware refuses, with the messages. */
const WRONG: [options: object, message: string][] = [
  [{ maxDepth: -1 }, "Cannot use maxDepth: -1"],
  [{ maxDeph: 5 }, "did you mean maxDepth?"],
  [{ protoKeys: "remove" }, "Cannot use protoKeys"],
  [{ timeout: "1s" }, "Cannot use timeout: 1s: expected a non-negative number of milliseconds"],
  [{ timeout: NaN }, "Cannot use timeout: NaN"],
  [{ schema: {} }, "schema"],
  [{ schema: price, select: {} }, "select"],
  [{ passUnchecked: true }, "passUnchecked"],
  [{ schema: price, passUnchecked: "yes" }, "Cannot use passUnchecked"],
  [{ select: { a: true } }, "select"],
  [{ empty: "null" }, 'Cannot use empty: null: expected "reject" or "undefined"'],
  [{ keepBytes: "yes" }, "Cannot use keepBytes: yes: expected a boolean"],
];

describe("options of the middleware", () => {
  const OF_READ_JSON: typeof WRONG = [
    [{ maxBytes: "1mb" }, "Cannot use maxBytes: 1mb"],
    [{ contentType: "text" }, "Cannot use contentType: text"],
    [{ limit: 1 }, "Cannot use limit: 1"],
  ];
  const OWN: Record<string, typeof WRONG> = {
    jsonBody: OF_READ_JSON,
    jsonHandler: OF_READ_JSON,
    json: [
      [{ limit: "much" }, 'option limit "much" is invalid'],
      [{ limit: NaN }, 'option limit "NaN" is invalid'],
      [{ limit: {} }, 'option limit "[object Object]" is invalid'],
      [{ verify: "lol" }, "option verify must be function"],
      [{ type: "json5" }, "Cannot use type: json5: expected a media type"],
      [{ type: [7] }, "Cannot use type: 7"],
      [{ schema: price, reviver: () => 1 }, "Cannot use reviver with select or schema"],
      [{ select: selector(true), reviver: () => 1 }, "Cannot use reviver with select or schema"],
    ],
  };
  for (const [name, make] of Object.entries(MAKERS)) {
    it(`are checked by ${name}()`, () => {
      for (const [options, message] of [...WRONG, ...OWN[name] ?? []]) {
        assertThrows(() => make(options), TypeError, message);
      }
      make({ maxDepth: 5, timeout: 100, schema: price, select: selector({ items: true }) });
    });
  }

  it("of Express may be those of body-parser", () => {
    for (const limit of [0, 1.5, "1", "1b", "1.5KB", " 7 gb", "7 gb", null, undefined, Infinity]) {
      json({ limit } as Any);
    }
    json({ extended: true, reviver: null, verify: false, type: "" } as Any);
    assertEquals(json(null).length, 3);
  });
});
