/** Callbacks of a program that fail, or do what nobody expects, in each framework: all is answered. */

import { assert, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import express from "express";
import { fastify } from "fastify";
import { Hono } from "hono";
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "../../middleware/express.ts";
import { jsonParser } from "../../middleware/fastify.ts";
import { jsonBody } from "../../middleware/hono.ts";
import { jsonHandler } from "../../middleware/http.ts";
import { parseBinary } from "../../parse_binary.ts";
import { utf8 } from "../support/bytes.ts";

// deno-lint-ignore no-explicit-any
type Any = any;

type Callback = (...given: Any[]) => unknown;

/** What a callback may do. */
const DEEDS: Record<string, Callback> = {
  throws: () => {
    throw new Error("thrown");
  },
  "throws what is no error": () => {
    throw undefined;
  },
  rejects: () => Promise.reject(new Error("rejected")),
  "returns nothing": () => undefined,
  "returns null": () => null,
  "returns nonsense": () => ({ issues: 7, ok: "?", then: 1 }),
  "names issues that are none": () => ({ issues: [null, { path: 5 }, { path: [null, {}] }, "text"] }),
  "calls back in": () => {
    const result = parseBinary(utf8("[1,{}]"));
    return { value: result.ok && result.value };
  },
};

function schemaOf(validate: Callback): Any {
  return { "~standard": { version: 1, vendor: "tests", validate } };
}

/** Options by which a program calls back, for a request with a good body or a bad one. */
const CALLBACKS: Record<string, { body: string; options(deed: Callback): Any; only?: string[]; isSync?: true }> = {
  schema: { body: '{"a":[1]}', options: (deed) => ({ schema: schemaOf(deed) }) },
  number: { body: '{"a":[1]}', options: (deed) => ({ numbers: "source", number: deed }), isSync: true },
  onFailure: { body: "{", options: (onFailure) => ({ onFailure }), only: ["hono", "http"] },
  onError: {
    body: '{"a":[1]}',
    options: (onError) => ({ onError, schema: schemaOf(DEEDS.throws) }),
    only: ["http"],
  },
  reviver: { body: '{"a":[1]}', options: (reviver) => ({ reviver }), only: ["express"], isSync: true },
  verify: { body: '{"a":[1]}', options: (verify) => ({ verify }), only: ["express"], isSync: true },
};

/** Sends a body to a handler of `node:http`. Returns the status. */
async function statusOf(listener: RequestListener, body: string): Promise<number> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  try {
    return await send(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, body);
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
}

async function send(url: string, body: string): Promise<number> {
  const headers = { "content-type": "application/json" };
  const response = await fetch(url, { method: "POST", body, headers, signal: AbortSignal.timeout(5_000) });
  await response.text();
  return response.status;
}

/** Answers of the frameworks, by their names. */
const FRAMEWORKS: Record<string, (options: Any, body: string) => Promise<number>> = {
  http(options, body) {
    const onError = (_request: unknown, response: ServerResponse): void => void response.writeHead(500).end();
    const handler = jsonHandler(
      (_request: IncomingMessage, response: ServerResponse) => response.end("done"),
      { onError, ...options } as object,
    );
    return statusOf((request, response) => {
      // A callback that does not answer leaves that to the program.
      void handler(request, response).then(() => response.writableEnded || response.writeHead(500).end());
    }, body);
  },
  express(options, body) {
    const app = express();
    app.use(json(options));
    app.post("/", (_request: Any, response: Any) => response.end("done"));
    app.use((error: Any, _request: Any, response: Any, _next: unknown) => {
      response.status(error.status ?? 500).end();
    });
    return statusOf(app as Any, body);
  },
  async fastify(options, body) {
    const app: Any = fastify();
    await app.register(jsonParser, options);
    app.post("/", () => "done");
    try {
      return await send(await app.listen({ host: "127.0.0.1", port: 0 }), body);
    } finally {
      await app.close();
    }
  },
  async hono(options, body) {
    const app = new Hono();
    app.onError((_error, c) => c.text("failed", 500));
    app.post("/", jsonBody(options) as Any, (c) => c.text("done"));
    const request = new Request("http://localhost/", {
      method: "POST",
      body,
      headers: { "content-type": "application/json" },
    });
    try {
      const response = await app.fetch(request);
      await response.text();
      return response.status;
    } catch (error) {
      assertEquals(error, undefined); // Hono passes on what is no error to the server, which answers 500
      return 500;
    }
  },
};

describe("a callback of the program", () => {
  for (const [framework, answer] of Object.entries(FRAMEWORKS)) {
    for (const [name, { body, options, only, isSync }] of Object.entries(CALLBACKS)) {
      if (only !== undefined && !only.includes(framework)) continue;
      it(`${name} of ${framework} is answered whatever it does, and the next request too`, async () => {
        const unhandled: unknown[] = [];
        const note = (event: PromiseRejectionEvent): void => {
          event.preventDefault();
          unhandled.push(event.reason);
        };
        addEventListener("unhandledrejection", note);
        try {
          for (const [what, deed] of Object.entries(DEEDS)) {
            if (isSync && what === "rejects") continue; // its promise is a value, for the program to handle
            const status = await answer(options(deed), body);
            assert(status === 200 || status >= 400 && status <= 500, `${what}: ${status}`);
          }
          assertEquals(await answer({}, '{"a":1}'), 200);
        } finally {
          removeEventListener("unhandledrejection", note);
        }
        assertEquals(unhandled, []);
      });
    }
  }
});
