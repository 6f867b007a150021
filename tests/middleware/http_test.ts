/** Tests of `./http` with messages and responses made by hand. */

import { assertEquals, assertRejects, assertStrictEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { jsonHandler, type JsonHandlerOptions } from "../../middleware/http.ts";
import { utf8 } from "../support/bytes.ts";
import { FakeRequest } from "../support/fake_request.ts";
import { schemaOf } from "../support/price_schema.ts";

/** Response that notes what it is told. */
class FakeResponse {
  statusCode = 200;
  text: string | undefined;
  readonly headers: Record<string, string> = {};
  readonly headersSent: boolean;
  readonly writableEnded: boolean;
  isDestroyed = false;

  constructor(headersSent = false, writableEnded = false) {
    this.headersSent = headersSent;
    this.writableEnded = writableEnded;
  }

  destroy(): void {
    this.isDestroyed = true;
  }

  setHeader(name: string, value: string): void {
    this.headers[name] = value;
  }

  end(text?: string): void {
    this.text = text;
  }
}

/** Options of handlers here. */
type Options = JsonHandlerOptions & { schema?: undefined };

/** Sends a body to a handler that answers with the value. Without a text, the body never ends. */
async function exchange(
  text: string | undefined,
  options: Options = {},
  message: FakeRequest = new FakeRequest(),
  response: FakeResponse = new FakeResponse(),
): Promise<FakeResponse> {
  const handler = jsonHandler((_request, response, value) => response.end(JSON.stringify({ value })), options);
  const handling = handler(message, response);
  if (text !== undefined) {
    message.emit("data", utf8(text));
    message.emit("end");
  }
  await handling;
  return response;
}

describe("jsonHandler()", () => {
  it("answers a bad body with its place, and lets the rest flow on", async () => {
    const message = new FakeRequest();
    const { statusCode, text, headers } = await exchange("[1,]", {}, message);
    const error = "Unexpected token ']' in JSON at position 3 (line 1 column 4)";
    const code = "unexpected-token";
    assertEquals([statusCode, JSON.parse(text!)], [400, { error, code, offset: 3, line: 1, column: 4 }]);
    assertEquals([headers, message.calls], [{ "content-type": "application/json" }, ["resume"]]);
  });

  it("answers with the message of the failure where a schema names no issue", async () => {
    const { statusCode, text } = await exchange("1", { schema: schemaOf(() => ({ issues: [] })) } as object);
    assertEquals([statusCode, text], [422, '{"error":"Value does not conform to the schema","code":"schema"}']);
  });

  it("answers 415 to another type, unless it takes any", async () => {
    const typed = (): FakeRequest => new FakeRequest(undefined, { "content-type": "text/plain" });
    assertEquals((await exchange(undefined, {}, typed())).statusCode, 415);
    assertEquals((await exchange("[1]", { contentType: "any" }, typed())).text, '{"value":[1]}');
  });

  it("closes the connection of a body that is too slow, if the head is not sent", async () => {
    const type = { "content-type": "application/json" };
    const slow = await exchange(undefined, { timeout: 5 });
    assertEquals([slow.statusCode, slow.headers], [408, { connection: "close", ...type }]);
    assertEquals((await exchange(undefined, { timeout: 5 }, new FakeRequest(), new FakeResponse(true))).headers, type);
  });

  it("hands failures to onFailure, and errors of the handler to onError", async () => {
    const message = new FakeRequest();
    const response = new FakeResponse();
    let failed: unknown[] = [];
    await exchange("{", { onFailure: (...given) => failed = given }, message, response);
    assertStrictEquals(failed[0], message);
    assertStrictEquals(failed[1], response);
    assertEquals((failed[2] as { code: string }).code, "expected-property-name-or-brace");
    assertEquals(response.text, undefined);
    const error = new Error("of the handler");
    const failing = (options: Options): Promise<void> =>
      jsonHandler(() => Promise.reject(error), options)(new FakeRequest([utf8("1")]), response);
    assertStrictEquals(await assertRejects(() => failing({})), error);
    let caught: unknown[] = [];
    await failing({ onError: (...given) => caught = given });
    assertEquals(caught.slice(1), [response, error]);
  });

  const thrown = new Error("of a callback");
  const refuse = (): never => {
    throw thrown;
  };
  const reject = (): Promise<never> => Promise.reject(thrown);
  const CALLBACKS: Record<string, [body: string, options: Options]> = {
    "a schema": ["[1]", { schema: schemaOf(reject) } as object],
    "a function of numbers": ["[1]", { numbers: "source", number: refuse }],
    "an onFailure": ["{", { onFailure: refuse }],
  };
  for (const [name, [body, options]] of Object.entries(CALLBACKS)) {
    it(`hands the error of ${name} to onError, and rejects with it without one`, async () => {
      let caught: unknown;
      await exchange(body, { ...options, onError: (_request, _response, error) => caught = error });
      assertStrictEquals(caught, thrown);
      assertStrictEquals(await assertRejects(() => exchange(body, options)), thrown);
    });
  }

  it("answers 500 where onError fails, and cuts off an answer that was begun", async () => {
    for (const onError of [refuse, reject]) {
      const options = { numbers: "source", number: refuse, onError } as const;
      const { statusCode, headers, text } = await exchange("[1]", options);
      assertEquals([statusCode, text], [500, '{"error":"Internal Server Error"}']);
      assertEquals(headers, { connection: "close", "content-type": "application/json" });
      for (const isEnded of [false, true]) {
        const response = new FakeResponse(true, isEnded);
        await exchange("[1]", options, new FakeRequest(), response);
        assertEquals([response.statusCode, response.text, response.isDestroyed], [200, undefined, !isEnded]);
      }
    }
  });
});
