/** A worker of `bytejson check`: inspects the files it is given, one after the other, and tells what it finds. */

import { describeReadError } from "../input/read_error.ts";
import { inspectInput } from "./read_pieces.ts";
import type { Finding } from "../diagnostics/diagnostic_validator.ts";
import type { Message, Result, Task } from "./worker_pool.ts";

/** Bytes after which progress is told. */
const STRIDE = 2 ** 24;

const scope = self as unknown as {
  onmessage: ((event: MessageEvent<Task[]>) => void) | null;
  postMessage(message: Message): void;
};

/** Bytes read since they were last told of. */
let bytes = 0;

function tell(results?: Result[]): void {
  scope.postMessage({ bytes, ...results && { results } });
  bytes = 0;
}

async function inspect({ index, input, options }: Task): Promise<Result> {
  const findings: Finding[] = [];
  try {
    const outcome = await inspectInput(input, options, {
      onPiece({ length }): void {
        bytes += length;
        if (bytes >= STRIDE) tell();
      },
      onFinding: (finding) => void findings.push(finding),
    });
    return { index, findings, outcome };
  } catch (error) {
    return { index, findings, outcome: describeReadError(error, input.path) };
  }
}

scope.onmessage = async ({ data }) => {
  const results: Result[] = [];
  for (const task of data) results.push(await inspect(task));
  tell(results);
};
