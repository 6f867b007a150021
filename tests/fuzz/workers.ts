/** Workers of the fuzzer, one at a time, each with an engine and a parser of its own. */

import type { Answer, Order } from "./session.ts";
import { noCounts } from "./steps.ts";

/** Milliseconds after which a worker that should be done counts as hanging. */
const PATIENCE = 120_000;

/** Gives an order to a new worker. A worker that hangs or dies is a problem too. */
export function ask(order: Order): Promise<Answer> {
  const worker = new Worker(new URL("session.ts", import.meta.url), { type: "module" });
  const patience = (order.fuzz?.milliseconds ?? 0) + PATIENCE;
  return new Promise<Answer>((resolve) => {
    const fail = (problem: string): void => {
      resolve({ counts: noCounts(), problem, length: order.steps?.length ?? 0, steps: order.steps ?? [] });
    };
    const timer = setTimeout(() => fail(`no answer within ${patience / 1000} s`), patience);
    worker.onmessage = (event: MessageEvent<Answer>) => {
      clearTimeout(timer);
      resolve(event.data);
    };
    worker.onerror = (event) => {
      event.preventDefault();
      clearTimeout(timer);
      fail(`the worker ended: ${event.message}`);
    };
    worker.postMessage(order);
  }).finally(() => worker.terminate());
}
