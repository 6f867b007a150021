/** Reads the body of a Node.js message by events. An iterator takes three promises a chunk. */

import { aborted, failureOfSource, tooLarge, type UnreadBody } from "./body_failure.ts";
import { type BodyLimits, hasTimeLimits, Interruption } from "./interruption.ts";

/** Request that `node:http` has received, or a response to one, reduced to the members used here. */
export interface IncomingMessageLike {
  /** Headers by their names in lower case. */
  readonly headers: { readonly [name: string]: string | string[] | undefined };
  /** Whether the message has ended, and was read. */
  readonly readableEnded?: boolean;
  /** Whether the message was read from. */
  readonly readableDidRead?: boolean;
  /** Whether the connection was closed before the end. */
  readonly destroyed?: boolean;
  /** Adds a listener. */
  // deno-lint-ignore no-explicit-any
  on(event: string, listener: (argument: any) => void): unknown;
  /** Removes a listener. */
  // deno-lint-ignore no-explicit-any
  removeListener(event: string, listener: (argument: any) => void): unknown;
  /** Continues reading; nothing listens to the data. */
  resume(): unknown;
}

/** Stream of Node.js, reduced to its events. */
export type EventSource = Pick<IncomingMessageLike, "on" | "removeListener" | "resume">;

/** Bytes of a body that was read to its end. */
export interface ReceivedBody<Buffer extends ArrayBufferLike = ArrayBufferLike> {
  readonly ok: true;
  readonly bytes: Uint8Array<Buffer>;
  /** Whether nothing else may hold their memory, so that it may be freed. */
  readonly isOurs: boolean;
}

export interface MessageReceiver {
  /** Takes a chunk. Returns whether it fits. Throws if it is of a wrong type. */
  add(chunk: unknown): boolean;
  /** Returns all bytes, or a failure. */
  finish(): ReceivedBody | UnreadBody | Promise<ReceivedBody | UnreadBody>;
  free(): void;
  /** Set by the reader. Call it for a failure between two chunks. */
  fail?: (failure: UnreadBody) => void;
}

/**
 * Reads a message to its end. After a failure, it is left to flow, so that it can be answered, and
 * its connection reused.
 *
 * @returns The bytes, or a failure. Rejects with the errors of the receiver.
 */
export function readMessage(
  message: EventSource,
  limits: BodyLimits,
  receiver: MessageReceiver,
): Promise<ReceivedBody | UnreadBody> {
  return new Promise((resolve, reject) => {
    const interruption = hasTimeLimits(limits) ? new Interruption(limits, fail) : null;

    function stop(): void {
      interruption?.end();
      for (let i = 0; i < listeners.length; i++) message.removeListener(listeners[i].event, listeners[i].listener);
    }

    function take(chunk: unknown): void {
      try {
        if (!receiver.add(chunk)) fail(tooLarge(limits.maxBytes));
      } catch (error) {
        drop();
        reject(error);
      }
    }

    function finish(): void {
      stop();
      try {
        resolve(receiver.finish());
      } catch (error) {
        reject(error);
      }
    }

    /** Stops reading, and lets the rest of the message flow on. */
    function drop(): void {
      stop();
      receiver.free();
      message.resume();
    }

    function fail(failure: UnreadBody): void {
      drop();
      resolve(failure);
    }

    const listeners = [
      { event: "end", listener: finish },
      { event: "error", listener: (error: unknown) => fail(failureOfSource(error)) },
      { event: "close", listener: () => fail(aborted(undefined)) },
      { event: "data", listener: take },
    ];
    receiver.fail = fail;
    for (let i = 0; i < listeners.length; i++) message.on(listeners[i].event, listeners[i].listener);
  });
}
