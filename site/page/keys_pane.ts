/**
 * The wrong keys of `JSON.parse`, shown live.
 *
 * @module
 */

/// <reference lib="dom" />

import { byId, setText } from "./elements.ts";
import { textOf } from "./keys_text.ts";
import { WorkerClient } from "./worker_client.ts";

const status = byId("keys-status", HTMLElement);
const shown = byId("keys-example", HTMLElement);
const note = byId("keys-note", HTMLElement);

/** Tries all pairs in a worker of its own, and shows what came of them. */
export async function showKeys(): Promise<void> {
  const worker = new WorkerClient();
  try {
    const result = await worker.run({ kind: "keys" });
    if (result === undefined) return;
    const text = textOf(result);
    setText(status, text.status);
    shown.textContent = text.example;
    setText(note, text.note);
  } catch (error) {
    setText(status, `It cannot be tried here: ${(error as Error).message}`);
  } finally {
    worker.stop();
  }
}
