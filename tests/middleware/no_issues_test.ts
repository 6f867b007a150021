/** Answers of the middleware to a schema that refuses a value and names no issue. */

import { assertEquals, assertRejects } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { Readable } from "node:stream";
import { answerTo } from "../../middleware/failure_answer.ts";
import { type FastifyInstanceLike, jsonParser } from "../../middleware/fastify.ts";
import { parseWithSchema, type ReadJsonFailure, type StandardSchemaV1 } from "../../read_json.ts";
import { utf8 } from "../support/bytes.ts";

const refusing: StandardSchemaV1 = {
  "~standard": { version: 1, vendor: "tests", validate: () => ({ issues: [] }) },
};
const MESSAGE = "Value does not conform to the schema";

describe("a schema that names no issue", () => {
  it("is answered by the message of the failure", () => {
    const failure = parseWithSchema(utf8("1"), refusing) as ReadJsonFailure;
    assertEquals(answerTo(failure), { error: MESSAGE, code: "schema" });
  });

  it("is answered so by Fastify, too", async () => {
    let parse: (request: unknown, payload: unknown) => Promise<unknown> = () => Promise.resolve();
    const app: FastifyInstanceLike = {
      initialConfig: {},
      hasContentTypeParser: () => false,
      removeContentTypeParser() {},
      addContentTypeParser: (_, parser) => parse = parser,
      addHook() {},
    };
    jsonParser(app, { schema: refusing }, () => {});
    const request = { headers: {}, routeOptions: {} };
    const error = await assertRejects(() => parse(request, Readable.from([utf8("1")])), Error, MESSAGE);
    assertEquals((error as { statusCode?: number }).statusCode, 422);
  });
});
