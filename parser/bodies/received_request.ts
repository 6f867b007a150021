/** Recognition of requests that a server of the runtime has received. */

/** Part of the runtimes' globals. */
const { Bun, Deno } = globalThis as { Bun?: unknown; Deno?: unknown };

/** Symbol of the property that marks headers as immutable; `null` if there is none. */
let headersGuard: symbol | null | undefined = Deno === undefined ? null : undefined;

/**
 * Returns whether the server ensures that a request is as long as its `Content-Length`, so that
 * reading all of it is bounded. Reading the stream of a body takes twice the time of `arrayBuffer`
 * (1 B over HTTP).
 *
 * A program can give a request that it makes itself any length. In Deno, the headers of a
 * request are immutable only if the server has made it. Bun has no such mark, so any `Request`
 * is trusted there.
 */
export function hasTrueLength(request: object): boolean {
  if (headersGuard === undefined) headersGuard = findHeadersGuard(request);
  if (headersGuard === null) return Bun !== undefined;
  return (request as Record<symbol, unknown>)[headersGuard] === "immutable";
}

function findHeadersGuard(request: object): symbol | null {
  const symbols = Object.getOwnPropertySymbols(request);
  for (let i = 0; i < symbols.length; i++) if (symbols[i].description === "headers guard") return symbols[i];
  return null;
}
