/**
 * Child process for Deno, Node.js and Bun: every code of `readJson`, from each kind of source.
 * Prints failed checks, and the number of checks. Tests of the middleware have servers.
 */

import process from "node:process";
import { type JsonSource, parseWithSchema, readJson, type ReadJsonOptions, type ReadJsonResult } from "../../mod.ts";
import { checkThat, reportChecks } from "../support/checks.ts";
import { price } from "../support/price_schema.ts";

const encoder = new TextEncoder();
const utf8 = (text: string): Uint8Array<ArrayBuffer> => encoder.encode(text).slice();

function summary(result: ReadJsonResult): string {
  if (result.ok) return JSON.stringify(result.value);
  return `${result.code} ${result.status}`;
}

async function checkSource(name: string, source: JsonSource, options: ReadJsonOptions, expected: string) {
  const result = await readJson(source, options);
  checkThat(name, summary(result) === expected, result);
}

/** Stream of chunks, which then ends, fails, or goes on for ever. Notes whether it is cancelled. */
class Source {
  cancelled = false;
  pulls = 0;
  readonly stream: ReadableStream<Uint8Array>;

  constructor(chunks: string[], after: "end" | "error" | "wait" | "repeat") {
    const next = (controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> | void => {
      this.pulls++;
      const chunk = chunks.shift();
      if (chunk !== undefined) controller.enqueue(utf8(chunk));
      else if (after === "end") controller.close();
      else if (after === "error") controller.error(new Error("broken"));
      else if (after === "wait") return new Promise(() => {});
      else controller.enqueue(new Uint8Array(10_000).fill(0x20));
    };
    this.stream = new ReadableStream({ pull: next, cancel: () => void (this.cancelled = true) }, { highWaterMark: 0 });
  }
}

const TEXT = '{"items":[{"price":1},{"price":"2"}]}';
const VALUE = JSON.stringify(JSON.parse(TEXT));
const shared = new SharedArrayBuffer(TEXT.length);
new Uint8Array(shared).set(utf8(TEXT));

const postTo = (body: BodyInit, headers: Record<string, string> = {}): Request =>
  new Request("http://localhost/", { method: "POST", body, headers, duplex: "half" } as RequestInit);

async function* chunks(): AsyncGenerator<Uint8Array> {
  yield utf8(TEXT.slice(0, 9));
  yield utf8(TEXT.slice(9));
}

/** Sources of {@linkcode TEXT}. */
const SOURCES: Record<string, () => JsonSource> = {
  "a Request of text": () => postTo(TEXT),
  "a Request of a stream": () => postTo(new Source([TEXT.slice(0, 5), TEXT.slice(5)], "end").stream),
  "a Request with its length": () => postTo(TEXT, { "content-length": `${TEXT.length}` }),
  "a clone of a Request": () => postTo(TEXT).clone(),
  "a Response": () => new Response(TEXT),
  "a Blob": () => new Blob([TEXT]),
  "a stream": () => new Source([TEXT], "end").stream,
  "an async iterable": chunks,
  "an iterable": () => [utf8(TEXT.slice(0, 9)), utf8(TEXT.slice(9))],
  "a Uint8Array": () => utf8(TEXT),
  "an ArrayBuffer": () => utf8(TEXT).buffer,
  "a SharedArrayBuffer": () => shared,
};
for (const [name, make] of Object.entries(SOURCES)) {
  await checkSource(name, make(), {}, VALUE);
  await checkSource(`${name}, of the largest size`, make(), { maxBytes: TEXT.length }, VALUE);
  await checkSource(`${name}, with limits`, make(), { timeout: 10_000, signal: new AbortController().signal }, VALUE);
  await checkSource(`${name}, too large`, make(), { maxBytes: TEXT.length - 1 }, "too-large 413");
  await checkSource(`${name}, against a schema`, make(), { schema: price }, "schema 422");
  await checkSource(`${name}, aborted`, make(), { signal: AbortSignal.abort("enough") }, "aborted 499");
}

await checkSource("no body", new Request("http://localhost/"), {}, "unexpected-end 400");
checkThat("parseWithSchema", !parseWithSchema(utf8(TEXT), price).ok, "accepted");
const decoded = new Response(TEXT, { headers: { "content-encoding": "gzip", "content-length": "1" } });
await checkSource("a Response that was decoded", decoded, {}, VALUE);
const announced = new Source([], "wait");
const large = postTo(announced.stream, { "content-length": "1048577" });
await checkSource("a length that is too large", large, {}, "too-large 413");
checkThat("it is not read", announced.pulls <= 1, announced.pulls);

// Endless and broken sources are cancelled.
const endless = new Source([], "repeat");
await checkSource("an endless stream", endless.stream, {}, "too-large 413");
checkThat("it is cancelled", endless.cancelled && !endless.stream.locked && endless.pulls < 110, endless);
const slow = new Source(["[1,"], "wait");
await checkSource("a slow stream", slow.stream, { timeout: 20 }, "timed-out 408");
checkThat("it is cancelled after its time", slow.cancelled && !slow.stream.locked, slow);
const left = new Source(["[1,"], "wait");
const controller = new AbortController();
setTimeout(() => controller.abort(), 20);
await checkSource("a stream that is aborted", left.stream, { signal: controller.signal }, "aborted 499");
checkThat("it is cancelled after that", left.cancelled && !left.stream.locked, left);
const clock = setTimeout(() => {}, 1000); // a signal alone does not keep a process alive
const late = { signal: AbortSignal.timeout(20) };
await checkSource("a signal with a time", new Source([], "wait").stream, late, "timed-out 408");
clearTimeout(clock);
const broken = await readJson(postTo(new Source(["[1,"], "error").stream));
const cause = broken.ok || !("cause" in broken) ? undefined : broken.cause;
checkThat("a stream that fails", summary(broken) === "source-failed 400", broken);
checkThat("its error is the cause", cause instanceof Error && cause.message === "broken", String(cause));

const used = postTo(TEXT);
await used.text();
const locked = new Source([TEXT], "end").stream;
locked.getReader();
for (const source of [used, locked, [TEXT] as unknown as Uint8Array[]]) {
  const error = await readJson(source).catch((error: unknown) => error);
  checkThat("a source that cannot be read", error instanceof TypeError, error);
}

reportChecks();
process.exit();
