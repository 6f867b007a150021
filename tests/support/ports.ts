/** Servers within the process, of Deno, Node.js and Bun. They end with it. */

import type { Server } from "node:http";
import type { AddressInfo } from "node:net";

/** Handler of the Fetch API. */
export type Respond = (request: Request) => Promise<Response>;

/** Parts of the globals of runtimes. */
interface Runtimes {
  Deno?: { serve(options: object, respond: Respond): { addr: { port: number } } };
  Bun?: { serve(options: object): { port: number } };
}

const ADDRESS = { hostname: "127.0.0.1", port: 0 };

/** Starts a server of `node:http`. Returns its port. */
export function listen(server: Server): Promise<number> {
  return new Promise((resolve) => {
    server.listen(0, ADDRESS.hostname, () => resolve((server.address() as AddressInfo).port));
  });
}

/** Serves by the runtime's own server. Returns its port; `undefined` in Node.js, which has none. */
export function serveFetch(respond: Respond): number | undefined {
  const { Deno, Bun } = globalThis as unknown as Runtimes;
  return Deno?.serve({ ...ADDRESS, onListen() {} }, respond).addr.port ??
    Bun?.serve({ ...ADDRESS, fetch: respond }).port;
}
