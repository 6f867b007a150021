/**
 * Page that reads a body by one of several ways. It reports twice: before, and the milliseconds
 * after. Parameters: `reader`, and `size` of the body in bytes.
 *
 * @module
 */

import { readBytes } from "../../read_bytes.ts";
import { consumed } from "../support/lane.ts";

/** Ways to read a body in this page, by the names that they have in other runtimes. */
const READERS: Record<string, (response: Response, size: number) => Promise<ArrayBuffer | Uint8Array>> = {
  "readBytes, size known": (response, sizeHint) => readBytes(response.body!, { sizeHint }),
  "readBytes, size unknown": (response) => readBytes(response.body!),
  "arrayBuffer()": (response) => response.arrayBuffer(),
};

const parameters = new URLSearchParams((globalThis as unknown as { location: { search: string } }).location.search);
const size = Number(parameters.get("size"));

async function report(id: string, result: unknown): Promise<void> {
  await (await fetch(`result?id=${id}`, { method: "POST", body: JSON.stringify(result) })).text();
}

try {
  await report("begin", {});
  const start = performance.now();
  const bytes = await READERS[parameters.get("reader")!](await fetch(`spaces/${size}`), size);
  const milliseconds = performance.now() - start;
  consumed.value = bytes;
  await report("end", bytes.byteLength === size ? { milliseconds } : { error: `${bytes.byteLength} bytes read` });
} catch (error) {
  await report("end", { error: String(error) });
}
