/** A worker of `bytejson check`: inspects the files it is given, one after the other, and tells what it finds. */

import { describeReadError } from "./input.ts";
import { inspectInput } from "./inspect_input.ts";
import type { Message, Task } from "./parallel.ts";
import type { Outcome } from "./report.ts";

/** Bytes after which progress is told. */
const STRIDE = 2 ** 24;

const scope = self as unknown as {
  onmessage: ((event: MessageEvent<Task[]>) => void) | null;
  postMessage(message: Message): void;
};

let untold = 0;

function tellProgress(): void {
  scope.postMessage({ kind: "progress", bytes: untold });
  untold = 0;
}

async function inspect({ index, input, options }: Task): Promise<Outcome> {
  try {
    return await inspectInput(input, options, {
      onPiece({ length }): boolean {
        untold += length;
        if (untold >= STRIDE) tellProgress();
        return true;
      },
      onFinding: (finding) => scope.postMessage({ kind: "finding", index, finding }),
    });
  } catch (error) {
    return describeReadError(error, input.path);
  }
}

scope.onmessage = async ({ data }) => {
  for (const task of data) scope.postMessage({ kind: "outcome", index: task.index, outcome: await inspect(task) });
  tellProgress();
  scope.postMessage({ kind: "idle" });
};
