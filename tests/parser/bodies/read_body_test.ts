/** Bodies that are interrupted, messages made by hand, and requests of servers. */

import { assertEquals, assertMatch } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { EventEmitter } from "node:events";
import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from "node:zlib";
import { type BlobLike, type IncomingMessageLike, readJson } from "../../../read_json.ts";
import { concat, utf8 } from "../../support/bytes.ts";
import { withoutMemory } from "../../support/memory_limit.ts";
import { loadFresh, loadFreshWith, withGlobals } from "../../support/modules.ts";

type ReceivedRequest = typeof import("../../../parser/bodies/received_request.ts");
type Decompressor = typeof import("../../../parser/bodies/decompressor.ts");

const RECEIVED_REQUEST = "parser/bodies/received_request.ts";

function countingSignal() {
  const controller = new AbortController();
  const { signal } = controller;
  const counting = { signal, abort: (reason: unknown) => controller.abort(reason), count: 0 };
  for (const [name, step] of [["addEventListener", 1], ["removeEventListener", -1]] as const) {
    const method = signal[name];
    Object.assign(signal, {
      [name](...given: unknown[]) {
        counting.count += step;
        Reflect.apply(method, signal, given);
      },
    });
  }
  return counting;
}

/** Blob whose bytes arrive when the test says so. */
function pendingBlob() {
  const { promise, resolve, reject } = Promise.withResolvers<ArrayBuffer>();
  const blob: BlobLike = { size: 2, arrayBuffer: () => promise, stream: () => new ReadableStream() };
  return { blob, resolve, reject };
}

describe("readJson() that a signal or a time may interrupt", () => {
  const late = new DOMException("late", "TimeoutError");
  const broken = new Error("broken");
  const rows: { abort?: unknown; timeout?: number; bytes?: string; result: Record<string, unknown> }[] = [
    { bytes: "[]", result: { ok: true, value: [] } },
    {
      result: { ok: false, code: "source-failed", message: "Body could not be read", status: 400, cause: broken },
    },
    {
      abort: "enough",
      result: { ok: false, code: "aborted", message: "Body was aborted before its end", status: 499, cause: "enough" },
    },
    {
      abort: late,
      result: { ok: false, code: "timed-out", message: "Body did not arrive in time", status: 408, cause: late },
    },
    {
      timeout: 5,
      result: { ok: false, code: "timed-out", message: "Body did not arrive within 5 ms", status: 408 },
    },
  ];
  for (const { abort, timeout, bytes, result } of rows) {
    it(`gives "${result.message ?? result.value}", leaves what comes later, and no listener and no timer`, async () => {
      const isInterrupted = abort !== undefined || timeout !== undefined;
      for (const isFulfilled of isInterrupted ? [true, false] : [bytes !== undefined]) {
        const counting = countingSignal();
        const { blob, resolve, reject } = pendingBlob();
        // A timer left would keep the test alive.
        const reading = readJson(blob, { signal: counting.signal, timeout: timeout ?? 60_000 });
        assertEquals(counting.count, 1);
        const { buffer } = utf8("[]");
        const settle = (): void => isFulfilled ? resolve(buffer) : reject(broken);
        if (abort !== undefined) counting.abort(abort);
        else if (!isInterrupted) settle();
        assertEquals<unknown>(await reading, result);
        assertEquals(counting.count, 0);
        if (!isInterrupted) continue;
        settle();
        await new Promise((resolve) => setTimeout(resolve));
        assertEquals(buffer.detached, false);
      }
    });
  }
});

/** Message of Node.js. */
class FakeMessage extends EventEmitter {
  readonly headers: Record<string, string>;

  constructor(headers: Record<string, string> = {}) {
    super();
    this.headers = headers;
  }

  resume(): void {}
}

describe("readJson() of a message made by hand", () => {
  it("fails with the engine's error as cause if there is no memory for the bytes", async () => {
    for (const steps of [["data", "data"], ["data", "data", "end"]]) {
      const last = steps.pop()!;
      const message = new FakeMessage();
      const reading = readJson(message as IncomingMessageLike, { maxBytes: 1e9 });
      for (const step of steps) message.emit(step, new Uint8Array(100_000).fill(0x20));
      const chunk = new Uint8Array(100_000);
      withoutMemory("Uint8Array", (size) => typeof size === "number", () => message.emit(last, chunk));
      const { code, cause } = await reading as { code: string; cause: Error };
      assertEquals([code, cause.name, message.eventNames()], ["source-failed", "RangeError", []]);
    }
  });
});

