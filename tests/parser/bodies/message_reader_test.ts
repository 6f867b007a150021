/** Tests of reading messages of Node.js, with messages made by hand. */

import { assertEquals, assertInstanceOf, assertStrictEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { EventEmitter } from "node:events";
import { type MessageReceiver, readMessage } from "../../../parser/bodies/message_reader.ts";
import { ReceivedMessage } from "../../../parser/bodies/received_bytes.ts";
import { utf8 } from "../../support/bytes.ts";

/** Message that notes whether it flows on. */
class FakeMessage extends EventEmitter {
  readonly headers = {};
  flows = false;

  resume(): void {
    this.flows = true;
  }
}

/** Receiver that notes its calls. */
class FakeReceiver implements MessageReceiver {
  readonly calls: string[] = [];

  add(): boolean {
    this.calls.push("add");
    return true;
  }

  finish(): Uint8Array {
    this.calls.push("finish");
    return utf8("1");
  }

  free(): void {
    this.calls.push("free");
  }
}

const LIMITS = { maxBytes: 9, timeout: Infinity, signal: undefined };

/** Reads a message while `emit` runs. Returns the result or the error, and the state afterwards. */
async function read(
  emit: (message: FakeMessage) => void,
  receiver: MessageReceiver & { calls?: string[] } = new FakeReceiver(),
) {
  const message = new FakeMessage();
  const reading = readMessage(message, LIMITS, receiver).catch((error: unknown) => error);
  emit(message);
  const result = await reading;
  return { result, calls: receiver.calls, flows: message.flows, listeners: message.eventNames() };
}

describe("readMessage()", () => {
  it("returns the bytes at the end", async () => {
    const { result, ...state } = await read((message) => {
      message.emit("data", utf8("1"));
      message.emit("end");
      message.emit("close");
    });
    assertEquals(result, utf8("1"));
    assertEquals(state, { calls: ["add", "finish"], flows: false, listeners: [] });
  });

  it("tells that a message was closed before its end", async () => {
    const { result, ...state } = await read((message) => {
      message.emit("data", utf8("["));
      message.emit("close");
    });
    const message = "Body was aborted before its end";
    assertEquals(result, { ok: false, code: "aborted", message, status: 499, cause: undefined });
    assertEquals(state, { calls: ["add", "free"], flows: true, listeners: [] });
  });

  it("rejects for a chunk that is not bytes, and lets the message flow on", async () => {
    const { result, flows, listeners } = await read(
      (message) => message.emit("data", "[1]"),
      new ReceivedMessage(-1, LIMITS.maxBytes),
    );
    assertInstanceOf(result, TypeError);
    assertEquals([flows, listeners], [true, []]);
  });

  it("rejects with the error of a receiver that has no memory for a chunk", async () => {
    const error = new RangeError("Array buffer allocation failed");
    const receiver = Object.assign(new FakeReceiver(), {
      add: () => {
        throw error;
      },
    });
    const { result, ...state } = await read((message) => message.emit("data", utf8("1")), receiver);
    assertStrictEquals(result, error);
    assertEquals(state, { calls: ["free"], flows: true, listeners: [] });
  });

  it("rejects with the error of a receiver that has no memory for all bytes", async () => {
    const error = new RangeError("Array buffer allocation failed");
    const receiver = Object.assign(new FakeReceiver(), {
      finish: () => {
        throw error;
      },
    });
    const { result, listeners } = await read((message) => message.emit("end"), receiver);
    assertStrictEquals(result, error);
    assertEquals(listeners, []);
  });
});
