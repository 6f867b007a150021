/**
 * Worker that posts the milliseconds of one contestant's first call. It says when it is loaded, and
 * then gets the document.
 *
 * @module
 */

import { native, parser } from "../../measure/contestants.ts";
import { consumed } from "../support/lane.ts";

const worker = globalThis as unknown as {
  onmessage(event: MessageEvent<{ name: string; document: Uint8Array }>): void;
  postMessage(message: unknown): void;
};

worker.onmessage = ({ data: { name, document } }) => {
  const contestant = name === native.name ? native : parser;
  const start = performance.now();
  consumed.value = contestant.parse(document);
  worker.postMessage(performance.now() - start);
};
worker.postMessage("loaded");
