/**
 * Tests of recognising the requests that a server has received, in runtimes that differ in this.
 */

import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { loadFresh, loadFreshWith } from "../../support/modules.ts";

type ReceivedRequest = typeof import("../../../parser/bodies/received_request.ts");

const PATH = "parser/bodies/received_request.ts";

/** Returns the request that a server of Deno receives. */
async function receivedRequest(): Promise<Request> {
  const { promise, resolve } = Promise.withResolvers<Request>();
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, (request) => {
    resolve(request);
    return new Response();
  });
  const response = await fetch(`http://127.0.0.1:${server.addr.port}`);
  await response.body?.cancel();
  await server.shutdown();
  return await promise;
}

describe("hasTrueLength()", () => {
  it("trusts requests of Deno's server, and none that a program makes", async () => {
    const { hasTrueLength } = await loadFresh<ReceivedRequest>(PATH);
    const received = await receivedRequest();
    assertEquals(hasTrueLength(received), true);
    assertEquals(hasTrueLength(new Request("http://localhost/")), false);
    assertEquals(hasTrueLength({ [Symbol("headers guard")]: "immutable" }), false);
  });

  it("trusts no request of an engine that does not mark them", async () => {
    const { hasTrueLength } = await loadFresh<ReceivedRequest>(PATH);
    assertEquals(hasTrueLength({ [Symbol("headers")]: "immutable" }), false);
  });

  it("trusts every request in Bun, and none in Node.js", async () => {
    const bun = await loadFreshWith<ReceivedRequest>(PATH, { Deno: undefined, Bun: {} });
    assertEquals(bun.hasTrueLength({}), true);
    const node = await loadFreshWith<ReceivedRequest>(PATH, { Deno: undefined, Bun: undefined });
    assertEquals(node.hasTrueLength({}), false);
  });
});
