/**
 * Elements of an array from the web, each as soon as it has arrived: memory is bounded by the
 * largest element, however long the array is.
 *
 *     deno run --allow-net fetch_elements.ts URL [POINTER]
 *     node fetch_elements.ts URL [POINTER]   # 24.2 or later
 */
import process from "node:process";
import { parseValues } from "bytejson";

/** Maximum bytes of a string, number or name. */
const MAX_TOKEN_BYTES = 1_000_000;

/**
 * Fetches a JSON document and iterates over the elements of one of its arrays. Leaving the loop
 * ends the request.
 *
 * @param url Address of the document.
 * @param options `at` is the JSON Pointer of the array, the document itself by default; `signal`
 * ends the request.
 * @returns An iterator of the elements. It throws if there is no document, and a `SyntaxError` if
 * the document is not JSON or has no such array.
 */
export async function* fetchElements<T = unknown>(
  url: string | URL,
  { at = "", signal }: { at?: string; signal?: AbortSignal } = {},
): AsyncGenerator<T, void> {
  const response = await fetch(url, { headers: { accept: "application/json" }, ...(signal && { signal }) });
  if (!response.ok) {
    await response.body?.cancel();
    throw new Error(`${url} answered ${response.status}`);
  }
  const elements = parseValues<T>(response, {
    multiple: "elements",
    at,
    maxTokenBytes: MAX_TOKEN_BYTES,
    signal,
  });
  for await (const element of elements) {
    if (!element.ok) throw new SyntaxError(element.message, { cause: element });
    yield element.value;
  }
}

if (import.meta.main) {
  const [url, at] = process.argv.slice(2);
  let count = 0;
  try {
    for await (const element of fetchElements(url, at === undefined ? {} : { at })) {
      console.log(JSON.stringify(element));
      count++;
    }
    console.error(`${count} elements`);
  } catch (error) {
    console.error(`${url}: ${(error as Error).message}, after ${count} elements`);
    process.exitCode = 1;
  }
}
