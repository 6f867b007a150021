/**
 * JSON from the web without decoding it to a string: fetches documents and prints their values.
 *
 *     deno run --allow-net fetch_client.ts URL…
 *     node fetch_client.ts URL…   # 24.2 or later
 */
import process from "node:process";
import { type ParseResult, parseStream } from "bytejson";

const MAX_BYTES = 100_000_000;
const MAX_MILLISECONDS = 30_000;

/**
 * Fetches the JSON document at an address.
 *
 * @param url Address of the document.
 * @param options `maxBytes` is the maximum length of the body; `signal` ends the request.
 * @returns The value, or the failure of a body that is not JSON. Rejects if the body is longer than
 * `maxBytes`, or does not arrive in time.
 */
export async function fetchJson<T = unknown>(
  url: string | URL,
  { maxBytes = MAX_BYTES, signal = AbortSignal.timeout(MAX_MILLISECONDS) }: {
    maxBytes?: number;
    signal?: AbortSignal;
  } = {},
): Promise<ParseResult<T>> {
  const response = await fetch(url, { headers: { accept: "application/json" }, signal });
  if (!response.ok) {
    await response.body?.cancel();
    throw new Error(`${url} answered ${response.status}`);
  }
  return await parseStream<T>(response, { maxBytes, signal });
}

if (import.meta.main) {
  for (const url of process.argv.slice(2)) {
    try {
      const result = await fetchJson(url);
      if (result.ok) {
        console.log(url, result.value);
        continue;
      }
      console.error(`${url}:${result.line}:${result.column}: ${result.message}`);
    } catch (error) {
      console.error(`${url}: ${error instanceof Error ? error.message : error}`);
    }
    process.exitCode = 1;
  }
}
