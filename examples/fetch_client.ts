/**
 * JSON from the web without a string of it: fetches documents and says what they are.
 *
 *     deno run --allow-net examples/fetch_client.ts URL…
 */
import process from "node:process";
import { detach, parseBinary, type ParseResult, readBytes } from "../mod.ts";

const MAX_BYTES = 100_000_000;
const MAX_MILLISECONDS = 30_000;

/**
 * The document at an address.
 *
 * @returns The value, or why the body is no JSON text. Rejects if there is no body of at most `maxBytes` in time.
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
  // What Content-Length says is the size before decompression.
  const compressed = response.headers.has("content-encoding");
  const sizeHint = compressed ? undefined : Number(response.headers.get("content-length"));
  const bytes = await readBytes(response.body ?? [], { sizeHint, maxBytes, signal });
  const result = parseBinary<T>(bytes);
  detach(bytes);
  return result;
}

if (import.meta.main) {
  for (const url of process.argv.slice(2)) {
    const result = await fetchJson(url);
    if (result.ok) console.log(url, result.value);
    else console.error(`${url}:${result.line}:${result.column}: ${result.message}`);
  }
}
