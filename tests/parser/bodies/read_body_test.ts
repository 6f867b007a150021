/** Bodies that are interrupted, messages made by hand, and requests of servers. */

import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { EventEmitter } from "node:events";
import { type BlobLike, type IncomingMessageLike, readJson } from "../../../read_json.ts";
import { utf8 } from "../../support/bytes.ts";
import { withoutMemory } from "../../support/memory_limit.ts";
import { loadFresh, loadFreshWith } from "../../support/modules.ts";

type ReceivedRequest = typeof import("../../../parser/bodies/received_request.ts");

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
  readonly headers = {};

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
});
