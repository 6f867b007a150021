/** Tests of `./http` with messages and responses made by hand. */

import { assertEquals, assertRejects, assertStrictEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { EventEmitter } from "node:events";
import { jsonHandler, type JsonHandlerOptions } from "../../middleware/http.ts";
import { utf8 } from "../support/bytes.ts";

/** Message that notes whether it flows on. */
class FakeMessage extends EventEmitter {
  readonly headers: Record<string, string>;
  flows = false;

  constructor(headers: Record<string, string> = { "content-type": "application/json" }) {
    super();
    this.headers = headers;
  }

  resume(): void {
    this.flows = true;
  }
}

/** Response that notes what it is told. */
class FakeResponse {
  statusCode = 200;
  text: string | undefined;
  readonly headers: Record<string, string> = {};
  readonly headersSent: boolean;

  constructor(headersSent = false) {
    this.headersSent = headersSent;
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
  message: FakeMessage = new FakeMessage(),
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
  it("calls the handler with the value", async () => {
    const { statusCode, text, headers } = await exchange("[1]");
    assertEquals([statusCode, text, headers], [200, '{"value":[1]}', {}]);
  });

  it("answers a bad body with its place, and lets the rest flow on", async () => {
    const message = new FakeMessage();
    const { statusCode, text, headers } = await exchange("[1,]", {}, message);
    const error = "Unexpected token ']' in JSON at position 3 (line 1 column 4)";
    assertEquals([statusCode, JSON.parse(text!)], [400, { error, offset: 3, line: 1, column: 4 }]);
    assertEquals([headers, message.flows], [{ "content-type": "application/json" }, true]);
  });

  it("answers 415 to another type, unless it takes any", async () => {
    const typed = (): FakeMessage => new FakeMessage({ "content-type": "text/plain" });
    assertEquals((await exchange(undefined, {}, typed())).statusCode, 415);
    assertEquals((await exchange("[1]", { contentType: "any" }, typed())).text, '{"value":[1]}');
  });

  it("closes the connection of a body that is too slow, if the head is not sent", async () => {
    const type = { "content-type": "application/json" };
    const slow = await exchange(undefined, { timeout: 5 });
    assertEquals([slow.statusCode, slow.headers], [408, { connection: "close", ...type }]);
    const sent = await exchange(undefined, { timeout: 5 }, new FakeMessage(), new FakeResponse(true));
    assertEquals(sent.headers, type);
  });

  it("hands failures to onFailure, and errors of the handler to onError", async () => {
    const message = new FakeMessage();
    const response = new FakeResponse();
    let failed: unknown[] = [];
    await exchange("{", { onFailure: (...given) => failed = given }, message, response);
    assertStrictEquals(failed[0], message);
    assertStrictEquals(failed[1], response);
    assertEquals((failed[2] as { code: string }).code, "expected-property-name-or-brace");
    assertEquals(response.text, undefined);
    const error = new Error("of the handler");
    const failing = (options: Options): Promise<void> => {
      const request = new FakeMessage();
      const handling = jsonHandler(() => Promise.reject(error), options)(request, response);
      request.emit("data", utf8("1"));
      request.emit("end");
      return handling;
    };
    assertStrictEquals(await assertRejects(() => failing({})), error);
    let caught: unknown[] = [];
    await failing({ onError: (...given) => caught = given });
    assertStrictEquals(caught[1], response);
    assertStrictEquals(caught[2], error);
  });
});
