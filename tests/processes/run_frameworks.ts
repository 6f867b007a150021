/**
 * Sends requests to NestJS with `./express`, and to oak with `readJson`, as docs/frameworks.md shows
 * them. Prints the answers.
 */

import { Body, Controller, type MiddlewareConsumer, Module, Post } from "@nestjs/common";
import { NestFactory } from "@nestjs/core";
import { ExpressAdapter } from "@nestjs/platform-express";
import { Application } from "@oakserver/oak";
import { json } from "../../middleware/express.ts";
import { readJson } from "../../mod.ts";
import { price } from "../support/price_schema.ts";

class Orders {
  create(order: unknown): unknown {
    return { received: order };
  }
}
Controller("orders")(Orders);
Post()(Orders.prototype, "create", Object.getOwnPropertyDescriptor(Orders.prototype, "create")!);
Body()(Orders.prototype, "create", 0);

class AppModule {
  configure(consumer: MiddlewareConsumer): void {
    consumer.apply(json({ schema: price })).forRoutes("orders");
  }
}
Module({ controllers: [Orders] })(AppModule);

for (const [bodyParser, isGlobal] of [[false, true], [false, false], [true, false]]) {
  const app = await NestFactory.create(AppModule, new ExpressAdapter(), { bodyParser, logger: false });
  if (isGlobal) app.use(json({ limit: "1mb" }));
  await app.listen(0, "127.0.0.1");
  for (const body of ['{"items":[]}', '{"items":7}', "{"]) {
    const headers = { "content-type": "application/json" };
    const answer = await fetch(`${await app.getUrl()}/orders`, { method: "POST", headers, body });
    console.log(answer.status, answer.status === 201 ? await answer.text() : (await answer.json()).statusCode);
  }
  await app.close();
}

const oak = new Application();
oak.use(async (context) => {
  const result = await readJson(context.request.source!, { contentType: "json", maxBytes: 65_536 });
  const answer = result.ok ? Response.json(result.value) : new Response(null, { status: result.status });
  const { status, body, headers } = answer;
  Object.assign(context.response, { status, body, headers });
});
for (const body of ['{"items":[]}', "{", " ".repeat(70_000)]) {
  const headers = { "content-type": "application/json" };
  const request = new Request("http://localhost/", { method: "POST", headers, body });
  const answer = await oak.handle(request as unknown as Parameters<typeof oak.handle>[0]); // types of undici
  console.log(answer?.status, await answer?.text());
}
