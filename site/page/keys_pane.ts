/** The wrong keys of `JSON.parse`, shown live. */

/// <reference lib="dom" />

import type { KeysResult } from "../worker/find_wrong_keys.ts";
import { byId, setText } from "./elements.ts";
import { WorkerClient } from "./worker_client.ts";

/** Returns a sentence about the result, and code that shows a wrong key, if there is one. */
export function textOf({ pairs, native, parseBinary, example }: KeysResult): { sentence: string; code?: string } {
  if (native === 0) return { sentence: `This browser has no wrong keys in ${pairs} tests.` };
  const { first, second, lastKey, actual } = example;
  return {
    sentence: `This browser has the bug: JSON.parse gave a wrong key for ${native} of ${pairs} pairs of documents, ` +
      `parseBinary for ${parseBinary}.`,
    code: [
      `JSON.parse(String.raw\`${first}\`);`,
      `Object.keys(JSON.parse(String.raw\`${second}\`));`,
      `// the last key is ${JSON.stringify(actual)}, but should be ${JSON.stringify(lastKey)}`,
    ].join("\n"),
  };
}

/** Tries all pairs in a separate worker, and shows the result. */
export async function showKeys(): Promise<void> {
  const status = byId("keys-status", HTMLElement);
  const worker = new WorkerClient();
  try {
    const { sentence, code = "" } = textOf((await worker.run("keys", undefined))!);
    setText(status, sentence);
    setText(byId("keys-example", HTMLElement), code);
    byId("keys-details", HTMLElement).hidden = code === "";
  } catch (error) {
    setText(status, `The test cannot run here: ${(error as Error).message}`);
  } finally {
    worker.stop();
  }
}
