/**
 * Keeps the page and its scripts for offline use. With a network, the server's files are used, so
 * that old and new scripts do not mix.
 *
 * The responses get headers that isolate the page from other origins. Chromium measures memory only
 * in such pages, and not every server sends these headers.
 */

/// <reference lib="dom" />

/** Members of a service worker's event that are used; the types for pages lack it. */
interface WorkerEvent extends Event {
  readonly request: Request;
  waitUntil(promise: Promise<unknown>): void;
  respondWith(response: Promise<Response>): void;
}

/** Members of the service worker that are used. */
interface WorkerScope {
  readonly registration: { readonly scope: string };
  readonly clients: { claim(): Promise<void> };
  skipWaiting(): Promise<void>;
  addEventListener(type: "install" | "activate" | "fetch", listener: (event: WorkerEvent) => void): void;
}

/** Name of the cache, with the digest of the files: the build puts it here. */
const CACHE = "bytejson-site-DIGEST";

const FILES = ["./", "style.css", "icon.svg", "page.js", "worker.js"];

const HEADERS = {
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-embedder-policy": "require-corp",
  "cross-origin-resource-policy": "same-origin",
};

const scope = globalThis as unknown as WorkerScope;

/** Returns a response with the headers that isolate the page. */
function isolated(response: Response): Response {
  const { body, status, statusText } = response;
  const headers = new Headers(response.headers);
  for (const [name, value] of Object.entries(HEADERS)) headers.set(name, value);
  return new Response(body, { status, statusText, headers });
}

/** Answers from the server, or from the cache if there is no network. */
async function answer(request: Request): Promise<Response> {
  try {
    return isolated(await fetch(request));
  } catch (error) {
    const kept = await caches.match(request.mode === "navigate" ? "./" : request, { ignoreSearch: true });
    if (kept === undefined) throw error;
    return isolated(kept);
  }
}

scope.addEventListener("install", (event) => {
  const keep = async (): Promise<void> => {
    const cache = await caches.open(CACHE);
    await cache.addAll(FILES.map((file) => new Request(file, { cache: "reload" })));
    await scope.skipWaiting();
  };
  event.waitUntil(keep());
});

scope.addEventListener("activate", (event) => {
  const clear = async (): Promise<void> => {
    for (const name of await caches.keys()) {
      if (name.startsWith("bytejson-site-") && name !== CACHE) await caches.delete(name);
    }
    await scope.clients.claim();
  };
  event.waitUntil(clear());
});

scope.addEventListener("fetch", (event) => {
  const { request } = event;
  const isOurs = request.method === "GET" && request.url.startsWith(scope.registration.scope);
  if (isOurs) event.respondWith(answer(request));
});