describe("readJson() of a compressed body", () => {
  const COMPRESSORS = { gzip: gzipSync, deflate: deflateSync, br: brotliCompressSync, zstd: zstdCompressSync };
  const text = JSON.stringify(Array.from({ length: 6_000 }, (_, i) => `${i * 7919 % 100_003}`));
  for (const [encoding, compress] of Object.entries(COMPRESSORS)) {
    it(`decompresses ${encoding}, and notices what is wrong with it`, async () => {
      const headers = { "content-encoding": encoding };
      const bytes = new Uint8Array(compress(text));
      const maxBytes = text.length;
      // Deno notices truncated br and zstd only because the JSON is incomplete.
      const truncated = /br|zstd/.test(encoding) ? /^un(terminated-string|expected-end)$/ : /^bad-compression$/;
      const CASES: { body: Uint8Array<ArrayBuffer>; maxBytes: number; code: RegExp }[] = [
        { body: bytes, maxBytes, code: /^complete$/ },
        { body: bytes, maxBytes: maxBytes - 1, code: /^too-large$/ },
        { body: bytes, maxBytes: bytes.length, code: /^too-large$/ },
        { body: bytes.slice(0, bytes.length >> 1), maxBytes, code: truncated },
        { body: bytes.slice(0, 9), maxBytes, code: truncated },
        { body: concat([bytes, utf8("x")]), maxBytes, code: /^bad-compression$/ },
        { body: new Uint8Array(9).fill(0xff), maxBytes, code: /^bad-compression$/ },
      ];
      for (const { body, maxBytes, code } of CASES) {
        const message = new FakeMessage(headers);
        const chunks = [body.slice(0, 5_000), body.slice(5_000)];
        const reading = readJson(message as IncomingMessageLike, { maxBytes, detachChunks: true, inflate: true });
        message.emit("data", chunks[0]);
        message.emit("data", chunks[1]);
        message.emit("end");
        const request = new Request("http://localhost/", { method: "POST", headers, body });
        for (const result of [await reading, await readJson(request, { maxBytes, inflate: true })]) {
          assertMatch(
            result.ok && JSON.stringify(result.value) === text ? "complete" : `${result.ok || result.code}`,
            code,
          );
        }
        await new Promise((resolve) => setTimeout(resolve));
        assertEquals(chunks.map(({ length }) => length), [0, 0]);
      }
    });
  }

  it("decompresses br in runtimes that can limit the output of their own stream", async () => {
    const { openDecompression } = await loadFreshWith<Decompressor>("parser/bodies/decompressor.ts", {
      Deno: undefined,
    });
    const stream = new Blob([new Uint8Array(brotliCompressSync(text))]).stream();
    assertEquals(await new Response(stream.pipeThrough(openDecompression("br")!)).text(), text);
  });

  it("fails if node:zlib reports an error to the callback alone", async () => {
    const broken = new Error("broken");
    class BrokenInflate extends EventEmitter {
      write = (_bytes: unknown, done: (error: Error) => void): void => done(broken);
      end = (done: (error: Error) => void): void => done(broken);
      pause = (): void => {};
      resume = (): void => {};
      destroy = (): void => {};
    }
    const process = { getBuiltinModule: () => ({ createInflate: () => new BrokenInflate() }) };
    const result = await withGlobals({ process }, async () => {
      const headers = { "content-encoding": "deflate" };
      const request = new Request("http://localhost/", { method: "POST", headers, body: "x" });
      return await readJson(request, { inflate: true });
    });
    assertEquals(!result.ok && "cause" in result && [result.code, result.cause], ["bad-compression", broken]);
  });
});

describe("a request of a server", () => {
  it("has a trusted length in Deno and Bun, but none in Node.js or if user code made it", async () => {
    const { hasTrueLength } = await loadFresh<ReceivedRequest>(RECEIVED_REQUEST);
    assertEquals(hasTrueLength({ [Symbol("headers")]: "immutable" }), false); // before any request came
    const { promise, resolve } = Promise.withResolvers<Request>();
    await using server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, (request) => {
      resolve(request);
      return new Response();
    });
    await (await fetch(`http://127.0.0.1:${server.addr.port}`)).body?.cancel();
    const fresh = await loadFresh<ReceivedRequest>(RECEIVED_REQUEST);
    const requests = [await promise, new Request("http://localhost/"), { [Symbol("headers guard")]: "immutable" }];
    assertEquals(requests.map(fresh.hasTrueLength), [true, false, false]);
    for (const Bun of [{}, undefined]) {
      const runtime = await loadFreshWith<ReceivedRequest>(RECEIVED_REQUEST, { Deno: undefined, Bun });
      assertEquals(runtime.hasTrueLength({}), Bun !== undefined);
    }
  });

  it("is read in a runtime whose requests have no bytes()", async () => {
    await using server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, async (request) => {
      Object.defineProperty(request, "bytes", { value: undefined });
      return Response.json(await readJson(request));
    });
    const response = await fetch(`http://127.0.0.1:${server.addr.port}`, { method: "POST", body: "[1]" });
    assertEquals(await response.json(), { ok: true, value: [1] });
  });
});
