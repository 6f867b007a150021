/** Types of `./hono` with those of Hono: what handlers get, and what clients send and get. */

import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { type } from "arktype";
import { type Context, Hono } from "hono";
import { hc } from "hono/client";
import * as v from "valibot";
import { z } from "zod";
import { type FailureAnswer, jsonBody } from "../../middleware/hono.ts";
import { UNTRUSTED } from "../../mod.ts";

/** Fails to compile unless two types are the same. */
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends (<T>() => T extends B ? 1 : 2) ? true : false;
function assertType<_ extends true>(): void {}

const app = new Hono()
  .post(
    "/zod/:id",
    jsonBody({
      ...UNTRUSTED,
      schema: z.object({ at: z.string().transform((text) => new Date(text)), n: z.number().default(7) }),
    }),
    (c) => {
      const { at, n } = c.req.valid("json");
      assertType<Same<typeof at, Date>>();
      return c.json({ year: at.getUTCFullYear(), n, id: c.req.param("id") }, 201);
    },
  )
  .post("/valibot", jsonBody({ schema: v.object({ n: v.pipe(v.string(), v.transform(Number)) }) }), (c) => {
    const value = c.req.valid("json");
    assertType<Same<typeof value, { n: number }>>();
    return c.json(value, 200);
  })
  .put("/arktype", jsonBody({ schema: type({ "n?": "number", tags: "string[]" }) }), (c) => {
    const value = c.req.valid("json");
    assertType<Same<typeof value, { n?: number; tags: string[] }>>();
    return c.json(value.tags);
  })
  .post(
    "/plain",
    jsonBody({ schema: z.object({ n: z.number() }) }),
    async (c) => c.json(await c.req.json() as { n: number }),
  );

const client = hc<typeof app>("http://localhost", {
  fetch: ((input: string, init: RequestInit) => app.request(input, init)) as typeof fetch,
});

describe("jsonBody() with the types of Hono", () => {
  it("types what the client sends and is answered", async () => {
    assertType<
      Same<Parameters<typeof client.zod[":id"]["$post"]>[0]["json"], { at: string; n?: number | undefined }>
    >();
    const made = await client.zod[":id"].$post({ param: { id: "9" }, json: { at: "2020-02-01" } });
    if (made.status === 201) {
      const value = await made.json();
      assertType<Same<typeof value, { year: number; n: number; id: string }>>();
      assertEquals(value, { year: 2020, n: 7, id: "9" });
    }
    // @ts-expect-error a price that the schema refuses
    const refused = await client.valibot.$post({ json: { n: 1 } });
    assertEquals(refused.status as number, 422);
    if (refused.status !== 200) {
      const answer = await refused.json();
      assertType<Same<typeof answer, FailureAnswer>>();
      assertEquals([answer.code, answer.path, answer.line, answer.column], ["schema", "/n", 1, 6]);
    }
    const tags = await client.arktype.$put({ json: { tags: ["a"] } });
    if (tags.ok) assertEquals((await tags.json())[0].toUpperCase(), "A");
    // deno-lint-ignore no-explicit-any
    const plain = await (client as any).plain.$post({ json: { n: 1 } });
    assertEquals(await plain.json(), { n: 1 });
  });

  it("types the answers of onFailure in place of its own", async () => {
    const limited = jsonBody({ maxBytes: 2, onFailure: ({ code }, c: Context) => c.json({ why: code }, 413) });
    jsonBody({
      onFailure: ({ code, status }, c) => c.json({ code }, status, { "content-type": "application/problem+json" }),
    });
    const app = new Hono().post("/", limited, (c) => c.json(1, 200));
    const { index } = hc<typeof app>("http://localhost", { fetch: app.request as typeof fetch });
    const answer = await index.$post(undefined, {
      init: { body: "[1]", headers: { "content-type": "application/json" } },
    });
    if (answer.status !== 413) throw new Error(`status ${answer.status}`);
    const why: string = (await answer.json()).why;
    assertEquals(why, "too-large");
  });
});
