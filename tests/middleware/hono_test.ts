/** Tests of `./hono` with Hono's own types and validators. */

import { zValidator } from "@hono/zod-validator";
import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { type Context, Hono } from "hono";
import { validator } from "hono/validator";
import { z } from "zod";
import { jsonBody, type JsonBodyOptions } from "../../middleware/hono.ts";
import { selector, UNTRUSTED } from "../../mod.ts";

const Order = z.object({ items: z.array(z.object({ price: z.number("Expected number") })) });
const GOOD = '{"items": [{"price": 1.5, "note": "x"}]}';
const VALUE = { items: [{ price: 1.5 }] };

function post(body: BodyInit | null, type: string | null = "application/json", headers = {}): RequestInit {
  return { method: "POST", body, headers: { ...headers, ...type !== null && { "content-type": type } } };
}

/** Makes an application that answers with the value of a body. */
function echo(options: JsonBodyOptions): Hono {
  return new Hono().post("/", jsonBody(options), async (c) => c.json(await c.req.json()));
}

describe("jsonBody()", () => {
  it("lets Hono's validator and that of Zod check the value, with their types", async () => {
    const app = new Hono()
      .post("/plain", jsonBody(), validator("json", (value) => value as { items: unknown[] }), (c) => {
        const { items } = c.req.valid("json");
        return c.json(items.length);
      })
      .post("/zod", jsonBody(UNTRUSTED), zValidator("json", Order), (c) => {
        const order: z.infer<typeof Order> = c.req.valid("json");
        return c.json(order);
      });
    assertEquals(await (await app.request("/plain", post(GOOD))).json(), 1);
    assertEquals(await (await app.request("/zod", post(GOOD))).json(), VALUE);
    assertEquals((await app.request("/zod", post('{"items": 1}'))).status, 400);
    assertEquals((await app.request("/zod", post('{"items": [], "items": []}'))).status, 400);
  });

  it("answers with the place of the first issue, and with all if there are several", async () => {
    const app = echo({ schema: Order });
    assertEquals(await (await app.request("/", post(GOOD))).json(), VALUE);
    const one = await app.request("/", post('{\n  "items": [\n    {"price": "1"}]}'));
    const text = '{"error":"Expected number","code":"schema","path":"/items/0/price","line":3,"column":15}';
    assertEquals([one.status, await one.text()], [422, text]);
    const many = await app.request("/", post(`{"items": [${"{},".repeat(30)}{}]}`));
    const { issues, code, ...first } = await many.json();
    assertEquals(first, { error: "Expected number", path: "/items/0/price", line: 1, column: 12 });
    assertEquals([code, issues.length, issues[0], issues[1].path], ["schema", 20, first, "/items/1/price"]);
  });

  it("is used for a whole application, and leaves requests without body alone", async () => {
    const app = new Hono();
    app.use(jsonBody());
    app.get("/", (c) => c.text("get"));
    app.delete("/", (c) => c.text("delete"));
    app.post("/", async (c) => c.json(await c.req.json()));
    app.onError((error, c) => c.text(error.name, 500));
    assertEquals(await (await app.request("/", post("[1]"))).json(), [1]);
    assertEquals(await (await app.request("/", post(null, null))).text(), "SyntaxError");
    assertEquals(await (await app.request("/")).text(), "get");
    assertEquals(await (await app.request("/", { method: "DELETE" })).text(), "delete");
    const empty = { ...post(new ReadableStream({ start: (stream) => stream.close() }), null), duplex: "half" } as const;
    assertEquals(await (await app.request("/", { ...empty, method: "DELETE" })).text(), "delete");
    const cut = { ...post(new Blob(["[1"]).stream(), null), duplex: "half" } as const;
    assertEquals((await app.request("/", { ...cut, method: "DELETE" })).status, 415);
  });

  it("answers 408 if it does not learn in time whether there is a body", async () => {
    const app = new Hono().use(jsonBody({ timeout: 5 }));
    const stalled = { method: "DELETE", body: new ReadableStream(), duplex: "half" } as const;
    assertEquals((await app.request("/", stalled)).status, 408);
  });

  it("keeps the bytes of a body alone, though a server hands them out in a larger buffer", async () => {
    const app = new Hono().post("/bytes", jsonBody(), async (c) => c.body(await c.req.arrayBuffer()));
    await using server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, (request) => {
      const bytes = async () => new TextEncoder().encode(` ${await request.text()} `).subarray(1, -1);
      return app.fetch(Object.defineProperty(request, "bytes", { value: bytes }));
    });
    const response = await fetch(`http://127.0.0.1:${server.addr.port}/bytes`, post(GOOD));
    assertEquals(await response.text(), GOOD);
  });

  it("hands failures to onFailure, with the context and the headers that other middleware has set", async () => {
    type Env = { Variables: { id: string } };
    const app = new Hono<Env>();
    app.use(async (c, next) => {
      c.set("id", "7");
      c.header("x-id", "7");
      await next();
    });
    const limited = jsonBody({
      maxBytes: 5,
      onFailure: ({ code, status }, c: Context<Env>) => c.json({ code, id: c.get("id") }, status as 413),
    });
    app.post("/limited", limited, (c) => c.text("never"));
    app.post("/", jsonBody(), (c) => c.text(""));
    const response = await app.request("/limited", post("[1, 2, 3]"));
    assertEquals([response.status, await response.json()], [413, { code: "too-large", id: "7" }]);
    const { status, headers } = await app.request("/", post("{"));
    assertEquals([status, headers.get("x-id")], [400, "7"]);
  });

  it("takes a selector", async () => {
    const app = echo({ select: selector({ items: [{ price: true }] }) });
    assertEquals(await (await app.request("/", post(GOOD))).json(), VALUE);
  });

  it("throws for a body that others have read before, and with a schema answers 400", async () => {
    const app = new Hono().use(async (c, next) => {
      await c.req.text();
      await next();
    });
    app.post("/", jsonBody(), (c) => c.text("never"));
    app.post("/schema", jsonBody({ schema: Order }), (c) => c.text("never"));
    app.onError((error, c) => c.text(error.name, 500));
    const response = await app.request("/", post(GOOD));
    assertEquals([response.status, await response.text()], [500, "TypeError"]);
    const refused = await app.request("/schema", post(GOOD));
    const error = "Body was read before the schema could check it";
    assertEquals([refused.status, await refused.json()], [400, { error, code: "source-failed" }]);
  });

  it("checks a body that a jsonBody for all routes has read, by the options of the route", async () => {
    const app = new Hono().use("/first/*", jsonBody({ duplicateKeys: "first" }));
    app.use(jsonBody({ maxBytes: 8000, contentType: "any" }));
    const routes: Record<string, JsonBodyOptions> = {
      "/": {},
      "/order": { schema: Order },
      "/passed": { schema: Order, passUnchecked: true },
      "/small": { maxBytes: 50, schema: Order },
      "/unique": { schema: Order, duplicateKeys: "reject" },
      "/first/order": { schema: z.object({ a: z.string() }) },
      "/selected": { select: selector({ items: true }) },
    };
    for (const [path, options] of Object.entries(routes)) {
      app.post(path, jsonBody(options), async (c) => c.json([await c.req.json(), c.req.valid("json" as never)]));
    }
    const twice = '{"items": 1,\n "items": []}';
    const wrong = '{"items":\n [{"price": "1"}]}';
    const long = `{"items": [],${" ".repeat(5000)}\n "a": 1}`;
    const CASES: { path: string; body: string | null; answer: unknown; type?: string | null }[] = [
      { path: "/", body: GOOD, answer: [JSON.parse(GOOD), null] },
      { path: "/", body: GOOD, answer: ["unsupported-media-type"], type: "text/plain" },
      { path: "/order", body: GOOD, answer: [VALUE, VALUE] },
      { path: "/order", body: long, answer: [{ items: [] }, { items: [] }] },
      { path: "/order", body: wrong, answer: ["schema", "/items/0/price", 2, 13] },
      { path: "/order", body: `${wrong}${" ".repeat(8000)}`, answer: ["too-large"] },
      { path: "/passed", body: wrong, answer: ["schema", "/items/0/price", 2, 13] },
      { path: "/passed", body: wrong, answer: [JSON.parse(wrong), null], type: "text/plain" },
      { path: "/small", body: long, answer: ["too-large"] },
      { path: "/unique", body: twice, answer: ["duplicate-key", 2, 2] },
      { path: "/first/order", body: '{"a": 1, "a": "x"}', answer: ["schema", "/a", 1, 7] },
      { path: "/selected", body: '{"a": 1, "items": 2}', answer: [{ items: 2 }, null] },
    ];
    for (const { path, body, answer: expected, type } of CASES) {
      const response = await app.request(path, post(body, type));
      const answer = await response.json();
      const failure = [answer.code, answer.path, answer.line, answer.column].filter((part) => part !== undefined);
      assertEquals(response.ok ? answer : failure, expected, `${path} ${type} ${body}`);
    }
  });

  it("checks the value of one that has read it until the response is made", async () => {
    const app = new Hono().use(jsonBody()).post(
      "/",
      jsonBody({ schema: Order }),
      (c) => c.json(c.req.valid("json" as never)),
    );
    app.onError((error, c) => c.text(error.message, 500));
    for (const body of [GOOD, GOOD.padEnd(5000)]) {
      const request = new Request("http://localhost/", post(body));
      assertEquals(await (await app.request(request)).json(), VALUE);
      assertEquals(await (await app.request(request)).text(), "Cannot read this body: it was read already");
    }
  });

  it("leaves errors of handlers alone", async () => {
    const app = new Hono().post("/", jsonBody(), async (c) => {
      await c.req.json();
      throw new Error("of the handler");
    });
    app.onError((error, c) => c.text(error.message, 500));
    const response = await app.request("/", post("[1]"));
    assertEquals([response.status, await response.text()], [500, "of the handler"]);
  });
});
