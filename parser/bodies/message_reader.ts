/**
 * Reads the body of a message of Node.js by its events. An iterator takes three promises a chunk.
 *
 * @module
 */

import { checkedChunk } from "../streaming/byte_source.ts";
import { aborted, failureOfSource, type UnreadBody } from "./body_failure.ts";
import { Interruption, type TimeLimits } from "./interruption.ts";

/** Request that `node:http` has received, or a response to one, as far as it is used here. */
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

/**
 * Reads a message to its end. After a failure, it is left to flow, so that it can be answered and
 * its connection be used again.
 *
 * @param take Takes a chunk; returns a failure to end reading, or `null`.
 * @returns The failure, or `null` at the end. Rejects for a chunk that is not bytes.
 */
export function readMessage(
  message: IncomingMessageLike,
  limits: TimeLimits,
  take: (chunk: Uint8Array) => UnreadBody | null,
): Promise<UnreadBody | null> {
  return new Promise((resolve, reject) => {
    const hasLimits = limits.signal !== undefined || limits.timeout < Infinity;
    const interruption = hasLimits ? new Interruption(limits, finish) : undefined;
    function stop(): void {
      interruption?.end();
      message.removeListener("data", onData);
      message.removeListener("end", onEnd);
      message.removeListener("close", onClose);
      message.removeListener("aborted", onClose);
      message.removeListener("error", onError);
    }
    function finish(failure: UnreadBody | null): void {
      stop();
      if (failure !== null) message.resume();
      resolve(failure);
    }
    function onData(chunk: unknown): void {
      let failure: UnreadBody | null;
      try {
        failure = take(checkedChunk(chunk));
      } catch (error) {
        stop();
        message.resume();
        reject(error);
        return;
      }
      if (failure !== null) finish(failure);
    }
    function onEnd(): void {
      finish(null);
    }
    function onClose(): void {
      finish(aborted(undefined));
    }
    function onError(error: unknown): void {
      finish(failureOfSource(error));
    }
    message.on("end", onEnd);
    message.on("close", onClose);
    message.on("aborted", onClose);
    message.on("error", onError);
    message.on("data", onData);
  });
}
