/** Bodies in `parser/bodies/`: their interruption, messages made by hand, and what engines lack. */

import { assertEquals, assertInstanceOf } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { EventEmitter } from "node:events";
import { type BlobLike, type IncomingMessageLike, readJson } from "../../read_json.ts";
import { utf8 } from "../support/bytes.ts";
import { withoutMemory } from "../support/memory_limit.ts";
import { loadFresh, loadFreshWith } from "../support/modules.ts";

type ReceivedRequest = typeof import("../../parser/bodies/received_request.ts");

const RECEIVED_REQUEST = "parser/bodies/received_request.ts";

/** Signal that counts its listeners. */
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

const soon = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));

describe("readJson() that a signal or a time may interrupt", () => {
  it("settles as its source does, and leaves no listener and no timer", async () => {
    const counting = countingSignal();
    const options = { timeout: 60_000, signal: counting.signal }; // a timer left would keep the test alive
    const good = pendingBlob();
    const reading = readJson(good.blob, options);
    assertEquals(counting.count, 1);
    good.resolve(utf8("[]").buffer);
    assertEquals(await reading, { ok: true, value: [] });
    const bad = pendingBlob();
    const failing = readJson(bad.blob, options);
    const cause = new Error("broken");
    bad.reject(cause);
    const result = await failing;
    assertEquals(!result.ok && [result.code, "cause" in result && result.cause], ["source-failed", cause]);
    assertEquals(counting.count, 0);
  });

  const late = new DOMException("late", "TimeoutError");
  const rows = [
    { reason: "enough", code: "aborted", message: "Body was aborted before its end", status: 499 },
    { reason: late, code: "timed-out", message: "Body did not arrive in time", status: 408 },
    { timeout: 5, code: "timed-out", message: "Body did not arrive within 5 ms", status: 408 },
  ];
  for (const { reason, timeout, ...failure } of rows) {
    it(`fails with "${failure.message}", frees what comes later and ignores later errors`, async () => {
      for (const end of ["resolve", "reject"] as const) {
        const counting = countingSignal();
        const { blob, resolve, reject } = pendingBlob();
        const options = timeout === undefined ? { signal: counting.signal } : { timeout };
        const reading = readJson(blob, options);
        if (timeout === undefined) counting.abort(reason);
        const expected = { ok: false, ...failure, ...reason !== undefined && { cause: reason } };
        assertEquals(await reading as unknown, expected);
        assertEquals(counting.count, 0);
        const { buffer } = utf8("[]");
        if (end === "resolve") resolve(buffer);
        else reject(new Error("late"));
        await soon();
        assertEquals(buffer.detached, end === "resolve");
      }
    });
  }
});

/** Message of Node.js that notes whether it flows on. */
class FakeMessage extends EventEmitter {
  readonly headers = {};
  flows = false;

  resume(): void {
    this.flows = true;
  }
}

describe("readJson() of a message made by hand", () => {
  /** Reads a message while `emit` runs. Returns the result or the error, and the state afterwards. */
  async function read(emit: (message: FakeMessage) => void, maxBytes = 9) {
    const message = new FakeMessage();
    const reading = readJson(message as IncomingMessageLike, { maxBytes }).catch((error: unknown) => error);
    emit(message);
    return { result: await reading, flows: message.flows, listeners: message.eventNames() };
  }

  it("returns the value at the end", async () => {
    const { result, ...state } = await read((message) => {
      message.emit("data", utf8("[1"));
      message.emit("data", utf8("]"));
      message.emit("end");
      message.emit("close");
    });
    assertEquals(result, { ok: true, value: [1] });
    assertEquals(state, { flows: false, listeners: [] });
  });

  it("lets a message flow on that was closed, is too large, or has chunks of another type", async () => {
    const rows: { emit: (message: FakeMessage) => void; code?: string }[] = [
      { emit: (message) => message.emit("close"), code: "aborted" },
      { emit: (message) => message.emit("data", new Uint8Array(10)), code: "too-large" },
      { emit: (message) => message.emit("data", "[1]") },
    ];
    for (const { emit, code } of rows) {
      const { result, ...state } = await read(emit);
      if (code === undefined) assertInstanceOf(result, TypeError);
      else assertEquals((result as { code: string }).code, code);
      assertEquals(state, { flows: true, listeners: [] });
    }
  });

  it("fails with the engine's error as cause if there is no memory for the bytes", async () => {
    for (const steps of [["data", "data"], ["data", "data", "end"]]) {
      const last = steps.pop()!;
      const { result, listeners } = await read((message) => {
        const emit = (step: string) => message.emit(step, new Uint8Array(100_000).fill(0x20));
        steps.forEach(emit);
        const chunk = new Uint8Array(100_000);
        withoutMemory("Uint8Array", (size) => typeof size === "number", () => message.emit(last, chunk));
      }, 1e9);
      const { code, cause } = result as { code: string; cause: Error };
      assertEquals([code, cause.name, listeners], ["source-failed", "RangeError", []]);
    }
  });
});

describe("hasTrueLength()", () => {
  it("trusts requests of Deno's server, and none that a program makes", async () => {
    const { hasTrueLength } = await loadFresh<ReceivedRequest>(RECEIVED_REQUEST);
    assertEquals(hasTrueLength({ [Symbol("headers")]: "immutable" }), false); // before any request came
    const { promise, resolve } = Promise.withResolvers<Request>();
    await using server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, (request) => {
      resolve(request);
      return new Response();
    });
    await (await fetch(`http://127.0.0.1:${server.addr.port}`)).body?.cancel();
    const fresh = await loadFresh<ReceivedRequest>(RECEIVED_REQUEST);
    assertEquals(fresh.hasTrueLength(await promise), true);
    assertEquals(fresh.hasTrueLength(new Request("http://localhost/")), false);
    assertEquals(fresh.hasTrueLength({ [Symbol("headers guard")]: "immutable" }), false);
  });

  it("trusts every request in Bun, and none in Node.js", async () => {
    for (const { Bun, expected } of [{ Bun: {}, expected: true }, { Bun: undefined, expected: false }]) {
      const globals = { Deno: undefined, Bun };
      const { hasTrueLength } = await loadFreshWith<ReceivedRequest>(RECEIVED_REQUEST, globals);
      assertEquals(hasTrueLength({}), expected);
    }
  });
});
